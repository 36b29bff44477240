"""Mistakes in tools: messages that name the line of the tool's file."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from vpo.user_error import UserError


class ToolMisuse(Exception):
    """A tool asks for something that there is not; the message says what."""


def mistake(file: str, line: int, message: str) -> UserError:
    """Return the exception that tells a mistake at a line of a tool."""
    return UserError([f"{file}:{line}: error: {message}"])


@contextmanager
def naming_line(file: str) -> Iterator[None]:
    """Turn whatever a tool's own Python raises into a message with the line of its file."""
    try:
        yield
    except UserError:
        raise
    except SyntaxError as error:
        raise mistake(error.filename or file, error.lineno or 0, f"this is not Python: {error.msg}") from None
    except (Exception, SystemExit) as error:
        lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
        message = str(error) if isinstance(error, ToolMisuse) else f"{type(error).__name__}: {error}"
        raise mistake(file, lines[-1] if lines else 1, message) from None
