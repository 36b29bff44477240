"""The syntax tree of expressions and initialisers."""

from __future__ import annotations

from typing import Any

from vpo.frontend.warnings.pragmas import NONE, Switches

# ----------------------------------------------------------------------------------------------------------------------
# What all parts of the syntax tree have in common.
#
# The classes, one for each form of C, are in `expression_nodes`, `declaration_nodes` and `statement_nodes`; their names and
# fields are those of pycparser's tree, for which the front end was first written.


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
    coord: Any  # a Coord; None of what takes no room in the text



# ----------------------------------------------------------------------------------------------------------------------
# The main part, of which the head of the file tells.


class ArrayDesignator(Node):
    """`[expr]` in an initialiser."""

    __slots__ = ("expr",)

    def __init__(self, expr: Node, coord: Any) -> None:
        self.expr, self.coord = expr, coord


class RangeDesignator(Node):
    """`[first ... last]` in an initialiser."""

    __slots__ = ("first", "last")

    def __init__(self, first: Node, last: Node, coord: Any) -> None:
        self.first, self.last, self.coord = first, last, coord


class ArrayRef(Node):
    """`name[subscript]`."""

    __slots__ = ("name", "subscript")

    def __init__(self, name: Node, subscript: Node, coord: Any) -> None:
        self.name, self.subscript, self.coord = name, subscript, coord


class Assignment(Node):
    """`lvalue op rvalue`, with `=`, `+=` and so on."""

    __slots__ = ("lvalue", "op", "rvalue")

    def __init__(self, op: str, lvalue: Node, rvalue: Node, coord: Any) -> None:
        self.op, self.lvalue, self.rvalue, self.coord = op, lvalue, rvalue, coord


class BinaryOp(Node):
    """`left op right`; the op of a range of cases is `...`.

    `has_bare_not`: the left operand is a `!` without parentheses around it, as far as warnings want to know.
    """

    __slots__ = ("has_bare_not", "left", "op", "right")

    def __init__(self, op: str, left: Node, right: Node, coord: Any) -> None:
        self.op, self.left, self.right, self.coord, self.has_bare_not = op, left, right, coord, False


class Cast(Node):
    """`(to_type) expr`."""

    __slots__ = ("expr", "to_type")

    def __init__(self, to_type: Node, expr: Node, coord: Any) -> None:
        self.to_type, self.expr, self.coord = to_type, expr, coord


class CompoundLiteral(Node):
    """`(type) {init}`; `storage` has the storage classes before the type, which C23 allows."""

    __slots__ = ("init", "storage", "type")

    def __init__(self, type: Node, init: InitList, coord: Any, storage: frozenset[str] = frozenset()) -> None:
        self.type, self.init, self.coord, self.storage = type, init, coord, storage


class Constant(Node):
    """A number, character or string as it is written; `type` is integer, floating, character or string."""

    __slots__ = ("type", "value")

    def __init__(self, type: str, value: str, coord: Any) -> None:
        self.type, self.value, self.coord = type, value, coord


class ExprList(Node):
    """Expressions with commas between them: arguments, or a comma expression."""

    __slots__ = ("exprs",)

    def __init__(self, exprs: list[Node], coord: Any) -> None:
        self.exprs, self.coord = exprs, coord


class FuncCall(Node):
    """`name(args)`; an argument of a built-in function may be a type name."""

    __slots__ = ("args", "name")

    def __init__(self, name: Node, args: ExprList | None, coord: Any) -> None:
        self.name, self.args, self.coord = name, args, coord


class GenericAssociation(Node):
    """`type: expr`, or `default: expr`, of a `_Generic`."""

    __slots__ = ("expr", "type")

    def __init__(self, type: Node | None, expr: Node, coord: Any) -> None:
        self.type, self.expr, self.coord = type, expr, coord


class GenericSelection(Node):
    """`_Generic(expr, associations)`."""

    __slots__ = ("associations", "expr")

    def __init__(self, expr: Node, associations: list[GenericAssociation], coord: Any) -> None:
        self.expr, self.associations, self.coord = expr, associations, coord


class LabelAddress(Node):
    """`&&name`."""

    __slots__ = ("name",)

    def __init__(self, name: str, coord: Any) -> None:
        self.name, self.coord = name, coord


class ID(Node):
    """A name."""

    __slots__ = ("name",)

    def __init__(self, name: str, coord: Any) -> None:
        self.name, self.coord = name, coord


class InitList(Node):
    """`{...}` as an initialiser."""

    __slots__ = ("exprs",)

    def __init__(self, exprs: list[Any], coord: Any) -> None:
        self.exprs, self.coord = exprs, coord


class NamedInitializer(Node):
    """An initialiser with designators before it: IDs, indices and ranges of these."""

    __slots__ = ("expr", "name")

    def __init__(self, name: list[Node], expr: Node, coord: Any) -> None:
        self.name, self.expr, self.coord = name, expr, coord


class StructRef(Node):
    """`name.field` or `name->field`, as `type` says."""

    __slots__ = ("field", "name", "type")

    def __init__(self, name: Node, type: str, field: ID, coord: Any) -> None:
        self.name, self.type, self.field, self.coord = name, type, field, coord


class TernaryOp(Node):
    """`cond ? iftrue : iffalse`; no `iftrue` in gcc's `cond ?: iffalse`."""

    __slots__ = ("cond", "iffalse", "iftrue")

    def __init__(self, cond: Node, iftrue: Node | None, iffalse: Node, coord: Any) -> None:
        self.cond, self.iftrue, self.iffalse, self.coord = cond, iftrue, iffalse, coord


class StatementExpression(Node):
    """`({ ... })`: a block whose last statement gives the value."""

    __slots__ = ("block",)

    def __init__(self, block: Any, coord: Any) -> None:
        self.block, self.coord = block, coord


class UnaryOp(Node):
    """`op expr`; the ops of `expr++` and `expr--` are `p++` and `p--`."""

    __slots__ = ("expr", "op")

    def __init__(self, op: str, expr: Node, coord: Any) -> None:
        self.op, self.expr, self.coord = op, expr, coord
