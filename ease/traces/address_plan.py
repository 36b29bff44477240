"""Which addresses a trace must hold, and from what the others follow.

An address is a base, which is a sum of terms, plus a constant.  When one is recorded its base is known from then on, as
long as the activation lasts, wherever all paths lead through such a place: other addresses of that base follow.  At the
head of a loop a base is known again if each iteration adds a constant to it, or a value that the loop does not change, its
stride; should base or stride not be known before the loop, they are recorded on the way in.  This is the abstract execution
of Larus (1990), restricted to sums.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ease.host.translation.ir_builder import SIZE
from ease.traces.register_values import NO_TERMS, Edge, RegisterValues, Value
from vpo.analysis.dominators import Loop, dominators, natural_loops
from vpo.analysis.references import Reference, references
from vpo.analysis.register_summaries import Key
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import Const, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block

Base = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Access:
    """A reference to data as a trace has it.

    `slot` is where its base is kept, -1 if it is not.  `recorded`: the trace has the address, and the slot takes the base
    from it; else the address is `offset` beyond the base, or is `offset` if there is no slot.
    """

    reference: Reference
    recorded: bool
    slot: int
    offset: int


@dataclass(frozen=True, slots=True)
class Move:
    """What becomes of a slot on an edge: it takes another slot's base (-1: none) plus `offset`, or is recorded.

    `stride` is a slot that is added, too (-1: none).  What is recorded is the sum of the registers `recorded` times factors,
    plus `offset`.
    """

    slot: int
    source: int
    offset: int
    recorded: tuple[tuple[Key, int], ...] = ()
    stride: int = -1


@dataclass(slots=True)
class FunctionPlan:
    """The references of a function by the position of their RTL, the moves on its edges, and how many slots it needs."""

    accesses: dict[int, list[Access]] = field(default_factory=dict)
    moves: dict[Edge, list[Move]] = field(default_factory=dict)
    slots: int = 0


class _Use(NamedTuple):
    """A reference to the address `value`; `sure`: it is made whenever its RTL is reached."""

    position: int
    reference: Reference
    value: Value
    sure: bool


class _Candidate(NamedTuple):
    """A base that may be known at the head of a loop."""

    header: int
    base: Base


class AddressPlanner:
    """Finds the plan of one function."""

    def __init__(self, values: RegisterValues) -> None:
        self.values, self.cfg, self.order = values, values.cfg, values.order
        self.modulus = values.values.modulus
        self.uses: dict[int, list[_Use | None]] = {block: list(self._uses(block)) for block in self.order}
        self.candidates: dict[_Candidate, Loop] = {}
        self.strides: dict[_Candidate, Value] = {}  # what each iteration adds to a base beside constants
        self.only_strides: set[_Candidate] = set()  # no reference has them for its base
        self.slots: dict[Base, int] = {}

    def plan(self) -> FunctionPlan:
        """Return the plan."""
        self._find_candidates()
        known, after = self._known()
        while self._drop_candidates(after):
            known, after = self._known()
        plan = FunctionPlan()
        kept = self._kept(known, after)
        for block in self.order:
            self._assign(block, set(known[block]), kept, plan)
        for edge, moves in self._moves(after).items():
            plan.moves[edge] = moves
        plan.slots = len(self.slots)
        return plan

    # ------------------------------------------------------------------------------- what is referred to

    def _uses(self, block: int) -> Iterator[_Use | None]:
        """Yield the references of a block; None where nothing is known any more, since control may come back here again."""
        values, start = self.values, self.values.starts[block]
        annulled = False
        for index, rtl, state, _ in values.steps(block):
            number = values.first + start + index
            for reference in references(rtl):
                value = values.address(reference.cell, state, number)
                yield _Use(start + index, reference, value, not reference.guards and not annulled)
            annulled |= rtl.annuls
            if rtl.call is not None and values.comes_again(rtl.call):
                yield None

    # ------------------------------------------------------------------------------------------- loops

    def _find_candidates(self) -> None:
        """Take every base of a loop's references for known at the loop's head, if it contains what changes there."""
        for loop in natural_loops(self.cfg, dominators(self.cfg)):
            for block in sorted(loop.blocks):
                for use in self.uses.get(block, ()):
                    if use is not None and self._may_be_known(use.value.terms, loop):
                        self.candidates[_Candidate(loop.header, use.value.terms)] = loop
        for candidate, loop in list(self.candidates.items()):
            self._find_stride(candidate, loop)

    def _find_stride(self, candidate: _Candidate, loop: Loop) -> None:
        """Take the stride of a base for known at the loop's head, too, if all iterations add the same one."""
        values = self.values.values
        base = Value(candidate.base, 0)
        edges = [(block, loop.header) for block in self.cfg.predecessors[loop.header] if block in loop.blocks]
        steps = {values.add(self._incoming(candidate, edge), base, -1).terms for edge in edges if edge in self.values.on_edge}
        if len(steps) != 1:
            return
        (terms,) = steps
        if terms and all(loop.blocks.isdisjoint(self._blocks_of(self._origin(term))) for term, _ in terms):
            self.strides[candidate] = Value(terms, 0)
            stride = _Candidate(loop.header, terms)
            if stride not in self.candidates:
                self.candidates[stride] = loop
                self.only_strides.add(stride)

    def _may_be_known(self, base: Base, loop: Loop) -> bool:
        """Whether a base contains what changes at the head of a loop, and nothing else of it changes in the loop."""
        origins = [self._origin(term) for term, _ in base]
        others = [origin for origin in origins if origin[:2] != ("join", loop.header)]
        return len(others) < len(origins) and all(loop.blocks.isdisjoint(self._blocks_of(origin)) for origin in others)

    def _blocks_of(self, origin: tuple[Any, ...]) -> Iterator[int]:
        """Yield the blocks that change a term which comes from there."""
        match origin:
            case "entry", _:
                pass
            case "join", block, _:
                yield block
            case "load" | "set" | "call" | "system", number, *_:
                yield bisect_right(self.values.starts, number - self.values.first) - 1
            case "sum", terms, _:
                for term, _ in terms:
                    yield from self._blocks_of(self._origin(term))
            case _:
                for value in origin[2:]:
                    for term, _ in value.terms if isinstance(value, Value) else ():
                        yield from self._blocks_of(self._origin(term))

    def _incoming(self, candidate: _Candidate, edge: Edge) -> Value:
        """Return the value that a base has at the head of a loop if control comes along an edge."""
        values, state = self.values.values, self.values.on_edge[edge]
        result = Value(NO_TERMS, 0)
        for term, factor in candidate.base:
            origin = self._origin(term)
            if origin[:2] == ("join", candidate.header):
                result = values.add(result, values.scaled(values.held(origin[2], state), factor))
            else:
                result = values.add(result, Value(frozenset(((term, factor),)), 0))
        return result

    def _origin(self, term: int) -> tuple[Any, ...]:
        return self.values.values.origins[term]

    def _drop_candidates(self, after: dict[int, frozenset[Base]]) -> bool:
        """Drop the candidates that do not hold; return whether there were any."""
        wrong = [candidate for candidate, loop in self.candidates.items() if not self._holds(candidate, loop, after)]
        used = {_Candidate(c.header, self.strides[c].terms) for c in self.candidates if c in self.strides}
        wrong += [c for c in self.candidates if c in self.only_strides - used]
        if not wrong:
            wrong = self._entangled(after)
        for candidate in dict.fromkeys(wrong):
            del self.candidates[candidate]
        return bool(wrong)

    def _holds(self, candidate: _Candidate, loop: Loop, after: dict[int, frozenset[Base]]) -> bool:
        for block in self.cfg.predecessors[candidate.header]:
            if (block, candidate.header) not in self.values.on_edge:
                continue
            value = self._incoming(candidate, (block, candidate.header))
            known = not value.terms or value.terms in after[block] or self._steps(candidate, value, after[block])
            if not known and (block in loop.blocks or self._sum_of_registers(candidate, (block, candidate.header)) is None):
                return False
        return True

    def _steps(self, candidate: _Candidate, value: Value, known: frozenset[Base]) -> bool:
        """Whether a value is the base, which is known, plus its stride, which is, too, plus a constant."""
        stride = self.strides.get(candidate)
        if stride is None or not {candidate.base, stride.terms} <= known:
            return False
        return self.values.values.add(Value(candidate.base, 0), stride).terms == value.terms

    def _sum_of_registers(self, candidate: _Candidate, edge: Edge) -> tuple[list[tuple[Key, int]], int] | None:
        """Return registers with factors, and a number, whose sum is a base on the way into a loop; None if there is none."""
        values, state = self.values.values, self.values.on_edge[edge]
        incoming = self._incoming(candidate, edge)
        holders: dict[int, tuple[Key, int]] = {}
        for key, value in sorted(state.items()):
            if value.terms == incoming.terms and self.values.is_address(key):
                return [(key, 1)], (incoming.offset - value.offset) % values.modulus
            if len(value.terms) == 1 and self.values.is_address(key):
                ((term, factor),) = value.terms
                if factor == 1:
                    holders.setdefault(term, (key, value.offset))
        found: list[tuple[Key, int]] = []
        offset = 0
        for term, factor in sorted(candidate.base):
            origin = self._origin(term)
            if origin[:2] == ("join", candidate.header):
                key, beyond = origin[2], 0
            elif term in holders:
                key, beyond = holders[term]
            elif origin[0] == "entry" and origin[1] not in state:
                key, beyond = origin[1], 0
            else:
                return None
            if not self.values.is_address(key):
                return None
            found.append((key, factor))
            offset -= factor * beyond
        return found, offset % values.modulus

    # -------------------------------------------------------------------------------- which bases are known

    def _known(self) -> tuple[dict[int, frozenset[Base]], dict[int, frozenset[Base]]]:
        """Return the bases that are known at the entry of each block, and at its end, if all candidates are."""
        granted: dict[int, set[Base]] = {}
        for candidate in self.candidates:
            granted.setdefault(candidate.header, set()).add(candidate.base)
        known: dict[int, frozenset[Base]] = {}
        after: dict[int, frozenset[Base]] = {}
        changed = True
        while changed:
            changed = False
            for block in self.order:
                before = [after[p] for p in self.cfg.predecessors[block] if p in after]
                common = frozenset[Base]() if block == 0 or not before else frozenset.intersection(*before)
                common |= granted.get(block, set())
                if known.get(block) != common:
                    changed, known[block] = True, common
                    after[block] = self._through(block, common)
        return known, after

    def _through(self, block: int, before: frozenset[Base]) -> frozenset[Base]:
        known = set(before)
        for use in self.uses[block]:
            if use is None:
                known.clear()
            elif use.sure and use.value.terms:
                known.add(use.value.terms)
        return frozenset(known)

    # ---------------------------------------------------------------------------------------- the plan

    def _kept(self, known: dict[int, frozenset[Base]], after: dict[int, frozenset[Base]]) -> set[Base]:
        """Return the bases from which something follows."""
        kept = {candidate.base for candidate in self.candidates}
        for candidate in self.candidates:
            for block in self.cfg.predecessors[candidate.header]:
                if block in after:
                    value = self._incoming(candidate, (block, candidate.header))
                    kept.update({value.terms} & after[block])
                    if candidate in self.strides:
                        kept.add(self.strides[candidate].terms)
        for block in self.order:
            here = set(known[block])
            for use in self.uses[block]:
                if use is None:
                    here.clear()
                    continue
                if use.value.terms in here:
                    kept.add(use.value.terms)
                elif use.sure:
                    here.add(use.value.terms)
        return kept

    def _slot(self, base: Base) -> int:
        return self.slots.setdefault(base, len(self.slots))

    def _assign(self, block: int, known: set[Base], kept: set[Base], plan: FunctionPlan) -> None:
        for use in self.uses[block]:
            if use is None:
                known.clear()
                continue
            base, offset = use.value
            if not base:
                access = Access(use.reference, False, -1, offset)
            elif base in known:
                access = Access(use.reference, False, self._slot(base), offset)
            else:
                access = Access(use.reference, True, self._slot(base) if base in kept and use.sure else -1, offset)
                if use.sure:
                    known.add(base)
            plan.accesses.setdefault(use.position, []).append(access)

    def _moves(self, after: dict[int, frozenset[Base]]) -> dict[Edge, list[Move]]:
        """Return the moves on the edges to the heads of loops, each before those that change what it reads."""
        result: dict[Edge, list[Move]] = {}
        for candidate in self.candidates:
            for block in self.cfg.predecessors[candidate.header]:
                edge = block, candidate.header
                if edge not in self.values.on_edge:
                    continue
                value, slot = self._incoming(candidate, edge), self._slot(candidate.base)
                if not value.terms:
                    move = Move(slot, -1, value.offset)
                elif value.terms in after[block]:
                    move = Move(slot, self._slot(value.terms), value.offset)
                elif self._steps(candidate, value, after[block]):
                    move = Move(slot, slot, value.offset, stride=self._slot(self.strides[candidate].terms))
                else:
                    found = self._sum_of_registers(candidate, edge)
                    assert found is not None
                    move = Move(slot, -1, found[1], tuple(found[0]))
                if move.source != slot or move.offset or move.stride >= 0:
                    result.setdefault(edge, []).append(move)
        return {edge: _sequence(moves)[0] for edge, moves in result.items()}

    def _entangled(self, after: dict[int, frozenset[Base]]) -> list[_Candidate]:
        """Return a candidate whose slot exchanges its base with others on an edge, if there is one."""
        by_edge: dict[Edge, list[Move]] = {}
        numbers = {base: number for number, base in enumerate(dict.fromkeys(c.base for c in self.candidates))}
        for candidate in self.candidates:
            for block in self.cfg.predecessors[candidate.header]:
                if (block, candidate.header) in self.values.on_edge:
                    value = self._incoming(candidate, (block, candidate.header))
                    source = numbers.get(value.terms, -1) if value.terms in after[block] else -1
                    by_edge.setdefault((block, candidate.header), []).append(Move(numbers[candidate.base], source, 0))
        for (_, header), moves in by_edge.items():
            left = _sequence(moves)[1]
            if left:
                return [c for c in self.candidates if c.header == header and numbers[c.base] == left[0].slot]
        return []


def _sequence(moves: list[Move]) -> tuple[list[Move], list[Move]]:
    """Order moves that happen at once so that each comes before those that change its source; return what cannot be, too."""
    done: list[Move] = []
    waiting = list(moves)
    while waiting:
        free = [m for m in waiting if not any(o is not m and o.source == m.slot for o in waiting)]
        if not free:
            return done, waiting
        done += free
        waiting = [m for m in waiting if m not in free]
    return done, []


# ----------------------------------------------------------------------------------------------------------------------
# Which stores of a program store a value that a load of the same block has brought: copies from memory to memory.


def copies(program: Program) -> list[tuple[int, int]]:
    """Return pairs of numbers of RTLs: one that loads a value, and the first one that stores it, perhaps the same RTL.

    Load and store have the same size.  No RTL is in two pairs.
    """
    return [
        pair
        for name, function in program.functions.items()
        for block, start in zip(function.blocks, function.block_starts(), strict=True)
        for pair in _copies_of(program.machine, block, program.first(name) + start)
    ]


def _copies_of(machine: Machine, block: Block, first: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a block whose first RTL has a number."""
    held: dict[tuple[tuple[str, int], ...], tuple[int, int]] = {}  # by storage, the load of its value, and that one's size
    for site, rtl in enumerate(block.rtls, first):
        moved = _moved(rtl)
        match moved:
            case Mem() as target, Mem() as source if SIZE[target.type] == SIZE[source.type]:
                yield site, site
            case Mem() as target, Register() as source if held.get(machine.storage(source), (0, 0))[1] == SIZE[target.type]:
                yield held.pop(machine.storage(source))[0], site
        changed = {place for register in (*rtl.sets, *machine.clobbers(rtl.effects)) for place in machine.storage(register)}
        held = {} if rtl.call is not None else {key: value for key, value in held.items() if changed.isdisjoint(key)}
        match moved:
            case Register() as register, Mem() as cell:
                held[machine.storage(register)] = site, SIZE[cell.type]


def _moved(rtl: Rtl) -> tuple[Expr, Expr] | None:
    """Return target and source of the effect of an RTL that moves a value from or to memory; None if there is none such."""
    directions = [reference.write for reference in references(rtl)]
    if directions not in ([False], [True], [False, True]):
        return None
    for effect in rtl.effects:
        if isinstance(effect, Set) and (isinstance(effect.target, Mem) if directions[-1] else effect.memory):
            source = _stored(effect.source)
            if isinstance(source, Mem | Register):
                return effect.target, source
    return None


def _stored(source: Expr) -> Expr:
    """Return the cell or register whose bits are the lowest ones of a value, as far as they are stored."""
    match source:
        case Op(op="|", args=(Op(op="&", args=(Register(), Const())), Op(op="zx", args=(part,)))):
            return part  # a part of a register takes a value
        case Op(op="sx" | "zx" | "tr" | "bits", args=(part,)):
            return _stored(part)
    return source
