"""What somebody may have meant who wrote a name that there is not: one measure for C, descriptions and command lines.

A file of its own, since everything that reads names asks it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

MAX_NAMES = 5000  # among which a name is looked for
ALIKE = 1 / 3  # of the letters may be wrong, as in gcc


def nearest(word: str, known: Iterable[str], wrong: float = ALIKE) -> str:
    """Return the known word that is most like a misspelt one, '' if more than a share of it is `wrong`."""
    found, least = "", len(word) + 1
    for _, other in zip(range(MAX_NAMES), known, strict=False):
        most = min(int(max(len(word), len(other)) * wrong), least)
        if other != word and abs(len(word) - len(other)) <= most and (changes := _changes(word, other)) <= most:
            least, found = min((changes, other), (least, found or other))
    return found


def _changes(word: str, other: str) -> int:
    """Return how many letters are to be put in, left out, replaced or exchanged with the next (Damerau, 1964)."""
    before, row = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        older, before, row = before, row, [i]
        for j, theirs in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != theirs)))
            if i > 1 < j and (letter, theirs) == (other[j - 2], word[i - 2]):
                row[j] = min(row[j], older[j - 2] + 1)
    return row[-1]


def suggested(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the end of a message about a word that there is not: `; did you mean 'x'?`, or else something else."""
    near = nearest(word, known)
    return f"; did you mean '{near}'?" if near else otherwise


def suggested_file(name: str) -> str:
    """Return the same about a file that there is not, of those that stand where it would: '' if none is like it."""
    path = Path(name)
    try:
        beside = sorted(each.name for each in path.parent.iterdir() if each.suffix == path.suffix)
    except OSError:
        return ""
    near = nearest(path.name, beside)
    return f"; did you mean '{path.parent / near}'?" if near else ""
