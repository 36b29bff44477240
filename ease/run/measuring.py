"""Runs a program with counters, perhaps with simulators, and joins what they found: a `Measurement`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.history import MOST
from cache_sim.native.check_code import Feedback
from cache_sim.predictors.predictors import load as load_predictors
from cache_sim.results import History, Results
from cache_sim.sweeps import Grid, Swept
from ease.counters.cut_short import Completion
from ease.counters.plan import plan_counters
from ease.counters.reconstruction import Plan, reconstruct
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.region_counting import RegionCounting
from ease.host.instruments.summing import Summing, summing_of
from ease.host.memory.caching import Caching, Recording, Sweeping
from ease.host.memory.clocked import Clocked
from ease.host.process.job import USUAL, Job, RunOptions, TraceSink
from ease.host.process.run import RunResult, run
from ease.model.attribution import attribute, attribute_predictions
from ease.model.characterise import characterise
from ease.model.regions import Region
from ease.model.results import Counts, Measurement
from ease.model.run_identity import profile_key
from ease.model.static_program import describe
from ease.run.progress import Progress
from ease.run.stepping import noting, place_of, stepping, up_to
from ease.timing.estimate import estimate
from ease.timing.memory import Waits
from ease.tools.tool_file import Tool
from ease.tools.tooling import Tooling
from vpo.analysis.transfers import unit
from vpo.base.cache import load, store
from vpo.base.clock import timed
from vpo.program import Program

WORTH_A_PROFILE = 0.02  # seconds of a run: shorter ones cost less than to compile the program anew
WHOLE = "whole program"  # in place of a region's name


def counted_run(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    options: RunOptions = USUAL,
    *,
    instruments: Sequence[Instrument] = (),
    weights: Counts | None = None,
    watch: Callable[[Job, Plan], None] | None = None,
    sink: TraceSink | None = None,
    progress: Progress | None = None,
) -> tuple[RunResult, Counts]:
    """Run a program as host code with counters.

    `weights` are the counts of a previous run of the program, by which counters are placed where they cost least; those of
    the first run that is not too short are kept for this, and those of later ones that executed something else.  `watch` is
    told how the program ran, unless another run would be another way.  `progress` gets snapshots of the run while it goes on.
    """
    precise = options.limit is not None
    profile = profile_key(program, "counts") if weights is None and not precise else ""
    weights = load(profile, (Counts,)) if profile else weights
    plan = plan_counters(program, weights, precise=precise, visible=progress is not None)

    def look(partial: RunResult) -> None:
        counts = reconstruct(plan, plan.all_of(partial.counters), True)
        assert progress is not None
        progress.take(counts, partial)

    looking = None if progress is None else look
    result = run(program, arguments, options, probes=plan.probes, instruments=instruments, sink=sink, look=looking)
    counters = plan.all_of(result.counters)
    completion = _completion(program, plan, counters, result) if precise else None
    counts = reconstruct(plan, counters, result.partial and completion is None, completion, result.began)
    if completion is not None and result.fault is not None and result.fault.kind == "return" and sink is None:
        counts.rtls[result.fault.function][result.fault.rtl or 0] -= 1  # it goes nowhere
    changes = profile and not result.partial and _keep_profile(profile, counts, weights, result.run_seconds)
    if watch is not None and result.job is not None and not changes and not result.partial and not instruments:
        watch(result.job, plan)
    return result, counts


def exact_run(
    program: Program, arguments: Sequence[str | bytes] = (), options: RunOptions = USUAL
) -> tuple[RunResult, Counts]:
    """Run a program with counters, as `counted_run` does; again step by step if it is cut short."""
    with noting(options) as given:
        result, counts = counted_run(program, arguments, given)
        exact = stepped(program, arguments, given, result)
        return result, counts if exact is None else exact[0]


def stepped(
    program: Program, arguments: Sequence[str | bytes], options: RunOptions, result: RunResult
) -> tuple[Counts, RunOptions] | None:
    """Make a run again if it was cut short (`ease.run.stepping`), and note in its result where that was.

    Return its counts, and how the second run was made; None if there was none, or it came to another place.
    """
    steps = stepping(options, result)
    if steps is None:
        return None
    second, counts = counted_run(program, arguments, steps)
    place = place_of(result, second)
    if place is None:
        return None
    result.fault = place
    return counts, steps


def executed(program: Program, counts: Counts) -> int:
    """Return how many instructions a run executed."""
    return sum(
        count
        for name, function in program.functions.items()
        for rtl, count in zip(function.rtls(), counts.rtls[name], strict=True)
        if program.machine.record(rtl).counted
    )


def _keep_profile(profile: str, counts: Counts, weights: Counts | None, seconds: float) -> bool:
    """Keep the counts of a run, or add them to those of earlier ones, if that tells anything; returns whether it did."""
    if seconds <= WORTH_A_PROFILE or (weights is not None and not _is_surprising(counts, weights)):
        return False
    store(profile, counts if weights is None else _joined(counts, weights))
    return True


def _is_surprising(counts: Counts, known: Counts) -> bool:
    """Whether more than a hundredth of what was executed is in functions that no earlier run came to."""
    new = sum(sum(times) for name, times in counts.rtls.items() if not any(known.rtls[name]))
    return 100 * new > counts.instructions


def _joined(counts: Counts, known: Counts) -> Counts:
    """Return the counts of two runs, or sums of such, in one."""
    rtls, taken = (
        {name: [a + b for a, b in zip(times, old[name], strict=True)] for name, times in new.items()}
        for new, old in ((counts.rtls, known.rtls), (counts.taken, known.taken))
    )
    return Counts(rtls, taken)


def _completion(program: Program, plan: Plan, counters: Sequence[int], result: RunResult) -> Completion | None:
    """Return what was left to do where a run with precise counters was cut short, if it is known where that was."""
    fault = result.fault
    if fault is None or fault.function not in plan.functions or fault.rtl is None:
        return None
    graphs = {name: function.graph for name, function in plan.functions.items() if function.graph is not None}
    completion = Completion(program, graphs)
    if fault.kind != "return":  # there, as far as the caller is concerned, the call is under way
        completion.stop_in(fault.function, fault.rtl, after=fault.kind == "end")
    for name, function in plan.functions.items():
        for place, counter in function.calls.items():
            failed = fault.kind == "call" and completion.is_in(name, place, fault)
            if counters[counter] > failed:
                completion.call_under_way(name, place, counters[counter] - failed)
    return completion


def simulated_run(
    program: Program,
    system: MemorySystem,
    arguments: Sequence[str | bytes] = (),
    options: RunOptions = USUAL,
    instruments: Sequence[Instrument] = (),
    summing: Summing | None = None,
    progress: Progress | None = None,
) -> tuple[RunResult, Counts, Results]:
    """Run a program with counters and a memory system that is simulated on the way; `summing` says which sums are kept."""
    name = profile_key(program, "feedback", repr(system))
    known = load(name, (Feedback,))
    summed = None if summing is None else summing.caches(system)
    caching = Caching(program, system, known) if summed is None else summed
    woven: list[Instrument] = [caching, *instruments]
    woven = woven if summing is None else summing.around(woven)
    progress = progress and replace(progress, memory=caching.results)
    result, counts = counted_run(program, arguments, options, instruments=woven, progress=progress)
    if known is None and summed is None and not result.partial and result.run_seconds > WORTH_A_PROFILE:
        store(name, caching.learn(counts, result))
    return result, counts, caching.results(counts, result)


def recorded_run(
    program: Program,
    system: MemorySystem,
    every: int,
    arguments: Sequence[str | bytes] = (),
    options: RunOptions = USUAL,
    instruments: Sequence[Instrument] = (),
    most: int = MOST,
    summing: Summing | None = None,
    progress: Progress | None = None,
) -> tuple[RunResult, Counts, Results, History]:
    """Run a program as `simulated_run` does, and keep what happened up to moments.

    `every`: instructions between moments, 0: each context switch is one; `most` are kept, unless `summing` says which sums
    are kept besides.
    """
    found = None if summing is None else summing.caches(system)
    recording = found if isinstance(found, Recording) else Recording(program, system, every, most)
    woven: list[Instrument] = [recording, *instruments]
    woven = woven if summing is None else summing.around(woven)
    result, counts = counted_run(program, arguments, options, instruments=woven, progress=progress)
    results = recording.results(counts, result)
    return result, counts, results, recording.history(result, results)


def swept_run(
    program: Program,
    grid: Grid,
    arguments: Sequence[str | bytes] = (),
    options: RunOptions = USUAL,
    instruments: Sequence[Instrument] = (),
    progress: Progress | None = None,
) -> tuple[RunResult, Counts, Swept]:
    """Run a program with counters and all LRU caches of a grid."""
    sweeping = Sweeping(program, grid)
    result, counts = counted_run(program, arguments, options, instruments=[sweeping, *instruments], progress=progress)
    return result, counts, sweeping.swept(counts, result)


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """What is measured beside counts: what a memory system or a grid of caches does, and what else is asked for.

    `predict`: branch predictors, as `cache_sim.predictors.predictors` reads them; `timing`: estimate the cycles; `moments`:
    also what was done in intervals of so many instructions, or, if 0, up to each context switch; `tools`: written
    by users; `regions`: counted apart; `lines`: lines that the program interprets are told apart.
    """

    system: MemorySystem | Grid | None = None
    predict: str | None = None
    timing: bool = False
    moments: int | None = None
    tools: Sequence[Tool] = ()
    regions: Sequence[Region] = ()
    lines: bool = False


COUNTS = MeasureOptions()  # alone


def measure(
    program: Program, arguments: Sequence[str | bytes] = (), wanted: MeasureOptions = COUNTS, options: RunOptions = USUAL
) -> Measurement:
    """Run a program and return what happened.

    Raises what `measured_run` raises.
    """
    return measured_run(program, arguments, wanted, options)[1]


def measured_run(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    wanted: MeasureOptions = COUNTS,
    options: RunOptions = USUAL,
    *,
    watch: Callable[[Job, Plan], None] | None = None,
    progress: Progress | None = None,
) -> tuple[RunResult, Measurement]:
    """Run a program; return the run itself and what happened in it.  For `watch` and `progress` see `counted_run`.

    A run that is cut short is made again (`ease.run.stepping`); tools see the first.

    Raises ConfigurationError for wrong predictors, and for a time with write buffers together with moments.
    """
    with noting(options) as given:
        result, measurement = _measured(program, arguments, wanted, given, watch, progress)
        exact = stepped(program, arguments, given, result)
        if exact is None:
            return result, measurement
        counts, steps = exact
        simulated = replace(wanted, tools=())
        if simulated == COUNTS:
            again = measurement_of_run(program, result, counts)
        else:
            again = _measured(program, arguments, simulated, up_to(executed(program, counts), given, steps))[1]
    fault = str(result.fault)
    return result, replace(again, exit_status=result.exit_status, partial=True, fault=fault, tools=measurement.tools)


def _measured(
    program: Program, arguments: Sequence[str | bytes], wanted: MeasureOptions, options: RunOptions,
    watch: Callable[[Job, Plan], None] | None = None, progress: Progress | None = None,
) -> tuple[RunResult, Measurement]:  # fmt: skip
    """Run a program once, as `measured_run` does."""
    predict, tools = wanted.predict, wanted.tools
    counting = [RegionCounting(program, wanted.regions)] if wanted.regions else []
    summing = summing_of(
        program, wanted.system, wanted.moments, wanted.timing, predict is not None, options.limit is None, counting,
        wanted.lines,
    )  # fmt: skip
    predicting = [] if predict is None else [summing.prediction(load_predictors(predict, unit(program)))]
    tooling = [Tooling(program, tool, number) for number, tool in enumerate(tools)]
    woven: list[Instrument] = [*predicting, *tooling, *counting]
    if progress is not None and predicting:
        progress = replace(progress, predictions=predicting[0].results)
    done = _run_with_memory(program, arguments, wanted, options, woven, summing, watch, progress)
    result, counts = done.result, done.counts
    measurement = replace(measurement_of_run(program, result, counts, done.memory), sweep=done.swept, history=done.history)
    for instrument in predicting:
        prediction = attribute_predictions(program, counts, instrument.results(counts, result))
        measurement = replace(measurement, prediction=prediction)
    for each in counting:
        parts = {name: measurement_of_run(program, result, part) for name, part in each.results(counts, result).items()}
        measurement = replace(measurement, regions={WHOLE: measurement, **parts})
    for tool_ in tooling:
        tool_.finish(counts, result)
    if tools:
        measurement = replace(measurement, tools={tool.name: tuple(tool.tables()) for tool in tools})
    if wanted.timing:
        measurement = replace(measurement, timing=estimate(program, counts, done.memory, done.waits))
    return result, summing.told(measurement, result)


@dataclass(frozen=True, slots=True)
class _Done:
    """A run with counters, and what a memory system, or a grid of them, did in it."""

    result: RunResult
    counts: Counts
    memory: Results | None = None
    swept: Swept | None = None
    history: History | None = None
    waits: Waits | None = None


def _run_with_memory(
    program: Program, arguments: Sequence[str | bytes], wanted: MeasureOptions, options: RunOptions,
    woven: Sequence[Instrument], summing: Summing, watch: Callable[[Job, Plan], None] | None, progress: Progress | None,
) -> _Done:  # fmt: skip
    """Run a program with what simulates a memory system, if there is one, as time and moments need it."""
    system, moments, around = wanted.system, wanted.moments, summing.around
    if isinstance(system, MemorySystem) and wanted.timing and system.delays is not None and system.delays.buffers:
        if moments is not None:
            raise ConfigurationError("time with write buffers, and misses over time, are measured in a run each", "delays")
        clocked = Clocked(program, system)
        result, counts = counted_run(program, arguments, options, instruments=[clocked, *around(woven)], progress=progress)
        return _Done(result, counts, clocked.results(counts, result), waits=clocked.waits(result))
    if isinstance(system, MemorySystem) and moments is not None:
        found = recorded_run(program, system, moments, arguments, options, woven, summing=summing, progress=progress)
        return _Done(*found[:3], history=found[3])
    if isinstance(system, MemorySystem):
        return _Done(*simulated_run(program, system, arguments, options, woven, summing, progress))
    if system is not None:
        result, counts, swept = swept_run(program, system, arguments, options, around(woven), progress)
        return _Done(result, counts, swept=swept)
    return _Done(*counted_run(program, arguments, options, instruments=around(woven), watch=watch, progress=progress))


@timed("what was counted")
def measurement_of_run(program: Program, result: RunResult, counts: Counts, memory: Results | None = None) -> Measurement:
    """Join the counts of a run, and what a memory system did, with the characteristics of the program."""
    fault = "" if result.fault is None else str(result.fault)
    attributed = None if memory is None else attribute(program, counts, memory)
    known = describe(program)
    return Measurement(
        known.machine, characterise(known, counts), result.exit_status, result.partial, fault, attributed, exact=counts.exact,
        program=known, counts=counts,
    )  # fmt: skip
