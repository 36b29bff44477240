"""Predictors by hand-made streams, their short forms, and what is said of wrong ones."""

import doctest
import random
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from cache_sim.config import ConfigurationError
from cache_sim.predictors import Kind, Predictor, Simulator, concentration, load, register
from cache_sim.predictors import predictors as specs
from cache_sim.predictors.predictors import Backward, NotTaken, Profile, Taken

GUIDE = Path(__file__).parents[2] / "docs" / "predictors.md"


def wrong(spec, transfers, unit=1):
    """Return how often each predictor was wrong at each address; a number is a call that is to return there."""
    simulator = Simulator(load(spec, unit))
    for transfer in transfers:
        simulator.called(transfer) if isinstance(transfer, int) else simulator.transfer(*transfer)
    return {address: site.mispredicted for address, site in simulator.results().sites.items()}


def branches(outcomes, address=3, target=0):
    return [("branch", address, target, int(taken)) for taken in outcomes]


def bits(text):
    return [letter == "T" for letter in text]


@pytest.mark.parametrize(
    ("outcomes", "mistakes"),
    [
        ("T", 1),  # new branches are not taken
        ("TT", 1),
        ("N", 0),
        ("TTTT" "N" "TTTT", 2),  # one exit of a loop does not turn the counter round
        ("TTTT" "NN" "TT", 4),
        ("NNNN" "TT" "N", 3),
        ("TNTNTN", 6),
    ],
)  # fmt: skip
def test_a_counter(outcomes, mistakes):
    for spec in ("bimodal:1", "bimodal:each", "gshare:8,0"):
        assert wrong(spec, branches(bits(outcomes))) == {3: (mistakes,)}


def test_branches_share_entries():
    mixed = [transfer for _ in range(8) for transfer in (("branch", 3, 0, 1), ("branch", 7, 0, 0))]
    found = wrong("bimodal:4+bimodal:8+bimodal:each", mixed)
    assert found == {3: (8, 1, 1), 7: (8, 0, 0)}


def test_addresses_are_divided_by_the_unit():
    mixed = [("branch", address, 0, taken) for _ in range(8) for address, taken in ((3, 1), (7, 0))]
    assert wrong("bimodal:2", mixed, unit=4) == {3: (1,), 7: (0,)}
    assert wrong("bimodal:2", mixed)[7] == (8,)


def test_history_tells_what_a_counter_cannot():
    pattern = bits("TTNTTNTTN" * 20)
    found = wrong("gshare:64,4+bimodal:64", branches(pattern))[3]
    assert found[0] < 12
    assert found[1] >= 20


def test_long_histories_tell_what_a_short_one_cannot():
    loop = bits(("T" * 20 + "N") * 60)  # goes round as often as more than a history of ten tells
    found = wrong("gshare:1024,10+perceptron:16,24+tage:256", branches(loop))[3]
    assert found[0] >= 55
    assert found[1] < 40  # weights take some turns to grow
    assert found[2] < 20


def test_a_perceptron_learns_what_decides_among_much_that_does_not():
    random.seed(5)
    stream = []
    for _ in range(600):
        first, *others = (random.random() < 0.5 for _ in range(6))
        places = [("branch", 40 + number, 0, int(taken)) for number, taken in enumerate((first, *others))]
        stream += [*places, ("branch", 8, 0, int(first))]
    found = wrong("gshare:256,8+perceptron:64,16", stream)[8]
    assert found[1] < 40 < found[0]


def test_static_predictors_are_wrong_as_often_as_their_predictions_are():
    random.seed(3)
    stream = [("branch", address, random.choice([8, 40]) if address == 99 else address * 2 - 20, int(random.random() < 0.7))
              for address in random.choices([10, 15, 25, 30], k=500)]  # fmt: skip
    found = wrong("taken+not-taken+btfn+profile", stream)
    for address, by_counts in found.items():
        mine = [transfer for transfer in stream if transfer[1] == address]
        for predictor, counted in zip((Taken(), NotTaken(), Backward()), by_counts, strict=False):
            assert counted == sum(predictor.predict(address, t[2]) != t[3] for t in mine)
        assert by_counts[3] == min(by_counts[:2])
        earlier = Profile({address: 1})
        assert earlier.mispredicted(address, 0, 10, 8) == 2
        assert earlier.mispredicted(address + 1, 0, 10, 8) == 8


def test_returns():
    nested = [100, 200, ("return", 1, 0, 200), ("return", 2, 0, 100)]
    assert wrong("ras:2", nested * 3) == {1: (0,), 2: (0,)}
    deep = [100, 200, 300, ("return", 1, 0, 300), ("return", 2, 0, 200), ("return", 3, 0, 100)]
    assert wrong("ras:2+ras:4", deep) == {1: (0, 0), 2: (0, 0), 3: (1, 0)}
    assert wrong("ras:4", [("return", 1, 0, 100)]) == {1: (1,)}


def test_target_buffer():
    jumps = [
        ("jump", 5, 0, 70),
        ("jump", 5, 0, 70),
        ("call", 9, 0, 80),
        ("jump", 5, 0, 71),
        ("return", 13, 0, 6),
        ("jump", 5, 0, 71),
    ]
    assert wrong("btb:4+btb:4,2+btb:4,4", jumps) == {5: (3, 2, 2), 9: (1, 1, 1), 13: (1, 1, 1)}
    assert wrong("btb:8,2+bimodal:4", branches(bits("TT"))) == {3: (0, 1)}


@pytest.mark.parametrize(
    ("counts", "number"), [([], 0), ([5], 1), ([90, 5, 5], 1), ([89, 6, 5], 2), ([1] * 10, 9), ([0, 0], 0)]
)
def test_concentration(counts, number):
    assert concentration(counts) == number


def test_short_forms_are_what_predictors_are_called():
    text = "taken+not-taken+btfn+profile+bimodal:1024+bimodal:each+gshare:8k,12+perceptron:64,24+tage:1024,4+ras:16+btb:512,4"
    assert "+".join(load(text)) == text
    assert list(load("gshare:1k+btb:4096")) == ["gshare:1024,10", "btb:4k,1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oracle", "there is no predictor 'oracle' (there are taken, "),
        ("bimodal", "predictor 'bimodal': expected bimodal:ENTRIES"),
        ("taken:3", "predictor 'taken:3': expected taken"),
        ("btb:4,2,1", "predictor 'btb:4,2,1': expected btb:ENTRIES,WAYS, where WAYS may be left out"),
        ("bimodal:1000", "predictor 'bimodal:1000': entries 1000 is not a power of two"),
        ("bimodal:many", "predictor 'bimodal:many': entries 'many' is not a size"),
        ("gshare:1024,11", "predictor 'gshare:1024,11': history 11 is longer than the 10 bits of 1024 entries"),
        ("perceptron:64,64", "predictor 'perceptron:64,64': history 64 is not between 1 and 63"),
        ("tage:2", "predictor 'tage:2': 2 entries are fewer than 4"),
        ("tage:64,7", "predictor 'tage:64,7': 7 tables are not between 1 and 6"),
        ("btb:4,8", "predictor 'btb:4,8': 8 ways are more than the 4 entries that there are"),
        ("ras:0", "predictor 'ras:0': entries '0' is not a size"),
        ("ras:each", "predictor 'ras:each': entries 0 is not a power of two"),
        ("taken+taken", "predictor taken is given twice"),
        *[
            (f"{name}:1g", f"predictor '{name}:1g': 1,073,741,824 entries are more than the 1,048,576")
            for name in ("bimodal", "gshare", "perceptron", "tage", "ras", "btb")
        ],
        ("", "there is no predictor ''"),
    ],
)
def test_wrong_short_forms(text, message):
    with pytest.raises(ConfigurationError) as error:
        load(text)
    assert str(error.value).startswith(message)


def test_a_predictor_of_ones_own():
    @dataclass
    class Same(Predictor):
        """Branches go where the last one, of any address, went."""

        last: int = 0

        def predict(self, address, target):
            return self.last

        def update(self, address, target, outcome):
            self.last = outcome

    register("same", Same)
    try:
        assert wrong("same+taken", branches(bits("TTNN"))) == {3: (2, 2)}
        with pytest.raises(ValueError, match="already"):
            register("same", Same)
    finally:
        del specs._classes["same"]
    with pytest.raises(ValueError, match="cannot name"):
        register("a:b", Same)
    assert Same.kinds == {Kind.BRANCH}


def test_guide():
    """What docs/predictors.md shows is so."""
    text = GUIDE.read_text()
    try:
        result = doctest.testfile(str(GUIDE), module_relative=False)
    finally:
        specs._classes.pop("last", None)
    assert result.failed == 0
    assert result.attempted > 15
    shown = re.findall(r"-predict (\S+:\S+)", text)
    assert shown
    for spec in shown:
        load(spec)
    assert all(f"`{name}" in text for name in specs.names())
