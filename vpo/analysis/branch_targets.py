"""Addresses of targets in branch registers: that each transfer by one finds that of its own target there.

Nothing that executes a program looks at the register (`BY=b[1];`), so this must hold in final code, on all ways.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.analysis.cfg import Cfg, delay_slots
from vpo.machines.machine import Machine
from vpo.rtl import Branch, By, Expr, Jump, LabelAddress, Register, Rtl, Symbol
from vpo.rtl.function import Function
from vpo.text import show, show_effects

Known = dict[Register, Expr]


def wrong_targets(function: Function, cfg: Cfg, machine: Machine) -> Iterator[str]:
    """Yield the transfers and calls that go by a register in which the address of their target need not be."""
    if not any(type(effect) is By for rtl in function.rtls() for effect in rtl.effects):
        return
    entry: list[Known | None] = [None] * len(function.blocks)  # what is known at the head; None: no way there yet
    entry[0] = {}
    work = [0]
    while work:
        number = work.pop()
        behind = dict(entry[number] or {})
        for _ in _run(function, number, behind, machine):
            pass
        for successor in cfg.successors[number]:
            before = entry[successor]
            joined = behind if before is None else {r: a for r, a in before.items() if behind.get(r) is a}
            if joined != before:
                entry[successor] = dict(joined)
                work.append(successor)
    for number, known in enumerate(entry):
        yield from _run(function, number, known, machine) if known is not None else ()


def _run(function: Function, number: int, known: Known, machine: Machine) -> Iterator[str]:
    """Change what is known before a block to what is behind it; yield what is wrong on the way."""
    block = function.blocks[number]
    called = -1  # where a callee has run
    for place, rtl in enumerate(block.rtls):
        register = next((effect.register for effect in rtl.effects if type(effect) is By), None)
        if register is not None and known.get(register) is not _target(rtl):
            yield f"{block.label}: `{show_effects(rtl.effects)}`, but {show(register)} may hold another address"
        for changed in (*rtl.sets, *machine.clobbers(rtl.effects)):
            known.pop(changed, None)
        effect = rtl.single_set
        if effect is not None and type(effect.target) is Register and type(effect.source) in (LabelAddress, Symbol):
            known[effect.target] = effect.source
        if rtl.call is not None:
            called = place + delay_slots(machine, function, rtl)
        if place == called:
            for changed in [register for register in known if register not in machine.convention.preserved]:
                del known[changed]


def _target(rtl: Rtl) -> Expr | None:
    transfer = rtl.transfer
    if type(transfer) is Jump or type(transfer) is Branch:
        return LabelAddress(transfer.label)
    return rtl.call.target if rtl.call is not None else None
