"""Frames beyond the reach of an immediate: the registers that build their size may not hold what the caller left."""

from vpo.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret
from vpo.machines.load import load

PROGRAM = """
int f(int n) { char a[3000]; a[0] = n; a[n] = n; return n + (n ? f(n - 1) : 0) + a[n]; }
int main(void) { return f(5) == 30 ? 7 : 8; }
"""


def test_the_return_address_is_not_overwritten(tmp_path):
    """The link register is allocable, and the first that calls may change and that carries no argument."""
    source, description = tmp_path / "frame.c", tmp_path / "few.yaml"
    source.write_text(PROGRAM)
    registers = '["r[1]", "r[10]..r[17]", "r[5]", "r[8]", "r[9]"]'
    description.write_text(f"machine: few\nextends: riscv32\nallocable: {{r: {registers}}}\n")
    program = Compiler(load(str(description)), Settings(level=1)).program([str(source)])
    assert interpret(program, limit=100_000).exit_status == 7
