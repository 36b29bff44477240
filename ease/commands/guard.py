"""Mistakes of users end in messages, whichever command is told to do something."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ease.api.errors import Error
from ease.commands.messages import tell

EXIT_USER = 1  # the exit status after a mistake in the input
EXIT_USAGE = 2  # and after one in the command line


def guarded(program: str, action: Callable[[], int]) -> int:
    """Run an action; what users can get wrong becomes a message and exit status 1."""
    try:
        return _as_found(action)
    except BrokenPipeError:
        raise  # whoever started the command knows
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{program}: {where}{error.strerror or error}", file=sys.stderr)
    except RecursionError:
        print(f"{program}: an expression or a declaration is nested too deeply", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if not _told(program, error):
            raise
    return EXIT_USER


def _as_found(action: Callable[[], int]) -> int:
    """Run an action; a mistake that the interface to Python tells is raised as the layer raised it that found it."""
    try:
        return action()
    except Error as error:
        raise error.origin or error from None


def _told(program: str, error: Exception) -> bool:
    """Say what a user did wrong, or what ended a process; return whether that is what an exception means."""
    from concurrent.futures import BrokenExecutor

    from cache_sim.config import ConfigurationError
    from ease.reports import AskedError
    from ease.run.verify import ToolMissing
    from ease.store.database import StoreError
    from vpo.base.errors import LinkError, UserError
    from vpo.link.input_files import ArchiveError
    from vpo.machines.read.source import DescriptionError
    from vpo.opt.driver import PhaseError
    from vpo.system.faults import HostError
    from vpo.system.initial_stack import ArgumentsTooLong

    match error:
        case UserError() | LinkError():
            for message in error.messages:
                tell(message)
            print_errors(program, len(error.messages))
        case ArchiveError():
            print(error, file=sys.stderr)
            print_errors(program, 1)
        case DescriptionError():
            print(error, file=sys.stderr)
        case BrokenExecutor():
            print(f"{program}: a process was killed, perhaps for lack of memory (-j 1 needs least)", file=sys.stderr)
        case ConfigurationError():
            print(error if error.place else f"{program}: {error}", file=sys.stderr)
        case Error() | AskedError() | StoreError() | PhaseError() | ToolMissing() | ArgumentsTooLong() | HostError():
            print(f"{program}: {error}", file=sys.stderr)
        case _:
            return False
    return True


def print_errors(program: str, count: int) -> None:
    """Say how many mistakes there were."""
    print(f"{program}: {count} error{'s' if count != 1 else ''}", file=sys.stderr)
