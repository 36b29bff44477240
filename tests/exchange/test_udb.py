"""`ease machine import udb:DIR`: small instructions of our own, in the notation of the Unified Database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from ease.commands.ease_command import main
from ease.exchange import udb
from ease.exchange.describing import Extension, imported
from ease.exchange.trees import SourceError
from vpo.machines.read.load import load
from vpo.rtl import Effect
from vpo.text import parse_effects

FIELDS = {"xs2": "24-20", "xs1": "19-15", "xd": "11-7"}


@pytest.fixture(autouse=True)
def _few_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ease.exchange.describing.TIMES", 100)


def write(folder: Path, name: str, operation: str, funct: str = "0000000", **fields: object) -> None:
    """Write an instruction; fields that are given replace those of R format."""
    match = f"{funct}----------000-----0001011"
    variables: list[dict[str, object]] = [
        {"name": key, "location": place} for key, place in FIELDS.items() if key not in fields
    ]
    for key, value in fields.items():
        if value:
            variables.append({"name": key, **value} if isinstance(value, dict) else {"name": key, "location": value})
    data = {
        "kind": "instruction", "name": name, "definedBy": {"extension": {"name": "Xtry"}},
        "assembly": "xd, xs1, xs2", "encoding": {"match": match, "variables": variables}, "operation()": operation,
    }  # fmt: skip
    path = folder / "inst" / "Xtry" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(data, sort_keys=False))


def described(folder: Path, operations: Sequence[str]) -> Extension:
    """Return what instructions with these operations become."""
    for number, operation in enumerate(operations):
        unused = dict.fromkeys(name for name in FIELDS if f"[{name}]" not in operation)
        write(folder, f"t{number}", operation, f"{number:07b}", **unused)
    return imported(udb.read(folder, [], 32), "riscv32", "tried", "here")


OPERATIONS = {
    "X[xd] = X[xs2] + (X[xs1] << 1);": "r[xd]=r[xs2]+(r[xs1]<<1);",
    "XReg a = X[xs1]; XReg n = 0; for (U32 i = 0; i < xlen(); i++) { if (a[i] == 1'b1) { n = n + 1; } } X[xd] = n;":
        "r[xd]=popcount(r[xs1]);",
    "XReg s = X[xs2][4:0]; X[xd] = (X[xs1] << s) | (X[xs1] >> (xlen() - s));": "r[xd]=rotl(r[xs1],r[xs2]);",
    "X[xd] = {{24{X[xs1][7]}}, X[xs1][7:0]};": "r[xd]=sxL(trB(r[xs1]));",
    "Bits<MXLEN*8'd2> a = {{MXLEN{1'b0}}, X[xs1]}; Bits<MXLEN*8'd2> b = {{MXLEN{1'b0}}, X[xs2]}; X[xd] = (a * b)[63:32];":
        "r[xd]=mulhu(r[xs1],r[xs2]);",
    "if ($signed(X[xs1]) < $signed(X[xs2])) { X[xd] = X[xs1]; } else { X[xd] = X[xs2]; }":
        "r[xd]=SEL(r[xs1]<r[xs2],r[xs1],r[xs2]);",
    "X[xd] = sext(read_memory<16>(X[xs1] + (X[xs2] << 1), $encoding), 16);": "r[xd]=sxL(W[r[xs1]+(r[xs2]<<1)]);",
    "write_memory<8>(X[xs1], X[xs2][7:0], $encoding);": "B[r[xs1]]=r[xs2];",
    "X[xd] = X[xs1] << X[xs2];": "r[xd]=SEL(r[xs2]>=u32,0,r[xs1]<<r[xs2]);",
}  # fmt: skip


def test_operations_become_rtls(tmp_path: Path) -> None:
    """Straight lines, choices, loops, memory and shifts that are farther than a register is wide."""
    extension = described(tmp_path, list(OPERATIONS))
    assert [each.reason for each in extension.results if each.reason] == []
    found = {each.instruction.name: each.rtl for each in extension.results}
    assert [found[f"t{number}"] for number in range(len(OPERATIONS))] == list(OPERATIONS.values())


REFUSED = {
    "X[xd] = CSR[mstatus].sw_read();": "'CSR[mstatus].sw_read()' is not known",
    "for (U32 i = 0; i < X[xs1]; i++) { X[xd] = X[xs2]; }": "a loop ends by its operands",
    "X[xd] = X[xs1] +;": "';' cannot stand here",
    "if (X[xs1] == 0) { raise(ExceptionCode::IllegalInstruction, 1, 2); } X[xd] = 1;": "exception for some operands",
    "if (X[xs1] == 0) { write_memory<32>(X[xs2], 0, $encoding); }": "a store depends on a condition",
    "X[X[xs1]] = X[xs2];": "which register it means depends on a register",
    "fence_tso();": "'fence_tso()' is no effect that RTLs have",
}


def test_what_cannot_be_said_has_a_reason(tmp_path: Path) -> None:
    """Each instruction that is not imported says why."""
    extension = described(tmp_path, list(REFUSED))
    reasons = {each.instruction.name: each.reason for each in extension.results}
    assert [name for number, why in enumerate(REFUSED.values()) if why not in reasons[name := f"t{number}"]] == []
    assert extension.written == []


def test_short_registers_numbers_and_branches(tmp_path: Path) -> None:
    """Fields of three bits, numbers with signs and zeros below, and branches with their reach."""
    location = {"location": "31-25", "left_shift": 1}
    write(tmp_path, "branch", "if (X[xs1] == X[xs2]) { jump($pc + $signed(imm)); }", "-------", imm=location, xd=None)
    write(tmp_path, "add", "X[xd] = X[xs1] + $signed(imm);", "-------", imm={"location": "31-20"}, xs2=None)
    extension = imported(udb.read(tmp_path, [], 32), "riscv32", "tried", "here")
    known = {each.instruction.name: each.known_as for each in extension.results}
    assert known["add"] == "ADDI"
    text = extension.text()[0] if extension.written else extension.results[1].form
    assert "reach: [-128, 126]" in text


def test_registers_beside_each_other(tmp_path: Path) -> None:
    """The second one of a pair has no field; the condition says which one it is, and holds of no pseudo-registers."""
    write(tmp_path, "both", "Bits<64> p = {X[xs1 + 1], X[xs1]}; X[xd] = (p >> X[xs2][4:0])[31:0];", xs1={
        "location": "19-15", "not": 31})  # fmt: skip
    extension = imported(udb.read(tmp_path, [], 32), "riscv32", "tried", "here")
    (both,) = extension.results
    assert (both.reason, both.known_as) == ("", "")
    assert "r[xs1_1]" in both.rtl
    assert "xs1 >= 0 and xs1_1 == xs1 + 1" in both.form
    assert "xs1_1" not in both.form.partition("encoding:")[2]
    path = tmp_path / "tried.yaml"
    path.write_text(extension.text()[0])
    machine = load(f"riscv32+{path}")
    for second, name in ((12, "BOTH"), (13, "")):
        effects = parse_effects_of(both.rtl, {"xd": 10, "xs1": 11, "xs1_1": second, "xs2": 14})
        record = machine.recognize(effects)
        assert (record.name if record is not None else "") == name
        if record is not None:
            assert "x11" in record.assemble(str) or "a1" in record.assemble(str)


def parse_effects_of(rtl: str, numbers: dict[str, int]) -> tuple[Effect, ...]:
    """Return an RTL with numbers for its registers."""
    for name, number in numbers.items():
        rtl = rtl.replace(f"[{name}]", f"[{number}]")
    return parse_effects(rtl, {"r": "L"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("kind: [", "inst.yaml:"),
        ("kind: instruction\nname: a", "no encoding"),
        ("kind: instruction\nname: a\nencoding: {match: 01, variables: [{name: q, location: x}]}", "'x' is no location"),
        ("kind: instruction\nname: a\nencoding: {match: 0z, variables: []}", "'0z' is no encoding"),
        ("kind: instruction\nname: a\nencoding: {match: 01, variables: [{name: q}]}", "is no encoding"),
        ("kind: instruction\nname: a\nencoding: {match: 01, variables: [{location: 1}]}", "is no encoding"),
        ("kind: instruction\nname: a\nencoding: {opcodes: [], variables: []}", "is no encoding"),
        ("kind: instruction\nname: a\nformat: {$inherits: nowhere.yaml#/data}", "there is no 'nowhere.yaml'"),
    ],
)
def test_mistakes_have_a_place(tmp_path: Path, content: str, message: str) -> None:
    """A file that cannot be read is told with its name."""
    path = tmp_path / "inst" / "X" / "inst.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    with pytest.raises(SourceError, match=r"inst\.yaml") as caught:
        list(udb.read(tmp_path, [], 32))
    assert message in str(caught.value)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes an extension that a machine can have, and says what it did."""
    write(tmp_path, "shadd", "X[xd] = X[xs2] + (X[xs1] << 1);")
    output = tmp_path / "mine.yaml"
    assert main(["machine", "import", f"udb:{tmp_path}", "--over", "riscv32", "-o", str(output)]) == 0
    assert "1 of 1 instructions: 1 new" in capsys.readouterr().out
    assert main(["machine", "show", f"riscv32+{output}", "SHADD"]) == 0
    assert main(["machine", "import", f"what:{tmp_path}", "--over", "riscv32"]) == 1
    assert "'what:" in capsys.readouterr().err
    assert main(["machine", "import", f"udb:{tmp_path}", "--extensions", "Zno", "--over", "riscv32"]) == 1
    assert "no instruction of Zno" in capsys.readouterr().err


def test_extensions_that_belong_together() -> None:
    """An instruction of two extensions comes with both only, one of either with each."""
    both = {"extension": {"allOf": [{"name": "Za"}, {"name": "Zb"}]}}
    either = {"allOf": [{"xlen": 32}, {"extension": {"anyOf": [{"name": "Za"}, {"name": "Zb"}]}}]}
    assert [udb.has_all(both, each) for each in ({"Za"}, {"Za", "Zb"})] == [False, True]
    assert [udb.has_all(either, each) for each in ({"Za"}, {"Zb"}, {"Zc"})] == [True, True, False]


def test_a_word_without_fields_is_no_octal_number(tmp_path: Path) -> None:
    """All bits of the opcode may be digits of an octal number to YAML."""
    path = tmp_path / "inst" / "Xtry" / "none.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("kind: instruction\nname: none\nencoding: {match: 0001101100010010}\noperation(): ' '\n")
    (found,) = udb.read(tmp_path, [], 32)
    assert (found.bits, found.parts[0].value) == (16, 0b0001101100010010)
