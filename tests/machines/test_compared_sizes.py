"""What `ease verify` says of instructions whose sizes are not the description's, and of ones that an assembler adds."""

from ease.run.verify import Comparison, Truth, compare_sizes
from tests.kept_machines import load
from vpo.link.link import link
from vpo.text import parse_unit

TEXT = """machine "riscv32" cells r=L e=F f=D
function _main file "m.c" line 1 stage final {
L1:
    r[10]=1; # program 1
    r[10]=r[10]+1; # program 1
    PC=r[1],RT(r[10]); # program 1
}
function _exit file "m.c" line 2 stage final {
L1:
    PC=r[1],RT(); # program 2
}
"""


def differences(change):
    program = link([parse_unit(TEXT)[0]], load("riscv32"))
    sizes = {name: [a - addresses[0] for a in addresses] for name, addresses in program.addresses.items()}
    change(sizes["_main"])
    comparison = Comparison()
    compare_sizes(program, Truth(b"", b"", 0, 0, sizes), comparison)
    return comparison.differences


def test_equal_sizes():
    assert differences(lambda sizes: None) == []


def test_an_instruction_of_another_size():
    (said,) = differences(lambda sizes: sizes.__setitem__(1, 2))
    assert said.startswith("main: `li a0,1` (")
    assert said.endswith("the assembler made 2 bytes, the description says 4")


def test_an_instruction_more():
    """All sizes are equal, but there is one more: an assembler that makes two of a branch that is far."""
    assert differences(lambda sizes: sizes.append(sizes[-1] + 4)) == [
        "main: the assembler made 16 bytes, the description says 12"
    ]  # fmt: skip
