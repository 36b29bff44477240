"""Transfers of control beside another effect: the other effect is done whatever becomes of the transfer."""

import pytest

from tests.kept_machines import load
from vpo.opt.driver import Options, run_phases
from vpo.text import parse_function, show_effects

DESCRIPTION = """\
machine: counting
extends: riscv32
toolchain: null
instructions:
  COUNT:
    - {rtl: "PC=r[count]>=0,target; r[count]=r[count]+-1;", asm: "count $count,$target"}
    - {rtl: "PC=target; r[count]=r[count]+1;", asm: "count $count,$target"}
    - {rtl: "PC=imm!=0,target; r[count]=r[count]+-1;", imm: imm, asm: "count $imm,$count,$target"}
"""
FUNCTION = """\
function _f file "f.c" line 1 stage pseudo {{
L1:
	r[10]=r[10]+r[11]; # program 2
	{} # program 3
L2:
	r[10]=r[10]+r[12]; # program 4
L3:
	PC=r[1],RT(r[10]); # linkage 5
}}
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    path = tmp_path_factory.mktemp("machines") / "counting.yaml"
    path.write_text(DESCRIPTION)
    return load(str(path))


def cleaned(text, machine):
    function = parse_function(FUNCTION.format(text), machine.cells)
    run_phases(function, machine, Options(phases=("control",), check=True))
    return [show_effects(rtl.effects) for rtl in function.rtls()]


def test_a_branch_never_taken_leaves_what_stands_beside_it(machine):
    rtls = cleaned("PC=0!=0,L3; r[11]=r[11]+-1;", machine)
    assert rtls == ["r[10]=r[10]+r[11];", "r[11]=r[11]+-1;", "r[10]=r[10]+r[12];", "PC=r[1],RT(r[10]);"]


def test_a_branch_always_taken_leaves_it_too(machine):
    rtls = cleaned("PC=1!=0,L3; r[11]=r[11]+-1;", machine)
    assert rtls == ["r[10]=r[10]+r[11];", "r[11]=r[11]+-1;", "PC=r[1],RT(r[10]);"]


def test_a_branch_over_a_jump_goes_on_counting(machine):
    """Its opposite is an instruction only without the counting."""
    rtls = cleaned("PC=r[11]>=0,L3; r[11]=r[11]+-1; # program 3\nL4:\n\tPC=L1;", machine)
    assert rtls[1:3] == ["PC=r[11]>=0,L3; r[11]=r[11]+-1;", "PC=L1;"]


def test_a_jump_that_counts_is_not_passed_over(machine):
    """A branch to a block that counts and jumps goes there, not on to where that jumps."""
    counting = "L6:\n\tr[10]=r[10]+r[12]; # program 3\nL4:\n\tPC=L1; r[11]=r[11]+1; # program 3"
    rtls = cleaned(f"PC=r[11]==r[12],L5; # program 3\n{counting}\nL5:\n\tPC=L4;", machine)
    assert rtls[1] == "PC=r[11]==r[12],L4;"
