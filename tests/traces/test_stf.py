"""STF: decoded by a reader that follows the specification alone; the code is that of the executable."""

import io
import struct
import sys

import numpy as np
import pytest

from cache_sim.trace import TraceError
from cache_sim.traces.formats import stf
from cache_sim.traces.formats.code import Code
from cache_sim.traces.formats.references import events_of
from cache_sim.traces.trace_file import TraceFile
from tests.traces.test_kt import converted, disassembled

RISC_V = 243


def decoded(content):
    """Return the header's records by number, and of each instruction: address, code, references."""
    file, header, found, references = io.BytesIO(content), {}, [], []
    ended, here, target = False, None, None
    while number := file.read(1):
        match number[0]:
            case 1:
                assert file.read(3) == b"STF"
            case 2 | 9 | 7:
                header[number[0]] = file.read(8)
                if number[0] == 9:
                    here = int.from_bytes(header[9], "little")
            case 3:
                header[3] = file.read(int.from_bytes(file.read(4), "little"))
            case 4 | 5:
                header[number[0]] = int.from_bytes(file.read(2), "little")
            case 6:
                header[6] = file.read(4)
                file.read(int.from_bytes(file.read(2), "little"))
            case 19:
                assert not ended
                assert {2, 3, 4, 5, 6, 7, 9} <= set(header)
                ended = True
            case 31:
                assert ended
                target = int.from_bytes(file.read(8), "little")
            case 60:
                address, size, _, way = struct.unpack("<QHHB", file.read(13))
                references.append((way - 1, address, size))
                for _ in range(0, size, 8):
                    assert file.read(9)[0] == 61
            case 240 | 241:
                assert ended
                code = file.read(4 if number[0] == 240 else 2)
                found.append((here, code, references))
                here = here + len(code) if target is None else target
                references, target = [], None
            case other:
                raise AssertionError(other)
    return header, found


@pytest.mark.tools
@pytest.mark.parametrize(("machine", "mode"), [("riscv32", 1), ("riscv64", 2)])
def test_instructions_are_those_of_the_executable(machine, mode, tmp_path, monkeypatch, capsys):
    tool = ["riscv64-linux-gnu-objdump", "-d"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    content = converted(machine, tool, "stf")
    capsys.readouterr()
    header, found = decoded(content)
    assert (header[2], header[4], header[5]) == (struct.pack("<II", 1, 6), 1, mode)
    known = disassembled(tool, "program.elf", True)
    assert all(code == known[address][0] for address, code, _ in found)
    expected = []
    for events in TraceFile("run.trace").events():
        for kind, *event in zip(events.kinds.tolist(), events.addresses.tolist(), events.sizes.tolist(), strict=True):
            if kind == 2:
                expected.append((*event, []))
            else:
                expected[-1][2].append((kind, *event))
    assert [(address, len(code), references) for address, code, references in found] == expected
    read = [
        row
        for part in stf.read(io.BytesIO((tmp_path / "run.stf").read_bytes()), "run.stf")
        for row in zip(part.kinds.tolist(), part.addresses.tolist(), part.sizes.tolist(), strict=True)
    ]
    flat = [row for address, size, references in expected for row in ((2, address, size), *references)]
    assert read == flat


def test_what_the_format_cannot_say():
    one = events_of(np.array([2]), np.array([64]), 4)
    with pytest.raises(TraceError, match="no other machine"):
        stf.write([one], {}, Code([(64, b"abcd")], 3), io.BytesIO())
    long = events_of(np.array([2]), np.array([64]), 6)
    with pytest.raises(TraceError, match="has 6"):
        stf.write([long], {}, Code([(64, b"abcdef")], RISC_V), io.BytesIO())


def test_records_that_nobody_needs_are_passed_over():
    out = io.BytesIO()
    stf.write([events_of(np.array([2, 0]), np.array([64, 8]), 4)], {}, Code([(64, b"abcd")], RISC_V), out)
    content = out.getvalue()
    end = content.rindex(bytes([stf.ACCESS]))
    others = b"\x28\x05\0\x31" + bytes(8) + b"\x64" + bytes(8) + b"\x01" + bytes(8) + b"\x03\x02\0\0\0hi"
    (events,) = stf.read(io.BytesIO(content[:end] + others + content[end:]), "a.stf")
    assert (events.kinds.tolist(), events.addresses.tolist()) == ([2, 0], [64, 8])
    for wrong in (content[:-1], content[1:], content + b"\xfa", content + b"\x28\0\0\x13"):
        with pytest.raises(TraceError):
            list(stf.read(io.BytesIO(wrong), "a.stf"))
