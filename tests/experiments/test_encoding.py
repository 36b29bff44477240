"""What a budget of code points is spent on: the best choice, as a description, with which programs take what was expected."""

import json
from itertools import product

import pytest

from ease import Machine
from ease.commands.studies.experiment_command import main
from ease.lab.experiments.encoding_choice import Offer, choose, offers_of
from ease.lab.experiments.encoding_forms import Field, Limit, Narrow, Reader, Shape, Uses, narrow_forms, words

pytest.importorskip("ortools")

PROGRAM = """\
int a[16], b[16];
static int dot(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
int main(void)
{
    for (int i = 0; i < 16; i++)
        a[i] = 3 * i, b[i] = 7 - i;
    return dot(16) & 127;
}
"""
MAC = """\
machine: mac
extends: riscv32
toolchain: null
instructions:
  MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b", latency: 7}
  ADDS: {rtl: "r[d]=r[a]+(r[b]<<n);", n: shift, asm: "adds $d,$a,$b,$n"}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dot.c").write_text(PROGRAM)
    (tmp_path / "mac.yaml").write_text(MAC)
    return tmp_path


def planned(capsys, *words):
    assert main(["encoding", "-q", "-j", "1", "--json", "-", *words, "dot.c"]) == 0
    return json.loads(capsys.readouterr().out)["encoding"]


@pytest.mark.parametrize("machine", ["riscv32", "mips"])
def test_short_forms(machine, folder, capsys):
    found = planned(capsys, "-m", machine, "--size", "2", "--budget", "12bits", "-O", "s", "-o", "short.yaml")
    for each in found["rounds"]:
        assert 0 < each["points"] == sum(2 ** form["bits"] for form in each["forms"]) <= 4096
        assert each["saved"] == sum(form["saves"] for form in each["forms"]) <= each["bound"]
        assert each["after"]["instructions"] == found["before"]["instructions"]
    best = min(each["after"]["bytes"] for each in found["rounds"])
    assert best < 0.85 * found["before"]["bytes"]
    written = Machine(f"{machine}+./short.yaml")
    run = written.compile(["dot.c"], level="s").measure()
    assert (run.size, run.exit_status) == (best, Machine(machine).compile(["dot.c"], level="s").measure().exit_status)


def test_a_candidate_is_cut_down_to_a_budget(folder, capsys):
    found = planned(capsys, "-m", "riscv32,mac.yaml", "--budget", "15bits", "-o", "small.yaml")
    assert {form["instruction"] for form in found["rounds"][0]["forms"]} == {"MAC"}
    small = Machine("small.yaml")
    assert "ADDS" not in small.instructions["instruction"]
    assert small.compile(["dot.c"], level=2).measure().instructions == found["rounds"][0]["after"]["instructions"]
    assert found["rounds"][0]["after"]["instructions"] == found["before"]["instructions"] - found["rounds"][0]["saved"]


def test_tables_compare_with_other_machines_and_programs(folder, capsys):
    words_ = ["-m", "riscv32,riscv32+zca", "--size", "2", "--budget", "12bits", "-O", "s", "--held-out", "more.c"]
    assert main(["encoding", "-q", "-j", "1", *words_, "dot.c"]) == 1
    assert "more.c" in capsys.readouterr().err
    (folder / "more.c").write_text("int main(int argc, char **argv) { return argc + 7; }")
    assert main(["encoding", "-q", "-j", "1", *words_, "dot.c"]) == 0
    out = capsys.readouterr().out
    assert "riscv32+zca" in out
    assert "28,278" in out  # code points of RISC-V's own forms of 16 bits
    assert out.endswith("plan.yaml: try it with -m riscv32+./plan.yaml\n")


@pytest.mark.parametrize("words_", [["--budget", "half"], ["--budget", "1.5"], ["--budget", "99bits"], []])
def test_wrong_usage(words_, capsys):
    with pytest.raises(SystemExit):
        main(["encoding", "-m", "riscv32", *words_, "dot.c"])
    assert "--budget" in capsys.readouterr().err


def test_what_does_not_go_together(folder, capsys):
    assert main(["encoding", "-m", "riscv32", "--budget", "12bits", "dot.c"]) == 1
    assert "--size 2 for short forms" in capsys.readouterr().err
    assert main(["encoding", "-m", "riscv32", "--size", "2", "--measure", "cycles", "--budget", "12bits", "dot.c"]) == 1
    assert "short forms save bytes" in capsys.readouterr().err


# ----------------------------------------------------------------------------------------------------------------------


SHAPE = Shape(
    None, {}, (Field("d", "", "register", "r", 5), Field("a", "", "register", "r", 5), Field("n", "", "constant", "", 8))
)


def uses_of(*values):
    return Uses(SHAPE, [value for value, _ in values], [weight for _, weight in values])


def test_narrow_forms_cover_what_they_say():
    uses = uses_of(((8, 8, 4), 10), ((9, 9, 8), 10), ((8, 9, -3), 5), ((20, 8, 100), 1))
    forms = narrow_forms(uses, 16, 2, True)
    shown = {words(form, lambda cls, index: f"{cls}{index}"): form for form in forms}
    smallest = next(form for text, form in shown.items() if "a=d" in text and form.weight == 20)
    assert smallest.bits <= 2 + 2
    for form in forms:
        for number, values in enumerate(uses.values):
            accepted = all(limit.accepts(values, place) for place, limit in enumerate(form.limits))
            assert accepted == bool(form.covers >> number & 1)
    assert max(form.weight for form in forms) == 26
    registers = [limit for form in narrow_forms(uses, 18, 2, False) for limit in form.limits[:2]]
    assert {limit.kind for limit in registers} == {"any", "same"}


def test_the_choice_is_the_best():
    def offer(points, saved):
        return Offer((Narrow(SHAPE, (Limit("any", points),), 1, saved),), (saved,))

    offers = [[offer(2, 3), offer(3, 9)], [offer(1, 2), offer(4, 17)], [offer(3, 8)]]
    for budget in (1, 3, 8, 12, 18, 25, 100):
        sets = product(*([None, *each] for each in offers))
        fits = [[one for one in chosen if one] for chosen in sets]
        best = max(sum(o.saved for o in chosen) for chosen in fits if sum(o.points for o in chosen) <= budget)
        found = choose(offers, budget)
        assert (found.saved, found.bound) == (best, best)
        assert found.points <= budget


def test_seldom_forms_are_not_offered():
    uses = uses_of(((8, 8, 4), 10), ((20, 7, 100), 1))
    assert all(min(each.adds) >= 5 for each in offers_of([uses], 18, 2, True, 1 << 16, 5)[0])


def test_a_reader_finds_operands_and_distances(folder):
    machine = Machine("riscv32")
    reader = Reader(machine.built, lambda form: form.name in ("BNE", "LW"))
    reader.add(machine.compile(["dot.c"], level="s"))
    found = {tuple(each.shown for each in shape.fields): reader.found[key] for key, shape in reader.shapes.items()}
    assert {fields: found[fields].total() for fields in (("dst", "b"), ("dst", "b", "c"))}.keys() <= found.keys()
    branches = [values for fields, counted in found.items() if fields[-1] == "target" for values in counted]
    assert branches
    assert all(-64 <= values[-1] < 0 for values in branches)
