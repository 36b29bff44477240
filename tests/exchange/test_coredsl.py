"""`ease machine import coredsl:FILE`: small instructions of our own in CoreDSL."""

from __future__ import annotations

from pathlib import Path

import pytest

from ease.exchange import coredsl
from ease.exchange.describing import Imported, imported
from ease.exchange.trees import SourceError

TEXT = """\
import "base.core_desc"
// a comment { with a brace
InstructionSet Mine extends Base {
    instructions {
        MAC [[enable=XLEN==32]] {
            encoding: 7'b0000000 :: rs2[4:0] :: rs1[4:0] :: 3'b000 :: rd[4:0] :: 7'b0001011;
            assembly: "{name(rd)}, {name(rs1)}, {name(rs2)}";
            behavior: if (rd >= RFS) raise(0, 2); else if (rd != 0) X[rd] = (unsigned<XLEN>)(X[rd] + X[rs1] * X[rs2]);
        }
        CLIP__U {
            encoding: uimm[4:0] :: 7'b0000001 :: rs1[4:0] :: 3'b001 :: rd[4:0] :: 7'b0001011;
            assembly: {"clip.u", "{name(rd)}, {name(rs1)}, {uimm}"};
            behavior: { signed<XLEN> x = (signed<XLEN>)X[rs1]; if (x < 0) X[rd] = 0;
                        else if (x > uimm) X[rd] = uimm; else X[rd] = (unsigned<XLEN>)x; }
        }
        LXH {
            encoding: 7'b0000010 :: rs2[4:0] :: rs1[4:0] :: 3'b010 :: rd[4:0] :: 7'b0001011;
            behavior: { unsigned<XLEN> at = (unsigned<XLEN>)(X[rs1] + (X[rs2] << 1)); X[rd] = (signed<16>)MEM[at+1:at]; }
        }
        COUNT {
            encoding: 12'b000000110000 :: rs1[4:0] :: 3'b011 :: rd[4:0] :: 7'b0001011;
            behavior: { unsigned<64> n = 0; for (unsigned<32> i = 0; i < XLEN; i += 1) { if (X[rs1][i]) n += 1; } X[rd] = n; }
        }
        NEAR {
            encoding: imm[8:2] :: rs2[4:0] :: rs1[4:0] :: 3'b100 :: 5'b00000 :: 7'b0001011;
            behavior: if (X[rs1] == X[rs2]) PC = (unsigned<XLEN>)(PC + (signed<9>)imm);
        }
        STATE {
            encoding: 12'b000001000000 :: rs1[4:0] :: 3'b101 :: rd[4:0] :: 7'b0001011;
            behavior: X[rd] = CSR[rs1];
        }
        WIDE [[enable=XLEN==64]] { encoding: 32'b1; behavior: {} }
    }
}
"""
RTLS = {
    "mac": "r[rd]=r[rd]+(r[rs1]*r[rs2]);",
    "clip.u": "r[rd]=SEL(r[rs1]<0,0,SEL(n_uimm<r[rs1],n_uimm,r[rs1]));",
    "lxh": "r[rd]=sxL(W[r[rs1]+(r[rs2]<<1)]);",
    "count": "r[rd]=popcount(r[rs1]);",
    "near": "PC=r[rs1]==r[rs2],imm;",
}


@pytest.fixture(autouse=True)
def _few_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ease.exchange.describing.TIMES", 100)


def described(folder: Path, text: str) -> dict[str, Imported]:
    """Return what became of the instructions of a text, by name."""
    (folder / "base.core_desc").write_text("InstructionSet Base { architectural_state { unsigned int RFS = 32; } }")
    path = folder / "mine.core_desc"
    path.write_text(text)
    extension = imported(coredsl.read(path, [], 32), "riscv32", "tried", "here")
    return {each.instruction.name: each for each in extension.results}


def test_behaviors_become_rtls(tmp_path: Path) -> None:
    """Operators that never overflow, casts, ranges of memory, loops, conditions on the number of the target."""
    found = described(tmp_path, TEXT)
    assert {name: each.rtl for name, each in found.items() if not each.reason} == RTLS | {"near": "PC=r[rs1]==r[rs2],imm;"}
    assert found["state"].reason == "'CSR' is not known"
    assert found["clip.u"].instruction.assembly == "clip.u $rd,$rs1,$n_uimm"
    assert "wide" not in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rs2[4:0] ::", "rs2 ::", "mine.core_desc:5: 'rs2' is no part of an encoding"),
        ("behavior: X[rd] = CSR", "behaviour: X[rd] = CSR", "mine.core_desc:28: STATE has no behavior"),
        ("{ encoding: 32'b1; behavior: {} }\n    }\n}", "{ encoding", "is never closed"),
    ],
)
def test_mistakes_have_a_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    """What is no CoreDSL is told with file and line."""
    with pytest.raises(SourceError) as caught:
        described(tmp_path, TEXT.replace(old, new))
    assert message in str(caught.value)


def test_a_wrong_behavior_is_told_with_its_line(tmp_path: Path) -> None:
    """One that cannot be read does not keep the others from being imported."""
    found = described(tmp_path, TEXT.replace("X[rd] = CSR[rs1];", "X[rd] = ;"))
    assert "mine.core_desc:30: '; ' cannot" in found["state"].reason.replace("';'", "'; '")
    assert found["mac"].reason == ""
