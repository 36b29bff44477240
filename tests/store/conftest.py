"""Runs of a small program that tests keep, and compare."""

from dataclasses import replace

import pytest

from cache_sim.parse import load_any
from ease.model.kept_run import keep
from ease.model.run_identity import RunIdentity
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure
from vpo.machines.read.load import full_text

TEXT = """
int values[64];
static int sum(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i] * 3; return s; }
int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int main(void)
{
    for (int i = 0; i < 64; i++)
        values[i] = i;
    return (sum(values, 64) + depth(20)) & 15;
}
"""
SIMULATORS = {
    "": {},
    "memory": {"system": "I:1k,16,1+D:1k,16,1+switch:1000", "timing": True, "predict": "btfn", "moments": 200},
    "sweep": {"system": "sweep+U+size:256-1k+line:16+ways:1,2,full"},
}


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""


@pytest.fixture(scope="session")
def kept(programs):
    """A function that measures the program on a machine, and returns what is kept of the run."""
    made = {}

    def run(machine="riscv32", level=1, simulators=""):
        if (machine, level, simulators) not in made:
            program = programs(TEXT, machine, level)
            options = dict(SIMULATORS[simulators])
            system = options.pop("system", None)
            measurement = measure(program, ["program"], MeasureOptions(system and load_any(system), **options))
            words = ("easecc", "-m", machine, f"-O{level}", "program.c")
            identity = RunIdentity(words, ("program.c",), (), machine, (), str(level), "0")
            made[machine, level, simulators] = keep(replace(measurement, identity=identity), program, full_text(machine))
        return made[machine, level, simulators]

    return run
