"""Runs in the formats of other tools sum to what was executed."""

import re

import pytest

from ease.exports.forms import FORMS, render_run


def executed(run):
    return run.measurement.characteristics.instructions.dynamic


def test_callgrind(kept):
    run = kept[0]
    text = render_run(run, ".callgrind")
    whole = int(re.search(r"^summary: (\d+)", text, re.MULTILINE)[1])
    own, called = 0, False
    for line in text.partition("summary")[2].splitlines()[1:]:
        if re.fullmatch(r"[\d ]+", line):
            own += 0 if called else int(line.split()[1])
        called = line.startswith("calls=")
    assert own == whole == executed(run)
    (cache,) = run.measurement.memory.results.caches
    assert "\nevents: Ir D-misses btfn-mistakes\n" in text
    assert f"\nsummary: {whole} {cache.misses.total} " in text
    assert re.search(r"fn=main\n(?:.*\n)*?cfn=even\ncalls=5 \d+\n\d+ [1-9]\d*\n", text)


@pytest.mark.parametrize("number", [0, 1])
def test_folded_stacks(kept, number):
    ways = dict(line.rsplit(" ", 1) for line in render_run(kept[number], ".folded").splitlines())
    assert abs(sum(map(int, ways.values())) - executed(kept[number])) <= 1
    assert int(ways["_start;main;even"]) > 0
    assert int(ways["_start;main;even;odd"]) > 0


def test_annotated_source(kept):
    lines = render_run(kept[0], ".gcov").splitlines()
    counts = {line.split(":")[1].strip(): line.split(":")[0].strip() for line in lines}
    assert lines[0].strip().startswith("-:    0:Source:")
    assert (counts["5"], counts["9"], counts["16"]) == ("-", "5", "-")
    assert int(counts["7"]) >= 20


def test_every_form_is_there(kept):
    assert all(render_run(kept[0], suffix) for suffix in FORMS)
