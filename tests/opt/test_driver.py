"""The driver finds phases that break a function and phases that do not tell what they changed."""

import pytest

from tests.kept_machines import load
from vpo.opt import driver
from vpo.opt.driver import Options, Phase, PhaseError, run_phases
from vpo.opt.state import CFG, LIVENESS
from vpo.rtl import Branch, Const, Jump, Op, Register, Rtl
from vpo.rtl.function import Block
from vpo.text import parse_effects, parse_function

MACHINE = load("riscv32", [])
TEXT = """\
function _f file "f.c" line 1 stage pseudo {
L1:
\tr[t1]=r[10]+1; # program 1
\tPC=r[10]==0,L2; # control 2
L3:
\tr[t1]=r[t1]+1; # program 3
L2:
\tr[10]=r[t1]; # linkage 5
\tPC=r[1],RT(r[10]); # linkage 5
}
"""


def run(monkeypatch, phase):
    monkeypatch.setitem(driver.PHASES, "bad", Phase("bad", phase))
    run_phases(parse_function(TEXT, MACHINE.cells), MACHINE, Options(phases=("control", "bad"), check=True))


def other(state):
    return Rtl(parse_effects("r[t1]=r[10]+2;", MACHINE.cells), (1,), "program")


def changes_by_hand(state):
    state.function.blocks[0].rtls[0] = other(state)


def changes_by_hand_too(state):
    """Make one change by the rules, look at an analysis, make another change by hand in the same block."""
    state.remove(state.function.blocks[1], 0)
    state.get(LIVENESS)
    state.function.blocks[1].rtls.append(Rtl(parse_effects("r[t1]=r[11]+2;", MACHINE.cells), (1,), "program"))


def changes_by_hand_beside(state):
    """Make one change by the rules and another one by hand, elsewhere."""
    state.remove(state.function.blocks[1], 0)
    state.function.blocks[0].rtls[0] = other(state)


def exchanges_by_hand(state):
    """Make a required change and exchange blocks by hand."""
    with state.required():
        state.insert(state.function.blocks[2], 0, [other(state)])
    state.function.blocks[1:] = [state.function.blocks[2], state.function.blocks[1]]


def leaves_what_is_no_instruction(state):
    with state.required():
        block = state.function.blocks[0]
        state.replace(block, block.rtls[0], parse_effects("r[t1]=L[r[10]]/L[r[11]];", MACHINE.cells))


def redirects_by_hand(state):
    state.remove(state.function.blocks[1], 0)
    state.get(CFG)
    state.function.blocks[1].rtls.append(Rtl((Jump("L3"),), (1,), "control"))


def spoils_an_analysis(state):
    state.get(LIVENESS).live_in[1] = 0


def makes_no_instruction(state):
    state.function.blocks[0].rtls[0].become(parse_effects("r[t1]=L[r[10]]/L[r[11]];", MACHINE.cells))
    state.invalidate()


def loses_a_label(state):
    del state.function.blocks[2]
    state.invalidate()


def loses_provenance(state):
    state.insert(state.function.blocks[0], 0, [Rtl(other(state).effects, (), "program")])


def writes_another_order(state):
    """Put the constant to the left of a relation, where text never has it."""
    state.function.blocks[0].rtls[-1].become((Branch(Op("==", "", Const(0), Register("r", 10, "L")), "L2"),))
    state.invalidate()


def writes_what_cannot_be_read(state):
    state.change({}, [*state.function.blocks, Block("here and there")])


@pytest.mark.parametrize(
    ("phase", "message"),
    [
        (changes_by_hand, "it changed the function by other means than its FunctionState"),
        (changes_by_hand_too, "it changed the liveness by other means than its FunctionState"),
        (changes_by_hand_beside, "it changed block L1 by other means than its FunctionState"),
        (exchanges_by_hand, "it changed the order of blocks by other means than its FunctionState"),
        (leaves_what_is_no_instruction, "`r[t1]=L[r[10]]/L[r[11]];` is no instruction of riscv32"),
        (redirects_by_hand, "it changed the cfg by other means than its FunctionState"),
        (spoils_an_analysis, "it changed the liveness by other means than its FunctionState"),
        (makes_no_instruction, "`r[t1]=L[r[10]]/L[r[11]];` is no instruction of riscv32"),
        (loses_a_label, "there is no label 'L2'"),
        (loses_provenance, "`r[t1]=r[10]+2;` has no provenance"),
        (writes_another_order, "`PC=0==r[10],L2;` is read as `PC=r[10]==0,L2;`"),
        (writes_what_cannot_be_read, "line 10 of its text cannot be read: "),
    ],
)
def test_a_bad_phase_is_found_and_named(monkeypatch, phase, message):
    with pytest.raises(PhaseError) as error:
        run(monkeypatch, phase)
    assert str(error.value).startswith(f"phase 2 (bad) on f: {message}")


def test_a_good_phase_is_not(monkeypatch):
    run(monkeypatch, lambda state: state.remove(state.function.blocks[1], 0))
