"""Describe a memory system: sets and ways, the parts of an address, the bits that hardware would need."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

from cache_sim.config import TLBS, Cache, Delays, MemorySystem, Switch, role_of
from cache_sim.parse import format_short
from cache_sim.words import format_size
from cache_sim.yaml_form import format_yaml

ADDRESS_BITS = 32
_ROLES = {
    "I": "instruction cache", "D": "data cache", "U": "cache for instructions and data", "L2": "second-level cache",
    "ITLB": "TLB for instructions", "DTLB": "TLB for data", "TLB": "TLB for instructions and data",
}  # fmt: skip
_POLICIES = {"lru": "least recently used goes", "fifo": "the oldest goes", "random": "any goes", "plru": "tree of bits"}


@dataclass(frozen=True, slots=True)
class Bits:
    """Parts of an address, and what a cache stores, in bits.

    `data` are all lines (0 for a TLB, which holds what is no part of its description); `state` all valid and dirty bits;
    `order` what the policy has to remember.
    """

    offset: int
    index: int
    tag: int
    data: int
    tags: int
    state: int
    order: int

    @property
    def total(self) -> int:
        """Everything that is stored."""
        return self.data + self.tags + self.state + self.order


def bits_of(cache: Cache, role: str, address_bits: int = ADDRESS_BITS) -> Bits:
    """Return the bits of a cache that has a role in a system."""
    offset, index = cache.line.bit_length() - 1, cache.sets.bit_length() - 1
    tag = max(address_bits - offset - index, 0)
    entries = cache.size // cache.line
    dirty = role not in TLBS and role != "I" and cache.write == "back"
    data = 0 if role in TLBS else cache.size * 8
    return Bits(offset, index, tag, data, entries * tag, entries * (1 + dirty), cache.sets * _order_bits(cache))


def _order_bits(cache: Cache) -> int:
    """Return the fewest bits in which a set's policy can remember what it must.

    LRU: one of ways! orders; FIFO: which way is next; a tree: its inner nodes; others (random among them): none in a set.
    """
    match cache.policy:
        case "lru":
            return (factorial(cache.ways) - 1).bit_length()
        case "fifo":
            return cache.ways.bit_length() - 1
        case "plru":
            return cache.ways - 1
    return 0


def describe(system: MemorySystem, address_bits: int = ADDRESS_BITS) -> str:
    """Return lines of text; addresses have so many bits."""
    parts = ["\n".join(_cache(cache, role_of(cache, system), address_bits)) for cache in system.caches]
    if system.switch is not None:
        parts.append(_switch(system.switch))
    if system.causes:
        parts.append("misses are told apart by cause: compulsory, capacity, conflict, context switch")
    if system.delays is not None:
        parts.append(_delays(system.delays))
    try:
        short = format_short(system)
    except ValueError as error:
        short = f"none ({error})"
    return "\n\n".join([*parts, f"short form\n  {short}", "YAML\n" + _indented(format_yaml(system))])


def _cache(cache: Cache, role: str, address_bits: int) -> list[str]:
    bits = bits_of(cache, role, address_bits)
    entries = cache.size // cache.line
    tlb = role in TLBS
    ways = "direct-mapped" if cache.ways == 1 else "fully associative" if cache.sets == 1 else f"{cache.ways} ways"
    if tlb:
        size, store = f"{entries} entries, pages of {format_size(cache.line)} bytes", "entries"
    else:
        size, store = f"{format_size(cache.size)} bytes, lines of {cache.line} bytes", "lines"
    lines = [
        f"{cache.name}: {_ROLES[role]}, {size}, {ways}",
        f"  {cache.sets:,} sets x {cache.ways:,} ways = {entries:,} {store}",
        f"  address    {bits.tag} tag + {bits.index} index + {bits.offset} offset = {address_bits} bits",
        f"  storage    {_storage(bits)}",
        f"  policy     {cache.policy}{_explained(cache)}",
    ]
    if not tlb and role != "I":
        back = "written back when the line goes" if cache.write == "back" else "written through to the next level at once"
        brings = "brings in its line" if cache.allocate else "brings nothing in"
        lines.append(f"  writes     {back}; one that misses {brings}")
    if cache.prefetch == "next":
        lines.append("  prefetch   a miss also brings in the next line")
    return lines


def _explained(cache: Cache) -> str:
    return f" ({_POLICIES[cache.policy]})" if cache.ways > 1 and cache.policy in _POLICIES else ""


def _storage(bits: Bits) -> str:
    named = {"data": bits.data, "tags": bits.tags, "valid and dirty": bits.state, "order": bits.order}
    parts = " + ".join(f"{count:,} {name}" for name, count in named.items() if count)
    more = f", {100 * (bits.total / bits.data - 1):.1f} per cent more than the data" if bits.data else ""
    return f"{parts} = {bits.total:,} bits{more}"


def _switch(switch: Switch) -> str:
    unit = "instructions" if switch.unit == "instructions" else f"units of work (a hit is {switch.hit}, a miss {switch.miss})"
    return f"context switch every {switch.every:,} {unit}: everything is emptied"


def _delays(delays: Delays) -> str:
    goes_on = "its first word" if delays.resume == "word" else "all of it"
    return "\n".join([
        "delays, in cycles",
        f"  a line     {delays.first} for {delays.width} bytes, {delays.next} for each {delays.width} more; "
        f"the processor goes on with {goes_on}",
        f"  a write    {delays.write} for {delays.width} bytes; {delays.buffers} may wait in buffers",
        f"  others     second level {delays.second}, TLB {delays.tlb}",
    ])  # fmt: skip


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())
