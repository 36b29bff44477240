import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("counters", "interpret", "host")]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Keep compiled code out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EASE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
