"""Programs as people write them print the same here as with gcc; nothing in them is undefined."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.covering import case
from tests.fuzz import oracles
from tests.fuzz.people import programs
from tests.programs.running import compiler
from vpo.interpret.interpreter import interpret

MACHINES = ("riscv32", "m68020", "riscv64")
SANITIZED = ("gcc", "-O0", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
ALWAYS = 4  # seeds that are tried in every run of the tests
CHECKED = 24  # and whose programs are looked at by the sanitizers, in thorough runs

pytestmark = pytest.mark.tools


def require(model: str) -> None:
    if missing := oracles.missing(model):
        action = pytest.fail if os.environ.get("EASE_REQUIRE_TOOLS") == "1" else pytest.skip
        action(f"needs {missing}")


@pytest.fixture
def source(seed, tmp_path):
    path = tmp_path / "program.c"
    path.write_text(programs.generate(seed))
    return path


@pytest.mark.parametrize("seed", [case(seed, usual=seed < ALWAYS) for seed in range(CHECKED)])
def test_prints_the_same_at_two_levels(seed, source):
    machine = MACHINES[seed % len(MACHINES)]
    levels = (2, (0, 1, "s")[seed % 3])
    model = oracles.model_of(compiler(machine, 2).machine, source.read_text())
    require(model)
    expected = oracles.expected([source], model)
    for level in levels:
        result = interpret(compiler(machine, level).program([str(source)]), ["program"], capture=True, limit=20_000_000)
        assert result.fault is None
        assert (result.exit_status, result.output.decode("latin-1")) == expected


@pytest.mark.parametrize("seed", [case(seed, usual=seed < ALWAYS) for seed in range(CHECKED)])
def test_nothing_is_undefined(seed, source, tmp_path):
    require("wide")
    subprocess.run([*SANITIZED, str(source), "-o", str(tmp_path / "checked")], check=True, timeout=60)
    result = subprocess.run([str(tmp_path / "checked")], capture_output=True, timeout=60, check=False)
    assert result.stderr == b""
    assert (result.returncode, result.stdout.decode()) == oracles.expected([source], "wide")


def test_a_seed_has_one_program():
    assert programs.generate(7) == programs.generate(7) != programs.generate(8)


def test_texts_are_told_by_their_first_unlike_line():
    from tests.fuzz.trying import _wrong
    from vpo.interpret.result import Result

    result = Result(0, b"a\n" * 200 + b"b\n")
    assert _wrong("host", result, (0, "a\n" * 201)) == ["host: line 201: 'b' instead of 'a'"]
