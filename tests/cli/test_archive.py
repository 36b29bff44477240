"""`ease ar`: the operations of makefiles, and the format that others read."""

import shutil
import subprocess

import pytest

from ease.commands.compile.archive_command import main as ar
from ease.commands.compile.archive_command import ranlib
from ease.commands.easecc import main as easecc
from vpo.link.input_files import archive_bytes, read_archive

LONG = "a-name-that-is-too-long-for-a-header.o"
OBJECT = 'machine "m" cells r=L\ndata _{0} size 4 align 4 {{\n}}\ndata _own static size 4 align 4 {{\n}}\n'
FUNCTION = 'function _{0} file "{0}.c" line 3 stage final {{\n}}\n'
HIDDEN = 'function _h file "x line 1 static.c" line 3 stage final static {\n}\n'


@pytest.fixture
def archive(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.o").write_text(OBJECT.format("one"))
    (tmp_path / LONG).write_text(OBJECT.format("two") + FUNCTION.format("three") + HIDDEN)
    (tmp_path / "text").write_text("odd")
    assert ar(["rcs", "l.a", "one.o", LONG, "text"]) == 0
    return tmp_path / "l.a"


def test_symbols_are_found(archive):
    found = read_archive(archive)
    assert [found.defining(s).name for s in ("one", "two", "three")] == ["one.o", LONG, LONG]
    assert (found.defining("own"), found.defining("h")) == (None, None)


@pytest.mark.skipif(shutil.which("ar") is None, reason="needs ar")
def test_other_archivers_read_it(archive):
    text = subprocess.run(["ar", "t", str(archive)], capture_output=True, text=True, check=True).stdout
    assert text.splitlines() == ["one.o", LONG, "text"]
    (archive.parent / "more").write_text("more")
    subprocess.run(["ar", "qS", str(archive), str(archive.parent / "more")], check=True)
    assert [m.name for m in read_archive(archive).members] == ["one.o", LONG, "text", "more"]


def test_operations(archive, capfd):
    (archive.parent / "one.o").write_text("new")
    assert ar(["r", "l.a", "one.o"]) == ar(["q", "l.a", "text"]) == ar(["d", "l.a", LONG]) == ranlib(["l.a"]) == 0
    assert ar(["t", "l.a"]) == ar(["p", "l.a", "one.o"]) == 0
    assert capfd.readouterr().out == "one.o\ntext\ntext\nnew"
    (archive.parent / "one.o").unlink()
    assert ar(["xv", "l.a"]) == 0
    assert capfd.readouterr().out.startswith("x - one.o\n")
    assert (archive.parent / "one.o").read_text() == "new"


def test_words_in_files(archive, capfd):
    (archive.parent / "list").write_text(f"'{LONG}'\n@more")
    (archive.parent / "more").write_text("text")
    assert ar(["rcs", "m.a", "@list"]) == ar(["t", "m.a"]) == 0
    assert capfd.readouterr().out == f"{LONG}\ntext\n"
    (archive.parent / LONG).unlink()  # libtool asks whether this fails
    assert ar(["rcs", "m.a", "@list"]) == ar(["rcs", "m.a", "@nothing"]) == 1


def test_mistakes(archive, capfd):
    assert ar(["d", "l.a", "nothing.o"]) == 1
    assert "l.a: error: there is no member 'nothing.o'" in capfd.readouterr().err
    assert (ar(["t", "other.a"]), ar(["rz", "l.a"]), ar(["rt", "l.a"]), ar([])) == (1, 2, 2, 2)
    (archive.parent / "l.a").write_bytes(archive.read_bytes()[:-40])
    assert ar(["t", "text"]) == 1
    assert "text: error: not an archive" in capfd.readouterr().err


def member(name, content, size=None):
    length = str(len(content)) if size is None else size
    return f"{name:16}{'0':12}{'0':6}{'0':6}{'644':8}{length:10}`\n".encode() + content + b"\n" * (len(content) % 2)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ([member("a.o/", b"", size="abc")], "damaged: the member at byte 8 has no size that fits"),
        ([member("a.o/", b"", size="")], "damaged: the member at byte 8 has no size that fits"),
        ([member("a.o/", b"x", size="-7")], "damaged: the member at byte 8 has no size that fits"),
        ([member("a.o/", b"x", size="9999999999")], "damaged: the member at byte 8 has no size that fits"),
        ([member("/999", b"x")], "damaged: it has no name '/999' for a member"),
        ([member("//", b"a.o/\n"), member("/5", b"x")], "damaged: it has no name '/5' for a member"),
        ([member("/x", b"x")], "damaged: it has no name '/x' for a member"),
    ],
)
def test_broken_members_are_told(tmp_path, monkeypatch, capfd, members, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "m.a").write_bytes(b"!<arch>\n" + b"".join(members))
    for command, words, count in ((ar, ["t", "m.a"], "ease ar"), (easecc, ["p.c", "m.a"], "easecc")):
        assert command(words) == 1
        assert capfd.readouterr().err == f"m.a: error: {told}\n{count}: 1 error\n"


def test_what_other_archivers_write_is_taken_as_it_is(tmp_path):
    file = tmp_path / "m.a"
    broken = b'machine "m" cells r=L\ndata _\xff size 4 align 4 {\n}\n'
    file.write_bytes(b"!<arch>\n" + member("/SYM64/", b"\0" * 8) + member("a.o/", broken))
    (found,) = read_archive(file).members
    assert (found.name, found.symbols) == ("a.o", ["\udcff"])
    assert archive_bytes([found]).count(b"\xff\0") == 1
