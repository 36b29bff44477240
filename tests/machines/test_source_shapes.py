"""What `may_compute` denies is no instruction in any notation; the phase that makes selects is spared nearly all questions."""

import pytest

from vpo.algebra import select
from vpo.algebra.equivalents import equivalents
from vpo.build.compiler import Compiler, Settings
from vpo.machines.advice.examples import Maker
from vpo.machines.match.source_shapes import SourceShapes
from vpo.machines.read.load import load
from vpo.rtl import Const, Op, Register, Set

CHOOSING = """
machine: choosing
extends: riscv32
instructions:
  CMOV: {rtl: "r[d]=SEL(r[c]!=0,r[a],r[d]);", asm: "cmov $d,$c,$a"}
  ABS: {rtl: "r[d]=abs(r[a]-r[b]);", asm: "abs $d,$a,$b"}
  SAT: {rtl: "r[d]=SEL(r[a]<-128,-128,SEL(r[a]>127,127,r[a]));", asm: "sat $d,$a"}
  SIGN: {rtl: "r[d]=SEL(r[a]<0,-8,7);", asm: "sign $d,$a"}
  UQADD: {rtl: "r[d]=SEL((r[a]+r[b])<ur[a],-1,r[a]+r[b]);", asm: "uqadd $d,$a,$b"}
"""
ONE = """
machine: one
extends: riscv32
instructions:
  CMOV: {rtl: "r[d]=SEL(r[c]!=0,r[a],r[d]);", asm: "cmov $d,$c,$a"}
"""
LARGE = """
int f(int a, int b, int c, const int *t) {
    int m = a * b + 3, k = (c << 2) ^ a, s = 0;
    for (int i = 0; i < 9; i++) {
        int x = t[i] * k + (m >> 3);
        if (x > (b & 255)) { m = x + a; k = (i | 3) - x; }
        if ((x ^ m) < k) s = m * 5 + k; else s = s + (x & 7);
        if (s > 100000) s = -1;
    }
    return s + m - k;
}
"""


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    path = tmp_path_factory.mktemp("machine") / "choosing.yaml"
    path.write_text(CHOOSING)
    return str(path)


@pytest.mark.parametrize("name", ["", "arm", "thumb2", "vax", "x86_64"])
def test_no_notation_of_an_instruction_is_denied(name, description):
    machine = load(name or description)
    shapes = SourceShapes(machine.recognizer.alternatives, machine.recognizer.operands)
    maker, asked = Maker(machine), 0
    for alternative in machine.recognizer.alternatives:
        if len(alternative.effects) != 1 or not isinstance(alternative.effects[0], Set) or alternative.repeated:
            continue
        values = {each[0]: next(maker.choices(alternative, each), None) for each in alternative.variables}
        if None in values.values():
            continue
        (effect,) = maker.effects(alternative, values)
        for notation in equivalents(effect.source)[:50]:
            assert shapes.may_be(notation), (alternative.text, notation)
            asked += 1
    assert asked > 50


def test_a_choice_between_other_registers_than_it_compares_is_no_minimum(tmp_path):
    path = tmp_path / "least.yaml"
    path.write_text("extends: riscv32\ninstructions:\n  MIN: {rtl: 'r[d]=SEL(r[a]<r[b],r[a],r[b]);', asm: 'min $d,$a,$b'}\n")
    machine = load(str(path))
    a, b, c = (Register("r", index, "L", True) for index in range(3))
    assert machine.may_compute(select(Op("<", "", a, b), b, a))  # some order of the two
    assert not machine.may_compute(select(Op("<", "", a, b), a, c))


def test_choices_by_flags_are_no_choices_by_registers(description):
    """`cmov` of x86_64 chooses by what was compared before; CMOV of `choosing` compares itself."""
    a, b = Register("r", 0, "Q", True), Register("r", 1, "Q", True)
    assert not load("x86_64").may_compute(select(Op("==", "", a, b), a, b))
    a, b = Register("r", 0, "L", True), Register("r", 1, "L", True)
    assert load(description).may_compute(select(Op("==", "", a, Const(0)), b, a))


@pytest.mark.parametrize(("machine", "multiplies"), [("sh4", False), ("m68020", True)])
def test_a_product_with_a_number_needs_an_instruction_with_one(machine, multiplies):
    loaded = load(machine)
    cls = loaded.values.integer
    a, b = Register(cls, 0, "L", True), Register(cls, 1, "L", True)
    assert loaded.may_compute(Op("*", "L", a, b))
    assert loaded.may_compute(Op("*", "L", a, Const(16777633))) is multiplies


def test_a_search_for_products_asks_few_questions(tmp_path):
    """Each factor is asked about only where the machine multiplies registers by way of others."""
    path, machine = tmp_path / "product.c", load("sh4")
    path.write_text("unsigned f(unsigned h) { return h * 16777633u; }")
    before = len(machine._matches)
    Compiler(machine, Settings(level=2)).unit(str(path))
    assert len(machine._matches) - before < 20000


def test_few_questions_are_asked(tmp_path):
    path, machine_path = tmp_path / "large.c", tmp_path / "one.yaml"
    path.write_text(LARGE)
    machine_path.write_text(ONE)
    machine = load(str(machine_path))
    Compiler(machine, Settings(level=2)).unit(str(path))
    assert 0 < len(machine._matches) < 3000
