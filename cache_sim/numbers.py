"""Numbers as users write them in configurations."""

from __future__ import annotations

import re

from cache_sim.config import ConfigurationError

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
FULL = "full"


def parse_size(about: str, text: str) -> int:
    """Return a number of bytes: 512, 8k, 1m or 1g.

    Raises ConfigurationError.
    """
    if match := re.fullmatch(r"([1-9][0-9]{0,17})([kmg]?)", text.lower()):
        return int(match[1]) * _UNITS[match[2]]
    raise ConfigurationError(f"{about} '{text}' is not a size such as 512, 8k or 1m", about)


def parse_count(about: str, text: str) -> int:
    """Return a decimal number.

    Raises ConfigurationError.
    """
    if re.fullmatch(r"0|[1-9][0-9]{0,17}", text):
        return int(text)
    raise ConfigurationError(f"{about} '{text}' is not a decimal number (of at most 18 digits)", about)


def parse_ways(text: str, lines: int) -> int:
    """Return a number of ways; `full` is as many as there are lines.

    Raises ConfigurationError.
    """
    return lines if text == FULL else parse_count("ways", text)


def format_size(size: int) -> str:
    """Return a size in the largest unit of which it is a multiple."""
    unit = next(unit for unit in "gmk " if size % _UNITS[unit.strip()] == 0)
    return f"{size // _UNITS[unit.strip()]}{unit.strip()}"
