"""Instructions that move a list of registers to or from adjacent cells of memory, such as block saves."""

from __future__ import annotations

from typing import Any

from vpo.addresses import split_address
from vpo.machines.pattern import Alternative
from vpo.machines.target import RegisterClass
from vpo.rtl import BITS, Effect, Mem, Register, Set


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
    """Whether effects move ascending registers to or from ascending adjacent cells, all in one direction."""
    previous_register: tuple[int, int] | None = None
    previous: tuple[Any, int] | None = None
    order = {name: index for index, name in enumerate(classes)}
    to_memory = isinstance(effects[0].target, Mem) if isinstance(effects[0], Set) else False
    kind = effects[0].type
    for effect in effects:
        if not isinstance(effect, Set):
            return False
        cell, moved = (effect.target, effect.source) if to_memory else (effect.source, effect.target)
        if not (isinstance(cell, Mem) and isinstance(moved, Register)) or cell.type != kind:
            return False
        if not moved.pseudo and moved.index >= classes[moved.cls].count:
            return False
        rank = (order[moved.cls], moved.index)
        base, offset = split_address(cell.address)
        if previous is not None:
            if base != previous[0] or offset != previous[1] + BITS[cell.type] // 8:
                return False
            if previous_register is not None and rank <= previous_register:
                return False
        previous, previous_register = (base, offset), rank
    return True
