"""Weak names, further names, and functions that run before and after main, across files and through linked text."""

import shutil
import subprocess

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

FIRST = r"""
int printf(const char *, ...);
int atexit(void (*)(void));
static int order;
__attribute__((constructor)) static void late(int argc, char **argv) { printf("late %d %d\n", ++order, argc); }
__attribute__((constructor(101))) static void early(void) { printf("early %d\n", ++order); }
static void __attribute__((destructor)) end(void) { printf("end\n"); }
static void __attribute__((destructor(200))) very_end(void) { printf("very end\n"); }
int chosen(void) { return 1; }
#pragma weak chosen
int *__attribute__((weak)) kept_too(void) { return 0; }
__attribute__((weak)) int kept(void) { return kept_too() ? *kept_too() : 10; }
int number __attribute__((weak)) = 5;
int other_number __attribute__((weak));
#pragma weak nowhere
extern int nowhere(void);
extern int nowhere_object __attribute__((weak));
extern int exported(void), exported_number;
static void at_exit(void) { printf("atexit %d %d\n", exported(), exported_number); }
int use(void);
static int fallback(void) { return 7; }
int handler(void) __attribute__((weak, alias("fallback")));
int other_handler(void) __attribute__((weak, alias("fallback")));
static int (*const handlers[])(void) = {handler, other_handler};
static int same(void) __attribute__((alias("kept")));
extern int of_another_type(int);
#pragma weak of_another_type = fallback
int main(void)
{
    atexit(at_exit);
    printf("%d %d %d %d %d\n", chosen(), kept(), number, other_number, use());
    printf("%d %d\n", nowhere != 0, &nowhere_object == 0);
    if (nowhere) nowhere();
    printf("%d %d %d %d %d\n", handler(), other_handler(), handlers[0](), handlers[1](), same() + of_another_type(0));
    return 0;
}
"""
SECOND = r"""
int printf(const char *, ...);
int chosen(void) { return 2; }
int number = 6;
static int eleven = 11;
int *kept_too(void) { return &eleven; }
int handler(void) { return 8; }
__attribute__((weak)) int kept(void) { return 12; }
static int inner(void) { return 33; }
int exported(void) __attribute__((alias("inner")));
static int inner_number = 44;
extern int exported_number __attribute__((alias("inner_number")));
_Pragma("weak weakly = inner")
int weakly(void);
int use(void) { return kept() * 100 + chosen() + weakly(); }
__attribute__((constructor)) static void late(void) { printf("second file\n"); }
"""
PRINTED = b"""\
early 1
late 2 1
second file
2 11 6 0 1135
0 1
8 7 8 7 18
atexit 33 44
end
very end
"""


@pytest.fixture
def files(tmp_path):
    names = [str(tmp_path / name) for name in ("first.c", "second.c")]
    for name, text in zip(names, (FIRST, SECOND), strict=True):
        with open(name, "w") as file:
            file.write(text)
    return names


@pytest.mark.parametrize("level", some([0, 1, 2], 1))
def test_names_are_chosen_across_files(files, level):
    compiler = Compiler(load("riscv32"), Settings(level=level))
    program = compiler.program(files)
    assert run(program, ["program"], RunOptions(capture=True)).output == PRINTED
    again = compiler.linked("program", compiler.linked_text(program).encode())
    assert run(again, ["program"], RunOptions(capture=True)).output == PRINTED


def test_gcc_does_the_same(files, tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("gcc is missing")
    subprocess.run(["gcc", "-w", *files, "-o", tmp_path / "program"], check=True)
    assert subprocess.run([tmp_path / "program"], capture_output=True, check=True).stdout == PRINTED


def test_programs_are_linked_with_the_default_version_of_a_symbol(tmp_path):
    (tmp_path / "library.c").write_text(
        '__asm__(".symver " "old" "," "answer@V1"); int old(void); int old(void) { return 1; }\n'
        '__asm__(".symver " "new" ", answer@@V2;"); int new(void); int new(void) { return old() + 1; }\n'
    )
    (tmp_path / "program.c").write_text("int answer(void); int main(void) { return answer(); }\n")
    files = [str(tmp_path / name) for name in ("program.c", "library.c")]
    program = Compiler(load("riscv32"), Settings(level=1)).program(files)
    assert run(program, ["program"], RunOptions(capture=True)).exit_status == 2
