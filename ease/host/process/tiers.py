"""How much is done to make host code fast, where nobody says.

Small programs get all of it.  For large ones, and those into which instruments write much, it
takes longer than most of them run, so their first run does with the least; one that then ran long is
compiled better the next time.
"""

from __future__ import annotations

from ease.host.process.process import LARGE
from ease.run.profiles import profile_key
from vpo.analysis.program import Program
from vpo.base.cache import load, store

FULL_TIER_RTLS = 1_000  # programs up to this size get the full tier; larger than LARGE, the quick or the fast one
LARGE_TEXT = 8_000_000  # characters of IR: several versions of each function, say, of a program that is not large
WORTH_FAST = 50e-6  # seconds of a run for each RTL: a sixth of what the fast tier takes more than the quick one


def tier_of(program: Program, text: int = 0) -> str:
    """Return the tier for the next run of a program, whose IR, with what instruments write into it, has so many characters."""
    if text > LARGE_TEXT:
        return _tier_of_large(program)
    if program.numbers <= FULL_TIER_RTLS:
        return "full"
    if program.numbers <= LARGE:
        return "balanced"
    return _tier_of_large(program)


def _tier_of_large(program: Program) -> str:
    return "fast" if load(_key(program), ()) else "quick"


def is_too_slow(program: Program, tier: str, seconds: float) -> bool:
    """Whether a program that ran for so long deserves another tier; the next run has it."""
    if tier != "quick" or seconds < WORTH_FAST * program.numbers:
        return False
    store(_key(program), True)
    return True


def _key(program: Program) -> str:
    return profile_key(program, "ran long")
