"""The benchmark of growth writes functions of the size asked for, and takes the time of each phase."""

import growth
import pytest

from tests.kept_machines import load


@pytest.mark.parametrize("kind", growth.STATEMENTS)
def test_a_function_is_about_as_large_as_asked(kind):
    rtls, taken, phases = growth.seconds(growth.source(kind, 100), load("riscv32"), 1)
    assert 50 < rtls < 200
    assert 0 < sum(phases.values()) <= taken * 1.000001  # scaled so that they may be equal, but for rounding
    assert "assign" in phases


def test_growth_is_a_power():
    assert growth.power([100, 200], [1.0, 4.0]) == "2.00"
    assert growth.power([100, 200], [0.0001, 0.0004]) == ""  # too quick to tell
