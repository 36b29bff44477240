"""Instructions with two results in the place of branches, on SSA form.

        PC=r[t1]<=r[t2],L4;
    L3: PC=L4;                                    r[t6]=SEL(r[t1]<r[t2],r[t1],r[t2]); r[t7]=SEL(r[t1]<r[t2],r[t2],r[t1]);
    L4: r[t3]=PHI(L2:r[t1],L3:r[t2]);     =>      PC=L4;
        r[t4]=PHI(L2:r[t2],L3:r[t1]);         L4: r[t3]=PHI(L2:r[t6]);
                                                  r[t4]=PHI(L2:r[t7]);

The two values are those of phis of one region (`selects.py`), or of two regions of which one is entered behind the other, or
one of them is computed in front of the branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vpo.algebra import rebuild
from vpo.analysis.frequency import branch_comparison
from vpo.opt.selection.choices import Choice
from vpo.opt.selection.choosing_regions import find_regions
from vpo.opt.selection.cover_doubles import Pair, likely_pairs
from vpo.opt.selection.covering import are_unwanted
from vpo.opt.selection.selects import Conversion, Round
from vpo.opt.selection.value_graph import ValueGraph
from vpo.opt.ssa.split_edges import shared_returns
from vpo.opt.ssa.wanted_bits import wanted_part
from vpo.opt.state import FunctionState, merged
from vpo.rtl import INTEGER_TYPES, RELATIONS, Effect, Expr, Op, Register, Rtl, Set, subexpressions
from vpo.rtl.function import Phi

NAME = 1 << 41  # numbers of registers that stand for what phis choose


def choose_pairs(state: FunctionState) -> None:
    """Let one instruction choose, or compute, two values where branches did."""
    computed = (node for one in state.machine.doubles for node in subexpressions(one.source))
    if any(isinstance(node, Op) and node.op in RELATIONS for node in computed):
        with shared_returns(state):
            while _Pairs(state).run():
                pass


@dataclass(frozen=True, slots=True, eq=False)
class _Value:
    """What a phi chooses."""

    conversion: Conversion
    phi: Phi
    name: Register
    source: Expr


class _Pairs:
    """The search in one function for one pair."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine = state, state.machine
        self.round = Round(state, find_regions(state))
        self.graph = ValueGraph(self.machine, self.round.sources, self.machine.double_meanings)
        self.graph.define_all(state.function.blocks, state.function.arriving)
        self.values: dict[Register, _Value] = {}
        for region in self.round.regions:
            self._note(Conversion(region, self.round))

    def _note(self, conversion: Conversion) -> None:
        """Take down what the phis of a region choose, if there are one or two that choose integers."""
        region = conversion.region
        phis = [phi for phi in region.join.phis if self.round.users.get(phi.target)]
        if len(phis) not in (1, 2) or any(phi.target.type not in INTEGER_TYPES for phi in phis) or not conversion.begin():
            return
        known, found = conversion.values, list[_Value]()
        for phi in phis:
            value, target = known.of(phi, region.join), phi.target
            if value is None:
                return
            inner: dict[Expr, Expr] = dict(known.inner.items())
            name = Register(target.cls, NAME + len(self.values) + len(found), target.type, True)
            found.append(_Value(conversion, phi, name, rebuild(value, inner.get)))
        for each in found:
            self.values[each.name] = each
            self.round.sources[each.name] = each.source
            self.graph.find_cuts(each.name, each.source)

    def run(self) -> bool:
        """Put in one instruction; return whether there was one."""
        return any(self._at(value) for value in self.values.values() if type(value.source) is Op)

    def _at(self, value: _Value) -> bool:
        """Let an instruction make a choice, and compute something besides."""
        head = value.conversion.region.head
        others = [name for name in self.values if name is not value.name]
        others += [register for rtl in head.rtls[:-1] for register in rtl.sets if self.round.definitions.get(register) is rtl]
        others = [register for register in others if self.graph.cuts.get(register)]
        for part in self._parts(value.name):
            for cut in self.graph.cuts[value.name]:
                if len(cut.leaves) > 1:
                    for pair in likely_pairs(self.graph, value.name, cut, part, others, self._parts):
                        if self._put_in(value, pair):
                            return True
        return False

    def _parts(self, register: Register) -> Iterable[str]:
        """Return what may be wanted of a value: all of it, or its low part of a type."""
        value = self.values.get(register)
        bits = self.round.wanted(value.phi.target if value is not None else register)
        return dict.fromkeys(("", wanted_part(bits, register.type)))

    def _put_in(self, value: _Value, pair: Pair) -> bool:
        """Put an instruction in the place of the choices of a pair."""
        other = self.values.get(pair.easy)
        both = [value] if other is None else [value, other]
        regions = {each.conversion.region: each.conversion for each in both}
        chosen = {each.phi for each in both}
        wanted = {phi for region in regions for phi in region.join.phis if self.round.users.get(phi.target)}
        first = self._first([each.conversion for each in both])
        if chosen != wanted or first is None or not all(self._is_known(leaf, first) for leaf in pair.cut.leaves):
            return False
        gone = () if other is not None else self._computed(first, pair.easy)
        way = pair.way(self.machine)
        if gone is None or not all(map(self.machine.is_legal, way)) or not self._is_harmless(way, first):
            return False
        limit = sum(conversion.cost() for conversion in regions.values()) + (self._latency(gone[:1]) if gone else 0)
        made = [merged(effects, first.branch) for effects in way]
        return self._latency(made) <= limit and pair.is_proven(self.graph) and self._install(value, pair, first, gone)

    def _first(self, conversions: list[Conversion]) -> Conversion | None:
        """Return that of two conversions whose region is entered before the other one, if it always is."""
        labels = self.round.cfg.labels
        for one in conversions:
            home = labels[one.region.head.label]
            if all(self.round.dominates(home, other.region.head) for other in conversions):
                return one
        return None

    def _is_known(self, register: Register, conversion: Conversion) -> bool:
        """Whether a register has its value at the head of a region."""
        home = self.round.homes.get(register)
        return home is None or self.round.dominates(home, conversion.region.head)

    def _computed(self, conversion: Conversion, register: Register) -> tuple[Rtl, ...] | None:
        """Return what computes a register in front of a branch, and what compares for this; None if others read it there."""
        region = conversion.region
        computes, gone = self.round.definitions[register], list[Rtl]()
        if conversion.codes:
            found = branch_comparison(region.head)
            if found is None or not are_unwanted(found.compare.sets, region.join, self.state):
                return None
            gone.append(found.compare)
        here = {*region.head.rtls, *region.rtls()} - {*gone, conversion.branch}
        return None if any(user in here for user in self.round.users.get(register, ())) else (computes, *gone)

    def _is_harmless(self, way: Sequence[tuple[Effect, ...]], conversion: Conversion) -> bool:
        """Whether nobody wants what a way changes besides, where a branch was."""
        changed = {register for effects in way for register in self.machine.may_clobber(effects)}
        return not changed or are_unwanted(changed, conversion.region.join, self.state)

    def _latency(self, rtls: Iterable[Rtl]) -> float:
        return sum(float(self.machine.latency(rtl.effects)) for rtl in rtls)

    def _install(self, value: _Value, pair: Pair, first: Conversion, gone: tuple[Rtl, ...]) -> bool:
        """Put an instruction at the end of the head that is entered first."""
        fresh = [self.state.function.pseudo(each.cls, each.type) for each in (pair.hard, pair.easy)]
        results = [Register(each.cls, each.index, each.type, True, 2) for each in fresh]
        way = pair.way(self.machine, *fresh)
        if gone:
            way.append((Set(pair.easy, results[1]),))
        made = tuple(merged(effects, first.branch, *gone) for effects in way)
        known = dict(zip((pair.hard, pair.easy), results, strict=True))
        chosen = [each for each in (value, self.values.get(pair.easy)) if each is not None]
        for conversion in sorted({each.conversion for each in chosen}, key=lambda each: each is not first):
            own = [each for each in chosen if each.conversion is conversion]
            choices = dict[Phi, Choice]()
            for each in own:
                is_first = conversion is first and not choices
                choices[each.phi] = Choice(made if is_first else (), (), known[each.name], 0.0)
            if not conversion.install(choices, gone if conversion is first else ()):
                return False
            self.round.remove(conversion.region.inner)
        return True
