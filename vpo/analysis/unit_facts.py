"""What is known of the unit that a function belongs to while its functions are compiled one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from vpo.analysis.memory_effects import MemoryEffects
from vpo.function import Data
from vpo.il import AddressItem


@dataclass(eq=False)
class UnitFacts:
    """Facts about the symbols of a unit; by default nothing is known.

    `constants` are the objects that nobody may change, `private` those that no pointer from outside a function points to,
    `effects` what functions may do to memory, `sizes` how many bytes the objects have that the unit defines.
    """

    constants: frozenset[str] = frozenset()
    private: frozenset[str] = frozenset()
    effects: Mapping[str, MemoryEffects] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)


def unit_facts(
    data: Sequence[Data], private: Iterable[str] = (), effects: Mapping[str, MemoryEffects] = MappingProxyType({})
) -> UnitFacts:
    """Return what the data of a unit tell before its functions are compiled, and what others found out.

    An object is not private if data have its address: code may read it there if no instruction builds it.
    """
    pointed = {item.symbol for datum in data for item in datum.items if isinstance(item, AddressItem)}
    constants = frozenset(datum.name for datum in data if datum.constant)
    sizes = {datum.name: datum.size for datum in data}
    return UnitFacts(constants, frozenset(private) - pointed, effects, sizes)
