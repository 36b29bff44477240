"""Proofs that two expressions of integers are the same value whatever their registers hold.

Both become terms of bit vectors, and a solver looks for values that tell them apart (Niemetz and Preiner, "Bitwuzla", CAV
2023).  Solvers are slow on multipliers, so products of two values that both vary are a function of which only is known that
factors may be exchanged, negated and shifted, and which are its low and its high half, with signs and without.  Functions of
one register have decision diagrams first, which are small where bits are counted and solvers slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from typing import Any

from vpo.algebra.bit_proof import Proof
from vpo.algebra.building import binary, operand_type, unary
from vpo.rtl import (
    BITS,
    COUNTS,
    HIGH_PRODUCTS,
    INTEGER_TYPES,
    RELATIONS,
    REVERSALS,
    SHIFTS,
    Const,
    Expr,
    Op,
    Register,
    distinct_parts,
)  # fmt: skip

STEPS = 250_000  # of the solver for one proof, some seconds: counted, so that no other load decides what is proven
SUMMANDS = 16  # in the product of two sums
LARGEST = 256  # parts of an expression that are looked at
MILLISECONDS = 120_000  # should it take none
NARROWER = {"W": "B", "L": "W", "Q": "L"}  # the type of the factors of a whole product


class _NotProvableError(Exception):
    """An expression has operators that there are no terms for."""


@lru_cache(maxsize=65536)
def are_equal(a: Expr, b: Expr, type_: str) -> bool:
    """Whether it is proven that two expressions have the same value where they stand for one of a type ('': truth values)."""
    if a is b:
        return True
    registers = {*a.uses, *b.uses}
    if len(registers) == 1 and type_ and Proof(next(iter(registers)), _undefined).equal(a, b, type_):
        return True
    try:
        return _Proof().succeeds(a, b, type_) or (_multiplies_sums(a, b) and _Proof(expands=True).succeeds(a, b, type_))
    except _NotProvableError:
        return False
    except ImportError:  # as in a browser: without the solver, diagrams prove less, no products of two registers
        integers = all(register.type in INTEGER_TYPES for register in registers)
        return bool(registers) and integers and _in_diagrams(registers).equal(a, b, type_)


def _in_diagrams(registers: Iterable[Register]) -> Proof:
    """Return what proves by diagrams of all bits of registers."""
    first, *more = sorted(registers, key=lambda register: (register.cls, register.index))
    return Proof(first, _undefined, *more)


def _undefined(register: Register) -> None:
    """Tell that nothing is known of a register."""


class _Proof:
    """Terms of one proof.  `expands`: products of sums are sums of products, `(a-b)*c+b*c` is `a*c`; less is known of each."""

    def __init__(self, expands: bool = False) -> None:
        import bitwuzla  # loaded when the first proof is wanted: most compilations want none

        self.solver, self.kind = bitwuzla, bitwuzla.Kind
        self.terms = bitwuzla.TermManager()
        self.expands = expands
        self.known: dict[tuple[Expr, str], Any] = {}  # the terms of what is used more than once
        self.products: dict[str, Any] = {}  # a function for each type
        self.multiplied: set[str] = set()  # types of factors, so that whole products are made of the same products
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.TIME_LIMIT_PER, MILLISECONDS)
        self.checker = bitwuzla.Bitwuzla(self.terms, options)
        self.steps = 0
        self.checker.configure_terminator(self._has_ended)

    def _has_ended(self) -> bool:
        """Count a step of the solver; return whether it has had enough of them."""
        self.steps += 1
        return self.steps > STEPS

    def succeeds(self, a: Expr, b: Expr, type_: str) -> bool:
        """Whether no values tell two expressions apart."""
        self.multiplied = _multiplied(a, b)
        first, second = (self._truth(node) if type_ == "" else self.term(node, type_) for node in (a, b))
        self.checker.assert_formula(self.terms.mk_term(self.kind.DISTINCT, [first, second]))
        return bool(self.checker.check_sat() == self.solver.Result.UNSAT)

    def _make(self, kind: Any, *args: Any, indices: tuple[int, ...] = ()) -> Any:
        return self.terms.mk_term(kind, list(args), list(indices))

    def _number(self, value: int, bits: int) -> Any:
        return self.terms.mk_bv_value(self.terms.mk_bv_sort(bits), value & ((1 << bits) - 1))

    def term(self, node: Expr, type_: str) -> Any:
        """Return the term of an expression where it stands for a value of a type."""
        if type_ not in INTEGER_TYPES:
            raise _NotProvableError
        key = (node, node.type if isinstance(node, Register) else type_)
        if (known := self.known.get(key)) is None:
            known = self.known[key] = self._new_term(node, type_)
        return known

    def _new_term(self, node: Expr, type_: str) -> Any:
        match node:
            case Const(value=value):
                return self._number(value, BITS[type_])
            case Register():
                if node.type not in INTEGER_TYPES:
                    raise _NotProvableError
                return self.terms.mk_const(self.terms.mk_bv_sort(BITS[node.type]))
            case Op(op=op) if op in RELATIONS:
                bits = BITS[type_]
                return self._make(self.kind.ITE, self._truth(node), self._number(1, bits), self._number(0, bits))
            case Op(op="SEL", args=(condition, a, b)):
                wide = node.type or type_
                return self._make(self.kind.ITE, self._truth(condition), self.term(a, wide), self.term(b, wide))
            case Op(args=(a,)):
                return self._unary(node, a, type_)
            case Op(op="/" | "%" | "/u" | "%u", args=(a, Const(value=divisor))) if divisor > 1 and divisor & divisor - 1 == 0:
                return self.term(_divided(node, a, divisor.bit_length() - 1, node.type or type_), type_)
            case Op(op=op, args=(a, b)) if op in _BINARY or op in HIGH_PRODUCTS or op == "rotl":
                return self._binary(node, a, b, node.type or type_)
        raise _NotProvableError

    def _binary(self, node: Op, a: Expr, b: Expr, wide: str) -> Any:
        first, second = self.term(a, wide), self.term(b, operand_type(node) or wide)
        if node.op in SHIFTS:
            second = self._make(self.kind.BV_AND, self._resized(second, BITS[wide]), self._number(BITS[wide] - 1, BITS[wide]))
        if node.op == "rotl":
            distance = self._make(
                self.kind.BV_AND, self._resized(second, BITS[wide]), self._number(BITS[wide] - 1, BITS[wide])
            )
            return self._make(self.kind.BV_ROL, first, distance)
        if node.op in HIGH_PRODUCTS:
            bits, signs = BITS[wide], HIGH_PRODUCTS[node.op]
            return self._make(self.kind.BV_EXTRACT, self._whole(wide, (first, signs[0]), (second, signs[1])),
                              indices=(2 * bits - 1, bits))  # fmt: skip
        if node.op == "*" and not first.is_value() and not second.is_value():
            expanded = self._expanded_product(a, b, wide) if self.expands else None
            return expanded or self._chosen_product(node, wide) or self._wide_product(a, b, wide) or self._product(a, b, wide)
        return self._make(getattr(self.kind, _BINARY[node.op]), first, second)

    def _chosen_product(self, node: Op, wide: str) -> Any:
        """Return a product one factor of which is chosen from a few numbers, as a choice between products."""
        for factor, other in (node.args, node.args[::-1]):
            found = self._times_number(factor, self.term(other, wide), wide)
            if found is not None:
                return found
        return None

    def _times_number(self, factor: Expr, term: Any, wide: str) -> Any:
        """Return the product of a term and what conditions choose from numbers; None if a factor is anything else."""
        match factor:
            case Const():
                return self._make(self.kind.BV_MUL, term, self.term(factor, wide))
            case Op(op=op) if op in RELATIONS:
                return self._make(self.kind.ITE, self._truth(factor), term, self._number(0, BITS[wide]))
            case Op(op=">>", args=(value, Const(value=by))) if by == BITS[wide] - 1:  # 0 or -1, by a sign
                negative = self._make(self.kind.BV_SLT, self.term(value, wide), self._number(0, BITS[wide]))
                return self._make(self.kind.ITE, negative, self._make(self.kind.BV_NEG, term), self._number(0, BITS[wide]))
            case Op(op="neg" | "+" | "-" | "SEL" as op, type=type_) if type_ in ("", wide):
                *conditions, parts = (factor.args[:-2], factor.args[-2:]) if op == "SEL" else (factor.args,)
                products = [self._times_number(part, term, wide) for part in parts]
                if any(product is None for product in products):
                    return None
                if op == "SEL":
                    return self._make(self.kind.ITE, self._truth(*conditions[0]), *products)
                return self._make(self.kind.BV_NEG if op == "neg" else getattr(self.kind, _BINARY[op]), *products)
        return None

    def _expanded_product(self, a: Expr, b: Expr, wide: str) -> Any:
        """Return the product of sums as a sum of products; None if neither factor is a sum, or that takes many."""
        first, second = (list(islice(_summands(factor, wide), SUMMANDS + 1)) for factor in (a, b))
        if not 1 < len(first) * len(second) <= SUMMANDS:
            return None
        total = self._number(0, BITS[wide])
        for (negative, x), (other, y) in product(first, second):
            terms = self.term(x, wide), self.term(y, wide)
            varies = not any(term.is_value() for term in terms)
            part = self._product(x, y, wide) if varies else self._make(self.kind.BV_MUL, *terms)
            total = self._make(self.kind.BV_SUB if negative != other else self.kind.BV_ADD, total, part)
        return total

    def _product(self, a: Expr, b: Expr, wide: str) -> Any:
        """Return the product of two values that vary, with the signs and shifts of factors applied to it."""
        (negative, distance, first), (other, more, second) = _factor(a), _factor(b)
        whole = self._applied(wide, self.term(first, wide), self.term(second, wide))
        most = _most(first, wide) * _most(second, wide)
        if most < 1 << BITS[wide]:
            self.checker.assert_formula(self._make(self.kind.BV_ULE, whole, self._number(most, 2 * BITS[wide])))
        result = self._make(self.kind.BV_EXTRACT, whole, indices=(BITS[wide] - 1, 0))
        self._limit(result, first, second, wide)
        if distance + more:
            result = self._make(self.kind.BV_SHL, result, self._number(distance + more, BITS[wide]))
        return self._make(self.kind.BV_NEG, result) if negative != other else result

    def _limit(self, product: Any, a: Expr, b: Expr, wide: str) -> None:
        """State between which numbers with signs a product of a type is, if its factors are so small that it fits."""
        ends = [x * y for x in _range(a, wide) for y in _range(b, wide)]
        bits = BITS[wide]
        if -(1 << bits - 1) < min(ends) and max(ends) < 1 << bits - 1:
            for relation, end in ((self.kind.BV_SGE, min(ends)), (self.kind.BV_SLE, max(ends))):
                self.checker.assert_formula(self._make(relation, product, self._number(end, bits)))

    def _wide_product(self, a: Expr, b: Expr, wide: str) -> Any:
        """Return the product of numbers of half the bits, if there are other products of these, which are its parts."""
        half = NARROWER.get(wide, "")
        if half not in self.multiplied or not isinstance(a, Op) or not isinstance(b, Op):
            return None
        factors = [self._narrow_factor(x, half) for x in (a, b) if x.op in ("sx", "zx") and BITS[x.args[0].type] <= BITS[half]]
        return self._whole(half, factors[0], factors[1]) if len(factors) == 2 else None

    def _narrow_factor(self, extension: Op, half: str) -> tuple[Any, str]:
        """Return the term of a type that an expression extends, perhaps from a narrower one, and how it does."""
        (inner,) = extension.args
        term = self.term(inner, inner.type)
        more = BITS[half] - BITS[inner.type]
        if not more:
            return term, extension.op
        kind = self.kind.BV_SIGN_EXTEND if extension.op == "sx" else self.kind.BV_ZERO_EXTEND
        return self._make(kind, term, indices=(more,)), "sx"

    def _whole(self, type_: str, a: tuple[Any, str], b: tuple[Any, str]) -> Any:
        """Return the whole product of two terms of a type, each with a sign ('sx') or without ('zx')."""
        bits = BITS[type_]
        result = self._applied(type_, a[0], b[0])
        for (term, sign), (other, _) in ((a, b), (b, a)):
            if sign == "sx":  # it is less by 2 ** bits than it is without a sign, if it is negative
                less = self._make(self.kind.BV_CONCAT, other, self._number(0, bits))
                negative = self._make(self.kind.BV_SLT, term, self._number(0, bits))
                rest = self._make(self.kind.BV_SUB, result, less)
                result = self._make(self.kind.ITE, negative, rest, result)
        return result

    def _applied(self, type_: str, a: Any, b: Any) -> Any:
        """Return the whole product of two terms without signs, of which nothing else is known than that they commute."""
        swapped = self._make(self.kind.BV_UGT, a, b)
        a, b = self._make(self.kind.ITE, swapped, b, a), self._make(self.kind.ITE, swapped, a, b)
        if type_ not in self.products:
            sort, whole = (self.terms.mk_bv_sort(bits) for bits in (BITS[type_], 2 * BITS[type_]))
            self.products[type_] = self.terms.mk_const(self.terms.mk_fun_sort([sort, sort], whole))
        return self._make(self.kind.APPLY, self.products[type_], a, b)

    def _resized(self, term: Any, bits: int) -> Any:
        """Return the low bits of a term, or the term with zeros in front."""
        held = term.sort().bv_size()
        if held > bits:
            return self._make(self.kind.BV_EXTRACT, term, indices=(bits - 1, 0))
        return self._make(self.kind.BV_ZERO_EXTEND, term, indices=(bits - held,)) if held < bits else term

    def _unary(self, node: Op, a: Expr, type_: str) -> Any:
        bits = BITS.get(node.type or type_, 0)
        match node.op:
            case "tr" if isinstance(a, Op) and a.op in _FROM_BELOW and a.type in INTEGER_TYPES:
                left, right = (unary("tr", node.type, arg) for arg in a.args)
                return self.term(binary(a.op, left, right, node.type), node.type)
            case "tr" if isinstance(a, Op) and a.op in ("neg", "not") and a.type in INTEGER_TYPES:
                return self.term(unary(a.op, node.type, unary("tr", node.type, a.args[0])), node.type)
            case "sx" | "zx" | "tr" | "bits":
                inner = self.term(a, a.type)
                held = inner.sort().bv_size()
                if node.op == "sx" and held < bits:
                    return self._make(self.kind.BV_SIGN_EXTEND, inner, indices=(bits - held,))
                return self._resized(inner, bits)
            case "neg":
                return self._make(self.kind.BV_NEG, self.term(a, node.type or type_))
            case "not":
                return self._make(self.kind.BV_NOT, self.term(a, node.type or type_))
            case "abs":
                value = self.term(a, node.type or type_)
                negative = self._make(self.kind.BV_SLT, value, self._number(0, bits))
                return self._make(self.kind.ITE, negative, self._make(self.kind.BV_NEG, value), value)
            case op if op in COUNTS or op in REVERSALS:
                return self._counted(op, self.term(a, node.type or type_))
        raise _NotProvableError

    def _counted(self, op: str, value: Any) -> Any:
        """Return how many bits of a term are 1, or 0 at one of its ends, or the term with its bits or bytes reversed."""
        bits = value.sort().bv_size()
        if op in REVERSALS:
            step = 8 if op == "bswap" else 1
            parts = [self._make(self.kind.BV_EXTRACT, value, indices=(low + step - 1, low)) for low in range(0, bits, step)]
            return self._make(self.kind.BV_CONCAT, *parts)
        places = range(bits) if op != "ctz" else reversed(range(bits))
        result = self._number(0 if op == "popcount" else bits, bits)
        for place in places:
            bit = self._make(self.kind.BV_EXTRACT, value, indices=(place, place))
            if op == "popcount":
                result = self._make(self.kind.BV_ADD, result, self._make(self.kind.BV_ZERO_EXTEND, bit, indices=(bits - 1,)))
            else:
                is_set = self._make(self.kind.EQUAL, bit, self._number(1, 1))
                count = self._number(bits - 1 - place if op == "clz" else place, bits)
                result = self._make(self.kind.ITE, is_set, count, result)
        return result

    def _truth(self, node: Expr) -> Any:
        """Return the formula of a relation."""
        if not isinstance(node, Op) or node.op not in _RELATIONS:
            raise _NotProvableError
        wide = operand_type(node) or "B"  # truth values are 0 and 1 in any type
        a, b = (self.term(arg, wide) for arg in node.args)
        return self._make(getattr(self.kind, _RELATIONS[node.op]), a, b)


def _multiplied(*expressions: Expr) -> set[str]:
    """Return the types in which expressions multiply, and those from which they extend factors with signs and without."""
    work, seen, types, extended = list(expressions), set[Expr](), set[str](), set[tuple[str, str]]()
    while work:
        node = work.pop()
        if isinstance(node, Op) and node not in seen:
            seen.add(node)
            work += node.args
            if node.op == "*" or node.op in HIGH_PRODUCTS:
                types.add(node.type)
                extended.update((x.op, x.args[0].type) for x in node.args if isinstance(x, Op) and x.op in ("sx", "zx"))
    return types | {type_ for op, type_ in extended if op == "sx" and ("zx", type_) in extended}


def _divided(node: Op, a: Expr, distance: int, type_: str) -> Expr:
    """Return a quotient by a power of 2, or its remainder, by shifts."""
    if node.op.endswith("u"):
        moved = Op(">>u", type_, a, Const(distance))
    else:
        sign = Op(">>u", type_, Op(">>", type_, a, Const(BITS[type_] - 1)), Const(BITS[type_] - distance))
        moved = Op(">>", type_, Op("+", type_, a, sign), Const(distance))
    return moved if node.op[0] == "/" else Op("-", type_, a, Op("<<", type_, moved, Const(distance)))


def _multiplies_sums(*expressions: Expr) -> bool:
    """Whether a factor in one of some expressions may be a sum."""
    nodes = [node for each in expressions for node in distinct_parts(each, LARGEST) if isinstance(node, Op)]
    varies = any(node.op == "*" and not any(isinstance(factor, Const) for factor in node.args) for node in nodes)
    return varies and any(node.op in ("+", "-") for node in nodes)


def _summands(node: Expr, type_: str, negative: bool = False) -> Iterator[tuple[bool, Expr]]:
    """Yield what is added to a value of a type, and whether it is subtracted."""
    match node:
        case Op(op="+" | "-" as op, args=(a, b)) if node.type in ("", type_):
            yield from _summands(a, type_, negative)
            yield from _summands(b, type_, negative != (op == "-"))
        case Op(op="tr", args=(Op(op="+" | "-" as op, args=parts),)) if node.type == type_:
            yield from _summands(Op(op, type_, *(unary("tr", type_, part) for part in parts)), type_, negative)
        case _:
            yield negative, node


def _most(node: Expr, type_: str) -> int:
    """Return the greatest number without a sign that an expression of a type may be, as far as it shows."""
    match node:
        case Op(op="zx", args=(inner,)) if inner.type in INTEGER_TYPES:
            return (1 << BITS[inner.type]) - 1
        case Op(op="&", args=(_, Const(value=mask))) if mask >= 0:
            return mask
    return (1 << BITS[type_]) - 1


def _range(node: Expr, type_: str) -> tuple[int, int]:
    """Return the least and the greatest number with a sign that an expression of a type may be, as far as it shows."""
    half = 1 << BITS[type_] - 1
    match node:
        case Op(op="sx", args=(inner,)) if inner.type in INTEGER_TYPES:
            return _range(inner, inner.type)
        case Op(op="tr", args=(inner,)) if inner.type in INTEGER_TYPES:
            least, most = _range(inner, inner.type)
            if -half <= least and most < half:
                return least, most
        case Op(op=">>", args=(inner, Const(value=by))) if 0 <= by < BITS[type_]:
            least, most = _range(inner, type_)
            return least >> by, most >> by
        case Op(op=">>u", args=(_, Const(value=by))) if 0 < by < BITS[type_]:
            return 0, (2 * half - 1) >> by
        case _ if (most := _most(node, type_)) < half:
            return 0, most
    return -half, half - 1


def _factor(node: Expr) -> tuple[bool, int, Expr]:
    """Return whether a factor is negated, how far it is shifted to the left, and what of."""
    negative, distance = False, 0
    while True:
        match node:
            case Op(op="neg", args=(inner,)) | Op(op="-", args=(Const(value=0), inner)):
                negative, node = not negative, inner
            case Op(op="tr", args=(Op(op="-" | "neg" as op, args=parts),), type=type_):
                node = Op(op, type_, *(unary("tr", type_, part) for part in parts))
            case Op(op="-", args=(a, b), type=type_) if type(a) is not Const and type(b) is not Const and repr(b) < repr(a):
                negative, node = not negative, Op("-", type_, b, a)
            case Op(op="<<", args=(inner, Const(value=by)), type=type_) if distance + by < BITS.get(type_, 0):
                distance, node = distance + by, inner
            case _:
                return negative, distance, node


_FROM_BELOW = frozenset(["+", "-", "*", "&", "|", "^"])  # the low bits of the result are those of the low bits of operands
_BINARY = {
    "+": "BV_ADD",
    "-": "BV_SUB",
    "*": "BV_MUL",
    "&": "BV_AND",
    "|": "BV_OR",
    "^": "BV_XOR",
    "<<": "BV_SHL",
    ">>": "BV_ASHR",
    ">>u": "BV_SHR",
}
_RELATIONS = {
    "==": "EQUAL",
    "!=": "DISTINCT",
    "<": "BV_SLT",
    "<=": "BV_SLE",
    ">": "BV_SGT",
    ">=": "BV_SGE",
    "<u": "BV_ULT",
    "<=u": "BV_ULE",
    ">u": "BV_UGT",
    ">=u": "BV_UGE",
}
