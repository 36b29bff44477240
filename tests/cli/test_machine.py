"""`ease machine`: what it prints, and its exit status."""

import re

import pytest
from lark import Lark

from ease.commands.machine import machine_check
from ease.commands.machine.machine_check import OTHERS, Checker, check, constructs
from ease.commands.machine.machine_command import main
from ease.commands.machine.machine_show import spans, ways
from tests.covering import case, some
from tests.kept_machines import load
from tests.reach import unreachable
from vpo.expand.expander import expand_unit
from vpo.frontend import compile_c
from vpo.machines.advice.examples import example, nearest_form
from vpo.machines.names import machine_names
from vpo.opt.driver import Options, run_phases
from vpo.rtl import Register, Return


def test_list(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[: lines.index("")]] == machine_names()
    assert "load/store machine" in next(line for line in lines if line.startswith("baseline "))


@pytest.mark.parametrize("name", some(machine_names(), 4))
def test_show_has_every_instruction(name, capsys):
    assert main(["show", name]) == 0
    shown = capsys.readouterr().out
    for alternative in load(name).recognizer.alternatives:
        assert alternative.text in shown
    assert "stack pointer" in shown


def test_show_one(capsys):
    assert main(["show", "baseline", "save"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("SAVE  L[mem]=r[list]; ...\n")
    assert "L[r[1]]=r[3]; L[r[1]+4]=r[4];  is  save {r3,r4},[r1]  (4 bytes; fields: LIST REGISTER L)" in shown
    assert "baseline.yaml:" in shown


def test_explain_an_instruction(capsys):
    assert main(["explain", "riscv32", "r[10]=r[11]+5"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("r[10]=r[11]+5; is ADDI of riscv32\n")
    assert "addi a0,a1,5\n  4 bytes, latency 1\n" in shown
    assert "reads     r[11]\n  sets      r[10]\n" in shown


def test_explain_what_is_no_instruction(capsys):
    assert main(["explain", "riscv32", "r[10]=r[11]+5000;"]) == 0
    shown = capsys.readouterr().out
    assert "is no instruction of riscv32\n  not ADDI: 5000 is not in -2048..2047" in shown
    assert "writes 3 instructions instead (12 bytes, latencies 3):" in shown
    assert main(["explain", "riscv32", "r[10]=r[11];r[12]=r[13];"]) == 1
    assert capsys.readouterr().out.endswith("The compiler knows no way to do it.\n")
    assert main(["explain", "riscv32", "r[10]=r[11]+"]) == 1
    assert "this is not RTL syntax" in capsys.readouterr().err
    assert main(["explain", "riscv32"]) == 2


def test_show_with_a_setting(capsys):
    assert main(["show", "baseline", "ADD", "--set", "defaults.size=6"]) == 0
    assert "  6 bytes" in capsys.readouterr().out


@pytest.mark.parametrize("name", some(machine_names(), 4))
@pytest.mark.parametrize("half", some((0, 1), 1))
def test_every_form_has_an_example(name, half):
    machine = load(name)
    written = [form for form in machine.recognizer.alternatives if not form.implied]
    for alternative in written[(machine_names().index(name) + half) % 2 :: 2]:
        found = example(machine, alternative)
        assert found is not None, alternative.text
        assert found[1].name == alternative.name


def test_grammar_is_a_lark_grammar(capsys):  # those of all machines are parsed with in tests/machines/test_grammar.py
    assert main(["grammar", "baseline"]) == 0
    Lark(capsys.readouterr().out, parser="earley")


@pytest.mark.thorough
@pytest.mark.parametrize("name", machine_names())
def test_check(name, capsys):
    assert main(["check", name]) == 0
    assert capsys.readouterr().out.startswith(f"{name} can do all ")


@pytest.mark.parametrize("name", some(machine_names(), 1, first=2))
def test_machine_can_do_a_part_of_the_constructs(name):  # all of them: test_check, thorough
    part = [construct for construct, _ in constructs()][machine_names().index(name) % 8 :: 8]
    machine = load(name)
    result = check(machine, part)
    assert result.constructs == len(part) + 1  # and start-up code
    assert not result.missing
    used = {match.alternative.order for match in machine._matches.values() if match is not None}
    assert not used & unreachable(name)


def test_check_names_instructions_that_no_program_reaches(capsys, monkeypatch):
    monkeypatch.setattr(machine_check, "constructs", lambda: [])
    assert main(["check", "riscv32", "--set", "instructions.TWICE={rtl: \"r[d]=(r[a]<<1)<<1;\", asm: \"twice $d,$a\"}"]) == 0
    shown = capsys.readouterr().out
    assert "    NOP `NOP;` (riscv32.yaml:" in shown
    assert "    TWICE `r[d]=(r[a]<<1)<<1;` (--set:" in shown


MISSING = {
    "loads": ("riscv32", ["LW", "LH", "LHU", "LB", "LBU"], "=L[_y+12];`\n    nearest: ADDI `r[dst]=r[src1]+LO[src2];`"),
    "stores": ("riscv32", ["SW", "SH", "SB"], "    for large local array"),
    "calls": ("vax", ["CALLS"], "call (`ST="),
    "jumps": ("stack", ["J"], "unconditional jump (`PC=L;`)"),
    "system calls": ("baseline", ["TRAP"], "    for system call"),
}


@pytest.mark.parametrize("what", [case(what, usual=what == "system calls") for what in MISSING])
def test_check_names_what_is_missing(what, capsys, monkeypatch):
    name, gone, message = MISSING[what]
    part = [(name, source) for name, source in constructs() if {"int", "float"} & set(name.split()) or name in OTHERS]
    monkeypatch.setattr(machine_check, "constructs", lambda: part)
    assert main(["check", name, *[f"--set=instructions.{instruction}=null" for instruction in gone]]) == 1
    shown = capsys.readouterr().out
    assert message in shown
    assert f"\n{name} cannot do " in shown
    assert "\nthe least that is missing; add " in shown


def test_check_names_the_routine_that_lacks_something(monkeypatch):
    lacks = Checker.lacks
    monkeypatch.setattr(Checker, "lacks", lambda self, source, path: lacks(self, source, path) if source else "a tea break")
    result = check(load("riscv32"), ["long long a / b"])
    assert [missing.what for missing in result.missing] == ["the run-time routine __divdi3 needs a tea break"]


def test_costs(capsys):
    assert main(["costs", "riscv32", "int a"]) == 0
    whole = capsys.readouterr().out
    assert re.search(r"^int a \+ b +1 +4 +1 +add a0,a0,a1$", whole, re.MULTILINE)
    assert main(["costs", "riscv32", "int a - b", "--set", "instructions.SUB=null"]) == 0
    lacking = capsys.readouterr().out
    assert re.search(r"^int a - b +3 +12 +3 +not \w+,\w+; add \S+; not \S+$", lacking, re.MULTILINE), lacking
    assert main(["costs", "riscv32", "no such thing"]) == 1


def test_costs_tell_how_what_is_missing_is_made():
    """The description's expansions and the compiler's own, and rules, are one list, in one notation."""
    assert {"r[d]=r[a]%r[b]; => hi[0]=r[a]%r[b]; r[d]=hi[0];", "a==b => (a-b)==0"} <= set(ways(load("mips")))
    assert "a%b => a-((a/b)*b)" in ways(load("vax"))
    assert not any(rule.startswith("a-b") for rule in ways(load("riscv32")))


@pytest.mark.parametrize("name", some(["riscv32", "vax"], 1))
def test_costs_are_those_of_what_is_named(name, capsys):
    """The price of an operation is that of a C function whose text is just that operation."""
    assert main(["costs", name, "int a"]) == 0
    prices = {line[:21].strip(): line[21:].split()[0] for line in capsys.readouterr().out.splitlines()[1:]}
    machine = load(name)
    alone = re.compile(r"(int|unsigned) a ([-+*/%&|^<>]+) (\w+)")
    tried = {shown: match for shown in prices if (match := alone.fullmatch(shown))}
    assert len(tried) == 16
    for shown, match in tried.items():
        type_, operator, other = match.groups()
        second = f", {type_} b" if other == "b" else ""
        source = f"{type_} f({type_} a{second}) {{ return a {operator} {other}; }}"
        (function,), _, _ = expand_unit(compile_c("one.c", machine.model, source=source), machine, True)
        run_phases(function, machine, Options(2))
        records = [machine.record(rtl) for rtl in function.rtls() if not isinstance(rtl.transfer, Return)]
        calls = any(rtl.call is not None for rtl in function.rtls())
        assert prices[shown] == f"{sum(record.counted for record in records)}{'+' * calls}", shown


def test_constructs_have_distinct_names():
    names = [name for name, _ in constructs()]
    assert len(names) == len(set(names)) > 300


WRONG = {
    (): (2, "ease machine: list, show, explain, grammar, check"),
    ("lits",): (2, "there is no 'lits'"),
    ("show",): (2, "show: which machine? ("),
    ("check", "baseline", "more"): (2, "check: 'more' is one too many"),
    ("show", "-x"): (2, "there is no option '-x'"),
    ("show", "baseline", "--set"): (2, "--set needs KEY=VALUE"),
    ("show", "nobody"): (1, "there is no machine 'nobody'; known machines: "),
    ("show", "no/where.yaml"): (1, "there is no machine description file 'no/where.yaml'"),
    ("show", "baseline", "ADDX"): (1, "baseline has no instruction 'ADDX'; did you mean ADD?"),
    ("show", "baseline", "--set", "registers.r.count=no"): (1, "--set:1:1: error: 'no' could be a truth value"),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong(words, capsys):
    status, message = WRONG[words]
    assert main(list(words)) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_spans():
    registers = [Register("r", i, "L") for i in (3, 4, 5, 9, 8, 7, 1)] + [Register("f", 0, "D")]
    assert spans(registers) == "r[3]..r[5], r[9]..r[7], r[1], f[0]"


def test_nearest_form():
    machine = load("riscv32")
    assert nearest_form(machine, "r[t3]=trL((sxQ(r[t4])*sxQ(r[t5]))>>u32);").startswith("MULH ")
    assert nearest_form(machine, "PC=r[1]<=5,L3;").startswith("BLE ")


@pytest.mark.parametrize(("rtl", "name"), [("r[0]=r[0]<<1;", "SHLQ"), ("r[0]=r[0]<<3;", "SHLQ"), ("r[0]=r[1]<<3;", "LEAQ")])
def test_a_shift_in_place_is_no_address(rtl, name, capsys):
    """LEAQ without a base has a displacement of 32 bits, 8 bytes in all; a shift in place has 3 or 4."""
    assert main(["explain", "x86_64", rtl]) == 0
    assert f"is {name} of x86_64" in capsys.readouterr().out
