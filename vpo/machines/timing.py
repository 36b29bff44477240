"""The `timing:` section, and what instructions say of the cycles that they take."""

from __future__ import annotations

from collections.abc import Iterable

from vpo.machines.nearest import nearest
from vpo.machines.record import Occupancy
from vpo.machines.schema import check_keys, flag, number, section, text
from vpo.machines.source import DescriptionError, Map
from vpo.machines.target import Timing
from vpo.rtl import Effect, Mem, Set

MOST = 1 << 16  # cycles
TIMING_KEYS = ("overlap", "taken", "window_trap", "basis", "latencies")
OCCUPANCY_KEYS = ("issue", "unit", "taken", "each")
KINDS = ("register", "load", "store", "update")  # instructions that refer to no memory, read it, write it, do both
TAKEN = "taken"


def load_timing(d: Map) -> Timing:
    """Read `timing:`; without such a section, the defaults hold.

    Raises DescriptionError.
    """
    if d.get("timing") is None:
        return Timing(stated=False)
    spec = section(d, "timing")
    check_keys(spec, TIMING_KEYS, "'timing'")
    taken, trap = (number(spec, key, 0, 0, MOST) for key in ("taken", "window_trap"))
    return Timing(flag(spec, "overlap"), taken, trap, " ".join(text(spec, "basis").split()), _latencies(spec))


def _latencies(spec: Map) -> dict[str, dict[str, int]]:
    """Read `latencies:`, by name of the instruction and kind."""
    table = section(spec, "latencies")
    result: dict[str, dict[str, int]] = {}
    for key in table:
        if isinstance(table[key], Map):
            check_keys(table[key], (*KINDS, TAKEN), f"the latencies of {key}")
            values = {kind: number(table[key], kind, 0, 0, MOST) for kind in table[key]}
        else:
            values = dict.fromkeys(KINDS, number(table, key, 0, 0, MOST))
        result.update(dict.fromkeys(key.split(), values))
    return result


def check_latencies(d: Map, timing: Timing, names: Iterable[str]) -> None:
    """See that what `latencies:` speaks of are instructions.

    Raises DescriptionError.
    """
    known = set(names)
    if known.issuperset(timing.latencies):
        return
    table = section(section(d, "timing"), "latencies")
    for key in table:
        for name in key.split():
            if name not in known:
                near = nearest(name, known)
                hint = f"; did you mean '{near}'?" if near else ""
                raise DescriptionError(table.key_places[key], f"there is no instruction '{name}'{hint}")


def load_occupancy(name: str, spec: Map, timing: Timing, transfers: bool, slots: int) -> Occupancy:
    """Read what one form of an instruction occupies; `transfers`: whether it is a transfer of control or a call.

    Raises DescriptionError.
    """
    issue = number(spec, "issue", 0, 1, MOST) if "issue" in spec else None
    taken = 0
    if transfers:
        taken = number(spec, TAKEN, max(timing.taken - slots, 0), 0, MOST)
        taken = timing.latencies.get(name, {}).get(TAKEN, taken)
    return Occupancy(issue, text(spec, "unit"), taken, number(spec, "each", 0, 0, MOST))


def kind_of(effects: tuple[Effect, ...]) -> str:
    """Return which of KINDS an instruction with these effects is."""
    reads = any(effect.memory for effect in effects)
    writes = any(isinstance(effect, Set) and isinstance(effect.target, Mem) for effect in effects)
    return KINDS[reads + 2 * writes]
