"""Count the references to data in memory spaces, by the sites that make them.

Where the address of a cell is known, so is its space, and counts of instructions tell the rest; else the program compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cache_sim.native.code import State
from cache_sim.native.gauge import increase
from ease.host.instruments.instrument import Site, Thread
from ease.host.translation.emitter import Emitter
from ease.model.results import Counts
from vpo.analysis.references import Reference, data_sites, known_address, references
from vpo.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


def begin_guarded(emitter: Emitter, reference: Reference) -> str:
    """Write the tests of the guards of a reference; return the label behind what follows, '' if there are none."""
    after = emitter.label() if reference.guards else ""
    for test, holds in reference.guards:
        inside, condition = emitter.label(), emitter.condition(test)
        targets = (inside, after) if holds else (after, inside)
        emitter.lines += [f"br i1 {condition}, label %{targets[0]}, label %{targets[1]}", f"{inside}:"]
    return after


def address_of(emitter: Emitter, reference: Reference) -> str:
    """Write the address of a reference; it is an i32."""
    address = emitter.value(reference.cell.address, emitter.word)
    return emitter.put(f"trunc i{emitter.bits} {address} to i32") if emitter.bits > 32 else address


class SpaceCounting:
    """Counts references to data in each space of the machine."""

    threads: Sequence[Thread] = ()
    follows_cut = False

    def __init__(self, program: Program) -> None:
        self.program, self.spaces = program, program.machine.layout.spaces
        self.sites = data_sites(program)
        unknown = [site for site in self.sites if site.reference.guards or known_address(program, site.reference) is None]
        self.stride = len(self.spaces) + 1  # the last one counts what is guarded and of no space
        self.counters = {(site.number, site.position): place * self.stride for place, site in enumerate(unknown)}

    def place(self, state: State, large: State) -> None:
        """Lay out a counter for each space, and one more, of each site whose address is not known."""
        self.counts = state.array("i64", max(len(self.counters), 1) * self.stride)

    def function(self, site: Site) -> FunctionSpaces:
        """Return the instrument of one function."""
        return FunctionSpaces(self, site)

    def text(self) -> str:
        """Return nothing."""
        return ""

    def results(self, counts: Counts, run: RunResult) -> Counter[tuple[int, int]]:
        """Return how often each site, by its number among all, referred to each space, by its place; -1 is the main memory."""
        counted, found = run.read(self.counts), Counter[tuple[int, int]]()
        executed = {
            self.program.first(name) + position: count
            for name, function in counts.rtls.items()
            for position, count in enumerate(function)
        }
        for number, site in enumerate(self.sites):
            counter = self.counters.get((site.number, site.position))
            address = known_address(self.program, site.reference)
            made = executed[site.number]
            if counter is None:
                within = (place for place, space in enumerate(self.spaces) if address in space.addresses)
                found[number, next(within, -1)] = made
                continue
            told = counted[counter : counter + self.stride]
            found.update({(number, place): count for place, count in enumerate(told[:-1])})
            found[number, -1] = told[-1] if site.reference.guards else made - sum(told)
        return +found


class FunctionSpaces:
    """Writes the counters of one function."""

    def __init__(self, counting: SpaceCounting, site: Site) -> None:
        self.counting, self.site = counting, site
        self.starts = site.function.block_starts()

    def variables(self) -> list[tuple[str, str]]:
        """Return no variables."""
        return []

    def enter(self) -> None:
        """Write nothing."""

    def begin(self, block: int) -> None:
        """Write nothing."""

    def before(self, block: int, index: int) -> None:
        """Count the references of an RTL."""
        number = self.site.first + self.starts[block] + index
        for position, reference in enumerate(references(self.site.function.blocks[block].rtls[index])):
            counter = self.counting.counters.get((number, position))
            if counter is not None:
                self._count(counter, reference)

    def _count(self, counter: int, reference: Reference) -> None:
        emitter = self.site.emitter
        after = begin_guarded(emitter, reference) or emitter.label()
        address = address_of(emitter, reference)
        for place, space in enumerate(self.counting.spaces):
            inside, outside = emitter.label(), emitter.label()
            test = emitter.put(f"icmp ult i32 {emitter.put(f'sub i32 {address}, {space.at}')}, {space.size}")
            emitter.lines += [f"br i1 {test}, label %{inside}, label %{outside}", f"{inside}:"]
            increase(emitter, self.counting.counts.element(counter + place), "1")
            emitter.lines += [f"br label %{after}", f"{outside}:"]
        if reference.guards:
            increase(emitter, self.counting.counts.element(counter + self.counting.stride - 1), "1")
        emitter.lines += [f"br label %{after}", f"{after}:"]

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write nothing."""

    def edge(self, source: int, target: int) -> None:
        """Write nothing."""
