"""Inline functions that several files define have one address."""

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

HEADER = "int printf(const char *, ...);\ninline int both(int x) { return x + 1; }\ninline int one(int x) { return x * 2; }\n"
MAIN = """\
extern int (*there)(int), (*one_there)(int);
int third(void);
static int (*const here)(int) = both;
int main(void)
{
    printf("%d %d %d %d %d\\n", here == there, &one == one_there, both(1) + there(2), one(3), third());
    return 0;
}
"""
SECOND = "int (*there)(int) = both, (*one_there)(int) = one;\n"
THIRD = "extern inline int one(int x);\nint third(void) { return both(7); }\n"


@pytest.mark.parametrize("level", some([0, 2], 1))
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_inline_functions_have_one_address_in_all_files(level, order, tmp_path):
    files = []
    for number, text in enumerate((MAIN, SECOND, THIRD)):
        files.append(tmp_path / f"file{number}.c")
        files[-1].write_text(HEADER + text)
    compiler = Compiler(load("riscv32"), Settings(level=level))
    program = compiler.program([str(files[number]) for number in order])
    assert run(program, ["prog"], RunOptions(capture=True)).output == b"1 1 5 6 8\n"


def test_an_inline_function_does_not_stand_in_for_one_of_another_file(tmp_path):
    (tmp_path / "a.c").write_text("int f(void) { return 1; } int g(void), h(void); int main(void) { return f() + g() * h(); }")
    (tmp_path / "b.c").write_text("inline int f(void) { return 4; } static int (*p)(void) = f; int g(void) { return p(); }")
    (tmp_path / "c.c").write_text("static int f(void) { return 6; } int h(void) { int (*p)(void) = f; return p(); }")
    compiler = Compiler(load("riscv32"), Settings())
    names = [str(tmp_path / name) for name in ("c.c", "b.c", "a.c")]
    assert run(compiler.program(names), ["prog"], RunOptions(capture=True)).exit_status == 7
