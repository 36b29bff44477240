"""The interpreter: frames it makes itself, simultaneous effects, counts, observers, system calls."""

from __future__ import annotations

import struct

import pytest
from fake_machine import program_of

from vpo.interpret.fast.interpreter import interpret

EXIT = "\tr[17]=1; # linkage 9\n\tr[10]=SYSL(r[17],r[20]); # linkage 9\n"


def start(body: str, stage: str = "framed") -> str:
    return f'function _start file "a.c" line 1 stage {stage} {{\nL1:\n{lines(body)}{EXIT}}}\n'


def lines(body: str) -> str:
    return "".join(f"{text}\n" if text.endswith(":") else f"\t{text} # program 2\n" for text in body.strip().splitlines())


def run(text: str, **options):
    result = interpret(program_of(text, **options), capture=True)
    assert result.fault is None, str(result.fault)
    return result


def test_effects_are_simultaneous():
    result = run(start("r[3]=1;\nr[4]=2;\nr[3]=r[4]; r[4]=r[3];\nr[20]=(r[3]<<4)+r[4];"))
    assert result.exit_status == 0x21


def test_delay_slot_runs_before_control_arrives():
    body = "r[3]=1;\nr[20]=7;\nPC=r[3]==1,L3;\nr[3]=0;\nL2:\nr[20]=8;\nL3:\nr[20]=r[20]+r[3];"
    assert run(start(body, "final"), slots=1).exit_status == 7
    unfilled = "r[3]=1;\nPC=r[3]==1,L3;\nL2:\nr[3]=5;\nL3:\nr[20]=r[3];"
    assert run(start(unfilled, "framed"), slots=1).exit_status == 1


def test_frames_pseudo_registers_and_incoming_arguments():
    main = "r[8]=5;\nr[3]=41;\nL[r[2]]=r[3];\nST=_f(); r[1]=NPC;\nr[20]=r[10]+r[8];"
    f = (
        'function _f file "a.c" line 3 stage pseudo {\nslot .arg incoming size 4 align 4 0\n'
        "slot .local local size 8 align 8\nL1:\n"
        + lines(
            "r[t1]=L[r[2]+.arg];\nL[r[2]+(.local+4)]=r[t1];\nr[8]=99;\nPC=r[t1]<40,L3;\nL2:\nr[t1]=r[t1]+-1;\n"
            "L[r[2]]=r[t1];\nST=_f(); r[1]=NPC;\nr[10]=r[10]+1;\nL3:\nr[t2]=L[r[2]+(.local+4)];\nPC=L4;\nL4:\n"
            "r[10]=r[t2];\nPC=r[1],RT(r[10]);"
        )
        + "}\n"
    )
    result = run(start(main, "allocated") + f)
    assert result.exit_status == 46  # the argument came back, and r[8] was preserved
    assert result.blocks["_f"] == [3, 2, 3, 3]
    assert result.taken["_f"] == [1, 0, 0, 0]


def test_counts_stop_at_exit():
    result = run(start("r[20]=0;\nPC=L2;\nL2:\nr[20]=3;"))
    assert result.instructions == 5
    assert result.rtls["_start"] == [1, 1, 1, 1, 1]


def test_counts_leave_out_what_a_fault_prevented():
    result = interpret(program_of(start("r[3]=0;\nr[4]=1;\nr[5]=L[r[3]];")))
    assert result.rtls["_start"] == [1, 1, 0, 0, 0]
    assert result.fault.kind == "wild"
    assert result.fault.rtl == 2


class Log:
    def __init__(self):
        self.seen = []

    def fetch(self, address, size):
        self.seen.append(("fetch", address - 0x10000, size))

    def data(self, address, size, write):
        self.seen.append(("write" if write else "read", address, size))


@pytest.mark.parametrize("misaligned", [True, False])
def test_observer_sees_every_reference_in_order(misaligned):
    log = Log()
    text = start("r[20]=0;\nL[_x+4]=L[_x]; D[_x+8]=D[_x+16];") + "data _x size 24 align 8 {\n}\n"
    program = program_of(text, misaligned=misaligned)
    assert interpret(program, observer=log).exit_status == 0
    x = program.symbols["_x"]
    assert log.seen[:6] == [
        ("fetch", 0, 4), ("fetch", 4, 4), ("read", x, 4), ("read", x + 16, 8), ("write", x + 4, 4), ("write", x + 8, 8),
    ]  # fmt: skip
    assert log.seen[6:] == [("fetch", 8, 4), ("fetch", 12, 4)]


class Trips:
    def __init__(self):
        self.seen = []

    def transfer(self, kind, address, target, outcome):
        self.seen.append((kind, address - 0x10000, target and target - 0x10000, outcome))

    def called(self, back):
        self.seen.append(("called", back - 0x10000))


@pytest.mark.parametrize(("stage", "slots"), [("framed", 0), ("final", 1)])
def test_observer_sees_every_transfer_in_order(stage, slots):
    slot, trips = "r[0]=1;\n" * slots, Trips()
    main = f"r[3]=2;\nL2:\nr[4]=_f;\nST=_f(); r[1]=NPC;\n{slot}ST=r[4](); r[1]=NPC;\n{slot}"
    loop = f"r[3]=r[3]-1;\nPC=r[3]!=0,L2;\n{slot}L3:\nr[20]=0;"
    f = f'function _f file "a.c" line 3 stage {stage} {{\nL1:\n' + lines(f"PC=r[1],RT();\n{slot}") + "}\n"
    text = start(main + loop, stage) + f
    program = program_of(text, slots=slots)
    assert interpret(program, transfers=trips).exit_status == 0
    step = 4 * (1 + slots)  # of a transfer with its slots
    first, second = 8 + step, 8 + 2 * step
    returning = program.symbols["_f"] - 0x10000 + 3
    calls = [
        ("called", first), ("return", returning, 0, 0x10000 + first),
        ("call", first + 3, 0, program.symbols["_f"]), ("called", second), ("return", returning, 0, 0x10000 + second),
    ]  # fmt: skip
    branch = second + 4 + 3
    assert trips.seen == [*calls, ("branch", branch, 4, 1), *calls, ("branch", branch, 4, 0)]


def test_single_survives_saving_the_double_register():
    body = "r[3]=3;\ne[1]=cvtF(r[3]);\nD[_x]=f[1];\nf[1]=cvtD(r[0]);\nf[2]=D[_x];\nr[20]=cvtL(e[2]);"
    assert run(start(body) + "data _x size 8 align 8 {\n}\n").exit_status == 3


@pytest.mark.parametrize("big", [False, True])
def test_initial_stack(big):
    body = "r[3]=L[r[2]+8];\nr[20]=zxL(B[r[3]+1])+L[r[2]];"
    program = program_of(start(body), big_endian=big)
    assert interpret(program, ["prog", "xyz"]).exit_status == ord("y") + 2


def call(number: int, *arguments: object) -> str:
    body = f"r[17]={number};\n" + "".join(f"r[{21 + i}]={a};\n" for i, a in enumerate(arguments))
    registers = ",".join(f"r[{21 + i}]" for i in range(len(arguments)))
    return body + f"r[10]=SYSL(r[17],{registers});\n"


def test_files_below_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    body = call(5, "_name", 0o101, 0o644) + "r[19]=r[10];\n" + call(4, "r[19]", "_name", 4) + call(6, "r[19]")
    body += call(38, "_name", "_other") + call(5, "_outside", 0, 0) + "r[20]=neg(r[10]);"
    data = 'data _name size 8 align 1 {\n\t0: bytes "file"\n}\ndata _other size 8 align 1 {\n\t0: bytes "new"\n}\n'
    result = run(start(body) + data + 'data _outside size 16 align 1 {\n\t0: bytes "/etc/passwd"\n}\n')
    assert (tmp_path / "new").read_bytes() == b"file"
    assert result.exit_status == 13  # EACCES


def test_symbolic_links_do_not_lead_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("/etc/passwd")
    data = 'data _name size 8 align 1 {\n\t0: bytes "link"\n}\n'
    assert run(start(call(5, "_name", 0, 0) + "r[20]=neg(r[10]);") + data).exit_status == 13


def test_heap_grows_by_brk_and_not_otherwise():
    grow = call(45, 0) + "r[19]=r[10]+65536;\n" + call(45, "r[19]") + "r[3]=9;\nL[r[19]+-4]=r[3];\nr[20]=L[r[19]+-4];"
    assert run(start(grow)).exit_status == 9
    result = interpret(program_of(start(call(45, 0) + "L[r[10]+65536]=r[3];")))
    assert "wild pointer: write of 4 bytes" in str(result.fault)


def test_unknown_call_and_bad_pointers_give_error_numbers():
    assert run(start(call(999, 0) + "r[20]=neg(r[10]);")).exit_status == 38
    assert run(start(call(4, 1, 16, 5) + "r[20]=neg(r[10]);")).exit_status == 14


def test_virtual_clock():
    text = start(call(13, "_x") + call(4, 1, "_x", 4) + "r[20]=0;") + "data _x size 4 align 4 {\n}\n"
    assert struct.unpack("<i", run(text).output)[0] == 1_000_000_000
