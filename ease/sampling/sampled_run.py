"""Run a program and measure samples of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.sweeps import Grid
from ease.counters.plan import plan_counters
from ease.counters.reconstruction import Plan
from ease.host.instruments.instrument import Instrument
from ease.host.process.job import USUAL, RunOptions, SystemCalls
from ease.host.process.run import RunResult, run
from ease.host.sampling.control import Recorded
from ease.host.sampling.sampled import Sampled, SampledCaching
from ease.host.translation.counting import FunctionProbes
from ease.model.estimates import Ratio, estimate
from ease.model.results import Counts, Measurement
from ease.model.run_identity import profile_key
from ease.model.sampling import MarksSpec, PhaseSpec, Sampling, Schedule, systematic
from ease.run.measure_options import COUNTS, MeasureOptions
from ease.run.observers import Observers
from ease.run.scopes import SummedScope, learned
from ease.sampling.marked_regions import MarkedRegions, at_loops, marks_of, read_marks, regions_of, schedule_of, write_marks
from ease.sampling.phases import Phases, find_phases, recording
from vpo.base.cache import load
from vpo.program import Program

DISTANCES = (20, 50, 100, 200)  # instructions between checkpoints, for which a report tells how often they are not exceeded


def sampled_run(
    program: Program,
    arguments: Sequence[str | bytes],
    schedule: Schedule | PhaseSpec | MarksSpec,
    spec: str = "",
    wanted: MeasureOptions = COUNTS,
    options: RunOptions = USUAL,
) -> tuple[RunResult, Measurement]:
    """Run a program, and return the run and what was measured of it by a schedule: no moments, regions and lines.

    Raises ConfigurationError for simulators that cannot be sampled, HostError for phases of a run that does not end by itself,
    or for marks that are not found.
    """
    measured = partial(_sampled, program, arguments, spec, wanted)
    if isinstance(schedule, Schedule):
        return measured(options, _resolved(program, schedule))
    check_sampled(wanted.system)  # before the first run
    if isinstance(schedule, MarksSpec):
        regions = read_marks(schedule.file)
        marked = schedule_of(regions, program, schedule.always, schedule.confidence)
        return measured(options, marked, MarkedRegions(tuple(regions)))
    with recording(options.calls) as calls:
        intervals = replace(systematic(schedule.every, schedule.every), at_loops=at_loops(program) if schedule.loops else None)
        sampled = Sampled(program, intervals, vectors=True)
        found, result = find_phases(program, arguments, schedule, sampled, replace(options, calls=calls))
        again = replace(options, calls=SystemCalls(calls.file, answers=True), capture=True, stdin=None)
        second, measurement = measured(again, *_second_run(program, schedule, sampled, found, result))
        result.run_seconds, result.spent = second.run_seconds, second.spent
        return result, measurement


def _second_run(
    program: Program, spec: PhaseSpec, sampled: Sampled, found: Phases, first: RunResult
) -> tuple[Schedule, Phases | MarkedRegions]:
    """Return what the second run measures, given the phases that the first one found; write marks if they are wanted."""
    if not spec.loops:
        return found.schedule(spec), found
    regions = regions_of(found, marks_of(sampled, sampled.recorded(first).rows))
    if spec.marks:
        write_marks(spec.marks, regions)
    schedule = schedule_of(regions, program, spec.always, spec.confidence)
    return schedule, MarkedRegions(tuple(regions))


class Samples(SummedScope):
    """A run of which samples are measured."""

    def __init__(self, program: Program, schedule: Schedule, timing: bool) -> None:
        super().__init__(program, timing)
        self.schedule = schedule

    def caches(self, system: MemorySystem) -> SampledCaching:
        """Return the instrument of a memory system."""
        always = self.schedule.always and not self.schedule.exact
        self.caching = caching = SampledCaching(self.program, system, always, learned(self.program, system)[1])
        return caching

    def around(self, instruments: Sequence[Instrument]) -> list[Instrument]:
        """Return one instrument that consists of all others."""
        self.sampled = Sampled(
            self.program, self.schedule, instruments, earlier_counts(self.program), timing=self.timing, line=self.line,
            write_cycles=self.write_cycles(),
        )  # fmt: skip
        return [self.sampled]


def _sampled(
    program: Program, arguments: Sequence[str | bytes], spec: str, wanted: MeasureOptions, options: RunOptions,
    schedule: Schedule, phases: Phases | MarkedRegions | None = None,
) -> tuple[RunResult, Measurement]:  # fmt: skip
    """Run a program, and measure it by a schedule."""
    check_sampled(wanted.system)
    scope = Samples(program, schedule, wanted.timing)
    observers = Observers(program, wanted, scope)
    instruments = observers.instruments()
    sampled, plan = scope.sampled, counter_plan(program)
    result = run(program, arguments, options, probes=called_often(plan), instruments=instruments)
    counts = replace(sampled.metering.counted(result), traps=_traps(plan, result))
    measurement = observers.measurement(observers.seen(counts, result))
    recorded = sampled.recorded(result)
    result.spent = recorded.spent
    sampling = _sampling(sampled, recorded, spec, scope.ratios(scope.line), phases)
    passed = sampled.passed(counts)
    number = sum(passed.values())
    within = {most: sum(n for distance, n in passed.items() if distance <= most) / max(number, 1) for most in DISTANCES}
    return result, replace(measurement, sampling=replace(sampling, passed=number, within=within))


def _resolved(program: Program, schedule: Schedule) -> Schedule:
    """Return a schedule with functions as the program calls them."""
    arrivals = []
    for arrival in schedule.arrivals:
        found = [name for name in (f"_{arrival.function}", arrival.function) if name in program.functions]
        if not found:
            raise ConfigurationError(f"there is no function '{arrival.function}' in the program", "sample")
        arrivals.append(replace(arrival, function=found[0]))
    return replace(schedule, arrivals=tuple(arrivals))


def check_sampled(system: MemorySystem | Grid | None) -> None:
    """Raise ConfigurationError for a memory system that cannot be sampled."""
    if isinstance(system, Grid):
        raise ConfigurationError("a sweep is not sampled; sample one memory system", "")
    if system is not None and system.switch is not None:
        raise ConfigurationError("a memory system with context switches is not sampled", "switch")
    if system is not None and system.delays is not None and system.delays.buffers:
        raise ConfigurationError("a memory system with write buffers is not sampled", "delays")


def earlier_counts(program: Program) -> Counts | None:
    """Return what an earlier run of a program has counted."""
    found: Counts | None = load(profile_key(program, "counts"), (Counts,))
    return found


def counter_plan(program: Program) -> Plan:
    """Return where counters would stand in a program."""
    return plan_counters(program, earlier_counts(program))


def called_often(plan: Plan) -> dict[str, FunctionProbes]:
    """Return no counters but those of traps of register windows, and which functions are called often."""
    return {name: FunctionProbes(eager=probes.eager, traps=probes.traps) for name, probes in plan.probes.items()}


def _traps(plan: Plan, result: RunResult) -> dict[str, dict[int, int]]:
    """Return how often traps occurred in samples, by function and position."""
    return {
        name: {position: result.counters[counter] for position, counter in function.traps.items()}
        for name, function in plan.functions.items()
    }


def _sampling(
    sampled: Sampled, recorded: Recorded, spec: str, wanted: Sequence[Ratio], phases: Phases | MarkedRegions | None
) -> Sampling:
    """Return what the samples of a run tell of all of it."""
    schedule, names = sampled.schedule, sampled.columns
    rows = [[0] * len(names), *recorded.rows]
    samples = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(rows)]
    measured = recorded.rows[-1][names.index("instructions")] if recorded.rows else 0
    share = measured / recorded.instructions if recorded.instructions else 0.0

    def column(weights: Mapping[str, int]) -> list[int]:
        places = [(names.index(name), weight) for name, weight in weights.items()]
        return [sum(weight * sample[place] for place, weight in places) for sample in samples]

    estimates = [
        estimate(ratio.name, column(ratio.above), column(ratio.below), share, schedule.confidence)
        for ratio in (wanted if schedule.systematic else ())
    ]
    if phases is not None:
        found = [dict(zip(names, sample, strict=True)) for sample in samples]
        estimates = [phases.estimate(ratio, found, schedule.confidence) for ratio in wanted]
    return Sampling(
        spec, recorded.instructions, measured, recorded.samples, sampled.distance, schedule.confidence, tuple(estimates)
    )
