"""Permissions change only of what a program may change, and nothing that it writes reaches a device of the host's."""

import errno
import os
import stat

import pytest

import vpo.system.files
from tests.interpret.test_files import Memory
from vpo.system.files import EVERYTHING, Files, Origin
from vpo.system.kernel import Kernel
from vpo.system.system import System

NAMES = ("openat", "close", "read", "write", "dup", "dup3", "fchmod", "chmod")


@pytest.fixture
def call(monkeypatch, tmp_path):
    """Do system calls by name in a folder beside which there is a file that may be read only."""
    (tmp_path / "here" / "inner").mkdir(parents=True)
    for path in (tmp_path / "here" / "file", tmp_path / "there"):
        path.write_text("text")
        path.chmod(0o600)
    monkeypatch.chdir(tmp_path / "here")
    memory = Memory()
    system = System(Kernel(32, False, dict(enumerate(NAMES)), 0, 0), memory, roots=[EVERYTHING])

    def do(name, *words):
        return system.call(NAMES.index(name), [memory.at(w) if isinstance(w, str) else w for w in words])

    yield do
    for host in system.files.values():
        if host > 2:
            os.close(host)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.parametrize(
    ("path", "flags", "result"),
    [
        ("file", os.O_RDONLY, 0), ("file", os.O_RDWR, 0), ("inner", os.O_RDONLY, 0), ("../there", os.O_RDONLY, -errno.EPERM),
        ("/dev/null", os.O_RDWR, -errno.EPERM), ("/dev/urandom", os.O_RDWR, -errno.EPERM),
        ("/dev/stdout", os.O_WRONLY, -errno.EPERM),
    ],
)  # fmt: skip
@pytest.mark.parametrize("copied", [False, True])
def test_the_mode_of_a_descriptor_changes_only_if_its_file_may_be_changed(call, path, flags, result, copied):
    before = {each: mode(each) for each in ("../there", "/dev/null", "/dev/urandom")}
    descriptor = call("openat", -100, path, flags, 0)
    if copied:
        descriptor = call("dup3", call("dup", descriptor), 100, 0)
    assert call("fchmod", descriptor, 0o750) == result
    assert {each: mode(each) for each in before} == before
    if not result:
        assert mode(path) == 0o750


def test_a_number_that_is_used_again_forgets_where_it_was_from(call):
    assert call("openat", -100, "file", os.O_RDONLY, 0) == 3
    assert call("close", 3) == 0
    assert call("openat", -100, "../there", os.O_RDONLY, 0) == 3
    assert call("fchmod", 3, 0o777) == -errno.EPERM
    assert [call("fchmod", stream, 0o777) for stream in (0, 1, 2)] == [-errno.EPERM] * 3


def test_what_is_written_to_a_random_device_does_not_reach_the_host():
    opened = Files([]).open("/dev/urandom", os.O_RDWR, 0)
    assert opened.origin is Origin.RANDOM
    assert os.fstat(opened.descriptor).st_rdev == vpo.system.files.DEVICES["/dev/null"]
    os.close(opened.descriptor)


def test_random_devices_obey_how_they_were_opened(call):
    reading, writing = (call("openat", -100, "/dev/urandom", flags, 0) for flags in (os.O_RDONLY, os.O_WRONLY))
    assert call("write", writing, "text", 4) == 4
    assert call("write", reading, "text", 4) == -errno.EBADF
    assert call("read", writing, "....", 4) == -errno.EBADF
    assert call("read", reading, "....", 4) == 4


def test_a_link_put_in_place_of_what_was_checked_is_not_followed(call, monkeypatch):
    check = vpo.system.files._check

    def exchange(descriptor):
        status = check(descriptor)
        if not stat.S_ISDIR(status.st_mode) and not os.path.islink("file"):
            os.rename("file", "old")
            os.symlink("../there", "file")
        return status

    monkeypatch.setattr(vpo.system.files, "_check", exchange)
    assert call("chmod", "file", 0o777) == 0
    assert (mode("old"), mode("../there")) == (0o777, 0o600)
