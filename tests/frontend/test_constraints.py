"""The constraints of C11: which lines of `constraints.txt` are refused with -pedantic-errors (`-`), which are not (`+`).

`\\n` stands for the end of a line.
"""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64
from test_programs import require

from vpo.base.c_standard import find_standard
from vpo.frontend import CompileErrors, compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options
from vpo.il.data_model import DataModel
from vpo.libc import HEADERS

LINES = [line for line in (Path(__file__).parent / "constraints.txt").read_text().splitlines() if line]
STRICT = read_options(["-pedantic-errors"])
SIZES = {**LP64.sizes, "long": 4, "pointer": 4, "ldouble": 8}
ILP32 = DataModel(big_endian=False, char_signed=True, sizes=SIZES, aligns=SIZES)


def verdict(text):
    try:
        options = COptions((str(HEADERS),), warnings=STRICT, standard=find_standard("c11"))
        compile_c("a.c", ILP32, options, source=text, warn=str)
    except CompileErrors:
        return "-"
    return "+"


def test_lines_are_refused_or_not():
    assert len(LINES) > 400
    wrong = [line for line in LINES if verdict(line[2:].replace("\\n", "\n")) != line[0]]
    assert wrong == []


@pytest.mark.thorough
@pytest.mark.parametrize("line", LINES)
def test_gcc_says_the_same(line):
    require("gcc")
    command = ["gcc", "-m32", "-std=c11", "-pedantic-errors", "-x", "c", "-S", "-o", "/dev/null", "-"]
    told = subprocess.run(command, input=line[2:].replace("\\n", "\n") + "\n", capture_output=True, text=True, check=False)
    assert (told.returncode == 0) == (line[0] == "+"), told.stderr
