"""Comparisons: all tables sum to the difference of the totals, and reasons say what changed in the description."""

from dataclasses import replace

import pytest

from ease.comparison import compare, reason
from ease.measuring import measure
from ease.reports.differences import as_json, as_text
from vpo.compiler import Compiler, Settings
from vpo.machines.load import load


@pytest.mark.parametrize(("one", "other"), [(("riscv32", 1), ("riscv32", 2)), (("m68020", 1), ("sparc", 1))])
def test_tables_sum_to_the_totals(kept, one, other):
    comparison = compare(kept(*one).measurement, kept(*other).measurement)
    change = comparison.totals["instructions"].change
    assert change
    for table in (comparison.instructions, comparison.causes, comparison.functions):
        assert sum(difference.change for difference in table.values()) == change
    assert sum(item.executed.change for item in comparison.lines) == change
    for item in comparison.lines:
        assert sum(item.changes.values()) == item.executed.change


def test_machines_that_differ_in_name_only_do_not_differ(kept):
    run = kept().measurement
    other = replace(run, machine="other", program=replace(run.program, machine="other"))
    assert compare(run, other).is_equal


PROGRAM = """\
int a[64], b[64];
int sum(int n, int m)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i] + (a[i] & 0x7f0);
    return s;
}
int main(void) { return sum(64, 3) & 15; }
"""


def edited(tmp_path, lines):
    """Return a riscv32 with changes."""
    file = tmp_path / "edited.yaml"
    file.write_text("machine: edited\nextends: riscv32\n" + lines)
    return load(str(file))


@pytest.mark.parametrize(
    ("lines", "gone", "come"),
    [
        ('instructions: {MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b", size: 4}}', {"MUL"}, {"MAC"}),
        ('instructions: {LWP: {rtl: "r[d]=L[r[b]]; r[b]=r[b]+4;", asm: "lwp $d,($b)", size: 4}}', {"LW", "ADDI"}, {"LWP"}),
    ],
)
def test_the_reasons_are_what_was_added(tmp_path, lines, gone, come):
    source = tmp_path / "edit.c"
    source.write_text(PROGRAM)
    machines = load("riscv32"), edited(tmp_path, lines)
    runs = [measure(Compiler(machine, Settings(level=2)).program([str(source)])) for machine in machines]
    comparison = compare(*runs)
    changes = [item for line in comparison.lines if line.line.file == str(source) for item in line.changes.items()]
    assert gone <= {name for (name, _), change in changes if change < 0}
    assert {name for (name, _), change in changes if change > 0} == come
    text = as_text(comparison, {str(source): PROGRAM})
    assert "s += a[i] * b[i]" in text
    assert as_json(comparison)["totals"]["instructions"]["after"] == runs[1].characteristics.instructions.dynamic


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({("MUL", "program"): -5, ("MAC", "program"): 5}, "MUL x 5 became MAC x 5"),
        ({("LW", "spill"): -2000}, "LW (spill) x 2,000 gone"),
        ({("LW", "spill"): 1}, "LW (spill) x 1 more"),
        ({(name, "program"): 6 - n for n, name in enumerate("ABCDE")}, "A x 6, B x 5, C x 4, D x 3, others x 2 more"),
    ],
)
def test_reasons_in_words(changes, text):
    assert reason(changes) == text
