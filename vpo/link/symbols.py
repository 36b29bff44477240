"""Symbols of units: how they are renamed, wrapped, shared, and run by the start-up code."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vpo import il
from vpo.algebra import rebuild_effect
from vpo.il.routine_names import ENVIRONMENT
from vpo.rtl import Effect, Expr, Rtl, Symbol
from vpo.rtl.function import Block, Data, Function, Item, LabelItem, PartItem, Unit
from vpo.rtl.symbols import addresses_taken

# ----------------------------------------------------------------------------------------------------------------------
# Symbols get other names.


def rename_function(function: Function, names: dict[str, str]) -> Function:
    """Return a copy of a function with some symbols renamed."""

    def replace(node: Expr) -> Expr | None:
        if isinstance(node, Symbol) and node.name in names:
            return Symbol(names[node.name], node.offset)
        return None

    blocks = []
    for block in function.blocks:
        rtls = []
        for rtl in block.rtls:
            effects: tuple[Effect, ...] = tuple(rebuild_effect(e, replace) for e in rtl.effects)
            rtls.append(Rtl(effects, rtl.lines, rtl.cause, rtl.form))
        blocks.append(Block(block.label, rtls, block.phis))
    return dataclasses.replace(function, name=names.get(function.name, function.name), blocks=blocks)


def rename_data(data: Data, names: dict[str, str]) -> Data:
    """Return a copy of a data object with some symbols renamed."""
    items: list[Item] = []
    for item in data.items:
        if isinstance(item, il.AddressItem):
            item = il.AddressItem(item.offset, names.get(item.symbol, item.symbol), item.addend)
        elif isinstance(item, LabelItem):
            item = LabelItem(item.offset, item.label, names.get(item.function, item.function))
        elif isinstance(item, PartItem):
            item = PartItem(item.offset, names.get(item.symbol, item.symbol))
        items.append(item)
    name = names.get(data.name, data.name)
    flags = data.constant, data.static, data.tentative, data.weak
    return Data(name, data.size, data.align, items, *flags, data.section, data.place)


# ----------------------------------------------------------------------------------------------------------------------
# One address for each of C's inline functions, which every file may define for itself (C11, 6.7.4).


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


# ----------------------------------------------------------------------------------------------------------------------
# Functions and objects that a program puts in place of others when it is linked: `--wrap=NAME`, as GNU ld has it.


def wrap(unit: Unit, names: Sequence[str]) -> Unit:
    """Return a unit in which `__wrap_NAME` stands for each of some names that it does not define, `__real_NAME` for NAME.

    Names are those of C; the unit itself is not changed.
    """
    defined = {function.name for function in unit.functions} | {data.name for data in unit.data}
    renamed = {f"_{name}": f"___wrap_{name}" for name in names} | {f"___real_{name}": f"_{name}" for name in names}
    renamed = {old: new for old, new in renamed.items() if old not in defined}
    if not renamed:
        return unit
    functions = [rename_function(function, renamed) for function in unit.functions]
    return dataclasses.replace(unit, functions=functions, data=[rename_data(data, renamed) for data in unit.data])


# ----------------------------------------------------------------------------------------------------------------------
# Functions that run before main, or when the program ends: units name them by objects, the linker makes tables of these.
#
# Where there are any, the start-up code calls a function of the library in main's place, which calls them and main.


KINDS = ("constructor", "destructor")
DEFAULT_PRIORITY = 65535
MAIN, IN_PLACE_OF_MAIN = "_main", "___start_main"
ASKING = (ENVIRONMENT, "___arguments")  # of programs that mention one the start-up code calls the same function


def object_name(kind: str, priority: int, function: str, unit: int) -> str:
    """Return the name, in the intermediate language, of the object that names a function of a unit with that number."""
    return f"{kind}.{priority:05}.{unit:08x}.{function}"


def tables(data: Iterable[Data], size: int) -> list[Data]:
    """Return the tables of functions, null pointers at their ends.

    Constructors run in the order of priorities, then of the program's files; destructors in the opposite order.
    """
    objects = list(data)
    found: list[Data] = []
    for kind in KINDS:
        named = [item for item in objects if item.name.startswith(f"_{kind}.")]
        named.sort(key=lambda item: item.name[: len(kind) + 7])
        items = [item for one in (named if kind == "constructor" else reversed(named)) for item in one.items]
        symbols = [item.symbol for item in items if isinstance(item, il.AddressItem)]
        entries = [il.AddressItem(size * position, symbol, 0) for position, symbol in enumerate(symbols)]
        found.append(Data(f"___{kind}s", size * (len(entries) + 1), size, list(entries), constant=True))
    return found
