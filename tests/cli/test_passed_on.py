"""Options for the preprocessor and the linker that other compilers pass on: `-Wp,`, `-Wl,`, `-Xlinker` and the like."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fuzz.test_csmith import require

WRAPPING = {
    "main": """\
#include <stdlib.h>
#include <unistd.h>
void *__real_malloc(size_t);
int other(void);
static int calls;
void *__wrap_malloc(size_t size) { calls++; return __real_malloc(size + 8); }
int __wrap_own(void) { return 10; }
int __wrap_apart(void) { extern int __real_apart(void); return __real_apart() + 100; }
void *(*pointer)(size_t) = malloc;
char *volatile kept;
static void print(int number) { if (number > 9) print(number / 10); write(1, &"0123456789"[number % 10], 1); }
int main(void)
{
    int first = other();
    kept = malloc(3);
    kept = pointer(4);
    print(calls);
    write(1, " ", 1);
    print(first);
    return 0;
}
""",
    "other": """\
#include <stdlib.h>
extern char *volatile kept;
int apart(void);
int own(void) { return 1; }
int other(void) { kept = malloc(3); return own() + apart(); }
""",
    "apart": "int apart(void) { return 1000; }\n",
}


def test_words_for_the_preprocessor(folder, easecc):
    folder(prog="int main(void) { return X; }")
    assert easecc("-Wp,-D_FORTIFY_SOURCE=2,-DX=7", "-Wp,-MMD,rules", "prog.c").result == (7, "", "")
    assert "prog.c" in Path("rules").read_text()
    assert easecc("-Xpreprocessor", "-DX=8", "-Wa,--noexecstack", "-Xassembler", "-x", "prog.c").result == (8, "", "")


@pytest.mark.tools
def test_wrapped_symbols_are_as_with_a_real_linker(folder, easecc, capfd):
    """Those that a file defines itself are its own; members of archives are wrapped, too."""
    require([] if shutil.which("gcc") else ["gcc"])
    folder(**WRAPPING)
    names = ("malloc", "own", "apart")
    options = [f"-Wl,--wrap={name}" for name in names]
    subprocess.run(["gcc", "-o", "real", "main.c", "other.c", "apart.c", *options], check=True)
    expected = subprocess.run(["./real"], capture_output=True, text=True, check=True).stdout
    assert expected == "3 1101"
    for given in (["-Wl,--wrap,malloc,--wrap,own,-wrap,apart"], [f"--wrap={name}" for name in names]):
        separate = [word for option in given for word in ("-Xlinker", option)] if given[0][:3] == "--w" else given
        assert easecc(*separate, "main.c", "other.c", "apart.c").result == (0, expected, "")
    from ease.commands.compile.archive_command import main as ar

    assert easecc("-c", "other.c", "apart.c").result == (0, "", "")
    assert ar(["rcs", "libo.a", "other.o", "apart.o"]) == 0
    assert easecc("main.c", "-L.", *options, "-Wl,--start-group,-lo,--end-group").result == (0, expected, "")


@pytest.mark.parametrize(("word", "said"), [
    ("-Wl,--wrap", "'-Wl,--wrap' needs a name: -Wl,--wrap=NAME"),
    ("-Wl,-z,now,--defsym=a=b", "'-Wl,--defsym' cannot be done: a symbol cannot be given an address"),
    ("-Xlinker", "'-Xlinker' needs a value"),
])  # fmt: skip
def test_what_cannot_be_done_is_told(easecc, word, said):
    assert easecc("prog.c", word).err == f"easecc: {said}\n(easecc -help lists the options)\n"


def test_response_files(folder, easecc, capfd):
    from ease.commands.compile.archive_command import main as ar

    folder(prog="int main(int c, char **v) { return X + (c > 1 && v[1][0] == '@'); }")
    Path("options").write_text("-DX=3 '@more'\n")
    Path("more").write_text('"prog.c"')
    assert easecc("@options", "--", "@options").result == (4, "", "")
    Path("itself").write_text("@itself")
    assert "'@itself': more than 2000 response files" in easecc("@itself", "prog.c").err
    Path("quote").write_text("-DX='3")
    assert easecc("@quote", "prog.c").err.startswith("easecc: '@quote': no closing quotation\n")
    assert ar(["rcs", "a.a", "@itself"]) == 2
    assert "does one name itself?" in capfd.readouterr().err
