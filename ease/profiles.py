"""What earlier runs tell about a program is kept beside compiled programs: it makes later runs faster, never different."""

from __future__ import annotations

from vpo import cache
from vpo.program import Program


def profile_key(program: Program, kind: str, *parts: str) -> str:
    """Return the key in `vpo.cache` of a kind of profile of a program; `parts` are what else it belongs to."""
    texts = [text for name, function in program.functions.items() for text in (name, *map(str, function.rtls()))]
    return cache.key(kind, *parts, *texts)
