"""IDtrace's branch trace: a decoder written from its appendix finds which branches were taken."""

import struct
from collections import Counter
from itertools import pairwise

import pytest

from cache_sim.command import main as cache_sim
from cache_sim.traces.formats.references import joined
from cache_sim.traces.regeneration import BRANCH
from cache_sim.traces.trace_file import TraceFile
from ease.commands.runs.trace_command import main as ease_trace
from tests.traces.programs import ENDING


def decoded(content):
    """Yield blocks (address) and transfers (type, address of the last byte)."""
    at = 0
    while at < len(content):
        match content[at]:
            case 0x70:
                yield ("block", struct.unpack_from("<I", content, at + 1)[0])
                at += 5
            case 0xA0:
                yield ("transfer", *struct.unpack_from("<BI", content, at + 1))
                at += 6
            case 0xB0:
                yield ("transfer", *struct.unpack_from("<HI", content, at + 1))
                at += 7
            case tag:
                raise AssertionError(tag)


@pytest.mark.parametrize("machine", ["riscv32", "sparc", "vax"])
def test_a_decoder_finds_which_branches_are_taken(programs, traced, machine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.trace").write_bytes(traced(programs(ENDING["nested loops"], machine, 1), data=False)[0])
    assert ease_trace(["convert", "a.trace", "--to", "idtrace-branch", "-o", "a.trc"]) == 0
    trace = TraceFile("a.trace")
    branches = joined(list(trace.events(("branch",))))
    types = trace.static["type"]
    expected = Counter((types[site] + 1, bool(taken)) for site, taken in zip(branches.sites, branches.sizes, strict=True))
    conditional = {kind for kind, _ in expected}
    entries = list(decoded((tmp_path / "a.trc").read_bytes()))
    found = Counter()
    for entry, following in pairwise(entries):
        if entry[0] == "transfer":
            assert following[0] == "block"
            if entry[1] in conditional:
                found[entry[1], following[1] != entry[2] + 1] += 1
    assert found == expected
    assert len(branches.kinds) == sum(found.values()) > 500
    assert set(branches.kinds.tolist()) == {BRANCH}


def test_a_branch_trace_has_no_references(programs, traced, tmp_path, capsys):
    (tmp_path / "a.trace").write_bytes(traced(programs(ENDING["indirect"], "riscv32", 1))[0])
    assert ease_trace(["convert", str(tmp_path / "a.trace"), "--to", "idtrace-branch", "-o", str(tmp_path / "a.trc")]) == 0
    assert cache_sim(["I:1k,16,1", str(tmp_path / "a.trc")]) == 1
    assert "has no references" in capsys.readouterr().err
