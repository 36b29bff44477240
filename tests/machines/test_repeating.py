"""An instruction that goes to itself until a count ends: block moves of run-time length, in functions written as RTLs."""

import pytest

import ease

DESCRIPTION = """\
machine: repeating
extends: x86_64
instructions:
  REP.MOVSB:
    rtl: "PC=r[1]!=1,target; r[1]=r[1]+-1; B[r[7]]=B[r[6]]; r[7]=r[7]+1; r[6]=r[6]+1;"
    asm: rep movsb
    size: 2
    reach: [0, 0]
"""
COPY = """\
machine "repeating" cells r=Q f=D e=F cc=C nz=C fc=G
function _copy file "copy.s" line 1 stage final {
L1:
	r[1]=r[2];                               # program 1
	cc=r[2]?0;                               # control 1
	PC=cc==0,L3;                             # control 1
L2:
	PC=r[1]!=1,L2; r[1]=r[1]+-1; B[r[7]]=B[r[6]]; r[7]=r[7]+1; r[6]=r[6]+1; # variable 1
L3:
	PC=Q[r[4]],RT(); r[4]=r[4]+8;            # linkage 1
}
"""
MAIN = """
void copy(char *to, const char *from, long n);
static char a[64], b[64] = "a block move of a length that only the run knows";
int main(int count, char **words) { copy(a, b, count * 3L); return a[count * 3 - 1] != b[count * 3 - 1] || a[count * 3]; }
"""


@pytest.mark.parametrize(("counted", "instructions"), [("", 12), ("    counted: false\n    fetched: false\n", 0)])
def test_each_round_is_counted_with_its_references(counted, instructions, own_cache, tmp_path):
    description = DESCRIPTION.replace("reach: [0, 0]", "reach: [0, 0]\n" + counted)
    for name, text in {"m.yaml": description, "copy.rtl": COPY, "main.c": MAIN}.items():
        (tmp_path / name).write_text(text)
    sources, machine = [str(tmp_path / name) for name in ("main.c", "copy.rtl")], str(tmp_path / "m.yaml")
    few, more = (ease.measure(sources, machine, args=["x"] * words) for words in (1, 5))
    assert (few.exit_status, more.exit_status) == (0, 0)
    assert more.instructions - few.instructions == instructions
    assert more.references - few.references == 2 * 12
    assert ease.measure(sources, machine, args=["x"], cache="U:1k,16,2").exit_status == 0
