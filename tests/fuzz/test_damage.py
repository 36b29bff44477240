"""Traces and records that are damaged or cut short give messages; `make fuzz` tries many more."""

import pytest

from tests.fuzz import damage

SEEDS = range(3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("damage")


@pytest.fixture(scope="module")
def files(folder):
    return damage.subjects(folder, few=True)


def test_damage_is_told(files, folder):
    assert all(answer.status in (0, 3) and not answer.crash for file in files for answer in file.answers)
    assert [damage.failure(seed, files, folder) for seed in SEEDS] == [None] * len(SEEDS)


def test_other_facts_and_crashes_are_failures(files, folder):
    """The fuzzer tells of what no damaged file may come to."""
    crash = damage.Answer(-1, "", "", "KeyError: made up")
    others = damage.Answer(0, "other facts", "")
    seeds = range(60)
    assert all("made up" in str(damage.failure(seed, files, folder, lambda *_: crash)) for seed in seeds)
    assert any("other facts and no message" in str(damage.failure(seed, files, folder, lambda *_: others)) for seed in seeds)
