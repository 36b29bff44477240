"""The words that begin declarations (C11, 6.7.1 to 6.7.5), but for the types that have bodies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vpo.frontend.syntax.attribute_lists import Attributes
from vpo.frontend.syntax.declaration_nodes import ArrayDecl, FuncDecl, TypeDecl
from vpo.frontend.syntax.lexer import NAME
from vpo.frontend.syntax.stream import Stream
from vpo.frontend.syntax.syntax_tree import Coord, Node

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


@dataclass(slots=True)
class Specifiers:
    """What stands before the declarators of a declaration; `type` is None if only words name the type."""

    storage: list[str] = field(default_factory=list)
    quals: list[str] = field(default_factory=list)
    funcspec: list[str] = field(default_factory=list)
    attributes: Attributes = field(default_factory=Attributes)
    names: list[str] = field(default_factory=list)
    type: Node | None = None
    place: Coord | None = None  # of the first word of the type

    @property
    def has_type(self) -> bool:
        """Whether a type has been named."""
        return self.type is not None or bool(self.names)


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


def qualifier(s: Stream, found: Specifiers, kind: str) -> None:
    """Read a qualifier, or `_Atomic(type)`, which is one, too."""
    if kind in found.quals and kind != "_Atomic":
        s.report.warning(s.coord(), "duplicate-decl-specifier", f"duplicate '{kind}'")
        s.forbid(f"duplicate '{kind}'", 1999)
    s.at += 1
    found.quals.append(kind)
    if kind == "_Atomic" and s.kinds[s.at] == "(" and not found.has_type:
        s.at += 1
        name: Any = s.type_name(s)
        s.expect(")")
        if name.quals:
            s.report.error(name.coord, "'_Atomic' applied to a qualified type")
        elif type(name.type) in (ArrayDecl, FuncDecl):
            what = "an array" if type(name.type) is ArrayDecl else "a function"
            s.report.error(name.coord, f"'_Atomic' applied to {what} type")
        found.type, found.place = (name.type.type if isinstance(name.type, TypeDecl) else name), name.coord
