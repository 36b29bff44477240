"""The words that begin declarations (C11, 6.7.1 to 6.7.5)."""

from __future__ import annotations

from vpo.frontend.syntax.lexer import NAME
from vpo.frontend.syntax.stream import Stream

STORAGE = frozenset(("auto", "register", "static", "extern", "typedef", "_Thread_local", "constexpr"))
QUALIFIERS = frozenset(("const", "volatile", "restrict", "_Atomic"))
FUNCTION = frozenset(("inline", "_Noreturn"))
SIMPLE = frozenset(
    (
        "void",
        "_Bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "_Complex",
        "_Imaginary",
        "__int128",
        "__auto_type",
    )
)
TAGGED = frozenset(("struct", "union", "enum"))
_TYPES = SIMPLE | TAGGED | QUALIFIERS | {"typeof", "typeof_unqual", "_BitInt"}
INFERRED = "__auto_type"  # the type of what initialises an object
ATTRIBUTE = "__attribute__"
_DECLARATIONS = _TYPES | STORAGE | FUNCTION | {"_Alignas", "_Static_assert", ATTRIBUTE}


def starts_type(s: Stream) -> bool:
    """Return whether a type name begins at the current token."""
    kind = s.kinds[s.at]
    return s.is_type(s.texts[s.at]) if kind == NAME else kind in _TYPES or kind in (ATTRIBUTE, "_Alignas")


def starts_declaration(s: Stream) -> bool:
    """Return whether a declaration begins at the current token; a label may have the name of a type."""
    kind = s.kinds[s.at]
    if kind == NAME:
        return s.is_type(s.texts[s.at]) and s.kinds[s.at + 1] != ":"
    return kind in _DECLARATIONS
