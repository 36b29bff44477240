"""What expressions are on samples of inputs: two that differ on one sample are not the same function.

Each register has a vector of values, one a sample; an expression has the vector of its results.  Among the samples are such
where all registers are equal, or nearly, or small, or at the ends of their ranges: there functions differ that hardly ever do
on random numbers, such as minima and their arguments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any

try:
    import numpy as np
except ModuleNotFoundError:  # as in a browser
    from vpo.algebra import vectors as np  # type: ignore[no-redef]

from vpo.algebra.building import operand_type
from vpo.algebra.folding import fold, named, of_bits, wrap
from vpo.rtl import BITS, COUNTS, NAMED, QUOTIENTS, RELATIONS, REVERSALS, SHIFTS, Const, Expr, Op, Register

Vector = Any  # an array of numpy: of unsigned numbers, as wide as their type; of truth values for relations
COLOURS = 61  # different vectors
UNSIGNED: dict[str, Any] = {"B": np.uint8, "W": np.uint16, "L": np.uint32, "Q": np.uint64}
SIGNED: dict[str, Any] = {"B": np.int8, "W": np.int16, "L": np.int32, "Q": np.int64}


class NotSampledError(Exception):
    """An expression has operators or leaves that samples are not made for."""


@cache
def samples(colour: int, type_: str) -> Vector:
    """Return the values of a register with a colour (from 0 to COLOURS - 1), of an integer type, in all samples."""
    bits, common, own = BITS[type_], random.Random(17), random.Random(colour + 1)
    high = 1 << (bits - 1)
    same = common.getrandbits(64)
    near = common.getrandbits(64)
    values = [same, near + own.randrange(-2, 3), own.randrange(bits), own.randrange(bits), own.randrange(-2, 3)]
    values += [high - own.randrange(2), own.choice((0, -1, high, high - 1)), own.randrange(-200, 200)]
    values += [own.getrandbits(64) for _ in range(5)]
    values += [own.getrandbits(64) & own.getrandbits(64), own.getrandbits(bits // 2), -own.getrandbits(bits // 2)]
    return np.array([value & ((1 << bits) - 1) for value in values], UNSIGNED[type_])


@lru_cache(maxsize=256)
def telling(numbers: tuple[int, ...], type_: str) -> Vector:
    """Return values on which conditions differ that compare with numbers, or with such bits: single bits, and near numbers."""
    bits = BITS[type_]
    ones = [1 << place for place in range(bits)]
    values = {0, (1 << bits) - 1, *ones}
    for number in numbers:
        values.update({number - 1, number, number + 1, ~number, *(number ^ one for one in ones)})
    return np.array(sorted({value & ((1 << bits) - 1) for value in values}), UNSIGNED[type_])


class Shared(dict[Any, Any]):
    """Vectors of leaves, to which those of operators are added: for expressions whose parts stand in them many times."""


def evaluate(node: Any, vectors: Mapping[Any, Any], type_: str) -> Vector:
    """Return the vector of an integer expression where it stands for a value of a type.

    `vectors` has the vector, or the number, of each leaf that is no constant.  Raises NotSampledError.
    """
    known = vectors.get(node)
    if known is not None:
        if not isinstance(known, np.ndarray):
            return number(known, type_)
        return known if node.type else known.astype(UNSIGNED[type_], copy=False)  # an open number is as wide as is wanted
    if type(node) is Const:
        return number(node.value, type_)
    if type(node) is not Op:
        raise NotSampledError
    if type(vectors) is not Shared:
        return _operate(node, vectors, type_)
    found = vectors.get((node, type_))
    if found is None:
        found = vectors[node, type_] = _operate(node, vectors, type_)
    return found


def _operate(node: Op, vectors: Mapping[Any, Any], type_: str) -> Vector:
    if node.op in RELATIONS:
        return _relation(node, vectors, type_)
    if node.op == "SEL":
        return np.where(*_choice(node, vectors, node.type or type_))
    if len(node.args) == 1:
        return _unary(node, vectors, type_)
    operate = _OPERATORS.get(node.op) or (partial(_named, node.op) if node.op in NAMED else None)
    if operate is None or len(node.args) != 2 or (node.op in QUOTIENTS and not _may_be_shift(node.args[1])):
        raise NotSampledError
    wide = node.type or type_
    _integer(wide)
    a, b = evaluate(node.args[0], vectors, wide), evaluate(node.args[1], vectors, operand_type(node) or wide)
    if node.op in SHIFTS or node.op == "rotl":
        b = b.astype(a.dtype) & number(BITS[wide] - 1, wide)
    return operate(a, b, wide)


def _may_be_shift(divisor: Expr) -> bool:
    """Whether a quotient may be computed otherwise; by other numbers it is as dear to prove as seldom another operation."""
    if type(divisor) is Const:
        return divisor.value > 1 and divisor.value & divisor.value - 1 == 0
    return type(divisor) not in (Register, Op)  # a variable of an instruction


def number(value: int, type_: str) -> Any:
    """Return a number as a vector of one unsigned number of a type."""
    _integer(type_)
    return np.array([value & ((1 << BITS[type_]) - 1)], UNSIGNED[type_])


def _integer(type_: str) -> None:
    if type_ not in UNSIGNED:
        raise NotSampledError


def _signed(a: Any, type_: str) -> Any:
    return a.view(SIGNED[type_])


def _back(a: Any, type_: str) -> Any:
    return a.view(UNSIGNED[type_])


def _rotated(a: Any, b: Any, type_: str) -> Any:
    bits = BITS[type_]
    return (a << b) | (a >> ((number(bits, type_) - b) & number(bits - 1, type_)))


_OPERATORS: dict[str, Callable[[Any, Any, str], Any]] = {
    "+": lambda a, b, _: a + b,
    "-": lambda a, b, _: a - b,
    "*": lambda a, b, _: a * b,
    "&": lambda a, b, _: a & b,
    "|": lambda a, b, _: a | b,
    "^": lambda a, b, _: a ^ b,
    "<<": lambda a, b, _: a << b,
    ">>u": lambda a, b, _: a >> b,
    "rotl": _rotated,
    ">>": lambda a, b, type_: _back(_signed(a, type_) >> _signed(b, type_), type_),
}


def _divided(op: str, a: Any, b: Any, type_: str) -> Any:
    """Return quotients or remainders, 0 where the divisor is 0: that is a fault, which nothing else is proven to be."""
    return _each(lambda x, y: fold(op, BITS[type_], wrap(x, BITS[type_]), wrap(y, BITS[type_])) or 0, type_, a, b)


_OPERATORS.update((op, partial(_divided, op)) for op in QUOTIENTS)


def _named(op: str, a: Any, b: Any, type_: str) -> Any:
    return _each(lambda x, y: named(op, x, y, BITS[type_]), type_, a, b)


def _each(function: Callable[..., int], type_: str, *vectors: Any) -> Any:
    """Return the results of a function of numbers on each sample."""
    rows = zip(*(vector.tolist() for vector in np.broadcast_arrays(*vectors)), strict=True)
    return np.array([function(*row) & ((1 << BITS[type_]) - 1) for row in rows], UNSIGNED[type_])


_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _relation(node: Op, vectors: Mapping[Any, Any], type_: str) -> Any:
    wide = operand_type(node) or type_ or "B"  # truth values are 0 and 1 in any type
    _integer(wide)
    a, b = (evaluate(arg, vectors, wide) for arg in node.args)
    op = node.op.removesuffix("u")
    if op not in _RELATIONS:
        raise NotSampledError
    if op == node.op:
        a, b = _signed(a, wide), _signed(b, wide)
    truth = _RELATIONS[op](a, b)
    return truth.astype(UNSIGNED[type_]) if type_ in UNSIGNED else truth


def _choice(node: Op, vectors: Mapping[Any, Any], type_: str) -> tuple[Any, Any, Any]:
    condition, a, b = node.args
    truth = evaluate(condition, vectors, "")
    if type(condition) is Const or truth.dtype != np.bool_:
        raise NotSampledError
    return truth, evaluate(a, vectors, type_), evaluate(b, vectors, type_)


def _unary(node: Op, vectors: Mapping[Any, Any], type_: str) -> Any:
    (arg,) = node.args
    if node.op in ("sx", "zx", "tr", "bits"):
        held = arg.type
        if held not in UNSIGNED or node.type not in UNSIGNED:
            raise NotSampledError
        a = evaluate(arg, vectors, held)
        if node.op == "sx":
            return _back(_signed(a, held).astype(SIGNED[node.type]), node.type)
        return a.astype(UNSIGNED[node.type])
    wide = node.type or type_
    _integer(wide)
    a = evaluate(arg, vectors, wide)
    match node.op:
        case "neg":
            return ~a + number(1, wide)
        case "not":
            return ~a
        case "abs":
            return np.where(_signed(a, wide) < 0, ~a + number(1, wide), a)
        case op if op in COUNTS or op in REVERSALS:
            return _each(lambda value: of_bits(op, value, BITS[wide]), wide, a)
    raise NotSampledError
