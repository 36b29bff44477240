"""Placement: the addresses of functions, RTLs, literals and data, and the image of the memory at the start."""

from __future__ import annotations

import struct
from itertools import chain

from vpo import il
from vpo.analysis.program import Program
from vpo.base.errors import CannotExpress, LinkError
from vpo.link.far_calls import far_calls, with_calls_by_register
from vpo.link.pools import literal_pools
from vpo.machines.machine import Machine
from vpo.opt.late.span import measure, resolve_spans
from vpo.opt.state import FunctionState
from vpo.rtl import BITS, Const, Half, Symbol
from vpo.rtl.function import Data, Function, LabelItem


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
    words = {address: literal for block in chain(*program.literals.values()) for literal, address in block.items()}
    program.image += [_literal_image(literal, address, program) for address, literal in words.items()]


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
        program.addresses[name] = addresses = [address + offset for offset in offsets]
        sizes = [record.size * record.fetched for record in map(machine.record, function.rtls())]
        program.fetched[name] = [(start, start + size) for start, size in zip(addresses, sizes, strict=False)]
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
    """Give the literals of a function addresses."""
    found: list[dict[Half, int]] = [{}] * len(function.blocks)
    for pool in literal_pools(function, program.machine):
        start, word = program.symbols[name] + pool.start(program.machine), program.machine.literal_size
        addresses = {literal: start + number * word for number, literal in enumerate(pool.literals)}
        found[pool.first : pool.last + 1] = [addresses] * (pool.last + 1 - pool.first)
    if any(found):
        program.literals[name] = found


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
