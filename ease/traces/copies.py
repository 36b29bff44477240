"""Which stores of a program store a value that a load of the same block has brought: copies from memory to memory."""

from __future__ import annotations

from collections.abc import Iterator

from ease.host.ir_builder import SIZE
from vpo.analysis.references import references
from vpo.function import Block
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import Const, Expr, Mem, Op, Register, Rtl, Set


def copies(program: Program) -> list[tuple[int, int]]:
    """Return pairs of numbers of RTLs: one that loads a value, and the first one that stores it, perhaps the same RTL.

    Load and store have the same size.  No RTL is in two pairs.
    """
    return [
        pair
        for name, function in program.functions.items()
        for block, start in zip(function.blocks, function.block_starts(), strict=True)
        for pair in _copies_of(program.machine, block, program.first(name) + start)
    ]


def _copies_of(machine: Machine, block: Block, first: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a block whose first RTL has a number."""
    held: dict[tuple[tuple[str, int], ...], tuple[int, int]] = {}  # by storage, the load of its value, and that one's size
    for site, rtl in enumerate(block.rtls, first):
        moved = _moved(rtl)
        match moved:
            case Mem() as target, Mem() as source if SIZE[target.type] == SIZE[source.type]:
                yield site, site
            case Mem() as target, Register() as source if held.get(machine.storage(source), (0, 0))[1] == SIZE[target.type]:
                yield held.pop(machine.storage(source))[0], site
        changed = {place for register in (*rtl.sets, *machine.clobbers(rtl.effects)) for place in machine.storage(register)}
        held = {} if rtl.call is not None else {key: value for key, value in held.items() if changed.isdisjoint(key)}
        match moved:
            case Register() as register, Mem() as cell:
                held[machine.storage(register)] = site, SIZE[cell.type]


def _moved(rtl: Rtl) -> tuple[Expr, Expr] | None:
    """Return target and source of the effect of an RTL that moves a value from or to memory; None if there is none such."""
    directions = [reference.write for reference in references(rtl)]
    if directions not in ([False], [True], [False, True]):
        return None
    for effect in rtl.effects:
        if isinstance(effect, Set) and (isinstance(effect.target, Mem) if directions[-1] else effect.memory):
            source = _stored(effect.source)
            if isinstance(source, Mem | Register):
                return effect.target, source
    return None


def _stored(source: Expr) -> Expr:
    """Return the cell or register whose bits are the lowest ones of a value, as far as they are stored."""
    match source:
        case Op(op="|", args=(Op(op="&", args=(Register(), Const())), Op(op="zx", args=(part,)))):
            return part  # a part of a register takes a value
        case Op(op="sx" | "zx" | "tr" | "bits", args=(part,)):
            return _stored(part)
    return source
