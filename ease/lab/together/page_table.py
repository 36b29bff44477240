"""Physical pages: which frame a page of a process gets when it is first touched, and the translation of addresses."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from cache_sim.config import MemorySystem
from vpo.base.errors import UserError

MEMORY = 1 << 32  # bytes of physical memory
POLICIES = ("sequential", "coloured", "random:SEED")
Words = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """How frames are given out: 'sequential', 'coloured' or 'random'; only the last one has a use for the seed."""

    name: str = "sequential"
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.name}:{self.seed}" if self.name == "random" else self.name


def parse_policy(text: str) -> Policy | None:
    """Return the policy that a user names, None if there is no such policy."""
    name, colon, seed = text.partition(":")
    if name == "random" and seed.isdecimal():
        return Policy(name, int(seed))
    return Policy(name) if name in POLICIES and not colon else None


class Frames:
    """The frames of physical memory, all free at first; processes share them.

    sequential: the next frame.  coloured: the next one that lies in the same sets of the caches as the page does, by its
    number modulo the largest number of pages in one way of a cache.  random: any free frame, all equally likely.
    """

    def __init__(self, policy: Policy, page: int, system: MemorySystem) -> None:
        self.policy, self.page = policy, page
        self.count = MEMORY // page - 1  # lines that are prefetched behind the last frame have addresses below MEMORY, too
        caches = [cache for cache in (system.instruction, system.data, system.second) if cache is not None]
        self.colours = max([cache.size // cache.ways // page for cache in caches], default=1) or 1
        self._random = random.Random(policy.seed)
        self._of_colour: Counter[int] = Counter()
        self._taken: set[int] = set()

    def take(self, page_number: int) -> int:
        """Return the frame for a page of a process, which nobody else has.

        Raises UserError if none is left.
        """
        if len(self._taken) == self.count:
            raise self._full()
        frame = self._chosen(page_number)
        if frame >= self.count:
            raise self._full()
        self._taken.add(frame)
        return frame

    def _chosen(self, page_number: int) -> int:
        if self.policy.name == "coloured":
            colour = page_number % self.colours
            self._of_colour[colour] += 1
            return colour + self.colours * (self._of_colour[colour] - 1)
        if self.policy.name == "sequential":
            return len(self._taken)
        while (frame := self._random.randrange(self.count)) in self._taken:
            pass
        return frame

    def _full(self) -> UserError:
        return UserError([f"the programs touch more pages of {self.page} bytes than {MEMORY >> 30} GiB of memory have frames"])


class PageTable:
    """The pages of processes that have frames; above the address of a page stands the number of its process."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self._pages = np.empty(0, np.uint64)  # in ascending order
        self._frames = np.empty(0, np.uint64)

    def translated(self, addresses: Words) -> Words:
        """Return the physical addresses of virtual ones (uint64), in whose order pages are touched.

        Raises UserError if memory is full.
        """
        size = np.uint64(self.frames.page)
        pages, offsets = addresses // size, addresses % size
        places = np.searchsorted(self._pages, pages)
        if not len(self._pages) or np.any(self._pages.take(places, mode="clip") != pages):
            self._touch(pages)
            places = np.searchsorted(self._pages, pages)
        found: Words = self._frames[places] * size + offsets
        return found

    def _touch(self, pages: Words) -> None:
        """Give frames to the pages that have none, in the order in which they come first."""
        different, first = np.unique(pages, return_index=True)
        new = np.isin(different, self._pages, invert=True)
        touched = different[new][np.argsort(first[new])]
        frames = [self.frames.take(int(page)) for page in touched]
        every = np.concatenate([self._pages, touched])
        order = np.argsort(every)
        self._pages = every[order]
        self._frames = np.concatenate([self._frames, np.array(frames, np.uint64)])[order]


def split_at_pages(addresses: Words, sizes: Words, page: int) -> tuple[Words, Words, Words]:
    """Return numbers, addresses and sizes of references none of which crosses the end of a page.

    A reference that does becomes one for each page; its number, its place in the arrays given, comes as often.
    """
    size = np.uint64(page)
    count = ((addresses + sizes - np.uint64(1)) // size - addresses // size + np.uint64(1)).astype(np.int64)
    numbers = np.repeat(np.arange(len(addresses)), count)
    if len(numbers) == len(addresses):
        return numbers, addresses, sizes
    part = (np.arange(len(numbers)) - np.repeat(np.cumsum(count) - count, count)).astype(np.uint64)
    whole = addresses[numbers]
    starts = np.where(part > 0, (whole // size + part) * size, whole)
    ends = np.minimum(whole + sizes[numbers], (starts // size + np.uint64(1)) * size)
    return numbers, starts, ends - starts
