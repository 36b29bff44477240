"""Instructions that move a list of registers to or from adjacent cells of memory, such as block saves, or cells to cells."""

from __future__ import annotations

from itertools import pairwise

from vpo.addresses import is_run
from vpo.machines.pattern import Alternative
from vpo.machines.target import RegisterClass
from vpo.rtl import Effect, Mem, Register, Set


def sequence_registers(effects: tuple[Effect, ...]) -> list[Register]:
    """Return the registers that a block save or restore moves, in order."""
    result = []
    for effect in effects:
        if not isinstance(effect, Set):
            continue
        moved = effect.source if isinstance(effect.target, Mem) else effect.target
        if isinstance(moved, Register):
            result.append(moved)
    return result


def moved_register(alternative: Alternative) -> str | None:
    """Return the variable of the registers that the repeated move of a pattern moves."""
    move = alternative.effects[-1]
    moved = move.source if isinstance(move.target, Mem) else move.target
    return getattr(moved, "name", None)


def is_sequence(effects: tuple[Effect, ...], classes: dict[str, RegisterClass]) -> bool:
    """Whether effects move ascending registers to or from ascending adjacent cells, all one way, or cells to cells."""
    moves = [(e.target, e.source) for e in effects if isinstance(e, Set)]
    copied = [(target, source) for target, source in moves if isinstance(target, Mem) and isinstance(source, Mem)]
    if len(copied) == len(effects):
        return is_run([target for target, _ in copied]) and is_run([source for _, source in copied])
    order = {name: index for index, name in enumerate(classes)}
    to_memory = isinstance(effects[0].target, Mem) if isinstance(effects[0], Set) else False
    cells: list[Mem] = []
    ranks: list[tuple[int, int]] = []
    for effect in effects:
        if not isinstance(effect, Set):
            return False
        cell, moved = (effect.target, effect.source) if to_memory else (effect.source, effect.target)
        if not (isinstance(cell, Mem) and isinstance(moved, Register)):
            return False
        if not moved.pseudo and moved.index >= classes[moved.cls].count:
            return False
        cells.append(cell)
        ranks.append((order[moved.cls], moved.index))
    return is_run(cells) and all(a < b for a, b in pairwise(ranks))
