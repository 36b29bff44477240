"""A run can be looked at while it goes on: counts grow, and are never more than the run comes to."""

import io
from itertools import pairwise

import pytest

from cache_sim import load as load_caches
from ease.host.process import run as host_run
from ease.model.results import Counts
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run, measured_run, observed_run
from ease.run.observers import MEMORY
from ease.run.progress import Progress, ProgressLine, Snapshot
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """
static int cells[4096];
static unsigned walk(unsigned n) { unsigned s = 0, i; for (i = 0; i < n; i++) s ^= cells[i * 7 % 4096] += i; return s; }
int main(int argc, char **argv)
{
    unsigned s = 0, i;
    for (i = 0; i < (argc > 1 ? 40000 : 150000); i++)
        s += walk(5000);
    return s & 1;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    source = tmp_path_factory.mktemp("progress") / "walk.c"
    source.write_text(SOURCE)
    return Compiler(load("riscv32"), Settings(level=2)).program([str(source)])


def test_counts_grow_to_those_of_the_run(program, monkeypatch):
    monkeypatch.setattr(host_run, "LOOKS", 0.05)
    seen: list[Snapshot] = []
    _, counts = counted_run(program, progress=Progress(seen.append))
    totals = [sum(snapshot.executed().values()) for snapshot in seen]
    whole = sum(map(sum, counts.rtls.values()))
    assert totals
    assert all(before <= after for before, after in pairwise([*totals, whole]))
    assert totals[-1] > whole // 10
    assert counted_run(program)[1].rtls == counts.rtls


def test_misses_are_told_with_caches(program, monkeypatch):
    monkeypatch.setattr(host_run, "LOOKS", 0.05)
    seen: list[Snapshot] = []
    wanted = MeasureOptions(load_caches("D:1k,16,2"))
    results = observed_run(program, ["walk", "short"], wanted, progress=Progress(seen.append))[1].found[MEMORY]
    assert seen
    assert seen[-1].memory["D"].misses.total <= results["D"].misses.total
    assert seen[-1].memory["D"].miss_ratio == pytest.approx(results["D"].miss_ratio, rel=0.05)


def test_mistakes_are_told_with_predictors(program, monkeypatch):
    monkeypatch.setattr(host_run, "LOOKS", 0.05)
    seen: list[Snapshot] = []
    found = measured_run(
        program, ["walk", "short"], MeasureOptions(predict="not-taken+gshare:64"), progress=Progress(seen.append)
    )[1].prediction
    assert seen
    whole = sum(site.executed for site in found.sites.values() if site.kind == "branch")
    for place, name in enumerate(found.predictors):
        wrong = sum(site.mispredicted[place] for site in found.sites.values())
        assert seen[-1].mistakes()[name] == pytest.approx(100 * wrong / whole, abs=3)
    stream = io.StringIO()
    ProgressLine(stream, terminal=False)(seen[-1])
    assert "% mispredicted" in stream.getvalue()


def test_the_line_tells_speed_and_the_busiest_function():
    stream = io.StringIO()
    line = ProgressLine(stream, terminal=True)
    line(Snapshot(1.0, Counts({"_main": [5, 5], "_walk": [1_000_000]}, {}, {})))
    line(Snapshot(2.0, Counts({"_main": [2_000_000, 5], "_walk": [1_500_000]}, {}, {})))
    line.end()
    first, second, *rest = [part.partition("\x1b7")[2] for part in stream.getvalue().split("\x1b[J")]
    assert first == "1 s  1,000,010 instructions  1 million/s  in walk"
    assert second == "2 s  3,500,005 instructions  2 million/s  in main"
    assert rest == ["", ""]
