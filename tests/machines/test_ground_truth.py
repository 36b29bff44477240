"""Every sample, on every machine that has a real assembler and emulator: same output, counts and sizes."""

import json
import os
from pathlib import Path

import pytest

from ease.verify import Comparison, ToolMissing, compare_sizes, tools_of, truth
from vpo.compiler import Compiler, Settings
from vpo.interpret import interpret
from vpo.machines.load import load
from vpo.machines.source import machine_names

ROOT = Path(__file__).parents[2]
SAMPLES = json.loads((ROOT / "samples" / "samples.json").read_text())
REAL = [name for name in machine_names() if load(name).options["toolchain"]]


def test_machines_were_found():
    assert {"riscv32"} <= set(REAL)


@pytest.mark.tools
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("name", REAL)
def test_sample_equals_the_real_machine(name, sample, level, monkeypatch):
    monkeypatch.chdir(ROOT)
    machine = load(name)
    try:
        tools_of(machine)
    except ToolMissing as missing:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            raise
        pytest.skip(str(missing))
    entry = SAMPLES[sample]
    arguments = [sample, *entry["args"]]
    stdin = (ROOT / entry["stdin"]).read_bytes() if entry["stdin"] else b""
    program = Compiler(machine, Settings(level=level)).program([f"samples/{sample}.c"])
    real = truth(program, arguments, stdin)
    ours = interpret(program, arguments, stdin=stdin, capture=True)
    comparison = Comparison()
    comparison.check("output", real.output, ours.output)
    comparison.check("expected output", real.output, (ROOT / entry["expected"]).read_bytes())
    comparison.check("exit status", real.exit_status, ours.exit_status)
    comparison.check("instructions executed", real.instructions, ours.instructions)
    compare_sizes(program, real, comparison)
    assert not comparison.differences
