"""Code made anew for another machine from what the cache has of one: the same as from nothing, and little work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.c_file import CFile
from vpo.build.compiler import Compiler, Settings
from vpo.build.renewal import Renewal, _thawed
from vpo.machines.advice.edits import deletions, edited
from vpo.machines.machine import Machine
from vpo.machines.questions import EVERYTHING, AskedMachine, Comparison, SaidBefore, Shapes, answer
from vpo.machines.read.load import build, read_description
from vpo.opt import driver
from vpo.opt.driver import run_part
from vpo.rtl.function import from_data
from vpo.text import print_unit

ROOT = Path(__file__).parents[2]
SOURCE = """
#include <string.h>
static int least(int a, int b) { return a < b ? a : b; }
int dot(const int *a, const int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
int clipped(const int *a, int n) { int s = 1 << 30; while (n--) s = least(s, a[n]); return s & 0xff0; }
unsigned mixed(unsigned x, unsigned y) { return (x << 3) + y - (x / 10) + (y & ~x); }
int joined(char *to, const char *from) { strcpy(to, from); return strlen(to) > 3 ? to[0] : -1; }
double scaled(double x, int n) { while (n-- > 0) x = x * 1.5 + n; return x; }
"""
LANDINGS = """
int outer(int n, int (*call)(int (*)(int))) {
    __label__ out;
    int inner(int x) { if (x > n) goto out; return x; }
    return call(inner);
out:
    return -1;
}
"""
TRIED = """
int tried(int a, int b, int c, int d, int p) {
    int one = a == b ? c * d : d - c;
    int two = p ? 2 : 1;
    int three = a < d ? c ^ b : b * d;
    int four = one ? 7 : 3;
    return one * two + three * four;
}
"""
EDITS = {
    "latency": "MUL: {latency: 9}",
    "narrow": "ANDI: {rtl: 'r[d]=r[a]&c;', asm: 'andi $d,$a,$c', c: few}",
    "multiply-add": "MAC: {rtl: 'r[d]=r[d]+(r[a]*r[b]);', asm: 'mac $d,$a,$b'}",
    "minimum": "MIN: {rtl: 'r[d]=SEL(r[a]<r[b],r[a],r[b]);', asm: 'min $d,$a,$b'}",
    "complement": "ANDN: {rtl: 'r[d]=r[a]&not(r[b]);', asm: 'andn $d,$a,$b'}",
    "no multiplication": "MUL: null",
    "bits": "CLZ: {rtl: 'r[d]=clz(r[a]);', asm: 'clz $d,$a'}",
}


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def ran(monkeypatch):
    """Return the names of the phases that run on functions, to be looked at and cleared."""
    names = []
    run = driver._Run._phase
    monkeypatch.setattr(driver._Run, "_phase", lambda self, name, place: names.append(name) or run(self, name, place))
    return names


def code(machine: Machine, path, level=2) -> str:
    text = print_unit(Compiler(machine, Settings(level)).unit(str(path)), machine.cells)
    return text.split("\n", 1)[1]  # without the machine's name


def changed(text: str, folder) -> Machine:
    description = folder / "changed.yaml"
    description.write_text(f"extends: riscv32\noperands:\n  few: {{constant: -64..63}}\ninstructions:\n  {text}\n")
    return load(str(description))


@pytest.mark.parametrize("level", some((2, 1, 0, "s"), 1))
def test_each_kind_of_edit_is_the_same_code_as_from_nothing(level, source, tmp_path, monkeypatch):
    code(load("riscv32"), source, level)
    made = {name: code(changed(text, tmp_path), source, level) for name, text in EDITS.items()}
    again = code(load("riscv32"), source, level)
    monkeypatch.setenv("EASE_CACHE", "")
    for name, text in EDITS.items():
        assert made[name] == code(changed(text, tmp_path), source, level), name
    assert again == code(load("riscv32"), source, level)


def test_a_file_is_read_once_for_all_machines_with_its_types(source, tmp_path, monkeypatch):
    code(load("riscv32"), source)
    read = []
    tree = CFile.tree
    monkeypatch.setattr(CFile, "tree", lambda self, *given: read.append(self.path) or tree(self, *given))
    made = [code(machine, source) for machine in (changed(EDITS["no multiplication"], tmp_path), load("proposed"))]
    assert not read
    changed_types = code(load("riscv64"), source), code(changed(EDITS["bits"], tmp_path), source)
    assert len(read) == 2  # other types; an operator that is an instruction
    monkeypatch.setenv("EASE_CACHE", "")
    assert made == [code(changed(EDITS["no multiplication"], tmp_path), source), code(load("proposed"), source)]
    assert changed_types == (code(load("riscv64"), source), code(changed(EDITS["bits"], tmp_path), source))


def test_a_file_of_the_library_is_read_again_only_for_macros_that_it_names(source, monkeypatch):
    read = []
    tree = CFile.tree
    monkeypatch.setattr(CFile, "tree", lambda self, *given: read.append(Path(self.path).name) or tree(self, *given))
    for machine in (load("riscv32"), load("riscv32", ["registers.r.count=24"])):
        for name in ("_strcpy", "_longjmp"):
            Compiler(machine, Settings(1)).library(name)
    assert read == ["strcpy.c", "longjmp.c", "longjmp.c"]  # registers that there are not need no room in a `jmp_buf`
    source.write_text(LANDINGS)
    made = [code(load("riscv32", settings), source) for settings in ([], ["registers.r.count=24"])]
    monkeypatch.setenv("EASE_CACHE", "")
    assert made == [code(load("riscv32", settings), source) for settings in ([], ["registers.r.count=24"])]


def test_deletions_are_the_same_code_as_from_nothing(source, monkeypatch):
    description = read_description("m68020")
    chosen = [edit for edit in deletions(description) if edit.kind not in ("register", "slots")][::150]
    assert len(chosen) > 2
    code(load("m68020"), source)
    made = [code(build(edited(description, edit)), source) for edit in chosen]
    monkeypatch.setenv("EASE_CACHE", "")
    for edit, text in zip(chosen, made, strict=True):
        assert text == code(build(edited(description, edit)), source), edit.name


def test_what_has_the_same_answers_is_not_made_again(source, tmp_path, ran):
    source.write_text("".join(line for line in SOURCE.splitlines(True) if "dot" in line or "mixed" in line))
    before = code(load("riscv32"), source)
    ran.clear()
    assert code(changed("NOTHING: {rtl: 'r[d]=r[a]^not(r[b]);', asm: 'xnor $d,$a,$b'}", tmp_path), source) == before
    assert not ran, "it may compute nothing that is there"
    ran.clear()
    code(changed("REM: {latency: 40}", tmp_path), source)
    assert not ran


def test_a_latency_concerns_only_parts_that_weigh_it(source, tmp_path, ran):
    before = code(load("riscv32"), source)
    ran.clear()
    assert code(changed("LW: {latency: 3}", tmp_path), source) == before
    assert "frame" not in ran


def test_a_reach_concerns_only_branches_that_are_farther(source, tmp_path, ran):
    before = code(load("riscv32"), source)
    ran.clear()
    nearer, near = (changed(f"BEQ: {{reach: {reach}}}", tmp_path) for reach in ("[-2048, 2046]", "[-8, 8]"))
    assert code(nearer, source) == before
    assert not ran
    assert code(near, source) != before
    assert set(ran) <= {"frame", "control", "register-stack", "delay", "stack-scheduling", "span"}


def test_names_do_not_tell_what_was_tried(source, tmp_path, ran):
    """Where choices are tried in vain, what comes behind them is as it was."""
    source.write_text(TRIED)
    before = code(load("riscv32"), source)
    ran.clear()
    assert code(changed(EDITS["minimum"], tmp_path), source) == before
    assert set(ran) == {"selects", "predicate", "fuse-branches", "simultaneous"}


def test_an_instruction_that_reads_more_registers_than_any_before_is_used(source, tmp_path):
    source.write_text("unsigned f(unsigned a, unsigned b, unsigned c, unsigned d) { return (((a ^ b) & c) ^ b) - d; }\n")
    before = code(load("riscv32"), source)
    four = changed("FOUR: {rtl: 'r[d]=((r[a]&r[e])|(r[b]&not(r[e])))-r[f];', asm: 'four $d,$a,$b,$e,$f'}", tmp_path)
    assert "|" not in before
    assert "|" in code(four, source)


def test_what_is_computed_of_other_registers_in_the_same_way_is_sought_once(source):
    function = "unsigned f(%sunsigned a, unsigned b, unsigned c) { return ((a + b) ^ (b << 3) | a) & c; }\n"
    machine, known = load("aarch64"), []
    found = machine.sought[0].found
    found.clear()
    for others in "", "int x, int y, ":
        source.write_text(function % others)
        code(machine, source)
        known.append(len(found))
    assert known[0] == known[1] > 4


def test_code_of_another_machine_is_this_ones(source, tmp_path, ran):
    Compiler(load("riscv32"), Settings(2)).unit(str(source))
    machine = changed("REM: {latency: 40}", tmp_path)
    ran.clear()
    units = [Compiler(machine, Settings(2)).unit(str(source)) for _ in range(2)]  # found to be the same; kept as such
    assert [unit.machine for unit in units] == [machine.name] * 2
    assert not ran
    assert Compiler(load("riscv32"), Settings(2)).unit(str(source)).machine == "riscv32"


def test_only_functions_that_differ_are_made_again(source, tmp_path, ran):
    code(load("riscv32"), source)
    whole = len(ran)
    ran.clear()
    code(changed(EDITS["minimum"], tmp_path), source)
    assert 0 < len(ran) < whole / 2


def test_other_functions_are_kept_where_one_is_expanded_otherwise(source, tmp_path, ran):
    source.write_text(SOURCE + "int masked(int x) { return x & 496; }\n")
    code(load("riscv32"), source)
    whole = len(ran)
    ran.clear()
    code(changed(EDITS["narrow"], tmp_path), source)
    assert 0 < len(ran) < whole / 2


SOURCE_EDITS = {
    "a line above": lambda text: "/* more */\n\n" + text,
    "a number": lambda text: text.replace("3 ?", "5 ?"),
    "a line within": lambda text: text.replace("return s & 0xff0;", "\n s += n;\n return s & 0xff0;"),
    "a function": lambda text: text.replace("double scaled", "int twice(int x) { return 2 * x; }\ndouble scaled"),
    "what a function does to memory": lambda text: text.replace("int b) { return a < b", "int b) { seen++; return a < b"),
    "an object": lambda text: text.replace("static int seen;", "static int not, seen = 3;\nint *one(void) { return &not; }"),
}  # fmt: skip


REGISTERS = {
    "registers": {"riscv32": {"registers.r.count": 24}, "powerpc": {"registers.f.count": 20}},
    "values": {"riscv32": {"allocable.r": "r[10]..r[15]"}, "powerpc": {"allocable.r": "r[3]..r[12]"}},
    "preserved": {"riscv32": {"calls.saved": "r[18]..r[20]"}, "powerpc": {"calls.saved": "r[20]..r[31]"}},
}


@pytest.mark.parametrize("name", ["riscv32", "powerpc"])
@pytest.mark.parametrize("edit", REGISTERS)
def test_other_registers_are_the_same_code_as_from_nothing(edit, name, source, monkeypatch):
    code(load(name), source)
    sets = [f"{key}={value}" for key, value in REGISTERS[edit][name].items()]
    made = code(load(name, sets), source)
    monkeypatch.setenv("EASE_CACHE", "")
    assert made == code(load(name, sets), source)


def test_other_registers_concern_only_phases_that_hand_them_out(source, ran):
    source.write_text("unsigned mixed(unsigned x, unsigned y) { return (x << 3) + y - (x / 10) + (y & ~x); }")
    code(load("riscv32"), source)
    ran.clear()
    code(load("riscv32", ["registers.r.count=24"]), source)
    assert "assign" in ran
    assert not {"gvn", "combine", "motion", "strength", "split-ranges"} & {*ran}


@pytest.mark.parametrize("level", some((2, 1, 0, "s"), 1))
def test_edited_sources_are_the_same_code_as_from_nothing(level, source, monkeypatch):
    sight = "static int seen;\nint sight(int *p) { *p = 1; return seen; }\n"
    started = SOURCE.replace("static int least", sight + "static int least")
    editions = [started]
    for edit in SOURCE_EDITS.values():
        editions.append(edit(editions[-1]))
        assert editions[-1] != editions[-2]
    editions += editions[-2::-1]
    made = [source.write_text(text) and code(load("riscv32"), source, level) for text in editions]
    monkeypatch.setenv("EASE_CACHE", "")
    for text, found in zip(editions[: len(SOURCE_EDITS) + 1], made, strict=False):
        source.write_text(text)
        assert found == code(load("riscv32"), source, level), text
    assert made[len(SOURCE_EDITS) + 1 :] == made[: len(SOURCE_EDITS)][::-1]


def test_functions_of_an_edited_source_run_no_phase_unless_they_differ(source, tmp_path, ran):
    code(load("riscv32"), source)
    whole = len(ran)
    for name in ("a line above", "a function", "a number", "a line within"):
        ran.clear()
        text = source.read_text()
        source.write_text(SOURCE_EDITS[name](text))
        code(load("riscv32"), source)
        assert len(ran) < whole / 2, name
        assert bool(ran) == (name != "a line above")
        source.write_text(text)
    source.write_text("\n\n" + text)
    machine = changed(EDITS["minimum"], tmp_path)
    ran.clear()
    code(machine, source)  # another machine and another source
    assert 0 < len(ran) < whole / 2


def test_what_served_stays_among_the_variants_that_are_tried(source, ran):
    description = read_description("riscv32")
    code(load("riscv32"), source)
    gone = [edit for edit in deletions(description) if edit.name in ("MUL", "ADD", "SLT", "SUB", "ADDI.src2: 4 bits", "LUI")]
    for edit in gone:
        code(build(edited(description, edit)), source)
    ran.clear()
    code(build(edited(description, next(edit for edit in deletions(description) if edit.name == "FSQRT.D"))), source)
    assert set(ran) <= set(driver.GENERAL)


def test_warnings_are_told_again_and_cost_no_phases(source, tmp_path, ran):
    source.write_text(SOURCE + "int unused(void) { int x; return x; }\n")
    told = []
    first = print_unit(Compiler(load("riscv32"), Settings(2), told.append).unit(str(source)), load("riscv32").cells)
    ran.clear()
    again = print_unit(Compiler(load("riscv32"), Settings(2), told.append).unit(str(source)), load("riscv32").cells)
    assert (again, ran) == (first, [])
    assert told[1:] == told[:1]


class _Refused(Exception):
    pass


def _without_latency(record):
    """Return a record that is asked for all but its latency."""
    return record and replace(record, latency=None)


def _bare(record):
    """Return a record that is asked for what is no question of its own."""
    return record and replace(record, latency=None, reach="refused")


@pytest.mark.parametrize("name", some(("riscv32", "m68020", "vax", "arm"), 2))
def test_compiling_asks_only_what_is_noted(name, source, monkeypatch):
    """A machine that answers nothing but questions and what its basis has: no part of its description is read in silence."""
    refused = {*EVERYTHING, "description", "manual", "file", "_matches", "_records", "_source_shapes"}

    class Strict(AskedMachine):
        def __getattribute__(self, attribute):
            if attribute in refused:
                raise _Refused(attribute)
            return super().__getattribute__(attribute)

        def recognize(self, effects):
            return _bare(super().recognize(effects))

        def record(self, rtl):
            return _bare(super().record(rtl))

        def forms_of(self, effects):
            return [*map(_without_latency, super().forms_of(effects))]

    monkeypatch.setattr("vpo.build.renewal.AskedMachine", Strict)
    monkeypatch.setattr("vpo.build.compiler.AskedMachine", Strict)
    assert "_dot" in code(load(name), source)


@pytest.mark.parametrize("name", some(("riscv32", "m68020", "vax", "arm"), 1))
def test_a_part_of_the_phases_asks_alone_what_it_asks_behind_the_others(name, source, monkeypatch):
    source.write_text((ROOT / "benchmarks/kernels/crc.c").read_text())
    traces = []
    work = Renewal.work
    monkeypatch.setattr(Renewal, "work", lambda self, *given: traces.append((self, *given)) or work(self, *given))
    machine = load(name)
    code(machine, source)
    for renewal, trace, facts in traces:
        seen = facts.seen_by(trace.function)
        before = [data for part in trace.before for data in _thawed(part)]
        for part, (data, questions) in enumerate(zip(before, trace.questions, strict=True)):
            asked = AskedMachine(machine)
            run_part(from_data(data), asked, renewal.options, seen, part)
            assert {*renewal.asking.noted(asked)} == {*questions}, (trace.function.name, part)


@pytest.mark.parametrize("name", some(("riscv32", "m68020", "vax", "arm", "sparc", "m88100", "parisc", "i386"), 2))
def test_questions_of_one_shape_have_one_answer(name, source, monkeypatch):
    asked = []
    shape = Shapes.of

    def noted(self, question):
        asked.append((question, found := shape(self, question)))
        return found

    monkeypatch.setattr(Shapes, "of", noted)
    machine = load(name)
    code(machine, source)
    assert len({shaped for _, shaped in asked}) < len(asked) / 2
    for question, shaped in asked:
        assert _plain(answer(machine, question)) == _plain(answer(machine, shaped)), question


def _plain(found):
    """Return an answer without the instructions for which one stands: these name the registers of the RTL."""
    return [[*map(_plain, found)]] if isinstance(found, list) else found[:6] if isinstance(found, tuple) else found


@pytest.mark.parametrize("name", some(("riscv32", "m68020", "vax", "arm", "sparc", "i386"), 2))
def test_what_another_machine_need_not_be_asked_has_the_same_answer(name, source, monkeypatch):
    asked = []
    shape = Shapes.of
    monkeypatch.setattr(Shapes, "of", lambda self, question: asked.append(shape(self, question)) or asked[-1])
    machine = load(name)
    code(machine, source)
    questions = {question: answer(machine, question) for question in dict.fromkeys(asked) if question[0] != "fact"}
    description, known = read_description(name), SaidBefore(machine).described
    chosen = [edit for edit in deletions(description) if edit.kind not in ("register", "slots")]
    spared = 0
    for edit in chosen[:: len(chosen) // 8]:
        other = build(edited(description, edit))
        comparison = Comparison(SaidBefore(other), known)
        same = {question for question, old in questions.items() if comparison.is_same(question, old)}
        wrong = [question for question in same if answer(other, question) != questions[question]]
        assert not wrong, edit.name
        spared += len(same) / len(questions) / 8
    assert spared > 0.5
