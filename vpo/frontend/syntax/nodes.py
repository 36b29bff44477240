"""The syntax tree: a class for each form of C, and at the end the unions by which others name kinds of them.

The names and fields are those of pycparser's tree, for which the front end was first written.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import cached_property

from vpo.frontend.types.types import Arithmetic
from vpo.frontend.warnings.flags import NONE, Switches


class Coord:
    """A place in a source file; lines and columns from 1 on.  `switches`: what pragmas there say of warnings."""

    __slots__ = ("column", "file", "line", "switches")

    def __init__(self, file: str, line: int, column: int, switches: Switches = NONE) -> None:
        self.file, self.line, self.column, self.switches = file, line, column, switches

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Node:
    """A part of a program."""

    __slots__ = ("coord",)

    def __init__(self, coord: Coord) -> None:
        self.coord = coord


# ------------------------------------------------------------------------------------------------------ expressions


class ArrayRef(Node):
    """`name[subscript]`."""

    __slots__ = ("name", "subscript")

    def __init__(self, name: Expression, subscript: Expression, coord: Coord) -> None:
        self.name, self.subscript, self.coord = name, subscript, coord


class Assignment(Node):
    """`lvalue op rvalue`, with `=`, `+=` and so on."""

    __slots__ = ("lvalue", "op", "rvalue")

    def __init__(self, op: str, lvalue: Expression, rvalue: Expression, coord: Coord) -> None:
        self.op, self.lvalue, self.rvalue, self.coord = op, lvalue, rvalue, coord


class BinaryOp(Node):
    """`left op right`; `may_be_negated`: it is a comparison that the `!` on its left may be meant for."""

    __slots__ = ("left", "may_be_negated", "op", "right")

    def __init__(self, op: str, left: Expression, right: Expression, coord: Coord, may_be_negated: bool = False) -> None:
        self.op, self.left, self.right, self.coord = op, left, right, coord
        self.may_be_negated = may_be_negated


class Cast(Node):
    """`(to_type) expr`."""

    __slots__ = ("expr", "to_type")

    def __init__(self, to_type: Typename, expr: Expression, coord: Coord) -> None:
        self.to_type, self.expr, self.coord = to_type, expr, coord


class CompoundLiteral(Node):
    """`(type) {init}`; `storage` has the storage classes before the type, which C23 allows."""

    __slots__ = ("init", "storage", "type")

    def __init__(self, type: Typename, init: InitList, coord: Coord, storage: frozenset[str] = frozenset()) -> None:
        self.type, self.init, self.coord, self.storage = type, init, coord, storage


class Constant(Node):
    """A number, character or string as it is written; `type` is integer, floating, character, string or a word of C23."""

    __slots__ = ("type", "value")

    def __init__(self, type: str, value: str, coord: Coord) -> None:
        self.type, self.value, self.coord = type, value, coord


class ExprList(Node):
    """Expressions with commas between them: a comma expression."""

    __slots__ = ("exprs",)

    def __init__(self, exprs: list[Expression], coord: Coord) -> None:
        self.exprs, self.coord = exprs, coord


class FuncCall(Node):
    """`name(args)`."""

    __slots__ = ("args", "name")

    def __init__(self, name: Expression, args: list[Argument], coord: Coord) -> None:
        self.name, self.args, self.coord = name, args, coord


class GenericAssociation(Node):
    """`type: expr`, or `default: expr`, of a `_Generic`."""

    __slots__ = ("expr", "type")

    def __init__(self, type: Typename | None, expr: Expression, coord: Coord) -> None:
        self.type, self.expr, self.coord = type, expr, coord


class GenericSelection(Node):
    """`_Generic(expr, associations)`."""

    __slots__ = ("associations", "expr")

    def __init__(self, expr: Expression, associations: list[GenericAssociation], coord: Coord) -> None:
        self.expr, self.associations, self.coord = expr, associations, coord


class ID(Node):
    """A name."""

    __slots__ = ("name",)

    def __init__(self, name: str, coord: Coord) -> None:
        self.name, self.coord = name, coord


class LabelAddress(Node):
    """`&&name`."""

    __slots__ = ("name",)

    def __init__(self, name: str, coord: Coord) -> None:
        self.name, self.coord = name, coord


class Lowered(Node):
    """An expression of which lowering keeps the value; its classes are in `vpo/frontend/lower/values.py`."""

    __slots__ = ()


class SizeOf(Node):
    """`op expr` of a type name or an expression, where op is `sizeof` or `_Alignof`."""

    __slots__ = ("expr", "op")

    def __init__(self, op: str, expr: Expression | Typename, coord: Coord) -> None:
        self.op, self.expr, self.coord = op, expr, coord


class StatementExpression(Node):
    """`({ ... })`: a block whose last statement gives the value."""

    __slots__ = ("block",)

    def __init__(self, block: Compound, coord: Coord) -> None:
        self.block, self.coord = block, coord


class StructRef(Node):
    """`name.field` or `name->field`, as `type` says."""

    __slots__ = ("field", "name", "type")

    def __init__(self, name: Expression, type: str, field: ID, coord: Coord) -> None:
        self.name, self.type, self.field, self.coord = name, type, field, coord


class TernaryOp(Node):
    """`cond ? iftrue : iffalse`; no `iftrue` in gcc's `cond ?: iffalse`."""

    __slots__ = ("cond", "iffalse", "iftrue")

    def __init__(self, cond: Expression, iftrue: Expression | None, iffalse: Expression, coord: Coord) -> None:
        self.cond, self.iftrue, self.iffalse, self.coord = cond, iftrue, iffalse, coord


class UnaryOp(Node):
    """`op expr`; the ops of `expr++` and `expr--` are `p++` and `p--`."""

    __slots__ = ("expr", "op")

    def __init__(self, op: str, expr: Expression, coord: Coord) -> None:
        self.op, self.expr, self.coord = op, expr, coord


# ----------------------------------------------------------------------------------------------------- initialisers


class ArrayDesignator(Node):
    """`[expr]` in an initialiser."""

    __slots__ = ("expr",)

    def __init__(self, expr: Expression, coord: Coord) -> None:
        self.expr, self.coord = expr, coord


# Constants that have the same value in every type `int` of a target: decimal up to 9 digits, hexadecimal up to 8.
RUN_PATTERN = r"(?>\s*(?:-?[1-9]\d{0,8}|0[xX][0-9a-fA-F]{1,8}|0)\s*,){16,4096}+"
_CONSTANT = re.compile(r"\n|(-?)(\w+)")
_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}


class ConstantRun:
    """A long run of plain integers in a list, without a node for each: from the one numbered `start`, with their commas."""

    def __init__(self, text: str, coord: Coord, start: int = 0) -> None:
        self.text, self.coord, self.start = text, coord, start

    @cached_property
    def _values(self) -> list[int]:
        return [int(constant, 0) for constant in self.text[:-1].split(",")]

    def __len__(self) -> int:
        return len(self._values) - self.start

    def rest(self, count: int) -> ConstantRun:
        """The run without its first constants."""
        run = ConstantRun(self.text, self.coord, self.start + count)
        run.__dict__["_values"] = self._values
        return run

    def data(self, count: int, element: Arithmetic, big_endian: bool) -> bytes:
        """The first constants as an array of an integer type in memory."""
        values, mask = self._values[self.start : self.start + count], (1 << (8 * element.size)) - 1
        order = ">" if big_endian else "<"
        return struct.pack(f"{order}{count}{_FORMATS[element.size]}", *[value & mask for value in values])

    def nodes(self) -> list[Constant | UnaryOp]:
        """The constants as the nodes that the parser would have made."""
        found: list[Constant | UnaryOp] = []
        line, line_start = self.coord.line, 1 - (self.coord.column or 1)
        for match in _CONSTANT.finditer(self.text):
            if match.group() == "\n":
                line, line_start = line + 1, match.end()
                continue
            coord = Coord(self.coord.file, line, match.start(2) - line_start + 1, self.coord.switches)
            node = Constant("integer", match.group(2), coord)
            found.append(UnaryOp("-", node, coord) if match.group(1) else node)
        return found[self.start :]


class InitList(Node):
    """`{...}` as an initialiser."""

    __slots__ = ("exprs",)

    def __init__(self, exprs: list[ListItem], coord: Coord) -> None:
        self.exprs, self.coord = exprs, coord


class NamedInitializer(Node):
    """An initialiser with designators before it."""

    __slots__ = ("expr", "name")

    def __init__(self, name: list[Designator], expr: Initializer) -> None:
        self.name, self.expr, self.coord = name, expr, name[0].coord


class RangeDesignator(Node):
    """`[first ... last]` in an initialiser."""

    __slots__ = ("first", "last")

    def __init__(self, first: Expression, last: Expression, coord: Coord) -> None:
        self.first, self.last, self.coord = first, last, coord


# ------------------------------------------------------------------------------------------------------------ types


class Alignas(Node):
    """`_Alignas(alignment)`, or the attribute `aligned`, perhaps with no alignment."""

    __slots__ = ("alignment", "is_attribute")

    def __init__(self, alignment: Expression | Typename | None, coord: Coord, is_attribute: bool = False) -> None:
        self.alignment, self.coord, self.is_attribute = alignment, coord, is_attribute


class ArrayDecl(Node):
    """An array declarator around a type; `dim` is its length, or the ID `*`."""

    __slots__ = ("dim", "dim_quals", "type")

    def __init__(self, type: TypeNode, dim: Expression | None, dim_quals: list[str], coord: Coord) -> None:
        self.type, self.dim, self.dim_quals, self.coord = type, dim, dim_quals, coord


class BitIntType(Node):
    """`_BitInt(width)`, with the words `signed` and `unsigned` that stand around it."""

    __slots__ = ("names", "width")

    def __init__(self, width: Expression, coord: Coord) -> None:
        self.names: list[str] = []
        self.width, self.coord = width, coord


class ChangedType(Node):
    """A type that attributes make another one: `attributes` has their arguments by their names."""

    __slots__ = ("attributes", "type")

    def __init__(self, type: Specifier, attributes: Arguments, coord: Coord) -> None:
        self.type, self.attributes, self.coord = type, attributes, coord


class EllipsisParam(Node):
    """`...` behind parameters."""

    __slots__ = ()


class Enum(Node):
    """`enum name : base {values}`; no values without braces, and mostly no base.

    One that is `packed` takes no more bytes than its values need.
    """

    __slots__ = ("base", "name", "packed", "values")

    def __init__(
        self,
        name: str | None,
        values: list[Enumerator] | None,
        coord: Coord,
        packed: bool = False,
        base: IdentifierType | None = None,
    ) -> None:
        self.name, self.values, self.coord, self.packed, self.base = name, values, coord, packed, base


class Enumerator(Node):
    """`name = value` of an enum."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: Expression | None, coord: Coord) -> None:
        self.name, self.value, self.coord = name, value, coord


class FuncDecl(Node):
    """A function declarator around the type of its result; `args` is None between empty parentheses."""

    __slots__ = ("args", "type")

    def __init__(self, args: ParamList | NameList | None, type: TypeNode, coord: Coord) -> None:
        self.args, self.type, self.coord = args, type, coord


class IdentifierType(Node):
    """Type specifiers that are words: one name of a type, or keywords."""

    __slots__ = ("names",)

    def __init__(self, names: list[str], coord: Coord) -> None:
        self.names, self.coord = names, coord


class NameList(Node):
    """The names of parameters in a function declarator of the old style."""

    __slots__ = ("names",)

    def __init__(self, names: list[ID]) -> None:
        self.names, self.coord = names, names[0].coord


class ParamList(Node):
    """The parameters of a function declarator."""

    __slots__ = ("params",)

    def __init__(self, params: list[Parameter | EllipsisParam]) -> None:
        self.params, self.coord = params, params[0].coord


class PtrDecl(Node):
    """A pointer declarator around what it points to."""

    __slots__ = ("quals", "type")

    def __init__(self, quals: list[str], type: TypeNode, coord: Coord) -> None:
        self.quals, self.type, self.coord = quals, type, coord


class Struct(Node):
    """`struct name {decls}`, or a union; `decls` is None without braces.

    Attributes make it `packed`, or give it an alignment; `#pragma pack` limits the alignment of its members to `pack`.
    """

    __slots__ = ("align", "attributes", "decls", "keyword", "name", "pack", "packed")

    def __init__(self, keyword: str, name: str | None, decls: list[Decl | StaticAssert] | None, coord: Coord) -> None:
        self.keyword, self.name, self.decls, self.coord = keyword, name, decls, coord
        self.packed, self.pack = False, 0
        self.align: list[Alignas] = []
        self.attributes: Arguments = {}


class TypeDecl(Node):
    """The innermost part of a declarator, around its specifiers."""

    __slots__ = ("quals", "type")

    def __init__(self, quals: list[str], type: Specifier, coord: Coord) -> None:
        self.quals, self.type, self.coord = quals, type, coord


class Typename(Node):
    """A type name, or a parameter without a name."""

    __slots__ = ("align", "quals", "type")

    def __init__(self, quals: list[str], align: list[Alignas], type: TypeNode, coord: Coord) -> None:
        self.quals, self.align, self.type, self.coord = quals, align, type, coord


class TypeOf(Node):
    """`typeof(expr)`; `unqualified` if it is `typeof_unqual`."""

    __slots__ = ("expr", "unqualified")

    def __init__(self, expr: Expression | Typename, unqualified: bool, coord: Coord) -> None:
        self.expr, self.unqualified, self.coord = expr, unqualified, coord


# ----------------------------------------------------------------------------------------------------- declarations


class Statement(Node):
    """A statement (`statement_nodes.py`), but for expressions and declarations, which are statements, too, in blocks."""

    __slots__ = ()


class Compound(Statement):
    """A block, or `({ ... })` in an expression."""

    __slots__ = ("block_items",)

    def __init__(self, block_items: list[BlockItem], coord: Coord) -> None:
        self.block_items, self.coord = block_items, coord


class Decl(Node):
    """The declaration of one name, of a member or parameter, or of a tag alone (`name` is None then).

    `symbol` is what an `asm` behind the name says that assembly calls it.
    """

    __slots__ = ("align", "attributes", "bitsize", "funcspec", "init", "name", "packed", "quals", "storage", "symbol", "type")

    def __init__(self, name: str | None, head: Specifiers, type: TypeNode, given: Attributes | None = None) -> None:
        """Declare a name with what stands before and, as `given`, behind it."""
        attributes = head.attributes if given is None else head.attributes.joined(given)
        self.name, self.quals, self.storage, self.funcspec = name, head.quals, head.storage, head.funcspec
        self.type, self.coord, self.symbol = type, type.coord, ""
        self.init: Initializer | None = None
        self.bitsize: Expression | None = None
        self.align, self.packed, self.attributes = attributes.align, attributes.packed, attributes.others


class FuncDef(Node):
    """A function definition; `param_decls` are those of the old style."""

    __slots__ = ("body", "decl", "param_decls")

    def __init__(self, decl: Decl, param_decls: list[Declaration], body: Compound, coord: Coord) -> None:
        self.decl, self.param_decls, self.body, self.coord = decl, param_decls, body, coord


class StaticAssert(Node):
    """`_Static_assert(cond, message)`."""

    __slots__ = ("cond", "message")

    def __init__(self, cond: Expression, message: Constant | None, coord: Coord) -> None:
        self.cond, self.message, self.coord = cond, message, coord


class Typedef(Node):
    """A typedef of one name."""

    __slots__ = ("align", "attributes", "name", "quals", "storage", "type")

    def __init__(self, name: str | None, head: Specifiers, type: TypeNode, given: Attributes) -> None:
        attributes = head.attributes.joined(given)
        self.name, self.quals, self.storage, self.type, self.coord = name, head.quals, head.storage, type, type.coord
        self.align, self.attributes = attributes.align, attributes.others


OF_TYPES = ("mode", "vector_size")  # these attributes make another type of the one that the specifiers name
OF_FUNCTIONS = ("alias", "constructor", "destructor", "gnu_inline", "noinline", "noipa", "weak")


@dataclass(slots=True)
class Attributes:
    """Attributes that stand together; `others` has the arguments of those that are neither `packed` nor alignments."""

    packed: bool = False
    align: list[Alignas] = field(default_factory=list)
    others: Arguments = field(default_factory=dict)

    def add(self, more: Attributes) -> None:
        """Take in attributes that stand elsewhere and are about the same."""
        self.packed = self.packed or more.packed
        self.align = self.align + more.align
        self.others = self.others | more.others

    def joined(self, more: Attributes) -> Attributes:
        """Return these and others together."""
        return Attributes(self.packed or more.packed, self.align + more.align, self.others | more.others)

    @property
    def of_functions(self) -> Arguments:
        """Those that are about a function, even where they stand behind the `*` of its result."""
        return {name: arguments for name, arguments in self.others.items() if name in OF_FUNCTIONS}

    @property
    def of_type(self) -> Arguments:
        """Those that change the type that the specifiers name."""
        return {name: arguments for name, arguments in self.others.items() if name in OF_TYPES}


@dataclass(slots=True)
class Specifiers:
    """What stands before the declarators of a declaration; `type` is None if only words name the type."""

    storage: list[str] = field(default_factory=list)
    quals: list[str] = field(default_factory=list)
    funcspec: list[str] = field(default_factory=list)
    attributes: Attributes = field(default_factory=Attributes)
    names: list[str] = field(default_factory=list)
    type: Specifier | None = None
    place: Coord | None = None  # of the first word of the type

    @property
    def has_type(self) -> bool:
        """Whether a type has been named."""
        return self.type is not None or bool(self.names)


# ----------------------------------------------------------------------------------------------------------- unions

Expression = (
    ID | Constant | BinaryOp | FuncCall | StructRef | ArrayRef | UnaryOp | Assignment | Cast | TernaryOp | SizeOf | ExprList
    | CompoundLiteral | StatementExpression | GenericSelection | LabelAddress | Lowered
)  # fmt: skip
Argument = Expression | Typename  # of a call: built-in functions take names of types
Arguments = dict[str, list[Expression]]  # of attributes, by their names
Marks = dict[tuple[str, int, int], list[str]]  # attributes that only warnings ask for, by the places of names
Designator = ID | ArrayDesignator | RangeDesignator
Initializer = Expression | InitList
ListItem = Initializer | NamedInitializer | ConstantRun
Specifier = IdentifierType | Struct | Enum | TypeOf | BitIntType | ChangedType | Typename
Declarator = TypeDecl | PtrDecl | ArrayDecl | FuncDecl
TypeNode = Declarator | Specifier
Parameter = Decl | Typename
Declaration = Decl | Typedef | StaticAssert | FuncDef
BlockItem = Expression | Statement | Declaration
