"""A frame that no constant of one instruction spans is made and given up in steps where no register is free."""

from ease.measuring import counted_run
from tests.kept_machines import load
from vpo.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret

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
        program = Compiler(load(str(description)), Settings(level=level, check=True)).program([str(source)])
        assert interpret(program).exit_status == 42
        assert counted_run(program)[0].exit_status == 42
