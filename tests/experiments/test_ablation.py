"""`ease experiment ablation`: what parts are worth, and that code is compiled again wherever it may change."""

import json
import os
import subprocess
import sys

import pytest

from ease import Machine
from ease.lab.experiments import ablation as ablation_tables
from ease.lab.experiments.ablation import Ablation, Price, Variant, change, heat_map, instead, price_all, run
from ease.lab.experiments.instruction_search import smallest_loss
from ease.lab.experiments.suites import read_suite
from ease.reports.render import picture as drawn
from ease.start import ease
from vpo.machines.advice.edits import Edit

SOURCE = """
static int mask(int n) { return n & 1023; }
static int scale(int n) { return n * 100; }
double half(double x) { return x / 2; }
int main(int argc, char **argv) { return mask(argc + 1000) == scale(argc); }
"""


@pytest.fixture(scope="module")
def machine():
    return Machine("riscv32")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("ablation") / "prog.c"
    path.write_text(SOURCE)
    return str(path)


def test_what_cannot_change_is_not_run(machine, source, monkeypatch, tmp_path):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    ablation = Ablation(machine, read_suite([source]), 1)
    ran = list(ablation.runs)
    monkeypatch.setattr(ablation_tables, "run", lambda program, compiled: ran.append(program.name) or run(program, compiled))
    parts = {edit.name: edit for edit in machine.parts}
    assert ablation.priced((parts["FSQRT.D"],)).prices == ablation.whole.prices
    assert ran == ["prog"]
    assert ablation.priced((parts["ANDI"],)).prices != ablation.whole.prices
    assert ran == ["prog", "prog"]


def test_prices_are_found_by_other_processes(source):
    code = (
        "import sys; from ease.lab.experiments.ablation import Ablation; "
        "from ease.lab.experiments.suites import read_suite; "
        "from ease import Machine; "
        "print(Ablation(Machine('riscv32'), read_suite(sys.argv[1:]), 1).identity)"
    )
    found = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        told = subprocess.run([sys.executable, "-c", code, source], env=environment, check=True, capture_output=True)
        found.add(told.stdout)
    assert len(found) == 1


def test_prices_resume(machine, source, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    wanted = [(edit,) for edit in machine.parts if edit.name in ("ANDI", "ECALL")]
    told = []
    first = price_all(Ablation(machine, read_suite([source]), 1), wanted, 1, told.append)
    assert len(told) == 2
    second = price_all(Ablation(machine, read_suite([source]), 1), wanted, 1, told.append)
    assert len(told) == 2
    assert [v.prices for v in first] == [v.prices for v in second]
    assert first[0].total.executed.get("ANDI") is None
    assert "no system call" in first[1].reason


def ran(capfd, monkeypatch, *words):
    monkeypatch.setattr("sys.argv", ["ease", "experiment", "ablation", "-O1", *words])
    status = ease()
    return status, *capfd.readouterr()


def test_command(capfd, monkeypatch, source, tmp_path):
    words = ["-q", "-j1", "-m", "riscv32", "--only", "ANDI,ECALL", "--json", str(tmp_path / "a.json"), source]
    status, output, _ = ran(capfd, monkeypatch, *words)
    assert status == 0
    assert "What parts are worth" in output
    assert "it has no system call" in output
    found = json.loads((tmp_path / "a.json").read_text())["ablation"]
    assert [entry["without"][0]["name"] for entry in found["single"]] == ["ANDI", "ECALL"]
    assert found["single"][0]["programs"]["prog"]["cycles"] > 0


@pytest.mark.parametrize(("words", "why"), [(["-m", "riscv32,vax"], "one machine"), (["-m", "riscv32", "--only", "X"], "'X'")])
def test_mistakes_are_told(capfd, monkeypatch, source, words, why):
    status, _, errors = ran(capfd, monkeypatch, *words, source)
    assert status == 1
    assert why in errors


# ------------------------------------------------------------------------------------------------- what becomes of prices


def unchanged(description):
    del description


def variant(names, cycles, executed=None, reason=""):
    edits = tuple(Edit("instruction", name, unchanged) for name in names)
    return Variant(edits, {} if reason else {"p": Price(cycles, 1, 1, cycles, executed or {})}, reason)


WHOLE = variant("", 100, {"A": 5, "B": 5})


def test_tables_are_sorted_by_cost():
    singles = [variant("A", 105), variant("B", 120), variant("C", 100), variant("D", 0, reason="no jump")]
    costs, free, failed = ablation_tables.prices(singles, WHOLE)
    assert [row[1] for row in costs.rows[1:]] == ["B", "A"]
    assert free.rows[1:] == [["instruction", "C"]]
    assert failed.rows[1:] == [["instruction", "D", "no jump"]]


def test_what_takes_the_place():
    assert instead(variant("A", 110, {"B": 25, "C": 7}), WHOLE) == "B +20, C +7"


def test_heat_map_is_a_picture():
    picture = drawn(heat_map([variant("A", 150), variant("B", 90)], WHOLE))
    assert picture.count("<rect") == 3
    assert "+50.0" in picture
    assert "-10.0" in picture


class Made:
    """Prices of sets of A, B, C, D: A replaces B, and nothing goes without D."""

    whole = WHOLE

    def priced(self, edits):
        names = {edit.name for edit in edits}
        cycles = 100 + 3 * ("C" in names) + (50 if {"A", "B"} <= names else 1 if names & {"A", "B"} else 0)
        return variant([edit.name for edit in edits], cycles, reason="D" if "D" in names else "")

    known = priced
    runs = None


@pytest.mark.parametrize("few", [0, 200])
def test_small_sets(monkeypatch, few):
    monkeypatch.setattr("ease.lab.experiments.instruction_search.FEW", few)
    made = Made()
    singles = [made.priced(variant(name, 0).edits) for name in "ABCD"]
    steps, left = smallest_loss(made, singles, 2, 1, print)
    assert change(steps[-1], WHOLE, "cycles") == 0.04
    assert left in (["B", "D"], ["A", "D"])
    table = ablation_tables.kept(steps, WHOLE, left)
    assert [row[1] for row in table.rows[1:]] == [str(4 - len(step.edits)) for step in steps]
