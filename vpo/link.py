"""Linking: from units to a program at its target addresses.  What the entry does not reach is left out."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from vpo import il
from vpo.algebra import rebuild_effect
from vpo.constructors import ASKING, IN_PLACE_OF_MAIN, MAIN, tables
from vpo.expand.cannot_express import CannotExpress
from vpo.function import Block, Data, Function, LabelItem, Unit
from vpo.machines.machine import Machine
from vpo.opt.span import measure, resolve_spans
from vpo.opt.state import FunctionState
from vpo.pools import literal_pools
from vpo.program import Program
from vpo.rtl import BITS, Const, Effect, Expr, Half, Mem, Node, Op, Register, Rtl, Set, Symbol
from vpo.startup import ENTRY, start_function


class LinkError(Exception):
    """Undefined or doubly defined symbols: one message each in `messages`."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


def link(
    units: list[Unit],
    machine: Machine,
    library: Callable[[str], Unit | None] | None = None,
    elsewhere: frozenset[str] = frozenset(),
) -> Program:
    """Link units, taking from `library` the units that define what is missing.

    `library(symbol)` returns the unit that defines a symbol (with its underscore), or None.  Symbols that are defined
    `elsewhere`, in object files that the machine's own linker will add, get the address 0.  Raises LinkError.
    """
    try:
        start = start_function(machine)
    except CannotExpress as failure:
        raise LinkError([f"{machine.name} cannot do this: it has no {failure.what}"]) from None
    linker = _Linker(machine, library, elsewhere)
    linker.add(Unit(machine.name, [start]))
    for unit in units:
        linker.add(unit)
    program = linker.finish()
    place(program)
    return program


class _Linker:
    """Collects units and finds what is reachable."""

    def __init__(
        self, machine: Machine, library: Callable[[str], Unit | None] | None, elsewhere: frozenset[str] = frozenset()
    ) -> None:
        self.machine = machine
        self.library = library
        self.elsewhere = elsewhere
        self.functions: dict[str, Function] = {}
        self.data: dict[str, Data] = {}
        self.files: dict[str, str] = {}  # of data
        self.errors: list[str] = []
        self.count = 0
        self.weak: dict[str, Data] = {}
        self.seen: set[Unit] = set()
        self.units: dict[str, int] = {}  # of functions and data: the number of the unit that they are from
        self.statics: set[str] = set()  # names that mean something in their unit only
        self.reached: dict[str, None] = {}
        self.waiting: list[str] = []  # what is reached, too, and was not yet looked at

    def add(self, unit: Unit) -> None:
        """Add a unit, renaming its static symbols where another unit has the same."""
        if unit in self.seen:
            return
        self.seen.add(unit)
        self.count += 1
        items: list[Function | Data] = [*unit.functions, *unit.data]
        renames = {
            item.name: f"{item.name}.u{self.count}"
            for item in items
            if item.static and (item.name in self.functions or item.name in self.data)
        }
        for item in items:
            name = renames.get(item.name, item.name)
            if name in self.statics:
                self._move_aside(name)
            if item.static:
                self.statics.add(name)
        for function in unit.functions:
            self._define(rename_function(function, renames) if renames else function)
        for data in unit.data:
            self._define_data(rename_data(data, renames) if renames else data, unit.file)

    def _move_aside(self, name: str) -> None:
        """Rename something static, since another unit means something else by its name."""
        number = self.units.pop(name)
        renames = {name: f"{name}.u{number}"}
        new = renames[name]
        self.statics.remove(name)
        self.statics.add(new)
        own = {name} | {other for other, unit in self.units.items() if unit == number}
        self.units[new] = number
        self.functions = {
            renames.get(n, n): rename_function(f, renames) if n in own else f for n, f in self.functions.items()
        }
        self.data = {renames.get(n, n): rename_data(d, renames) if n in own else d for n, d in self.data.items()}
        if name in self.files:
            self.files[new] = self.files.pop(name)
        self.reached = {renames.get(n, n): None for n in self.reached}
        self.waiting = [renames.get(n, n) for n in self.waiting]

    def _define(self, function: Function) -> None:
        if function.name in self.functions:
            other = self.functions[function.name]
            self.errors.append(
                f"{function.file}:{function.line}: error: '{function.name[1:]}' is defined twice "
                f"(also at {other.file}:{other.line})"
            )
        self.functions[function.name] = function
        self.units[function.name] = self.count

    def _define_data(self, data: Data, file: str) -> None:
        if data.weak:
            if data.name not in self.weak or not self.weak[data.name].items:
                self.weak[data.name] = data
            return
        other = self.data.get(data.name)
        if other is not None and not (other.tentative or data.tentative):
            self.errors.append(f"{file}: error: '{data.name[1:]}' is defined twice (also in {self.files[data.name]})")
        if other is None or other.tentative:
            if other is not None and data.tentative and other.size > data.size:
                return
            self.data[data.name] = data
            self.files[data.name] = file
            self.units[data.name] = self.count

    def finish(self) -> Program:
        """Return everything that the entry reaches, in a stable order."""
        self._add_constructors()
        others: dict[str, str] = {}  # what weak names stand for
        self.waiting = ["_" + ENTRY]
        while self.waiting:
            name = self.waiting.pop()
            if name in self.reached or name in self.elsewhere:
                continue
            defined = name in self.functions or name in self.data
            if not defined and name in self.weak:
                self.reached[name] = None
                targets = list(symbols_of_data(self.weak[name]))
                others.update((name, target) for target in targets)
                self.waiting += targets
                continue
            if not defined and not self._from_library(name):
                self.errors.append(self._undefined(name, self.reached))
                self.reached[name] = None
                continue
            self.reached[name] = None
            if name in ASKING:
                self.waiting += self._start_with_more()
            found = self.functions.get(name)
            symbols = set(symbols_of_function(found) if found is not None else symbols_of_data(self.data[name]))
            unit = self.units.get(name)  # the linker's own tables have none: they mean what is static
            for symbol in sorted(symbols & self.statics) if unit is not None else ():
                if self.units[symbol] != unit:
                    self._move_aside(symbol)
            self.waiting += [s for s in sorted(symbols, reverse=True) if s not in self.reached]
        reached = self.reached
        if self.errors:
            raise LinkError(self.errors)
        functions = {n: self.functions[n] for n in self.functions if n in reached}
        data = [d for n, d in self.data.items() if n in reached]
        if others:
            functions = {n: rename_function(function, others) for n, function in functions.items()}
            data = [rename_data(d, others) for d in data]
        absent = [n for n in self.weak if n in reached and n not in others and n not in functions and n not in self.data]
        return Program(self.machine, functions, data, dict.fromkeys([*self.elsewhere, *absent], 0), entry="_" + ENTRY)

    def _add_constructors(self) -> None:
        """Let the start-up code call what runs before main, if anything does."""
        for table in tables(self.data.values(), self.machine.model.sizes["pointer"]):
            if table.name not in self.data:  # else the program was linked before
                self.data[table.name], self.files[table.name] = table, ""
            if self.data[table.name].items:
                self._start_with_more()

    def _start_with_more(self) -> list[str]:
        """Let the start-up code call what prepares more than the stack, and calls main; returns its name."""
        self.functions["_" + ENTRY] = rename_function(self.functions["_" + ENTRY], {MAIN: IN_PLACE_OF_MAIN})
        return [IN_PLACE_OF_MAIN]

    def _from_library(self, name: str) -> bool:
        unit = self.library(name) if self.library is not None else None
        if unit is None:
            return False
        self.add(unit)
        return name in self.functions or name in self.data

    def _undefined(self, name: str, reached: dict[str, None]) -> str:
        what = f"error: undefined reference to '{name[1:]}'"
        for function in self.functions.values():
            if function.name in reached:
                for rtl in function.rtls():
                    if any(name in symbols_in(effect) for effect in rtl.effects):
                        return f"{function.file}:{rtl.lines[0]}: {what}" if function.file else f"{what} in the start-up code"
        for data in self.data.values():
            if data.name in reached and name in symbols_of_data(data):
                return f"{self.files[data.name]}: {what} in the initial value of '{data.name[1:]}'"
        return what


# --------------------------------------------------------------------------------------------------- symbols


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
    return Function(
        names.get(function.name, function.name), function.file, function.line, function.static, function.stage, blocks,
        function.slots, function.frame, function.outgoing, function.pseudos, function.labels,
    )  # fmt: skip


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


# ------------------------------------------------------------------------------------------------- addresses


def place(program: Program) -> None:
    """Give every function, block, RTL and data object its address, and build the memory image.

    Raises LinkError if there is no room.
    """
    machine = program.machine
    address = machine.layout.text
    alignment = machine.syntax.function_align
    for name, function in program.functions.items():
        if function.stage == "final":
            _resolve_spans(function, machine)
        address = -(-address // alignment) * alignment
        labels, offsets = measure(function, machine)
        program.symbols[name] = address
        program.addresses[name] = [address + offset for offset in offsets]
        for label, offset in labels.items():
            program.labels[name, label] = address + offset
        address = program.addresses[name][-1]
        _place_literals(program, name, function)
    page = machine.layout.page
    address = -(-address // page) * page
    program.data_start = address
    for data in program.data:
        align = max(data.align, 1)
        address = -(-address // align) * align
        program.symbols[data.name] = address
        address += max(data.size, 1)
    program.end = -(-address // page) * page  # as an operating system starts the heap
    stack = machine.layout.stack_top - machine.layout.stack_size
    limit = min(machine.layout.heap_limit, stack) if stack > machine.layout.text else machine.layout.heap_limit
    if program.end > limit:
        space = f"{limit - machine.layout.text:,} bytes that {machine.name} has for them"
        raise LinkError([f"error: text and data take {program.end - machine.layout.text:,} bytes, more than the {space}"])
    program.image = [(program.symbols[data.name], image(data, program)) for data in program.data]
    for literals in program.literals.values():
        program.image += [_literal_image(literal, address, program) for literal, address in literals.items()]


def _resolve_spans(function: Function, machine: Machine) -> None:
    try:
        resolve_spans(FunctionState(function, machine))
    except CannotExpress as failure:
        message = f"{function.file}:{failure.line}: error: {machine.name} cannot do this: it has no {failure.what}"
        raise LinkError([message]) from None


def _place_literals(program: Program, name: str, function: Function) -> None:
    """Give the literals of a function addresses (of those in several pools, the first)."""
    starts = function.block_starts()
    word = BITS[program.machine.address_type] // 8
    literals: dict[Half, int] = {}
    for pool in literal_pools(function, program.machine):
        start = program.addresses[name][starts[pool.last] + len(function.blocks[pool.last].rtls)] - len(pool.literals) * word
        for number, literal in enumerate(pool.literals):
            literals.setdefault(literal, start + number * word)
    if literals:
        program.literals[name] = literals


def _literal_image(literal: Half, address: int, program: Program) -> tuple[int, bytes]:
    """Return the word at the address of a literal."""
    of = literal.of
    value = program.symbols[of.name] + of.offset if isinstance(of, Symbol) else of.value if isinstance(of, Const) else 0
    bits = BITS[program.machine.address_type]
    return address, (value & ((1 << bits) - 1)).to_bytes(bits // 8, "big" if program.machine.big_endian else "little")


def image(data: Data, program: Program) -> bytes:
    """Return the initial bytes of a data object."""
    order = "big" if program.machine.big_endian else "little"
    prefix = ">" if program.machine.big_endian else "<"
    size = program.machine.model.sizes["pointer"]
    result = bytearray(max(data.size, 1))
    for item in data.items:
        match item:
            case il.IntItem():
                raw = (item.value & ((1 << (8 * item.size)) - 1)).to_bytes(item.size, order)  # type: ignore[arg-type]
            case il.FloatItem():
                raw = float_bytes(item.value, item.size, prefix)
            case il.AddressItem():
                value = (program.symbols[item.symbol] + item.addend) & ((1 << (8 * size)) - 1)
                raw = value.to_bytes(size, order)  # type: ignore[arg-type]
            case LabelItem():
                raw = program.labels[item.function, item.label].to_bytes(size, order)  # type: ignore[arg-type]
            case il.BytesItem():
                raw = item.data
        result[item.offset : item.offset + len(raw)] = raw
    return bytes(result)


def float_bytes(value: float, size: int, prefix: str) -> bytes:
    """Return the IEEE encoding of a number; too large a single is infinite."""
    if size == 8:
        return struct.pack(prefix + "d", value)
    try:
        return struct.pack(prefix + "f", value)
    except OverflowError:
        return struct.pack(prefix + "f", float("inf") if value > 0 else float("-inf"))
