"""What somebody may have meant who wrote a name that there is not."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the known word that is most like a misspelt one, if any is like it; `alike` is 1 for words that are equal."""
    matches = difflib.get_close_matches(word, sorted(known), 1, alike)
    return matches[0] if matches else None
