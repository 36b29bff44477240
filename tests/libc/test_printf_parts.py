"""Parts of printf are linked where some format needs them, and only there."""

import re

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.il.formats import PARTS
from vpo.libc import SOURCES

FLOAT, LONG, POSITIONS, WIDE = PARTS
ALL = set(PARTS)
CASES = {  # statements: the parts that they need on a machine with words of 32 bits
    'printf("%d %5s|%-5d|%#x %hhd %ld %zu %c %% %\'d\\n", 1, "ab", 7, 255, 300, 9L, sizeof 1, 33, 1000);': set(),
    'puts("100%ls");': set(),
    'printf("%.3f\\n", 2.5); fprintf(stdout, "%d\\n", 1);': {FLOAT},
    'printf("%*.*e %La\\n", 9, 2, 2.5, (long double)2);': {FLOAT},
    'printf("%lld %#llx\\n", 1LL << 40, 1LL << 50);': {LONG},
    'printf("%jd %5.3b\\n", (long long)-7, 5);': {LONG},
    'printf("%5ls\\n", L"wide");': {WIDE},
    'static const char format[] = "%2$d %1$d\\n"; printf(format, 1, 2);': {POSITIONS},
    'char format[] = "%g\\n"; printf(format, 2.5);': ALL,
    'printf(argc ? "%g\\n" : "%d\\n", 2.5);': ALL,
    'int (*print)(const char *, ...) = printf; print("%g %lld\\n", 2.5, 1LL << 40);': ALL,
    'static int (*table[])(const char *, ...) = {printf}; table[0]("%g\\n", 2.5);': ALL,
    'passed_on("%g %lld %ls\\n", 2.5, 1LL << 40, L"x");': ALL,
    'char text[40]; ecvt(2.5, 3, &argc, &argc); strfromd(text, 40, "%.2f", 2.5); puts(text);': ALL,
}  # fmt: skip
PASSED_ON = """
static void passed_on(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}
"""


@pytest.fixture(scope="module")
def compiler():
    return Compiler(load("riscv32"), Settings(level=1))


def parts_of(program):
    return {part for part in PARTS if f"_{part}" in program.functions}


@pytest.mark.parametrize("statements", CASES)
def test_what_formats_need_is_linked(statements, compiler, tmp_path):
    file = tmp_path / "prints.c"
    headers = "".join(f"#include <{name}.h>\n" for name in ("stdarg", "stdio", "stdlib"))
    before = PASSED_ON if "passed_on" in statements else ""
    file.write_text(f"{headers}{before}int main(int argc, char **argv)\n{{\n{statements}\n}}\n")
    assert parts_of(compiler.program([str(file)])) == CASES[statements]


def test_objects_and_text_say_what_they_do_without(compiler, tmp_path):
    """Text that says nothing may need all."""
    file = tmp_path / "prints.c"
    file.write_text("int printf(const char *, ...);\nint main(void) { return printf(\"%f\", 2.5); }\n")
    text = compiler.object_text(str(file))
    (tmp_path / "prints.o").write_text(text)
    assert parts_of(compiler.program([str(tmp_path / "prints.o")])) == {FLOAT}
    (tmp_path / "prints.rtl").write_text(re.sub(r"data ___\w+ weak size 0 align 1 \{\n\}\n", "", text))
    assert parts_of(compiler.program([str(tmp_path / "prints.rtl")])) == ALL


def test_a_program_may_have_functions_of_that_name(compiler, tmp_path):
    """They are what says what is printed for the library only."""
    file = tmp_path / "prints.c"
    own = "int dprintf(int file, const char *format, ...) { return file; }"
    main = 'int main(void) { dprintf(1, 0); passed_on("%g", 2.5); }'
    file.write_text(f"#include <stdarg.h>\n#include <stdio.h>\n{own}\n{PASSED_ON}{main}\n")
    assert parts_of(compiler.program([str(file)])) == ALL


def test_what_is_called_in_place_of_printf_tells_nothing(tmp_path):
    file = tmp_path / "prints.c"
    file.write_text(
        "#include <stdio.h>\nint __wrap_printf(const char *, ...);\nint __real_printf(const char *, ...);\n"
        "int __wrap_printf(const char *format, ...) { return __real_printf(\"%g\", 2.5); }\n"
        'int main(void) { return printf("%d", 1); }\n'
    )
    compiler = Compiler(load("riscv32"), Settings(level=1, wrapped=("printf",)))
    assert parts_of(compiler.program([str(file)])) == {FLOAT}


def test_each_part_is_a_file_of_the_library():
    """No other source says what a part is for, and vfprintf knows no other parts."""
    declared = re.findall(r"^#pragma weak (\w+) =", (SOURCES / "vfprintf.c").read_text(), re.MULTILINE)
    assert sorted(declared) == sorted(PARTS)
