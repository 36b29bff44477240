"""What earlier runs tell about a program is kept beside compiled programs: it makes later runs faster, never different."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ease.base.version import measuring_code
from ease.model.results import Counts
from vpo.analysis.frequency import LineProfile
from vpo.base import cache
from vpo.base.errors import UserError
from vpo.base.kept import kept
from vpo.program import Program


def profile_key(program: Program, kind: str, *parts: str) -> str:
    """Return the key in `vpo.base.cache` of a kind of profile of a program; `parts` are what else it belongs to."""
    return cache.key(kind, *measuring_code(), *parts, _digest(program))


@kept
def _digest(program: Program) -> str:
    """Return what names the code of a program, of which a run asks for several profiles."""
    texts = [text for name, function in program.functions.items() for text in (name, *map(str, function.rtls()))]
    return hashlib.sha256("\0".join(texts).encode(errors="surrogateescape")).hexdigest()


def is_surprising(counts: Counts, known: Counts) -> bool:
    """Whether more than a hundredth of what was executed is in functions that no earlier run came to."""
    new = sum(sum(times) for name, times in counts.rtls.items() if not any(known.rtls[name]))
    return 100 * new > counts.instructions


def joined(counts: Counts, known: Counts) -> Counts:
    """Return the counts of two runs, or sums of such, in one."""
    rtls, taken = (
        {name: [a + b for a, b in zip(times, old[name], strict=True)] for name, times in new.items()}
        for new, old in ((counts.rtls, known.rtls), (counts.taken, known.taken))
    )
    return Counts(rtls, taken)


# ----------------------------------------------------------------------------------------------------------------------
# Reports of earlier runs as profiles that guide the compiler.


def read_profile(path: Path) -> LineProfile:
    """Read how often lines were executed from a report in JSON.

    Raises UserError if it is none, OSError.
    """
    text = path.read_bytes()
    try:
        report = json.loads(text)
        lines = report["lines"]
        files = {
            file: {int(line): count["dynamic"] / count["static"] for line, count in counts.items() if count["static"]}
            for file, counts in lines.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError([f"{path}: error: not a report in JSON, as `easecc -report FILE.json` writes it"]) from None
    return LineProfile(files, hashlib.sha256(text).hexdigest())
