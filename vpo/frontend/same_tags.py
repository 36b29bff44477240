"""Tags and members that are declared twice."""

from __future__ import annotations

from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.layout import Field
from vpo.frontend.types import Record, Tag


def of_one_tag(ctx: Context, node: Any, earlier: Record, record: Record) -> Record:
    """Return the type of an earlier declaration of a tag if the new one says the same (C23, 6.7.3.4)."""
    if earlier.tag.members is not None and _contents(earlier.tag) == _contents(record.tag):
        ctx.scope.tags[node.name] = earlier
        return earlier
    if record.tag is not earlier.tag and ctx.scope.tags[node.name] is record and earlier.tag.scope is ctx.scope:
        ctx.report.fail(node.coord, f"redefinition of '{record}'")
    return record


def _contents(tag: Tag) -> tuple[object, ...]:
    """Return what makes two structures the same: names, types and places of members."""
    members = [(member.name, str(member.type), member.offset, member.bits) for member in tag.members or ()]
    inner = [(name, str(member.type), member.offset, member.bits) for name, member in tag.by_name.items()]
    return tag.keyword, tag.size, tag.align, members, inner


def check_names(ctx: Context, node: Any, member: Field, names: set[str]) -> None:
    """Report members of one name; `names` are those so far."""
    fresh: list[str] = []
    if member.name is not None:
        fresh = [member.name]
    elif isinstance(member.type, Record):
        fresh = list(member.type.tag.by_name)
    for name in fresh:
        if name in names:
            ctx.report.error(node.coord, f"duplicate member '{name}'")
        names.add(name)
