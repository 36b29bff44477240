"""Values of a function in SSA form as functions of a few registers, and which instructions compute such a function.

A cut of a value (Cong and Ding, "FlowMap", 1994) is a group of registers through which all ways to it lead, and what is
computed between them and it.  Its values on samples of inputs tell which instructions may compute it
(`vpo/machines/match/meanings.py`), a proof whether they do (`vpo/algebra/proofs.py`).  Numbers are seen through registers; of
a register that holds an extended byte or half it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from vpo.algebra import rebuild, rebuild_effect, unary, wrap
from vpo.algebra.equivalents import Bits, bit_sources
from vpo.algebra.proofs import are_equal
from vpo.algebra.samples import COLOURS, NotSampledError, evaluate, samples, telling
from vpo.machines.machine import Machine
from vpo.machines.match.likely import Wanted, likely
from vpo.machines.match.meanings import Meanings
from vpo.rtl import BITS, INTEGER_TYPES, Const, Effect, Expr, Op, Register, Rtl, Set, subexpressions
from vpo.rtl.function import Block

CUTS = 12  # of one value
INSIDE = 128  # definitions in one cut
Kind = tuple[str, str]  # 'sx' or 'zx' and the type from which a register's value is extended; ('', '') if it may be any


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A value as a function of some registers: its values on samples, or a number, and what is computed on the way."""

    leaves: tuple[Register, ...]
    vector: Any
    inside: frozenset[Register]
    numbers: frozenset[int]


class ValueGraph:
    """The values of one function.  `sources` has the expression of each register that is only computed."""

    def __init__(self, machine: Machine, sources: dict[Register, Expr], meanings: Meanings | None = None) -> None:
        self.machine, self.meanings, self.sources = machine, meanings or machine.meanings, sources
        self.kinds: dict[Register, Kind] = {}
        self.order: dict[Register, int] = {}
        self.cuts: dict[Register, list[Cut]] = {}

    def define_all(self, blocks: Sequence[Block], arriving: Mapping[Register, Kind]) -> None:
        """Take down the definitions of blocks, the entry first; `arriving` tells how hard registers are extended there."""
        held = dict(arriving)
        for block in blocks:
            for rtl in block.rtls:
                self._define(rtl, held)
                for register in rtl.sets:
                    held.pop(register, None)
                if rtl.call is not None:
                    held.clear()  # results of calls are in the registers of arguments
            held.clear()

    def _define(self, rtl: Rtl, held: Mapping[Register, Kind]) -> None:
        """Take down the order of definitions, and how what they set was extended; `held` says so of hard registers."""
        for register in rtl.sets:
            self.order[register] = len(self.order)
        effect = rtl.single_set()
        if effect is not None and type(effect.target) is Register and effect.target.pseudo:
            source = effect.source
            if (extension := extension_of(source)) is not None:
                self.kinds[effect.target] = extension
            elif type(source) is Register and (kind := held.get(source) or self.kinds.get(source)) is not None:
                self.kinds[effect.target] = kind

    # ----------------------------------------------------------------------------------------------------------- cuts

    def find_cuts(self, target: Register, source: Expr) -> list[Cut]:
        """Return the ways in which a value is a function of a few registers, and remember them for what uses it."""
        self.cuts[target] = found = sorted(self._cuts(target, source), key=lambda cut: len(cut.leaves))[:CUTS]
        return found

    def _cuts(self, target: Register, source: Expr) -> Iterator[Cut]:
        registers = [register for register in source.uses if register not in self.machine.zero]
        if (target.type and target.type not in INTEGER_TYPES) or source.memory:
            return
        found: set[tuple[Register, ...]] = set()
        vectors: dict[Expr, Any] = dict.fromkeys(self.machine.zero, 0)
        written = frozenset(node.value for node in subexpressions(source) if isinstance(node, Const))
        for parts in product(*map(self._cuts_of, registers)):
            leaves = self._united(parts)
            inside = frozenset((target,)).union(*(part.inside for part in parts))
            if leaves is None or leaves in found or len(inside) > INSIDE:
                continue
            found.add(leaves)
            vectors.update((register, part.vector) for register, part in zip(registers, parts, strict=True))
            try:
                vector: Any = evaluate(source, vectors, target.type)
            except NotSampledError:
                return
            numbers = written.union(*(part.numbers for part in parts))
            if not leaves and target.type:
                vector = int(vector[0])
                numbers = frozenset((wrap(vector, BITS[target.type]),))
            yield Cut(leaves, vector, inside, numbers)

    def _cuts_of(self, register: Register) -> list[Cut]:
        """Return the cuts of a value that is used: as it is defined, and itself as a leaf."""
        known = self.cuts.get(register)
        if known is None:
            source = self.sources.get(register)
            self.cuts[register] = []  # of a circle
            known = self.find_cuts(register, source) if source is not None else []
        if known and not known[0].leaves:
            return known[:1]  # a number
        if register.type not in INTEGER_TYPES:
            return []
        return [*known, Cut((register,), self.samples_of(register), frozenset(), frozenset())]

    def samples_of(self, register: Register) -> Any:
        """Return the values of a register in all samples."""
        return self._extended(register, samples(self._colour(register), register.type))

    def _extended(self, register: Register, plain: Any) -> Any:
        """Return values of a register as it may hold them."""
        op, held = self.kinds.get(register, ("", ""))
        if not op:
            return plain
        return evaluate(unary(op, register.type, unary("tr", held, register)), {register: plain}, register.type)

    def _finer(self, target: Register, cut: Cut, numbers: Iterable[int]) -> tuple[list[Any], Any]:
        """Return more samples of the leaves of a condition, and of it: numbers in one leaf after the other."""
        vectors = {}
        for place, leaf in enumerate(cut.leaves):
            own, values = samples(self._colour(leaf), leaf.type), telling(numbers, leaf.type)
            turns = [values if turn == place else np.resize(own, len(values)) for turn in range(len(cut.leaves))]
            vectors[leaf] = self._extended(leaf, np.concatenate([own, *turns]))
        return list(vectors.values()), evaluate(self.expression(target, cut), vectors, target.type)

    def _colour(self, register: Register) -> int:
        return self.order.setdefault(register, len(self.order)) % COLOURS

    def _united(self, parts: Sequence[Cut]) -> tuple[Register, ...] | None:
        """Return the leaves of cuts together; None if they are too many, or their samples cannot be told apart."""
        leaves = {leaf for part in parts for leaf in part.leaves}
        if len(leaves) > self.meanings.most_leaves or any(not leaves.isdisjoint(part.inside) for part in parts):
            return None
        if len({self._colour(leaf) for leaf in leaves}) < len(leaves):
            return None
        return tuple(sorted(leaves, key=self.order.__getitem__))

    # --------------------------------------------------------------------------------------------------- instructions

    def instructions(self, target: Register, cut: Cut) -> Iterator[list[tuple[Effect, ...]]]:
        """Yield ways in which one instruction sets a register to the value of a cut: it alone, or between two copies.

        They are likely, not proven: ask `is_proven` of one before it is used.
        """
        for expression in self.expressions(target, cut):
            direct = (Set(target, expression),)
            if self.machine.is_legal(direct):
                yield [direct]
            else:
                yield from self._tied(target, expression)

    def expressions(self, target: Register, cut: Cut) -> Iterator[Expr]:
        """Yield what instructions compute that is likely to be the value of a cut; nothing of a number."""
        if not cut.leaves:
            return
        numbers = [*cut.numbers, *self._moved(target, cut)] if self.meanings.open else ()
        finer = None if target.type else partial(self._finer, target, cut)
        yield from likely(self.meanings, self.wanted(target, cut, numbers, finer), self.machine.half)

    def wanted(
        self, target: Register, cut: Cut, numbers: Iterable[int] = (), finer: Callable[..., Any] | None = None
    ) -> Wanted:
        """Return the value of a cut as it is looked for."""
        vectors = [self.samples_of(leaf) for leaf in cut.leaves]
        kinds = tuple((leaf.cls, self._colour(leaf), self.kinds.get(leaf)) for leaf in cut.leaves)
        return Wanted(target, cut.leaves, kinds, vectors, cut.vector, numbers, finer)

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

    def _moved(self, target: Register, cut: Cut) -> Iterator[int]:
        """Yield numbers by which an instruction may move bits as a cut does: masks of what comes from where, distances."""
        source = self.expression(target, cut)
        for part in (source,) if target.type else source.args if isinstance(source, Op) else ():
            yield from self._moves(cut, part)

    def _moves(self, cut: Cut, source: Expr) -> Iterator[int]:
        bits = bit_sources(source, _bits)
        if bits is None or not cut.leaves:
            return
        wide = len(bits)
        for leaf in cut.leaves:
            moved = [(place, bit[1]) for place, bit in enumerate(bits) if bit is not None and bit[0] is leaf]
            for mask in (sum(1 << place for place, _ in moved), sum(1 << origin for _, origin in moved)):
                yield from (wrap(number, bits) for number in (mask, ~mask) for bits in {wide, BITS[leaf.type]})
            for distance in sorted({place - origin for place, origin in moved}):
                yield from (distance % wide, -distance % wide)

    def is_proven(self, target: Register, cut: Cut, way: Sequence[tuple[Effect, ...]]) -> bool:
        """Whether a way is proven to set a register to the value of a cut."""
        names = self._known(cut)
        for effects in way[:-1]:
            (effect,) = effects
            assert isinstance(effect, Set)
            names[effect.target] = rebuild(effect.source, names.get)
        (last,) = way[-1]
        assert isinstance(last, Set)
        return self._equal(target, cut, names, last.source)

    def is_proven_of(self, target: Register, cut: Cut, expression: Expr) -> bool:
        """Whether an expression of the leaves of a cut is proven to be its value."""
        return self._equal(target, cut, self._known(cut), expression)

    def _equal(self, target: Register, cut: Cut, names: Mapping[Expr, Expr], expression: Expr) -> bool:
        return are_equal(self.expression(target, cut, names), rebuild(expression, names.get), target.type)

    def _known(self, cut: Cut) -> dict[Expr, Expr]:
        """Return what is known of the leaves of a cut: each is a register, or an extended part of one."""
        names: dict[Expr, Expr] = {}
        for number, leaf in enumerate(cut.leaves):
            name = Register(leaf.cls, number, leaf.type, True)
            op, held = self.kinds.get(leaf, ("", ""))
            names[leaf] = unary(op, leaf.type, unary("tr", held, name)) if op else name
        return names

    def expression(self, target: Register, cut: Cut, names: Mapping[Expr, Expr] | None = None) -> Expr:
        """Return the value of a cut as an expression of its leaves, or of other names for them."""
        known: dict[Expr, Expr] = dict(names) if names is not None else {leaf: leaf for leaf in cut.leaves}
        for register in self.machine.zero:
            known[register] = Const(0)

        def put(node: Expr) -> Expr | None:
            if not isinstance(node, Register):
                return None
            if node not in known:
                known[node] = rebuild(self.sources[node], put)
            return known[node]

        return rebuild(self.sources[target], put)

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


NEW = 1 << 40  # the number of a register in a way that is not taken yet


def extension_of(source: Expr) -> Kind | None:
    """Return how an expression extends a narrower value, if it does."""
    extends = type(source) is Op and source.op in ("sx", "zx") and source.args[0].type in INTEGER_TYPES
    return (source.op, source.args[0].type) if extends else None  # type: ignore[union-attr]


def _bits(node: Expr) -> Bits | None:
    if isinstance(node, Register) and node.type in INTEGER_TYPES:
        return tuple((node, place) for place in range(BITS[node.type]))
    return None
