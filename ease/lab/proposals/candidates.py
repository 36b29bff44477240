"""Instructions that might pay: each a shape with constants, as a description would have it, and what it promises.

Which constants one takes comes first; then candidates; then these as entries and edits of a description.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import gcd

from ease.lab.proposals.combinations import combinations_of
from ease.lab.proposals.shapes import CONSTANTS, LABEL, Instance, Shape, instances_of
from vpo.machines.advice.edits import Edit
from vpo.machines.machine import Machine
from vpo.machines.match.record import Record
from vpo.machines.read.extends import merge
from vpo.machines.read.source import Map, Place, read_value
from vpo.program import Program
from vpo.rtl import CODE_TYPES, RELATIONS, Const, Mem, Op, Register, Rtl, Set, expressions_read, subexpressions

# ----------------------------------------------------------------------------------------------------------------------
# Which constants a proposed instruction takes: one that is fixed, or a range that costs bits of its encoding.


MOST_BITS = 16
SEVERAL = 4  # values that suggest a multiple
FIXED = 3  # constants of a position that are tried as fixed ones
BEST = 2  # choices that are kept of each shape


@dataclass(frozen=True, slots=True)
class Range:
    """The multiples of a number in a range that is a power of two of them; no bits: one constant."""

    low: int
    high: int
    multiple: int = 1

    @property
    def bits(self) -> int:
        """How many bits of encoding tell the constants of the range apart."""
        return ((self.high - self.low) // self.multiple).bit_length()

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.low <= value <= self.high and value % self.multiple == 0

    @property
    def name(self) -> str:
        """A name for an operand: of what sign, of how many bits, of which multiples."""
        sign = "s" if self.low < 0 else "u"
        return f"{sign}{self.bits}" + (f"_by_{self.multiple}" if self.multiple > 1 else "")


Choice = tuple[Range, ...]
Saved = Counter[int]  # executed instructions by number of a program
Worth = Callable[[Mapping[int, int]], float]


def choices(saved: Mapping[tuple[int, ...], Saved], worth: Worth, bits: int, room: int) -> list[Choice]:
    """Return ranges for the constants of a shape that win most for each bit, best first.

    `saved` tells what each group of constants saves, `bits` how many the registers take; at most `room` are left.
    """
    count = len(next(iter(saved), ()))
    options = [list(_options(_by_value(saved, worth, n))) for n in range(count)]
    found: list[tuple[float, Choice]] = []
    for choice in product(*options):
        cost = sum(option.bits for option in choice)
        if cost <= room:
            won = _together(part for values, part in saved.items() if _fits(values, choice))
            found.append((worth(won) / (bits + cost), choice))
    found.sort(key=lambda pair: (-pair[0], [(option.bits, option.low) for option in pair[1]]))
    return [choice for _, choice in found[:BEST]]


def _fits(values: Sequence[int], choice: Choice) -> bool:
    return all(value in option for value, option in zip(values, choice, strict=True))


def _together(parts: Iterable[Saved]) -> Saved:
    result: Saved = Counter()
    for part in parts:
        result.update(part)
    return result


def _by_value(saved: Mapping[tuple[int, ...], Saved], worth: Worth, position: int) -> dict[int, float]:
    """Return what the constants at a position are worth."""
    result: dict[int, Saved] = {}
    for values, part in saved.items():
        result.setdefault(values[position], Counter()).update(part)
    return {value: worth(part) for value, part in result.items()}


def _options(weights: Mapping[int, float]) -> Iterator[Range]:
    """Yield single constants that are worth most, and ranges of as many bits as some of the constants need."""
    values = set(weights)
    dearest = sorted(values, key=lambda value: (-weights[value], value))
    for value in dearest[:FIXED]:
        yield Range(value, value)
    if len(values) > 1:
        multiple = _common_multiple(values)
        signed = min(values) < 0
        needed = sorted({_bits(value // multiple, signed) for value in values})
        for bits in [n for n in needed if 0 < n <= MOST_BITS]:
            half = 1 << (bits - 1)
            low, high = (-half, half - 1) if signed else (0, 2 * half - 1)
            yield Range(low * multiple, high * multiple, multiple)


def _common_multiple(values: set[int]) -> int:
    """Return the greatest power of two, up to 8, of which all values are multiples; 1 if they are too few to tell."""
    if len(values) < SEVERAL:
        return 1
    return next(number for number in (8, 4, 2, 1) if all(value % number == 0 for value in values))


def _bits(value: int, signed: bool) -> int:
    return (value if value >= 0 else ~value).bit_length() + (1 if signed else 0)


# ----------------------------------------------------------------------------------------------------------------------
# Candidates.


OPCODE = 6  # bits of an instruction that tell it from others, at least
SHORTEST_REACH = 6  # bits of a branch's distance, at least
REACH = 12  # bits of the distance of branches if the machine does not say how far they reach
CHEAP = ("<<", ">>", ">>u", "&", "|", "^", "not", "sx", "zx", "tr", "bits")  # done within the cycle of another operation


@dataclass(frozen=True, slots=True)
class Encoding:
    """What an instruction takes of the opcode space: bits of its fields, bytes of the whole."""

    bits: int
    size: int

    @property
    def share(self) -> float:
        """The part of all instructions of this size."""
        return 2.0 ** (self.bits - 8 * self.size)


@dataclass(eq=False, slots=True)
class Candidate:
    """A proposed instruction; `names` are those of the instructions that it replaces."""

    shape: Shape
    ranges: Choice
    names: tuple[str, ...]
    instances: list[Instance]
    encoding: Encoding
    latency: int
    issue: int  # cycles until the next instruction begins, if that is not as for others: what a branch waits for its operands
    reach: tuple[int, int] | None
    record: Record  # of the instruction that makes its result
    name: str = ""
    units: tuple[str, ...] = ()
    clobbers: tuple[Register, ...] = ()
    operands: dict[str, Range] = field(default_factory=dict)

    @property
    def rtl(self) -> str:
        """The pattern as the description has it."""
        fixed = {name: str(r.low) if not r.bits else name for name, r in zip(CONSTANTS, self.ranges, strict=False)}
        return self.shape.text.format(**fixed)

    @property
    def ports(self) -> tuple[int, int]:
        """How many registers it reads and writes."""
        written = len(self.shape.written)
        read = [name for name, _ in self.shape.registers if f"[{name}]" in _reading(self.shape.text)]
        return len(read), written


def _reading(text: str) -> str:
    """Return those parts of a pattern that are read."""
    parts = []
    for effect in text.split(";"):
        target, equals, source = effect.strip().partition("=")
        stored = "" if target[:1].islower() or target == "PC" else target
        parts.append(stored + equals + source)
    return " ".join(parts)


def saved_by(instances: Iterable[Instance]) -> Saved:
    """Return how many instructions fewer would be executed, by number of the program."""
    result: Saved = Counter()
    for instance in instances:
        result[instance.program] += instance.saved
    return result


def candidates(machine: Machine, programs: Iterable[tuple[Program, Mapping[str, list[int]]]], worth: Worth) -> list[Candidate]:
    """Return the candidates that counted programs suggest; `worth` tells what it is worth to save so much of them."""
    found: defaultdict[tuple[Shape, tuple[str, ...]], list[Instance]] = defaultdict(list)
    sizes: set[int] = set()
    references = 1
    for number, (program, executed) in enumerate(programs):
        for function in program.functions.values():
            records = [machine.record(rtl) for rtl in function.rtls()]
            sizes.update(record.size for record in records)
            references = max([references, *(len(rtl.loads) + len(rtl.stores) for rtl in function.rtls() if _is_plain(rtl))])
        for combination in combinations_of(program, dict(executed)):
            for instance in instances_of(combination, number):
                found[instance.shape, _names(machine, instance)].append(instance)
    by_shape: defaultdict[Shape, list[tuple[tuple[str, ...], list[Instance]]]] = defaultdict(list)
    for (shape, names), instances in found.items():
        by_shape[shape].append((names, instances))
    maker = _Maker(machine, sorted(size for size in sizes if size), worth)
    result: list[Candidate] = []
    for shape, groups in by_shape.items():
        together = [instance for _, instances in groups for instance in instances]
        if _references(together[0]) <= references:
            names = max(groups, key=lambda group: saved_by(group[1]).total())[0]
            result += maker.candidates(shape, names, together)
    return result


def _is_plain(rtl: Rtl) -> bool:
    return rtl.call is None and len(rtl.effects) == 1


def _names(machine: Machine, instance: Instance) -> tuple[str, ...]:
    return tuple(machine.record(rtl).name for rtl in instance.combination.rtls)


def _references(instance: Instance) -> int:
    """Return to how many different cells an instruction refers."""
    effects = instance.combination.effects
    cells = {cell for effect in effects for cell in effect.memory}
    return len(cells | {effect.target for effect in effects if isinstance(effect, Set) and isinstance(effect.target, Mem)})


class _Maker:
    """Makes candidates of shapes for one machine."""

    def __init__(self, machine: Machine, sizes: list[int], worth: Worth) -> None:
        self.machine, self.sizes, self.worth = machine, sizes, worth

    def candidates(self, shape: Shape, names: tuple[str, ...], instances: list[Instance]) -> Iterator[Candidate]:
        """Yield a shape with each choice of constants that may pay."""
        combination = instances[0].combination
        records = [self.machine.record(rtl) for rtl in combination.rtls]
        root = self.machine.record(combination.root)
        if any(record.into or not record.counted for record in records):
            return
        registers = sum(self._register_bits(cls) for _, cls in shape.registers)
        least = max(record.size for record in records)
        most = sum(record.size for record in records)
        shortest = SHORTEST_REACH if shape.branches else 0
        saved: defaultdict[tuple[int, ...], Saved] = defaultdict(Counter)
        for instance in instances:
            saved[instance.constants][instance.program] += instance.saved
        for size in [size for size in self.sizes if least <= size < most]:
            room = 8 * size - OPCODE - registers - shortest
            found = choices(saved, self.worth, max(registers + shortest, 1), room) if room >= 0 else []
            for ranges in found:
                chosen = [i for i in instances if all(v in r for v, r in zip(i.constants, ranges, strict=True))]
                bits = registers + sum(r.bits for r in ranges)
                reach = self._reach(root, 8 * size - OPCODE - bits) if shape.branches else None
                bits += _reach_bits(reach)
                yield Candidate(
                    shape, ranges, names, chosen, Encoding(bits, size), self._latency(combination.rtls, combination.root),
                    self._issue(combination.rtls, combination.root), reach, root, units=_units(chosen[0]),
                    clobbers=tuple(dict.fromkeys(register for record in records for register in record.clobbers)),
                    operands={name: r for name, r in zip(CONSTANTS, ranges, strict=False) if r.bits},
                )  # fmt: skip
            if found:
                return

    def _register_bits(self, cls: str) -> int:
        return (self.machine.classes[cls].count - 1).bit_length()

    def _reach(self, root: Record, room: int) -> tuple[int, int]:
        low, high = root.reach or (-(1 << (REACH - 1)), (1 << (REACH - 1)) - 1)
        step = gcd(low, high) or 1
        while _reach_bits((low, high)) > room:
            low, high = -(-low // 2 // step) * step, high // 2 // step * step
        return low, high

    def _latency(self, rtls: tuple[Rtl, ...], root: Rtl) -> int:
        """Return the cycles of the longest way through the parts; some take no time of their own.

        Those are shifts by constants, logic and extensions, what comes before a branch, one addition of an address.
        """
        own = self.machine.record(root).latency
        others = [rtl for rtl in rtls if rtl is not root]
        if root.transfer is not None or _is_step_of(root, others):
            return own
        address = bool(root.loads or root.stores)
        added = 0
        for rtl in others:
            record = self.machine.record(rtl)
            if _is_cheap(rtl):
                continue
            if address and record.latency == 1 and not rtl.loads:
                address = False  # the adder of addresses
                continue
            added += record.latency
        return own + added if not (_is_cheap(root) and added) else max(own, added)

    def _issue(self, rtls: tuple[Rtl, ...], root: Rtl) -> int:
        """Return how long a branch waits for what it compares; comparing takes no time of its own."""
        if root.transfer is None:
            return 1
        parts = [rtl for rtl in rtls if rtl is not root and not _is_cheap(rtl) and not _compares(rtl)]
        return 1 + sum(self.machine.record(rtl).latency for rtl in parts)


def _compares(rtl: Rtl) -> bool:
    effect = rtl.single_set
    return effect is not None and isinstance(effect.source, Op) and effect.source.op in (*RELATIONS, "?")


def _reach_bits(reach: tuple[int, int] | None) -> int:
    if reach is None:
        return 0
    step = gcd(*reach) or 1
    return ((reach[1] - reach[0]) // step).bit_length()


def _is_step_of(root: Rtl, others: list[Rtl]) -> bool:
    """Whether the result of no other RTL is read by the root, or only its address steps."""
    return len(others) == 1 and bool(root.loads or root.stores) and others[0].sets == others[0].uses


def _is_cheap(rtl: Rtl) -> bool:
    effect = rtl.single_set
    if effect is None or effect.memory or not isinstance(effect.source, Op):
        return effect is not None and isinstance(effect.source, Const)
    op = effect.source.op
    return op in CHEAP and (not op.startswith((">", "<")) or isinstance(effect.source.args[-1], Const))


def _units(instance: Instance) -> tuple[str, ...]:
    """Return the operators that an instruction needs at once, as an estimate of its hardware."""
    found: list[str] = []
    for effect in instance.combination.effects:
        if isinstance(effect, Set) and isinstance(effect.target, Mem):
            found.append("store")
        for root in expressions_read(effect):
            for node in subexpressions(root):
                if isinstance(node, Mem):
                    found.append("load")
                elif isinstance(node, Op):
                    found.append(node.op)
    return tuple(found)


# ----------------------------------------------------------------------------------------------------------------------
# Candidates as entries of a description, checked to load, and as edits of one.


def name_all(candidates: Iterable[Candidate], description: Map) -> None:
    """Give each candidate a name that no instruction has: those of the instructions that it replaces."""
    known = {name for key in description["instructions"] for name in key.split()}
    for candidate in candidates:
        stem = ".".join(candidate.names)
        number = 1
        while (name := stem if number == 1 else f"{stem}_{number}") in known:
            number += 1
        known.add(name)
        candidate.name = name


class Entry:
    """The lines that a candidate adds to a description."""

    def __init__(self, candidate: Candidate, description: Map) -> None:
        self.candidate = candidate
        self.operands: dict[str, str] = {}  # by name, without those that the description has
        self.instruction = f"{candidate.name}: {self._body(candidate, description)}"

    def _body(self, candidate: Candidate, d: Map) -> str:
        defaults = d.get("defaults") or {}
        variables = [name for name, _ in candidate.shape.registers]
        shown = [*variables, *candidate.operands, *([LABEL] if candidate.shape.branches else [])]
        asm = f"{candidate.name.lower()} {','.join(f'${name}' for name in shown)}"
        fields = {"rtl": f'"{candidate.rtl}"', "asm": f'"{asm}"'}
        for variable, range_ in candidate.operands.items():
            text = f"{{constant: {range_.low}..{range_.high}"
            text += f", multiple: {range_.multiple}, mode: IMMED}}" if range_.multiple > 1 else ", mode: IMMED}"
            fields[variable] = self._operand(range_.name, text, d)
        record = candidate.record
        if candidate.reach is not None and record.reach is not None:
            fields["reach"] = f"[{candidate.reach[0]}, {candidate.reach[1]}]"
        numbers = {"size": (candidate.encoding.size, 4), "latency": (candidate.latency, 1), "slots": (record.slots, 0)}
        numbers |= {"load_slots": (record.load_slots, 0), "hold_slots": (record.hold_slots, 0)}
        fields |= {k: str(value) for k, (value, usual) in numbers.items() if value != defaults.get(k, usual)}
        if candidate.issue > 1 and "timing" in d:
            fields["issue"] = str(candidate.issue)
        if record.occupancy.unit:
            fields["unit"] = record.occupancy.unit
        if candidate.clobbers or defaults.get("clobbers"):
            fields["clobbers"] = f"[{', '.join(map(_register, candidate.clobbers))}]"
        return "{" + ", ".join(f"{key}: {value}" for key, value in fields.items()) + "}"

    def _operand(self, name: str, text: str, d: Map) -> str:
        """Return the name of the description's operand that a text describes, or of a new one."""
        wanted = read_value(text, Place("", 1, 1))
        for known, spec in d["operands"].items():
            if isinstance(spec, Map) and {**spec, "mode": "IMMED"} == wanted:
                return str(known)
        while name in d["operands"]:
            name += "_"
        self.operands[name] = text
        return name

    @property
    def edit(self) -> Edit:
        """The edit that adds the entry to a description."""
        return Edit("addition", self.candidate.name, partial(_add, description_lines([self]), self.candidate.name))


def _register(register: Register) -> str:
    return register.cls if register.type in CODE_TYPES else f'"{register.cls}[{register.index}]"'


def description_lines(entries: Iterable[Entry]) -> str:
    """Return the sections of a description that entries are."""
    entries = list(entries)
    operands = {name: text for entry in entries for name, text in entry.operands.items()}
    lines = ["operands:", *(f"  {name}: {text}" for name, text in operands.items())] if operands else []
    return "\n".join([*lines, "instructions:", *(f"  {entry.instruction}" for entry in entries)]) + "\n"


def _add(lines: str, name: str, description: Map) -> None:
    merge(description, read_value(lines, Place(f"proposal {name}", 1, 1)))
