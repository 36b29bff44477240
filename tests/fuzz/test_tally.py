"""A run of the fuzzer that is cut off goes on where it was."""

from tests.fuzz.tally import Tally


def test_outcomes_are_read_back(tmp_path):
    log = tmp_path / "log"
    tally = Tally(log)
    assert tally.add(5, {"failures": [], "tried": {"vax -O1": 1}}) == "agreed"
    assert tally.add(6, {"skipped": "does not end"}) == "skipped"
    assert tally.add(9, {"failures": ["vax -O2 wrong"], "tried": {"vax -O2": 1, "vax -O1": 1}}) == "failed"
    again = Tally(log)
    assert str(again) == str(tally) == "vax -O1: 2, vax -O2: 1\n1 agreed, 1 failed, 1 skipped (endless or undefined)"
    assert again.known == {5, 6, 9}
