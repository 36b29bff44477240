"""Loads, stores and extensions that no instruction does; bytes and halves of words where only words are loaded."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from vpo.algebra import binary, set_, substitute, unary
from vpo.lower.code import Code, cost_of
from vpo.rtl import BITS, FLOAT_TYPES, INTEGER_TYPES, Const, Expr, Mem, Op, Register, Set, Slot, Symbol, subexpressions

# ----------------------------------------------------------------------------------------------------------------------
# Bytes and halves of words, on machines that load and store only words.
#
# A cell lies within one aligned word, `distance` bits above its lowest bit.  A store writes the whole word back, so objects
# must not share words: `smallest_stored` is what they are aligned to.


def smallest_stored(code: Code) -> int:
    """Return how many bytes the smallest cell has that can be stored without changing what is beside it."""
    machine = code.machine
    classes = (machine.values.integer, machine.values.address)
    value, address = (Register(cls, -1 - n, machine.classes[cls].type, True) for n, cls in enumerate(classes))
    stored = (t for t in "BWL" if BITS[t] < BITS[value.type] and code.is_stated(set_(Mem(t, address), value)))
    return BITS[next(stored, value.type)] // 8


def load_part(code: Code, target: Register, extension: str, cell: Mem) -> bool:
    """Emit a load of a cell, extended by 'sx' or 'zx', from the word around it; returns whether it is smaller than a word."""
    if not _is_part(code, cell):
        return False
    word, distance = _surroundings(code, cell)
    value = code.fresh(code.integer)
    code.load(value, word)
    rest = Const(BITS[code.word] - BITS[cell.type])
    if extension == "zx" and BITS[cell.type] < 16:
        ones = Const((1 << BITS[cell.type]) - 1)
        code.move(target, code.operate("&", code.operate(">>u", value, distance), ones))
    else:
        high = code.operate("<<", value, code.operate("^", distance, rest))
        code.binary_into(target, ">>" if extension == "sx" else ">>u", high, rest)
    return True


def store_part(code: Code, cell: Mem, value: Expr) -> bool:
    """Emit a store into a cell, by changing the word around it; returns whether it is smaller than a word."""
    if not _is_part(code, cell):
        return False
    word, distance = _surroundings(code, cell)
    ones = Const((1 << BITS[cell.type]) - 1)
    around = code.fresh(code.integer)
    code.load(around, word)
    differing = code.operate("^", code.operate(">>u", around, distance), code.reg(value, code.integer))
    change = code.operate("<<", code.operate("&", differing, ones), distance)
    code.store(word, code.operate("^", around, change))
    return True


def _is_part(code: Code, cell: Mem) -> bool:
    return cell.type in INTEGER_TYPES and BITS[cell.type] < BITS[code.word]


def _surroundings(code: Code, cell: Mem) -> tuple[Mem, Expr]:
    """Return the aligned word around a cell, and how far the cell's lowest bit is above the word's.

    Where shifts are instructions, the distance is right modulo the bits of a word, which is all that they look at.
    """
    size, part = BITS[code.word] // 8, BITS[cell.type] // 8
    last = size - part if code.machine.big_endian else 0
    offset = _offset(code, cell.address, size)
    if offset is not None:
        start = binary("+", cell.address, Const(-(offset % size)))
        return Mem(code.word, start, cell.volatile), Const((offset % size ^ last) * 8)
    address = code.reg(code.address_register(cell.address), code.integer)
    start = code.reg(code.operate("&", address, Const(-size)), code.address)
    byte = address if _has_shifts(code) else code.operate("&", address, Const(size - part))
    distance = code.operate("<<", byte, Const(3))
    return Mem(code.word, start, cell.volatile), code.operate("^", distance, Const(last * 8)) if last else distance


def _has_shifts(code: Code) -> bool:
    """Whether instructions shift by what is in a register; routines do so by less than the bits of a word."""
    a, b = (Register(code.integer, -1 - n, code.word, True) for n in range(2))
    return all(code.is_stated(set_(a, Op(op, code.word, a, b))) for op in ("<<", ">>u"))


def _offset(code: Code, address: Expr, size: int) -> int | None:
    """Return how far an address is from one that is known to be a word's; None if that is not known."""
    match address:
        case Symbol() if smallest_stored(code) == size:
            return address.offset
        case Op(op="+", args=(Register() as base, Slot() as slot)) if base is code.machine.stack_pointer:
            return slot.offset if code.function.slots[slot.name].align % size == 0 else None
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Loads and stores that no instruction does: a word in parts, a part by its word.
#
# r[1]=L[r[2]];     =>     r[3]=zxL(W[r[2]]); r[4]=zxL(W[r[2]+2]); r[4]=r[4]<<16; r[1]=r[4]|r[3];

DISPLACEMENTS = (0, 8, -8, 16, 4, -4, 1)


def store(code: Code, cell: Mem, value: Expr) -> bool:
    """Emit cell=value; returns whether there is a way."""
    if store_part(code, cell, value):
        return True
    return isinstance(value, Register) and _store_parts(code, cell, value)


def read_first(code: Code, target: Register, source: Expr) -> bool:
    """Emit target=source, an operation on a cell, with its address or value in a register; returns whether there is a way."""
    cells = {node for node in subexpressions(source) if isinstance(node, Mem)}
    if len(cells) != 1 or isinstance(source, Mem):
        return False
    (cell,) = cells
    if isinstance(cell.address, Register) or not _is_legal_with(code, target, source, cell, _simplest(code, cell)):
        value = Register(code.integer, -1, code.word, True)
        if cell.type != code.word or not _is_legal_with(code, target, source, cell, value):
            return False
        value = code.fresh(code.integer)
        code.load(value, cell)
        return code.attempt(set_(target, substitute(source, {cell: value})))
    simple = cell.at(code.address_register(cell.address))
    return code.attempt(set_(target, substitute(source, {cell: simple})))


def _is_legal_with(code: Code, target: Register, source: Expr, cell: Mem, other: Expr) -> bool:
    return code.machine.is_legal((set_(target, substitute(source, {cell: other})),))


def displaced(code: Code, cell: Mem) -> Iterator[Mem]:
    """Yield a cell as the machine can access it, whose address is in a register that alone is none of the machine's."""
    assert isinstance(cell.address, Register)
    key = ("displaced", cell.type, None if cell.address.pseudo else cell.address)
    if key not in code.plans.found:
        code.plans.found[key] = _displacement(code, cell.type, cell.address)
    match code.plans.found[key]:
        case Register(pseudo=True, cls=index):
            yield cell.at(binary("+", cell.address, code.reg(Const(0), index)))
        case Const(value=0):
            yield cell.at(code.copy(cell.address, code.address))
        case Const(value=number) as needed:
            yield cell.at(binary("+", code.operate("+", cell.address, Const(-number), code.address), needed))


def _displacement(code: Code, type_: str, address: Register) -> Const | Register | None:
    """Return what to add to the copy of an address for a store of a cell; None if the address does, or if nothing helps."""
    cls = code.machine.values.floating(type_) if type_ in FLOAT_TYPES else code.integer
    if not cls:
        return None
    value, index = Register(cls, -1, code.machine.classes[cls].type, True), Register(code.integer, -2, code.word, True)
    copy = Register(code.address, -3, code.machine.address_type, True)

    def stores(where: Expr) -> bool:
        return code.machine.is_legal((Set(Mem(type_, where), value),))

    if stores(copy if address.pseudo else address):
        return None
    wanted: list[Const | Register] = [Const(displacement) for displacement in DISPLACEMENTS]
    wanted += [index] if index.type == copy.type else []
    return next((each for each in wanted if stores(binary("+", copy, each))), None)


def _simplest(code: Code, cell: Mem) -> Mem:
    return cell.at(Register(code.address, -3, code.machine.address_type, True))


# --------------------------------------------------------------------------------------------------------- in parts


def _parts(code: Code, cell: Mem, type_: str) -> list[Mem]:
    """Return the parts of a cell that have a type, from the lowest bits up."""
    size = BITS[type_] // 8
    offsets = range(0, BITS[cell.type] // 8, size)
    parts = [Mem(type_, binary("+", cell.address, Const(offset)), cell.volatile) for offset in offsets]
    return parts[::-1] if code.machine.big_endian else parts


def _smaller(cell: Mem) -> list[str]:
    return [type_ for type_ in "LWB" if cell.type in INTEGER_TYPES and BITS[type_] < BITS[cell.type]]


def load(code: Code, target: Register, cell: Mem) -> bool:
    """Emit target=cell, of the target's type, by its parts; returns whether there is a way."""
    word = target.type
    value, place = Register(code.integer, -1, word, True), _simplest(code, cell)
    for type_ in _smaller(cell) if target.type == code.word else ():
        part = Mem(type_, place.address)
        extension = next((op for op in ("zx", "sx") if code.is_stated(set_(value, unary(op, word, part)))), "")
        if not extension:
            continue
        *low, high = [_loaded(code, extension, each) for each in _parts(code, cell, type_)]
        outcome: Expr = high
        for each in reversed(low):
            if extension == "sx":
                each = code.convert("zx", word, unary("tr", type_, each))
            outcome = code.operate("|", code.operate("<<", outcome, Const(BITS[type_])), each)
        code.move(target, outcome)
        return True
    return False


def _loaded(code: Code, extension: str, cell: Mem) -> Expr:
    """Return a register with a part, extended."""
    result = code.fresh(code.integer)
    code.emit(set_(result, unary(extension, result.type, cell)))
    return result


def _store_parts(code: Code, cell: Mem, value: Register) -> bool:
    register, place = Register(code.integer, -1, code.word, True), _simplest(code, cell)
    for type_ in _smaller(cell) if value.type == code.word else ():
        if code.is_stated(set_(Mem(type_, place.address), register)):
            rest: Expr = code.reg(value, code.integer)
            for number, part in enumerate(_parts(code, cell, type_)):
                rest = code.operate(">>u", rest, Const(BITS[type_])) if number else rest
                code.store(part, rest)
            return True
    return False


# ----------------------------------------------------------------------------------------------------------------------
# Values extended to a word that no instruction extends: low bits by a mask or two shifts, a cell by its simplest address.
#
# r[1]=sxL(trB(r[2]));     =>     r[3]=r[2]<<24; r[1]=r[3]>>24;


def extend(code: Code, target: Register, source: Op) -> bool:
    """Emit target=source if that extends low bits or a cell; returns whether there is a way."""
    return _low_bits(code, target, source) or _load(code, target, source)


def _low_bits(code: Code, target: Register, source: Op) -> bool:
    """Emit an extension of a register's low bits by a mask or by two shifts; returns whether `source` is such."""
    inner = source.args[0]
    if source.op not in ("sx", "zx") or not isinstance(inner, Op) or inner.op != "tr":
        return False
    value = code.reg(code.atom(inner.args[0]), code.integer)
    bits = BITS[inner.type]
    if source.op == "zx" and _masks(code, bits):
        _mask(code, target, value, bits)
    else:
        _shift(code, target, value, ">>" if source.op == "sx" else ">>u", bits)
    return True


def _mask(code: Code, target: Register, value: Register, bits: int) -> None:
    code.binary_into(target, "&", value, Const((1 << bits) - 1))


def _shift(code: Code, target: Register, value: Register, right: str, bits: int) -> None:
    distance = Const(BITS[target.type] - bits)
    code.binary_into(target, right, code.operate("<<", value, distance, code.integer), distance)


def _masks(code: Code, bits: int) -> bool:
    """Whether clearing all but so many low bits costs no more by a mask than by two shifts."""
    found, key = code.plans.found, ("masks", bits)
    if key not in found:
        target, value = (Register(code.integer, -1 - n, code.word, True) for n in range(2))
        by_mask = cost_of(code, partial(_mask, target=target, value=value, bits=bits))
        by_shifts = cost_of(code, partial(_shift, target=target, value=value, right=">>u", bits=bits))
        found[key] = by_mask is not None and (by_shifts is None or by_mask <= by_shifts)
    return bool(found[key])


def _load(code: Code, target: Register, source: Op) -> bool:
    """Emit a load of a narrow cell, extended, whose address was not legal; returns whether there is a way."""
    inner = source.args[0]
    if source.op not in ("sx", "zx") or not isinstance(inner, Mem):
        return False
    for cell in code.cell(inner):
        effect = set_(target, unary(source.op, source.type, cell))
        if code.attempt(effect):
            return True
    return code.expand(effect) or load_part(code, target, source.op, inner)
