"""Mod/ref summaries: which objects in memory each function of a unit, with all that it calls, may read and change.

After Banning, "An Efficient Way to Find the Side Effects of Procedure Calls and the Aliases of Variables" (POPL 1979), on the
objects of `pointers.py`.  Frame slots and stack arguments of a function are gone when it returns, so they are in no summary.
A function that may call one of another unit, or the system, or refers to volatile cells has no summary: it may do anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from vpo.analysis.cfg import build_cfg
from vpo.analysis.pointers import ANY, EVERYTHING, NOTHING, OUTSIDE, Bases, Pointers
from vpo.il import AddressItem
from vpo.machines.machine import Machine
from vpo.rtl import Call, Mem, Rtl, Symbol
from vpo.rtl.function import Data, Function, PartItem
from vpo.rtl.symbols import GROUP, symbols_of_function

MOST = 64  # objects of one summary that are told apart
LASTING = ("symbol", "unknown", "any")  # objects that outlive an activation


@dataclass(frozen=True, slots=True)
class MemoryEffects:
    """The objects that a call may read and change, beside its stack arguments.

    It is `removable` if its result is all that it leaves: it changes nothing, and always returns.
    """

    reads: Bases
    writes: Bases
    removable: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        return MemoryEffects, (self.reads, self.writes, self.removable)

    def __or__(self, other: MemoryEffects) -> MemoryEffects:
        return MemoryEffects(_join(self.reads, other.reads), _join(self.writes, other.writes), self.removable)


def _join(a: Bases, b: Bases) -> Bases:
    both = a | b
    return EVERYTHING if ANY in both or len(both) > MOST else both


def memory_effects(functions: Iterable[Function], machine: Machine) -> dict[str, MemoryEffects]:
    """Return the summaries of those functions of a unit that the unit calls and that do not do just anything."""
    callees = {function.name: _callees(function) for function in functions}
    callers: dict[str, list[str]] = {}
    for name, called in callees.items():
        for callee in called or ():
            callers.setdefault(callee, []).append(name)
    unknown = {name for name, called in callees.items() if called is None} | (callers.keys() - callees.keys())
    for name in (work := list(unknown)):
        new = set(callers.get(name, ())) - unknown
        unknown |= new
        work += new
    known = {f.name: f for f in functions if f.name in callers and f.name not in unknown}
    summaries = {name: _own_effects(function, machine) for name, function in known.items()}
    _propagate(summaries, callers)
    for name in _returning(known, callees, callers):
        found = summaries[name]
        summaries[name] = MemoryEffects(found.reads, found.writes, not found.writes)
    return summaries


def _callees(function: Function) -> set[str] | None:
    """Return the names of the functions that a function calls; None if it may do anything."""
    found: set[str] = set()
    for rtl in function.rtls():
        if not rtl.acts:
            continue
        if rtl.system_call is not None or any(cell.volatile for cell in (*rtl.loads, *rtl.stores)):
            return None
        for effect in rtl.effects:
            if type(effect) is Call:
                target = effect.target
                if type(target) is not Symbol or target.offset:
                    return None
                found.add(target.name)
    return found


def _own_effects(function: Function, machine: Machine) -> MemoryEffects:
    """Return what a function does itself."""
    rtls = function.rtls()
    if not any(rtl.loads or rtl.stores for rtl in rtls):
        return MemoryEffects(NOTHING, NOTHING)
    pointers = Pointers(function, machine)

    def objects(cells: Iterable[Mem]) -> Bases:
        found = (base for cell in cells for base in pointers.of(cell.address) or OUTSIDE)
        lasting = frozenset(base for base in found if base.kind in LASTING)
        return EVERYTHING if any(base.name.startswith(GROUP) for base in lasting) else _join(NOTHING, lasting)

    return MemoryEffects(objects(c for rtl in rtls for c in rtl.loads), objects(c for rtl in rtls for c in rtl.stores))


def _propagate(summaries: dict[str, MemoryEffects], callers: Mapping[str, list[str]]) -> None:
    """Add to each summary those of the functions called."""
    work = list(summaries)
    waiting = set(work)
    while work:
        name = work.pop()
        waiting.discard(name)
        for caller in callers.get(name, ()):
            if caller in summaries and (joined := summaries[caller] | summaries[name]) != summaries[caller]:
                summaries[caller] = joined
                if caller not in waiting:
                    waiting.add(caller)
                    work.append(caller)


def _returning(
    known: Mapping[str, Function], callees: Mapping[str, set[str] | None], callers: Mapping[str, list[str]]
) -> list[str]:
    """Return the functions that surely return: neither they nor what they call has loops or is recursive."""
    left = {name: len(callees[name] or ()) for name in known}
    work = [name for name, count in left.items() if not count]
    found = []
    while work:
        name = work.pop()
        if not _is_cyclic(known[name]):
            found.append(name)
            for caller in callers.get(name, ()):
                left[caller] = left.get(caller, 0) - 1
                if caller in known and not left[caller]:
                    work.append(caller)
    return found


def _is_cyclic(function: Function) -> bool:
    """Whether control may come to a block again."""
    cfg = build_cfg(function)
    order = {block: place for place, block in enumerate(cfg.reverse_postorder())}
    return any(order[successor] <= place for block, place in order.items() for successor in cfg.successors[block])


def callee_effects(rtl: Rtl, effects: Mapping[str, MemoryEffects]) -> MemoryEffects | None:
    """Return the summary of the function that an RTL calls; None if it has none."""
    call = rtl.call if effects else None
    target = call.target if call is not None else None
    return effects.get(target.name) if type(target) is Symbol and not target.offset else None


# ----------------------------------------------------------------------------------------------------------------------
# What is known of the unit that a function belongs to while its functions are compiled one by one.


@dataclass
class UnitFacts:
    """Facts about the symbols of a unit; by default nothing is known.

    `constants` are the objects that nobody may change, `private` those that no pointer from outside a function points to,
    `effects` what functions may do to memory, `sizes` how many bytes the objects have that the unit defines, `allocators`
    the functions that return new objects.  `places` tells in which groups of objects some lie, and where there.
    """

    constants: frozenset[str] = frozenset()
    private: frozenset[str] = frozenset()
    effects: Mapping[str, MemoryEffects] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    allocators: frozenset[str] = frozenset()
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        return UnitFacts, (self.constants, self.private, self.effects, self.sizes, self.allocators, self.places)

    def seen_by(self, function: Function) -> UnitFacts:
        """Return the facts about what a function mentions, and about what the functions do to memory that it mentions."""
        names = {*symbols_of_function(function)}
        groups = {name for name in names if name.startswith(GROUP)}
        names.update(name for name, (group, _) in self.places.items() if group in groups)
        effects = {name: self.effects[name] for name in names if name in self.effects}
        names.update(base.name for found in effects.values() for base in found.reads | found.writes if base.kind == "symbol")
        places = {name: self.places[name] for name in names if name in self.places}
        names.update(group for group, _ in places.values())
        sizes = {name: self.sizes[name] for name in names if name in self.sizes}
        return UnitFacts(self.constants & names, self.private & names, effects, sizes, self.allocators & names, places)


def unit_facts(
    data: Sequence[Data],
    private: Iterable[str] = (),
    effects: Mapping[str, MemoryEffects] = MappingProxyType({}),
    allocators: frozenset[str] = frozenset(),
) -> UnitFacts:
    """Return what the data of a unit tell before its functions are compiled, and what others found out.

    An object is not private if data have its address: code may read it there if no instruction builds it.
    """
    pointed = {item.symbol for datum in data for item in datum.items if isinstance(item, AddressItem)}
    constants = frozenset(datum.name for datum in data if datum.constant)
    sizes = {datum.name: datum.size for datum in data}
    places = {item.symbol: (datum.name, item.offset) for datum in data for item in datum.items if isinstance(item, PartItem)}
    return UnitFacts(constants, frozenset(private) - pointed, effects, sizes, allocators, places)
