"""Registers that a change adds to a class are used, or the change is an error."""

import pytest

import ease
from tests.kept_machines import load
from vpo.machines.read.source import DescriptionError


def indices(registers, cls="r"):
    return {register.index for register in registers if register.cls == cls}


def test_a_range_that_ends_at_the_last_register_ends_at_the_new_one():
    machine = load("riscv32", ["registers.r.count=64"])
    assert indices(machine.allocable["r"]) >= set(range(28, 64))
    assert indices(machine.convention.saved) == indices(load("riscv32").convention.saved)


def test_so_it_is_for_descriptions_and_in_the_library(tmp_path):
    description = tmp_path / "wide.yaml"
    description.write_text("machine: wide\nextends: riscv32\nregisters: {r: {count: 48}}\n")
    assert indices(load(str(description)).allocable["r"]) >= set(range(28, 48))
    assert indices(load(str(description), ["registers.r.count=16"]).allocable["r"]) == {*range(5, 16), 1}
    for machine in (
        ease.Machine("riscv32").changed(registers={"r": {"count": 64}}),
        ease.Machine("riscv32", {"registers.r.count": 64}),
        ease.Machine("riscv32").with_settings({"registers.r.count": 64}),
    ):
        assert machine.registers.where(**{"class": "r"})["allocable"] == [60]


def test_saved_registers_that_end_there_are_more_too():
    base = ['allocable.r=["r[31]..r[5]", "r[1]"]', 'calls.saved=["r[20]..r[31]"]']
    assert indices(load("riscv32", base).convention.saved) == set(range(20, 32))
    description = ease.Machine("riscv32", base).with_settings({"registers.r.count": 40}).description
    assert description["allocable"]["r"] == ["r[39]..r[5]", "r[1]"]
    assert description["calls"]["saved"] == ["r[20]..r[39]"]


def test_what_says_for_itself_what_is_allocable():
    explicit = ["registers.r.count=64", 'allocable.r=["r[15]..r[5]", "r[40]"]']
    for settings in (explicit, explicit[::-1]):
        assert indices(load("riscv32", settings).allocable["r"]) == {*range(5, 16), 40}


def test_registers_that_nothing_would_use_are_an_error():
    with pytest.raises(DescriptionError) as caught:
        load("mips", ["registers.r.count=34"])
    assert "'count: 34' adds registers to class 'r' that 'allocable' does not name" in caught.value.message
    assert '"r[16]..r[23]", "r[30]", "r[31]", "r[32]..r[33]"]}`, too' in caught.value.message
