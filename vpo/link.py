"""Linking: from units to a program at its target addresses.  What the entry does not reach is left out."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from vpo import il
from vpo.constructors import ASKING, IN_PLACE_OF_MAIN, MAIN, tables
from vpo.dispatchers import is_dispatcher
from vpo.expand.cannot_express import CannotExpress
from vpo.far_calls import far_calls, with_calls_by_register
from vpo.function import Data, Function, LabelItem, Unit
from vpo.machines.machine import Machine
from vpo.opt.span import measure, resolve_spans
from vpo.opt.state import FunctionState
from vpo.pools import literal_pools
from vpo.program import Program
from vpo.rtl import BITS, Const, Half, Symbol
from vpo.startup import ENTRY, start_function
from vpo.unit_symbols import (
    addresses_taken,
    rename_data,
    rename_function,
    symbols_in,
    symbols_of_data,
    symbols_of_function,
)

Library = Callable[[str], Unit | None]
Dispatchers = Callable[[Sequence[str], Sequence[str]], list[Function]]


class LinkError(Exception):
    """Undefined or doubly defined symbols: one message each in `messages`."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


def link(
    units: list[Unit],
    machine: Machine,
    library: Library | None = None,
    elsewhere: frozenset[str] = frozenset(),
    dispatchers: Dispatchers | None = None,
) -> Program:
    """Link units, taking from `library` the units that define what is missing.

    `library(symbol)` returns the unit that defines a symbol (with its underscore), or None.  Symbols that are defined
    `elsewhere`, in object files that the machine's own linker will add, get the address 0.  `dispatchers(names, functions)`
    returns the functions of these names that call through pointers (`vpo.dispatchers`), which may point to the functions
    given, in ascending order of their addresses.  Raises LinkError.
    """
    try:
        start = start_function(machine)
    except CannotExpress as failure:
        raise LinkError([f"{machine.name} cannot do this: it has no {failure.what}"]) from None
    linker = _Linker(machine, library, elsewhere, dispatchers)
    linker.add(Unit(machine.name, [start]))
    for unit in units:
        linker.add(unit)
    program = linker.finish()
    place(program)
    return program


class _Linker:
    """Collects units and finds what is reachable."""

    def __init__(
        self,
        machine: Machine,
        library: Library | None,
        elsewhere: frozenset[str] = frozenset(),
        dispatchers: Dispatchers | None = None,
    ) -> None:
        self.machine = machine
        self.library, self.dispatchers = library, dispatchers
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
        self.others: dict[str, str] = {}  # what weak names stand for
        self.dispatching: list[str] = []  # functions that are made once all that pointers may point to is known

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
        self.waiting = ["_" + ENTRY]
        self._reach()
        self._dispatch()
        reached, others = self.reached, self.others
        if self.errors:
            raise LinkError(self.errors)
        functions = {n: self.functions[n] for n in self.functions if n in reached}
        data = [d for n, d in self.data.items() if n in reached]
        if others:
            functions = {n: rename_function(function, others) for n, function in functions.items()}
            data = [rename_data(d, others) for d in data]
        absent = [n for n in self.weak if n in reached and n not in others and n not in functions and n not in self.data]
        return Program(self.machine, functions, data, dict.fromkeys([*self.elsewhere, *absent], 0), entry="_" + ENTRY)

    def _reach(self) -> None:
        """Find everything that what is waiting reaches."""
        while self.waiting:
            name = self.waiting.pop()
            if name in self.reached or name in self.elsewhere:
                continue
            defined = name in self.functions or name in self.data
            if not defined and name in self.weak:
                self.reached[name] = None
                targets = list(symbols_of_data(self.weak[name]))
                self.others.update((name, target) for target in targets)
                self.waiting += targets
                continue
            if not defined and self.dispatchers is not None and is_dispatcher(name):
                self.reached[name] = None
                self.dispatching.append(name)
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

    def _dispatch(self) -> None:
        """Make the functions that call through pointers; what they need of the library may be pointed to as well."""
        made: tuple[list[str], list[str]] | None = None
        while self.dispatching and not self.errors and made != (wanted := (list(self.dispatching), self._pointed_to())):
            assert self.dispatchers is not None
            made = wanted
            for function in self.dispatchers(*made):
                self.functions[function.name] = function
                self.waiting += symbols_of_function(function)
            self._reach()

    def _pointed_to(self) -> list[str]:
        """Return the functions that pointers may point to, in ascending order of their addresses."""
        code = [self.functions[name] for name in self.functions if name in self.reached and name not in self.dispatching]
        taken = addresses_taken(code, [data for name, data in self.data.items() if name in self.reached])
        taken = {self.others.get(name, name) for name in taken}
        return [function.name for function in code if function.name in taken]

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


# ------------------------------------------------------------------------------------------------- addresses


def place(program: Program) -> None:
    """Give every function, block, RTL and data object its address, and build the memory image.

    Calls that do not reach become calls by registers.  Raises LinkError if there is no room, or no way for a call or a branch
    to reach.
    """
    machine = program.machine
    address = _place_functions(program)
    while far := far_calls(program):
        for name, calls in far.items():
            program.functions[name] = _reaching(program.functions[name], machine, calls)
        address = _place_functions(program)
    for name, function in program.functions.items():
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


def _place_functions(program: Program) -> int:
    """Give every function, block and RTL its address; returns the first address behind them."""
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
    return address


def _reaching(function: Function, machine: Machine, calls: set[int]) -> Function:
    """Return a function whose calls at some indices reach everywhere."""
    try:
        return with_calls_by_register(function, machine, calls)
    except CannotExpress as failure:
        where = f"{function.file}:{function.rtls()[min(calls)].lines[0]}: " if function.file else ""
        what = f"a call in '{function.name[1:]}' does not reach"
        raise LinkError([f"{where}error: {what}, and {machine.name} cannot call further: it has no {failure.what}"]) from None


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
