"""What candidates are worth, measured by compiling again, and chosen so that promises do not overlap; tables of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from math import copysign, sqrt
from typing import Any

from ease import Machine, TitledTable, Verdict, number, verdict_over
from ease.lab.experiments.ablation import MEASURES, Ablation, Variant, measure_of, price_all
from ease.lab.experiments.programs import Program
from ease.lab.proposals.candidates import Candidate, Entry, Worth, candidates, description_lines, name_all, saved_by
from ease.lab.proposals.shapes import Instance
from vpo.opt.driver import Level
from vpo.rtl import Rtl

# ----------------------------------------------------------------------------------------------------------------------
# A choice of candidates whose promises do not overlap: no executed instruction is saved twice.


@dataclass(frozen=True, slots=True, eq=False)
class Promise:
    """A candidate, and how many executions of instructions it saves beside those that were chosen before it."""

    candidate: Candidate
    instructions: int
    bytes: int


def best(candidates: list[Candidate], worth: Worth, count: int, least: int) -> list[Promise]:
    """Return so many candidates that are worth most for each bit, one after another.

    Each saves at least `least` instructions beside those before it.
    """
    taken: set[Rtl] = set()

    def rate(candidate: Candidate, chosen: list[Instance]) -> float:
        return worth(saved_by(chosen)) / max(candidate.encoding.bits, 1)

    heap = [(-rate(candidate, _left(candidate, taken)), number) for number, candidate in enumerate(candidates)]
    heapify(heap)
    result: list[Promise] = []
    while heap and len(result) < count:
        _, number = heappop(heap)
        candidate = candidates[number]
        chosen = _left(candidate, taken)
        now = rate(candidate, chosen)
        if heap and now < -heap[0][0]:
            heappush(heap, (-now, number))
            continue
        saved = sum(instance.saved for instance in chosen)
        if saved < least:
            continue
        for instance in chosen:
            taken.update(instance.combination.rtls)
        places = sum(len(instance.combination.rtls) - 1 for instance in chosen)
        result.append(Promise(candidate, saved, places * candidate.encoding.size))
    return result


def _left(candidate: Candidate, taken: set[Rtl]) -> list[Instance]:
    """Return the instances that are left, none of which shares an RTL with another one."""
    own: set[Rtl] = set()
    result = []
    for instance in candidate.instances:
        rtls = instance.combination.rtls
        if taken.isdisjoint(rtls) and own.isdisjoint(rtls):
            own.update(rtls)
            result.append(instance)
    return result


# ----------------------------------------------------------------------------------------------------------------------
# What an instruction saves in a program such as those that were seen: less than the mean if it helps few of them.


def typical(parts: Iterable[float]) -> float:
    """Return the power mean, with exponent 1/2, of the parts that programs save; negative ones are losses.

    An instruction that saves the same part of each program saves that part; one that helps one of eight as much, a 64th
    instead of an eighth of it, since the next program is hardly the one that it was made for.
    """
    roots = [copysign(sqrt(abs(part)), part) for part in parts]
    mean = sum(roots) / max(len(roots), 1)
    return copysign(mean * mean, mean)


def typical_part(saved: Mapping[int, int], executed: Sequence[int]) -> float:
    """Return the typical part, from the executed instructions that are saved in programs and all that they execute."""
    return typical(saved.get(number, 0) / max(total, 1) for number, total in enumerate(executed))


# ----------------------------------------------------------------------------------------------------------------------
# What candidates are worth: each alone and all together, measured by compiling the programs again with them.


MOST_NAMED = 4  # proposals that the verdict names
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


def propose(
    machine: Machine, programs: Sequence[Program], apart: Sequence[Program], level: Level, count: int, jobs: int, tell: Tell
) -> Proposals:
    """Find, try and rank candidates.

    Raises ease.Error, UserError, OSError.
    """
    description, ablation = machine.description, Ablation(machine, programs, level)
    tell(f"compiling {_number_of(len(programs))}")
    counted = [(run.program.linked, run.counts.rtls) for run in ablation.runs.values() if run.program is not None]
    whole = ablation.whole
    worth = partial(typical_part, executed=[price.instructions for price in whole.prices.values()])
    found = candidates(machine.built, counted, worth)
    promises = best(found, worth, MORE * count, max(1, whole.total.instructions // LEAST))
    name_all([promise.candidate for promise in promises], description)
    entries = [Entry(promise.candidate, description) for promise in promises]
    for entry in entries:
        machine.edited(entry.edit)  # a description that does not load is a mistake of this program
    alone = price_all(ablation, [(entry.edit,) for entry in entries], jobs, tell)
    measure = measure_of(whole)
    tried = [Trial(p, e, v, None) for p, e, v in zip(promises, entries, alone, strict=True)]
    paying = [trial for trial in tried if not trial.alone.reason and saved(trial.alone, whole, measure) > 0]
    paying.sort(key=lambda trial: -rate(trial, whole, measure))
    kept = paying[:count]
    together = ablation.priced(tuple(trial.entry.edit for trial in kept))
    if not apart:
        return Proposals(kept, whole, together, None, None)
    others = Ablation(machine, apart, level)
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



# ----------------------------------------------------------------------------------------------------------------------
# Tables and JSON of proposed instructions.


def tables(proposals: Proposals) -> Iterator[TitledTable]:
    """Yield what each proposal is worth, what it takes, and what all are worth together."""
    whole, measure = proposals.whole, proposals.measure
    names = [name for name in MEASURES if whole.total.of(name)]
    head = ["instruction", "promised %", *(f"{name} %" for name in names), "bits"]
    head += [f"typical {measure} % / bit", "bytes % / bit"]
    head += [f"apart: {measure} %"] if proposals.whole_apart else []
    rows = [head, *(_row(trial, proposals, names) for trial in proposals.trials)]
    rows += [_together(proposals, names)] if proposals.trials else []
    note = "the machine as it is: " + ", ".join(f"{number(whole.total.of(name))} {name}" for name in names)
    yield TitledTable(f"Proposed instructions: savings of each alone, by {measure} for each bit of encoding", rows, note=note)
    rows = [["instruction", "bytes", "opcode space", "reads", "writes", "cycles", "  units"]]
    rows += [_needs(trial) for trial in proposals.trials]
    yield TitledTable("What they take", rows)


def _row(trial: Trial, proposals: Proposals, names: list[str]) -> list[str]:
    whole, bits = proposals.whole, trial.promise.candidate.encoding.bits
    alone = savings(trial.alone, whole)
    promised = trial.promise.instructions / max(whole.total.instructions, 1)
    cells = [trial.promise.candidate.name, _percent(promised), *(_percent(alone[name]) for name in names), str(bits)]
    cells += [f"{100 * rate(trial, whole, proposals.measure):.4f}", f"{100 * alone['bytes'] / max(bits, 1):.4f}"]
    if proposals.whole_apart and trial.apart is not None:
        cells.append(_saving(trial.apart, proposals.whole_apart, proposals.measure))
    return cells


def _together(proposals: Proposals, names: list[str]) -> list[str]:
    whole = proposals.whole
    cells = ["all together", _percent(proposals.promised / max(whole.total.instructions, 1))]
    cells += [_saving(proposals.together, whole, name) for name in names] + ["", "", ""]
    if proposals.whole_apart and proposals.together_apart is not None:
        cells.append(_saving(proposals.together_apart, proposals.whole_apart, proposals.measure))
    return cells


def _saving(variant: Variant, whole: Variant, measure: str) -> str:
    return "no code" if variant.reason else _percent(savings(variant, whole).get(measure, 0.0))


def _percent(part: float) -> str:
    return f"{100 * part:.3f}"


def _needs(trial: Trial) -> list[str]:
    candidate = trial.promise.candidate
    reads, writes = candidate.ports
    space = f"2^{candidate.encoding.bits - 8 * candidate.encoding.size}"
    cells = [candidate.name, str(candidate.encoding.size), space, str(reads), str(writes), str(candidate.latency)]
    return [*cells, "  " + " ".join(candidate.units)]


def entry_lines(proposals: Proposals) -> str:
    """Return what the proposals add to a description."""
    return description_lines(trial.entry for trial in proposals.trials) if proposals.trials else ""


def verdict(proposals: Proposals, level: str) -> Verdict:
    """Return what all proposals save together, and which one saves most alone."""
    whole, together = proposals.whole.prices, proposals.together.prices
    named = {"static bytes": "bytes", **{name: name for name in ("instructions", "cycles", "references")}}
    pairs = {name: [(whole[p].of(own), together[p].of(own)) for p in together] for name, own in named.items()}
    most = max(proposals.trials, key=lambda trial: saved(trial.alone, proposals.whole, proposals.measure))
    part = savings(most.alone, proposals.whole)[proposals.measure]
    notes = [f"{most.promise.candidate.name} alone saves {100 * part:.2f} % of all {proposals.measure}"]
    names = [trial.promise.candidate.name for trial in proposals.trials]
    if len(names) > MOST_NAMED:
        names = [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
    if proposals.together.reason:
        return Verdict(f"At -O{level}, the proposals cannot be compiled together: {proposals.together.reason}")
    return verdict_over(names, pairs, list(whole), notes if len(names) > 1 else (), level)


def as_json(proposals: Proposals, level: str = "2") -> dict[str, Any]:
    """Return the JSON form."""
    return {
        "verdict": verdict(proposals, level).sentence if proposals.trials else "",
        "measure": proposals.measure,
        "whole": _json(proposals.whole),
        "proposals": [_trial(trial, proposals) for trial in proposals.trials],
        "promised": proposals.promised,
        "together": _json(proposals.together),
        "apart": {"whole": _json(proposals.whole_apart), "together": _json(proposals.together_apart)},
        "entries": entry_lines(proposals),
    }


def _trial(trial: Trial, proposals: Proposals) -> dict[str, Any]:
    candidate = trial.promise.candidate
    reads, writes = candidate.ports
    return {
        "name": candidate.name, "rtl": candidate.rtl, "entry": trial.entry.instruction, "operands": trial.entry.operands,
        "replaces": list(candidate.names), "promised": trial.promise.instructions, "promised_bytes": trial.promise.bytes,
        "bits": candidate.encoding.bits, "size": candidate.encoding.size, "opcode_space": candidate.encoding.share,
        "latency": candidate.latency, "reads": reads, "writes": writes, "units": list(candidate.units),
        "alone": _json(trial.alone), "savings": savings(trial.alone, proposals.whole), "apart": _json(trial.apart),
        "typical": typical_saving(trial.alone, proposals.whole, proposals.measure),
    }  # fmt: skip


def _json(variant: Variant | None) -> dict[str, Any] | None:
    if variant is None:
        return None
    if variant.reason:
        return {"reason": variant.reason}
    return {program: {name: price.of(name) for name in MEASURES} for program, price in variant.prices.items()}
