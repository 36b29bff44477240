"""Several processors with private caches, one shared level, and a protocol that keeps them coherent; simulated plainly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from cache_sim.config import Cache, ConfigurationError, MemorySystem
from cache_sim.levels import Level, Memory
from cache_sim.results import CacheResults, Kind, Traffic

# ----------------------------------------------------------------------------------------------------------------------
# Protocols as tables.
#
# States of a line in a cache are M (modified: nobody else has it, and it is to be written back), E (nobody else has it), S
# (others may have it), I (it is not there).  What a processor does asks the bus for something: `fetch` the line, `own` it, as
# others then do not have it, or both.  All other caches see that.


@dataclass(frozen=True, slots=True)
class Protocol:
    """`done`: by state and whether it is a write, what the bus is asked for, the next state, that if nobody else has the line.

    `seen`: by state and what another cache asks for, the next state, and whether the line is written back before.
    """

    done: Mapping[tuple[str, bool], tuple[str, str, str]]
    seen: Mapping[tuple[str, str], tuple[str, bool]]


FETCH, OWN, FETCH_OWN = "fetch", "own", "fetch own"
_MSI = Protocol(
    {
        ("I", False): (FETCH, "S", "S"), ("I", True): (FETCH_OWN, "M", "M"),
        ("S", False): ("", "S", "S"), ("S", True): (OWN, "M", "M"),
        ("M", False): ("", "M", "M"), ("M", True): ("", "M", "M"),
    },
    {
        ("S", FETCH): ("S", False), ("S", OWN): ("I", False), ("S", FETCH_OWN): ("I", False),
        ("M", FETCH): ("S", True), ("M", FETCH_OWN): ("I", True),
    },
)  # fmt: skip
_MESI = Protocol(
    {**_MSI.done, ("I", False): (FETCH, "S", "E"), ("E", False): ("", "E", "E"), ("E", True): ("", "M", "M")},
    {**_MSI.seen, ("E", FETCH): ("S", False), ("E", FETCH_OWN): ("I", False)},
)
PROTOCOLS = {"msi": _MSI, "mesi": _MESI}
ABSENT, MODIFIED = "I", "M"


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PrivateResults:
    """What a private cache did; such results add.

    `taken`: lines that it lost since another cache wanted to own them; `again`: misses of lines that it lost so since it had
    them last; `owned`: writes to lines that others might have had; `written`: lines written back.
    """

    cache: Cache
    accesses: int = 0
    misses: int = 0
    again: int = 0
    taken: int = 0
    owned: int = 0
    written: int = 0

    def __add__(self, other: PrivateResults) -> PrivateResults:
        """Add the numbers of a cache of the same shape."""
        names = [part.name for part in fields(self)][1:]
        return PrivateResults(self.cache, *(getattr(self, name) + getattr(other, name) for name in names))


class _Private:
    """A private cache: the states of the lines of each set, the one that was used last behind all others."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.sets: list[dict[int, str]] = [{} for _ in range(cache.sets)]
        self.lost: set[int] = set()
        self.accesses = self.misses = self.again = self.taken = self.owned = self.written = 0

    def of(self, line: int) -> dict[int, str]:
        """Return the set of a line."""
        return self.sets[line % self.cache.sets]

    def results(self) -> PrivateResults:
        """Return what happened so far."""
        return PrivateResults(
            self.cache, self.accesses, self.misses, self.again, self.taken, self.owned, self.written
        )


class Processors:
    """Processors that have the first-level caches of a memory system each, and share its second level and memory.

    Before a line is fetched from the shared level, a cache that has it modified writes it there; then the line whose place it
    takes, the one used least recently, is written back.  Raises ConfigurationError.
    """

    def __init__(self, system: MemorySystem, protocol: str, count: int) -> None:
        check(system)
        self.protocol, self.memory = PROTOCOLS[protocol], Memory()
        self.second = None if system.second is None else Level(system.second, self.memory, system.causes)
        self.line = _private(system)[0].line
        self.caches = [{cache: _Private(cache) for cache in _private(system)} for _ in range(count)]
        self._every = [each for caches in self.caches for each in caches.values()]
        self._role = {Kind.FETCH: system.instruction, Kind.READ: system.data, Kind.WRITE: system.data}

    def refer(self, processor: int, kind: Kind, address: int, size: int) -> None:
        """Let a processor refer to `size` bytes, at least 1: to each line in which some of them are."""
        cache = self._role[kind]
        if cache is not None:
            own = self.caches[processor][cache]
            for line in range(address // self.line, (address + size - 1) // self.line + 1):
                self._access(own, line, kind)

    def results(self) -> list[tuple[PrivateResults, ...]]:
        """Return what the caches of each processor did."""
        return [tuple(each.results() for each in caches.values()) for caches in self.caches]

    def shared(self) -> CacheResults | None:
        """Return what the shared level did, None if there is none."""
        return None if self.second is None else self.second.results()

    def traffic(self) -> Traffic:
        """Return the lines that memory read and wrote."""
        return Traffic(self.memory.reads, self.memory.writes)

    def _access(self, own: _Private, line: int, kind: Kind) -> None:
        lines = own.of(line)
        state = lines.pop(line, ABSENT)
        bus, after, alone = self.protocol.done[state, kind is Kind.WRITE]
        own.accesses += 1
        if bus:
            own.owned += state != ABSENT
            after = after if self._tell(own, line, bus) else alone
        if state == ABSENT:
            own.misses += 1
            own.again += line in own.lost
            own.lost.discard(line)
            if len(lines) == own.cache.ways:
                oldest = next(iter(lines))
                if lines.pop(oldest) == MODIFIED:
                    self._write_back(own, oldest)
            self._below(line, Kind.FETCH if kind is Kind.FETCH else Kind.READ)
        lines[line] = after

    def _tell(self, own: _Private, line: int, bus: str) -> bool:
        """Let all other caches see what one of them asks for; return whether any has the line."""
        found = False
        for other in self._every:
            lines = other.of(line)
            state = lines.get(line) if other is not own else None
            if state is None:
                continue
            found = True
            after, writes = self.protocol.seen[state, bus]
            if writes:
                self._write_back(other, line)
            if after == ABSENT:
                del lines[line]
                other.taken += 1
                other.lost.add(line)
            else:
                lines[line] = after
        return found

    def _write_back(self, own: _Private, line: int) -> None:
        own.written += 1
        self._below(line, Kind.WRITE)

    def _below(self, line: int, kind: Kind) -> None:
        """Read or write a line of the shared level, or of memory."""
        (self.second or self.memory).access(line * self.line, kind, 0)


def _private(system: MemorySystem) -> Sequence[Cache]:
    return list(dict.fromkeys(cache for cache in (system.instruction, system.data) if cache is not None))


def check(system: MemorySystem) -> None:
    """Raise ConfigurationError for a memory system whose first level no protocol here keeps coherent."""
    private = _private(system)
    if not private or system.instruction_tlb or system.data_tlb or system.delays or system.switch:
        raise ConfigurationError("coherent caches: there are caches, and no TLBs, delays or switches")
    if len({cache.line for cache in private}) > 1 or (system.second and system.second.line % private[0].line):
        raise ConfigurationError("coherent caches: lines of the first level are equal, and those of the second multiples")
    for cache in private:
        if (cache.policy, cache.write, cache.allocate, cache.prefetch) != ("lru", "back", True, "none"):
            raise ConfigurationError(f"coherent caches: '{cache.name}' is LRU, writes back, allocates, prefetches nothing")
