"""Describe a memory system, and its results as a text and as plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import factorial
from typing import Any

from cache_sim.config import TLBS, Cache, Delays, MemorySystem, Switch, role_of
from cache_sim.parse import format_short
from cache_sim.results import CacheResults, Results
from cache_sim.sweeps import Swept, format_sweep
from cache_sim.words import FULL, format_size

# ----------------------------------------------------------------------------------------------------------------------
# Describe a memory system: sets and ways, the parts of an address, the bits that hardware would need.


ADDRESS_BITS = 32
_ROLES = {
    "I": "instruction cache", "D": "data cache", "U": "cache for instructions and data", "L2": "second-level cache",
    "ITLB": "TLB for instructions", "DTLB": "TLB for data", "TLB": "TLB for instructions and data",
}  # fmt: skip
_POLICIES = {
    "lru": "least recently used goes", "fifo": "the oldest goes", "random": "any goes", "plru": "tree of bits",
    "rrip": "what is predicted to be used farthest away goes",
}  # fmt: skip


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

    LRU: one of ways! orders; FIFO: which way is next; a tree: its inner nodes; RRIP: two for each way; others (random among
    them): none in a set.
    """
    match cache.policy:
        case "lru":
            return (factorial(cache.ways) - 1).bit_length()
        case "fifo":
            return cache.ways.bit_length() - 1
        case "plru":
            return cache.ways - 1
        case "rrip":
            return 2 * cache.ways
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
    for start, size in system.uncached:
        parts.append(f"uncached: {format_size(size)} bytes from address {start:#x}")
    from cache_sim.yaml_form import format_yaml  # here and below: others do not wait for the library of YAML

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


# ----------------------------------------------------------------------------------------------------------------------
# Results as a text and as plain data for JSON.  No arithmetic here beside what results can say of themselves.


FORMAT = 1  # a key of the JSON form never changes its meaning without another
_HEAD = [
    "cache", "accesses", "misses", "hit ratio", "fetch", "read", "write", "written back", "prefetched", "passed on",
]  # fmt: skip


def text(results: Results) -> str:
    """Return results as lines of text."""
    lines = _table(_HEAD, map(_row, results.caches))
    if results.system.causes:
        caused = [(found.cache.name, found.causes) for found in results.caches if found.causes]
        rows = [[name, *map(str, asdict(causes).values())] for name, causes in caused]
        lines += ["", *_table(["cause of misses", "compulsory", "capacity", "conflict", "switch"], rows)]
    made, memory = results.references, results.memory
    lines += [
        "",
        f"references        {made.total} ({made.fetch} fetches, {made.read} reads, {made.write} writes)",
        f"work              {results.work}",
        f"context switches  {results.switches}",
        f"memory            {memory.reads} reads, {memory.writes} writes",
    ]
    return "".join(line + "\n" for line in lines)


def _row(found: CacheResults) -> list[str]:
    misses = found.misses
    numbers = (misses.fetch, misses.read, misses.write, found.writebacks, found.prefetches, found.passed)
    return [found.cache.name, str(found.accesses.total), str(misses.total), f"{found.hit_ratio:.4%}", *map(str, numbers)]


def _table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return lines of columns, the first of them flush left."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]


def swept_text(swept: Swept, counted: str = "misses") -> str:
    """Return the results of a sweep as lines of text; `counted` is what the histograms count."""
    rows = [
        [row["side"], str(row["line"]), format_size(row["size"]), str(row["ways"]), str(row["accesses"]), str(row[counted]),
         f"{row[counted] / row['accesses'] if row['accesses'] else 0:.4%}"]
        for row in _swept_rows(swept, counted)
    ]  # fmt: skip
    made = swept.references
    heads = ["cache", "line", "size", "ways", "accesses", counted, "miss ratio" if counted == "misses" else "ratio"]
    lines = [
        *_table(heads, rows), "",
        f"references        {made.total} ({made.fetch} fetches, {made.read} reads, {made.write} writes)",
        f"context switches  {swept.switches}",
    ]  # fmt: skip
    return "".join(line + "\n" for line in lines)


def swept_plain(swept: Swept, counted: str = "misses") -> dict[str, Any]:
    """Return the results of a sweep as dictionaries and numbers."""
    return {
        "format": FORMAT, "sweep": format_sweep(swept.grid), "references": asdict(swept.references),
        "switches": swept.switches, "caches": _swept_rows(swept, counted),
    }  # fmt: skip


def _swept_rows(swept: Swept, counted: str) -> list[dict[str, Any]]:
    """Return what is told of each cache, fully associative ones last, whose misses may be estimates."""
    rows = [_swept_row(swept, counted, c.name, c.line, c.size, c.ways, misses) for c, misses in swept.caches()]
    for side in swept.grid.sides:
        for line in sorted(swept.grid.lines):
            for size in swept.grid.full_sizes(line):
                misses = round(swept.full_misses(side, size, line).misses)
                rows.append(_swept_row(swept, counted, side, line, size, FULL, misses))
    return rows


def _swept_row(
    swept: Swept, counted: str, side: str, line: int, size: int, ways: int | str, count: int
) -> dict[str, Any]:  # fmt: skip
    accesses = swept.accesses(side, line)
    return {"side": side, "line": line, "size": size, "ways": ways, "accesses": accesses, counted: count}


def plain(results: Results) -> dict[str, Any]:
    """Return results as dictionaries and numbers."""
    from cache_sim.yaml_form import format_yaml

    return {
        "format": FORMAT,
        "system": format_yaml(results.system),
        "instructions": results.instructions,
        "references": asdict(results.references),
        "work": results.work,
        "switches": results.switches,
        "memory": asdict(results.memory),
        "caches": {found.cache.name: _plain_cache(found) for found in results.caches},
    }


def _plain_cache(found: CacheResults) -> dict[str, Any]:
    numbers = asdict(found)
    del numbers["cache"]
    return numbers | {"sites": {str(site): count for site, count in found.sites.items()}, "hit_ratio": found.hit_ratio}
