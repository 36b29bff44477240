"""Where the commands `easecc` and `ease` start: no interruption, closed pipe or full disk may show a traceback.

The commands are imported inside, because importing takes long enough for somebody to press Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any


def easecc() -> int:
    """Run `easecc`; returns the exit status."""

    def command() -> int:
        from ease.easecc import main

        return main()

    return _shielded("easecc", command)


def ease() -> int:
    """Run `ease`; returns the exit status."""

    def command() -> int:
        from ease.cli import main

        return main()

    return _shielded("ease", command)


def _shielded(program: str, command: Callable[[], int]) -> int:
    signal.signal(signal.SIGTERM, _end)
    try:
        try:
            return command()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _forget_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        _forget_output()
        print(f"{program}: standard output: {error.strerror}", file=sys.stderr)
        return 1


def _end(number: int, _frame: Any) -> None:
    """End in good order, so that temporary files go and what runs is stopped."""
    sys.exit(128 + number)


def _forget_output() -> None:
    """Let the flush at the end of the process find no error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
