"""Attribute what a program executes and what simulators count to the rows of a table: regions or interpreted lines.

The word `base` has the address of the row under way.  It is set at the head of each piece of straight code within which the
row is the same; simulators add to the row that they find there (`cache_sim.native.gauge.RowCounting`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cache_sim.native.code import STATE
from cache_sim.native.gauge import RowCounting, increase
from cache_sim.native.state import State
from ease.attribution import Attribution
from ease.host.attributed_rows import Rows
from ease.host.code_sums import COLUMNS, WIDTH, Weights, add_row
from ease.host.instrument import Site, Thread
from ease.sampling.ratios import Ratio
from ease.timeline import Figure
from vpo.analysis.segments import segments
from vpo.function import Function
from vpo.program import Program
from vpo.rtl import Branch

if TYPE_CHECKING:
    from ease.host.run import RunResult
    from ease.host.sampling.sampled import Warmed


class Attributing:
    """Attributes what a run does to rows; `simulators` stand behind this instrument and count by it.

    `timing`: cycles, too; each write of so many bytes takes `write_cycles`.
    """

    threads: Sequence[Thread] = ()
    follows_cut = False

    def __init__(
        self, program: Program, rows: Rows, simulators: Sequence[Warmed], timing: bool,
        write_cycles: Callable[[int], int] = lambda size: 0,
    ) -> None:  # fmt: skip
        self.program, self.rows, self.simulators = program, rows, simulators
        self.timing, self.write_cycles = timing, write_cycles
        self.columns = [*COLUMNS, *(name for each in simulators for name in each.sums())]
        self.width = -(-len(self.columns) // WIDTH) * WIDTH  # rows begin where vectors are aligned

    def place(self, state: State, large: State) -> None:
        """Lay out the table, and tell simulators of it."""
        self.table = state.array("i64", self.width * self.rows.count)
        self.base = state.array("i64", 1, self.table.address)
        self.counting = RowCounting(self.base, {name: number for number, name in enumerate(self.columns)})
        for each in self.simulators:
            each.counting = self.counting

    def function(self, site: Site) -> FunctionAttributing:
        """Return the instrument of one function."""
        return FunctionAttributing(self, site)

    def text(self) -> str:
        """Return nothing."""
        return ""

    def attribution(self, run: RunResult, wanted: Sequence[Ratio]) -> Attribution:
        """Return what was attributed in a run, as ratios."""
        flat = run.read(self.table)
        found = self.rows.named([flat[start : start + self.width] for start in range(0, len(flat), self.width)])
        numbers = {name: number for number, name in enumerate(self.columns)}

        def sums(weights: Mapping[str, int]) -> list[int]:
            return [sum(weight * row[numbers[name]] for name, weight in weights.items()) for row in found.values()]

        figures = [Figure(ratio.name, sums(ratio.above), sums(ratio.below)) for ratio in wanted]
        return Attribution(self.rows.by, list(found), sums({"instructions": 1}), figures)


class FunctionAttributing:
    """Writes the rows of one function."""

    def __init__(self, attributing: Attributing, site: Site) -> None:
        self.attributing, self.site, self.emitter = attributing, site, site.emitter
        self.weights = Weights(attributing.program, site.function, attributing.timing, 0, attributing.write_cycles)
        self.ends = self._pieces(site.function)

    def _pieces(self, function: Function) -> dict[tuple[int, int], int]:
        """Return the ends of pieces of straight code that belong to one row, by their beginnings."""
        ends: dict[tuple[int, int], int] = {}
        for number, block in enumerate(function.blocks):
            cuts = set(self.attributing.rows.cuts(function, number))
            for segment in segments(self.attributing.program.machine, function, block):
                heads = [segment.first, *(n for n in range(segment.first + 1, segment.end) if n in cuts), segment.end]
                ends |= {(number, first): end for first, end in pairwise(heads)}
        return ends

    def variables(self) -> list[tuple[str, str]]:
        """Return no variables."""
        return []

    def enter(self) -> None:
        """Write nothing."""

    def begin(self, block: int) -> None:
        """Write nothing."""

    def before(self, block: int, index: int) -> None:
        """Find the row of a piece at its head, and add what the piece does."""
        end = self.ends.get((block, index))
        if end is None:
            return
        pointer = self._row(block, index)
        weights = self.weights.of(block, index, end)
        if any(weights):
            add_row(self.emitter, pointer, weights)

    def _row(self, block: int, index: int) -> str:
        """Write code that makes the row of an RTL the one under way; return its pointer."""
        attributing, emitter = self.attributing, self.emitter
        number = attributing.rows.find(self.site, block, index)
        offset = emitter.put(f"mul i64 {number}, {8 * attributing.width}")
        row = emitter.put(f"add i64 {offset}, {attributing.table.address}")
        emitter.lines.append(f"store i64 {row}, ptr {attributing.base.pointer}, {STATE}")
        return emitter.put(f"inttoptr i64 {row} to ptr")

    def transfer(self, block: int, index: int, value: str) -> None:
        """Count a branch that is taken, and its cycles."""
        if isinstance(self.site.function.blocks[block].rtls[index].transfer, Branch):
            self._add("taken", self.emitter.put(f"zext i1 {value} to i64"))
            cycles = self.weights.of_branch(self.emitter, block, value)
            if cycles:
                self._add("cycles", cycles)

    def edge(self, source: int, target: int) -> None:
        """Count the cycles that an edge adds; they belong to the row of the last RTL before it."""
        added = self.weights.of_edge(source, target)
        if added:
            self._row(source, len(self.site.function.blocks[source].rtls) - 1)
            self._add("cycles", str(added))

    def _add(self, column: str, amount: str) -> None:
        increase(self.emitter, self.attributing.counting.place(self.emitter, column), amount)
