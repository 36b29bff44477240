"""What can be loaded but is hardly meant: `ease machine check` warns, and of no machine of this project."""

import pytest

from ease.commands.machine.machine_new import skeleton
from ease.commands.machine.machine_show import doubtful
from tests.kept_machines import load
from vpo.machines.advice.doubts import doubts
from vpo.machines.names import machine_names

MAC = """\
machine: mac
extends: riscv32
instructions:
  MAC: {{rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "{asm}", latency: {latency}}}
"""


def told(tmp_path, asm="mac $d,$a,$b", latency=7):
    description = tmp_path / "mac.yaml"
    description.write_text(MAC.format(asm=asm, latency=latency))
    return doubtful(load(str(description)))


@pytest.mark.parametrize("name", [*machine_names(), "riscv32+c+zcb", "riscv64+c+zcb", "riscv32+zilsd"])
def test_machines_of_this_project_are_not_doubtful(name):
    assert doubts(load(name)) == []


def test_an_instruction_that_is_faster_than_its_slowest_part(tmp_path):
    assert told(tmp_path) == []
    said = "latency 3, but MUL, a part of it, takes 7: write `latency: 7` or more"
    assert told(tmp_path, latency=3) == ["warnings:", f"    MAC `r[d]=r[d]+(r[a]*r[b]);` (mac.yaml:4): {said}"]


def test_a_short_load_that_is_faster_than_the_long_one(tmp_path):
    description = tmp_path / "short.yaml"
    line = 'C.LW: {rtl: "r[d]=L[r[b]];", asm: "lw $d,0($b)", when: "8 <= d <= 15 and 8 <= b <= 15", size: 2}'
    description.write_text(f"extension: short\nfirst:\n  {line}\n")
    (found,) = doubts(load(f"riscv32+{description}"))
    assert found.reason == "latency 1, but LW, which loads the same, takes 2: write `latency: 2`"


@pytest.mark.parametrize("asm", ["mac rd,rs1,rs2", "mac %d,%a,%b"])
def test_assembly_without_operands(tmp_path, asm):
    (_, line) = told(tmp_path, asm=asm)
    assert f"`{asm}` prints no operand: write $d, $a, $b, or" in line


@pytest.mark.parametrize(("name", "latency"), [("riscv32", 7), ("mips", 12)])
def test_examples_of_new_descriptions_have_honest_latencies(name, latency):
    assert f'asm: "mac $d,$a,$b", size: 4, latency: {latency}}}' in skeleton("mine", name)
