"""What each phase of a level is worth: programs and library are compiled without it, run and compared."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ease import Machine, TitledTable, mean_change, number
from ease.lab.experiments.experiment import Experiment, Outcome, Results, Variant, have_cycles, total
from ease.lab.experiments.programs import Program
from ease.lab.experiments.suites import read_suite
from vpo.base.errors import UserError
from vpo.base.suggestions import suggested
from vpo.build.compiler import Compiler
from vpo.build.settings import Settings
from vpo.opt.driver import Level, optional_phases
from vpo.opt.phase_list import PhaseLog

MEASURES = {"instructions": "instructions", "references": "memory", "bytes": "size", "cycles": "cycles"}  # of Outcome


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", metavar="PHASE[,PHASE]", help="leave out these, one at a time, and no others")


def _chosen(options: argparse.Namespace) -> list[str]:
    """Return the phases to leave out, one at a time.

    Raises UserError for one that the level does not have, or that code is wrong without.
    """
    phases = [name for name in optional_phases(options.level) if name != "unssa"]  # which goes with `ssa`
    wanted = options.only.split(",") if options.only else phases
    for name in wanted:
        if name not in phases:
            known = ", ".join(phases)
            raise UserError([f"--only: -O{options.level} can leave out no phase '{name}'{suggested(name, phases)} ({known})"])
    return [name for name in phases if name in wanted]


def _variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with all phases, and without each.

    Raises UserError.
    """
    left_out = [(), *((name,) for name in _chosen(options))]
    return [Variant(machine, tuple(options.set), without=names) for machine in options.machines for names in left_out]


def _change(measure: str, outcomes: Mapping[str, Outcome], whole: Mapping[str, Outcome]) -> float:
    """Return by which part of the whole the programs need more of a measure."""
    field = MEASURES[measure]
    return mean_change((max(getattr(whole[p], field), 1), max(getattr(outcomes[p], field), 1)) for p in whole)


def _of_machine(results: Results, machine: str) -> dict[str, Mapping[str, Outcome]]:
    """Return what the programs did on one machine, by the phase that was left out; with all phases under the empty name."""
    return {"".join(v.without): outcomes for v, outcomes in results.items() if v.machine == machine}


def _seconds(options: argparse.Namespace, machine: str) -> tuple[Mapping[str, float], float]:
    """Compile the programs once more, by the clock and without the library: the seconds of each phase, and of all.

    Raises ease.Error, UserError.
    """
    built, taken = Machine(machine, options.set), Counter[str]()
    for program in read_suite(options.programs):
        taken.update(_clocked(program, built, options.level))
    return taken, sum(taken.values())


def _clocked(program: Program, machine: Machine, level: Level) -> Mapping[str, float]:
    compiler = Compiler(machine.built, program.settings(Settings(level=level)))
    compiler.options.log = phase_log = PhaseLog()
    for file in program.files:
        compiler.unit(os.path.abspath(file))
    return phase_log.seconds()


def _tables(options: argparse.Namespace, results: Results) -> Sequence[TitledTable]:
    """Show what leaving out each phase costs on each machine, the dearest phase first."""
    return [_table(options, machine, _of_machine(results, machine)) for machine in options.machines]


def _table(options: argparse.Namespace, machine: str, outcomes: Mapping[str, Mapping[str, Outcome]]) -> TitledTable:
    whole, (seconds, all_seconds) = outcomes[""], _seconds(options, machine)
    timed = have_cycles(outcome for found in outcomes.values() for outcome in found.values())
    measures = [name for name in MEASURES if timed or name != "cycles"]
    changes = {name: {m: _change(m, found, whole) for m in measures} for name, found in outcomes.items() if name}
    first = "cycles" if timed else "instructions"
    order = sorted(changes, key=lambda name: -changes[name][first])
    rows = [["without", *(f"{name}, %" for name in measures), "programs hurt", "helped", "time, %"]]
    for name in order:
        cells = [f"{100 * change:+.2f}" for change in changes[name].values()]
        hurt, helped = _programs(outcomes[name], whole)
        part = 100 * seconds.get(name, 0.0) / all_seconds if all_seconds else 0.0
        rows.append([name, *cells, str(hurt), str(helped), f"{part:.1f}"])
    all_runs = total(whole)
    note = (
        f"with all phases: {number(all_runs.instructions)} instructions, {number(all_runs.memory)} references, "
        f"{number(all_runs.size)} bytes of code\n"
        f"changes: geometric means over the programs ({len(whole)}), sorted by {first}\n"
        "hurt, helped: programs that execute more, or fewer, instructions without the phase\n"
        "time: the phase's part of what all take in compiling the programs, without the library"
    )
    return TitledTable(f"What each phase of -O{options.level} is worth, {machine}: costs of leaving one out", rows, note=note)


def _programs(outcomes: Mapping[str, Outcome], whole: Mapping[str, Outcome]) -> tuple[int, int]:
    """Return how many programs execute more instructions than with all phases, and how many fewer."""
    differences = [outcomes[name].instructions - whole[name].instructions for name in whole]
    return sum(more > 0 for more in differences), sum(more < 0 for more in differences)


def _json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine, phase that was left out ("": none) and program."""
    return {
        machine: {
            name: {program: outcome.json() for program, outcome in outcomes.items()}
            for name, outcomes in _of_machine(results, machine).items()
        }
        for machine in options.machines
    }


PHASES = Experiment(
    "phases", "what each phase of the compiler is worth: leave it out, compile, run", _arguments, _variants, _tables, _json
)
