"""Branch registers that calls preserve keep addresses of targets across calls, and are saved where that pays."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import By

KEPT = 'machine: kept\nextends: branch_registers\ncalls: {saved: ["r[9]..r[15]", "f[8]..f[15]", "b[4]..b[6]"]}\n'
LOOP = """
int g(int);
int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += g(i); return s; }
"""
ONCE = "int g(int); int f(int n) { if (g(n)) return g(n + 1) + 1; return 3; }"
NESTED = """
static int depth;
__attribute__((noinline)) static int h(int n) { depth += n & 3; return n * depth; }
__attribute__((noinline)) static int g(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { if (h(i) == 40) return s + depth; s += h(n - i); }
    return s;
}
int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += g(i + 3); return (s + depth) % 251; }
"""


@pytest.fixture
def compiler(tmp_path):
    description = tmp_path / "kept.yaml"
    description.write_text(KEPT)
    return lambda check="nothing": Compiler(load(str(description)), Settings(level=2, check=check))


def _kept(function):
    """Return the numbers of the registers that calls preserve and by which a function goes somewhere."""
    return {effect.register.index for rtl in function.rtls() for effect in rtl.effects if type(effect) is By} & {4, 5, 6}


def _saved(function):
    return {register.index for rtl in function.rtls() if rtl.cause == "save" for register in rtl.uses if register.cls == "b"}


@pytest.mark.parametrize(("text", "number"), [(LOOP, 2), (ONCE, 0)])
def test_what_a_loop_with_calls_goes_to_is_kept(text, number, compiler, tmp_path):
    source = tmp_path / "f.c"
    source.write_text(text)
    function = compiler().unit(str(source)).functions[-1]
    assert len(_kept(function)) == number
    assert _saved(function) - {7} == _kept(function)


def test_callers_find_their_targets_again(compiler, tmp_path):
    """The checks after each phase prove what registers hold where something goes by them."""
    source = tmp_path / "nested.c"
    source.write_text(NESTED)
    program = compiler("samples").program([str(source)])
    assert any(map(_kept, compiler().unit(str(source)).functions))
    plain = Compiler(load("branch_registers"), Settings(level=0)).program([str(source)])
    assert interpret(program).exit_status == interpret(plain).exit_status


def test_without_such_registers_a_loop_with_calls_computes_its_targets(tmp_path):
    source = tmp_path / "f.c"
    source.write_text(LOOP)
    function = Compiler(load("branch_registers"), Settings(level=2)).unit(str(source)).functions[-1]
    assert not _kept(function)
