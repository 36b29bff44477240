"""System calls have their arguments where the machine's instruction says, and no argument is left out."""

import pytest

from tests.kept_machines import load
from vpo.base.errors import UserError
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

FIVE = "#include <sys/stat.h>\nint main(void) { struct stat of = {0}; return fstat(1, &of) || !(of.st_mode & S_IFMT); }"
ARGUMENTS = {"statx": 5, "llseek": 5, "renameat2": 5, "openat": 4}
SIX = "int main(void) { return __ease_syscall(7, 1L, 2L, 3L, 4L, 5L, 6L) == 9; }"


def program(text, machine, tmp_path, level=1):
    source = tmp_path / "program.c"
    source.write_text(text)
    return Compiler(machine, Settings(level=level, check="invariants")).program([str(source)])


@pytest.mark.parametrize("name", machine_names())
def test_there_is_room_for_all_arguments(name):
    machine = load(name)
    most = max(ARGUMENTS.get(call, 3) for call in machine.syscalls.values())
    assert max(len(call.source.args) for call in machine.capabilities.system_calls) > most


@pytest.mark.parametrize("level", [0, 2, "s"])
def test_an_argument_is_on_the_stack(level, tmp_path):
    """`statx` stores to the address in its last argument: on mips, this is on the stack."""
    linked = program(FIVE, load("mips"), tmp_path, level)
    calls = [rtl for function in linked.functions.values() for rtl in function.rtls() if rtl.system_call is not None]
    assert {len(rtl.system_call.args) for rtl in calls} == {5, 6}  # the form with a cell only where it is needed
    assert interpret(linked, capture=True).exit_status == 0


def test_more_arguments_than_any_instruction_has(tmp_path):
    with pytest.raises(UserError, match="an instruction with SYS of 7 operands"):
        program(SIX, load("mips"), tmp_path)
