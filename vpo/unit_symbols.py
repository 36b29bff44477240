"""The symbols that functions and data mention, and how to rename them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from vpo import il
from vpo.algebra import rebuild_effect
from vpo.function import Block, Data, Function, LabelItem
from vpo.rtl import Call, Effect, Expr, Half, Mem, Node, Op, Register, Rtl, Set, Symbol


def symbols_in(node: Node) -> Iterator[str]:
    """Yield the names of the symbols in an effect or expression."""
    if isinstance(node, Symbol):
        yield node.name
    elif isinstance(node, Op):
        for arg in node.args:
            yield from symbols_in(arg)
    elif isinstance(node, Mem):
        yield from symbols_in(node.address)
    elif isinstance(node, Half):
        yield from symbols_in(node.of)
    elif isinstance(node, Set):
        yield from symbols_in(node.target)
        yield from symbols_in(node.source)
    else:
        for part in (getattr(node, "target", None), getattr(node, "condition", None)):
            if isinstance(part, Node) and not isinstance(part, Register):
                yield from symbols_in(part)


def symbols_of_function(function: Function) -> Iterator[str]:
    """Yield the symbols that a function mentions."""
    for rtl in function.rtls():
        for effect in rtl.effects:
            yield from symbols_in(effect)


def symbols_of_data(data: Data) -> Iterator[str]:
    """Yield the symbols that a data object mentions."""
    for item in data.items:
        if isinstance(item, il.AddressItem):
            yield item.symbol
        elif isinstance(item, LabelItem):
            yield item.function


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
            rtls.append(Rtl(effects, rtl.lines, rtl.cause))
        blocks.append(Block(block.label, rtls, block.phis))
    return dataclasses.replace(function, name=names.get(function.name, function.name), blocks=blocks)


def rename_data(data: Data, names: dict[str, str]) -> Data:
    """Return a copy of a data object with some symbols renamed."""
    items: list[il.Item | LabelItem] = []
    for item in data.items:
        if isinstance(item, il.AddressItem):
            item = il.AddressItem(item.offset, names.get(item.symbol, item.symbol), item.addend)
        elif isinstance(item, LabelItem):
            item = LabelItem(item.offset, item.label, names.get(item.function, item.function))
        items.append(item)
    name = names.get(data.name, data.name)
    return Data(name, data.size, data.align, items, data.constant, data.static, data.tentative, data.weak)


def addresses_taken(functions: Iterable[Function], data: Iterable[Data]) -> set[str]:
    """Return the symbols whose addresses are in data or in code other than direct calls."""
    taken = {item.symbol for object_ in data for item in object_.items if isinstance(item, il.AddressItem)}
    effects = {effect for function in functions for rtl in function.rtls() for effect in rtl.effects}
    for effect in effects:
        if not (isinstance(effect, Call) and type(effect.target) is Symbol and effect.target.offset == 0):
            taken.update(symbols_in(effect))
    return taken
