"""Every sample on every machine: host code, and the interpreter or the real machine or both.

Output and exit status are those of gcc's build; every RTL is executed as often in host code, by execution-class
counters, as in the interpreter; the real assembler makes instructions of our sizes, the real emulator executes as many.
"""

import json
import os
from pathlib import Path

import pytest

from ease.measuring import counted_run
from ease.verify import Comparison, ToolMissing, compare_sizes, executed, tools_of, truth
from vpo.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret
from vpo.machines.load import load
from vpo.machines.names import machine_names

ROOT = Path(__file__).parents[2]
SAMPLES = json.loads((ROOT / "samples" / "samples.json").read_text())
LEVELS = (0, 1, 2, "s")


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
    """Samples on every machine at one level, by turns; on a third of them the interpreter is asked.

    The others go to the real machine, if there is one.  EASE_ALL_LEVELS=1: all samples at all levels, for both.
    """
    everything = os.environ.get("EASE_ALL_LEVELS") == "1"
    for number, name in enumerate(machine_names()):
        levels = LEVELS if everything else (LEVELS[number % len(LEVELS)],)
        step = 1 if everything or load(name).toolchain.assembler else 2
        for sample in list(SAMPLES)[number % step :: step]:
            interpreted = everything or list(SAMPLES).index(sample) % 3 == number % 3
            yield from ((name, sample, level, interpreted) for level in levels)


@pytest.mark.parametrize(("name", "sample", "level", "interpreted"), list(runs()))
def test_sample(name, sample, level, interpreted, monkeypatch):
    monkeypatch.chdir(ROOT)
    machine = load(name)
    entry = SAMPLES[sample]
    arguments = [sample, *entry["args"]]
    stdin = (ROOT / entry["stdin"]).read_bytes() if entry["stdin"] else b""
    program = Compiler(machine, Settings(level=level)).program([f"samples/{sample}.c"])

    expected = (ROOT / entry["expected"]).read_bytes()
    host, counts = counted_run(program, arguments, stdin=stdin, capture=True, tier="fast")
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
