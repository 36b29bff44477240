import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent)]


@pytest.fixture(scope="session", autouse=True)
def _own_cache(own_cache):
    """No test here uses the user's cache."""
