"""Segments: blocks are cut where control may leave, and around what a branch may annul."""

import pytest
from fake_machine import program_of

from vpo.analysis.cfg import Segment, segments

ANNULLING = ("r[3]=1;", "PC=r[3]<1,L1; DS=taken;", "r[4]=1;")


@pytest.mark.parametrize(
    ("rtls", "expected"),
    [
        ((), []),
        (("r[3]=1;", "r[4]=1;"), [Segment(0, 2)]),
        (("r[3]=1;", "ST=_f(); r[1]=NPC;", "r[4]=1;", "r[5]=1;"), [Segment(0, 3, call=1), Segment(3, 4)]),
        (("ST=_f(); r[1]=NPC;", "r[4]=1;"), [Segment(0, 2, call=0)]),
        (("r[3]=1;", "r[10]=SYSL(1);", "r[4]=1;"), [Segment(0, 2, system_call=True), Segment(2, 3)]),
        (("r[3]=1;", "PC=r[3]<1,L1;", "r[4]=1;"), [Segment(0, 3)]),
        (ANNULLING, [Segment(0, 2), Segment(2, 3, annullable=True)]),
    ],
)
def test_blocks_are_cut_where_control_may_leave(rtls, expected):
    lines = "".join(f"\t{text} # program 2\n" for text in rtls)
    program = program_of(f'function _f file "a.c" line 1 stage final {{\nL1:\n{lines}}}\n', slots=1)
    function = program.functions["_f"]
    assert list(segments(program.machine, function, function.blocks[0])) == expected
