"""The command `cache-sim`."""

import json
import subprocess
import sys

import pytest

from cache_sim.command import main

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
