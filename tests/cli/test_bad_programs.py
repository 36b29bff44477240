"""Bad C programs through the command: a message with its place, exit status 1, nothing left behind."""

import importlib.util
import re
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("diagnostics", Path(__file__).parents[1] / "frontend" / "test_diagnostics.py")
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
FRONT_END = [(text, expected) for text, expected in _MODULE.CASES if any(" error: " in line for line in expected)]

FILES = {
    "empty": ("", "error: undefined reference to 'main' in the start-up code"),
    "no main": ("int x = 1;\n", "error: undefined reference to 'main' in the start-up code"),
    "comment": ("int main(void) { return 0; }\n/* never closed", "bad.c:2:1: error: unterminated comment"),
    "string": ('int main(void) { return "abc; }\n', "bad.c:1:25: error: missing terminating '\"' character"),
    "#if": ("#if 1\nint main(void) { return 0; }\n", "bad.c:1:1: error: unterminated #if 1"),
    "#else": ("#else\nint main(void) { return 0; }\n", "bad.c:1:1: error: misplaced #else"),
    "#if expression": ("#if 1 +\n#endif\n", "bad.c:1:1: error: invalid expression in #if"),
    "directive": ("\n#nonsense\n", "bad.c:2:1: error: invalid preprocessing directive #nonsense"),
    "inclusion of itself": ('#include "bad.c"\n', "bad.c:1:1: error: #include nested too deeply: more than 200 files"),
    "zero byte": ("int main(void) { return 0\0; }\n", "bad.c:1:26: error: illegal character '\\x00'"),
    "pointers": (
        f"int {'*' * 301}x;\n",
        "bad.c:1:305: error: a type of more than 300 pointers, arrays and functions in each other",
    ),
    "escape": ('char *s = "\\uD800";\n', "bad.c:1:11: error: \\uD800 is not a valid universal character"),
    "large constant": ("int x = 99999999999999999999999;\n", "bad.c:1:9: error: integer constant is too large for its type"),
    "octal": ("int x = 08;\n", "bad.c:1:9: error: invalid octal constant"),
    "character": ("int x = '';\n", "bad.c:1:9: error: empty character constant"),
    "large array": ("int a[2147483647][4];\n", "bad.c:1:5: error: size of array is too large"),
    "undefined function": (
        "int nowhere(int);\nint main(void) {\n    return nowhere(3);\n}\n",
        "bad.c:3: error: undefined reference to 'nowhere'",
    ),
    "undefined object": (
        "extern int gone;\nint main(void) {\n    return 1 + gone;\n}\n",
        "bad.c:3: error: undefined reference to 'gone'",
    ),
    "undefined in data": (
        "extern int gone; int *p = &gone;\nint main(void) { return *p; }\n",
        "bad.c: error: undefined reference to 'gone' in the initial value of 'p'",
    ),
}


def stderr_of(easecc, *words):
    outcome = easecc(*words)
    assert (outcome.status, outcome.out) == (1, ""), outcome.err
    assert "Traceback" not in outcome.err
    return outcome.err.splitlines()


def messages_of(easecc, *words):
    """Return what is said, without the lines that it is about."""
    return [line for line in stderr_of(easecc, *words) if not re.match(r" *\d* \| ", line)]


@pytest.mark.parametrize(("text", "expected"), FRONT_END, ids=range(len(FRONT_END)))
def test_what_the_front_end_refuses(folder, easecc, text, expected):
    folder(bad=text)
    lines = stderr_of(easecc, "-S", "bad.c")
    assert all(f"bad.c:{line}" in lines for line in expected if " error: " in line)
    count = sum(" error: " in line for line in lines)
    assert lines[-1] == f"easecc: {count} error{'s' * (count != 1)}"
    assert [p.name for p in folder().iterdir()] == ["bad.c"]


@pytest.mark.parametrize("name", FILES)
def test_what_the_command_refuses(folder, easecc, name):
    text, expected = FILES[name]
    folder(bad=text)
    assert messages_of(easecc, "-report", "r.json", "bad.c")[-2:] == [expected, "easecc: 1 error"]
    assert [p.name for p in folder().iterdir()] == ["bad.c"]


def test_enough_bad_programs():
    assert len(FRONT_END) + len(FILES) >= 60


def test_several_errors_in_several_files(folder, easecc):
    folder(one="int f(void) { return x; }\nint g(void) { return y; }\n", two="int main(void) { return 0; }\n")
    lines = messages_of(easecc, "two.c", "one.c")
    assert lines == ["one.c:1:22: error: 'x' undeclared", "one.c:2:22: error: 'y' undeclared", "easecc: 2 errors"]


def test_names_defined_twice(folder, easecc):
    folder(a="int f(void) { return 1; }\nint main(void) { return f(); }\n", b="\nint f(void) { return 2; }\n")
    assert stderr_of(easecc, "a.c", "b.c")[0] == "b.c:2: error: 'f' is defined twice (also at a.c:1)"
    folder(a="int v = 1;\nint main(void) { return v; }\n", b="\nint v = 2;\n")
    assert stderr_of(easecc, "a.c", "b.c")[0] == "b.c: error: 'v' is defined twice (also in a.c)"


def test_too_much_data_for_the_machine(folder, easecc):
    folder(big="char a[2147483647], b[2147483647]; int main(void) { return a[0] + b[1]; }\n")
    message = stderr_of(easecc, "big.c")[0]
    assert re.fullmatch(r"error: text and data take 4,294,[\d,]+ bytes, more than the [\d,]+ bytes that .* for them", message)


POOR = """\
machine: poor
extends: riscv32
operands: {imm: {constant: -2048..2047, slots: true, mode: IMMED, when: "v != 11"}}  # which a part of an address may be
instructions: {LUI: null}
"""


def test_what_the_machine_cannot_do(folder, easecc):
    folder(far="int x;\nint main(void) {\n    return x;\n}\n")
    (folder() / "poor.yaml").write_text(POOR)
    message = stderr_of(easecc, "-m", "poor.yaml", "far.c")[0]
    assert re.fullmatch(r"far\.c:3: error: poor cannot do this: it has no `r\[t\d+\]=_x;`", message)


# ------------------------------------------------------------------------------------------------ files of RTLs

RTL = 'machine "riscv32" cells r=L f=D e=F cc=C\nfunction _main file "m.c" line 1 stage pseudo {{\nL1:\n\t{} # program 1\n}}\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: error: "),
        ("machine", "1:"),
        ("\x00\x01", "1:1: error: "),
        (RTL.format("r[10]=;"), "4:8: error: "),
        (RTL.format("r[10]=1"), "4:"),
        ('machine "odd" cells q=L\n', "1:1: error: this file is for machine 'odd', not for 'riscv32'"),
    ],
)
def test_bad_rtl_files(folder, easecc, text, expected):
    (folder() / "bad.rtl").write_text(text)
    assert stderr_of(easecc, "bad.rtl")[0].startswith(f"bad.rtl:{expected}")


def rtl_of(folder, easecc):
    folder(m="int main(void) { return 7; }\n")
    assert easecc("-c", "-o", "m.rtl", "m.c").status == 0
    return (folder() / "m.rtl").read_text()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("r[10]=7;", "r[10]=r[11]%%r[12];"), "error: "),
        (("r[10]=7;", "r[10]=r[11]*r[12]+r[13];"), "error: "),
        (("r[10]=7;", "r[10]=(r[11]*r[12])+r[13];"), "error: in main: "),
        (("r[10]=7;", "r[77]=7;"), "error: in main: "),
        (("r[10]=7;", "PC=L9;"), "error: in main: "),
        (("r[10]=7;", "r[t1]=7;"), "error: in main: "),
        (("stage final", "stage ripe"), "error: in main: "),
        (("# constant 1", "# gossip 1"), "error: unknown cause 'gossip'"),
        (("L1:", "L1:\nL1:"), "error: in main: "),
    ],
)
def test_rtl_files_that_break_a_rule(folder, easecc, change, expected):
    text = rtl_of(folder, easecc)
    assert change[0] in text
    (folder() / "m.rtl").write_text(text.replace(*change, 1))
    message = stderr_of(easecc, "m.rtl")[0]
    assert message.startswith("m.rtl:")
    assert expected in message


def test_rtl_file_for_another_machine(folder, easecc):
    rtl_of(folder, easecc)
    message = stderr_of(easecc, "-m", "m68020", "m.rtl")[0]
    assert message.startswith("m.rtl:1:1: error: this file is for machine 'riscv32', not for 'm68020'")


# -------------------------------------------------------------------------------------------- unreadable input


def test_missing_file(folder, easecc):
    folder()
    errors = [f"gone.{suffix}: error: cannot read: No such file or directory" for suffix in ("c", "rtl")]
    assert stderr_of(easecc, "gone.c") == [errors[0], "easecc: 1 error"]
    assert stderr_of(easecc, "gone.c", "gone.rtl") == [*errors, "easecc: 2 errors"]


def test_directory_as_input(folder, easecc):
    for name in ("d.c", "d.rtl"):
        (folder() / name).mkdir()
    assert stderr_of(easecc, "d.c") == ["d.c: error: cannot read: Is a directory", "easecc: 1 error"]
    assert stderr_of(easecc, "d.rtl") == ["easecc: d.rtl: Is a directory"]


def test_unreadable_file(folder, easecc):
    folder(secret="int main(void) { return 0; }\n")
    secret = folder() / "secret.c"
    secret.chmod(0)
    try:
        secret.read_text()
    except PermissionError:
        assert stderr_of(easecc, "secret.c")[0] == "secret.c: error: cannot read: Permission denied"
    else:
        pytest.skip("this user may read everything")


def test_bytes_that_are_no_text(folder, easecc):
    (folder() / "l.c").write_bytes(b'char *s = "\xff\xe9"; int main(void) { return (unsigned char)s[1]; } // \xfe\n')
    assert easecc("l.c").result == (0xE9, "", "")  # as any C compiler takes them
    (folder() / "l.c").write_bytes(b"int main(void) { return \xff; }\n")
    assert any(line.startswith("l.c:1:25: error: ") for line in stderr_of(easecc, "l.c"))
    (folder() / "l.rtl").write_bytes(b'machine "\xff"\n')
    assert stderr_of(easecc, "l.rtl")[0] == "l.rtl:1:1: error: not UTF-8 text"


def test_a_file_that_is_nearly_there(easecc, folder):
    (folder() / "queens.c").write_text("int main(void) { return 0; }")
    (folder() / "mine.yaml").write_text("machine: mine\nextends: riscv32\n")
    assert stderr_of(easecc, "quens.c")[0].endswith("No such file or directory; did you mean 'queens.c'?")
    assert stderr_of(easecc, "-m", "mien.yaml", "queens.c")[0].endswith("file 'mien.yaml'; did you mean 'mine.yaml'?")
    assert stderr_of(easecc, "-m", "riscv3", "queens.c") == ["easecc: there is no machine 'riscv3'; did you mean 'riscv32'?"]


# ------------------------------------------------------------------------------------------------ descriptions


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "nothing"], "easecc: there is no machine 'nothing'; known machines: "),
        (["-m", "/nowhere/x.yaml"], "easecc: there is no machine description file '/nowhere/x.yaml'"),
        (["-m", "."], "easecc: there is no machine '.'"),
        (["-m", "empty.yaml"], "empty.yaml:1:1: error: "),
        (["-m", "bytes.yaml"], "bytes.yaml:1:1: error: not UTF-8 text"),
        (["-m", "cut.yaml"], "cut.yaml:"),
        (["-m", "d.yaml"], "easecc: "),
        (["--set", "gibberish"], "--set:1:1: error: 'gibberish': expected key.key=value"),
        (["--set", "registers.q.count=3"], "--set:1:1: error: 'registers.q.count=3': there is no 'q' here"),
        (["--set", "registers.r.count=many"], "--set:1:1: error: 'count' must be a number, not 'many'"),
        (["--set", "registers.r.count=2"], ""),
        (["--set", "registers.r.count=-1"], ""),
        (["--set", "machine=3"], ""),
        (["--set", "instructions.ADD.rtl=r["], ""),
        (["--set", "layout.page=1000"], ""),
    ],
)
def test_bad_machines(folder, easecc, words, message):
    folder(main="int main(void) { return 0; }\n")
    (folder() / "empty.yaml").write_text("")
    (folder() / "bytes.yaml").write_bytes(b"machine: \xff\n")
    (folder() / "cut.yaml").write_text("machine: cut\nregisters: {r: [\n")
    (folder() / "d.yaml").mkdir()
    if words[1] == "machine=3":
        assert easecc(*words, "main.c").status in (0, 1)
        return
    lines = stderr_of(easecc, *words, "main.c")
    assert lines[0].startswith(message)


def test_function_that_is_too_large_for_its_jumps(folder, easecc):
    folder(loop="int main(int c, char **v) { while (c < 100) { c *= 3; } return c; }\n")
    lines = stderr_of(easecc, "-O0", "--set", "instructions.J.reach=[-4, 4]", "loop.c")
    assert lines[0].startswith("loop.c:1: error: riscv32 cannot do this: it has no way for `PC=L")
