"""What exhibits show of tools: sizes of records and traces, times of samples, caches out of one run."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from ease.lab.reproduce.paper import Exhibit
from ease.lab.reproduce.rules import Figures
from ease.lab.reproduce.shows import Answers, Made, each_of

ADDRESS = 4  # bytes of an address in a trace that is written out
ENTRY = 10  # bytes of an instruction in one, as CITCAT counts


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
    """Show the time of the ways that the paper has, as a ratio to the program's, with means."""
    found: Made = {}
    columns = list(dict.fromkeys(column for row in exhibit.figures.values() for column in row))
    for _, program, answer in each_of(answers):
        seconds = answer["seconds"]
        found[program] = {name: seconds[name] / max(seconds["plain"], 1e-4) for name in columns}
    return found | {"average": {name: fmean(row[name] for row in found.values()) for name in columns}}


def _formula(exhibit: Exhibit, answers: Answers) -> Made:
    """Show the slowdown by r*S(all) + (1-r)*S(none) beside what was measured, by the part r of the run in samples."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for _, _, answer in each_of(answers):
        seconds, samples = answer["seconds"], answer["samples"]
        for name in samples:
            r = samples[name]["measured"] / max(samples[name]["instructions"] or 1, 1)
            plain = max(seconds["plain"], 1e-4)
            told = (r * seconds["all"] + (1 - r) * seconds["none"]) / plain
            found.setdefault(name, []).append((r, told, seconds[name] / plain))
    return {
        name: dict(zip(("r", "formula", "measured"), map(fmean, zip(*rows, strict=True)), strict=True))
        for name, rows in found.items()
    }


def _single_pass(exhibit: Exhibit, answers: Answers) -> Made:
    """Show how many caches one run tells of, and how many of them as a run of their own does."""
    found: Made = {}
    for _, program, answer in each_of(answers):
        equal = sum(answer["alone"][name] == misses for name, misses in answer["once"].items())
        found[program] = {"caches": len(answer["once"]), "equal": equal}
    return found


OF_TOOLS: dict[str, Callable[[Exhibit, Answers], Figures]] = {
    "record": _records, "trace": _traces, "checkpoints": _checkpoints, "slowdowns": _slowdowns, "formula": _formula,
    "single pass": _single_pass,
}  # fmt: skip
