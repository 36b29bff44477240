"""The references that an instruction makes to memory, in order: each distinct cell that it reads, then what it writes.

The interpreter's observer and the simulators in host code both follow this order.

A file of its own, since this order is a promise to both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from vpo.program import Program
from vpo.rtl import Const, Effect, Expr, Mem, Op, Rtl, Set, Symbol, selector

Guard = tuple[Op, bool]  # a relation, and whether it must hold


class Reference(NamedTuple):
    """A cell that is read or written if the relations that guard it have turned out as they must."""

    cell: Mem
    write: bool
    guards: tuple[Guard, ...] = ()


def references(rtl: Rtl) -> list[Reference]:
    """Return the references of an instruction; a cell that stands in several effects is read once."""
    reads = dict.fromkeys(Reference(cell, False, guards) for e in rtl.effects for cell, guards in _cells(_sources(e), ()))
    plain = {read.cell for read in reads if not read.guards}
    writes = [Reference(cell, True) for cell in rtl.stores]
    return [read for read in reads if not read.guards or read.cell not in plain] + writes


def _sources(effect: Effect) -> list[Expr]:
    """Return the expressions that an effect works out: its source or target, and the address that it writes to."""
    if isinstance(effect, Set):
        return [effect.source, effect.target.address] if isinstance(effect.target, Mem) else [effect.source]
    found = (getattr(effect, name, None) for name in ("condition", "target"))
    return [node for node in found if isinstance(node, Expr)]


def _cells(nodes: list[Expr], guards: tuple[Guard, ...]) -> Iterator[tuple[Mem, tuple[Guard, ...]]]:
    """Yield the cells of expressions, those inside addresses first."""
    for node in nodes:
        if not node.memory:
            continue
        if isinstance(node, Mem):
            yield from _cells([node.address], guards)
            yield node, guards
        elif isinstance(node, Op) and node.op == "SEL":
            test = selector(node)
            yield from _cells([test], guards)
            yield from _cells([node.args[1]], (*guards, (test, True)))
            yield from _cells([node.args[2]], (*guards, (test, False)))
        else:
            yield from _cells(list(getattr(node, "args", ())), guards)


@dataclass(frozen=True, slots=True)
class DataSite:
    """A reference to data: `number` is the number of its RTL, `position` its place among the references of that RTL."""

    number: int
    position: int
    reference: Reference


def data_sites(program: Program) -> list[DataSite]:
    """Return the references to data of a program, in the order of their sites."""
    found: list[DataSite] = []
    for name, function in program.functions.items():
        for number, rtl in enumerate(function.rtls(), program.first(name)):
            found += [DataSite(number, position, reference) for position, reference in enumerate(references(rtl))]
    return found


def known_address(program: Program, reference: Reference) -> int | None:
    """Return the address of a reference if it is the same whenever it is made, else None."""
    address = reference.cell.address
    if isinstance(address, Symbol):
        return program.symbols[address.name] + address.offset
    return address.value if isinstance(address, Const) else None
