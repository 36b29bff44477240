"""Addresses on a machine that states neither them nor their halves: parts of their bits are put together."""

import pytest

from ease.run.measuring import counted_run
from tests.expand.test_address_pool import PROGRAM
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import Half, Symbol
from vpo.text import parse_effects, show_effects

STATUS = 2 * 16 + 7 + 1 + 1 + 7


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    path = tmp_path_factory.mktemp("parts") / "edited.yaml"
    path.write_text("machine: edited\nextends: riscv32\ninstructions: {LUI: null}\n")
    return load(str(path))


@pytest.mark.parametrize("level", [1, 2])
def test_a_program_runs(machine, level, tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    program = Compiler(machine, Settings(level=level, check="invariants")).program([str(source)])
    assert any("PART" in show_effects(rtl.effects) for rtl in program.functions["_main"].rtls())
    run, (host, counts) = interpret(program), counted_run(program)
    assert run.exit_status == host.exit_status == STATUS
    assert run.rtls == counts.rtls


def test_which_numbers_take_parts(machine):
    """An immediate of 12 bits with a sign takes 11 bits of an address, and no more."""
    for bits, legal in ((11, True), (12, False)):
        assert machine.is_legal(parse_effects(f"r[5]=r[5]+PART11_{bits}[_x+4];", machine.cells)) == legal


def test_parts_are_the_address(machine):
    address = 0x1234ABCD
    parts = {low: machine.half(f"PART{low}_11", address) for low in (0, 11, 22)}
    assert sum(part << low for low, part in parts.items()) == address
    assert all(0 <= part < 1 << 11 for part in parts.values())


def test_text_is_read_back(machine):
    effects = parse_effects("r[5]=PART22_11[_x+4];", machine.cells)
    assert effects[0].source is Half("PART22_11", Symbol("_x", 4))
    assert show_effects(effects) == "r[5]=PART22_11[_x+4];"
