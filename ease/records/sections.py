"""The file of a record: sections as those of traces, behind other magic bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator

from cache_sim.traces.container import TraceDamaged, json_section, read_sections, section

__all__ = ["MAGIC", "Damaged", "json_section", "section", "sections_of"]

MAGIC = b"EASERUN\x02"


class Damaged(ValueError):
    """A file that is no record, or not what was written."""


def sections_of(file: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield kind and content of the sections behind the magic bytes.

    Raises Damaged.
    """
    try:
        for found in read_sections(io.BytesIO(file), MAGIC, "record"):
            if found.kind == "CUT ":
                raise Damaged("the record is cut short")
            yield found.kind, found.content
    except TraceDamaged as error:
        raise Damaged(f"the record is damaged: {error}" if "section" in str(error) else str(error)) from None
