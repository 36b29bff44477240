"""Write a program in several versions, one for each mode of a schedule, and the checkpoints between them.

Each version is a copy of the blocks of a function over the same variables, so control may pass from a checkpoint in one to
the same checkpoint in another.  Instruments write into the measured version only; those that keep simulators warm write into
the warm one, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Protocol, runtime_checkable

from cache_sim.native.cache import OUTSIDE
from cache_sim.native.code import decrease
from cache_sim.native.gauge import Counting
from cache_sim.native.state import State
from ease.host.instrument import (
    FollowingInstrument,
    FunctionInstrument,
    Instrument,
    RegisterReader,
    Site,
    StreamingInstrument,
    Thread,
)
from ease.host.sampling.checkpoints import Place, place_checkpoints
from ease.host.sampling.control import LEFT, NEXT, Control, Recorded, encoded, is_on, mode_of
from ease.host.sampling.metering import COLUMNS, Metering
from ease.sampling.measured_phases import Mode, Schedule
from vpo.analysis.cfg import OUTSIDE as NOWHERE
from vpo.analysis.cfg import build_cfg
from vpo.program import Program
from vpo.rtl import Register

if TYPE_CHECKING:
    from ease.host.run import RunResult

SUFFIXES = {Mode.FAST: "", Mode.WARM: ".warm", Mode.MEASURED: ".measured"}


@runtime_checkable
class Warmed(Protocol):
    """An instrument whose simulators can be kept warm: it counts by `counting`, and its sums are known of each sample."""

    counting: Counting

    def sums(self) -> Sequence[str]:
        """Return the names of the columns that it has."""
        ...


class Sampled:
    """Lets instruments measure a program by a schedule."""

    follows_cut = False

    def __init__(self, program: Program, schedule: Schedule, instruments: Sequence[Instrument] = ()) -> None:
        self.program, self.schedule = program, schedule
        self.checkpoints = {name: place_checkpoints(program.machine, each) for name, each in program.functions.items()}
        self.metering = Metering(program, self.checkpoints)
        self.instruments: list[Instrument] = [self.metering, *instruments]
        self.warm = [each for each in instruments if isinstance(each, Warmed)]
        self.columns = [*COLUMNS, *(name for each in self.warm for name in each.sums())]
        start = encoded(schedule.phases[0].mode, schedule.phases[0].length)
        self.threads = [Thread("i64", LEFT, start), *(thread for each in instruments for thread in each.threads)]

    def registers_read(self) -> Mapping[str, frozenset[Register]] | None:
        """Return the registers that instruments look at."""
        readers = [each for each in self.instruments if isinstance(each, RegisterReader)]
        found = [read for each in readers if (read := each.registers_read()) is not None]
        names = {name for read in found for name in read}
        return {name: frozenset().union(*(read.get(name, ()) for read in found)) for name in names} if found else None

    def open_streams(self) -> list[IO[bytes]]:
        """Return the files that instruments write to."""
        streaming = [each for each in self.instruments if isinstance(each, StreamingInstrument)]
        return [file for each in streaming for file in each.open_streams()]

    def place(self, state: State, large: State) -> None:
        """Lay out the memory of control and of the instruments."""
        self.control = Control(self.schedule, state, self.columns)
        self.metering.gauge = self.control.gauge
        for each in self.warm:
            each.counting = self.control.gauge
        for instrument in self.instruments:
            instrument.place(state, large)

    def function(self, site: Site) -> FunctionSampling:
        """Return the instrument of one function."""
        return FunctionSampling(self, site)

    def text(self) -> str:
        """Return the functions of control and of the instruments."""
        return "\n".join([self.control.text(), *(instrument.text() for instrument in self.instruments)])

    def recorded(self, run: RunResult) -> Recorded:
        """Return what a run left of its samples."""
        return self.control.recorded(run.read, not run.partial)


class FunctionSampling:
    """Writes the versions of one function; what stands in which version is told by the copy that is being written."""

    def __init__(self, sampled: Sampled, site: Site) -> None:
        self.sampled, self.site, self.emitter = sampled, site, site.emitter
        self.checkpoints = sampled.checkpoints[site.function.name]
        modes = sampled.schedule.modes
        self.suffixes = {mode: SUFFIXES[mode] if number else "" for number, mode in enumerate(modes)}
        self.modes = {suffix: mode for mode, suffix in self.suffixes.items()}
        site.copies = tuple(self.suffixes.values())
        site.uncounted = tuple(suffix for mode, suffix in self.suffixes.items() if mode is not Mode.MEASURED)
        self.all = [instrument.function(site) for instrument in sampled.instruments]
        both = zip(sampled.instruments, self.all, strict=True)
        warming = [writer for instrument, writer in both if instrument in sampled.warm]
        self.writers: dict[Mode, list[FunctionInstrument]] = {Mode.FAST: [], Mode.WARM: warming, Mode.MEASURED: self.all}
        self.entered = False
        self.returns_to_begin = bool(build_cfg(site.function).predecessors[0])

    @property
    def here(self) -> list[FunctionInstrument]:
        """The instruments that write into the version that is being written."""
        return self.writers[self.modes[self.site.copy]]

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the instruments."""
        return [variable for each in self.all for variable in each.variables()]

    def enter(self) -> None:
        """At the head of the function, go to the version of the mode."""
        if not self.entered:
            self.entered = True
            self._choose_version()
        for each in self.here:
            each.enter()

    def _choose_version(self) -> None:
        name = "enter"
        with self._checkpoint(name):
            for copy in self.site.copies[1:]:
                self.site.copy = copy
                self.emitter.lines.append(f"{name}{copy}:")
                for each in self.here:
                    each.enter()
                for each in self.here:
                    each.edge(NOWHERE, 0)
                self.emitter.lines.append(f"br label %{self.site.function.blocks[0].label}{copy}")
            self.site.copy = self.site.copies[0]

    @contextmanager
    def _checkpoint(self, name: str, onward: str = "") -> Iterator[None]:
        """Write the test whether control stays in this version; the other ways go to labels of a name in each version.

        `onward` is the label to go on at, else that of this version, which is written behind the body.
        """
        emitter, copy = self.emitter, self.site.copy
        onward = onward or f"{name}{copy}"
        left = emitter.put(f"load i64, ptr {LEFT}")
        over = emitter.label()
        emitter.lines.append(f"br i1 {is_on(emitter, self.modes[copy], left)}, label %{onward}, label %{over}, !prof !7")
        emitter.lines.append(f"{over}:")
        after = emitter.put(f"call {OUTSIDE} i64 {NEXT}(i64 {left}), !tbaa !6")
        emitter.lines.append(f"store i64 {after}, ptr {LEFT}")
        targets = [(mode, onward if mode is self.modes[copy] else name + suffix) for mode, suffix in self.suffixes.items()]
        cases = " ".join(f"i64 {int(mode)}, label %{target}" for mode, target in targets[1:])
        emitter.lines.append(f"switch i64 {mode_of(emitter, after)}, label %{targets[0][1]} [ {cases} ]")
        yield
        emitter.lines.append(f"{onward}:")

    def begin(self, block: int) -> None:
        """Write the checkpoint at the head of a block; other versions go to the block's label, so loops have one entry."""
        if (block, 0) in self.checkpoints.distances and (block or self.returns_to_begin):
            with self._checkpoint(self.site.function.blocks[block].label, self.emitter.label()):
                pass
        for each in self.here:
            each.begin(block)

    def before(self, block: int, index: int) -> None:
        """Write a checkpoint within a block, take the instructions of a segment, and let instruments write."""
        place: Place = block, index
        if index and place in self.checkpoints.distances:
            name = f"checkpoint.{block}.{index}"
            with self._checkpoint(name):
                pass
        size = self.checkpoints.sizes.get(place)
        if size:
            decrease(self.emitter, LEFT, str(size))
        if self.site.function.blocks[block].rtls[index].system_call is not None:
            self._keep_left()
        for each in self.here:
            each.before(block, index)

    def _keep_left(self) -> None:
        """The program may end in a system call."""
        left = self.emitter.put(f"load i64, ptr {LEFT}")
        self.emitter.lines.append(f"store volatile i64 {left}, ptr {self.sampled.control.left.pointer}")

    def after(self, block: int, index: int) -> None:
        """Let instruments write behind an RTL."""
        for each in self.here:
            if isinstance(each, FollowingInstrument):
                each.after(block, index)

    def transfer(self, block: int, index: int, value: str) -> None:
        """Let instruments write before a transfer of control."""
        for each in self.here:
            each.transfer(block, index, value)

    def edge(self, source: int, target: int) -> None:
        """Let instruments write on an edge."""
        for each in self.here:
            each.edge(source, target)
