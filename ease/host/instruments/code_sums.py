"""What each execution of a piece of straight code adds to sums: instructions, references, branches, cycles."""

from __future__ import annotations

from collections.abc import Callable

from cache_sim.native.code import STATE
from ease.host.translation.emitter import Emitter
from ease.host.translation.ir_builder import SIZE
from ease.timing.estimate import SegmentCosts
from vpo.analysis.references import references
from vpo.program import Program
from vpo.rtl import Branch
from vpo.rtl.function import Function

# Sums over what is executed, side by side; others may follow.
COLUMNS = ("instructions", "fetches", "reads", "writes", "branches", "taken", "split fetches", "cycles")
WIDTH = len(COLUMNS)


class Weights:
    """What the code of one function adds to each of COLUMNS.

    `timing`: cycles, too, without waiting for memory, but for `write_cycles` of each write of so many bytes.  `line`: how many
    lines of so many bytes instructions touch beyond their first.
    """

    def __init__(
        self, program: Program, function: Function, timing: bool, line: int = 0,
        write_cycles: Callable[[int], int] = lambda size: 0,
    ) -> None:  # fmt: skip
        self.machine, self.function, self.line, self.write_cycles = program.machine, function, line, write_cycles
        self.fetched = program.fetched[function.name]
        self.starts = function.block_starts()
        self.costs = SegmentCosts(program, function) if timing else None

    def of(self, block: int, first: int, end: int) -> list[int]:
        """Return what an execution of the RTLs from first to end of a block adds to each column."""
        start = self.starts[block]
        sums = dict.fromkeys(COLUMNS, 0)
        for index in range(first, end):
            rtl, at = self.function.blocks[block].rtls[index], start + index
            sums["instructions"] += self.machine.record(rtl).counted
            begins, ends = self.fetched[at]
            sums["fetches"] += ends > begins
            sums["branches"] += isinstance(rtl.transfer, Branch)
            sums["split fetches"] += self._split(at)
            for reference in references(rtl):
                sums["writes" if reference.write else "reads"] += not reference.guards
                sums["cycles"] += self.write_cycles(SIZE[reference.cell.type]) if reference.write else 0
            if self.costs is not None:
                sums["cycles"] += self.costs.segments.get(at, 0)
        return list(sums.values())

    def _split(self, position: int) -> int:
        """Return how many lines an instruction touches beyond its first."""
        (start, end), line = self.fetched[position], self.line
        return (end - 1) // line - start // line if line and end > start else 0

    def of_branch(self, emitter: Emitter, block: int, condition: str) -> str:
        """Write the cycles that the branch at the end of a block adds by its condition; return them, '' for none."""
        taken, passed = (self.costs.taken[block], self.costs.passed[block]) if self.costs is not None else (0, 0)
        return emitter.put(f"select i1 {condition}, i64 {taken}, i64 {passed}") if taken or passed else ""

    def of_edge(self, source: int, target: int) -> int:
        """Return the cycles that an edge between blocks adds."""
        return self.costs.edges.get((source, target), 0) if self.costs is not None else 0


def add_row(emitter: Emitter, pointer: str, weights: list[int]) -> None:
    """Write the increase of all COLUMNS, which begin at a pointer."""
    type_, where = f"<{WIDTH} x i64>", f"ptr {pointer}, align 64, {STATE}"
    constant = ", ".join(f"i64 {weight}" for weight in weights)
    value = emitter.put(f"load {type_}, {where}")
    emitter.lines.append(f"store {type_} {emitter.put(f'add {type_} {value}, <{constant}>')}, {where}")
