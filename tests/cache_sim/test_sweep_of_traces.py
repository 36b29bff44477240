"""`cache-sim sweep+... TRACE`: all caches of a grid in one pass over a trace, each as when it is simulated alone."""

import json
import random

import pytest

from cache_sim.command import main


@pytest.fixture
def trace(tmp_path, monkeypatch):
    """The name of a trace that has some locality."""
    chance = random.Random(3)
    monkeypatch.chdir(tmp_path)
    lines = []
    for _ in range(400):
        start = chance.randrange(1 << 13)
        lines += [f"{chance.choice('0122')} {start + 4 * n:x} +4\n" for n in range(chance.randrange(1, 12))]
    (tmp_path / "some.din").write_text("".join(lines))
    return "some.din"


def said(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_cache_of_a_sweep_is_what_it_is_alone(trace, capsys):
    swept = said(capsys, "sweep+I+D+size:128-512+line:16,32+ways:1-2,full", trace)
    assert len(swept["caches"]) == 2 * 2 * 3 * 3
    for row in swept["caches"]:
        ways = row["size"] // row["line"] if row["ways"] == "full" else row["ways"]
        alone = said(capsys, f"{row['side']}:{row['size']},{row['line']},{ways}", trace)["caches"][row["side"]]
        misses = sum(alone["misses"][kind] for kind in ("read", "write", "fetch"))
        accesses = sum(alone["accesses"][kind] for kind in ("read", "write", "fetch"))
        assert (row["misses"], row["accesses"]) == (misses, accesses), row


def test_a_sweep_as_text(trace, capsys):
    assert main(["sweep+U+size:256+line:16+ways:1", trace]) == 0
    text = capsys.readouterr().out.splitlines()
    assert text[0].split() == ["cache", "line", "size", "ways", "accesses", "misses", "miss", "ratio"]
    assert text[1].split()[:4] == ["U", "16", "256", "1"]


def test_addresses_that_a_sweep_does_not_take(tmp_path, capsys):
    (tmp_path / "high.din").write_text("0 ffffffffffff0000\n")
    assert main(["sweep+D+size:1k+line:16+ways:1", str(tmp_path / "high.din")]) == 1
    assert "which this sweep does not take" in capsys.readouterr().err
