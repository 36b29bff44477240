"""What is raised when a machine has no way to do an operation of C."""

from __future__ import annotations


class CannotExpress(Exception):
    """The machine has no way to do an operation: `what` names it, `line` is the source line."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.what, self.line = what, line
