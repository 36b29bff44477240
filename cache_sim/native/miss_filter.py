"""The references that miss in a memory system: a filtered trace.

After a direct-mapped cache that is never emptied, the misses of each larger LRU cache with the same line are exact: what hits
there is the line last used in its set, and so it is in each cache whose sets are those, or parts of them (Puzak, *Analysis of
Cache Replacement-Algorithms*, 1985).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from cache_sim.config import MemorySystem
from cache_sim.native.code import Code
from cache_sim.native.simulate import Simulator
from cache_sim.streamed import can_be_compiled
from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import chosen, references
from cache_sim.traces.regeneration import Events


class MissFilter(Simulator):
    """A memory system that says of each reference whether it misses in the first level."""

    def note(self, code: Code, number: str, misses: str) -> None:
        """Put it where the reference's site was, which has been read."""
        code.store("i64", code.at("%sites", number, "i64"), misses)

    def missing(self, events: Events) -> Events:
        """Return those references that miss, the next ones after those before."""
        kinds = np.ascontiguousarray(events.kinds)
        addresses, sizes = np.ascontiguousarray(events.addresses), np.maximum(events.sizes, np.uint64(1))
        missed = np.zeros(len(events), np.uint64)
        self._run(len(events), *(column.ctypes.data for column in (kinds, addresses, sizes, missed)))
        return chosen(events, missed > 0)


def filtered(chunks: Iterable[Events], system: MemorySystem) -> Iterator[Events]:
    """Yield the references that miss in the first level of a memory system.

    Raises TraceError for references, or a replacement policy, that compiled simulators do not take.
    """
    simulator = MissFilter(system)
    for events in filter(len, map(references, chunks)):
        if not can_be_compiled(system, events):
            raise TraceError("a filter cannot have causes of misses, a policy of one's own, or addresses of more than 61 bits")
        yield simulator.missing(events)
