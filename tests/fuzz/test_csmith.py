"""Random programs print the same here as with gcc, on three machines, the levels by turns."""

from __future__ import annotations

import json
import os

import pytest

from tests.fuzz import expectations, programs
from tests.programs.running import LEVELS, MACHINES, compiler
from vpo.interpret import interpret

EXPECTED = json.loads(expectations.FILE.read_text())

pytestmark = pytest.mark.tools


def require(tools: list[str]) -> None:
    if tools:
        action = pytest.fail if os.environ.get("EASE_REQUIRE_TOOLS") == "1" else pytest.skip
        action(f"needs {', '.join(tools)}")


def expected_output(entry, text, model, source):
    """What the file says that a program prints, or, for an unknown one, what another compiler says."""
    if entry["digest"] == expectations.digest(text):
        return entry["outputs"][model]
    require(programs.missing(model))
    return programs.expected(source, model)


def test_there_are_200_programs():
    assert len(EXPECTED) == 200


@pytest.mark.parametrize("seed", EXPECTED)
def test_program_prints_the_same(seed, tmp_path):
    require([] if programs.version() else [programs.CSMITH])
    text = programs.generate(int(seed))
    source = tmp_path / "program.c"
    source.write_text(text)
    for number, machine in enumerate(MACHINES):
        compile_ = compiler(machine, LEVELS[(int(seed) + number) % len(LEVELS)], str(programs.HEADERS))
        expected = expected_output(EXPECTED[seed], text, programs.model_of(compile_.machine, text), source)
        if expected is None:
            pytest.skip("does not end")
        result = interpret(compile_.program([str(source)]), ["program"], capture=True, limit=20_000_000)
        assert result.fault is None, machine
        assert [result.exit_status, result.output.decode("latin-1")] == list(expected), machine
