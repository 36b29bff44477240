"""Objects that lie side by side: groups of them, code that reaches them from one register, and where that must not be."""

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.ground_truth import confirm
from tests.kept_machines import load
from vpo.analysis.alias import Aliases
from vpo.analysis.memory_effects import unit_facts
from vpo.base.errors import GroupError
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.layout import placed_otherwise
from vpo.opt.driver import PhaseError
from vpo.opt.selection import neighbours
from vpo.rtl import Const
from vpo.rtl.function import Data, PartItem
from vpo.rtl.symbols import GROUP, symbols_of_function
from vpo.text import parse_effects, parse_function

SOURCE = """
int write(int, const void *, unsigned long);
int a, b, c; char d; short e; static int sum; double f = 1.5, g = 2.5; int table[20];
static const int least = 3; static const char names[3][8] = {"one", "two", "three"};
void other(int);
__attribute__((noinline)) void step(int n)
{
    if (a & 1) { b = c + n; d++; } else { c = b - n; e--; }
    if (d > least) { a = b ^ c; d = 0; f += g; }
    table[n % 20] += a + names[n % 3][1];
    sum = sum * 31 + table[(n + 7) % 20] + b + e + (int)f;
    a++;
    other(n);
}
int main(void)
{
    for (int i = 0; i < 50; i++) step(i);
    write(1, &sum, sizeof sum);
    return 0;
}
"""
OTHER = "int a, c, table[20]; int b = 7; short e; void other(int n) { a += b & n; c ^= e; table[n % 20] += c; e += 3; }"
REACHED_BY_SYMBOLS = "i386"


def files(tmp_path, *texts):
    """Write C files and return their names."""
    paths = [tmp_path / f"file{number}.c" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [str(path) for path in paths]


def groups(program):
    return [data for data in program.data if data.parts]


@pytest.mark.parametrize("level", [2, "s"])
@pytest.mark.parametrize("name", ["riscv32", "thumb2", "mips", "arm", REACHED_BY_SYMBOLS])
def test_programs_do_the_same(name, level, tmp_path):
    paths = files(tmp_path, SOURCE + "void other(int n) { e ^= n; }")
    machine = load(name)
    plain = interpret(Compiler(machine, Settings(level=1)).program(paths), capture=True)
    program = Compiler(machine, Settings(level=level)).program(paths)
    assert bool(groups(program)) == (name != REACHED_BY_SYMBOLS)
    for group in groups(program):
        for part in group.parts:
            assert program.symbols[part.symbol] == program.symbols[group.name] + part.offset
    for each in (program, placed_otherwise(program, 3)):
        result = interpret(each, capture=True)
        assert (result.fault, result.output) == (None, plain.output)
    host, _ = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"))
    assert host.output == result.output
    confirm(program, result)


def test_one_register_reaches_neighbours(tmp_path):
    path = files(tmp_path, SOURCE)[0]
    unit, plain = (Compiler(load("riscv32"), Settings(level=2, groups=wanted)).unit(path) for wanted in (True, False))
    step, as_before = (next(f for f in each.functions if f.name == "_step") for each in (unit, plain))
    assert f"{GROUP}zero" in symbols_of_function(step)
    assert len(step.rtls()) < len(as_before.rtls())
    assert not any(data.parts for data in plain.data)


def test_sections_have_groups_of_their_own(tmp_path):
    unit = Compiler(load("riscv32"), Settings(level=2)).unit(files(tmp_path, SOURCE)[0])
    found = {data.name: {part.symbol for part in data.parts} for data in unit.data if data.parts}
    assert {"_f", "_g"} <= found[f"{GROUP}data"]
    assert {"_a", "_sum", "_table"} <= found[f"{GROUP}zero"]
    assert not {"_f", "_names"} & found[f"{GROUP}zero"]


def test_files_that_define_an_object_together(tmp_path):
    """Definitions without a value may be several, as in old programs: then no file may take the place to be its own."""
    paths, machine = files(tmp_path, SOURCE, OTHER), load("riscv32")
    expected = interpret(Compiler(machine, Settings(level=1)).program(paths), capture=True)
    program = Compiler(machine, Settings(level=2)).program(paths)
    assert groups(program) == []
    assert interpret(program, capture=True).output == expected.output


def test_objects_files_are_told_apart(tmp_path):
    compiler = Compiler(load("riscv32"), Settings(level=2))
    objects = []
    for path in files(tmp_path, SOURCE, OTHER):
        objects.append(path.replace(".c", ".rtl"))
        (tmp_path / objects[-1]).write_text(compiler.object_text(path))
    with pytest.raises(GroupError, match=r"is defined twice .*-fcommon"):
        Compiler(load("riscv32"), Settings(level=2, groups=False)).program(objects)


def test_cells_of_a_group():
    """A place that is known is one object's, one that is not any of them."""
    parts = [PartItem(0, "_x"), PartItem(4, "_y"), PartItem(8, "_table")]
    data = [Data("_x", 4, 4, []), Data("_y", 4, 4, []), Data("_table", 40, 4, []), Data("_z", 4, 4, [])]
    facts = unit_facts([*data, Data("_group.zero", 48, 4, list(parts), static=True)], private=["_y"])
    body = "r[t9]=r[10];\nr[t1]=HI[_group.zero];\nr[t2]=r[t1]+LO[_group.zero];\nr[t3]=r[t2]+r[t9];"
    lines = "".join(f"\t{line} # program 1\n" for line in body.split("\n"))
    machine = load("riscv32")
    function = parse_function(f'function _f file "f.c" line 1 stage ssa {{\nL1:\n{lines}\tPC=r[1],RT(); # linkage 1\n}}\n',
                              machine.cells)  # fmt: skip
    aliases = Aliases(function, machine, facts)

    def may_alias(*texts):
        return aliases.may_alias(*(parse_effects(f"r[t20]={text};", machine.cells)[0].source for text in texts))

    assert may_alias("L[r[t2]+4]", "L[_y]")
    assert may_alias("L[r[t2]]", "L[_x]")
    assert not may_alias("L[r[t2]+4]", "L[_x]")
    assert not may_alias("L[r[t2]+4]", "L[r[t2]+12]")
    assert not may_alias("L[r[t2]+12]", "L[_y]")
    assert may_alias("L[r[t2]+12]", "L[_table+4]")
    assert may_alias("L[r[t3]+8]", "L[_x]")
    assert may_alias("L[r[t3]+8]", "L[_y]")
    assert not may_alias("L[r[t3]+8]", "L[_z]")
    assert may_alias("L[r[t9]]", "L[r[t2]]")
    assert not may_alias("L[r[t9]]", "L[r[t2]+4]")  # no pointer from outside points to it


@pytest.mark.parametrize("wrong", [0, 4])
def test_functions_that_reach_groups_are_tried(wrong, tmp_path, monkeypatch):
    """`-verify` runs them on samples, so a wrong distance is told."""
    (tmp_path / "p.c").write_text(SOURCE.replace("double f = 1.5, g = 2.5;", "int f, g;"))
    usual = neighbours.binary

    def displaced(op, a, b):
        return usual(op, a, Const(b.value + wrong) if isinstance(b, Const) and b.value else b)

    monkeypatch.setattr(neighbours, "binary", displaced)
    compiler = Compiler(load("riscv32"), Settings(level=2, check="samples"))
    if wrong:
        with pytest.raises(PhaseError, match="it changes what the function does"):
            compiler.unit(str(tmp_path / "p.c"))
    else:
        compiler.unit(str(tmp_path / "p.c"))
