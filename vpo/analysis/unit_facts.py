"""What is known of the unit that a function belongs to while its functions are compiled one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vpo.function import Data


@dataclass(eq=False)
class UnitFacts:
    """Facts about the symbols of a unit; by default nothing is known.

    `constants` are the objects that nobody may change, `private` those that no pointer from outside a function points to.
    """

    constants: frozenset[str] = frozenset()
    private: frozenset[str] = frozenset()


def unit_facts(data: Iterable[Data], private: Iterable[str] = ()) -> UnitFacts:
    """Return what the data of a unit tell before its functions are compiled, and which objects a front end found private."""
    return UnitFacts(frozenset(item.name for item in data if item.constant), frozenset(private))
