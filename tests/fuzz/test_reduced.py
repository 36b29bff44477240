"""Programs that once were compiled wrongly, cut down, print what their first line says on every machine at every level."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs.running import LEVELS, MACHINES, compiler
from vpo.interpret import interpret

REDUCED = sorted((Path(__file__).parent / "reduced").glob("*.c"))


def test_programs_were_found():
    assert REDUCED


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("source", REDUCED, ids=lambda path: path.stem)
def test_output(source, machine, level):
    expected = re.match(r"/\* expect: (.*) \*/", source.read_text())
    assert expected, "the first line says what is expected"
    result = interpret(compiler(machine, level).program([str(source)]), ["program"], capture=True, limit=20_000_000)
    assert result.fault is None
    assert result.output.decode() == expected[1] + "\n"
