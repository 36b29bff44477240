import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("interpret", "host"))]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""
