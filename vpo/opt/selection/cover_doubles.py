"""Instructions with two results by what they compute, on SSA form, where pairs of instructions do not tell.

    r[t1]=trL((zxQ(r[t8])*zxQ(r[t9]))>>u32);
    r[t2]=r[t8]*r[t9];
    r[t3]=r[t6]+r[t2];                    =>      UMLAL of r[t6], r[t7], r[t8], r[t9] sets r[t3] and r[t5]
    r[t4]=r[t3]<ur[t6];
    r[t5]=(r[t7]+r[t1])+r[t4];

The harder result is looked for as one of an instruction with one result is (`cover.py`), and the other among the values from
which it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from vpo.algebra import rebuild
from vpo.algebra.distances import keeps_distances
from vpo.algebra.samples import NotSampledError, evaluate
from vpo.machines.machine import Machine
from vpo.machines.match.likely import likely_meanings
from vpo.machines.match.meanings import Double
from vpo.machines.match.numbered import low_part
from vpo.opt.selection.covering import Covering, User, is_copy
from vpo.opt.selection.value_graph import Cut, ValueGraph, are_alike
from vpo.opt.ssa.wanted_bits import WantedBits, wanted_part
from vpo.opt.state import FunctionState, merged
from vpo.rtl import Effect, Expr, Register, Rtl, Set
from vpo.rtl.function import Block


def cover_doubles(state: FunctionState) -> None:
    """Let one instruction compute two values and what they need."""
    while _Doubles(state).run():
        pass


Parts = Callable[[Register], Iterable[str]]  # what may be wanted of a value: all of it (nothing), or low parts


@dataclass(frozen=True, slots=True)
class Easy:
    """The low part of the easier value, if only that is wanted, and its cut."""

    part: str
    cut: Cut


@dataclass(frozen=True, slots=True)
class Pair:
    """Two values that an instruction computes: the harder one at its cut, and another one of what is inside."""

    double: Double
    hard: Register
    cut: Cut
    part: str
    easy: Register
    of: Easy
    registers: list[Register]

    def way(self, machine: Machine, *fresh: Register) -> list[tuple[Effect, ...]]:
        """Return copies of the operands that an instruction changes, and the instruction.

        `fresh` are registers of the function for its results; without them, some that no function has stand there.
        """
        known = dict(zip([leaf.name for leaf in self.double.hard.leaves], self.registers, strict=True))
        instead: dict[Expr, Expr] = {}
        way: list[tuple[Effect, ...]] = []
        results = []
        for place, (name, wanted) in enumerate(zip(self.double.targets, (self.hard, self.easy), strict=True)):
            number = fresh[place].index if fresh else -1 - place
            before, after = (Register(wanted.cls, number, wanted.type, True, version) for version in (1, 2))
            if name in known:
                way.append((Set(before, known[name]),))
                instead[known[name]] = before
            results.append(after)
        hard, easy = (rebuild(each, instead.get) for each in self.double.of(self.registers, machine.half))
        effects = (Set(results[0], hard), Set(results[1], easy))
        return [*way, effects if self.double.hard_first else effects[::-1]]

    def is_proven(self, graph: ValueGraph) -> bool:
        """Whether both values are proven to be those of the instruction."""
        machine = graph.machine
        hard, easy = self.double.of(self.registers, machine.half)
        part = self.of.part
        value = graph.expression(self.easy, replace(self.of.cut, leaves=self.cut.leaves))
        type_ = self.easy.type
        is_easy = are_alike(value, easy, type_, part) and keeps_distances(value, easy, type_, machine.distances)
        return is_easy and graph.is_proven_of(self.hard, self.cut, hard, self.part)


def likely_pairs(
    graph: ValueGraph, hard: Register, cut: Cut, part: str, others: Iterable[Register], parts: Parts
) -> Iterator[Pair]:
    """Yield instructions that are likely to compute the value of a cut, or a part of it, and one of others beside it."""
    machine, meanings, others = graph.machine, graph.meanings, list(others)
    for meaning, places in likely_meanings(meanings.all, meanings.tables, graph.sought(hard, cut, part)):
        double = machine.doubles.get(meaning)
        if double is None:
            continue  # with one register in several places, some of which it changes
        registers = [cut.leaves[place.index] for place in places]
        known = dict(zip([leaf.name for leaf in meaning.leaves], registers, strict=True))
        samples = {leaf: graph.samples_of(known[leaf.name]) for leaf in double.easy.leaves}
        try:
            vector = evaluate(double.easy.source, samples, double.easy.type)
        except NotSampledError:
            continue
        for easy in others:
            of = _part_of(graph, easy, vector, registers, parts(easy)) if easy.cls == double.easy.target else None
            if of is not None:
                yield Pair(double, hard, cut, part, easy, of, registers)


def _part_of(
    graph: ValueGraph, register: Register, vector: Any, leaves: Sequence[Register], parts: Iterable[str]
) -> Easy | None:
    """Return the part of a value, and its cut, that is a vector of some leaves."""
    for part in parts:
        known = low_part(vector, part)
        for own in graph.cuts.get(register, ()):
            if {*own.leaves} <= {*leaves} and bool((low_part(graph.sampled_cut(register, own), part) == known).all()):
                return Easy(part, own)
    return None


class _Doubles(Covering):
    """The work on one function: one instruction."""

    def __init__(self, state: FunctionState) -> None:
        super().__init__(state, state.machine.double_meanings)
        self.wanted: dict[Register, int] | None = None  # how many low bits of values are wanted

    def run(self) -> bool:
        """Look at each value, definitions before uses; return whether one instruction was put in."""
        for block, _ in self.blocks:
            for rtl in block.rtls:
                for target in rtl.sets:
                    if self.definitions.get(target) is rtl and self._value(block, rtl, target):
                        return True
        return False

    def _value(self, block: Block, rtl: Rtl, target: Register) -> bool:
        """Look for an instruction whose harder result is a value, or has its low part if nobody wants more."""
        cuts = self.graph.find_cuts(target, self.sources[target])
        pairs = (pair for part in self._parts(target) for cut in cuts if cut.leaves
                 for pair in self._pairs(block, target, cut, part))  # fmt: skip
        return any(self._at(block, rtl, pair) for pair in pairs)

    def _at(self, block: Block, rtl: Rtl, pair: Pair) -> bool:
        freed = self._freed_by(rtl, pair)
        place = self._place(block, rtl, pair, freed) if freed else None
        good = place is not None and self._pays(place, pair, freed) and pair.is_proven(self.graph)
        return place is not None and good and self._install(block, place, pair, freed)

    def _parts(self, register: Register) -> Iterable[str]:
        """Return what may be wanted of a value: all of it, or its low part of a type."""
        if self.wanted is None:
            self.wanted = WantedBits(self.state).bits
        return dict.fromkeys(("", wanted_part(self.wanted.get(register, 0), register.type)))

    def _pairs(self, block: Block, target: Register, cut: Cut, part: str) -> Iterator[Pair]:
        """Yield what instructions are likely to compute beside the value of a cut."""
        return likely_pairs(self.graph, target, cut, part, self._before(block, self.definitions[target]), self._parts)

    def _before(self, block: Block, rtl: Rtl) -> Iterator[Register]:
        """Yield what RTLs of a block compute in front of one."""
        for each in takewhile(lambda each: each is not rtl, block.rtls):
            for register in each.sets:
                if self.definitions.get(register) is each and register in self.sources:
                    yield register

    def _place(self, block: Block, rtl: Rtl, pair: Pair, freed: list[Rtl]) -> Rtl | None:
        """Return the RTL in whose place both values can be computed: the later one, or the one that somebody wants before."""
        easy = self.definitions[pair.easy]
        before = set[User](takewhile(lambda each: each is not rtl, block.rtls))
        if not any(user not in freed and user in before for user in self.users.get(pair.easy, ())):
            return rtl
        known_later = {register for each in block.rtls[block.rtls.index(easy) :] for register in each.sets}
        return easy if known_later.isdisjoint(pair.registers) else None

    def _freed_by(self, rtl: Rtl, pair: Pair) -> list[Rtl]:
        """Return the RTLs that are not wanted any more; none if somebody wants what one of them sets besides."""
        easy = self.definitions[pair.easy]
        freed: dict[User, None] = {rtl: None, easy: None}
        inside = self.graph.members(pair.cut.inside | pair.of.cut.inside)
        for register in sorted(inside, key=self.graph.order.__getitem__, reverse=True):
            each = self.definitions.get(register)
            if each is not None and each not in freed and self.is_unwanted(each, freed.keys()):
                freed[each] = None
        targets = pair.hard, pair.easy
        others = (result for each in (rtl, easy) for result in self.results.get(each, ()) if result not in targets)
        if any(user not in freed for result in others for user in self.users.get(result, ())):
            return []
        return [each for each in freed if isinstance(each, Rtl)]

    def _pays(self, rtl: Rtl, pair: Pair, freed: list[Rtl]) -> bool:
        """Whether an instruction saves some, and takes no longer than those that it stands for."""
        way = pair.way(self.machine)
        if not all(map(self.machine.is_legal, way)):
            return False
        harmless = {*self.machine.clobbers(rtl.effects)}
        if not all(harmless.issuperset(self.machine.may_clobber(effects)) for effects in way):
            return False
        saved = sum(self.weights[each] for each in freed if not is_copy(each))
        kept = [leaf for leaf in pair.registers if not self.users[leaf] <= {*freed}]
        changed = {effect.source for effects in way[:-1] for effect in effects if isinstance(effect, Set)}
        copies = sum(leaf in changed for leaf in kept)
        return saved > self.weights[rtl] * (1 + copies) and self.machine.latency(way[-1]) <= self._spent(pair)

    def _spent(self, pair: Pair) -> float:
        """Return how long the RTLs take that compute the harder value, or both if neither needs the other."""
        both = pair.easy not in self.graph.members(pair.cut.inside)
        return self.spent(pair.cut) + (self.spent(pair.of.cut) if both else 0.0)

    def _install(self, block: Block, rtl: Rtl, pair: Pair, freed: list[Rtl]) -> bool:
        """Put the instruction in the place of what computes one of the values, and copies of its results behind it."""
        fresh = [self.function.pseudo(each.cls, each.type) for each in (pair.hard, pair.easy)]
        way = pair.way(self.machine, *fresh)
        results = [Register(each.cls, each.index, each.type, True, 2) for each in fresh]
        way += [(Set(pair.easy, results[1]),), (Set(pair.hard, results[0]),)]
        new = [merged(effects, *freed) for effects in way]
        gone = {*freed} - {rtl}  # among them those that use the easier value before it is there now
        rest = [old for old in block.rtls if old not in gone]
        return self.state.change({block: [each for old in rest for each in (new if old is rtl else [old])]})
