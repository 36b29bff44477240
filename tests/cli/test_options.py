"""The options of `easecc`, as its -help states them."""

import json
import re
from pathlib import Path

import pytest

from ease.reports import REPORTS
from tests.covering import case, some, usual_level
from vpo.opt.driver import PHASES

HELLO = '#include <stdio.h>\nint main(int c, char **v) { printf("hello %s\\n", c > 1 ? v[1] : "world"); return 3; }\n'
NEEDED = [name for name, phase in PHASES.items() if phase.needed]
SQUARES = {
    "main": '#include <stdio.h>\n#include "square.h"\nint main(void) { printf("%d\\n", square(12)); return 0; }\n',
    "square": '#include "square.h"\nint square(int x) { return x * x; }\n',
}


def test_program_output_is_clean_and_its_status_is_ours(folder, easecc):
    folder(hello=HELLO)
    assert easecc("hello.c").result == (3, "hello world\n", "")
    assert easecc("-run", "-O2", "hello.c", "--", "you").result == (3, "hello you\n", "")


def test_words_behind_two_dashes_belong_to_the_program(folder, easecc):
    folder(count="#include <stdio.h>\nint main(int c, char **v) { while (*++v) puts(*v); return c; }\n")
    assert easecc("count.c", "--", "-S", "--", "-help", "", "ü").result == (6, "-S\n--\n-help\n\nü\n", "")


def test_standard_input_reaches_the_program(folder, process):
    folder(cat="#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }\n")
    assert process("easecc", "cat.c", stdin=b"two\nlines").result == (0, "two\nlines", "")


@pytest.mark.parametrize("level", some(("-O0", "-O1", "-O2", "-Os", "-O"), 2, first=2))
def test_levels(folder, easecc, level):  # without printf, which -verify would verify, too
    folder(hello='#include <unistd.h>\nint main(void) { write(1, "hello\\n", 6); return 3; }\n')
    assert easecc(level, "-verify", "hello.c").result == (3, "hello\n", "")


def test_functions_that_no_inputs_suit_are_told(folder, easecc):
    endless = "int endless(int n) { while (n != 12345678) n += 2; return n; }\n"
    folder(two=f"int f(int x) {{ return x + 1; }}\n{endless}")
    told = "easecc: -verify has no inputs for endless: their phases are checked without runs\n"
    assert easecc("-v", "-verify", "-c", "two.c").result == (0, "", f"easecc: riscv32: two.c\n{told}")
    assert easecc("-verify", "-c", "two.c").result == (0, "", "")


def test_levels_that_gcc_has_not(folder, easecc):
    folder(hello="int f(int a, int b) { return a * 7 + b; }\n")
    highest, above = (easecc(level, "-S", "-o", "-", "hello.c") for level in ("-O3", "-O7"))
    assert above.result == highest.result
    assert easecc("-O77", "-S", "hello.c").result[2].startswith("easecc: unknown option '-O77'")


def test_types_tell_pointers_apart_unless_the_program_breaks_the_rule(folder, easecc):
    folder(pun="int f(int *i, float *x) { *i = 1; *x = 2; return *i; }\nint g(int *i, float *x) { return f(i, x); }\n")
    loads = [easecc("-O2", *option, "-S", "-o", "-", "pun.c").out.count("\tlw ") for option in ([], ["-fno-strict-aliasing"])]
    assert loads == [0, 2]


# ------------------------------------------------------------------------------------------------ measuring


def test_measure_reports_on_standard_error(folder, easecc):
    folder(hello=HELLO)
    outcome = easecc("-measure", "hello.c")
    assert (outcome.status, outcome.out) == (3, "hello world\n")
    assert outcome.err.startswith("machine riscv32, -O1, ease ")
    titles = re.findall("\n\n([A-Z].*)\n", outcome.err)
    assert titles == ["Totals", "Hottest functions", "Hottest lines", "Instruction types, most executed first"]
    listed = easecc("-show", "all", "hello.c").err
    told = {report.title for report in REPORTS.values() if f"\n{report.title}\n" in listed}
    assert told >= {"Path length", "Addressing modes", "Source lines"}
    assert "Register windows" not in told


def test_report_goes_to_a_file_by_its_suffix(folder, easecc):
    folder(hello=HELLO)
    assert easecc("-measure", "-report", "r.json", "hello.c").result == (3, "hello world\n", "")
    assert easecc("-report", "r.txt", "hello.c").result == (3, "hello world\n", "")  # -report alone measures, too
    report = json.loads((folder() / "r.json").read_text())
    dynamic = report["instructions"]["dynamic"]
    assert report["exit_status"] == 3
    assert not report["partial"]
    assert f"{dynamic:,}" in (folder() / "r.txt").read_text()
    assert sorted(p.name for p in folder().iterdir()) == ["hello.c", "r.json", "r.txt"]


def test_report_on_standard_output(folder, easecc):
    folder(hello=HELLO)
    outcome = easecc("-report", "-", "hello.c")
    assert re.search(r"^machine riscv32, -O\w, ease \S+, exit status 3$", outcome.out, re.M)
    assert outcome.err == ""


def test_show_chooses_reports(folder, easecc):
    folder(hello=HELLO)
    outcome = easecc("-show", "path-length,functions", "hello.c")
    assert outcome.status == 3
    assert re.findall(r"^[A-Z].*", outcome.err, re.MULTILINE) == ["Path length", "Functions"]
    easecc("-show", "path-length", "-report", "r.json", "hello.c")
    assert set(json.loads((folder() / "r.json").read_text())) >= {"format", "machine", "instructions"}
    assert "lines" not in json.loads((folder() / "r.json").read_text())
    listing = easecc("-show", "help").out
    assert [line.split()[0] for line in listing.splitlines()] == ["all", *REPORTS]


def test_a_memory_system_from_a_line_or_a_file(folder, easecc):
    folder(loop="int a[99]; int main(void) { int i, s = 0; for (i = 0; i < 99; i++) s += a[i]; return s; }\n")
    (folder() / "d.yaml").write_text("data: {size: 64, line: 16, ways: full}\n")
    line = easecc("-cache", "D:64,16,full", "-show", "caches,miss-sites", "loop.c")
    assert line.status == 0
    assert re.findall(r"^[A-Z][a-z].*", line.err, re.MULTILINE) == [
        REPORTS["caches"].title, REPORTS["miss-sites"].title
    ]  # fmt: skip
    assert figures(easecc("-cache", "d.yaml", "-show", "caches,miss-sites", "loop.c")) == figures(line)


def test_a_sweep_and_its_picture(folder, easecc):
    folder(loop="int a[99]; int main(void) { int i, s = 0; for (i = 0; i < 99; i++) s += a[i]; return s; }\n")
    outcome = easecc("-cache", "sweep+D+size:64-512+line:16", "-show", "sweep-misses", "loop.c")
    assert (outcome.status, outcome.out) == (0, "")
    assert re.findall(r"^D +16 +64 +(\d+)", outcome.err, re.MULTILINE)
    assert easecc("-cache", "sweep+D+size:64-512+line:16", "-report", "loop.svg", "loop.c").result == (0, "", "")
    assert (folder() / "loop.svg").read_text().startswith("<svg ")


def test_predictors_run_beside_caches(folder, easecc):
    folder(loop="int a[99]; int main(void) { int i, s = 0; for (i = 0; i < 99; i++) s += a[i]; return s; }\n")
    outcome = easecc("-predict", "taken+bimodal:1k", "-cache", "D:64,16,1", "-show", "predictions,caches", "loop.c")
    assert outcome.status == 0
    assert re.findall(r"^(?:taken|bimodal:1024) +branch", outcome.err, re.MULTILINE)
    assert easecc("-predict", "bimodal:1000", "loop.c").result == (
        1, "", "easecc: predictor 'bimodal:1000': entries 1000 is not a power of two\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("D:48,16,1", "column 3: error: 3 lines by 1 ways are 3 sets, which is not a power of two\n    D:48,16,1\n      ^\n"),
        ("bad.yaml", "bad.yaml:2:3: error: 'waze' is none of the keys"),
        ("none.yaml", "easecc: none.yaml: No such file or directory\n"),
        ("sweep+D+size:3k", "column 9: error: size 3072 makes a power of two of sets with none of the ways\n"),
    ],
)
def test_wrong_memory_systems(folder, easecc, system, message):
    folder(nothing="int main(void) { return 0; }\n")
    (folder() / "bad.yaml").write_text("data:\n  waze: 3\n")
    outcome = easecc("-cache", system, "nothing.c")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith(message)


def test_standard_error_of_the_program_comes_before_the_report(folder, easecc):
    folder(both='#include <stdio.h>\nint main(void) { fputs("mine\\n", stderr); puts("out"); return 0; }\n')
    outcome = easecc("-measure", "both.c")
    assert outcome.out == "out\n"
    assert outcome.err.startswith("mine\nmachine riscv32")


# ------------------------------------------------------------------------------------- machines and the preprocessor


@pytest.mark.parametrize("machine", some(("riscv32", "m68020", "baseline", "proposed"), 1, first=1))
def test_machines(folder, easecc, machine):
    folder(hello=HELLO)
    level = f"-O{usual_level(machine)}"
    outcome = easecc("-m", machine, level, "-show", "path-length", "hello.c")
    assert (outcome.status, outcome.out) == (3, "hello world\n"), outcome.err
    assert outcome.err.startswith(f"machine {machine}, {level}, ")


def test_description_file_of_ones_own(folder, easecc):
    folder(mac="int main(int c, char **v) { int i, s = 0; for (i = 0; i < 9; i++) s += i * c; return s; }\n")
    (folder() / "mine.yaml").write_text(
        "machine: mine\nextends: riscv32\ninstructions:\n"
        '  MAC: {rtl: "r[acc]=r[acc]+(r[src1]*r[src2]);", asm: "mac $acc,$src1,$src2"}\n'
    )
    outcome = easecc("-m", "mine.yaml", "-show", "instruction-types", "mac.c")
    assert outcome.status == 36
    assert outcome.err.startswith("machine mine, -O1, ease ")


def test_set_changes_one_value(folder, easecc):
    folder(hello=HELLO)
    outcome = easecc("--set", "instructions.LW.size=6", "-show", "path-size", "hello.c")
    assert outcome.status == 3
    assert re.search(r"^6 ", outcome.err, re.MULTILINE)


def test_preprocessor_options(folder, easecc):
    folder(d="#include <values.h>\nint main(void) {\n#ifdef A\nreturn A + B + C;\n#else\nreturn C;\n#endif\n}\n")
    (folder() / "include").mkdir()
    (folder() / "include" / "values.h").write_text("#define C 100\n")
    assert easecc("-DA=20", "-D", "B", "-I", "include", "d.c").result == (121, "", "")
    assert easecc("-DA=20", "-U", "A", "-Iinclude", "d.c").result == (100, "", "")


def test_other_folders_of_headers_come_in_the_order_of_gcc(easecc, folder):
    folder(prog='#include "own.h"\n#include <which.h>\nint main(void) { return WHICH; }')
    for name in ("first", "second"):
        Path(name).mkdir()
        Path(name, "own.h").write_text("static int unused;\n")
        Path(name, "which.h").write_text(f"#define WHICH {len(name)}\n")
        Path(name, "limits.h").write_text("#error not the library's\n")
    assert easecc("-Wall", "-Werror", "-isystem", "first", "prog.c").result == (5, "", "")
    assert easecc("-isystem", "first", "-Isecond", "prog.c").result == (6, "", "")
    assert easecc("-Wall", "-Werror", "-idirafter", "second", "-isystemfirst", "-include", "limits.h", "prog.c").status == 1
    assert easecc("-idirafter", "first", "-include", "limits.h", "prog.c").result == (5, "", "")
    assert "unused-variable" in easecc("-Wall", "-I", "first", "prog.c").err


def test_folders_for_names_in_quotes_are_not_for_others(easecc, folder):
    text = "int main(void) { return WHICH; }"
    folder(quoted=f'#include "which.h"\n{text}', other=f"#include <which.h>\n{text}")
    for name in ("first", "second"):
        Path(name).mkdir()
    Path("first", "which.h").write_text("#include_next <which.h>\n#undef WHICH\n#define WHICH 1\n")
    Path("second", "which.h").write_text("#define WHICH 2\n")
    options = ("-Isecond", "-iquote", "first")
    assert easecc(*options, "quoted.c").result == (1, "", "")
    assert easecc(*options, "other.c").result == (2, "", "")
    assert easecc("-iquotefirst", "other.c").status == 1


def test_folders_of_the_environment_come_behind_those_of_options(easecc, folder, monkeypatch):
    folder(prog="#include <which.h>\nint main(void) { return WHICH; }")
    for name in ("first", "second", "by option"):
        Path(name).mkdir()
        Path(name, "which.h").write_text(f"static int unused;\n#define WHICH {len(name)}\n")
    monkeypatch.setenv("C_INCLUDE_PATH", "first")
    assert easecc("-Wall", "-Werror", "prog.c").result == (5, "", "")
    monkeypatch.setenv("CPATH", "nowhere:second")
    assert easecc("prog.c").result == (6, "", "")
    assert "unused-variable" in easecc("-Wall", "prog.c").err
    assert easecc("-Iby option", "prog.c").result == (9, "", "")


def test_libraries_are_found_by_the_environment(easecc, folder, monkeypatch):
    folder(seven="int seven(void) { return 7; }", prog="int seven(void);\nint main(void) { return seven(); }")
    Path("here").mkdir()
    assert easecc("-shared", "-o", "here/libseven.a", "seven.c").result == (0, "", "")
    monkeypatch.setenv("LIBRARY_PATH", "here")
    assert easecc("prog.c", "-lseven").result == (7, "", "")


def test_what_plain_char_is(folder, easecc):
    folder(char="#include <limits.h>\nint main(void) { char c = -1; return (c < 0) + 2 * (CHAR_MIN < 0); }\n")
    for options, status in ((["-funsigned-char"], 0), (["-fsigned-char"], 3), (["-fsigned-char", "-std=c99"], 3)):
        assert easecc("-m", "riscv32", *options, "char.c").result == (status, "", ""), options


LAYOUT = """\
#include <stdio.h>
struct inner { int x, y; };
typedef struct { char q; } other;
struct outer { struct inner; other; int z; };
enum small { S1, S2 };
struct loose { char a; int b; };
int main(void)
{
    struct outer a = {{1, 2}, {'c'}, 3};
    a.x = 5;
    printf("%d %d %c %d ", a.x, a.y, a.q, a.z);
    printf("%d %d %d", (int)sizeof(enum small), (int)sizeof(struct loose), __STDC_HOSTED__);
    return 0;
}
"""


def test_options_that_change_layouts(folder, easecc):
    """What gcc -m32 prints with the same options."""
    folder(layout=LAYOUT)
    assert easecc("-fms-extensions", "layout.c").result == (0, "5 2 c 3 4 8 1", "")
    options = ["-fplan9-extensions", "-fshort-enums", "-fpack-struct=2", "-ffreestanding"]
    assert easecc(*options, "layout.c").result == (0, "5 2 c 3 1 6 0", "")
    assert easecc(*options, "-fpack-struct", "-fno-short-enums", "layout.c").result == (0, "5 2 c 3 4 5 0", "")
    assert "declaration does not declare anything" in easecc("layout.c").err


def test_linker_scripts_are_told_of(folder, easecc):
    folder(prog="int main(void) { return 0; }")
    for words in (["-T", "x.ld"], ["-Wl,-T,x.ld"], ["-Wl,--script=x.ld"]):
        assert easecc("prog.c", *words).err.startswith("easecc: note: '-T' changes nothing here")


def test_a_header_without_text_is_named(folder, easecc):
    folder(includes='#include "empty.h"\nint x;\n')
    (folder() / "empty.h").write_text("")
    assert '#line 1 "empty.h"' in easecc("-E", "includes.c").result[1].splitlines()


def test_warnings_of_the_preprocessor_come_every_time(folder, easecc):
    folder(d="#warning slow\nint x __attribute__((strange));\nint main(void) { return x; }\n")
    expected = (
        "d.c:1:1: warning: #warning slow [-Wcpp]\n    1 | #warning slow\n      | ^\n"
        "d.c:2:22: warning: 'strange' attribute directive ignored [-Wattributes]\n"
        "    2 | int x __attribute__((strange));\n      |                      ^~~~~~~\n"
    )
    assert easecc("d.c").result == (0, "", expected)
    assert easecc("d.c").result == (0, "", expected)


def test_warnings_are_switched(folder, easecc):
    folder(d="char *p = 5;\nint main(void) { return 0; }\n")
    message = "d.c:1:11: {}: initialization to 'char *' from 'int' makes pointer from integer without a cast [-W{}]"
    assert easecc("-fsyntax-only", "d.c").err.startswith(message.format("warning", "int-conversion"))
    for silent in (["-w"], ["-Wno-int-conversion"], ["-Wall", "-Werror", "-Wno-int-conversion"]):
        assert easecc("-fsyntax-only", *silent, "d.c").result == (0, "", "")
    for strict in ("-Werror", "-Werror=int-conversion"):
        outcome = easecc("-c", strict, "d.c")
        assert outcome.status == 1
        assert outcome.err.startswith(message.format("error", "error=int-conversion"))
    assert easecc("-c", "-Werror", "-Wno-error=int-conversion", "d.c").status == 0
    assert [path.name for path in sorted(folder().iterdir())] == ["d.c", "d.o"]


def test_the_list_of_warnings(easecc):
    assert "-Wint-conversion" in easecc("--help-warnings").out


# --------------------------------------------------------------------------------------- stages and several files


def test_several_c_files(folder, easecc):
    (folder(**SQUARES) / "square.h").write_text("int square(int);\n")
    assert easecc("main.c", "square.c").result == (0, "144\n", "")


def figures(outcome):
    """Return a report without the line that names the command."""
    machine, command, *rest = outcome.err.splitlines()
    assert command.startswith("easecc ")
    return [machine, *rest]


def test_objects_link_to_the_same_program(folder, easecc):
    (folder(**SQUARES) / "square.h").write_text("int square(int);\n")
    straight = easecc("-measure", "main.c", "square.c")
    assert easecc("-c", "main.c", "square.c").result == (0, "", "")
    for files in (("main.o", "square.o"), ("main.o", "square.c")):
        again = easecc("-measure", *files)
        assert (again.status, again.out, figures(again)) == (straight.status, straight.out, figures(straight))
    assert easecc("-c", "-o", "other.rtl", "main.c").result == (0, "", "")
    assert (folder() / "other.rtl").read_text() == (folder() / "main.o").read_text()
    assert easecc("-c", "-o", "again.rtl", "other.rtl").result == (0, "", "")
    assert (folder() / "again.rtl").read_text() == (folder() / "main.o").read_text()


def test_assembly(folder, easecc):
    (folder(**SQUARES) / "square.h").write_text("int square(int);\n")
    assert easecc("-S", "square.c").result == (0, "", "")
    text = (folder() / "square.s").read_text()
    assert re.search(r"^square:", text, re.MULTILINE)
    assert re.search(r"^\s+mul\s", text, re.MULTILINE)
    assert easecc("-S", "-o", "-", "square.c").result == (0, text, "")
    assert easecc("-S", "-o", "x.s", "square.c", "main.c").result == (0, "", "")
    assert {"square:", "main:"} <= set((folder() / "x.s").read_text().splitlines())
    assert sorted(p.name for p in folder().glob("*.s")) == ["square.s", "x.s"]


@pytest.mark.parametrize("machine", [case(name, usual=name == "baseline") for name in ("riscv32", "m68020", "baseline")])
def test_every_dump_is_legal_input_again(folder, easecc, machine):
    folder(fib="int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\nint main(void) { return fib(10); }\n")
    straight = easecc("-m", machine, "-dump-dir", "dumps", "-show", "path-length", "fib.c")
    assert (straight.status, straight.out) == (55, ""), straight.err
    dumps = {name: sorted((folder() / "dumps").glob(f"{name}.*.rtl")) for name in ("main", "fib")}
    assert len(dumps["main"]) == len(dumps["fib"]) > 5
    for main, fib in zip(dumps["main"][::9], dumps["fib"][::9], strict=True):
        assert easecc("-m", machine, main, fib).result == (55, "", ""), (main, fib)
    last = easecc("-m", machine, "-show", "path-length", dumps["main"][-1], dumps["fib"][-1])
    assert figures(last) == figures(straight)


def test_a_dump_replaces_the_function_of_a_program(folder, easecc):
    folder(main="int twice(int); int main(void) { return twice(21); }\n", other="int twice(int x) { return x * 2; }\n")
    assert easecc("-S", "-o", "x.s", "-dump-dir", "d", "other.c").result == (0, "", "")
    for dump in sorted((folder() / "d").glob("twice.*.rtl"))[::4]:
        assert easecc("main.c", dump).result == (42, "", "")


def test_max_changes_limits_improvement(folder, easecc):
    folder(loop="int main(void) { int i, s = 0; for (i = 0; i < 50; i++) s += i & 3; return s; }\n")

    def length(*words):
        outcome = easecc(*words, "-report", "r.json", "loop.c")
        assert (outcome.status, outcome.err) == (73, "")
        return json.loads((folder() / "r.json").read_text())["functions"]["main"]["dynamic"]

    none, few, all_ = length("-max-changes", "0"), length("-max-changes", "10"), length()
    assert none >= few > all_
    assert length("-max-changes", "100000") == all_


def test_inlining_is_done_at_level_2_or_on_demand(folder, easecc):
    folder(two="static int add(int a, int b) { return a + b; } int main(int c, char **v) { return add(c, 2) + add(c, 1); }\n")

    def has_add(*words):
        assert easecc(*words, "-report", "r.json", "two.c").status == 5
        return "add" in json.loads((folder() / "r.json").read_text())["functions"]

    words = ((), ("-O2",), ("-O2", "-inline-limit", "0"), ("-inline-limit", "9"))
    assert [has_add(*some) for some in words] == [True, False, True, False]


def test_max_changes_leaves_the_kept_library_alone(folder, easecc, tmp_path, monkeypatch):
    folder(show="#include <stdio.h>\nint main(int c, char **v) { int i; for (i = 0; i < c; i++) puts(v[i]); return 0; }\n")
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "one"))
    easecc("-max-changes", "0", "-report", "a.json", "show.c")
    easecc("-report", "b.json", "show.c")
    first, second = (json.loads((folder() / f"{x}.json").read_text())["functions"] for x in "ab")
    assert first["main"] != second["main"]
    assert first["puts"] == second["puts"]


def test_phases_of_ones_own(folder, easecc):
    folder(seven="int main(int c, char **v) { return c > 1 ? 8 : 7; }")
    assert easecc("-phases", ",".join(["control", *NEEDED]), "seven.c").status == 7
    listing = easecc("-phases", "help").out
    assert set(PHASES) <= {line.split()[0] for line in listing.splitlines()}
    assert "-O1 is -phases " in listing


def test_runs_are_limited(folder, easecc):
    folder(hello=HELLO)
    assert easecc("-limit", "1000000", "-timeout", "100", "hello.c").result == (3, "hello world\n", "")


# -------------------------------------------------------------------------------------------------- information


def test_help_names_every_option(easecc):
    from ease.commands.compile.options import OPTIONS

    for word in ("-help", "--help", "-h"):
        outcome = easecc(word)
        assert (outcome.status, outcome.err) == (0, "")
    assert all(f"  {option} " in outcome.out or f" {option} " in outcome.out for option in OPTIONS)


def test_every_option_has_a_field_and_names_options():
    from ease.commands.compile.command import Command
    from ease.commands.compile.options import OPTIONS

    for option in OPTIONS.values():
        assert not option.is_in(Command())
        assert set(option.excludes) <= set(OPTIONS)
        assert not (option.kept and option.kind == "path")


@pytest.mark.parametrize("words", [["-tool", "malloc"], ["-region", "main"], ["--top", "3"], ["-l", "m"], ["-files", "."]])
def test_what_sweeps_have_not_is_refused(folder, easecc, words):
    folder(x="int main(void) { return 0; }")
    outcome = easecc("-measure", *words, "--set", "registers.r.count=16,24", "x.c")
    assert (outcome.status, f"{words[0]} has no place where --set has several values" in outcome.err) == (1, True)


def test_version(process):
    outcome = process("easecc", "-V")
    assert outcome.status == 0
    assert re.fullmatch(r"easecc \d+\.\d+\.\d+\n", outcome.out)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no input files"),
        (["-O1"], "no input files"),
        (["x.c", "-wrong"], "unknown option '-wrong'"),
        (["x.f"], "'x.f': input files end in .c, .i, .S, .o, .a or .rtl"),
        (["x"], "'x': input files end in .c, .i, .S, .o, .a or .rtl"),
        (
            ["-O", "2", "x.c"],
            "'2': input files end in .c, .i, .S, .o, .a or .rtl; a level stands right behind its option: -O2",
        ),
        (["-"], "'-': standard input needs -x c or -E"),
        (["-x", "c++", "x.c"], "'-x c++': only C is compiled"),
        (["-shared", "-run", "x.c"], "-shared makes a library; it excludes -run and -why-not"),
        (["x.c", "-m"], "'-m' needs a value"),
        (["x.c", "-D"], "'-D' needs a value"),
        (["-limit", "many", "x.c"], "'-limit' needs a number, not 'many'"),
        (["-limit", "-1", "x.c"], "'-limit' needs a number that is not negative"),
        (["-limit", "1" + "0" * 30, "x.c"], f"'-limit' needs a smaller number than '1{'0' * 30}'"),
        (["-timeout", "soon", "x.c"], "'-timeout' needs a number, not 'soon'"),
        (["-timeout", "nan", "x.c"], "'-timeout' needs a smaller number than 'nan'"),
        (["-inline-limit", "few", "x.c"], "'-inline-limit' needs a number, not 'few'"),
        (["-max-changes", "1.5", "x.c"], "'-max-changes' needs a number, not '1.5'"),
        (["-phases", "control,asign", "x.c"], "-phases: there is no phase 'asign'; did you mean 'assign'? (phases: "),
        (["-phases", "control,magic", "x.c"], "-phases: there is no phase 'magic' (phases: "),
        (["-phases", "control,assign,frame,span", "x.c"], f"-phases: there must be {', '.join(NEEDED)}, once each"),
        (["-phases", "ssa,combine,unssa", "x.c"], "-phases: combine cannot work on SSA form; put unssa before it"),
        (["-phases", "frame,assign,delay,span", "x.c"], f"-phases: there must be {', '.join(NEEDED)}, once each"),
        (["-phases", "(dead,assign)*,frame", "x.c"], "-phases: assign runs once; take it out of the group"),
        (["-phases", "(ssa)*,combine", "x.c"], "-phases: combine cannot work on SSA form"),
        (["-phases", "", "x.c"], "-phases: column 1: the name of a phase is wanted here, not the end"),
        (["-phases", "control,,dead", "x.c"], "-phases: column 9: the name of a phase is wanted here, not ','"),
        (["-phases", "control dead", "x.c"], "-phases: column 9: a comma between phases is wanted here, not 'dead'"),
        (["-phases", "(control,dead", "x.c"], "-phases: column 14: ')*' behind the group is wanted here, not the end"),
        (["-phases", "(control,dead),cse", "x.c"], "-phases: column 14: ')*' behind the group is wanted here, not ')'"),
        (["-phases", "()*", "x.c"], "-phases: column 2: the name of a phase is wanted here, not ')*'"),
        (["-show", "gossip", "x.c"], "there is no report 'gossip' (reports: "),
        (["-c", "-o", "x.rtl", "x.c", "y.c"], "-o with -c or -E takes one file"),
        (["-o", "x", "-run", "x.c"], "-o makes a program that is run later"),
        (["-o", "x", "x.c", "--", "5"], "arguments are given to the program when it runs"),
        (["-link", "-S", "x.c"], "-link excludes -S"),
        (["-tool", "malloc", "-o", "x", "x.c"], "-tool is not kept in a program that is linked: measure at once"),
        (["-S", "-c", "x.c"], "-S, -c, -E and running"),
        (["-S", "-measure", "x.c"], "-S, -c, -E and running"),
        (["-S", "-cache", "D:1k,16,1", "x.c"], "-S, -c, -E and running"),
        (["-cache", "D:1k,16,1", "-cache", "D:2k,16,1", "x.c"], "-cache is given twice"),
        (["-show", "caches", "x.c"], "the report 'caches' needs -cache"),
        (["-show", "caches", "-cache", "sweep", "x.c"], "the report 'caches' needs -cache SYSTEM, not a sweep"),
        (["-show", "sweep-misses", "-cache", "D:1k,16,1", "x.c"], "the report 'sweep-misses' needs -cache sweep"),
        (["-report", "x.svg", "-show", "path-size", "x.c"], "-report x.svg: only instruction-types, addressing-modes, "),
        (
            ["-report", "x.xml", "x.c"],
            "-report x.xml: there are no reports in '.xml' (.json, .csv, .svg, .png, .txt, .md, .html, .callgrind, ",
        ),
        (["-over-time", "100", "-cache", "sweep", "x.c"], "-over-time excludes a sweep"),
        (["-over-time", "100", "-region", "ease_line", "x.c"], "-region ease_line excludes -over-time"),
        (["-over-time", "100", "-show", "misses-over-time", "x.c"], "the report 'misses-over-time' needs -over-time and"),
        (["-show", "misses-over-time", "-cache", "D:1k,16,1", "x.c"], "the report 'misses-over-time' needs -over-time"),
        (["-report", "x.png", "-cache", "sweep", "-show", "sweep-misses", "x.c"], "-report x.png: only "),
        (["-wrong-path", "8", "x.c"], "-wrong-path needs -predict"),
        (["-wrong-path", "8", "-predict", "taken", "-timing", "x.c"], "-wrong-path excludes -timing"),
        (["-predict", "taken", "-predict", "btfn", "x.c"], "-predict is given twice; + joins predictors"),
        (["-show", "predict-lines", "x.c"], "the report 'predict-lines' needs -predict"),
    ],
)
def test_wrong_usage(easecc, words, message):
    outcome = easecc(*words)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"easecc: {message}")
    assert len(outcome.err.splitlines()) == 2


def test_why_not(folder, easecc):
    folder(hello=HELLO)
    outcome = easecc("-why-not", "ADDI", "hello.c")
    assert (outcome.status, outcome.out) == (3, "hello world\n")
    assert outcome.err.startswith("why not ADDI")
    assert easecc("-why-not", "ADI", "hello.c").result == (
        1,
        "",
        "riscv32 has no instruction 'ADI'; perhaps ADD?\neasecc: 1 error\n",
    )
    outcome = easecc("-why-not", "ADDI", "-measure", "hello.c")
    assert outcome.err.startswith("easecc: -why-not excludes -S, -c, -E and measuring\n")
