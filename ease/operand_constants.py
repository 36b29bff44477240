"""The constants in the operand fields of instructions: immediates, and displacements in addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ease.table_keys import Constant
from vpo.machines.record import Field, Record
from vpo.rtl import Const, Expr, Mem, Op

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
