"""Stacks that grow up: they end at their upper end, and begin below the arguments of the program."""

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names
from vpo.system.initial_stack import ArgumentsTooLong

UPWARD = [name for name in machine_names() if load(name).convention.grows_up]
DEEP = "int f(int n){volatile int a[100]; a[n&7]=n; return n?f(n+1)+a[n&7]:0;} int main(void){return f(1);}"
ECHO = """
#include <string.h>
#include <unistd.h>
int main(int c,char**v){for(int i=0;i<c;i++){write(1,v[i],strlen(v[i]));write(1,"\\n",1);}return c;}
"""


@pytest.fixture(params=UPWARD)
def compiled(request, tmp_path):
    """Return what makes a program for a machine from C text."""
    machine = load(request.param)

    def program(text, level=1):
        (tmp_path / "prog.c").write_text(text)
        return Compiler(machine, Settings(level=level)).program([str(tmp_path / "prog.c")])

    return program


def test_exhaustion_is_told(compiled):
    program = compiled(DEEP)
    for fault in (interpret(program).fault, run(program).fault):
        assert (fault.kind, fault.function) == ("stack", "_f")
        assert "exhausted at address 0x7ffff" in str(fault)


def test_arguments_are_found(compiled):
    program = compiled(ECHO)
    words = ["prog", "a", "", "bcdefghijk" * 20]
    for result in (interpret(program, words, capture=True), run(program, words, RunOptions(capture=True))):
        assert (result.exit_status, result.output) == (4, "".join(word + "\n" for word in words).encode())


def test_arguments_that_do_not_fit(compiled):
    program = compiled(ECHO)
    for execute in (interpret, run):
        with pytest.raises(ArgumentsTooLong):
            execute(program, ["prog", "x" * program.machine.layout.stack_size])
