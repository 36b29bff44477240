"""A conservative garbage collector finds in registers and on the stack what real machines have there."""

from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.run.verify import Comparison, ToolMissing, tools_of, truth
from tests.covering import LEVELS, case
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

SOURCE = Path(__file__).parent / "collector.c"
ALWAYS = {("riscv32", 2), ("sparc", 1)}
KEPT = b"520192 520192\nkept after 2 collections\n"


def runs():
    emulated = [name for name in machine_names() if load(name).toolchain.emulator]
    yield from (case(name, level, usual=(name, level) in ALWAYS) for name in emulated for level in LEVELS)


@pytest.mark.parametrize(("name", "level"), list(runs()))
def test_nothing_that_is_in_use_is_collected(name, level):
    """Windows are stored earlier than on the machine, so that other dead cells may be taken for roots there."""
    program = Compiler(load(name), Settings(level=level)).program([str(SOURCE)])
    assert run(program, ["program"], RunOptions(capture=True)).output == KEPT
    interpreted = interpret(program, ["program"], capture=True)
    assert (interpreted.exit_status, interpreted.output) == (0, KEPT)
    try:
        tools_of(program.machine)
    except ToolMissing as missing:
        pytest.skip(str(missing))
    real = truth(program, ["program"])
    comparison = Comparison()
    comparison.check("output", real.output, KEPT)
    if program.machine.convention.windows is None:
        comparison.check("instructions executed", real.instructions, interpreted.instructions)
    assert not comparison.differences
