"""Every sample on every machine: host code, and the interpreter or the real machine or both.

Output and exit status are those of gcc's build; every RTL is executed as often in host code, by execution-class
counters, as in the interpreter; the real assembler makes instructions of our sizes, the real emulator executes as many.
"""

import json
import os
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import Comparison, ToolMissing, compare_sizes, executed, tools_of, truth
from tests.covering import LEVELS, case, usual_level
from tests.interpreter.interpreter import interpret
from tests.kept_machines import load
from tests.reach import unreachable
from vpo.build.compiler import Compiler, Settings
from vpo.machines.names import machine_names

ROOT = Path(__file__).parents[2]
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
    """Every sample on every machine at every level.  Tried always are, of each machine, one level and one or two samples.

    They are such that every sample is tried at every level, the cheap ones more often than others.  Of those, the
    interpreter is asked on every third; the others go to the real machine, if there is one.
    """
    size = {sample: (ROOT / "samples" / f"{sample}.c").stat().st_size for sample in SAMPLES}
    cheap = sorted(SAMPLES, key=size.__getitem__)
    names, tried = machine_names(), set()
    for number, name in enumerate(names):
        usual = usual_level(name)
        fresh = [sample for sample in reversed(cheap) if (sample, usual) not in tried]
        is_last = all(usual_level(later) != usual for later in names[number + 1 :])
        wanted = len(fresh) if is_last else 2 if load(name).toolchain.assembler else 1
        chosen = [*fresh, *cheap[number % 3 :]][: max(wanted, 1)]
        tried.update((sample, usual) for sample in chosen)
        for index, sample in enumerate(SAMPLES):
            interpreted = index % 3 == number % 3
            for level in LEVELS:
                now = level == usual and sample in chosen
                yield case(name, sample, level, interpreted or not now, usual=now)


def test_every_sample_is_tried_at_every_level():
    usual = [run.values for run in runs() if not run.marks]
    assert {(sample, level) for _, sample, level, _ in usual} == {(sample, level) for sample in SAMPLES for level in LEVELS}
    assert {name for name, *_ in usual} == set(machine_names())


@pytest.mark.parametrize(("name", "sample", "level", "interpreted"), list(runs()))
def test_sample(name, sample, level, interpreted, monkeypatch):
    monkeypatch.chdir(ROOT)
    machine = load(name)
    entry = SAMPLES[sample]
    arguments = [sample, *entry["args"]]
    stdin = (ROOT / entry["stdin"]).read_bytes() if entry["stdin"] else b""
    program = Compiler(machine, Settings(level=level)).program([f"samples/{sample}.c"])
    assert not unreachable(name) & {machine.record(rtl).alternative for f in program.functions.values() for rtl in f.rtls()}

    expected = (ROOT / entry["expected"]).read_bytes()
    host, counts = counted_run(program, arguments, RunOptions(stdin, capture=True, tier="fast"))
    assert (host.fault, host.exit_status, host.output) == (None, entry["exit"], expected)
    if interpreted:
        oracle = interpret(program, arguments, stdin=stdin, capture=True)
        assert (oracle.fault, oracle.exit_status, oracle.output) == (None, entry["exit"], expected)
        assert (counts.rtls, counts.taken, counts.traps) == (oracle.rtls, oracle.taken, oracle.traps)

    if has_tools(machine):
        real = truth(program, arguments, stdin)
        comparison = Comparison()
        comparison.check("output", real.output, expected)
        comparison.check("exit status", real.exit_status, entry["exit"])
        comparison.check("instructions executed", real.instructions, executed(program, counts))
        compare_sizes(program, real, comparison)
        assert not comparison.differences
