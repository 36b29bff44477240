"""What `#pragma pack` says: the greatest alignment of the members of structures, and a stack of those that were in force."""

from __future__ import annotations

from collections.abc import Sequence

from vpo.frontend.cpp.tokens import IDENTIFIER, Malformed, Token

_ALIGNMENTS = ("0", "1", "2", "4", "8", "16")


class Packing:
    """The alignment in force ('' if there is none), and those that were pushed, with the names that they were given."""

    def __init__(self) -> None:
        self._now = ""
        self._stack: list[tuple[str, str]] = []

    def change(self, tokens: Sequence[Token]) -> str:
        """Do what a pragma says, `pack` first; return the alignment that is in force then."""
        texts = [token.text for token in tokens]
        if texts[1:2] != ["("] or texts[-1] != ")":
            raise Malformed(tokens[0], "#pragma pack expects '(' ... ')'")
        words = texts[2:-1]
        action = words.pop(0) if words and words[0] in ("push", "pop") else ""
        name = ""
        for position, word in enumerate(words):
            if word == "," or (position == 0 and not action and word in _ALIGNMENTS):
                continue
            if word not in _ALIGNMENTS and not (action and tokens[3 + position].kind == IDENTIFIER):
                raise Malformed(tokens[0], f"#pragma pack takes an alignment of {', '.join(_ALIGNMENTS[1:])}, not '{word}'")
            name = word if word not in _ALIGNMENTS else name
        alignments = [word for word in words if word in _ALIGNMENTS]
        if action == "push":
            self._stack.append((name, self._now))
        elif action == "pop":
            self._pop(tokens[0], name)
        if alignments:
            self._now = alignments[-1] if alignments[-1] != "0" else ""
        elif not action:
            self._now = ""
        return self._now

    def _pop(self, place: Token, name: str) -> None:
        if not self._stack or (name and name not in (pushed for pushed, _ in self._stack)):
            raise Malformed(place, "#pragma pack(pop) without a matching #pragma pack(push)")
        while True:
            pushed, self._now = self._stack.pop()
            if not name or pushed == name:
                return
