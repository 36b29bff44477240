"""What is kept of an object goes with it."""

import copy
import gc
import pickle
import weakref

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.kept_machines import load
from vpo.analysis.liveness import numbering_of
from vpo.build.compiler import Compiler, Settings
from vpo.rtl.function import Block, Function

TEXT = """
#include <signal.h>
static void handle(int number) { _Exit(number); }
int main(int count, char **words) { signal(SIGSEGV, handle); return count * 1000003 / 7 == 142857 && words[count] == 0; }
"""


def test_machines_and_programs_go_when_nobody_names_them(tmp_path):
    source = tmp_path / "program.c"
    source.write_text(TEXT)
    machine = load("riscv32")
    program = Compiler(machine, Settings(level=2)).program([str(source)])
    unit = Compiler(machine, Settings(level=2, check="samples")).unit(str(source))
    assert counted_run(program, ["program"], RunOptions(cache=""))[0].exit_status == 1
    gone = [weakref.ref(each) for each in (machine, program, program.functions["_main"], unit.functions[0])]
    del machine, program, unit
    gc.collect()
    assert [reference() for reference in gone] == [None] * len(gone)


def test_what_is_kept_of_a_function_is_neither_copied_nor_written():
    function, machine = Function("f", blocks=[Block("L1")]), load("riscv32")
    names = set(vars(function))
    assert numbering_of(function, machine) is numbering_of(function, machine)
    for other in (pickle.loads(pickle.dumps(function)), copy.copy(function), function.copy()):
        assert set(vars(other)) == names
        assert numbering_of(other, machine) is not numbering_of(function, machine)
