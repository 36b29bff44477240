"""Phases that are wrong on purpose, each in one place of a function: a harness that is worth something finds them out."""

from itertools import pairwise
from typing import Any, TypeVar
from unittest.mock import patch

from vpo.algebra import rebuild_effect
from vpo.opt import jump_threading
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Effect, Mem, Register, Rtl, Set
from vpo.rtl.function import Block

T = TypeVar("T")


def plain(rtl: Rtl) -> bool:
    """Whether an RTL only sets one register."""
    effect = rtl.single_set
    return effect is not None and isinstance(effect.target, Register)


def exchange(state: FunctionState, block: Block, place: int) -> bool:
    """Exchange an RTL with the one behind it."""
    return state.splice(block, place, place + 2, [block.rtls[place + 1], block.rtls[place]])


def in_the_middle(found: list[T]) -> list[T]:
    """Return the one of some places that is in the middle of a function."""
    return found[len(found) // 2 :][:1]


def drops_an_rtl(state):
    """Drop an assignment."""
    found = [(block, place) for block in state.function.blocks for place, rtl in enumerate(block.rtls) if plain(rtl)]
    for block, place in in_the_middle(found):
        state.remove(block, place)


def exchanges_dependent_rtls(state):
    """Exchange two neighbours of which the second reads what the first sets."""
    found = [
        (block, place)
        for block in state.function.blocks
        for place, (first, second) in enumerate(pairwise(block.rtls))
        if plain(first) and plain(second) and first.sets[0] in second.uses
    ]
    for block, place in in_the_middle(found):
        exchange(state, block, place)


def ignores_clobbers(state):
    """Move an RTL, which may clobber the condition code, between a comparison and the branch on its outcome."""
    for block in state.function.blocks:
        place = len(block.rtls) - 3
        if place < 0 or [r.type for r in block.rtls[-2].sets] != ["C"]:
            continue
        before, compare = block.rtls[place : place + 2]
        if plain(before) and before.sets[0] not in compare.uses:
            exchange(state, block, place)


def forwards_across_stores(state):
    """Read a register instead of the cell that it was stored to, whatever other cells were stored to in between."""
    for block in state.function.blocks:
        stored: dict[Mem, Register] = {}
        for rtl in block.rtls:
            effect = rtl.single_set
            if plain(rtl) and effect.source in stored:
                state.replace(block, rtl, (Set(effect.target, stored[effect.source]),))
            changed = set(rtl.sets)
            stored = {cell: r for cell, r in stored.items() if r not in changed and changed.isdisjoint(cell.uses)}
            if effect is not None and type(effect.target) is Mem and type(effect.source) is Register:
                stored[effect.target] = effect.source


def is_off_by_one(state):
    """Make a constant larger by one."""
    rtls = [(block, rtl) for block in state.function.blocks for rtl in block.rtls if plain(rtl)]
    for block, rtl in in_the_middle([(block, rtl) for block, rtl in rtls if larger(rtl) != rtl.effects]):
        state.replace(block, rtl, larger(rtl))


def forgets_to_restore(state):
    """Return without a register that the caller relies on."""
    kept = state.machine.convention.saved
    for block in state.function.blocks:
        for place, rtl in reversed(list(enumerate(block.rtls))):
            if rtl.cause == "save" and plain(rtl) and rtl.sets[0] in kept:
                state.remove(block, place)
                return


def keeps_what_calls_change(state):
    """Have a value in a register that calls change, in place of one that they keep."""
    machine = state.machine
    used = {register for rtl in state.function.rtls() for register in (*rtl.uses, *rtl.sets)}
    kept = next((r for r in machine.convention.saved if r in used), None)
    lost = next(r for r in machine.allocable["r"] if r in machine.convention.scratch and r not in used)
    for block in state.function.blocks:
        for rtl in list(block.rtls):
            effects = tuple(rebuild_effect(e, lambda n: lost if n is kept else None, True) for e in rtl.effects)
            if kept is not None and rtl.cause != "save" and effects != rtl.effects:
                state.replace(block, rtl, effects)


def larger(rtl: Rtl) -> tuple[Effect, ...]:
    """Return the effects of an RTL with larger constants."""
    return tuple(rebuild_effect(e, lambda n: Const(n.value + 1) if type(n) is Const else None) for e in rtl.effects)


def forgets_what_is_far(state):
    """Thread jumps by the last RTLs of each block only, so that what older blocks tell survives what long ones set."""
    all_known = jump_threading._known_behind

    def known_behind(blocks: list[Block], *others: Any) -> jump_threading.Known:
        return all_known([Block(block.label, block.rtls[-12:]) for block in blocks], *others)

    with patch.object(jump_threading, "_known_behind", known_behind):
        jump_threading.thread_jumps(state)


WRONG = (
    drops_an_rtl, exchanges_dependent_rtls, ignores_clobbers, forwards_across_stores, is_off_by_one, forgets_what_is_far,
)  # fmt: skip
