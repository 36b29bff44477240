"""Programs that once were compiled wrongly, cut down, print what their first line says on some machines at every level.

Where the mistake showed on another machine, it is added: `/* expect: 7, also on: NAME */`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs.running import LEVELS, MACHINES, TRIED, compiler
from vpo.interpret.fast.interpreter import interpret

REDUCED = sorted((Path(__file__).parent / "reduced").glob("*.c"))


def test_programs_were_found():
    assert REDUCED


def first_line(source):
    """Return what a program prints, and the machines that it is for."""
    found = re.match(r"/\* expect: (.*?)(?:, also on: (.*))? \*/", source.read_text())
    assert found, "the first line says what is expected"
    return found[1] + "\n", [*MACHINES, *(found[2] or "").split()]


def runs():
    for number, source in enumerate(REDUCED):
        for machine in first_line(source)[1]:
            for level in LEVELS:
                marks = () if (machine, level) == TRIED[number % len(TRIED)] else pytest.mark.thorough
                yield pytest.param(source, machine, level, id=f"{source.stem}-{machine}-{level}", marks=marks)


@pytest.mark.parametrize(("source", "machine", "level"), list(runs()))
def test_output(source, machine, level):
    result = interpret(compiler(machine, level).program([str(source)]), ["program"], capture=True, limit=20_000_000)
    assert result.fault is None
    assert result.output.decode() == first_line(source)[0]
