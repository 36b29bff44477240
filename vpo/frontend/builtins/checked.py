"""`__builtin___memcpy_chk` and its kin, which gcc's headers call when they know the size of an object: the plain functions.

Nothing is checked here.  The sizes, and the flags of the printf family, are evaluated for their effects only.
"""

from __future__ import annotations

import re
from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.lower import conversions
from vpo.frontend.lower.expressions import discard
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.expression_nodes import ID, ExprList, FuncCall

_NAME = re.compile(r"__builtin___(\w+)_chk")
_DROPPED = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy", "memset", "strncpy", "stpncpy", "strncat"), (3,)),
    **dict.fromkeys(("strcpy", "stpcpy", "strcat"), (2,)),
    **dict.fromkeys(("sprintf", "vsprintf"), (1, 2)),
    **dict.fromkeys(("snprintf", "vsnprintf"), (2, 3)),
    **dict.fromkeys(("printf", "vprintf"), (0,)),
    **dict.fromkeys(("fprintf", "vfprintf"), (1,)),
}  # the positions of the arguments that the plain functions do not have


def is_checked(name: str) -> bool:
    """Return whether a name is that of such a function."""
    match = _NAME.fullmatch(name)
    return match is not None and match[1] in _DROPPED


def checked_builtin(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Lower a call of one as that of the plain function."""
    match = _NAME.fullmatch(node.name.name)
    assert match is not None
    dropped = _DROPPED[match[1]]
    if len(arguments) <= dropped[-1]:
        ctx.report.fail(node.coord, f"too few arguments to function '{node.name.name}'")
    for position in dropped:
        discard(ctx, arguments[position])
    kept = [argument for position, argument in enumerate(arguments) if position not in dropped]
    plain = ID(f"__builtin_{match[1]}", node.name.coord)
    return conversions.rvalue(ctx, FuncCall(plain, ExprList(kept, node.coord), node.coord))
