"""What exhibits show of tools: sizes of records and traces, times of samples, caches out of one run."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from ease.lab.reproduce.paper import Exhibit
from ease.lab.reproduce.rules import Figures
from ease.lab.reproduce.shows import Answers, Made, each_of

ADDRESS = 4  # bytes of an address in a trace that is written out
ENTRY = 10  # bytes of an instruction in one, as CITCAT counts
CHECKPOINT = 10  # instructions, as calvin2 counts


def _records(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the bytes of records, and how many instructions each byte stands for."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        instructions, events, whole = (answer[key] for key in ("instructions", "bytes of system calls", "bytes"))
        found[program] = {
            "instructions": instructions, "events": events, "with state": whole,
            "instructions a byte of events": instructions / max(events, 1),
            "instructions a byte": instructions / max(whole, 1),
            "compression": ENTRY * instructions / max(events, 1),
        }  # fmt: skip
    return found


def _together(exhibit: Exhibit, answers: Answers) -> Made:
    """Show misses in per cent of the accesses: of the program alone, of copies in turns, and with a kernel."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        (_, first), *kernels = answer.items()
        row = {"alone %": _share(first["alone"]), "in turns %": _share(first["together"])}
        for name, known in kernels:
            row[f"{name} executes %"] = 100 * known["of kernel"] / known["instructions"]
            row[f"{name}, its own %"] = _share(known["kernel"])
            row[f"{name} %"] = _share(known["together"])
        found[program] = row
    return found


def _share(counts: list[int]) -> float:
    """Return misses in per cent of accesses."""
    accesses, misses = counts
    return 100 * misses / max(accesses, 1)


def _traces(exhibit: Exhibit, answers: Answers) -> Made:
    """Show how much smaller than its addresses a compact trace is."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        addresses = ADDRESS * (answer["instructions"] + answer["references"])
        found[program] = {
            "instructions": answer["instructions"],
            "bytes": answer["bytes"],
            "smaller": addresses / max(answer["bytes"], 1),
        }
    return found


def _checkpoints(exhibit: Exhibit, answers: Answers) -> Made:
    """Show how often control comes to a checkpoint, and how far the next one is."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        known = answer["samples"]["all"]
        passed, measured = max(known["passed"], 1), max(known["measured"], 1)
        found[program] = {
            "checkpoints %": 100 * passed / measured, "mean distance": measured / passed,
            "within 100 %": 100 * known["within"].get("100", 0), "within 200 %": 100 * known["within"].get("200", 0),
            "most": known["distance"],
        }  # fmt: skip
    return found


def _slowdowns(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the time of the ways that the paper has, as a ratio to the program's, with means; what checkpoints would cost."""
    found: Made = {}
    columns = list(dict.fromkeys(column for row in exhibit.figures.values() for column in row)) or exhibit.settings["counted"]
    for _, program, answer in each_of(answers):
        seconds, known = answer["seconds"], answer["samples"]["all"]
        ways = {name: seconds[name] / max(seconds["plain"], 1e-4) for name in seconds}
        ways["estimated"] = 1 + CHECKPOINT * known["passed"] / max(known["measured"], 1)
        found[program] = {name: ways[name] for name in columns}
    return found | {"average": {name: fmean(row[name] for row in found.values()) for name in columns}}


def _formula(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the slowdown by r*S(all) + (1-r)*S(none) beside what was measured, by the part r of the run in samples."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for _, _, answer in each_of(answers):
        seconds, samples = answer["seconds"], answer["samples"]
        for name in exhibit.figures:
            r = samples[name]["measured"] / max(samples[name]["instructions"] or 1, 1)
            plain = max(seconds["plain"], 1e-4)
            told = (r * seconds["all"] + (1 - r) * seconds["none"]) / plain
            found.setdefault(name, []).append((r, told, seconds[name] / plain))
    return {
        name: dict(zip(("r", "formula", "measured"), map(fmean, zip(*rows, strict=True)), strict=True))
        for name, rows in found.items()
    }


def _heads(exhibit: Exhibit, answers: Answers) -> Made:
    """Show how many instructions in a hundred would have a checkpoint at heads of functions and loops, as calvin2 has it."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        parts = {name: 100 * answer[name] / max(answer["instructions"], 1) for name in ("functions", "loops")}
        found[program] = {**{f"{name} %": part for name, part in parts.items()}, "checkpoints %": sum(parts.values())}
    return found


def _interpreted(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the time of the interpreter as a ratio to the program's."""
    return {
        program: {"instructions": answer["instructions"], "interpreted": answer["interpreted"] / max(answer["plain"], 1e-5)}
        for _, program, answer in each_of(answers)
    }


def _single_pass(exhibit: Exhibit, answers: Answers) -> Made:
    """Show how many caches one run tells of, and how many of them as a run of their own does."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        equal = sum(answer["alone"][name] == misses for name, misses in answer["once"].items())
        found[program] = {"caches": len(answer["once"]), "equal": equal}
    return found


def _sums_of_tools(exhibit: Exhibit, answers: Answers) -> Made:
    """Show sums of the numbers of tools that the settings name: those of each tool in a row."""
    found: Made = {}
    for _, _, answer in each_of(answers):
        for name, numbers in answer.items():
            row = found.setdefault(name, {})
            for column, key in exhibit.settings["show"].items():
                row[column] = row.get(column, 0) + numbers[key]
    return found


OF_TOOLS: dict[str, Callable[[Exhibit, Answers], Figures]] = {
    "record": _records, "together": _together, "trace": _traces, "checkpoints": _checkpoints,
    "slowdowns": _slowdowns, "formula": _formula,
    "interpreted": _interpreted, "heads": _heads, "single pass": _single_pass,
    "tools": _sums_of_tools,
}  # fmt: skip
