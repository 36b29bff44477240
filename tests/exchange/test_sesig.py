"""`ease machine import sesig:FILE`: small candidates of our own as the Scalar Efficiency group would list them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ease.exchange import sesig
from ease.exchange.describing import Imported, imported
from ease.exchange.trees import SourceError
from ease.lab.dossier.opcode_space import space_of
from vpo.machines.read.load import load

TEXT = """\
- {mnemonic: NEARI, categories: [branch], enc_size: 32, description: if ($signed(rs1) < simm5) pc += (simm12 << 1)}
- {mnemonic: FARZ, categories: [branch], enc_size: 48, description: if (rs1 == 0) pc += (simm28 << 1)}
- {mnemonic: NEARZ, categories: [branch], enc_size: 32, description: if (rs1 == 0) pc += (simm8 << 1)}
- {mnemonic: PICK, categories: [choice], enc_size: 32, description: 'rd = ($signed(rd) < 0) ? rs1 : uimm5'}
- {mnemonic: C.PICK, categories: [choice], enc_size: 16, description: 'rd'' = (rd'' == 0) ? rs1'' : rd'''}
- {mnemonic: MORE, categories: [sum], enc_size: 32, description: rd += rs1 * imm5}
- {mnemonic: LOAD.48, categories: [sum], enc_size: 48, description: rd = imm32}
- {mnemonic: SIX, base: RV64, enc_size: 32, description: rd = rs1 + 6}
- {mnemonic: ODD, enc_size: 32, description: rd = strange(rs1)}
- {mnemonic: WIDE, enc_size: 16, description: rd = rs1 ^ imm12}
- {mnemonic: WRONG, enc_size: 32, description: rd = (rs1}
"""
FORMS = {
    "NEARI": 'rtl: "PC=r[rs1]<simm5,simm12;", reach: [-4096, 4094], simm5: import_s5,',
    "FARZ": 'rtl: "PC=r[rs1]==0,simm28;", reach: [-268435456, 268435454],',
    "PICK": 'rtl: "r[rd]=SEL(r[rd]<0,r[rs1],uimm5);", uimm5: import_u5, asm: "pick $rd,$rs1,$uimm5"',
    "C.PICK": 'when: "8 <= rd <= 15 and 8 <= rs1 <= 15", asm: "c.pick $rd,$rs1", encoding: "opcode:10 rd:3 rs1:3"',
    "MORE": 'rtl: "r[rd]=r[rd]+(r[rs1]*imm5);", imm5: import_s5,',
    "LOAD.48": 'rtl: "r[rd]=imm32;", imm32: import_s32,',
}


@pytest.fixture(autouse=True)
def _few_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ease.exchange.describing.TIMES", 100)


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(TEXT)
    return path


def test_candidates_become_instructions(file: Path) -> None:
    extension = imported(sesig.read(file, [], 32), "riscv32", "mine", "sesig:mine.yaml")
    found: dict[str, Imported] = {each.key: each for each in extension.results}
    for name, form in FORMS.items():
        assert form in found[name].form, (name, found[name].form, found[name].reason)
    assert found["NEARZ"].known_as == "BEQ"
    assert "SIX" not in found
    assert found["ODD"].reason == "'strange()' is not known"
    assert "its fields have 22 bits, and it has 16" in found["WIDE"].reason
    assert "`rd = (rs1`" in found["WRONG"].reason
    path = file.parent / "extension.yaml"
    path.write_text(extension.text()[0])
    machine = load(f"riscv32+{path}")
    taken = space_of(machine, "MORE")
    assert (taken.points, taken.exact, taken.size) == (1 << 15, True, 4)


def test_categories_choose(file: Path) -> None:
    assert [each.name for each in sesig.read(file, ["sum"], 32)] == ["MORE", "LOAD.48"]
    with pytest.raises(SourceError, match="no candidate of the category sums; it has branch, choice, sum"):
        list(sesig.read(file, ["sums"], 32))


def test_what_is_no_list(tmp_path: Path) -> None:
    path = tmp_path / "machine.yaml"
    path.write_text("machine: mine\n")
    with pytest.raises(SourceError, match="no list of candidates, each with a mnemonic"):
        list(sesig.read(path, [], 32))
