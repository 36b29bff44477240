"""Memories beside the main one: objects lie there, caches see nothing of them, and references to them are counted."""

from collections import Counter
from dataclasses import replace

import pytest

from cache_sim.parse import load as load_system
from cache_sim.parse import load_any
from cache_sim.reference import Simulator
from ease.host.process.job import RunOptions
from ease.model.results import MAIN
from ease.run.measure_options import MeasureOptions, on
from ease.run.measuring import measure, observed_run
from ease.run.observers import MEMORY
from tests.covering import some
from tests.timing.plain_clock import plain_estimate
from vpo.base.errors import LinkError, UserError
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.assembly import assembly
from vpo.machines.read.load import load
from vpo.machines.read.source import DescriptionError
from vpo.rtl.function import Unit
from vpo.rtl.printer import print_unit
from vpo.text import parse_unit

PROGRAM = r"""
#define FAST __attribute__((section(".fast")))
struct node { struct node *next; short weight; char name[6]; };
static const short table[64] FAST = {1, 2, 3, [63] = 9};
static struct node near[20] FAST, far_away[20];
FAST int total;
static int numbers[300];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int sum(const int *from, int count) { int s = 0; while (count--) s += *from++; return s; }
int main(void) {
    static int calls __attribute__((section(".slow.calls")));
    struct node *node;
    int i;
    for (i = 0; i < 20; i++) {
        near[i].next = i % 3 ? &far_away[(i * 7 + 5) % 20] : &near[(i + 1) % 20];
        far_away[i].next = i % 2 ? &near[(i * 3 + 1) % 20] : &far_away[(i + 7) % 20];
        near[i].weight = far_away[i].weight = i;
    }
    for (node = near, i = 0; i < 200; i++, node = node->next)
        numbers[i * 7 % 300] += node->name[i % 6]++, total += node->weight + table[i % 64], calls++;
    total += sum(numbers, 300) + sum(&total, 1);
    return (fib(6) + total + calls) & 127;
}
"""
MEMORIES = """
machine: spaces
extends: {machine}
memories:
  fast: {{at: {at}, size: 1k, wait: 2}}
  slow: {{at: {at} + 0x1000, size: 16, cached: true}}
"""
PLACES = {"arm": 0x3F000000, "sparc": 0x3F000000, "m68020": 0x10000, "thumb2": 0x3F000000}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A function that compiles the program for a machine that has memories besides, once."""
    made, folder = {}, tmp_path_factory.mktemp("spaces")
    source = folder / "program.c"
    source.write_text(PROGRAM)

    def compile_(machine, level=1):
        if (machine, level) not in made:
            at = PLACES.get(machine, 0x70000000)
            file = folder / f"{machine}.yaml"
            text = MEMORIES.format(machine=machine, at=hex(at)).replace(f"{at:#x} + 0x1000", hex(at + 0x1000))
            file.write_text(text)
            made[machine, level] = Compiler(load(str(file)), Settings(level=level)).program([str(source)])
        return made[machine, level]

    return compile_


class Watched:
    """References to data, by memory and whether they write."""

    def __init__(self, machine):
        self.spaces, self.seen = machine.layout.spaces, Counter()

    def fetch(self, address, size):
        """Do nothing."""

    def data(self, address, size, write):
        name = next((space.name for space in self.spaces if address in space.addresses), MAIN)
        self.seen[name, "write" if write else "read"] += 1


CASES = [
    ("riscv32", 2, "I:256,16,1+D:128,16,2"), ("m68020", 1, "U:512,16,2+switch:300"), ("sparc", 2, "D:256,16,1+DTLB:4x256,2"),
    ("vax", "s", "D:128,16,1,through,noallocate+L2:1k,32,2+causes"), ("riscv64", 2, "sweep+D+size:128-1k+line:16+ways:1,2"),
    ("x86_64", 2, "I:256,16,2+D:128,16,1+switch:200"), ("arm", 2, "U:256,16,2,fifo+switch:100i"), ("stack", 1, "D:256,8,1"),
]  # fmt: skip


@pytest.mark.parametrize(("machine", "level", "spec"), some(CASES, 4))
def test_host_code_sees_what_the_interpreter_does(compiled, machine, level, spec):
    program = compiled(machine, level)
    watched, system = Watched(program.machine), load_any(spec)
    said = interpret(program, ["program"], capture=True, observer=watched)
    measured = measure(program, ["program"], MeasureOptions(system), RunOptions(capture=True))
    assert measured.exit_status == said.exit_status
    found = Counter()
    for site, count in measured.spaces.sites.items():
        found[site.memory, site.direction] += count
    assert +found == watched.seen
    assert found["fast", "read"] > 500
    assert found["slow", "write"]
    if spec.startswith("sweep"):
        (cache, misses), *_ = measured.sweep.caches()
        system = replace(load_system("D:128,16,1"), data=replace(cache, name="D"))
    plain = Simulator(on(program.machine, system))
    interpret(program, ["program"], capture=True, observer=plain)
    if spec.startswith("sweep"):
        assert misses == plain.results()["D"].misses.total
    else:
        assert measured.memory.results == plain.results().without_sites()
        assert plain.results() != _all_seen(program, system)


def _all_seen(program, system):
    plain = Simulator(system)
    interpret(program, ["program"], capture=True, observer=plain)
    return plain.results()


@pytest.mark.parametrize("spec", ["D:128,16,2+delays", "D:128,16,1,through,noallocate+delays:buffers=2,write=15"])
def test_cycles_are_those_of_the_plain_clock(compiled, spec):
    program = compiled("riscv32", 2)
    expected, _ = plain_estimate(program, on(program.machine, load_system(spec)), ["program"])
    measured = measure(program, ["program"], MeasureOptions(load_system(spec), timing=True), RunOptions(capture=True))
    assert measured.timing.cycles == expected
    waited = sum(cycles for spent, cycles in expected.items() if spent.cause == "memory")
    assert waited == 2 * sum(count for site, count in measured.spaces.sites.items() if site.memory == "fast")


def test_objects_lie_where_their_sections_say(compiled):
    for machine in ("riscv32", "m68020"):
        program = compiled(machine)
        fast, slow = program.machine.layout.spaces
        placed = {data.name: program.symbols[data.name] for data in program.data}
        assert {name for name, at in placed.items() if at in fast.addresses} == {"_table", "_near", "_total"}
        assert [name for name, at in placed.items() if at in slow.addresses] == ["_calls.1"]


def test_sections_stand_in_the_text_of_rtls_and_in_assembly(compiled):
    program = compiled("riscv32")
    read, _ = parse_unit(print_unit(Unit("spaces", [], program.data), program.machine.cells))
    assert [(data.name, data.section) for data in read.data] == [(data.name, data.section) for data in program.data]
    assert {data.place.rpartition(":")[2] for data in read.data if data.section} == {"4", "5", "6", "11"}
    text = assembly(program.machine, [], program.data, section="data")
    assert text.count('.section .fast,"aw"') == 3
    assert text.count('.section .slow,"aw"') == 1


def test_a_run_that_is_cut_short_has_its_references(compiled):
    program = compiled("riscv32")
    measured = measure(program, ["program"], MeasureOptions(), RunOptions(capture=True, limit=2000))
    assert measured.partial
    assert 0 < sum(measured.spaces.sites.values()) < 2000


def test_samples_know_nothing_of_them(compiled):
    program = compiled("riscv32")
    seen = observed_run(program, ["program"], MeasureOptions(load_system("D:128,16,2"), moments=500), RunOptions(capture=True))
    assert seen[0].measurement(seen[1]).spaces is None
    plain = Simulator(on(program.machine, load_system("D:128,16,2")))
    interpret(program, ["program"], capture=True, observer=plain)
    assert seen[1].found[MEMORY].without_sites() == plain.results().without_sites()


def test_what_does_not_fit_is_told(compiled, tmp_path):
    file, source = tmp_path / "small.yaml", tmp_path / "large.c"
    file.write_text("machine: small\nextends: riscv32\nmemories: {fast: {at: 0x70000000, size: 1k}}\n")
    source.write_text(
        '__attribute__((section(".fast"))) char here[1000];\n\n__attribute__((section(".fast"))) char large[30];\n'
        "int main(void) { return here[3] + large[5]; }\n"
    )
    with pytest.raises(LinkError) as failure:
        Compiler(load(str(file)), Settings()).program([str(source)])
    message = str(failure.value)
    assert ":3: error: 'large' of 30 bytes does not fit into memory 'fast'" in message
    assert "take 1,030 bytes, and there are 1,024" in message
    source.write_text('int main(void) { __attribute__((section(".fast"))) int here = 3; return here; }\n')
    with pytest.raises(UserError, match="section attribute cannot be specified for local variables"):
        Compiler(load(str(file)), Settings()).program([str(source)])


@pytest.mark.parametrize(
    ("memories", "message"),
    [
        ("{fast: {at: 0x70000001, size: 1k}}", "must begin at a multiple of 0x1000"),
        ("{fast: {at: 0x50000000, size: 1k}}", "lies in that of text, data and heap"),
        ("{fast: {at: 0x7fffe000, size: 1k}}", "lies in that of the stack"),
        ("{fast: {at: 0x90000000, size: 1k}}", "addresses have no more bits than 'heap_limit'"),
        ("{a: {at: 0x70000000, size: 1k}, b: {at: 0x70000000, size: 1k}}", "lies in that of memory 'a'"),
        ("{fast: {size: 1k}}", "wants an address"),
        ("{fast: {at: 0x70000000, size: much}}", "'size' must be a number"),
        ("{fast: {at: 0x70000000, size: 1k, wait: 1, cached: true}}", "waits as the memory system says"),
    ],
)
def test_mistakes_in_descriptions_are_told(tmp_path, memories, message):
    file = tmp_path / "wrong.yaml"
    file.write_text(f"machine: wrong\nextends: riscv32\nmemories: {memories}\n")
    with pytest.raises(DescriptionError, match=message):
        load(str(file))
