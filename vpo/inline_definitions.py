"""One address for each of C's inline functions, which every file may define for itself (C11, 6.7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vpo.function import Unit
from vpo.unit_symbols import addresses_taken, rename_data, rename_function


def share_definitions(units: Sequence[Unit]) -> list[Unit]:
    """Let files that take the address of an inline function use one definition, so that it has one address.

    This is the external definition if a unit has it, else that of the first of these files.  Files that only call the
    function keep their own: it may have been changed for its callers.
    """
    taken = [_inline_addresses(unit) for unit in units]
    if not any(taken):
        return list(units)
    external = {function.name for unit in units for function in unit.functions if not function.static}
    shared: set[str] = set()
    found = []
    for unit, names in zip(units, taken, strict=True):
        dropped = names & (external | shared)
        found.append(_with_names(unit, dropped, {name: f"{name}.inline" for name in names - external}))
        shared |= names - external
    return found


def _inline_addresses(unit: Unit) -> set[str]:
    inline = {function.name for function in unit.functions if function.inline}
    return inline & addresses_taken(unit.functions, unit.data) if inline else inline


def _with_names(unit: Unit, dropped: set[str], names: dict[str, str]) -> Unit:
    """Return a unit without some functions, others renamed; the new names are known to other units."""
    if not dropped and not names:
        return unit
    kept = (function for function in unit.functions if function.name not in dropped)
    functions = [rename_function(function, names) for function in kept]
    for function in functions:
        if function.name in names.values():
            function.static = function.inline = False
    return replace(unit, functions=functions, data=[rename_data(data, names) for data in unit.data])
