"""Values as functions of registers, fields of the encoding and memory: terms of any width, simplified as they are built.

A term has `width` bits and no sign.  What is known of it is used at once, so that loops over constants and conditions that
follow from the machine leave nothing behind.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ease.exchange.trees import TooMuch

LARGEST = 250  # operators of a term: no instruction is used that computes more


@dataclass(frozen=True, slots=True)
class Term:
    """An operator with its operands; `value` is a number, or the first bit that an extract takes, `name` a field."""

    op: str
    width: int
    args: tuple[Term, ...] = ()
    value: int = 0
    name: str = ""
    size: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        size = 1 + sum(arg.size for arg in self.args)
        if size > LARGEST:
            raise TooMuch("it computes too much for one RTL")
        object.__setattr__(self, "size", size)

    @property
    def is_const(self) -> bool:
        """Whether it is a number."""
        return self.op == "const"


def mask(width: int) -> int:
    """Return the number of ones."""
    return (1 << width) - 1


def signed_value(value: int, width: int) -> int:
    """Return a number of so many bits with its sign."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


def const(value: int, width: int) -> Term:
    """Return a number."""
    return Term("const", width, value=value & mask(width))


def maximum(term: Term) -> int:
    """Return a bound of the values of a term."""
    match term.op:
        case "const":
            return term.value
        case "zext":
            return maximum(term.args[0])
        case "and":
            return min(map(maximum, term.args))
        case "add":
            return min(mask(term.width), sum(map(maximum, term.args)))
        case "shl" if term.args[1].is_const:
            return min(mask(term.width), maximum(term.args[0]) << term.args[1].value)
        case "shr" if term.args[1].is_const:
            return maximum(term.args[0]) >> term.args[1].value
        case "ite":
            return max(maximum(term.args[1]), maximum(term.args[2]))
        case "clz" | "ctz" | "popcount":
            return term.args[0].width
        case "divu":
            return maximum(term.args[0]) // max(1, term.args[1].value) if term.args[1].is_const else mask(term.width)
    return mask(term.width)


# ----------------------------------------------------------------------------------------------------------------------
# Bits moved about.


def extract(term: Term, high: int, low: int) -> Term:
    """Return the bits of a term from `high` down to `low`."""
    width = high - low + 1
    if low == 0 and width == term.width:
        return term
    match term.op:
        case "const":
            return const(term.value >> low, width)
        case "extract":
            return extract(term.args[0], high + term.value, low + term.value)
        case "zext" | "sext":
            return _of_extended(term, high, low, width)
        case "concat":
            upper, lower = term.args
            if low >= lower.width:
                return extract(upper, high - lower.width, low - lower.width)
            if high < lower.width:
                return extract(lower, high, low)
            return concat(extract(upper, high - lower.width, 0), extract(lower, lower.width - 1, low))
        case "add" | "sub" | "mul" | "neg" if low == 0:
            return make(term.op, width, *(extract(arg, width - 1, 0) for arg in term.args))
        case "and" | "or" | "xor" | "not":
            return make(term.op, width, *(extract(arg, high, low) for arg in term.args))
        case "ite":
            return ite(term.args[0], extract(term.args[1], high, low), extract(term.args[2], high, low))
        case "shl" if term.args[1].is_const:
            by = term.args[1].value
            if low >= by:
                return extract(term.args[0], high - by, low - by)
            if high < by:
                return const(0, width)
            return concat(extract(term.args[0], high - by, 0), const(0, by - low))
        case "shl" if low == 0 and maximum(term.args[1]) < width:
            return make("shl", width, extract(term.args[0], width - 1, 0), term.args[1])
        case "shr" if term.args[1].is_const and high + term.args[1].value < term.width:
            return extract(term.args[0], high + term.args[1].value, low + term.args[1].value)
    if maximum(term) >> low == 0:
        return const(0, width)
    return Term("extract", width, (term,), low)


def _of_extended(term: Term, high: int, low: int, width: int) -> Term:
    (inner,) = term.args
    if high < inner.width:
        return extract(inner, high, low)
    if low >= inner.width:
        return const(0, width) if term.op == "zext" else extend(extract(inner, inner.width - 1, inner.width - 1), width, True)
    return extend(extract(inner, inner.width - 1, low), width, term.op == "sext")


def extend(term: Term, width: int, signed: bool) -> Term:
    """Return a term with more bits, or fewer."""
    if width <= term.width:
        return extract(term, width - 1, 0)
    if term.is_const:
        return const(signed_value(term.value, term.width) if signed else term.value, width)
    if term.op == "zext" or (signed and term.op == "sext"):
        return Term(term.op, width, term.args)
    return Term("sext" if signed else "zext", width, (term,))


def concat(upper: Term, lower: Term) -> Term:
    """Return the bits of two terms side by side."""
    width = upper.width + lower.width
    if upper.is_const and lower.is_const:
        return const(upper.value << lower.width | lower.value, width)
    if upper.is_const and upper.value == 0:
        return extend(lower, width, False)
    sign = extract(lower, lower.width - 1, lower.width - 1)
    if upper == sign or (upper.op == "sext" and upper.args[0] == sign):
        return extend(lower, width, True)
    if upper.op == lower.op == "extract" and upper.args == lower.args and upper.value == lower.value + lower.width:
        return extract(upper.args[0], upper.value + upper.width - 1, lower.value)
    if lower.op == "concat":
        joined = concat(upper, lower.args[0])
        if joined.op != "concat":
            return concat(joined, lower.args[1])
    return Term("concat", width, (upper, lower))


def repeat(times: int, part: Term) -> Term:
    """Return a term many times side by side."""
    if part.width == 1 and not part.is_const:
        return extend(part, times, True)
    result = part
    for _ in range(times - 1):
        result = concat(result, part)
    return result


# ----------------------------------------------------------------------------------------------------------------------
# Operators.


def _number(op: str, width: int, values: list[int], widths: list[int]) -> int | None:
    a, b = (values * 2)[:2]
    signed_a, signed_b = signed_value(a, widths[0]), signed_value(b, widths[-1])
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "not":
            return ~a
        case "neg":
            return -a
        case "shl":
            return a << b if b < width else 0
        case "shr":
            return a >> b
        case "sar":
            return signed_a >> min(b, width)
        case "divu" if b:
            return a // b
        case "remu" if b:
            return a % b
        case "eq":
            return int(a == b)
        case "ltu":
            return int(a < b)
        case "lts":
            return int(signed_a < signed_b)
        case "clz":
            return widths[0] - a.bit_length()
        case "ctz":
            return (a & -a).bit_length() - 1 if a else widths[0]
        case "popcount":
            return a.bit_count()
    return None


def make(op: str, width: int, *args: Term) -> Term:
    """Return an operator with operands of one width (but for the distances of shifts)."""
    if all(arg.is_const for arg in args):
        value = _number(op, width, [arg.value for arg in args], [arg.width for arg in args])
        if value is not None:
            return const(value, width)
    return _simpler(op, width, args) or Term(op, width, args)


def _simpler(op: str, width: int, args: tuple[Term, ...]) -> Term | None:
    a, b = (args * 2)[:2]
    match op:
        case "add" | "or" | "xor" | "sub" | "shl" | "shr" | "sar" if b.is_const and b.value == 0:
            return a
        case "add" | "or" | "xor" if a.is_const and a.value == 0:
            return b
        case "add" if a.is_const:
            return make("add", width, b, a)
        case "add" if b.is_const and a.op == "add" and a.args[1].is_const:
            return make("add", width, a.args[0], const(a.args[1].value + b.value, width))
        case "sub" if b.is_const:
            return make("add", width, a, const(-b.value, width))
        case "sub" if a.is_const and b.op == "sub" and b.args[0].is_const:
            return make("add", width, b.args[1], const(a.value - b.args[0].value, width))
        case "and" if (b.is_const and b.value == 0) or (a.is_const and a.value == 0):
            return const(0, width)
        case "and" if a.is_const:
            return make("and", width, b, a)
        case "and" if b.is_const and b.value == mask(b.value.bit_length()):
            return a if maximum(a) <= b.value else extend(extract(a, b.value.bit_length() - 1, 0), width, False)
        case "or" if (b.is_const and b.value == mask(width)) or (a.is_const and a.value == mask(width)):
            return const(-1, width)
        case "xor" if b.is_const and b.value == mask(width):
            return make("not", width, a)
        case "not" if a.op == "not":
            return a.args[0]
        case "mul" if b.is_const and b.value in (0, 1):
            return a if b.value else b
        case "remu" if b.is_const and maximum(a) < b.value:
            return a
        case "shl" | "shr" if b.is_const and b.value >= width:
            return const(0, width)
        case "eq" | "ltu" | "lts":
            return _simpler_relation(op, a, b)
    return None


def _simpler_relation(op: str, a: Term, b: Term) -> Term | None:
    if a == b:
        return const(op == "eq", 1)
    if op == "eq" and a.is_const:
        return make("eq", 1, b, a)
    if op == "eq" and b.is_const:
        if b.value > maximum(a):
            return const(0, 1)
        if a.width == 1:
            return a if b.value else make("not", 1, a)
    if (op == "ltu" and b.is_const and maximum(a) < b.value) or (op == "ltu" and a.is_const and a.value == mask(a.width)):
        return const(maximum(a) < b.value, 1)
    if op == "ltu" and a.is_const and a.value >= maximum(b):
        return const(0, 1)
    if a.op == b.op == "zext" and a.args[0].width == b.args[0].width and op != "lts":
        return make(op, 1, a.args[0], b.args[0])
    if a.op == b.op == "sext" and a.args[0].width == b.args[0].width:
        return make(op, 1, a.args[0], b.args[0])
    return None


def ite(condition: Term, yes: Term, no: Term) -> Term:
    """Return one of two terms."""
    if condition.is_const:
        return yes if condition.value else no
    if yes == no:
        return yes
    if yes.width == 1 and yes.is_const and no.is_const:
        return condition if yes.value else make("not", 1, condition)
    if yes.width == 1 and no.is_const and not no.value:
        return make("and", 1, condition, yes)
    if yes.is_const and no.is_const and {yes.value, no.value} == {0, 1}:
        return extend(condition if yes.value else make("not", 1, condition), yes.width, False)
    if condition.op == "not":
        return ite(condition.args[0], no, yes)
    return Term("ite", yes.width, (condition, yes, no))
