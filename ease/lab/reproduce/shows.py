"""What exhibits show of answers: figures by row and column, of programs that count alike, or program by program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from statistics import fmean
from typing import Any

from ease.lab.experiments.experiment import added
from ease.lab.experiments.paper_tables import MASK_REFERENCES
from ease.lab.reproduce.paper import Exhibit
from ease.lab.reproduce.questions import Answer
from ease.lab.reproduce.rules import Figures

Answers = Mapping[str, Mapping[str, Answer]]  # by variant and program
Made = dict[str, dict[str, float]]


def _lengths(answers: Answers) -> dict[str, float]:
    """Return how much a program counts for if each is to run as long as they do in the mean, on the first variant.

    A paper adds up programs of like length, where the longest one here may run a thousand times longer than another.
    """
    executed = {program: max(answer["outcome"]["instructions"], 1) for program, answer in next(iter(answers.values())).items()}
    mean = fmean(executed.values())
    return {program: mean / count for program, count in executed.items()}


def _outcome(answers: Mapping[str, Answer], lengths: Mapping[str, float]) -> Answer:
    """Return the sums over programs of what a run came to."""
    whole: Answer = {}
    for program, answer in answers.items():
        whole = {key: added(whole.get(key), _times(value, lengths[program])) for key, value in answer["outcome"].items()}
    return whole


def _times(value: Any, length: float) -> Any:
    """Return a number, or a table of numbers, as if a run were longer."""
    return {key: _times(each, length) for key, each in value.items()} if isinstance(value, Mapping) else round(value * length)


def _totals(exhibit: Exhibit, answers: Answers) -> Made:
    """Show totals of each variant: those that the settings name, with groups and causes of references."""
    found, lengths = Made(), _lengths(answers)
    for variant, by_program in answers.items():
        whole = _outcome(by_program, lengths)
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
    whole = _outcome(next(iter(answers.values())), _lengths(answers))
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
    """Show which share each mode, and each mode and type, has in a field of an instruction."""
    names = exhibit.settings["show"]
    whole = Counter[str]()
    for _, _, answer in each_of(answers):
        whole.update(answer["operands"])
    found: Made = {}
    for field, shown in names.items():
        mine = {name.removeprefix(field).strip(): n for name, n in whole.items() if name.startswith(f"{field} ")}
        modes = Counter[str]()
        for name, count in mine.items():
            modes[name.rsplit(" ", 1)[0]] += count
        for name, count in (*sorted(modes.items()), *sorted(mine.items())):
            if count:
                found[f"{shown} {name}"] = {"per cent": 100 * count / sum(mine.values())}
    return found


def each_of(answers: Answers) -> Iterator[tuple[str, str, Answer]]:
    """Yield the name of the variant, that of the program, and the answer."""
    for variant, by_program in answers.items():
        for program, answer in by_program.items():
            yield variant, program, answer


def _hits(exhibit: Exhibit, answers: Answers) -> Made:
    """Show hit ratios in per cent; the name of a memory system is its row and its column."""
    accesses, misses = Counter[str](), Counter[str]()
    for _, _, answer in each_of(answers):
        for name, (all_of_them, missed) in answer.items():
            accesses[name] += all_of_them
            misses[name] += missed
    found: Made = {}
    for name, count in accesses.items():
        row, column = name.split(" | ")
        found.setdefault(row, {})[column] = 100 * (1 - misses[name] / max(count, 1))
    return found


def _linkage(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the share of linkage if so many references were counted for each call, and if so many instructions called."""
    counted, called = exhibit.settings["counted"], exhibit.settings["called"]
    found, lengths = Made(), _lengths(answers)
    for variant, by_program in answers.items():
        whole = _outcome(by_program, lengths)
        made = whole["references"]["linkage"]
        linkage, others = counted * called / 100 * whole["instructions"], whole["memory_references"] - made
        found[variant] = {
            "linkage a call": made / max(whole["calls"], 1),
            "calls %": 100 * whole["calls"] / max(whole["instructions"], 1),
            "linkage %": 100 * linkage / max(linkage + others, 1),
        }
    return found


def _counters(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the counters of functions beside those that there would be without thinking: of each block and each branch."""
    return {
        name: {"blocks": each["blocks"], "naive": each["blocks"] + each["branches"], "counters": each["counters"]}
        for _, _, answer in each_of(answers)
        for name, each in answer.items()
    }


def _overhead(exhibit: Exhibit, answers: Answers) -> Made:
    """Show what each way to measure takes, as a ratio to the time of the program, with means."""
    found: Made = {}
    for _, program, times in each_of(answers):
        found[program] = {name: seconds / max(times["plain"], 1e-4) for name, seconds in times.items() if name != "plain"}
    columns = list(dict.fromkeys(name for row in found.values() for name in row))
    return found | {"average": {name: fmean(row[name] for row in found.values()) for name in columns}}


SHOWS: dict[str, Callable[[Exhibit, Answers], Figures]] = {
    "totals": _totals,
    "mechanisms": _mechanisms,
    "linkage": _linkage,
    "overhead": _overhead,
    "counters": _counters,
    "modes": lambda exhibit, answers: _shares("modes", exhibit, answers),
    "types": lambda exhibit, answers: _shares("types", exhibit, answers),
    "operands": _operands,
    "caches": _hits,
}
