"""An index in the file: each part of a trace is what it is without one, wherever it begins."""

import io
import random

import pytest

from cache_sim.traces.container import TraceDamaged, section, section_places
from cache_sim.traces.index import position_before
from cache_sim.traces.reader import Streams
from cache_sim.traces.trace_file import TraceFile
from ease.commands.runs.trace_command import main
from ease.traces.converting import add_index
from tests.traces.conftest import regenerated
from tests.traces.programs import ENDING

PROGRAMS = [("indirect", "riscv32"), ("longjmp", "sparc"), ("exit deep in calls", "m68020")]


@pytest.mark.parametrize(("name", "machine"), PROGRAMS)
def test_parts_are_the_same_with_an_index(programs, traced, tmp_path, name, machine):
    every = 23
    content, _, counts = traced(programs(ENDING[name], machine))
    plain, indexed = tmp_path / "plain.trace", tmp_path / "indexed.trace"
    plain.write_bytes(content)
    indexed.write_bytes(content)
    add_index(str(indexed), every)
    with pytest.raises(TraceDamaged, match="already"):
        add_index(str(indexed), every)
    assert regenerated(TraceFile(indexed)) == regenerated(TraceFile(plain))
    chooser = random.Random(every)
    for start in (every - 1, every, every + 1, *(chooser.randrange(counts.instructions) for _ in range(8))):
        options = {"start": start, "count": 20, "kinds": ("fetch", "read", "write", "branch", "system")}
        assert regenerated(TraceFile(indexed), **options) == regenerated(TraceFile(plain), **options), start
        assert regenerated(TraceFile(indexed), plainly=True, **options) == regenerated(TraceFile(plain), **options)


def test_reading_begins_at_the_state_before(programs, traced, tmp_path, monkeypatch):
    path = tmp_path / "a.trace"
    content, _, counts = traced(programs(ENDING["indirect"], "riscv32"))
    path.write_bytes(content)
    assert main(["index", str(path)]) == 0  # with a state each 4 million: none
    went = []
    monkeypatch.setattr(Streams, "go_to", lambda streams, offset, chunk: went.append(offset))  # the trace has one chunk
    regenerated(TraceFile(path), start=counts.instructions // 2)
    assert went == []
    path.write_bytes(content)
    add_index(str(path), 50)
    trace = TraceFile(path)
    assert len(trace.facts) > 0
    start = counts.instructions // 2
    with open(path, "rb") as file:
        chunks = [offset for kind, offset in section_places(file) if kind == "DATA"]
        position = position_before(file, trace.streams.code(), start)
    assert start - 50 < position.state.instructions <= start
    regenerated(trace, start=start)
    assert went == [position.offset] == [chunks[position.chunk]]


def test_an_index_that_leads_elsewhere_is_found(programs, traced, tmp_path):
    path = tmp_path / "a.trace"
    content = traced(programs(ENDING["indirect"], "riscv32"))[0]
    done = dict(section_places(io.BytesIO(content)))["DONE"]
    for index in (b"", b"\1" * 16, b"\1" + bytes(7) + b"\1" + bytes(7) + b"\xff" * 200):
        path.write_bytes(content[:done] + section("INDX", index) + content[done:])
        with pytest.raises(TraceDamaged, match="index"):
            regenerated(TraceFile(path), start=60)
