"""What a kept run costs on a machine with other latencies or sizes, without running it again.

The program is compiled for the changed machine.  If the code is the same, all counts are, too, and what is computed from them
equals a rerun.  If the compiler makes other code, only a rerun can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.sweeps import Swept, format_sweep
from ease.model.characterise import characterise
from ease.model.kept_run import KeptRun, texts_of
from ease.model.results import Measurement
from ease.model.static_kinds import Kind, StaticProgram
from ease.model.static_program import describe
from ease.store.database import StoreError
from ease.timing.estimate import estimate
from vpo.program import Program


def recosted(kept: KeptRun, program: Program, sets: Sequence[str]) -> Measurement:
    """Return the measurement of a run on the machine that a program is compiled for, from the counts of the run.

    What caches did is left out if sizes differ, since addresses do then.  Raises StoreError if the code is not the same.
    """
    run = kept.measurement
    counts, identity, before = run.counts, run.identity, run.program
    assert counts is not None
    assert identity is not None
    assert before is not None
    known = describe(program)
    texts = texts_of(known, program)
    if not _is_same_code(before, known) or _instructions(before, kept.texts) != _instructions(known, texts):
        raise StoreError(
            "the compiler makes other code for the changed machine, or the source has changed: measure again, with "
            + identity.command + "".join(f" --set {setting}" for setting in sets)
        )
    sizes_differ = [kind.size for kind in before.kinds] != [kind.size for kind in known.kinds]
    timed = run.timing is not None or program.machine.timing.stated
    delayed = run.memory is not None and run.memory.results.system.delays is not None
    return Measurement(
        known.machine, characterise(known, counts), run.exit_status, run.partial, run.fault,
        None if sizes_differ or delayed else run.memory,
        prediction=None if sizes_differ else run.prediction, timing=estimate(program, counts) if timed else None,
        exact=run.exact, program=known, counts=counts,
        identity=replace(identity, changes=(*identity.changes, *sets), words=(*identity.words, *with_sets(sets))),
    )  # fmt: skip


def with_sets(sets: Sequence[str]) -> list[str]:
    """Return settings as words of a command line."""
    return [word for setting in sets for word in ("--set", setting)]


def _is_same_code(before: StaticProgram, after: StaticProgram) -> bool:
    """Return whether two programs are the same but for sizes and latencies."""
    if list(before.functions) != list(after.functions):
        return False
    kinds = [_bare(kind) for kind in before.kinds], [_bare(kind) for kind in after.kinds]
    for one, other in zip(before.functions.values(), after.functions.values(), strict=True):
        if any(getattr(one, name) != getattr(other, name) for name in ("lines", "blocks", "branches", "ends")):
            return False
        if [kinds[0][number] for number in one.kinds] != [kinds[1][number] for number in other.kinds]:
            return False
    return True


def _instructions(program: StaticProgram, texts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the RTLs of a program, function by function."""
    return [texts[number][0] for function in program.functions.values() for number in function.kinds]


def _bare(kind: Kind) -> Kind:
    return replace(kind, size=0, latency=0)


# ----------------------------------------------------------------------------------------------------------------------
# Caches of which a kept run knows the stack distances: their misses, equal to those of a run with them.
#
# An LRU cache misses where the stack distance within a set is not less than its ways (Mattson and others, 1970), so one run
# with `-cache sweep` tells of all caches of the grid.


@dataclass(frozen=True, slots=True)
class CacheMisses:
    """A cache with its accesses, of lines, and misses."""

    cache: Cache
    accesses: int
    misses: int


def recosted_caches(kept: KeptRun, system: MemorySystem) -> list[CacheMisses]:
    """Return what the caches of a memory system would have missed in a run.

    Raises StoreError if the run has no distances, or not those that the system takes.
    """
    swept = kept.measurement.sweep
    if swept is None:
        raise StoreError(f"run {kept.number} has no stack distances: measure with -cache sweep -save, then ask for caches")
    _check(system, swept)
    return [_found(side, cache, swept) for side, cache in _sides(system)]


def _sides(system: MemorySystem) -> list[tuple[str, Cache]]:
    if system.unified and system.data is not None:
        return [("U", system.data)]
    return [(side, cache) for side, cache in (("I", system.instruction), ("D", system.data)) if cache is not None]


def _check(system: MemorySystem, swept: Swept) -> None:
    """Find out whether stack distances tell of a memory system at all."""
    if system.second or system.instruction_tlb or system.data_tlb or system.delays:
        raise StoreError("stack distances tell of caches of the first level only")
    for _, cache in _sides(system):
        if (cache.policy, cache.allocate, cache.prefetch) != ("lru", True, "none"):
            raise StoreError(f"stack distances tell of LRU caches that allocate and do not prefetch, not of {cache.name}")
    switch = Switch(swept.grid.every, "instructions") if swept.grid.every else None
    if (system.switch and (system.switch.every, system.switch.unit)) != (switch and (switch.every, switch.unit)):
        raise StoreError(f"the run had other context switches: {format_sweep(swept.grid)}")


def _found(side: str, cache: Cache, swept: Swept) -> CacheMisses:
    named = Cache(side, cache.size, cache.line, cache.ways)
    try:
        return CacheMisses(cache, swept.accesses(side, cache.line), swept.misses(named))
    except KeyError:
        raise StoreError(f"{cache.name} is none of the caches of the sweep: {format_sweep(swept.grid)}") from None
