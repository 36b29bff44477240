"""Literal pools: within reach of what reads them, in code with and without places for them, and as real tools have them."""

import itertools
import re

import pytest

from cache_sim.config import Cache, MemorySystem
from cache_sim.reference import Simulator
from cache_sim.traces.trace_file import load_trace
from ease.host.process.job import RunOptions
from ease.lab.static_cache.graph import graphs
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run, observed_run
from ease.run.observers import MEMORY
from ease.traces.checking import static_half
from ease.traces.traced_run import traced_run
from tests.covering import some
from tests.ground_truth import confirm, confirm_references
from tests.kept_machines import load
from vpo.analysis.pools import literal_pools
from vpo.analysis.transfers import transfers
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.assembly import assembly
from vpo.machines.names import machine_names
from vpo.machines.read.source import DescriptionError
from vpo.opt.late.span import slots_of

STATEMENTS = 700
CONSTANTS = 200  # different ones: more than a pool has, and each takes long where comparisons with it need a plan
WITH_POOLS = [name for name in machine_names() if load(name).capabilities.literals]
ALIGNED = ["long", "llong", "float", "double", "ldouble", "pointer"]
LABELLED = """\
machine: labelled
extends: arm
instructions:
  LDR.L: {rtl: "r[dst]=L[LIT[src]];", src: literal, asm: "ldr $dst, $src", reach: [-4084, 4100], latency: 3}
assembler: {literal: ".L$function.P$number"}
"""
STRICT = ["misaligned=false", "c.struct_align=4", *(f"c.aligns.{name}=4" for name in ALIGNED)]


def constant(number):
    return 0x12345671 + number % CONSTANTS * 0x1EE10001 & 0x7FFFFFFF


def source(body):
    return "\n".join(["int putchar(int);", "volatile unsigned y = 1;", "int main(void) {", *body,
                      '    for (; y; y /= 10) putchar(y % 10 + 48);', '    return 0;', "}"])  # fmt: skip


PROGRAMS = {
    "no place for a pool": source([f"    y += {constant(n)}u;" for n in range(STATEMENTS)]),
    "places between": source([f"    if (y > {constant(n)}u) y++; else y ^= {n};" for n in range(STATEMENTS)]),
}


@pytest.mark.parametrize(("name", "program"), some(list(itertools.product(WITH_POOLS, PROGRAMS)), 1, first=3))
def test_pools(name, program, tmp_path):
    machine = load(name)
    path = tmp_path / "program.c"
    path.write_text(PROGRAMS[program])
    linked = Compiler(machine, Settings(level=0)).program([str(path)])
    pools = literal_pools(linked.functions["_main"], machine)
    assert len(pools) > 1 or [pool.before for pool in pools] == [True]
    assert not any(pool.is_late(machine) for pool in pools)
    oracle = interpret(linked, ["program"], capture=True)
    host, _ = counted_run(linked, ["program"], RunOptions(capture=True, tier="fast"))
    assert (oracle.fault, oracle.exit_status, oracle.output) == (None, 0, host.output)
    confirm(linked, oracle)
    confirm_references(linked)


# A function that ends with a call that does not return, before a pool; a literal that is in two pools.
BRANCHES = """
#include <stdio.h>
#include <stdlib.h>
volatile unsigned y = 1;
__attribute__((noinline)) static void leave(void) { for (; y; y /= 10) putchar(y % 10 + 48); exit(0); }
__attribute__((noinline)) static void last(unsigned n) { y ^= n * 0x76543211u; leave(); }
__attribute__((noinline)) static unsigned pick(unsigned n) { if (n % 3 == 1) return y += 0x12345677u; return y ^= n; }
int main(void) { for (unsigned n = 0; n < 300; n++) pick(n); last(y); }
"""


@pytest.fixture(scope="module")
def branches(tmp_path_factory):
    """Programs with pools behind instructions that are executed often, by machine."""
    path = tmp_path_factory.mktemp("pools") / "branches.c"
    path.write_text(BRANCHES)
    return {name: Compiler(load(name), Settings(level=1)).program([str(path)]) for name in WITH_POOLS}


@pytest.mark.parametrize("name", some(WITH_POOLS, 1))
def test_a_pool_is_not_fetched(name, branches, tmp_path):
    """Misses in host code, of the interpreter and of the trace are those of instructions as large as their records say."""
    program, system = branches[name], MemorySystem(Cache("I", 128, 16))
    sizes = [[*(program.machine.record(rtl).size for rtl in f.rtls()), 0] for f in program.functions.values()]
    size_of = [size for function in sizes for size in function]
    with (tmp_path / "trace").open("wb") as out:
        traced_run(program, ["program"], out, options=RunOptions(capture=True))
    plain, interpreted = Simulator(system), Simulator(system)
    for kind, address, size, site in load_trace(tmp_path / "trace"):
        if kind == 2:
            assert size == size_of[site]
            plain.fetch(address, size_of[site])
    oracle = interpret(program, ["program"], capture=True, observer=interpreted)
    seen = observed_run(program, ["program"], MeasureOptions(system), RunOptions(capture=True))[1]
    host, found = seen.run, seen.found[MEMORY]
    assert host.output == oracle.output
    misses = [results.caches[0].misses.fetch for results in (found, plain.results(), interpreted.results())]
    assert misses[0] == misses[1] == misses[2]


@pytest.mark.parametrize("name", WITH_POOLS)
def test_nobody_takes_a_pool_for_a_part_of_an_instruction(name, branches):
    program = branches[name]
    records = {f: [program.machine.record(rtl) for rtl in function.rtls()] for f, function in program.functions.items()}
    for place in transfers(program):
        size = records[place.function][place.position].size
        assert place.address == program.addresses[place.function][place.position] + size - 1
    touched = sum(len(run.sites) for graph in graphs(program, 1 << 20).values() for node in graph.nodes for run in node.runs)
    assert touched <= sum(map(len, records.values()))
    assert sum(block[2] for block in static_half(program)["blocks"]) == sum(
        r.size for found in records.values() for r in found
    )


@pytest.mark.parametrize("name", WITH_POOLS)
def test_the_emulator_refers_to_the_same_pools(name, branches):
    confirm_references(branches[name])


def test_pools_are_aligned(tmp_path):
    """Where every instruction has two bytes, and words must be aligned, filler stands before some pools."""
    machine, path = load("short16", STRICT), tmp_path / "program.c"
    functions = [f"unsigned long f{n}(unsigned long x) {{ {'x *= x;' * n} return x ^ {constant(n)}; }}" for n in range(4)]
    long = "".join(f"if (y > {constant(n)}ul) y++; else y ^= {n}; y += {constant(n)}ul;" for n in range(90))
    calls = "".join(f"y = f{n}(y);" for n in range(4))
    main = f"int main(void) {{ volatile unsigned long y = 1; {calls}{long} return y & 127; }}"
    path.write_text("\n".join([*functions, main]))
    linked = Compiler(machine, Settings(level=0)).program([str(path)])
    assert {address % 4 for found in linked.literals.values() for block in found for address in block.values()} == {0}
    pools = {name: literal_pools(function, machine) for name, function in linked.functions.items()}
    assert len(pools["_main"]) > 1
    every = [pool for found in pools.values() for pool in found]
    assert not any(pool.is_late(machine) for pool in every)
    assert {pool.start(machine) - pool.offset for pool in every} == {0, 2}
    oracle, (host, _) = interpret(linked), counted_run(linked, options=RunOptions(tier="fast"))
    relaxed = interpret(Compiler(load("short16"), Settings(level=0)).program([str(path)]))
    assert (oracle.fault, oracle.exit_status) == (None, host.exit_status) == (None, relaxed.exit_status)


def test_literals_with_labels_of_their_own(tmp_path):
    """Where the assembler collects no literals, pools are written out; a literal in two pools has two labels."""
    path = tmp_path / "labelled.yaml"
    path.write_text(LABELLED)
    machine, path = load(str(path)), tmp_path / "program.c"
    path.write_text(PROGRAMS["places between"])
    linked = Compiler(machine, Settings(level=0)).program([str(path)])
    lines = assembly(machine, linked.functions.values(), linked.data).splitlines()
    labels = [line.rstrip(":") for line in lines if re.fullmatch(r"\.L\w+\.P\d+:", line)]
    read = {line.rpartition(" ")[2] for line in lines if line.startswith("\tldr") and ".P" in line}
    assert read == set(labels)
    assert len(labels) == len(read) > 100
    assert "\t.ltorg" not in lines
    confirm(linked, interpret(linked, ["program"], capture=True))


def test_pools_in_front_of_functions(branches):
    """Where instructions read backwards only; functions behind them are aligned."""
    program = branches["xtensa"]
    pools = {name: literal_pools(function, program.machine) for name, function in program.functions.items()}
    found = [(name, pool) for name, each in pools.items() for pool in each]
    assert len(found) > 4
    for name, pool in found:
        words = sorted(program.literals[name][0].values())
        assert pool.before
        assert words == [program.symbols[name] + place for place in pool.span(program.machine)[::4]]
        assert not any(address in words for other in program.addresses.values() for address in other[:-1])
    with pytest.raises(DescriptionError, match="'literal' must say how the literals in front of each"):
        load("xtensa", ["assembler.literal=null"])


def test_jumps_over_pools_leave_delay_slots_alone(tmp_path):
    """Slots count as code before a pool, and a pool stands behind them: between a branch or call and its slot is no place."""
    path, machine = tmp_path / "program.c", load("sh4")
    body = "".join(f"z += y; if (y > {constant(n)}) z = g(z, y);" for n in range(100))
    path.write_text(f"int g(int, int); int f(int y, int z) {{ {body} return z; }}")
    (function,) = Compiler(machine, Settings(level=1)).unit(str(path)).functions
    pools = literal_pools(function, machine)
    assert len(pools) > 1
    assert not any(pool.is_late(machine) for pool in pools)
    for block in function.blocks:
        slots = 0
        for rtl in block.rtls:
            slots = slots - 1 if slots else slots_of(rtl, machine)
        assert not slots


def test_functions_must_be_aligned_as_pools():
    with pytest.raises(DescriptionError, match="'function_align' must be a multiple of 4, as the words of literal pools"):
        load("short16", [*STRICT, "assembler.function_align=2"])
