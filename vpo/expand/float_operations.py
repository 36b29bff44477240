"""Which operations on floating values in registers a machine can do, by instructions or by its description's expansions."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from vpo import il
from vpo.algebra import set_, unary
from vpo.expand.cannot_express import CannotExpress
from vpo.expand.legalize import Legalizer
from vpo.expand.operator_names import OPERATORS, RELATIONS
from vpo.function import Function
from vpo.machines.machine import Machine
from vpo.rtl import Mem, Register

LETTERS = {il.F4: "F", il.F8: "D"}
Operation = tuple[str, ...]  # operator and type, or 'cvt' and two types

_KNOWN: WeakKeyDictionary[Machine, dict[Operation, bool]] = WeakKeyDictionary()


def load_converted(code: Legalizer, target: Register, cell: Mem) -> None:
    """Load a floating cell of another width.

    Raises CannotExpress.
    """
    for candidate in code.cell(cell):
        if code.attempt(set_(target, unary("cvt", target.type, candidate))):
            return
    raise CannotExpress(f"`{set_(target, unary('cvt', target.type, cell))!r}`", code.line)


class FloatOperations:
    """Tells of types that registers hold what can be done with them; each operation of a machine is tried once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.known = _KNOWN.setdefault(machine, {})

    def is_held(self, type_: il.Type) -> bool:
        """Whether there is a class for values of a type, and instructions that move, load and store them."""
        if not (self.machine.values.floating(LETTERS[type_]) or self.machine.values.double):
            return False
        cls, letter = self._held(type_)
        a, b = Register(cls, 1, letter, True), Register(cls, 2, letter, True)
        double = self.machine.values.double
        one_bank = type_ != il.F8 and double and self.machine.classes[cls].bank == self.machine.classes[double].bank
        if one_bank and not self.is_held(il.F8):  # which is how registers of the bank are saved
            return False
        cell = Mem(LETTERS[type_], Register(self.machine.values.address, 3, self.machine.address_type, True))

        def all_three(code: Legalizer) -> None:
            code.move(a, b)
            if cell.type == letter:
                code.load(a, cell)
                code.store(cell, a)
            else:
                load_converted(code, a, cell)
                code.store(cell, unary("cvt", cell.type, a))

        return self._can(("held", cls, cell.type), all_three)

    def arithmetic(self, operator: str, type_: il.Type) -> bool:
        """Whether there is an operator on two values of a type, or one on one value."""
        cls, letter = self._held(type_)
        a, b = Register(cls, 1, letter, True), Register(cls, 2, letter, True)
        if operator in OPERATORS:
            return self._can((operator, cls), lambda code: code.operate(OPERATORS[operator], a, b, cls))
        return self._can((operator, cls), lambda code: code.convert(operator, letter, a, cls))

    def order(self, relation: str, type_: il.Type) -> bool:
        """Whether there is a branch on a relation between two values of a type."""
        cls, letter = self._held(type_)
        a, b = Register(cls, 1, letter, True), Register(cls, 2, letter, True)
        return self._can((relation, cls), lambda code: code.branch(RELATIONS[relation], a, b, "L1"))

    def conversion(self, source: il.Type, target: il.Type) -> bool:
        """Whether there is a conversion between floating types, or between one and signed words."""
        (source_class, from_), (target_class, to) = self._held(source), self._held(target)
        value = Register(source_class, 1, from_, True)
        key = ("cvt", source_class, target_class)
        return source_class == target_class or self._can(key, lambda code: code.convert("cvt", to, value, target_class))

    def _held(self, type_: il.Type) -> tuple[str, str]:
        """Return the class of a value, and the type that it has in it."""
        values, classes = self.machine.values, self.machine.classes
        cls = (values.floating(LETTERS[type_]) or values.double) if type_.is_float else values.integer
        return cls, classes[cls].type

    def _can(self, operation: Operation, emit: Callable[[Legalizer], object]) -> bool:
        """Whether an operation can be emitted."""
        if operation not in self.known:
            try:
                emit(Legalizer(self.machine, Function("_", "", 0, False, pseudos=99)))
                self.known[operation] = True
            except CannotExpress:
                self.known[operation] = False
        return self.known[operation]
