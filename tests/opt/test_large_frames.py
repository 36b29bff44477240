"""Frames beyond the reach of an immediate: the registers that build their size may not hold what the caller left."""

import sys

import pytest

from tests.kept_machines import load
from vpo.algebra import binary, set_
from vpo.base.errors import CannotExpress
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.opt.frame.entry_exit import insert_entry_and_exit
from vpo.opt.frame.save_instructions import with_hard_registers
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Mem, Register, Return, Rtl, Slot
from vpo.rtl.function import Block, FrameSlot, Function

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


MANY_ARGUMENTS = """
int f(int a, int b, int c, int d, int e, int g, int h, int n)
{
    char bytes[2972];
    bytes[0] = a + b + c;
    bytes[n] = d + e + g + h;
    return n + (n ? f(a, b, c, d, e, g, h, n - 1) : 0) + bytes[0] + bytes[n];
}
int main(void) { return f(1, 2, 3, 4, 5, 6, 7, 5) == 6 * 28 - 6 + 22 + 15 ? 7 : 8; }
"""


def test_steps_of_a_long_constant_share_registers(tmp_path):
    """Three registers are free at entry, and the frame's size takes more steps than that."""
    source = tmp_path / "frame.c"
    source.write_text(MANY_ARGUMENTS)
    machine = load("riscv32", ["registers.r.count=24", "operands.imm.constant=-32..31"])
    program = Compiler(machine, Settings(level=1, check="invariants")).program([str(source)])
    assert interpret(program, limit=100_000).exit_status == 7


def test_too_few_registers_are_an_error():
    """Three values that live together do not fit in two registers, and two of them, one after the other, do."""
    machine = load("riscv32")
    free = [Register("r", 5, "L"), Register("r", 6, "L")]
    a, b, c, d = (Register("r", number, "L", True) for number in range(1, 5))
    rtls = [Rtl((effect,), (1,)) for effect in (set_(a, Const(1)), set_(b, Const(2)), set_(c, binary("+", a, b)), set_(d, c))]
    renamed = with_hard_registers(rtls, free, machine, 1)
    assert {register for rtl in renamed for register in (*rtl.uses, *rtl.sets)} == set(free)
    together = [*rtls[:2], Rtl((set_(c, Const(3)),), (1,)), *(Rtl((set_(d, binary("+", c, r)),), (1,)) for r in (a, b))]
    with pytest.raises(CannotExpress):
        with_hard_registers(together, free, machine, 1)


def _calls_of_frame(loads):
    """Return how many calls the phase makes for a function with so many loads that are out of reach."""
    function = Function("_f", "f.c", 1, stage="allocated")
    function.slots["a"] = FrameSlot("a", "local", 8000, 4)
    sp = Register("r", 2, "L")
    load_far = set_(Register("r", 10, "L"), Mem("L", binary("+", sp, Slot("a", 4000))))
    returns = Rtl((Return(Register("r", 1, "L")),), (1,))
    function.blocks = [Block("L1", [*(Rtl((load_far,), (1,), "variable") for _ in range(loads)), returns])]
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    state = FunctionState(function, load("riscv32"))
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        insert_entry_and_exit(state)
    finally:
        sys.setprofile(before)
    assert len(function.blocks[0].rtls) > 2 * loads
    return calls


def test_offsets_out_of_reach_take_time_in_proportion():
    """What is live is found out once for a function, not for each of its RTLs that must be made of several."""
    _calls_of_frame(10)  # what is known of the machine is found out
    assert _calls_of_frame(400) < 5 * _calls_of_frame(100)
