"""Interrupts (Ctrl-C) and SIGTERM end a command in good order: they raise an exception until it arrives.

Python raises it wherever the command is just then, and much swallows it there: destructors, callbacks of the import
system, `except:` in libraries.  So it is raised again and again, until `arrived` is called.
"""

from __future__ import annotations

import os
import signal
import sys
from time import monotonic
from typing import Any

_AGAIN = 1.0  # seconds: longer than what was raised takes to arrive
_TWICE = 0.5  # seconds within which a signal is the one before, sent to the process and to its group, as `timeout` does
_TAKEN = (signal.SIGINT, signal.SIGTERM)
_received = 0  # the number of the signal
_since = 0.0  # when it came


def take() -> None:
    """Let the first interrupt raise KeyboardInterrupt and SIGTERM SystemExit; one that comes later kills the process."""
    for number in _TAKEN:
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):  # the caller may have it ignored
            signal.signal(number, _handle)
    sys.unraisablehook = _report


def leave() -> None:
    """Let the next signal kill the process, and raise nothing more."""
    for number in _TAKEN:
        if signal.getsignal(number) is _handle:
            signal.signal(number, signal.SIG_DFL)
    arrived()


def arrived() -> None:
    """Stop raising the exception: what it was for is done."""
    if signal.getsignal(signal.SIGALRM) is _raise_again:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _handle(number: int, _frame: Any) -> None:
    global _received, _since
    for each in _TAKEN:
        if signal.getsignal(each) is _handle:
            signal.signal(each, _handle_second)
    _received, _since = number, monotonic()
    signal.signal(signal.SIGALRM, _raise_again)
    signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
    _raise_again()


def _handle_second(number: int, _frame: Any) -> None:
    """Let a second signal kill the process, before what the first one is for is done: semaphores and files may be left."""
    if monotonic() - _since > _TWICE:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _raise_again(*_: Any) -> None:
    if _received == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + _received)


def _report(lost: Any) -> None:
    """Report an exception that nobody can catch, unless it is raised again."""
    if not isinstance(lost.exc_value, KeyboardInterrupt | SystemExit):
        sys.__unraisablehook__(lost)
