"""Files have no name until they are whole, so a process that is killed while it writes leaves nothing."""

import os
import signal

import pytest

from vpo.base.whole_files import whole_file


@pytest.fixture(params=["without names", "with temporary names"])
def folder(request, tmp_path, monkeypatch):
    if request.param == "with temporary names":
        monkeypatch.delattr(os, "O_TMPFILE")
    return tmp_path


def write(path, content, mode=0o666):
    with whole_file(path, mode, safe=True) as file:
        file.write(content)


def test_a_file_appears_whole_and_replaces_another(folder):
    old = os.umask(0o027)
    try:
        write(folder / "new", b"first")
        write(folder / "new", b"second")
        write(folder / "program", b"third", 0o777)
    finally:
        os.umask(old)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"new": b"second", "program": b"third"}
    assert [(folder / name).stat().st_mode & 0o777 for name in ("new", "program")] == [0o640, 0o750]


def test_nothing_is_left_where_writing_fails(folder):
    (folder / "taken").mkdir()
    with pytest.raises(IsADirectoryError):
        write(folder / "taken", b"content")
    with pytest.raises(KeyError), whole_file(folder / "new", 0o600):
        raise KeyError
    assert [path.name for path in folder.iterdir()] == ["taken"]


def test_nothing_is_left_by_a_process_that_is_killed(tmp_path):
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without names")
    child = os.fork()
    if child == 0:
        with whole_file(tmp_path / "new", 0o600) as file:
            file.write(b"part")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert not list(tmp_path.iterdir())
