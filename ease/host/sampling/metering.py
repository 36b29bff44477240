"""Count what the measured version of a program executes: segments, branches taken, and sums over all of them.

The sums are columns of a gauge (`cache_sim.native.gauge`), so they are known for each sample.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cache_sim.native.code import STATE, Code, Field, Read, State, Writer
from cache_sim.native.gauge import Gauge, increase
from ease.host.instruments.code_sums import COLUMNS, Weights, add_row
from ease.host.instruments.instrument import Site, Thread
from ease.host.sampling.checkpoints import Checkpoints, Place
from ease.model.results import Counts
from ease.model.sampling import Mode, Spent
from vpo.program import Program
from vpo.rtl import Branch

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


@dataclass(frozen=True, slots=True)
class Layout:
    """The counters of a function: of segments, and of branches that are taken, by place."""

    segments: Mapping[Place, int]
    taken: Mapping[Place, int]


class Metering:
    """Counts in the measured version; `checkpoints` are those of each function.

    `timing`: cycles, too, without waiting for memory, but for `write_cycles` of each write of so many bytes.  `line`: how many
    lines of so many bytes instructions touch beyond their first.
    """

    threads: Sequence[Thread] = ()
    follows_cut = False

    def __init__(
        self, program: Program, checkpoints: Mapping[str, Checkpoints], timing: bool = False, line: int = 0,
        write_cycles: Callable[[int], int] = lambda size: 0,
    ) -> None:  # fmt: skip
        self.program, self.checkpoints = program, checkpoints
        self.timing, self.line, self.write_cycles = timing, line, write_cycles
        self.counters = 0
        self.layouts = {name: self._layout(name) for name in program.functions}
        self.given: Field | None = None  # a place for the counters
        self.gauge: Gauge | None = None  # of which the columns of this module come first

    def _layout(self, name: str) -> Layout:
        function = self.program.functions[name]
        branches = [
            (number, index)
            for number, block in enumerate(function.blocks)
            for index, rtl in enumerate(block.rtls)
            if isinstance(rtl.transfer, Branch)
        ]
        return Layout(*({p: self._counter() for p in places} for places in (self.checkpoints[name].sizes, branches)))

    def _counter(self) -> int:
        self.counters += 1
        return self.counters - 1

    def sizes(self) -> list[int]:
        """Return the instructions that each counter counts once, 0 for branches taken."""
        found = [0] * self.counters
        for name, layout in self.layouts.items():
            for place, counter in layout.segments.items():
                found[counter] = self.checkpoints[name].sizes[place]
        return found

    def column(self, name: str) -> str:
        """Return the place of a sum."""
        assert self.gauge is not None
        return self.gauge.columns[name]

    def place(self, state: State, large: State) -> None:
        """Lay out the counters, unless they have a place already."""
        if self.given is None:
            self.counts = state.array("i64", self.counters)
        else:
            self.counts = self.given

    def function(self, site: Site) -> FunctionMetering:
        """Return the instrument of one function."""
        return FunctionMetering(self, site)

    def text(self) -> str:
        """Return nothing."""
        return ""

    def counted(self, run: RunResult) -> Counts:
        """Return what was executed in samples."""
        counted = run.read(self.counts)
        rtls: dict[str, list[int]] = {}
        taken: dict[str, list[int]] = {}
        for name, function in self.program.functions.items():
            layout, starts, ends = self.layouts[name], function.block_starts(), self.checkpoints[name].ends
            rtls[name], taken[name] = [0] * len(function.rtls()), [0] * len(function.blocks)
            for (block, first), counter in layout.segments.items():
                for position in range(starts[block] + first, starts[block] + ends[block, first]):
                    rtls[name][position] = counted[counter]
            for (block, _), counter in layout.taken.items():
                taken[name][block] = counted[counter]
        return Counts(rtls, taken, {})


class FunctionMetering:
    """Writes the counters of one function."""

    def __init__(self, metering: Metering, site: Site) -> None:
        self.metering, self.site, self.emitter = metering, site, site.emitter
        self.layout = metering.layouts[site.function.name]
        self.ends = metering.checkpoints[site.function.name].ends
        self.weights = Weights(metering.program, site.function, metering.timing, metering.line, metering.write_cycles)

    def variables(self) -> list[tuple[str, str]]:
        """Return no variables."""
        return []

    def enter(self) -> None:
        """Write nothing."""

    def begin(self, block: int) -> None:
        """Write nothing."""

    def before(self, block: int, index: int) -> None:
        """Count a segment at its head."""
        counter = self.layout.segments.get((block, index))
        if counter is None:
            return
        self._increase(self.metering.counts.element(counter), "1")
        add_row(self.emitter, self.metering.column(COLUMNS[0]), self.weights.of(block, index, self.ends[block, index]))

    def transfer(self, block: int, index: int, value: str) -> None:
        """Count a branch that is taken."""
        counter = self.layout.taken.get((block, index))
        if counter is not None:
            amount = self.emitter.put(f"zext i1 {value} to i64")
            self._increase(self.metering.counts.element(counter), amount)
            self._increase(self.metering.column("taken"), amount)
            cycles = self.weights.of_branch(self.emitter, block, value)
            if cycles:
                self._increase(self.metering.column("cycles"), cycles)

    def edge(self, source: int, target: int) -> None:
        """Count the cycles that an edge adds."""
        added = self.weights.of_edge(source, target)
        if added:
            self._increase(self.metering.column("cycles"), str(added))

    def _increase(self, pointer: str, amount: str) -> None:
        increase(self.emitter, pointer, amount)


# ----------------------------------------------------------------------------------------------------------------------
# Count what each version of a program executes, and how long that takes, by a clock of the host's processor.
#
# The clock is read when a phase begins or ends, and at system calls, the last of which ends the program.  So it costs nothing
# in between.


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
