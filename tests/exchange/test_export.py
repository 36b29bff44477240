"""`ease machine export`: what is written is taken by the real assembler, by the importer and by a simulator of hardware."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from ease.commands.ease_command import main
from ease.exchange import coredsl, udb
from ease.exchange.describing import imported
from ease.exchange.exporting import export, files
from ease.exchange.proving import prove
from vpo.machines.read.load import load

MACHINE = "riscv32+zba+zbb+zbs"
WORDS = ["SH1ADD", "ANDN", "MAX", "RORI", "BEXTI", "ORC.B", "SEXT.B", "ROL", "ADDI"]
HEADER_CALLS = """\
#include "mine.h"
uint32_t f(uint32_t a, uint32_t b) {
    uint32_t sum = zbs_sh1add(a, b) + zbs_andn(a, b) + zbs_max(a, b);
    return sum + zbs_rori(a, 5) + zbs_bexti(b, 31) + zbs_orc_b(a) + zbs_addi(a, -7);
}
"""


def needs(tool: str) -> pytest.MarkDecorator:
    """Return a mark for a test that needs a tool."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"no {tool}")


def test_coredsl_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each instruction that was exported can be imported, and means what it did."""
    monkeypatch.setattr("ease.exchange.describing.TIMES", 100)
    text, problems = export(load(MACHINE), MACHINE, [*WORDS, "CPOP", "LW"], "coredsl")
    assert [problem.split(":")[0] for problem in problems] == ["LW", "CPOP"]
    path = tmp_path / "zbs.core_desc"
    path.write_text(text)
    source = list(coredsl.read(path, [], 32))
    extension = imported(source, "riscv32", "again", "here")
    assert {each.key: each.reason for each in extension.results} == dict.fromkeys(WORDS, "")
    findings = prove(load(MACHINE, ["toolchain=null"]), MACHINE, WORDS, source)
    assert findings.wrong == []
    assert findings.tried["its source"] == len(WORDS)


def test_files_of_the_unified_database_are_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each instruction is a file, which can be imported, and means what it did."""
    monkeypatch.setattr("ease.exchange.describing.TIMES", 100)
    name = "riscv32+zba+zbb+zbs+zbkb"
    words = [*WORDS, "CPOP", "CLZ", "CTZ", "REV8", "BREV8", "MULH", "MULHU", "DIV", "REMU", "SRA", "SLTU", "SB", "LH"]
    only = ",".join(words)
    assert main(["machine", "export", name, "--only", only, "--to", "udb", "-o", str(tmp_path / "mine")]) == 0
    written = sorted((tmp_path / "mine" / "inst" / "Xzbkb").iterdir())
    left = {"LH", "SB", "SLTU"}  # whose operands have several notations
    assert [path.stem.upper() for path in written] == sorted({*words} - left)
    source = list(udb.read(tmp_path / "mine", [], 32))
    machine = load(name, ["toolchain=null"])
    findings = prove(machine, name, [path.stem.upper() for path in written], source)
    assert findings.wrong == []
    assert findings.tried["its source"] == len(written)


PARTS = """\
extension: parts
toolchain: null
operands:
  five: {constant: 0..31, mode: IMMED}
  twelve: {constant: -2048..2047, mode: IMMED}
instructions:
  BEQI: {rtl: "PC=r[a]==c,to;", c: five, asm: "beqi $a,$c,$to", reach: [-4096, 4094],
         encoding: "to:1@11 to:6@4 c:5!0 a:5 010 to:4@0 to:1@10 1100011"}
  BGEI: {rtl: "PC=r[a]>=c,to;", c: five, asm: "bgei $a,$c,$to", reach: [-4096, 4094],
         encoding: "to:1@11 to:6@4 c:5 a:5 011 to:4@0 to:1@10 1100011"}
  SX: {rtl: "L[r[a]+n]=r[b]<<1;", n: twelve, asm: "sx $b,$n($a)", encoding: "n:7@5 b:5 a:5 010 n:5@0 0101011"}
  LOST: {rtl: "L[r[a]+n]=r[b]<<2;", n: twelve, asm: "lost $b,$n($a)", encoding: "n:7 b:5 a:5 011 n:5 0101011"}
"""


@pytest.mark.parametrize("target", ["udb", "coredsl"])
def test_branches_and_numbers_in_parts_are_read_back(target: str, tmp_path: Path) -> None:
    """Each part has its bits of the number, in the encoding that is written, and in that which is imported from it."""
    description = tmp_path / "parts.yaml"
    description.write_text(PARTS)
    name, words = f"riscv32+{description}", ["BEQI", "BGEI", "SX"]
    text, problems = export(load(name), name, [*words, "LOST"], target)
    assert problems == ["LOST: field n is in several parts, and which bits each has is not said (n:6@4)"]
    if target == "udb":
        assert "location: 31|7|30-25|11-8\n      left_shift: 1\n" in text
        assert "location: 24-20\n      not: 0\n" in text
        for path, document in files(text, tmp_path).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document)
        source = list(udb.read(tmp_path, [], 32))
    else:
        assert "MEM[address+3:address]" in text  # tools take no other ranges than above a name
        (tmp_path / "parts.core_desc").write_text(text)
        source = list(coredsl.read(tmp_path / "parts.core_desc", [], 32))
    findings = prove(load(name), name, words, source)
    assert findings.wrong == []
    assert findings.tried["its source"] == 3
    again = imported(source, "riscv32", "again", "here").text()[0]
    assert "to:1@11 to:6@4" in again
    assert "n:7@5 b:5 a:5 010 n:5@0 0101011" in again


@pytest.mark.parametrize("word", ["B", "W", "L"])
def test_memory_and_numbers_in_the_unified_database(word: str, tmp_path: Path) -> None:
    """A load and a store of each size, with numbers that have a sign and zeros below."""
    bits = {"B": 8, "W": 16, "L": 32}[word]
    loaded, stored = (f"sxL({word}[r[b]+n])", f"{word}[r[a]+n]") if word != "L" else ("L[r[b]+n]", "L[r[a]+n]")
    description = tmp_path / "mine.yaml"
    description.write_text(f"""\
extension: mine
toolchain: null
operands:
  words: {{constant: -256..252, multiple: 4, mode: IMMED}}
instructions:
  LX: {{rtl: "r[d]={loaded};", n: words, asm: "lx $d,$b,$n", encoding: "00000 n:7 b:5 000 d:5 0001011"}}
  SX: {{rtl: "{stored}=r[b];", n: words, asm: "sx $a,$b,$n", encoding: "n:7 b:5 a:5 00100000 0101011"}}
""")
    name = f"riscv32+{description}"
    text, problems = export(load(name), name, ["LX", "SX"], "udb")
    assert problems == []
    assert f"read_memory<{bits}>" in text
    for path, document in files(text, tmp_path).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document)
    findings = prove(load(name), name, ["LX", "SX"], list(udb.read(tmp_path, [], 32)))
    assert findings.wrong == []
    assert findings.tried["its source"] == 2


@pytest.mark.tools
@needs("riscv64-linux-gnu-gcc")
def test_the_header_assembles_to_the_encodings(tmp_path: Path) -> None:
    """The words that gcc and the assembler make of calls are those of the description."""
    machine = load(MACHINE)
    names = ["SH1ADD", "ANDN", "MAX", "RORI", "BEXTI", "ORC.B", "ADDI"]
    (tmp_path / "mine.h").write_text(export(machine, MACHINE, names, "header")[0])
    (tmp_path / "calls.c").write_text(HEADER_CALLS)
    command = [
        "riscv64-linux-gnu-gcc",
        "-march=rv32im",
        "-mabi=ilp32",
        "-O2",
        "-ffreestanding",
        "-Wall",
        "-Werror",
        "-c",
        "calls.c",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    with (tmp_path / "calls.o").open("rb") as file:
        data = ELFFile(file).get_section_by_name(".text").data()
    words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    codes = {form.name: form.code for form in machine.recognizer.alternatives if form.name in names and form.code}
    assert [name for name, code in codes.items() if not any(word & code.mask == code.value for word in words)] == []


@pytest.mark.tools
@needs("iverilog")
def test_the_decoder_elaborates_and_decodes(tmp_path: Path) -> None:
    """A simulator takes the decoder, which tells one of the words from the others."""
    (tmp_path / "decoder.sv").write_text(export(load(MACHINE), MACHINE, WORDS, "systemverilog")[0])
    (tmp_path / "bench.sv").write_text("""\
module bench;
    logic [31:0] word; logic valid; logic [3:0] which; logic [4:0] source1, source2, target; logic [31:0] number;
    zbs_decoder decoder(word, valid, which, source1, source2, target, number);
    initial begin
        word = 32'h20c5a533; #1 $display("%0d %0d %0d %0d", valid, target, source1, source2);
        word = 32'hff958513; #1 $display("%0d %0d %0d %0d", valid, target, source1, $signed(number));
        word = 32'h00000000; #1 $display("%0d", valid);
    end
endmodule
""")
    subprocess.run(["iverilog", "-g2012", "-o", "bench", "decoder.sv", "bench.sv"], cwd=tmp_path, check=True)
    done = subprocess.run(["vvp", "-n", "bench"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["1 10 11 12", "1 10 11 -7", "0"]


def test_what_cannot_be_exported_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Instructions without exact encodings, and those that transfer control."""
    assert main(["machine", "export", "riscv32", "--only", "ADD", "--to", "header"]) == 1
    assert "ADD: its encoding is not known to the bit" in capsys.readouterr().err
    assert main(["machine", "export", MACHINE, "--only", "BEQ,SH1ADD", "--to", "header"]) == 0
    assert "not exported: BEQ: field target is in several parts" in capsys.readouterr().err
    assert main(["machine", "export", MACHINE, "--only", "NONE", "--to", "coredsl"]) == 1
    assert "has no instruction NONE" in capsys.readouterr().err
