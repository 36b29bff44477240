"""Events in chunks for functions that are ordinary Python: any library, and no hurry."""

from __future__ import annotations

import inspect
from array import array
from collections.abc import Callable, Sequence
from typing import Any

ROWS = 1 << 14  # events in a chunk


class Chunks:
    """A function that is called with an array for each parameter: the arguments of so many events, in their order."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function, self.columns = function, tuple(inspect.signature(function).parameters)
        self.waiting = array("q")

    def add(self, values: Sequence[int]) -> None:
        """Add an event."""
        self.waiting.extend(values)
        if len(self.waiting) == ROWS * len(self.columns):
            self.flush()

    def flush(self) -> None:
        """Pass on the events that wait."""
        events, self.waiting = self.waiting, array("q")
        if events:
            self.take(events.tobytes())

    def take(self, content: bytes) -> None:
        """Call the function with events as they lie in memory, one behind the other."""
        columns, width = _numbers(content), len(self.columns)
        self.function(*(columns[column::width] for column in range(width)))


def in_chunks(function: Callable[..., object]) -> Chunks:
    """Make a function that takes arrays of events: NumPy's, or those of Python if there is no NumPy."""
    return Chunks(function)


def _numbers(content: bytes) -> Any:
    """Return words of memory as an array."""
    try:
        import numpy
    except ImportError:
        return array("q", content)
    return numpy.frombuffer(content, numpy.int64)
