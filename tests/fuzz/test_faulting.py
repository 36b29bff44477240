"""Programs that fault, abort or meet a limit are counted as the emulator counts them; `faulting.py` tries many more."""

from itertools import product

import pytest

from tests.covering import some
from tests.fuzz import faulting


@pytest.mark.tools
@pytest.mark.parametrize(("machine", "level"), some(product(faulting.MACHINES.split(","), (1, 2)), 1, first=1))
def test_ends_are_counted_as_by_the_emulator(machine, level, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    job = faulting.warm([machine], [level], tmp_path)
    for seed in range(1, 9):
        try:
            found = faulting.faults(job, seed, machine, level, tmp_path)
        except faulting.ToolMissing as missing:
            pytest.skip(str(missing))
        assert not found, faulting.generate(seed)


def test_programs_end_in_all_ways():
    assert {faulting.generate(seed)[1] for seed in range(200)} == faulting.ENDS.keys()
