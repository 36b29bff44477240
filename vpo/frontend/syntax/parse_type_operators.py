"""The grammar of `_Alignas(...)`, `typeof(...)` and `_BitInt(...)`, which need types and expressions."""

from __future__ import annotations

from vpo.frontend.syntax.attribute_lists import Alignas
from vpo.frontend.syntax.declaration_nodes import BitIntType, TypeOf
from vpo.frontend.syntax.parse_expressions import conditional, expression
from vpo.frontend.syntax.specifiers import starts_type
from vpo.frontend.syntax.stream import Stream
from vpo.frontend.syntax.syntax_tree import Node


def alignas(s: Stream) -> Alignas:
    """Read an alignment specifier."""
    place = s.coord()
    s.at += 1
    s.expect("(")
    found = Alignas(s.type_name(s) if starts_type(s) else conditional(s), place)
    s.expect(")")
    return found


def bit_int(s: Stream) -> Node:
    """Read a bit-precise integer type, but for the words around it."""
    place = s.coord()
    s.forbid("ISO C does not support '_BitInt(N)' before C23", 2023)
    s.at += 1
    s.expect("(")
    found = BitIntType(conditional(s), place)
    s.expect(")")
    return found


def typeof(s: Stream) -> Node:
    """Read a type by an expression that has it, or by its name."""
    place, unqualified = s.coord(), s.kinds[s.at] == "typeof_unqual"
    s.at += 1
    s.expect("(")
    found = TypeOf(s.type_name(s) if starts_type(s) else expression(s), unqualified, place)
    s.expect(")")
    return found
