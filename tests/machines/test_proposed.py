"""The worked example of docs/machines.md: the compiler uses what is new because it is legal now."""

from collections import Counter
from pathlib import Path

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

ROOT = Path(__file__).parents[2]
MATMULT = ROOT / "samples" / "matmult.c"


def program(name):
    return Compiler(load(name), Settings(level=1)).program([str(MATMULT)])


def names(name, level=1):
    machine = load(name)
    functions = Compiler(machine, Settings(level=level)).unit(str(MATMULT)).functions
    return Counter(machine.recognize(r.effects).name for f in functions for r in f.rtls())


@pytest.mark.parametrize("level", some((1, 2), 1))
def test_both_new_instructions_are_used(level):
    found = names("proposed", level)
    assert found["MAC"] > 0
    assert found["LWX"] > 0
    assert sum(found.values()) < sum(names("riscv32", level).values())


@pytest.mark.thorough
def test_it_does_the_same_in_fewer_instructions():
    runs = {name: interpret(program(name), ["matmult", "12"], stdin=b"", capture=True) for name in ("riscv32", "proposed")}
    assert runs["proposed"].output == runs["riscv32"].output
    assert runs["proposed"].exit_status == runs["riscv32"].exit_status == 0
    assert runs["proposed"].instructions < runs["riscv32"].instructions


def test_description_is_short():
    lines = (ROOT / "machine_descriptions" / "proposed.yaml").read_text().splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith("#")]) <= 20
