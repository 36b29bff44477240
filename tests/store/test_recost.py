"""A kept run with other latencies equals a rerun, or is refused."""

import pytest

import ease
from ease.commands.easecc import main as easecc
from ease.commands.recost_command import main

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


def test_what_changes_the_code_is_refused(kept, capfd):
    assert main(["-1", "--set", "registers.r.count=16"]) == 1
    err = capfd.readouterr().err
    assert "the compiler makes other code" in err
    assert "--set registers.r.count=16" in err


def test_a_changed_source_is_refused(kept, capfd):
    (kept / "prog.c").write_text(TEXT.replace("50", "51"))
    assert main(["-1", "--set", "instructions.MUL.latency=9"]) == 1
    assert "the source has changed" in capfd.readouterr().err
