"""Damaged objects, archives, linked programs, stores, caches, descriptions and tools; `make fuzz` tries many more."""

import pytest

from tests.fuzz import hostile
from tests.fuzz.damage import Answer


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EASE_CACHE", "")
    return hostile.kinds(tmp_path, ["objects", "archives", "programs", "stores", "tools"])


def test_damage_is_told(files, tmp_path):
    assert [hostile.failure(seed, [kind], tmp_path) for kind in files for seed in (1, 2)] == [None] * 2 * len(files)


def test_crashes_and_silence_are_failures(files, tmp_path):
    crash, silence = Answer(-1, "", "", "KeyError: made up"), Answer(1, "", "")
    for found in (crash, silence):
        assert all(hostile.failure(seed, files, tmp_path, lambda *_, found=found: found) for seed in range(20))
