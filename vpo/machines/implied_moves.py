"""Moves that no instruction of a machine does: by several instructions that need no other register, or over a cell.

    r[1]=r[2];     =>     r[1]=not(r[2]); r[1]=not(r[1]);     or     L[r[14]+.move]=r[2]; r[1]=L[r[14]+.move];

Within a class such a move is a form of an instruction until registers are assigned, so that phases may move values and
registers are coalesced as always; what is left becomes the several instructions.  Between classes it is an expansion only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

from vpo.algebra import unary
from vpo.machines.expansion import Expansion
from vpo.machines.machine import Machine
from vpo.machines.pattern import Alternative
from vpo.rtl import Const, Effect, Mem, Op, Register, Set, Slot
from vpo.text import RegisterVariable

ZERO_FIRST = ("|", "+", "^")  # 0 on the left of these leaves the other operand as it is
CELL = ".move"

Steps = list[tuple[Effect, ...]]
Build = Callable[[Any, Any], Steps]  # of a target and a source


def implied_moves(machine: Machine) -> tuple[list[Alternative], list[Expansion]]:
    """Return the forms and expansions that are missing, the cheapest for each pair of classes."""
    forms: list[Alternative] = []
    expansions: list[Expansion] = []
    results = chain.from_iterable(machine.convention.results.values())
    kept = {*machine.values.classes().values(), *(register.cls for register in results)}
    shared = [name for name, cls in machine.classes.items() if not cls.private and cls.type not in "CG"]
    for target, source in product(shared, shared):
        a, b = (Register(name, -1 - n, machine.classes[name].type, True) for n, name in enumerate((target, source)))
        if a.type != b.type or (target == source and target not in kept) or machine.is_legal((Set(a, b),)):
            continue
        ways = [build for build in _ways(machine, a, b) if all(map(machine.is_legal, build(a, b)))]
        if not ways:
            continue
        build = min(ways, key=lambda way: _cost(machine, way(a, b)))
        dst: Any = RegisterVariable(target, "dst", a.type)
        src: Any = RegisterVariable(source, "src", a.type)
        text = f"{target}[dst]={source}[src];"
        expansions.append(Expansion(_matcher(target, source), build(dst, src), None, text))
        if target == source:
            forms.append(_form(machine, (Set(dst, src),), build(a, b), text))
    return forms, expansions


def _ways(machine: Machine, a: Register, b: Register) -> Iterator[Build]:
    """Yield ways to move one register into another."""
    if a.cls == b.cls and a.type not in "FD":
        yield from (partial(_twice, operator) for operator in ("not", "neg"))
        yield from (partial(_zero_first, operator) for operator in ZERO_FIRST)
    yield partial(_over, Mem(a.type, Op("+", machine.address_type, machine.stack_pointer, Slot(CELL))))


def _twice(operator: str, target: Any, source: Any) -> Steps:
    return [(Set(target, unary(operator, source.type, node)),) for node in (source, target)]


def _zero_first(operator: str, target: Any, source: Any) -> Steps:
    return [(Set(target, Const(0)),), (Set(target, Op(operator, source.type, target, source)),)]


def _over(cell: Mem, target: Any, source: Any) -> Steps:
    return [(Set(cell, source),), (Set(target, cell),)]


def _cost(machine: Machine, steps: Steps) -> tuple[int, int]:
    """Return the cycles and bytes of legal steps."""
    records = [machine.recognize(effects) for effects in steps]
    return sum(record.latency for record in records if record), sum(record.size for record in records if record)


def _form(machine: Machine, effects: tuple[Effect, ...], steps: Steps, text: str) -> Alternative:
    """Return a form that is a move until registers are assigned, named after the first of its steps."""
    matches = [match for step in steps if (match := machine.recognizer.match(step)) is not None]
    latency, size = _cost(machine, steps)
    clobbers = dict.fromkeys(register for match in matches for register in match.alternative.clobbers)
    first = matches[0].alternative
    return Alternative(
        first.name, first.place, effects, False, {}, "", size, latency, 0, tuple(clobbers), None, None,
        order=len(machine.recognizer.alternatives), text=text, pseudo=True,
    )  # fmt: skip


def _matcher(target: str, source: str) -> Callable[[tuple[Effect, ...]], dict[str, Any] | None]:
    """Return what binds the registers of a move between two classes."""

    def match(effects: tuple[Effect, ...]) -> dict[str, Any] | None:
        match effects:
            case (Set(target=Register() as a, source=Register() as b),) if (a.cls, b.cls) == (target, source):
                return {"dst": a, "src": b}
        return None

    return match
