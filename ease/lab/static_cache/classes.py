"""Classify each fetch of a program: classes hold for every run.

The classes are those of F. Mueller, D. Whalley, "Fast Instruction Cache Analysis via Static Cache Simulation" (SS 1995).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from cache_sim.config import Cache, ConfigurationError, MemorySystem
from ease.lab.static_cache.graph import Loop, Run, graphs
from ease.lab.static_cache.states import Scope, Scopes, State, States, Touched, lines_of
from vpo.program import Program


class Kind(StrEnum):
    """The kinds of classes."""

    HIT = "always hit"
    MISS = "always miss"
    FIRST = "first miss"
    CONFLICT = "conflict"
    NEVER = "never fetched"


@dataclass(frozen=True, slots=True)
class Class:
    """How often the fetch of a line misses.

    'always hit': never.  'always miss': each time.  'first miss': at most once in each execution of one of the `scopes`, and
    every fetch is in a scope.  'conflict': unknown.  'never fetched': control does not come there.  `newest`: the fetch always
    hits the line last used of its set, so that it leaves the cache unchanged.

    With context switches, 'always hit' and 'first miss' may miss once more for each of them: at the next use of the line.
    'always miss' stays true: what is in an LRU cache that was emptied would be in one that was not.
    """

    kind: Kind
    scopes: tuple[Scope, ...] = ()
    newest: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Consecutive instructions in one line, and the class of the first one's fetch.

    The other fetches always hit, and their line is the newest of its set.  `loops` are the loops around, inner ones first.
    """

    function: str
    address: int
    run: Run
    outcome: Class
    loops: tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class Resident:
    """The lines that a loop fetches, including what it calls, by their addresses.

    `kept` lines are never evicted while control is in the loop or in what it calls: their sets have room for all lines that
    the loop fetches.  Each misses at most once from entering the loop to leaving it.  `others` may be evicted.  `certain` are
    the lines, of both, that are fetched each time control enters and leaves the loop; if the program ends in the loop, only
    the first line of its header is certain.  `calls`: the loop calls functions.
    """

    kept: frozenset[int]
    others: frozenset[int]
    certain: frozenset[int]
    calls: bool


def instruction_cache(system: MemorySystem) -> Cache:
    """Return the cache of a memory system that is to be analysed.

    Raises ConfigurationError, with the reason, if there is none: no instruction cache, one that holds data as well, one that
    prefetches, one with several ways that is not LRU.
    """
    cache = system.instruction
    if cache is None:
        raise ConfigurationError("static classes are those of an instruction cache: give one, as I:1k,16,1")
    if system.unified:
        raise ConfigurationError("where data go through the cache, too, nothing is known of its lines: give I: instead of U:")
    check(cache)
    return cache


def check(cache: Cache) -> None:
    """Raise ConfigurationError for a cache that cannot be analysed."""
    if cache.prefetch != "none":
        raise ConfigurationError("static classes are those of a cache that does not prefetch", "prefetch")
    if cache.ways > 1 and cache.policy != "lru":
        raise ConfigurationError(f"of several ways only 'lru' can be analysed, not '{cache.policy}'", "policy")


class Analysis:
    """The analysis of a program for a cache.

    Raises ConfigurationError for a cache that cannot be analysed.
    """

    def __init__(self, program: Program, cache: Cache) -> None:
        check(cache)
        self.program, self.cache = program, cache
        self.graphs = graphs(program, cache.line)
        runs = [run for graph in self.graphs.values() for node in graph.nodes for run in node.runs]
        self.numbers = lines_of((run.line for run in runs), cache)
        self.touched = Touched(self.graphs, self.numbers)

    @cached_property
    def states(self) -> States:
        """The state of the cache before each node; computing it takes most of the time."""
        return States(self.graphs, self.numbers, self.touched, self.program.entry)

    @cached_property
    def scopes(self) -> Scopes:
        """The scopes in which lines stay in the cache."""
        return Scopes(self.graphs, self.numbers, self.touched, self.program.entry)

    @cached_property
    def lines(self) -> list[Line]:
        """All lines fetched, in the order of functions and blocks."""
        return [line for name in self.graphs for line in self._function(name)]

    def _function(self, name: str) -> Iterable[Line]:
        """Yield the lines that a function fetches."""
        found = []
        for number, node in enumerate(self.graphs[name].nodes):
            state = self.states.before[name][number]
            loops = tuple(loop for loop, nodes in self.graphs[name].loops.items() if number in nodes)
            for run in node.runs:
                outcome = Class(Kind.NEVER) if state is None else self._outcome(name, number, run.line, state)
                found.append(Line(name, run.line * self.cache.line, run, outcome, loops))
                if state is not None:
                    state = state.used(self.numbers.bits[run.line], self.numbers.rivals[run.line])
        return sorted(found, key=lambda line: (line.run.site, line.address))

    def _outcome(self, name: str, node: int, line: int, state: State) -> Class:
        """Return the class of a use of a line in a state."""
        bit = self.numbers.bits[line]
        if state.must[-1] & bit:
            return Class(Kind.HIT, newest=bool(state.must[0] & bit))
        if not state.may[-1] & bit:
            return Class(Kind.MISS)
        scopes = self.scopes.of(name, node, line)
        return Class(Kind.FIRST, scopes) if scopes else Class(Kind.CONFLICT)

    def sites(self) -> dict[int, list[Class]]:
        """Return the classes of the lines that each instruction is the first to fetch, by the number of the instruction."""
        found: dict[int, list[Class]] = {}
        for line in self.lines:
            found.setdefault(line.run.site, []).append(line.outcome)
        return found

    def residents(self) -> dict[Loop, Resident]:
        """Return the resident lines of each loop, inner loops first."""
        found = {}
        for name, graph in self.graphs.items():
            for loop, nodes in graph.loops.items():
                touched = self.touched.by_nodes(name, nodes)
                crowded = self.numbers.crowded(touched)
                header = min(nodes)  # blocks are in reverse postorder, and it dominates all of them
                certain = self.touched.on_every_path(name, nodes, header) & touched
                found[loop] = Resident(
                    self._addresses(touched & ~crowded), self._addresses(touched & crowded), self._addresses(certain),
                    any(graph.nodes[number].callees is not None for number in nodes),
                )  # fmt: skip
        return found

    def _addresses(self, lines: int) -> frozenset[int]:
        return frozenset(number * self.cache.line for number in self.numbers.members(lines))


def classify(program: Program, cache: Cache) -> dict[int, Class]:
    """Return the classes of instructions by their numbers in the program, which are the sites of their fetches.

    An instruction that is the first of two lines has the class of both if they have the same, or if one always hits; 'first
    miss' then holds for each line.  Instructions without a class in the result always hit.

    Raises ConfigurationError for a cache that cannot be analysed.
    """
    return {site: joined(found) for site, found in Analysis(program, cache).sites().items()}


def joined(classes: Iterable[Class]) -> Class:
    """Return the class of an instruction that fetches lines of several classes."""
    found = list(dict.fromkeys(classes))
    kinds = {c.kind for c in found} - {Kind.HIT}
    if not kinds:
        return Class(Kind.HIT, newest=all(c.newest for c in found))
    if len(kinds) > 1:
        return Class(Kind.CONFLICT)
    return Class(kinds.pop(), tuple(dict.fromkeys(scope for c in found for scope in c.scopes)))


def resident_lines(program: Program, cache: Cache) -> dict[Loop, Resident]:
    """Return the resident lines of each loop of a program, inner loops first.

    Raises ConfigurationError for a cache that cannot be analysed.
    """
    return Analysis(program, cache).residents()
