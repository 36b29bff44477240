"""Which ratios samples tell: what they are made of, in columns of a gauge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from cache_sim.native.cache import KINDS, CacheCode
from cache_sim.native.predictors import mistakes_column
from cache_sim.native.system import SystemCode
from cache_sim.predictors.predictor import Predictor, Static
from ease.model.estimates import ALWAYS_MADE, EVERY, Ratio

FETCHES_APART = "split fetches"


def ratios(
    code: SystemCode | None, fetches_apart: bool, predictors: Mapping[str, Predictor], timing: bool
) -> list[Ratio]:
    """Return the ratios of a run with a memory system and predictors; `fetches_apart`: fetches are not simulated with data.

    Mistakes that are only known after the run have no ratio.
    """
    found = list(ALWAYS_MADE)
    if timing:
        found.append(Ratio("cycles an instruction", {"cycles": 1, **({} if code is None else memory_weights(code))}, EVERY))
    if code is not None:
        found += _misses(code, fetches_apart)
    for number, (name, predictor) in enumerate(predictors.items()):
        if not isinstance(predictor, Static) or predictor.known:
            found.append(Ratio(f"mispredicted by {name}, an instruction", {mistakes_column(str(number)): 1}, EVERY))
    return found


def _missed(cache: CacheCode, weight: int = 1) -> dict[str, int]:
    return {f"{cache.name} {kind}": weight for kind in cache.kinds}


def _misses(code: SystemCode, fetches_apart: bool) -> Iterator[Ratio]:
    """Yield the miss ratio of each cache of the first level, and how often the second one misses."""
    columns = {"fetch": "fetches", "read": "reads", "write": "writes"}
    for cache in code.firsts:
        below = {columns[kind]: 1 for kind in KINDS if cache in code.path(kind)}
        split = FETCHES_APART if fetches_apart and cache is code.instruction else f"{cache.name} splits"
        yield Ratio(f"misses of {cache.cache.name}", _missed(cache), {**below, split: 1})
    if code.second is not None:
        yield Ratio(f"misses of {code.second.cache.name} an instruction", _missed(code.second), EVERY)


def memory_weights(code: SystemCode) -> Mapping[str, int]:
    """Return the cycles that each miss and each line written back takes (`ease.timing.memory` has the same of a whole run)."""
    delays, weights = code.system.delays, defaultdict[str, int](int)
    if delays is None:
        return weights
    for cache in filter(None, dict.fromkeys((code.instruction_tlb, code.data_tlb))):
        weights |= _missed(cache, delays.tlb)
    for cache in filter(None, dict.fromkeys((code.instruction, code.data))):
        fill = delays.second if code.second is not None else delays.wait(cache.cache.line)
        for kind in cache.kinds:
            weights[f"{cache.name} {kind}"] = fill if kind != "write" or cache.cache.allocate else 0
    if code.second is not None:
        weights |= _missed(code.second, delays.wait(code.second.cache.line))
    last = code.second or code.data
    if last is not None and last.back:
        weights[f"{last.name} dirtied"] = delays.words(last.cache.line) * delays.write
    data = code.data
    if data is not None and code.second is None and data.cache.write == "back" and not data.cache.allocate:
        weights[f"{data.name} write"] += delays.write
    return weights


def write_cycles(code: SystemCode | None, size: int) -> int:
    """Return the cycles that each write of so many bytes takes, since the cache of data writes through."""
    delays = None if code is None else code.system.delays
    if code is None or delays is None or code.data is None or code.second is not None or code.data.cache.write != "through":
        return 0
    return delays.words(size) * delays.write
