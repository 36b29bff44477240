"""What a run came to, as its shared memory tells: the program's exit, or a fault with its place."""

from __future__ import annotations

import io
import mmap
import signal
import struct
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

from ease.host.process import job
from ease.host.process.job import RunResult
from ease.host.process.process import Ended
from ease.host.translation.ir_builder import SIZE, TRAPS
from ease.host.translation.translate import beyond_budget
from vpo.program import Program
from vpo.rtl import BITS
from vpo.system import faults
from vpo.system.address_space import beyond_stack

if TYPE_CHECKING:
    pass

# ----------------------------------------------------------------------------------------------------------------------
# Find the RTL of a host program counter, through the line table of the compiled module.


def identity_at(code: IO[bytes], pc: int) -> int | None:
    """Return the number of the RTL that the instruction at `pc` belongs to; `code` is what the child left of its code."""
    from elftools.elf.elffile import ELFFile  # only needed once a program has failed

    for (first, name, address), content in job.read_objects(code):
        if abs(pc - address) < len(content):
            elf: Any = ELFFile(io.BytesIO(content))
            symbol = elf.get_section_by_name(".symtab").get_symbol_by_name(name)[0]
            offset = pc - address + symbol["st_value"]
            if 0 <= offset < elf.get_section(symbol["st_shndx"])["sh_size"]:
                found = _search(elf, offset)
                return None if found is None and name != job.ENTRY else first + (found or 0)
    return None


def _search(elf: Any, offset: int) -> int | None:
    """Find the row of the line table that covers an offset into the code."""
    rows: list[tuple[int, int]] = []
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=True)
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is not None:
            rows += [(e.state.address, e.state.line) for e in program.get_entries() if e.state is not None]
    rows.sort(key=lambda row: row[0])
    found: int | None = None
    for address, line in rows:
        if address > offset:
            break
        if line:
            found = line - 1
    return found


# ----------------------------------------------------------------------------------------------------------------------


_STOPS = {"timeout": ("timeout", faults.MESSAGES["timeout"]), "interrupt": ("interrupted", "interrupted")}
_STATUS = {"division": 136, "misaligned": 135, "wild": 139, "stack": 139, "limit": 124, "timeout": 124, "interrupted": 130}


def _signal_name(number: int) -> str:
    return signal.Signals(number).name if number in signal.Signals.__members__.values() else str(number)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that ended: its program, at `base`, its limit of instructions, its code, and the memory with its counters.

    `delivers`: handlers of faults were called.
    """

    program: Program
    delivers: bool
    base: int
    limit: int
    counters: int
    code: IO[bytes]
    shared: mmap.mmap

    def _word(self, number: int) -> int:
        value: int = struct.unpack_from("=q", self.shared, 8 * number)[0]
        return value

    @property
    def budget(self) -> int:
        """What is left of the limit of instructions."""
        return self._word(job.BUDGET)

    def result(self, ended: Ended) -> RunResult:
        """Return what a run came to whose process ended so.

        Raises HostError if it is not the program that ended the run: nothing is known of it then.
        """
        counters = list(struct.unpack_from(f"={self.counters}q", self.shared, job.HEADER))
        seconds = self._word(job.COMPILED) / 1e9
        state = self._word(job.STATE)
        walls = self._word(job.WALL)
        if state == job.EXITED:
            ran = self._word(job.RAN) / 1e9
            return RunResult(self._word(job.STATUS), counters, compile_seconds=seconds, run_seconds=ran, walls=walls)
        fault: faults.Fault | None = None
        status, code = 0, ended.status
        if state == job.TRAPPED:
            fault = self._trap()
            if fault.kind == "limit" and ended.stopped_by:
                fault = replace(fault, kind=_STOPS[ended.stopped_by][0], message=_STOPS[ended.stopped_by][1])
        elif state == job.SIGNALLED:
            fault = self._signal()
        elif ended.stopped_by:
            fault = faults.Fault(*_STOPS[ended.stopped_by])
        elif code < 0 and state == job.RUNNING:
            fault, status = faults.Fault("killed", f"killed by {_signal_name(-code)}"), 128 - code
        else:
            how = f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with status {code}"
            when = "while the program ran" if state == job.RUNNING else "before the program began"
            raise faults.HostError(f"the process in which the program is to run {how} {when}")
        status = status or _STATUS.get(fault.kind, 134)
        ran = self._word(job.RAN) / 1e9
        began = state != job.STARTING
        return RunResult(status, counters, fault, True, compile_seconds=seconds, run_seconds=ran, began=began, walls=walls)

    @property
    def _digits(self) -> int:
        return BITS[self.program.machine.address_type] // 4

    def _place(self, kind: str, message: str, identity: int) -> faults.Fault:
        function, index = self.program.place(identity)
        rtls = function.rtls()
        line = max(rtls[index].lines, default=0) if rtls else function.line
        address = self.program.addresses[function.name][index]
        if kind in faults.SIGNALS and not self.delivers and faults.fault_delivery(self.program) is not None:
            message += " (no handler is called while a trace is written)"
        return faults.Fault(kind, message, function.name, function.file, line, address, index)

    def _trap(self) -> faults.Fault:
        kind = TRAPS[self._word(job.TRAP)]
        identity, mask = self._word(job.IDENTITY), (1 << BITS[self.program.machine.address_type]) - 1
        value, expected = self._word(job.VALUE) & mask, self._word(job.EXPECTED)
        if kind.startswith("misaligned"):
            size = self._size(identity, write := kind.endswith("write"))
            return self._place("misaligned", faults.access_message("misaligned", write, size, value, self._digits), identity)
        if kind == "return" and self.limit and self.delivers:
            identity = self._word(job.RETURNED)
        if kind in ("call", "jump", "return"):
            known = expected if expected >= 0 else None
            message = faults.transfer_message(kind, value, known if kind == "return" else None, self._digits)
            return self._place(kind, message, identity)
        if kind == "limit":
            stopped = beyond_budget(self.program, identity, value)
            return self._place(kind, f"stopped after {self.limit} instructions", stopped)
        return self._place(kind, faults.MESSAGES[kind], identity)

    def _size(self, identity: int, write: bool) -> int:
        """Return the size of a reference that the RTL makes, 0 if it makes none or several kinds."""
        function, index = self.program.place(identity)
        rtl = function.rtls()[index]
        sizes = {SIZE[cell.type] for cell in (rtl.stores if write else rtl.loads)}
        return sizes.pop() if len(sizes) == 1 else 0

    def _signal(self) -> faults.Fault:
        number = self._word(job.SIGNAL)
        identity = identity_at(self.code, self._word(job.PC))
        address = self._word(job.ADDRESS) - self.base
        if identity is None or not -job.GUARD <= address <= job.ADDRESS_SPACE + job.GUARD:
            if number in (signal.SIGSEGV, signal.SIGBUS) and identity is not None:
                return self._place("stack", faults.stack_message(self.program.machine.layout.stack_size), identity)
            return faults.Fault("killed", f"killed by {signal.Signals(number).name} outside the program")
        if address in beyond_stack(self.program.machine):
            message = faults.stack_message(self.program.machine.layout.stack_size, address, self._digits)
            return replace(self._place("stack", message, identity), accessed=address)
        write = self._word(job.WRITE) == 1
        if self._word(job.WRITE) == 2:
            write = not self._size(identity, False)
        size = self._size(identity, write)
        if address == job.ADDRESS_SPACE:  # or any beyond: that is all that the host can tell
            address = self._word(job.FAR) or address
        address &= (1 << BITS[self.program.machine.address_type]) - 1
        fault = self._place("wild", faults.access_message("wild", write, size, address, self._digits), identity)
        return replace(fault, accessed=address)
