"""Count what each version of a program executes, and how long that takes, by a clock of the host's processor.

The clock is read when a phase begins or ends, and at system calls, the last of which ends the program.  So it costs nothing in
between.
"""

from __future__ import annotations

import platform

from cache_sim.native.code import STATE, Code, Writer
from cache_sim.native.state import Read, State
from ease.sampling.measured_phases import Mode
from ease.sampling.sampling import Spent

_CLOCKS = {
    "x86_64": "call i64 @llvm.readcyclecounter()",
    "aarch64": 'call i64 asm sideeffect "mrs $0, cntvct_el0", "=r"()',  # user code may not read the counter of cycles
}
DECLARATION = "declare i64 @llvm.readcyclecounter()"


class Spending:
    """The state of the clock; `began` is when the phase under way began, `last` when the last system call was made."""

    def __init__(self, state: State) -> None:
        self.began, self.last = state.array("i64", 1), state.array("i64", 1)
        self.executed, self.ticks = (state.array("i64", len(Mode)) for _ in range(2))

    def now(self, out: Writer) -> str:
        """Write code that reads the clock; return its value, 0 on a host whose clock is not known."""
        clock = _CLOCKS.get(platform.machine())
        return "0" if clock is None else out.put(clock)

    def start(self, out: Writer) -> None:
        """Write what the program does when it starts."""
        out.lines.append(f"store i64 {self.now(out)}, ptr {self.began.pointer}, {STATE}")

    def note(self, out: Writer) -> None:
        """Write what the program does at a system call."""
        out.lines.append(f"store volatile i64 {self.now(out)}, ptr {self.last.pointer}")

    def leave(self, code: Code, mode: str, executed: str) -> None:
        """Write what is done at the end of a phase, in which so many instructions (an i64) were executed."""
        now = self.now(code)
        took = code.put(f"sub i64 {now}, {code.load('i64', self.began.pointer)}")
        code.add("i64", code.at(self.executed.pointer, mode, "i64"), executed)
        code.add("i64", code.at(self.ticks.pointer, mode, "i64"), took)
        code.store("i64", self.began.pointer, now)

    def told(self, read: Read, mode: Mode, executed: int) -> tuple[Spent, ...]:
        """Return what a run spent; its last phase was of a mode and had so many instructions."""
        instructions, ticks = list(read(self.executed)), list(read(self.ticks))
        (began,), (last,) = read(self.began), read(self.last)
        instructions[mode] += executed
        ticks[mode] += max(last - began, 0)
        whole = sum(ticks)
        return tuple(
            Spent(each.name.lower(), count, taken / whole if whole else 0.0)
            for each, count, taken in zip(Mode, instructions, ticks, strict=True)
            if count
        )
