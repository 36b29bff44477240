"""The grammar of static assertions (C11, 6.7.10)."""

from __future__ import annotations

from vpo.frontend.syntax.declaration_nodes import StaticAssert
from vpo.frontend.syntax.expression_nodes import Constant
from vpo.frontend.syntax.lexer import STRING
from vpo.frontend.syntax.parse_expressions import conditional, string
from vpo.frontend.syntax.stream import Stream


def static_assertion(s: Stream) -> StaticAssert:
    """Read a static assertion with its semicolon."""
    place = s.coord()
    s.at += 1
    s.expect("(")
    condition = conditional(s)
    message: Constant | None = None
    if s.accept(","):
        if s.kinds[s.at] != STRING:
            s.missing("string")
        message = string(s)
    else:
        s.forbid("ISO C11 does not support omitting the string in '_Static_assert'", 2023)
    s.expect(")")
    s.expect(";")
    return StaticAssert(condition, message, place)
