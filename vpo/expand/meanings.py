"""What an instruction that a program calls by name means, as trees: on machines that have no such instruction.

    results = NAME(arguments)     =>     a tree for each effect, over the arguments; each in a local, then the results

All that an RTL reads it reads before anything changes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import cast

from vpo import il
from vpo.base.errors import CannotExpress
from vpo.expand.words import OPERATORS, RELATIONS
from vpo.machines.machine import Machine
from vpo.rtl import BITS, FLOAT_TYPES, HIGH_PRODUCTS, INTEGER_TYPES, NAMED, Const, Effect, Expr, Mem, Op, Register, Set

# ----------------------------------------------------------------------------------------------------------------------
# What operators on bits mean, as trees of shifts, masks and sums, for `meanings.py`; integers have no sign.
#
# `keep` computes a tree now and returns what reads it.


Keep = Callable[[il.Expr], il.Expr]


def _const(x: il.Expr, value: int) -> il.Const:
    return il.Const(x.type, value & ((1 << 8 * x.type.size) - 1))


def _by(operator: str, x: il.Expr, value: int) -> il.Expr:
    return il.Binary(operator, x.type, x, _const(x, value))


def _with(operator: str, x: il.Expr, y: il.Expr) -> il.Expr:
    return il.Binary(operator, x.type, x, y)


def _mask(x: il.Expr, width: int) -> int:
    """Return a number whose fields of so many bits are ones and zeros by turns, from the lowest."""
    bits = 8 * x.type.size
    return sum(((1 << width) - 1) << place for place in range(0, bits, 2 * width))


def population(x: il.Expr, keep: Keep) -> il.Expr:
    """Count the ones: in fields of two bits, of four, and so on."""
    width = 1
    while width < 8 * x.type.size:
        x, mask = keep(x), _mask(x, width)
        x = _with("add", _by("and", x, mask), _by("and", _by("shr", x, width), mask))
        width *= 2
    return x


def leading_zeros(x: il.Expr, keep: Keep) -> il.Expr:
    """Set all bits below the highest one; the rest are zeros in front."""
    distance, bits = 1, 8 * x.type.size
    while distance < bits:
        x = keep(x)
        x = _with("or", x, _by("shr", x, distance))
        distance *= 2
    return _with("sub", _const(x, bits), population(x, keep))


def trailing_zeros(x: il.Expr, keep: Keep) -> il.Expr:
    """Count the bits below the lowest one."""
    x = keep(x)
    return population(_with("and", il.Unary("not", x.type, x), _by("sub", x, 1)), keep)


def reversed_from(least: int) -> Callable[[il.Expr, Keep], il.Expr]:
    """Return what exchanges neighbouring fields of at least so many bits, of twice as many, and so on."""

    def reverse(x: il.Expr, keep: Keep) -> il.Expr:
        width = least
        while width < 8 * x.type.size:
            x, mask = keep(x), _mask(x, width)
            x = _with("or", _by("and", _by("shr", x, width), mask), _by("shl", _by("and", x, mask), width))
            width *= 2
        return x

    return reverse


def carryless_product(x: il.Expr, y: il.Expr, keep: Keep) -> il.Expr:
    """Return the low bits of a product whose partial products are joined by exclusive or."""
    x, y = keep(x), keep(y)
    total: il.Expr = _const(x, 0)
    for place in range(8 * x.type.size):
        all_or_none = il.Unary("neg", x.type, _by("and", _by("shr", y, place), 1))
        total = keep(_with("xor", total, _with("and", _by("shl", x, place), all_or_none)))
    return total


def rotated(x: il.Expr, distance: il.Expr, keep: Keep) -> il.Expr:
    """Rotate to the left."""
    x, distance, most = keep(x), keep(distance), 8 * x.type.size - 1
    left = _with("shl", x, _by("and", distance, most))
    return _with("or", left, _with("shr", x, _by("and", il.Unary("neg", distance.type, distance), most)))


ON_ONE: dict[str, Callable[[il.Expr, Keep], il.Expr]] = {
    "popcount": population, "clz": leading_zeros, "ctz": trailing_zeros, "bswap": reversed_from(8), "brev": reversed_from(1),
}  # fmt: skip



# ----------------------------------------------------------------------------------------------------------------------


_OPERATORS = {sign: name for name, sign in OPERATORS.items()}
_RELATIONS = {sign: name for name, sign in RELATIONS.items()}
_SHIFTS = ("shl", "shr")


def give_meanings(unit: il.Unit, machine: Machine) -> None:
    """Put what they mean in the place of the instructions that a unit calls and the machine does not have."""
    for function in unit.functions:
        if any(isinstance(statement, il.Instruction) for statement in function.body):
            taken_apart = _Meanings(function, machine)
            function.body[:] = [new for statement in function.body for new in taken_apart.statements(statement)]


def is_instruction(statement: il.Instruction, machine: Machine) -> bool:
    """Whether the machine has an instruction that a program calls."""
    registers = cast("tuple[Register, ...]", (*statement.places, *statement.targets))
    if statement.machine == machine.fingerprint:
        return True
    known = all(r.pseudo and r.cls in machine.classes and machine.classes[r.cls].type == r.type for r in registers)
    return known and machine.is_legal(cast("tuple[Effect, ...]", statement.effects))


class _Meanings:
    """Rewrites one function; `out` is what stands for the instruction at hand."""

    def __init__(self, function: il.Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.pointer = il.Type("P", machine.model.sizes["pointer"])
        self.int = il.Type("I", machine.model.sizes["int"])
        self.numbers = count(1)
        self.out: list[il.Statement] = []

    def statements(self, statement: il.Statement) -> list[il.Statement]:
        """Return a statement, or what stands for it."""
        if not isinstance(statement, il.Instruction) or is_instruction(statement, self.machine):
            return [statement]
        self.out, self.line = [], statement.line
        self.read: dict[object, il.Expr] = dict(zip(statement.places, statement.arguments, strict=True))
        results = dict(zip(statement.targets, statement.results, strict=True))
        wanted = [effect for effect in statement.effects if isinstance(effect, Set) and _is_value(effect.target.type)]
        values = [self._kept(self._value(effect)) for effect in wanted]
        cells = [self._kept(self._address(e.target.address)) if isinstance(e.target, Mem) else None for e in wanted]
        for effect, value, cell in zip(wanted, values, cells, strict=True):
            if cell is not None:
                self.out.append(il.Store(cell, value, self.line))
            else:
                local = results[effect.target]
                assert local.type is not None
                self._set(local, _converted(local.type, value))
        return self.out

    def _value(self, effect: Set) -> il.Expr:
        return _converted(_type(effect.target.type), self._typed(effect.source, effect.target.type))

    # --------------------------------------------------------------------------------------------------- statements

    def _local(self, type_: il.Type) -> il.Local:
        local = il.Local(f"insn{next(self.numbers)}", type_, type_.size, min(type_.size, self.machine.model.aligns["double"]))
        self.function.locals.append(local)
        return local

    def _set(self, local: il.Local, value: il.Expr) -> None:
        self.out.append(il.Store(il.AddrLocal(self.pointer, local), value, self.line))

    def _read(self, local: il.Local, type_: il.Type) -> il.Expr:
        return il.Load(type_, il.AddrLocal(self.pointer, local))

    def _kept(self, value: il.Expr) -> il.Expr:
        """Compute a value now; return what reads it."""
        if isinstance(value, il.Const):
            return value
        local = self._local(value.type)
        self._set(local, value)
        return self._read(local, value.type)

    # ---------------------------------------------------------------------------------------------------- expressions

    def _typed(self, node: Expr, type_: str) -> il.Expr:
        """Return the tree of an expression whose context has a type, which a constant takes; integers have no sign."""
        match node:
            case Const(value=value):
                return _constant(_type(type_), value)
            case Register():
                return self._register(node)
            case Mem():
                return self._kept(il.Load(_type(node.type), self._address(node.address)))
            case Op(op="SEL"):
                return self._choice(node, type_)
            case Op(op="fma"):
                return self._fused(node)
            case Op():
                return self._operation(node, type_)
        raise self._unknown(node)

    def _unknown(self, node: object) -> CannotExpress:
        return CannotExpress(f"`{node!r}`", self.line)

    def _register(self, register: Register) -> il.Expr:
        """Return the tree of a register that is read: an argument, or the zero register."""
        if register in self.read:
            return _converted(_type(register.type), self.read[register])
        return _constant(_type(register.type), 0)

    def _address(self, node: Expr) -> il.Expr:
        letter = node.type or self.machine.address_type
        return _converted(self.pointer, self._typed(node, letter))

    def _operation(self, node: Op, type_: str) -> il.Expr:
        unsigned = node.op.endswith("u") and node.op not in ("cvtu",)
        sign = node.op[:-1] if unsigned else node.op
        if len(node.args) == 1:
            return self._unary(node, type_)
        inner = node.args[0].type or node.args[1].type or type_
        if node.op in NAMED:
            return self._named(node, node.type or inner)
        if node.op in _RELATIONS or sign in _RELATIONS or node.op.startswith("!"):
            return self._relation(node, type_, inner)
        if sign not in _OPERATORS:
            raise self._unknown(node)
        operator, kind = _OPERATORS[sign], _type(node.type or inner)
        left = self._typed(node.args[0], node.type or inner)
        if operator in _SHIFTS:
            right = self._distance(node.args[1], kind)
        else:
            right = self._typed(node.args[1], node.type or inner)
        if operator in ("div", "mod", "shr") and not unsigned and not kind.is_float:
            signed = il.Type("I", kind.size)
            right = right if operator == "shr" else _converted(signed, right)
            return _converted(kind, il.Binary(operator, signed, _converted(signed, left), right))
        return il.Binary(operator, kind, left, right)

    def _named(self, node: Op, letter: str) -> il.Expr:
        """Return the tree of an operator that is written as a function of two operands."""
        first, second = (self._typed(arg, letter) for arg in node.args)
        kind = first.type
        if node.op == "rotl":
            return rotated(first, _converted(kind, second), self._kept)
        if node.op == "clmul":
            return carryless_product(first, second, self._kept)
        wide = il.Type("U", 2 * kind.size)
        if node.op == "clmulh":
            product = carryless_product(_converted(wide, first), _converted(wide, second), self._kept)
        else:
            sides = zip(HIGH_PRODUCTS[node.op], (first, second), strict=True)
            product = il.Binary("mul", wide, *(_CONVERSIONS[extension](side, wide) for extension, side in sides))
        return _converted(kind, il.Binary("shr", wide, product, il.Const(self.int, 8 * kind.size)))

    def _fused(self, node: Op) -> il.Expr:
        """Return the tree of a product and a sum that are rounded once: the library's function."""
        kind = _type(node.type)
        local = self._local(kind)
        function = il.AddrGlobal(self.pointer, "fma" if kind.size == il.F8.size else "fmaf")
        arguments = tuple(self._typed(arg, node.type) for arg in node.args)
        self.out.append(il.Call(function, arguments, local, self.line))
        return self._read(local, kind)

    def _distance(self, node: Expr, kind: il.Type) -> il.Expr:
        """Return the distance of a shift, which counts modulo the width."""
        most = 8 * kind.size - 1
        if isinstance(node, Const):
            return il.Const(self.int, node.value & most)
        distance = self._typed(node, node.type)
        return _converted(self.int, il.Binary("and", distance.type, distance, il.Const(distance.type, most)))

    def _relation(self, node: Op, type_: str, inner: str) -> il.Expr:
        relation, left, right, negated = self._compared(node, inner)
        holds: il.Expr = il.Compare(relation, self.int, left, right)
        if negated:
            holds = il.Binary("xor", self.int, holds, il.Const(self.int, 1))
        return _converted(_type(type_), holds)

    def _compared(self, node: Op, inner: str) -> tuple[str, il.Expr, il.Expr, bool]:
        """Return the relation, the operands, and whether the opposite is meant."""
        sign, negated = node.op.removeprefix("!") if node.op != "!=" else node.op, node.op[0] == "!" and node.op != "!="
        unsigned = sign.endswith("u")
        relation = _RELATIONS[sign.removesuffix("u")]
        left, right = (self._typed(arg, inner) for arg in node.args)
        if not unsigned and not left.type.is_float:
            left, right = (_converted(il.Type("I", side.type.size), side) for side in (left, right))
        return relation, left, right, negated

    def _choice(self, node: Op, type_: str) -> il.Expr:
        """Return the tree of a selection: a branch around the second value."""
        condition, first, second = node.args
        assert isinstance(condition, Op)
        relation, left, right, negated = self._compared(condition, condition.args[0].type or condition.args[1].type or type_)
        values = [self._kept(self._typed(value, node.type or type_)) for value in (first, second)]
        if negated:
            values.reverse()
        local = self._local(values[0].type)
        label = f"insn{next(self.numbers)}"
        self._set(local, values[0])
        self.out.append(il.Branch(relation, left, right, label, self.line))
        self._set(local, values[1])
        self.out.append(il.Label(label))
        return self._read(local, values[0].type)

    def _unary(self, node: Op, type_: str) -> il.Expr:
        (arg,) = node.args
        convert = _CONVERSIONS.get(node.op)
        if convert is not None:
            return convert(self._typed(arg, arg.type), _type(node.type))
        letter = node.type or arg.type or type_
        value, kind = self._typed(arg, letter), _type(letter)
        if node.op == "bits":
            return self._as_bits(self._typed(arg, arg.type), _type(node.type))
        if node.op == "abs" and not kind.is_float:
            return self._absolute(self._kept(value))
        if node.op in ON_ONE:
            return ON_ONE[node.op](value, self._kept)
        if node.op not in ("neg", "not", "abs", "sqrt"):
            raise self._unknown(node)
        return il.Unary(node.op, kind, value)

    def _absolute(self, value: il.Expr) -> il.Expr:
        kind = value.type
        signed = il.Type("I", kind.size)
        shifted = il.Binary("shr", signed, _converted(signed, value), il.Const(self.int, 8 * kind.size - 1))
        sign = self._kept(_converted(kind, shifted))
        return il.Binary("sub", kind, il.Binary("xor", kind, value, sign), sign)

    def _as_bits(self, value: il.Expr, kind: il.Type) -> il.Expr:
        """Return a tree that reads the bits of a value as another type, from memory."""
        local = self._local(value.type)
        self._set(local, value)
        return self._read(local, kind)


def _is_value(type_: str) -> bool:
    return type_ in INTEGER_TYPES or type_ in FLOAT_TYPES


def _type(letter: str) -> il.Type:
    """Return the type of values that registers of a type hold; integers have no sign."""
    return il.Type("F" if letter in FLOAT_TYPES else "U", BITS[letter] // 8)


def _constant(kind: il.Type, value: int) -> il.Const:
    return il.Const(kind, float(value) if kind.is_float else value & ((1 << 8 * kind.size) - 1))


def _converted(kind: il.Type, value: il.Expr) -> il.Expr:
    return value if value.type == kind else il.Convert(kind, value)


def _signed(value: il.Expr) -> il.Expr:
    return value if value.type.is_float else _converted(il.Type("I", value.type.size), value)


def _to_signed(value: il.Expr, kind: il.Type) -> il.Expr:
    """Convert between numbers with sign and floating ones."""
    if kind.is_float:
        return il.Convert(kind, _signed(value))
    return _converted(kind, il.Convert(il.Type("I", kind.size), value))


_CONVERSIONS: dict[str, Callable[[il.Expr, il.Type], il.Expr]] = {
    "sx": lambda value, kind: _converted(kind, _converted(il.Type("I", kind.size), _signed(value))),
    "zx": lambda value, kind: _converted(kind, value),
    "tr": lambda value, kind: _converted(kind, value),
    "cvt": _to_signed,
    "cvtu": lambda value, kind: il.Convert(kind, value),
}
