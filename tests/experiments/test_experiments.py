"""`ease experiment`: tables and JSON of small runs, and what they must say."""

import argparse
import json

import pytest

from cache_sim.parse import load as load_system
from cache_sim.results import CacheResults, Kinds, Results
from ease.host.process.job import RunOptions
from ease.lab.experiments import paper_tables
from ease.lab.experiments.experiment import Outcome, Variant, have_cycles, total
from ease.lab.experiments.paper_tables import mechanisms
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from ease.start import ease
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.machines.calling_convention import METHODS

SOURCE = """
int putchar(int);
static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
int main(int argc, char **argv) { int n = argv[1][0] - '0', r = f(n); while (r) { putchar('0' + r % 10); r /= 10; } return 0; }
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "fib.c"
    path.write_text(SOURCE)
    return f"{path} 9"


def experiment(monkeypatch, capfd, *words):
    """Run the command; returns its exit status, output and messages."""
    monkeypatch.setattr("sys.argv", ["ease", "experiment", words[0], "-O1", *words[1:]])
    try:
        status = ease()
    except SystemExit as stop:
        status = stop.code
    output = capfd.readouterr()
    return status, output.out, output.err


def test_references_side_by_side(monkeypatch, capfd, program):
    status, output, _ = experiment(monkeypatch, capfd, "references", "-q", "-j1", "-m", "riscv32,vax", program)
    assert status == 0
    assert output.startswith("At -O1\n")
    head, first, second = output.splitlines()[4:]
    assert head.split() == ["machine", "variables", "%", "arguments", "%", "save/restore", "%", "linkage", "%", "total"]
    assert (first.split()[0], second.split()[0]) == ("riscv32", "vax")
    numbers = [int(cell.replace(",", "")) for cell in second.split()[1::2]]
    assert sum(numbers[:4]) == numbers[4]
    assert numbers[3] > numbers[4] / 4  # calls that push so much
    assert numbers[1] > numbers[4] / 20  # what is passed is none of it


def test_machines_relative_to_the_first(monkeypatch, capfd, program):
    status, output, _ = experiment(monkeypatch, capfd, "machines", "-q", "-j1", "-m", "riscv32,m68020", program)
    assert status == 0
    rows = [line.split() for line in output.splitlines()]
    assert rows[4][-4:] == ["cycles", "ratio", "calls", "%"]
    linked = Compiler(load("m68020"), Settings()).program([program.split()[0]])
    measured = measure(linked, ["fib", "9"], MeasureOptions(timing=True), RunOptions(capture=True))
    assert next(row for row in rows if row[:1] == ["m68020"])[-3] == f"{measured.timing.total:,}"
    assert ["fib", "1.000"] in [row[:2] for row in rows]
    assert next(row for row in rows if row[:1] == ["riscv32"])[2] == "1.000"


def test_what_is_not_the_same_program_is_told(monkeypatch, capfd, tmp_path):
    (tmp_path / "size.c").write_text("int main(void) { return sizeof(long); }")
    words = ["machines", "-q", "-j1", "-m", "riscv32", "-m", "riscv64", str(tmp_path / "size.c")]
    status, output, errors = experiment(monkeypatch, capfd, *words)
    assert status == 1
    assert "size does not write the same, or does not end alike, everywhere" in errors
    assert {"riscv32", "riscv64"} <= {*output.split()}


@pytest.mark.thorough
def test_registers_marks_the_best(monkeypatch, capfd, program, tmp_path):
    file = tmp_path / "out.json"
    words = ["registers", "-q", "-j1", "-m", "vax", "--allocable", "14", "--scratch", "2,3", "--json", str(file), program]
    status, output, _ = experiment(monkeypatch, capfd, *words)
    assert status == 0
    entries = json.loads(file.read_text())["registers"]["vax"]
    assert [(e["allocable"], e["scratch"]) for e in entries] == [(14, 2), (14, 3)]
    best = [line.split()[:2] for line in output.splitlines() if " best " in line]
    least = min((e["memory_references"], str(e["scratch"])) for e in entries)
    assert ["14", least[1]] in best


@pytest.mark.thorough  # docs/papers.md has as much
def test_save_restore_methods_and_mechanisms(monkeypatch, capfd, program):
    status, output, _ = experiment(monkeypatch, capfd, "save-restore", "-q", "-j1", "-m", "riscv32", "--json", "-", program)
    assert status == 0
    result = json.loads(output)["save-restore"]["riscv32"]
    assert result["methods"]["caller-flow"]["memory_references"] <= result["methods"]["caller"]["memory_references"]
    assert all(method["cycles"] > method["instructions"] for method in result["methods"].values())
    mask, special, single = (result["mechanisms"][name] for name in ("mask", "special", "load/store"))
    assert mask["instructions"] < special["instructions"] <= single["instructions"]
    assert special["memory_references"] == single["memory_references"]
    assert mask["memory_references"] - single["memory_references"] == 2 * result["methods"]["caller"]["calls"]


def test_methods_of_several_machines_stand_side_by_side():
    def outcome(factor):
        return {"program": Outcome(1000 * factor, {"all": 100 * factor}, {}, 50 * factor)}

    options = argparse.Namespace(machines=["one", "two"], set=[], method="caller")
    factors = {"one": range(4, 10), "two": range(9, 3, -1)}
    results = {
        Variant(machine, (f"calls.save={method}",)): outcome(factor)
        for machine, numbers in factors.items()
        for method, factor in zip(METHODS, numbers, strict=True)
    }
    results |= {Variant(m, ("calls.save=caller", "calls.save_with=single")): outcome(1) for m in factors}
    first = paper_tables.SAVE_RESTORE.tables(options, results)[0]
    assert first.rows[0] == ["measure", "method", "one", "two"]
    assert first.rows[2] == ["", METHODS[1], "1.250", "0.889"]
    assert [row[0] for row in first.rows if row[0]] == ["measure", "instructions", "references", "bytes"]
    assert first.note == f"one: fewest references with {METHODS[0]}; two: fewest references with {METHODS[-1]}"


def test_cycles_add_up_if_all_are_known():
    three, four, unknown = Outcome(cycles=3), Outcome(cycles=4), Outcome()
    assert total({"a": three, "b": four}).cycles == 7
    assert total({"a": three, "b": unknown}).cycles is None
    assert have_cycles([three, four])
    assert not have_cycles([three, unknown])


def test_mechanisms_as_the_paper_counts_them():
    """Table III: 2,952,346 calls, 4,955,742 saves and restores at 2,366,328 places."""
    run = Outcome(113_543_904, {"all": 79_071_798}, {}, 0, 2_952_346, 4_955_742, 2_366_328)
    assert mechanisms(run) == {
        "mask": (108_588_162, 84_976_490),
        "special": (110_954_490, 79_071_798),
        "load/store": (113_543_904, 79_071_798),
    }


def test_errors_come_first(monkeypatch, capfd, program, tmp_path):
    status, output, errors = experiment(monkeypatch, capfd, "machines", "-m", "riscv32,nosuch", program)
    assert (status, output) == (1, "")
    assert "nosuch" in errors
    bad = tmp_path / "bad.json"
    bad.write_text("[1]")
    status, _, errors = experiment(monkeypatch, capfd, "machines", "-m", "riscv32", str(bad))
    assert status == 1
    assert "a suite is" in errors
    status, _, errors = experiment(monkeypatch, capfd, "registers", "-m", "riscv32", "--allocable", "x", program)
    assert status == 2
    assert "expected numbers" in errors


@pytest.mark.thorough
def test_caches_of_machines_side_by_side(monkeypatch, capfd, program):
    systems = ["--cache", "I:256..512,16,1..2", "--cache", "D:256,16,1+switch:500"]
    words = ["caches", "-q", "-j1", "-m", "riscv32", "--json", "-", *systems, program]
    status, output, _ = experiment(monkeypatch, capfd, *words)
    found = json.loads(output)["caches"]["riscv32"]
    assert status == 0
    assert list(found) == ["I:256,16,1", "I:256,16,2", "I:512,16,1", "I:512,16,2", "D:256,16,1+switch:500"]
    accesses = {spec: found[spec]["fib"]["caches"]["I"]["accesses"]["fetch"] for spec in list(found)[:4]}
    assert len(set(accesses.values())) == 1
    assert found["D:256,16,1+switch:500"]["fib"]["switches"] > 0


def outcome(machine, spec, misses):
    """Make up what a run of 1000 fetches did."""
    cache = load_system(spec).instruction
    results = Results(load_system(spec), 1000, Kinds(1000), (CacheResults(cache, Kinds(1000), Kinds(misses)),))
    return Variant(machine, (), spec), {"prog": Outcome(1000, simulated=results), "other": Outcome(1000, simulated=results)}


def test_tables_of_caches():
    made = {("a", 1024, 1): 100, ("a", 1024, 2): 80, ("a", 2048, 1): 60, ("a", 2048, 2): 50}
    made |= {("b", size, ways): misses // 2 for (_, size, ways), misses in made.items()}
    results = dict(outcome(m, f"I:{size // 1024}k,16,{ways}", misses) for (m, size, ways), misses in made.items())
    options = argparse.Namespace(machines=["a", "b"], caches=["I:1k..2k,16,1..2"], set=[], noise=0)
    assert list(paper_tables.cache_variants(options)) == list(results)
    tables = {table.title: [list(row) for row in table.rows] for table in paper_tables.cache_tables(options, results)}
    assert tables["Hit ratios of I by size and ways, a"] == [
        ["size", "1 way", "2 ways"], ["1k", "90.00", "92.00"], ["2k", "94.00", "95.00"],
    ]  # fmt: skip
    assert tables["Memory systems, b"][1] == ["I:1k,16,1", "I", "2,000", "100", "95.00", "50.000", "2,900", "1.450"]
    assert tables["Hit ratios by program, a"][1] == ["I:1k,16,1", "I", "90.00", "90.00"]
    side = tables["Fetch cost in units of work, relative to the first machine"]
    assert side[1] == ["I:1k,16,1", "3,800", "1.000", "2,900", "0.763"]


def test_bands_of_placements():
    options = argparse.Namespace(machines=["a"], caches=["I:1k,16,1"], set=[], noise=3)
    variants = paper_tables.cache_variants(options)
    assert [variant.placed for variant in variants] == [0, 1, 2, 3]
    results = {v: outcome("a", "I:1k,16,1", misses)[1] for v, misses in zip(variants, (30, 20, 70, 40), strict=True)}
    tables = {table.title: [list(row) for row in table.rows] for table in paper_tables.cache_tables(options, results)}
    assert tables["Memory systems, a"][1][3] == "60"  # of two programs
    assert tables["What placement changes, a"][1:] == [["I:1k,16,1", "I", "60", "40", "60", "140", "3.500"]]


def test_placements_are_measured(monkeypatch, capfd, program):
    words = ["caches", "-q", "-j1", "-m", "riscv32", "--json", "-", "--cache", "I:256,16,1", "--noise", "2", program]
    status, output, _ = experiment(monkeypatch, capfd, *words)
    assert status == 0
    found = json.loads(output)["caches"]["riscv32"]["I:256,16,1"]["fib"]
    assert len(found["other_placements"]) == 2
    assert {misses["I"]["fetch"] for misses in found["other_placements"]} != {found["caches"]["I"]["misses"]["fetch"]}


@pytest.mark.parametrize(
    ("spec", "why"), [("I:1k..3k,16,1", "power of two"), ("I:2k..1k,16,1", "power of two"), ("X:1", "expected")]
)
def test_memory_systems_that_cannot_be(monkeypatch, capfd, program, spec, why):
    status, _, errors = experiment(monkeypatch, capfd, "caches", "-m", "riscv32", "--cache", spec, program)
    assert status == 1
    assert why in errors
