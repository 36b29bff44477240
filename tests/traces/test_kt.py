"""KT: decoded by appendix B of IDtrace's report alone, the code against a disassembler."""

import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cache_sim.trace import TraceError
from cache_sim.traces.formats import kt
from cache_sim.traces.formats.code import Code
from cache_sim.traces.formats.references import events_of
from cache_sim.traces.trace_file import TraceFile
from ease.commands.easecc import main as easecc
from ease.commands.runs.trace_command import main as ease_trace
from ease.commands.verify_command import main as verify

PROGRAM = """
int cells[20];
static int twice(int n) { return n < 2 ? n : twice(n - 1) + twice(n - 2); }
int main(void) { int i; for (i = 0; i < 20; i++) cells[i] += twice(i & 7); return cells[19] & 63; }
"""
TOOLS = {"i386": ["objdump", "-d", "--insn-width=16"], "riscv32": ["riscv64-linux-gnu-objdump", "-d"]}


def decoded(content):
    """Yield address, bytes of code and effective addresses of each instruction record."""
    at = 0
    while at < len(content):
        address, kind = int.from_bytes(content[at : at + 4], "little"), content[at + 4]
        assert kind < 0x40
        size, count = kind & 0xF, kind >> 4
        code = content[at + 5 : at + 5 + size]
        at += 5 + size + (-size - 1) % 4
        assert at % 4 == 0
        yield address, code, [int.from_bytes(content[at + 4 * n : at + 4 * n + 4], "little") for n in range(count)]
        at += 4 * count


def disassembled(tool, executable, big_units):
    """Return bytes and text of instructions by address."""
    text = subprocess.run([*tool, executable], capture_output=True, text=True, check=True).stdout
    found = {}
    for address, units, shown in re.findall(r"^ *([0-9a-f]+):\t((?:[0-9a-f]+ )+) *\t(.*)$", text, re.MULTILINE):
        whole = [bytes.fromhex(unit) for unit in units.split()]
        found[int(address, 16)] = b"".join(unit[::-1] if big_units else unit for unit in whole), shown
    return found


def converted(machine, tool, form):
    """Return the trace of a run in a format that has code: of `run.trace`, of `program.elf`."""
    if not shutil.which(tool[0]) or not shutil.which(f"qemu-{machine}"):
        pytest.skip(f"no {tool[0]} or no emulator")
    Path("program.c").write_text(PROGRAM)
    assert verify(["-m", machine, "-keep", "program.elf", "program.c"]) == 0
    easecc(["-m", machine, "-trace", "execution", "-trace-to", "run.trace", "program.c"])
    assert ease_trace(["convert", "run.trace", "-o", f"run.{form}", "--executable", "program.elf"]) == 0
    return Path(f"run.{form}").read_bytes()


@pytest.mark.tools
@pytest.mark.parametrize("machine", TOOLS)
def test_instructions_are_those_of_the_executable(machine, tmp_path, monkeypatch, capsys):
    tool = TOOLS[machine]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    content = converted(machine, tool, "kt")
    capsys.readouterr()
    found, known = list(decoded(content)), disassembled(tool, "program.elf", machine == "riscv32")
    expected, places = [], {}
    for events in TraceFile("run.trace").events():
        for kind, address in zip(events.kinds.tolist(), events.addresses.tolist(), strict=True):
            if kind == 2:
                expected.append((address, []))
            elif address not in expected[-1][1]:
                expected[-1][1].append(address)
    for address, code, effective in found:
        assert (code, address) == (known[address][0], address)
        places.setdefault(address, set()).add(tuple(effective[:1]))
    targets = 0
    at = iter(found)
    for address, referred in expected:
        here, code, effective = next(at)
        assert here == address
        told = re.search(r"^(?:j\w*|call|b\w+)\s.*?\b([0-9a-f]{3,}) <", known[address][1])
        if told:
            targets += 1
            assert effective.pop(0) == int(told[1], 16)
        while len(effective) < len(referred):
            again, same, more = next(at)
            assert (again, same) == (address, code)
            effective += more
        assert effective == referred
    assert next(at, None) is None
    assert targets > 100
    rows = [(address, size) for part in kt.read(io.BytesIO((tmp_path / "run.kt").read_bytes()), "run.kt")
            for address, size in zip(part.addresses.tolist(), part.sizes.tolist(), strict=True)]  # fmt: skip
    assert rows == [(address, len(code)) for address, code, _ in found]


def test_records_that_are_not_of_instructions_are_passed_over():
    content = b"\x07\0\0\0\x80\0\0\0" + b"\x09\0\0\0\x81\x01\x02\x03" + b"\x10\0\0\0\x11\x90\0\0" + b"\x20\0\0\0"
    (events,) = kt.read(io.BytesIO(content), "a.kt")
    assert (events.addresses.tolist(), events.sizes.tolist()) == ([16], [1])
    for wrong in (content[:-1], b"\0\0\0\0\x40", b"\0\0\0"):
        with pytest.raises(TraceError):
            list(kt.read(io.BytesIO(wrong), "a.kt"))


def test_many_references_take_several_records():
    events = events_of(np.array([2, 0, 0, 1, 0]), np.array([64, 8, 12, 8, 16]), 4)
    out = io.BytesIO()
    kt.write([events], {}, Code([(60, b"abcdefghij")]), out)
    assert list(decoded(out.getvalue())) == [(64, b"efgh", [8, 12]), (64, b"efgh", [16])]
    with pytest.raises(TraceError, match="not of this trace"):
        kt.write([events], {}, Code([(60, b"abcd")]), io.BytesIO())
