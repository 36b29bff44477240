"""Run a program and measure samples of the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.grid import Grid
from cache_sim.native.cache import KINDS
from cache_sim.native.feedback import Feedback
from cache_sim.native.predictors import mistakes_column
from cache_sim.predictors.spec import load as load_predictors
from ease.counters.plan import plan_counters
from ease.counters.reconstruction import Plan
from ease.host.counting import FunctionProbes
from ease.host.run import RunResult, run
from ease.host.sampling.control import Recorded
from ease.host.sampling.sampled import Sampled
from ease.host.sampling.simulating import SampledCaching, SampledPredicting
from ease.host.tooling import Tooling
from ease.measuring import measurement_of_run
from ease.prediction import attribute_predictions
from ease.profiles import profile_key
from ease.results import Counts, Measurement
from ease.sampling.estimates import Ratio, estimate
from ease.sampling.measured_phases import Schedule
from ease.sampling.sampling import Sampling
from ease.timing.estimate import estimate as estimate_timing
from ease.tools.tool_file import Tool
from vpo.analysis.control_transfers import unit
from vpo.cache import load
from vpo.program import Program

ALWAYS_MADE = (
    Ratio("reads an instruction", ("reads",), ("instructions",)),
    Ratio("writes an instruction", ("writes",), ("instructions",)),
    Ratio("branches an instruction", ("branches",), ("instructions",)),
    Ratio("branches taken", ("taken",), ("branches",)),
)


def sampled_run(
    program: Program,
    arguments: Sequence[str | bytes],
    schedule: Schedule,
    spec: str = "",
    system: MemorySystem | Grid | None = None,
    predict: str | None = None,
    timing: bool = False,
    tools: Sequence[Tool] = (),
    **options: Any,
) -> tuple[RunResult, Measurement]:
    """Run a program, and return the run and what was measured of it by a schedule; options are those of `ease.host.run.run`.

    Raises ConfigurationError for simulators that cannot be sampled.
    """
    caching = _caching(program, schedule, system)
    predictors = {} if predict is None else load_predictors(predict, unit(program))
    predicting = SampledPredicting(program, predictors) if predictors else None
    tooling = [Tooling(program, tool, number) for number, tool in enumerate(tools)]
    simulating = [each for each in (caching, predicting) if each is not None]
    sampled = Sampled(program, schedule, [*simulating, *tooling])
    plan = plan_counters(program, load(profile_key(program, "counts"), (Counts,)))
    result = run(program, arguments, _probes(plan), instruments=[sampled], **options)
    counts = replace(sampled.metering.counted(result), traps=_traps(plan, result))
    memory = None if caching is None else caching.results(counts, result)
    measurement = measurement_of_run(program, result, counts, memory)
    if predicting is not None:
        prediction = attribute_predictions(program, counts, predicting.results(counts, result))
        measurement = replace(measurement, prediction=prediction)
    for each in tooling:
        each.finish(counts, result)
    if tools:
        measurement = replace(measurement, tools={tool.name: tuple(tool.tables()) for tool in tools})
    if timing:
        measurement = replace(measurement, timing=estimate_timing(program, counts, memory, None))
    ratios = [*ALWAYS_MADE, *_cache_ratios(caching), *_predictor_ratios(predictors)]
    return result, replace(measurement, sampling=_sampling(sampled, sampled.recorded(result), spec, ratios, counts))


def _caching(program: Program, schedule: Schedule, system: MemorySystem | Grid | None) -> SampledCaching | None:
    """Return the instrument of a memory system."""
    if system is None:
        return None
    if isinstance(system, Grid):
        raise ConfigurationError("a sweep is not sampled; sample one memory system", "")
    if system.switch is not None:
        raise ConfigurationError("a memory system with context switches is not sampled", "switch")
    if system.delays is not None and system.delays.buffers:
        raise ConfigurationError("a memory system with write buffers is not sampled", "delays")
    feedback = load(profile_key(program, "feedback", repr(system)), (Feedback,))
    return SampledCaching(program, system, schedule.always, feedback)


def _probes(plan: Plan) -> dict[str, FunctionProbes]:
    """Return no counters but those of traps of register windows, and which functions are called often."""
    return {name: FunctionProbes(eager=probes.eager, traps=probes.traps) for name, probes in plan.probes.items()}


def _traps(plan: Plan, result: RunResult) -> dict[str, dict[int, int]]:
    """Return how often traps occurred in samples, by function and position."""
    return {
        name: {position: result.counters[counter] for position, counter in function.traps.items()}
        for name, function in plan.functions.items()
    }


def _cache_ratios(caching: SampledCaching | None) -> Iterator[Ratio]:
    """Yield the miss ratio of each cache of the first level, and how often the second one misses."""
    if caching is None:
        return
    code, columns = caching.check_code.code, {"fetch": "fetches", "read": "reads", "write": "writes"}
    for cache in code.firsts:
        through = tuple(columns[kind] for kind in KINDS if cache in code.path(kind))
        yield Ratio(f"misses of {cache.cache.name}", (cache.name,), (*through, f"{cache.name} splits"))
    if code.second is not None:
        yield Ratio(f"misses of {code.second.cache.name} an instruction", (code.second.name,), ("instructions",))


def _predictor_ratios(names: Sequence[str] | dict[str, Any]) -> Iterator[Ratio]:
    """Yield how often each predictor is wrong."""
    for number, name in enumerate(names):
        yield Ratio(f"mispredicted by {name}, an instruction", (mistakes_column(str(number)),), ("instructions",))


def _sampling(sampled: Sampled, recorded: Recorded, spec: str, ratios: Sequence[Ratio], counts: Counts) -> Sampling:
    """Return what the samples of a run tell of all of it."""
    schedule, names = sampled.schedule, sampled.columns
    rows = [[0] * len(names), *recorded.rows]
    samples = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(rows)]
    measured = recorded.rows[-1][names.index("instructions")] if recorded.rows else 0
    share = measured / recorded.instructions if recorded.instructions else 0.0

    def column(wanted: tuple[str, ...]) -> list[int]:
        places = [names.index(name) for name in wanted]
        return [sum(sample[place] for place in places) for sample in samples]

    estimates = [
        estimate(ratio.name, column(ratio.above), column(ratio.below), share, schedule.confidence)
        for ratio in (ratios if schedule.systematic else ())
    ]
    distance = max(max(each.distances.values(), default=0) for each in sampled.checkpoints.values())
    number = len(recorded.rows) * recorded.stride
    return Sampling(spec, recorded.instructions, measured, number, distance, schedule.confidence, tuple(estimates))
