"""Which instructions are likely to compute a value, by its values on samples of inputs (`vpo/algebra/samples.py`).

So technology mapping tells cells of a library by truth tables (Mishchenko, Chatterjee, Brayton, "DAG-aware AIG rewriting", DAC
2006).  Numbers that an instruction leaves open are looked for: all that fit, or those that stand in the program and what
follows from them.  Who uses what is likely asks for a proof (`vpo/algebra/proofs.py`).  A file of its own, since most machines
and programs are content with notations, and need not load what it takes to calculate with samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations
from typing import Any

try:
    import numpy as np
except ModuleNotFoundError:  # as in a browser
    from vpo.algebra import vectors as np  # type: ignore[no-redef]

from vpo.algebra import operand_type, unary, wrap
from vpo.algebra.equivalents import Bits, bit_sources
from vpo.algebra.samples import COLOURS, UNSIGNED, NotSampledError, Shared, Vector, evaluate, samples, telling
from vpo.machines.match.meaning import LEAVES, Kind, Leaf, Meaning, Sought, held_by, unnamed
from vpo.machines.match.numbered import Order, Tried, low_part, on_samples, tried
from vpo.machines.match.pattern import OperandForm
from vpo.machines.match.undone import may_make
from vpo.rtl import BITS, INTEGER_TYPES, RELATIONS, SHIFTS, Const, Expr, Op, Register, distinct_parts

DOMAIN = 4096  # combinations of numbers that are tried, if there are no more
SEVERAL = 3  # samples on which numbers are tried
LARGEST = 256  # parts of a value that is looked for
FEW = 8  # combinations of numbers that are tried on all samples one by one
NUMBERS = 12  # that a value may have for more samples of it to be made
TURNS = 3  # vectors of samples that are one
TELLING = 24  # samples on which numbers of a condition are tried, of those on which it holds and of the others


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A value, or a part of it, on samples: `vector` in a register of the class `target`, from those of `leaves`."""

    target: str
    leaves: tuple[Register, ...]
    vectors: Sequence[Vector]
    vector: Vector
    part: str


def likely(
    meanings: Sequence[Meaning],
    tables: dict[Any, Any],
    sought: Sought,
    half: Callable[[str, int], int],
) -> Iterator[Expr]:
    """Yield expressions of instructions that have the value, on all samples; `tables` is what is remembered of them."""
    opened = _alike(meanings, tables, sought, opened=True)
    if not opened and not _alike(meanings, tables, sought, opened=False):
        return
    try:
        plain = _wanted(sought, [_values_of(leaf) for leaf in sought.leaves])
    except NotSampledError:
        return
    for meaning, registers in _without_numbers(meanings, tables, sought, plain):
        yield meaning.of(registers, (), half)
    if not opened:
        return
    known = tuple(sorted({*sought.numbers, *_moved(sought)}))
    try:
        wanted = _wanted(sought, _finer(sought, known)) if _decides(sought) else plain
    except NotSampledError:
        return
    for meaning, order, number in _tried(opened, tables, sought, plain):
        vectors = [wanted.vectors[place] for place in order]
        found: list[tuple[int, ...]]
        if number is not None:
            found = [(number,)] if _makes(meaning, vectors, (number,), wanted) else []
        else:
            found = _numbers(meaning, vectors, wanted, known) if _may_make(meaning, vectors, wanted) else []
        for numbers in found:
            yield meaning.of([wanted.leaves[place] for place in order], numbers, half)


def _tried(
    opened: Sequence[Meaning], tables: dict[Any, Any], sought: Sought, wanted: _Wanted
) -> Iterator[tuple[Meaning, Order, int | None]]:
    """Yield instructions with open numbers that may have the value, some with the only number that does it."""
    classes = "tried", sought.target, tuple(leaf.register.cls for leaf in sought.leaves), _holds_number(sought)
    known: Tried | None = tables.get(classes)
    if known is None:
        known = tables[classes] = tried([*_ordered(opened, wanted)], wanted.vectors)
    key = "hashes", sought.target, sought.part, sought.leaves
    if key not in tables:
        tables[key] = known.hashes(wanted.vectors, wanted.part)
    return known.likely(tables[key], wanted.vector)


def _makes(meaning: Meaning, given: Sequence[Vector], numbers: tuple[int, ...], wanted: _Wanted) -> bool:
    """Whether an instruction makes the wanted values with some numbers."""
    vector = on_samples(meaning, given, numbers)
    return vector is not None and bool((low_part(vector, wanted.part) == wanted.vector).all())


def _may_make(meaning: Meaning, given: Sequence[Vector], wanted: _Wanted) -> bool:
    """Whether an instruction with open numbers may have a value, by undoing what it does."""
    if meaning.type not in UNSIGNED or wanted.vector.dtype != UNSIGNED[wanted.part or meaning.type]:
        return True
    try:
        return may_make(meaning.source, dict(zip(meaning.leaves, given, strict=True)), wanted.vector)
    except NotSampledError:
        return True  # which is found out anyway


def likely_meanings(
    meanings: Sequence[Meaning], tables: dict[Any, Any], sought: Sought
) -> Iterator[tuple[Meaning, list[Register]]]:
    """Yield what instructions without open numbers compute that is the value on all samples, and of which of its leaves."""
    if not _alike(meanings, tables, sought, opened=False):
        return
    try:
        wanted = _wanted(sought, [_values_of(leaf) for leaf in sought.leaves])
    except NotSampledError:
        return
    yield from _without_numbers(meanings, tables, sought, wanted)


def _without_numbers(
    meanings: Sequence[Meaning], tables: dict[Any, Any], sought: Sought, wanted: _Wanted
) -> Iterator[tuple[Meaning, list[Register]]]:
    key = sought.target, sought.part, sought.leaves
    table = tables.get(key)
    if table is None:
        table = tables[key] = _table(_alike(meanings, tables, sought, opened=False), wanted)
    for meaning, order in table.get(wanted.vector.tobytes(), ()):
        yield meaning, [wanted.leaves[place] for place in order]


def _wanted(sought: Sought, vectors: Sequence[Vector]) -> _Wanted:
    registers = tuple(leaf.register for leaf in sought.leaves)
    vector = evaluate(sought.source, Shared(zip(registers, vectors, strict=True)), sought.type)
    if len(vector) < len(vectors[0]):  # of a number, to which the expression has folded
        vector = np.resize(vector, len(vectors[0]))
    return _Wanted(sought.target, registers, vectors, low_part(vector, sought.part), sought.part)


@lru_cache(maxsize=4096)
def values_of(type_: str, colour: int, kind: Kind) -> Vector:
    """Return the values on samples of a register as it may hold them."""
    return _extended(samples(colour, type_), type_, kind)


def _values_of(leaf: Leaf) -> Vector:
    return _extended(_samples(leaf.register.index, leaf.register.type), leaf.register.type, leaf.kind)


@cache
def _samples(place: int, type_: str) -> Vector:
    """Return the values of the leaf at a place: so many that few that are not proven equal are so on all samples."""
    return np.concatenate([samples(place + LEAVES * turn, type_) for turn in range(TURNS)])


def _extended(plain: Vector, type_: str, kind: Kind) -> Vector:
    name = Register("", 0, type_, True)
    vector = evaluate(held_by(name, kind), {name: plain}, type_)
    return vector if len(vector) == len(plain) else np.resize(vector, len(plain))


def _decides(sought: Sought) -> bool:
    """Whether a value is a condition, or is chosen by some."""
    nodes = distinct_parts(sought.source, LARGEST)
    return not sought.type or any(isinstance(node, Op) and node.op in RELATIONS for node in nodes)


def _finer(sought: Sought, known: tuple[int, ...]) -> list[Vector]:
    """Return more samples of the leaves of a condition: numbers of the program in one leaf after the other.

    Raises NotSampledError for so many numbers that no instruction has them all.
    """
    if len(known) > NUMBERS:
        raise NotSampledError
    numbers = _derived(known, BITS[sought.leaves[0].register.type])
    vectors = []
    telling_ones = [telling(numbers, leaf.register.type) for leaf in sought.leaves]
    for place, leaf in enumerate(sought.leaves):
        own = _samples(leaf.register.index, leaf.register.type)
        turns = [each if turn == place else np.resize(own, len(each)) for turn, each in enumerate(telling_ones)]
        vectors.append(_extended(np.concatenate([own, *turns]), leaf.register.type, leaf.kind))
    return vectors


def _ordered(meanings: Iterable[Meaning], wanted: _Wanted) -> Iterator[tuple[Meaning, Order]]:
    """Yield instructions for registers of the classes at hand, with each order of these."""
    for meaning in meanings:
        if len(meaning.leaves) == len(wanted.leaves) and meaning.target == wanted.target:
            for order in permutations(range(len(wanted.leaves))):
                if meaning.fits([wanted.leaves[place] for place in order]):
                    yield meaning, order


def _table(meanings: Iterable[Meaning], wanted: _Wanted) -> dict[bytes, list[tuple[Meaning, Order]]]:
    """Return the instructions without open numbers that make values of some registers, by these values."""
    table: dict[bytes, list[tuple[Meaning, Order]]] = {}
    for meaning, order in _ordered(meanings, wanted):
        vector = on_samples(meaning, [wanted.vectors[place] for place in order], ())
        if vector is not None:
            table.setdefault(low_part(vector, wanted.part).tobytes(), []).append((meaning, order))
    return table


def _moved(sought: Sought) -> Iterator[int]:
    """Yield numbers by which an instruction may move bits as a value does: masks of what comes from where, distances."""
    source = unary("tr", sought.part, sought.source) if sought.part else sought.source
    for part in (source,) if sought.type else source.args if isinstance(source, Op) else ():
        bits = bit_sources(part, _bits)
        if bits is not None:
            for leaf in sought.leaves:
                yield from _moves(bits, leaf.register)


def _moves(bits: Bits, leaf: Register) -> Iterator[int]:
    wide = len(bits)
    moved = [(place, bit[1]) for place, bit in enumerate(bits) if bit is not None and bit[0] is leaf]
    for mask in (sum(1 << place for place, _ in moved), sum(1 << origin for _, origin in moved)):
        yield from (wrap(number, width) for number in (mask, ~mask) for width in {wide, BITS[leaf.type]})
    first = {origin: place for place, origin in reversed(moved)}  # an extended sign stands in many places
    for distance in sorted({place - origin for origin, place in first.items()}):
        yield from (distance % wide, -distance % wide)


@lru_cache(maxsize=256)  # of the few names that leaves get
def _bits(node: Expr) -> Bits | None:
    if isinstance(node, Register) and node.type in INTEGER_TYPES:
        return tuple((node, place) for place in range(BITS[node.type]))
    return None


def _alike(meanings: Iterable[Meaning], tables: dict[Any, Any], sought: Sought, opened: bool) -> list[Meaning]:
    """Return those with open numbers, or without, that go where the value does and are of as many registers.

    Of a register that holds a known number, only those that phases do not find as they are written: others, and shifts, whose
    distances count modulo the width (1<<(n-32) is 1<<n).
    """
    holds_number = _holds_number(sought)
    key = sought.target, len(sought.leaves), opened, holds_number
    known: list[Meaning] | None = tables.get(key)
    if known is None:
        alike = (m for m in _all(meanings, tables, opened) if (m.target, len(m.leaves)) == key[:2])
        known = tables[key] = [m for m in alike if not (holds_number and m.plain) or _shifts(m)]
    return known


def _shifts(meaning: Meaning) -> bool:
    return isinstance(meaning.source, Op) and meaning.source.op in SHIFTS


def _holds_number(sought: Sought) -> bool:
    """Whether a register of which a value is computed holds a known number."""
    return any(leaf.kind[0] == "#" for leaf in sought.leaves)


def _all(meanings: Iterable[Meaning], tables: dict[Any, Any], opened: bool) -> list[Meaning]:
    """Return what instructions with open numbers, or without, compute, and what they do of one register in several places.

    So a rotation is found by an instruction that shifts two registers as one.
    """
    known: list[Meaning] | None = tables.get(opened)
    if known is None:
        own = [meaning for meaning in meanings if bool(meaning.numbers) == opened]
        equal = [new for meaning in own if not meaning.plain and not meaning.has_other_numbers for new in _equated(meaning)]
        found = {(new.target, unnamed(new), new.forms): new for new in equal if opened or not _is_trivial(new)}
        known = tables[opened] = [*own, *found.values()]
    return known


def _equated(meaning: Meaning) -> Iterator[Meaning]:
    """Yield what an instruction computes with one register for two leaves, or for more."""
    for place, leaf in enumerate(meaning.leaves):
        for other in meaning.leaves[:place]:
            if (other.cls, other.type) == (leaf.cls, leaf.type):
                new = meaning.with_equal(other, leaf)
                yield new
                yield from _equated(new)


def _is_trivial(meaning: Meaning) -> bool:
    """Whether an instruction without numbers computes nothing: one of its leaves, or always the same, on all samples."""
    return all(_is_trivial_on(meaning, colour) for colour in range(0, COLOURS, len(meaning.leaves)))


def _is_trivial_on(meaning: Meaning, colour: int) -> bool:
    given = [samples((colour + place) % COLOURS, leaf.type) for place, leaf in enumerate(meaning.leaves)]
    vector = on_samples(meaning, given, ())
    if vector is None or bool((vector == vector[0]).all()):
        return True
    return any(len(leaf) == len(vector) and bool((leaf == vector).all()) for leaf in given)


def _numbers(meaning: Meaning, given: Sequence[Vector], sought: _Wanted, known: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return numbers with which an instruction makes the wanted values."""
    wanted, part = sought.vector, sought.part
    type_ = meaning.type or operand_type(meaning.source)
    if type_ not in BITS:  # a condition on operands of which the description does not say how wide they are
        return []
    bits, variables = BITS[type_], len(meaning.forms)
    domains = [_domain(form, known, bits, variables, meaning.plain) for form in meaning.forms]
    if not all(domains):
        return []
    columns = [*_columns(tuple(domains), bits, type_)]
    for place, sample in enumerate((*(first := _narrowing(wanted)), *range(len(wanted)))):
        if place >= len(first) and len(columns[0]) <= FEW:
            break
        vector = on_samples(meaning, [vector[sample : sample + 1] for vector in given], columns)
        if vector is None:
            return []
        fits = np.broadcast_to((low_part(vector, part) if part else vector) == wanted[sample], columns[0].shape)
        columns = [column[fits] for column in columns]
        if not len(columns[0]):
            return []
    rows = [tuple(int(number) for number in row) for row in zip(*columns, strict=True)]
    return [tuple(wrap(number, bits) for number in row) for row in rows if _makes(meaning, given, row, sought)]


def _narrowing(wanted: Vector) -> Sequence[int]:
    """Return samples that tell numbers apart, the most telling first: of a condition, those on which it is the rarer thing."""
    if wanted.dtype != np.bool_ and wanted.max() > 1:
        return range(len(wanted) - SEVERAL, len(wanted))
    holds, fails = (np.flatnonzero(wanted == truth) for truth in (1, 0))
    rarer, other = (holds, fails) if len(holds) < len(fails) else (fails, holds)
    return [int(place) for part in (rarer, other) for place in part[:: max(1, len(part) // TELLING)]]


@lru_cache(maxsize=256)
def _columns(domains: tuple[tuple[int, ...], ...], bits: int, type_: str) -> tuple[Vector, ...]:
    """Return all combinations of numbers of some domains, a vector for each domain."""
    columns = [np.array([value & ((1 << bits) - 1) for value in domain], UNSIGNED[type_]) for domain in domains]
    return tuple(column.ravel() for column in np.meshgrid(*columns)) if len(columns) > 1 else tuple(columns)


@lru_cache(maxsize=4096)
def _domain(form: OperandForm, known: tuple[int, ...], bits: int, variables: int, plain: bool) -> tuple[int, ...]:
    """Return the numbers to try for an operand: all that it may be, or what follows from numbers of the program."""
    most = int(DOMAIN ** (1 / variables) + 0.5)
    if form.values:
        values: Iterable[int] = form.values
    elif (form.high - form.low) // form.multiple < most and not plain:
        values = form.multiples
    elif variables > 2:
        values = known
    else:
        values = _derived(known, bits)
    return tuple([value for value in values if form.accepts(Const(value)) and form.holds({"v": Const(value)})][:most])


@lru_cache(maxsize=4096)
def _derived(known: tuple[int, ...], bits: int) -> tuple[int, ...]:
    """Return numbers that may stand in an instruction for what a program writes with others."""
    mask = (1 << bits) - 1
    found = dict.fromkeys([*known, 0, 1, -1])
    for a in (ordered := sorted(known, key=lambda number: number in (0, 1, -1))):
        low = a & mask
        found.update(dict.fromkeys([-a, ~a, bits - a, a - 1, a + 1]))
        if low:
            found.update(dict.fromkeys([(low & -low).bit_length() - 1, low.bit_length(), low.bit_count()]))
        if 0 <= a < bits:
            found.update(dict.fromkeys([1 << a, (1 << a) - 1, -1 << a, mask >> a]))
        for b in ordered:
            found.update(dict.fromkeys([a - b, a + b, a & b, a | b, a - b + 1]))
            if 0 <= b < bits:
                found.update(dict.fromkeys([a << b, low >> b]))
    return tuple(dict.fromkeys(wrap(value, bits) for value in found))
