"""Edits that take parts of descriptions away."""

from collections import Counter

import pytest

from vpo.algebra import binary, set_
from vpo.machines.advice.edits import KINDS, SHORTEST, deletions, edited, random_reordering, range_of, reorderings
from vpo.machines.read.load import build, read_description
from vpo.rtl import Const, Register

A, B, D = (Register("r", number, "L", True) for number in (1, 2, 3))


@pytest.fixture(scope="module")
def description():
    return read_description("riscv32")


def find(description, kind, name):
    return next(edit for edit in deletions(description) if (edit.kind, edit.name) == (kind, name))


def without(description, kind, name):
    return build(edited(description, find(description, kind, name)))


def effect(op, a, b):
    return (set_(D, binary(op, a, b)),)


def test_kinds_and_names(description):
    edits = list(deletions(description))
    assert {edit.kind for edit in edits} == set(KINDS) - {"slots"}
    assert [name for name, count in Counter((e.kind, e.name) for e in edits).items() if count > 1] == []
    assert any(edit.kind == "slots" for edit in deletions(read_description("sparc")))


def test_an_instruction_of_a_group_goes_alone(description):
    machine = without(description, "instruction", "OR")
    assert not machine.is_legal(effect("|", A, B))
    assert machine.is_legal(effect("&", A, B))


def test_latencies_go_with_their_instruction():
    sparc = read_description("sparc")
    assert build(edited(sparc, find(sparc, "instruction", "SDIV")))


def test_a_bit_of_one_immediate(description):
    machine = without(description, "bits", "ADDI.src2: 11 bits")
    assert [machine.is_legal(effect("+", A, Const(n))) for n in (1023, 1024, -1024, -1025)] == [True, False, True, False]
    assert machine.is_legal(effect("^", A, Const(2047)))


def test_a_bit_of_a_range_everywhere(description):
    machine = without(description, "bits", "imm: 4 bits")
    assert [machine.is_legal(effect(op, A, Const(n))) for op in "+^" for n in (7, 8)] == [True, False, True, False]


def test_a_form_of_an_operand(description):
    whole, machine = build(description), without(description, "operand", "regz 0")
    less = effect("<u", Const(0), A)
    assert (whole.is_legal(less), machine.is_legal(less)) == (True, False)


def test_a_register(description):
    machine = without(description, "register", "a5")
    assert Register("r", 15, "L") not in machine.allocable["r"]
    assert len(machine.allocable["r"]) == len(build(description).allocable["r"]) - 1


def test_ranges_are_halved_to_the_shortest(description):
    upper = range_of(description["operands"]["upper"])
    assert upper.bits == 20
    bits, last = [r.bits for r in upper.narrower()], list(upper.narrower())[-1]
    assert bits == list(range(19, SHORTEST - 1, -1))
    assert (last.low, last.high // 4096) == (-8 * 4096, 7)


def test_the_description_stays_as_it_is(description):
    before = repr(description)
    for edit in [*deletions(description)][::20]:
        edited(description, edit)
    assert repr(description) == before


def test_reordered_machines_have_the_same_instructions(description):
    names = {form.name for form in build(description).recognizer.alternatives}
    for edit in (*reorderings(), random_reordering(1)):
        assert {form.name for form in build(edited(description, edit)).recognizer.alternatives} == names


def test_an_edit_of_what_another_took_away(description):
    edits = {(edit.kind, edit.name): edit for edit in deletions(description)}
    gone, narrower = edits["operand", "address r[b]+c"], edits["bits", "address r[b]+c: 8 bits"]
    with pytest.raises(KeyError):
        edited(description, gone, narrower)


def test_a_form_that_is_alone_under_its_key():
    """The keys `AND` and `AND OR` both have forms of AND: one of them goes with its only form."""
    arm = read_description("arm")
    counts = Counter(name for key in arm["instructions"] for name in key.split())
    alone = [edit for edit in deletions(arm) if edit.kind == "form" and counts[edit.name.split()[0]] > 1]
    assert alone
    for edit in alone:
        assert all(spec != [] for spec in edited(arm, edit)["instructions"].values()), edit.name


def test_two_forms_of_instructions_that_share_a_list():
    description = read_description("m68020")
    forms = [e for e in deletions(description) if e.kind == "form" and e.name.startswith(("MOVE.W ", "MOVE.B "))]
    before = len(build(description).recognizer.alternatives)
    for other in (forms[1], forms[-1]):
        assert len(build(edited(description, forms[0], other)).recognizer.alternatives) <= before - 2
