"""Random functions on small machines do the same before and after each phase, and the verifier accepts them.

Phases that are wrong on purpose are found out by the same functions (`wrong_phases.py`).

EASE_RANDOM_FUNCTIONS=N tries N functions a machine, other ones each time; without it they are few and always the same.
"""

from __future__ import annotations

import os

import pytest
from clobbering import interpret_clobbering
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_machines import SMALL, functions
from run_function import changed_while_wanted
from wrong_phases import WRONG

from tests.covering import some
from tests.kept_machines import load
from vpo.analysis.verify import verify
from vpo.link.link import link
from vpo.opt import driver
from vpo.opt.driver import FINISH, PHASES, REACHES, Options, run_phases
from vpo.text import parse_unit, print_function, print_unit

MORE = int(os.environ.get("EASE_RANDOM_FUNCTIONS", "0"))
BEFORE = ("control", "thread-jumps", "join-tests", "combine", "dead", "rotate-loops", "split-edges", "unroll",
          "sink-increments", "split-ranges")  # fmt: skip
SSA = ("extensions", "constants", "gvn", "pre", "dead", "motion", "store-motion", "join-loads", "permute-bits", "selects",
       "strength", "final-values", "count-down", "share-addresses", "fold-addresses", "sink", "advance-steps", "defer-steps",
       "narrow", "factor", "join-stores", "cover", "find-operators")  # fmt: skip


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """The small machines."""
    folder, found = tmp_path_factory.mktemp("machines"), []
    for number, small in enumerate(SMALL):
        path = folder / f"small{number}.yaml"
        path.write_text(small.description())
        found.append(load(str(path)))
    return found


def run(text, machine):
    """Return what a unit does: its output, which is memory at the end, and its exit status."""
    unit, _ = parse_unit(text)
    result = interpret_clobbering(link([unit], machine), limit=5_000)
    assert result.fault is None, str(result.fault)
    return result.output, result.exit_status


def check(text, machine, names):
    """Run the phases one by one, from text to text, and the program after each."""
    header = f'machine "{machine.name}" cells ' + " ".join(f"{k}={v}" for k, v in machine.cells.items()) + "\n"
    text = header + text
    unit, _ = parse_unit(text)
    assert [verify(function, machine) for function in unit.functions] == [[], []]
    expected = run(text, machine)
    for name in names:
        unit, _ = parse_unit(text)
        for function in unit.functions:
            run_phases(function, machine, Options(phases=(name,), check=True))
            assert changed_while_wanted(function, machine) == [], (name, text, print_function(function))
        before, text = text, print_unit(unit, machine.cells)
        if text != before:
            assert run(text, machine) == expected, (name, before, text)


def test_every_phase_is_tried():
    assert {"ssa", *SSA, "unssa"} == {name for name, phase in PHASES.items() if phase.ssa}
    assert {*BEFORE, "ssa", *SSA, "unssa", "hoist-moves", "push-arguments", "cross-jump", *FINISH, *REACHES} == set(PHASES)


def on_random_functions(number, action, count=1, **options):
    """Do something with the text of random functions for a small machine, always the same, and a list of phases."""

    @settings(
        max_examples=MORE or count, derandomize=not MORE, database=None, deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], **options,
    )  # fmt: skip
    @given(functions(SMALL[number]), st.lists(st.sampled_from(BEFORE), max_size=8))
    def holds(text, phases):
        action(text, phases)

    holds()


@pytest.mark.parametrize("number", some(range(len(SMALL)), 2, first=2))
def test_phases_on_ssa_form_keep_the_meaning(machines, number):
    @settings(
        max_examples=MORE or 1, derandomize=not MORE, database=None, deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )  # fmt: skip
    @given(functions(SMALL[number]), st.lists(st.sampled_from(BEFORE), max_size=6), st.lists(st.sampled_from(SSA), max_size=8))
    def holds(text, before, phases):
        ssa = ("split-edges", "ssa", *phases, "unssa", "hoist-moves", "control")
        check(text, machines[number], (*before, *ssa, *FINISH))

    holds()


@pytest.mark.parametrize("number", some(range(len(SMALL)), 2))
def test_phases_keep_the_meaning(machines, number):
    on_random_functions(number, lambda text, phases: check(text, machines[number], (*phases, *FINISH)))


@pytest.fixture(scope="module")
def random_texts():
    """The random functions for each small machine."""
    texts = {}
    for number in range(len(SMALL)):
        found = texts[number] = []
        on_random_functions(number, lambda text, phases, found=found: found.append(text), 3, phases=[Phase.generate])
    return texts


def is_found_out(text, machine):
    """Whether running a wrong phase over a random function shows that it is wrong."""
    try:
        check(text, machine, ("wrong",))
    except (AssertionError, driver.PhaseError):
        return True
    return False


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_phases_are_found_out(machines, random_texts, monkeypatch, wrong):
    monkeypatch.setitem(PHASES, "wrong", driver.Phase("wrong", wrong))
    assert any(is_found_out(text, machines[number]) for number, texts in random_texts.items() for text in texts)
