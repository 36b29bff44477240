"""The file of a record: sections as those of traces, behind other magic bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator

from cache_sim.traces.container import TraceDamaged, json_section, read_sections, section

__all__ = ["CALLS", "LARGEST_CALLS", "MAGIC", "Damaged", "json_section", "section", "sections_of"]

MAGIC = b"EASERUN\x02"
CALLS = "CALL"
LARGEST_CALLS = 1 << 24  # bytes of a section of system calls; there may be several
# Bytes of one of another kind: texts compress well, but not without bound, and few bytes of zeros are not to fill the memory.
_SMALL, _RATIO, _LARGEST = 1 << 24, 200, 1 << 29


def _bound(kind: str, stored: int) -> int:
    """Return how many bytes a section of a kind may have of which so many are in the file."""
    return LARGEST_CALLS if kind == CALLS else min(max(_SMALL, _RATIO * stored), _LARGEST)


class Damaged(ValueError):
    """A file that is no record, or not what was written."""


def sections_of(file: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield kind and content of the sections behind the magic bytes.

    Raises Damaged.
    """
    try:
        for found in read_sections(io.BytesIO(file), MAGIC, "record", _bound):
            if found.kind == "CUT ":
                raise Damaged("the record is cut short")
            yield found.kind, found.content
    except TraceDamaged as error:
        raise Damaged(f"the record is damaged: {error}" if "section" in str(error) else str(error)) from None
