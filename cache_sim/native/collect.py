"""Turn the state that compiled simulators leave behind into results."""

from __future__ import annotations

from dataclasses import replace

from cache_sim.config import Cache
from cache_sim.native.cache import CAUSES, KINDS, CacheCode
from cache_sim.native.code import Field, Read
from cache_sim.native.system import SystemCode
from cache_sim.results import CacheResults, Causes, Kinds, Results, Traffic


def collect(code: SystemCode, references: Kinds, read: Read, split_fetches: int | None = None) -> Results:
    """Return the results of a run; `references` are all references made, those of uncached sides included.

    `split_fetches` is the number of lines that instructions touched, without the first line of each, unless the simulator
    has counted them.
    """
    found: dict[Cache, CacheResults] = {}
    firsts = [cache for cache in (code.instruction, code.data) if cache is not None]
    below: list[Kinds] = []
    for cache in code.firsts:
        splits = _kinds(code.splits[cache.name], read)
        if cache is code.instruction and split_fetches is not None:
            splits = replace(splits, fetch=split_fetches)
        accesses = _made(code, cache, references) + splits
        found[cache.cache], passed = _results(cache.cache, cache, accesses, read)
        if cache in firsts:
            below.append(passed)
    beneath = sum(below, Kinds())
    if code.second is not None:
        found[code.second.cache], beneath = _results(code.second.cache, code.second, beneath, read)
    system = code.system
    for unused in system.caches:
        found.setdefault(unused, CacheResults(unused, causes=Causes() if code.has_causes(unused) else None))
    memory = Traffic(beneath.fetch + beneath.read, beneath.write)
    sides = sum((_made(code, cache, references) for cache in _one_a_side(code)), Kinds())
    (switches,) = read(code.switches)
    return Results(system, references.fetch, sides, tuple(found[cache] for cache in system.caches), memory, switches)


def _one_a_side(code: SystemCode) -> list[CacheCode]:
    """Return, for each kind of reference, the first cache or TLB that it goes through."""
    return list(dict.fromkeys(path[-1] for kind in KINDS if (path := code.path(kind))))


def _made(code: SystemCode, cache: CacheCode, references: Kinds) -> Kinds:
    """Return the references that go through a cache."""
    through = [kind for kind in KINDS if cache in code.path(kind)]
    return Kinds(**{kind: getattr(references, kind) for kind in through})


def _kinds(field: Field, read: Read) -> Kinds:
    return Kinds(**dict(zip(KINDS, read(field), strict=True)))


def _results(cache: Cache, code: CacheCode, accesses: Kinds, read: Read) -> tuple[CacheResults, Kinds]:
    """Return what happened in a cache, and what it asks of the next level."""
    sites: dict[int, int] = {}
    misses: dict[str, int] = {}
    for kind, field in code.misses.items():
        counts = read(field)
        misses[kind] = sum(counts)
        for site, count in enumerate(counts):
            if count:
                sites[site] = sites.get(site, 0) + count
    causes = None
    if code.causes is not None:
        causes = Causes(**{name: sum(read(field)) for name, field in zip(CAUSES, code.causes.counts, strict=True)})
    missed = Kinds(**misses)
    passed = accesses.write if code.passes_writes else 0 if cache.allocate else missed.write
    written, emptied = code.written_back(read)
    prefetches = sum(read(field)[0] for field in code.prefetches.values())
    in_order, gone = dict(sorted(sites.items())), written + emptied
    result = CacheResults(cache, accesses, missed, in_order, causes, gone, prefetches, passed)
    return result, _passed_down(result, code, written, read)


def _passed_down(result: CacheResults, code: CacheCode, written: int, read: Read) -> Kinds:
    """Return what a cache asks of the next level: lines read, dirty lines that it has `written` back, and writes passed on."""
    extra = {kind: read(field)[0] for kind, field in code.prefetches.items()}
    wanted = result.misses.read + (result.misses.write if result.cache.allocate else 0)
    return Kinds(result.misses.fetch + extra.get("fetch", 0), wanted + extra.get("read", 0), written + result.passed)
