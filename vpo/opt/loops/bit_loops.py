"""Loops over the bits of a register, on SSA form: what they compute is an operator, and they go.

    L3: r[t1.1]=0;                                             L3: r[t8]=popcount(r[t6]);
    L4: r[t1.2]=PHI(L3:r[t1.1],L4:r[t1.3]);                        PC=L6;
        r[t2.2]=PHI(L3:r[t6],L4:r[t2.3]);           =>
        r[t1.3]=r[t1.2]+1;
        r[t3]=r[t2.2]+-1;
        r[t2.3]=r[t2.2]&r[t3];
        PC=r[t2.3]!=0,L4;
    L6: r[t7]=PHI(L4:r[t1.3],L5:r[t1.1]);                      L6: r[t7]=PHI(L3:r[t8],L5:r[t1.1]);

All rounds that such a loop may go are followed at once, with a decision diagram over the bits of the register for each bit
that it computes and for each way that it goes (`vpo/algebra/bit_proof.py`), after it did as an operator does for some
numbers.  What holds where the loop is entered is known from the branches in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from vpo.algebra import binary, wrap
from vpo.algebra.bit_proof import NO, YES, Diagrams, Number, Proof, Unproven, number
from vpo.analysis.cfg import branch_of, end_of
from vpo.analysis.dominators import Loop, Values, region_of
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.liveness import does_more_than_set
from vpo.opt.loops.loop_variables import single_latch_loops, tied
from vpo.opt.state import CFG, DOMINATORS, LIVENESS, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, INTEGER_TYPES, Branch, Const, Effect, Expr, Jump, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

Candidate = Callable[[Register], Expr]
MOST_BLOCKS = 8
MOST_RTLS = 40
MOST_NODES = 100_000  # of diagrams, in each order of the bits
ORIGINS = 8  # registers of which what a loop reads is computed
IN_FRONT = 4  # branches in front of a loop that are looked at
SAMPLES = (0x9E3779B97F4A7C15, 0x00000000000B3600, 0xFFFF0000FFFFE5C8, 0x1, 0x8000000080000000, 0x0)


def replace_bit_loops(state: FunctionState, candidates: Callable[[str], Sequence[Candidate]]) -> None:
    """Let operators compute what loops do; `candidates` tells which there are of one register of a class."""
    while any(_BitLoop(state, loop, place, latch, candidates).make() for loop, place, latch in single_latch_loops(state)):
        pass


def chosen_values(state: FunctionState) -> dict[Block, list[tuple[Phi, Expr]]]:
    """Return what phis are by the conditions of the branches before them, by block."""
    blocks, cfg = state.function.blocks, state.get(CFG)
    position = {index: place for place, index in enumerate(cfg.reverse_postorder())}
    dominators: dict[int, int] = state.get(DOMINATORS)
    found: dict[Block, list[tuple[Phi, Expr]]] = {}
    for place in position:
        block = blocks[place]
        region = region_of(dominators[place], blocks, cfg, position) if block.phis and place else None
        if region is not None and region.join is block:
            values = Values(region, blocks, cfg, _relation_of)
            found[block] = [(phi, value) for phi in block.phis if (value := values.of(phi, block)) is not None]
    return found


def _relation_of(block: Block) -> Op | None:
    """Return what the branch at the end of a block decides by, if it is known in terms of registers behind it, too."""
    found = branch_comparison(block)
    relation = found.relation if found is not None else None
    known = relation is not None and not relation.memory and all(register.pseudo for register in relation.uses)
    return relation if known else None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A value that is wanted behind a loop: what it is at the end of each block that control leaves from, and since when."""

    target: Register
    sources: dict[int, Register]
    start: Register | None  # to which the loop only adds


class _BitLoop:
    """The work on one loop."""

    def __init__(
        self, state: FunctionState, loop: Loop, place: int, latch: int, candidates: Callable[[str], Sequence[Candidate]]
    ) -> None:
        self.state, self.loop, self.place, self.candidates = state, loop, place, candidates
        self.function, self.cfg = state.function, state.get(CFG)
        blocks = self.function.blocks
        self.preheader, self.header, self.latch = blocks[place], blocks[loop.header], blocks[latch]
        self.order = [number for number in self.cfg.reverse_postorder() if number in loop.blocks]
        self.inside: set[Register] = set()

    def make(self) -> bool:
        """Replace the loop by operators; return whether it is gone."""
        if not self._only_computes() or not (self._find_exits() or self._find_exits_behind()):
            return False
        self.sources = {rtl.sets[0]: effect.source for block in self.function.blocks for rtl in block.rtls
                        if (effect := rtl.single_set) is not None and isinstance(effect.target, Register)
                        and effect.target.pseudo}  # fmt: skip
        for joined in chosen_values(self.state).values():
            self.sources.update((phi.target, value) for phi, value in joined)
        wanted = self._wanted()
        if not wanted:
            return False
        for leaf in self._leaves(wanted):
            found = self._found(leaf, wanted)
            if found is not None:
                return self._replace(wanted, found)
        return False

    # -------------------------------------------------------------------------------------------------------- the shape

    def _find_exits_behind(self) -> bool:
        """Find where control goes when it leaves the loop and blocks behind it that compute something."""
        for place in self.cfg.reverse_postorder():
            if len(self.order) < MOST_BLOCKS and self._computes_behind(place):
                self.order.append(place)
        return self._find_exits()

    def _computes_behind(self, number: int) -> bool:
        """Whether a block that control comes to from the loop alone, perhaps by way of others, only computes and goes on."""
        block, before, after = self.function.blocks[number], self.cfg.predecessors[number], self.cfg.successors[number]
        if number in self.order or len(before) != 1 or before[0] not in self.order:
            return False
        if len(after) != 1 or after[0] in self.order or block.phis:
            return False
        return all(map(self._computes, block.rtls))

    def _only_computes(self) -> bool:
        """Whether the loop is small, has no other one in it, and does nothing but to compute integers."""
        if len(self.order) > MOST_BLOCKS or sum(len(self.function.blocks[n].rtls) for n in self.order) > MOST_RTLS:
            return False
        for place, each in enumerate(self.order):
            block = self.function.blocks[each]
            if any(to != self.loop.header and to in self.order[: place + 1] for to in self.cfg.successors[each]):
                return False
            self.inside.update(phi.target for phi in block.phis)
            if not all(map(self._computes, block.rtls)):
                return False
        return True

    def _computes(self, rtl: Rtl) -> bool:
        """Whether an RTL sets a register to an integer, compares, or branches."""
        if len(rtl.effects) != 1:
            return False
        effect = rtl.effects[0]
        if not isinstance(effect, Set):
            return isinstance(effect, Branch | Jump)
        target, source = effect.target, effect.source
        if not isinstance(target, Register) or source.memory or does_more_than_set(effect):
            return False
        if target.type == "C":
            return True
        self.inside.add(target)
        return target.pseudo and target.type in INTEGER_TYPES

    def _find_exits(self) -> bool:
        """Find where control goes when it leaves the loop, if that is one block: `behind`, by way of blocks that only jump."""
        self.exits: list[tuple[int, int, str]] = []  # block, the next on this way, the label of the last on it
        self.between: set[int] = set()
        targets = set()
        for each in self.order:
            for to in self.cfg.successors[each]:
                if to in self.order:
                    continue
                last, target = each, to
                while self._only_jumps(target):
                    self.between.add(target)
                    last, target = target, self.cfg.successors[target][0]
                self.exits.append((each, to, self.function.blocks[last].label))
                targets.add(target)
        if len(targets) != 1 or len({label for _, _, label in self.exits}) < len(self.exits):
            return False
        self.behind = self.function.blocks[targets.pop()]
        return True

    def _only_jumps(self, number: int) -> bool:
        block = self.function.blocks[number]
        alone = len(self.cfg.predecessors[number]) == 1 and len(self.cfg.successors[number]) == 1 and not block.phis
        return alone and all(isinstance(rtl.transfer, Jump) for rtl in block.rtls)

    def _wanted(self) -> list[_Wanted] | None:
        """Return what is wanted behind the loop; None if that is more than it computes."""
        labels = {label: block for block, _, label in self.exits}
        found = []
        for phi in self.behind.phis:
            sources = {labels[label]: source for label, source in phi.sources.items() if label in labels}
            if sources.keys() != set(labels.values()):
                return None
            found.append(_Wanted(phi.target, sources, self._start({*sources.values()})))
        left: set[Register] = set()
        for place, block in enumerate(self.function.blocks):
            if place in self.order:
                continue
            left.update(register for rtl in block.rtls for register in rtl.uses if register in self.inside)
            left.update(s for p in block.phis for label, s in p.sources.items() if s in self.inside and label not in labels)
        found += [_Wanted(r, dict.fromkeys(labels.values(), r), self._start({r})) for r in sorted(left, key=str)]
        return found if all(each.target.type in INTEGER_TYPES for each in found) else None

    def _start(self, registers: set[Register]) -> Register | None:
        """Return the register from outside to which the loop only adds to have any of some registers, if there is one."""
        for phi in self.header.phis:
            start = phi.sources[self.preheader.label]
            if start not in self.sources or not isinstance(self.sources[start], Const):
                sums = self._sums(phi)
                if registers <= sums and phi.sources[self.latch.label] in sums and self._are_only_added(sums, phi):
                    return start
        return None

    def _sums(self, phi: Phi) -> set[Register]:
        """Return what the loop makes of a phi of its header by adding."""
        sums = {phi.target}
        for each in self.order:
            block = self.function.blocks[each]
            if block is not self.header:
                sums.update(p.target for p in block.phis if sums.issuperset(p.sources.values()))
            for rtl in block.rtls:
                effect = rtl.single_set
                if effect is not None and isinstance(effect.source, Op) and effect.source.op == "+":
                    first, second = effect.source.args
                    if (first in sums) != (second in sums):
                        sums.update(rtl.sets)
        return sums

    def _are_only_added(self, sums: set[Register], phi: Phi) -> bool:
        """Whether nothing else in the loop reads sums."""
        blocks = [self.function.blocks[each] for each in self.order]
        reads = [rtl for block in blocks for rtl in block.rtls if not sums.isdisjoint(rtl.uses)]
        joins = [p for block in blocks for p in block.phis if p is not phi and not sums.isdisjoint(p.sources.values())]
        return all(sums.issuperset(rtl.sets) and rtl.sets for rtl in reads) and all(p.target in sums for p in joins)

    def _leaves(self, wanted: Sequence[_Wanted]) -> Iterator[Register]:
        """Yield the registers from outside of which the loop may compute a function."""
        self.starts = {each.start for each in wanted if each.start is not None}
        used = [phi.sources[self.preheader.label] for phi in self.header.phis]
        used += [register for each in self.order for rtl in self.function.blocks[each].rtls for register in rtl.uses]
        used = [self._original(register) for register in used if register not in self.inside]
        before = [self._original(register) for first in used for register in self._origins(first)]
        for register in dict.fromkeys([*used, *before]):
            known = isinstance(self.sources.get(register), Const) or register in self.state.machine.zero
            given = register.pseudo and register not in self.inside and register not in self.starts and not known
            if given and register.type in INTEGER_TYPES:
                yield register

    def _original(self, register: Register) -> Register:
        """Return the register of which one in front of the loop is a copy."""
        while isinstance(source := self.sources.get(register), Register) and source.pseudo:
            register = source
        return register

    def _origins(self, register: Register) -> list[Register]:
        """Return the registers that one in front of the loop is computed of, in several steps, where these are few."""
        found = [register]
        for each in found:
            source = self.sources.get(each)
            if source is not None and not source.memory and len(found) < ORIGINS:
                found += [used for used in source.uses if used not in found and used not in self.inside]
        return found

    # ------------------------------------------------------------------------------------------------------ what it does

    def _found(self, leaf: Register, wanted: Sequence[_Wanted]) -> list[Expr] | None:
        """Return what the loop computes of a register that is wanted; None if operators do not compute it."""
        bits = BITS[leaf.type]
        likely: list[list[Expr]] = []
        try:
            for sample in SAMPLES:
                run = _Run(self, leaf, number(sample & ((1 << bits) - 1), bits))
                if run.entered == YES:
                    run.run(wanted)
                    likely = likely or [[*self._values(leaf, each, run)] for each in wanted]
                    likely = [run.that_are(each, values) for each, values in zip(wanted, likely, strict=True)]
                    if not all(likely):
                        return None
        except (Unproven, RecursionError):
            return None
        for highest_first in (True, False) if likely else ():  # what counts from one end is small in one of the orders
            try:
                run = _Run(self, leaf, highest_first=highest_first)
                run.run(wanted)
                found = [run.that_are(each, values) for each, values in zip(wanted, likely, strict=True)]
            except (Unproven, RecursionError):
                continue
            return [values[0] for values in found] if all(found) else None
        return None

    def _values(self, leaf: Register, wanted: _Wanted, run: _Run) -> Iterator[Expr]:
        """Yield what a value may be, by a sample: operators of the leaf, and these with a number added, or from one."""
        total, type_ = run.number_of(wanted), wanted.target.type
        bits = BITS[type_]
        yield Const(total)
        if wanted.target.cls != leaf.cls:
            return
        for candidate in self.candidates(leaf.cls):
            value = candidate(leaf)
            made = run.constant(run.proof.number(value, type_))
            yield value
            if made != total:
                yield Op("+", type_, value, Const(wrap(total - made, bits)))  # not folded: the operator is an instruction
            yield Op("-", type_, Const(wrap(total + made, bits)), value)

    # --------------------------------------------------------------------------------------------------------- the change

    def _replace(self, wanted: Sequence[_Wanted], values: Sequence[Expr]) -> bool:
        """Compute in front of the loop what is wanted behind it, and let control go by."""
        rtls: list[Rtl] = []
        results: dict[Register, Register] = {}
        for each, value in zip(wanted, values, strict=True):
            whole = binary("+", each.start, value, each.target.type) if each.start is not None else value
            result = self._computed(each.target, whole, rtls)
            if result is None:
                return False
            results[each.target] = result
        changed = {register for rtl in rtls for register in self.state.machine.may_clobber(rtl.effects)}
        liveness = self.state.get(LIVENESS)
        if liveness.numbering.mask(tuple(changed)) & liveness.live_out[self.place]:
            return False
        like = self.preheader.rtls[-1] if self.preheader.rtls else self.latch.rtls[-1]
        kept = [each.target for each in wanted if each.target in self.inside]  # by their names
        rtls += [Rtl((Set(register, results[register]),), like.lines, like.cause) for register in kept]
        if not all(self.state.machine.is_legal(rtl.effects) for rtl in rtls):
            return False
        jump = Rtl((Jump(self.behind.label),), like.lines, "control")
        labels = {label for _, _, label in self.exits}
        phis = [
            replace(phi, sources={**{way: s for way, s in phi.sources.items() if way not in labels},
                                  self.preheader.label: results[phi.target]})
            for phi in self.behind.phis
        ]  # fmt: skip
        gone = {*self.order} | self.between
        layout = [block for number, block in enumerate(self.function.blocks) if number not in gone]
        contents = {self.preheader: [*self.preheader.rtls[: end_of(self.preheader)], *rtls, jump]}
        return self.state.change(contents, layout, {self.behind: phis})

    def _computed(self, like: Register, value: Expr, rtls: list[Rtl]) -> Register | None:
        """Append RTLs that compute a value, operator by operator if need be; return the register that they set."""
        if isinstance(value, Register):
            return value
        new = self.function.pseudo(like.cls, like.type)
        ways: list[list[tuple[Effect, ...]]] = [[(Set(new, value),)], *tied(new, value)]
        way = next((way for way in ways if all(map(self.state.machine.is_legal, way))), None)
        if way is not None:
            origin = self.latch.rtls[0]
            rtls += [Rtl(effects, origin.lines, origin.cause) for effects in way]
            return rtls[-1].sets[0]
        for place, arg in enumerate(value.args if isinstance(value, Op) else ()):
            assert isinstance(value, Op)
            if not isinstance(arg, Register) and (not isinstance(arg, Const) or value.op in ("+", "-")):
                inner = self._computed(like, arg, rtls)
                if inner is None:
                    return None
                args = [inner if n == place else old for n, old in enumerate(value.args)]
                return self._computed(like, Op(value.op, value.type or like.type, *args), rtls)
        return None


class _Run:
    """All rounds of a loop, as functions of the bits of a register, or for one number in it."""

    def __init__(self, loop: _BitLoop, leaf: Register, given: Number | None = None, highest_first: bool = False) -> None:
        self.loop, self.leaf = loop, leaf
        zero = {register: Const(0) for register in loop.state.machine.zero}
        self.proof = Proof(leaf, lambda register: zero.get(register) or self._source(register), highest_first=highest_first)
        self.diagrams: Diagrams = self.proof.diagrams
        self.diagrams.limit = MOST_NODES
        low, high = loop.state.get(VALUE_RANGES).ranges.get(leaf, (-1, 0))
        held = high.bit_length() if low >= 0 else BITS[leaf.type]  # the bits that may be 1
        own = given if given is not None else self.proof.known[leaf, leaf.type]
        self.proof.known[leaf, leaf.type] = [bit if place < held else NO for place, bit in enumerate(own)]
        for start in loop.starts:
            self.proof.known[start, start.type] = number(0, BITS[start.type])
        self.entered = self._in_front()
        self.before = {key: value for key, value in self.proof.known.items() if key[0] not in loop.inside}
        self.results: dict[Register, Number] = {}

    def _source(self, register: Register) -> Expr | None:
        return self.loop.sources.get(register)

    def _in_front(self) -> int:
        """Return what the branches in front of the loop tell of the register."""
        cfg, result = self.loop.cfg, YES
        place = self.loop.place
        for _ in range(IN_FRONT):
            if len(cfg.predecessors[place]) != 1:
                break
            (before,) = cfg.predecessors[place]
            try:
                for to, guard in self._ways(before, YES):
                    result = self.diagrams.both(result, guard) if to == place else result
            except Unproven:
                pass  # it depends on something else
            place = before
        return result

    def _ways(self, place: int, guard: int) -> Iterator[tuple[int, int]]:
        """Yield where control goes from a block, and when.

        Raises Unproven.
        """
        cfg, block = self.loop.cfg, self.loop.function.blocks[place]
        branch, following = branch_of(block), cfg.successors[place]
        if branch is None or len(following) == 1:
            if len(following) != 1:
                raise Unproven
            yield following[0], guard
            return
        found = branch_comparison(block)
        if found is None:
            raise Unproven
        holds = self.proof.relation(found.relation)
        aside = cfg.labels[branch.label]
        for to in following:
            yield to, self.diagrams.both(guard, holds if to == aside else self.diagrams.one(holds, YES))

    def run(self, wanted: Sequence[_Wanted]) -> None:
        """Follow all rounds; `results` are the values that are wanted.

        Raises Unproven.
        """
        loop, diagrams = self.loop, self.diagrams
        self.results = {each.target: number(0, BITS[each.target.type]) for each in wanted}
        values = {phi.target: self._number(phi.sources[loop.preheader.label]) for phi in loop.header.phis}
        active = self.entered
        for _ in range(2 * BITS[self.leaf.type] + 2):
            self.proof.known = {**self.before, **{(register, register.type): value for register, value in values.items()}}
            guards: dict[tuple[int, int], int] = {}
            for place in loop.order:
                guard = active if place == loop.loop.header else self._enter(place, guards)
                for to, way in self._ways(place, guard) if guard != NO else ():
                    guards[place, to] = way
            for block, to, _ in loop.exits:
                if (guard := guards.get((block, to), NO)) != NO:
                    for each in wanted:
                        new = self._number(each.sources[block])
                        self.results[each.target] = diagrams.joined(guard, new, self.results[each.target])
            latch = loop.cfg.labels[loop.latch.label]
            active = guards.get((latch, loop.loop.header), NO)
            if active == NO:
                return
            values = {phi.target: self._number(phi.sources[loop.latch.label]) for phi in loop.header.phis}
        raise Unproven

    def _enter(self, place: int, guards: dict[tuple[int, int], int]) -> int:
        """Join what comes to a block of the loop; return when control comes there."""
        block, result = self.loop.function.blocks[place], NO
        ways = {before: guards.get((before, place), NO) for before in self.loop.cfg.predecessors[place]}
        for phi in block.phis:
            value = number(0, BITS[phi.target.type])
            for before, guard in ways.items():
                if guard != NO:
                    source = self._number(phi.sources[self.loop.function.blocks[before].label])
                    value = self.diagrams.joined(guard, source, value)
            self.proof.known[phi.target, phi.target.type] = value
        for guard in ways.values():
            result = self.diagrams.either(result, guard)
        return result

    def _number(self, register: Register) -> Number:
        return self.proof.number(register, register.type)

    # ---------------------------------------------------------------------------------------------------------- results

    def that_are(self, wanted: _Wanted, values: Sequence[Expr]) -> list[Expr]:
        """Return those of some values that are what is wanted, wherever the loop is entered."""
        return [value for value in values if self._is_value(wanted, value)]

    def _is_value(self, wanted: _Wanted, value: Expr) -> bool:
        self.proof.known = dict(self.before)
        made = self.proof.number(value, wanted.target.type)
        differ = NO
        for a, b in zip(made, self.results[wanted.target], strict=True):
            differ = self.diagrams.either(differ, self.diagrams.both(self.entered, self.diagrams.one(a, b)))
        return differ == NO

    def number_of(self, wanted: _Wanted) -> int:
        """Return what is wanted as a number, on one sample."""
        return self.constant(self.results[wanted.target])

    @staticmethod
    def constant(bits: Number) -> int:
        """Return the number that bits are which depend on nothing.

        Raises Unproven.
        """
        if any(bit not in (NO, YES) for bit in bits):
            raise Unproven
        return sum(bit << place for place, bit in enumerate(bits))
