"""`__builtin___memcpy_chk` and its kin, which gcc's headers call when they know the size of an object: the plain functions.

Nothing is checked here.  The sizes, and the flags of the printf family, are evaluated for their effects only.
"""

from __future__ import annotations

import re

from vpo.frontend.builtins.call import BuiltinCall, expect
from vpo.frontend.context import Context
from vpo.frontend.lower import conversions
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, FuncCall

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


def checked_builtin(ctx: Context, call: BuiltinCall) -> Value:
    """Lower a call of one as that of the plain function."""
    match = _NAME.fullmatch(call.name)
    assert match is not None
    dropped = _DROPPED[match[1]]
    expect(ctx, call, dropped[-1] + 1)
    for position in dropped:
        ctx.discard(call.arguments[position])
    kept = [argument for position, argument in enumerate(call.arguments) if position not in dropped]
    plain = ID(f"__builtin_{match[1]}", call.coord)
    return conversions.rvalue(ctx, FuncCall(plain, kept, call.coord))
