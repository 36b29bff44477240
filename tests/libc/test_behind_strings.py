"""What lies behind the end of a string does not change what is executed: host code and the machine may differ there."""

from __future__ import annotations

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

PROGRAM = """
#include <string.h>
static long one[4], other[4], copy[4];
int main(int count, char **words)
{
    char *a = (char *)one, *b = (char *)other;
    memset(a, words[3][0], sizeof one);
    memset(b, words[3][1], sizeof other);
    memcpy(a, words[1], strlen(words[1]) + 1);
    memcpy(b, words[2], strlen(words[2]) + 1);
    return strcmp(a, b) + strcpy((char *)copy, b)[1];
}
"""
PAIRS = [("text12", "text12"), ("text1", "text12"), ("text12", "text1"), ("text", "text")]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    source = tmp_path_factory.mktemp("strings") / "program.c"
    source.write_text(PROGRAM)
    return Compiler(load("riscv32"), Settings(1)).program([str(source)])


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_garbage_does_not_matter(left, right, program):
    executed = set()
    for garbage in ("xx", "xy", "2y", "y2"):
        result = interpret(program, ["program", left, right, garbage], capture=True)
        assert result.fault is None
        executed.add((result.exit_status, *(sum(result.rtls[name]) for name in ("_strcmp", "_strcpy"))))
    assert len(executed) == 1
