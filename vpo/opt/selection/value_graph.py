"""Values of a function in SSA form as functions of a few registers, and which instructions compute such a function.

A cut of a value (Cong and Ding, "FlowMap", 1994) is a group of registers through which all ways to it lead, and what is
computed between them and it.  Its values on samples of inputs tell which instructions may compute it
(`vpo/machines/match/meanings.py`), a proof whether they do (`vpo/algebra/proofs.py`).  Numbers are seen through registers; of
a register that holds a bit, or an extended byte or half, it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vpo.algebra import rebuild, rebuild_effect, unary, wrap
from vpo.algebra.distances import keeps_distances
from vpo.algebra.proofs import are_equal
from vpo.algebra.samples import COLOURS, NotSampledError, Shared, evaluate
from vpo.analysis.condition_codes import HELD
from vpo.analysis.liveness import bits
from vpo.machines.machine import Machine
from vpo.machines.match.likely import LARGEST, values_of
from vpo.machines.match.meaning import BIT, NUMBERS, Kind, Leaf, Sought, extension_of, held_by, may_be
from vpo.machines.match.meanings import Meanings
from vpo.rtl import (
    BITS,
    INTEGER_TYPES,
    RELATIONS,
    SHIFTS,
    Const,
    Effect,
    Expr,
    Mem,
    Op,
    Register,
    Rtl,
    Set,
    Slot,
    distinct_parts,
    subexpressions,
)
from vpo.rtl.function import Block, Phi

CUTS = 12  # of one value, of the fewest registers
DEEPEST = 3  # and of those of more: with the most inside, as what several operations on parts of a few registers come from
INSIDE = 128  # definitions in one cut
KEEPING = {"&", "|", "^", ">>", ">>u"}  # what they compute of values that are extended alike is so, too
DEPTH = 4  # of such operations, one in another
REFUSED = 24  # proofs that fail until no more are tried: those of values that hardly any instruction computes are long
COPIES = 8  # through which a definition is looked for


@dataclass(frozen=True, slots=True, eq=False)
class _Joint:
    """A cut of each of the first operands, with their leaves together and what is inside any of them (bit sets)."""

    parts: tuple[Cut, ...]
    leaves: int
    colours: int  # of the leaves
    inside: int


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A value as a function of some registers, or a number, and what is computed on the way.

    That is a bit set (`ValueGraph.members`).
    """

    leaves: tuple[Register, ...]
    number: int | None
    inside: int
    numbers: frozenset[int]
    leaf_set: int
    colours: int  # of the leaves


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The cuts of a value, and what they were found of: as long as that is so, they are these."""

    source: Expr
    own: int
    operands: Sequence[Sequence[Cut]]
    cuts: list[Cut]

    def is_of(self, source: Expr, own: int, operands: Sequence[Sequence[Cut]]) -> bool:
        """Whether the cuts were found of this."""
        if source is not self.source or own != self.own:
            return False
        return all(now is then or not (now or then) for now, then in zip(operands, self.operands, strict=True))


class ValueGraph:
    """The values of one function.  `sources` has the expression of each register that is only computed."""

    def __init__(self, machine: Machine, sources: dict[Register, Expr], meanings: Meanings | None = None) -> None:
        self.machine, self.meanings, self.sources = machine, meanings or machine.sought[0], sources
        self.refused, self.most = 0, self.meanings.most
        self.decides = machine.capabilities.decides
        self.kinds: dict[Register | Slot, Kind] = {}
        self.low_bits: set[Register] = set()  # registers of which the low byte is 0 or 1
        self.joins: dict[Register, tuple[Register, ...]] = {}  # phis that are extended since what they take is
        self.order: dict[Register, float] = {}
        self.colours: dict[Register, int] = {}  # of those that do not follow from their order
        self.tests: Mapping[Register, Sequence[Register]] = {}  # names of the condition codes of which values are computed
        self.cuts: dict[Register, list[Cut]] = {}
        self.found: dict[Register, _Found] = {}
        self.places: dict[Register, int] = {}  # in bit sets
        self.registers: list[Register] = []  # by their places
        self.sampled: dict[tuple[Expr, str], bool] = {}  # whether an expression for a type can be
        self.samples: dict[Cut, Any] = {}

    def define_all(self, blocks: Sequence[Block], arriving: Mapping[Register | Slot, Kind]) -> None:
        """Take down the definitions of blocks, the entry first.

        `arriving` tells how hard registers, and cells of the frame, are extended there.
        """
        held = dict(arriving)
        for block in blocks:
            for rtl in block.rtls:
                self._define(rtl, held)
                for register in rtl.sets:
                    held.pop(register, None)
                if rtl.call is not None:
                    held.clear()  # results of calls are in the registers of arguments
                elif rtl.stores:
                    held = {place: kind for place, kind in held.items() if isinstance(place, Register)}
            held.clear()

    def join(self, phis: Iterable[Phi]) -> None:
        """Take down how phis are extended: as all that they take is, or as numbers may be; around loops, too.

        Who then narrows a value must see to it that nothing relies on what it is joined with (`joins`).
        """
        taken = {phi.target: tuple(dict.fromkeys(phi.sources.values())) for phi in phis}
        found: dict[Register, Kind] = {}
        begun = True
        while begun:
            begun = False
            for target, sources in taken.items():
                kinds = (self._own_kind(source) or found.get(source) for source in sources)
                if target not in found and (kind := next(filter(None, kinds), None)) is not None:
                    found[target], begun = kind, True

        def is_right(target: Register) -> bool:
            return all(self._is(source, found[target], found) for source in taken[target])

        while wrong := [target for target in found if not is_right(target)]:
            for target in wrong:
                del found[target]
        self.joins = {phi: taken[phi] for phi in found}
        self.kinds.update(found.items())

    def _own_kind(self, register: Register) -> Kind | None:
        """Return how a register is extended, if it holds no known number: so may be what is made of it."""
        kind = self.kinds.get(register)
        return kind if kind is not None and kind[0] != "#" else None

    def part_all(self) -> None:
        """Take down that nothing is known any more of phis."""
        for register in self.joins:
            self.kinds.pop(register, None)
        self.joins.clear()

    def forget(self, register: Register) -> None:
        """Take down that nothing is known any more of how a register is extended, nor its copies."""
        work = [register]
        for each in work:
            self.kinds.pop(each, None)
            work += [copy for copy, source in self.sources.items() if source is each and copy not in work]

    def _is(self, register: Register, kind: Kind, found: Mapping[Register, Kind]) -> bool:
        """Whether a register is extended so, or a number that could be."""
        source = self.sources.get(register)
        if type(source) is Const:
            return may_be(source.value, kind)
        return (self.kinds.get(register) or found.get(register)) == kind

    def _define(self, rtl: Rtl, held: Mapping[Register | Slot, Kind]) -> None:
        """Take down the order of definitions, and how what they set was extended; `held` says so of what arrived."""
        for register in rtl.sets:
            self.order[register] = len(self.order)
        for effect in rtl.effects:
            if type(effect) is not Set or type(effect.target) is not Register or not effect.target.pseudo:
                continue
            source = effect.source
            if (extension := self._extension(effect.target, source) if self.decides else extension_of(source)) is not None:
                self.kinds[effect.target] = extension
                continue
            place = self._slot(source) if type(source) is Mem else source
            if isinstance(place, Register | Slot) and (kind := held.get(place) or self.kinds.get(place)) is not None:
                self.kinds[effect.target] = kind

    def _extension(self, target: Register, source: Expr) -> Kind | None:
        """Return how what a register is set to is extended; a number, or 0 or 1 by what is in registers, is that."""
        match source:
            case Const(value=value):
                return ("#", str(value)) if value in NUMBERS else None
            case Op(op="|", args=(Op(op="&", args=(Register(), Const(value=value))), byte)) if value == -256:
                if self._is_bit(byte):
                    self.low_bits.add(target)
        return BIT if self._is_bit(source) else extension_of(source)

    def _is_bit(self, source: Expr) -> bool:
        """Whether an expression is 0 or 1: a truth value, or part of one."""
        match source:
            case Register():
                return self.kinds.get(source) in (BIT, ("#", "0"), ("#", "1"))
            case Op(op="zx", args=(Op(op="tr", type="B", args=(Register() as whole,)),)) if whole in self.low_bits:
                return True
            case Op(op="zx" | "tr", args=(inner,)):
                return self._is_bit(inner)
            case Op(op="&", args=(one, other)):
                return self._is_bit(one) or self._is_bit(other)
            case Op(op=op):
                return op in RELATIONS
        return source is Const(0) or source is Const(1)

    def _slot(self, cell: Mem) -> Slot | None:
        """Return the slot of which a cell is a whole word."""
        match cell.address:
            case Op(op="+", args=(Register() as base, Slot(offset=0) as slot)) if base is self.machine.stack_pointer:
                return slot if cell.type == self.machine.address_type else None
        return None

    # ----------------------------------------------------------------------------------------------------------- cuts

    def find_cuts(self, target: Register, source: Expr) -> list[Cut]:
        """Return the ways in which a value is a function of a few registers, and remember them for what uses it."""
        if (target.type and target.type not in INTEGER_TYPES) or source.memory:
            self.cuts[target] = []
            return []
        registers = [register for register in source.uses if register not in self.machine.zero]
        own = self.set_of((target, *self.tests.get(target, ())))
        for register in registers:
            if register not in self.cuts:
                self._find_all(register)
        operands, known = [self.cuts[register] for register in registers], self.found.get(target)
        if known is None or not known.is_of(source, own, operands):
            known = self.found[target] = _Found(source, own, operands, list(self._cuts(registers, target, source, own)))
        self.cuts[target] = known.cuts
        return known.cuts

    def _cuts(self, registers: Sequence[Register], target: Register, source: Expr, own: int) -> Iterator[Cut]:
        written = frozenset(number for node in subexpressions(source) for number in _written(node))
        joints = sorted(self._joint(list(map(self._cuts_of, registers)), own), key=lambda joint: joint.leaves.bit_count())
        if len(joints) > CUTS:
            deepest = sorted(joints[CUTS:], key=lambda joint: joint.inside.bit_count(), reverse=True)[:DEEPEST]
            joints = [*joints[:CUTS], *deepest]
        if not joints or not self._is_sampled(source, target.type):
            return
        for joint in joints:
            numbers, number = written.union(*(part.numbers for part in joint.parts)), None
            if not joint.leaves and target.type:
                number = self._number(source, target.type, dict(zip(registers, joint.parts, strict=True)))
                numbers = frozenset((wrap(number, BITS[target.type]),))
            leaves = tuple(sorted(self.members(joint.leaves), key=self.order.__getitem__))
            yield Cut(leaves, number, joint.inside | own, numbers, joint.leaves, joint.colours)

    def _is_sampled(self, source: Expr, type_: str) -> bool:
        """Whether samples are made of an expression."""
        known = self.sampled.get((source, type_))
        if known is None:
            vectors = {register: values_of(register.type, 0, ("", "")) for register in source.uses}
            try:
                evaluate(source, vectors, type_)
                known = True
            except NotSampledError:
                known = False
            self.sampled[source, type_] = known
        return known

    def _number(self, source: Expr, type_: str, parts: Mapping[Register, Cut]) -> int:
        """Return the number that an expression of numbers is."""
        vectors: dict[Expr, Any] = dict.fromkeys(self.machine.zero, 0)
        vectors.update((register, part.number) for register, part in parts.items())
        return int(evaluate(source, vectors, type_)[0])

    def _joint(self, choices: Sequence[Sequence[Cut]], own: int) -> Iterable[_Joint]:
        """Return the ways to take a cut of each operand, the first of those with the same leaves.

        Of what has more leaves already than instructions read, or leaves that cannot be told apart, nothing comes.
        """
        found = [_Joint((), 0, 0, 0)]
        for cuts in choices:
            longer: dict[tuple[int, int], _Joint] = {}
            for begun in found:
                for cut in cuts:
                    leaves, colours = begun.leaves | cut.leaf_set, begun.colours | cut.colours
                    if (count := leaves.bit_count()) > self.most or colours.bit_count() < count:
                        continue
                    inside = begun.inside | cut.inside
                    if not leaves & inside and (leaves, inside) not in longer and (own | inside).bit_count() <= INSIDE:
                        longer[leaves, inside] = _Joint((*begun.parts, cut), leaves, colours, inside)
            found = list(longer.values())
        of_leaves: dict[int, _Joint] = {}
        for joint in found:
            of_leaves.setdefault(joint.leaves, joint)
        return of_leaves.values()

    def set_of(self, registers: Iterable[Register]) -> int:
        """Return a bit set of registers."""
        result = 0
        for register in registers:
            place = self.places.get(register)
            if place is None:
                place = self.places[register] = len(self.registers)
                self.registers.append(register)
            result |= 1 << place
        return result

    def members(self, registers: int) -> list[Register]:
        """Return the registers of a bit set."""
        return [self.registers[place] for place in bits(registers)]

    def _cuts_of(self, register: Register) -> list[Cut]:
        """Return the cuts of a value that is used: as it is defined, and itself as a leaf."""
        known = self.cuts[register]
        if known and not known[0].leaves:  # a number, which may stay in its register
            known = known[:1]
        if register.type not in INTEGER_TYPES or register.index >= HELD:
            return known
        copied = self.sources.get(register)
        if known and isinstance(copied, Register) and copied.pseudo and copied.cls == register.cls:
            return known  # among these is what it copies, which is as good
        return [*known, Cut((register,), None, 0, frozenset(), self.set_of((register,)), 1 << self._colour(register))]

    def samples_of(self, register: Register) -> Any:
        """Return the values of a register in all samples."""
        return values_of(register.type, self._colour(register), self._kind(register))

    def sampled_cut(self, target: Register, cut: Cut) -> Any:
        """Return the values of a cut of a register in all samples."""
        known = self.samples.get(cut)
        if known is None:
            vectors = Shared((leaf, self.samples_of(leaf)) for leaf in cut.leaves)
            known = self.samples[cut] = evaluate(self.expression(target, cut), vectors, target.type)
        return known

    def _find_all(self, register: Register) -> None:
        """Find the cuts of a register, after those of what it is computed of: without a deep stack, however long the way."""
        work = [register]
        while work:
            last = work[-1]
            source = self.sources.get(last)
            missing = [used for used in source.uses if used not in self.cuts] if source is not None else []
            self.cuts.setdefault(last, [])  # also of a circle
            if missing:
                work += missing
            else:
                work.pop()
                if source is not None and not self.cuts[last]:
                    self.find_cuts(last, source)

    def _kind(self, register: Register) -> Kind:
        """Return how a register is extended."""
        return self.kinds.get(register) or self._kept_by(register, DEPTH) or self._kind_of_number(register) or ("", "")

    def _kind_of_number(self, register: Register) -> Kind | None:
        """Return how a register is extended that holds a number of fewer bits, if half of it is a type of its own."""
        number = self._number_in(register) if register.type == "Q" else None
        kinds: tuple[Kind, ...] = (("zx", "L"), ("sx", "L"))
        return next((kind for kind in kinds if may_be(number, kind)), None) if number is not None else None

    def _number_in(self, register: Register) -> int | None:
        """Return the number that a register holds."""
        return cuts[0].number if (cuts := self.cuts.get(register)) and not cuts[0].leaves else None

    def _kind_for(self, target: Register, register: Register, part: str) -> Kind:
        """Return how a register is extended; if a part of a value is wanted, not by what joins that value."""
        if part and any(self._takes(phi, target) for phi in self._joined_in(register)):
            return "", ""
        return self._kind(register)

    def _kept_by(self, register: Register, depth: int) -> Kind | None:
        """Return how a register is extended whose bits are put together of those of registers that are extended alike."""
        source = self.sources.get(register)
        if type(source) is not Op or source.op not in KEEPING or not depth:
            return None
        found: Kind | None = None
        for operand in source.args[:1] if source.op in SHIFTS else source.args:
            if type(operand) is not Register:
                return None
            kind = self._own_kind(operand) or self._kept_by(operand, depth - 1)
            if kind is None or (found is not None and kind != found) or (source.op == ">>u" and kind[0] == "sx"):
                return None
            found = kind
        return found

    def rests_on_phis(self, registers: Iterable[Register]) -> bool:
        """Whether it rests on what phis join how some registers are extended."""
        return any(True for register in registers for _ in self._joined_in(register))

    def _joined_in(self, register: Register) -> Iterator[Register]:
        """Yield the phis on which it rests how a register is extended."""
        if register in self.joins:
            yield register
        elif self.joins and register not in self.kinds and self._kept_by(register, DEPTH) is not None:
            for operand in self.sources[register].uses:
                yield from self._joined_in(operand)

    def _takes(self, phi: Register, value: Register) -> bool:
        """Whether a phi is extended as it is since a value is."""
        work = [phi]
        for joined in work:
            sources = self.joins[joined]
            if value in sources:
                return True
            work += [source for source in sources if source in self.joins and source not in work]
        return False

    def _colour(self, register: Register) -> int:
        if (known := self.colours.get(register)) is not None:
            return known
        return int(self.order.setdefault(register, len(self.order))) % COLOURS

    def insert(self, new: Sequence[Register], before: Register) -> None:
        """Take down that registers are defined where another one is, in front of it."""
        for place, register in enumerate(new):
            self.colours[register] = len(self.order) % COLOURS
            self.order[register] = self.order[before] - (len(new) - place) / (1 + len(new))

    # --------------------------------------------------------------------------------------------------- instructions

    def instructions(self, target: Register, cut: Cut, part: str = "") -> Iterator[list[tuple[Effect, ...]]]:
        """Yield ways in which one instruction sets a register to the value of a cut: it alone, or between two copies.

        With `part`, to a value of which the low part of that type is the same.  They are likely, not proven: ask `is_proven`
        of one before it is used.
        """
        for expression in self.expressions(target, cut, part):
            direct = (Set(target, expression),)
            if self.machine.is_legal(direct):
                yield [direct]
            else:
                yield from self._tied(target, expression)

    def expressions(self, target: Register, cut: Cut, part: str = "") -> Iterator[Expr]:
        """Yield what instructions compute that is likely to be the value of a cut, or its low part; nothing of a number."""
        if not cut.leaves:
            return
        sought = self.sought(target, cut, part)
        if len(distinct_parts(sought.source, LARGEST)) > LARGEST:
            return
        back = dict[Expr, Expr]((leaf.register, own) for leaf, own in zip(sought.leaves, cut.leaves, strict=True))
        for found in self.meanings.likely(sought, self.machine.half):
            yield rebuild(found, back.get)

    def sought(self, target: Register, cut: Cut, part: str = "") -> Sought:
        """Return the value of a cut, or its low part, as it is looked for."""
        named = tuple(Register(leaf.cls, place, leaf.type, True) for place, leaf in enumerate(cut.leaves))
        source = self.expression(target, cut, dict(zip(cut.leaves, named, strict=True)))
        leaves = tuple(Leaf(name, self._kind_for(target, leaf, part)) for name, leaf in zip(named, cut.leaves, strict=True))
        return Sought(target.cls, target.type, leaves, source, tuple(sorted(cut.numbers)), part)

    def _tied(self, target: Register, expression: Expr) -> Iterator[list[tuple[Effect, ...]]]:
        """Yield an instruction that changes a copy of one of its operands, and a copy of the result."""
        for operand in expression.uses:
            if (operand.cls, operand.type) != (target.cls, target.type):
                continue
            # the number of a register that no function has: who takes the way puts a new one in its place
            before, after = (Register(target.cls, NEW, target.type, True, version) for version in (1, 2))
            changed = rebuild(expression, {operand: before}.get)  # type: ignore[arg-type]
            way: list[tuple[Effect, ...]] = [(Set(before, operand),), (Set(after, changed),), (Set(target, after),)]
            if all(map(self.machine.is_legal, way)):
                yield way
                return

    def is_proven(self, target: Register, cut: Cut, way: Sequence[tuple[Effect, ...]], part: str = "") -> bool:
        """Whether a way is proven to set a register to the value of a cut, or its low part to that of the value."""
        names = self._known(target, cut, part)
        for effects in way[:-1]:
            (effect,) = effects
            assert isinstance(effect, Set)
            names[effect.target] = rebuild(effect.source, names.get)
        (last,) = way[-1]
        assert isinstance(last, Set)
        return self._equal(target, cut, names, last.source, part)

    def is_proven_of(self, target: Register, cut: Cut, expression: Expr, part: str = "") -> bool:
        """Whether an expression of the leaves of a cut is proven to be its value, or has the same low part."""
        return self._equal(target, cut, self._known(target, cut, part), expression, part)

    def _equal(self, target: Register, cut: Cut, names: Mapping[Expr, Expr], expression: Expr, part: str) -> bool:
        if self.refused == REFUSED:
            return False
        value, found_value = self.expression(target, cut, names), rebuild(expression, names.get)
        found = are_alike(value, found_value, target.type, part) and keeps_distances(
            value, found_value, target.type, self.machine.distances, lambda name: self._defined(cut, name)
        )
        self.refused += not found
        return found

    def _defined(self, cut: Cut, name: Register) -> Expr | None:
        """Return what the leaf is set to, through copies, that a name stands for."""
        source: Expr | None = cut.leaves[name.index] if name.index < len(cut.leaves) else None
        for _ in range(COPIES):
            if type(source) is Register:
                source = self.sources.get(source)
        return source

    def _known(self, target: Register, cut: Cut, part: str) -> dict[Expr, Expr]:
        """Return what is known of the leaves of a cut: each is a register, or an extended part of one."""
        names: dict[Expr, Expr] = {}
        for number, leaf in enumerate(cut.leaves):
            name = Register(leaf.cls, number, leaf.type, True)
            names[leaf] = held_by(name, self._kind_for(target, leaf, part))
        return names

    def expression(self, target: Register, cut: Cut, names: Mapping[Expr, Expr] | None = None) -> Expr:
        """Return the value of a cut as an expression of its leaves, or of other names for them."""
        known: dict[Expr, Expr] = dict(names) if names is not None else {leaf: leaf for leaf in cut.leaves}
        negative = self._negative(cut, known)
        for register in self.machine.zero:
            known[register] = Const(0)

        def put(node: Expr) -> Expr | None:
            if not isinstance(node, Register):
                return negative.get(node) if negative else None
            if node not in known:
                value = rebuild(self.sources[node], put)
                known[node] = negative.get(value, value)
            return known[node]

        return rebuild(self.sources[target], put)

    def _negative(self, cut: Cut, known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
        """Return what numbers are whose negative a leaf holds: `x>=u100 ? x+-100 : x` is the same for all numbers.

        Without the number itself there is no more to it than to a sum.
        """
        found: dict[Expr, Expr] = {}
        for leaf in cut.leaves:
            number = self._number_in(leaf)
            if number is not None and abs(number) > 1:
                found[Const(-number)] = unary("neg", leaf.type, known[leaf])
        return found

    @staticmethod
    def renamed(way: Sequence[tuple[Effect, ...]], fresh: Callable[[str, str], Register]) -> list[tuple[Effect, ...]]:
        """Return a way with a register of the function for the one that has no number yet."""
        (last,) = way[-1]
        assert isinstance(last, Set)
        if len(way) == 1:
            return list(way)
        number = fresh(last.target.cls, last.target.type).index  # type: ignore[union-attr]

        def put(node: Expr) -> Expr | None:
            if isinstance(node, Register) and node.index == NEW:
                return Register(node.cls, number, node.type, True, node.version)
            return None

        return [tuple(rebuild_effect(effect, put, targets=True) for effect in effects) for effects in way]


def are_alike(value: Expr, new: Expr, type_: str, part: str) -> bool:
    """Whether it is proven that two expressions of a type are equal, or have the same low part."""
    return are_equal(unary("tr", part, value), unary("tr", part, new), part) if part else are_equal(value, new, type_)


NEW = 1 << 40  # the number of a register in a way that is not taken yet


def _written(node: Expr) -> tuple[int, ...]:
    """Return the number that stands in a program as a node: itself, or the mask that an extension is."""
    match node:
        case Const(value=value):
            return (value,)
        case Op(op="zx", args=(part,)) if part.type in INTEGER_TYPES:
            return ((1 << BITS[part.type]) - 1,)
    return ()
