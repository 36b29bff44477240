"""Programs that want all there is end by themselves or by a limit; `exhausting.py` tries them in each way of measuring."""

import pytest

from tests.covering import some
from tests.fuzz import exhausting


@pytest.mark.parametrize(("mode", "kind", "which"), some(exhausting.pairs(list(exhausting.MODES), 1), 3, first=100))
def test_the_host_is_unharmed(mode, kind, which, tmp_path):
    assert not exhausting.fault(mode, kind, which, tmp_path)
