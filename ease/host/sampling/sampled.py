"""Write a program in several versions, one for each mode of a schedule, with checkpoints and simulators that obey it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, Protocol, runtime_checkable

from cache_sim.config import MemorySystem
from cache_sim.native.check_code import CheckCode, Feedback
from cache_sim.native.code import State
from cache_sim.native.fetch_code import FetchCode
from cache_sim.native.gauge import Counting
from cache_sim.native.predictors import mistakes_column
from cache_sim.native.system import SystemCode
from ease.host.instruments.code_sums import COLUMNS
from ease.host.instruments.instrument import Instrument, RegisterReader, Site, StreamingInstrument, Thread
from ease.host.instruments.predicting import Predicting
from ease.host.memory.caching import Caching, Recording
from ease.host.sampling.attaching import NAMES, attachable
from ease.host.sampling.checkpoints import each_instruction, place_checkpoints
from ease.host.sampling.control import LEFT, Control, Recorded, encoded
from ease.host.sampling.function_sampling import PLACE, FunctionSampling
from ease.host.sampling.metering import Metering
from ease.model.results import Counts
from ease.model.sampling import Schedule
from vpo.program import Program
from vpo.rtl import Register

if TYPE_CHECKING:
    from cache_sim.predictors.predictor import Predictor
    from ease.host.process.run import RunResult


# ----------------------------------------------------------------------------------------------------------------------
# Simulators of caches and predictors in samples of a run.


class SummedCaching(Caching):
    """Simulates a memory system whose counts have sums, which are known of each sample."""

    learns = peels = False

    @cached_property
    def planned(self) -> SystemCode:
        """The simulator before it has a place in memory."""
        return self.make_check_code(State(0), State(0), self.alignment).code

    @property
    def line_of_fetches(self) -> int:
        """The bytes of a line of the instruction cache if fetches are not checked together with data, else 0."""
        apart = self.fetches_apart and FetchCode.suits(self.planned)
        return self.system.instruction.line if apart and self.system.instruction is not None else 0

    def sums(self) -> Sequence[str]:
        """Return names for the misses of each cache by kind, lines that became dirty, and lines that references split over."""
        code = self.planned
        missed = [f"{cache.name} {kind}" for cache in code.all for kind in cache.kinds]
        other = [f"{cache.name} dirtied" for cache in code.all]
        return [*missed, *other, *(f"{cache.name} splits" for cache in code.firsts)]


class SampledCaching(SummedCaching):
    """Simulates a memory system in samples.

    `always`: it sees all references, in samples or not.  Then checks may know what came before, as in a run without samples;
    else each instruction has checks of its own.
    """

    def __init__(self, program: Program, system: MemorySystem, always: bool, feedback: Feedback | None = None) -> None:
        super().__init__(program, system, feedback if always else None)
        self.joins = self.coalesces = self.fetches_apart = always

    def place(self, state: State, large: State) -> None:
        """Lay out the memory of the simulator; what only keeps it warm has none of its own."""
        super().place(state, large)
        self.silent: tuple[CheckCode, FetchCode | None] | None = None

    @property
    def writers(self) -> tuple[CheckCode, FetchCode | None]:
        """The writers of checks, in a version that is not measured those that count nothing."""
        if self.counting.counts:
            return super().writers
        if self.silent is None:
            checks = self.check_code.silent()
            self.silent = checks, None if self.fetches is None else self.fetches.silent(checks.code)
        return self.silent

    def text(self) -> str:
        """Return the LLVM functions of the simulator."""
        if self.silent is None:
            return super().text()
        checks, fetches = self.silent
        return "\n".join([super().text(), checks.functions(), "" if fetches is None else fetches.functions()])


class SampledRecording(SummedCaching, Recording):
    """Simulates a memory system whose counts are recorded at moments, and in samples as well."""


class SampledPredicting(Predicting):
    """Simulates branch predictors in samples."""

    def __init__(self, program: Program, predictors: Mapping[str, Predictor]) -> None:
        super().__init__(program, predictors, waiting=False)

    def sums(self) -> Sequence[str]:
        """Return a name for the mistakes of each predictor."""
        return [mistakes_column(str(number)) for number in range(len(self.predictors))]


# ----------------------------------------------------------------------------------------------------------------------
# Write a program in several versions, one for each mode of a schedule, and the checkpoints between them.
#
# Each version is a copy of the blocks of a function over the same variables, so control may pass from a checkpoint in one to
# the same checkpoint in another.  Instruments write into the measured version only; those that keep simulators warm write into
# the warm one, too.



@runtime_checkable
class Warmed(Protocol):
    """An instrument whose simulators can be kept warm: it counts by `counting`, and its sums are known of each sample."""

    counting: Counting

    def sums(self) -> Sequence[str]:
        """Return the names of the columns that it has."""
        ...


class Sampled:
    """Lets instruments measure a program by a schedule.

    `counts` of an earlier run make the fast version faster; `vectors`: of each sample, the counters of `Metering` are kept,
    too, whose options are the others.
    """

    follows_cut = False

    def __init__(
        self, program: Program, schedule: Schedule, instruments: Sequence[Instrument] = (), counts: Counts | None = None,
        vectors: bool = False, **metering: Any,
    ) -> None:  # fmt: skip
        self.program, self.vectors = program, vectors
        self.checkpoints = {
            name: place_checkpoints(program.machine, each, counts) for name, each in program.functions.items()
        }
        self.distance = max(max(each.distances.values(), default=0) for each in self.checkpoints.values())
        self.schedule = schedule.cut(self.distance)
        self.pieces = self.checkpoints
        if schedule.exact:
            self.pieces = {name: each_instruction(program.machine, each) for name, each in program.functions.items()}
        self.metering = Metering(program, self.pieces, **metering)
        self.instruments: list[Instrument] = [self.metering, *instruments]
        self.warm = [each for each in instruments if isinstance(each, Warmed)]
        at_loops = schedule.at_loops
        self.columns = [*COLUMNS, *(name for each in self.warm for name in each.sums()), *([PLACE] if at_loops else [])]
        self.headers: dict[str, dict[int, int]] = {}  # the loops at which intervals may end, by function and block
        for name, blocks in at_loops.items() if at_loops else ():
            known = [block for block in sorted(blocks) if (block, 0) in self.checkpoints[name].distances]
            first = sum(map(len, self.headers.values()))
            self.headers[name] = {block: number for number, block in enumerate(known, first)}
        start = encoded(self.schedule.phases[0].mode, self.schedule.phases[0].length)
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
        self.control = Control(self.schedule, state, self.columns, self.metering.counters if self.vectors else 0)
        self.metering.given = self.control.further if self.vectors else None
        self.metering.gauge = self.control.gauge
        self.arrived = {arrival.function: state.array("i64", 1) for arrival in self.schedule.arrivals}
        for each in self.warm:
            each.counting = self.control.gauge
        for instrument in self.instruments:
            instrument.place(state, large)

    def passed(self, counts: Counts) -> dict[int, int]:
        """Return how often control came to checkpoints, by the most instructions from there to the next one."""
        found: dict[int, int] = {}
        for name, checkpoints in self.checkpoints.items():
            starts = self.program.functions[name].block_starts()
            for (block, index), distance in checkpoints.distances.items():
                position = starts[block] + index
                if position < len(counts.rtls[name]):
                    found[distance] = found.get(distance, 0) + counts.rtls[name][position]
        return found

    @property
    def wanted(self) -> str:
        """The place of the word by which another process controls the run, '' if none does."""
        return self.control.wanted.pointer if self.schedule.attached else ""

    def sharing(self, descriptor: int, start: int) -> AbstractContextManager[None]:
        """Let another process control a run whose shared memory is a file that begins at a host address."""
        if not self.schedule.attached:
            return nullcontext()
        control = self.control
        words = (control.wanted, control.weight, control.made, control.passed, control.totals)
        return attachable(descriptor, {name: each.address - start for name, each in zip(NAMES, words, strict=True)})

    def function(self, site: Site) -> FunctionSampling:
        """Return the instrument of one function."""
        return FunctionSampling(self, site)

    def text(self) -> str:
        """Return the functions of control and of the instruments."""
        self.control.gauge.counts = True
        return "\n".join([self.control.text(), *(instrument.text() for instrument in self.instruments)])

    def recorded(self, run: RunResult) -> Recorded:
        """Return what a run left of its samples."""
        return self.control.recorded(run.read, not run.partial)
