"""Runs a program with counters and joins the counts with what each instruction is: a `Measurement`.

Static characteristics come from the machine's semantic record of each RTL, so whatever a description calls an
instruction, an operand field or an addressing mode is what the reports call it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import IO, Any

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.grid import Grid
from cache_sim.history import MOST, History
from cache_sim.native.feedback import Feedback
from cache_sim.predictors.spec import load as load_predictors
from cache_sim.results import Results
from cache_sim.swept import Swept
from ease.accesses import accesses
from ease.counters.cut_short import Completion
from ease.counters.plan import Plan, plan_counters, reconstruct
from ease.host.caching import Caching
from ease.host.clocked import Clocked
from ease.host.instrument import Instrument
from ease.host.predicting import Predicting
from ease.host.recording import Recording
from ease.host.run import RunResult, run
from ease.host.sweeping import Sweeping
from ease.miss_attribution import attribute
from ease.prediction import attribute_predictions
from ease.profiles import is_surprising, joined, profile_key
from ease.reference_kinds import IMPLICIT, file_name, kinds_of_references
from ease.results import (
    DATA_TYPES,
    WINDOW,
    Access,
    BranchCount,
    Characteristics,
    Count,
    Counts,
    Line,
    Measurement,
    OperandField,
    Reference,
    WindowCount,
    WindowMove,
    total,
)
from ease.timing.estimate import estimate
from ease.timing.memory import Waits
from vpo.analysis.cfg import transfer_of
from vpo.analysis.control_transfers import unit
from vpo.analysis.delay_slots import delay_slots
from vpo.cache import load, store
from vpo.function import Function
from vpo.interpret.result import Result
from vpo.machines.machine import Machine
from vpo.machines.record import Field, Record
from vpo.program import Program
from vpo.rtl import TRANSFERS, Branch, Call, Effect, Op, Register, Rtl, Set

WORTH_A_PROFILE = 0.02  # seconds of a run: shorter ones cost less than to compile the program anew
FAULT_STATUS = 134  # of a run in the interpreter that ended by a fault


def counted_run(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    *,
    stdin: bytes | IO[bytes] | None = None,
    capture: bool = False,
    limit: int | None = None,
    timeout: float | None = None,
    tier: str = "auto",
    roots: Iterable[str] = (),
    cache: str | None = None,
    instruments: Sequence[Instrument] = (),
    weights: Counts | None = None,
) -> tuple[RunResult, Counts]:
    """Run a program as host code with counters; the options are those of `ease.host.run.run`.

    `weights` are the counts of a previous run of the program, by which counters are placed where they cost least; those of
    the first run that is not too short are kept for this, and those of later ones that executed something else.
    """
    profile = profile_key(program, "counts") if weights is None and limit is None else ""
    weights = load(profile, (Counts,)) if profile else weights
    plan = plan_counters(program, weights, precise=limit is not None)
    result = run(
        program, arguments, plan.probes, stdin=stdin, capture=capture, limit=limit, timeout=timeout, tier=tier,
        roots=roots, cache=cache, instruments=instruments,
    )  # fmt: skip
    counters = [*result.counters, *[0] * (plan.counters - len(result.counters))]
    completion = _completion(program, plan, counters, result) if limit is not None else None
    counts = reconstruct(plan, counters, result.partial and completion is None, completion)
    if profile and not result.partial and result.run_seconds > WORTH_A_PROFILE:
        if weights is None:
            store(profile, counts)
        elif is_surprising(counts, weights):
            store(profile, joined(counts, weights))
    return result, counts


def _completion(program: Program, plan: Plan, counters: Sequence[int], result: RunResult) -> Completion | None:
    """Return what was left to do where a run with precise counters was cut short, if it is known where that was."""
    fault = result.fault
    if fault is None or fault.function not in plan.functions or fault.rtl is None:
        return None
    completion = Completion(program, {name: function.graph for name, function in plan.functions.items()})
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
    instruments: Sequence[Instrument] = (),
    **options: Any,
) -> tuple[RunResult, Counts, Results]:
    """Run a program with counters and a memory system that is simulated on the way; options as those of `counted_run`."""
    name = profile_key(program, "feedback", repr(system))
    known = load(name, (Feedback,))
    caching = Caching(program, system, known)
    result, counts = counted_run(program, arguments, instruments=[caching, *instruments], **options)
    if known is None and not result.partial and result.run_seconds > WORTH_A_PROFILE:
        store(name, caching.learn(counts, result))
    return result, counts, caching.results(counts, result)


def recorded_run(
    program: Program,
    system: MemorySystem,
    every: int,
    arguments: Sequence[str | bytes] = (),
    instruments: Sequence[Instrument] = (),
    most: int = MOST,
    **options: Any,
) -> tuple[RunResult, Counts, Results, History]:
    """Run a program as `simulated_run` does, and keep what happened up to moments.

    `every`: instructions between moments, 0: each context switch is one; `most` are kept.
    """
    recording = Recording(program, system, every, most)
    result, counts = counted_run(program, arguments, instruments=[recording, *instruments], **options)
    results = recording.results(counts, result)
    return result, counts, results, recording.history(result, results)


def swept_run(
    program: Program,
    grid: Grid,
    arguments: Sequence[str | bytes] = (),
    instruments: Sequence[Instrument] = (),
    **options: Any,
) -> tuple[RunResult, Counts, Swept]:
    """Run a program with counters and all LRU caches of a grid; options as those of `counted_run`."""
    sweeping = Sweeping(program, grid)
    result, counts = counted_run(program, arguments, instruments=[sweeping, *instruments], **options)
    return result, counts, sweeping.swept(counts, result)


def measure(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    system: MemorySystem | Grid | None = None,
    predict: str | None = None,
    timing: bool = False,
    moments: int | None = None,
    **options: Any,
) -> Measurement:
    """Run a program, perhaps with a memory system or a grid of caches, and return what happened.

    `predict`: branch predictors, as `cache_sim.predictors.spec` reads them; `timing`: estimate the cycles; `moments`:
    also what the memory system did up to each so many instructions, or, if 0, each of its context switches.
    Options are those of `counted_run`.

    Raises ConfigurationError for wrong predictors, and for a time with write buffers together with moments.
    """
    waiting = options.get("limit") is None
    predicting = [] if predict is None else [Predicting(program, load_predictors(predict, unit(program)), waiting)]
    memory: Results | None = None
    swept: Swept | None = None
    history: History | None = None
    waits: Waits | None = None
    if system is None:
        result, counts = counted_run(program, arguments, instruments=predicting, **options)
    elif isinstance(system, Grid):
        result, counts, swept = swept_run(program, system, arguments, predicting, **options)
    elif timing and system.delays is not None and system.delays.buffers:
        if moments is not None:
            raise ConfigurationError("time with write buffers, and misses over time, are measured in a run each", "delays")
        clocked = Clocked(program, system)
        result, counts = counted_run(program, arguments, instruments=[clocked, *predicting], **options)
        memory, waits = clocked.results(counts, result), clocked.waits(result)
    elif moments is not None:
        result, counts, memory, history = recorded_run(program, system, moments, arguments, predicting, **options)
    else:
        result, counts, memory = simulated_run(program, system, arguments, predicting, **options)
    measurement = replace(measurement_of_run(program, result, counts, memory), sweep=swept, history=history)
    for instrument in predicting:
        prediction = attribute_predictions(program, counts, instrument.results(counts, result))
        measurement = replace(measurement, prediction=prediction)
    return replace(measurement, timing=estimate(program, counts, memory, waits)) if timing else measurement


def measurement_of_run(program: Program, result: RunResult, counts: Counts, memory: Results | None = None) -> Measurement:
    """Join the counts of a run, and what a memory system did, with the characteristics of the program."""
    fault = "" if result.fault is None else str(result.fault)
    attributed = None if memory is None else attribute(program, counts, memory)
    characteristics = characterise(program, counts)
    return Measurement(
        program.machine.name, characteristics, result.exit_status, result.partial, fault, attributed, exact=counts.exact
    )


def measurement_of_interpretation(program: Program, result: Result) -> Measurement:
    """Return the measurement of a run in the interpreter."""
    fault = "" if result.fault is None else str(result.fault)
    status = FAULT_STATUS if result.exit_status is None else result.exit_status
    characteristics = characterise(program, Counts(result.rtls, result.taken, result.traps))
    return Measurement(program.machine.name, characteristics, status, result.fault is not None, fault)


def characterise(program: Program, counts: Counts) -> Characteristics:
    """Count everything about a program and a run of it."""
    tables = _Tables(program.machine)
    for name, function in program.functions.items():
        tables.add_function(name, function, counts.rtls[name])
        tables.add_branches(function, counts.rtls[name], counts.taken[name])
        tables.add_window_moves(name, function, counts.rtls[name], counts.traps.get(name, {}))
    return tables.characteristics()


class _Tables:
    """Adds up RTLs; equal ones are put together first, because there are many."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.kinds: dict[tuple[tuple[Effect, ...], str], tuple[Rtl, list[int]]] = {}
        self.branches: dict[str, BranchCount] = {}
        self.runs: dict[int, list[int]] = {}
        self.functions: dict[str, Count] = {}
        self.lines: dict[Line, list[int]] = {}
        self.windows: dict[WindowMove, WindowCount] = {}
        windows = machine.convention.windows
        self.window_moves = frozenset((*windows.enter, *windows.leave)) if windows is not None else frozenset()
        self.tables: dict[str, dict[Any, list[int]]] = {
            name: {} for name in ("types", "sizes", "operands", "references", "registers", "condition_codes")
        }

    def add_function(self, name: str, function: Function, counts: Sequence[int]) -> None:
        """Add the RTLs of a function."""
        rtls = function.rtls()
        file = file_name(function.file)
        counted = [self.machine.record(rtl).counted for rtl in rtls]
        for rtl, count, whole in zip(rtls, counts, counted, strict=True):
            _, numbers = self.kinds.setdefault((rtl.effects, rtl.cause), (rtl, [0, 0]))
            numbers[0] += 1
            numbers[1] += count
            if whole:
                _increase(self.lines, Line(file, rtl.lines[0]), 1, count)
        self.functions[name] = Count(sum(counted), sum(compress(counts, counted)))
        ends = _run_ends(self.machine, function, counted)
        for static, numbers in ((0, [1] * sum(counted)), (1, list(compress(counts, counted)))):
            for length, runs in run_lengths(numbers, ends).items():
                self.runs.setdefault(length, [0, 0])[static] += runs

    def add_branches(self, function: Function, counts: Sequence[int], taken: Sequence[int]) -> None:
        """Add the conditional branches of a function."""
        for block, start, times in zip(function.blocks, function.block_starts(), taken, strict=True):
            rtl = transfer_of(block, function.stage == "final")
            if rtl is not None and isinstance(rtl.transfer, Branch):
                position = start + next(i for i, r in enumerate(block.rtls) if r is rtl)
                name = self.machine.record(rtl).name
                count = BranchCount(1, counts[position], times)
                self.branches[name] = self.branches.get(name, BranchCount()) + count

    def add_window_moves(self, name: str, function: Function, counts: Sequence[int], traps: Mapping[int, int]) -> None:
        """Add the RTLs of a function that move the register window, and what their traps store or load."""
        windows = self.machine.convention.windows
        if windows is None:
            return
        rtls, file = function.rtls(), file_name(function.file)
        for position, trapped in traps.items():
            direction = self.machine.window_move(rtls[position].effects)
            place = WindowMove(direction, name[1:], Line(file, rtls[position].lines[0]))
            count = WindowCount(1, counts[position], trapped)
            self.windows[place] = self.windows.get(place, WindowCount()) + count
            for register in windows.kept if trapped else ():
                kind = Reference("write" if direction == "enter" else "read", WINDOW, DATA_TYPES[register.type], IMPLICIT)
                _increase(self.tables["references"], kind, 0, trapped)

    def characteristics(self) -> Characteristics:
        """Return everything added."""
        transfers = Count()
        for rtl, (static, dynamic) in self.kinds.values():
            record = self.machine.record(rtl)
            self._add(rtl, record, static, dynamic)
            if _is_transfer(rtl):
                transfers += Count(static, dynamic)
        return Characteristics(
            instructions=total(self.functions.values()),
            branches=dict(sorted(self.branches.items())),
            transfers=transfers,
            runs=_frozen(self.runs),
            functions=self.functions,
            lines=_frozen(self.lines),
            windows=dict(sorted(self.windows.items())),
            **{name: _frozen(table) for name, table in self.tables.items()},
        )

    def _add(self, rtl: Rtl, record: Record, static: int, dynamic: int) -> None:
        """Add an RTL that stands `static` times in the program and was executed `dynamic` times."""
        tables = self.tables
        if record.counted:
            _increase(tables["types"], record.name, static, dynamic)
        _increase(tables["sizes"], record.size, static, dynamic)
        for field in record.fields:
            key = OperandField(record.name, field.name.upper(), field.mode, self._type(field, rtl))
            _increase(tables["operands"], key, static, dynamic)
        for _, kind in kinds_of_references(self.machine, rtl, record):
            _increase(tables["references"], kind, static, dynamic)
        for direction, registers in zip(("read", "write"), accesses(rtl, self.window_moves), strict=True):
            for register in registers:
                name = self._register(register)
                if register.type in "CG":
                    _increase(tables["condition_codes"], Access(name, direction, record.name), static, dynamic)
                else:
                    _increase(tables["registers"], Access(name, direction), static, dynamic)

    def _type(self, field: Field, rtl: Rtl) -> str:
        """Return the data type of an operand field; CODE for where control goes."""
        if field.type and (field.type not in "CG" or (isinstance(field.value, Register) and field.value.type in "CG")):
            return DATA_TYPES[field.type]
        if field.type:
            return DATA_TYPES[_compared(rtl) or self.machine.address_type]
        return "CODE" if _is_transfer(rtl) else DATA_TYPES[self.machine.address_type]

    def _register(self, register: Register) -> str:
        cls = self.machine.classes.get(register.cls)
        names = cls.names if cls is not None else ()
        return names[register.index] if register.index < len(names) and not register.pseudo else repr(register)


def _compared(rtl: Rtl) -> str:
    """Return the type of what an RTL compares into a condition code."""
    for effect in rtl.effects:
        source = effect.source if isinstance(effect, Set) else None
        if isinstance(source, Op) and source.op == "?":
            return next((arg.type for arg in source.args if arg.type), "")
    return ""


def _is_transfer(rtl: Rtl) -> bool:
    return any(isinstance(effect, (*TRANSFERS, Call)) for effect in rtl.effects)


def _increase(table: dict[Any, list[int]], key: Any, static: int, dynamic: int) -> None:
    numbers = table.get(key)
    if numbers is None:
        table[key] = [static, dynamic]
    else:
        numbers[0] += static
        numbers[1] += dynamic


def _frozen(table: Mapping[Any, Sequence[int]]) -> dict[Any, Count]:
    return {key: Count(*table[key]) for key in sorted(table)}


# ------------------------------------------------------------------------- instructions between transfers of control


def _run_ends(machine: Machine, function: Function, counted: Sequence[bool]) -> set[int]:
    """Return the positions, among counted RTLs, behind which a transfer of control, with its delay slots, is over."""
    ends = set()
    for position, rtl in enumerate(compress(function.rtls(), counted)):
        if _is_transfer(rtl):
            ends.add(position + delay_slots(machine, function, rtl))
            if rtl.annuls:
                ends.add(position)
    return ends


def run_lengths(counts: Sequence[int], ends: set[int]) -> dict[int, int]:
    """Return how many stretches of each length were executed between transfers of control.

    Control leaves a function only at `ends`, so where an RTL is executed more often than the one before it, the
    difference are arrivals; where less often, the program ended there.  Lengths times numbers sum to the counts.
    """
    lengths: dict[int, int] = {}
    under_way: list[list[int]] = []  # [first RTL, number], outermost first
    having = 0

    def close(number: int, end: int) -> None:
        while number:
            first, available = under_way[-1]
            done = min(number, available)
            lengths[end - first] = lengths.get(end - first, 0) + done
            number -= done
            under_way[-1][1] -= done
            if not under_way[-1][1]:
                under_way.pop()

    for position, count in enumerate(counts):
        if count > having:
            under_way.append([position, count - having])
        elif count < having:
            close(having - count, position)
        having = count
        if position in ends:
            close(having, position + 1)
            having = 0
    close(having, len(counts))
    return lengths
