"""`ease trace repeats`: block moves of known sizes are found, whichever instructions copy."""

import struct
from collections import Counter

import numpy as np
import pytest

from cache_sim.traces.formats import FORMATS
from cache_sim.traces.formats.references import joined
from cache_sim.traces.regeneration import Events
from cache_sim.traces.trace_file import TraceFile
from ease.commands.runs.trace_command import main as ease_trace
from ease.traces.repeats import FILL, MOVE, SCAN, repeat_tables, repeats
from tests.covering import some

COPYING = """
#include <string.h>
struct s { int x[8]; } a[12], b[12];
static char text[300], *end;
static void up(char *to, const char *from, int n) { while (n--) *to++ = *from++; }
static void down(int *to, int *from, int n) { while (n--) to[n] = from[n]; }
int main(void)
{
    int i;
    for (i = 0; i < 12; i++) a[i].x[i & 7] = i;
    up((char *)b, (char *)a, 21);
    up((char *)b, (char *)a, 21);
    down(b[3].x, a[1].x, 30);
    memcpy(b, a + 2, 200);
    memset(text, 'x', 255);
    return strlen(text) & 1;
}
"""


@pytest.fixture
def trace(programs, traced, tmp_path):
    """A function that returns the trace of the copying program on a machine."""

    def made(machine):
        (tmp_path / "trace").write_bytes(traced(programs(COPYING, machine, 1))[0])
        return TraceFile(tmp_path / "trace")

    return made


@pytest.mark.parametrize("machine", some(["riscv32", "m68020", "vax", "sparc", "i386"], 2))
def test_block_moves_are_those_of_the_program(trace, machine):
    static = trace(machine).static
    found = repeats(trace(machine).events(), static["copies"], len(static["type"]), 4)
    assert Counter(run.bytes for run in found[MOVE]) == {21: 2, 120: 1, 200: 1}
    assert 255 in {run.bytes for run in found[FILL]}
    assert 256 in {run.bytes for run in found[SCAN]}


def test_runs_do_not_depend_on_chunks():
    """Runs of random references are the same in chunks of any size, and those that a loop over the references finds."""
    random = np.random.default_rng(5)
    steps = random.choice([4, 4, 4, -4, 100], 3000)
    kinds = np.where(random.random(3000) < 0.5, 2, np.repeat(random.integers(0, 2, 200), 15)).astype(np.uint8)
    sites = random.integers(0, 3, 3000).astype(np.uint64)
    addresses = (np.cumsum(steps * (kinds != 2)) + 100_000).astype(np.uint64)
    events = Events(kinds, addresses, np.full(3000, 4, np.uint64), sites)
    whole = repeats([events], [], 3, 3)
    cut = [Events(*(getattr(events, name)[at : at + 7] for name in Events.__slots__)) for at in range(0, 3000, 7)]
    assert repeats(cut, [], 3, 3) == whole
    for name, kind in ((FILL, 1), (SCAN, 0)):
        assert [(run.count, run.site) for run in whole[name]] == list(_plainly(events, kind))
    assert len(whole[SCAN]) > 5 < len(whole[FILL])


def _plainly(events, kind):
    """Yield lengths and first sites of the runs of one kind in which an instruction is executed more than once."""
    run, direction, executed = [], 0, 0
    rows = zip(events.kinds.tolist(), events.addresses.tolist(), events.sites.tolist(), strict=True)
    for of, address, site in [*rows, (kind, 0, 0)]:
        executed += of == 2
        if of != kind:
            continue
        step = (address - run[-1][0]) // 4 if run and abs(address - run[-1][0]) == 4 else 0
        if step and direction in (0, step):
            run, direction = [*run, (address, site, executed)], step
            continue
        pairs = {row[1:] for row in run}
        if len(run) >= 3 and len(pairs) > len({site for site, _ in pairs}):
            yield len(run), run[0][1]
        shared = step and direction  # the reference between two runs belongs to the first
        run, direction = [(address, site, executed)], step if shared else 0


def test_tables_add_up(trace):
    tables = dict(repeat_tables(trace("riscv32"), 4))
    sizes = tables["Sizes of block moves"]
    assert sizes.total[:3] == ["total", "4", "362"]
    assert [row[:3] for row in sizes.rows] == [["21", "2", "42"], ["120", "1", "120"], ["200", "1", "200"]]
    assert sum(int(row[2]) for row in tables["Where block moves are"].rows) == 4


def test_convert_tells_repeats_in_the_format_of_idtrace(trace, tmp_path, monkeypatch):
    """Tags, and entries behind the last of each, as IDtrace's appendix has them; addresses are those without tags."""
    static, whole = trace("riscv32").static, list(trace("riscv32").events())
    expected = repeats(iter(whole), static["copies"], len(static["type"]), 20)
    monkeypatch.chdir(tmp_path)
    for words in ([], ["--repeats", "20"]):
        assert ease_trace(["convert", "trace", "-o", f"{len(words)}.trc", *words]) == 0
    plain, told = ([*struct.iter_unpack("<BI", (tmp_path / f"{n}.trc").read_bytes())] for n in (0, 2))
    usual = {0x30: 0x10, 0x40: 0x20}
    assert [(usual.get(tag & 0xF0, tag & 0xF0) | tag & 15, at) for tag, at in told if tag != 0x50] == plain
    runs = [run for found in expected.values() for run in found]
    assert sum(tag & 0xF0 in usual for tag, _ in told) == sum(run.references for run in runs)
    assert [at for tag, at in told if tag == 0x50] == [0] * len(runs)
    assert [told[n - 1][0] >> 4 in (3, 4) for n, (tag, _) in enumerate(told) if tag == 0x50] == [True] * len(runs)
    assert sum(run.bytes for run in expected[MOVE]) == 21 + 21 + 120 + 200
    with open("2.trc", "rb") as file:
        again = joined(list(FORMATS["idtrace"].read(file, "2.trc", 1)))
    assert len(again) == len(plain)


def test_repeats_are_for_idtrace_only(trace, tmp_path, monkeypatch, capsys):
    trace("riscv32")
    monkeypatch.chdir(tmp_path)
    assert ease_trace(["convert", "trace", "-o", "x.din", "--repeats", "4"]) == 1
    assert ease_trace(["convert", "trace", "-o", "x.trace", "--repeats", "4"]) == 1
    assert capsys.readouterr().err.count("format 'idtrace' only") == 2
