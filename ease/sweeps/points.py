"""One point of a sweep: a program in a configuration; what its run came to; the key under which that is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ease.experiments.suite import Program
from ease.sweeps.axes import Configuration
from ease.version import measuring_code
from vpo import cache as entries
from vpo.machines.extends import assign
from vpo.machines.load import fingerprint, read_description
from vpo.machines.source import Map, parse


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
            str((configuration.timing, configuration.defines, configuration.includes)),
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
