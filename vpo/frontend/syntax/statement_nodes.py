"""The syntax tree of statements."""

from __future__ import annotations

from typing import Any

from vpo.frontend.syntax.expression_nodes import Node


class Assembly(Node):
    """`asm("text" : outputs : inputs : clobbers);`, clobbers and labels left out."""

    __slots__ = ("inputs", "outputs", "text")

    def __init__(self, text: str, outputs: list[AssemblyOperand], inputs: list[AssemblyOperand], coord: Any) -> None:
        self.text, self.outputs, self.inputs, self.coord = text, outputs, inputs, coord


class AssemblyOperand(Node):
    """`[name] "constraint" (expr)` of an asm statement."""

    __slots__ = ("constraint", "expr", "name")

    def __init__(self, name: str, constraint: str, expr: Node, coord: Any) -> None:
        self.name, self.constraint, self.expr, self.coord = name, constraint, expr, coord


class Break(Node):
    """`break;`."""

    __slots__ = ()

    def __init__(self, coord: Any) -> None:
        self.coord = coord


class Case(Node):
    """`case expr:` and the statement behind it."""

    __slots__ = ("expr", "stmts")

    def __init__(self, expr: Node, stmts: list[Node], coord: Any) -> None:
        self.expr, self.stmts, self.coord = expr, stmts, coord


class Compound(Node):
    """A block, or `({ ... })` in an expression."""

    __slots__ = ("block_items",)

    def __init__(self, block_items: list[Node], coord: Any) -> None:
        self.block_items, self.coord = block_items, coord


class Continue(Node):
    """`continue;`."""

    __slots__ = ()

    def __init__(self, coord: Any) -> None:
        self.coord = coord


class DeclList(Node):
    """The declarations in the head of a `for`."""

    __slots__ = ("decls",)

    def __init__(self, decls: list[Node], coord: Any) -> None:
        self.decls, self.coord = decls, coord


class Default(Node):
    """`default:` and the statement behind it."""

    __slots__ = ("stmts",)

    def __init__(self, stmts: list[Node], coord: Any) -> None:
        self.stmts, self.coord = stmts, coord


class DoWhile(Node):
    """`do stmt while (cond);`."""

    __slots__ = ("cond", "stmt")

    def __init__(self, cond: Node, stmt: Node, coord: Any) -> None:
        self.cond, self.stmt, self.coord = cond, stmt, coord


class EmptyStatement(Node):
    """A semicolon alone."""

    __slots__ = ()

    def __init__(self, coord: Any) -> None:
        self.coord = coord


class For(Node):
    """`for (init; cond; next) stmt`; `declares` if there may be enumerators or tags in `next`, whose scope stmt is in."""

    __slots__ = ("cond", "declares", "init", "next", "stmt")

    def __init__(
        self, init: Node | None, cond: Node | None, next: Node | None, stmt: Node, coord: Any, declares: bool = False
    ) -> None:
        self.init, self.cond, self.next, self.stmt, self.coord, self.declares = init, cond, next, stmt, coord, declares


class Goto(Node):
    """`goto name;`."""

    __slots__ = ("name",)

    def __init__(self, name: str, coord: Any) -> None:
        self.name, self.coord = name, coord


class ComputedGoto(Node):
    """`goto *expr;`."""

    __slots__ = ("expr",)

    def __init__(self, expr: Node, coord: Any) -> None:
        self.expr, self.coord = expr, coord


class If(Node):
    """`if (cond) iftrue else iffalse`."""

    __slots__ = ("cond", "iffalse", "iftrue")

    def __init__(self, cond: Node, iftrue: Node, iffalse: Node | None, coord: Any) -> None:
        self.cond, self.iftrue, self.iffalse, self.coord = cond, iftrue, iffalse, coord


class Label(Node):
    """`name:` and the statement behind it."""

    __slots__ = ("name", "stmt")

    def __init__(self, name: str, stmt: Node, coord: Any) -> None:
        self.name, self.stmt, self.coord = name, stmt, coord


class Return(Node):
    """`return expr;`."""

    __slots__ = ("expr",)

    def __init__(self, expr: Node | None, coord: Any) -> None:
        self.expr, self.coord = expr, coord


class Switch(Node):
    """`switch (cond) stmt`."""

    __slots__ = ("cond", "stmt")

    def __init__(self, cond: Node, stmt: Node, coord: Any) -> None:
        self.cond, self.stmt, self.coord = cond, stmt, coord


class While(Node):
    """`while (cond) stmt`."""

    __slots__ = ("cond", "stmt")

    def __init__(self, cond: Node, stmt: Node, coord: Any) -> None:
        self.cond, self.stmt, self.coord = cond, stmt, coord
