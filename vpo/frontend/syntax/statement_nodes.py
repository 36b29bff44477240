"""The syntax tree of statements and whole files."""

from __future__ import annotations

from vpo.frontend.syntax.nodes import BlockItem, Coord, Declaration, Expression, Node, Statement


class Assembly(Statement):
    """`asm("text" : outputs : inputs : clobbers);`, clobbers and labels left out."""

    __slots__ = ("inputs", "outputs", "text")

    def __init__(self, text: str, outputs: list[AssemblyOperand], inputs: list[AssemblyOperand], coord: Coord) -> None:
        self.text, self.outputs, self.inputs, self.coord = text, outputs, inputs, coord


class AssemblyOperand(Node):
    """`[name] "constraint" (expr)` of an asm statement."""

    __slots__ = ("constraint", "expr", "name")

    def __init__(self, name: str, constraint: str, expr: Expression, coord: Coord) -> None:
        self.name, self.constraint, self.expr, self.coord = name, constraint, expr, coord


class Break(Statement):
    """`break;`."""

    __slots__ = ()


class Case(Statement):
    """`case expr:`, or `case expr ... last:`, and the statement behind it."""

    __slots__ = ("expr", "last", "stmt")

    def __init__(self, expr: Expression, last: Expression | None, stmt: BlockItem, coord: Coord) -> None:
        self.expr, self.last, self.stmt, self.coord = expr, last, stmt, coord


class ComputedGoto(Statement):
    """`goto *expr;`."""

    __slots__ = ("expr",)

    def __init__(self, expr: Expression, coord: Coord) -> None:
        self.expr, self.coord = expr, coord


class Continue(Statement):
    """`continue;`."""

    __slots__ = ()


class DeclList(Statement):
    """The declarations in the head of a `for`."""

    __slots__ = ("decls",)

    def __init__(self, decls: list[Declaration], coord: Coord) -> None:
        self.decls, self.coord = decls, coord


class Default(Statement):
    """`default:` and the statement behind it."""

    __slots__ = ("stmt",)

    def __init__(self, stmt: BlockItem, coord: Coord) -> None:
        self.stmt, self.coord = stmt, coord


class DoWhile(Statement):
    """`do stmt while (cond);`."""

    __slots__ = ("cond", "stmt")

    def __init__(self, cond: Expression, stmt: BlockItem, coord: Coord) -> None:
        self.cond, self.stmt, self.coord = cond, stmt, coord


class EmptyStatement(Statement):
    """A semicolon alone."""

    __slots__ = ()


class For(Statement):
    """`for (init; cond; next) stmt`; `declares` if there may be enumerators or tags in `next`, whose scope stmt is in."""

    __slots__ = ("cond", "declares", "init", "next", "stmt")

    def __init__(
        self,
        init: Expression | DeclList | None,
        cond: Expression | None,
        next: Expression | None,
        stmt: BlockItem,
        coord: Coord,
        declares: bool = False,
    ) -> None:
        self.init, self.cond, self.next, self.stmt, self.coord, self.declares = init, cond, next, stmt, coord, declares


class Goto(Statement):
    """`goto name;`."""

    __slots__ = ("name",)

    def __init__(self, name: str, coord: Coord) -> None:
        self.name, self.coord = name, coord


class If(Statement):
    """`if (cond) iftrue else iffalse`."""

    __slots__ = ("cond", "iffalse", "iftrue")

    def __init__(self, cond: Expression, iftrue: BlockItem, iffalse: BlockItem | None, coord: Coord) -> None:
        self.cond, self.iftrue, self.iffalse, self.coord = cond, iftrue, iffalse, coord


class Label(Statement):
    """`name:` and the statement behind it."""

    __slots__ = ("name", "stmt")

    def __init__(self, name: str, stmt: BlockItem, coord: Coord) -> None:
        self.name, self.stmt, self.coord = name, stmt, coord


class Return(Statement):
    """`return expr;`."""

    __slots__ = ("expr",)

    def __init__(self, expr: Expression | None, coord: Coord) -> None:
        self.expr, self.coord = expr, coord


class Switch(Statement):
    """`switch (cond) stmt`."""

    __slots__ = ("cond", "stmt")

    def __init__(self, cond: Expression, stmt: BlockItem, coord: Coord) -> None:
        self.cond, self.stmt, self.coord = cond, stmt, coord


class While(Statement):
    """`while (cond) stmt`."""

    __slots__ = ("cond", "stmt")

    def __init__(self, cond: Expression, stmt: BlockItem, coord: Coord) -> None:
        self.cond, self.stmt, self.coord = cond, stmt, coord


# ------------------------------------------------------------------------------------------------------------ files


class PassedOver(Node):
    """A declaration of functions that the unit mentions nowhere else: only their names were read."""

    __slots__ = ("names",)

    def __init__(self, names: list[str], coord: Coord) -> None:
        self.names, self.coord = names, coord


class FileAST:
    """A whole translation unit; `marks` are attributes by the places of the names that they are about."""

    __slots__ = ("ext", "marks")

    def __init__(self, ext: list[External], marks: dict[tuple[str, int, int], list[str]]) -> None:
        self.ext, self.marks = ext, marks


External = Declaration | Assembly | PassedOver
