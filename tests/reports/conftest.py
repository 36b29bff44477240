import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("reports", "counters", "interpret", "host")]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""


@pytest.fixture(scope="session")
def small(_own_cache):
    """A function that compiles small.c for a machine at a level, once."""
    from vpo.build.compiler import Compiler, Settings
    from vpo.machines.read.load import load

    programs = {}

    def compile_for(machine, level):
        if (machine, level) not in programs:
            compiler = Compiler(load(machine, []), Settings(level=level))
            programs[machine, level] = compiler.program([str(Path(__file__).parent / "small.c")])
        return programs[machine, level]

    return compile_for
