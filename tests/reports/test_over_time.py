"""Reports of misses over time: rows are the plain simulator's, the last is the whole run, and pictures are well formed."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cache_sim.config import ConfigurationError
from cache_sim.history import Recorder, parse_moments
from cache_sim.parse import load as load_system
from cache_sim.results import CacheResults, History, Kinds, Results
from ease.host.process.job import RunOptions
from ease.reports import REPORTS
from ease.reports.over_time import PLACES, ROWS, shown
from ease.reports.render import as_dictionary, as_text, render
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from vpo.interpret.fast.interpreter import interpret

DOCUMENT = Path(__file__).parents[2] / "docs" / "report-format.md"
SYSTEM = load_system("I:128,16,1+D:64,16,2+switch:100")


@pytest.fixture(scope="module")
def measured(small):
    return measure(small("riscv32", 1), ["small"], MeasureOptions(SYSTEM, moments=10), RunOptions(capture=True, tier="fast"))


def test_moments_are_the_plain_simulators(small, measured):
    plain = Recorder(SYSTEM, 10)
    interpret(small("riscv32", 1), ["small"], capture=True, observer=plain)
    values = as_dictionary(measured)["misses_over_time"]
    assert (values["every"], values["switches"]) == (10, None)
    assert len(values["moments"]) == len(plain.history().moments) > 5
    for found, wanted in zip(values["moments"], plain.history().moments, strict=True):
        assert found["instructions"] == wanted.instructions
        assert found["context_switches"] == wanted.switches
        for name, counts in found["caches"].items():
            assert counts["accesses"] == wanted[name].accesses.total
            assert sum(counts["misses"].values()) == wanted[name].misses.total
    assert measured.history.moments[-1] == measured.memory.results


def test_the_text_and_the_picture(measured):
    text = as_text(measured, ["misses-over-time"])
    assert "a moment each 10 instructions" in text
    assert text.count("\n") > 5
    picture = ElementTree.fromstring(render(measured, ".svg"))
    assert len(picture.findall("{*}g")) == 3


def made_up(moments):
    """Return a history in which every second interval of 100 instructions misses once."""
    system = load_system("I:1k,16,1")
    results = [
        Results(system, int(100 * n), caches=(CacheResults(system.caches[0], Kinds(int(100 * n)), Kinds(int(n // 2))),))
        for n in moments
    ]
    return History(100, 1, tuple(results))


def test_ratios_are_those_between_rows():
    table = REPORTS["misses-over-time"].table(made_up(range(1, 4)))
    assert [row[0] for row in table.rows] == ["100", "200", "300"]
    assert [row[-1] for row in table.rows] == ["100.00", "99.00", "100.00"]


@pytest.mark.parametrize("count", [1, 2, ROWS, ROWS + 1, PLACES + 1, 4096])
def test_long_histories_are_cut_short(count):
    history = made_up(range(1, count + 1))
    for most in (ROWS, PLACES):
        found = shown(history, most)
        assert found[-1] is history.moments[-1]
        assert min(count, most) / 2 <= len(found) <= most
    (panel,) = REPORTS["misses-over-time"].panels(history)
    assert len(panel.places) == len(panel.curves[0].values)
    assert 1 <= sum(map(bool, panel.places)) <= 12


def test_the_picture_is_to_scale():
    (panel,) = REPORTS["misses-over-time"].panels(made_up([1, 2, 3, 3.25]))
    assert panel.title.endswith("in each 100 instructions")
    starts_and_ends = panel.points(panel.curves[0])
    widths = [end[0] - start[0] for start, end in zip(starts_and_ends[::2], starts_and_ends[1::2], strict=True)]
    assert widths[3] == pytest.approx(widths[0] / 4, abs=0.2)
    assert widths[1] == pytest.approx(widths[0], abs=0.2)
    (panel,) = REPORTS["misses-over-time"].panels(made_up(range(1, PLACES + 2)))
    assert panel.title.endswith("in each 200 instructions")


def test_a_history_is_thinned():
    recorder = Recorder(load_system("I:64,16,1"), 10, most=4)
    for address in range(0, 4 * 95, 4):
        recorder.fetch(address, 4)
    history = recorder.history()
    assert history.stride == 4
    assert [results.instructions for results in history.moments] == [40, 80, 95]


@pytest.mark.parametrize("text", ["0", "-1", "x", "switch", "1.5"])
def test_moments_that_cannot_be(text):
    with pytest.raises(ConfigurationError):
        parse_moments(text, load_system("I:1k,16,1"))
    assert parse_moments("switch", SYSTEM) == 0


def test_every_key_is_documented(measured):
    documented = re.findall(r"^\| `misses_over_time\.(\w+)`", DOCUMENT.read_text(), re.MULTILINE)
    assert documented == list(as_dictionary(measured)["misses_over_time"])
