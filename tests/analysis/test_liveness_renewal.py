"""Liveness after changes of a few blocks is what it is when everything is computed."""

import random

import pytest

from tests.kept_machines import load
from vpo.analysis.liveness import compute_liveness, renewed
from vpo.opt.ssa.construct_ssa import construct_ssa
from vpo.opt.state import CFG, LIVENESS, FunctionState
from vpo.rtl import Register, Rtl, Set
from vpo.rtl.function import Phi
from vpo.text import parse_function

MACHINE = load("riscv32", [])
BLOCKS = 12


def a_function(choose):
    """A function of blocks that branch to any others, each setting and reading some of five registers."""
    lines = []
    for block in range(BLOCKS):
        a, b, c = (f"r[t{choose.randint(1, 5)}]" for _ in range(3))
        lines += [f"L{block + 1}:", f"\t{a}={b}+{c}; # program 1"]
        lines.append(f"\tPC={a}!={b},L{choose.randint(2, BLOCKS)}; # control 1")
    lines += [f"L{BLOCKS + 1}:", "\tr[10]=r[t1]; # linkage 1", f"L{BLOCKS + 2}:", "\tPC=r[1],RT(r[10]); # linkage 1"]
    return parse_function('function _f file "f.c" line 1 stage pseudo {\n' + "\n".join(lines) + "\n}\n", MACHINE.cells)


def changed(block, choose, known):
    """Change a block: what an RTL reads or sets, how many RTLs there are, what a phi reads."""
    rtls, target, source = list(block.rtls), choose.choice(known), choose.choice(known)
    new = Rtl((Set(target, source),), (2,), "program")
    what = choose.randrange(3)
    if what == 0 and len(rtls) > 1:
        rtls[0] = new
    elif what == 1 and len(rtls) > 1:
        del rtls[0]
    else:
        rtls.insert(0, new)
    phis = [Phi(phi.target, dict.fromkeys(phi.sources, source) if what else phi.sources) for phi in block.phis]
    return rtls, phis


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("ssa", [False, True])
def test_changes_of_blocks(seed, ssa):
    choose = random.Random(seed)
    state = FunctionState(a_function(choose), MACHINE)
    if ssa:
        construct_ssa(state)
    known = sorted({r for rtl in state.function.rtls() for r in rtl.uses if r.pseudo}, key=lambda r: (r.index, r.version))
    known.append(Register("r", 99, "L", True))
    for _ in range(8):
        before, cfg = state.get(LIVENESS), state.get(CFG)
        blocks = choose.sample([block for block in state.function.blocks if len(block.rtls) > 1], 2)
        with state.required():
            for block in blocks:
                rtls, phis = changed(block, choose, known)
                assert state.change({block: rtls}, phis={block: phis})
        wanted = compute_liveness(state.function, cfg, MACHINE)
        assert renewed(before, state.function, cfg, blocks) == wanted
        assert state.get(LIVENESS) == wanted
