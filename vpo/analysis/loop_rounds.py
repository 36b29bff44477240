"""How far a variable of a loop gets in as many rounds as another one, whose range is known, lets the loop have.

    for (i = 0, j = 0; i < 16; i++, j += 4)        i is in 0..15 when a round begins, so j is in 0..60
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import is_within
from vpo.rtl import BITS, Const, Expr, Op, Register
from vpo.rtl.function import Function, Phi

Interval = tuple[int, int]


class Ranges(Protocol):
    """What is asked of the ranges of a function."""

    function: Function
    cfg: Cfg
    dominance: dict[int, tuple[int, int]]
    ranges: dict[Register, Interval]
    evaluated: list[list[tuple[Register, Expr]]]

    def original(self, node: Expr) -> Expr:
        """Return the register that a register is a copy of, or the node itself."""
        ...

    def on_edge(self, source: Register, block: int, successor: int) -> Interval | None:
        """Return the range of a register on an edge; None if it is not known yet."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """What each round of a loop adds to a variable, which wraps around beyond limits, and where its first value is from."""

    by: int
    limits: tuple[int, int]
    start: Register
    way: int

    def reaches(self, first: Interval, rounds: int) -> Interval | None:
        """Return the values that a variable has from one to as many rounds later; None if it may wrap around."""
        distance = self.by * rounds
        low, high = first[0] + min(distance, 0), first[1] + max(distance, 0)
        return (low, high) if self.limits[0] <= low and high <= self.limits[1] else None


class Rounds:
    """The steps of the variables of loops; `bounded` are those whose ranges others have set."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.sources: dict[Register, Expr] = {}
        self.steps: dict[Register, Step | None] = {}
        self.bounded: set[Register] = set()

    def range_of(self, number: int, phi: Phi) -> Interval | None:
        """Return the range of a phi at the head of a block, as another phi there bounds it by its own range.

        That must not have been found in this way itself, or both would hold each other up.
        """
        self.bounded.discard(phi.target)
        step = self._step(number, phi)
        first = self.ranges.on_edge(step.start, step.way, number) if step is not None else None
        if step is None or first is None:
            return None
        for other in self.ranges.function.blocks[number].phis:
            known = self.ranges.ranges.get(other.target)
            its = self._step(number, other) if other is not phi and other.target not in self.bounded and known else None
            if its is None or known is None or its.reaches(known, 1) is None:
                continue
            found = step.reaches(first, (known[1] - known[0]) // abs(its.by))
            if found is not None:
                self.bounded.add(phi.target)
                return found
        return None

    def narrowed(self, number: int, phi: Phi, known: Interval) -> Interval:
        """Return a range of a phi, on one side no further than where its first value is: it does not come back there."""
        step = self._step(number, phi)
        first = self.ranges.on_edge(step.start, step.way, number) if step is not None else None
        if step is None or first is None or step.reaches(known, 1) is None:
            return known
        return (max(known[0], first[0]), known[1]) if step.by > 0 else (known[0], min(known[1], first[1]))

    def _step(self, number: int, phi: Phi) -> Step | None:
        if phi.target not in self.steps:
            self.steps[phi.target] = self._found(number, phi)
        return self.steps[phi.target]

    def _found(self, number: int, phi: Phi) -> Step | None:
        ranges = self.ranges
        ways = {label: ranges.cfg.labels[label] for label in phi.sources}
        around = {label for label, way in ways.items() if way in ranges.dominance and is_within(ranges.dominance, number, way)}
        steps = {self._added(phi.sources[label], phi.target) for label in around}
        outside = [label for label in ways if label not in around]
        if len(steps) != 1 or len(outside) != 1 or (found := steps.pop()) is None or not found[0]:
            return None
        return Step(*found, phi.sources[outside[0]], ways[outside[0]])

    def _added(self, register: Register, variable: Register) -> tuple[int, tuple[int, int]] | None:
        """Return what a register is more than a variable, and the limits of such sums."""
        if not self.sources:
            self.sources = {target: source for evaluated in self.ranges.evaluated for target, source in evaluated}
        source = self.sources.get(self.ranges.original(register))  # type: ignore[arg-type]
        bits, unsigned = BITS.get(variable.type, 0), False
        match source:
            case Op(op="sx" | "zx" as extension, args=(Op(op="tr", type=part, args=(inner,)),)):
                source, bits, unsigned = inner, BITS[part], extension == "zx"
        match source:
            case Op(op="+", args=(Register() as old, Const(value=by))) if self.ranges.original(old) is variable and bits:
                return by, ((0, (1 << bits) - 1) if unsigned else (-(1 << bits - 1), (1 << bits - 1) - 1))
        return None
