"""Start-up code on machines that lack an instruction of it."""

import pytest

from tests.kept_machines import load
from vpo.base.errors import CannotExpress, LinkError
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.link import link, start_function
from vpo.rtl import Call, Register


@pytest.fixture
def edited(tmp_path):
    """Return a function that loads a changed machine."""

    def loaded(change):
        path = tmp_path / "edited.yaml"
        path.write_text(f"machine: edited\nextends: riscv32\n{change}\n")
        return load(str(path))

    return loaded


def effects(machine):
    return [effect for rtl in start_function(machine).rtls() for effect in rtl.effects]


def test_nothing_changes_where_nothing_lacks():
    machine = load("riscv32")
    assert [rtl.effects for rtl in start_function(machine).rtls()] == list(machine.start)


def test_calls_by_registers_that_are_free(edited):
    machine = edited("instructions: {JAL: null}")
    targets = [effect.target for effect in effects(machine) if isinstance(effect, Call)]
    assert len(targets) == 2
    for target in targets:
        assert isinstance(target, Register)
        assert not target.pseudo
        assert target not in {Register("r", index, "L") for index in (1, 2, 10, 11, 12)}
    assert {rtl.cause for rtl in start_function(machine).rtls()} == {"startup"}


def test_a_program_runs(edited, tmp_path):
    source = tmp_path / "program.c"
    source.write_text("int main(int argc, char **argv) { return argc * 10 + (argv[argc] == 0); }")
    machine = edited("instructions: {JAL: null}")
    assert interpret(Compiler(machine, Settings()).program([str(source)]), ["program"]).exit_status == 11


def test_what_no_instruction_does(edited):
    machine = edited("instructions: {JAL: null, JALR: null}")
    with pytest.raises(CannotExpress, match=r"which start-up code `ST=_main.*` needs"):
        start_function(machine)
    with pytest.raises(LinkError, match="edited cannot do this: it has no `ST="):
        link([], machine)


def test_no_register_to_spare(edited):
    machine = edited('instructions: {JAL: null}\nallocable: {r: ["r[10]..r[12]"]}')
    with pytest.raises(CannotExpress, match="register of class 'r' to spare"):
        start_function(machine)
