"""`ease bisect`: the first change that breaks a program is found, whichever phase made it."""

import re

import pytest

from ease.commands.compiler_commands import bisect as bisect_command
from tests.covering import some
from tests.kept_machines import load
from vpo.algebra import reverse
from vpo.build.compiler import Compiler, Settings
from vpo.opt import control
from vpo.opt.ssa import propagate_constants

SOURCE = """\
int main(int argc, char **argv)
{
    int i, sum = 0;
    for (i = 0; i < 10; i++) {
        if (i == argc + 2) continue;
        sum += i;
    }
    return sum;
}
"""


@pytest.fixture
def bisect(folder, capfd, monkeypatch, tmp_path):
    """Run `ease bisect` on the program in this process; return its exit status and what it prints.

    The library comes from a cache of its own, compiled before a test makes a phase wrong: others must not get a wrong one.
    """
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    folder(sum=SOURCE)
    Compiler(load("riscv32"), Settings(1)).program(["sum.c"])

    def run():
        status = bisect_command(["-O1", "-limit", "10000", "sum.c"])
        out, err = capfd.readouterr()
        assert err == ""
        return status, out

    return run


def test_nothing_breaks(bisect):
    status, text = bisect()
    assert (status, bool(re.fullmatch(r"all \d+ changes keep what the program does\n", text))) == (0, True)


@pytest.mark.parametrize("phase", some([control, propagate_constants], 1))
def test_a_wrong_change_is_found(bisect, monkeypatch, phase):
    if phase is control:  # a branch over a jump becomes the same branch, not the opposite
        monkeypatch.setattr(control, "reverse", lambda condition: reverse(reverse(condition)))
    else:  # whatever a register is set to, it is taken to be 7
        monkeypatch.setattr(propagate_constants._Lattice, "_fit", lambda self, value, target: propagate_constants.Const(7))
    status, text = bisect()
    assert status == 1
    found = re.fullmatch(r"change (\d+) is the first to alter .*: compare -max-changes (\d+) and -max-changes \1\n", text)
    assert found
    assert int(found[2]) == int(found[1]) - 1
