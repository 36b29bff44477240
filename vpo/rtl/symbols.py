"""The symbols that functions and data mention, and those whose addresses may be anywhere.

A file of its own, since only those ask who look at functions and data as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vpo import il
from vpo.rtl import Call, Const, Half, Mem, Node, Op, Register, Set, Symbol
from vpo.rtl.function import Data, Function, LabelItem, PartItem

GROUP = "_group."  # how names of groups of objects begin


def symbols_in(node: Node) -> Iterator[str]:
    """Yield the names of the symbols in an effect or expression."""
    work: list[Node] = [node]
    while work:
        part = work.pop()
        kind = type(part)
        if kind is Register or kind is Const:
            continue
        if type(part) is Symbol:
            yield part.name
        elif type(part) is Op:
            work += part.args[::-1]
        elif type(part) is Mem:
            work.append(part.address)
        elif type(part) is Half:
            work.append(part.of)
        elif type(part) is Set:
            work += (part.source, part.target)
        else:
            parts = getattr(part, "condition", None), getattr(part, "target", None)
            work += [inner for inner in parts if isinstance(inner, Node)]


def symbols_of_function(function: Function) -> Iterator[str]:
    """Yield the symbols that a function mentions."""
    for rtl in function.rtls():
        for effect in rtl.effects:
            yield from symbols_in(effect)


def symbols_of_data(data: Data) -> Iterator[str]:
    """Yield the symbols that a data object mentions."""
    for item in data.items:
        if isinstance(item, il.AddressItem | PartItem):
            yield item.symbol
        elif isinstance(item, LabelItem):
            yield item.function


def addresses_taken(functions: Iterable[Function], data: Iterable[Data]) -> set[str]:
    """Return the symbols whose addresses are in data or in code other than direct calls."""
    taken = {item.symbol for object_ in data for item in object_.items if isinstance(item, il.AddressItem)}
    effects = {effect for function in functions for rtl in function.rtls() for effect in rtl.effects}
    for effect in effects:
        if not (type(effect) is Call and type(effect.target) is Symbol and effect.target.offset == 0):
            taken.update(symbols_in(effect))
    return taken
