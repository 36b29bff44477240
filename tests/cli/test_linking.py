"""The commands in the place of a compiler, an archiver and a linker, as makefiles use them."""

import json
import os
import subprocess
import sys

import pytest

MAIN = """\
#include <stdio.h>
#include "twice.h"
int main(int c, char **v) { printf("%d %s\\n", twice(SIZE), v[1]); return 7; }
"""
TWICE = '#include "twice.h"\nstatic int two(void) { return 2; }\nint twice(int x) { return two() * x; }\n'
UNUSED = "int unused(void) { return nowhere(); }\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with objects of two files and an archive of one, made once."""
    from ease.commands.compile.archive_command import main as ar
    from ease.commands.easecc import main as easecc

    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        (folder / "twice.h").write_text("int twice(int);\n")
        (folder / "main.c").write_text(MAIN)
        (folder / "twice.c").write_text(TWICE)
        (folder / "unused.c").write_text("int nowhere(void);\n" + UNUSED)
        assert easecc(["-DSIZE=21", "-O3", "-g", "-Wall", "-std=gnu11", "-MMD", "-MP", "-c", "main.c"]) == 0
        assert easecc(["-O2", "-pipe", "-fPIC", "-c", "twice.c", "unused.c"]) == 0
        assert ar(["rcs", "libtwice.a", "unused.o", "twice.o"]) == 0
        assert easecc(["-o", "prog", "main.o", "-L.", "-ltwice", "-lm"]) == 0
    return folder


def run(folder, *words, **environment):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


def test_a_linked_program_runs_by_itself(built):
    assert run(built, "./prog", "an argument", **os.environ) == (7, "42 an argument\n", "")
    assert run(built, "./prog", "x", **{**os.environ, "EASE_MEASURE": "report.json"}) == (7, "42 x\n", "")
    report = json.loads((built / "report.json").read_text())
    assert (report["machine"], report["exit_status"]) == ("riscv32", 7)


def test_strings_can_be_found_in_a_linked_program(built):
    assert b"\n%d %s\n" in (built / "prog").read_bytes()


def test_a_run_from_the_cache_is_given_its_own_arguments(built, capfd):
    from ease.executable import main

    assert [main([str(built / "prog"), word]) for word in ("one", "two")] == [7, 7]
    assert capfd.readouterr() == ("42 one\n42 two\n", "")


def test_what_is_linked_is_what_is_measured_straight(built, monkeypatch, easecc):
    from ease.executable import main

    monkeypatch.chdir(built)
    straight = easecc("-show", "path-length", "main.o", "libtwice.a", "--", "x")
    assert easecc("-show", "path-length", "-o", "measured", "main.o", "libtwice.a").result == (0, "", "")
    monkeypatch.setenv("EASE_MEASURE", "later.txt")
    assert main(["measured", "x"]) == 7
    machine, command, *figures = (built / "later.txt").read_text().splitlines()
    assert command == "measured x"
    assert [machine, "easecc -show path-length main.o libtwice.a -- x", *figures] == straight.err.splitlines()


def test_dependencies(built, monkeypatch, easecc):
    monkeypatch.chdir(built)
    assert (built / "main.d").read_text() == "main.o: \\\n main.c \\\n twice.h\n\ntwice.h:\n"
    assert easecc("-MM", "-MT", "x.o", "twice.c").result == (0, "x.o: \\\n twice.c \\\n twice.h\n", "")
    assert "stdio.h" in easecc("-M", "-DSIZE=1", "main.c").out


def test_the_preprocessor_alone(built, monkeypatch, process):
    monkeypatch.chdir(built)
    done = process("easecc", "-E", "-dM", "-", stdin=b"#define F(a, ...) a __VA_ARGS__\n#define A\n#undef A\n#define B\n")
    assert done.out.splitlines()[-2:] == ["#define F(a,...) a __VA_ARGS__", "#define B "]
    done = process("easecc", "-E", "-include", "twice.h", "-", stdin=b"int here = __LINE__;\n")
    assert (done.status, done.err) == (0, "")
    assert [line for line in done.out.splitlines() if line and line[0] != "#"] == ["int twice(int);", "int here = 1;"]


def test_mistakes_of_linking_are_told(built, monkeypatch, easecc):
    monkeypatch.chdir(built)
    assert easecc("-o", "x", "main.o").err.startswith("main.c:3: error: undefined reference to 'twice'")
    assert "'twice' is defined twice" in easecc("-o", "x", "main.o", "twice.o", "twice.c").err
    assert "error: there is no libfar.a in . (-lfar)" in easecc("-o", "x", "main.o", "-L.", "-lfar").err
    assert easecc("-o", "x", "main.o", "main.d").status == 2
    (built / "bad.a").write_text("no archive")
    assert easecc("-o", "x", "main.o", "bad.a").err.startswith("bad.a: error: not an archive")
    whole = (built / "prog").read_bytes()
    (built / "broken").write_bytes(whole[: len(whole) // 2])
    from ease.executable import main

    assert main([str(built / "broken")]) == 1


def test_answers_to_configure_scripts(easecc, monkeypatch, folder):
    monkeypatch.delenv("EASE_MACHINE", raising=False)
    assert easecc("-dumpmachine").out == "riscv32-ease-elf\n"
    assert easecc("-dumpfullversion").out == easecc("-dumpversion").out
    assert easecc("-print-multi-lib").out == ".;\n"
    monkeypatch.setenv("EASE_MACHINE", "m68020")
    assert easecc("-dumpmachine").out == "m68020-ease-elf\n"
    assert easecc("-print-nonsense").status == 2
    (folder() / "options").write_text("-c '-DTEXT=\"a b\"' -fsurely-not-known\n")
    (folder() / "text.c").write_text("const char *text = TEXT;\n")
    assert easecc("@options", "text.c").result == (0, "", "easecc: note: '-fsurely-not-known' changes nothing here\n")
    assert '"a b' in (folder() / "text.o").read_text()
    from ease.commands.easecc import main

    assert main(["text.o", "text.c"], links=True) == 1  # it has no `main`


STATIC = "static int helper(int x) { return x * 100; }\nint user(int x) { return helper(x); }\n"
GLOBAL = "int user(int);\nint helper(int x) { return x + user(1); }\n"
USER = """\
#include <stdio.h>
int user(int), helper(int), append(int);  /* the library's printf has an `append` of its own */
int main(void) { printf("%d %d %.1f %d\\n", user(2), helper(5), 1.5, append(3)); return 0; }
"""


def test_what_is_static_in_one_file_may_be_global_in_another(easecc, folder):
    folder(static=STATIC, other=GLOBAL, user=USER, append="int append(int x) { return x + 1; }\n")
    for order in (["user", "static", "other", "append"], ["static", "append", "other", "user"]):
        assert easecc(*(f"{name}.c" for name in order)).result == (0, "200 105 1.5 4\n", "")
    assert easecc("-c", "static.c", "other.c", "append.c").status == 0
    from ease.commands.compile.archive_command import main as ar

    assert ar(["rc", "library.a", "static.o", "other.o", "append.o"]) == 0
    assert easecc("user.c", "library.a").result == (0, "200 105 1.5 4\n", "")


OWN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *strstr(const char *, const char *) __asm("search");
char *search(const char *text, const char *what) { return (char *)text + 1; }
size_t strcspn(const char *text, const char *stop) { return 2; }  /* the library has strspn and strpbrk in the same file */
int rand(void) { return 4; }
int optind = 3;
int getopt(int, char *const *, const char *), signbit(double), signbitf(float);
int main(int argc, char **argv)
{
    const char *text = "xyzw";
    srand(3);
    __builtin_printf("%s %d %s ", __builtin_strstr("abc", "c"), (int)strspn("aab", "a"), strpbrk(text, "x"));
    printf("%d %d\\n", rand(), optind);
    return getopt(argc, argv, "a") != -1 || !signbit(-0.0 * argc) || signbitf(argc);
}
"""


def test_what_a_file_of_the_library_defines_besides_gives_way_to_the_program(easecc, folder):
    folder(own=OWN)
    assert easecc("-w", "own.c").result == (0, "bc 2 zw 4 3\n", "")


ENVIRONMENT = r"""
#include <stdio.h>
#include <stdlib.h>
extern char **environ;
int main(int argc, char **argv, char **envp)
{
    const char *greeting = getenv("GREETING");
    printf("%s, %d arguments, %d\n", greeting ? greeting : "nothing", argc, envp == environ && argv[argc] == NULL);
    return 0;
}
"""


def test_linked_programs_have_the_environment_of_their_caller(tmp_path):
    (tmp_path / "asks.c").write_text(ENVIRONMENT)
    ease = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())"]
    assert run(tmp_path, *ease, "-o", "asks", "asks.c", **os.environ)[0] == 0
    for greeting in ("hello", "hello", "good bye"):  # a run that is repeated has its own, too
        assert run(tmp_path, "./asks", "a", "b", **os.environ, GREETING=greeting) == (0, f"{greeting}, 3 arguments, 1\n", "")
    assert run(tmp_path, *ease, "asks.c", **os.environ, GREETING="hello") == (0, "nothing, 1 arguments, 1\n", "")


def test_programs_may_use_files_of_further_folders(tmp_path):
    work, data = tmp_path / "work", tmp_path / "data"
    work.mkdir()
    data.mkdir()
    (data / "greeting").write_text("hello\n")
    source = '#include <stdio.h>\nint main(int c, char **v) { FILE *f = fopen(v[1], v[2]); return f ? getc(f) : 1; }\n'
    (work / "first.c").write_text(source)
    ease = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())"]
    assert run(work, *ease, "-o", "closed", "first.c", **os.environ)[0] == 0
    assert run(work, *ease, "-files", "../data", "-o", "open", "first.c", **os.environ)[0] == 0
    name = str(data / "greeting")
    assert run(work, "./open", name, "r+", **os.environ)[0] == ord("h")
    assert run(work, "./closed", name, "r+", **os.environ)[0] == 1
    assert run(work, "./closed", name, "r+", **os.environ, EASE_FILES=str(data))[0] == ord("h")
    assert run(work, "./closed", name, "r", **os.environ)[0] == ord("h")  # a linked program may read every file
    assert run(work, *ease, "first.c", "--", name, "r", **os.environ)[0] == 1
    assert run(work, *ease, "-files", "nowhere", "first.c", **os.environ) == (
        2, "", "easecc: -files (or EASE_FILES): there is no folder 'nowhere'\n(easecc -help lists the options)\n"
    )  # fmt: skip
