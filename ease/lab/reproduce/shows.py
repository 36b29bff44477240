"""What exhibits show of answers: figures by row and column, added up over programs or program by program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from ease.lab.experiments.experiment import added
from ease.lab.experiments.paper_tables import MASK_REFERENCES
from ease.lab.reproduce.paper import Exhibit
from ease.lab.reproduce.questions import Answer
from ease.lab.reproduce.rules import Figures

Answers = Mapping[str, Mapping[str, Answer]]  # by variant and program
Made = dict[str, dict[str, float]]


def _outcome(answers: Mapping[str, Answer]) -> Answer:
    """Return the sums over programs of what a run came to."""
    whole: Answer = {}
    for answer in answers.values():
        whole = {key: added(whole.get(key), value) for key, value in answer["outcome"].items()}
    return whole


def _totals(exhibit: Exhibit, answers: Answers) -> Made:
    """Show totals of each variant: those that the settings name, with groups and causes of references."""
    found: Made = {}
    for variant, by_program in answers.items():
        whole = _outcome(by_program)
        values = {"references": whole["memory_references"], **whole["causes"], **whole["references"]}
        values |= {key: value for key, value in whole.items() if isinstance(value, int)}
        values |= _ratios(values)
        found[variant] = {column: values.get(key, 0) for column, key in exhibit.settings["show"].items()}
    return found


def _ratios(values: Mapping[str, float]) -> dict[str, float]:
    """Return shares of the references, and what there is for each call and instruction."""
    references, calls, instructions = (max(values[name], 1) for name in ("memory_references", "calls", "instructions"))
    groups = ("variables", "arguments", "save/restore", "linkage")
    shares = {f"{name} %": 100 * values.get(name, 0) / references for name in groups}
    shares |= {f"{name} a call": values.get(name, 0) / calls for name in groups}
    return shares | {"calls %": 100 * calls / instructions}


def _mechanisms(exhibit: Exhibit, answers: Answers) -> Made:
    """Show instructions and references if registers were saved by a mask, special instructions, or one by one."""
    whole = _outcome(next(iter(answers.values())))
    without, memory = whole["instructions"] - whole["saves"], whole["memory_references"]
    return {
        "mask": {"instructions": without, "references": memory + MASK_REFERENCES * whole["calls"]},
        "special": {"instructions": without + whole["save_points"], "references": memory},
        "load/store": {"instructions": whole["instructions"], "references": memory},
    }


def _shares(key: str, exhibit: Exhibit, answers: Answers) -> Made:
    """Show what share each name has of a table, in per cent."""
    whole = sum((Counter(answer[key]) for by_program in answers.values() for answer in by_program.values()), Counter[str]())
    every = max(whole.total(), 1)
    return {name: {"per cent": 100 * count / every} for name, count in whole.most_common()}


def _operands(exhibit: Exhibit, answers: Answers) -> Made:
    """Show which share each mode and type has in a field of an instruction."""
    names = exhibit.settings["fields"]
    whole = Counter[str]()
    for _, _, answer in _each(answers):
        whole.update(answer["operands"])
    found: Made = {}
    for field, shown in names.items():
        mine = {name.removeprefix(field).strip(): n for name, n in whole.items() if name.startswith(f"{field} ")}
        for name, count in sorted(mine.items()):
            found[f"{shown} {name}"] = {"per cent": 100 * count / max(sum(mine.values()), 1)}
    return found


def _each(answers: Answers) -> Iterator[tuple[str, str, Answer]]:
    for variant, by_program in answers.items():
        for program, answer in by_program.items():
            yield variant, program, answer


def _hits(exhibit: Exhibit, answers: Answers) -> Made:
    """Show hit ratios in per cent; the name of a memory system is its row and its column."""
    accesses, misses = Counter[str](), Counter[str]()
    for _, _, answer in _each(answers):
        for name, (all_of_them, missed) in answer.items():
            accesses[name] += all_of_them
            misses[name] += missed
    found: Made = {}
    for name, count in accesses.items():
        row, column = name.split(" | ")
        found.setdefault(row, {})[column] = 100 * (1 - misses[name] / max(count, 1))
    return found


SHOWS: dict[str, Callable[[Exhibit, Answers], Figures]] = {
    "totals": _totals,
    "mechanisms": _mechanisms,
    "modes": lambda exhibit, answers: _shares("modes", exhibit, answers),
    "types": lambda exhibit, answers: _shares("types", exhibit, answers),
    "operands": _operands,
    "caches": _hits,
}
