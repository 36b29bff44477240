"""riscv-opcodes: names, fields and encodings, which a description that has the meanings is compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

from ease.commands.ease_command import main
from ease.exchange.sources import instructions
from ease.exchange.trees import NAMES_ONLY, SourceError

FIELDS = """\
"rd", 11, 7
"rs1", 19, 15
"rs2", 24, 20
"imm12hi", 31, 25
"imm12lo", 11, 7
"imm5", 24, 20
"rd_p", 4, 2
"rs1_p", 9, 7
"""
FILES = {
    "rv_zibi": "beqi imm12hi imm5 rs1 14..12=2 imm12lo 6..2=0x18 1..0=3  # equal\n",
    "rv_zba": "# shift and add\nsh1add rd rs1 rs2 31..25=16 14..12=2 6..2=0x0C 1..0=3\n$pseudo_op rv_zba::sh1add sh0 rd\n",
    "rv64_zba": "add.uw rd rs1 rs2 31..25=4 14..12=0 6..2=0x0E 1..0=3\n",
    "unratified/rv_mine": "$import rv_zba::sh1add\nc.odd rd_p rs1_p 15..13=5 1..0=0\nstrange what 1..0=3\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "arg_lut.csv").write_text(FIELDS)
    for name, text in FILES.items():
        path = tmp_path / "extensions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_names_and_fields(folder: Path) -> None:
    """Each line is an instruction, an import is that of another file; a field that nobody knows is a problem of one."""
    found = {each.name: each for each in instructions(f"opcodes:{folder}", [], 32)}
    assert [*found] == ["sh1add", "beqi", "c.odd", "strange"]
    beqi = found["beqi"]
    parts = [(part.variable, part.bits, part.value) for part in beqi.parts]
    assert parts == [("imm12hi", 7, 0), ("imm5", 5, 0), ("rs1", 5, 0), ("", 3, 2), ("imm12lo", 5, 0), ("", 7, 0b1100011)]
    assert (beqi.bits, beqi.assembly, beqi.problem) == (32, "beqi $imm12hi,$imm5,$rs1,$imm12lo", NAMES_ONLY)
    assert [(part.variable, part.bits) for part in found["c.odd"].parts][:3] == [("", 3), ("unused", 3), ("rs1_p", 3)]
    assert "'what' is no field of arg_lut.csv" in found["strange"].problem
    assert [each.name for each in instructions(f"opcodes:{folder}", ["Zba"], 64)] == ["add.uw", "sh1add"]
    with pytest.raises(SourceError, match="no instruction of Zxy"):
        list(instructions(f"opcodes:{folder}", ["Zxy"], 32))
    with pytest.raises(SourceError, match=r"no arg_lut\.csv"):
        list(instructions(f"opcodes:{folder / 'extensions'}", [], 32))


def test_what_is_to_be_filled_in(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file says all but the meaning; written into it, the instruction is one."""
    path = folder / "zibi.yaml"
    assert main(["machine", "import", f"opcodes:{folder}", "--extensions", "Zibi", "--over", "riscv32", "-o", str(path)]) == 0
    assert "no instruction that could be tried" in capsys.readouterr().out
    text = path.read_text()
    assert 'BEQI: {rtl: "", asm: "beqi $imm12hi,$imm5,$rs1,$imm12lo", encoding: "imm12hi:7 imm5:5 rs1:5 010' in text
    filled = text.replace("# instructions", "instructions").replace("#   BEQI", "  BEQI")
    filled = filled.replace('rtl: ""', 'rtl: "PC=r[rs1]==n,to;"')
    filled = filled.replace("$imm12hi,$imm5,$rs1,$imm12lo", "$rs1,$n,$to").replace("imm12hi", "to").replace("imm12lo", "to")
    path.write_text(filled.replace("imm5:5", "n:5").replace("asm:", "n: shift, reach: [-4096, 4090], asm:"))
    assert main(["machine", "show", f"riscv32+{path}", "BEQI"]) == 0


def test_encodings_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An encoding that is another one's is told."""
    words = ["machine", "prove", "riscv32+zba", "--set", "toolchain=null", "--only", "SH1ADD"]
    words += ["--against", f"opcodes:{folder}"]
    assert main(words) == 0
    assert "1 by its source" in capsys.readouterr().out
    path = folder / "extensions" / "rv_zba"
    path.write_text(path.read_text().replace("31..25=16", "31..25=17"))
    assert main(words) == 1
    assert "SH1ADD: its encoding has 0x20002033 in bits 0xfe00707f, the source 0x22002033" in capsys.readouterr().err
