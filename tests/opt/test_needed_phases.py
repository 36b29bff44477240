"""Phases that correct code needs: what they improve besides is counted and can be refused, and the code works without."""

from functools import cache
from pathlib import Path

import pytest

from tests.kept_machines import load
from vpo.analysis.verify import verify
from vpo.base.errors import CannotExpress
from vpo.opt.changes import Changes
from vpo.opt.driver import Options, run_phases
from vpo.rtl.function import Function
from vpo.text import parse_function, print_function

FOLDER = Path(__file__).parent
NEEDED = ("frame", "register-stack", "delay", "span")
# a file whose function the phase improves, for each kind of improvement
IMPROVING = (
    "frame/block_saves.rtl",
    "frame/pushes.rtl",
    "frame/pushes_beyond_locals.rtl",
    "entry/shrink_wrap.rtl",
    "windows/frame.rtl",
    "delay/fills_or_pads.rtl",
    "delay/annuls.rtl",
    "delay/from_the_target.rtl",
    "delay/from_behind.rtl",
    "interlock/separates.rtl",
)


def run(path: Path, limit: int | None) -> tuple[Function, int]:
    """Run the phases that a file names over its function, improving it so many times at most."""
    text = path.read_text().partition(";; ---- expect\n")[0]
    name, phases, *settings = text.splitlines()[0].removeprefix(";; run: ").split()
    machine = machine_of(name, tuple(settings))
    function = parse_function(text, machine.cells)
    changes = Changes(limit)
    run_phases(function, machine, Options(phases=tuple(phases.split(",")), check=True, changes=changes))
    assert verify(function, machine) == []
    return function, changes.made


@cache
def machine_of(name, settings):
    return load(name, settings)


@pytest.mark.parametrize("name", IMPROVING)
def test_improvements_are_numbered_and_can_be_refused(name):
    improved, changes = run(FOLDER / name, None)
    assert changes > 0
    texts = [print_function(run(FOLDER / name, limit)[0]) for limit in range(changes + 1)]
    assert len(set(texts)) == len(texts)
    assert texts[-1] == print_function(improved)


@pytest.mark.parametrize("phase", NEEDED)
def test_code_is_complete_without_any_improvement(phase):
    """The verifier accepts it, with the right stage (`run` asks it)."""
    for path in sorted((FOLDER / phase).glob("*.rtl")):
        try:
            expected = run(path, None)[0].stage
        except CannotExpress:
            continue
        function, changes = run(path, 0)
        assert (function.stage, changes) == (expected, 0)
