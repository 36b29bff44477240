"""Phases on small functions: each file beside this one has its input and, behind `;; ---- expect`, its exact output.

The first line of a file is `;; run: MACHINE PHASE[,PHASE...] [K=V...]`, with changes of the description; the next comment
says what is promised.  `legalize` is no phase: the input are effects that need not be instructions, the output
is what the legalizer makes of them.  `pytest --bless` rewrites the outputs.
"""

from functools import cache
from pathlib import Path

import pytest
from run_function import ENVIRONMENTS, changed_while_wanted, define, hands_out_slots, outcome

from tests.kept_machines import load
from vpo.analysis.verify import verify
from vpo.base.errors import CannotExpress
from vpo.build.sampled_runs import surroundings
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.driver import PHASES, Options, run_phases
from vpo.rtl.function import Function
from vpo.text import parse_function, print_function

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.rtl"))
MARK = ";; ---- expect\n"
PARTS = ("callsaves", "entry", "interlock", "legalize", "placement", "recast", "windows")  # of phases, with files of their own
LEAST = 5  # files a phase


@cache
def machine_of(name: str, settings: tuple[str, ...]) -> Machine:
    return load(name, settings)


def first_line(path: Path) -> list[str]:
    """Return machine, phases and settings, which the first line of a file names."""
    with path.open() as file:
        run = file.readline()
    assert run.startswith(";; run: "), f"{path}: the first line says what to run"
    return run.removeprefix(";; run: ").split()


@pytest.mark.parametrize("name", [*PHASES, *PARTS])
def test_enough_files(name):
    """Every phase has files in a folder of its name, and they run it; so do the parts of phases that have folders."""
    runs = [first_line(path)[1].split(",") for path in (FOLDER / name).glob("*.rtl")]
    assert len(runs) >= LEAST
    assert name not in PHASES or all(name in phases for phases in runs)


def legalize(function: Function, machine: Machine) -> None:
    """Replace what is no instruction by what the legalizer makes of it."""
    for block in function.blocks:
        code = Legalizer(machine, function)
        for rtl in block.rtls:
            code.line, code.cause = rtl.lines[0], rtl.cause
            if machine.is_legal(rtl.effects):
                code.out.append(rtl)
            else:
                code.emit(rtl.effects[0])
        block.rtls = code.out


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_phase(path, request):
    head, _, expected = path.read_text().partition(MARK)
    promise = head.splitlines()[1]
    assert promise.startswith(";; "), "the second line says what is promised"
    name, phases, *settings = first_line(path)
    machine = machine_of(name, tuple(settings))
    function = parse_function(head, machine.cells)
    harmed = changed_while_wanted(function, machine) if phases != "legalize" else []
    if phases == "legalize":
        legalize(function, machine)
    else:
        assert verify(function, machine) == []
        run_phases(function, machine, Options(phases=tuple(phases.split(",")), check=True))
    assert verify(function, machine) == []
    assert harmed or changed_while_wanted(function, machine) == []
    output = print_function(function)
    assert print_function(parse_function(output, machine.cells)) == output
    if request.config.getoption("--bless"):
        path.write_text(head + MARK + output)
    assert output == expected or request.config.getoption("--bless")


def runs(path):
    """Whether a file has a function that can be given values for the registers that it reads: liveness knows no phis."""
    return first_line(path)[1] != "legalize" and "stage ssa" not in path.read_text().partition(MARK)[0]


@pytest.mark.parametrize("path", list(filter(runs, FILES)), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_same_outcome(path):
    """In the first environment in which the input returns, the output leaves the same in memory."""
    text = path.read_text().partition(MARK)[0]
    name, phases, *settings = first_line(path)
    machine = machine_of(name, tuple(settings))
    for environment in ENVIRONMENTS:
        before, after = (parse_function(text, machine.cells) for _ in range(2))
        try:
            for function in (before, after):
                define(function, machine, environment)
            around = surroundings(before, machine, ["_.area"])
        except CannotExpress:
            continue  # a register that no move sets
        expected = outcome(before, machine, around, environment)
        if expected is not None and not hands_out_slots(before):
            run_phases(after, machine, Options(phases=tuple(phases.split(",")), check=True))
            assert outcome(after, machine, around, environment) == expected
            return
