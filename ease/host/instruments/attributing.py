"""Attribute what a program executes and what simulators count to the rows of a table: regions or interpreted lines.

The word `base` has the address of the row under way.  It is set at the head of each piece of straight code within which the
row is the same; simulators add to the row that they find there (`cache_sim.native.gauge.RowCounting`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from cache_sim.native.code import STATE, State
from cache_sim.native.gauge import RowCounting, increase
from ease.host.instruments.code_sums import COLUMNS, WIDTH, Weights, add_row
from ease.host.instruments.instrument import Site, Thread
from ease.host.instruments.region_counting import MASK, RegionCounting
from ease.host.translation.ir_builder import LLVM
from ease.model.estimates import Ratio
from ease.model.timeline import Attribution, Figure
from vpo.analysis.cfg import segments
from vpo.analysis.references import references
from vpo.base.errors import UserError
from vpo.program import Program
from vpo.rtl import Branch, Const, Mem
from vpo.rtl.function import Function

if TYPE_CHECKING:
    from ease.host.process.run import RunResult
    from ease.host.sampling.sampled import Warmed


# ----------------------------------------------------------------------------------------------------------------------
# To which row of a table it is attributed what an instruction does: by regions under way, or by interpreted lines.


LINES = 1 << 14  # interpreted lines that are told apart
_WORDS = {2: "W", 4: "L"}


class Rows(Protocol):
    """How the rows of a table are found."""

    by: str
    count: int

    def cuts(self, function: Function, block: int) -> Iterator[int]:
        """Yield the RTLs of a block at which the row may be another one than before."""
        ...

    def find(self, site: Site, block: int, index: int) -> str:
        """Write code that finds the number of the row for an RTL; return it, an i64."""
        ...

    def named(self, table: Sequence[Sequence[int]]) -> Mapping[str, Sequence[int]]:
        """Return the rows of the report, by name, from those of the table."""
        ...


class RegionRows:
    """A row for each set of regions that may be under way."""

    by = "region"

    def __init__(self, counting: RegionCounting) -> None:
        self.counting = counting
        self.count = 1 << len(counting.regions)

    def cuts(self, function: Function, block: int) -> Iterator[int]:
        """Yield the RTLs whose own regions are not those of the RTL before."""
        start, before = function.block_starts()[block], -1
        for index in range(len(function.blocks[block].rtls)):
            bits = self.counting.bits(function.name, start + index)
            if bits != before:
                yield index
            before = bits

    def find(self, site: Site, block: int, index: int) -> str:
        """Write code that joins the regions of the RTL with those whose calls are under way."""
        bits = self.counting.bits(site.function.name, site.function.block_starts()[block] + index)
        return site.emitter.put(f"or i64 {site.emitter.put(f'load i64, ptr {MASK}')}, {bits}")

    def named(self, table: Sequence[Sequence[int]]) -> Mapping[str, Sequence[int]]:
        """Return the sums of each region; one that lies within another one belongs to both."""
        found = {}
        for number, region in enumerate(self.counting.regions):
            rows = [row for mask, row in enumerate(table) if mask >> number & 1]
            found[region.name] = [sum(column) for column in zip(*rows, strict=True)]
        return found


class LineRows:
    """A row for each line that an interpreter tells by `ease_line` of <ease.h>, 0 before the first."""

    by = "interpreted line"
    count = LINES

    def __init__(self, program: Program) -> None:
        address = program.symbols.get("_ease_current_line", program.symbols.get("ease_current_line"))
        if address is None:
            raise UserError(["-region ease_line: the program never says `ease_line(NUMBER)` of <ease.h>"])
        self.line = Mem(_WORDS[program.machine.model.sizes["int"]], Const(address))

    def cuts(self, function: Function, block: int) -> Iterator[int]:
        """Yield the RTLs behind those that write to memory."""
        yield 0
        for index, rtl in enumerate(function.blocks[block].rtls, 1):
            if any(reference.write for reference in references(rtl)):
                yield index

    def find(self, site: Site, block: int, index: int) -> str:
        """Write the load of the line; numbers that are too large share the last row."""
        type_, emitter = LLVM[self.line.type], site.emitter
        wide = emitter.put(f"zext {type_} {emitter.value(self.line)} to i64")
        return emitter.put(f"call i64 @llvm.umin.i64(i64 {wide}, i64 {LINES - 1})")

    def named(self, table: Sequence[Sequence[int]]) -> Mapping[str, Sequence[int]]:
        """Return the rows of lines that executed something."""
        return {f"{line}{'+' * (line == LINES - 1)}": row for line, row in enumerate(table) if any(row)}


# ----------------------------------------------------------------------------------------------------------------------


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
