"""The supplied tools find out what the built-in measurements and the interpreter do."""

from collections import Counter, defaultdict
from itertools import pairwise, product

import pytest
from tool_programs import PROGRAM

from cache_sim.config import Cache, MemorySystem
from cache_sim.priorities import sweep_by
from cache_sim.results import Kind
from cache_sim.sweeps import Grid
from ease.tools.tool_file import SUPPLIED, supplied
from tests.covering import some
from vpo.base.errors import UserError
from vpo.interpret.fast.interpreter import interpret

LONGEST = 30  # lines of a tool, without blank ones
EXCEPTIONS = {
    "call_graph": 41, "dependences": 90, "detail": 68, "miss_buffers": 60, "one_pass": 91, "prefetch_queue": 97,
    "saves": 58, "taint": 53, "uninitialised": 32, "write_buffers": 36,
}  # fmt: skip
APART = ("interpreted_lines", "detail", "miss_buffers", "one_pass", "prefetch_queue", "write_buffers")  # they have own tests


class Watch:
    """What the interpreter refers to: addresses of data, by whether they are written."""

    def __init__(self):
        self.data_ = []
        self.checksum = 0

    def fetch(self, address, size):
        self.checksum = (self.checksum * 5 + address) % 2**32

    def data(self, address, size, write):
        self.data_.append((address, size, write))
        self.checksum = (self.checksum * 5 + address) % 2**32


@pytest.fixture(scope="module", params=["riscv32", pytest.param("m68020", marks=pytest.mark.thorough)])
def measured(request, programs, measured_with):
    """A run with all supplied tools and a cache, and the interpreter's."""
    program, watch = programs(PROGRAM, request.param), Watch()
    system = MemorySystem(data=Cache("D", 8192, 32))
    result, found = measured_with(program, *(name for name in supplied() if name not in APART), system=system)
    expected = interpret(program, ["program"], capture=True, observer=watch)
    assert (result.exit_status, result.output) == (expected.exit_status, expected.output)
    return program, found, expected, watch


def rows(measurement, name, table=0):
    return measurement.tools[name][table].rows


def test_tools_are_short():
    lengths = {name: sum(map(bool, map(str.strip, (SUPPLIED / f"{name}.py").read_text().splitlines()))) for name in supplied()}
    assert all(length <= EXCEPTIONS.get(name, LONGEST) for name, length in lengths.items()), lengths


def test_blocks(measured):
    program, found, expected, _ = measured
    counted = sorted(
        (name.removeprefix("_"), block.label, count)
        for name, counts in expected.blocks.items()
        for block, count in zip(program.functions[name].blocks, counts, strict=True)
        if count
    )
    assert sorted(rows(found, "blocks")) == counted


def test_cache(measured):
    _, found, _, watch = measured
    ((references, misses, _),) = rows(found, "cache")
    assert references == len(watch.data_)
    assert misses == found.memory.results.caches[0].misses.total


def test_null_simulator(measured):
    _, found, expected, watch = measured
    assert rows(found, "null_simulator") == [("unified", expected.instructions + len(watch.data_), watch.checksum)]


def test_instruction_mix_and_branches(measured):
    _, found, _, _ = measured
    assert dict(rows(found, "instruction_mix")) == {n: c.dynamic for n, c in found.characteristics.types.items() if c.dynamic}
    branches = found.characteristics.conditional_branches()
    assert found.tools["branch_profile"][0].total[-2:] == (branches.dynamic, branches.taken)


def test_malloc(measured):
    _, found, _, _ = measured
    ours = {size: (calls, size_) for size, calls, size_ in rows(found, "malloc")}
    assert ours["below 128"] == (1, 100)
    assert ours["freed"][0] >= 1
    assert ours["failed"][0] == 0


def test_system_calls(measured):
    _, found, expected, _ = measured
    made = Counter(row[0] for row in rows(found, "system_calls"))
    assert made["exit"] + made["exit_group"] == 1
    assert rows(found, "system_calls", 1) == [(sum(made.values()), 0, len(expected.output))]


def test_strides(measured):
    """Of all references together, as many as the interpreter makes; the rest is compared with Python elsewhere."""
    _, found, _, watch = measured
    assert sum(row[3] for row in rows(found, "strides")) <= len(watch.data_)
    assert any(row[4] > 600 and abs(row[5]) == 4 for row in rows(found, "strides")), "the loop that fills the table"


def test_values(measured):
    _, found, _, watch = measured
    assert sum(row[2] for row in rows(found, "value_profile")) == sum(not write for _, _, write in watch.data_)
    assert all(0 < row[4] <= row[2] for row in rows(found, "value_profile"))


def test_call_graph(measured):
    program, found, expected, _ = measured
    calls = defaultdict(int)
    for _, callee, count, _ in rows(found, "call_graph"):
        calls[callee] += count
    entered = {name.removeprefix("_"): counts[0] for name, counts in expected.blocks.items() if counts[0]}
    assert {name: calls[name] for name in ("main", "fib", "malloc", "choose")} == {
        name: entered[name] for name in ("main", "fib", "malloc", "choose")
    }
    inclusive = {callee: count for _, callee, _, count in rows(found, "call_graph")}
    assert inclusive["fib"] == sum(
        sum(rtl.record.counted for rtl in block.rtls) * count
        for block, count in zip(program.functions["_fib"].blocks, expected.blocks["_fib"], strict=True)
    )


def test_stack_depth_and_uninitialised_reads(measured):
    _, found, _, _ = measured
    depths = [depth for _, depth in rows(found, "stack_depth")]
    assert all(a >= b > 0 for a, b in pairwise(depths))
    assert not [row for row in rows(found, "uninitialised") if row[0] in ("main", "fib", "choose")]


def test_why_registers_are_saved(measured):
    program, found, expected, _ = measured
    saved = {(row[0], row[1]): row[2:] for row in rows(found, "saves")}
    entered = expected.blocks["_fib"][0]
    *_, why, saves, stored, _, called = max(row for (name, _), row in saved.items() if name == "fib" and "(" not in row[1])
    assert (why, saves, stored) == ("fib", 1, stored)
    assert 0 < stored <= entered
    recursive = [
        count for block, count in zip(program.functions["_fib"].blocks, expected.blocks["_fib"], strict=True)
        for rtl in block.rtls if rtl.call is not None
    ]  # fmt: skip
    assert 0 < called <= sum(recursive)


COPIED = r"""
#include <stdlib.h>
#include <string.h>
struct pair { int first, second; };
static struct pair copy;
int main(void) {
    struct pair *made = malloc(sizeof *made);
    int from, n = 0;
    made->first = 3;
    memcpy(&copy, made, sizeof copy);
    %s
    from = copy.second * 2 + 1;
    if (copy.first == 3)
        n++;
    if (from > 7)
        n += 2;
    from = 5;
    return from > n;
}
"""


@pytest.mark.parametrize("machine", some(("riscv32", "mips"), 1))
def test_taint_follows_copies_and_arithmetic(programs, measured_with, machine):
    for text, lines in (("", [15]), ("copy.second = n;", [])):
        found = measured_with(programs(COPIED % text, machine, 0), "taint")[1]
        assert [row[2] for row in rows(found, "taint") if row[0] == "main"] == lines


class Heights:
    """The heights of values, as the interpreter's fetches and references have it, one instruction after the other."""

    def __init__(self, program, window=None):
        self.rtls = {
            start: rtl
            for name, function in program.functions.items()
            for rtl, (start, _) in zip(function.rtls(), program.fetched[name], strict=True)
        }
        self.window, self.number, self.known = window, 0, defaultdict(int)
        self.longest = self.total = 0  # in this window, in those before
        self.rtl, self.read, self.written = None, [], []

    def fetch(self, address, size):
        self.finish()
        self.rtl = self.rtls[address]

    def data(self, address, size, write):
        (self.written if write else self.read).extend(range(address // 4, (address + size + 3) // 4))

    def finish(self):
        """Give what the last instruction made its height."""
        if self.rtl is None:
            return
        height = 1 + max((self.known[value] for value in (*self.rtl.uses, *self.read)), default=0)
        self.known.update(dict.fromkeys((*self.rtl.sets, *self.written), height))
        self.longest, self.number = max(self.longest, height), self.number + 1
        self.rtl, self.read, self.written = None, [], []
        if self.number == self.window:
            self.total, self.longest, self.number = self.total + self.longest, 0, 0
            self.known.clear()


@pytest.mark.parametrize("machine", some(("riscv32", "m68020"), 1))
def test_dependences_are_those_of_the_interpreter(programs, measured_with, machine):
    program = programs(PROGRAM, machine)
    table = {row[0]: row[1:] for row in rows(measured_with(program, "dependences")[1], "dependences")}
    for name, window in (("all", None), ("16", 16), ("256", 256)):
        observer = Heights(program, window)
        expected = interpret(program, ["program"], capture=True, observer=observer)
        observer.finish()
        assert table[name][:2] == (expected.instructions, observer.total + observer.longest), name


class MissBuffers(Watch):
    """A direct-mapped cache before a victim cache and stream buffers, whose lines are in order of their last use."""

    def __init__(self, lines, victims, streams):
        super().__init__()
        self.lines, self.cache = lines, {}
        self.victims, self.heads = [None] * victims, [None] * streams
        self.misses = Counter()

    def data(self, address, size, write):
        line = address // 16
        gone = self.cache.get(line % self.lines)
        if gone == line:
            return
        self.cache[line % self.lines] = line
        hits = line in self.victims, line in self.heads
        self.misses[hits] += 1
        for held, hit, new in ((self.victims, hits[0], gone), (self.heads, hits[1], line + 1)):
            held.remove(line if hit else held[0])
            held.append(new)


def test_miss_buffers(programs, measured_with):
    program, plain = programs(PROGRAM, "riscv32"), MissBuffers(16, 3, 2)
    tool = "miss_buffers:SIZE=256,LINE=16,VICTIMS=3,STREAMS=2"
    found = rows(measured_with(program, tool)[1], tool)
    interpret(program, ["program"], capture=True, observer=plain)
    misses = plain.misses
    assert all(misses[hits] for hits in product((False, True), repeat=2))
    victims, streams = (sum(n for hits, n in misses.items() if hits[which]) for which in (0, 1))
    saved = [0, victims, streams, misses.total() - misses[False, False]]
    assert [row[1:3] for row in found] == [(n, misses.total() - n) for n in saved]


def test_write_buffers(programs, measured_with):
    """Buffers of which the longest unwritten line goes to memory, simulated one number of buffers at a time."""
    program, watch = programs(PROGRAM, "riscv32"), Watch()
    tool = "write_buffers:LINE=4,BUFFERS=5"
    found = rows(measured_with(program, tool)[1], tool)
    interpret(program, ["program"], capture=True, observer=watch)
    lines = [
        line for address, size, write in watch.data_ if write for line in range(address // 4, (address + size - 1) // 4 + 1)
    ]
    combined = {}
    for buffers in (1, 2, 4, 5):
        held, combined[buffers] = [], 0
        for line in lines:
            if line in held:
                held.remove(line)
                combined[buffers] += 1
            held = [*held, line][-buffers:]
    assert [row[:4] for row in found] == [(n, len(lines), c, len(lines) - c) for n, c in combined.items()]
    assert 0 < combined[1] < combined[2] < combined[4] < combined[5] < len(lines)


@pytest.mark.parametrize("policy", ["lru", "mru", "lfu"])
def test_one_pass(programs, measured_with, policy):
    """Misses and lines written back are those of the plain simulation of the interpreter's references."""
    program, watch = programs(PROGRAM, "riscv32"), Watch()
    tool = f"one_pass:POLICY={policy},SETS=4+16+32,WAYS=3,LINE=8"
    found = rows(measured_with(program, tool)[1], tool)
    interpret(program, ["program"], capture=True, observer=watch)
    events = [(Kind.WRITE if write else Kind.READ, address, size) for address, size, write in watch.data_]
    grid = Grid((32, 64, 96, 128, 256, 384, 512, 768), (8,), (1, 2, 3), ("D",))
    missed, written = sweep_by(policy, grid, events)
    expected = {(c.size, c.ways): (missed.misses(c), written.misses(c)) for c, _ in missed.caches() if c.sets in (4, 16, 32)}
    assert {(size, ways): (misses, back) for size, ways, _, misses, back in found} == expected
    assert {accesses for _, _, accesses, _, _ in found} == {missed.accesses("D", 8)}
    assert len(expected) == 9
    assert all(0 < back < misses for misses, back in expected.values())


@pytest.mark.parametrize(("setting", "says"), [("POLICY=fifo", "no stack policies"), ("SETS=64+48", "powers of two")])
def test_one_pass_says_what_it_cannot_do(programs, measured_with, setting, says):
    with pytest.raises(UserError, match=says):
        measured_with(programs(PROGRAM, "riscv32"), f"one_pass:{setting}")


class Queue:
    """A machine with a queue of two lines before the decoder, as the interpreter's fetches and references drive it."""

    REFILL = 5

    def __init__(self, program, sets, ways, every):
        self.latencies = {
            start: program.machine.record(rtl).latency
            for name, function in program.functions.items()
            for rtl, (start, _) in zip(function.rtls(), program.fetched[name], strict=True)
        }
        self.sets, self.ways, self.every = sets, ways, every
        self.cache = defaultdict(list)  # the last used last
        self.queue = []  # lines
        self.behind, self.now, self.bus = None, 0, 0
        self.counts = Counter()

    def has(self, line, brings):
        held = self.cache[line % self.sets]
        found = line in held
        if found or brings:
            self.cache[line % self.sets] = [*(each for each in held if each != line), line][-self.ways :]
        return found

    def missed(self):
        self.now = self.bus = max(self.now, self.bus) + self.REFILL

    def fetch(self, address, size):
        count = self.counts
        if count["executed"] and count["executed"] % self.every == 0:
            self.cache.clear()
        count["executed"] += 1
        last = (address + size - 1) // 16
        if address != self.behind:
            count["thrown"] += sum(line * 16 >= self.behind for line in self.queue) if self.queue else 0
            self.queue = []
        for line in range(address // 16, last + 1):
            if line not in self.queue:
                self.queue.append(line)
                count["wanted"] += 1
                if not self.has(line, True):
                    count["wanted missed"] += 1
                    self.missed()
        self.behind = address + size
        self.queue = [line for line in self.queue if (line + 1) * 16 > address]
        self.now += self.latencies[address]
        following = self.queue[-1] + 1
        if following * 16 + 16 - self.behind <= 32:
            if self.has(following, False):
                self.queue.append(following)
                count["ahead"] += 1
            elif self.bus <= self.now:
                self.has(following, True)
                self.bus = self.now + self.REFILL
                self.queue.append(following)
                count["ahead"] += 1
                count["ahead missed"] += 1
            else:
                count["busy"] += 1

    def data(self, address, size, write):
        if write:
            self.bus = max(self.bus, self.now) + (size + 3) // 4 * 2
            if self.bus > self.now + 8:
                self.counts["full"] += 1
                self.now = self.bus - 8
        for line in range(address // 16, (address + size - 1) // 16 + 1):
            if not self.has(line, not write) and not write:
                self.counts["read missed"] += 1
                self.missed()


@pytest.mark.parametrize("machine", some(("i386", "vax", "sparc"), 2))
def test_prefetch_queue(programs, measured_with, machine):
    program = programs(PROGRAM, machine)
    queue = Queue(program, 16, 2, 3000)
    tool = "prefetch_queue:SIZE=512,WAYS=2,EVERY=3000"
    found = measured_with(program, tool)[1]
    interpret(program, ["program"], capture=True, observer=queue)
    counts = queue.counts
    fetched = {"when they are wanted": "wanted", "ahead": "ahead"}
    assert rows(found, tool) == [(name, counts[key], counts[f"{key} missed"]) for name, key in fetched.items()]
    assert rows(found, tool, 1) == [tuple(counts[name] for name in ("executed", "thrown", "busy", "read missed", "full"))]
    assert all(counts.values())
