"""A run that goes wrong is told with its place, the same by host code and by the interpreter."""

from __future__ import annotations

import time

import pytest
from fake_machine import program_of

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.host.translation.counting import FunctionProbes
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

HEAD = 'function _start file "prog.c" line 1 stage framed {\nL1:\n'
EXIT = "\tr[17]=1; # linkage 9\n\tr[20]=0; # linkage 9\n\tr[10]=SYSL(r[17],r[20]); # linkage 9\n"
DATA = "data _x constant size 4 align 4 {\n\t0: int 4 7\n}\ndata _y size 8 align 4 {\n}\n"


def called(body: str) -> str:
    """Return a program whose function f (lines from 10 on) goes wrong."""
    lines = "".join(f"\t{text} # program {10 + i}\n" if not text.endswith(":") else text + "\n"
                    for i, text in enumerate(body.strip().splitlines()))  # fmt: skip
    start = HEAD + "\tr[3]=0; # program 2\n\tST=_f(); r[1]=NPC; # linkage 3\n" + EXIT + "}\n"
    return f'{start}function _f file "prog.c" line 9 stage framed {{\nL1:\n{lines}}}\n{DATA}'


CASES = {
    "read of null": ("r[4]=L[r[3]];\nL[_y]=r[4];", "WILD10 read of 4 bytes at address 0x00000000", 139),
    "write of null": ("r[4]=5;\nW[r[3]+8]=r[4];", "WILD11 write of 2 bytes at address 0x00000008", 139),
    "constant address": ("D[16]=f[1];", "WILD10 write of 8 bytes at address 0x00000010", 139),
    "write to a constant": ("L[_x]=r[3];", "WILD10 write of 4 bytes at address 0x00011000", 139),
    "below zero": ("r[4]=sxL(B[r[3]+-1]);\nL[_y]=r[4];", "WILD10 read of 1 byte at address 0xffffffff", 139),
    "division": ("r[4]=_x;\nr[4]=r[4]/r[3];", "prog.c:11: in f: division by zero", 136),
    "unsigned remainder": ("r[4]=r[4]%ur[3];", "prog.c:10: in f: division by zero", 136),
    "recursion": (
        "r[2]=r[2]+-16;\nL[r[2]+12]=r[1];\nST=_f(); r[1]=NPC;\nr[1]=L[r[2]+12];\nr[2]=r[2]+16;\nPC=r[1],RT();",
        "prog.c:11: in f: "
        "stack exhausted at address 0x7feffffc: it has 1,048,576 bytes (--set layout.stack_size=N changes that)",
        139,
    ),
    "bad call": (
        "r[4]=_x;\nST=r[4](); r[1]=NPC;",
        "prog.c:11: in f: call of address 0x00011000, which is not a function", 134,
    ),
    "bad jump": (
        "r[4]=77;\nPC=r[4],{L2};\nL2:\nPC=L2;",
        "prog.c:11: in f: jump to address 0x0000004d, which is not one of the labels", 134,
    ),
    "end": ("r[4]=77;", "prog.c:10: in f: execution ran past the end of the function", 134),
}  # fmt: skip


@pytest.mark.parametrize("name", some(CASES, 4))
def test_faults_are_placed(name):
    body, message, status = CASES[name]
    for line in (10, 11):
        message = message.replace(f"WILD{line} ", f"prog.c:{line}: in f: wild pointer: ")
    program = program_of(called(body))
    assert str(interpret(program).fault) == message
    for tier in ("fast", "full"):
        result = run(program, options=RunOptions(tier=tier))
        assert (str(result.fault), result.exit_status, result.partial) == (message, status, True)


def test_return_to_the_wrong_address():
    program = program_of(called("r[1]=r[1]+4;\nPC=r[1],RT();"))
    for fault in (interpret(program).fault, run(program).fault):
        assert fault.kind == "return"
        assert "instead of 0x00010008: the return address was overwritten" in fault.message


def test_misaligned_access():
    program = program_of(called("r[4]=_y;\nr[5]=L[r[4]+2];"), misaligned=False)
    message = "prog.c:11: in f: misaligned access: read of 4 bytes at address 0x00012002"
    assert str(interpret(program).fault) == message
    assert str(run(program).fault) == message
    assert run(program_of(called("r[4]=_y;\nr[5]=L[r[4]+2];\nPC=r[1],RT();"))).fault is None


ENDLESS = HEAD + "L2:\n\tr[3]=r[3]+1; # program 2\n\tL[_y]=r[3]; # program 2\n\tPC=L2; # control 3\n}\n" + DATA


@pytest.mark.parametrize("tier", ["fast", "full"])
def test_limit(tier):
    program = program_of(ENDLESS)
    result = run(program, options=RunOptions(limit=3000, tier=tier), probes={"_start": FunctionProbes({1: 0})})
    assert result.fault.kind == "limit"
    assert result.exit_status == 124
    assert 999 <= result.counters[0] <= 1001
    expected = interpret(program, limit=3000)
    assert expected.fault.kind == "limit"
    assert abs(expected.instructions - 3000) <= 3


def test_timeout():
    start = time.monotonic()
    result = run(program_of(ENDLESS), options=RunOptions(timeout=0.5))
    assert (result.fault.kind, result.partial, result.exit_status) == ("timeout", True, 124)
    assert time.monotonic() - start < 2


def test_partial_counters_survive_a_fault():
    program = program_of(called("r[4]=3;\nL2:\nr[4]=r[4]+-1;\nPC=r[4]>0,L2;\nL3:\nL[r[3]]=r[4];"))
    result = run(program, probes={"_f": FunctionProbes({0: 0, 1: 1, 2: 2}, {1: 3})})
    assert result.counters == [1, 3, 1, 2]
    assert result.partial
