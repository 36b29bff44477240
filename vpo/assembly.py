"""Printing a program or units as assembly text, in the syntax that the description gives.

The `assembler:` section of a description may override any of DIRECTIVES; instructions print by their own templates.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

from vpo import il
from vpo.function import Data, Function, LabelItem
from vpo.machines.machine import Machine
from vpo.pools import literal_pools

DIRECTIVES: dict[str, Any] = {
    "symbol": "$name",  # how a global symbol prints
    "label": ".L$function.$label",  # how a label inside a function prints
    "header": [],
    "text": "\t.text",
    "constant": "\t.section .rodata",
    "data": "\t.data",
    "zero_data": "\t.bss",
    "global": "\t.globl $name",
    "function": "\t.type $name, @function",
    "align": "\t.balign $bytes",
    "byte": "\t.byte $value",
    "half": "\t.2byte $value",
    "word": "\t.4byte $value",
    "quad": "\t.8byte $value",
    "space": "\t.zero $bytes",
    "pool": "",  # behind an instruction: the literals used so far
    "comment": "#",
    "function_align": 4,
}
_SIZES = {1: "byte", 2: "half", 4: "word", 8: "quad"}


class Printer:
    """Prints functions and data for one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.words = {**DIRECTIVES, **machine.options["assembler"]}

    def _directive(self, directive: str, /, **values: object) -> str:
        text = str(self.words[directive])
        for key, value in values.items():
            text = text.replace(f"${key}", str(value))
        return text

    def symbol(self, name: str) -> str:
        """Return how a symbol (with its underscore) prints."""
        return self._directive("symbol", name=name[1:])

    def label(self, function: str, label: str) -> str:
        """Return how a label of a function prints."""
        return self._directive("label", function=function[1:], label=label)

    def function(self, function: Function) -> Iterator[str]:
        """Yield the lines of a function."""
        name = self.symbol(function.name)
        yield self._directive("align", bytes=self.words["function_align"])
        if not function.static:
            yield self._directive("global", name=name)
        yield self._directive("function", name=name)
        yield f"{name}:"
        line = 0
        pools = {pool.last for pool in literal_pools(function, self.machine)}
        for index, block in enumerate(function.blocks):
            yield f"{self.label(function.name, block.label)}:"
            for rtl in block.rtls:
                if rtl.lines[0] != line:
                    line = rtl.lines[0]
                    yield f"{self.words['comment']} {function.file}:{line}"
                text = self.machine.record(rtl).assemble(lambda label: self.label(function.name, label))
                yield "\t" + text.replace("\\n", "\n\t")
            if index in pools:
                yield self._directive("pool")

    def data(self, data: Data, section: str = "") -> Iterator[str]:
        """Yield the lines of a data object, for the section that suits it unless one is named."""
        section = section or ("constant" if data.constant else "data" if data.items else "zero_data")
        name = self.symbol(data.name)
        yield self._directive(section)
        yield self._directive("align", bytes=max(data.align, 1))
        if not data.static:
            yield self._directive("global", name=name)
        yield f"{name}:"
        position = 0
        for item in data.items:
            if item.offset > position:
                yield self._directive("space", bytes=item.offset - position)
            lines, size = self._item(item)
            yield from lines
            position = item.offset + size
        if position < max(data.size, 1):
            yield self._directive("space", bytes=max(data.size, 1) - position)

    def _item(self, item: il.Item | LabelItem) -> tuple[list[str], int]:
        pointer = self.machine.model.sizes["pointer"]
        match item:
            case il.IntItem():
                return [self._number(item.value, item.size)], item.size
            case il.FloatItem():
                bits = int.from_bytes(_float_bits(item.value, item.size), "big")
                return [self._number(bits, item.size)], item.size
            case il.AddressItem():
                text = self.symbol(item.symbol) + (f"{item.addend:+d}" if item.addend else "")
                return [self._directive(_SIZES[pointer], value=text)], pointer
            case LabelItem():
                return [self._directive(_SIZES[pointer], value=self.label(item.function, item.label))], pointer
            case il.BytesItem():
                chunks = [item.data[i : i + 16] for i in range(0, len(item.data), 16)]
                return [self._directive("byte", value=",".join(map(str, chunk))) for chunk in chunks], len(item.data)

    def _number(self, value: int, size: int) -> str:
        return self._directive(_SIZES[size], value=value & ((1 << (8 * size)) - 1))


def _float_bits(value: float, size: int) -> bytes:
    try:
        return struct.pack(">d" if size == 8 else ">f", value)
    except OverflowError:
        return struct.pack(">f", float("inf") if value > 0 else float("-inf"))


def assembly(machine: Machine, functions: Iterable[Function], data: Iterable[Data], section: str = "") -> str:
    """Return the assembly text of functions and data objects, ending in a newline.

    With `section`, all data are put there in the order given, as `vpo.link.place` lays them out.
    """
    printer = Printer(machine)
    lines = [str(line) for line in printer.words["header"]]
    lines.append(str(printer.words["text"]))
    for function in functions:
        lines += printer.function(function)
    for item in data:
        lines += printer.data(item, section)
    return "\n".join(lines) + "\n"
