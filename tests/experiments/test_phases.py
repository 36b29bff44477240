"""`-without` and `ease experiment phases`: what a phase is worth."""

import json

import pytest

from ease.start import ease, easecc
from tests.covering import case
from vpo.opt.driver import LEVELS, PHASES, check_phases, optional_phases, without
from vpo.opt.phase_list import PhaseListError, phase_names

SOURCE = """
static int sum(int *a, int n, int k) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * (k * k + 3); return s; }
int main(int argc, char **argv) { int a[9]; for (int i = 0; i < 9; i++) a[i] = i; return sum(a, 9, argc); }
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "sum.c"
    path.write_text(SOURCE)
    return str(path)


def told(monkeypatch, capfd, command, *words):
    """Run a command; returns its exit status, output and messages."""
    monkeypatch.setattr("sys.argv", [command.__name__, *words])
    try:
        status = command()
    except SystemExit as stop:
        status = stop.code
    output = capfd.readouterr()
    return status, output.out, output.err


@pytest.mark.parametrize("level", LEVELS)
def test_each_phase_that_is_not_needed_can_be_left_out(level):
    for name in optional_phases(level):
        left = without(LEVELS[level], [name])
        check_phases(left)
        assert name not in phase_names(left)
        assert {*phase_names(LEVELS[level])} - {*phase_names(left)} <= {name, "ssa", "unssa"}


@pytest.mark.parametrize(
    "name", [case(name, usual=number % 12 == 0) for number, name in enumerate(optional_phases(2))]
)  # fmt: skip
def test_code_is_right_without_each_phase(monkeypatch, capfd, program, name):
    status, output, errors = told(monkeypatch, capfd, easecc, "-O2", "-without", name, program)
    assert (status, output, errors) == (144, "", "")


def test_a_phase_that_cannot_be_left_out_is_told(monkeypatch, capfd, program):
    assert "did you mean 'gvn'?" in told(monkeypatch, capfd, easecc, "-O2", "-without", "gvm", program)[2]
    assert "no phase 'gvn' runs" in told(monkeypatch, capfd, easecc, "-O0", "-without", "gvn", program)[2]
    assert "without assign there is no code" in told(monkeypatch, capfd, easecc, "-without", "assign", program)[2]
    words = ("experiment", "phases", "-m", "riscv32", "--only", "frame", program)
    assert "-O2 can leave out no phase 'frame'" in told(monkeypatch, capfd, ease, *words)[2]
    with pytest.raises(PhaseListError):
        without(LEVELS[2], [next(name for name in PHASES if PHASES[name].needed)])


def test_the_worth_of_phases(monkeypatch, capfd, program, tmp_path):
    words = ("-q", "-j1", "-m", "riscv32", "--only", "motion,gvn", program)
    status, output, errors = told(monkeypatch, capfd, ease, "experiment", "phases", *words)
    assert (status, errors) == (0, "")
    rows = {cells[0]: cells for cells in map(str.split, output.splitlines()) if cells}
    assert float(rows["gvn"][1]) > 0
    assert rows["gvn"][5] == "1"
    told(monkeypatch, capfd, ease, "experiment", "phases", "--json", str(tmp_path / "p.json"), *words)
    found = json.loads((tmp_path / "p.json").read_text())["phases"]["riscv32"]
    more = found["gvn"]["sum"]["instructions"] / found[""]["sum"]["instructions"] - 1
    assert f"{100 * more:+.2f}" == rows["gvn"][1]
