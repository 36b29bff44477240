"""What a trace says of itself in JSON: facts, static half and end, each checked before anybody uses it (docs/traces.md)."""

from __future__ import annotations

import hashlib
from typing import Any

from cache_sim.traces.container import Section, TraceDamaged
from cache_sim.words import ADDRESS, COUNT, misfit

FORMS = ("path", "list", "profile")
_SITE = range(1 << 32)
_FACTS = {
    "bits": range(32, 65, 32), "start?": _SITE, "data?": bool, "form?": str, "machine?": str, "kinds?": [str], "command?": str,
    "arguments?": [str], "program?": str, "image?": str, "window?": [COUNT, COUNT], "line?": COUNT,
}  # fmt: skip
_STATIC = {
    "types": [str], "files": [str], "functions": [[str, _SITE, _SITE, _SITE]],
    "blocks": [[_SITE, ADDRESS, COUNT, COUNT, COUNT, COUNT]], "type": [range(-1, 1 << 32)], "line": [int], "text": [str],
    "address": [ADDRESS], "copies?": [[_SITE, _SITE]],
    "uses?": [[[COUNT], [COUNT]]], "use?": [_SITE], "transfer?": [range(4)],
}  # fmt: skip
_END = {
    "status": (int, None), "instructions?": COUNT, "systems?": COUNT, "fault?": str, "site?": _SITE, "done?": bool,
    "accessed?": ADDRESS, "whole?": bool, "chunks?": COUNT, "calls?": COUNT,
}  # fmt: skip

_CALLS = [COUNT, [[str, *[int] * 6, (int, None)]]]


def facts_of(section: Section) -> dict[str, Any]:
    """Return what the section HEAD says.

    Raises TraceDamaged.
    """
    facts: dict[str, Any] = _checked(section, _FACTS)
    if facts.get("form", "path") not in FORMS:
        raise TraceDamaged(f"a trace of the form '{facts['form']}', which this version of ease cannot read")
    return facts


def end_of(section: Section) -> dict[str, Any]:
    """Return what the section DONE says.

    Raises TraceDamaged.
    """
    end: dict[str, Any] = _checked(section, _END)
    return end


def calls_of(section: Section, told: int | None) -> list[list[Any]]:
    """Return the system calls that a section SYST lists; `told` is how many those before list, None if nobody has read them.

    Raises TraceDamaged.
    """
    first, calls = _checked(section, _CALLS)
    if told is not None and first != told:
        raise TraceDamaged(f"system call {told} is not where it must be")
    return list(calls)


def static_of(section: Section) -> dict[str, Any]:
    """Return what the section SITE says; empty if nothing is known of the program.

    Raises TraceDamaged.
    """
    if section.json() == {}:
        return {}
    static: dict[str, Any] = _checked(section, _STATIC)
    count = len(static["type"])
    consistent = (
        all(len(static[name]) == count for name in ("line", "text", "address"))
        and len({name in static for name in ("uses", "use", "transfer")}) == 1
        and max(static["type"], default=-1) < len(static["types"])
        and all(file < len(static["files"]) and first + size < count for _, file, first, size in static["functions"])
        and all(block[0] < count for block in static["blocks"])
        and all(len(static.get(name, static["type"])) == count for name in ("use", "transfer"))
        and max(static.get("use", ()), default=-1) < len(static.get("uses", ()))
        and all(load < count and store < count for load, store in static.get("copies", ()))
    )
    if not consistent:
        raise TraceDamaged("the section SITE contradicts itself")
    return static


def check_program(facts: dict[str, Any], static: bytes) -> None:
    """Raise TraceDamaged if the static half is of another program than the facts."""
    if facts.get("program", _digest(static)) != _digest(static):
        raise TraceDamaged("its section SITE is of another program")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _checked(section: Section, shape: Any) -> Any:
    value: Any = section.json()
    wrong = misfit(value, shape, f"the section {section.kind}")
    if wrong:
        raise TraceDamaged(wrong)
    return value
