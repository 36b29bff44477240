"""One point of a sweep: a program in a configuration; what its run came to; the key under which that is kept."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from sqlite3 import Connection

from cache_sim.config import ConfigurationError
from cache_sim.parse import load_any
from ease.base.version import measuring_code
from ease.comparison.comparison import totals_of
from ease.host.process.job import RunOptions
from ease.lab.experiments.experiment import Program
from ease.lab.sweeps.axes import OF_MACHINE, Configuration
from ease.model.results import Measurement
from ease.run.measuring import MeasureOptions, measured_run
from vpo.base import cache as entries
from vpo.base.errors import LinkError, UserError
from vpo.build.compiler import Compiler, Settings
from vpo.machines.machine import Machine
from vpo.machines.read.encoding import encoding_bits, encodings
from vpo.machines.read.extends import assign
from vpo.machines.read.load import build, fingerprint, read_description
from vpo.machines.read.source import DescriptionError, Map, parse
from vpo.opt.driver import PhaseError
from vpo.program import Program as Linked
from vpo.system.faults import HostError


@dataclass(frozen=True, slots=True)
class Point:
    """A program in a configuration."""

    configuration: Configuration
    program: Program


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: totals by name, exit status, a digest of its output; or the error that there was.

    `files`: the source files that were read, with their digests.
    """

    measures: Mapping[str, int] = field(default_factory=dict)
    status: int = 0
    output: str = ""
    error: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


def placed(program: Program) -> Program:
    """Return a program whose files are found from any folder."""
    return Program(
        program.name, tuple(os.path.abspath(file) for file in program.files), program.arguments, program.stdin,
        os.path.abspath(program.folder),
    )  # fmt: skip


class Keys:
    """The keys of points; descriptions are read once."""

    def __init__(self) -> None:
        self.fingerprints: dict[tuple[str, tuple[str, ...], str], str] = {}

    def key(self, point: Point) -> str:
        """Return a digest of all that decides what a point comes to, but for the text of its source files.

        Raises OSError, DescriptionError.
        """
        configuration, program = point.configuration, point.program
        inputs = [program.stdin] if program.stdin else []
        inputs += [word for word in program.arguments if (Path(program.folder) / word).is_file()]
        digests = [digest_of(str(Path(program.folder) / name)) for name in inputs]
        memory = digest_of(configuration.cache) if os.path.isfile(configuration.cache) else ""
        return entries.key(
            *measuring_code(), self._fingerprint(configuration), str(configuration.level), configuration.cache, memory,
            str(configuration.timing), *configuration.settings.deciding, *configuration.settings.c.deciding,
            *program.files, "", program.name, *program.arguments, "", program.folder, *digests,
        )  # fmt: skip

    def _fingerprint(self, configuration: Configuration) -> str:
        machine, sets, description = configuration.machine, configuration.sets, configuration.description
        name = machine, sets, description
        if name not in self.fingerprints:
            self.fingerprints[name] = fingerprint(described(machine, sets, description))
        return self.fingerprints[name]


def described(machine: str, sets: tuple[str, ...], description: str) -> Map:
    """Return a merged description: of a machine by name, or the given text; with settings.

    Raises OSError, DescriptionError.
    """
    if not description:
        return read_description(machine, sets)
    found = parse(description, machine)
    for setting in sets:
        assign(found, setting)
    return found


_digests: dict[tuple[str, int, int], str] = {}  # by name, time of the last change and size


def digest_of(file: str) -> str:
    """Return the digest of a file; empty if it cannot be read."""
    try:
        status = os.stat(file)
        name = file, status.st_mtime_ns, status.st_size
        if name not in _digests:
            _digests[name] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        return _digests[name]
    except OSError:
        return ""


# ----------------------------------------------------------------------------------------------------------------------
# Compiles and runs one point of a sweep, in whatever process: everything that it needs comes with the point.


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
    settings = replace(configuration.settings, level=configuration.level)
    linked, files = _program(machine, settings, program.files)
    system = load_any(configuration.cache) if configuration.cache else None
    timing = configuration.timing or machine.timing.stated
    with program.at_home() as (words, stdin):
        options = RunOptions(stdin, capture=True, timeout=LONGEST)
        result, measurement = measured_run(linked, words, MeasureOptions(system, timing=timing), options)
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

# ----------------------------------------------------------------------------------------------------------------------
# What the points of sweeps came to, kept in a store, so that a sweep goes on where it was interrupted.


MANY = 500  # keys in a question


def known_points(connection: Connection, keys: Iterable[str]) -> dict[str, Outcome]:
    """Return what is kept under keys, if the source files are what they were."""
    wanted = list(keys)
    found: dict[str, Outcome] = {}
    for first in range(0, len(wanted), MANY):
        part = wanted[first : first + MANY]
        marks = ", ".join("?" * len(part))
        for key, content in connection.execute(f"SELECT key, content FROM point WHERE key IN ({marks})", part):
            outcome = _outcome(content)
            if outcome is not None and all(digest_of(file) == digest for file, digest in outcome.files.items()):
                found[key] = outcome
    return found


def _outcome(content: str) -> Outcome | None:
    try:
        return Outcome(**json.loads(content))
    except (ValueError, TypeError):
        return None


def keep_point(connection: Connection, key: str, about: str, outcome: Outcome) -> None:
    """Keep what a point came to; `about` says in words what it is."""
    values = {"measures": outcome.measures, "status": outcome.status, "output": outcome.output, "files": outcome.files}
    time = datetime.now(UTC).isoformat(timespec="seconds")
    connection.execute("INSERT OR REPLACE INTO point VALUES (?, ?, ?, ?)", (key, time, about, json.dumps(values)))
