"""Tables and JSON of proposed instructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ease import TitledTable, number
from ease.lab.experiments.ablation import MEASURES, Variant
from ease.lab.proposals.candidates import description_lines
from ease.lab.proposals.cover import Proposals, Trial, rate, savings, typical_saving


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


def as_json(proposals: Proposals) -> dict[str, Any]:
    """Return the JSON form."""
    return {
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
