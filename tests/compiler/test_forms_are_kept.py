"""Which of several instructions with the same effects a branch is stays with it, however its function travels."""

import pickle

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.link.assembly import assembly
from vpo.text import parse_function, print_function

BODY = "".join(f"if (a[{n}] > b) a[{n}] ^= a[{n + 1}] + b;" for n in range(60))
SOURCE = f"void f(int *a, int b) {{ while (b--) {{ {BODY} }} }}"


@pytest.mark.parametrize("name", some(["vax", "m68020", "i386"], 1))
def test_a_long_branch_stays_long(name, tmp_path):
    machine, source = load(name), tmp_path / "f.c"
    source.write_text(SOURCE)
    (function,) = Compiler(machine, Settings(level=1)).unit(str(source)).functions
    assert any(rtl.form for rtl in function.rtls())
    cells = {cls.name: cls.type for cls in machine.classes.values()}
    for again in (pickle.loads(pickle.dumps(function)), parse_function(print_function(function), cells)):
        assert assembly(machine, [again], []) == assembly(machine, [function], [])
