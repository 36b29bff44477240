"""What a description changes and takes away of the one that it extends, names in groups too; `--set` does the same."""

import copy
import re

import pytest

from tests.kept_machines import load
from vpo.machines.read.load import read_description
from vpo.machines.read.source import DescriptionError, with_places


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


TRIPLE = '{rtl: "r[d]=r[a]*c;", c: any, when: "c == 3", into: ["r[t]=r[a]<<1;", "r[d]=r[t]+r[a];"]}'
MIPS = [each.text for each in load("mips").expansions]


def test_single_expansions(tmp_path):
    text = f'expansions: {{first: [{TRIPLE}], without: ["r[d]=cvtL(f[s]);"], last: [{TRIPLE}]}}'
    rest = [each for each in MIPS if each != "r[d]=cvtL(f[s]);"]
    assert len(rest) == len(MIPS) - 1
    implied = len(MIPS) - len(load("mips", ["expansions=[]"]).expansions)
    found = [each.text for each in extended(tmp_path, text, "mips").expansions]
    assert found == ["r[d]=r[a]*c;", *rest[: implied - 1], "r[d]=r[a]*c;", *rest[implied - 1 :]]


def test_an_expansion_of_an_extension_where_there_was_none(tmp_path):
    (tmp_path / "triple.yaml").write_text(f"extension: triple\nexpansions: {{last: [{TRIPLE}]}}\n")
    machine = load(f"riscv32+{tmp_path}/triple.yaml")
    assert [each.text for each in machine.expansions][:1] == ["r[d]=r[a]*c;"]


def test_lists_of_registers_and_forms(tmp_path):
    changes = """\
allocable: {r: {without: ["r[6]"], last: ["r[3]"]}}
calls: {saved: {without: ["f[20]"]}}
operands: {imm: {last: [{constant: [70000], mode: IMMED}]}}
instructions: {ADD SLT: {last: [{op: [3, 5], rtl: "r[d]=(r[a]+r[b])*${op};", asm: "${op}x $d,$a,$b"}]}}
"""
    machine, base = extended(tmp_path, changes), load("riscv32")
    assert [r.index for r in machine.allocable["r"]] == [r.index for r in base.allocable["r"] if r.index != 6] + [3]
    assert [repr(r) for r in set(base.convention.saved) - set(machine.convention.saved)] == ["f[20]"]
    assert [len(machine.recognizer.operands["imm"]), len(base.recognizer.operands["imm"])] == [2, 1]
    added = set(instructions(machine)) - set(instructions(base))
    assert {(name, text) for name, text, _ in added} >= {("ADD", "r[d]=(r[a]+r[b])*3;"), ("SLT", "r[d]=(r[a]+r[b])*5;")}


def test_settings_of_lists():
    base, changed = load("riscv32"), load("riscv32", ['calls.saved.without=["f[20]"]', 'allocable.r.without=["r[6]"]'])
    assert len(changed.convention.saved) == len(base.convention.saved) - 1
    assert len(changed.allocable["r"]) == len(base.allocable["r"]) - 1


MISSING = {
    'expansions: {last: [{rtl: "r[d]=r[a]*c;", c: any, into: ["r[d]=r[a]+r[a];"]}], without: ["r[d]=r[a]*r[b];"]}':
        "3:90: error: there is no 'r[d]=r[a]*r[b];' in this list to take away",
    'calls: {saved: {without: ["r[3]"]}}': "3:27: error: there is no 'r[3]' in this list to take away",
    'operands: {imn: {last: [{constant: 7}]}}': "3:12: error: there is no operand 'imn' to change; did you mean 'imm'?",
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


def test_a_copy_says_the_same_in_the_same_places_and_shares_nothing():
    description = read_description("riscv32+zba")
    copied = copy.deepcopy(description)
    assert with_places(copied) == with_places(description)
    assert copied.extensions.keys() == description.extensions.keys()
    copied["allocable"]["r"].append("r[3]")
    copied["instructions"].put("OWN", {}, copied.place, copied.place)
    assert "r[3]" not in description["allocable"]["r"]
    assert "OWN" not in description["instructions"].key_places
