"""Phases on small functions: each file beside this one has its input and, behind `;; ---- expect`, its exact output.

The first line of a file is `;; run: MACHINE PHASE[,PHASE...] [K=V...]`, with changes of the description; the next comment
says what is promised.  `pytest --bless` rewrites the outputs.
"""

from pathlib import Path

import pytest

from vpo.machines.load import load
from vpo.opt.driver import Options, run_phases
from vpo.text import parse_function, print_function
from vpo.verify import verify

FILES = sorted(Path(__file__).parent.rglob("*.rtl"))
MARK = ";; ---- expect\n"


def test_files_were_found():
    assert len(FILES) >= 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_phase(path, request):
    text = path.read_text()
    head, _, expected = text.partition(MARK)
    run = head.splitlines()[0]
    assert run.startswith(";; run: "), "the first line says what to run"
    name, phases, *settings = run.removeprefix(";; run: ").split()
    machine = load(name, settings)
    function = parse_function(head, machine.cells)
    assert verify(function, machine) == []
    run_phases(function, machine, Options(phases=tuple(phases.split(",")), check=True))
    output = print_function(function)
    assert print_function(parse_function(output, machine.cells)) == output
    if request.config.getoption("--bless"):
        path.write_text(head + MARK + output)
    assert output == expected or request.config.getoption("--bless")
