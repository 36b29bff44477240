"""Spilling to other banks: a register that gets no colour may be kept in a bank that has one free.

    d[t1]=d[t1]+d[t2];       =>       d[t1]=d[t1]+a[t3];

A move between two registers costs an instruction, a cell an instruction and a reference to memory; and where an instruction
takes its operand from either bank, the value costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from vpo.algebra import binary
from vpo.analysis.liveness import bits
from vpo.base.errors import CannotExpress
from vpo.base.kept import kept
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.registers.colouring import Selection
from vpo.opt.registers.interference import Graph
from vpo.rtl import BITS, FLOAT_TYPES, Const, Effect, Mem, Register, Set
from vpo.rtl.function import Function

Group = Sequence[Register]  # the registers that would have shared one


@kept
def _saved(machine: Machine) -> dict[str, bool]:
    """Return of which banks it is known whether functions can save them."""
    return {}


def other_banks(graph: Graph, selection: Selection, groups: Sequence[Group], old: int, small: bool) -> dict[int, str]:
    """Return classes of other banks that have a register left for groups, which are named by their index.

    Only the `old` first pseudo-registers are moved: what spilling has made would move to and fro.  Nor are values that
    are made anew without a reference to memory; nor, for `small` code, those whose moves are longer than loads.
    """
    wanted = {
        index: classes
        for index, group in enumerate(groups)
        if not any(r.index > old or _is_free_of_memory(graph, r) for r in group) and (classes := _classes(graph, group, small))
    }
    if not wanted:
        return {}
    conflicts = _conflicts(graph, {index: graph.numbering.mask(tuple(groups[index])) for index in wanted})
    taken = _occupants(graph, selection)
    found: dict[int, str] = {}
    worth = {
        index: sum(graph.costs[selection.nodes.find(graph.numbering.number(r))] for r in groups[index]) for index in wanted
    }
    for index in sorted(wanted, key=lambda index: -worth[index]):
        number = selection.nodes.find(graph.numbering.number(groups[index][0]))
        for cls in wanted[index]:
            free = [
                colour
                for colour in map(graph.colour_of, graph.machine.allocable_in(cls))
                if graph.registers[colour] not in graph.reserved and not conflicts[index] & taken[colour]
            ]
            prices = [selection.prices.price(number, 1 << colour) for colour in free]
            if free and min(prices) <= worth[index] / 2:  # the moves cost the other half, at most
                colour = free[prices.index(min(prices))]
                taken[colour] |= graph.numbering.mask(tuple(groups[index]))
                selection.prices.used |= (1 << colour) & selection.prices.preserved
                found[index] = cls
                break
    return found


def _is_free_of_memory(graph: Graph, register: Register) -> bool:
    recipe = graph.recipes.get(register)
    return recipe is not None and not isinstance(recipe.value, Mem)


def _classes(graph: Graph, group: Group, small: bool) -> list[str]:
    """Return the classes of other banks that the registers of a group can be moved to and from."""
    machine, first = graph.machine, group[0]
    own = machine.classes[first.cls]
    if own.width > 1 or any((r.cls, r.type) != (first.cls, first.type) for r in group):
        return []
    here = Register(first.cls, 1, first.type, pseudo=True)
    found = []
    for cls in machine.classes.values():
        there = Register(cls.name, 1, cls.type, pseudo=True)
        possible = cls.bank != own.bank and cls.width == 1 and cls.type == first.type and machine.allocable_in(cls.name)
        moves = possible and machine.is_legal((Set(there, here),)) and machine.is_legal((Set(here, there),))
        if moves and _is_saved(machine, cls.bank) and not (small and _is_longer(machine, here, there)):
            found.append(cls.name)
    return found


def _is_longer(machine: Machine, here: Register, there: Register) -> bool:
    """Whether a move to a register takes more bytes than a load of it from the frame."""
    cell = Mem(here.type, binary("+", machine.stack_pointer, Const(2 * BITS[here.type] // 8)))
    move, load = (machine.recognize((Set(here, source),)) for source in (there, cell))
    return move is not None and load is not None and move.size > load.size


def _is_saved(machine: Machine, bank: str) -> bool:
    """Whether functions can save the floating registers of a bank that calls preserve."""
    known = _saved(machine)
    if bank not in known:
        known[bank] = all(
            _can_emit(machine, effect)
            for register in machine.convention.preserved
            if machine.classes[register.cls].bank == bank and register.type in FLOAT_TYPES
            for cell in (Mem(register.type, machine.stack_pointer),)
            for effect in (Set(cell, register), Set(register, cell))
        )
    return known[bank]


def _can_emit(machine: Machine, effect: Effect) -> bool:
    try:
        Legalizer(machine, Function("_")).emit(effect)
    except CannotExpress:
        return False
    return True


def _conflicts(graph: Graph, masks: dict[int, int]) -> dict[int, int]:
    """Return what is live, or changed, where a group is: for all banks, unlike in the graph."""
    conflicts = dict.fromkeys(masks, 0)
    everything = 0
    for mask in masks.values():
        everything |= mask
    for number, accesses in enumerate(graph.liveness.accesses):
        for entry, live in zip(accesses, graph.liveness.backward(number), strict=True):
            if not (live | entry.sets) & everything:
                continue
            together = live | entry.sets | entry.clobbers
            for index, mask in masks.items():
                if (live | entry.sets) & mask:
                    conflicts[index] |= together
    return conflicts


def _occupants(graph: Graph, selection: Selection) -> dict[int, int]:
    """Return by colour the registers that have it, and the hard register itself."""
    taken = {number: 1 << number for number, hard in enumerate(graph.hard) if hard}
    spilled = set(selection.spilled)
    for number, register in enumerate(graph.registers):
        if register.pseudo and selection.nodes.find(number) not in spilled:
            for part in bits(graph.occupied(number, selection.colour_of(number))):
                taken[part] = taken.get(part, 1 << part) | 1 << number
    return taken
