"""A frame that no constant of one instruction spans is made and given up in steps where no register is free."""

import re
import sys
from pathlib import Path

import pytest

from ease.run.measuring import counted_run
from tests.kept_machines import load
from tests.limited import run_limited
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.interpret.fast.interpreter import interpret

EIGHT = "extends: riscv32\nmachine: eight\nallocable: {r: ['r[15]..r[8]']}\n"
PROGRAM = """
static int sum(int a, int b, int c, int d, int e, int f, int g, int h)
{
    int many[3000];
    for (int i = 0; i < 3000; i++) many[i] = a * i ^ b;
    return many[c] + many[d & 2047] + e - f * g + h;
}
static double half(double a, double b, int c, int d)
{
    volatile double many[600];
    for (int i = 0; i < 600; i++) many[i] = a - i * b;
    return many[c] / many[d];
}
int main(void)
{
    return sum(7, 1000, 2999, 70, 5, 6, 7, 8) - 20000 == 1454 && half(1000.5, 3.0, 10, 500) < -1.9 ? 42 : 1;
}
"""


def test_without_a_free_register(tmp_path):
    description, source = tmp_path / "eight.yaml", tmp_path / "large.c"
    description.write_text(EIGHT)
    source.write_text(PROGRAM)
    for level in (0, 2):
        program = Compiler(load(str(description)), Settings(level=level, check="invariants")).program([str(source)])
        assert interpret(program).exit_status == 42
        assert counted_run(program)[0].exit_status == 42


LARGE = "void take(char *, char *, char *);\nint main(void)\n{\n    char a[SIZE], b[SIZE], c[SIZE];\n    take(a, b, c);\n}\n"


@pytest.mark.parametrize("machine", ["riscv32", "m68020", "riscv64"])
@pytest.mark.parametrize("level", [0, 2])
def test_more_locals_than_offsets_can_tell_are_an_error(tmp_path, machine, level):
    source = tmp_path / "large.c"
    source.write_text(LARGE.replace("SIZE", "2000000000"))
    with pytest.raises(UserError) as caught:
        Compiler(load(machine), Settings(level=level)).unit(str(source))
    assert re.fullmatch(
        rf"{source}:2: error: total size of local objects 60000000\d\d exceeds the maximum 2147483647", str(caught.value)
    )
    source.write_text(LARGE.replace("SIZE", "700000000"))
    Compiler(load(machine), Settings(level=level)).unit(str(source))


ARGUMENTS = """\
struct large { char text[1500000000]; struct {} none[1500000000]; } x;
static int take(struct large a, struct large b) { return a.text[0] + b.text[1]; }
int main(void) { return take(x, x); }
"""


def test_large_arguments_are_not_looked_into(tmp_path):
    """No list of their members is made, of which no convention has a use."""
    source = tmp_path / "large.c"
    source.write_text(ARGUMENTS)
    status, told = run_limited([Path(sys.executable).parent / "easecc", "-w", source], tmp_path)
    assert (status, told.splitlines()[-1]) == (1, "easecc: 1 error")
    assert "error: total size of local objects" in told


def test_numbers_of_an_object_are_bounded(tmp_path):
    machine = load("riscv32")
    source, written = tmp_path / "small.c", tmp_path / "small.rtl"
    source.write_text("int main(void) { int x[3]; x[1] = 1000; return x[1]; }\n")
    text = Compiler(machine, Settings(level=0, phases=("assign",))).object_text(str(source))
    for new, told in (
        (("size 12 ", f"size {10**15} "), r"small.c:1: error: total size of local objects 1\d+ exceeds"),
        (("size 12 ", f"size {'9' * 4000} "), r"small.rtl:\d+:\d+: error: a number has at most 64 bits"),
        (("=1000;", f"={'9' * 4000};"), r"small.rtl:\d+:\d+: error: a number has at most 64 bits"),
        (("=1000;", f"=L[.x+{1 << 70}];"), r"small.rtl:\d+:\d+: error: a number has at most 64 bits"),
    ):
        assert new[0] in text
        written.write_text(text.replace(*new))
        with pytest.raises(UserError, match=told):
            Compiler(machine, Settings()).unit(str(written))
