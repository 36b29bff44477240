"""What an encoding may have fields for: forms of instructions, what programs put into them, and narrower ones with fewer bits.

A shape is a form of an instruction with one form of each of its operands, so that all of its variables are registers,
constants and labels.  A narrow form is a shape whose variables are limited: some registers, a range of constants, the register
that another variable has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import compress, islice, product
from operator import and_

from ease import Program
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.match.recognizer import Match
from vpo.machines.read.encoding import variables_in
from vpo.rtl import Const, Register
from vpo.text import RegisterVariable

Part = tuple["Field | None", dict[str, OperandForm] | None, int]  # a field, the form of its operand, what stands in it
Values = tuple[int, ...]  # what stands in the fields of a shape, in their order: numbers of registers, constants, distances
SELDOM = 0.02  # a limit to one register or constant, or to another variable's, is tried if so many of the uses have it
MULTIPLES = (1, 2, 4, 8, 16)
NARROW = 3  # how many bits of a field of a register are saved at most by a window of registers


@dataclass(frozen=True, slots=True)
class Field:
    """A variable of a shape: `name`, and `inner` within an operand; `cls` is a register's class.

    `bits` tell all of its values apart.
    """

    name: str
    inner: str
    kind: str  # register, constant, label
    cls: str
    bits: int
    multiple: int = 1

    @property
    def shown(self) -> str:
        """The name in tables."""
        return self.inner or self.name


@dataclass(frozen=True, eq=False)
class Shape:
    """A form of an instruction with the forms of its operands, by variable."""

    form: Alternative
    operands: Mapping[str, OperandForm]
    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        """The bytes of the instruction."""
        return self.form.size + sum(operand.size for operand in self.operands.values())


@dataclass(frozen=True, slots=True)
class Limit:
    """What a variable may be: `bits` tell its values apart.

    `low` and `high` bound multiples of `multiple`; `same` is the place of the field whose register it is.
    """

    kind: str  # any, range, one, same
    bits: int
    low: int = 0
    high: int = 0
    multiple: int = 1
    same: int = 0

    def accepts(self, values: Values, place: int) -> bool:
        """Whether a use is within the limit."""
        if self.kind == "any":
            return True
        value = values[place]
        if self.kind == "same":
            return value == values[self.same]
        return self.low <= value <= self.high and value % self.multiple == 0


@dataclass(frozen=True, eq=False)
class Narrow:
    """A shape with a limit on each of its fields, and the uses that it covers: a bit for each, in the order of the shape's."""

    shape: Shape
    limits: tuple[Limit, ...]
    covers: int
    weight: int

    @property
    def bits(self) -> int:
        """The bits of all fields."""
        return sum(limit.bits for limit in self.limits)

    @property
    def points(self) -> int:
        """The code points that it takes."""
        return 1 << self.bits


@dataclass(frozen=True, eq=False)
class Uses:
    """What programs put into the fields of a shape, and what each use weighs."""

    shape: Shape
    values: Sequence[Values]
    weights: Sequence[int]

    def weight(self, covered: int) -> int:
        """Return the weight of a set of uses."""
        return sum(compress(self.weights, map(int, bin(covered)[:1:-1])))


# ------------------------------------------------------------------------------------------------------- what is used


class Reader:
    """Finds the shapes of a machine in code, and adds up what stands in them."""

    def __init__(self, machine: Machine, wanted: Callable[[Alternative], bool]) -> None:
        self.machine, self.wanted = machine, wanted
        self.shapes: dict[tuple[object, ...], Shape] = {}
        self.found: dict[tuple[object, ...], Counter[Values]] = {}

    def add(self, program: Program, executed: Mapping[str, Sequence[int]] | None = None) -> None:
        """Add a program's code: each place once, or as often as it was executed."""
        linked, recognizer = program.linked, self.machine.recognizer
        for name, function in linked.functions.items():
            addresses = linked.addresses[name]
            for number, rtl in enumerate(function.rtls()):
                match = recognizer.match(rtl.effects)
                if match is None or not _may_have_fields(match.alternative) or not self.wanted(match.alternative):
                    continue
                labels = {
                    text: linked.labels[name, text] - addresses[number]
                    for text in match.bindings.values()
                    if isinstance(text, str) and (name, text) in linked.labels
                }
                self._add(match, labels, executed[name][number] if executed is not None else 1)

    def _add(self, match: Match, labels: Mapping[str, int], times: int) -> None:
        operands: dict[str, OperandForm] = {}
        fields: list[Field] = []
        values: list[int] = []
        for field, operand, value in self._parts(match, labels):
            if operand is None:
                return
            operands |= operand
            if field is not None:
                fields.append(field)
                values.append(value)
        key = match.alternative.order, *(form.place for form in operands.values()), len(fields)
        if times:
            self.shapes.setdefault(key, Shape(match.alternative, operands, tuple(fields)))
            self.found.setdefault(key, Counter())[tuple(values)] += times

    def _parts(self, match: Match, labels: Mapping[str, int]) -> Iterator[Part]:
        """Yield the fields with the forms of their operands and their values; without a form, the use has no encoding here."""
        form = match.alternative
        classes = {each.name: each.cls for each in variables_in(form.effects) if isinstance(each, RegisterVariable)}
        for name, kind, _ in form.variables:
            bound = match.bindings[name]
            if kind == "register" and isinstance(bound, Register):
                yield self._register(name, "", classes[name]), {}, bound.index
            elif kind == "label" and bound in labels:
                reach = form.reach or (0, 0)
                yield Field(name, "", "label", "", (reach[1] - reach[0]).bit_length()), {}, labels[bound]
            elif kind == "operand":
                yield from self._operand(name, form.operands[name], bound)
            else:
                yield None, None, 0

    def _operand(self, name: str, operand: str, bound: object) -> Iterator[Part]:
        match = self.machine.recognizer.operand_match(operand, bound)
        if match is None or match.form.symbol or match.form.far or match.form.steps:
            yield None, None, 0
        elif match.form.pattern is None:
            field = _constant(name, "", match.form)
            yield field, {name: match.form}, bound.value if isinstance(bound, Const) else 0
            if not isinstance(bound, Const):
                yield None, None, 0
        else:
            for each in dict.fromkeys(variables_in(match.form.pattern)):
                inner = match.bindings[each.name]
                if isinstance(each, RegisterVariable) and isinstance(inner, Register):
                    yield self._register(name, each.name, each.cls), {name: match.form}, inner.index
                elif isinstance(inner, Const) and each.name in match.form.operands:
                    found = self.machine.recognizer.operand_match(match.form.operands[each.name], inner)
                    if found is None or found.form.pattern is not None:
                        yield None, None, 0
                        return
                    yield _constant(name, each.name, found.form), {name: match.form}, inner.value
                else:
                    yield None, None, 0

    def _register(self, name: str, inner: str, cls: str) -> Field:
        return Field(name, inner, "register", cls, (self.machine.classes[cls].count - 1).bit_length())

    def uses(self, weigh: Callable[[Shape, int], float]) -> list[Uses]:
        """Return what was found by shape; `weigh` says what so many uses of a shape are worth."""
        found = []
        for key, counted in self.found.items():
            shape = self.shapes[key]
            weights = [round(weigh(shape, times)) for times in counted.values()]
            if sum(weights) > 0:
                found.append(Uses(shape, list(counted), weights))
        return found


def _may_have_fields(form: Alternative) -> bool:
    return not (form.repeated or form.pseudo or form.into or form.implied) and form.counted and form.fetched


def _constant(name: str, inner: str, form: OperandForm) -> Field:
    many = len(form.values) or (form.high - form.low) // form.multiple + 1
    return Field(name, inner, "constant", "", (many - 1).bit_length(), form.multiple)


# ------------------------------------------------------------------------------------------------------ narrower forms


def narrow_forms(uses: Uses, bits: int, granule: int, windows: bool) -> list[Narrow]:
    """Return forms of a shape with at most so many bits, of which none covers less than another that is no larger.

    `granule` is what the distances of branches are counted in.  With `windows`, registers may be some of all, which is for
    instructions that another form stands in for: registers are assigned when instructions have been chosen.
    """
    fields = uses.shape.fields
    choices = [_limits(uses, place, granule, windows) for place in range(len(fields))]
    found: list[Narrow] = []
    for chosen in product(*choices):
        limits = tuple(limit for limit, _ in chosen)
        if sum(limit.bits for limit in limits) <= bits and not _circular(limits):
            covers = reduce(and_, (mask for _, mask in chosen), (1 << len(uses.values)) - 1)
            if covers:
                found.append(Narrow(uses.shape, limits, covers, 0))
    found.sort(key=lambda form: (form.bits, -form.covers.bit_count()))
    best: list[Narrow] = []
    for form in found:
        if not any(form.covers & ~other.covers == 0 for other in best):
            best.append(Narrow(form.shape, form.limits, form.covers, uses.weight(form.covers)))
    return best


def _circular(limits: Sequence[Limit]) -> bool:
    """Whether a variable is said to be the same as one that has no field."""
    return any(limit.kind == "same" and limits[limit.same].kind in ("same", "one") for limit in limits)


def _limits(uses: Uses, place: int, granule: int, windows: bool) -> list[tuple[Limit, int]]:
    """Return the limits of a field that are worth trying, with the uses that each covers."""
    field = uses.shape.fields[place]
    seen: Counter[int] = Counter()
    for values, weight in zip(uses.values, uses.weights, strict=True):
        seen[values[place]] += weight
    usual = [value for value, weight in seen.most_common(2) if weight >= SELDOM * seen.total()]
    if field.kind == "register":
        limits = [Limit("any", field.bits), *(_windows(seen, field.bits) if windows else ())]
        limits += [
            Limit("same", 0, same=other)
            for other, before in enumerate(uses.shape.fields[:place])
            if before.cls == field.cls and not before.inner and not field.inner
        ]
    else:
        limits = [Limit("any", field.bits)] if field.kind == "constant" and field.bits else []
        limits += _ranges(seen, field, granule)
    if field.kind == "constant" or (field.kind == "register" and windows):
        limits += [Limit("one", 0, value, value) for value in usual]
    whole = sum(uses.weights)
    found = [(limit, _mask(uses, place, limit)) for limit in limits]
    return [(limit, mask) for limit, mask in found if limit.kind != "same" or uses.weight(mask) >= SELDOM * whole]


def _mask(uses: Uses, place: int, limit: Limit) -> int:
    return sum(1 << number for number, values in enumerate(uses.values) if limit.accepts(values, place))


def _windows(seen: Counter[int], bits: int) -> Iterator[Limit]:
    """Yield, for some widths, the registers beside each other that most uses have."""
    for width in range(max(1, bits - NARROW), bits):
        starts = range(0, 1 << bits, 1 << width)
        best = max(starts, key=lambda low: sum(seen[low + n] for n in range(1 << width)))
        yield Limit("range", width, best, best + (1 << width) - 1)


def _ranges(seen: Counter[int], field: Field, granule: int) -> Iterator[Limit]:
    """Yield, for each width, the range of numbers that most uses have."""
    multiples = [granule] if field.kind == "label" else [m for m in MULTIPLES if m >= field.multiple]
    for bits in range(2, field.bits):
        ranges = [
            Limit("range", bits, low * multiple, ((1 << bits) - 1 + low) * multiple, multiple)
            for multiple in multiples
            for low in ((-1 << bits - 1,) if field.kind == "label" else (0, -1 << bits - 1))
        ]
        weight = {limit: sum(w for value, w in seen.items() if limit.accepts((value,), 0)) for limit in ranges}
        yield from islice(sorted(ranges, key=lambda limit: (-weight[limit], limit.multiple)), 2)


def words(form: Narrow, names: Callable[[str, int], str]) -> str:
    """Return the fields of a narrow form in words; `names` says what a register is called."""
    return ", ".join(_word(field, limit, form, names) for field, limit in zip(form.shape.fields, form.limits, strict=True))


def _word(field: Field, limit: Limit, form: Narrow, names: Callable[[str, int], str]) -> str:
    if limit.kind == "any":
        return f"{field.shown}:{limit.bits}"
    if limit.kind == "same":
        return f"{field.shown}={form.shape.fields[limit.same].shown}"
    if field.kind == "register":
        low, high = names(field.cls, limit.low), names(field.cls, limit.high)
        return f"{field.shown}={low}" if limit.kind == "one" else f"{field.shown}:{limit.bits} ({low}..{high})"
    if limit.kind == "one":
        return f"{field.shown}={limit.low}"
    return f"{field.shown}:{'s' if limit.low < 0 else 'u'}{limit.bits}{f'*{limit.multiple}' if limit.multiple > 1 else ''}"

