"""Symbolic values: what registers hold, as sums of unknown terms and a constant.

Two registers whose values have the same terms differ by a known number (global value numbering over linear forms; Karr 1976
calls these affine relations).  A term is a number that stands for what nobody computes here: a register at the entry of its
function, what a load brought, what a call left, what paths that join leave in a register, or an operator applied to values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from vpo.analysis.register_summaries import Key, Registers
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Const, Expr, Mem, Op, Register

MOST = 6  # terms of a sum; a longer one becomes a term of its own


class Value(NamedTuple):
    """The sum of terms times their factors, plus `offset`, modulo the size of addresses."""

    terms: frozenset[tuple[int, int]]
    offset: int


State = dict[Key, Value]  # what registers hold; one that is missing holds what it held at the entry
NO_TERMS: frozenset[tuple[int, int]] = frozenset()


class SymbolicValues:
    """The values of one function.  `constant` tells the value of a constant expression, or None."""

    def __init__(self, machine: Machine, registers: Registers, constant: Callable[[Expr], int | None]) -> None:
        self.machine, self.registers, self.constant = machine, registers, constant
        self.word = machine.address_type
        self.modulus = 1 << BITS[self.word]
        self.numbers: dict[tuple[Hashable, ...], int] = {}
        self.origins: list[tuple[Any, ...]] = []  # where the terms come from, by their numbers

    def term(self, *origin: Hashable) -> Value:
        """Return the value of which is known where it comes from, and no more."""
        number = self.numbers.get(origin)
        if number is None:
            number = self.numbers[origin] = len(self.origins)
            self.origins.append(origin)
        return Value(frozenset(((number, 1),)), 0)

    def plus(self, value: Value, amount: int) -> Value:
        """Return a value plus a number."""
        return Value(value.terms, (value.offset + amount) % self.modulus)

    def held(self, key: Key, state: Mapping[Key, Value]) -> Value:
        """Return what a register holds."""
        return state.get(key) or self.term("entry", key)

    def is_whole(self, register: Register) -> bool:
        """Whether a register holds an address, and nothing else is kept beside it."""
        storage = self.registers.storage(register)
        return register.type == self.word and len(storage) == 1 and self.registers.types[storage[0][0]] == self.word

    def of(self, node: Expr, state: Mapping[Key, Value], number: int) -> Value:
        """Return the value of an expression in the RTL of a number, before that changes the state."""
        constant = self.constant(node)
        if constant is not None:
            return Value(NO_TERMS, constant % self.modulus)
        match node:
            case Register():
                return self._register(node, state)
            case Mem():
                return self.term("load", number, node)
            case Op(op="+" | "-", args=(left, right)) if node.type in (self.word, ""):
                return self.add(self.of(left, state, number), self.of(right, state, number), 1 if node.op == "+" else -1)
            case Op(op="*", args=(left, Const(value=factor))) if node.type == self.word:
                return self.scaled(self.of(left, state, number), factor)
            case Op(op="<<", args=(left, Const(value=count))) if node.type == self.word and 0 <= count < BITS[self.word]:
                return self.scaled(self.of(left, state, number), 1 << count)
            case Op(op="SYS"):
                return self.term("system", number)
            case Op():
                return self.term(node.op, node.type, *(self.of(arg, state, number) for arg in node.args))
        raise TypeError(node)

    def _register(self, register: Register, state: Mapping[Key, Value]) -> Value:
        if register in self.machine.zero:
            return Value(NO_TERMS, 0)
        parts = [self.held(key, state) for key in self.registers.storage(register)]
        return parts[0] if self.is_whole(register) else self.term("view", register.cls, register.index, *parts)

    def add(self, left: Value, right: Value, sign: int = 1) -> Value:
        """Return the sum of two values, or, with the sign -1, their difference."""
        factors = dict(left.terms)
        for term, factor in right.terms:
            factors[term] = (factors.get(term, 0) + sign * factor) % self.modulus
        terms = frozenset((term, factor) for term, factor in factors.items() if factor)
        offset = (left.offset + sign * right.offset) % self.modulus
        return Value(terms, offset) if len(terms) <= MOST else self.term("sum", terms, offset)

    def scaled(self, value: Value, factor: int) -> Value:
        """Return a value times a number."""
        terms = ((term, old * factor % self.modulus) for term, old in value.terms)
        return Value(frozenset((term, new) for term, new in terms if new), value.offset * factor % self.modulus)
