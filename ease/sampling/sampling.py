"""What is known of a run of which samples were measured."""

from __future__ import annotations

from dataclasses import dataclass

from ease.sampling.estimates import Estimate


@dataclass(frozen=True, slots=True)
class Sampling:
    """The samples of a run: `spec` describes them as `-sample` does.

    `instructions`: of the whole run, None if that did not end by itself; `measured`: those in samples; `samples`: how many
    there were.  `estimates` are of the whole run, with intervals of a `confidence`; empty if samples were not systematic.
    `distance`: the most instructions between two checkpoints.
    """

    spec: str
    instructions: int | None
    measured: int
    samples: int
    distance: int
    confidence: float
    estimates: tuple[Estimate, ...] = ()
