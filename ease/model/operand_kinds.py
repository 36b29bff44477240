"""Which constants an instruction has, and what its references to memory are for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ease.model.static_kinds import DATA_TYPES, Constant, Reference
from vpo.analysis.references import references
from vpo.machines.machine import Machine
from vpo.machines.match.record import Field, Record
from vpo.rtl import Const, Expr, Half, Mem, Op, Return, Rtl, Set

# ----------------------------------------------------------------------------------------------------------------------
# The constants in the operand fields of instructions: immediates, and displacements in addresses.


IMMEDIATE, DISPLACEMENT = "immediate", "displacement"


def constants_of(record: Record) -> tuple[Constant, ...]:
    """Return the constants of an instruction; addresses of objects and targets are none, nor is a displacement of 0."""
    return tuple(constant for field in record.fields for constant in _of_field(field))


def _of_field(field: Field) -> Iterator[Constant]:
    if field.mode == "IMMED":
        if _is_number(field.value):
            yield Constant(IMMEDIATE, signed_bits(field.value.value))
    elif isinstance(field.value, Mem | Op):
        address = field.value.address if isinstance(field.value, Mem) else field.value
        for term in _terms(address):
            if _is_number(term):
                yield Constant(DISPLACEMENT, signed_bits(term.value))


def _terms(address: Expr) -> Iterator[Any]:
    """Yield the terms of a sum; what is no sum has none."""
    if isinstance(address, Op) and address.op == "+":
        for part in address.args:
            yield part
            yield from _terms(part)


def _is_number(value: object) -> bool:
    return isinstance(value, Const) and type(value.value) is int


def signed_bits(value: int) -> int:
    """Return the bits that a number needs as a signed one."""
    return (value if value >= 0 else ~value).bit_length() + 1


# ----------------------------------------------------------------------------------------------------------------------
# What kind of reference an instruction makes to memory: what reports go by.


IMPLICIT = "IMPLICIT"  # the addressing mode of a reference that no operand field states
NO_MODES = ("REGISTER", "IMMED", "LABEL")  # modes of fields that do not address memory


def _literal(cell: Mem) -> Expr | None:
    """Return what is read if a cell is a literal."""
    return cell.address.of if isinstance(cell.address, Half) else None


def references_with_modes(rtl: Rtl, record: Record) -> list[tuple[str, Mem, str]]:
    """Return (direction, cell, addressing mode) of each reference of an instruction to memory: reads, then writes.

    A cell counts as read once, whatever guards its reads.  The mode is that of the operand field that is the cell or its
    address; where a block move states only one address, that of the cell stated.
    """
    made = references(rtl)
    if not made:
        return []
    found = [("read", cell) for cell in dict.fromkeys(read.cell for read in made if not read.write)]
    found += [("write", written.cell) for written in made if written.write]
    modes = {field.value: field.mode for field in record.fields if field.mode not in NO_MODES}
    stated = [modes.get(cell) or modes.get(cell.address) or modes.get(_literal(cell)) for _, cell in found]
    known = {mode for mode in stated if mode}
    default = known.pop() if len(known) == 1 else IMPLICIT
    return [(direction, cell, mode or default) for (direction, cell), mode in zip(found, stated, strict=True)]


def kinds_of_references(machine: Machine, rtl: Rtl, record: Record) -> list[tuple[Mem, Reference]]:
    """Return the cells of an instruction's references with what kind of reference each is."""
    restored = _restored(machine, rtl)
    return [
        (cell, Reference(direction, "save" if cell in restored else rtl.cause, DATA_TYPES[cell.type], mode))
        for direction, cell, mode in references_with_modes(rtl, record)
    ]


def _restored(machine: Machine, rtl: Rtl) -> set[Mem]:
    """Return the cells from which a return restores registers that its function had to preserve."""
    if not isinstance(rtl.transfer, Return):
        return set()
    saved = machine.convention.saved
    moves = [effect for effect in rtl.effects if isinstance(effect, Set) and effect.target in saved]
    return {effect.source for effect in moves if isinstance(effect.source, Mem)}
