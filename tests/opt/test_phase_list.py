"""Lists of phases: what is read is written the same; groups are repeated until nothing changes, but not for ever."""

import pytest

from tests.kept_machines import load
from vpo.opt import driver
from vpo.opt.driver import LEVELS, ROUNDS, Options, Phase, check_phases, run_phases
from vpo.opt.phase_list import PhaseLog, Repeat, parse_phases, phase_names, show_phases
from vpo.text import parse_function

MACHINE = load("riscv32", [])
TEXT = """\
function _f file "f.c" line 1 stage pseudo {
L1:
\tr[t1]=r[10]+1; # program 1
\tr[t2]=r[t1]+1; # program 2
\tr[t3]=r[t2]+1; # program 3
\tPC=r[1],RT(); # linkage 5
}
"""


def test_groups():
    steps = parse_phases("control, (cse,(dead)*,combine)* ,span")
    assert steps == ("control", Repeat(("cse", Repeat(("dead",)), "combine")), "span")
    assert show_phases(steps) == "control,(cse,(dead)*,combine)*,span"
    assert [*phase_names(steps)] == ["control", "cse", "dead", "combine", "span"]


@pytest.mark.parametrize("level", LEVELS)
def test_levels_are_lists_that_make_correct_code(level):
    check_phases(LEVELS[level])
    assert parse_phases(show_phases(LEVELS[level])) == LEVELS[level]


def removes_the_last(state):
    """Remove one dead assignment."""
    block = state.function.blocks[0]
    if len(block.rtls) > 1:
        state.remove(block, len(block.rtls) - 2)


def runs(monkeypatch, phase, text):
    """Return the log of a list of phases in which `one` is a phase of the test."""
    monkeypatch.setitem(driver.PHASES, "one", Phase("one", phase))
    log = PhaseLog()
    run_phases(parse_function(TEXT, MACHINE.cells), MACHINE, Options(phases=parse_phases(text), check=True, log=log))
    return [(run.number, run.place, run.phase, run.changes, run.before, run.after) for run in log.runs]


def test_a_group_is_repeated_until_nothing_changes(monkeypatch):
    assert runs(monkeypatch, removes_the_last, "control,(one,control)*,dead") == [
        (1, 0, "control", 0, 4, 4),
        (2, 1, "one", 1, 4, 3), (3, 2, "control", 0, 3, 3),
        (4, 1, "one", 1, 3, 2), (5, 2, "control", 0, 2, 2),
        (6, 1, "one", 1, 2, 1), (7, 2, "control", 0, 1, 1),
        (8, 1, "one", 0, 1, 1), (9, 2, "control", 0, 1, 1),
        (10, 3, "dead", 0, 1, 1),
    ]  # fmt: skip


def changes_for_ever(state):
    """Write the first RTL anew."""
    block = state.function.blocks[0]
    state.replace(block, block.rtls[0], block.rtls[0].effects)


def test_a_group_that_always_changes_ends(monkeypatch):
    assert len(runs(monkeypatch, changes_for_ever, "(one)*,control")) == ROUNDS + 1
