"""Streams of references: from arrays, and from and to the `din` text of the Dinero simulators."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TextIO

from cache_sim.results import Kind

_BYTE: Final = "B"
_WORD: Final = "Q"
Numbers = Any  # a sequence of integers, or something that holds them in memory, such as a NumPy array
FLUSH: Final = 7  # no reference: all caches are emptied; the kinds of `traces.regeneration` end before
_LABELS = {"0": Kind.READ, "1": Kind.WRITE, "2": Kind.FETCH, "3": Kind.READ, "4": FLUSH}  # 3: of no known kind, to data
_DIN = re.compile(r"([0-4])\s+(?:0[xX])?([0-9a-fA-F]{1,16})(?:\s+\+([1-9][0-9]{0,8})\b|\s|$)")


class TraceError(ValueError):
    """A trace that cannot be used; str() is `file:line: error: message` for text."""


@dataclass(frozen=True, slots=True)
class Trace:
    """References in order: bytes (`Kind`) and 64-bit words, without signs; `sites` may be empty, for all 0.

    Make one with `trace_of`.  Where memory of the right form is given (a NumPy array, say), it is used as it is.
    """

    kinds: memoryview
    addresses: memoryview
    sizes: memoryview
    sites: memoryview

    def __len__(self) -> int:
        return len(self.kinds)

    def __iter__(self) -> Iterator[tuple[Kind, int, int, int]]:
        """Yield kind, address, size and site of each reference."""
        kinds = tuple(Kind)
        sites: Iterable[int] = self.sites if len(self.sites) else array(_WORD, [0]) * len(self)
        for kind, address, size, site in zip(self.kinds, self.addresses, self.sizes, sites, strict=True):
            yield kinds[kind], address, size, site


def trace_of(kinds: Numbers, addresses: Numbers, sizes: Numbers = 1, sites: Numbers = ()) -> Trace:
    """Return the trace of sequences of integers, or NumPy arrays, of one length; `sizes` may be one number for all.

    Kinds of type uint8 and words of type uint64 are not copied.  Raises TraceError for references that cannot be.
    """
    count = len(kinds)
    if not hasattr(sizes, "__len__"):
        sizes = array(_WORD, _view(_WORD, [sizes])) * count
    trace = Trace(_view(_BYTE, kinds), _view(_WORD, addresses), _view(_WORD, sizes), _view(_WORD, sites))
    lengths = [count, len(trace.addresses), len(trace.sizes), len(trace.sites) or count]
    if len(set(lengths)) > 1:
        raise TraceError(f"kinds, addresses, sizes and sites are {', '.join(map(str, lengths))} in number")
    if trace.kinds.tobytes().translate(None, bytes(Kind)):
        raise TraceError(f"a kind of reference is {', '.join(f'{kind.value} ({kind.name.lower()})' for kind in Kind)}")
    if count and min(trace.sizes) < 1:
        raise TraceError("a reference to 0 bytes")
    return trace


def _view(code: Literal["B", "Q"], values: Numbers) -> memoryview:
    """Return values as memory of unsigned integers, without copying what is so already."""
    size = array(code).itemsize
    try:
        view = memoryview(values)
    except TypeError:
        return _copied(code, values)
    fits = view.format in ("B", "L", "Q") and view.itemsize == size and view.c_contiguous and len(view) > 0
    return view.cast("B").cast(code) if fits else _copied(code, values)


def _copied(code: str, values: Iterable[int]) -> memoryview:
    try:
        return memoryview(array(code, list(values)))
    except (OverflowError, TypeError) as error:
        raise TraceError(f"a number in a trace that is none, or none of {array(code).itemsize * 8} bits: {error}") from None


def read_din(lines: Iterable[str], file: str, size: int = 1, first: int = 1) -> Trace:
    """Return the trace of `din` text: lines of a kind (0 read, 1 write, 2 fetch, 3 another reference to data: a read), a
    hexadecimal address and anything.  Label 4, which empties caches, is none.

    That text says nothing of sizes: each is `size` bytes, unless `+` and a decimal number behind the address say otherwise.
    `first` is the number of the first line.
    Raises TraceError.
    """
    return trace_of(*din_columns(lines, file, size, first, flushes=False))


def din_columns(
    lines: Iterable[str], file: str, size: int, first: int, flushes: bool
) -> tuple[array[int], array[int], array[int]]:
    """Return kinds, addresses and sizes of `din` text; `flushes`: with those of kind FLUSH, which is no reference.

    Raises TraceError.
    """
    kinds, addresses, sizes = array(_BYTE), array(_WORD), array(_WORD)
    for number, line in enumerate(lines, first):
        match = _DIN.match(line.lstrip())
        if match and (flushes or match[1] != "4"):
            kinds.append(_LABELS[match[1]])
            addresses.append(int(match[2], 16))
            sizes.append(int(match[3] or size))
        elif not line.isspace():
            raise TraceError(f"{file}:{number}: error: {_complaint(line.rstrip())}")
    return kinds, addresses, sizes


def _complaint(line: str) -> str:
    """Return what is wrong with a line."""
    if _DIN.match(line.lstrip()):
        return "'4' empties the caches, which is no reference: leave the line out, or empty them with +switch:N"
    labels = "0 (read), 1 (write), 2 (fetch), 3 (other data) or 4 (empty the caches)"
    return f"'{line[:40]}': expected {labels}, and a hexadecimal address of at most 64 bits"


def write_din(trace: Trace, out: TextIO) -> None:
    """Write a trace as `din` text, with sizes other than 1 behind the addresses (where Dinero ignores them)."""
    for kind, address, size, _ in trace:
        out.write(f"{kind:d} {address:x}\n" if size == 1 else f"{kind:d} {address:x} +{size}\n")
