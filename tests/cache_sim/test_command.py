"""The command `cache-sim`."""

import json
import subprocess
import sys
from random import Random

import pytest

from cache_sim.command import main
from ease.commands.runs.trace_command import main as ease_trace

SYSTEM = "I:64,16,1+D:64,16,2+switch:100+causes"
TEXT = """\
cache  accesses  misses  hit ratio  fetch  read  write  written back  prefetched  passed on
I             2       1   50.0000%      1     0      0             0           0          0
D             3       2   33.3333%      0     1      1             0           0          0

cause of misses  compulsory  capacity  conflict  switch
I                         1         0         0       0
D                         2         0         0       0

references        4 (2 fetches, 1 reads, 1 writes)
work              31
context switches  0
memory            3 reads, 0 writes
"""


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "trace.din"
    path.write_text("2 1000\n0 20\n2 1004\n1 2c +8\n")
    return str(path)


def test_text(trace, capsys):
    assert main([SYSTEM, trace]) == 0
    assert capsys.readouterr().out == TEXT


def test_json(trace, capsys):
    assert main([SYSTEM, trace, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["references"] == {"fetch": 2, "read": 1, "write": 1}
    assert found["caches"]["D"]["misses"] == {"fetch": 0, "read": 1, "write": 1}
    assert found["caches"]["I"]["causes"] == {"compulsory": 1, "capacity": 0, "conflict": 0, "switch": 0}


def test_a_size_for_all(trace, capsys):
    assert main(["I:64,4,1", trace, "--size", "8"]) == 0
    assert "I             4       3" in capsys.readouterr().out


def test_standard_input_and_module(trace):
    command = [sys.executable, "-m", "cache_sim", SYSTEM, "-"]
    with open(trace) as lines:
        assert subprocess.run(command, stdin=lines, capture_output=True, text=True, check=True).stdout == TEXT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["I:60,16,1", "TRACE"], "column 3: error: size 60 is no multiple of the 16 bytes of a line\n    I:60,16,1\n"),
        (["none.yaml", "TRACE"], "cache-sim: error: none.yaml: No such file or directory\n"),
        ([SYSTEM, "none.din"], "cache-sim: error: none.din: No such file or directory\n"),
        ([SYSTEM, __file__], f'{__file__}:1: error: \'"""The command `cache-sim`."""\': expected 0 (read)'),
    ],
)
def test_mistakes(arguments, message, trace, capsys):
    assert main([trace if argument == "TRACE" else argument for argument in arguments]) == 1
    assert capsys.readouterr().err.startswith(message)


def test_wrong_options(capsys):
    with pytest.raises(SystemExit, match="2"):
        main([SYSTEM, "-", "--size", "0"])
    assert "'0' is no number of bytes" in capsys.readouterr().err


FLUSHED = "1 0\n0 0\n4 0\n0 0\n1 10\n4 0\n4 0\n"


def test_label_4_empties_the_caches(tmp_path, capsys):
    """A write misses and makes line 0 dirty, a read hits; emptied, the read misses, and a write makes line 1 dirty."""
    path = tmp_path / "flushed.din"
    path.write_text(FLUSHED)
    assert main(["D:64,16,2+causes", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["references"] == {"fetch": 0, "read": 2, "write": 2}
    cache = found["caches"]["D"]
    assert (cache["misses"], cache["writebacks"]) == ({"fetch": 0, "read": 1, "write": 2}, 2)
    assert cache["causes"] == {"compulsory": 2, "capacity": 0, "conflict": 0, "switch": 1}
    assert found["switches"] == 3


@pytest.mark.parametrize(
    "system",
    [
        "D:64,16,2+causes",
        "U:256,16,4,plru+L2:1k,32,2",
        "D:64,16,1,random,through+DTLB:4x256,full",
        "D:128,16,2,fifo+switch:70",
    ],
)
def test_the_compiled_simulator_empties_the_caches_as_the_plain_one_does(system, tmp_path, capsys, monkeypatch):
    numbers = Random(7)
    labels = numbers.choices("01234", [30, 30, 30, 5, 2], k=3000)
    lines = [f"{label} {numbers.randrange(1 << 10):x}\n" for label in labels]
    path = tmp_path / "flushed.din"
    path.write_text("".join(lines))
    assert main([system, str(path), "--json"]) == 0
    plainly = json.loads(capsys.readouterr().out)
    monkeypatch.setattr("cache_sim.streamed.COMPILED_FROM", 1)
    assert main([system, str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == plainly
    assert plainly["switches"] >= labels.count("4") > 0


@pytest.mark.parametrize("more", [["sweep+D+size:1k-2k+ways:1"], ["D:64,16,2", "again"]])
def test_what_does_not_take_flushes(more, tmp_path, capsys):
    path = tmp_path / "flushed.din"
    path.write_text(FLUSHED)
    assert main([more[0], *[str(path)] * len(more)]) == 1
    assert "a trace that empties caches (label 4) is simulated by itself" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["lackey", "trace"])
def test_no_format_takes_flushes(target, tmp_path, capsys):
    source, output = tmp_path / "flushed.din", tmp_path / f"out.{target}"
    source.write_text(FLUSHED)
    assert ease_trace(["convert", str(source), "-o", str(output)]) == 1
    assert "empties caches (label 4)" in capsys.readouterr().err
    assert not output.exists()
