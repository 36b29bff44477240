"""Read what `-sample` says, such as every=100k,length=1k,warm=2k."""

from __future__ import annotations

import re

from cache_sim.config import ConfigurationError
from ease.sampling.measured_phases import Schedule, systematic

FORMS = "every=100k,length=1k,warm=2k"
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_NUMBER = re.compile(r"(\d+)([kmg]?)", re.IGNORECASE)
_LARGEST = 1 << 56
ALWAYS = "all"


def parse_sample(text: str) -> Schedule:
    """Return the schedule that a specification describes.

    Raises ConfigurationError.
    """
    kind, colon, rest = text.partition(":")
    if not colon:
        kind, rest = "inner", text
    if kind != "inner":
        raise ConfigurationError(f"-sample {text}: there is no kind of samples '{kind}' (inner)")
    return _systematic(_Settings(rest, text, ("every", "length", "warm", "offset", "confidence")))


def _systematic(given: _Settings) -> Schedule:
    every, length = given.number("every"), given.number("length")
    always = given.values.get("warm") == ALWAYS
    warm = 0 if always else given.number("warm", 0)
    if length + warm > every:
        raise given.wrong(f"length and warm are {length + warm:,} instructions, but every is {every:,}")
    offset = None if "offset" not in given.values else given.number("offset", 0)
    return systematic(every, length, warm, always, offset, given.share("confidence", 99.7))


class _Settings:
    """Settings of a specification: KEY=VALUE, separated by commas."""

    def __init__(self, text: str, whole: str, keys: tuple[str, ...]) -> None:
        self.whole = whole
        self.values: dict[str, str] = {}
        for part in text.split(","):
            key, equals, value = part.partition("=")
            if key not in keys or not equals:
                raise self.wrong(f"'{part}' is none of {', '.join(f'{key}=...' for key in keys)}")
            if key in self.values:
                raise self.wrong(f"{key} is given twice")
            self.values[key] = value

    def wrong(self, what: str) -> ConfigurationError:
        """Return an error that quotes the specification."""
        return ConfigurationError(f"-sample {self.whole}: {what}")

    def number(self, key: str, default: int | None = None) -> int:
        """Return a number of instructions; positive, unless there is a default."""
        text = self.values.get(key)
        if text is None:
            if default is None:
                raise self.wrong(f"{key}=N is missing, as in {FORMS}")
            return default
        found = _NUMBER.fullmatch(text)
        number = int(found[1]) * _UNITS[found[2].lower()] if found else -1
        if number < (default is None) or number > _LARGEST:
            raise self.wrong(f"{key}={text} is no number of instructions, such as 1000, 10k or 2M")
        return number

    def share(self, key: str, default: float) -> float:
        """Return a share that is given in per cent."""
        try:
            share = float(self.values.get(key, default)) / 100
        except ValueError:
            share = 0.0
        if not 0 < share < 1:
            raise self.wrong(f"{key}={self.values[key]} is no number of per cent, such as 95 or 99.7")
        return share
