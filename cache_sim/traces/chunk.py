"""Chunks of the two streams of a trace: decisions, and words, which are addresses."""

from __future__ import annotations

import struct

import numpy as np
import zstandard

from cache_sim.traces.container import TraceDamaged, section
from cache_sim.traces.regeneration import Words

_CHUNK = struct.Struct("<III")  # number, bytes of control, bytes of words


def chunk(number: int, control: bytes, words: bytes, compressor: zstandard.ZstdCompressor | None = None) -> bytes:
    """Return the section of a chunk of the streams: its number, one bit a decision, the words."""
    bits = np.packbits(np.frombuffer(control, np.uint8), bitorder="little").tobytes()
    return section("DATA", _CHUNK.pack(number, len(control), len(words)) + bits + words, compressor)


def read_chunk(content: bytes, bits: int) -> tuple[int, Words, Words]:
    """Return number, decisions (a byte each) and words of a chunk; `bits` is the size of addresses.

    Raises TraceDamaged.
    """
    if len(content) < _CHUNK.size:
        raise TraceDamaged("a chunk has another size than it says")
    number, decisions, size = _CHUNK.unpack_from(content)
    packed = -(-decisions // 8)
    if len(content) != _CHUNK.size + packed + size or size % (bits // 8):
        raise TraceDamaged("a chunk has another size than it says")
    control = np.unpackbits(np.frombuffer(content, np.uint8, packed, _CHUNK.size), count=decisions, bitorder="little")
    words = np.frombuffer(content, np.dtype(f"<u{bits // 8}"), size // (bits // 8), _CHUNK.size + packed)
    return number, control, words.astype(np.uint64)
