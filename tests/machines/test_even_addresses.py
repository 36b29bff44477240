"""Addresses that are even only: `object_align`, `multiple` of symbols.  Also `aggregate_sizes`, and the last of a list."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.expand.argument_passing import Assigner
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.source import DescriptionError
from vpo.rtl import Rtl
from vpo.text import parse_effects

MACHINE = """\
machine: even
extends: riscv64
toolchain: null
halves: null
c: {object_align: 2}
operands: {even: {symbol: true, multiple: 2, mode: IMMED}}
instructions:
  LUI: null
  LA: {rtl: "r[d]=s;", s: even, asm: "la $d,$s"}
  LM: {rtl: "r[list]=Q[r[b]]; ...", when: "count > 1", asm: "lm $list.first,$list.last,($b)"}
calls: {aggregate_sizes: [1, 2, 4, 8]}
"""
PROGRAM = """
static char a = 3, b = 4, text[] = "xyz";
__attribute__((noinline)) static char *place(void) { return text + 1; }
struct three { char c[3]; };
struct four { char c[4]; };
__attribute__((noinline)) static int third(struct three t, struct four f) { t.c[0] = 9; return t.c[2] + f.c[3]; }
int main(void)
{
    struct three t = {{1, 2, 5}};
    struct four f = {{1, 2, 5, 7}};
    a += b;
    return a + *place() + third(t, f) + t.c[0];
}
"""


def test_odd_places_take_a_sum(tmp_path):
    source, description = tmp_path / "odd.c", tmp_path / "even.yaml"
    source.write_text(PROGRAM)
    description.write_text(MACHINE)
    machine = load(str(description))
    for level in (0, 2):
        program = Compiler(machine, Settings(level=level)).program([str(source)])
        assert interpret(program, limit=10_000).exit_status == 7 + ord("y") + 12 + 1
        assert not any(program.symbols[data.name] % 2 for data in program.data)
        texts = [machine.record(rtl).assembly for function in program.functions.values() for rtl in function.rtls()]
        assert not any(text.startswith("la ") and text.endswith("+1") for text in texts)


def test_structures_of_other_sizes_go_by_reference(tmp_path):
    description = tmp_path / "even.yaml"
    description.write_text(MACHINE)
    machine = load(str(description))
    by_reference = [size for size in (1, 3, 4, 8, 16) if Assigner(machine).aggregate(size, 1, ()).reference]
    assert by_reference == [3, 16]


def test_the_last_register_of_a_list_prints(tmp_path):
    description = tmp_path / "even.yaml"
    description.write_text(MACHINE)
    machine = load(str(description))
    effects = parse_effects("r[8]=Q[r[5]]; r[9]=Q[r[5]+8]; r[10]=Q[r[5]+16];", machine.cells)
    assert machine.record(Rtl(effects, (), "")).assembly == "lm s0,a0,(t0)"


def test_symbols_are_as_even_as_objects_are(tmp_path):
    description = tmp_path / "even.yaml"
    description.write_text(MACHINE.replace("c: {object_align: 2}\n", ""))
    with pytest.raises(DescriptionError, match=r"'multiple: 2' of a symbol needs 'c: \{object_align: 2\}'"):
        load(str(description))
