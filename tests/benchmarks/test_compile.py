"""The benchmark of the compiler's speed finds the steps that it takes the time of."""

from benchmarks import compile as benchmark


def test_each_step_takes_time(monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    clock, phases, seconds = benchmark.throughput(["queens"], "riscv32", 0)
    assert all(taken > 0 for name, taken in clock.seconds.items() if name != "optimize_unit")  # which -O0 leaves out
    assert clock.rtls > 100
    assert sum(clock.seconds.values()) <= seconds
    assert phases["frame"] > 0
