"""What candidates are worth: each alone and all together, measured by compiling the programs again with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ease.experiments.ablation import Ablation, Variant, price_all
from ease.experiments.ablation_tables import measure_of
from ease.experiments.experiment import Program
from ease.experiments.price import MEASURES
from ease.proposals.candidates import candidates
from ease.proposals.cover import Promise, best, typical, typical_part
from ease.proposals.description_entries import Entry, name_all
from vpo.machines.advice.edits import edited
from vpo.machines.machine import Machine
from vpo.machines.read.load import build
from vpo.machines.read.source import Map

LEAST = 5000  # the part of all instructions, one in so many, that a candidate must promise to save
MORE = 2  # how many times as many candidates are tried as are wanted
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A candidate's promise and entry, and what it is worth alone: to the programs, and to those that were kept apart."""

    promise: Promise
    entry: Entry
    alone: Variant
    apart: Variant | None


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """The candidates that pay, best first, and all of them together; `whole` is the machine without them."""

    trials: list[Trial]
    whole: Variant
    together: Variant
    whole_apart: Variant | None
    together_apart: Variant | None

    @property
    def measure(self) -> str:
        """The measure by which candidates are ranked."""
        return measure_of(self.whole)

    @property
    def promised(self) -> int:
        """How many executed instructions the candidates promise to save."""
        return sum(trial.promise.instructions for trial in self.trials)


def saved(variant: Variant, whole: Variant, measure: str) -> int:
    """Return how much less of a measure programs take on a variant."""
    return whole.total.of(measure) - variant.total.of(measure)


def any_capable(description: Map) -> Machine:
    """Build a machine whose phases try everything that proposals might do, even if no instruction does.

    So they ask for each RTL that an additional instruction could be, and code that has not asked for it stays as it is.
    """
    machine = build(description)
    able = dataclasses.replace(machine.capabilities, accumulates=True, pairs=True)
    return dataclasses.replace(machine, capabilities=able)


def propose(
    description: Map, programs: Sequence[Program], apart: Sequence[Program], level: int, count: int, jobs: int, tell: Tell
) -> Proposals:
    """Find, try and rank candidates.

    Raises UserError, DescriptionError, LinkError, OSError.
    """
    ablation = Ablation(description, programs, level, any_capable)
    tell(f"compiling {_number_of(len(programs))}")
    counted = [(outcome.program, outcome.counts.rtls) for outcome in ablation.outcomes.values()]
    whole = ablation.whole
    worth = partial(typical_part, executed=[price.instructions for price in whole.prices.values()])
    found = candidates(ablation.machine, counted, worth)
    promises = best(found, worth, MORE * count, max(1, whole.total.instructions // LEAST))
    name_all([promise.candidate for promise in promises], description)
    entries = [Entry(promise.candidate, description) for promise in promises]
    for entry in entries:
        build(edited(description, entry.edit))  # a description that does not load is a mistake of this program
    alone = price_all(ablation, [(entry.edit,) for entry in entries], jobs, tell)
    measure = measure_of(whole)
    tried = [Trial(p, e, v, None) for p, e, v in zip(promises, entries, alone, strict=True)]
    paying = [trial for trial in tried if not trial.alone.reason and saved(trial.alone, whole, measure) > 0]
    paying.sort(key=lambda trial: -rate(trial, whole, measure))
    kept = paying[:count]
    together = ablation.priced(tuple(trial.entry.edit for trial in kept))
    if not apart:
        return Proposals(kept, whole, together, None, None)
    others = Ablation(description, apart, level, any_capable)
    tell(f"compiling {_number_of(len(apart))} kept apart")
    variants = [*((trial.entry.edit,) for trial in kept), tuple(trial.entry.edit for trial in kept)]
    *singles, all_apart = price_all(others, variants, jobs, tell)
    kept = [dataclasses.replace(trial, apart=variant) for trial, variant in zip(kept, singles, strict=True)]
    return Proposals(kept, whole, together, others.whole, all_apart)


def rate(trial: Trial, whole: Variant, measure: str) -> float:
    """Return what part of a measure a candidate typically saves for each bit of its encoding."""
    return typical_saving(trial.alone, whole, measure) / max(trial.promise.candidate.encoding.bits, 1)


def typical_saving(variant: Variant, whole: Variant, measure: str) -> float:
    """Return the part of a measure that a variant saves in a program such as these."""
    prices = [(whole.prices[program].of(measure), price.of(measure)) for program, price in variant.prices.items()]
    return typical((before - after) / max(before, 1) for before, after in prices)


def _number_of(count: int) -> str:
    return f"{count:,} program{'s' if count != 1 else ''}"


def savings(variant: Variant, whole: Variant) -> dict[str, float]:
    """Return the part of each measure that a variant saves."""
    return {name: saved(variant, whole, name) / whole.total.of(name) for name in MEASURES if whole.total.of(name)}
