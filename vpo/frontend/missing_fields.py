"""Warning of lists in braces that end before the members of their structure do."""

from __future__ import annotations

from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.diagnostics import Recover
from vpo.frontend.types import Array, CType, Record, is_complete


def check_missing(ctx: Context, ctype: Record, index: int, items: list[Any]) -> None:
    """Warn if a list without designators leaves out members from `index` on.

    As with gcc, members without size may be missing, and `{0}` sets everything to zero on purpose.
    """
    if not ctx.report.wanted or ctype.tag.keyword != "struct":
        return
    sized = (member for member in ctype.members[index:] if member.name is None or not _is_empty(member.type))
    first = next(sized, None)
    if first is None or first.name is None or (len(items) == 1 and _is_zero(ctx, items[0])):
        return
    message = f"missing initializer for field '{first.name}' of '{ctype}'"
    ctx.report.warning(getattr(items[-1], "coord", None), "missing-field-initializers", message)


def _is_empty(ctype: CType) -> bool:
    """True for types without size: flexible arrays, those of length 0 and structures without members."""
    return isinstance(ctype, Array | Record) and (not is_complete(ctype) or ctype.size == 0)


def _is_zero(ctx: Context, node: Any) -> bool:
    if type(node).__name__ not in ("Constant", "ID", "Cast", "UnaryOp", "BinaryOp"):
        return False
    try:
        with ctx.scratch(unevaluated=True):
            tree = ctx.expression(node).tree
    except Recover:
        return True  # the error has been told
    return isinstance(tree, il.Const) and tree.value == 0 and not isinstance(tree.value, float)
