"""Programs that are not small are compiled quickly first, and better once one is known to run long."""

import pytest

from ease.host.process import process as tiers
from ease.host.process.run import run

PROGRAM = "int main(int n, char **v) { return n + 4; }"


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch, tmp_path):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path))
    monkeypatch.setattr(tiers, "FULL_TIER_RTLS", 0)
    monkeypatch.setattr(tiers, "LARGE", 0)


def tiers_of_runs(program, times):
    """The tier of each run, None where the job is not to be repeated."""
    found = []
    for _ in range(times):
        result = run(program, ["program"])
        assert result.exit_status == 5
        found.append(result.job and result.job.tier)
    return found


def test_a_program_that_ran_long_is_compiled_better(programs, monkeypatch):
    monkeypatch.setattr(tiers, "WORTH_MORE", 0)
    assert tiers_of_runs(programs(PROGRAM, "riscv32"), 3) == [None, "fast", "fast"]


def test_a_program_that_ran_for_a_moment_is_not(programs):
    assert tiers_of_runs(programs(PROGRAM, "riscv32"), 2) == ["quick", "quick"]


def test_programs_are_told_apart(programs, monkeypatch):
    monkeypatch.setattr(tiers, "WORTH_MORE", 0)
    assert tiers_of_runs(programs(PROGRAM, "riscv32"), 1) == [None]
    assert tiers.tier_of(programs(PROGRAM, "sparc")) == "quick"
    assert tiers.tier_of(programs(PROGRAM, "riscv32")) == "fast"


@pytest.mark.parametrize(("limit", "better"), [("LARGE", "balanced"), ("FULL_TIER_RTLS", "full")])
def test_much_code_of_a_program_that_is_not_large_counts_as_more(programs, monkeypatch, limit, better):
    """As several versions of each function are."""
    monkeypatch.setattr(tiers, limit, 10**9)
    monkeypatch.setattr(tiers, "load", lambda *_: True)
    assert tiers_of_runs(programs(PROGRAM, "riscv32"), 1) == [better]
    monkeypatch.setattr(tiers, "LARGE_TEXT", 1)
    assert tiers_of_runs(programs(PROGRAM, "riscv32"), 1) == ["fast"]


def test_a_program_of_ordinary_size_runs_at_once_the_first_time(programs, monkeypatch):
    """To wait for LLVM pays only if it runs for long."""
    monkeypatch.setattr(tiers, "LARGE", 10**9)
    assert tiers.tier_of(programs(PROGRAM, "riscv32")) == "quick"
    monkeypatch.setattr(tiers, "WORTH_MORE", 0)
    assert tiers_of_runs(programs(PROGRAM, "riscv32"), 2) == [None, "balanced"]
