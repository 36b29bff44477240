"""Runs in the interpreter, measured: where there is no LLVM, as in a browser, and where somebody follows a run step by step.

A file of its own, since it needs nothing of host code.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec

from ease.model.characterise import characterise
from ease.model.results import Counts, Measurement
from ease.model.static_program import describe
from ease.timing.estimate import estimate
from vpo.interpret.fast.interpreter import interpret
from vpo.interpret.result import Result
from vpo.program import Program

FAULT_STATUS = 134  # of a run in the interpreter that ended by a fault


def host_code_is_possible() -> bool:
    """Return whether there is what makes host code."""
    with suppress(ValueError):  # somebody says that it shall not be there
        return find_spec("llvmlite") is not None
    return False


def interpreted_run(
    program: Program, arguments: Sequence[str | bytes], stdin: bytes, limit: int | None, timeout: float | None, timed: bool
) -> tuple[Result, Measurement]:
    """Run a program in the interpreter and measure it: counts, and an estimate of the cycles if it is `timed`."""
    result = interpret(program, arguments, stdin=stdin, capture=True, limit=limit, timeout=timeout)
    measurement = measurement_of_interpretation(program, result)
    if timed:
        assert measurement.counts is not None
        measurement = replace(measurement, timing=estimate(program, measurement.counts, None, None))
    return result, measurement


def measurement_of_interpretation(program: Program, result: Result) -> Measurement:
    """Return the measurement of a run in the interpreter."""
    fault = "" if result.fault is None else str(result.fault)
    status = FAULT_STATUS if result.exit_status is None else result.exit_status
    known, counts = describe(program), Counts(result.rtls, result.taken, result.traps)
    partial = result.fault is not None
    return Measurement(known.machine, characterise(known, counts), status, partial, fault, program=known, counts=counts)
