"""`timing:` in descriptions: what it means for instructions, and what is wrong with it."""

import pytest

from tests.kept_machines import load
from vpo.machines.read.source import DescriptionError
from vpo.text import parse_effects


def record(machine, rtl):
    return machine.recognize(parse_effects(rtl, machine.cells))


def described(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(f"machine: mine\nextends: baseline\n{text}\n")
    return load(str(path))


def test_latencies_by_kind(tmp_path):
    machine = described(tmp_path, "timing: {overlap: false, latencies: {ADD: 3, LOAD: {load: 9}, JMP: {taken: 4}}}")
    assert record(machine, "r[5]=r[6]+r[7];").latency == 3
    assert record(machine, "r[5]=L[r[6]];").latency == 9
    assert record(machine, "PC=L1;").occupancy.taken == 4
    assert machine.timing.issue(9) == 9


def test_delay_slots_make_use_of_cycles_lost():
    mips, riscv = load("mips"), load("riscv32")
    assert record(mips, "PC=L1;").occupancy.taken == 0
    assert record(riscv, "PC=L1;").occupancy.taken == 1


def test_each_register_of_a_list_takes_time():
    arm = load("arm")
    two = record(arm, "r[4]=L[r[0]]; r[5]=L[r[0]+4];")
    three = record(arm, "r[4]=L[r[0]]; r[5]=L[r[0]+4]; r[6]=L[r[0]+8];")
    assert (three.occupancy.issue, three.latency) == (two.occupancy.issue + 1, two.latency + 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("timing: {overlaps: true}", "2:10: error: 'overlaps' is not a key of 'timing'; did you mean 'overlap'?"),
        ("timing: {taken: fast}", "'taken' must be a number"),
        ("timing: {latencies: {ADDX: 2}}", "there is no instruction 'ADDX'; did you mean 'ADD'?"),
        ("timing: {latencies: {ADD: {loads: 2}}}", "'loads' is not a key of the latencies of ADD; did you mean 'load'?"),
    ],
)
def test_mistakes_have_a_place(tmp_path, text, message):
    with pytest.raises(DescriptionError) as error:
        described(tmp_path, text)
    assert message.removeprefix("2:10: ") in str(error.value)
    assert "mine.yaml:3:" in str(error.value)
