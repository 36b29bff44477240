"""Programs with random mistakes get diagnostics with places, and compiling them ends."""

import pytest

from tests.fuzz import mutants

SEEDS = range(4)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Compile a few mutants; returns what went wrong with each."""
    programs, folder = mutants.sources(), tmp_path_factory.mktemp("mutants")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EASE_CACHE", "")
        return list(mutants.outcomes(SEEDS, programs, folder))


def test_mutants_get_diagnostics(outcomes):
    assert outcomes == [(seed, "") for seed in SEEDS]


def test_mutants_of_a_seed_are_the_same_and_differ_from_their_origin():
    programs = mutants.sources()
    for seed in SEEDS:
        source, text = mutants.mutant(seed, programs)
        assert mutants.mutant(seed, programs) == (source, text)
        assert text != source.text()


def test_a_crash_is_a_failure(tmp_path, monkeypatch):
    """The fuzzer tells of exceptions that are no diagnostics, with the place in the compiler."""

    def crash(self, file):
        raise AssertionError("made up")

    monkeypatch.setattr(mutants.Compiler, "check_file", crash)
    ((_, found),) = mutants.outcomes([1], mutants.sources(), tmp_path)
    assert "AssertionError: made up (test_mutants.py:" in found
