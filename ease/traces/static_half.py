"""The static half of a trace: what each RTL and each block of the program is, for readers that have no program."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

from cache_sim.traces.formats.champsim import CALL, JUMP, RETURN
from ease.accesses import accesses
from ease.source_names import file_name
from ease.traces.copies import copies
from vpo.analysis.references import references
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import Branch, Register, Return, Rtl


def static_half(program: Program) -> dict[str, Any]:
    """Return it as JSON has it; docs/traces.md says what each key means.

    Lists have an entry for each number of an RTL, those one past the last RTL of a function among them.
    """
    types: dict[str, int] = {}
    files: dict[str, int] = {}
    functions: list[list[object]] = []
    blocks: list[list[int]] = []
    kinds: list[int] = []
    lines: list[int] = []
    texts: list[str] = []
    addresses: list[int] = []
    transfers: list[int] = []
    registers = _Registers(program.machine)
    for name, function in program.functions.items():
        first, places, fetched = program.first(name), program.addresses[name], program.fetched[name]
        file = files.setdefault(file_name(function.file), len(files))
        functions.append([name.removeprefix("_"), file, first, len(places) - 1])
        records = [program.machine.record(rtl) for rtl in function.rtls()]
        kinds += [types.setdefault(record.name, len(types)) for record in records] + [-1]
        lines += [rtl.lines[0] for rtl in function.rtls()] + [0]
        texts += [record.assembly for record in records] + [""]
        addresses += places
        transfers += [*map(_transfer, function.rtls()), 0]
        registers.add([*function.rtls(), None])
        for block, start in zip(function.blocks, function.block_starts(), strict=True):
            found = [reference for rtl in block.rtls for reference in references(rtl)]
            writes = sum(reference.write for reference in found)
            end = start + len(block.rtls)
            counted = sum(record.counted for record in records[start:end])
            size = sum(behind - address for address, behind in fetched[start:end])
            blocks.append([first + start, places[start], size, counted, len(found) - writes, writes])
    return {
        "types": list(types), "files": list(files), "functions": functions, "blocks": blocks, "type": kinds, "line": lines,
        "text": texts, "address": addresses, "copies": copies(program), "transfer": transfers,
        "uses": [[list(read), list(written)] for read, written in registers.uses], "use": registers.use,
    }  # fmt: skip


def _transfer(rtl: Rtl) -> int:
    """Return what an RTL is that always takes control elsewhere, 0 if it is none."""
    if rtl.call is not None:
        return CALL
    if rtl.transfer is None or isinstance(rtl.transfer, Branch):
        return 0
    return RETURN if isinstance(rtl.transfer, Return) else JUMP


class _Registers:
    """Which registers each RTL reads and writes: numbers in the order in which they occur, 0 is the stack pointer.

    `uses` are the pairs that there are, and `use` has the number of one for each RTL, that of none for no RTL.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.numbers = dict.fromkeys(machine.storage(machine.stack_pointer), 0)
        self.uses: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 0}
        self.use: list[int] = []

    def add(self, rtls: list[Rtl | None]) -> None:
        """Add the RTLs of a function."""
        for rtl in rtls:
            read, written = ((), ()) if rtl is None else map(self._numbered, accesses(rtl))
            self.use.append(self.uses.setdefault((read, written), len(self.uses)))

    def _numbered(self, registers: set[Register]) -> tuple[int, ...]:
        places = {place for each in registers if each not in self.machine.zero for place in self.machine.storage(each)}
        found = {self.numbers.setdefault(place, len(self.numbers)) for place in sorted(places)}
        return tuple(sorted(found, reverse=True))  # the stack pointer last


def image_digest(program: Program, static: dict[str, Any]) -> str:
    """Return the SHA-256 of a program's code, data and addresses, whatever the names of its source files are."""
    code = [static[name] for name in ("types", "type", "text", "address")]
    digest = hashlib.sha256(json.dumps([code, sorted(program.symbols.items()), program.end]).encode())
    for address, content in program.image:
        digest.update(struct.pack("<QQ", address, len(content)) + content)
    return digest.hexdigest()
