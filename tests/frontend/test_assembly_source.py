"""Assembly files that come to nothing are units without code; others are refused at the line that says so."""

import pytest

from vpo.base.errors import UserError
from vpo.build.c_file import CFile
from vpo.frontend.c_options import COptions
from vpo.machines.read.load import load

GUARDED = """#ifndef __ASSEMBLER__
#error not as assembly
#endif
#include "empty.h"
.section .note.GNU-stack,"",%progbits
#if defined(__x86_64__)
# comments of assemblers
    movq %rax, %rbx
#endif
"""


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.h").write_text("/* nothing */\n")

    def made(text, name="a.S"):
        file = CFile(name, load("riscv32").model, COptions(("inc",)), source=text)
        return file.tree(file.preprocessed(), False)

    return made


def test_guarded_assembly_is_an_empty_unit(made):
    unit = made(GUARDED)
    assert not unit.functions
    assert not unit.data


@pytest.mark.parametrize("line", ["    nop", ".global f", "f:", ".long 4"])
def test_what_makes_something_is_refused_at_its_line(made, line):
    with pytest.raises(UserError) as refused:
        made(f"{GUARDED}{line}\n")
    assert f"a.S:{GUARDED.count(chr(10)) + 1}: error: assembly code is not compiled" in str(refused.value)


def test_c_is_not_assembly(made):
    unit = made("#ifndef __ASSEMBLER__\nint x;\n#endif\n", "a.c")
    assert [item.name for item in unit.data] == ["x"]
