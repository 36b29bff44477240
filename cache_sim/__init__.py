"""Cache simulators, usable without the rest: what a memory system does with a stream of references.

`config` says what there is (`parse` reads it from text), `reference` is the plain simulator that defines what it does,
`results` what comes out; `policies` takes replacement policies of one's own.
"""

from cache_sim.config import Cache, ConfigurationError, MemorySystem, Switch
from cache_sim.parse import load
from cache_sim.policies import Policy, register
from cache_sim.reference import Simulator
from cache_sim.results import CacheResults, Causes, Kind, Kinds, Results, Traffic

__all__ = [
    "Cache", "CacheResults", "Causes", "ConfigurationError", "Kind", "Kinds", "MemorySystem", "Policy", "Results",
    "Simulator", "Switch", "Traffic", "load", "register",
]  # fmt: skip
