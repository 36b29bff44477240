"""`ease experiment immediates`: the constants that programs want, and what widths cost."""

import json

import pytest

from ease.start import ease

SOURCE = """
static int scale(int n) { return (n + 1000 & 100) + (n ^ 123456); }
int main(int argc, char **argv) { return scale(argc) & 1; }
"""


@pytest.fixture
def found(tmp_path, monkeypatch, capfd):
    (tmp_path / "prog.c").write_text(SOURCE)
    monkeypatch.setenv("EASE_CACHE", "")
    base = tmp_path / "few.yaml"  # few ranges that are powers of two: few variants
    base.write_text(
        "machine: few\nextends: riscv32\noperands:\n  imm: {constant: -2048..2046}\n  i8: {constant: -128..127}\n"
        "  upper: {constant: -0x80000000..0x7ffff000}\ninstructions:\n  ANDI: {src2: i8}\n  XORI: {src2: i8}\n"
    )
    words = ["-q", "-j1", "-m", str(base), "--json", str(tmp_path / "i.json"), "--svg", str(tmp_path / "i.svg")]
    monkeypatch.setattr("sys.argv", ["ease", "experiment", "immediates", "-O1", *words, str(tmp_path / "prog.c")])
    assert ease() == 0, capfd.readouterr().err
    return (
        json.loads((tmp_path / "i.json").read_text())["immediates"],
        capfd.readouterr().out,
        (tmp_path / "i.svg").read_text(),
    )


def test_constants_and_costs_of_widths(found):
    result, output, picture = found
    mask = result["constants"]["ANDI.src2"]
    assert mask["bits"] == 8
    assert (mask["dynamic"]["8"], mask["dynamic"]["2"]) == (1, 1)  # 100 and 1
    whole = result["whole"]["prog"]["instructions"]
    costs = {v["without"][0]["name"]: v["programs"]["prog"]["instructions"] - whole for v in result["widths"]}
    assert costs["ANDI.src2: 7 bits"] == 1
    assert sum(result["constants"]["XORI.src2"]["refused"].values()) == 1  # 123456
    assert "What narrower immediates cost" in output
    assert "ANDI.src2" in picture
