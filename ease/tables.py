"""Tables that add."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)


def add_tables(mine: Mapping[K, Any], theirs: Mapping[K, Any]) -> dict[K, Any]:
    """Add the counts of two tables."""
    result = dict(mine)
    for key, count in theirs.items():
        result[key] = result[key] + count if key in result else count
    return result
