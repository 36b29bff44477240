"""Count what the measured version of a program executes: segments, branches taken, and sums over all of them.

The sums are columns of a gauge (`cache_sim.native.gauge`), so they are known for each sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cache_sim.native.code import STATE
from cache_sim.native.gauge import Gauge
from cache_sim.native.state import State
from ease.host.instrument import Site, Thread
from ease.host.sampling.checkpoints import Checkpoints, Place
from ease.results import Counts
from vpo.analysis.references import references
from vpo.program import Program
from vpo.rtl import Branch

if TYPE_CHECKING:
    from ease.host.run import RunResult

# Columns of the gauge that are sums over what is executed; others may follow.
COLUMNS = ("instructions", "fetches", "reads", "writes", "branches", "taken", "calls", "cycles")
WIDTH = len(COLUMNS)


@dataclass(frozen=True, slots=True)
class Layout:
    """The counters of a function: of segments, and of branches that are taken, by place."""

    segments: Mapping[Place, int]
    taken: Mapping[Place, int]


class Metering:
    """Counts in the measured version; `checkpoints` are those of each function."""

    threads: Sequence[Thread] = ()
    follows_cut = False

    def __init__(self, program: Program, checkpoints: Mapping[str, Checkpoints]) -> None:
        self.program, self.checkpoints = program, checkpoints
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
            sums["calls"] += rtl.call is not None
            for reference in references(rtl):
                sums["writes" if reference.write else "reads"] += not reference.guards
        return list(sums.values())

    def transfer(self, block: int, index: int, value: str) -> None:
        """Count a branch that is taken."""
        counter = self.layout.taken.get((block, index))
        if counter is not None:
            amount = self.emitter.put(f"zext i1 {value} to i64")
            self._increase(self.metering.counts.element(counter), amount)
            self._increase(self.metering.column("taken"), amount)

    def edge(self, source: int, target: int) -> None:
        """Write nothing."""

    def _increase(self, pointer: str, amount: str) -> None:
        value = self.emitter.put(f"load i64, ptr {pointer}, {STATE}")
        self.emitter.lines.append(f"store i64 {self.emitter.put(f'add i64 {value}, {amount}')}, ptr {pointer}, {STATE}")
