"""`-shared` makes what links as a shared library does; options that change what a char is, or what -E writes."""

import pytest

from ease.commands.compile.archive_command import main as ar
from ease.commands.easecc import main as easecc

COUNTER = "int count(void) { static int n; return ++n; }\n"
TENTHS = "int count(void); int tenths(void) { return 10 * count(); } char c = -1; int negative(void) { return c < 0; }\n"
MAIN = """#include <stdio.h>
int count(void), tenths(void), negative(void);
int main(void) { count(); printf("%d %d\\n", tenths(), negative()); return 0; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A folder with the library libu.so.1, of two files of the same name, one given as an object, and a program."""
    folder = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, text in (("a", COUNTER), ("b", TENTHS)):
            (folder / name).mkdir()
            (folder / name / "u.c").write_text(text)
        (folder / "m.c").write_text(MAIN)
        assert easecc(["-fPIC", "-c", "a/u.c", "-o", "u.lo"]) == 0
        assert easecc(["-shared", "-Wl,-soname,libu.so.1", "-funsigned-char", "-o", "libu.so.1", "u.lo", "b/u.c"]) == 0
        (folder / "libu.so").symlink_to("libu.so.1")
    return folder


@pytest.mark.parametrize("how", [["-L.", "-lu", "-Wl,-rpath,."], ["libu.so.1"], ["-L.", "-l:libu.so.1"]])
def test_programs_are_linked_with_a_shared_library(library, monkeypatch, capfd, how):
    from ease.executable import main

    monkeypatch.chdir(library)
    assert easecc(["-o", "prog", "m.c", *how]) == 0
    assert main(["./prog"]) == 0
    assert capfd.readouterr().out == "20 0\n"


def test_a_shared_library_has_what_it_needs_of_others(library, monkeypatch, capfd):
    monkeypatch.chdir(library)
    assert easecc(["-shared", "-o", "whole.so", "-L.", "-lu"]) == 2  # as with gcc: no input files
    capfd.readouterr()
    (library / "none.c").write_text("int none;\n")
    libtool = ["--undefined-version", "--version-script=u.map", "-soname", "whole.so.1", "--whole-archive"]
    assert easecc(["-shared", "-o", "whole.so", "none.c", "-L.", "-lu", *libtool]) == 0
    assert ar(["t", "whole.so"]) == 0
    assert capfd.readouterr().out.split() == ["none.o", "u.lo", "b/u.o"]


def test_characters_are_what_is_asked_for(folder, capfd):
    folder(c='#include <limits.h>\n#include <stdio.h>\nint main(void) { printf("%d %d\\n", CHAR_MIN, (char)200); }\n')
    for option, wanted in (("-funsigned-char", "0 200\n"), ("-fsigned-char", "-128 -56\n")):
        assert easecc(["-std=c99", option, "-run", "c.c"]) == 0
        assert capfd.readouterr().out == wanted


def test_preprocessed_text_without_markers(folder, capfd):
    (folder(a='#include "a.h"\n\n#define B b\nint B;\n') / "a.h").write_text("int a;\n")
    assert easecc(["-E", "-P", "a.c"]) == 0
    assert capfd.readouterr().out == "int a;\nint b;\n"
