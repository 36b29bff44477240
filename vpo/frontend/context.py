"""The state of compiling one translation unit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, NoReturn, Protocol

from vpo import il
from vpo.base.c_standard import Standard
from vpo.frontend.cpp.attributes import NOTED
from vpo.frontend.lower import trees
from vpo.frontend.lower.constants import BadLiteral, string_codes, unit_type
from vpo.frontend.lower.values import Value
from vpo.frontend.scope import Cleanup, Scope, Symbol, plain_name
from vpo.frontend.syntax.nodes import Argument, BlockItem, Constant, Coord, Expression, Marks, Typename
from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.types.types import Arithmetic, CType, VariableArray, Vector
from vpo.frontend.warnings.diagnostics import Reporter
from vpo.il import data_model as effective_types
from vpo.il.data_model import DataModel

MAX_HEIGHT = 24  # levels of an expression that become one tree


@dataclass(eq=False)
class UserLabel:
    """A label of the program: its name in the IL, where it stands and where it was first used."""

    name: str
    defined: Coord | None = None
    used: Coord | None = None
    scope: Scope | None = None
    marks: list[il.Local] = field(default_factory=list)  # of scopes with arrays of variable length before it
    modified: list[Symbol] = field(default_factory=list)  # the names of variably modified types in whose scopes it stands
    gotos: list[tuple[Coord, list[Symbol]]] = field(default_factory=list)  # their places, and such names there
    jumps: list[tuple[il.Jump, list[Cleanup]]] = field(default_factory=list)  # with what each may leave behind


@dataclass(slots=True)
class OuterGoto:
    """A label to which nested functions go: the pointer to its function's context, its number, where it is first used."""

    link: str
    number: int
    used: Coord
    found: bool = False


@dataclass(eq=False)
class SwitchState:
    """The cases of a switch as they are met; `type` is the promoted type of the controlling expression.

    `ranges` has the first value, the last value and the label of each `case A ... B`.
    """

    type: CType
    modified: list[Symbol] = field(default_factory=list)  # the names of variably modified types in scope before it
    cases: dict[int, str] = field(default_factory=dict)
    ranges: list[tuple[int, int, str]] = field(default_factory=list)
    default: str | None = None


@dataclass(eq=False)
class FunctionUnderWay:
    """The function being lowered: its IL so far and where control statements lead."""

    name: str
    result: CType
    body: list[il.Statement] = field(default_factory=list)
    locals: list[il.Local] = field(default_factory=list)
    labels: dict[str, UserLabel] = field(default_factory=dict)
    taken: dict[str, Coord] = field(default_factory=dict)  # labels whose values are taken, and where
    computed: list[il.Switch] = field(default_factory=list)  # computed gotos
    breaks: list[tuple[str, Scope]] = field(default_factory=list)  # labels, and the scopes in which they stand
    continues: list[tuple[str, Scope]] = field(default_factory=list)
    switches: list[SwitchState] = field(default_factory=list)
    label_count: int = 0
    temporary_count: int = 0
    entered: list[Symbol] = field(default_factory=list)  # parameters and locals, in order
    typedefs: list[Symbol] = field(default_factory=list)
    mentions: list[tuple[il.Local, Coord]] = field(default_factory=list)  # of locals, with their places, for warnings
    unreachable: set[str] = field(default_factory=set)  # labels that control never gets to
    around: Scope | None = None  # the scope in which it is defined
    landings: dict[int, tuple[str, str]] = field(default_factory=dict)  # labels of gotos out of nested functions, and links
    is_scratch: bool = False
    is_dynamic: bool = False  # whether it allocates objects (`dynamic_objects.py`)


@dataclass(eq=False, slots=True)
class Linkage:
    """The names of a unit that have linkage, and what the linker is to be told of them."""

    externals: dict[str, Symbol] = field(default_factory=dict)
    tentative: dict[str, Symbol] = field(default_factory=dict)  # objects that are defined at the end, if nowhere before
    weak: list[Symbol] = field(default_factory=list)
    weak_names: frozenset[str] = frozenset()  # of `#pragma weak`
    run_by_start: dict[tuple[str, str], int] = field(default_factory=dict)  # constructors, destructors: their priorities
    aliases: list[tuple[Symbol, str, Coord]] = field(default_factory=list)  # names that `alias` gives: for what, and where


@dataclass(eq=False, slots=True)
class Nesting:
    """The functions that are defined in others, and what they share with these (`nested_functions.py`)."""

    functions: list[Symbol] = field(default_factory=list)
    links: dict[int, dict[Symbol, str]] = field(default_factory=dict)  # pointers to variables, by the variables' functions
    gotos: dict[str, OuterGoto] = field(default_factory=dict)  # out of nested functions, by their labels


@dataclass(eq=False, slots=True)
class Notes:
    """What only warnings want to know."""

    marks: Marks = field(default_factory=dict)
    by_attribute: dict[str, dict[str, str]] = field(default_factory=lambda: {name: {} for name in NOTED})  # of functions
    never_return: set[str] = field(default_factory=set)  # functions of this file whose end control cannot reach
    inline_statics: list[tuple[Symbol, Coord, str, str]] = field(default_factory=list)  # functions, and what they use


@dataclass(eq=False, slots=True)
class Enumerations:
    """How many there are, and the values of their constants by the names of the enumerations."""

    count: int = 0
    values: dict[str, dict[str, int]] = field(default_factory=dict)


class Lowering(Protocol):
    """How nodes of each class are lowered: the functions of `vpo/frontend/lower/dispatch.py`.

    A unit's context has them, because those that lower one form of C need those that lower its parts.
    """

    def expression(self, ctx: Context, node: Argument, /) -> Value:
        """Lower an expression."""

    def discard(self, ctx: Context, node: Argument, /) -> CType | None:
        """Lower an expression for its effects only."""

    def statement(self, ctx: Context, node: BlockItem, /) -> None:
        """Lower a statement."""


class Context:
    """One translation unit being compiled."""

    def __init__(
        self, file: str, model: DataModel, report: Reporter, strict_aliasing: bool, standard: Standard, lowering: Lowering
    ) -> None:
        self._lowering = lowering
        self.file = file
        self.model = model
        self.types = TypeTable(model)
        self.report = report
        self.file_scope = Scope()
        self.scope = self.file_scope
        self.function: Symbol | None = None
        self.state = FunctionUnderWay("", self.types.void)
        self.line = 0
        self.coord: Coord | None = None  # of the statement or declaration at hand
        self._height = 0  # of the tree of the operands lowered so far
        self.data: dict[str, il.Data] = {}
        self.functions: list[il.Function] = []
        self.strict_aliasing, self.standard = strict_aliasing, standard
        self.unevaluated = 0
        self._strings: dict[tuple[bytes, int], str] = {}
        self._names: dict[str, int] = {}
        self.linkage, self.nesting, self.notes, self.enumerations = Linkage(), Nesting(), Notes(), Enumerations()
        self.contents: dict[str | il.Local, il.Data] = {}  # of objects that are declared constexpr
        self.address_operand: Expression | None = None  # the node whose address is being taken

    def effective_type(self, value: Value) -> str:
        """Return as what a scalar object is referred to, as far as that is to be used."""
        return value.effective_type if self.strict_aliasing else effective_types.ANY

    # ------------------------------------------------------------------------------------------- dispatch

    def expression(self, node: Argument) -> Value:
        """Lower an expression; what must happen first is emitted, the rest is the value.  A type name is an error."""
        siblings, self._height = self._height, 0
        value = self._lowering.expression(self, node)
        height = self._height + 1
        if height >= MAX_HEIGHT and not self.state.is_scratch:
            self._cut(value)
            height = 0
        self._height = max(siblings, height)
        return value

    def _cut(self, value: Value) -> None:
        """Keep the tree of a value in a temporary, so that no later walk of trees meets a high one."""
        if value.tree is not None:
            value.tree = self.save(value.tree)
        elif value.address is not None:
            value.address = self.save(value.address)

    def discard(self, node: Argument) -> CType | None:
        """Lower an expression for its effects only; return its type if it has a value that was computed."""
        return self._lowering.discard(self, node)

    def statement(self, node: BlockItem) -> None:
        """Lower a statement."""
        self._lowering.statement(self, node)

    def has_mark(self, coord: Coord, name: str) -> bool:
        """True if what is declared at a place has an attribute that is kept for warnings."""
        marks = self.notes.marks.get((coord.file, coord.line, coord.column), ()) if self.notes.marks else ()
        return any(name in text for text in marks)

    def poison(self, name: str, coord: Coord) -> None:
        """Remember a name whose declaration is wrong, so that its uses raise no further errors."""
        self.scope.names.setdefault(name, Symbol("wrong", name, self.types.int_, coord))

    # ------------------------------------------------------------------------------------------- emitting

    def emit(self, statement: il.Statement) -> None:
        """Append a statement to the current function."""
        self.state.body.append(statement)

    def label(self) -> str:
        """A new label name."""
        self.state.label_count += 1
        return f"L{self.state.label_count}"

    def place(self, label: str) -> None:
        """Put a label here."""
        self.state.body.append(il.Label(label))

    def jump(self, label: str) -> None:
        """Go to a label."""
        self.state.body.append(il.Jump(label, self.line))

    def temporary(self, kind: il.Type) -> il.Local:
        """A new scalar local of the compiler's own."""
        self.state.temporary_count += 1
        name = f"{trees.TEMPORARY}{self.state.temporary_count}"
        local = il.Local(name, kind, kind.size, self._scalar_align(kind))
        self.state.locals.append(local)
        return local

    def aggregate_temporary(self, ctype: CType) -> il.Local:
        """A new local of the compiler's own for a struct, union or array."""
        self.state.temporary_count += 1
        local = il.Local(f"{trees.TEMPORARY}{self.state.temporary_count}", None, ctype.size, ctype.align)
        self.state.locals.append(local)
        return local

    def _scalar_align(self, kind: il.Type) -> int:
        sizes, aligns = self.model.sizes, self.model.aligns
        if kind.kind == "P":
            return aligns["pointer"]
        keys = ("float", "double", "ldouble") if kind.kind == "F" else ("char", "short", "int", "long", "llong")
        widest = kind.size if self.types.has_int128 else aligns["llong"]  # no type of C has more bytes
        return next((aligns[key] for key in keys if sizes[key] == kind.size), widest)

    def address_of(self, local: il.Local) -> il.AddrLocal:
        """The address of a local."""
        return il.AddrLocal(self.types.address, local)

    def load_local(self, local: il.Local) -> il.Load:
        """The value of a scalar local."""
        assert local.type is not None
        return il.Load(local.type, il.AddrLocal(self.types.address, local), local.volatile)

    def store_local(self, local: il.Local, tree: il.Expr) -> None:
        """Assign to a scalar local."""
        self.emit(il.Store(il.AddrLocal(self.types.address, local), tree, self.line, local.volatile))

    def size_of(self, ctype: CType) -> il.Expr:
        """The size of a complete type, in the type of sizeof."""
        kind = self.types.size_t.il
        if isinstance(ctype, VariableArray):
            return trees.constant(kind, 0) if ctype.bytes is None else self.load_local(ctype.bytes)
        return trees.constant(kind, ctype.size)

    def save(self, tree: il.Expr) -> il.Expr:
        """The value of a tree from a temporary that is set here; constants and temporaries stay as they are."""
        match tree:
            case il.Const() | il.AddrGlobal() | il.AddrLocal():
                return tree
            case il.Load(address=il.AddrLocal(local=local)) if local.name.startswith(trees.TEMPORARY):
                return tree
        local = self.temporary(tree.type)
        self.store_local(local, tree)
        return self.load_local(local)

    def settle(self, mark: int, tree: il.Expr) -> il.Expr:
        """Keep an earlier operand's value from before the statements emitted since `mark`, if they could change it."""
        body = self.state.body
        if len(body) == mark or not trees.reads_memory(tree):
            return tree
        local = self.temporary(tree.type)
        body.insert(mark, il.Store(self.address_of(local), tree, self.line))
        return self.load_local(local)

    def settle_value(self, mark: int, value: Value) -> Value:
        """Keep an earlier operand's value, of any type, from before the statements emitted since `mark`."""
        if value.tree is not None:
            imaginary = None if value.imaginary is None else self.settle(mark, value.imaginary)
            return Value(value.type, self.settle(mark, value.tree), imaginary=imaginary, bits=value.bits)
        if value.address is None or not isinstance(value.type, Vector) or len(self.state.body) == mark:
            return value
        copy = self.address_of(self.aggregate_temporary(value.type))
        self.state.body.insert(mark, il.Copy(copy, value.address, value.type.size, value.type.align, self.line))
        return Value(value.type, None, copy)

    @property
    def mark(self) -> int:
        """The current place, for `settle`."""
        return len(self.state.body)

    @contextmanager
    def scratch(self, *, unevaluated: bool = False) -> Iterator[FunctionUnderWay]:
        """Lower into a throw-away function; `unevaluated` also keeps data from being made."""
        saved = self.state
        self.state = FunctionUnderWay(
            saved.name,
            saved.result,
            entered=saved.entered,
            mentions=saved.mentions,
            taken=saved.taken,
            breaks=saved.breaks,
            continues=saved.continues,
            around=saved.around,
            is_scratch=True,
        )  # fmt: skip
        self.unevaluated += unevaluated
        self.report.muted += unevaluated
        try:
            yield self.state
        finally:
            self.state = saved
            self.unevaluated -= unevaluated
            self.report.muted -= unevaluated

    @contextmanager
    def block(self) -> Iterator[None]:
        """A nested scope."""
        saved = self.scope
        self.scope = Scope(saved)
        try:
            yield
        finally:
            self.scope = saved

    # ----------------------------------------------------------------------------------------------- data

    def unique(self, stem: str) -> str:
        """A symbol name for a static without linkage."""
        count = self._names.get(stem, 0) + 1
        self._names[stem] = count
        stem = plain_name(stem)
        return f"{stem}.{count}"

    def add_data(self, data: il.Data) -> None:
        """Define an object, unless nothing is to be evaluated."""
        if not self.unevaluated:
            self.data[data.name] = data

    def string_bytes(self, node: Constant) -> tuple[list[int], Arithmetic, bytes]:
        """The codes of a string literal without the final 0, the type of an element, the bytes with the final 0."""
        try:
            codes, unit = string_codes(node.value)
        except BadLiteral as problem:
            self.report.fail(node.coord, str(problem))
        element = unit_type(unit, self.types)
        if self.standard.edition >= 2023 and node.value.startswith("u8"):
            element = self.types.uchar
        size = element.size
        if not unit:
            return codes, element, bytes([*codes, 0])
        order: Literal["big", "little"] = "big" if self.model.big_endian else "little"
        mask = (1 << (8 * size)) - 1
        return codes, element, b"".join((c & mask).to_bytes(size, order) for c in [*codes, 0])

    def string_symbol(self, data: bytes, align: int) -> str:
        """The symbol of constant bytes; equal ones share one."""
        key = (data, align)
        name = self._strings.get(key)
        if name is None:
            name = self.unique("str")
            if not self.unevaluated:
                self._strings[key] = name
            self.add_data(il.Data(name, len(data), align, [il.BytesItem(0, data)], constant=True, static=True))
        return name


def refuse_type_name(ctx: Context, name: Typename) -> NoReturn:
    """Complain about the name of a type as an argument, which only some built-in functions take."""
    ctx.report.fail(name.coord, "an expression is needed here, not the name of a type")
