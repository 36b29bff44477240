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

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from vpo.algebra import rebuild
from vpo.algebra.proofs import are_equal
from vpo.algebra.samples import NotSampledError, evaluate
from vpo.machines.match.likely import likely_meanings
from vpo.machines.match.meanings import Double
from vpo.opt.selection.covering import Covering, User, is_copy
from vpo.opt.selection.value_graph import Cut, keeps_distances
from vpo.opt.state import FunctionState, merged
from vpo.rtl import Effect, Expr, Register, Rtl, Set
from vpo.rtl.function import Block


def cover_doubles(state: FunctionState) -> None:
    """Let one instruction compute two values and what they need."""
    while _Doubles(state).run():
        pass


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two values that an instruction computes: the harder one at its cut, and another one of what is inside."""

    double: Double
    hard: Register
    cut: Cut
    easy: Register
    registers: list[Register]


class _Doubles(Covering):
    """The work on one function: one instruction."""

    def __init__(self, state: FunctionState) -> None:
        super().__init__(state, state.machine.double_meanings)

    def run(self) -> bool:
        """Look at each value, definitions before uses; return whether one instruction was put in."""
        for block, _ in self.blocks:
            for rtl in block.rtls:
                for target in rtl.sets:
                    if self.definitions.get(target) is rtl and self._value(block, rtl, target):
                        return True
        return False

    def _value(self, block: Block, rtl: Rtl, target: Register) -> bool:
        for cut in self.graph.find_cuts(target, self.sources[target]):
            if len(cut.leaves) > 1 and len(cut.inside) > 2:
                for pair in self._pairs(block, target, cut):
                    freed = self._freed_by(block, rtl, pair)
                    if (
                        freed
                        and self._pays(rtl, pair, freed)
                        and self._is_proven(pair)
                        and self._install(block, rtl, pair, freed)
                    ):
                        return True
        return False

    def _pairs(self, block: Block, target: Register, cut: Cut) -> Iterator[_Pair]:
        """Yield what instructions are likely to compute beside the value of a cut."""
        meanings = self.graph.meanings
        for meaning, places in likely_meanings(meanings.all, meanings.tables, self.graph.sought(target, cut)):
            double = self.machine.doubles.get(meaning)
            if double is None:
                continue  # with one register in several places, some of which it changes
            registers = [cut.leaves[place.index] for place in places]
            known = dict(zip([leaf.name for leaf in meaning.leaves], registers, strict=True))
            samples = {leaf: self.graph.samples_of(known[leaf.name]) for leaf in double.easy.leaves}
            try:
                vector = evaluate(double.easy.source, samples, double.easy.type)
            except NotSampledError:
                continue
            here = {*block.rtls}
            for inner in sorted(cut.inside, key=self.graph.order.__getitem__):
                if inner is target or inner.cls != double.easy.target or self.definitions[inner] not in here:
                    continue
                if any({*own.leaves} <= {*registers} and bool((own.vector == vector).all()) for own in self.graph.cuts[inner]):
                    yield _Pair(double, target, cut, inner, registers)

    def _freed_by(self, block: Block, rtl: Rtl, pair: _Pair) -> list[Rtl]:
        """Return the RTLs that are not wanted any more; none if somebody wants the easier value before the harder one."""
        easy = self.definitions[pair.easy]
        freed: dict[User, None] = {rtl: None, easy: None}
        for register in sorted(pair.cut.inside, key=self.graph.order.__getitem__, reverse=True):
            each = self.definitions.get(register)
            if each is not None and each not in freed and self.is_unwanted(each, freed.keys()):
                freed[each] = None
        if not all(self.computes_only(each, pair.hard, pair.easy) for each in (rtl, easy)):
            return []
        before = set[User](takewhile(lambda each: each is not rtl, block.rtls))
        if any(user not in freed and user in before for user in self.users.get(pair.easy, ())):
            return []
        return [each for each in freed if isinstance(each, Rtl)]

    def _pays(self, rtl: Rtl, pair: _Pair, freed: list[Rtl]) -> bool:
        """Whether an instruction saves some, and takes no longer than those that it stands for."""
        way = self._way(pair)
        record = self.machine.recognize(way[-1]) if all(map(self.machine.is_legal, way)) else None
        if record is None or any(self.machine.may_clobber(effects) for effects in way):
            return False
        saved = sum(self.weights[each] for each in freed if not is_copy(each))
        kept = [leaf for leaf in pair.registers if not self.users[leaf] <= {*freed}]
        changed = {effect.source for effects in way[:-1] for effect in effects if isinstance(effect, Set)}
        copies = sum(leaf in changed for leaf in kept)
        return saved > self.weights[rtl] * (1 + copies) and record.latency <= self.spent(pair.cut)

    def _way(self, pair: _Pair, *fresh: Register) -> list[tuple[Effect, ...]]:
        """Return copies of the operands that an instruction changes, and the instruction.

        `fresh` are registers of the function for its results; without them, some that no function has stand there.
        """
        double = pair.double
        known = dict(zip([leaf.name for leaf in double.hard.leaves], pair.registers, strict=True))
        instead: dict[Expr, Expr] = {}
        way: list[tuple[Effect, ...]] = []
        results = []
        for place, (name, wanted) in enumerate(zip(double.targets, (pair.hard, pair.easy), strict=True)):
            number = fresh[place].index if fresh else -1 - place
            before, after = (Register(wanted.cls, number, wanted.type, True, version) for version in (1, 2))
            if name in known:
                way.append((Set(before, known[name]),))
                instead[known[name]] = before
            results.append(after)
        hard, easy = (rebuild(each, instead.get) for each in double.of(pair.registers, self.machine.half))
        effects = (Set(results[0], hard), Set(results[1], easy))
        return [*way, effects if double.hard_first else effects[::-1]]

    def _is_proven(self, pair: _Pair) -> bool:
        """Whether both values are proven to be those of the instruction."""
        hard, easy = pair.double.of(pair.registers, self.machine.half)
        own = next(cut for cut in self.graph.cuts[pair.easy] if {*cut.leaves} <= {*pair.registers})
        known = Cut(pair.cut.leaves, own.vector, own.inside, own.numbers)
        value = self.graph.expression(pair.easy, known)
        is_easy = are_equal(value, easy, pair.easy.type) and keeps_distances(value, easy, pair.easy.type, self.machine)
        return is_easy and self.graph.is_proven_of(pair.hard, pair.cut, hard)

    def _install(self, block: Block, rtl: Rtl, pair: _Pair, freed: list[Rtl]) -> bool:
        """Put the instruction in the place of what computes the harder value, and copies of its results behind it."""
        fresh = [self.function.pseudo(each.cls, each.type) for each in (pair.hard, pair.easy)]
        way = self._way(pair, *fresh)
        results = [Register(each.cls, each.index, each.type, True, 2) for each in fresh]
        way += [(Set(pair.easy, results[1]),), (Set(pair.hard, results[0]),)]
        new = [merged(effects, *freed) for effects in way]
        gone = {*freed} - {rtl}  # among them those that use the easier value before it is there now
        rest = [old for old in block.rtls if old not in gone]
        return self.state.change({block: [each for old in rest for each in (new if old is rtl else [old])]})
