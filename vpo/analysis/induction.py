"""Linear forms: addresses as sums of registers times constants, and registers that are linear in a loop's variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from vpo import rtl
from vpo.algebra import unary, wrap
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import has_side_effect
from vpo.analysis.routine_calls import RoutineCalls
from vpo.machines.machine import Machine
from vpo.rtl import BITS, FLOAT_TYPES, Const, Expr, Half, Mem, Op, Register, Rtl, Set, Slot, Symbol
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# Addresses as linear forms: a sum of registers and objects times constants, plus a constant.
#
# Two addresses with the same terms differ by a known number.  In SSA form a register is replaced by the form of its
# definition, as far as this is linear; the rest of the address arithmetic is left as it is.


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
                    if type(effect) is not Set or type(effect.target) is not Register or not effect.target.pseudo:
                        continue
                    if effect.target.type == self.type and not _has_hard(effect.source, self.machine):
                        form = self._of(effect.source)
                        if form is not None:
                            self.forms[effect.target] = form

    def of(self, node: Expr) -> LinearForm | None:
        """Return the form of an address; None if it depends on memory."""
        return self._of(node) or (None if node.memory else self._term(node))

    def _of(self, node: Expr) -> LinearForm | None:
        """Return the form of a sum, or None if an expression is nothing of the kind."""
        if type(node) is Register:
            return self._register(node)
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
    for register in node.uses:
        if not register.pseudo and register is not machine.stack_pointer and register not in machine.zero:
            return True
    return False


# ----------------------------------------------------------------------------------------------------------------------
# Induction variables of a loop in SSA form, and the registers that are linear functions of them.
#
#     L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);     an induction variable with step 1
#         r[t2]=r[t1.2]<<2;                       4*r[t1.2]
#         r[t3]=r[t2]+r[t9];                      4*r[t1.2]+r[t9]
#         r[t1.3]=r[t1.2]+1;                      1*r[t1.2]+1
#
# All arithmetic is that of registers, modulo a power of two, so that what is linear here is so for all values.


MAX_DEPTH = 20  # of the computations from a variable to what is linear in it


Part = tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Linear:
    """`scale*by*variable + terms + offset`: `by` is an invariant register or none, and so is the variable.

    With `part`, this is true of the low bits alone, of which the value is an extension: operator and type, as 'sx', 'L'.
    """

    variable: Register | None
    scale: int
    by: Register | None
    terms: tuple[tuple[Expr, int], ...]  # what does not change in the loop, and how often it is added
    offset: int
    depth: int = 0
    part: Part = None

    @property
    def is_shifted_variable(self) -> bool:
        """Whether this is the variable itself, or some constant more."""
        return self.variable is not None and self.scale == 1 and self.by is None and not self.terms

    @property
    def base(self) -> tuple[object, ...]:
        """What it has in common with those that differ by a constant only."""
        return self.variable, self.scale, self.by, self.terms, self.part

    def extend(self, value: Expr, type_: str) -> Expr:
        """Return what a value is that was computed in the whole register."""
        return value if self.part is None else unary(self.part[0], type_, unary("tr", self.part[1], value))


class Induction:
    """What is linear in a loop: `forms` by register, and the steps of the induction `variables`."""

    def __init__(
        self,
        blocks: Iterable[Block],
        header: Block,
        ways: tuple[str, str],
        machine: Machine,
        constants: Mapping[Register, int],
        routines: RoutineCalls = MappingProxyType({}),
        parts: bool = False,
    ) -> None:
        """Look at the blocks of a loop, in reverse postorder; `ways` are the labels of the preheader and the latch.

        With `parts`, follow 32-bit arithmetic in wider registers, too.
        """
        self.parts = parts
        self.machine, self.constants, self.routines = machine, constants, routines
        self.passed = {rtl: call.target for call in routines.values() for rtl in call.arguments}  # arguments, for what
        self.forms: dict[Register, Linear] = {}
        self.inside: dict[Register, Rtl | None] = {}  # what the loop defines; none for phis
        blocks = list(blocks)
        for block in blocks:
            self.inside.update((phi.target, None) for phi in block.phis)
            self.inside.update((register, rtl) for rtl in block.rtls for register in rtl.sets)
        for phi in header.phis:
            if phi.target.type in BITS and phi.target.type not in FLOAT_TYPES:
                self.forms[phi.target] = Linear(phi.target, 1, None, (), 0)
        for block in blocks:
            for each in block.rtls:
                self._note(each)
        self.variables: dict[Register, int] = {}
        self.narrow: dict[Register, Part] = {}  # variables that are stepped in their low bits
        for phi in header.phis:
            form = self.forms.get(phi.sources[ways[1]])
            if form is not None and form.variable is phi.target and form.is_shifted_variable and form.offset:
                self.variables[phi.target] = form.offset
                if form.part is not None:
                    self.narrow[phi.target] = form.part
        self.forms = {r: form for r, form in self.forms.items() if form.variable is None or self._holds(r, form)}

    def _holds(self, register: Register, form: Linear) -> bool:
        """Whether a form is one of a variable: of one with narrow steps, only low bits are linear functions."""
        variable = form.variable
        return variable in self.variables and (variable not in self.narrow or form.part is not None or register is variable)

    def varies(self, register: Register) -> bool:
        """Whether a register is a linear function of a variable, and not just the variable and some constant."""
        form = self.forms.get(register)
        return form is not None and form.variable is not None and not form.is_shifted_variable

    def _note(self, rtl: Rtl) -> None:
        effect = rtl.single_set
        target = effect.target if effect is not None else None
        if effect is None or not isinstance(target, Register) or not target.pseudo:
            return
        if target.type not in BITS or target.type in FLOAT_TYPES or has_side_effect(rtl) or effect.source.memory:
            return
        source = self.source_of(rtl, effect)
        form = self.form_of(source, target.type)
        if form is not None and form.part is not None and form.variable is None:
            form = None  # a number of its own
        if form is None and self._is_opaque(source):
            depth = max((self.forms[r].depth for r in source.uses if r in self.forms), default=0)
            form = Linear(None, 0, None, ((target, 1),), 0, depth)
        if form is not None and form.depth < MAX_DEPTH:
            self.forms[target] = replace(form, depth=form.depth + 1)

    def source_of(self, rtl: Rtl, effect: Set) -> Expr:
        """Return what an RTL with one effect sets something to, itself or by the call before it."""
        known = self.routines.get(rtl)
        return effect.source if known is None else known.value

    def _is_opaque(self, source: Expr) -> bool:
        """Whether an expression is invariant and harmless, though not linear."""
        safe = isinstance(source, Op) and source.op in ("*", "&", "|", "^", "<<", ">>", ">>u", "sx", "zx", "+", "-")
        return safe and all(self._is_invariant(register) for register in source.uses)

    def _is_invariant(self, register: Register) -> bool:
        if not register.pseudo:
            return register in self.machine.zero or (register is self.machine.stack_pointer and register not in self.inside)
        if register not in self.inside:
            return True
        form = self.forms.get(register)
        return form is not None and form.variable is None

    def form_of(self, node: Expr, type_: str) -> Linear | None:
        """Return the form of an expression, None if it is not linear."""
        match node:
            case Op(op="sx" | "zx" as op, args=(Op(op="tr", args=(whole,)) as low,)) if self.parts and low.type == "L":
                form = self._form_of(whole, type_, BITS[low.type])
                return None if form is None or node.type != type_ else replace(form, part=(op, low.type))
        return self._form_of(node, type_, BITS[type_])

    def _form_of(self, node: Expr, type_: str, bits: int) -> Linear | None:
        """Return the form of some low bits of an expression."""
        if isinstance(node, Const):
            return Linear(None, 0, None, (), wrap(node.value, bits))
        if isinstance(node, Symbol | Slot | Half):
            return Linear(None, 0, None, ((node, 1),), 0)
        if isinstance(node, Register):
            form = self._form_of_register(node) if node.type == type_ else None
            if form is None or (form.part is None and bits == BITS[type_]):
                return form
            return None if bits == BITS[type_] else _times(replace(form, part=None), 1, bits)
        if not isinstance(node, Op) or node.type != type_ or len(node.args) != 2:
            return self._form_of_extension(node, type_, bits)
        a, b = self._form_of(node.args[0], type_, bits), self._form_of(node.args[1], type_, bits)
        if a is None or b is None:
            return None
        match node.op:
            case "+":
                return _sum(a, b, 1, bits)
            case "-":
                return _sum(a, b, -1, bits)
            case "<<" if not (b.terms or b.variable) and 0 <= b.offset < bits:
                return _times(a, 1 << b.offset, bits)
            case "*":
                return _product(a, b, bits)
        return None

    def _form_of_extension(self, node: Expr, type_: str, bits: int) -> Linear | None:
        """Return the form of low bits of an extension of as many bits."""
        match node:
            case Op(op="sx" | "zx", args=(Op(op="tr", args=(whole,)) as low,)) if BITS.get(low.type) == bits < BITS[type_]:
                return self._form_of(whole, type_, bits)
        return None

    def _form_of_register(self, register: Register) -> Linear | None:
        if register in self.machine.zero:
            return Linear(None, 0, None, (), 0)
        if register in self.constants:
            return Linear(None, 0, None, (), self.constants[register])
        if register in self.inside:
            return self.forms.get(register)
        return Linear(None, 0, None, ((register, 1),), 0) if self._is_invariant(register) else None


def _sum(a: Linear, b: Linear, sign: int, bits: int) -> Linear | None:
    """Return the sum or difference of two forms, if it is of one variable."""
    b = _times(b, sign, bits)
    variable, scale, by = (a if a.variable is not None else b).base[:3]
    if a.variable is not None and b.variable is not None:
        if a.variable is not b.variable or a.by is not b.by:
            return None
        scale = wrap(a.scale + b.scale, bits)
        if scale == 0:
            return None
    terms = dict(a.terms)
    for term, count in b.terms:
        terms[term] = wrap(terms.get(term, 0) + count, bits)
    kept = sorted(((term, count) for term, count in terms.items() if count), key=lambda item: repr(item[0]))
    offset = wrap(a.offset + b.offset, bits)
    return Linear(variable, scale, by, tuple(kept), offset, max(a.depth, b.depth))  # type: ignore[arg-type]


def _times(a: Linear, factor: int, bits: int) -> Linear:
    """Return a form times a number."""
    terms = tuple((term, n) for term, count in a.terms if (n := wrap(count * factor, bits)))
    scale = wrap(a.scale * factor, bits)
    return Linear(a.variable if scale else None, scale, a.by, terms, wrap(a.offset * factor, bits), a.depth)


def _product(a: Linear, b: Linear, bits: int) -> Linear | None:
    """Return the product of two forms, of which one is a number, or an invariant register and the other a variable."""
    for one, other in ((a, b), (b, a)):
        if other.variable is not None:
            continue
        if not other.terms:
            return _times(one, other.offset, bits)
        (term, count), *rest = other.terms
        if one.variable is None or one.by is not None or one.terms or rest or other.offset or not isinstance(term, Register):
            continue
        terms = ((term, n),) if (n := wrap(one.offset * count, bits)) else ()
        scale = wrap(one.scale * count, bits)
        return Linear(one.variable, scale, term, terms, 0, max(a.depth, b.depth)) if scale else None
    return None
