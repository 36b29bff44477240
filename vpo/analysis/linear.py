"""Addresses as linear forms: a sum of registers and objects times constants, plus a constant.

Two addresses with the same terms differ by a known number.  In SSA form a register is replaced by the form of its
definition, as far as this is linear; the rest of the address arithmetic is left as it is.
"""

from __future__ import annotations

from typing import NamedTuple

from vpo import rtl
from vpo.analysis.cfg import build_cfg
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Const, Expr, Half, Mem, Op, Register, Set, Slot, Symbol
from vpo.rtl.function import Function

MOST = 6  # terms of a form


class LinearForm(NamedTuple):
    """The sum of terms times their factors, plus `offset`, modulo the size of addresses."""

    terms: frozenset[tuple[Expr, int]]
    offset: int

    def roots(self) -> frozenset[Register]:
        """Return the registers on whose values it depends."""
        return frozenset(register for term, _ in self.terms for register in term.uses)


NO_TERMS: frozenset[tuple[Expr, int]] = frozenset()


class LinearForms:
    """The linear forms of the registers of a function in SSA form; elsewhere of expressions alone."""

    def __init__(self, function: Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.type = machine.address_type
        self.modulus = 1 << BITS[self.type]
        self.forms: dict[Register, LinearForm] = {}
        if function.stage == "ssa":
            self._follow()

    def _follow(self) -> None:
        """Find the forms of registers; definitions come before the uses that they dominate."""
        for index in build_cfg(self.function).reverse_postorder():
            for instruction in self.function.blocks[index].rtls:
                for effect in instruction.effects:
                    if type(effect) is Set and type(effect.target) is Register and effect.target.pseudo:
                        form = self._of(effect.source) if not _has_hard(effect.source, self.machine) else None
                        if form is not None and effect.target.type == self.type:
                            self.forms[effect.target] = form

    def of(self, node: Expr) -> LinearForm | None:
        """Return the form of an address; None if it depends on memory."""
        return self._of(node) or (None if node.memory else self._term(node))

    def _of(self, node: Expr) -> LinearForm | None:
        """Return the form of a sum, or None if an expression is nothing of the kind."""
        match node:
            case Const():
                return LinearForm(NO_TERMS, node.value % self.modulus)
            case Symbol():
                return self._term(Symbol(node.name), node.offset)
            case Slot():
                return self._slot(node)
            case Half():
                return self._term(node)
            case Mem(address=Half(which=rtl.LITERAL, of=whole)):
                return self._of(whole)
            case Register():
                return self._register(node)
            case Op(op="+", args=(left, right)):
                return self._pair(node, left, right, 1)
            case Op(op="-", args=(left, right)):
                return self._pair(node, left, right, -1)
            case Op(op="|", args=(Half(which=high, of=whole), Half(which=low, of=other))) if whole is other:
                return self._of(whole) if {high, low} == {"HI", "LO"} else None
            case Op(op="*", args=(left, Const(value=factor))) if self._has_width(node):
                return self._scaled(self.of(left), factor)
            case Op(op="<<", args=(left, Const(value=count))) if self._has_width(node) and 0 <= count < BITS[self.type]:
                return self._scaled(self.of(left), 1 << count)
        return None

    def _has_width(self, node: Expr) -> bool:
        return node.type in (self.type, "")

    def _term(self, node: Expr, offset: int = 0) -> LinearForm:
        return LinearForm(frozenset(((node, 1),)), offset % self.modulus)

    def _slot(self, node: Slot) -> LinearForm:
        """Return the form of a slot; stack arguments are placed relative to each other."""
        slot = self.function.slots.get(node.name)
        if slot is None or slot.kind != "incoming" or slot.offset is None:
            return self._term(Slot(node.name), node.offset)
        return self._term(Slot(".in"), node.offset + self.machine.convention.offset(slot.offset, slot.size))

    def _register(self, register: Register) -> LinearForm | None:
        if register in self.machine.zero:
            return LinearForm(NO_TERMS, 0)
        return self.forms.get(register) or (self._term(register) if register.type == self.type else None)

    def _pair(self, node: Op, left: Expr, right: Expr, sign: int) -> LinearForm | None:
        """Return the form of a sum or difference, with the halves of an address put together."""
        first, second = self.of(left), self.of(right)
        if not self._has_width(node) or first is None or second is None:
            return None
        factors = dict(first.terms)
        for term, factor in second.terms:
            factors[term] = (factors.get(term, 0) + sign * factor) % self.modulus
        offset = first.offset + sign * second.offset
        for term in [term for term in factors if type(term) is Half]:
            offset += self._whole(term, factors)
        terms = frozenset((term, factor) for term, factor in factors.items() if factor)
        return LinearForm(terms, offset % self.modulus) if len(terms) <= MOST else None

    def _whole(self, half: Half, factors: dict[Expr, int]) -> int:
        """Put an address instead of its two halves among the terms of a sum; return what this adds to the offset."""
        other = Half("LO" if half.which == "HI" else "HI", half.of)
        whole = self._of(half.of)
        if half.is_literal or half.part or whole is None or (factors.get(half), factors.get(other)) != (1, 1):
            return 0
        factors[half] = factors[other] = 0
        for term, factor in whole.terms:
            factors[term] = factors.get(term, 0) + factor
        return whole.offset

    def _scaled(self, form: LinearForm | None, factor: int) -> LinearForm | None:
        if form is None:
            return None
        terms = ((term, old * factor % self.modulus) for term, old in form.terms)
        return LinearForm(frozenset((term, new) for term, new in terms if new), form.offset * factor % self.modulus)


def _has_hard(node: Expr, machine: Machine) -> bool:
    """Whether an expression reads a hard register whose value may change."""
    return any(not r.pseudo and r is not machine.stack_pointer and r not in machine.zero for r in node.uses)
