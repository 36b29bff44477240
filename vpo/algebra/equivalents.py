"""What an expression consists of, and other notations of one value: a description may write an instruction in any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from vpo.algebra import apply, binary, reverse, select
from vpo.rtl import BITS, FLOAT_TYPES, INTEGER_TYPES, RELATIONS, SWAPPED, Const, Expr, Mem, Op, Set, Slot, Symbol

# ----------------------------------------------------------------------------------------------------------------------
# What an expression consists of: an address of what varies and an offset, a value of bits of others.


# ----------------------------------------------------------------------------------------------------------------------
# The parts of an address, what varies and a byte offset, and which cells lie side by side by them.


def split_address(address: Any) -> tuple[Any, int]:
    """Split an address into what varies and a byte offset."""
    if isinstance(address, Const):
        return None, address.value
    if isinstance(address, Symbol | Slot):
        return (type(address), address.name), address.offset
    if isinstance(address, Op) and address.op == "+":
        base, right = address.args
        inner, offset = split_address(right)
        if inner is None or isinstance(right, Symbol | Slot):
            return (base, inner), offset
    return (address, None), 0


def is_run(cells: Sequence[Mem]) -> bool:
    """Whether cells of one type lie side by side, in ascending order."""
    places = [split_address(cell.address) for cell in cells]
    size = BITS[cells[0].type] // 8
    return all(cell.type == cells[0].type for cell in cells) and all(
        a[0] == b[0] and a[1] + size == b[1] for a, b in pairwise(places)
    )


def are_adjacent(a: Set, b: Set) -> bool:
    """Whether two effects load, or store, cells that lie side by side."""
    sources = [unextended(effect.source) for effect in (a, b)]
    cells = [(e.target, s) if type(s) is Mem else (e.source, e.target) for e, s in zip((a, b), sources, strict=True)]
    (one, first), (other, second) = cells
    if type(first) is not Mem or type(second) is not Mem or type(one) is Mem or type(other) is Mem:
        return False
    if (type(a.target) is Mem) != (type(b.target) is Mem) or first.type != second.type:
        return False
    return is_run((first, second)) or is_run((second, first))


def unextended(source: Expr) -> Expr:
    """Return what an expression extends, if it does, even twice."""
    while type(source) is Op and source.op in ("sx", "zx"):
        (source,) = source.args
    return source


# ----------------------------------------------------------------------------------------------------------------------
# Where the bits of a value come from, if operators do nothing but move them: shifts, masks, extensions, joined parts.
#
#     (r[1]<<24)|(r[1]>>u8)        bits 24..31 are bits 0..7 of r[1], and bits 0..23 are its bits 8..31
#
# Two expressions with the same sources are the same value, however they are written.


Bit = tuple[Any, int] | None  # a leaf and the number of one of its bits; None: the bit is 0
Bits = tuple[Bit, ...]  # lowest first
Mixed = tuple[Any, ...]  # Bits, and sets of them where `^` takes several into one


def bit_sources(node: Expr, leaf: Callable[[Expr], Bits | None]) -> Bits | None:
    """Return the sources of the bits of an integer expression; None if operators make bits of others.

    `leaf` answers for what is no operator.
    """
    known: dict[Expr, Mixed | None] = {}  # of what is used more than once

    def of(node: Expr) -> Mixed | None:
        if node not in known:
            known[node] = _of_operator(node, of) if isinstance(node, Op) else leaf(node)
        return known[node]

    found = of(node)
    return None if found is not None and any(isinstance(bit, frozenset) for bit in found) else found


CONVERTS = frozenset(["zx", "sx", "tr", "brev", "bswap"])
MOVES = frozenset(["<<", "rotl", ">>u", ">>", "&"])  # by a number
JOINS = frozenset(["|", "^", "+"])


def _of_operator(node: Op, of: Callable[[Expr], Mixed | None]) -> Mixed | None:
    if node.type not in BITS or node.type in FLOAT_TYPES:
        return None
    second = node.args[1] if len(node.args) > 1 else None
    if node.op not in (CONVERTS if second is None else MOVES if isinstance(second, Const) else JOINS):
        return None
    size, first = BITS[node.type], of(node.args[0])
    if first is None:
        return None
    if second is None:
        return _converted(node.op, first, size)
    if isinstance(second, Const):
        return _with_constant(node.op, first, second.value, size)
    other = of(second)
    if other is None:
        return None
    return tuple(map(_differing, first, other)) if node.op == "^" else _joined(node.op, first, other)


def _converted(op: str, bits: Mixed, size: int) -> Mixed | None:
    """Return the bits of an extension or the low part."""
    match op:
        case "zx":
            return bits + (None,) * (size - len(bits))
        case "sx":
            return bits + bits[-1:] * (size - len(bits))
        case "tr":
            return bits[:size]
        case "brev":
            return bits[::-1]
        case "bswap":
            return tuple(bit for at in reversed(range(0, size, 8)) for bit in bits[at : at + 8])
    return None


def _with_constant(op: str, bits: Mixed, value: int, size: int) -> Mixed | None:
    """Return the bits of a shift by a number or of a mask."""
    match op:
        case "<<":
            return ((None,) * (value % size) + bits)[:size]
        case "rotl":
            return bits[-(value % size) :] + bits[: -(value % size)] if value % size else bits
        case ">>u":
            return bits[value % size :] + (None,) * (value % size)
        case ">>":
            return bits[value % size :] + bits[-1:] * (value % size)
        case "&":
            return tuple(bit if value >> place & 1 else None for place, bit in enumerate(bits))
    return None


def _differing(a: Any, b: Any) -> Any:
    """Return where two bits by `^` come from: a set where several go into one, of which others may take some away again."""
    if a is None or b is None:
        return a or b
    one, other = (bit if isinstance(bit, frozenset) else frozenset((bit,)) for bit in (a, b))
    found = one ^ other
    return found if len(found) > 1 else next(iter(found), None)


def _joined(op: str, a: Mixed, b: Mixed) -> Mixed | None:
    """Return the bits of two values that have none in common."""
    if len(a) != len(b) or any(x and y and (op != "|" or x != y) for x, y in zip(a, b, strict=True)):
        return None
    return tuple(x or y for x, y in zip(a, b, strict=True))


# ----------------------------------------------------------------------------------------------------------------------
# Other notations of one value: a description may write an instruction in any of them.
#
#     SEL(a<b,a,b)   SEL(b>a,a,b)   SEL(a>=b,b,a)   SEL(a<=b,a,b)            the smaller of two
#     SEL(a<0,neg(a),a)   SEL(a>=0,a,0-a)   abs(a)                           the absolute value
#     (a+b)<ua   (a+b)<ub   a>unot(b)                                        a carry
#     SEL(a<0,-8,7)   (a>>31)^7                                              one of two constants by the sign
#
# Each rule is exact for all values of the operands.  Operands that may be exchanged need no rule: patterns match both orders.
# A phase that wants a value asks for its notations and takes the first that is legal; `vpo.algebra` makes canonical what needs
# no such choice.


LIMIT = 512  # notations of one expression: two choices, one in the other, have some hundred
STRICT = {"<": "<=", ">": ">=", "<u": "<=u", ">u": ">=u"}
LOOSE = {loose: strict for strict, loose in STRICT.items()}
LESS = ("<", "<=", "<u", "<=u")


@lru_cache(maxsize=4096)
def equivalents(node: Expr) -> tuple[Expr, ...]:
    """Return expressions of the same value, the given one first, then those that fewest rules lead to."""
    found = {node: None}
    work = [node]
    for expression in work:
        for other in _neighbours(expression):
            if other not in found and len(found) < LIMIT:
                found[other] = None
                work.append(other)
    return tuple(found)


@lru_cache(maxsize=16384)
def _neighbours(node: Expr) -> tuple[Expr, ...]:
    """Return what one rule makes of an expression or one of its operands."""
    if not isinstance(node, Op):
        return ()
    below = (_with(node, place, other) for place, arg in enumerate(node.args) for other in _neighbours(arg))
    return *_here(node), *below


def _with(node: Op, place: int, arg: Expr) -> Expr:
    """Return an operator with another operand in one place."""
    args = (*node.args[:place], arg, *node.args[place + 1 :])
    return apply(node.op, node.type, args)


def _here(node: Op) -> Iterator[Expr]:
    """Yield other notations of an operator itself."""
    if node.op == "SEL":
        yield from _selects(node)
    elif node.op in RELATIONS:
        yield from _relations(node)
    if node.type in INTEGER_TYPES:
        yield from _sums(node)


def _sums(node: Op) -> Iterator[Expr]:
    """Yield other notations of negated values, differences and absolute values."""
    match node:
        case Op(op="neg", args=(a,)):
            yield Op("-", node.type, Const(0), a)
        case Op(op="-", args=(Const(value=0), a)):
            yield Op("neg", node.type, a)
        case Op(op="not", args=(a,)):
            yield Op("-", node.type, Const(-1), a)
        case Op(op="-", args=(Const(value=-1), a)):
            yield Op("not", node.type, a)
        case Op(op="-", args=(a, Op(op="*") as product)):
            yield Op("+", node.type, Op("neg", node.type, product), a)
        case Op(op="abs", args=(a,)):
            yield select(binary("<", a, Const(0)), Op("neg", node.type, a), a)
        case Op(op="^", args=(Op(op=">>", args=(a, Const(value=by))), Const(value=k))) if by == BITS[node.type] - 1:
            yield select(binary("<", a, Const(0)), Const(~k), Const(k))


def _is_integer(relation: Op) -> bool:
    types = {arg.type for arg in relation.args} - {""}
    return types <= set(INTEGER_TYPES)


def _relations(node: Op) -> Iterator[Expr]:
    """Yield other notations of a relation."""
    left, right = node.args
    if node.op in SWAPPED and not isinstance(right, Const):
        yield Op(SWAPPED[node.op], "", right, left)
    if not _is_integer(node):
        return
    if isinstance(right, Const) and left.type in BITS and (moved := next_number(node.op, right.value, BITS[left.type])):
        yield Op(moved[0], "", left, Const(moved[1]))
    match node:  # the sum of two unsigned numbers is too long
        case Op(op="<u", args=(Op(op="+", args=(a, b)) as total, c)) if c in (a, b):
            other = b if c is a else a
            yield Op("<u", "", total, other)
            yield Op(">u", "", c, Op("not", total.type, other))
        case Op(op=">u", args=(a, Op(op="not", args=(b,)))):
            yield Op("<u", "", Op("+", a.type, a, b), a)


def next_number(op: str, value: int, bits: int) -> tuple[str, int] | None:
    """Return a relation to the next constant that holds for the same numbers: x<10 is x<=9."""
    if op in STRICT:
        new, step = STRICT[op], -1 if op[0] == "<" else 1
    elif op in LOOSE:
        new, step = LOOSE[op], 1 if op[0] == "<" else -1
    else:
        return None
    least = 0 if op.endswith("u") else -(1 << bits - 1)
    moved = (value % (1 << bits) if least == 0 else value) + step
    if not least <= moved < least + (1 << bits):
        return None
    return new, moved if moved < 1 << bits - 1 else moved - (1 << bits)


def _selects(node: Op) -> Iterator[Expr]:
    """Yield other notations of a choice between two values."""
    condition, a, b = node.args
    assert isinstance(condition, Op)
    yield select(reverse(condition), b, a)
    if not _is_integer(condition):
        return  # of floating numbers, zeros and values that are no numbers are in the way
    turned = {**STRICT, **LOOSE}.get(condition.op)
    left, right = condition.args
    if turned and ({a, b} == {left, right} or (right is Const(0) and _are_opposite(a, b) and left in (a, b))):
        yield select(Op(turned, "", left, right), a, b)  # it does not matter what is chosen of two that are equal
    if right is Const(0) and condition.op in ("<", "<=") and b is left and _is_negative(a, left):
        yield Op("abs", node.type, left)
    match node:  # a number or its complement
        case Op(args=(Op(op="<", args=(x, Const(value=0))), Const(value=no), Const(value=k))) if no == ~k and x.type in BITS:
            sign = Op(">>", x.type, x, Const(BITS[x.type] - 1))
            yield Op("^", x.type, sign, b)
    yield from _clamps(node)


def _is_negative(a: Expr, b: Expr) -> bool:
    """Whether one expression is written as the negation of another."""
    match a:
        case Op(op="neg", args=(x,)) | Op(op="-", args=(Const(value=0), x)):
            return x is b
    match a, b:
        case Op(op="-", args=(x, y)), Op(op="-", args=(v, w)):
            return x is w and y is v
    return False


def _are_opposite(a: Expr, b: Expr) -> bool:
    return _is_negative(a, b) or _is_negative(b, a)


def _extreme(node: Expr) -> tuple[str, Expr, int] | None:
    """Return 'min' or 'max', the value and the constant if a node is the smaller or the greater of these."""
    match node:
        case Op(op="SEL", args=(Op(op=op, args=(x, Const(value=limit))), a, b)) if op in STRICT or op in LOOSE:
            if op.endswith("u") or x.type not in INTEGER_TYPES:
                return None
            less = op in LESS
            if (a, b) == (x, Const(limit)):
                return ("min" if less else "max"), x, limit
            if (a, b) == (Const(limit), x):
                return ("max" if less else "min"), x, limit
    return None


def _clamps(node: Op) -> Iterator[Expr]:
    """Yield other notations of a value brought between two constants."""
    match node:  # what the inner choice limits compares with the outer limit as it did before
        case Op(args=(Op(op=op, args=(x, Const() as limit)), Const() as a, b)) if a is limit:
            inner = _extreme(b)
            if inner is not None and inner[1] is x and _keeps(op, limit.value, inner):
                yield select(Op(op, "", b, limit), a, b)
    outer = _extreme(node)
    inner = _extreme(outer[1]) if outer is not None else None
    if outer is None or inner is None or outer[0] == inner[0]:
        return
    low, high = (inner[2], outer[2]) if outer[0] == "min" else (outer[2], inner[2])
    if low <= high:
        yield _choose(inner[0], _choose(outer[0], inner[1], outer[2]), inner[2])
        yield select(Op("<" if outer[0] == "max" else ">", "", inner[1], Const(outer[2])), Const(outer[2]), outer[1])


def _keeps(op: str, limit: int, inner: tuple[str, Expr, int]) -> bool:
    """Whether a value is beyond a limit exactly if it is so after having been limited from the other side."""
    if op in ("<", "<="):
        return inner[0] == "min" and inner[2] >= limit
    return op in (">", ">=") and inner[0] == "max" and inner[2] <= limit


def _choose(which: str, x: Expr, limit: int) -> Expr:
    return select(Op("<" if which == "min" else ">", "", x, Const(limit)), x, Const(limit))
