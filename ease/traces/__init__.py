"""Traces: what a run refers to and where it goes, kept in little, regenerated in full.

`open` gives the trace in a file, as chunks of NumPy arrays.
"""

from cache_sim.traces.trace_file import TraceFile as open

__all__ = ["open"]
