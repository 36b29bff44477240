"""An int of sixteen bits: promotions, the types of constants, headers and printf, as another compiler has them (-mshort)."""

import os
import re
import shutil
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

from tests.covering import usual_level
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.libc import HEADERS

MACHINE = "short16"
ORACLE = "m68k-linux-gnu-gcc"
VARIABLES = {
    "c": ("signed char", "-1"), "uc": ("unsigned char", "255"), "s": ("short", "-32767"), "us": ("unsigned short", "65535"),
    "i": ("int", "-2"), "u": ("unsigned", "40000"), "l": ("long", "100000"), "ul": ("unsigned long", "4000000000"),
}  # fmt: skip
EXPRESSIONS = r"""
i + s / 2; us * us; us << 1; (us << 1) / 2; u > i; us == -1; uc - 256 < 0u; 0xffff + 1; 32768; 0x8000; -32768; 65536;
1 << 14; ~0; ~0u; -us; (long)s - 5; l * s; u - l; u * 2; i / 3u; i % 3u; i >> 1; u >> 1; (unsigned char)u; (short)l; (int)l;
(unsigned)l; c < uc; us ? -1 : 0u; l ? u : i; (i ? us : c) < 0; c == us; ul + i; ul > c; u + ul; (l << 3) + us; uc * 300u;
'0' * 300; '\377'; us / c; us % 7; l / i; l % us; -l / 3; ul / us; u ^ i; u & l; ~us; ~uc; !u; -u; -(long)u; +us - 1 > 0;
i * 1.5 < u; (int)2.9 * 7; (unsigned)5e4; (float)u; (double)us * 2; us + 0.5; 40000 - 1; -40000; sizeof(int); sizeof(us + 1);
sizeof 32767; sizeof 32768; sizeof 0x8000; sizeof 65535u; sizeof 65536u; sizeof '0'; sizeof(long); sizeof(u + l);
sizeof(size_t); sizeof(int32_t); sizeof(uc << 1); sizeof(wchar_t); sizeof(1LL); INT_MAX; INT_MIN; UINT_MAX; USHRT_MAX + 1u;
LONG_MAX; INT32_MAX / 3; UINT16_MAX; INT_FAST16_MIN
"""
CHOSEN = [text.strip() for text in EXPRESSIONS.split(";")]
HEAD = "#include <limits.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"


def run(body):
    """Return what a program prints on the machine."""
    settings = Settings(level=usual_level(MACHINE))
    result = interpret(Compiler(load(MACHINE), settings).program([str(body)]), ["program"], capture=True)
    assert result.fault is None
    return result.output.decode()


def constant(text):
    """Return an expression with the values of the variables in place of them."""
    names = rf"\b({'|'.join(VARIABLES)})\b"
    return re.sub(names, lambda name: "(({})({}))".format(*VARIABLES[name[0]]), text)


@pytest.fixture
def oracle(tmp_path):
    """The values of the expressions in the other compiler's object file."""
    if shutil.which(ORACLE) is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail(f"needs {ORACLE}")
        pytest.skip(f"needs {ORACLE}")
    values = ",\n".join(f"(long)({constant(text)})" for text in CHOSEN)
    source = tmp_path / "values.c"
    source.write_text(f"{HEAD}const long values[] = {{\n{values}\n}};\n")
    command = [ORACLE, "-mshort", "-w", "-fwrapv", "-nostdinc", "-ffreestanding", "-I", HEADERS]
    command += ["-c", source, "-o", source.with_suffix(".o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with source.with_suffix(".o").open("rb") as file:
        data = ELFFile(file).get_section_by_name(".rodata").data()
    return [int.from_bytes(data[n : n + 4], "big", signed=True) for n in range(0, len(data), 4)]


@pytest.mark.tools
def test_values_of_expressions(oracle, tmp_path):
    assert len(CHOSEN) == len(oracle) > 70
    declared = "".join(f"volatile {type_} {name} = {value};\n" for name, (type_, value) in VARIABLES.items())
    printed = "".join(f'    printf("%ld %ld\\n", (long)({text}), (long)({constant(text)}));\n' for text in CHOSEN)
    source = tmp_path / "program.c"
    source.write_text(f"{HEAD}{declared}int main(void) {{\n{printed}    return 0;\n}}\n")
    lines = run(source).splitlines()
    for text, want, line in zip(CHOSEN, oracle, lines, strict=True):
        assert line.split() == [str(want)] * 2, text


PRINTING = (
    HEAD
    + """
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
long sum(int count, ...)
{
    va_list list;
    long total = 0;

    for (va_start(list, count); count > 0; count--)
        total = total * 10 + (count % 2 ? va_arg(list, int) : va_arg(list, long));
    va_end(list);
    return total;
}
int main(void)
{
    int i = -7;
    int32_t wide = 1234567;
    struct { int a : 5; unsigned b : 11; int c; } bits = {-3, 2000, 30000};
    long scanned;
    int narrow;

    printf("%d %u %x %ld %lu %lld %c %5.1f|\\n", i, i, i, wide, -1L, 1LL << 40, 'x', 2.5);
    printf("%" PRId32 " %" PRId16 " %zu %td %hhd\\n", wide, (int16_t)-5, sizeof bits, &i + 40000L - &i, 300);
    printf("%ld\\n", sum(7, 1, 2L, 3, 4L, 5, 6L, 7));
    printf("%d %u %d %ld\\n", bits.a, bits.b, bits.c, strtol("70000", NULL, 10));
    sscanf("-12 99999", "%d %ld", &narrow, &scanned);
    printf("%d %ld %d\\n", narrow, scanned, abs(-32767));
    return 0;
}
"""
)
PRINTED = """\
-7 65529 fff9 1234567 4294967295 1099511627776 x   2.5|
1234567 -5 4 40000 44
1234567
-3 2000 30000 70000
-12 99999 32767
"""


def test_printing_and_variable_arguments(tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PRINTING)
    assert run(source) == PRINTED
