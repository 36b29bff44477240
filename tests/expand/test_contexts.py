"""setjmp and longjmp on many machines: interpreters and host code agree on what happens and how often."""

from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from tests.kept_machines import load
from vpo import il
from vpo.build.compiler import Compiler, Settings
from vpo.il.uses import keep_locals_in_memory
from vpo.interpret.fast.interpreter import interpret
from vpo.interpret.plain import interpret_plainly

pytestmark = pytest.mark.usefixtures("own_cache")

PROGRAM = Path(__file__).parent / "long_jumps.c"
# register windows, frames that calls push, calls through registers, next to no registers

RUNS = [("riscv32", 2), ("sparc", 2), ("vax", 1), ("short16", 1), ("stack", 0)]


@pytest.mark.parametrize(("machine", "level"), some(RUNS, 2))
def test_all_ways_to_run_agree(machine, level):
    program = Compiler(load(machine), Settings(level=level)).program([str(PROGRAM)])
    plain = interpret_plainly(program, capture=True)
    assert (plain.output, plain.exit_status, plain.fault) == (b"::", 0, None)
    fast = interpret(program, capture=True)
    assert (fast.output, fast.rtls, fast.taken, fast.traps) == (plain.output, plain.rtls, plain.taken, plain.traps)
    run, counts = counted_run(program, options=RunOptions(capture=True, tier="quick"))
    assert (run.output, counts.rtls, counts.taken, counts.traps) == (plain.output, plain.rtls, plain.taken, plain.traps)


def test_a_function_that_has_returned(tmp_path):
    path = tmp_path / "program.c"
    path.write_text(
        "#include <setjmp.h>\njmp_buf b;\nstatic void f(void) { setjmp(b); }\nint main(void) { f(); longjmp(b, 1); }"
    )
    program = Compiler(load("riscv32"), Settings()).program([str(path)])
    runs = [interpret_plainly(program), interpret(program), counted_run(program)[0]]
    assert {run.fault.message for run in runs} == {"return to address 0x00010030 without a call"}


def test_locals_stay_in_memory():
    pointer, number = il.Type("P", 4), il.Type("I", 4)
    local = il.Local("x", number, 4, 4)
    access = il.Load(number, il.AddrLocal(pointer, local))
    body = [il.Call(il.AddrGlobal(pointer, "__setjmp"), (), None, 1), il.Return(access, 1)]
    function = il.Function("f", [], number, body, [local], "f.c", 1)
    keep_locals_in_memory([function])
    assert local.volatile
    assert function.body[1].value.volatile
