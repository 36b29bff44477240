"""To which row of a table it is attributed what an instruction does: by regions under way, or by interpreted lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ease.host.instrument import Site
from ease.host.ir_builder import LLVM
from ease.host.region_counting import MASK, RegionCounting
from vpo.analysis.references import references
from vpo.function import Function
from vpo.program import Program
from vpo.rtl import Const, Mem
from vpo.user_error import UserError

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
