"""Compare classes with a run: how often their scopes began, and the hits and misses of each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ease import Counts
from ease.lab.static_cache.classes import Analysis, Class, Kind
from ease.lab.static_cache.graph import Loop
from ease.lab.static_cache.states import Called, Scope
from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.analysis.dominators import dominates, dominators
from vpo.program import Program
from vpo.rtl import Branch

# ----------------------------------------------------------------------------------------------------------------------
# Count how often the scopes of classes began in a run: loops entered, calls made.


def executions(program: Program, counts: Counts) -> dict[int, int]:
    """Return how often each instruction was executed, by its number in the program."""
    found: dict[int, int] = {}
    for name in program.functions:
        found.update(enumerate(counts.rtls[name], program.first(name)))
    return found


class Entries:
    """Counts the beginnings of scopes in a run."""

    def __init__(self, program: Program, counts: Counts) -> None:
        self.program, self.counts = program, counts
        self.executed = executions(program, counts)
        self.known: dict[Scope, int] = {}

    def of(self, scope: Scope) -> int:
        """Return how often a scope began; a lower bound for a loop that an indirect jump enters."""
        if scope not in self.known:
            self.known[scope] = self._of(scope)
        return self.known[scope]

    def _of(self, scope: Scope) -> int:
        match scope:
            case Called(site=site):
                return self.executed[site]
            case Loop(function=name, label=label):
                return _Flow(self.program, self.counts, name).entries(label)
        return 1


class _Flow:
    """Counts how often control took the edges of a function."""

    def __init__(self, program: Program, counts: Counts, name: str) -> None:
        self.function = program.functions[name]
        self.rtls, self.taken = counts.rtls[name], counts.taken[name]
        self.cfg = build_cfg(self.function)
        self.idom = dominators(self.cfg)
        self.starts = self.function.block_starts()

    def entries(self, label: str) -> int:
        """Return how often the loop with a header was entered."""
        header = self.cfg.labels[label]
        back = [p for p in self.cfg.predecessors[header] if p in self.idom and dominates(self.idom, header, p)]
        if header == 0:  # entered by calls
            return self._block(header, set()) - sum(self._edge(p, header, set()) for p in back)
        return sum(self._edge(p, header, set()) for p in self.cfg.predecessors[header] if p not in back)

    def _block(self, block: int, seen: set[int]) -> int:
        """Return how often a block was entered; for an empty block, from the edges into it."""
        if self.function.blocks[block].rtls:
            return self.rtls[self.starts[block]]
        if block in seen:
            return 0
        return sum(self._edge(p, block, seen | {block}) for p in self.cfg.predecessors[block])

    def _edge(self, block: int, successor: int, seen: set[int]) -> int:
        """Return how often control took the edge to a successor; for an indirect jump, the edges to all of them."""
        rtls = self.function.blocks[block].rtls
        transfer = transfer_of(self.function.blocks[block], self.function.stage == "final")
        if not rtls or transfer is None:
            return self.rtls[self.starts[block] + len(rtls) - 1] if rtls else self._block(block, seen)
        position = next(i for i, rtl in enumerate(rtls) if rtl is transfer)
        count = self.rtls[self.starts[block] + position]
        if not isinstance(transfer.transfer, Branch):
            return count
        target = self.cfg.labels[transfer.transfer.label]
        passed = (count - self.taken[block]) * (successor == block + 1)
        return passed + self.taken[block] * (successor == target)


# ----------------------------------------------------------------------------------------------------------------------
# Compare classes with a run: count hits and misses of each class, and find instructions that broke a promise.


SUREST_FIRST = (Kind.NEVER, Kind.MISS, Kind.FIRST, Kind.CONFLICT, Kind.HIT)


@dataclass(slots=True)
class Observed:
    """The references of a class in a run: how many lines were looked up, and how many of these were absent."""

    accesses: int = 0
    misses: int = 0

    @property
    def hits(self) -> int:
        """The number of lines that were present."""
        return self.accesses - self.misses


@dataclass(frozen=True, slots=True)
class Broken:
    """An instruction, by its number in the program, whose misses in a run contradict its class."""

    site: int
    executed: int
    misses: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a run observed: by class, and how often each instruction was `executed` and `missed`."""

    kinds: Mapping[Kind, Observed]
    executed: Mapping[int, int]
    missed: Mapping[int, int]
    broken: tuple[Broken, ...]


def confirm(analysis: Analysis, counts: Counts, missed: Mapping[int, int], switches: int = 0) -> Confirmation:
    """Compare classes with the misses of a run by site; `switches` is how often the cache was emptied."""
    executed = executions(analysis.program, counts)
    entries = Entries(analysis.program, counts)
    kinds = {kind: Observed() for kind in Kind}
    broken = []
    for site, outcomes in outcomes_of(analysis).items():
        times, misses = executed[site], missed.get(site, 0)
        bounds = [_bounds(outcome, times, entries, switches) for outcome in outcomes]
        least, most = sum(low for low, _ in bounds), sum(high for _, high in bounds)
        never = any(outcome.kind == Kind.NEVER for outcome in outcomes)
        if not least <= misses <= most or (never and times):
            broken.append(Broken(site, times, misses, least, most))
        for outcome in outcomes:
            kinds[outcome.kind].accesses += times
        for kind, share in _shares(misses, [(o.kind, high) for o, (_, high) in zip(outcomes, bounds, strict=True)]):
            kinds[kind].misses += share
    return Confirmation(kinds, executed, missed, tuple(broken))


def outcomes_of(analysis: Analysis) -> dict[int, list[Class]]:
    """Return the classes of all lines that each instruction fetches; a line that an earlier one fetched always hits."""
    found: dict[int, list[Class]] = {}
    for line in analysis.lines:
        never = line.outcome.kind == Kind.NEVER
        for site in line.run.sites:
            first = site == line.run.site
            found.setdefault(site, []).append(line.outcome if first or never else Class(Kind.HIT, newest=True))
    return found


def _bounds(outcome: Class, times: int, entries: Entries, switches: int) -> tuple[int, int]:
    """Return the fewest and the most misses that a class allows for a number of references."""
    match outcome.kind:
        case Kind.MISS:
            return times, times
        case Kind.CONFLICT:
            return 0, times
        case Kind.NEVER:
            return 0, 0
    return 0, min(times, sum(map(entries.of, outcome.scopes)) + switches)


def _shares(misses: int, most: Iterable[tuple[Kind, int]]) -> Iterable[tuple[Kind, int]]:
    """Divide the misses of an instruction among its lines: to those first that must miss, the rest to the last."""
    shares: Counter[Kind] = Counter()
    ordered = sorted(most, key=lambda item: SUREST_FIRST.index(item[0]))
    for kind, high in ordered:
        share = min(misses, high)
        shares[kind] += share
        misses -= share
    shares[ordered[-1][0]] += misses
    return shares.items()
