"""Instructions are the same in whatever notation a description writes them."""

from __future__ import annotations

import re

import pytest

from tests.kept_machines import load
from vpo.text import parse_effects

OTHERWISE = {  # what RTLs have: a description that says it in other words
    "r[d]=r[a]|r[b];": "r[d]=(r[a]&r[b])+(r[a]^r[b]);",
    "r[d]=r[a]^r[b];": "r[d]=(r[a]|r[b])-(r[a]&r[b]);",
    "r[d]=r[a]-r[b];": "r[d]=not(not(r[a])+r[b]);",
    "r[d]=not(r[a]);": "r[d]=-1-r[a];",
    "r[d]=neg(r[a]);": "r[d]=not(r[a])+1;",
    "r[d]=r[a]==0;": "r[d]=r[a]<u1;",
    "r[d]=(r[a]+r[b])+8;": "r[d]=(r[a]+c)+r[b];",
    "r[d]=L[r[p]]; r[e]=L[r[p]+4];": "r[d]=L[r[p]+c]; r[e]=L[r[p]+k];",
    "r[d]=L[r[p]+8]; r[e]=L[r[p]+12];": "r[d]=L[r[p]+c]; r[e]=L[(r[p]+c)+4];",
    "r[e]=L[r[p]+4]; r[d]=L[r[p]];": "r[d]=L[r[p]+c]; r[e]=L[(r[p]+c)+4];",
    "L[r[p]]=r[a]; L[r[p]+4]=r[b];": "L[r[p]+c]=r[a]; L[r[p]+k]=r[b];",
    "L[r[p]]=-5;": "L[r[p]+c]=k;",
    "r[d]=(r[d]&-256)|(r[s]&255);": "r[d]=(r[d]&not(c<<k))|((r[s]&c)<<k);",
    "B[r[p]]=0; r[p]=r[p]+1;": "B[r[p]]=r[s]; r[p]=r[p]+1;",
    "r[d]=(r[a]>>u7)|(r[a]<<25);": "r[d]=(r[a]>>uc)|(r[a]<<(32-c));",
    "r[d]=((r[a]+r[b])+(1<<3))>>4;": "r[d]=((r[a]+r[b])+(1<<(c-1)))>>c;",
    "r[d]=(r[a]<<19)>>27;": "r[d]=(r[a]<<(32-(c+k)))>>(32-k);",
    "L[r[a]+(r[b]<<2)]=0;": "L[r[a]+(r[b]<<2)]=r[e];",
    "PC=((r[a]+r[b])+8)==0,L5;": "PC=((r[a]+c)+r[b])==0,t;",
    "r[d]=L[r[a]+-9];": "r[d]=L[r[a]-k];",
    "r[d]=(r[a]&65535)|(r[b]&-65536);": "r[d]=(r[a]&65535)|((r[b]<<c)&-65536);",
}


@pytest.mark.parametrize("rtl", OTHERWISE)
def test_it_is_found(rtl, tmp_path):
    text = OTHERWISE[rtl]
    numbers = "".join(f", {name}: imm" for name in "ck" if re.search(rf"\bu?{name}\b", text))
    pairs = ', when: "k == c + 4"' if "+k]" in text else ""
    (tmp_path / "more.yaml").write_text(
        "extends: riscv32\n"
        "instructions: {OR: null, XOR: null, SUB: null, NOT: null, SEQZ: null, XORI: null, SLTIU: null, ORI: null, LW: null,\n"
        f'  NEW: {{rtl: "{text}", asm: "new"{numbers}{pairs}}}}}\n'
    )
    machine = load(str(tmp_path / "more.yaml"))
    pseudo = rtl
    for number, name in enumerate("dabpes", 1):
        pseudo = pseudo.replace(f"[{name}]", f"[t{number}]")
    record = machine.recognize(parse_effects(pseudo, machine.cells))
    assert record is not None
    assert record.name == "NEW"
