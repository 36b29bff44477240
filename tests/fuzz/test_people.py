"""Programs as people write them print the same here as with gcc; nothing in them is undefined."""

from __future__ import annotations

import functools
import os

import pytest

from tests.covering import LEVELS, case, usual_level
from tests.fuzz import oracles
from tests.fuzz.people import programs
from tests.fuzz.trying import _unlike
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.opt.driver import Level

MACHINES = ("riscv32", "riscv64", "sparc", "vax", "m68020", "arm", "mips", "parisc")
ALWAYS = 1  # seeds that are tried in every run of the tests
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


@functools.cache
def compiler(machine: str, level: Level) -> Compiler:
    return Compiler(load(machine), Settings(level=level))


@pytest.mark.parametrize("seed", [case(seed, usual=seed < ALWAYS) for seed in range(CHECKED)])
def test_prints_the_same(seed, source):
    machine = MACHINES[seed % len(MACHINES)]
    compile_ = compiler(machine, usual_level(machine) if seed < ALWAYS else LEVELS[seed % 3 + 1])
    model = oracles.model_of(compile_.machine, source.read_text())
    require(model)
    result = interpret(compile_.program([str(source)]), ["program"], capture=True, limit=20_000_000)
    assert result.fault is None
    assert (result.exit_status, result.output.decode("latin-1")) == oracles.expected([source], model)


@pytest.mark.parametrize("seed", [case(seed, usual=seed < ALWAYS) for seed in range(CHECKED)])
def test_nothing_is_undefined(seed, source):
    require("wide")
    said, outcome = oracles.report(source)
    assert said == ""
    assert outcome == oracles.expected([source], "wide")


def test_a_seed_has_one_program():
    assert programs.generate(7) == programs.generate(7) != programs.generate(8)


def test_long_outputs_are_told_by_their_first_unlike_line():
    assert _unlike((0, "a\n" * 200 + "b\n"), (0, "a\n" * 201)) == "line 201: 'b' instead of 'a'"
    assert _unlike((0, "a\n" * 200), (0, "a\n" * 201)) == "line 201: 'the end' instead of 'a'"
    assert _unlike((0, "a\n"), (1, "a\n")) == "(0, 'a\\n') instead of (1, 'a\\n')"
