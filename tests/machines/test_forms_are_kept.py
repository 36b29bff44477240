"""Forms of instructions outlive linking, where functions are copied because two files have symbols of one name."""

from tests.kept_machines import load
from vpo.link.symbols import rename_function
from vpo.text import parse_function, print_function

TEXT = """function _f file "f.c" line 1 stage final {
L1:
	cc=r[1]?r[3];                            # control 1
	r[0]=0;                                  # program 2 form 1
	PC=cc<0,L3;                              # control 3
L2:
	r[0]=L[LIT[_old]];                       # address 4
L3:
	PC=r[14],RT(r[0]);                       # linkage 5
}
"""


def test_renamed_functions_keep_forms():
    machine = load("thumb2")
    renamed = rename_function(parse_function(TEXT, machine.cells), {"_old": "_new"})
    assert print_function(renamed).split() == TEXT.replace("_old", "_new").split()
    assert [machine.record(rtl).size for rtl in renamed.rtls()][:3] == [2, 4, 2]
