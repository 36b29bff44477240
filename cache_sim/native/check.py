"""A check: references of a program that one test in host code stands for."""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.native.feedback import Strategy


@dataclass(frozen=True, slots=True)
class Check:
    """`count` references of a kind to one line, or one reference of `size` bytes; the sites of fetches are site, site + 1, ...

    `refetch` instructions in the line at `address` are fetched directly behind this reference to data; the first has the site
    `refetch_site`.  `guarded`: the reference may not be made, so its units do not belong to those of the segment.
    `coalesced` has the accesses that share the check, this one first, each with its offset from this one.  All bytes accessed
    begin at the offset `low` and are `span` long.
    """

    kind: str
    site: int
    count: int = 1
    size: int = 1
    address: int = 0
    refetch: int = 0
    refetch_site: int = 0
    guarded: bool = False
    strategy: Strategy = Strategy.BRANCHING
    coalesced: tuple[tuple[int, Check], ...] = ()
    low: int = 0
    span: int = 0
