"""Machines with one register for the truth of all comparisons: what a branch tests there is known as a condition is."""

import re

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """\
unsigned rounds(unsigned a) { for (int k = 0; k < 4; k++) a = a & 1 ? (a >> 1) ^ 99 : a >> 1; return a; }
int total(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
"""


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    path = tmp_path_factory.mktemp("truths") / "f.c"
    path.write_text(SOURCE)
    unit = Compiler(load("sh4"), Settings(level=2)).unit(str(path))
    return {function.name: [repr(rtl) for rtl in function.rtls()] for function in unit.functions}


def test_constants_decide_branches(functions):
    """Of a loop of four rounds nothing is left but what each round decides by."""
    assert len([rtl for rtl in functions["_rounds"] if re.match(r"PC=t\[0\].=0,", rtl)]) == 4


def test_loops_end_on_an_address(functions):
    """No variable counts beside the pointer."""
    text = "\n".join(functions["_total"])
    assert re.search(r"t\[0\]=r\[\d+\]==r\[\d+\];", text)
    assert not re.search(r"r\[(\d+)\]=r\[\1\]\+1;", text)
