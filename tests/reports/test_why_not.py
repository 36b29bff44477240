"""Why an instruction is not used: the places, how often they were executed, and the reasons."""

import pytest

from ease.comparison.why_not import check_instruction, explain, misses
from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings, UserError

DESCRIPTION = """extends: riscv32
instructions:
  MADD: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "madd $d,$a,$b"}
  LWADD: {rtl: "r[d]=r[a]+L[r[b]];", asm: "lwadd $d,$a,($b)"}
"""
SOURCE = """int sum, kept;

static void second_use(int *a, int *b, int n)
{
    for (int i = 0; i < n; i++) {
        int p = a[i] * b[i];
        sum += p;
        if (p > 100) kept ^= p;
    }
}

static void narrow(int n) { for (int i = 0; i < n; i++) kept = (kept ^ 1) + 3000; }

static int stored(int *p, int *q, int a) { int old = *p; *q = 7; return a + old; }

int main(void)
{
    int x[50], y[50];

    for (int i = 0; i < 50; i++)
        x[i] = i, y[i] = 3 * i;
    second_use(x, y, 50);
    narrow(20);
    return sum + kept + stored(x, y + x[1], 2) == 0;
}
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("why")
    (folder / "more.yaml").write_text(DESCRIPTION)
    (folder / "program.c").write_text(SOURCE)
    program = Compiler(load(str(folder / "more.yaml")), Settings(1)).program([str(folder / "program.c")])
    return program, counted_run(program, ["program"], RunOptions(capture=True))[1].rtls


def found(measured, name, function):
    return [(miss.count, miss.reason) for miss in misses(measured[0], name, measured[1]) if miss.function.name == function]


@pytest.mark.parametrize(
    ("name", "function", "count", "reason"),
    [
        ("MADD", "_second_use", 50, "its part in line 6 has a second use, in line 8"),
        ("ADDI", "_narrow", 20, "3000 is not in -2048..2047: 1 bit too narrow"),
        ("LWADD", "_stored", 1, "line 14 may change what its part in line 14 loads"),
    ],
)
def test_reasons(measured, name, function, count, reason):
    assert (count, reason) in found(measured, name, function)


def test_text_counts_places_and_shows_rtls(measured):
    text = explain(measured[0], "MADD", measured[1])
    first, _, place, product, addition = text.splitlines()[:5]
    assert first.startswith("why not MADD: ")
    assert place.split()[:2] == ["50", "program.c:7"]
    assert "*" in product
    assert "+" in addition


def test_instruction_that_is_not_there():
    with pytest.raises(UserError, match=r"has no instruction 'ADI'; perhaps ADD"):
        check_instruction(load("riscv32"), "ADI")
