"""Parts of what a user writes in a line."""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.config import ConfigurationError


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a text that knows where it stands."""

    whole: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.whole[self.start : self.end]

    def split(self, separator: str) -> list[Word]:
        """Return the words between separators."""
        words, start = [], self.start
        for part in str(self).split(separator):
            words.append(Word(self.whole, start, start + len(part)))
            start += len(part) + len(separator)
        return words

    def partition(self, separator: str) -> tuple[Word, Word]:
        """Return what is before and behind the first separator; without one, the second is an empty word at the end."""
        before, found, _ = str(self).partition(separator)
        middle = self.start + len(before)
        return Word(self.whole, self.start, middle), Word(self.whole, middle + len(found), self.end)

    def error(self, message: str, about: str = "") -> ConfigurationError:
        """Return an error with a pointer to this word."""
        shown = f"{message}\n    {self.whole}\n    {' ' * self.start}^"
        return ConfigurationError(shown, about, f"column {self.start + 1}")
