"""Count the cycles that a run waits for memory: the misses of each site times the time of a miss (`cache_sim.config.Delays`).

With write buffers the bus works while the processor does; then waits are counted during the run (`ease.host.memory.clocked`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cache_sim.config import Cache, Delays, MemorySystem
from cache_sim.results import Results
from ease.model.results import Counts, Line, Spent
from ease.model.run_identity import file_name
from vpo.analysis.references import DataSite, data_sites
from vpo.program import Program
from vpo.rtl import BITS

NOWHERE = Line("(unknown)", 0)  # where lines are written back that were written to long ago


@dataclass(frozen=True, slots=True)
class Waits:
    """The cycles waited at each site in a run with write buffers: for lines and for writes; `full` counts full buffers."""

    fills: Mapping[int, int] = field(default_factory=dict)
    writes: Mapping[int, int] = field(default_factory=dict)
    full: int = 0


def memory_cycles(program: Program, counts: Counts, results: Results, waits: Waits | None = None) -> dict[Spent, int]:
    """Return the cycles that a run waited for a memory system; `waits` has those of write buffers."""
    sites = _Sites(program, counts)
    spent: defaultdict[Spent, int] = defaultdict(int)
    static = _Static(results, sites)
    for site, cycles in static.pages():
        spent[sites.spent(site, "TLB miss")] += cycles
    for site, cycles in static.fills() if waits is None else waits.fills.items():
        spent[sites.spent(site, f"{sites.kind(site)} miss")] += cycles
    for site, cycles in static.writes() if waits is None else waits.writes.items():
        spent[sites.spent(site, "write")] += cycles
    if waits is None:
        spent[Spent("write back", "", NOWHERE)] += static.victims()
    return {key: number for key, number in sorted(spent.items()) if number}


class _Sites:
    """What is known of each site of a program."""

    def __init__(self, program: Program, counts: Counts) -> None:
        self.rtls: dict[int, tuple[str, Line, int]] = {}  # function, line, how often executed
        for name, function in program.functions.items():
            file, rtls = file_name(function.file), zip(function.rtls(), counts.rtls[name], strict=True)
            for number, (rtl, count) in enumerate(rtls, program.first(name)):
                self.rtls[number] = name.removeprefix("_"), Line(file, rtl.lines[0]), count
        self.data: dict[int, DataSite] = dict(enumerate(data_sites(program), program.numbers))

    def spent(self, site: int, cause: str) -> Spent:
        """Return the place and cause to which the cycles of a site are attributed."""
        function, line, _ = self.rtls[self.data[site].number if site in self.data else site]
        return Spent(cause, function, line)

    def kind(self, site: int) -> str:
        """Return the kind of reference of a site: fetch, read or write."""
        return "fetch" if site not in self.data else "write" if self.data[site].reference.write else "read"

    def size(self, site: int) -> int:
        """Return the bytes of a reference to data."""
        return BITS[self.data[site].reference.cell.type] // 8

    def writes(self) -> Iterator[tuple[int, int]]:
        """Yield sites that write, and how often."""
        for site, data in self.data.items():
            if data.reference.write:
                yield site, self.rtls[data.number][2]


class _Static:
    """The waits that are counts times delays."""

    def __init__(self, results: Results, sites: _Sites) -> None:
        self.results, self.sites = results, sites
        self.system: MemorySystem = results.system
        self.delays = results.system.delays or Delays()

    def _misses(self, *caches: Cache | None) -> Iterator[tuple[Cache, int, int]]:
        """Yield cache, site and number of misses."""
        for cache in dict.fromkeys(caches):
            if cache is not None:
                for site, misses in self.results[cache.name].sites.items():
                    yield cache, site, misses

    def pages(self) -> Iterator[tuple[int, int]]:
        """Yield the cycles waited for pages, by site."""
        for _, site, misses in self._misses(self.system.instruction_tlb, self.system.data_tlb):
            yield site, misses * self.delays.tlb

    def fills(self) -> Iterator[tuple[int, int]]:
        """Yield the cycles waited for lines, by site."""
        for cache, site, misses in self._misses(self.system.instruction, self.system.data):
            if self.sites.kind(site) != "write" or cache.allocate:
                yield site, misses * (self.delays.second if self.system.second else self.delays.wait(cache.line))
        for cache, site, misses in self._misses(self.system.second):
            yield site, misses * self.delays.wait(cache.line)

    def writes(self) -> Iterator[tuple[int, int]]:
        """Yield the cycles waited for writes without buffers, by site: all writes, or those that miss."""
        data = self.system.data
        if data is None or self.system.second is not None or (data.write == "back" and data.allocate):
            return
        every = self.sites.writes()
        missed = ((site, misses) for _, site, misses in self._misses(data) if self.sites.kind(site) == "write")
        for site, times in every if data.write == "through" else missed:
            yield site, times * self.delays.words(self.sites.size(site)) * self.delays.write

    def victims(self) -> int:
        """Return the cycles waited for dirty lines that are written back."""
        last = self.system.second or self.system.data
        if last is None:
            return 0
        lines = self.results.memory.writes - self.results[last.name].passed
        return lines * self.delays.words(last.line) * self.delays.write


def memory_assumptions(system: MemorySystem) -> tuple[str, ...]:
    """Return sentences about what waiting for memory assumes."""
    delays = system.delays
    if delays is None:
        return ("references to memory take no time: the memory system has no delays",)
    goes_on = "its first word" if delays.resume == "word" else "all of it"
    texts = [
        f"memory: {delays.first} cycles for the first {delays.width} bytes of a line, {delays.next} for each more; "
        f"the processor goes on with {goes_on}",
        f"writes: {delays.write} cycles for {delays.width} bytes, {delays.buffers or 'no'} buffers",
    ]
    if system.second is not None:
        texts.append(f"second level: {delays.second} cycles; what is written to it costs nothing")
    if system.instruction_tlb is not None or system.data_tlb is not None:
        texts.append(f"TLB miss: {delays.tlb} cycles")
    return tuple(texts)
