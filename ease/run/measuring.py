"""Runs a program with counters, perhaps with simulators, and joins what they found: a `Measurement`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ease.counters.cut_short import Completion
from ease.counters.plan import plan_counters
from ease.counters.reconstruction import Plan, reconstruct
from ease.host.instruments.instrument import Instrument
from ease.host.process.job import USUAL, Job, RunOptions, TraceSink
from ease.host.process.run import RunResult, run
from ease.model.results import Counts, Measurement
from ease.model.run_identity import profile_key
from ease.run.measure_options import COUNTS, MeasureOptions
from ease.run.observers import Observers, Seen, measurement_of_run
from ease.run.progress import Progress
from ease.run.scopes import WORTH_A_PROFILE, scope_of
from ease.run.stepping import noting, place_of, stepping, up_to
from vpo.base.cache import load, store
from vpo.program import Program


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


def observed_run(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    wanted: MeasureOptions = COUNTS,
    options: RunOptions = USUAL,
    *,
    watch: Callable[[Job, Plan], None] | None = None,
    progress: Progress | None = None,
) -> tuple[Observers, Seen]:
    """Run a program once; return its observers and what they saw.  For `watch` and `progress` see `counted_run`."""
    observers = Observers(program, wanted, scope_of(program, wanted, waiting=options.limit is None))
    result, counts = counted_run(
        program, arguments, options, instruments=observers.instruments(), watch=watch,
        progress=progress and replace(progress, found=observers.so_far),
    )  # fmt: skip
    return observers, observers.seen(counts, result)


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
        if simulated == COUNTS and not program.machine.layout.spaces:
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
    observers, seen = observed_run(program, arguments, wanted, options, watch=watch, progress=progress)
    return seen.run, observers.measurement(seen)
