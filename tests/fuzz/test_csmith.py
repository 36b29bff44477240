"""Random programs print the same here as with gcc, machines and levels by turns."""

from __future__ import annotations

import json
import os

import pytest

from tests.covering import LEVELS, case, usual_level
from tests.fuzz import csmith, expectations, oracles
from tests.kept_machines import load
from tests.programs.running import compiler
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

MACHINES = ("riscv32", "m68020", "sparc", "arm")
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
    require([oracles.missing(model)] if oracles.missing(model) else [])
    return oracles.expected([source], model)


def test_there_are_200_programs():
    assert len(EXPECTED) == 200


def runs():
    """Programs on all machines known for them; tried always are a few, on machines by turns."""
    machines = {name: load(name) for name in machine_names()}
    for number, (seed, entry) in enumerate(EXPECTED.items()):
        fit = [name for name, machine in machines.items() if oracles.model_of(machine, entry["sees"]) in entry["outputs"]]
        tried = (MACHINES[number // 80 % len(MACHINES)],) if number % 80 == 0 else ()
        for index, name in enumerate(fit):
            usual = name in tried
            yield case(seed, name, usual_level(name) if usual else LEVELS[(number // len(fit) + index) % 4], usual=usual)


@pytest.mark.parametrize(("seed", "name", "level"), list(runs()))
def test_program_prints_the_same(seed, name, level, tmp_path):
    require([] if csmith.version() else [csmith.CSMITH])
    text = csmith.generate(int(seed))
    source = tmp_path / "program.c"
    source.write_text(text)
    compile_ = compiler(name, level, str(csmith.HEADERS))
    expected = expected_output(EXPECTED[seed], text, oracles.model_of(compile_.machine, text), source)
    if expected is None:
        pytest.skip("does not end")
    result = interpret(compile_.program([str(source)]), ["program"], capture=True, limit=20_000_000)
    assert result.fault is None
    assert [result.exit_status, result.output.decode("latin-1")] == list(expected)


def test_a_seed_without_structures_gets_other_ones():
    require([] if csmith.version() else [csmith.CSMITH])
    assert "struct " in csmith.generate(300001, aggregates=True)


def test_a_packed_member_by_a_pointer_is_undefined(tmp_path):
    require([] if oracles.missing("wide") == "" else ["gcc"])
    source = tmp_path / "program.c"
    for kind, member, undefined in (("int", "b", True), ("char", "c", False)):
        source.write_text(f"""
            #pragma pack(push)
            #pragma pack(1)
            struct s {{ char a; int b; char c; }} x[4];
            #pragma pack(pop)
            int main(void) {{ {kind} *p = &x[3].{member}; *p = 1; return 0; }}
        """)
        assert oracles.is_undefined([source]) == undefined
