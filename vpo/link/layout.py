"""Placement: the addresses of functions, RTLs, literals and data, and the image of the memory at the start.

Calls of functions that are too far away go through a register.
"""

from __future__ import annotations

import struct
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from typing import NamedTuple

from vpo import il
from vpo.analysis.pools import literal_pools
from vpo.base.errors import CannotExpress, LinkError
from vpo.machines.machine import Machine
from vpo.machines.target import MemorySpace
from vpo.opt.frame.save_instructions import scavenger, scratch_registers, storage
from vpo.opt.late.delay import fill_delay_slots
from vpo.opt.late.interlock import separate_hazards
from vpo.opt.late.span import measure, resolve_spans, slots_of
from vpo.opt.state import FunctionState
from vpo.program import Linked, Program
from vpo.rtl import BITS, Call, Const, Effect, Half, Register, Rtl, Set, Symbol
from vpo.rtl.function import Block, Data, Function, LabelItem, PartItem
from vpo.text import show_effects

# ----------------------------------------------------------------------------------------------------------------------
# Calls of functions that are too far away: the address is put into a register, and what is there is called.
#
# ST=_f(); r[1]=NPC;   (_f too far)   =>   r[1]=HI[_f]; r[1]=r[1]+LO[_f]; ST=r[1](); r[1]=NPC;


def far_calls(
    functions: Mapping[str, Function], machine: Machine, addresses: Mapping[str, Sequence[int]], symbols: Mapping[str, int]
) -> dict[str, set[int]]:
    """Return the calls that do not reach: by name of the function that they are in, their indices there.

    `addresses` and `symbols` are those of a `Program`.  What is in object files of others has the address 0.
    """
    reach, all_addresses = machine.capabilities.call_reach, [*addresses.values()]
    if not all_addresses:
        return {}
    extent = all_addresses[-1][-1] - all_addresses[0][0]
    if reach is None or (-reach[0] >= extent + all_addresses[0][0] and reach[1] >= extent):
        return {}
    starts = {name: symbols[name] for name in functions}
    found: dict[str, set[int]] = {}
    for name, function in functions.items():
        if function.stage == "final":
            places = zip(function.rtls(), addresses[name], strict=False)
            far = {index for index, (rtl, here) in enumerate(places) if _is_far(rtl, here, machine, starts)}
            if far:
                found[name] = far
    return found


def _is_far(rtl: Rtl, here: int, machine: Machine, starts: Mapping[str, int]) -> bool:
    call = rtl.call
    if call is None or not isinstance(call.target, Symbol):
        return False
    reach = machine.record(rtl).reach
    return reach is not None and not reach[0] <= starts.get(call.target.name, 0) + call.target.offset - here <= reach[1]


def with_calls_by_register(function: Function, machine: Machine, chosen: Container[int]) -> Function:
    """Return a copy of a function whose calls at some indices are of addresses in registers.

    Raises CannotExpress if the machine has no such calls, or no register is free.
    """
    blocks, index = [], 0
    for block in function.blocks:
        rtls: list[Rtl] = []
        place = 0
        while place < len(block.rtls):
            rtl, behind = block.rtls[place], place + 1
            if index + place in chosen:
                behind += slots_of(rtl, machine)
                rtls += _by_register(rtl, block.rtls[place + 1 : behind], machine)
            else:
                rtls.append(Rtl(rtl.effects, rtl.lines, rtl.cause, rtl.form))
            place = behind
        blocks.append(Block(block.label, rtls))
        index += len(block.rtls)
    result = replace(function, blocks=blocks)
    separate_hazards(FunctionState(result, machine))
    return result


def _by_register(call: Rtl, slots: list[Rtl], machine: Machine) -> list[Rtl]:
    """Return what does the same as a call and the RTLs in its delay slots, by an address in a register; slots filled."""
    moved = [rtl.copied() for rtl in slots if rtl.effects]
    named = [r for rtl in moved for r in (*rtl.uses, *rtl.sets, *machine.clobbers(rtl.effects))]
    busy = storage(machine, (*call.uses, *named))
    # what these registers hold, the call destroys; some machines cannot call by the one that the return address goes to
    free = [r for r in scratch_registers(machine) if r not in call.sets and busy.isdisjoint(machine.storage(r))]
    *before, new = call_by_register(machine, call.effects, free, call.lines, call.cause)
    part = Function("_", stage="framed", blocks=[Block("L1", [*before, *moved, new])], labels=1)
    fill_delay_slots(FunctionState(part, machine))
    return part.rtls()


def call_by_register(
    machine: Machine, effects: tuple[Effect, ...], free: Iterable[Register], lines: tuple[int, ...], cause: str
) -> list[Rtl]:
    """Return RTLs that call what a call does, by its address in one of the free registers; the last is the call.

    Raises CannotExpress if the machine has no such calls, or too few registers are free.
    """
    code = scavenger(Function("_"), machine, free, lines[0], cause)
    for cls in (code.address, code.integer):
        called = _called(effects, Register(cls, -1, machine.classes[cls].type, True))
        if machine.is_legal(called):
            address = code.fresh(cls)
            code.free = list(code.pool)
            code.emit(Set(address, next(effect.target for effect in effects if isinstance(effect, Call))))
            return [Rtl(rtl.effects, lines, cause) for rtl in (*code.out, Rtl(_called(effects, address)))]
    raise CannotExpress(f"`{show_effects(called)}`")


def _called(effects: tuple[Effect, ...], target: Register) -> tuple[Effect, ...]:
    """Return a call as one of another target."""
    return tuple(Call(target, e.arguments, e.results) if isinstance(e, Call) else e for e in effects)


# ----------------------------------------------------------------------------------------------------------------------
# Placement.


def place(linked: Linked) -> Program:
    """Give every function, block, RTL and data object its address, and build the memory image.

    Calls that do not reach become calls by registers.  Raises LinkError if there is no room, or no way for a call or a branch
    to reach.
    """
    machine, functions = linked.machine, dict(linked.functions)
    code = _place_functions(functions, machine)
    while far := far_calls(functions, machine, code.addresses, code.symbols):
        for name, calls in far.items():
            functions[name] = _reaching(functions[name], machine, calls)
        code = _place_functions(functions, machine)
    page = machine.layout.page
    start = -(-code.end // page) * page
    symbols = {**dict.fromkeys(linked.absent, 0), **code.symbols}
    least, spaces = machine.model.object_align, machine.layout.spaces
    own = {space: [data for data in linked.data if machine.layout.space_of(data.section) is space] for space in spaces}
    for space, those in own.items():
        found, behind = _place_data(those, space.at, least)
        _check_space(space, those, found, behind)
        symbols |= found
    elsewhere = {data.name for those in own.values() for data in those}
    found, end = _place_data((data for data in linked.data if data.name not in elsewhere), start, least)
    symbols |= found
    program = Program(
        machine, functions, linked.data, linked.absent, linked.entry, symbols,
        code.addresses, code.fetched, code.labels, _place_literals(functions, machine, code.symbols),
        data_start=start, end=-(-end // page) * page,  # as an operating system starts the heap
    )  # fmt: skip
    _check_room(program)
    words = {address: literal for block in chain(*program.literals.values()) for literal, address in block.items()}
    program.image.extend((program.symbols[data.name], image(data, program)) for data in program.data if not data.parts)
    program.image.extend(_literal_image(literal, address, program) for address, literal in words.items())
    return program


def placed_otherwise(program: Program, number: int) -> Program:
    """Return a program with its functions and its data in another order, which a number decides.

    It executes the same, but for what looks at addresses, as copies of memory do, and for calls that reach only in one order;
    in caches and predictors, other things meet.
    Raises LinkError for what cannot be placed so.
    """
    functions = [(name, function.copy()) for name, function in program.functions.items()]
    data, order = list(program.data), Random(number)
    order.shuffle(functions)
    order.shuffle(data)
    moved = place(Linked(program.machine, dict(functions), data, program.absent, program.entry))
    return replace(moved, environment=program.environment)


class _Code(NamedTuple):
    """Addresses of functions, RTLs and blocks, as a `Program` has them; `end` is the first one behind them."""

    symbols: dict[str, int]
    addresses: dict[str, list[int]]
    fetched: dict[str, list[tuple[int, int]]]
    labels: dict[tuple[str, str], int]
    end: int


def _place_functions(functions: Mapping[str, Function], machine: Machine) -> _Code:
    """Give every function, block and RTL its address."""
    address = machine.layout.text
    alignment = machine.syntax.function_align
    code = _Code({}, {}, {}, {}, address)
    for name, function in functions.items():
        if function.stage == "final":
            _resolve_spans(function, machine)
        address = -(-address // alignment) * alignment
        address -= sum(pool.start(machine) for pool in literal_pools(function, machine) if pool.before)
        labels, offsets = measure(function, machine)
        code.symbols[name] = address
        code.addresses[name] = addresses = [address + offset for offset in offsets]
        sizes = [record.size * record.fetched for record in map(machine.record, function.rtls())]
        code.fetched[name] = [(start, start + size) for start, size in zip(addresses, sizes, strict=False)]
        for label, offset in labels.items():
            code.labels[name, label] = address + offset
        address = addresses[-1]
    return code._replace(end=address)


def _place_data(data: Iterable[Data], address: int, least: int) -> tuple[dict[str, int], int]:
    """Return the addresses of data objects from an address on, and the first one behind them."""
    symbols: dict[str, int] = {}
    objects = list(data)
    inside = {part.symbol for each in objects for part in each.parts}
    for each in objects:
        if each.name in inside:
            continue
        align = max(each.align, least)
        address = -(-address // align) * align
        symbols[each.name] = address
        symbols.update((part.symbol, address + part.offset) for part in each.parts)
        address += max(each.size, 1)
    return symbols, address


def _check_space(space: MemorySpace, those: Sequence[Data], symbols: Mapping[str, int], end: int) -> None:
    """Raise LinkError if data objects take more than the memory that they must be in."""
    if end > space.at + space.size:
        first = next(data for data in those if symbols[data.name] + max(data.size, 1) > space.at + space.size)
        what = f"'{first.name[1:]}' of {first.size:,} bytes does not fit into memory '{space.name}'"
        sizes = f"its {len(those)} objects take {end - space.at:,} bytes, and there are {space.size:,}"
        raise LinkError([f"{first.place}: error: {what}: {sizes}"])


def _check_room(program: Program) -> None:
    """Raise LinkError if text and data leave no room for the heap and the stack."""
    machine, layout = program.machine, program.machine.layout
    stack = layout.stack_top - layout.stack_size
    limit = min(layout.heap_limit, stack) if stack > layout.text else layout.heap_limit
    if program.end > limit:
        space = f"{limit - layout.text:,} bytes that {machine.name} has for them"
        raise LinkError([f"error: text and data take {program.end - layout.text:,} bytes, more than the {space}"])


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


def _place_literals(
    functions: Mapping[str, Function], machine: Machine, symbols: Mapping[str, int]
) -> dict[str, list[dict[Half, int]]]:  # fmt: skip
    """Give the literals of functions addresses; returns those of each function that has any, by block."""
    placed: dict[str, list[dict[Half, int]]] = {}
    word = machine.literal_size
    for name, function in functions.items():
        found: list[dict[Half, int]] = [{}] * len(function.blocks)
        for pool in literal_pools(function, machine):
            start = symbols[name] + pool.start(machine)
            addresses = {literal: start + number * word for number, literal in enumerate(pool.literals)}
            found[pool.first : pool.last + 1] = [addresses] * (pool.last + 1 - pool.first)
        if any(found):
            placed[name] = found
    return placed


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
            case PartItem():
                continue  # another object's bytes
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
