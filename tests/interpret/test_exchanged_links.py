"""A second process exchanges folders and links while a program asks for files: nothing outside is changed or read."""

import ctypes
import multiprocessing
import os
import time
from contextlib import suppress

import pytest

from vpo.system.files import Files

SECONDS = 0.5
LIBC = ctypes.CDLL(None)
AT_DIRECTORY, EXCHANGE = -100, 2  # of renameat2(2)
WRITING = os.O_WRONLY | os.O_TRUNC


def exchange(one, other, ended):
    """Exchange two files by their names until it is over."""
    while not ended.is_set():
        for _ in range(100):
            LIBC.renameat2(AT_DIRECTORY, os.fsencode(one), AT_DIRECTORY, os.fsencode(other), EXCHANGE)


def make(folder, content):
    """Make a folder with files and folders in it."""
    for name in ("victim", "second", "folder/victim", "folder/folder/victim"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
        (folder / name).chmod(0o600)
    (folder / "empty").mkdir()


def contents(folder):
    """Return all that is in a folder, with its permissions."""
    found = sorted(folder.rglob("*"))
    return {path: (path.lstat().st_mode, path.is_file() and path.read_text()) for path in found}


def written(files, path, flags):
    descriptor = files.open(path, flags, 0o600).descriptor
    os.write(descriptor, b"x")
    os.close(descriptor)


def read(files, path):
    descriptor = files.open(path, os.O_RDONLY, 0).descriptor
    content = os.read(descriptor, 100)
    os.close(descriptor)
    assert content != b"secret"


def attempts(files):
    """What a program may try with a file in a folder."""
    for before in ("folder/", os.path.abspath("folder") + "/", "folder/../folder/"):
        yield read, (files, before + "victim")
        yield read, (files, before + "folder/victim")
        yield written, (files, before + "victim", WRITING)
        yield written, (files, before + "new", WRITING | os.O_CREAT)
        yield files.unlink, (before + "second",)
        yield files.rename, (before + "victim", "stolen")
        yield files.rename, ("stolen", before + "victim")
        yield files.make_folder, (before + "made", 0o700)
        yield files.remove_folder, (before + "empty",)
        yield files.change_mode, (before + "victim", 0o777)
        yield files.change_mode, (before + "folder", 0o777)


EXCHANGED = {  # two names, and what the second one is a link to, from the folder that has `inside` and `outside`
    "a folder": ("inside/folder", "inside/link", "outside/folder"),
    "a folder in it": ("inside/folder/folder", "inside/folder/link", "outside/folder/folder"),
    "a file": ("inside/folder/victim", "inside/folder/link", "outside/victim"),
    "the root": ("inside", "link", "outside"),
}


@pytest.mark.parametrize("what", EXCHANGED)
def test_nothing_outside_is_reached(monkeypatch, tmp_path, what):
    one, other, target = EXCHANGED[what]
    make(tmp_path / "inside", "public")
    make(tmp_path / "outside", "secret")
    (tmp_path / other).symlink_to(tmp_path / target)
    before = contents(tmp_path / "outside")
    monkeypatch.chdir(tmp_path / "inside")
    files = Files([])
    ended = multiprocessing.Event()
    process = multiprocessing.Process(target=exchange, args=(tmp_path / one, tmp_path / other, ended))
    process.start()
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for attempt, words in attempts(files):
                with suppress(OSError):
                    attempt(*words)
    finally:
        ended.set()
        process.join()
    assert contents(tmp_path / "outside") == before


def test_a_root_that_was_replaced_by_a_link_after_it_was_resolved(monkeypatch, tmp_path):
    make(tmp_path / "inside", "public")
    make(tmp_path / "outside", "secret")
    monkeypatch.chdir(tmp_path / "inside")
    files = Files([])
    (tmp_path / "inside").rename(tmp_path / "moved")
    (tmp_path / "inside").symlink_to(tmp_path / "outside")
    monkeypatch.setattr("os.path.realpath", lambda path: str(tmp_path / "inside" / path))
    read(files, "victim")
    written(files, "new", WRITING | os.O_CREAT)
    assert not (tmp_path / "outside/new").exists()
    assert (tmp_path / "moved/new").exists()


def test_roots_are_closed_when_they_are_not_needed(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    opened = len(os.listdir("/proc/self/fd"))
    files = Files([tmp_path / "later"])
    assert len(os.listdir("/proc/self/fd")) == opened + 2  # of the working directory and /tmp
    (tmp_path / "later").mkdir()
    written(files, "later/new", WRITING | os.O_CREAT)
    del files
    assert len(os.listdir("/proc/self/fd")) == opened
