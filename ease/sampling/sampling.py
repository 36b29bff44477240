"""What is known of a run of which samples were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ease.sampling.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Spent:
    """What a version of the program executed, and which part of the time of the run that took.

    `version` is fast, warm, measured or step, which is the fast or warm version instruction by instruction.
    """

    version: str
    instructions: int
    part: float


def cost(spent: Sequence[Spent], seconds: float) -> str:
    """Return what an instruction took in each version, of a run that took so many seconds; '' if nothing is known."""
    whole = sum(each.instructions for each in spent)
    parts = [
        f"{each.version} {1e9 * seconds * each.part / each.instructions:.2f} ns "
        f"({100 * each.instructions / whole:.2f}% of them)"
        for each in spent
    ]
    return f"an instruction took: {', '.join(parts)}" if parts else ""


@dataclass(frozen=True, slots=True)
class Sampling:
    """The samples of a run: `spec` describes them as `-sample` does.

    `instructions`: of the whole run, None if that did not end by itself; `measured`: those in samples; `samples`: how many
    there were.  `estimates` are of the whole run, with intervals of a `confidence`; empty if samples were not systematic.
    `distance`: the most instructions between two checkpoints.  `passed`: how many checkpoints control came to in samples; of
    them, `within` has by number of instructions the part from which the next checkpoint is at most so far.
    """

    spec: str
    instructions: int | None
    measured: int
    samples: int
    distance: int
    confidence: float
    estimates: tuple[Estimate, ...] = ()
    passed: int = 0
    within: Mapping[int, float] = field(default_factory=dict)
