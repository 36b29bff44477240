"""-finstrument-functions: which functions tell of themselves, and when, as gcc has it."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import GCC_FLAGS, LP64, print_c
from test_programs import require

from vpo.base.c_standard import DEFAULT_STANDARD
from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import DEFAULT, NOTHING

PROGRAM = r"""
int printf(const char *, ...);
#define SILENT __attribute__((no_instrument_function))
SILENT void __cyg_profile_func_enter(void *f, void *caller);
void __cyg_profile_func_exit(void *f, void *caller) SILENT;
struct s { int a[5]; };
static int depth;
static inline int add(int a, int b) { return a + b; }
struct s big(int n) { struct s r = {{ n, n + 1 }}; if (n > 2) return r; r.a[4] = add(n, 1); return r; }
double half(double x) { if (x < 0) return -x; return x / 2; }
void nothing(void) { }
void early(int n) { if (n) return; nothing(); }
[[gnu::no_instrument_function]] static int hidden(int n) { return n; }
int main(void)
{
    int a = add(1, hidden(2)), b = big(1).a[4], c = big(3).a[1];
    printf("%d %d %d %g\n", a, b, c, half(3));
    early(0);
    early(1);
    return depth;
}
SILENT static const char *name(void *f)
{
    return f == main ? "main" : f == big ? "big" : f == half ? "half" : f == add ? "add" : f == early ? "early" : "nothing";
}
void __cyg_profile_func_enter(void *f, void *caller) { printf("%*s%s {\n", depth++, "", name(f)); }
void __cyg_profile_func_exit(void *f, void *caller) { printf("%*s} %s\n", --depth, "", name(f)); }
"""


@pytest.mark.parametrize("warnings", [DEFAULT, NOTHING], ids=["with warnings", "without"])
def test_as_gcc(tmp_path, warnings):
    require("gcc")
    standard = replace(DEFAULT_STANDARD, instruments=True)
    unit = compile_c("p.c", LP64, COptions(standard=standard, warnings=warnings), source=PROGRAM, warn=lambda diagnostic: None)
    (tmp_path / "theirs.c").write_text(PROGRAM)
    (tmp_path / "ours.c").write_text(print_c(unit))
    outputs = []
    for name, option in (("theirs", "-finstrument-functions"), ("ours", "-w")):
        subprocess.run(["gcc", *GCC_FLAGS, option, tmp_path / f"{name}.c", "-o", tmp_path / name, "-lm"], check=True)
        result = subprocess.run([tmp_path / name], capture_output=True, text=True, timeout=60, check=False)
        outputs.append((result.returncode, result.stdout))
    assert outputs[0] == outputs[1]
    assert outputs[0][1].count("{") == outputs[0][1].count("}") == 9
