"""The syntax tree of declarations, types and whole files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vpo.frontend.syntax.attribute_lists import Attributes
from vpo.frontend.syntax.expression_nodes import Constant, Coord, Node
from vpo.frontend.syntax.lexer import NAME
from vpo.frontend.syntax.stream import Stream

if TYPE_CHECKING:
    from vpo.frontend.syntax.attribute_lists import Alignas


class ArrayDecl(Node):
    """An array declarator around a type; `dim` is its length, or the ID `*`."""

    __slots__ = ("dim", "dim_quals", "type")

    def __init__(self, type: Node, dim: Node | None, dim_quals: list[str], coord: Any) -> None:
        self.type, self.dim, self.dim_quals, self.coord = type, dim, dim_quals, coord


class ChangedType(Node):
    """A type that attributes make another one: `attributes` has their arguments by their names."""

    __slots__ = ("attributes", "type")

    def __init__(self, type: Node, attributes: dict[str, list[Any]], coord: Any) -> None:
        self.type, self.attributes, self.coord = type, attributes, coord


class BitIntType(Node):
    """`_BitInt(width)`, with the words `signed` and `unsigned` that stand around it."""

    __slots__ = ("names", "width")

    def __init__(self, width: Node, coord: Any) -> None:
        self.names: list[str] = []
        self.width, self.coord = width, coord


class Decl(Node):
    """The declaration of one name, of a member or parameter, or of a tag alone (`name` is None then).

    `symbol` is what an `asm` behind the name says that assembly calls it.
    """

    __slots__ = ("align", "attributes", "bitsize", "funcspec", "init", "name", "packed", "quals", "storage", "symbol", "type")

    def __init__(
        self,
        name: str | None,
        head: Specifiers,
        type: Node,
        init: Node | None,
        bitsize: Node | None,
        attributes: Attributes,
        symbol: str = "",
    ) -> None:
        self.name, self.quals, self.storage, self.funcspec = name, head.quals, head.storage, head.funcspec
        self.type, self.init, self.bitsize, self.coord, self.symbol = type, init, bitsize, type.coord, symbol
        self.align, self.packed, self.attributes = attributes.align, attributes.packed, attributes.others


class EllipsisParam(Node):
    """`...` behind parameters."""

    __slots__ = ()

    def __init__(self, coord: Any) -> None:
        self.coord = coord


class Enum(Node):
    """`enum name : base {values}`; no values without braces, and mostly no base.

    One that is `packed` takes no more bytes than its values need.
    """

    __slots__ = ("base", "name", "packed", "values")

    def __init__(
        self, name: str | None, values: EnumeratorList | None, coord: Any, packed: bool = False, base: Node | None = None
    ) -> None:
        self.name, self.values, self.coord, self.packed, self.base = name, values, coord, packed, base


class Enumerator(Node):
    """`name = value` of an enum."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Node | None, coord: Any) -> None:
        self.name, self.value, self.coord = name, value, coord


class EnumeratorList(Node):
    """What stands in the braces of an enum."""

    __slots__ = ("enumerators",)

    def __init__(self, enumerators: list[Enumerator], coord: Any) -> None:
        self.enumerators, self.coord = enumerators, coord


class FileAST(Node):
    """A whole translation unit; `marks` are attributes by the places of the names that they are about."""

    __slots__ = ("ext", "marks")

    def __init__(self, ext: list[Node], marks: dict[tuple[str, int, int], list[str]]) -> None:
        self.ext, self.marks, self.coord = ext, marks, None


class FuncDecl(Node):
    """A function declarator around the type of its result."""

    __slots__ = ("args", "type")

    def __init__(self, args: ParamList | None, type: Node, coord: Any) -> None:
        self.args, self.type, self.coord = args, type, coord


class FuncDef(Node):
    """A function definition; `param_decls` are those of the old style."""

    __slots__ = ("body", "decl", "param_decls")

    def __init__(self, decl: Decl, param_decls: list[Node], body: Node, coord: Any) -> None:
        self.decl, self.param_decls, self.body, self.coord = decl, param_decls, body, coord


class IdentifierType(Node):
    """Type specifiers that are words: one name of a type, or keywords."""

    __slots__ = ("names",)

    def __init__(self, names: list[str], coord: Any) -> None:
        self.names, self.coord = names, coord


class ParamList(Node):
    """The parameters of a function declarator; IDs in the old style."""

    __slots__ = ("params",)

    def __init__(self, params: list[Node], coord: Any) -> None:
        self.params, self.coord = params, coord


class PtrDecl(Node):
    """A pointer declarator around what it points to."""

    __slots__ = ("quals", "type")

    def __init__(self, quals: list[str], type: Node, coord: Any) -> None:
        self.quals, self.type, self.coord = quals, type, coord


class StaticAssert(Node):
    """`_Static_assert(cond, message)`."""

    __slots__ = ("cond", "message")

    def __init__(self, cond: Node, message: Constant | None, coord: Any) -> None:
        self.cond, self.message, self.coord = cond, message, coord


class PassedOver(Node):
    """A declaration of functions that the unit mentions nowhere else: only their names were read."""

    __slots__ = ("names",)

    def __init__(self, names: list[str], coord: Any) -> None:
        self.names, self.coord = names, coord


class Struct(Node):
    """`struct name {decls}`; `decls` is None without braces.

    Attributes make it `packed`, or give it an alignment; `#pragma pack` limits the alignment of its members to `pack`.
    """

    __slots__ = ("align", "attributes", "decls", "name", "pack", "packed")

    def __init__(
        self, name: str | None, decls: list[Node] | None, coord: Any, attributes: Attributes | None = None, pack: int = 0
    ) -> None:
        self.name, self.decls, self.coord, self.pack = name, decls, coord, pack
        self.packed, self.align = (attributes.packed, attributes.align) if attributes is not None else (False, [])
        self.attributes = attributes.others if attributes is not None else {}


class TypeDecl(Node):
    """The innermost part of a declarator, around its specifiers."""

    __slots__ = ("declname", "quals", "type")

    def __init__(self, declname: str | None, quals: list[str], type: Node, coord: Any) -> None:
        self.declname, self.quals, self.type, self.coord = declname, quals, type, coord


class Typedef(Node):
    """A typedef of one name."""

    __slots__ = ("align", "attributes", "name", "quals", "storage", "type")

    def __init__(self, name: str | None, head: Specifiers, type: Node, attributes: Attributes) -> None:
        self.name, self.quals, self.storage, self.type, self.coord = name, head.quals, head.storage, type, type.coord
        self.align, self.attributes = attributes.align, attributes.others


class TypeOf(Node):
    """`typeof(expr)`, an expression or type name; `unqualified` if it is `typeof_unqual`."""

    __slots__ = ("expr", "unqualified")

    def __init__(self, expr: Node, unqualified: bool, coord: Any) -> None:
        self.expr, self.unqualified, self.coord = expr, unqualified, coord


class Typename(Node):
    """A type name, or a parameter without a name."""

    __slots__ = ("align", "name", "quals", "type")

    def __init__(self, name: None, quals: list[str], align: list[Alignas], type: Node, coord: Any) -> None:
        self.name, self.quals, self.align, self.type, self.coord = name, quals, align, type, coord


class Union(Node):
    """`union name {decls}`; `decls` is None without braces.

    Attributes make it `packed`, or give it an alignment; `#pragma pack` limits the alignment of its members to `pack`.
    """

    __slots__ = ("align", "attributes", "decls", "name", "pack", "packed")

    def __init__(
        self, name: str | None, decls: list[Node] | None, coord: Any, attributes: Attributes | None = None, pack: int = 0
    ) -> None:
        self.name, self.decls, self.coord, self.pack = name, decls, coord, pack
        self.packed, self.align = (attributes.packed, attributes.align) if attributes is not None else (False, [])
        self.attributes = attributes.others if attributes is not None else {}



# ----------------------------------------------------------------------------------------------------------------------
# The words that begin declarations (C11, 6.7.1 to 6.7.5), but for the types that have bodies.


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
