"""The ways of measuring whose cost is measured: an entry of `MODES` each."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from programs import Subject

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.check_code import Feedback
from cache_sim.parse import load as load_system
from cache_sim.predictors import load
from cache_sim.sweeps import Grid
from ease.host.instruments.instrument import Instrument
from ease.host.instruments.predicting import Predicting
from ease.host.memory.caching import Caching, Sweeping
from ease.host.memory.clocked import Clocked
from ease.host.process.job import SystemCalls
from ease.host.process.run import RunResult, run
from ease.host.sampling.sampled import Sampled, SampledCaching
from ease.model.sampling import Schedule, systematic
from ease.run.measuring import counted_run
from ease.sampling.sampled_run import called_often, counter_plan, earlier_counts
from ease.tools.tool_file import Tool
from ease.tools.tooling import Tooling
from ease.traces.traced_run import traced_run
from vpo.analysis.references import data_sites
from vpo.analysis.transfers import unit

SMALL = Cache("small", 1024, 16)  # the paper's: direct-mapped, lines of 16 bytes
LARGE = Cache("large", 8192, 16, ways=4)
LARGE_I, LARGE_D = Cache("I", 8192, 16), Cache("D", 8192, 16, write="through")  # what misses cost, counts tell
UNIFIED = MemorySystem(instruction=LARGE, data=LARGE)
SWITCHES = Switch(every=10_000)  # units of work
SYSTEMS = {  # of modes whose least time can be told
    "dcache": MemorySystem(data=SMALL, switch=SWITCHES),
    "unified": MemorySystem(instruction=SMALL, data=SMALL, switch=SWITCHES),
}


class Failed(Exception):
    """A program did not end by itself, or did something else than without measuring."""


class Run(Protocol):
    """Runs a program in some way; further options are those of its record.

    Raises Failed.
    """

    def __call__(self, subject: Subject, **options: Any) -> RunResult:
        """Run it."""
        ...


@dataclass(frozen=True, slots=True)
class Mode:
    """A way of measuring: `ask` for the geometric mean of the slowdowns, `limit` for the worst (0: none is asked)."""

    name: str
    what: str
    ask: float
    limit: float
    run: Run


def plain(subject: Subject, **options: Any) -> RunResult:
    """Run a program without measuring anything."""
    return _finished(run(subject.program, subject.arguments, subject.options(**options)), subject)


def counted(subject: Subject, instruments: Sequence[Instrument] = (), **options: Any) -> RunResult:
    """Run a program with counters."""
    given = subject.options(**options)
    return _finished(counted_run(subject.program, subject.arguments, given, instruments=instruments)[0], subject)


def recorded(subject: Subject, **options: Any) -> RunResult:
    """Run a program and record its system calls."""
    with tempfile.TemporaryFile() as file:
        return plain(subject, calls=SystemCalls(file), **options)


def cached(**parts: Any) -> Run:
    """Return how to run with caches, the parts of a memory system; the first run tells how to write checks."""
    system = MemorySystem(**parts)
    feedback: dict[str, Feedback] = {}

    def run_cached(subject: Subject, **options: Any) -> RunResult:
        if subject.name not in feedback:
            caching = Caching(subject.program, system)
            given = subject.options(**options)
            result, counts = counted_run(subject.program, subject.arguments, given, instruments=[caching])
            feedback[subject.name] = caching.learn(counts, _finished(result, subject))
        return counted(subject, instruments=[Caching(subject.program, system, feedback[subject.name])], **options)

    return run_cached


@dataclass(frozen=True, slots=True)
class Costs:
    """What a miss costs the host, in nanoseconds: a branch that it predicts badly, or a check without branches."""

    mispredicted: float
    branchless: float


def least(subject: Subject, system: MemorySystem, seconds: float, costs: Costs) -> float:
    """Return how many times as long as `seconds` a program takes with a cache if hits cost nothing.

    Each reference has the cheaper of the two ways: its misses are mispredicted, or it is always checked without branches.
    """
    program, caching = subject.program, Caching(subject.program, system)
    given = subject.options(tier="fast")
    result, counts = counted_run(program, subject.arguments, given, instruments=[caching])
    (cache,) = caching.results(counts, _finished(result, subject)).caches
    made = {number: count for name in program.functions for number, count in enumerate(counts.rtls[name], program.first(name))}
    made |= {site: made[found.number] for site, found in enumerate(data_sites(program), program.numbers)}
    lost = [min(misses * costs.mispredicted, made[site] * costs.branchless) for site, misses in cache.sites.items()]
    return float(1 + sum(lost) * 1e-9 / seconds)


def swept(grid: Grid) -> Run:
    """Return how to run with all caches of a grid."""

    def run_swept(subject: Subject, **options: Any) -> RunResult:
        return counted(subject, instruments=[Sweeping(subject.program, grid)], **options)

    return run_swept


def predicted(spec: str) -> Run:
    """Return how to run with branch predictors."""

    def run_predicted(subject: Subject, **options: Any) -> RunResult:
        predictors = load(spec, unit(subject.program))
        return counted(subject, instruments=[Predicting(subject.program, predictors)], **options)

    return run_predicted


def tooled(name: str) -> Run:
    """Return how to run with a supplied tool."""

    def run_tooled(subject: Subject, **options: Any) -> RunResult:
        return counted(subject, instruments=[Tooling(subject.program, Tool(name))], **options)

    return run_tooled


def timed(system: Callable[[], MemorySystem]) -> Run:
    """Return how to run with what a timing estimate needs: a memory system with write buffers and a clock."""

    def run_timed(subject: Subject, **options: Any) -> RunResult:
        return counted(subject, instruments=[Clocked(subject.program, system())], **options)

    return run_timed


def i486_memory() -> MemorySystem:
    """Return a unified cache of 8 KiB that writes through, with write buffers, emptied every 50,000 instructions."""
    return load_system(str(Path(__file__).with_name("i486-memory.yaml")))


def _finished(result: RunResult, subject: Subject) -> RunResult:
    if result.fault is not None:
        raise Failed(f"{subject.name}: {result.fault}")
    return result


def traced(data: bool, kept: bool) -> Run:
    """Return how to run with a trace, of data as well, that is kept in a file or thrown away when it is in memory."""

    def run_traced(subject: Subject, **options: Any) -> RunResult:
        given = subject.options(**options)
        with tempfile.TemporaryFile() if kept else nullcontext() as out:
            return _finished(traced_run(subject.program, subject.arguments, out, data, options=given)[0], subject)

    return run_traced


def sampled(schedule: Schedule, system: MemorySystem | None = None) -> Run:
    """Return how to run with samples, perhaps of a memory system; a full run tells how to write its checks."""
    feedback: dict[str, Feedback] = {}

    def run_sampled(subject: Subject, **options: Any) -> RunResult:
        given = subject.options(**options)
        if system is not None and schedule.always and subject.name not in feedback:
            caching = Caching(subject.program, system)
            result, counts = counted_run(subject.program, subject.arguments, given, instruments=[caching])
            feedback[subject.name] = caching.learn(counts, _finished(result, subject))
        known = feedback.get(subject.name)
        found = [] if system is None else [SampledCaching(subject.program, system, schedule.always, known)]
        instrument = Sampled(subject.program, schedule, found, earlier_counts(subject.program))
        probes = called_often(counter_plan(subject.program))
        result = run(subject.program, subject.arguments, given, probes=probes, instruments=[instrument])
        return _finished(result, subject)

    return run_sampled


MODES = {
    mode.name: mode
    for mode in (
        Mode("control", "nothing: how much times differ by themselves", 0.0, 0.0, plain),
        Mode("counts", "exact counts and branch outcomes", 1.05, 1.25, counted),
        Mode("icache", "I-cache 1 KiB, context switches", 1.75, 3.0, cached(instruction=SMALL, switch=SWITCHES)),
        Mode("icache-still", "I-cache 1 KiB", 1.4, 0.0, cached(instruction=SMALL)),
        Mode("dcache", "D-cache 1 KiB, context switches", 2.4, 0.0, cached(data=SMALL, switch=SWITCHES)),
        Mode("dcache-still", "D-cache 1 KiB", 1.9, 0.0, cached(data=SMALL)),
        Mode("unified", "unified 1 KiB, context switches", 4.5, 0.0, cached(instruction=SMALL, data=SMALL, switch=SWITCHES)),
        Mode("dcache4", "D-cache 8 KiB 4-way LRU, context switches", 3.3, 0.0, cached(data=LARGE, switch=SWITCHES)),
        Mode("dcache4-still", "D-cache 8 KiB 4-way LRU", 0.0, 0.0, cached(data=LARGE)),
        Mode("sweep", "D-cache 1 KiB to 64 KiB by 1, 2, 4, 8 ways", 0.0, 0.0, swept(Grid(lines=(16,), sides=("D",)))),
        Mode("bimodal", "bimodal predictor, 1,024 entries", 1.5, 0.0, predicted("bimodal:1024")),
        Mode("timing", "timing estimate, caches of 8 KiB for each side", 5.0, 0.0, cached(instruction=LARGE_I, data=LARGE_D)),
        Mode("record", "a record of the run, for replays", 1.02, 0.0, recorded),
        Mode("trace-path", "trace of instructions, to memory", 1.5, 0.0, traced(data=False, kept=False)),
        Mode("trace", "trace of instructions and data in order, to memory", 2.0, 0.0, traced(data=True, kept=False)),
        Mode("trace-file", "the same, compressed, to a file", 5.0, 0.0, traced(data=True, kept=True)),
        Mode("tool-blocks", "a tool that counts blocks", 1.2, 0.0, tooled("blocks")),
        Mode("tool-cache", "a tool that is a D-cache, 8 KiB direct-mapped", 3.0, 0.0, tooled("cache")),
        Mode("tool-system", "a tool that follows system calls", 1.01, 0.0, tooled("system_calls")),
        Mode("sample-none", "checkpoints, nothing sampled", 1.1, 0.0, sampled(systematic(1 << 50, 1000))),
        Mode("sample-cache", "unified cache 8 KiB 4-way in samples of 1 per cent", 1.3, 0.0,
             sampled(systematic(100_000, 1000), UNIFIED)),
        Mode("sample-warm", "D-cache 8 KiB 4-way, always warm, samples of 1 per cent", 3.0, 0.0,
             sampled(systematic(100_000, 1000, always=True), MemorySystem(data=LARGE))),
        Mode("sample-warm-unified", "unified cache 8 KiB 4-way, the same", 0.0, 0.0,
             sampled(systematic(100_000, 1000, always=True), UNIFIED)),
        Mode("timing-clock", "timing estimate, an i486's memory with write buffers", 5.0, 0.0, timed(i486_memory)),
    )
}
