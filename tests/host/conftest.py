import sys
from pathlib import Path

import pytest

from vpo.compiler import Compiler, Settings
from vpo.machines.load import load

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("interpret", "cache_sim"))]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep compiled code out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EASE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Compile texts for machines, each once."""
    made = {}

    def compile_(text, machine):
        if (text, machine) not in made:
            source = tmp_path_factory.mktemp("programs") / "program.c"
            source.write_text(text)
            made[text, machine] = Compiler(load(machine), Settings(level=1)).program([str(source)])
        return made[text, machine]

    return compile_
