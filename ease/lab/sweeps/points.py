"""One point of a sweep: a program in a configuration; what its run came to; the key under which that is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from ease import Error, Machine, Store, measuring_code, told
from ease import Program as Linked
from ease.lab.experiments.experiment import output_digest
from ease.lab.experiments.programs import Program
from ease.lab.sweeps.axes import OF_MACHINE, Configuration
from vpo.base import cache as entries
from vpo.base.errors import LinkError, UserError
from vpo.build.settings import Settings
from vpo.machines.read.encoding import encoding_bits, encodings
from vpo.machines.read.extends import assign
from vpo.machines.read.load import fingerprint, read_description
from vpo.machines.read.source import Map, parse
from vpo.opt.driver import Level


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
        os.path.abspath(program.folder), program.options,
    )  # fmt: skip


SHOWING = (  # what makes something of answers that are there: no run depends on it
    "commands/machine/", "commands/studies/", "exchange/", "exports/", "pages/", "lab/dossier/", "lab/play/",
    "lab/proposals/", "lab/reproduce/rules", "lab/reproduce/shows", "lab/reproduce/verdicts", "tools/supplied/",
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
            *measuring_code(SHOWING), self._fingerprint(configuration), str(configuration.level), configuration.cache, memory,
            str(configuration.timing), *configuration.settings.deciding, *configuration.settings.c.deciding,
            *program.files, *program.options, "", program.name, *program.arguments, "", program.folder, *digests,
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
        with told():
            return _run(point, session)
    except Error as error:
        messages = error.origin.messages if isinstance(error.origin, UserError | LinkError) else [str(error)]
        return Outcome(error=messages[0])


def _run(point: Point, session: str) -> Outcome:
    configuration, program = point.configuration, point.program
    machine = machine_of(session, configuration.machine, configuration.sets, configuration.description)
    compiled, files = compiled_for(machine, configuration.level, program.settings(configuration.settings), program.files)
    timing = True if configuration.timing else None
    run = program.run(compiled, configuration.cache or None, timing=timing, timeout=LONGEST)
    return Outcome(run.totals | _of_machine(machine), run.exit_status, output_digest(run), files=files)


@lru_cache(KEPT)
def machine_of(session: str, name: str, sets: tuple[str, ...], description: str) -> Machine:
    """Return a machine, which is built once a session."""
    return Machine(name, sets, text=description)


@lru_cache(KEPT)
def compiled_for(machine: Machine, level: Level, settings: Settings, files: tuple[str, ...]) -> tuple[Linked, dict[str, str]]:
    """Return a linked program, and the digests of the files that it comes from."""
    compiled = machine.compile(files, level=level, settings=settings)
    return compiled, {file: digest_of(file) for file in compiled.read}


@lru_cache(KEPT)
def _of_machine(machine: Machine) -> dict[str, int]:
    """Return the measures OF_MACHINE."""
    of = machine.built.recognizer, machine.built.classes
    return dict(zip(OF_MACHINE, (encodings(*of), encoding_bits(*of)), strict=True))


# ----------------------------------------------------------------------------------------------------------------------
# What the points of sweeps came to, kept in a store, so that a sweep goes on where it was interrupted.


def known_points(store: Store, keys: Iterable[str]) -> dict[str, Outcome]:
    """Return what is kept under keys, if the source files are what they were."""
    found: dict[str, Outcome] = {}
    for key, value in store.values(keys).items():
        with suppress(TypeError):  # of something else
            outcome = Outcome(**value)
            if all(digest_of(file) == digest for file, digest in outcome.files.items()):
                found[key] = outcome
    return found


def keep_point(store: Store, key: str, about: str, outcome: Outcome) -> None:
    """Keep what a point came to; `about` says in words what it is."""
    values = {"measures": outcome.measures, "status": outcome.status, "output": outcome.output, "files": outcome.files}
    store.keep(key, values, about)
