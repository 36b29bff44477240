"""What compiling raises when the user wrote something that cannot be compiled."""

from __future__ import annotations

from collections.abc import Sequence


class UserError(Exception):
    """Something that the user wrote cannot be compiled: `messages`, ready to print."""

    def __init__(self, messages: Sequence[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = list(messages)
