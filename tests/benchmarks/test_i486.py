"""The shape of Tables 6 and 7 of the IDtrace report, with a small program that uses more than the cache."""

import pytest
from i486 import HERE, VARIED, Row, run, show, system

from cache_sim.config import Delays
from vpo.compiler import Compiler, Settings
from vpo.machines.load import load

PROGRAM = r"""
static struct { int here[512], between[1536], there[512], more[2560]; } all;
static void put(int *p, int a) { p[0] = a; p[1] = a; p[2] = a; p[3] = a; p[4] = a; p[5] = a; p[6] = a; p[7] = a; }
int main(void) {
    int round, i, sum = 0;
    for (round = 0; round < 6; round++) {
        for (i = 0; i < 512; i++)
            sum += all.here[i] + all.there[i] * 3;
        for (i = 0; i < 512; i += 8)
            put(all.here + i, sum + all.more[i * 5]);
    }
    return sum & 127;
}
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    source = tmp_path_factory.mktemp("i486") / "program.c"
    source.write_text(PROGRAM)
    program = Compiler(load(str(HERE / "i486.yaml")), Settings(level=1)).program([str(source)])
    wanted = dict.fromkeys(each for configurations in VARIED.values() for each in configurations)
    return {each: run(program, ["program"], b"", each, tier="fast") for each in wanted}


def test_the_system_is_varied():
    varied = system((32, 2, 3))
    assert (varied.data.line, varied.data.ways, varied.delays) == (32, 2, Delays(buffers=3, resume="word"))
    assert varied.unified


def test_longer_lines_miss_less_and_keep_the_bus_busy(rows):
    lines = [rows[each] for each in VARIED["line"]]
    instructions = [row.instruction_misses for row in lines]
    assert instructions[0] > instructions[1] > max(instructions[2:])
    assert lines[0].read_misses > lines[1].read_misses > lines[2].read_misses
    full = [row.full for row in lines]
    assert full == sorted(full)
    assert full[0] < full[-1]


def test_more_ways_and_more_buffers_cost_no_more(rows):
    ways = [rows[each].cycles for each in VARIED["ways"]]
    assert ways[1] <= ways[2] <= ways[3]
    buffers = [rows[each] for each in VARIED["write buffers"]]
    assert buffers[0].full < buffers[1].full < buffers[2].full
    assert buffers[0].cycles < buffers[1].cycles < buffers[2].cycles
    assert len({row.read_misses for row in buffers}) == 1


def test_the_tables_are_shown(rows):
    text = "\n".join(show({"made": rows, "other": rows}))
    assert "16B, 4-way, 4wb" in text
    assert f"{2 * rows[16, 4, 4].cycles / 1e6:.2f}" in text
    assert (rows[16, 4, 4] + Row(1, 0, 0, 0, 0)).cycles == rows[16, 4, 4].cycles + 1
