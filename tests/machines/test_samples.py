"""Every sample on every machine, and a program that prints nothing: host code, the interpreter, the real machine.

Output and exit status are those of gcc's build; every RTL is executed as often in host code, by execution-class
counters, as in the interpreter; the real assembler makes instructions of our sizes, the real emulator executes as many.
"""

import json
import os
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import Comparison, ToolMissing, compare_sizes, emulated, tools_of, truth
from tests.covering import LEVELS, case
from tests.kept_machines import load
from tests.reach import unreachable
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

ROOT = Path(__file__).parents[2]
QUIET = Path(__file__).with_name("deletions.c")
TRIED = {  # always: every sample, on machines and levels whose library other tests want, too
    ("queens", "riscv32", 1), ("spline", "riscv32", 1), ("compact", "riscv32", 2), ("cpp", "riscv32", 1),
    ("matmult", "m68020", 1), ("od", "m68020", 1), ("diff", "sparc", 1), ("puzzle", "m68020", 1),
}  # fmt: skip
SAMPLES = json.loads((ROOT / "samples" / "samples.json").read_text())


def test_machines_were_found():
    assert {"baseline", "m68020", "proposed", "riscv32"} <= set(machine_names())
    assert {"m68020", "riscv32"} <= {name for name in machine_names() if load(name).toolchain.assembler}


def has_tools(machine):
    """Whether the real machine's tools are here; they must be if EASE_REQUIRE_TOOLS is 1."""
    if not machine.toolchain.assembler:
        return False
    try:
        tools_of(machine)
    except ToolMissing:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            raise
        return False
    return True


def runs():
    """Every sample on every machine at every level, one in three of those that are tried always in the interpreter, too."""
    for index, sample in enumerate(SAMPLES):
        for name in machine_names():
            for level in LEVELS:
                usual = (sample, name, level) in TRIED
                yield case(name, sample, level, not usual or index % 3 == 0, usual=usual)


def test_every_sample_is_tried():
    assert sorted(sample for sample, *_ in TRIED) == sorted(SAMPLES)
    assert {machine for _, machine, _ in TRIED} <= set(machine_names())


@pytest.mark.parametrize(("name", "sample", "level", "interpreted"), list(runs()))
def test_sample(name, sample, level, interpreted, monkeypatch):
    monkeypatch.chdir(ROOT)
    machine = load(name)
    entry = SAMPLES[sample]
    stdin = (ROOT / entry["stdin"]).read_bytes() if entry["stdin"] else b""
    program = Compiler(machine, Settings(level=level)).program([f"samples/{sample}.c"])
    check(program, [sample, *entry["args"]], stdin, ((ROOT / entry["expected"]).read_bytes(), entry["exit"]), interpreted)


def quiet_runs():
    """Every machine at every level, of which one is tried always, by turns."""
    for number, name in enumerate(machine_names()):
        yield from (case(name, level, usual=number % len(LEVELS) == index) for index, level in enumerate(LEVELS))


@pytest.mark.parametrize(("name", "level"), list(quiet_runs()))
def test_program_that_prints_nothing(name, level):
    """It has most of C; that it needs little of the library makes it cheap on every machine."""
    machine = load(name)
    status = 91 if machine.model.sizes["int"] == 4 else 210  # by the host's compiler, and by gcc -mshort
    check(Compiler(machine, Settings(level=level)).program([str(QUIET)]), ["quiet"], b"", (b"", status), True)


def check(program, arguments, stdin, expected, interpreted):
    """Compare a program's run with what is expected, with the interpreter if it is asked, and with the real machine."""
    machine = program.machine
    used = {machine.record(rtl).alternative for function in program.functions.values() for rtl in function.rtls()}
    assert not used & unreachable(machine.name)
    output, status = expected
    host, counts = counted_run(program, arguments, RunOptions(stdin, capture=True, tier="fast"))
    assert (host.fault, host.exit_status, host.output) == (None, status, output)
    if interpreted:
        oracle = interpret(program, arguments, stdin=stdin, capture=True)
        assert (oracle.fault, oracle.exit_status, oracle.output) == (None, status, output)
        assert (counts.rtls, counts.taken, counts.traps) == (oracle.rtls, oracle.taken, oracle.traps)

    if has_tools(machine):
        real = truth(program, arguments, stdin)
        comparison = Comparison()
        comparison.check("output", real.output, output)
        comparison.check("exit status", real.exit_status, status)
        comparison.check("instructions executed", real.instructions, emulated(program, counts))
        compare_sizes(program, real, comparison)
        assert not comparison.differences
