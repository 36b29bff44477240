"""Checks across the sections of a description: what each says is possible, but not together."""

from __future__ import annotations

from collections.abc import Iterable

from vpo.machines.machine import Machine
from vpo.machines.read.convention_checks import check_convention_as_a_whole
from vpo.machines.read.source import DescriptionError, Map, Place
from vpo.rtl import BITS, FLOAT_TYPES, Call, Register


def check_consistency(machine: Machine, d: Map) -> None:
    """Reject a machine that no program could be compiled for.

    Raises DescriptionError.
    """
    _check_types(machine, d)
    _check_allocable(machine, d)
    _check_convention(machine, d["calls"])
    check_convention_as_a_whole(machine, d["calls"])
    _check_start(machine, d)
    if machine.capabilities.literals and "pool" not in d["assembler"]:
        raise DescriptionError(d.where("assembler"), "'pool' must say how a literal pool is printed (for `LIT[..]`)")
    least = machine.literal_alignment
    if machine.capabilities.literals and machine.syntax.function_align % least:
        message = f"'function_align' must be a multiple of {least}, as the words of literal pools are aligned (`LIT[..]`)"
        raise DescriptionError(d["assembler"].where("function_align"), message)


def _check_start(machine: Machine, d: Map) -> None:
    """Reject start-up code that passes arguments where `main` does not expect them."""
    expected = tuple(machine.convention.arguments.get("integer", ()))
    for effects, place in zip(machine.start, d["start"].places if machine.start else (), strict=True):
        for call in (effect for effect in effects if isinstance(effect, Call)):
            if call.arguments != expected[: len(call.arguments)] or (expected and not call.arguments):
                where = ", ".join(map(repr, expected[:3])) or "on the stack"
                told = ", ".join(map(repr, call.arguments)) or "on the stack"
                raise DescriptionError(place, f"start-up code passes arguments in {told}, but calls pass them in {where}")


def _check_types(machine: Machine, d: Map) -> None:
    values = machine.values
    address = machine.classes[values.address].type
    if address != machine.address_type:
        raise DescriptionError(
            d.where("address"), f"addresses have type {machine.address_type}, but class '{values.address}' holds {address}"
        )
    if machine.stack_pointer.type != machine.address_type:
        place = d["roles"].where("stack_pointer")
        raise DescriptionError(place, f"'{machine.stack_pointer!r}' does not hold an address (type {machine.address_type})")
    if machine.model.sizes["pointer"] * 8 != BITS[machine.address_type]:
        where = d["c"].where("sizes") if isinstance(d.get("c"), Map) else d.where("address")
        size = machine.model.sizes["pointer"]
        raise DescriptionError(where, f"a C pointer has {size} bytes, but an address has type {machine.address_type}")
    if machine.model.sizes["int"] * 8 > BITS[machine.classes[values.integer].type]:
        raise DescriptionError(d["values"].where("integer"), "an int of C does not fit into these registers")


def _check_allocable(machine: Machine, d: Map) -> None:
    for kind, name in machine.values.classes().items():
        bank = machine.classes[name].bank
        if not machine.allocable_in(name):
            where = d["allocable"].where(bank)
            raise DescriptionError(where, f"no register of class '{bank}' is allocable, but it holds '{kind}' values")
    reserved = {machine.stack_pointer: "the stack pointer", **dict.fromkeys(machine.zero, "always zero")}
    for name, registers in machine.allocable.items():
        for register in registers:
            if register in reserved:
                raise DescriptionError(d["allocable"].where(name), f"'{register!r}' is {reserved[register]}: not allocable")


def _check_convention(machine: Machine, d: Map) -> None:
    convention = machine.convention
    if not convention.results.get("integer"):
        raise DescriptionError(d.where("results"), "'results' must name an integer register")
    word = machine.classes[machine.values.integer].type
    for key, registers in (("arguments", convention.arguments), ("results", convention.results)):
        for kind in registers:
            wanted = tuple(FLOAT_TYPES) if kind == "float" else (machine.address_type if kind == "address" else word,)
            _check_carriers(registers[kind], wanted, kind, d[key].where(kind))
    for key, carriers in (("arguments", convention.arguments), ("results", convention.results)):
        if carriers.get("float") and not machine.values.double:
            raise DescriptionError(d[key].where("float"), "'values:' names no class for 'D' values, so nothing travels here")
    if convention.word * 8 != BITS[word]:
        size = f"{BITS[word] // 8}, the bytes of an integer register, not {convention.word}"
        raise DescriptionError(d.where("word"), f"'word' must be {size}")
    align = convention.stack_align
    if not 0 < align <= 1 << 12 or align & (align - 1):
        raise DescriptionError(d.where("stack_align"), f"'stack_align' must be a power of two, not {align}")
    if convention.grows_up and (convention.align_pairs != "every" or len(convention.arguments.get("integer", ())) % 2):
        message = "with 'stack_grows: up' no value lies partly in a register: an even number of them, 'align_pairs: every'"
        raise DescriptionError(d.where("stack_grows"), message)
    if machine.stack_pointer in convention.saved or machine.stack_pointer is convention.link:
        raise DescriptionError(d.place, f"'{machine.stack_pointer!r}' is the stack pointer: it is neither saved nor the link")
    if (convention.hidden.pushed - convention.pushed) % convention.stack_align:
        raise DescriptionError(d.where("hidden_call"), "'hidden_call' pushes what leaves the stack pointer off its alignment")


def _check_carriers(registers: Iterable[Register], wanted: tuple[str, ...], kind: str, place: Place) -> None:
    seen: set[Register] = set()
    for register in registers:
        if register.type not in wanted:
            raise DescriptionError(place, f"'{register!r}' does not hold {kind} values")
        if register in seen:
            raise DescriptionError(place, f"'{register!r}' is listed twice")
        seen.add(register)
