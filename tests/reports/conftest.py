import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("reports", "counters", "interpret", "host")]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep compiled code out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EASE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def small(_own_cache):
    """A function that compiles small.c for a machine at a level, once."""
    from vpo.compiler import Compiler, Settings
    from vpo.machines.load import load

    programs = {}

    def compile_for(machine, level):
        if (machine, level) not in programs:
            compiler = Compiler(load(machine, []), Settings(level=level))
            programs[machine, level] = compiler.program([str(Path(__file__).parent / "small.c")])
        return programs[machine, level]

    return compile_for
