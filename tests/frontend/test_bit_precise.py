"""`_BitInt(N)`: types and values by the standard's rules, since no gcc at hand has it for machines of 32 bits."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from bit_expressions import Program
from il_to_c import GCC_FLAGS, LP64, print_c
from test_c23 import C23, told
from test_programs import require

from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions

TYPES = {
    "_Static_assert(_Generic(3wb, _BitInt(3): 1) && _Generic(3uwb, unsigned _BitInt(2): 1) && _Generic(0wb, _BitInt(2): 1));":
        [],
    "_Static_assert(_Generic(0uwb, unsigned _BitInt(1): 1) && _Generic(0x7FWB, _BitInt(8): 1));":
        [],
    "_Static_assert(_Generic(3wb + 1, int: 1) && _Generic(1u + 9wb, unsigned: 1) && _Generic(-3wb, _BitInt(3): 1));":
        [],
    "_Static_assert(_Generic(1 + (unsigned _BitInt(32))1, unsigned: 1) && _Generic(1.0f + 3wb, float: 1));":
        [],
    "_Static_assert(sizeof(_BitInt(7)) == 1 && sizeof(_BitInt(9)) == 2 && sizeof(_BitInt(17)) == 4 && sizeof(1wb << 1) == 1);":
        [],
    "_BitInt(33) a; _BitInt(33) signed a; extern signed _BitInt(33) a; unsigned _BitInt(1) one = 1;": [],
    "_BitInt(1) a;": ["error: 'signed _BitInt' argument must be at least 2"],
    "unsigned _BitInt(0) a;": ["error: 'unsigned _BitInt' argument must be at least 1"],
    "_BitInt(65) a;": ["error: '_BitInt' argument '65' is larger than 'BITINT_MAXWIDTH' '64'"],
    "long _BitInt(5) a;": ["error: invalid combination of type specifiers '_BitInt long'"],
    "int n; _BitInt(n) a;": ["error: '_BitInt' argument is not an integer constant expression"],
    "int a = 0xffffffffffffffffwb;": ["error: integer constant is too large for its type"],
    "_BitInt(7) a; _BitInt(8) *p = &a;":
        ["warning: initialization to '_BitInt(8) *' from incompatible pointer type '_BitInt(7) *'"],
    "_BitInt(8) a; signed char *p = &a;":
        ["warning: initialization to 'signed char *' from incompatible pointer type '_BitInt(8) *'"],
}  # fmt: skip


@pytest.mark.parametrize("text", TYPES)
def test_types(text):
    assert told(text) == TYPES[text]


@pytest.mark.parametrize("seed", range(6))
def test_random_expressions(seed, tmp_path):
    require("gcc")
    text = print_c(compile_c("p.c", LP64, COptions(standard=C23), source=Program(seed, 40).text()))
    (tmp_path / "p.c").write_text(text)
    subprocess.run(["gcc", *GCC_FLAGS, tmp_path / "p.c", "-o", tmp_path / "p", "-lm"], check=True)
    result = subprocess.run([tmp_path / "p"], capture_output=True, text=True, timeout=60, check=False)
    assert (result.stdout, result.returncode) == ("", 0)
