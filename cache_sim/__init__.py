"""Cache simulators, usable without the rest: what a memory system does with a stream of references.

`config` says what there is (`parse` reads it from text), `reference` is the plain simulator that defines what it does,
`results` what comes out.  `trace` takes arrays and `din` text, `simulation` sends such a trace through a memory system,
compiled by `native` where that pays.  `policies` takes replacement policies of one's own.  Names are imported when they are
first used: who only adds up results waits for no reader of YAML.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cache_sim.config import Cache as Cache
    from cache_sim.config import ConfigurationError as ConfigurationError
    from cache_sim.config import MemorySystem as MemorySystem
    from cache_sim.config import Switch as Switch
    from cache_sim.parse import load as load
    from cache_sim.policies import Policy as Policy
    from cache_sim.policies import register as register
    from cache_sim.reference import Simulator as Simulator
    from cache_sim.reference import simulate as simulate
    from cache_sim.results import CacheResults as CacheResults
    from cache_sim.results import Causes as Causes
    from cache_sim.results import Kind as Kind
    from cache_sim.results import Kinds as Kinds
    from cache_sim.results import Results as Results
    from cache_sim.results import Traffic as Traffic
    from cache_sim.trace import Trace as Trace
    from cache_sim.trace import TraceError as TraceError
    from cache_sim.trace import read_din as read_din
    from cache_sim.trace import trace_of as trace_of
    from cache_sim.trace import write_din as write_din

_NAMES = {  # by the module that has them
    "config": ("Cache", "ConfigurationError", "MemorySystem", "Switch"),
    "parse": ("load",),
    "policies": ("Policy", "register"),
    "reference": ("Simulator", "simulate"),
    "results": ("CacheResults", "Causes", "Kind", "Kinds", "Results", "Traffic"),
    "trace": ("Trace", "TraceError", "read_din", "trace_of", "write_din"),
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names}
__all__ = [
    "Cache", "CacheResults", "Causes", "ConfigurationError", "Kind", "Kinds", "MemorySystem", "Policy", "Results",
    "Simulator", "Switch", "Trace", "TraceError", "Traffic", "load", "read_din", "register", "simulate", "trace_of",
    "write_din",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a name of the interface, imported now."""
    if name not in _PLACES:
        raise AttributeError(f"module 'cache_sim' has no attribute '{name}' (it has {', '.join(__all__)})")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    """Return the names of the interface."""
    return [*__all__]
