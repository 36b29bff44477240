"""E-Trace: a decoder written from the specification (packets, decoding) finds the address of every instruction."""

import io

import pytest

from cache_sim.traces.formats.etrace import packet
from ease.commands.runs.trace_command import main as ease_trace
from tests.traces.conftest import trace_of
from tests.traces.programs import ENDING
from vpo.rtl import Branch, Jump, Symbol

WIDTH = 64


def listing(program):
    """Return what a decoder must know of each instruction: size, kind, and where it goes, if that is in its text."""
    found = {}
    for name, function in program.functions.items():
        for rtl, (start, end) in zip(function.rtls(), program.fetched[name], strict=True):
            kind, target = "other", None
            if isinstance(rtl.transfer, Branch | Jump):
                kind = "branch" if isinstance(rtl.transfer, Branch) else "jump"
                target = program.labels[name, rtl.transfer.label]
            elif rtl.call is not None and isinstance(rtl.call.target, Symbol):
                kind, target = "jump", program.symbols[rtl.call.target.name]
            elif rtl.transfer is not None or rtl.call is not None or rtl.system_call is not None:
                kind = "uninferable"
            found[start] = (end - start, kind, target)
    return found


class Bits:
    """The payload of a packet; what was left out is the sign of what there is."""

    def __init__(self, content):
        self.value = int.from_bytes(content, "little", signed=True)

    def take(self, bits):
        taken = self.value & ((1 << bits) - 1)
        self.value >>= bits
        return taken


class Decoder:
    """Follows the program, as chapter 11 has it, without options."""

    def __init__(self, program):
        self.program, self.found = program, []
        self.pc = self.address = None
        self.pending = []  # outcomes of branches, the oldest first; the last one may be of the instruction at pc

    def decode(self, content):
        file = io.BytesIO(content)
        while head := file.read(1):
            assert head[0] >> 5 == 2
            self.one(Bits(file.read(head[0] & 31)))
        return self.found

    def one(self, bits):
        match bits.take(2):
            case 3:
                self.synchronised(bits)
            case 2:
                self.follow(self.with_address(bits))
            case 1:
                count = bits.take(5)
                outcomes = bits.take(next(n for n in (1, 3, 7, 15, 31) if n >= (count or 31)))
                self.pending += [not outcomes >> n & 1 for n in range(count or 31)]
                self.follow(self.with_address(bits) if count else None)
            case other:
                raise AssertionError(other)

    def synchronised(self, bits):
        match bits.take(2):
            case 0:
                assert not self.pending
                not_taken, _ = bits.take(1), bits.take(2)
                self.address = self.pc = bits.take(WIDTH - 1) << 1
                self.found.append(self.pc)
                if self.program[self.pc][1] == "branch":
                    self.pending.append(not not_taken)
            case 3:
                assert bits.take(2) in (0, 1)
                if bits.take(2):  # tracing ended
                    assert not self.pending
            case other:
                raise AssertionError(other)

    def with_address(self, bits):
        away = bits.take(WIDTH - 1) << 1
        self.address = (self.address + away) % (1 << WIDTH)
        flags = away >> (WIDTH - 1), bits.take(1), bits.take(1), bits.take(1)
        assert flags[0] == flags[1]  # nothing notified
        return self.address, flags[1] != flags[2]

    def follow(self, reported):
        """Go on until an address that is reported, or the last branch whose outcome is known."""
        while True:
            size, kind, target = self.program[self.pc]
            computed = kind == "uninferable"
            if kind == "branch":
                self.pc = target if self.pending.pop(0) else self.pc + size
            elif kind == "jump":
                self.pc = target
            else:
                self.pc = reported[0] if computed else self.pc + size
            self.found.append(self.pc)
            decides = self.program[self.pc][1] == "branch"
            left = len(self.pending) == decides
            if reported is None and decides and left:
                return
            if reported is not None and (computed or (left and self.pc == reported[0])):
                assert left
                assert computed or not reported[1]
                return


@pytest.mark.parametrize("name", sorted(ENDING))
def test_a_decoder_finds_every_instruction(programs, traced, name, tmp_path):
    program = programs(ENDING[name], "riscv32", 1)
    content = traced(program, data=False)[0]
    (tmp_path / "a.trace").write_bytes(content)
    assert ease_trace(["convert", str(tmp_path / "a.trace"), "-o", str(tmp_path / "a.etrace")]) == 0
    fetched = [address for events in trace_of(content).events(("fetch",)) for address in events.addresses.tolist()]
    assert Decoder(listing(program)).decode((tmp_path / "a.etrace").read_bytes()) == fetched


@pytest.mark.parametrize(("machine", "message"), [("sparc", "no delay slots"), ("vax", "even addresses")])
def test_what_the_format_cannot_say(programs, traced, machine, message, tmp_path, capsys):
    (tmp_path / "a.trace").write_bytes(traced(programs(ENDING["nested loops"], machine, 1), data=False)[0])
    assert ease_trace(["convert", str(tmp_path / "a.trace"), "-o", str(tmp_path / "a.etrace")]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fields", "payload"),
    [([(3, 2), (0, 6)], "03"), ([(1, 2), (-1, 63)], "fd"), ([(2, 2), (63, 63)], "fe00"), ([(2, 2), (-64, 40)], "02ff")],
)
def test_sign_based_compression(fields, payload):
    assert packet(*fields) == bytes([64 + len(payload) // 2]) + bytes.fromhex(payload)
