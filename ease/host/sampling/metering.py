"""Count what the measured version of a program executes: segments, branches taken, and sums over all of them.

The sums are columns of a gauge (`cache_sim.native.gauge`), so they are known for each sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cache_sim.native.code import STATE
from cache_sim.native.gauge import Gauge
from cache_sim.native.state import State
from ease.host.instrument import Site, Thread
from ease.host.ir_builder import SIZE
from ease.host.sampling.checkpoints import Checkpoints
from ease.host.sampling.instruction_counting import Place
from ease.results import Counts
from ease.timing.segment_costs import SegmentCosts
from vpo.analysis.references import references
from vpo.program import Program
from vpo.rtl import Branch

if TYPE_CHECKING:
    from ease.host.run import RunResult

# Columns of the gauge that are sums over what is executed; others may follow.
COLUMNS = ("instructions", "fetches", "reads", "writes", "branches", "taken", "split fetches", "cycles")
WIDTH = len(COLUMNS)


@dataclass(frozen=True, slots=True)
class Layout:
    """The counters of a function: of segments, and of branches that are taken, by place."""

    segments: Mapping[Place, int]
    taken: Mapping[Place, int]


class Metering:
    """Counts in the measured version; `checkpoints` are those of each function.

    `timing`: cycles, too, without waiting for memory, but for `write_cycles` of each write of so many bytes.  `line`: how many
    lines of so many bytes instructions touch beyond their first.
    """

    threads: Sequence[Thread] = ()
    follows_cut = False

    def __init__(
        self, program: Program, checkpoints: Mapping[str, Checkpoints], timing: bool = False, line: int = 0,
        write_cycles: Callable[[int], int] = lambda size: 0,
    ) -> None:  # fmt: skip
        self.program, self.checkpoints = program, checkpoints
        self.timing, self.line, self.write_cycles = timing, line, write_cycles
        self.counters = 0
        self.layouts = {name: self._layout(name) for name in program.functions}
        self.gauge: Gauge | None = None  # of which the columns of this module come first

    def _layout(self, name: str) -> Layout:
        function = self.program.functions[name]
        branches = [
            (number, index)
            for number, block in enumerate(function.blocks)
            for index, rtl in enumerate(block.rtls)
            if isinstance(rtl.transfer, Branch)
        ]
        return Layout(*({p: self._counter() for p in places} for places in (self.checkpoints[name].sizes, branches)))

    def _counter(self) -> int:
        self.counters += 1
        return self.counters - 1

    def column(self, name: str) -> str:
        """Return the place of a sum."""
        assert self.gauge is not None
        return self.gauge.columns[name]

    def place(self, state: State, large: State) -> None:
        """Lay out the counters."""
        self.counts = state.array("i64", self.counters)

    def function(self, site: Site) -> FunctionMetering:
        """Return the instrument of one function."""
        return FunctionMetering(self, site)

    def text(self) -> str:
        """Return nothing."""
        return ""

    def counted(self, run: RunResult) -> Counts:
        """Return what was executed in samples."""
        counted = run.read(self.counts)
        rtls: dict[str, list[int]] = {}
        taken: dict[str, list[int]] = {}
        for name, function in self.program.functions.items():
            layout, starts, ends = self.layouts[name], function.block_starts(), self.checkpoints[name].ends
            rtls[name], taken[name] = [0] * len(function.rtls()), [0] * len(function.blocks)
            for (block, first), counter in layout.segments.items():
                for position in range(starts[block] + first, starts[block] + ends[block, first]):
                    rtls[name][position] = counted[counter]
            for (block, _), counter in layout.taken.items():
                taken[name][block] = counted[counter]
        return Counts(rtls, taken, {})


class FunctionMetering:
    """Writes the counters of one function."""

    def __init__(self, metering: Metering, site: Site) -> None:
        self.metering, self.site, self.emitter = metering, site, site.emitter
        self.layout = metering.layouts[site.function.name]
        self.ends = metering.checkpoints[site.function.name].ends
        self.addresses = metering.program.addresses[site.function.name]
        self.starts = site.function.block_starts()
        self.costs = SegmentCosts(metering.program, site.function) if metering.timing else None

    def variables(self) -> list[tuple[str, str]]:
        """Return no variables."""
        return []

    def enter(self) -> None:
        """Write nothing."""

    def begin(self, block: int) -> None:
        """Write nothing."""

    def before(self, block: int, index: int) -> None:
        """Count a segment at its head."""
        counter = self.layout.segments.get((block, index))
        if counter is None:
            return
        self._increase(self.metering.counts.element(counter), "1")
        type_, where = f"<{WIDTH} x i64>", f"ptr {self.metering.column(COLUMNS[0])}, align 64, {STATE}"
        constant = ", ".join(f"i64 {weight}" for weight in self._weights(block, index))
        value = self.emitter.put(f"load {type_}, {where}")
        self.emitter.lines.append(f"store {type_} {self.emitter.put(f'add {type_} {value}, <{constant}>')}, {where}")

    def _weights(self, block: int, first: int) -> list[int]:
        """Return what an execution of a segment adds to each column."""
        machine, start = self.metering.program.machine, self.starts[block]
        sums = dict.fromkeys(COLUMNS, 0)
        for index in range(first, self.ends[block, first]):
            rtl, at = self.site.function.blocks[block].rtls[index], start + index
            sums["instructions"] += machine.record(rtl).counted
            sums["fetches"] += self.addresses[at + 1] > self.addresses[at]
            sums["branches"] += isinstance(rtl.transfer, Branch)
            sums["split fetches"] += self._split(at)
            for reference in references(rtl):
                sums["writes" if reference.write else "reads"] += not reference.guards
                sums["cycles"] += self.metering.write_cycles(SIZE[reference.cell.type]) if reference.write else 0
            if self.costs is not None:
                sums["cycles"] += self.costs.segments.get(at, 0)
        return list(sums.values())

    def _split(self, position: int) -> int:
        """Return how many lines an instruction touches beyond its first."""
        start, end, line = self.addresses[position], self.addresses[position + 1], self.metering.line
        return (end - 1) // line - start // line if line and end > start else 0

    def transfer(self, block: int, index: int, value: str) -> None:
        """Count a branch that is taken."""
        counter = self.layout.taken.get((block, index))
        if counter is not None:
            amount = self.emitter.put(f"zext i1 {value} to i64")
            self._increase(self.metering.counts.element(counter), amount)
            self._increase(self.metering.column("taken"), amount)
            self._count_branch(block, value)

    def _count_branch(self, block: int, value: str) -> None:
        """Count the cycles of a branch."""
        taken, passed = (self.costs.taken[block], self.costs.passed[block]) if self.costs is not None else (0, 0)
        if taken or passed:
            self._increase(self.metering.column("cycles"), self.emitter.put(f"select i1 {value}, i64 {taken}, i64 {passed}"))

    def edge(self, source: int, target: int) -> None:
        """Count the cycles that an edge adds."""
        added = self.costs.edges.get((source, target), 0) if self.costs is not None else 0
        if added:
            self._increase(self.metering.column("cycles"), str(added))

    def _increase(self, pointer: str, amount: str) -> None:
        value = self.emitter.put(f"load i64, ptr {pointer}, {STATE}")
        self.emitter.lines.append(f"store i64 {self.emitter.put(f'add i64 {value}, {amount}')}, ptr {pointer}, {STATE}")
