"""Loop nests print the same here as with gcc; nothing in them is undefined."""

from __future__ import annotations

import os

import pytest

from tests.covering import LEVELS, case, usual_level
from tests.fuzz import loops, oracles
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

MACHINES = ("riscv32", "m68020", "arm", "vax", "sparc", "riscv64")
ALWAYS = 1  # seeds that are tried in every run of the tests
CHECKED = 18

pytestmark = pytest.mark.tools


@pytest.mark.parametrize("seed", [case(seed, usual=seed < ALWAYS) for seed in range(CHECKED)])
def test_prints_what_gcc_prints(seed, tmp_path):
    machine = MACHINES[seed % len(MACHINES)]
    level = usual_level(machine) if seed < ALWAYS else LEVELS[seed % 3 + 1]
    source = tmp_path / "program.c"
    source.write_text(loops.generate(seed))
    if missing := oracles.missing("wide"):
        (pytest.fail if os.environ.get("EASE_REQUIRE_TOOLS") == "1" else pytest.skip)(f"needs {missing}")
    said, outcome = oracles.report(source)
    assert said == ""
    result = interpret(Compiler(load(machine), Settings(level=level)).program([str(source)]), ["program"], capture=True)
    assert result.fault is None
    assert (result.exit_status, result.output.decode("latin-1")) == outcome


def test_a_seed_has_one_program():
    assert loops.generate(7) == loops.generate(7) != loops.generate(8)


def test_statements_have_lines_of_their_own():
    assert loops.lines_of("for (i = 0; i < 3; i++) { a[i] = 0; } b = 1;") == [
        "for (i = 0; i < 3; i++) {", "a[i] = 0;", "}", "b = 1;",
    ]  # fmt: skip
