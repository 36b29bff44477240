"""Machines with next to nothing, in descriptions of a few lines: what C needs is made of what they have.

`tests/machines/tiny/four.yaml` has four registers, constants of eight bits, and no comparison but with 0; `int16.yaml` and
`words16.yaml` have ints of sixteen bits and no access to bytes, and `words16.yaml` registers of sixteen bits, too.
`subtract.yaml` has one instruction, which subtracts and branches if the difference is not positive; `nand.yaml` computes by
nand and shifts by one bit only, and tells nothing but whether a register is 0.
"""

import json
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import case
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

ROOT = Path(__file__).parents[2]
TINY = Path(__file__).parent / "tiny"
MACHINES = sorted(path.stem for path in TINY.glob("*.yaml"))
ALWAYS = {("four", 1), ("int16", 2)}
LONGEST = 24  # lines of a description
PROGRAM = """
static unsigned char bytes[6] = {1, 200, 3, 4, 5, 255};
static short halves[3] = {-1, 300, -300};
static long words[8] = {1, -2, 70000, -123456789, 5, 6, 7, 8};
static unsigned long sum;
static void add(unsigned long value) { sum = (sum << 5) - sum + value; }
static long far(long a, long b, long c, long d)
{
    long many[100];
    int i;
    for (i = 0; i < 100; i++) many[i] = (long)((unsigned long)a * i + b);
    return many[7] + many[99] + (a - b) * (c - d) + ((a ^ c) & (b | d)) + many[c & 63] / (d | 1);
}
int main(void)
{
    int i;
    unsigned long long wide = 1;
    for (i = 0; i < 6; i++) { bytes[i] ^= bytes[(i + 1) % 6] << 1; halves[i % 3] -= bytes[i]; add(bytes[i] + halves[i % 3]); }
    for (i = 0; i < 8; i++) { add(far(words[i], words[7 - i], i, 3)); add(words[i] < words[7 - i]); add(words[i] >> i); }
    for (i = 0; i < 8; i++) { wide = wide * 1000003 + words[i]; add((unsigned long)(wide >> 17)); add(words[i] % 11); }
    return (int)((sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 127);
}
"""
EXPECTED = 66  # by the host's compiler, with a long of 32 bits


def outcomes(machine, level, source, arguments=(), interpreted=True):
    """Return status, fault and output of a program in host code and, unless that takes too long, in the interpreter."""
    program = Compiler(machine, Settings(level=level)).program([str(source)])
    runs = [counted_run(program, arguments, RunOptions(capture=True, tier="fast"))[0]]
    runs += [interpret(program, arguments, capture=True)] if interpreted else []
    return [(run.fault, run.exit_status, run.output) for run in runs]


def test_descriptions_are_short():
    assert {"four", "int16", "nand", "subtract", "words16"} == set(MACHINES)
    assert all(len((TINY / f"{name}.yaml").read_text().splitlines()) <= LONGEST for name in MACHINES)


@pytest.mark.parametrize(("name", "level"), [case(n, level, usual=(n, level) in ALWAYS) for n in MACHINES for level in (1, 2)])
def test_program(name, level, tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    assert outcomes(load(str(TINY / f"{name}.yaml")), level, source, ["program"]) == [(None, EXPECTED, b"")] * 2


@pytest.mark.thorough
@pytest.mark.parametrize("sample", ["queens", "cpp"])
@pytest.mark.parametrize("name", [name for name in MACHINES if name != "words16"])  # whose 64 KiB are too few
def test_sample(name, sample, monkeypatch):
    monkeypatch.chdir(ROOT)
    entry = json.loads((ROOT / "samples" / "samples.json").read_text())[sample]
    expected = (None, entry["exit"], (ROOT / entry["expected"]).read_bytes())
    machine = load(str(TINY / f"{name}.yaml"))
    found = outcomes(machine, 1, f"samples/{sample}.c", [sample, *entry["args"]], interpreted=name != "nand")
    assert set(found) == {expected}
