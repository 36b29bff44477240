"""Handlers of SIGSEGV and SIGFPE: interpreters and host code agree, counts as well, with what the host itself does."""

import subprocess
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.traces.traced_run import traced_run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret
from vpo.interpret.plain import interpret_plainly
from vpo.system.faults import ENTRY

SOURCE = Path(__file__).parent / "fault_handlers.c"
CASES = (("riscv32", 2, False), ("sparc", 2, True), ("m68020", 0, True), ("riscv64", "s", False), ("short16", 1, True))


def program_of(machine, level, source=SOURCE, settings=(), **defined):
    defines = tuple((name, str(int(value))) for name, value in defined.items())
    return Compiler(load(machine, settings), Settings(level=level, c=COptions(defines=defines))).program([str(source)])


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    """What the host's compiler makes of the program, by whether it divides by zero."""
    outputs = {}
    for divides in (False, True):
        binary = tmp_path_factory.mktemp("native") / "program"
        subprocess.run(["gcc", "-O0", "-w", f"-DDIVIDES={int(divides)}", SOURCE, "-o", binary], check=True)
        result = subprocess.run([binary], capture_output=True, check=False)
        assert result.returncode == 3
        outputs[divides] = result.stdout
    return outputs


@pytest.mark.tools
@pytest.mark.parametrize(("machine", "level", "divides"), some(CASES, 1, first=1))
def test_handlers_do_as_natively_and_counts_agree(native, machine, level, divides):
    program = program_of(machine, level, DIVIDES=divides)
    plain, fast = interpret_plainly(program, capture=True), interpret(program, capture=True)
    host, counts = counted_run(program, options=RunOptions(capture=True, tier="quick"))
    for result in (plain, fast, host):
        assert (str(result.fault), result.exit_status, result.output) == ("None", 3, native[divides])
    assert plain.rtls == fast.rtls == counts.rtls
    assert plain.taken == fast.taken == counts.taken


@pytest.mark.parametrize("limit", some((900, 1717, 2222), 1))
def test_limit_ends_a_run_with_handlers_at_the_same_instruction(limit):
    program = program_of("sparc", 2, DIVIDES=True)
    plain, fast = (each(program, capture=True, limit=limit) for each in (interpret_plainly, interpret))
    host, counts = counted_run(program, options=RunOptions(capture=True, limit=limit, tier="quick"))
    assert fast.instructions == plain.instructions == limit
    assert plain.rtls == fast.rtls == counts.rtls
    assert str(plain.fault) == str(fast.fault) == str(host.fault)


EXHAUSTED = Path(__file__).parent / "exhausted_stack.c"
DEEP = [("sparc", 2), ("vax", 1), ("parisc", 0), ("riscv32", 2), ("short16", 1)]
SMALL = ["layout.stack_size=0x2000"]


@pytest.fixture(scope="module")
def exhausted_natively(tmp_path_factory):
    """What the host's compiler makes of the program that exhausts its stack."""
    binary = tmp_path_factory.mktemp("native") / "program"
    subprocess.run(["gcc", "-O0", "-w", "-DOFFERS=1", "-DON_STACK=1", EXHAUSTED, "-o", binary], check=True)
    return subprocess.run([binary], capture_output=True, check=True).stdout


# among them a call that stores, a stack that grows upwards, register windows, and an int of 16 bits
@pytest.mark.tools
@pytest.mark.parametrize(("machine", "level"), some(DEEP, 1))
def test_an_exhausted_stack_has_a_handler(exhausted_natively, machine, level):
    program = program_of(machine, level, EXHAUSTED, SMALL, OFFERS=True, ON_STACK=True)
    plain, fast = interpret_plainly(program, capture=True), interpret(program, capture=True)
    host, counts = counted_run(program, options=RunOptions(capture=True, tier="quick"))
    for result in (plain, fast, host):
        assert (str(result.fault), result.exit_status, result.output) == ("None", 0, exhausted_natively)
    assert plain.rtls == fast.rtls == counts.rtls
    assert plain.taken == fast.taken == counts.taken


@pytest.mark.thorough
def test_limit_ends_a_run_whose_stack_is_exhausted_at_the_same_instruction():
    program = program_of("vax", 1, EXHAUSTED, SMALL, OFFERS=True, ON_STACK=True)
    whole = interpret(program, capture=True).instructions
    for limit in (whole // 2, whole - 300):
        fast = interpret(program, capture=True, limit=limit)
        host, counts = counted_run(program, options=RunOptions(capture=True, limit=limit, tier="quick"))
        assert fast.instructions == limit
        assert fast.rtls == counts.rtls
        assert str(fast.fault) == str(host.fault)


@pytest.mark.parametrize(("offers", "on_stack"), some([(True, False), (False, True)], 1))
def test_an_exhausted_stack_ends_the_run_unless_the_handler_has_another_one(offers, on_stack):
    program = program_of("i386", "s", EXHAUSTED, SMALL, OFFERS=offers, ON_STACK=on_stack)
    fast = interpret(program, capture=True)
    host, _ = counted_run(program, options=RunOptions(capture=True, tier="quick"))
    assert str(fast.fault) == str(host.fault)
    assert fast.fault.kind == "stack"
    assert "it has 8,192 bytes" in fast.fault.message
    assert fast.output == host.output == b""


PROGRAMS = {
    "returns": ("static void f(int n) {} signal(SIGSEGV, f); *nowhere = 1;", 139, None),
    "again": ("static void f(int n) { *nowhere = 2; } signal(SIGSEGV, f); *nowhere = 1;", 139, "wild"),
    "ignored": ("signal(SIGSEGV, SIG_IGN); *nowhere = 1;", 139, "wild"),
    "other": ("static void f(int n) {} signal(SIGINT, f); *nowhere = 1;", 139, "wild"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_faults_that_have_no_handler_end_the_run(tmp_path, name):
    text, status, kind = PROGRAMS[name]
    functions, _, statements = text.rpartition("} ") if "{" in text else ("", "", text)
    source = tmp_path / "program.c"
    source.write_text(
        f"#include <signal.h>\nstatic int *volatile nowhere;\n{functions and functions + '}'}\n"
        f"int main(void) {{ {statements} return 0; }}\n"
    )
    program = program_of("riscv32", 1, source=source)
    assert (ENTRY in program.functions) == (name != "other")
    fast = interpret(program, capture=True)
    host, _ = counted_run(program, options=RunOptions(capture=True, tier="quick"))
    assert (fast.fault and fast.fault.kind, host.fault and host.fault.kind) == (kind, kind)
    assert host.exit_status == status
    assert (b"returned" in fast.errors) == (b"returned" in host.errors) == (name == "returns")


def test_a_traced_run_says_that_it_calls_no_handler():
    program = program_of("riscv32", 1, DIVIDES=False)
    result, _ = traced_run(program, (), None, options=RunOptions(capture=True, tier="quick"))
    assert result.fault.message.endswith(" (no handler is called while a trace is written)")
