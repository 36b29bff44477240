"""Entries a line of instructions, and the coarse order of IDtrace: what they keep, and where they mislead."""

from pathlib import Path

import pytest

from cache_sim import load, simulate
from cache_sim import trace_of as references_of
from cache_sim.traces.coarse import by_lines, coarse
from cache_sim.traces.formats.references import joined, references
from cache_sim.traces.trace_file import TraceFile
from ease.commands.easecc import main as easecc
from ease.commands.runs.trace_command import main as ease_trace
from tests.traces.conftest import trace_of
from tests.traces.programs import ENDING, FAULTING

LINE = 16
SPLIT, UNIFIED = "I:256,16,1+D:256,16,1", "U:256,16,1"


@pytest.fixture(scope="module")
def content(programs, traced):
    return traced(programs(ENDING["nested loops"], "riscv32", 1))[0]


def blocks_of(content):
    """Return the references of a trace block by block; a block ends where control goes elsewhere, too."""
    result, end = [[]], None
    events = joined(list(trace_of(content).events(("fetch", "read", "write", "block"))))
    for kind, address, size in zip(events.kinds.tolist(), events.addresses.tolist(), events.sizes.tolist(), strict=True):
        if kind == 3:
            result.append([])
            end = None
            continue
        if kind == 2:
            if end not in (None, address):
                result.append([])
            end = address + size
        result[-1].append((kind, address, size))
    return result


def lines_of(block):
    """Return a block with an entry for each line that it touches."""
    result, line = [], None
    for kind, address, size in block:
        if kind != 2:
            result.append((kind, address, size))
            continue
        for touched in range(address // LINE, (address + size - 1) // LINE + 1):
            if touched != line:
                result.append((2, touched * LINE, LINE))
            line = touched
    return result


def rows(chunks):
    events = references(joined(list(chunks)))
    return list(zip(events.kinds.tolist(), events.addresses.tolist(), events.sizes.tolist(), strict=True))


def cut(content, size):
    """Yield the events of a trace in small chunks."""
    for events in trace_of(content).events(("fetch", "read", "write", "block")):
        for at in range(0, len(events), size):
            yield type(events)(*(getattr(events, name)[at : at + size] for name in ("kinds", "addresses", "sizes", "sites")))


@pytest.mark.parametrize("size", [97, 1 << 20])
def test_lines_and_order_are_those_of_the_blocks(content, size):
    blocks = blocks_of(content)
    assert rows(by_lines(cut(content, size), LINE)) == [row for block in blocks for row in lines_of(block)]
    ordered = [row for block in blocks for row in sorted(block, key=lambda row: row[0] != 2)]
    assert rows(coarse(cut(content, size))) == ordered


def misses(spec, chunks):
    events = references(joined(list(chunks)))
    trace = references_of(events.kinds, events.addresses, events.sizes)
    return [cache.misses.total for cache in simulate(load(spec), trace).caches]


def test_the_coarse_order_misleads_about_unified_caches_only(content):
    """Separate caches miss as often with lines and in the coarse order; a unified one does not."""
    kinds = ("fetch", "read", "write", "block")
    exact = list(trace_of(content).events())
    lines = list(by_lines(trace_of(content).events(kinds), LINE))
    before = list(by_lines(coarse(trace_of(content).events(kinds)), LINE))
    assert misses(SPLIT, exact) == misses(SPLIT, lines) == misses(SPLIT, before)
    assert misses(UNIFIED, exact) != misses(UNIFIED, before)


def test_convert_writes_lines_in_the_coarse_order(content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "whole.trace").write_bytes(content)
    assert ease_trace(["convert", "whole.trace", "-o", "lines.trace", "--lines", str(LINE), "--coarse"]) == 0
    expected = [row for block in blocks_of(content) for row in sorted(lines_of(block), key=lambda row: row[0] != 2)]
    assert rows(TraceFile("lines.trace").events()) == expected


def traced_lines(capsys, *words):
    """Trace the program with lines; return the rows of the file, its exit status, and what is said."""
    status = easecc(["-m", "riscv32", "-O1", *words, "-trace-to", "lines.trace", "program.c"])
    return rows(TraceFile("lines.trace").events()), status, capsys.readouterr().err


def test_the_kind_cache_is_written_by_lines(content, tmp_path, monkeypatch, capsys):
    """The file that is written while the program runs is what `convert` makes of the whole trace."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(ENDING["nested loops"])
    lines = [row for block in blocks_of(content) for row in lines_of(block)]
    found, status, said = traced_lines(capsys, "-trace", "cache")
    assert (found, said) == (lines, "")
    trace = TraceFile("lines.trace")
    assert (trace.facts["line"], trace.facts["kinds"], trace.end["status"]) == (LINE, ["cache"], status)
    assert ease_trace(["convert", "lines.trace", "-o", "x.champsim"]) == 1
    wide, *_ = traced_lines(capsys, "-trace", "cache:64")
    assert {size for kind, _, size in wide if kind == 2} == {64}
    assert len(wide) < len(lines)
    window, *_ = traced_lines(capsys, "-trace", "cache", "-window", "1000,500")
    assert len(window) > 200
    assert str(window[1:-1])[1:-1] in str(lines)  # at its ends are parts of blocks
    whole, *_ = traced_lines(capsys, "-trace", "cache,branch")
    assert len(whole) > len(lines)


def test_a_run_with_a_fault_has_its_lines_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(FAULTING["null pointer"])
    found, status, said = traced_lines(capsys, "-trace", "cache")
    assert status == 139
    assert len(found) > 100
    assert TraceFile("lines.trace").end["fault"] in said


@pytest.mark.parametrize("kind", ["cache:0", "cache:24", "cache:x", "branch:16"])
def test_lines_that_cannot_be(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text("int main(void) { return 0; }")
    assert easecc(["-trace", kind, "program.c"]) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(ENDING["nested loops"])
    assert easecc(["-m", "riscv32", "-trace", "cache", "-trace-to", "/dev/full", "program.c"]) == 1
    assert "No space left on device" in capsys.readouterr().err


def test_convert_keeps_instructions_or_data_only(content, tmp_path, monkeypatch, capsys):
    """Both parts, in order, are the whole; what is no reference stays."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "whole.trace").write_bytes(content)
    parts = {}
    for kinds in ("fetch", "read,write"):
        assert ease_trace(["convert", "whole.trace", "-o", f"{kinds}.trace", "--only", kinds]) == 0
        parts[kinds] = rows(TraceFile(f"{kinds}.trace").events())
    whole = rows(trace_of(content).events())
    assert parts["fetch"] == [row for row in whole if row[0] == 2]
    assert parts["read,write"] == [row for row in whole if row[0] != 2]
    assert any(len(events) for events in TraceFile("fetch.trace").events(("branch",)))
    with pytest.raises(SystemExit):
        ease_trace(["convert", "whole.trace", "-o", "x.trace", "--only", "jumps"])
