"""Reports of memory systems: text, what sums to what, which reference is which, and that measurements add."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cache_sim.parse import load
from cache_sim.reference import Simulator
from ease.host.process.job import RunOptions
from ease.reports import REPORTS
from ease.reports.render import as_dictionary, as_text
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from tests.covering import case
from vpo.interpret.fast.interpreter import interpret

DOCUMENT = Path(__file__).parents[2] / "docs" / "report-format.md"
OURS = [name for name, report in REPORTS.items() if report.about == "memory"]
SPLIT = "I:256,16,1+D:128,16,2+L2:1k,32,2+DTLB:4x256,full+switch:1000+causes"
RUNS = [
    ("riscv32", 1, SPLIT),
    ("baseline", 1, "U:512,16,2,fifo,through"),
    ("vax", 1, SPLIT),
    ("m68020", 0, "D:64,16,1,noallocate"),
]


@pytest.fixture(scope="module")
def measured(small):
    """A function that measures small.c with a memory system, once."""
    made = {}

    def run(machine, level, system):
        key = machine, level, system
        if key not in made:
            made[key] = measure(
                small(machine, level), ["small"], MeasureOptions(load(system)), RunOptions(capture=True, tier="fast")
            )
        return made[key]

    return run


def added(parts, name):
    return sum(misses.get(name, 0) for misses in parts)


@pytest.mark.parametrize("run", [case(run, usual=run[0] in ("riscv32", "m68020")) for run in RUNS])
def test_every_part_sums_to_all_misses(measured, run):
    values = as_dictionary(measured(*run))["memory_system"]
    for name, cache in values["caches"].items():
        lines = [misses for of_file in values["lines"].values() for misses in of_file.values()]
        sites = [site["misses"] for site in values["sites"]]
        reasons = [reason["misses"] for reason in values["references_that_miss"]]
        whole = sum(cache["misses"].values())
        assert whole > 0
        for parts in (values["functions"].values(), lines, sites, reasons):
            assert added(parts, name) == whole
        for kind, misses in cache["misses"].items():
            assert sum(s["misses"][name] for s in values["sites"] if s["direction"] == kind) == misses or name == "L2"


@pytest.mark.parametrize("run", RUNS)
def test_tables_sum_to_their_last_row(measured, run):
    memory = measured(*run).memory
    for name in OURS:
        table = REPORTS[name].table(memory)
        for column, heading in enumerate(table.headings):
            if table.total and heading in (*(found.cache.name for found in memory.results.caches), "units of work"):
                numbers = [int(row[column].replace(",", "")) for row in table.rows]
                assert sum(numbers) == int(table.total[column].replace(",", "")), name


@pytest.mark.parametrize("run", RUNS[:2])
def test_results_are_the_plain_simulators(small, measured, run):
    plain = Simulator(load(run[2]))
    interpret(small(*run[:2]), ["small"], capture=True, observer=plain)
    memory = measured(*run).memory
    mine = {found.cache.name: (found.accesses, found.misses, found.causes) for found in memory.results.caches}
    expected = plain.results()
    assert mine == {found.cache.name: (found.accesses, found.misses, found.causes) for found in expected.caches}
    assert memory.results.work == expected.work


@pytest.mark.parametrize("run", RUNS)
def test_every_site_says_what_it_is(measured, run):
    for site, counts in measured(*run).memory.sites.items():
        assert site.kind.direction == "fetch" or (site.cell and site.kind.mode and site.kind.type)
        assert counts.executed > 0
        assert any(counts.misses)


def test_the_counts_are_those_without_caches(small, measured):
    run = RUNS[0]
    plain = measure(small(*run[:2]), ["small"], options=RunOptions(capture=True, tier="fast"))
    assert measured(*run).characteristics == plain.characteristics
    assert "memory_system" not in as_dictionary(plain)


def test_measurements_add(small, measured):
    one = measured(*RUNS[0])
    both = as_dictionary(one + one)["memory_system"]
    single = as_dictionary(one)["memory_system"]
    assert both["functions"]["main"]["I"] == 2 * single["functions"]["main"]["I"]
    assert len(both["sites"]) == len(single["sites"])
    with pytest.raises(ValueError, match="with and without"):
        one + measure(small("riscv32", 1), ["small"], options=RunOptions(capture=True, tier="fast"))


def test_text_has_every_report(measured):
    text = as_text(measured(*RUNS[0]))
    assert all(f"\n{REPORTS[name].title}\n" in text for name in OURS)
    assert REPORTS["miss-causes"].title + "\n" not in as_text(measured(*RUNS[1]))


def test_every_key_is_documented(measured):
    documented = re.findall(r"^\| `\.(\w+)`", DOCUMENT.read_text(), re.MULTILINE)
    assert documented == list(as_dictionary(measured(*RUNS[0]))["memory_system"])
