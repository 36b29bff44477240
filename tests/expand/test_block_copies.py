"""Copies of structures by instructions that move several words."""

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings


def test_block_instructions_with_an_order_are_no_pairs(tmp_path):
    """A block load takes ascending registers: which these are is not known before registers are assigned."""
    (tmp_path / "f.c").write_text("struct four { int a, b, c, d; };\nvoid f(struct four *p, struct four *q) { *p = *q; }\n")
    unit = Compiler(load("arm"), Settings(level=0, check="invariants")).unit(str(tmp_path / "f.c"))
    assert not any(len(rtl.effects) > 1 and rtl.loads for rtl in unit.functions[0].rtls())


def test_alignment_less_than_the_word(tmp_path):
    """Where an int may lie at a multiple of 2, a structure of them is copied by whole words."""
    (tmp_path / "f.c").write_text("struct two { int a, b; };\nvoid f(struct two *p, struct two *q) { *p = *q; }\n")
    unit = Compiler(load("m68020"), Settings(level=0, check="invariants")).unit(str(tmp_path / "f.c"))
    stores = [cell for rtl in unit.functions[0].rtls() for cell in rtl.stores]
    assert {cell.type for cell in stores} == {"L"}
