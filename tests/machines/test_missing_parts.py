"""An instruction that stands for others needs these: without them a message says so."""

import pytest

from vpo.compiler import Compiler, Settings, UserError
from vpo.machines.edits import deletions, edited
from vpo.machines.load import build, read_description


def test_an_instruction_whose_parts_are_gone_is_named(tmp_path):
    description = read_description("stack")
    edit = next(edit for edit in deletions(description) if edit.name.startswith("FMUL f[0]=f[1]"))
    source = tmp_path / "product.c"
    source.write_text("double product(double a, double b, double c) { return a * b + c; }\nint main(void) { return 0; }\n")
    with pytest.raises(UserError, match=r"product\.c:1: .* of which FMUL consists"):
        Compiler(build(edited(description, edit)), Settings()).program([str(source)])
