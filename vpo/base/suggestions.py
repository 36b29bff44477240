"""What somebody may have meant who wrote a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """Return the known word that is most like a misspelt one, if any is like it; `alike` is 1 for words that are equal."""
    matches = get_close_matches(word, sorted(known), 1, alike)
    return matches[0] if matches else None



# ----------------------------------------------------------------------------------------------------------------------
# Names that a writer may have meant.


MAX_NAMES = 5000  # among which a name is looked for
LIKENESS = 0.8  # of two letters exchanged in a name of five


def suggested(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` with the known name that is most like a wrong one, or nothing."""
    lengths = range(len(name) - 2, len(name) + 3)
    candidates = [other for other in known if len(other) in lengths and other != name][:MAX_NAMES]
    close = get_close_matches(name, candidates, 1, LIKENESS)
    return f"; did you mean '{close[0]}'?" if close else ""
