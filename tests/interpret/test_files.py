"""Files that programs may use: the kernel's, pipes and devices are refused; descriptors are given out as by Linux."""

from __future__ import annotations

import errno
import os
import socket
import stat
import tempfile

import pytest

from vpo.system.files import EVERYTHING, Files
from vpo.system.kernel import Kernel
from vpo.system.system import OPEN_FILES, System

NAMES = ("openat", "close", "unlink", "rename", "read", "write")


class Memory:
    """Memory of names of files, at addresses that `at` gives, and of what is read into their places."""

    def __init__(self):
        self.content = bytearray(8)

    def at(self, text):
        self.content += os.fsencode(text) + b"\0"
        return len(self.content) - len(os.fsencode(text)) - 1

    def read(self, address, size):
        return bytes(self.content[address : address + size])

    def write(self, address, data):
        self.content[address : address + len(data)] = data

    def writable(self, address, size):
        return size

    def set_break(self, end):
        raise AssertionError


@pytest.fixture
def call():
    """Do system calls by name; texts are names of files."""
    memory = Memory()
    system = System(Kernel(32, False, dict(enumerate(NAMES)), 0, 0), memory)

    def do(name, *words):
        return system.call(NAMES.index(name), [memory.at(w) if isinstance(w, str) else w for w in words])

    yield do
    for host in system.files.values():
        if host > 2:
            os.close(host)


def open_(call, path, flags=os.O_RDONLY):
    return call("openat", -100, path, flags, 0o666)


KERNELS = [
    "/proc/self/mem", "//proc/self/mem", "///proc//self/./mem", "/tmp/../proc/self/mem", "proc/self/maps",
    "./proc/version", "/proc/self/root/proc/self/mem", "/proc/thread-self/mem", "/sys/kernel/uevent_seqnum",
    "/dev/ptmx", "/dev/mem", "/dev/stdin", "/dev/stdout", "/dev/fd/0", "/dev/shm", "/proc", "/sys", "/dev",
]  # fmt: skip


@pytest.mark.parametrize("path", KERNELS)
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT | os.O_TRUNC], ids=["r", "r+", "w"])
def test_files_of_the_kernel_are_refused_even_below_the_working_directory(monkeypatch, path, flags):
    monkeypatch.chdir("/")
    with pytest.raises(PermissionError):
        Files([]).open(path, flags, 0o666)


def test_links_to_files_of_the_kernel_are_refused(monkeypatch, tmp_path):
    monkeypatch.chdir("/")
    for name, target in (("memory", "/proc/self/mem"), ("processes", "/proc"), ("input", "/dev/stdin")):
        (tmp_path / name).symlink_to(target)
    for name in ("memory", "processes/self/mem", "processes/self/fd/0", "input"):
        with pytest.raises(PermissionError):
            Files([]).open(f"{tmp_path}/{name}", os.O_RDWR, 0)


@pytest.mark.parametrize("root", ["/proc", "/proc/self", "/sys", "/dev"])
def test_file_systems_of_the_kernel_are_known_wherever_they_are_mounted(root):
    files = Files([root])  # as if that were an ordinary folder: only what the file system says tells
    for path in (f"{root}/mem", f"{root}/version", f"{root}/kernel/uevent_seqnum", f"{root}/ptmx"):
        with pytest.raises((PermissionError, FileNotFoundError)) as caught:
            files.open(path, os.O_RDONLY, 0)
        assert not os.path.exists(path) or caught.type is PermissionError


def test_devices_that_are_the_same_everywhere_are_there(call):
    null, full = open_(call, "/dev/null", os.O_RDWR | os.O_CREAT | os.O_TRUNC), open_(call, "/dev/full", os.O_WRONLY)
    assert call("write", null, "lost", 4) == 4
    assert call("read", null, "lost", 4) == 0
    assert call("write", full, "lost", 4) == -errno.ENOSPC
    assert stat.S_ISCHR(Files([]).status("/dev/null", True).st_mode)


def test_random_devices_give_each_run_the_same_bytes():
    def run():
        memory = Memory()
        system = System(Kernel(32, False, dict(enumerate(NAMES)), 0, 0), memory)
        places = [memory.at("." * 16) for _ in range(3)]
        for path, place in zip(("/dev/urandom", "/dev/random", "/dev/zero"), places, strict=True):
            descriptor = system.call(NAMES.index("openat"), [-100, memory.at(path), os.O_RDONLY, 0])
            assert system.call(NAMES.index("read"), [descriptor, place, 16]) == 16
            assert system.call(NAMES.index("close"), [descriptor]) == 0
        return [memory.read(place, 16) for place in places]

    first = run()
    assert first == run()
    assert len({*first, b"." * 16}) == 4
    assert first[2] == bytes(16)


def test_streams_have_names(call, capfd):
    output = open_(call, "/dev/stdout", os.O_WRONLY)
    assert output > 2
    assert call("write", output, "text", 4) == 4
    assert capfd.readouterr().out == "text"


def test_a_stream_that_the_program_closes_stays_open_for_its_caller(tmp_path):
    """What a program wrote before it closed its standard output is read from the caller's descriptor."""
    with (tmp_path / "out").open("w+b") as file:
        system = System(Kernel(32, False, dict(enumerate(NAMES)), 0, 0), Memory(), (0, file.fileno(), 2))
        assert system.call(NAMES.index("close"), [1]) == 0
        assert system.call(NAMES.index("close"), [1]) == -errno.EBADF
        assert os.fstat(file.fileno()).st_size == 0


def test_files_directly_in_the_temporary_folder_may_be_used(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with tempfile.NamedTemporaryFile(dir="/tmp") as file:
        os.close(Files([]).open(file.name, os.O_RDWR, 0).descriptor)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, pytest.raises(PermissionError):
        Files([]).open(f"{folder}/file", os.O_WRONLY | os.O_CREAT, 0o666)


def test_a_file_that_the_command_has_open_has_no_name_by_its_descriptor(monkeypatch, tmp_path):
    """Such as the trace that it writes beside the program's files; the program knows descriptors of its own only."""
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "trace").open("wb") as file:
        for path in (f"/dev/fd/{file.fileno()}", f"/proc/self/fd/{file.fileno()}", "/proc/self/cwd/trace"):
            with pytest.raises(PermissionError):
                Files([]).open(path, os.O_WRONLY, 0)


def test_everything_may_be_read_but_not_written(monkeypatch, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").write_text("kept")
    monkeypatch.chdir(tmp_path / "here")
    files = Files([EVERYTHING])
    os.close(files.open("../there", os.O_RDONLY, 0).descriptor)
    assert files.status("../there", True).st_size == files.status("../there", False).st_size == 4
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_RDONLY | os.O_TRUNC, os.O_RDONLY | os.O_CREAT):
        with pytest.raises(PermissionError):
            files.open("../there", flags, 0o666)
    for path in ("/proc/self/mem", "//proc/self/mem", "/dev/ptmx"):
        with pytest.raises(PermissionError):
            files.open(path, os.O_RDONLY, 0)
    with pytest.raises(PermissionError):
        files.unlink("../there")


def test_the_whole_system_is_changed_only_where_that_is_said(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.chdir("/")
    for roots, may in (([], False), (["*"], False), (["/"], True)):
        files = Files(roots)
        assert allowed(files, tmp_path / "file", os.O_RDONLY)
        assert allowed(files, tmp_path / "file", os.O_RDWR) == allowed_to_make(files, tmp_path / "file") == may


def allowed(files, path, flags):
    """Return whether a file may be opened."""
    try:
        os.close(files.open(os.fspath(path), flags, 0o600).descriptor)
    except PermissionError:
        return False
    return True


@pytest.mark.parametrize(
    ("roots", "read", "changed"),  # of: the working directory, a folder beside it, one in that, /tmp
    [
        ([], ["here", "/tmp"], ["here", "/tmp"]),
        (["none"], [], []),
        (["read={beside}"], ["here", "beside", "inner", "/tmp"], ["here", "/tmp"]),
        (["none", "read={beside}"], ["beside", "inner"], []),
        (["none", "read={beside}", "{inner}"], ["beside", "inner"], ["inner"]),
        (["none", "*"], ["here", "beside", "inner", "/tmp"], []),
    ],
)
def test_rights_by_folder(monkeypatch, tmp_path, roots, read, changed):
    names = {"here": tmp_path / "here", "beside": tmp_path / "beside", "inner": tmp_path / "beside" / "inner"}
    for folder in names.values():
        folder.mkdir()
        (folder / "file").touch()
    monkeypatch.chdir(names["here"])
    files = Files([root.format(**names) for root in roots])
    with tempfile.NamedTemporaryFile(dir="/tmp") as temporary:
        paths = {name: folder / "file" for name, folder in names.items()} | {"/tmp": temporary.name}
        assert [name for name, path in paths.items() if allowed(files, path, os.O_RDONLY)] == read
        assert [name for name, path in paths.items() if allowed(files, path, os.O_RDWR)] == changed
        assert [name for name, path in paths.items() if allowed_to_make(files, path)] == changed


def allowed_to_make(files, path):
    """Return whether a folder may be made beside a file, and take it away."""
    folder = os.path.join(os.path.dirname(path), f"made-{os.getpid()}")
    try:
        files.make_folder(folder, 0o700)
    except PermissionError:
        return False
    files.remove_folder(folder)
    return True


def test_a_limit_of_files(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    files = Files([], most=2)
    for name in ("a", "a", "b"):
        os.close(files.open(name, os.O_WRONLY | os.O_CREAT, 0o600).descriptor)
    for make in (lambda: files.make_folder("c", 0o700), lambda: files.open("c", os.O_WRONLY | os.O_CREAT, 0o600)):
        with pytest.raises(OSError, match=f"Errno {errno.EDQUOT}"):
            make()
    files.unlink("a")
    files.make_folder("c", 0o700)
    with pytest.raises(OSError, match="too many files"):
        files.make_folder("d", 0o700)
    assert sorted(os.listdir()) == ["b", "c"]


def test_removing_and_renaming_ask_the_same(monkeypatch, tmp_path):
    monkeypatch.chdir("/")
    (tmp_path / "file").write_text("kept")
    (tmp_path / "processes").symlink_to("/proc")
    for path in ("/proc/self/mem", "/dev/null", "//dev/null", f"{tmp_path}/processes/self/mem"):
        with pytest.raises(PermissionError):
            Files([]).unlink(path)
        with pytest.raises(PermissionError):
            Files([]).rename(path, f"{tmp_path}/stolen")
        with pytest.raises(PermissionError):
            Files([]).rename(f"{tmp_path}/file", path)
    assert sorted(os.listdir(tmp_path)) == ["file", "processes"]


def test_pipes_and_sockets_are_refused_without_waiting(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    for name in ("pipe", "socket"):
        for flags in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
            with pytest.raises(PermissionError):
                Files([]).open(name, flags, 0)
        with pytest.raises(PermissionError):
            Files([]).unlink(name)


def test_folder_replaced_by_a_link_after_it_was_resolved(monkeypatch, tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside / "folder", outside):
        folder.mkdir(parents=True)
    (outside / "secret").write_text("secret")
    monkeypatch.chdir(inside)
    files = Files([])

    def resolve_late(path):
        (inside / "folder").rename(inside / "old")
        (inside / "folder").symlink_to(outside)
        return str(inside / path)

    monkeypatch.setattr("os.path.realpath", resolve_late)
    with pytest.raises(OSError, match=r".") as caught:
        files.open("folder/secret", os.O_RDONLY, 0)
    assert caught.value.errno in (errno.ELOOP, errno.ENOTDIR)


def test_working_directory_that_was_removed(monkeypatch, tmp_path):
    (tmp_path / "gone").mkdir()
    (tmp_path / "file").write_text("here")
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    os.close(Files([tmp_path]).open(str(tmp_path / "file"), os.O_RDONLY, 0).descriptor)
    with pytest.raises(FileNotFoundError):
        Files([]).open("file", os.O_RDONLY, 0)


@pytest.fixture
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("content")
    return tmp_path


def test_folders_are_opened_as_by_linux_and_not_removed(here, call):
    (here / "folder").mkdir()
    assert open_(call, "folder") == 3
    assert open_(call, "folder", os.O_RDWR) == -errno.EISDIR
    assert [call("unlink", path) for path in ("folder", ".", "folder/..", "")] == [
        -errno.EISDIR, -errno.EINVAL, -errno.EINVAL, -errno.ENOENT,
    ]  # fmt: skip
    assert call("rename", "folder", "renamed") == 0


def test_descriptors_are_the_lowest_that_are_free(here, call):
    assert [open_(call, "file") for _ in range(5)] == [3, 4, 5, 6, 7]
    for fd in (6, 0, 4):
        assert call("close", fd) == 0
        assert call("close", fd) == -errno.EBADF
    assert open_(call, "missing") == -errno.ENOENT
    assert [open_(call, "file") for _ in range(4)] == [0, 4, 6, 8]


def test_too_many_open_files(here, call):
    opened = [open_(call, "file") for _ in range(OPEN_FILES - 3)]
    if opened[-1] != OPEN_FILES - 1:
        pytest.skip("the host allows fewer open files")
    assert open_(call, "new", os.O_WRONLY | os.O_CREAT) == -errno.EMFILE
    assert not (here / "new").exists()
    assert call("close", 100) == 0
    assert open_(call, "file") == 100


def test_folders_above_a_root_may_be_asked_about(monkeypatch, tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    files = Files([])
    for follow in (True, False):
        for folder in (tmp_path / "inside", tmp_path, "/"):
            assert stat.S_ISDIR(files.status(str(folder), follow).st_mode)
        with pytest.raises(PermissionError):
            files.status(str(tmp_path / "other"), follow)
    with pytest.raises(PermissionError):
        files.open(str(tmp_path), os.O_RDONLY, 0)


def test_the_working_directory_of_a_program_is_its_own(tmp_path, monkeypatch):
    (tmp_path / "here" / "inner").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "here" / "inner" / "file").write_text("text")
    monkeypatch.chdir(tmp_path / "here")
    files = Files([])
    assert files.folder("inner") == str(tmp_path / "here" / "inner")
    files.change_mode("inner/file", 0o4640)
    assert stat.S_IMODE((tmp_path / "here" / "inner" / "file").stat().st_mode) == 0o640
    for path, error in (("inner/file", NotADirectoryError), ("../other", PermissionError), ("nowhere", FileNotFoundError)):
        with pytest.raises(error):
            files.folder(path)
    with pytest.raises(PermissionError):
        files.change_mode("../other", 0o700)
