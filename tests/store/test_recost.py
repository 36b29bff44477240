"""A kept run with other latencies equals a rerun, or is refused."""

import pytest

import ease
from ease.commands.easecc import main as easecc
from ease.commands.runs.recost_command import main
from ease.reports.report import percent

TEXT = """
int a[16];
int main(int count, char **words)
{
    int s = 0;
    for (int i = 0; i < 50; i++) {
        a[i & 15] += i * s;
        s += a[i & 7] * count;
    }
    return s & 63;
}
"""


@pytest.fixture
def kept(tmp_path, monkeypatch, capfd):
    """A store with a run of the program."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prog.c").write_text(TEXT)
    easecc(["-m", "riscv32", "-timing", "-save", "prog.c", "--", "x"])
    capfd.readouterr()
    return tmp_path


def test_a_recosted_run_equals_a_rerun(kept, capfd):
    change = "instructions.MUL.latency=9"
    assert main(["-1", "--set", change]) == 0
    out = capfd.readouterr().out
    again = ease.measure("prog.c", args=["x"], set=[change])
    before = ease.load(-1)
    assert again.cycles != before.cycles
    (row,) = (line for line in out.splitlines() if line.startswith("cycles"))
    assert f"{before.cycles:,}" in row
    assert f"{again.cycles:,}" in row
    assert main(["-1", "--set", change, "-show", "cycles"]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert len(shown) > 5
    assert shown[3:] == again.report("cycles").splitlines()[3:]


CACHES = "I:1k,16,2+D:256,32,1"


def test_caches_of_a_sweep_equal_a_rerun(kept, capfd):
    easecc(["-m", "riscv32", "-cache", "sweep+size:256-1k", "-save", "prog.c", "--", "x"])
    easecc(["-m", "riscv32", "-cache", CACHES, "-save", "prog.c", "--", "x"])
    capfd.readouterr()
    assert main(["-2", "-cache", CACHES]) == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines()[3:]]
    caches = ease.load(-1).measurement.memory.results.caches
    numbers = [(found.cache.name, found.accesses.total, found.misses.total) for found in caches]
    assert rows == [[name, f"{all_:,}", f"{misses:,}", percent(all_ - misses, all_)] for name, all_, misses in numbers]
    for run, system, message in (
        ("-1", CACHES, "has no stack distances: measure with -cache sweep"),
        ("-2", "I:2k,16,1", "I is none of the caches of the sweep: sweep"),
        ("-2", "D:256,16,2,fifo", "LRU caches that allocate"),
        ("-2", "D:256,16,2+L2:1k,16,2", "first level only"),
        ("-2", "D:256,16,2+switch:100i", "other context switches"),
        ("-2", "D:256,x", "column 3: error: expected SIZE,LINE,WAYS"),
    ):
        assert main([run, "-cache", system]) == 1
        assert message in capfd.readouterr().err
    with pytest.raises(SystemExit):
        main(["-2"])


def test_what_changes_the_code_is_refused(kept, capfd):
    assert main(["-1", "--set", "registers.r.count=16"]) == 1
    err = capfd.readouterr().err
    assert "the compiler makes other code" in err
    assert "--set registers.r.count=16" in err


def test_a_changed_source_is_refused(kept, capfd):
    (kept / "prog.c").write_text(TEXT.replace("50", "51"))
    assert main(["-1", "--set", "instructions.MUL.latency=9"]) == 1
    assert "the source has changed" in capfd.readouterr().err
