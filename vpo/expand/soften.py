"""Floating point in software: the intermediate language without floating types that no register of the machine holds, and
without operations on floating values that it lacks.

Values of such types become unsigned integers of the same size, their operations calls of the run-time library, which the
trees they stood in read the results of:

    x = a * b + c        =>        t1 = __muldf3(a, b);  t2 = __adddf3(t1, c);  x = t2

Trees are pure, so that it does not matter that calls come before the rest.  Singles are computed as doubles and rounded:
for + - * / and conversions from words that is as if it had been rounded once (Figueroa, "When is double rounding
innocuous?", 1995).  Values that registers hold go to routines, and come back, as bits in memory; a lacking operation on
singles is one on doubles if there is such, a lacking relation is made of others.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from typing import Any

from vpo import il
from vpo.algebra import set_, unary
from vpo.base.errors import CannotExpress
from vpo.base.kept import kept
from vpo.expand.words import OPERATORS, RELATIONS
from vpo.il.routine_names import MODES
from vpo.il.traversal import expressions_of, walk
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Mem, Register
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Which operations on floating values in registers a machine can do, by instructions or by its description's expansions.


LETTERS = {il.F4: "F", il.F8: "D"}
Operation = tuple[str, ...]  # operator and type, or 'cvt' and two types

@kept
def _known(machine: Machine) -> dict[Operation, bool]:
    """Return which operations a machine is known to have."""
    return {}


def load_converted(code: Legalizer, target: Register, cell: Mem) -> None:
    """Load a floating cell of another width.

    Raises CannotExpress.
    """
    for candidate in code.cell(cell):
        if code.attempt(set_(target, unary("cvt", target.type, candidate))):
            return
    raise CannotExpress("`{}`", code.line, set_(target, unary("cvt", target.type, cell)))


class FloatOperations:
    """Tells of types that registers hold what can be done with them; each operation of a machine is tried once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.known = _known(machine)

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


# ----------------------------------------------------------------------------------------------------------------------


ROUTINES = {"add": "__adddf3", "sub": "__subdf3", "mul": "__muldf3", "div": "__divdf3"}
ORDERS = dict.fromkeys(("eq", "ne", "lt", "le"), "__ledf2") | dict.fromkeys(("gt", "ge"), "__gedf2")
# relations by others: both hold, either does, not both do, the first does without the second
OTHERS = {
    "eq": (("both", "le", "ge"),),
    "ne": (("not both", "le", "ge"),),
    "lt": (("without", "le", "ge"), ("without", "le", "eq")),
    "le": (("either", "lt", "eq"),),
    "gt": (("without", "ge", "le"), ("without", "ge", "eq")),
    "ge": (("either", "gt", "eq"),),
}
UNSIGNED = {il.F4: il.U4, il.F8: il.U8}
EXPRESSIONS = (il.Const, il.AddrGlobal, il.AddrLocal, il.Load, il.Unary, il.Binary, il.Compare, il.Convert)


def soft_types(machine: Machine) -> frozenset[il.Type]:
    """Return the floating types that registers cannot hold; a double's registers hold singles, too."""
    operations = FloatOperations(machine)
    return frozenset(type_ for type_ in (il.F4, il.F8) if not operations.is_held(type_))


def soften(unit: il.Unit, machine: Machine) -> None:
    """Remove floating types that the machine has no registers for, and operations that it lacks, from a unit's functions."""
    soft = soft_types(machine)
    for function in unit.functions:
        if soft or _computes_floats(function):
            _Softener(function, machine, soft).run()


def _computes_floats(function: il.Function) -> bool:
    """Whether a floating value stands in a tree of a function."""
    for statement in function.body:
        for root in expressions_of(statement):
            for node in walk(root):
                if node.type.kind == "F":
                    return True
    return False


class _Softener:
    """Rewrites one function; `out` are its statements so far."""

    def __init__(self, function: il.Function, machine: Machine, soft: frozenset[il.Type]) -> None:
        self.function, self.soft = function, soft
        self.int = il.Type("I", machine.model.sizes["int"])
        self.pointer = il.Type("P", machine.model.sizes["pointer"])
        self.align = machine.model.aligns["double"]
        self.word = machine.classes[machine.values.integer].type
        self.can = FloatOperations(machine)  # what can be done with other types
        self.out: list[il.Statement] = []
        self.line = function.line

    def run(self) -> None:
        """Rewrite the function."""
        function = self.function
        for local in {id(local): local for local in (*function.parameters, *function.locals)}.values():
            local.type = self.rewritten(local.type)
        for name in ("result", "result_scalars", "parameter_scalars"):
            setattr(function, name, self.rewritten(getattr(function, name)))
        for statement in function.body:
            self.line = getattr(statement, "line", self.line)
            self.out.append(self.statement(statement))
        function.body = self.out

    def statement(self, statement: il.Statement) -> il.Statement:
        """Return a statement with all its parts rewritten."""
        if isinstance(statement, il.Branch) and self._lacks_order(statement.relation, statement.left.type):
            relation, left, right = self._ordered(statement.relation, statement.left, statement.right)
            return dataclasses.replace(statement, relation=relation, left=left, right=right)
        rewritten: il.Statement = self.fields(statement)
        return rewritten

    def fields(self, node: Any) -> Any:
        """Return a node with all its parts rewritten."""
        values = {field.name: getattr(node, field.name) for field in dataclasses.fields(node)}
        changed = {name: new for name, value in values.items() if (new := self.rewritten(value)) is not value}
        return dataclasses.replace(node, **changed) if changed else node

    def rewritten(self, part: Any) -> Any:
        """Return a part of the intermediate language, of whatever kind, without the soft types."""
        match part:
            case il.Type():
                return UNSIGNED[part] if part in self.soft else part
            case tuple():
                return tuple(self.rewritten(item) for item in part)
            case dict():
                return {key: self.rewritten(item) for key, item in part.items()}
            case il.Block():
                return self.fields(part)
        return self.value(part) if isinstance(part, EXPRESSIONS) else part

    # --------------------------------------------------------------------------------------------------- expressions

    def value(self, node: il.Expr) -> il.Expr:
        """Return a tree with the value of another, its floating operations in calls before it."""
        match node:
            case il.Const(type=type_, value=value) if type_ in self.soft:
                return _bits(type_, float(value))
            case il.Unary(operator=operator, type=type_, operand=operand) if self._lacks(operator, type_):
                return self._unary(operator, type_, self.value(operand))
            case il.Binary(operator=operator, type=type_, left=left, right=right) if self._lacks(operator, type_):
                return self._binary(operator, type_, self.value(left), self.value(right))
            case il.Compare(relation=relation, type=type_, left=left, right=right) if self._lacks_order(relation, left.type):
                relation, left, right = self._ordered(relation, left, right)
                return il.Compare(relation, type_, left, right)
            case il.Convert(type=type_, operand=operand) if self._lacks_conversion(operand.type, type_):
                return self._convert(self.value(operand), operand.type, type_)
        rebuilt: il.Expr = self.fields(node)
        return rebuilt

    def call(self, routine: str, result: il.Type, *arguments: il.Expr) -> il.Expr:
        """Call a routine of the library; returns a tree that reads its result."""
        local = il.Local(f"soft{len(self.function.locals)}", result, result.size, min(result.size, self.align))
        self.function.locals.append(local)
        self.out.append(il.Call(il.AddrGlobal(self.pointer, routine), arguments, local, self.line))
        return il.Load(result, il.AddrLocal(self.pointer, local))

    def _binary(self, operator: str, type_: il.Type, left: il.Expr, right: il.Expr) -> il.Expr:
        if self._is_done_in_doubles(type_) and self.can.arithmetic(operator, il.F8):
            wide = [il.Convert(il.F8, operand) for operand in (left, right)]
            return il.Convert(type_, il.Binary(operator, il.F8, *wide))
        operands = [self._as_double(operand, type_) for operand in (left, right)]
        return self._from_double(self.call(ROUTINES[operator], il.U8, *operands), type_)

    def _unary(self, operator: str, type_: il.Type, operand: il.Expr) -> il.Expr:
        if operator == "sqrt":
            return self._from_double(self.call("sqrt", il.U8, self._as_double(operand, type_)), type_)
        bits, sign = UNSIGNED[type_], 1 << (8 * type_.size - 1)
        value = operand if type_ in self.soft else self._read_as(operand, bits)
        if operator == "neg":
            result = il.Binary("xor", bits, value, il.Const(bits, sign))
        else:
            result = il.Binary("and", bits, value, il.Const(bits, sign - 1))
        return result if type_ in self.soft else self._read_as(result, type_)

    # ----------------------------------------------------------------------------------------------------- relations

    def _ordered(self, relation: str, left: il.Expr, right: il.Expr) -> tuple[str, il.Expr, il.Expr]:
        """Return a relation between two values that holds if one between floating values does, which the machine lacks."""
        type_, operands = left.type, [self.value(left), self.value(right)]
        if self._is_done_in_doubles(type_) and self.can.order(relation, il.F8):
            return relation, il.Convert(il.F8, operands[0]), il.Convert(il.F8, operands[1])
        for combine, first, second in OTHERS[relation] if type_ not in self.soft else ():
            if self.can.order(first, type_) and self.can.order(second, type_):
                a, b = (self._kept(operand) for operand in operands)
                one, other = (il.Compare(part, self.int, a, b) for part in (first, second))
                return ("lt" if combine == "without" else "ne"), *self._combined(combine, one, other)
        doubles = [self._as_double(operand, type_) for operand in operands]
        return relation, self.call(ORDERS[relation], self.int, *doubles), il.Const(self.int, 0)

    def _combined(self, combine: str, one: il.Expr, other: il.Expr) -> tuple[il.Expr, il.Expr]:
        """Return two integers of which the first is not equal to the other (is less: `without`) if relations hold."""
        if combine == "without":
            return other, one
        if combine == "not both":
            return il.Binary("and", self.int, one, other), il.Const(self.int, 1)
        return il.Binary("or" if combine == "either" else "and", self.int, one, other), il.Const(self.int, 0)

    # --------------------------------------------------------------------------------------------- what the machine has

    def _lacks(self, operator: str, type_: il.Type) -> bool:
        """Whether an operator on values of a type needs other operations; roots are left to `arithmetic`."""
        if not type_.is_float or type_ in self.soft:
            return type_.is_float
        return operator != "sqrt" and not self.can.arithmetic(operator, type_)

    def _lacks_order(self, relation: str, type_: il.Type) -> bool:
        return type_.is_float and (type_ in self.soft or not self.can.order(relation, type_))

    def _lacks_conversion(self, source: il.Type, target: il.Type) -> bool:
        """Whether a conversion needs other operations; those of long and unsigned integers are left to `casting`."""
        if {source, target} & self.soft:
            return True
        integer = next((t for t in (source, target) if not t.is_float), None)
        if integer is not None:
            is_word = integer.is_signed if integer.size == il.I4.size else integer.size < il.I4.size
            if source.is_float == target.is_float or not is_word:
                return False
            if 8 * integer.size > BITS[self.word]:
                return True
        return not self.can.conversion(source, target)

    def _is_done_in_doubles(self, type_: il.Type) -> bool:
        """Whether registers hold values of single precision, and they become doubles and come back by instructions."""
        both = type_ == il.F4 and not self.soft
        return both and self.can.conversion(il.F4, il.F8) and self.can.conversion(il.F8, il.F4)

    # --------------------------------------------------------------------------------------------------- conversions

    def _kept(self, value: il.Expr) -> il.Load:
        """Compute a value now; returns a tree that reads it."""
        local = il.Local(f"soft{len(self.function.locals)}", value.type, value.type.size, min(value.type.size, self.align))
        self.function.locals.append(local)
        self.out.append(il.Store(il.AddrLocal(self.pointer, local), value, self.line))
        return il.Load(value.type, il.AddrLocal(self.pointer, local))

    def _read_as(self, value: il.Expr, type_: il.Type) -> il.Expr:
        """Return a tree that reads the bits of a value as another type, from memory."""
        return dataclasses.replace(self._kept(value), type=type_)

    def _as_double(self, value: il.Expr, type_: il.Type) -> il.Expr:
        """Return the bits of a floating value as a double."""
        if type_ == il.F4 and self._is_done_in_doubles(type_):
            return self._read_as(il.Convert(il.F8, value), il.U8)
        if type_ == il.F4:
            return self.call("__extendsfdf2", il.U8, value)
        return value if type_ in self.soft else self._read_as(value, il.U8)

    def _from_double(self, value: il.Expr, type_: il.Type) -> il.Expr:
        """Return the floating value of a type that the bits of a double are."""
        if type_ == il.F4 and self._is_done_in_doubles(type_):
            return il.Convert(il.F4, self._read_as(value, il.F8))
        if type_ == il.F4:
            return self.call("__truncdfsf2", self.rewritten(il.F4), value)
        return value if type_ in self.soft else self._read_as(value, il.F8)

    def _convert(self, value: il.Expr, source: il.Type, target: il.Type) -> il.Expr:
        if source == target:
            return value
        if source.is_float and target.is_float:
            return self._from_double(self._as_double(value, source), target)
        if self._is_done_in_doubles(il.F4) and il.F4 in (source, target):
            return self.value(il.Convert(target, il.Convert(il.F8, value)))
        integer, floating = (target, source) if source.is_float else (source, target)
        wide = integer if integer.size >= il.I4.size else il.I4
        unsigned, size = "" if wide.is_signed else "un", MODES[wide.size]
        if source.is_float:
            routine = f"__fix{unsigned and 'uns'}df{size}"
            return _converted(target, self.call(routine, wide, self._as_double(value, source)))
        value = _converted(wide, value)
        if wide.size >= il.I8.size and target == il.F4:  # rounded once, not twice
            return self.call(f"__float{unsigned}{size}sf", self.rewritten(floating), value)
        return self._from_double(self.call(f"__float{unsigned}{size}df", il.U8, value), target)


def _converted(type_: il.Type, value: il.Expr) -> il.Expr:
    return value if value.type == type_ else il.Convert(type_, value)


def _bits(type_: il.Type, value: float) -> il.Const:
    packed = struct.pack("<d" if type_.size == 8 else "<f", value)
    return il.Const(UNSIGNED[type_], int.from_bytes(packed, "little"))
