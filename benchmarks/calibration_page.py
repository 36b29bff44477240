"""What calibration found, as figures and as a page: what each compiler saves by an extension, how far ours is off, and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import yaml

OURS = "ease"
MEAN = "the mean of both"
WHOLE = 10**9  # instructions of the compiler that saves the mean
FAR = 0.5  # points from which on a reason is given
MOST = 3  # instructions that a reason names
CAUSES: Mapping[str, Mapping[str, str]] = yaml.safe_load(Path(__file__).with_name("calibration_causes.yaml").read_text())
TOLD = 12  # programs of which reasons are told, those that are farthest off

Why = Callable[[str, str], list[str]]  # of a program and an instruction


@dataclass(frozen=True, slots=True)
class Found:
    """What a program costs without an extension and with it, and what of that its instructions are then."""

    base: int
    more: int
    by: dict[str, int]

    @property
    def saving(self) -> float:
        """What the extension saves, in per cent."""
        return 100 * (1 - self.more / self.base)


@dataclass(frozen=True, slots=True)
class Program:
    """What compilers made of a program, by their names."""

    name: str
    found: dict[str, Found]

    def off(self, name: str) -> float:
        """Return by how many points ours saves more than a compiler."""
        return self.found[OURS].saving - self.found[name].saving


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two compilers agree over programs: mean savings, correlation, mean absolute difference, the largest and where."""

    means: tuple[float, float]
    r: float
    error: float
    worst: float
    where: str


def agreement(programs: Sequence[Program], one: str, other: str) -> Agreement:
    """Return how what one compiler saves agrees with what another one does."""
    pairs = [(each.found[one].saving, each.found[other].saving) for each in programs]
    off = [(abs(mine - theirs), each.name) for (mine, theirs), each in zip(pairs, programs, strict=True)]
    ones, others = [mine for mine, _ in pairs], [theirs for _, theirs in pairs]
    return Agreement((fmean(ones), fmean(others)), correlation(ones, others), fmean(each for each, _ in off), *max(off))


def correlation(ones: Sequence[float], others: Sequence[float]) -> float:
    """Return Pearson's r; not a number where one of both is the same everywhere."""
    mean, other_mean = fmean(ones), fmean(others)
    square = sum((one - mean) ** 2 for one in ones) * sum((other - other_mean) ** 2 for other in others)
    if not square:
        return math.nan
    return sum((one - mean) * (other - other_mean) for one, other in zip(ones, others, strict=True)) / math.sqrt(square)


# -------------------------------------------------------------------------------------------------------------- the page

HEAD = """\
# Calibration

What extensions save in the code of other compilers, beside what this project predicts. This page is made by

```text
{command}
```

which compiles each program with and without an extension, by all compilers that know it, and counts. What others make is
run in the emulator, whose plugin counts what is executed at the addresses of the user's code; ours is counted as always.
**The library is treated alike**: it is left out on both sides, and theirs is linked with our library of the machine
without the extension. So a difference is one of code that both compiled. `--programs` and `--embench DIR` name others,
`--of` other extensions.

Savings are per cent of what is executed without the extension, differences are in points. Where two compilers that people use
differ, no prediction can be right for both: the rows that compare them say how far they are apart, and the rows below
these how far ours lies outside what lies between them. A compiler that breaks down leaves a program out.
"""
REASONS = """\
Where ours lies outside by more than {far} points, what differs from the nearest: {shares};
and `-why-not` of what ours did not use. A compiler whose code is worse without the extension than ours has more to gain by it.
What was read in the code of both is told in words.
"""
SHARES = {
    "instructions": """\
how often the extension's instructions are
executed, in per cent of all that the program executes without the extension""",
    "bytes": """\
the bytes of the extension's instructions,
in per cent of the program's code without the extension""",
}


def page(tables: Mapping[str, tuple[str, str, Sequence[Program]]], why: Mapping[str, Why], command: str) -> str:
    """Return the page: a summary, then for each machine its programs and the reasons; tables have level and metric, too."""
    head = ["| extension | | programs | saves % | | r | mean error | worst |", "|---|---|---|---|---|---|---|---|"]
    lines = [HEAD.format(command=command), *head]
    for machine, (level, metric, programs) in tables.items():
        lines += [f"| {machine} | {row}" for row in summary(programs, f"-{level}, {metric}")]
    for machine, (level, metric, programs) in tables.items():
        lines += ["", f"## {machine}", "", f"{metric.capitalize()} at `-{level}`, in per cent that are saved.", ""]
        lines += rows(programs)
        lines += reasons(programs, why[machine], metric, CAUSES.get(machine, {}))
    return "\n".join(lines) + "\n"


def others(programs: Sequence[Program]) -> list[str]:
    """Return the names of the compilers that are not ours."""
    return [name for name in programs[0].found if name != OURS]


def summary(programs: Sequence[Program], what: str) -> list[str]:
    """Return how ours agrees with each other compiler, and how these agree."""
    names = others(programs)
    several = len(names) > 1
    pairs = [(OURS, name) for name in (*names, *([MEAN] if several else []))] + [(names[0], name) for name in names[1:]]
    whole = [with_mean(each, names) for each in programs]
    found = [(one, other, agreement(whole, one, other)) for one, other in pairs]
    outside = [(beyond(each), each.name) for each in programs]
    worst, where = max(outside)
    mean = fmean(each for each, _ in outside)
    between = [f"{OURS} outside what lies between them | {len(programs)} | | | | {mean:.2f} | {worst:.2f} {where} |"]
    return [
        f"{one} and {other}, {what} | {len(programs)} | {each.means[0]:.2f} | {each.means[1]:.2f} | {each.r:.2f} |"
        f" {each.error:.2f} | {each.worst:.2f} {each.where} |"
        for one, other, each in found
    ] + (between if several else [])


def with_mean(program: Program, names: Sequence[str]) -> Program:
    """Return a program with one compiler more, which saves the mean of what others save."""
    saving = fmean(program.found[name].saving for name in names)
    return Program(program.name, program.found | {MEAN: Found(WHOLE, round(WHOLE * (1 - saving / 100)), {})})


def beyond(program: Program) -> float:
    """Return by how many points what ours saves lies outside what lies between the other compilers."""
    savings = [each.saving for name, each in program.found.items() if name != OURS]
    ours = program.found[OURS].saving
    return max(ours - max(savings), min(savings) - ours, 0.0)


def rows(programs: Sequence[Program]) -> list[str]:
    """Return the table of programs."""
    names = others(programs)
    heads = ["program", *names, OURS, *(f"{OURS} - {name}" for name in names)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for each in programs:
        cells = [*(f"{each.found[name].saving:.2f}" for name in (*names, OURS)), *(f"{each.off(name):+.2f}" for name in names)]
        lines.append("| " + " | ".join([each.name, *cells]) + " |")
    return lines


def reasons(programs: Sequence[Program], why: Why, metric: str, causes: Mapping[str, str]) -> list[str]:
    """Return why ours is off, for the programs where it is farthest off from what lies between the others."""
    names = others(programs)
    nearest = {each.name: min(names, key=lambda name: abs(each.off(name))) for each in programs}
    far = sorted((each for each in programs if beyond(each) > FAR), key=beyond, reverse=True)[:TOLD]
    lines = ["", REASONS.format(far=FAR, shares=SHARES[metric])] if far else []
    for each in far:
        lines += reason(each, nearest[each.name], why)
        lines += [f"    * {cause.strip()}" for name, cause in causes.items() if name == each.name]
    return lines


def reason(program: Program, other: str, why: Why) -> list[str]:
    """Return in what ours differs from another compiler's code of a program."""
    ours, theirs = program.found[OURS], program.found[other]
    shares = {
        name: (100 * ours.by.get(name, 0) / ours.base, 100 * theirs.by.get(name, 0) / theirs.base)
        for name in {**ours.by, **theirs.by}
    }
    most = sorted(shares, key=lambda name: -abs(shares[name][0] - shares[name][1]))[:MOST]
    used = ", ".join(f"{name} {shares[name][0]:.1f} here and {shares[name][1]:.1f} there" for name in most)
    without, with_it = ours.base / theirs.base, ours.more / theirs.more
    ratio = f"ours takes {without:.2f} of what {other} does without the extension, {with_it:.2f} with it"
    lines = [f"* **{program.name}** ({program.off(other):+.2f} against {other}): {used or 'none is used'}; {ratio}."]
    missing = [name for name in most if shares[name][0] < shares[name][1] - FAR / 2]
    return lines + [f"    * `{name}`: {'; '.join(found)}" for name in missing[:1] if (found := why(program.name, name))]
