"""The tokens of one file as the parser takes them, and the names that are types where it stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, NoReturn

from vpo.base.suggestions import suggested
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.lexer import CHARACTER, END, FLOATING, INTEGER, NAME, STRING, Tokens
from vpo.frontend.warnings.diagnostics import NESTED_TOO_DEEPLY, Diagnostic, Reporter

# The words that begin declarations (C11, 6.7.1 to 6.7.5).
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
DECLARATIONS = _TYPES | STORAGE | FUNCTION | {"_Alignas", "_Static_assert", ATTRIBUTE}

# Behind these a name that is followed by another name, or by `*`, was to be a type.
_BEFORE_LIST = frozenset(("struct", "union", "enum", "="))  # what stands before braces that are no body
_BEFORE_TYPE = frozenset((";", "{", "}", "(", ",", "static", "extern", "const", "typedef"))
_OPERANDS = frozenset((INTEGER, FLOATING, CHARACTER, STRING, "{", "~", "!"))  # what an operand, and no operator, begins with

EVER = 9999  # later than every edition of C

_REFUSED = {
    **dict.fromkeys(("__int128_t", "__uint128_t"), "integers of 128 bits"),
    **dict.fromkeys(("_Decimal32", "_Decimal64", "_Decimal128"), "decimal floating numbers"),
    **dict.fromkeys(("__float128", "_Float128", "_Float64x", "__float80"), "floating numbers of more than 64 bits"),
}  # types of gcc


Derivation = (  # a part of a declarator, and its place: qualifiers; length and qualifiers; parameters
    tuple[Literal["pointer"], list[str], nodes.Coord]
    | tuple[Literal["array"], tuple[nodes.Expression | None, list[str]], nodes.Coord]
    | tuple[Literal["function"], nodes.ParamList | nodes.NameList | None, nodes.Coord]
)
Declarator = tuple[list[Derivation], str | None, nodes.Coord | None]  # the outermost derivation first, the name, and its place


class BadSyntax(Exception):
    """The text at the current token is not C; the error has been recorded."""


class Stream:
    """Tokens with a current position; parts of the grammar are functions of it.

    `type_name`, `compound` and `nested_function` are functions of the grammar that expressions or declarations need, and that
    are made of these.
    """

    type_name: Callable[[Stream], nodes.Typename]
    nested_function: Callable[[Stream, nodes.Specifiers, Declarator], nodes.FuncDef]
    compound: Callable[[Stream], nodes.Compound]

    def __init__(self, tokens: Tokens, report: Reporter) -> None:
        self.kinds, self.texts, self.report = tokens.kinds, tokens.texts, report
        self.standard = tokens.standard
        self._offsets, self._coord = tokens.offsets, tokens.places.coord
        self.at = 0
        self.attributes: list[tuple[int, str]] = []  # of C23, for warnings; the positions behind them
        self.of_functions: nodes.Arguments = {}  # attributes behind the `*` of the declaration that is being read
        self._packing = tokens.packing
        self.in_parentheses: nodes.Expression | None = None  # the expression that was last read in parentheses
        self.checks_operators = not report.wanted.isdisjoint(("parentheses", "logical-not-parentheses"))
        self._start, self._starts_with_type = 0, False  # the declaration or statement that is being read
        self._depth = 0  # of scopes within each other
        self._types: dict[str, bool] = {}  # names in scope: whether they are types
        self._labels: dict[str, str] = {}  # of blocks, declared by `__label__`
        self._label_count = 0
        self._hidden: list[tuple[str, bool | None]] = []  # what names were before inner scopes declared them

    # ------------------------------------------------------------------------------------------------ tokens

    def coord(self) -> nodes.Coord:
        """Return the place of the current token."""
        return self._coord(self._offsets[self.at])

    def place(self, at: int) -> nodes.Coord:
        """Return the place of the token at a position."""
        return self._coord(self._offsets[at])

    def accept(self, kind: str) -> bool:
        """Go behind the current token if it is of a kind."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str) -> None:
        """Go behind the current token, which must be of a kind."""
        if self.kinds[self.at] != kind:
            self.missing(f"'{kind}'")
        self.at += 1

    def name(self) -> str:
        """Return the name at the current token, and go behind it."""
        if self.kinds[self.at] != NAME:
            self.missing("identifier")
        self.at += 1
        return self.texts[self.at - 1]

    def packing(self) -> int:
        """Return the greatest alignment of members that options and `#pragma pack` allow at the current token; 0: any."""
        if not self._packing:
            return self.standard.pack
        found = bisect_right(self._packing, (self._offsets[self.at], 1 << 30)) - 1
        return (self._packing[found][1] if found >= 0 else 0) or self.standard.pack

    def run(self) -> nodes.ConstantRun:
        """Return the constants of the current token, and go behind it."""
        run = nodes.ConstantRun(self.texts[self.at], self.coord())
        self.at += 1
        return run

    # ------------------------------------------------------------------------------------------------- names

    def is_type(self, name: str) -> bool:
        """Return whether a name is a type here."""
        return self._types.get(name, False)

    def label(self, name: str) -> str:
        """Return a label as its function knows it: labels of blocks are told apart by numbers."""
        return self._labels.get(name, name)

    def declare_label(self, name: str) -> None:
        """Let a label belong to the block that is being read."""
        self._label_count += 1
        self._labels = {**self._labels, name: f"{name}.{self._label_count}"}

    def declare(self, name: str, is_type: bool = False) -> None:
        """Let a name be a type, or anything else, until the scope ends."""
        old = self._types.get(name)
        if old is not is_type:
            self._hidden.append((name, old))
            self._types[name] = is_type

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Read an inner scope."""
        hidden, labels = len(self._hidden), self._labels
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            self._labels = labels
            while len(self._hidden) > hidden:
                name, old = self._hidden.pop()
                if old is None:
                    del self._types[name]
                else:
                    self._types[name] = old

    # ------------------------------------------------------------------------------------------------ errors

    @property
    def start(self) -> int:
        """The position where the declaration or statement begins that is being read; errors end there."""
        return self._start

    @start.setter
    def start(self, at: int) -> None:
        self._start = at
        self._starts_with_type = self.kinds[at] == NAME and self.is_type(self.texts[at])

    def missing(self, what: str) -> NoReturn:
        """Record that something else than the current token should stand here."""
        if self.kinds[self.at] == END:
            self.fail(f"expected {what} at end of input")
        self.fail(f"expected {what} before '{self.texts[self.at]}'")

    def fail(self, message: str) -> NoReturn:
        """Record an error at the current token, unless its line has one already."""
        unknown = self._unknown_type()
        refused = next((at for at in range(self.start, self.at + 1) if self.texts[at] in _REFUSED), None)
        if refused is not None:
            self.at, unknown = refused, None
            message = f"{_REFUSED[self.texts[refused]]} are not supported"
        if unknown is not None:
            name, types = self.texts[unknown], (known for known, is_type in self._types.items() if is_type)
            words = (word for word, kind in self.standard.keywords.items() if self._depth or kind in DECLARATIONS)
            self.at, message = unknown, f"unknown type name '{name}'{suggested(name, [*types, *words])}"
        undeclared = self._undeclared_cast() if unknown is None and refused is None else None
        if undeclared is not None:
            self.at = undeclared
            name, types = self.texts[self.at], (known for known, is_type in self._types.items() if is_type)
            message = f"'{name}' undeclared{suggested(name, types)}"
        place = self.coord()
        if not any((error.file, error.line) == (place.file, place.line) for error in self.report.errors):
            self.report.add(Diagnostic(place.file, place.line, place.column, "error", message))
        raise BadSyntax

    def too_deep(self) -> None:
        """Record that the text is nested more deeply than can be read."""
        place = self.coord()
        self.report.add(Diagnostic(place.file, place.line, place.column, "error", NESTED_TOO_DEEPLY))

    def _unknown_type(self) -> int | None:
        """Return the position of a name that stands like a type without being one, if that is what is wrong."""
        kinds, at, start = self.kinds, self.at, self.start
        behind_name = at > start and kinds[at - 1] == NAME and kinds[at] in (NAME, "*")
        if behind_name and (at - start == 1 or kinds[at - 2] in _BEFORE_TYPE):
            return at - 1
        if at > start and kinds[start] == NAME and kinds[start + 1] in (NAME, "*") and not self._starts_with_type:
            return start
        return None

    def _undeclared_cast(self) -> int | None:
        """Return the position of a name that was not declared in a cast, `(name) operand`, if that is what is wrong."""
        kinds, at = self.kinds, self.at
        if at - self.start < 3 or kinds[at - 3 : at] != ["(", NAME, ")"] or self.texts[at - 2] in self._types:
            return None
        return at - 2 if kinds[at] in _OPERANDS or kinds[at] == NAME else None

    def skip(self, least: int, inside: bool) -> None:
        """Go behind the declaration or statement that began at `start`: at least to token `least`.

        Its end is a `;`, or the `}` of a body; `inside` a block, the `}` that closes it is left to be read.  The names in it
        are lost: it may have declared them.
        """
        self._go_behind(least, inside)
        names = range(self.start, self.at)
        self.report.lost.update(self.texts[at] for at in names if self.kinds[at] == NAME)

    def _go_behind(self, least: int, inside: bool) -> None:
        kinds, depth, body, lists, previous = self.kinds, 0, False, False, ""
        self.at = self.start
        while kinds[self.at] != END:
            kind = kinds[self.at]
            if kind == "}" and inside and depth == 0 and self.at >= least:
                return
            self.at += 1
            if kind == "{":
                body = body or (depth == 0 and (previous == ")" or not lists))
                depth += 1
            elif kind == "}":
                depth -= 1
                if (depth == 0 and body) or (depth < 0 and self.at >= least):
                    return
            elif kind == ";" and depth <= 0 and self.at >= least:
                return
            lists = lists or kind in _BEFORE_LIST
            previous = kind


def starts_type(s: Stream) -> bool:
    """Return whether a type name begins at the current token."""
    kind = s.kinds[s.at]
    return s.is_type(s.texts[s.at]) if kind == NAME else kind in _TYPES or kind in (ATTRIBUTE, "_Alignas")


def starts_declaration(s: Stream) -> bool:
    """Return whether a declaration begins at the current token; a label may have the name of a type."""
    kind = s.kinds[s.at]
    if kind == NAME:
        return s.is_type(s.texts[s.at]) and s.kinds[s.at + 1] != ":"
    return kind in DECLARATIONS
