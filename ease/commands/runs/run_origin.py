"""Where a program that is run comes from: what reports tell of a run beside its measurement.

A file of its own, since all ways to run a program tell it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ease.commands.compile.command import Command
    from ease.model.run_identity import RunIdentity
    from vpo.program import Program


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """Its identity (asked for before the run), the texts of its source files, and the whole description of its machine."""

    identity: Callable[[], RunIdentity]
    sources: Callable[[], Mapping[str, str]]
    description: Callable[[], str]


def compiled_origin(command: Command, program: Program) -> RunOrigin:
    """Return the origin of a program that a command compiled, or linked before."""
    from ease.model.kept_run import sources_of
    from vpo.machines.read.load import full_text

    return RunOrigin(
        lambda: identity_of(command), lambda: sources_of(program), lambda: full_text(command.machine, command.sets)
    )


def identity_of(command: Command) -> RunIdentity:
    """Return what is about to be run; standard input is still unread."""
    from ease.base.version import VERSION
    from ease.model.run_identity import RunIdentity, standard_input

    given, digest = standard_input()
    return RunIdentity(
        command.words, tuple(command.files), tuple(command.arguments), command.machine, tuple(command.sets),
        str(command.level), VERSION, given, digest,
    )  # fmt: skip
