"""Comparisons: all tables sum to the difference of the totals, and reasons say what changed in the description."""

import json
from dataclasses import replace

import pytest

from ease.commands.runs.compare_command import main
from ease.comparison.comparison import Noise, compare, compare_reports, compare_runs, loudest
from ease.comparison.comparison import edited as what_was_edited
from ease.comparison.description_differences import UNSEEN, Edited, aligned, edits_between, with_edits
from ease.comparison.differences import as_json, as_text
from ease.comparison.reasons import AtLine, Attribution, in_words
from ease.model.kept_run import keep
from ease.model.results import Line
from ease.reports.render import as_dictionary
from ease.run.measuring import measure
from tests.covering import some
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import full_text, load
from vpo.machines.read.source import parse


@pytest.mark.parametrize(("one", "other"), some([(("riscv32", 1), ("riscv32", 2)), (("m68020", 0), ("sparc", 2))], 1))
def test_tables_sum_to_the_totals(kept, one, other):
    comparison = compare(kept(*one).measurement, kept(*other).measurement)
    change = comparison.totals["instructions"].change
    assert change
    for table in (comparison.instructions, comparison.causes, comparison.functions):
        assert sum(difference.change for difference in table.values()) == change
    assert sum(item.executed.change for item in comparison.lines) == change
    assert sum(item.change for item in comparison.reasons) == change
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
    assert in_words(changes) == text


def test_reasons_of_a_line():
    line, other = Line("a.c", 3), Line("a.c", 4)
    changes = {
        ("LW", "variable"): -5, ("ADDI", "address"): -5, ("LWP", "variable"): 5, ("SW", "spill"): -2, ("SW", "save"): 1,
        ("JAL", "linkage"): -1,
    }  # fmt: skip
    found = Attribution(({}, {line: AtLine({"": {"LWP"}})}))
    sums = {name: sum(part.values()) for name, part in found.divided(line, changes).items()}
    assert sums == {"new: LWP": -5, "spilling": -2, "saving registers": 1, "calls": -1}
    built = {("LUI", "constant"): -3, ("ADD", "program"): -3, ("ADDI", "program"): 3}
    assert found.divided(other, built) == {
        "building constants": {("LUI", "constant"): -3},
        "computation": {("ADD", "program"): -3, ("ADDI", "program"): 3},
    }
    assert list(Attribution(({}, {}), lambda _: "operands.imm").divided(other, {("LUI", "constant"): -3})) == [
        "building constants (operands.imm)"
    ]


def test_a_routine_instead_of_an_instruction_has_its_reason():
    """Also the calls, what it calls itself, and no other function."""
    line, inner, innermost, other = (Line("a.c", n) for n in range(1, 5))
    before = {line: AtLine({"": {"MUL"}}, set(), ["main"])}
    after = {
        line: AtLine({}, {"mul"}, ["main"]), inner: AtLine({}, {"add"}, ["mul"]), innermost: AtLine({}, set(), ["add"]),
        other: AtLine({}, set(), ["unrelated"]),
    }  # fmt: skip
    found = Attribution((before, after))
    assert set(found.divided(line, {("MUL", "program"): -1, ("JAL", "linkage"): 1})) == {"without: MUL"}
    for place in (inner, innermost):
        assert set(found.divided(place, {("ADD", "program"): 1, ("JAL", "linkage"): 1}, "B")) == {"without: MUL"}
    assert set(found.divided(other, {("ADD", "program"): 1}, "B")) == {"only in B: unrelated()"}


def test_a_line_of_one_run_in_a_function_of_both():
    """Lines may come and go where code is shared or moved; only functions that a run never entered are a reason."""
    one, other, inner = Line("a.c", 1), Line("a.c", 2), Line("a.c", 9)
    before = {one: AtLine(within=["main"]), other: AtLine(within=["main"])}
    after = {one: AtLine(within=["main"]), inner: AtLine(within=["helper"])}
    found = Attribution((before, after))
    assert list(found.divided(other, {("LW", "spill"): -3}, "A")) == ["spilling"]
    assert list(found.divided(inner, {("ADD", "program"): 3}, "B")) == ["only in B: helper()"]


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        (["operands.imm.constant"], "operands.imm.constant"),
        (["calls.save", "calls.saved"], "calls.save, calls.saved"),
        (["instructions.A", "instructions.B", "instructions.C", "instructions.D"], "instructions"),
        (["instructions.B.slots", "instructions.J.slots"], "instructions.*.slots"),
        (["calls.save", "allocable.r"], "calls.save, allocable.r"),
        (["registers.r.count", "registers.r.names", "allocable.r"], "registers.r, allocable.r"),
        (["a.b", "c.d", "e.f", "g.h"], ""),
        (["registers.r.names"], ""),
        ([], ""),
    ],
)
def test_what_was_edited(keys, name):
    assert what_was_edited([Edited(tuple(key.split(".")), 1, 2) for key in keys]) == name


@pytest.mark.parametrize(
    ("mechanism", "name"),
    [("spilling", "allocable.r"), ("calls", "calls.save"), ("saving registers", "calls.save, allocable.r")],
)
def test_edits_that_act_on_a_mechanism_are_named(mechanism, name):
    keys = ["calls.save", "allocable.r", "instructions.MAC"]
    assert what_was_edited([Edited(tuple(key.split(".")), 1, 2) for key in keys], mechanism) == name


def test_a_value_in_all_forms_of_an_instruction():
    """Forms are a list, of which only the slots differ; a list with another form more is one value."""
    slots, forms = Edited(("instructions", "B", "slots"), 1, 0), ("instructions", "J")
    jumps = [[parse(f"slots: {n}\nrtl: {text}", "x") for text in "ab"] for n in (1, 0)]
    assert what_was_edited([slots, Edited(forms, *jumps)]) == "instructions.*.slots"
    assert what_was_edited([slots, Edited(forms, jumps[0], jumps[1][:1])]) == "instructions.B, instructions.J"


EDITS = {
    "new: MAC": 'instructions: {MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b", size: 4}}',
    "new: LWP": 'instructions: {LWP: {rtl: "r[d]=L[r[b]]; r[b]=r[b]+4;", asm: "lwp $d,($b)", size: 4}}',
    "without: XOR": "instructions: {XOR: null}",
    "without: MUL": "instructions: {MUL: null}",
    "INDEX": """operands: {address: [
        {rtl: "r[b]", asm: "0($b)", mode: REGDFR}, {rtl: "r[b]+c", c: imm, asm: "$c($b)", mode: DISP},
        {rtl: "r[b]+LO[s]", s: symbol, asm: "%lo($s)($b)", mode: DISP}, {rtl: "c", c: imm, asm: "$c(zero)", mode: DISP},
        {rtl: "r[b]+(r[i]<<2)", asm: "$b($i)", mode: INDEX}]}""",
    "constants that fit now": "operands: {imm: {constant: -65536..65535}}",
    "spilling (allocable.r)": 'allocable: {r: ["r[15]..r[12]"]}',
    "saving registers (calls.save)": "calls: {save: caller}",
}
BUSY = """\
int a[64], b[64];
int mixed(int n)
{
    int s = 0, t = 1, u = 2, v = 3, w = 4, x = 5, y = 6;
    for (int i = 0; i < n; i++) {
        s += a[i] * b[i]; t ^= s & 0x7f0f; u += t * w; v -= u; w += v; x ^= w; y += x;
    }
    return s + t + u + v + w + x + y;
}
int total(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
int leaf(int n) { return (a[n & 63] ^ 0x7f0f) + 1; }
int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s += leaf(i) + n; return s; }
int main(void) { for (int i = 0; i < 64; i++) a[i] = b[i] = i; return (mixed(64) + calls(30) + total(a, 64)) & 15; }
"""


@pytest.mark.parametrize(("reason", "lines"), some(EDITS.items(), 3))
def test_what_was_edited_is_the_reason(tmp_path, reason, lines):
    """Most of what changes is put down to what was changed in the description."""
    source = tmp_path / "busy.c"
    source.write_text(BUSY)
    edited(tmp_path, lines)
    runs = []
    for name in ("riscv32", str(tmp_path / "edited.yaml")):
        program = Compiler(load(name), Settings(level=2, inline_limit=0)).program([str(source)])
        runs.append(keep(measure(program), program, full_text(name)))
    comparison = compare_runs(*runs)
    changes = {item.name: abs(item.change) for item in comparison.reasons}
    assert reason in max(changes, key=changes.get)
    assert sum(item.change for item in comparison.reasons) == comparison.totals["instructions"].change


def test_noise(tmp_path, capsys, monkeypatch):
    """The order of a description changes something on no machine but is shown, and no condition fails because of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "busy.c").write_text(BUSY)
    (tmp_path / "edited.yaml").write_text('machine: edited\nextends: riscv32\nallocable: {r: ["r[15]..r[10]"]}\n')
    words = ["-m", "riscv32", "-m", "edited.yaml", "-O1", "-cache", "I:256,16,1", "--noise", "2", "--json", "a.json", "busy.c"]
    assert main(words) == 0
    text = capsys.readouterr().out
    noise = json.loads((tmp_path / "a.json").read_text())["noise"]
    totals = next(line for line in text.splitlines() if line.startswith("instructions  "))
    assert f"±{noise['instructions']:,}" in totals
    assert noise["misses I"] > 0  # since functions stand elsewhere
    assert main(["--noise", "2", "1", "2"]) == 2


def test_the_loudest_noise():
    one, other = Noise({"a": 3, "b": 1}), Noise({"a": 2, "c": 5})
    assert loudest([one, other]) == Noise({"a": 3, "b": 1, "c": 5})


def test_more_than_two_stand_in_columns(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prog.c").write_text("int main(int n, char **words) { return n * 3; }")
    machines = [word for name in ("riscv32", "m68020", "sparc") for word in ("-m", name)]
    assert main([*machines, "prog.c"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("At -O2, against riscv32, m68020 takes ")
    assert "C: easecc -O2 -m sparc prog.c (sparc)" in out
    (row,) = (line.split() for line in out.splitlines() if line.startswith("instructions"))
    assert len(row) == 6
    assert main([*machines, "--json", "a.json", "prog.c"]) == 2
    assert "'--json' is for two" in capsys.readouterr().err


def test_reports_compare_as_their_runs_do(kept):
    runs = [kept("riscv32", level).measurement for level in (1, 2)]
    whole, found = compare(*runs), compare_reports(*(json.loads(json.dumps(as_dictionary(run))) for run in runs))
    assert (found.totals, found.instructions, found.functions) == (whole.totals, whole.instructions, whole.functions)
    assert {item.line: item.executed for item in found.lines} == {
        item.line: item.executed for item in whole.lines if item.executed.change
    }
    assert found.lines[0].reason == ""


def test_two_json_files(kept, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, level in (("a.json", 1), ("b.json", 2)):
        (tmp_path / name).write_text(json.dumps(as_dictionary(kept("riscv32", level).measurement)))
    assert main(["a.json", "b.json"]) == 0
    out = capsys.readouterr().out
    assert "Source lines" in out
    assert "Reasons" not in out
    assert main(["a.json", "a.json"]) == 0
    assert "Nothing differs." in capsys.readouterr().out
    assert main(["--fail-if", "instructions < 1 * base", "a.json", "b.json"]) == 1
    assert main(["--noise", "1", "a.json", "b.json"]) == main(["a.json"]) == 2
    capsys.readouterr()
    good = as_dictionary(kept("riscv32", 1).measurement)
    for text, message in (
        ("{", "c.json: this is no JSON"),
        ("[]", "c.json: this is no report"),
        (json.dumps(good | {"format": 99}), "c.json: expected a report of format 2, not 99"),
        (json.dumps({"format": 2}), "c.json: the report has no 'instructions'"),
        (json.dumps(good | {"functions": {"f": 3}}), "one is no whole report"),
    ):
        (tmp_path / "c.json").write_text(text)
        assert main(["a.json", "c.json"]) == 1
        error = capsys.readouterr().err
        assert message in error
        assert "Traceback" not in error


EDITED = """\
machine: edited
extends: riscv32
instructions:
  XOR: null
  ECALL: null
  TRAP: {rtl: "r[10]=SYSL(r[5],r[10],r[11],r[12],r[13],r[14]);", asm: trap}
  MAC: {rtl: "r[d]=r[d]+(r[a]*r[b]);", asm: "mac $d,$a,$b"}
"""
REGISTERS = """\
registers: {r: {count: 40, names: [zero, ra, sp, gp, tp, t0..t2, s0, s1, a0..a7, s2..s11, t3..t14]}}
calls: {save: caller}
"""


def test_the_edits_of_a_description(tmp_path):
    (tmp_path / "edited.yaml").write_text(EDITED + REGISTERS)
    before, after = aligned(full_text("riscv32"), full_text(str(tmp_path / "edited.yaml")))
    found = edits_between(before, after)
    assert [".".join(edit.keys) for edit in found] == [
        "registers.r.count", "registers.r.names", "allocable.r", "instructions.XOR", "instructions.ECALL", "instructions.TRAP",
        "instructions.MAC", "calls.save",
    ]  # fmt: skip
    assert str(found[0]) == "registers.r.count: 32 became 40"
    assert str(found[3]) == "instructions.XOR removed"
    assert str(found[7]) == "calls.save added: caller"
    made = with_edits(before, found, after)
    assert {key: made[key] for key in made if key not in UNSEEN} == {key: after[key] for key in after if key not in UNSEEN}
    assert "XOR" in before["instructions"]
    assert edits_between(before, before) == []
    assert aligned("", full_text("riscv32")) is None


def test_what_each_edit_brings(tmp_path, capsys, monkeypatch):
    """An edit after which there is no machine is made with the next; the rest is told apart, and sums to the whole."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "edited.yaml").write_text(EDITED)
    (tmp_path / "prog.c").write_text(
        "int a[9]; int main(int n, char **w) { int s = 0; for (int i = 0; i < 9; i++) s = (s ^ a[i]) + a[i] * n; return s; }"
    )
    words = ["--by-edit", "-m", "riscv32", "-m", "edited.yaml", "-O1", "prog.c"]
    assert main(["--json", "a.json", *words]) == 0
    found = json.loads((tmp_path / "a.json").read_text())
    assert [len(step["edits"]) for step in found["by_edit"]] == [1, 2, 1]
    whole = found["totals"]["instructions"]
    assert sum(step["change"] for step in found["by_edit"]) == whole["after"] - whole["before"]
    changes = {step["edits"][-1].split()[0]: step["change"] for step in found["by_edit"]}
    assert changes["instructions.XOR"] > 0
    assert changes["instructions.MAC"] < 0
    assert changes["instructions.TRAP"] == 0
    out = capsys.readouterr().out
    assert "Instructions executed, edit by edit" in out
    assert main(["--by-edit", "1", "2"]) == 2


def test_an_instruction_that_is_never_executed_is_explained(tmp_path, capsys):
    """Who adds an instruction that is not used learns why, not only that nothing differs."""
    (tmp_path / "more.yaml").write_text(
        'extends: riscv32\ninstructions:\n  BFI: {rtl: "r[d]=(r[d]&-497)|((r[s]&31)<<4);", asm: "bfi $d,$s"}\n'
    )
    (tmp_path / "a.c").write_text(
        "unsigned put(unsigned x, unsigned y) { return (x & ~0x3e0u) | (y & 31) << 5; }\n"
        "int main(int argc, char **argv) { return put(argc, 7) != 225; }\n"
    )
    assert main(["-O1", "-m", "riscv32", "-m", str(tmp_path / "more.yaml"), str(tmp_path / "a.c")]) == 0
    out = capsys.readouterr().out
    assert "BFI is never executed; why not BFI: 1 place, executed 1 times" in out
    assert "it would be the same with other constants: `(r[10]&-993)|((r[11]&31)<<5)`" in out


def test_a_program_that_does_something_else_is_told_first(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = 'sizeof(long) == 4 ? "a\\n4\\n" : "a\\n8\\n"'
    (tmp_path / "sizes.c").write_text(
        f"#include <unistd.h>\nint main(void) {{ write(1, {text}, 4); return sizeof(long); }}\n"
    )
    (tmp_path / "less.yaml").write_text("extends: riscv32\ninstructions: {SLTI: null}\n")
    assert main(["-m", "riscv32", "-m", "riscv64", "sizes.c", "-o", "all.json"]) == 1
    told = (
        "The program does not do the same: it ends with status 4 before and 8 after"
        " and line 2 of what it writes is '4' before and '8' after."
    )
    assert capsys.readouterr().out.splitlines()[0] == told
    assert json.loads((tmp_path / "all.json").read_text())["verdict"]["unlike"] == told
    assert main(["-m", "riscv32", "-m", "less.yaml", "sizes.c"]) == 0
    assert "does not do the same" not in capsys.readouterr().out


def test_a_comparison_is_written_to_each_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "add.c").write_text("int main(int c, char **v) { return c + 1; }\n")
    (tmp_path / "less.yaml").write_text("extends: riscv32\ninstructions: {SLTI: null}\n")
    files = ["card.svg", "both.html", "all.json"]
    assert main(["-m", "riscv32", "-m", "less.yaml", "add.c", *(word for file in files for word in ("-o", file))]) == 0
    assert {file for file in files if (tmp_path / file).stat().st_size > 100} == set(files)
    assert capsys.readouterr().out.startswith("Nothing differs: ")
    assert main(["-m", "riscv32", "-m", "less.yaml", "add.c", "-o", "card.tiff", "-o", "card.svg"]) == 2
    assert "'-o card.tiff'" in capsys.readouterr().err
