"""Printing a program or units as assembly text, in the syntax that the description gives.

The `assembler:` section of a description gives the syntax; instructions print by their own templates.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from vpo import il
from vpo.analysis.pools import Pool, literal_pools, literals_of
from vpo.machines.machine import Machine
from vpo.rtl import Const, Half, Symbol
from vpo.rtl.function import Data, Function, Item, LabelItem, PartItem
from vpo.rtl.symbols import symbols_of_function

_ENDS = str.maketrans({"\n": "\\n", "\r": "\\r"})  # ends of lines, which the name of a file may have


def _fill(template: str, /, **values: object) -> str:
    for key, value in values.items():
        template = template.replace(f"${key}", str(value))
    return template


class Printer:
    """Prints functions and data for one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.syntax = syntax = machine.syntax
        self.sections = {"constant": syntax.constant, "data": syntax.data, "zero_data": syntax.zero_data}
        self.cells = {1: syntax.byte, 2: syntax.half, 4: syntax.word, 8: syntax.quad}

    def symbol(self, name: str) -> str:
        """Return how a symbol (with its underscore) prints."""
        return _fill(self.syntax.symbol, name=name[1:])

    def label(self, function: str, label: str) -> str:
        """Return how a label of a function prints."""
        return _fill(self.syntax.label, function=function[1:], label=label)

    def function(self, function: Function) -> Iterator[str]:
        """Yield the lines of a function."""
        name, pools = self.symbol(function.name), literal_pools(function, self.machine)
        labels = self._literals(function, pools)
        yield _fill(self.syntax.align, bytes=self.syntax.function_align)
        if any(pool.before for pool in pools):
            yield from self._pool(labels[0])
            yield _fill(self.syntax.align, bytes=self.syntax.function_align)
        if not function.static:
            yield _fill(self.syntax.global_, name=name)
        yield _fill(self.syntax.function, name=name)
        yield f"{name}:"
        line = 0
        ends = {pool.last for pool in pools if not pool.before}
        for index, block in enumerate(function.blocks):
            yield f"{self.label(function.name, block.label)}:"
            for rtl in block.rtls:
                if rtl.lines[0] != line:
                    line = rtl.lines[0]
                    yield f"{self.syntax.comment} {function.file.translate(_ENDS)}:{line}"
                read = literals_of(rtl) if labels[index] else []
                where = labels[index][read[0]] if read else ""
                text = self.machine.record(rtl).assemble(lambda label: self.label(function.name, label), where)
                yield "\t" + text.replace("\\n", "\n\t")
            if index in ends and self.syntax.literal:
                yield _fill(self.syntax.align, bytes=self.machine.literal_alignment)
                yield from self._pool(labels[index])
            elif index in ends:
                yield _fill(self.syntax.pool, bytes=self.machine.literal_alignment)

    def _pool(self, labels: Mapping[Half, str]) -> Iterator[str]:
        """Yield the lines of a literal pool."""
        for literal, label in labels.items():
            yield f"{label}:"
            yield self._literal(literal)

    def _literals(self, function: Function, pools: Iterable[Pool]) -> list[dict[Half, str]]:
        """Return the labels of the literals that the blocks of a function read, if the description has labels for them."""
        labels: list[dict[Half, str]] = [{}] * len(function.blocks)
        numbers = count(1)
        for pool in pools if self.syntax.literal else ():
            texts = (_fill(self.syntax.literal, function=function.name[1:], number=next(numbers)) for _ in pool.literals)
            labels[pool.first : pool.last + 1] = [dict(zip(pool.literals, texts, strict=True))] * (pool.last + 1 - pool.first)
        return labels

    def _literal(self, literal: Half) -> str:
        """Return the line of a word in a literal pool."""
        of, size = literal.of, self.machine.literal_size
        if isinstance(of, Symbol):
            return _fill(self.cells[size], value=self._address(of.name, of.offset))
        return self._number(of.value if isinstance(of, Const) else 0, size)

    def _address(self, symbol: str, offset: int) -> str:
        return self.symbol(symbol) + (f"{offset:+d}" if offset else "")

    def data(self, data: Data, section: str = "") -> Iterator[str]:
        """Yield the lines of a data object, for the section that suits it, or the one named, unless a memory has it."""
        space = self.machine.layout.space_of(data.section)
        yield self.sections[section or _section(data)] if space is None else f'\t.section .{space.name},"aw"'
        yield _fill(self.syntax.align, bytes=max(data.align, self.machine.model.object_align))
        yield from self._object(data)

    def group(self, group: Data, objects: Mapping[str, Data], section: str = "") -> Iterator[str]:
        """Yield the lines of a group of objects, which lie at its places."""
        parts = [objects[part.symbol] for part in group.parts]
        section = section or next((found for each in parts if (found := _section(each)) != "zero_data"), "zero_data")
        yield self.sections[section]
        yield _fill(self.syntax.align, bytes=max(group.align, self.machine.model.object_align))
        yield f"{self.symbol(group.name)}:"
        position = 0
        for place, part in zip(group.parts, parts, strict=True):
            if place.offset > position:
                yield _fill(self.syntax.space, bytes=place.offset - position)
            yield from self._object(part)
            position = place.offset + max(part.size, 1)
        if position < group.size:
            yield _fill(self.syntax.space, bytes=group.size - position)

    def _object(self, data: Data) -> Iterator[str]:
        """Yield the lines of an object at the place where the assembler is."""
        name = self.symbol(data.name)
        if not data.static:
            yield _fill(self.syntax.global_, name=name)
        yield f"{name}:"
        position = 0
        for item in data.items:
            if item.offset > position:
                yield _fill(self.syntax.space, bytes=item.offset - position)
            lines, size = self._item(item)
            yield from lines
            position = item.offset + size
        if position < max(data.size, 1):
            yield _fill(self.syntax.space, bytes=max(data.size, 1) - position)

    def _item(self, item: Item) -> tuple[list[str], int]:
        pointer = self.machine.model.sizes["pointer"]
        match item:
            case il.IntItem():
                return self._integer(item.value, item.size), item.size
            case il.FloatItem():
                bits = int.from_bytes(_float_bits(item.value, item.size), "big")
                return [self._number(bits, item.size)], item.size
            case il.AddressItem():
                return [_fill(self.cells[pointer], value=self._address(item.symbol, item.addend))], pointer
            case LabelItem():
                return [_fill(self.cells[pointer], value=self.label(item.function, item.label))], pointer
            case il.BytesItem():
                chunks = [item.data[i : i + 16] for i in range(0, len(item.data), 16)]
                return [_fill(self.syntax.byte, value=",".join(map(str, chunk))) for chunk in chunks], len(item.data)
            case PartItem():
                return [], 0  # `group` has the object

    def _integer(self, value: int, size: int) -> list[str]:
        """Return the lines of an integer, which may be of two machine words."""
        if size in self.cells:
            return [self._number(value, size)]
        half = size // 2
        low, high = self._integer(value, half), self._integer(value >> 8 * half, half)
        return high + low if self.machine.big_endian else low + high

    def _number(self, value: int, size: int) -> str:
        return _fill(self.cells[size], value=value & ((1 << (8 * size)) - 1))


def _section(data: Data) -> str:
    return "constant" if data.constant else "data" if data.items else "zero_data"


def _float_bits(value: float, size: int) -> bytes:
    try:
        return struct.pack(">d" if size == 8 else ">f", value)
    except OverflowError:
        return struct.pack(">f", float("inf") if value > 0 else float("-inf"))


def assembly(machine: Machine, functions: Iterable[Function], data: Iterable[Data], section: str = "") -> str:
    """Return the assembly text of functions and data objects, ending in a newline.

    With `section`, all data are put there in the order given, as `vpo.link.layout.place` lays them out.
    """
    printer, functions = Printer(machine), list(functions)
    lines = [*printer.syntax.header, printer.syntax.text]
    for function in functions:
        lines += printer.function(function)
    objects = _wanted(functions, data)
    inside = {part.symbol for item in objects.values() for part in item.parts}
    for item in objects.values():
        if item.name not in inside:
            lines += printer.group(item, objects, section) if item.parts else printer.data(item, section)
    return "\n".join(lines) + "\n"


def _wanted(functions: Iterable[Function], data: Iterable[Data]) -> dict[str, Data]:
    """Return objects by their names, without groups that no function mentions."""
    objects = {item.name: item for item in data}
    groups = [name for name, item in objects.items() if item.parts]
    if groups:
        mentioned = {name for function in functions for name in symbols_of_function(function)}
        for name in groups:
            if name not in mentioned:
                del objects[name]
    return objects
