"""Compiles and runs one point of a sweep, in whatever process: everything that it needs comes with the point."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from cache_sim.config import ConfigurationError
from cache_sim.parse import load_any
from ease.comparison import totals_of
from ease.measuring import measured_run
from ease.results import Measurement
from ease.sweeps.axes import OF_MACHINE
from ease.sweeps.points import Outcome, Point, described, digest_of
from vpo.compiler import Compiler, Settings, UserError
from vpo.faults import HostError
from vpo.link_error import LinkError
from vpo.machines.code_space import encoding_bits, encodings
from vpo.machines.load import build
from vpo.machines.machine import Machine
from vpo.machines.source import DescriptionError
from vpo.opt.driver import PhaseError
from vpo.program import Program as Linked

LONGEST = 600.0  # seconds of a run: one that was compiled wrongly may not end
KEPT = 4  # programs in memory


def run_point(point: Point, session: str) -> Outcome:
    """Compile and run; what is wrong with a point is told in its outcome.

    What is the same for several points of a session is compiled once.
    """
    try:
        return _run(point, session)
    except (UserError, LinkError) as error:
        return Outcome(error=error.messages[0])
    except (ConfigurationError, DescriptionError, HostError, PhaseError) as error:
        return Outcome(error=str(error))
    except OSError as error:
        return Outcome(error=f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _run(point: Point, session: str) -> Outcome:
    configuration, program = point.configuration, point.program
    machine = _machine(session, configuration.machine, configuration.sets, configuration.description)
    settings = Settings(configuration.level, configuration.includes, configuration.defines)  # type: ignore[arg-type]
    linked, files = _program(machine, settings, program.files)
    system = load_any(configuration.cache) if configuration.cache else None
    timing = configuration.timing or machine.timing.stated
    here = os.getcwd()
    os.chdir(program.folder)
    try:
        stdin = Path(program.stdin).read_bytes() if program.stdin else b""
        words = [program.name, *program.arguments]
        result, measurement = measured_run(linked, words, system, None, timing, stdin=stdin, capture=True, timeout=LONGEST)
    finally:
        os.chdir(here)
    if result.fault is not None:
        return Outcome(error=f"{program.name} on {machine.name}: {result.fault}")
    output = hashlib.sha256(result.output + result.errors).hexdigest()
    return Outcome(_measures(measurement) | _of_machine(machine), result.exit_status, output, files=files)


@lru_cache(KEPT)
def _machine(session: str, name: str, sets: tuple[str, ...], description: str) -> Machine:
    return build(described(name, sets, description))


@lru_cache(KEPT)
def _program(machine: Machine, settings: Settings, files: tuple[str, ...]) -> tuple[Linked, dict[str, str]]:
    """Return a linked program, and the digests of the files that it comes from."""
    compiler = Compiler(machine, settings)
    linked = compiler.program(files)
    read = {name for file, included in compiler.included.items() for name in (file, *included)}
    return linked, {file: digest_of(file) for file in sorted({*files, *read})}


@lru_cache(KEPT)
def _of_machine(machine: Machine) -> dict[str, int]:
    """Return the measures OF_MACHINE."""
    return dict(zip(OF_MACHINE, (encodings(machine), encoding_bits(machine)), strict=True))


def _measures(measurement: Measurement) -> dict[str, int]:
    """Return the totals, with the misses of caches."""
    found = totals_of(measurement)
    for cache in measurement.memory.results.caches if measurement.memory is not None else ():
        found[f"misses {cache.cache.name}"] = cache.misses.total
    return found
