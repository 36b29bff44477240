"""A slice of a run: its state behind some instruction, so that it goes on from there (CITCAT's initial machine state).

The plain interpreter, whose state is explicit, runs to the instruction and on to the end.  Of memory a slice holds only those
bytes that are read before they are written.  It goes on in the plain interpreter, which can begin anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ease.records.record_file import Ending, Record, decoded
from ease.records.recording import ReplayingSystem
from vpo.algebra.values import Value
from vpo.interpret.plain import LimitError, PlainInterpreter
from vpo.interpret.plain_state import Activation, Resumption
from vpo.interpret.result import Result
from vpo.interpret.target_memory import Memory
from vpo.program import Program
from vpo.system.address_space import kernel_of
from vpo.system.faults import Exit, MemoryFault

Registers = dict[tuple[str, int, bool, int], Value]


class NoSlice(ValueError):
    """A run cannot be cut where it was asked for."""


class FirstReads:
    """Memory that notes the bytes that are read before they are written."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.known: set[int] = set()  # addresses that were read or written
        self.read_first: dict[int, int] = {}  # bytes by address

    def read(self, address: int, size: int) -> bytes:
        """Return bytes.

        Raises MemoryFault.
        """
        content = self.memory.read(address, size)
        for place, byte in enumerate(content, address):
            if place not in self.known:
                self.known.add(place)
                self.read_first[place] = byte
        return content

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        self.memory.write(address, data)
        self.known.update(range(address, address + len(data)))

    def writable(self, address: int, size: int) -> int:
        """Return how many of `size` bytes from an address on may be stored."""
        return self.memory.writable(address, size)

    def set_break(self, end: int) -> None:
        """Map the heap up to `end`."""
        self.memory.set_break(end)

    def pieces(self) -> list[tuple[int, str]]:
        """Return what was read first: addresses and bytes in hexadecimal, bytes that follow each other together."""
        found: list[tuple[int, bytearray]] = []
        for address in sorted(self.read_first):
            if not found or found[-1][0] + len(found[-1][1]) != address:
                found.append((address, bytearray()))
            found[-1][1].append(self.read_first[address])
        return [(address, content.hex()) for address, content in found]


def interpreter_of(program: Program, record: Record, silent: bool = False) -> PlainInterpreter:
    """Return the plain interpreter that replays a record, a slice from its state.

    Raises NoSlice for a state that cannot be.
    """
    interpreter = PlainInterpreter(program, record.arguments, (0, 1, 2), (), record.limit, None)
    interpreter.system = ReplayingSystem(kernel_of(program), interpreter.state.memory, record.calls, silent)
    if record.state is not None:
        try:
            _restore(interpreter, record.state)
        except (KeyError, ValueError, MemoryFault):
            raise NoSlice("the record is damaged: the state of the slice is not one of its program") from None
    return interpreter


def slice_of(program: Program, record: Record, start: int, end: int | None = None) -> Record:
    """Return the record of what a run does behind its first `start` instructions, up to `end` or its own end.

    It begins behind the delay slots of a transfer that is the last of these instructions.  Raises NoSlice.
    """
    if record.state is not None:
        raise NoSlice("this record is a slice; cut the record that it comes from")
    interpreter = interpreter_of(program, replace(record, limit=end or record.limit), silent=True)
    system = interpreter.system
    assert isinstance(system, ReplayingSystem)
    try:
        interpreter.enter(program.functions[program.entry], None)
        while interpreter.executed < start:
            interpreter.advance()
    except (Exit, LimitError):
        raise NoSlice(f"the run ends before it has executed {start:,} instructions and one more") from None
    state, done = _state(interpreter), system.done
    reads = FirstReads(interpreter.state.memory)
    interpreter.state.memory = system.memory = reads  # type: ignore[assignment]
    result = interpreter.run(resumed=True)
    calls = list(decoded(record.calls))[done : system.done]
    cut = result.fault is not None and result.fault.kind == "limit" and end is not None
    ending = Ending(124, "limit", f"stopped after {end} instructions") if cut else record.ending
    return replace(
        record, limit=end or record.limit, calls=b"".join(call.encoded() for call in calls), ending=ending,
        state={**state, "memory": reads.pieces()},
    )  # fmt: skip


def replayed_slice(program: Program, record: Record) -> tuple[Result, str]:
    """Run a slice; return what it came to, and what is told if it stopped because it differs from the record.

    Raises NoSlice.
    """
    interpreter = interpreter_of(program, record)
    result = interpreter.run(resumed=True)
    system = interpreter.system
    assert isinstance(system, ReplayingSystem)
    return result, system.told


def _state(interpreter: PlainInterpreter) -> dict[str, Any]:
    """Return registers, activations and what the operating system knows, as JSON."""
    state, system = interpreter.state, interpreter.system
    assert isinstance(system, ReplayingSystem)
    return {
        "executed": interpreter.executed,
        "resident": interpreter.resident,
        "place": [interpreter.block, interpreter.index],
        "registers": _listed(state.registers),
        "activations": [
            {
                "function": a.function.name, "back": a.back, "place": [a.block, a.index], "own": _listed(a.own),
                "preserved": _listed(a.preserved),
                "contexts": [[target, r.stack_pointer, r.block, r.index] for target, r in a.contexts.items()],
            }
            for a in state.activations
        ],
        "break": [system.break_, system.mapped_break],
        "calls": system.done,
        "outputs": [[fd, 0 if host == system.nothing else host] for fd, host in system.files.items()],
    }  # fmt: skip


def _restore(interpreter: PlainInterpreter, kept: Mapping[str, Any]) -> None:
    """Give an interpreter the state of a slice."""
    state, system, memory = interpreter.state, interpreter.system, interpreter.state.memory
    assert isinstance(system, ReplayingSystem)
    interpreter.executed, interpreter.resident = kept["executed"], kept["resident"]
    interpreter.block, interpreter.index = kept["place"]
    state.registers = _registers(kept["registers"])
    for given in kept["activations"]:
        function = interpreter.program.functions[given["function"]]
        contexts = {target: Resumption(*rest) for target, *rest in given["contexts"]}
        back, (block, index) = given["back"], given["place"]
        own, preserved = _registers(given["own"]), _registers(given["preserved"])
        layout = interpreter.layouts[function.name]
        state.activations.append(Activation(function, layout, back, block, index, own, preserved, contexts))
    system.break_, system.mapped_break = kept["break"]
    memory.set_break(system.mapped_break)
    system.done = kept["calls"]
    system.files = {fd: host or system.nothing for fd, host in kept["outputs"]}
    _check_places(state.activations, (interpreter.block, interpreter.index))
    for address, content in interpreter.program.image:
        memory.data[address - memory.low : address - memory.low + len(content)] = bytes(len(content))
    for address, text in kept["memory"]:
        _put(memory, address, bytes.fromhex(text))


def _put(memory: Memory, address: int, content: bytes) -> None:
    """Store bytes, in memory that the program may not write, too."""
    stack = memory.regions[-1]
    if stack.start <= address < stack.end:
        memory.write(address, content)
        return
    start = address - memory.low
    if start < 0 or start + len(content) > len(memory.data):
        raise MemoryFault(address, len(content), write=True)
    memory.data[start : start + len(content)] = content


def _check_places(activations: list[Activation], place: tuple[int, int]) -> None:
    """Raise ValueError if control is, or returns to, where its function has no instruction."""
    if not activations:
        raise ValueError("no function is under way")
    places = [*((a.block, a.index) for a in activations[1:]), place]  # each says where its caller goes on
    for activation, (block, index) in zip(activations, places, strict=True):
        blocks = activation.function.blocks
        if block >= len(blocks) or index > len(blocks[block].rtls):
            raise ValueError("no instruction is there")


def _listed(registers: Registers) -> list[list[Any]]:
    return [[*key, value] for key, value in registers.items()]


def _registers(listed: list[list[Any]]) -> Registers:
    return {
        (bank, number, pseudo, version): tuple(value) if isinstance(value, list) else value
        for bank, number, pseudo, version, value in listed
    }
