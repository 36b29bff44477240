"""What exhibits show of the answers of studies: programs down, or caches down and machines across."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from statistics import fmean, geometric_mean

from ease.lab.reproduce.paper import Exhibit
from ease.lab.reproduce.rules import Figures
from ease.lab.reproduce.shows import Answers, Made, each_of

PUSHED = ("save/restore", "linkage", "arguments")  # what is pushed and popped


def _kinds(exhibit: Exhibit, answers: Answers) -> Made:
    """Show what share the types of instructions have whose names match the patterns of the settings: means over programs."""
    types = [answer["types"] for _, _, answer in each_of(answers)]
    return {
        name: {"per cent": fmean(_share(counts, pattern) for counts in types)}
        for name, pattern in exhibit.settings["show"].items()
    }


def _share(counts: Mapping[str, int], pattern: str) -> float:
    """Return the share of names that match a pattern, in per cent."""
    return 100 * sum(count for kind, count in counts.items() if re.fullmatch(pattern, kind)) / max(sum(counts.values()), 1)


def _locality(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the blocks that were executed, and how few of them make 90 per cent of the instructions."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        few, executed = answer["making"]["90"], answer["executed"]
        found[program] = {"blocks": executed, "for 90 %": few, "per cent": 100 * few / max(executed, 1)}
    return found


def _prediction(exhibit: Exhibit, answers: Answers) -> Made:
    """Show branches, accuracy, and the parts of the branches that make 90 per cent of executions and of mistakes."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        predicted = next(iter(answer["predictors"].values()))
        branches = max(answer["branches"], 1)
        found[program] = {
            "branches": answer["branches"],
            "executed for 90 %": 100 * answer["making_most"] / branches,
            "accuracy": 100 - 100 * predicted["mispredicted"] / max(answer["executed"], 1),
            "missed for 90 %": 100 * predicted["making_most"] / branches,
        }
    return found


def _timing(exhibit: Exhibit, answers: Answers) -> Made:
    """Show what each configuration comes to, all programs together."""
    whole: dict[str, Counter[str]] = {}
    for _, _, answer in each_of(answers):
        for name, values in answer.items():
            whole.setdefault(name, Counter()).update(values)
    return {
        name: {
            "cycles": values["cycles"], "read misses": values["read_misses"],
            "instruction misses": values["instruction_misses"], "buffers full": values["buffers_full"],
        }
        for name, values in whole.items()
    }  # fmt: skip


def _ratios(exhibit: Exhibit, answers: Answers) -> Made:
    """Show misses of the caches of a sweep in per cent of the references: caches down, machines and lines across."""
    found: Made = {}
    for machine, by_program in answers.items():
        references, misses = 0, Counter[str]()
        for answer in by_program.values():
            references += sum(answer["references"].values())
            misses.update(answer["misses"])
        for name, count in misses.items():
            size, line, ways = name.partition(":")[2].split(",")
            if size in ("8k", "64k"):
                found.setdefault(f"{size} {ways}-way", {})[f"{machine} {line}"] = 100 * count / max(references, 1)
                found.setdefault("references", {})[f"{machine} {line}"] = references
    return {name: found[name] for name in sorted(found, key=_place)}


def _place(row: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", row))) or (1 << 30,)


def _stack(exhibit: Exhibit, answers: Answers) -> Made:
    """Show how much of what is pushed, popped, and otherwise written and read misses, in per cent: caches down."""
    made, missed = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for _, _, answer in each_of(answers):
        for spec, classes in answer.items():
            size, _, ways = spec.partition(":")[2].split(",")
            for name, counts in classes.items():
                direction, group = name.split(" ", 1)
                pair = ("push", "other writes") if direction == "write" else ("pop", "other reads")
                place = f"{size} {ways}-way", pair[group not in PUSHED]
                made[place] += counts["references"]
                missed[place] += counts["misses"]
    found: Made = {}
    for row, column in made:
        found.setdefault(row, {})[column] = 100 * missed[row, column] / max(made[row, column], 1)
    return found


def _blocks(exhibit: Exhibit, answers: Answers) -> Made:
    """Show instructions, and how many a block that is executed has: means over programs, of which none counts for more."""
    found: Made = {}
    for machine, by_program in answers.items():
        counts = [(answer["outcome"]["instructions"], answer["blocks"]) for answer in by_program.values()]
        found[machine] = {
            "instructions": round(geometric_mean(max(instructions, 1) for instructions, _ in counts)),
            "a block": fmean(instructions / max(blocks, 1) for instructions, blocks in counts),
        }
    return found


OF_STUDIES: dict[str, Callable[[Exhibit, Answers], Figures]] = {
    "kinds": _kinds, "blocks": _blocks, "locality": _locality, "prediction": _prediction, "memory-timing": _timing,
    "ratios": _ratios, "stack": _stack,
}  # fmt: skip
