"""Register stacks: where a load pushes its value, drop the value before it, so that the stack never grows.

    D[_x]=f[0];                          D[_x]=f[0]; f[0]=f[1];       (a store that pops)
    f[0]=D[_y];               =>         f[0]=D[_y];                  (which pushes)

On such a machine (role `pop`) only the top of the stack holds values of the program.  Wherever blocks meet, and at
calls and returns, the stack has one element, needed or not; so a load follows a pop in its block: of the last RTL that
uses the top, if it has such a form, else an instruction of its own.
"""

from __future__ import annotations

from vpo.function import Function
from vpo.liveness import access, numbering_of
from vpo.machines.machine import Machine
from vpo.rtl import Register, Rtl, Set


def pop_register_stack(function: Function, machine: Machine) -> bool:
    """Pop the top of a register stack before each load pushes another value."""
    if not machine.pop:
        return False
    (drop,) = machine.pop
    assert isinstance(drop, Set)
    assert isinstance(drop.target, Register)
    numbering = numbering_of(function, machine)
    top = numbering.mask((drop.target,))
    changed = False
    for block in function.blocks:
        result: list[Rtl] = []
        last: Rtl | None = None  # that touches the stack
        for rtl in block.rtls:
            entry = access(rtl, numbering)
            if drop not in rtl.effects and entry.sets & top and not entry.uses & top:
                changed |= _pop(last, rtl, result, machine)
            if (entry.sets | entry.clobbers | entry.uses) & top:
                last = rtl
            result.append(rtl)
        block.rtls = result
    return changed


def _pop(last: Rtl | None, load: Rtl, result: list[Rtl], machine: Machine) -> bool:
    """Pop what the last RTL left, in it or by an instruction of its own."""
    (drop,) = machine.pop
    if last is not None and drop in last.effects:
        return False
    if last is not None and machine.is_legal((*last.effects, drop)):
        last.effects, last.record = (*last.effects, drop), None
        return True
    result.append(Rtl((drop,), load.lines, load.cause))
    return True
