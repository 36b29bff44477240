"""Takes parts away from a machine, one at a time or several, and tells whether programs still compile and do the same.

    python -m benchmarks.deletions [--machine riscv32] [--kinds instruction,form,...] [--only SUB,LUI]
                                   [--sample 50] [--together 3] [--seed 1] [--check] [--host] samples/queens.c ...

Parts are instructions, forms, addressing modes (`operand`), registers (one, or half of a class), bits of immediates down to
four, bits of the reach of branches, delay slots.  `--sample N` tries N of them, chosen at random; with `--together K` each
trial takes K parts away.  `--machine` may be several, separated by commas, or `all`.  What is left is compiled at -O1, and
interpreted.  With `--check`, `ease machine check` must name what is missing where programs do not compile.  With `--host`,
programs are given as to `ease experiment ablation` (samples/samples.json: all samples), and host code runs them.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

from ease import Error
from ease import Machine as Handle
from ease.commands.machine.machine_check import check
from ease.lab.experiments.ablation import Ablation, end_of, run
from ease.lab.experiments.suites import read_suite
from vpo.base.errors import LinkError
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.advice.edits import KINDS, Edit, deletions, edited, halvings
from vpo.machines.machine import Machine
from vpo.machines.names import machine_names
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import DescriptionError, Map

LIMIT = 100_000_000  # instructions: a program that is compiled wrongly may not end
RIGHT, TOLD, WRONG = "right", "told", "wrong"
Outcome = tuple[str, str]  # one of these three, and what to say


def outcome(machine: Machine, source: str) -> Outcome:
    """Return what a program does on a machine: its status and output, or why it could not be compiled."""
    try:
        result = interpret(Compiler(machine, Settings(level=1)).program([source]), capture=True, limit=LIMIT)
    except (UserError, LinkError) as error:
        return TOLD, str(error).splitlines()[0]
    except Exception as error:  # a traceback is what this is to find
        return WRONG, f"traceback: {type(error).__name__}: {str(error)[:200]}"
    return RIGHT, f"{result.exit_status} {result.fault or ''} {result.output!r}"


def trials(description: Map, options: argparse.Namespace) -> list[Sequence[Edit]]:
    """Return the sets of edits to try."""
    kinds, wanted = options.kinds.split(","), list(filter(None, options.only.split(",")))
    edits = [edit for edit in (*deletions(description), *halvings(description)) if edit.kind in kinds]
    edits = [edit for edit in edits if not wanted or edit.name in wanted]
    chosen = random.Random(options.seed)
    if options.together > 1:
        return [chosen.sample(edits, options.together) for _ in range(options.sample or len(edits))]
    return [[edit] for edit in (chosen.sample(edits, options.sample) if 0 < options.sample < len(edits) else edits)]


def tried(description: Map, expected: dict[str, Outcome], edits: Sequence[Edit], checks: bool) -> Outcome:
    """Return what came of the programs on a changed machine."""
    try:
        machine = build(edited(description, *edits))
    except DescriptionError as error:
        return TOLD, f"not loaded: {error}"
    except KeyError:
        return RIGHT, "an edit of a part that another one takes away"
    found = {source: outcome(machine, source) for source in expected}
    if all(found[source] == expected[source] for source in expected):
        return RIGHT, ""
    wrong = [source for source in expected if found[source] != expected[source] and found[source][0] != TOLD]
    said = "; ".join(f"{source}: {found[source][1][:300]}" for source in wrong or expected)
    if checks and not wrong and not check(machine).missing:
        return WRONG, f"check finds nothing missing, but {said}"
    return WRONG if wrong else TOLD, said


def tried_in_host_code(ablation: Ablation, edits: Sequence[Edit], checks: bool) -> Outcome:
    """Return what came of the programs of an ablation, run in host code, on a changed machine."""
    try:
        machine = ablation.machine.edited(*edits)
    except Error as error:
        away = not isinstance(error.origin, DescriptionError)
        return (RIGHT, "an edit of a part that another one takes away") if away else (TOLD, f"not loaded: {error}")
    told, wrong = "", ""
    for program in ablation.programs:
        before = ablation.runs[program.name]
        try:
            compiled = program.compiled(machine, ablation.level)
        except Error as error:
            told += f"{program.name}: {str(error).splitlines()[0]}; "
            continue
        except Exception as error:  # a traceback is what this is to find
            return WRONG, f"traceback: {type(error).__name__}: {str(error)[:200]}"
        try:
            after = run(program, compiled)
        except UserError as error:
            wrong += f"{error}; "
            continue
        if end_of(after) != end_of(before):
            wrong += f"{program.name} writes something else; "
    if checks and told and not check(machine.built).missing:
        wrong += f"check finds nothing missing, but {told}"
    return (WRONG, wrong) if wrong else (TOLD, told) if told else (RIGHT, "")


def main() -> None:
    """Print each deletion that fails, and how many do not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", default="riscv32", help="names, separated by commas, or all")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of parts, separated by commas")
    parser.add_argument("--only", default="", help="names of parts, separated by commas")
    parser.add_argument("--sample", type=int, default=0, help="so many trials, chosen at random")
    parser.add_argument("--together", type=int, default=1, help="parts that are taken away at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="what is missing must be named by ease machine check")
    parser.add_argument("--host", action="store_true", help="in host code")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    names = machine_names() if options.machine == "all" else options.machine.split(",")
    counts = {name: tried_on(name, options) for name in names}
    for name, found in (*counts.items(), ("all", sum(counts.values(), Counter()))):
        if name != "all" or len(counts) > 1:
            print(f"{name}: of {found.total()} trials {found[RIGHT]} right, {found[TOLD]} told, {found[WRONG]} wrong")


def tried_on(name: str, options: argparse.Namespace) -> Counter[str]:
    """Print each deletion on a machine that fails; returns how many came to what."""
    description = read_description(name)
    if options.host:
        ablation = Ablation(Handle(name), read_suite(options.programs), level=1)
        trial = partial(tried_in_host_code, ablation)
    else:
        machine = build(description)
        trial = partial(tried, description, {source: outcome(machine, source) for source in options.programs})
    counts: Counter[str] = Counter()
    for edits in trials(description, options):
        result, said = trial(edits, options.check)
        counts[result] += 1
        if result != RIGHT:
            gone = ", ".join(f"{edit.kind} {edit.name}" for edit in edits)
            print(f"{name} without {gone}: {result}: {said}", flush=True)
    return counts


if __name__ == "__main__":
    main()
