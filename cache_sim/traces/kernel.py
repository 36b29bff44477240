"""An operating system's shadow: synthetic references of a kernel at system calls, switches and interrupts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import chosen, events_of
from cache_sim.traces.regeneration import FETCHED, READ, SYSTEM, WRITE, Events

BASE = 1 << 31  # the kernel's addresses begin here
INSTRUCTION, RUN = 4, 8  # bytes of an instruction; instructions that follow each other
UNIT, WORD = 16, 4  # bytes of data that are referred to together; of a reference
DATA_EACH, WRITE_EACH = 3, 3  # each third instruction refers to data, each third of these references writes
OF_PROCESS = 4096  # bytes from the data of one process in the kernel to those of the next
LARGEST = 1 << 30
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a kernel executes: instructions of a system call, of a switch, of an interrupt, and how often one comes.

    `every`: instructions of programs from one interrupt to the next, 0: there are none.  `code`, `data`: bytes.  `theta`: a
    jump is longer than `d` runs (code) or units (data) with probability d ** -theta (Thiébaut, Wolf and Stone, "Synthetic
    traces for trace-driven simulation of cache memories", 1992): the larger, the more is used again.
    """

    call: int = 1000
    switch: int = 500
    interrupt: int = 300
    every: int = 100_000
    code: int = 64 << 10
    data: int = 64 << 10
    theta: float = 1.5
    seed: int = 1

    def __str__(self) -> str:
        return ",".join(f"{part.name}={getattr(self, part.name)}" for part in fields(self))


def parse_kernel(text: str) -> Kernel:
    """Return what `default` or `call=2000,every=50k,...` says; raises TraceError."""
    found: dict[str, float] = {}
    known = {part.name: part.default for part in fields(Kernel)}
    for word in text.split(",") if text != DEFAULT else ():
        name, _, value = word.partition("=")
        number = _number(value, 1024 if name in ("code", "data") else 1000, name == "theta")
        if name not in known or name in found or number is None:
            raise TraceError(f"'{word}' says nothing of a kernel: NAME=NUMBER, once, of {', '.join(known)}")
        found[name] = number
    kernel = Kernel(**found)  # type: ignore[arg-type]  # which of them are integers, `_number` knows
    if min(kernel.code, kernel.data) < RUN * INSTRUCTION:
        raise TraceError(f"'{text}': a kernel has {RUN * INSTRUCTION} bytes of code and of data at least")
    if not 0.1 <= kernel.theta <= 10:
        raise TraceError(f"'{text}': theta is from 0.1 to 10")
    return kernel


def _number(text: str, thousand: int, fraction: bool) -> float | None:
    """Return a number, in which k stands for a thousand, or perhaps a fraction; None for another text."""
    if fraction:
        return float(text) if text.replace(".", "", 1).isdecimal() else None
    digits = text.removesuffix("k")
    number = int(digits) * (thousand if digits != text else 1) if digits.isdecimal() and len(digits) < 12 else -1
    return number if 0 <= number <= LARGEST else None


class Shadow:
    """The references of a kernel that serves processes: the same for the same calls of its methods in the same order.

    Each activity begins at an address of its own, and at the data of the process that it serves; from there it goes by jumps
    of hyperbolic lengths.  `space` is added to all addresses.
    """

    def __init__(self, kernel: Kernel, space: int = 0) -> None:
        self.kernel, self.base = kernel, BASE + space
        self.left = kernel.every
        self._random = random.Random(kernel.seed)

    def switch(self, process: int) -> Events:
        """Return what a switch to a process refers to."""
        return self._activity(0, self.kernel.switch, process)

    def between(self, parts: Iterable[Events], process: int) -> Iterator[tuple[bool, Events]]:
        """Yield what a process does, in order, False before it, and what the kernel does meanwhile, True before it.

        Among the events are system calls, behind each of which the kernel has its say.
        """
        for events in parts:
            start = 0
            for end, what, length in self._cuts(events):
                if end > start:
                    yield False, chosen(events, slice(start, end))
                if length:
                    yield True, self._activity(what, length, process)
                start = end
            if start < len(events):
                yield False, chosen(events, slice(start, None))

    def _cuts(self, events: Events) -> list[tuple[int, int, int]]:
        """Return where the kernel interrupts events: places, which activity, how many instructions."""
        cuts = [(place + 1, 1, self.kernel.call) for place in np.flatnonzero(events.kinds == SYSTEM).tolist()]
        if self.kernel.every:
            fetches = np.flatnonzero(events.kinds == FETCHED).tolist()
            while self.left < len(fetches):
                cuts.append((fetches[self.left], 2, self.kernel.interrupt))
                self.left += self.kernel.every
            self.left -= len(fetches)
        return sorted(cuts)

    def _activity(self, what: int, instructions: int, process: int) -> Events:
        """Return the references of an activity."""
        kernel = self.kernel
        runs, units = kernel.code // (RUN * INSTRUCTION), kernel.data // UNIT
        run, unit = what * runs // 3, process * (OF_PROCESS // UNIT)
        kinds: list[int] = []
        addresses: list[int] = []
        for number in range(instructions):
            if number and number % RUN == 0:
                run += self._jump() or 1
            kinds.append(FETCHED)
            addresses.append(self.base + run % runs * (RUN * INSTRUCTION) + number % RUN * INSTRUCTION)
            if number % DATA_EACH == DATA_EACH - 1:
                unit += self._jump()
                kinds.append(WRITE if number // DATA_EACH % WRITE_EACH == WRITE_EACH - 1 else READ)
                word = self._random.randrange(UNIT // WORD) * WORD
                addresses.append(self.base + kernel.code + unit % units * UNIT + word)
        return events_of(np.array(kinds, np.uint8), np.array(addresses, np.uint64), WORD)

    def _jump(self) -> int:
        """Return how far a jump goes: 0, or forwards or backwards."""
        length = min(int((1.0 - self._random.random()) ** (-1 / self.kernel.theta)), LARGEST) - 1
        return length if self._random.random() < 0.5 else -length


def shadowed(chunks: Iterable[Events], kernel: Kernel) -> Iterator[Events]:
    """Yield the events of one process and those of the kernel that serves it."""
    yield from (events for _, events in Shadow(kernel).between(chunks, 0))
