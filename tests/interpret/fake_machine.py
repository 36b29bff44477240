"""A machine that accepts every RTL, and a linker just good enough, for tests below the compiler."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, replace
from types import SimpleNamespace

from vpo import il
from vpo.il.data_model import DataModel
from vpo.machines.calling_convention import Convention
from vpo.machines.machine import Machine
from vpo.machines.match.recognizer import Match
from vpo.machines.match.record import Record
from vpo.machines.target import Halves, Layout, RegisterClass, Values
from vpo.program import Program
from vpo.rtl import BITS, TRANSFERS, Call, Register
from vpo.rtl.function import LabelItem, Unit
from vpo.text import parse_unit

SYSCALLS = {
    1: "exit", 3: "read", 4: "write", 5: "open", 6: "close", 10: "unlink", 13: "time", 19: "lseek", 38: "rename",
    45: "brk", 140: "llseek",
}  # fmt: skip
CELLS = {"r": "L", "q": "Q", "f": "D", "e": "F", "cc": "C", "fc": "G"}


@dataclass
class AnyInstruction:
    """A recogniser for which every RTL is an instruction; transfers have `slots` delay slots."""

    slots: int
    lengths: tuple[int, ...]

    def match(self, effects):
        return Match(SimpleNamespace(clobbers=()), {}, effects)

    def record(self, match):
        delayed = self.slots if any(isinstance(e, (*TRANSFERS, Call)) for e in match.effects) else 0
        size = self.lengths[zlib.crc32(repr(match.effects).encode()) % len(self.lengths)]
        return Record("ANY", size, 1, (), "", (), delayed)


def make_machine(big_endian=False, address_type="L", misaligned=True, slots=0, cells=None, lengths=(4,)):
    """r[2] is the stack pointer, r[1] the return address, r[8] and r[9] are preserved, r[0] is zero.

    `lengths`, in bytes, are those of instructions: which one has which goes by its text.
    """
    cells = cells or {**CELLS, "r": address_type}
    classes = {
        name: RegisterClass(name, t, 1 if t in "CG" else 32, {"e": "f"}.get(name, name), ()) for name, t in cells.items()
    }
    r = [Register("r", i, address_type) for i in range(32)]

    sizes = dict.fromkeys(("char", "short", "int", "long", "llong", "float", "double", "ldouble", "pointer"), 4)
    return Machine(
        name="fake",
        description="",
        big_endian=big_endian,
        address_type=address_type,
        classes=classes,
        stack_pointer=r[2],
        zero=frozenset([r[0]]),
        allocable={},
        model=DataModel(big_endian, False, sizes, sizes),
        layout=Layout(text=0x10000, stack_top=0x80000000, stack_size=1 << 20, heap_limit=0x1000000),
        convention=Convention(
            arguments={},
            results={},
            scratch=frozenset(),
            saved=(r[8], r[9]),
            link=r[1],
            call=(),
            return_=(),
            word=4,
            stack_align=16,
        ),
        syscalls=SYSCALLS,
        halves=Halves(12, True, "HI($s)", "LO($s)"),
        values=Values("r", "r"),
        fingerprint="fake",
        recognizer=AnyInstruction(slots, lengths),
        misaligned=misaligned,
    )


def link(machine: Machine, unit: Unit, entry="_start") -> Program:
    program = Program(machine, {f.name: f for f in unit.functions}, unit.data, entry=entry)
    address = machine.layout.text
    for function in unit.functions:
        program.symbols[function.name] = address
        program.addresses[function.name] = []
        for block in function.blocks:
            program.labels[function.name, block.label] = address
            for rtl in block.rtls:
                program.addresses[function.name].append(address)
                address += machine.record(rtl).size
        sizes = [machine.record(rtl).size for rtl in function.rtls()]
        starts = program.addresses[function.name]
        program.fetched[function.name] = [(start, start + size) for start, size in zip(starts, sizes, strict=True)]
        program.addresses[function.name].append(address)
    address = -(-address // 4096) * 4096
    for data in sorted(unit.data, key=lambda d: not d.constant):
        if not data.constant and any(d.constant for d in unit.data) and "_writable" not in program.symbols:
            address = -(-address // 4096) * 4096
            program.symbols["_writable"] = address
        address = -(-address // data.align) * data.align
        program.symbols[data.name] = address
        address += data.size
    for data in unit.data:
        program.image.append((program.symbols[data.name], contents(program, data)))
    return replace(program, end=-(-address // 16) * 16)


def contents(program: Program, data) -> bytes:
    order = "big" if program.machine.big_endian else "little"
    word = BITS[program.machine.address_type] // 8
    raw = bytearray(data.size)
    for item in data.items:
        match item:
            case il.IntItem():
                piece = (item.value & ((1 << 8 * item.size) - 1)).to_bytes(item.size, order)
            case il.AddressItem():
                piece = (program.symbols[item.symbol] + item.addend).to_bytes(word, order)
            case LabelItem():
                piece = program.labels[item.function, item.label].to_bytes(word, order)
            case il.BytesItem():
                piece = item.data
            case il.FloatItem():
                piece = struct.pack(("<>"[order == "big"]) + ("f" if item.size == 4 else "d"), item.value)
        raw[item.offset : item.offset + len(piece)] = piece
    return bytes(raw)


def program_of(text: str, **options) -> Program:
    machine = make_machine(**options)
    header = 'machine "fake" cells ' + " ".join(f"{k}={v}" for k, v in machine.cells.items()) + "\n"
    unit, _ = parse_unit(header + text)
    return link(machine, unit)
