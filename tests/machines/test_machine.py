"""What may be asked of a machine: legality apart from records, and what its instructions can do."""

from dataclasses import FrozenInstanceError
from functools import cache

import pytest

from tests.kept_machines import load
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.names import machine_names
from vpo.machines.read.load import build, built_like, full_text, read_description
from vpo.machines.read.source import parse
from vpo.text import parse_effects

machine_called = cache(load)


def effects_of(machine, text):
    return parse_effects(text, machine.cells)


def test_legality_builds_no_record(monkeypatch):
    machine, built = load("riscv32"), []
    build = Recognizer.build_record
    monkeypatch.setattr(Recognizer, "build_record", lambda *given: built.append(given) or build(*given))
    add = effects_of(machine, "r[5]=r[6]+100;")
    assert machine.is_legal(add)
    assert not machine.is_legal(effects_of(machine, "r[5]=r[6]+100000;"))
    assert machine.clobbers(add) == ()
    assert not built
    assert machine.recognize(add) is machine.recognize(add)
    assert len(built) == 1


def test_a_machine_that_is_at_hand_is_not_built_again():
    machine = build(read_description("riscv32"))
    assert built_like(parse(full_text("riscv32"), "a file")) is machine
    other = built_like(read_description("riscv32", ["instructions.MUL.latency=9"]))
    assert other is not machine
    assert other.fingerprint != machine.fingerprint


def test_a_machine_cannot_be_changed():
    machine = machine_called("riscv32")
    for part, name in (
        (machine, "timing"),
        (machine.values, "integer"),
        (machine.toolchain, "emulator"),
        (machine.layout, "text"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(part, name, None)
    assert not hasattr(machine, "options")


@pytest.mark.parametrize(
    ("name", "rtl"),
    [
        ("riscv32", "r[32]=r[5]+1;"),
        ("riscv32", "r[5]=L[r[32]+4];"),
        ("arm", "r[14]=L[r[1]]; r[15]=L[r[1]+4]; r[16]=L[r[1]+8];"),
    ],
)
def test_registers_beyond_their_class_are_not_legal(name, rtl):
    machine = machine_called(name)
    effects = effects_of(machine, rtl)
    assert not machine.is_legal(effects)
    assert machine.recognize(effects) is None


def test_clobbers_are_those_of_the_record():
    found = 0
    for machine in map(machine_called, machine_names()):
        for alternative in machine.recognizer.alternatives:
            if alternative.clobbers and not alternative.operands and not alternative.variables:
                assert machine.clobbers(alternative.effects) == machine.recognize(alternative.effects).clobbers
                found += 1
    assert found


@pytest.mark.parametrize(
    ("name", "literals", "predicated", "pairs", "fused_branches"),
    [("riscv32", False, False, False, False), ("arm", True, True, True, False), ("vax", False, False, True, True)],
)
def test_capabilities_follow_from_the_instructions(name, literals, predicated, pairs, fused_branches):
    found = machine_called(name).capabilities
    assert (found.literals, found.predicated, found.pairs, found.fused_branches) == (
        literals, predicated, pairs, fused_branches)  # fmt: skip


def test_forms_of_a_branch_stand_in_the_order_of_the_description():
    machine = machine_called("m68020")
    forms = machine.forms_of(effects_of(machine, "PC=L5;"))
    assert [form.size for form in forms] == sorted(form.size for form in forms)
    assert len(forms) > 1
    assert machine.recognize(effects_of(machine, "PC=L5;")).alternative == forms[0].alternative


@pytest.mark.parametrize(("name", "reach"), [("riscv32", 2047), ("sparc", 4095)])
def test_slots_are_in_reach_of_a_displacement(name, reach):
    machine = machine_called(name)
    assert machine.reaches_slot(reach)
    assert not machine.reaches_slot(reach + 1)


@pytest.mark.parametrize("name", machine_names())
def test_values_name_classes(name):
    machine = machine_called(name)
    assert set(machine.values.classes().values()) <= machine.classes.keys()
    assert machine.values.floating("D") == machine.values.classes().get("D", "")


def test_constants_are_listed_as_numbers_and_ranges():
    machine = load("riscv32", ["operands.imm.constant=[-1, 1..3, 8]"])
    legal = [number for number in (-2, -1, 1, 3, 4, 8, 9) if machine.is_legal(effects_of(machine, f"r[5]=r[6]+{number};"))]
    assert legal == [-1, 1, 3, 8]
