"""The values in which two descriptions differ, and machines on the way from one to the other."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vpo.machines.read.extends import dissolve
from vpo.machines.read.source import Map, parse

UNSEEN = ("machine", "extends", "description", "manual", "toolchain")  # keys that code cannot depend on
LONGEST = 60  # characters of a value that are shown


@dataclass(frozen=True, slots=True)
class Edited:
    """A value that two descriptions do not share: its keys, outermost first, and what each has there (None: nothing)."""

    keys: tuple[str, ...]
    before: Any
    after: Any

    def __str__(self) -> str:
        name = ".".join(self.keys)
        if self.before is None:
            return f"{name} added: {_shown(self.after)}"
        return f"{name} removed" if self.after is None else f"{name}: {_shown(self.before)} became {_shown(self.after)}"


def edits_between(before: Map, after: Map) -> list[Edited]:
    """Return in which values two merged descriptions differ; the order of keys does not count, that of lists does."""
    return [edit for edit in _edits((), before, after) if edit.keys[0] not in UNSEEN]


def inner_edits(edit: Edited) -> Iterator[Edited]:
    """Yield in which values the forms of a list differ, or the edit itself if that is none, or of another length."""
    before, after = edit.before, edit.after
    if not isinstance(before, list) or not isinstance(after, list) or len(before) != len(after):
        yield edit
        return
    for one, other in zip(before, after, strict=True):
        yield from _edits(edit.keys, one, other)


def aligned(*texts: str) -> tuple[Map, Map] | None:
    """Return two descriptions in which no group of instructions hides what they share; None if the text of one is not known.

    An instruction that is taken out of a group then is one value, and the rest of the group is none.
    """
    if len(texts) != 2 or not all(texts):
        return None
    before, after = (parse(text, "description") for text in texts)
    one, other = (side.get("instructions", Map(side.place)) for side in (before, after))
    apart = [(one, key) for key in one if key not in other] + [(other, key) for key in other if key not in one]
    for section, key in apart:
        dissolve(section, key)
    return before, after


def _edits(keys: tuple[str, ...], before: Any, after: Any) -> Iterator[Edited]:
    if not isinstance(before, Map) or not isinstance(after, Map):
        if before != after:
            yield Edited(keys, before, after)
        return
    for key in dict.fromkeys((*before, *after)):
        yield from _edits((*keys, key), before.get(key), after.get(key))


def with_edits(description: Map, made: Sequence[Edited], source: Map) -> Map:
    """Return a copy of a description with the values that another one, the source of the edits, has."""
    result = copy.deepcopy(description)
    for edit in made:
        to, of = result, source
        for key in edit.keys[:-1]:
            to, of = to[key], of[key]
        last = edit.keys[-1]
        if edit.after is None:
            del to[last]
        else:
            to.put_from(of, last, edit.after)
    return result


def _shown(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(part)}" for key, part in value.items()) + "}"
    return "[" + ", ".join(map(_text, value)) + "]" if isinstance(value, list) else str(value)
