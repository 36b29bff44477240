"""If-conversion on SSA form: instructions choose between values where branches did.

        PC=r[t1]>=r[t2],L2;
    L3: PC=L4;                                    r[t5]=SEL(r[t1]<r[t2],r[t1],r[t2]);
    L2:                                   =>      PC=L4;
    L4: r[t3]=PHI(L3:r[t1],L2:r[t2]);         L4: r[t3]=PHI(L1:r[t5]);

If the blocks between a branch and the join of its ways only compute, each phi of the join is an expression of the conditions.
Definitions are folded into it in search of an instruction, so a saturating sum or a clamp is found even on a machine that has
no simple selects, and it may become part of the RTL that uses it.  `vpo/algebra/equivalents.py` tells in which notations the
machine is asked.  What is not folded is computed in any case, if that costs no more time by estimated frequencies and
latencies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from vpo.algebra import binary, rebuild, reverse, select, substitute
from vpo.algebra.equivalents import equivalents
from vpo.analysis.cfg import branch_of
from vpo.analysis.condition_codes import Codes
from vpo.analysis.dominators import Region, Values, dominates
from vpo.analysis.ssa import defining_blocks
from vpo.lower.plans import Planner
from vpo.machines.match.meaning import BIT
from vpo.opt.selection.choices import Choice, both_true, counted, in_range, is_new, operated, with_definition, with_definitions
from vpo.opt.selection.choosing_regions import (
    compared_by_branch,
    falls_into_join,
    find_regions,
    merge_followers,
    only_computes,
    remaining,
    tests_code,
    trees_of,
)
from vpo.opt.selection.coded_choices import by_code, compared, extended_in_vain, without_repeated
from vpo.opt.selection.covering import are_unwanted, begun_anew, hard_operands, is_copy, no_more_wanted
from vpo.opt.selection.folded_choices import Folding, put_in
from vpo.opt.selection.truth_values import by_truth
from vpo.opt.ssa.shared_stores import shared_stores
from vpo.opt.ssa.split_edges import shared_returns
from vpo.opt.ssa.wanted_bits import WantedBits, wanted_part
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, FunctionState, merged
from vpo.rtl import BITS, INTEGER_TYPES, RELATIONS, Const, Effect, Expr, Jump, Op, Register, Rtl, Set, selector, subexpressions
from vpo.rtl.function import Block, Phi

MOVE = 0.5  # what a copy costs that leaving SSA form may need
Effects = tuple[Effect, ...]


def make_selects(state: FunctionState) -> None:
    """Replace branches by instructions that choose between values, where the machine has some."""
    if state.function.stage == "ssa":
        with shared_returns(state) as shared, shared_stores(state, shared) as stored:
            while regions := find_regions(state):
                round_ = Round(state, regions, stored)
                round_.graph.join(phi for block in state.function.blocks for phi in block.phis)
                if not round_.run():
                    break
                merge_followers(state, shared)  # a region that has become one block may be part of another


class Round:
    """One round over the regions of a function, inner ones first."""

    def __init__(self, state: FunctionState, regions: list[Region], stored: Collection[Register] = ()) -> None:
        self.state, self.function, self.regions = state, state.function, regions
        self.stored = stored  # phis of what is stored, which need no copies if branches remain
        self.cfg = state.get(CFG)
        frequencies: list[float] = state.get(FREQUENCIES)
        self.frequencies = dict(zip(self.function.blocks, frequencies, strict=True))
        self.planner = Planner(state.machine)
        self.zero, self.hard = state.machine.zero, hard_operands(state.machine)
        self.untracked = state.machine.zero | {state.machine.stack_pointer}
        self.dominators: dict[int, int] = state.get(DOMINATORS)
        self.homes = defining_blocks(self.function)
        self.dropped: set[Register] = set()  # phis that are no more
        self.bits: dict[Register, int] | None = None  # how many low bits of values are wanted
        self.versions: dict[tuple[str, int], int] = {}
        for register in self.homes:
            key = (register.cls, register.index)
            self.versions[key] = max(register.version, self.versions.get(key, 0))
        self.definitions: dict[Register, Rtl] = {}
        self.sources: dict[Register, Expr] = {}  # of pure definitions
        self.users: dict[Register, list[Rtl | Phi]] = {}
        for block in self.function.blocks:
            for phi in block.phis:
                if len(phi.sources) == 1:
                    self.sources[phi.target] = next(iter(phi.sources.values()))
                for source in phi.sources.values():
                    self.users.setdefault(source, []).append(phi)
            codes = Codes(self.hard)
            for rtl in block.rtls:
                self._note(rtl, codes)
        from vpo.opt.selection.value_graph import ValueGraph  # it loads numpy, which known code does not need

        self.graph = ValueGraph(state.machine, self.sources)
        self.graph.define_all(self.function.blocks, self.function.arriving)
        self.joined = False  # whether what was chosen relies on how phis are extended
        self.changed = False  # whether anything was chosen
        for region in self.regions:
            self._note_phis(region)

    def _note_phis(self, region: Region) -> None:
        """Take down what the phis of a join are, if control comes to it from the region only."""
        if self.condition_of(region.head) is not None and self.joins(region):
            values = Values(region, self.function.blocks, self.cfg, self.condition_of)
            for phi in region.join.phis:
                value = values.of(phi, region.join)
                if value is not None:
                    self.sources.setdefault(phi.target, value)

    def condition_of(self, block: Block) -> Op | None:
        """Return what the branch at the end of a block decides by, if that is known behind it, too."""
        branch = branch_of(block)
        if branch is not None and tests_code(block):
            found = compared_by_branch(block)
            condition = found.relation if found is not None and not found.relation.memory else None
        else:
            condition = branch.condition if branch is not None else None
        known = condition is not None and all(r.pseudo or r in self.untracked for r in condition.uses)
        return condition if known else None

    def dominates(self, home: int, block: Block) -> bool:
        """Whether control comes to a block only by way of the one with an index."""
        return dominates(self.dominators, home, self.cfg.labels[block.label])

    def version(self, register: Register) -> Register:
        """Return a new version of a register."""
        key = (register.cls, register.index)
        self.versions[key] = number = self.versions.get(key, register.version) + 1
        return Register(*key, register.type, True, number)

    def wanted(self, register: Register) -> int:
        """Return how many low bits of a register are wanted, as the function was at the beginning of the round."""
        if self.bits is None:
            self.bits = WantedBits(self.state).bits
        return self.bits.get(register, 0)

    def joins(self, region: Region) -> bool:
        """Whether control comes to the join of a region from there only."""
        blocks = self.function.blocks
        predecessors = {blocks[n] for n in self.cfg.predecessors[self.cfg.labels[region.join.label]]}
        return predecessors <= {region.head, *region.inner}

    def _note(self, rtl: Rtl, codes: Codes) -> None:
        """Take down what an RTL defines and uses; `codes` tells of those in front of it."""
        for register in rtl.uses:
            if register in self.users:
                self.users[register].append(rtl)
            else:
                self.users[register] = [rtl]
        effect = rtl.single_set
        if effect is not None and only_computes(effect, self.state.machine):
            assert type(effect.target) is Register
            self.definitions[effect.target] = rtl
        for each in rtl.effects:
            source = codes.seen_through(begun_anew(each, self.homes)) if type(each) is Set else None
            if type(each) is Set and source is not None and only_computes(Set(each.target, source), self.state.machine):
                assert type(each.target) is Register
                self.sources[each.target] = rebuild(source, lambda node: Const(0) if node in self.zero else None)
        codes.step(rtl)

    def run(self) -> bool:
        """Convert regions that do not overlap; return whether there were any."""
        used: set[Block] = set()
        gone: set[Block] = set()
        for region in self.regions:
            if used.intersection((region.head, *region.inner, region.join)):
                continue
            if Conversion(region, self).run():
                used.update((region.head, *region.inner, region.join))
                gone.update(region.inner)
        self.remove(gone)
        return bool(gone)

    def remove(self, gone: Collection[Block]) -> None:
        """Remove blocks that control does not come to any more."""
        if gone:
            with self.state.required():
                self.state.keep_blocks(n for n, block in enumerate(self.function.blocks) if block not in gone)


class Conversion:
    """The conversion of one region."""

    def __init__(self, region: Region, round_: Round) -> None:
        self.region, self.round, self.state, self.machine = region, round_, round_.state, round_.state.machine
        self.homes = {register: rtl for rtl in region.rtls() for register in rtl.sets}
        self.branch = region.head.rtls[-1]
        self.codes = tests_code(region.head)
        self.written: set[Rtl] = set()  # those that are found as they are written, whatever is known of registers
        self.counted: set[Rtl] = set()  # those that add a truth value, if that takes no more instructions
        self.coded: set[Rtl] = set()  # those that choose by a condition code, if that takes no more instructions
        self.narrowed: set[Rtl] = set()  # those that compute a part of what was computed, which is all that is wanted
        self.compared: set[Effects] = set()  # comparisons that choices need, which others share

    def run(self) -> bool:
        """Let instructions make the choices of the region if that costs no more; return whether they do."""
        if not self.begin():
            return False
        limit = self.cost()
        return self._each(limit) or self._together(limit)

    def begin(self) -> bool:
        """Find out what the region computes; return whether it is known what its head decides by."""
        self.values = Values(self.region, self.state.function.blocks, self.round.cfg, self.round.condition_of)
        self.folding = Folding(self.machine.zero, self.values.inner, self.round.sources)
        return self.round.condition_of(self.region.head) is not None

    def _each(self, limit: float) -> bool:
        """Compute the value of each phi, or of what alone uses it."""
        choices: dict[Phi, Choice] = {}
        for phi in self.region.join.phis:
            if not self.round.users.get(phi.target):
                continue
            if (value := self.values.of(phi, self.region.join)) is None:
                return False
            if (choice := self._choice(phi, value)) is None or choice.cost > limit:
                choice = self._merged(phi, value)
            if choice is None or (limit := limit - choice.cost) < 0:
                return False
            choices[phi] = choice
            if (test := compared(choice.rtls)) is not None:
                self.compared.add(test)
        return self.install(choices)

    def _together(self, limit: float) -> bool:
        """Compute what all phis are there for, if it is one value."""
        phis = [phi for phi in self.region.join.phis if self.round.users.get(phi.target)]
        values = {phi.target: self.values.of(phi, self.region.join) for phi in phis}
        if not phis or not self.state.machine.capabilities.chooses or not self.round.joins(self.region):
            return False
        for *between, user in trees_of(self.region.join, {*values}, self.round.definitions, self.round.users):
            known = {**values, **{rtl.sets[0]: self.round.sources[rtl.sets[0]] for rtl in between}}
            if len(between) + len(phis) < 2 or None in values.values():
                continue
            value = put_in(self.round.sources[user.sets[0]], known)
            choice = self._best(value, user.sets[0], user)
            if choice is not None and choice.cost - sum(map(self._latency, between)) <= limit:
                choice = replace(choice, between=tuple(between))
                if self.install(dict.fromkeys(phis, choice)):
                    return True
        return False

    # --------------------------------------------------------------------------------------------------------- costs

    def _latency(self, rtl: Rtl) -> float:
        return float(self.machine.latency(rtl.effects))

    def _share(self, block: Block) -> float:
        """Return how often control comes to a block each time that it comes to the head."""
        return self.round.frequencies[block] / self.round.frequencies[self.region.head]

    def _spared(self, rtls: Sequence[Rtl], needed: Sequence[Rtl]) -> float:
        """Return what is not spent any more on values that only the branch and the region want, not what replaces them.

        What a comparison tests, a branch may test, too.
        """
        found = compared_by_branch(self.region.head) if self.codes else None
        decides = [self.branch] if found is None else [self.branch, found.compare]
        gone: dict[Rtl | Phi, None] = dict.fromkeys(decides if rtls[-1] not in self.coded else ())
        if len(self.region.join.phis) == 1:  # what one of several wants, others may want, too
            gone.update(dict.fromkeys([*self.region.join.phis, *(rtl for rtl in self.region.rtls() if rtl not in needed)]))
        kept = {register for rtl in (*rtls, *needed) for register in rtl.uses}
        spared = 0.0
        for rtl in no_more_wanted(gone, kept, self.round.definitions, self.round.users):
            home = self.state.function.blocks[self.round.homes[rtl.sets[0]]]
            spared += self._latency(rtl) * min(1.0, self._share(home))
        return spared / max(1, len(self.region.join.phis))

    def cost(self) -> float:
        """Estimate what the region costs each time that control comes to its head: branches, what it computes, copies."""
        region, cost = self.region, 0.0
        for block in (region.head, *region.inner):
            computed = [rtl for rtl in block.rtls if type(rtl.transfer) is not Jump and block is not region.head]
            branches = branch_of(block) is not None
            each = sum(map(self._latency, computed)) + branches * self.machine.timing.taken / 2
            cost += each * self._share(block)
        if self.codes and (found := compared_by_branch(region.head)) is not None:
            cost += self._latency(found.compare)
        moved = [phi for phi in region.join.phis if phi.target not in self.round.stored]
        return cost + self._latency(self.branch) + sum(map(self._moves, moved))

    def _moves(self, phi: Phi) -> float:
        """Estimate how many copies a phi needs: one where its source is neither computed there nor of the same origin."""
        shares = []
        kept = False
        for block in (self.region.head, *self.region.inner):
            source = phi.sources.get(block.label)
            if source is None:
                continue
            if source in self.homes or source.origin is phi.target.origin:
                kept = True
            else:
                shares.append(self._share(block) / len(self.values.ways[block]))
        return sum(shares) - (0.0 if kept else max(shares))

    # ------------------------------------------------------------------------------------------------------- choices

    def _choice(self, phi: Phi, value: Expr) -> Choice | None:
        """Return the cheapest way to compute a value, which may be to have a register."""
        if type(value) is Register:
            needed = self._needed([value], self.region.head)
            return None if needed is None else Choice((), needed, value, sum(map(self._latency, needed)))
        self.phi = phi
        return self._best(value, self.state.function.pseudo(phi.target.cls, phi.target.type), None)

    def _merged(self, phi: Phi, value: Expr) -> Choice | None:
        """Return an RTL that uses a phi with the computation of its value folded into it."""
        users = self.round.users.get(phi.target, [])
        user = users[0] if len(users) == 1 else None
        if type(user) is not Rtl or all(rtl is not user for rtl in self.region.join.rtls):
            return None
        if not self.round.joins(self.region):
            return None
        if not user.sets or self.round.definitions.get(user.sets[0]) is not user:
            return None
        folded = substitute(self.round.sources[user.sets[0]], {phi.target: value})
        return self._best(folded, user.sets[0], user)

    def _best(self, value: Expr, result: Register, user: Rtl | None) -> Choice | None:
        """Return the cheapest way to compute a value into a register; of equals, that into which most is folded."""
        best: Choice | None = None
        place = self.region.head if user is None else self.region.join
        for rtls in self._ways(value, result, user):
            set_here = {register for rtl in rtls for register in rtl.sets}
            needed = self._needed((r for rtl in rtls for r in rtl.uses if r not in set_here), place)
            if needed is None:
                continue
            copies = sum(type(rtl.effects[0]) is Set and type(rtl.effects[0].source) is Register for rtl in rtls)
            cost = sum(map(self._latency, (*needed, *rtls))) - MOVE * copies - (self._latency(user) if user else 0)
            cost -= MOVE * (len(rtls) > 1 and is_copy(rtls[-1]))  # of a result, that nobody else has
            cost -= self._spared(rtls, needed)
            test = compared(rtls) if rtls[-1] in self.coded else None
            if test is not None and test in self.compared:
                cost -= float(self.machine.latency(test))
            elif test is not None or rtls[-1] in self.counted:
                cost += self.machine.timing.taken / 2
            if rtls[-1] in self.coded and (part := self._wanted_part(result, None)):
                vain = extended_in_vain(self.phi, part, self.region, self.homes)
                cost += sum(self._latency(rtl) * self._share(block) for block, rtl in vain)
            if best is None or cost <= best.cost:
                best = Choice(rtls, needed, rtls[-1].sets[0], cost, user)
        return best

    def _ways(self, value: Expr, result: Register, user: Rtl | None) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that compute a value: by how it is written, and by what it means; if there are none, of one operand."""
        found = False
        if user is None:
            yield from self._truths(value, result)
            yield from self._counts(value, result)
            yield from self._coded(value, result)
        for way in self._direct_ways(value, result, user):
            found = True
            yield way
        if found or user is not None or type(value) is not Op or value.op != "SEL":
            return
        parts = dict.fromkeys(("", self._wanted_part(result, None))) if self.machine.capabilities.selects else ()
        for part, place in product(parts, (1, 2)):
            choice = with_definition(value, place, part, self.folding.known)
            for first, second in operated(result, choice, self._by_meaning, self.state.function.pseudo, part):
                if self._is_harmless([*first, *second], None):
                    rtls = self._made([*first, *second], None)
                    self.narrowed.update(rtls if part else ())
                    self.written.update(rtls[len(first) :])
                    yield rtls
        decided = self.folding.with_numbers(self.folding.with_relations(value))
        made = in_range(result, decided, self._legal, self.state.function.pseudo)
        yield from (self._made(effects, None) for effects in made)
        both = both_true(self.folding.with_numbers(value), self._is_truth)
        if both is not None:
            for rtls in self._instructions(result, both, None):
                if self._is_harmless([rtl.effects for rtl in rtls], None):
                    yield rtls

    def _is_truth(self, register: Register) -> bool:
        """Whether a register holds a truth value."""
        source = self.folding.known(register)
        return (type(source) is Op and source.op in RELATIONS) or self.round.graph.kinds.get(register) == BIT

    def _coded(self, value: Expr, result: Register) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that compare, and choose by the condition code."""
        if not self.machine.capabilities.chooses_by_codes or type(value) is not Op or value.op != "SEL":
            return
        part = self._wanted_part(result, None)
        forms = dict.fromkeys(self.folding.expressions(value), "")
        forms |= dict.fromkeys(with_definitions(value, part, self.folding.known), part) if part else {}
        for form, kept in forms.items():
            way = by_code(result, form, self.round.planner)
            if way and self._is_harmless(way, None, True):
                rtls = self._made(way, None)
                self.written.update(rtls)
                self.coded.update(rtls)
                self.narrowed.update(rtls if kept else ())
                yield rtls

    def _alone_or_tied(self, result: Register, value: Expr) -> list[Effects]:
        effects = self._legal(result, value)
        return [effects] if effects is not None else self._tied(result, value) or []

    def _truths(self, value: Expr, result: Register) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that compute a choice between numbers from a truth value."""
        whole = rebuild(value, lambda node: self.values.inner.get(node) if type(node) is Register else None)
        way = by_truth(result, self.folding.with_numbers(whole), self.machine, self.state.function)
        if way and self._is_harmless(way, None):
            yield self._made(way, None)

    def _counts(self, value: Expr, result: Register) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that add a truth value to what is counted.

        Where more is computed with the sum, as of an index, each way of the branch may know some of that already.
        """
        if type(value) is not Op or value.op != "SEL" or result.type not in INTEGER_TYPES:
            return
        if any(type(user) is Rtl and not is_copy(user) for user in self.round.users.get(self.phi.target, ())):
            return
        found = next(filter(None, (counted(with_definition(value, place, "", self.folding.known)) for place in (1, 2))), None)
        if found is None:
            return
        relation, operator, kept = found
        truth = self.state.function.pseudo(result.cls, result.type)
        total = Op(operator, result.type, kept, truth)
        second = self._alone_or_tied(result, total)
        if not second or not self._is_harmless(second, None):
            return
        for way in self._direct_ways(relation, truth, None, ""):
            rtls = (*way, *self._made(second, None))
            self.counted.update(rtls)
            yield rtls

    def _by_meaning(self, target: Register, value: Expr, part: str) -> list[Effects]:
        """Return effects that set a register to a value, or to one with the same low part, by one instruction."""
        if type(value) is not Op or value.op != "SEL":
            return self._alone_or_tied(target, value)
        return next(([rtl.effects for rtl in rtls] for rtls in self._direct_ways(value, target, None, part)), [])

    def _wanted_part(self, result: Register, user: Rtl | None) -> str:
        """Return the type of the low part of a phi, or of what a user of it computes, that alone is wanted, if it is so."""
        kind = self.round.graph.kinds.get(result) if user is not None else None
        own = self.phi.target if user is None else result
        part = "" if self.round.joined else wanted_part(self.round.wanted(own), result.type)
        if kind is None or not part:
            return part
        known = self.round.changed  # others may have gone by how it is extended in this round
        return "" if known or kind[0] not in ("sx", "zx") or BITS[kind[1]] < BITS[part] else part

    def _direct_ways(
        self, value: Expr, result: Register, user: Rtl | None, part: str | None = None
    ) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that compute a value, or its low part where no more is wanted, if that will do."""
        if self.machine.capabilities.selects:
            for expression in self.folding.expressions(value):
                for rtls in self._instructions(result, expression, user):
                    if not self.codes or self._is_harmless([rtl.effects for rtl in rtls], user):
                        yield rtls
        graph = self.round.graph
        before = graph.sources.get(result)
        whole = rebuild(value, lambda node: self.values.inner.get(node) if type(node) is Register else None)
        wanted = self._wanted_part(result, user) if part is None else part
        graph.sources[result] = whole
        cuts = graph.find_cuts(result, whole)
        for part, cut in product(dict.fromkeys(("", wanted)), cuts):
            ways = graph.instructions(result, cut, part)
            way = next((way for way in ways if graph.is_proven(result, cut, way, part)), None)
            if way is not None and self._is_harmless(way, user):
                made = self._made(graph.renamed(way, self.state.function.pseudo), user)
                self.narrowed.update(made if part else ())
                yield made
        graph.cuts.pop(result)
        if before is not None:
            graph.sources[result] = before

    def _is_harmless(self, way: Iterable[Effects], user: Rtl | None, coded: bool = False) -> bool:
        """Whether nobody reads what effects change besides: at the end of the head, or where a user was."""
        made = list(way)
        changed = {register for effects in made for register in self.machine.may_clobber(effects)}
        changed |= {register for effects in made for e in effects for register in e.sets if not register.pseudo}
        if user is not None:
            return changed <= {*self.machine.may_clobber(user.effects)}
        return not changed or ((coded or self.codes) and are_unwanted(changed, self.region.join, self.state))

    def _needed(self, registers: Iterable[Register], place: Block) -> tuple[Rtl, ...] | None:
        """Return what the region computes so that registers have their values; None if that cannot be had."""
        needed: dict[Rtl, None] = {}
        work = list(registers)
        while work:
            register = work.pop()
            rtl = self.homes.get(register)
            if rtl is None and not self._is_known(register, place):
                return None
            if rtl is not None and any(used.type == "C" or used in self.round.hard for used in rtl.uses):
                return None  # which may be set anew by then
            if rtl is not None and rtl not in needed:
                needed[rtl] = None
                work += rtl.uses
        return tuple(needed)

    def _is_known(self, register: Register, place: Block) -> bool:
        """Whether a register that the region does not compute has its value when control comes to a block."""
        home = self.round.homes.get(register)
        if register in self.values.inner or register in self.round.dropped:
            return False
        return home is None or self.round.dominates(home, place)

    def _instructions(self, result: Register, expression: Expr, user: Rtl | None) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that compute an expression: one, one behind a copy, or one behind another that makes a truth value."""
        effects = self._legal(result, expression)
        if effects is not None:
            yield self._made([effects], user)
        elif (tied := self._tied(result, expression)) is not None:
            yield self._made(tied, user)
        if user is None and type(expression) is Op and expression.op == "SEL" and is_new(selector(expression)):
            yield from self._flagged(result, expression)

    def _flagged(self, result: Register, choice: Op) -> Iterator[tuple[Rtl, ...]]:
        """Yield RTLs that compute a condition, and choose by it."""
        condition, a, b = choice.args
        flag = self.state.function.pseudo(result.cls, result.type) if result.type in INTEGER_TYPES else None
        if flag is None or type(condition) is not Op:
            return
        tests: list[tuple[Expr, Expr, Expr]] = [(condition, a, b), (reverse(condition), b, a)]
        if condition.op in ("==", "!="):
            left, right = condition.args
            tests.insert(0, (binary("-", left, right), *((a, b) if condition.op == "!=" else (b, a))))
        for test, then, otherwise in tests:
            first = self._legal(flag, test)
            if first is None:
                continue
            second = select(Op("!=", "", flag, Const(0)), then, otherwise)
            rest = self._alone_or_tied(result, second)
            if rest:
                yield self._made([first, *rest], None)
                return

    def _legal(self, target: Register, value: Expr) -> Effects | None:
        """Return the first notation in which a register can be set to a value."""
        if not self.machine.may_compute(value):
            return None
        for expression in equivalents(value):
            effects = (Set(target, expression),)
            if self.machine.is_legal(effects):
                return effects
        return None

    def _tied(self, result: Register, value: Expr) -> list[Effects] | None:
        """Return effects that copy an operand, and choose in the place of the copy: for instructions with two addresses."""
        before = self.round.version(result)
        if not self.machine.may_compute(value):
            return None
        for expression in equivalents(value):
            for operand in dict.fromkeys(subexpressions(expression)):
                if type(operand) is not Const and (operand not in expression.uses or operand.type != result.type):
                    continue
                tied = substitute(expression, {operand: before})
                effects, copy = (Set(result, tied),), (Set(before, operand),)
                if before in tied.uses and self.machine.is_legal(effects) and self.machine.is_legal(copy):
                    return [copy, effects]
        return None

    def _made(self, effects: Sequence[Effects], user: Rtl | None) -> tuple[Rtl, ...]:
        """Return RTLs with the provenance of what they replace."""
        return tuple(merged(each, self.branch, *([user] if user is not None else [])) for each in effects)

    # ---------------------------------------------------------------------------------------------------- the change

    def install(self, choices: Mapping[Phi, Choice], without: Sequence[Rtl] = ()) -> bool:
        """Put the choices in the place of the branch, and of other RTLs; the inner blocks can no longer be reached."""
        head, join, graph = self.region.head, self.region.join, self.round.graph
        made = [rtl for choice in choices.values() for rtl in choice.rtls]
        relies = any(graph.rests_on_phis(rtl.uses) for rtl in made if rtl not in self.written)
        narrowed = [choice for choice in dict.fromkeys(choices.values()) if not self.narrowed.isdisjoint(choice.rtls)]
        if narrowed and relies and (len({*choices.values()}) > 1 or narrowed[0].user is None):
            return False  # what is not wanted may be, of what is joined; the value of a user has looked at that itself
        needed = {rtl for choice in choices.values() for rtl in choice.needed}
        new = [rtl for rtl in self.region.rtls() if rtl in needed]
        new += [rtl for choice in choices.values() if choice.user is None for rtl in choice.rtls]
        if not falls_into_join(self.region, self.state.function.blocks):
            new.append(Rtl((Jump(join.label),), self.branch.lines, self.branch.cause))
        instead = {choice.user: choice.rtls for choice in choices.values() if choice.user is not None}
        instead.update({rtl: () for choice in choices.values() for rtl in choice.between})
        phis = [remaining(phi, self.region, choice.register) for phi, choice in choices.items() if choice.user is None]
        old = list(join.phis)
        kept = [rtl for rtl in head.rtls[:-1] if rtl not in without]
        new = list(without_repeated(kept, new, self.machine))
        contents = {head: [*kept, *new], join: [new for rtl in join.rtls for new in instead.get(rtl, (rtl,))]}
        if not self.state.change(contents, None, {join: phis}):
            return False
        self.round.joined |= relies
        self.round.changed = True
        if narrowed:
            graph.part_all()
            for choice in narrowed:
                graph.forget(choice.register)
        self.round.dropped.update({phi.target for phi in old} - {phi.target for phi in phis})
        return True
