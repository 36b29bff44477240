"""What cannot be linked."""

from __future__ import annotations


class LinkError(Exception):
    """Undefined or doubly defined symbols: one message each in `messages`."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("\n".join(messages))
        self.messages = messages
