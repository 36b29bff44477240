"""Cache simulators, usable without the rest: what a memory system does with a stream of references.

`config` says what there is (`parse` reads it from text), `reference` is the plain simulator that defines what it does,
`results` what comes out.  `trace` takes arrays and `din` text, `simulation` sends such a trace through a memory system,
compiled by `native` where that pays.  `policies` takes replacement policies of one's own.
"""

from cache_sim.config import Cache, ConfigurationError, MemorySystem, Switch
from cache_sim.parse import load
from cache_sim.policies import Policy, register
from cache_sim.reference import Simulator, simulate
from cache_sim.results import CacheResults, Causes, Kind, Kinds, Results, Traffic
from cache_sim.trace import Trace, TraceError, read_din, trace_of, write_din

__all__ = [
    "Cache", "CacheResults", "Causes", "ConfigurationError", "Kind", "Kinds", "MemorySystem", "Policy", "Results",
    "Simulator", "Switch", "Trace", "TraceError", "Traffic", "load", "read_din", "register", "simulate", "trace_of",
    "write_din",
]  # fmt: skip
