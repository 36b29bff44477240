"""What a description changes and takes away of the one that it extends, names in groups too; `--set` does the same."""

import re

import pytest

from tests.kept_machines import load
from vpo.machines.read.source import DescriptionError


def extended(tmp_path, text, base="riscv32"):
    path = tmp_path / "mine.yaml"
    path.write_text(f"machine: mine\nextends: {base}\n{text}\n")
    return load(str(path))


def instructions(machine):
    return [(a.name, a.text, a.latency) for a in machine.recognizer.alternatives]


BASE = instructions(load("riscv32"))


def without(*names):
    return [entry for entry in BASE if entry[0] not in names]


def slower(name, latency):
    return [(n, text, latency if n == name else old) for n, text, old in BASE]


CHANGES = {
    "one of a group": ("instructions: {MULH: null}", without("MULH")),
    "all of a group, one by one": ("instructions: {MULH: null, MULHU: null}", without("MULH", "MULHU")),
    "some, in another order": ("instructions: {REM DIVU: null}", without("REM", "DIVU")),
    "of several groups": ("instructions: {SRA MULH: null}", without("SRA", "MULH")),
    "fields of one": ("instructions: {MULHU: {latency: 9}}", slower("MULHU", 9)),
    "fields of one that has its own": ("instructions: {FSUB.D: {latency: 9}}", slower("FSUB.D", 9)),
    "fields of every form": ("instructions: {LUI: {latency: 9}}", slower("LUI", 9)),
    "fields of two of a group": (
        "instructions: {DIVU REM: {latency: 9}}",
        [(n, text, 9 if n in ("DIVU", "REM") else old) for n, text, old in BASE],
    ),
    "another field for each": (
        "instructions: {MULHU DIV: {latency: [9, 11]}}",
        [(n, text, {"MULHU": 9, "DIV": 11}.get(n, old)) for n, text, old in BASE],
    ),
    "all of one": (
        'instructions: {AND: {rtl: "r[dst]=r[src1]&not(r[src2]);", asm: "andn $dst,$src1,$src2"}}',
        [(n, text.replace("&r[src2]", "&not(r[src2])") if n == "AND" else text, old) for n, text, old in BASE],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_names_in_groups(tmp_path, change):
    text, expected = CHANGES[change]
    assert instructions(extended(tmp_path, text)) == expected


SETTINGS = {
    "instructions.MULH=null": without("MULH"),
    "instructions.MULHU.latency=9": slower("MULHU", 9),
    "instructions.FSUB.D.latency=9": slower("FSUB.D", 9),
    "instructions.LUI.latency=9": slower("LUI", 9),
    "instructions.SLT SLTU=null": without("SLT", "SLTU"),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_names_in_groups(setting):
    assert instructions(load("riscv32", [setting])) == SETTINGS[setting]


def test_a_name_in_several_keys(tmp_path):
    names = [name for name, _, _ in instructions(extended(tmp_path, "instructions: {SUB: null}", "baseline"))]
    assert "SUB" not in names
    assert [name for name, _, _ in instructions(load("baseline")) if name != "SUB"] == names
    slow = instructions(extended(tmp_path, "instructions: {ADD: {latency: 2}}", "baseline"))
    assert [latency for name, _, latency in slow if name == "ADD"] == [2, 2]
    assert {latency for name, _, latency in slow if name == "OR"} == {1}


def test_latencies_of_names_in_groups(tmp_path):
    (tmp_path / "slow.yaml").write_text(
        "machine: slow\nextends: baseline\ntiming: {latencies: {LOAD STORE: {load: 5, store: 6}, ADD SUB: 2}}\n"
    )
    machine = extended(tmp_path, "timing: {latencies: {STORE: {store: 7}, ADD: null}}", "slow.yaml")
    assert machine.timing.latencies["STORE"] == {"load": 5, "store": 7}
    assert machine.timing.latencies["LOAD"] == {"load": 5, "store": 6}
    assert "ADD" not in machine.timing.latencies
    assert "SUB" in machine.timing.latencies
    set_ = load("baseline", ["timing.latencies={ADD SUB: 2}", "timing.latencies.SUB=3"])
    assert set_.timing.latencies["SUB"]["register"] == 3


MISSING = {
    "instructions: {MULHX: null}": "3:16: error: there is no instruction 'MULHX' to take away; did you mean 'MULH'?",
    "instructions: {DIV MULHX: null}": "3:16: error: there is no instruction 'MULHX' to take away",
    "instructions: {MULHX: {latency: 3}}": "3:16: error: there is no instruction 'MULHX' to change; did you mean 'MULH'?",
    "operands: {addres: null}": "3:12: error: there is no operand 'addres' to take away; did you mean 'address'?",
    "registers: {ff: null}": "3:13: error: there is no register class 'ff' to take away",
    "syscalls: {raed: null}": "3:12: error: there is no system call 'raed' to take away; did you mean 'read'?",
    "instructions:": "3:1: error: 'instructions:' is empty, which takes all of it away: leave the line out",
    "calls: {svaed: null}": "3:9: error: 'svaed' is not a key of a calling convention; did you mean 'saved'?",
}


@pytest.mark.parametrize("text", MISSING)
def test_names_that_are_not_there(tmp_path, text):
    with pytest.raises(DescriptionError, match=re.escape(MISSING[text])):
        extended(tmp_path, text)


def test_a_setting_of_a_name_that_is_not_there():
    with pytest.raises(DescriptionError, match="there is no instruction 'MULHX' to take away; did you mean 'MULH'"):
        load("riscv32", ["instructions.MULHX=null"])
    with pytest.raises(DescriptionError, match="there is no 'MULHX' here; did you mean 'MULH'"):
        load("riscv32", ["instructions.MULHX.latency=3"])


def test_a_description_that_has_changed_is_read_again(tmp_path):
    places = []
    for latency, head in ((3, ""), (7, ""), (3, "# a\n"), (3, "")):
        own = f'{{rtl: "r[d]=(r[a]+r[b])*r[a];", asm: "own $d,$a,$b", latency: {latency}}}'
        machine = extended(tmp_path, f"{head}instructions: {{OWN: {own}}}")
        (found,) = (each for each in machine.recognizer.alternatives if each.name == "OWN" and not each.implied)
        assert found.latency == latency
        places.append(found.place)
    assert places[0] == places[1] == places[3]
    assert places[0] != places[2]
