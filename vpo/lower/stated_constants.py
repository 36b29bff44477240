"""Constants and addresses that no single instruction states: from halves, a literal pool, or parts of their bits."""

from __future__ import annotations

from vpo.algebra import binary, set_
from vpo.lower.code import Code
from vpo.rtl import BITS, PART, Const, Expr, Half, Mem, Register, Rtl, Set, Slot, Symbol, expressions_read, subexpressions
from vpo.rtl.function import FAR

# ----------------------------------------------------------------------------------------------------------------------
# Addresses put together of parts of their bits, on machines that state neither them nor their halves.
#
# r[5]=_sum;     =>     r[6]=PART22_11[_sum]; r[7]=r[6]<<11; r[8]=r[7]+PART11_11[_sum]; r[9]=r[8]<<11;
# r[5]=r[9]+PART0_11[_sum];
#
# The parts are as wide as the numbers that the machine states.


WIDEST, NARROWEST = 16, 4  # bits of a part
C_OBJECTS = ("local", "incoming")  # kinds of slots to which pointers may point


def state_by_parts(code: Code, target: Register, source: Symbol | Slot) -> bool:
    """Emit target=source for an address, or for a place in the frame, as its distance from the stack pointer.

    Returns False if the machine states no parts, or if the place is a cell that phases know to be reached by its name alone.
    """
    slot = code.function.slots.get(source.name) if isinstance(source, Slot) else None
    if slot is not None and slot.kind not in C_OBJECTS:
        return False
    key = "width of address parts"
    if key not in code.plans.found:
        code.plans.found[key] = _width(code)
    width: int = code.plans.found[key]
    if not width:
        return False
    high, *lower = reversed(range(0, _bits(code, source), width))
    value = _first(code, _part(source, high, width))
    for low in lower:
        shifted = code.operate("<<", value, Const(width), code.integer)
        value = code.operate("+", shifted, _part(source, low, width), code.integer)
    code.move(target, value)
    return True


def has_parts(rtl: Rtl) -> bool:
    """Whether an RTL has a part of an address."""
    nodes = (node for effect in rtl.effects for root in expressions_read(effect) for node in subexpressions(root))
    return any(isinstance(node, Half) and node.part is not None for node in nodes)


def _part(source: Expr, low: int, bits: int) -> Half:
    return Half(f"{PART}{low}_{bits}", source)


def _bits(code: Code, source: Symbol | Slot) -> int:
    """Return how many bits an address may have; a distance in the frame may be negative."""
    word = BITS[code.machine.address_type]
    return word if isinstance(source, Slot) else min(word, code.machine.layout.heap_limit.bit_length())


def _width(code: Code) -> int:
    """Return the bits of the widest parts that an instruction states, or adds; 0 if there is none."""
    a, b = (Register(code.integer, -1 - n, code.word, True) for n in range(2))
    for width in range(WIDEST, NARROWEST - 1, -1):
        part = _part(Symbol("_"), 0, width)
        if any(code.machine.is_legal((set_(a, value),)) for value in (part, binary("+", b, part), binary("+", a, part))):
            return width
    return 0


def _first(code: Code, part: Half) -> Expr:
    """Return a register with a part; where only sums have constants, 0 and the part."""
    result = code.fresh(code.integer)
    if code.attempt(set_(result, part)):
        return result
    zero = code.copy(Const(0), code.integer)
    return code.operate("+", zero, part, code.integer)


# ----------------------------------------------------------------------------------------------------------------------
# Constants and addresses that no single instruction states: from halves of an address, a literal pool, or its parts.
#
# r[5]=_sum;     =>     r[6]=HI[_sum]; r[5]=r[6]+LO[_sum];     or     r[5]=L[LIT[_sum]];


def state(code: Code, target: Register, source: Expr) -> bool:
    """Emit target=source for a constant or an address; return False if the machine has no way to it."""
    if not isinstance(source, Const | Symbol | Slot):
        return False
    if isinstance(source, Symbol) or (isinstance(source, Slot) and source.name.startswith(FAR)):
        high = code.fresh(target.cls)
        halves = Set(high, Half("HI", source)), Set(target, binary("+", high, Half("LO", source)))
        if all(code.machine.is_legal((effect,)) for effect in halves):
            return all(code.attempt(effect) for effect in halves)
    if not isinstance(source, Slot) and code.attempt(Set(target, Mem(target.type, Half("LIT", source)))):
        return True
    return not isinstance(source, Const) and state_by_parts(code, target, source)
