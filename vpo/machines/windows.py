"""The `windows:` of a calling convention: functions that get registers of their own by moving a register window."""

from __future__ import annotations

from vpo.machines.calling_convention import Windows
from vpo.machines.patterns import read_effects
from vpo.machines.schema import check_keys, expect, number, section
from vpo.machines.source import DescriptionError, Map
from vpo.machines.target import RegisterClass
from vpo.rtl import Effect, Register, Set

WINDOW_KEYS = {"count", "enter", "leave"}


def load_windows(d: Map, classes: dict[str, RegisterClass]) -> Windows | None:
    """Read `windows:`, if there is such a section.

    Raises DescriptionError.
    """
    if d.get("windows") is None:
        return None
    spec = section(d, "windows")
    check_keys(spec, WINDOW_KEYS, "'windows'")
    enter, moved = _moves(spec, "enter", classes)
    leave, back = _moves(spec, "leave", classes)
    kept = tuple(source for source, target in moved.items() if classes[target.cls].private)
    if not kept:
        raise DescriptionError(spec.where("enter"), "'enter' puts nothing away: the class for that needs `private: true`")
    for source, target in moved.items():
        if back.get(target) is not source:
            raise DescriptionError(spec.where("leave"), f"'leave' does not undo `{target!r}={source!r};`")
    inside = {source: target for source, target in moved.items() if source not in kept}
    return Windows(number(spec, "count", 8, 2, 1 << 16), enter, leave, kept, inside)


def _moves(spec: Map, key: str, classes: dict[str, RegisterClass]) -> tuple[tuple[Effect, ...], dict[Register, Register]]:
    """Read an RTL that only moves registers; also return what goes where."""
    effects = read_effects(expect(spec, key, str), spec.where(key), classes)[0]
    moved: dict[Register, Register] = {}
    for effect in effects:
        if not (isinstance(effect, Set) and isinstance(effect.target, Register) and isinstance(effect.source, Register)):
            message = f"'{key}' only moves registers, as in r[24..31]=r[8..15]; not `{effect!r}`"
            raise DescriptionError(spec.where(key), message)
        moved[effect.source] = effect.target
    return effects, moved
