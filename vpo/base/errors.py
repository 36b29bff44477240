"""What is raised when what a user wrote cannot be compiled, linked or done on a machine.

A file of its own, since whoever raises or catches these knows nothing else of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

# ----------------------------------------------------------------------------------------------------------------------
# What compiling raises when the user wrote something that cannot be compiled.


class UserError(Exception):
    """Something that the user wrote cannot be compiled: `messages`, ready to print."""

    def __init__(self, messages: Sequence[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = list(messages)


# ----------------------------------------------------------------------------------------------------------------------
# What cannot be linked.


class LinkError(Exception):
    """Undefined or doubly defined symbols: one message each in `messages`."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages


class GroupError(LinkError):
    """Objects that files define together have places that files took to be theirs alone."""


# ----------------------------------------------------------------------------------------------------------------------
# What is raised when a machine has no way to do an operation of C, or no room for a function's objects.


class CannotExpress(Exception):
    """The machine has no way to do an operation: `what` names it, `line` is the source line.

    `about` is put in the place of {} when somebody wants to be told, which is seldom: often another way is tried.
    """

    def __init__(self, what: str, line: int = 0, about: object = None) -> None:
        super().__init__(what, line, about)
        self.line = line

    @property
    def what(self) -> str:
        """What the machine has not."""
        what, _, about = self.args
        return str(what) if about is None else str(what).format(repr(about))

    def __str__(self) -> str:
        return self.what

    def told(self, machine: str) -> str:
        """Return what is said of it."""
        return f"{machine} cannot do this: it has no {self.what}"


class FrameTooLarge(CannotExpress):
    """The frame of a function has more bytes than offsets can tell."""

    def __init__(self, size: int, most: int, line: int) -> None:
        super().__init__(f"room for a frame of {size} bytes", line)
        self.size, self.most = size, most

    def __reduce__(self) -> tuple[type[FrameTooLarge], tuple[int, int, int]]:
        return FrameTooLarge, (self.size, self.most, self.line)

    def told(self, machine: str) -> str:
        """Return what is said of it."""
        return f"total size of local objects {self.size} exceeds the maximum {self.most}"
