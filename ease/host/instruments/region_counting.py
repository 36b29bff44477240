"""Count what is executed in regions: their own instructions, and what is called from these while the call lasts.

A mask tells for which regions calls are under way.  It is the same from the begin of an activation to its end, so each
function reads it once; it has counters of its own for each mask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cache_sim.native.code import STATE, State
from cache_sim.native.gauge import ALWAYS, Counting, increase
from ease.host.instruments.instrument import Site, Thread
from ease.model.regions import Region
from ease.model.results import Counts
from vpo.analysis.cfg import segments
from vpo.analysis.transfers import context_savers
from vpo.program import Program
from vpo.rtl import Branch

if TYPE_CHECKING:
    from ease.host.process.run import RunResult

Place = tuple[int, int]  # a block, and an RTL in it
MASK, _BASE = "%regions.mask", "%regions.base"


@dataclass(frozen=True, slots=True)
class Layout:
    """The counters of a function: of the segments that begin at places, and of the branches there that are taken."""

    segments: Mapping[Place, int]
    taken: Mapping[Place, int]
    ends: Mapping[Place, int]  # of segments


class RegionCounting:
    """Counts what regions execute."""

    threads: Sequence[Thread] = ()
    counting: Counting = ALWAYS

    follows_cut = False

    def __init__(self, program: Program, regions: Sequence[Region]) -> None:
        self.program, self.regions = program, regions
        self.restores = bool(context_savers(program))  # longjmp leaves calls under way
        self.counters = 0
        self.layouts = {name: self._layout(name) for name in program.functions}

    def _layout(self, name: str) -> Layout:
        function = self.program.functions[name]
        starts: dict[Place, int] = {}
        taken: dict[Place, int] = {}
        ends: dict[Place, int] = {}
        for number, block in enumerate(function.blocks):
            for segment in segments(self.program.machine, function, block):
                starts[number, segment.first], ends[number, segment.first] = self._counter(), segment.end
            for index, rtl in enumerate(block.rtls):
                if isinstance(rtl.transfer, Branch):
                    taken[number, index] = self._counter()
        return Layout(starts, taken, ends)

    def _counter(self) -> int:
        self.counters += 1
        return self.counters - 1

    def bits(self, name: str, position: int) -> int:
        """Return the regions that an RTL of a function belongs to by itself."""
        return sum(1 << n for n, region in enumerate(self.regions) if position in region.own.get(name, ()))

    def sums(self) -> Sequence[str]:
        """Return a name for the instructions of each region."""
        return [region_column(region.name) for region in self.regions]

    def place(self, state: State, large: State) -> None:
        """Lay out the mask, and counters for each."""
        self.mask = state.array("i64", 1)
        self.counts = state.array("i64", self.counters << len(self.regions))

    def function(self, site: Site) -> FunctionRegions:
        """Return the instrument of one function."""
        return FunctionRegions(self, site)

    def text(self) -> str:
        """Return nothing."""
        return ""

    def results(self, counts: Counts, run: RunResult) -> dict[str, Counts]:
        """Return what each region executed; what traps of register windows did is not known apart."""
        counted = run.read(self.counts)
        rows = [counted[mask * self.counters : (mask + 1) * self.counters] for mask in range(1 << len(self.regions))]
        return {region.name: self._of_region(1 << n, rows, counts) for n, region in enumerate(self.regions)}

    def _of_region(self, bit: int, rows: Sequence[Sequence[int]], counts: Counts) -> Counts:
        rtls: dict[str, list[int]] = {}
        taken: dict[str, list[int]] = {}
        sums = [sum(row[counter] for mask, row in enumerate(rows) if mask & bit) for counter in range(self.counters)]
        for name, function in self.program.functions.items():
            layout, starts = self.layouts[name], function.block_starts()
            own = [bool(self.bits(name, position) & bit) for position in range(len(function.rtls()))]
            rtls[name], taken[name] = [0] * len(own), [0] * len(function.blocks)
            for (block, first), counter in layout.segments.items():
                for position in range(starts[block] + first, starts[block] + layout.ends[block, first]):
                    rtls[name][position] = counts.rtls[name][position] if own[position] else sums[counter]
            for (block, index), counter in layout.taken.items():
                taken[name][block] = counts.taken[name][block] if own[starts[block] + index] else sums[counter]
        return Counts(rtls, taken, {}, counts.exact)


class FunctionRegions:
    """Writes the counters and masks of one function."""

    def __init__(self, counting: RegionCounting, site: Site) -> None:
        self.counting, self.site, self.emitter = counting, site, site.emitter
        self.layout = counting.layouts[site.function.name]
        self.starts = site.function.block_starts()
        self.begun = self.called = False

    def variables(self) -> list[tuple[str, str]]:
        """Return the mask of the activation, and the address of its counters."""
        return [("i64", MASK), ("i64", _BASE)]

    def enter(self) -> None:
        """Read the mask at the head of the function; put it back behind a call that changed it."""
        emitter, mask = self.emitter, f"ptr {self.counting.mask.pointer}, {STATE}"
        if not self.begun:
            self.begun = True
            value = emitter.put(f"load i64, {mask}")
            offset = emitter.put(f"mul i64 {value}, {8 * self.counting.counters}")
            base = emitter.put(f"add i64 {offset}, {self.counting.counts.address}")
            emitter.lines += [f"store i64 {value}, ptr {MASK}", f"store i64 {base}, ptr {_BASE}"]
        elif self.called or self.counting.restores:
            value = emitter.put(f"load i64, ptr {MASK}")
            emitter.lines.append(f"store i64 {value}, {mask}")

    def begin(self, block: int) -> None:
        """Write nothing."""

    def before(self, block: int, index: int) -> None:
        """Count a segment at its head."""
        counter = self.layout.segments.get((block, index))
        if counter is not None:
            self._increase(counter, "1")
            self._sum(block, index)

    def _sum(self, block: int, first: int) -> None:
        """Add the instructions of a segment to the sums of regions: its own ones, and all while calls are under way."""
        counting, name, machine = self.counting, self.site.function.name, self.counting.program.machine
        columns = getattr(counting.counting, "columns", {})
        counted = [
            (index, machine.record(rtl).counted)
            for index, rtl in enumerate(self.site.function.blocks[block].rtls)
            if first <= index < self.layout.ends[block, first]
        ]
        for number, region in enumerate(counting.regions if columns else ()):
            bits = ((counting.bits(name, self.starts[block] + index), size) for index, size in counted)
            own = sum(size for found, size in bits if found >> number & 1)
            others = sum(size for _, size in counted) - own
            mask = self.emitter.put(f"load i64, ptr {MASK}")
            inside = self.emitter.put(f"and i64 {self.emitter.put(f'lshr i64 {mask}, {number}')}, 1")
            amount = self.emitter.put(f"add i64 {self.emitter.put(f'mul i64 {inside}, {others}')}, {own}")
            increase(self.emitter, columns[region_column(region.name)], amount)

    def transfer(self, block: int, index: int, value: str) -> None:
        """Count a branch that is taken; set the mask for a call."""
        emitter, rtl = self.emitter, self.site.function.blocks[block].rtls[index]
        counter = self.layout.taken.get((block, index))
        if counter is not None:
            self._increase(counter, emitter.put(f"zext i1 {value} to i64"))
        bits = self.counting.bits(self.site.function.name, self.starts[block] + index)
        self.called = rtl.call is not None and bits != 0
        if self.called:
            inside = emitter.put(f"or i64 {emitter.put(f'load i64, ptr {MASK}')}, {bits}")
            emitter.lines.append(f"store i64 {inside}, ptr {self.counting.mask.pointer}, {STATE}")

    def edge(self, source: int, target: int) -> None:
        """Write nothing."""

    def _increase(self, counter: int, amount: str) -> None:
        emitter = self.emitter
        base = emitter.put(f"load i64, ptr {_BASE}")
        increase(emitter, emitter.put(f"inttoptr i64 {emitter.put(f'add i64 {base}, {8 * counter}')} to ptr"), amount)


def region_column(name: str) -> str:
    """Return the name of the sum of a region's instructions."""
    return f"in {name}"
