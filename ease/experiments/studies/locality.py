"""How few blocks make most of what is executed: Table 3 of the IDtrace report (the rule of 90 and 10 per cent)."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import compress

from cache_sim.predictors.simulator import concentration
from ease.experiments.experiment import Table
from ease.experiments.studies.questions import Answer, Answers, Measured, Study, nothing
from ease.model.results import Counts
from ease.model.static_kinds import StaticProgram
from ease.reports.pictures import Curve, Panel
from ease.reports.report import number, percent

SHARE = 90  # per cent of the instructions executed
DRAWN = (50, 60, 70, 80, 90, 95, 99)  # shares in the picture


def executed_in_blocks(program: StaticProgram, counts: Counts) -> Iterator[int]:
    """Yield how many instructions each block executed, its size times how often, of those that have any."""
    for name, function in program.functions.items():
        numbers = counts.rtls[name]
        for start, end in zip(function.blocks, (*function.blocks[1:], len(function.kinds)), strict=True):
            counted = [program.kinds[kind].counted for kind in function.kinds[start:end]]
            if any(counted):
                yield sum(compress(numbers[start:end], counted))


def ask(measured: Measured, _: argparse.Namespace) -> Answer:
    """Return how many blocks there are, were executed, and make each share."""
    run = measured()
    assert run.program is not None
    assert run.counts is not None
    blocks = list(executed_in_blocks(run.program, run.counts))
    executed = [number for number in blocks if number]
    return {
        "instructions": sum(executed),
        "blocks": len(blocks),
        "executed": len(executed),
        "making": {str(share): concentration(executed, share) for share in DRAWN},
    }


def tables(_: argparse.Namespace, found: Answers) -> Sequence[Table]:
    """Show them, the program whose instructions are spread most first."""
    shown = []
    for machine, answers in found.items():
        rows = [["program", "instructions", "blocks", "executed", f"for {SHARE} %", "per cent"]]
        for name, each in sorted(answers.items(), key=lambda item: -_few(item[1]) / max(item[1]["executed"], 1)):
            counts = [each["instructions"], each["blocks"], each["executed"], _few(each)]
            rows.append([name, *map(number, counts), percent(_few(each), each["executed"])])
        note = "per cent: of the blocks that were executed"
        shown.append(Table(f"Blocks that make {SHARE} per cent of the instructions, {machine}", rows, note=note))
    return shown


def _few(answer: Answer) -> int:
    few: int = answer["making"][str(SHARE)]
    return few


def panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw the share of the executed blocks that each share of the instructions takes, a panel for each machine."""
    result = []
    for machine, answers in found.items():
        curves = [
            Curve(name, [100 * each["making"][str(share)] / max(each["executed"], 1) for share in DRAWN])
            for name, each in answers.items()
        ]
        result.append(Panel(f"% of the executed blocks, {machine}", "% of the instructions", list(map(str, DRAWN)), curves))
    return result


LOCALITY = Study("locality", "how few blocks make most of what is executed", nothing, nothing, ask, tables, panels)
