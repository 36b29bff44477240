"""The handle through which phases work: what is refused, what a change does, and how long analyses hold."""

import pytest

from tests.kept_machines import load
from vpo.analysis.cfg import transfer_of
from vpo.opt.changes import Changes
from vpo.opt.control import clean_up_control_flow
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, FunctionState, merged
from vpo.rtl import Rtl
from vpo.rtl.function import Block
from vpo.text import parse_effects, parse_function, print_function

MACHINE = load("riscv32", [])
TEXT = """\
function _f file "f.c" line 1 stage pseudo {
L1:
\tr[t1]=0; # program 1
\tPC=L2; # control 2
L3:
\tr[t1]=r[t1]+1; # program 3
\tr[t2]=r[t1]+r[t1]; # address 4
L2:
\tPC=r[t1]!=r[10],L3; # control 2
L4:
\tr[10]=r[t1]; # linkage 5
L5:
\tPC=r[1],RT(r[10]); # linkage 5
L6:
\tPC=L6; # control 6
}
"""
LOOP = print_function(parse_function(TEXT, MACHINE.cells))


def effects(text):
    return parse_effects(text, MACHINE.cells)


@pytest.fixture
def state():
    return FunctionState(parse_function(LOOP, MACHINE.cells), MACHINE)


def mutations(state):
    """One use of each mutator, by name."""
    first, body, test, *rest = state.function.blocks
    new = Rtl(effects("r[t3]=r[t1]+4;"), (7,), "program")
    return {
        "replace": lambda: state.replace(body, body.rtls[0], effects("r[t1]=r[t1]+2;")),
        "remove": lambda: state.remove(body, 1),
        "insert": lambda: state.insert(body, 1, [new]),
        "splice": lambda: state.splice(body, 0, 2, [new, body.rtls[0]]),
        "insert_block": lambda: state.insert_block(2, Block("L9", [new])),
        "relabel": lambda: state.relabel(first, "L9"),
        "substitute": lambda: state.substitute(body, {body.rtls[0]: new, body.rtls[1]: None}),
        "change": lambda: state.change({first: [new, *first.rtls]}, [first, body, test, *rest, Block("L9", [new.copy()])]),
        "redirect": lambda: state.redirect(test, "L4"),
        "keep_blocks": lambda: state.keep_blocks({0, 1, 2, 3, 4}),
        "merge": lambda: state.merge(4),
    }


NAMES = (
    "replace", "remove", "insert", "splice", "insert_block", "relabel", "substitute", "change", "redirect", "keep_blocks",
    "merge",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_mutator_makes_one_change_and_says_so(state, name):
    state.changes = Changes(1)
    assert mutations(state)[name]()
    assert state.changes.made == 1
    assert print_function(state.function) != LOOP
    assert state.code == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_mutator_without_permission_does_nothing(state, name):
    state.changes = Changes(0)
    assert not mutations(state)[name]()
    assert print_function(state.function) == LOOP
    assert (state.code, state.flow) == (0, 0)


@pytest.mark.parametrize("how", ["replace", "insert", "substitute", "change", "layout", "redirect"])
def test_what_is_no_instruction_is_refused_whole(state, how):
    body = state.function.blocks[1]
    bad = Rtl(effects("r[t1]=r[t1]/L[r[t2]];"), (7,), "program")
    uses = {
        "replace": lambda: state.replace(body, body.rtls[0], bad.effects),
        "insert": lambda: state.insert(body, 0, [bad]),
        "substitute": lambda: state.substitute(body, {body.rtls[0]: bad, body.rtls[1]: None}),
        "change": lambda: state.change({body: [bad], state.function.blocks[0]: []}),
        "layout": lambda: state.change({}, [*state.function.blocks, Block("L9", [bad])]),
        "redirect": lambda: state.redirect(body, "L4"),  # it ends with no transfer
    }
    state.changes = Changes(None)
    assert not uses[how]()
    assert state.changes.made == 0
    assert print_function(state.function) == LOOP


def test_control_flow_analyses_outlive_changes_of_other_rtls(state):
    flow = [state.get(analysis) for analysis in (CFG, DOMINATORS, LOOPS, FREQUENCIES)]
    liveness = state.get(LIVENESS)
    assert state.get(LIVENESS) is liveness
    body = state.function.blocks[1]
    assert state.replace(body, body.rtls[0], effects("r[t1]=r[t1]+2;"))
    assert state.remove(body, 1)
    assert all(state.get(a) is old for a, old in zip((CFG, DOMINATORS, LOOPS, FREQUENCIES), flow, strict=True))
    assert state.get(LIVENESS) is not liveness
    assert state.wrong_analyses() == []


@pytest.mark.parametrize("name", ["change", "redirect", "keep_blocks", "merge", "jump removed", "branch put in"])
def test_control_flow_analyses_end_with_changes_of_control_flow(state, name):
    first, body, test, *_ = state.function.blocks
    uses = mutations(state) | {
        "jump removed": lambda: state.remove(first, 1),
        "branch put in": lambda: state.insert(body, 2, [transfer_of(test).copy()]),
    }
    old = state.get(CFG)
    state.get(LIVENESS)
    assert uses[name]()
    assert state.get(CFG) is not old
    assert state.wrong_analyses() == []


def test_an_rtl_takes_on_the_provenance_of_what_it_is_made_from(state):
    body = state.function.blocks[1]
    first, second = body.rtls
    assert state.replace(body, second, effects("r[t2]=r[t1]+2;"), from_=[first])
    assert second.lines == (3, 4)
    new = merged(effects("r[t2]=r[t1]+2;"), first, second)
    assert (new.lines, new.cause) == ((3, 4), second.cause)


def test_control_flow_is_cleaned_up_by_permission(state):
    assert state.redirect(state.function.blocks[2], "L4")  # a branch to the next block
    text = print_function(state.function)
    state.changes = Changes(0)
    clean_up_control_flow(state)
    assert print_function(state.function) == text
    state.changes = Changes(None)
    clean_up_control_flow(state)
    every = state.changes.made
    assert every > 3
    assert len(state.function.blocks) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_required_change_is_made_in_any_case_and_not_numbered(state, name):
    state.changes = Changes(0)
    with state.required():
        assert mutations(state)[name]()
    assert state.changes.made == 0
    assert print_function(state.function) != LOOP
    assert not state.insert(state.function.blocks[0], 0, [Rtl(effects("r[t1]=1;"), (1,))])  # the others still are refused


def test_a_required_rtl_may_be_on_its_way_to_a_legal_one(state):
    body = state.function.blocks[1]
    with state.required():
        assert state.replace(body, body.rtls[0], effects("r[t1]=r[t1]/L[r[t2]];"))


def test_an_improvement_of_several_parts_is_one_change(state):
    body = state.function.blocks[1]
    state.changes = Changes(1)
    assert state.permits()
    with state.required():
        assert state.permits()
        state.remove(body, 0)
        state.remove(body, 0)
    assert state.changes.made == 1
    assert not state.permits()
    assert body.rtls == []


def test_reaching_a_stage_ends_all_analyses(state):
    flow, liveness = state.get(CFG), state.get(LIVENESS)
    state.reach("allocated")
    assert state.function.stage == "allocated"
    assert state.get(CFG) is not flow
    assert state.get(LIVENESS) is not liveness
