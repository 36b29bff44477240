"""The jump of a machine that has none: a comparison that is known to hold, and a branch on it.

    PC=L5;     =>     cc=r[4]?r[4]; PC=cc==0,L5;

It is one instruction for phases, and becomes the two when the code is complete.
"""

from __future__ import annotations

from itertools import product

from vpo.machines.machine import Machine
from vpo.machines.pattern import Alternative
from vpo.rtl import Branch, Const, Jump, Op, Register, Set

LABEL = "target"
HOLDING = ("==", ">=", "<=")  # between a register and itself


def implied_jumps(machine: Machine) -> list[Alternative]:
    """Return the form that a machine lacks of a jump, if a comparison and a branch together are one."""
    if machine.is_legal((Jump("L0"),)):
        return []
    codes = [Register(cls.name, 0, cls.type) for cls in machine.classes.values() if cls.type == "C"]
    registers = dict.fromkeys((machine.stack_pointer, *machine.allocable_in(machine.values.integer)))
    for register, code, relation in product(registers, codes, HOLDING):
        compare, condition = Set(code, Op("?", "C", register, register)), Op(relation, "", code, Const(0))
        first, second = machine.recognizer.match((compare,)), machine.recognizer.match((Branch(condition, "L0"),))
        if first is not None and second is not None:
            branch, clobbers = second.alternative, dict.fromkeys((code, *first.alternative.clobbers))
            return [
                Alternative(
                    branch.name, branch.place, (Jump(LABEL),), False, {}, "", first.alternative.size + branch.size,
                    first.alternative.latency + branch.latency, 0, tuple(clobbers), None, None, text=f"PC={LABEL};",
                    order=len(machine.recognizer.alternatives), into=((compare,), (Branch(condition, LABEL),)),
                )
            ]  # fmt: skip
    return []
