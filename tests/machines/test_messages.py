"""Mistakes that people make in descriptions: each has its place, what is wrong, and what to write."""

import pytest

from tests.kept_machines import load
from vpo.machines.read.source import DescriptionError

HEAD = "machine: mine\nextends: riscv32\ninstructions:\n"
RTLS = {
    "r[d]+=r[a]*r[b];": ("19", "there is no `+=`: write r[d]=r[d]+..."),
    "r[d]=r[a]>r[b]?r[a]:r[b];": ("29", "there is no `?:`: write SEL(r[a]>r[b],r[a],r[b])"),
    "r[d]=(r[a]<r[b])&&(r[b]<r[c]);": ("32", "there is no `&&`: conditions are single relations"),
    "r[d]=r[a]+r[b]": ("28", "every effect ends in `;`"),
    "r[d]=M[r[a]];": ("20", "memory is named by its cell's type, B W L Q (integers of 1 2 4 8 bytes) F D: L[...] for M[...]"),
    "r[d]=R[a];": ("20", "names are lower-case: a register is r[d], and `R[` is none"),
    "r[D]=r[a];": ("17", "names are lower-case: write r[d]"),
    "r[d]=sxL(W(r[a]));": ("24", "`W(...)` is no function: trW(...) takes the low bits"),
    "r[d]=parity(r[a]);": ("26", "`parity` is no function; there are sx zx tr cvt"),
    "r[d]=min(r[a],r[b]);": ("23", "`min` is no function: the smaller of two is SEL(a<b,a,b), the larger one SEL(a>b,a,b)"),
    "r[d]=ror(r[a],r[b]);": ("23", "`ror` is no function: to the right it is rotl(a,neg(b))"),
    "r[d]=clz(r[a],r[b]);": ("20", "`clz` has 1 operand, not 2"),
    "r[d]=rotl(r[a]);": ("20", "`rotl` has 2 operands, not 1"),
    "r[d]=r[a]+r[b]*r[c];": ("29", "an operator inside another needs parentheses"),
    "r[d]=SEL(r[a]<-(1<<5),r[b],r[c]);": ("29", "`-` of one operand is neg(...)"),
    "r[d]=-r[a];": ("20", "`-` of one operand is neg(...)"),
    "r[d]=r[a]&~r[b];": ("25", "at '~r[b];' (there is no `~`: the complement is not(r[b]))"),
    "r[d]=!r[a];": ("20", "there is no `!`: write r[a]==0"),
    "PC=r[a]!=0,t,PC;": ("27", "at ',PC;' (a branch is PC=CONDITION,t; and goes on behind it where the condition fails)"),
    "r[d]=(r[a]+r[b];": ("30", "at ';' (expected `)`)"),
    "r[d]++;": ("19", "there is no `++`: write r[d]=r[d]+1"),
    "r[d]=(f[a]*f[b])+r[c];": ("14", "`+` of types D and L: operands have one type; write cvtD"),
    "f[d]=(f[a]*f[b])+r[c];": ("14", "`+` of types D and L"),
    "r[d]=f[a];": ("14", "a value of type D set to one of type L: write cvtD"),
    "D[r[a]]=r[b];": ("14", "a value of type L set to one of type D"),
    "Q[r[a]]=r[b];": ("14", "32 bits into a cell of 64"),
    "PC=f[a]<r[b],target;": ("14", "`<` of types D and L"),
}
OPERANDS = 'extends: riscv32\noperands: {scaled: {rtl: "f[n]*f[n]", asm: "$n", mode: SCALED}}\ninstructions:\n'
DESCRIPTIONS = {
    f'{HEAD}  SLS: {{rtl: "r[d]=r[a]<<n;", n: {{constant: 1..31}}, asm: "sls $d,$a,$n"}}\n': (
        "4:34", "'n' is the name of an operand here: define it under `operands:`, and write `n: THAT_NAME`"
    ),
    f'{OPERANDS}  MAC: {{rtl: "r[d]=r[a]+s;", s: scaled, asm: "mac $d,$a,$s"}}\n': (
        "4:14", "`+` of types L and D (operand 's'): operands have one type"
    ),
    'extends: riscv32\noperands: {place: {rtl: "r[b]+c", c: imm, slots: true, asm: "$c($b)", mode: DISP}}\n': (
        "2:43", "operand 'place': 'slots:' is for constants: say it of the operand within that is one"
    ),
    f'{HEAD}  MAC: {{rtl: "r[d]=r[d]+(r[a]*r[b]);"}}\n': ("4:3", "'MAC' is new, so it needs 'asm:', too"),
    f'{HEAD}  MAC: {{asm: "mac $d,$a,$b"}}\n': ("4:3", "'MAC' is new, so it needs 'rtl:', too"),
    f'{HEAD}MAC: {{rtl: "r[d]=r[a];", asm: x}}\n': ("4:1", "'MAC' belongs below 'instructions:' or 'operands:': indent it"),
    "machine t\nextends: riscv32\n": ("2:8", "with a colon and a blank between; is one missing here or in the line above?"),
    "machine t\n": ("1:1", "a description is a YAML mapping that begins with 'machine: NAME'"),
}


def message(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(DescriptionError) as caught:
        load(str(path))
    return str(caught.value).removeprefix(str(tmp_path / "mine.yaml:"))


@pytest.mark.parametrize("rtl", RTLS)
def test_an_rtl_that_is_none(tmp_path, rtl):
    column, said = RTLS[rtl]
    shown = message(tmp_path, f'{HEAD}  MAC: {{rtl: "{rtl}", asm: "mac $d"}}\n')
    assert shown.startswith(f"4:{column}: error: ")
    assert said in shown


@pytest.mark.parametrize("text", DESCRIPTIONS)
def test_a_description_that_is_none(tmp_path, text):
    place, said = DESCRIPTIONS[text]
    shown = message(tmp_path, text)
    assert shown.startswith(f"{place}: error: ")
    assert said in shown


def test_a_description_without_a_name_has_that_of_its_file(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("extends: riscv32\n")
    assert load(str(path)).name == "mine"
