"""A faster interpreter of RTLs: runs a linked program at any stage, as `vpo.interpret.plain` defines it.

Every function is compiled to Python when it is first entered (`function_code.py`).  Functions that have no
entry and exit code yet (stages 'pseudo' and 'allocated') get a frame, and have the stack pointer and the preserved registers
restored, by the interpreter.  It shares types and arithmetic with the plain one, and no other code: tests compare the two, and
host code, counters and cache simulators with this one.  Programs are measured by it where there is no LLVM.
"""

from __future__ import annotations

import struct
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Protocol

from vpo.algebra import values
from vpo.algebra.folding import BIT_OPERATORS
from vpo.analysis.cfg import units
from vpo.interpret.fast.expression_code import structs
from vpo.interpret.fast.function_code import FunctionCode, SegmentCode
from vpo.interpret.plain_state import widest_views
from vpo.interpret.result import Observer, Result, run_with_streams, uncounted_rtls
from vpo.interpret.target_memory import Memory
from vpo.program import Program
from vpo.rtl import BITS, CODE_TYPES
from vpo.rtl.function import Function
from vpo.system.address_space import kernel_of
from vpo.system.faults import (
    ENTRY,
    MESSAGES,
    Exit,
    Fault,
    MemoryFault,
    access_message,
    fault_delivery,
    stack_message,
    transfer_message,
)
from vpo.system.system import System

_SOURCE = "<rtl of function {}>"
BETWEEN_LOOKS = 10_000  # segments that are executed until the clock is looked at again


# An F value in a register that also has a D view is kept as the D whose bits are the F's below 32 ones ("NaN boxing"), so that
# saving and restoring the D register preserves it.
_F32, _D64, _I32, _I64 = struct.Struct("<f"), struct.Struct("<d"), struct.Struct("<I"), struct.Struct("<Q")
_BOX = b"\xff\xff\xff\xff"


def box(x: float) -> float:
    """Return the double that stands for a single in a register that holds doubles."""
    boxed: float = _D64.unpack(_F32.pack(x) + _BOX)[0]
    return boxed


def unbox(x: float) -> float:
    """Return the single in the low half of a double's bits."""
    single: float = _F32.unpack(_D64.pack(x)[:4])[0]
    return single


def single_bits(x: float) -> int:
    """Return the 32 bits of a single."""
    bits: int = _I32.unpack(_F32.pack(x))[0]
    return bits


def double_bits(x: float) -> int:
    """Return the 64 bits of a double."""
    bits: int = _I64.unpack(_D64.pack(x))[0]
    return bits


def bits_single(bits: int) -> float:
    """Return the single with these 32 bits."""
    x: float = _F32.unpack(_I32.pack(bits))[0]
    return x


def bits_double(bits: int) -> float:
    """Return the double with these 64 bits."""
    x: float = _D64.unpack(_I64.pack(bits))[0]
    return x


HELPERS = {
    name: getattr(values, name)
    for name in (
        "integer_relations", "floating_relations", "round_single", "divide", "square_root", "signed_divide",
        "signed_remainder", "to_integer", "integer_to_single", "absolute",
    )
} | {each.__name__: each for each in (box, unbox, single_bits, double_bits, bits_single, bits_double)} | BIT_OPERATORS


class TransferObserver(Protocol):
    """Is told, in order, of all calls and of transfers that are decided at run time (`vpo.analysis.transfers`)."""

    def transfer(self, kind: str, address: int, target: int, outcome: int) -> None:
        """A transfer is decided; its outcome is 0 or 1 (taken) for a branch, else the address to go to."""
        ...

    def called(self, back: int) -> None:
        """A function is called, indirectly or not, that is to return to an address."""
        ...


class _TransferFault(Exception):
    """A call, jump or return to nowhere."""

    def __init__(self, kind: str, address: int, expected: int | None = None) -> None:
        super().__init__(address)
        self.kind, self.address, self.expected = kind, address, expected


class _LimitReached(Exception):
    """As many instructions have been executed as may be."""


class _TimeIsUp(Exception):
    """The run has taken as long as it may."""


class Interpreter:
    """One run of a program, which ends before it has executed more than `limit` instructions, or after `timeout` seconds."""

    def __init__(
        self,
        program: Program,
        arguments: Sequence[str | bytes] = (),
        *,
        streams: Sequence[int] = (0, 1, 2),
        roots: Iterable[str | Path] = (),
        observer: Observer | None = None,
        transfers: TransferObserver | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> None:
        self.deadline = None if timeout is None else time.monotonic() + timeout
        self.program, self.observer, self.transfers, self.limit = program, observer, transfers, limit
        self.machine = program.machine
        self.memory = Memory(program)
        self.system = System(kernel_of(program), self.memory, streams, roots)
        self.names = list(program.functions)
        self.functions = list(program.functions.values())
        self.by_address = {program.symbols[name]: i for i, name in enumerate(self.names)}
        self.counts: list[int] = []
        self.segments: list[SegmentCode] = []
        self.by_line: dict[str, list[tuple[SegmentCode, int] | None]] = {}
        # by return address and stack pointer, how deep the activation was to which `__setjmp` returned, and where that went on
        self.contexts: dict[tuple[int, Any], tuple[int, Any, int, Any]] = {}
        self.delivery = fault_delivery(program)
        self.left: Counter[tuple[str, int, int]] = Counter()  # RTLs of functions from one to another that faults left out
        self.space = self._namespace()
        entry = [name for name, _ in zip(self.names, self.functions, strict=True)].index(program.entry)
        stack = self.memory.start(program, arguments)
        given = (self.machine.stack_pointer, *self.machine.convention.start_arguments)
        for register, value in zip(given, (stack.pointer, stack.count, stack.vector), strict=False):
            self.space[f"v_{self.machine.classes[register.cls].bank}_{register.index}"] = value
        self.start: Callable[[], Any] = self.space["E"][entry]

    def _namespace(self) -> dict[str, Any]:
        """Return the variables of the generated code."""
        space: dict[str, Any] = {
            **HELPERS,
            **structs(self.machine.big_endian),
            "C": self.counts,
            "S": [],
            "F": [],
            "P": [],
            "N": [0],  # resident windows, without that of the start-up code
            "W": [0] * len(self.machine.private_registers()),
            "E": [self._stub(i) for i in range(len(self.names))],
            "pages": self.memory.pages,
            "system_call": self.system.call,
            "misaligned": self._misaligned,
            "exhausted": _exhausted,
            "past_the_end": _past_the_end,
            "find": self._find,
            "J": _jump,
            "B": [self.limit],  # instructions that may still be executed
            "stop": _stop,
            "R": self._return,
            "save": self._save_context,
            "resume": self._resume_context,
        }
        banks = widest_views(self.machine)
        for cls in self.machine.classes.values():
            for index in range(cls.count if cls.width == 1 else 0):
                name = f"v_{cls.bank}_{index}"
                if cls.type in CODE_TYPES:
                    space[f"{name}_a"] = space[f"{name}_b"] = 0
                else:
                    space[name] = 0.0 if banks[cls.bank] in ("F", "D") else 0
        if self.observer is not None:
            space["fetch"], space["refer"] = self.observer.fetch, self.observer.data
        if self.transfers is not None:
            space["transfer"], space["called"] = self.transfers.transfer, self.transfers.called
        return space

    # ------------------------------------------------------------------------------- generated functions

    def _stub(self, number: int) -> Callable[[], Any]:
        """Return what stands for a function until it is entered: it compiles the function."""

        def enter() -> Any:
            return self._compile(number)

        return enter

    def _compile(self, number: int) -> Any:
        observed, followed, limited = (x is not None for x in (self.observer, self.transfers, self.limit))
        code = FunctionCode(self.program, number, len(self.counts), observed, followed, limited)
        self.counts.extend([0] * (code.counters - len(self.counts)))
        self.segments += code.segments
        lines: list[tuple[SegmentCode, int] | None] = [None]
        source: list[str] = []
        for segment in code.segments:
            source += segment.text
            lines += [(segment, position) for position in segment.lines]
        entry = code.entry()
        if entry:
            source.append(entry)
            lines += [(code.segments[0], 0)] * (entry.count("\n") + 1)
        source.append(f"def x{number}():past_the_end()")
        lines.append((code.segments[-1], code.segments[-1].end - 1))
        name = _SOURCE.format(number)
        self.by_line[name] = lines
        exec(compile("\n".join(source) + "\n", name, "exec"), self.space)
        self.space["E"][number] = self.space[f"e{number}" if entry else f"s{number}_0_0"]
        return self.space["E"][number]

    def _misaligned(self, address: int, size: int, write: bool = False) -> NoReturn:
        raise MemoryFault(address & ((1 << BITS[self.machine.address_type]) - 1), size, write, "misaligned")

    def _find(self, address: int) -> Any:
        number = self.by_address.get(address)
        if number is None:
            raise _TransferFault("call", address)
        return self.space["E"][number]

    def _return(self, address: int, activation: Any = None) -> Any:
        """Return from a function; `activation`, if given, is already known not to fit."""
        stack = self.space["S"]
        if activation is None:
            if not stack:
                raise _TransferFault("return", address)
            activation = stack.pop()
        if activation[0] != address:
            raise _TransferFault("return", address, activation[0])
        self.space["P"] = activation[1]
        if len(activation) > 3:
            self.space["W"] = activation[3]
        return activation[2]

    def _context(self, address: int) -> tuple[int, Any]:
        pointer = self.machine.stack_pointer
        return address, self.space[f"v_{self.machine.classes[pointer.cls].bank}_{pointer.index}"]

    def _save_context(self, address: int) -> Any:
        """Return from `__setjmp`, and note to where."""
        stack = self.space["S"]
        activation = stack[-1]
        after = self._return(address)
        caller = stack[-1] if stack else None
        self.contexts[self._context(address)] = len(stack), caller, len(self.space["F"]), activation
        return after

    def _resume_context(self, address: int) -> Any:
        """Return once more from `__setjmp`, if the activation is still there."""
        stack = self.space["S"]
        depth, caller, frames, activation = self.contexts.get(self._context(address), (-1, None, 0, None))
        if not 0 <= depth <= len(stack) or (depth and stack[depth - 1] is not caller):
            raise _TransferFault("return", address)
        stack[depth:] = [activation]
        del self.space["F"][frames:]
        return self._return(address)

    # ------------------------------------------------------------------------------------------- running

    def run(self) -> Result:
        """Run to the end."""
        status: int | None = None
        fault: Fault | None = None
        step: Callable[[], Any] | None = self.start
        while step is not None:
            try:
                while self.deadline is None:
                    step = step()
                while True:
                    for _ in range(BETWEEN_LOOKS):
                        step = step()
                    if time.monotonic() > self.deadline:
                        raise _TimeIsUp
            except _TimeIsUp:
                fault, stopped, step = Fault("timeout", MESSAGES["timeout"]), None, None
            except Exit as exit_:
                status, step = exit_.status, None
                stopped = self._where(exit_.__traceback__)[0]
            except (
                _LimitReached, _TransferFault, MemoryFault, ZeroDivisionError, TypeError, IndexError, struct.error
            ) as error:  # fmt: skip
                found, frame = self._where(error.__traceback__)
                if found is None:
                    raise
                fault, address = self._fault(error, *found, frame)
                step = self._deliver(fault, address, *found)
                stopped = found[0], found[1] - (fault.kind != "end")
        if fault is not None and status is None:
            self.system.flush()
        return self._result(status, fault if status is None else None, stopped)

    def close(self) -> None:
        """Forget the functions: what they refer to refers to them, and memory would wait for the cyclic collector."""
        self.space.clear()
        del self.start

    def _where(self, trace: TracebackType | None) -> tuple[tuple[SegmentCode, int] | None, dict[str, Any]]:
        """Return the innermost RTL of a traceback, and the variables of the generated code."""
        found: tuple[tuple[SegmentCode, int] | None, dict[str, Any]] = None, {}
        for frame, line in traceback.walk_tb(trace):
            lines = self.by_line.get(frame.f_code.co_filename)
            if lines is not None:
                found = lines[line], frame.f_locals
        return found

    def _fault(
        self, error: Exception, segment: SegmentCode, position: int, variables: dict[str, Any]
    ) -> tuple[Fault, int]:
        """Return what went wrong at an RTL, and the address of the reference or call, or 0."""
        digits, address = BITS[self.machine.address_type] // 4, 0
        if isinstance(error, TypeError | IndexError | struct.error):  # a page that is not there, or not whole
            bad = self._bad_access(segment, position, variables)
            if bad is None:
                raise error
            error = bad
        match error:
            case _LimitReached():
                kind, message = "limit", f"stopped after {self.limit} instructions"
            case _TransferFault():
                kind, address = error.kind, error.address
                message = MESSAGES.get(kind) or transfer_message(kind, address, error.expected, digits)
            case MemoryFault(kind="stack"):
                kind, address = error.kind, error.address
                message = stack_message(self.machine.layout.stack_size, address, digits)
            case MemoryFault():
                kind, address = error.kind, error.address
                message = access_message(kind, error.write, error.size, address, digits)
            case _:
                kind, message = "division", MESSAGES["division"]
        return self._placed(kind, message, segment.function, position), address

    def _deliver(self, fault: Fault, address: int, segment: SegmentCode, position: int) -> Callable[[], Any] | None:
        """Prepare the handler of a fault, and return the function to enter; None if the program has no handler for it."""
        number = self.delivery.signal(fault.kind, self.memory.read) if self.delivery is not None else 0
        if self.delivery is None or not number:
            return None
        self._leave(segment, position, executed=fault.kind == "call")
        machine, space = self.machine, self.space
        size, order = BITS[machine.address_type] // 8, "big" if machine.big_endian else "little"
        self.memory.write(self.delivery.number, bytes([number]))
        self.memory.write(self.delivery.where, (address & ((1 << 8 * size) - 1)).to_bytes(size, order))  # type: ignore[arg-type]
        pointer = machine.stack_pointer
        space[f"v_{machine.classes[pointer.cls].bank}_{pointer.index}"] = self.delivery.stack
        private = len(machine.private_registers())
        space["S"].append((-1, space["P"], _past_the_end, *([space["W"]] if private else [])))
        if private:
            space["W"] = [0] * private
        entered: Callable[[], Any] = space["E"][self.names.index(ENTRY)]
        return entered

    def _leave(self, segment: SegmentCode, position: int, executed: bool) -> None:
        """Note which RTLs of a segment a fault leaves out (`vpo.system.faults`); `executed`: delay slots have been."""
        function = segment.function
        block, start = function.blocks[segment.block], function.block_starts()[segment.block]
        _, cut, _ = next(u for u in units(self.machine, function, block) if u[2] > position - start)
        self.left[function.name, start + cut, segment.end] += 1
        if position - start >= cut:  # in slots that a branch may annul
            branch = next(s for s in self.segments if s.function is function and s.block == segment.block and s.taken >= 0)
            self.counts[branch.taken] -= 1
        elif self.limit is not None and not executed:
            rest = function.rtls()[position + 1 : start + cut]
            self.space["B"][0] -= sum(rtl.record is None or rtl.record.counted for rtl in rest)

    def _placed(self, kind: str, message: str, function: Function, position: int) -> Fault:
        rtls = function.rtls()
        line = max(rtls[position].lines, default=0) if position < len(rtls) else 0
        address = self.program.addresses[function.name][position]
        return Fault(kind, message, function.name, function.file, line, address, position)

    def _bad_access(self, segment: SegmentCode, position: int, variables: dict[str, Any]) -> MemoryFault | None:
        """Find the reference of an RTL that the memory refuses."""
        mask = (1 << BITS[self.machine.address_type]) - 1
        for text, size, write in segment.accesses.get(position, ()):
            try:
                address = eval(text, self.space, dict(variables)) & mask
                if not self.machine.misaligned and address & (size - 1):
                    return MemoryFault(address, size, write, "misaligned")
                self.memory.check(address, size, write)
            except MemoryFault as fault:
                return fault
        return None

    def _window_moves(self, function: Function) -> list[int]:
        if self.machine.convention.windows is None:
            return []
        return [position for position, rtl in enumerate(function.rtls()) if self.machine.window_move(rtl.effects)]

    def _result(self, status: int | None, fault: Fault | None, stopped: tuple[SegmentCode, int] | None) -> Result:
        rtls = {name: [0] * len(f.rtls()) for name, f in self.program.functions.items()}
        blocks = {name: [0] * len(f.blocks) for name, f in self.program.functions.items()}
        taken = {name: [0] * len(f.blocks) for name, f in self.program.functions.items()}
        traps = {name: dict.fromkeys(self._window_moves(function), 0) for name, function in self.program.functions.items()}
        for segment in self.segments:
            for position, counter in segment.traps.items():
                traps[segment.function.name][position] = self.counts[counter]
            name, count = segment.function.name, self.counts[segment.counter]
            for position in range(segment.first, segment.end):
                rtls[name][position] = count
            if segment.name.endswith("_0"):
                blocks[name][segment.block] = count
            if segment.taken >= 0:
                taken[name][segment.block] = self.counts[segment.taken]
        for (name, first, end), times in self.left.items():
            for position in range(first, end):
                rtls[name][position] -= times
        if stopped is not None:
            segment, last = stopped
            for position in range(last + 1, segment.end):
                rtls[segment.function.name][position] -= 1
        registers = {k[2:]: v for k, v in self.space.items() if k.startswith("v_")}
        uncounted = uncounted_rtls(self.program, rtls)
        return Result(status, fault, rtls, blocks, taken, traps, self.memory, registers=registers, uncounted=uncounted)


def _exhausted(address: int) -> NoReturn:
    raise MemoryFault(address, 0, True, "stack")


def _stop() -> NoReturn:
    raise _LimitReached


def _past_the_end() -> NoReturn:
    raise _TransferFault("end", 0)


def _jump(address: int, table: dict[int, Any]) -> Any:
    try:
        return table[address]
    except KeyError:
        raise _TransferFault("jump", address) from None


def interpret(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    *,
    stdin: bytes | None = None,
    capture: bool = False,
    roots: Iterable[str | Path] = (),
    limit: int | None = None,
    observer: Observer | None = None,
    transfers: TransferObserver | None = None,
    timeout: float | None = None,
) -> Result:
    """Run a program; `stdin` replaces standard input, `capture` keeps standard output and error in the result."""

    def run(streams: Sequence[int]) -> Result:
        interpreter = Interpreter(
            program, arguments, streams=streams, roots=roots, observer=observer, transfers=transfers, limit=limit,
            timeout=timeout,
        )  # fmt: skip
        try:
            return interpreter.run()
        finally:
            interpreter.close()

    return run_with_streams(run, stdin, capture)
