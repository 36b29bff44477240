"""The grammar of whole files (C11, 6.9): declarations and function definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vpo.base.c_standard import DEFAULT_STANDARD, Standard
from vpo.frontend.syntax.lexer import END, NAME, Tokens
from vpo.frontend.syntax.nodes import Decl, Declaration, FuncDecl, FuncDef, NameList, Specifiers
from vpo.frontend.syntax.parse_attributes import assembly, attributes, find_marks, starts_attributes
from vpo.frontend.syntax.parse_declarations import declaration, declarator, declared, derived, imply_int, specifiers, type_name
from vpo.frontend.syntax.parse_statements import body, compound
from vpo.frontend.syntax.statement_nodes import External, FileAST, PassedOver
from vpo.frontend.syntax.stream import BadSyntax, Declarator, Stream, starts_declaration
from vpo.frontend.warnings.diagnostics import Reporter, is_of_library

# ----------------------------------------------------------------------------------------------------------------------
# Declarations of library functions that a unit never mentions: most of what standard headers are made of.
#
# They are passed over without being parsed: the library's headers are known to be right, and what nothing refers to means
# nothing.  The compiler may call functions whose names begin with two underscores though the program does not.


_OTHERS = frozenset(("typedef", "_Static_assert", "asm", "static"))  # what else may begin a declaration
_OWN = "__"


def unused_prototypes(tokens: Tokens) -> dict[int, tuple[int, list[str]]]:
    """Return, by the position of its first token, the position behind each such declaration, and what it declares."""
    found: dict[int, tuple[int, list[str]]] = {}
    counts = Counter(tokens.texts)
    for begin, end in _library_ranges(tokens):
        at = begin
        while at < end:
            behind = _behind(tokens.kinds, at)
            if behind <= end and tokens.kinds[at] not in _OTHERS:
                names = _declared_functions(tokens, at, behind - 1)
                if names and all(counts[name] == 1 and not name.startswith(_OWN) for name in names):
                    found[at] = behind, names
            at = behind
    return found


def _library_ranges(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Yield where tokens from the library's headers begin and end, which is always outside of declarations."""
    for (file, begin), (_, end) in pairwise([*tokens.files(), ("", len(tokens.kinds) - 1)]):
        if is_of_library(file):
            yield begin, end


def _behind(kinds: list[str], at: int) -> int:
    """Return the position behind a declaration or function definition."""
    depth = 0
    body = False  # whether a function's body is open or could begin
    while (kind := kinds[at]) != END:
        at += 1
        if kind == "{":
            depth += 1
            body = body or (depth == 1 and kinds[at - 2] == ")")
        elif kind == "}":
            depth -= 1
            if depth == 0 and body:
                return at
        elif kind == ";" and depth == 0:
            return at
    return at


def _declared_functions(tokens: Tokens, at: int, end: int) -> list[str]:
    """Return the functions that a declaration up to its semicolon declares, none if it has other declarators."""
    kinds = tokens.kinds
    names: list[str] = []
    while "(" in kinds[at:end]:
        opening = kinds.index("(", at, end)
        if opening - at < (1 if names else 2) or kinds[opening - 1] != NAME or not set(kinds[at:opening]).isdisjoint("{=,["):
            return []
        names.append(tokens.texts[opening - 1])
        at = _behind_parentheses(kinds, opening, end)
        if at == end:
            return names
        if kinds[at] != ",":
            return []
        at += 1
    return []


def _behind_parentheses(kinds: list[str], at: int, end: int) -> int:
    """Return the position behind parentheses; macros of the program may have left them open up to the end."""
    depth = 0
    while at < end:
        depth += (kinds[at] == "(") - (kinds[at] == ")")
        at += 1
        if depth == 0:
            break
    return at


# ----------------------------------------------------------------------------------------------------------------------


def parse(
    text: str, file: str, report: Reporter, standard: Standard = DEFAULT_STANDARD, passes_over: bool = False
) -> FileAST:
    """Parse preprocessed text; syntax errors go to `report`.

    If it `passes_over` declarations of the library's functions that the text does not use, there are only their names.
    """
    tokens = Tokens(text, file, report, standard)
    report.switch_on(tokens.places.switches.switched_on())
    s = Stream(tokens, report)
    s.type_name, s.compound, s.nested_function = type_name, compound, _definition
    found: list[External] = []
    unused = unused_prototypes(tokens) if passes_over else {}
    while s.kinds[s.at] != END:
        if s.at in unused:
            behind, names = unused[s.at]
            found.append(PassedOver(names, s.coord()))
            s.at = behind
            continue
        s.start = s.at
        try:
            found += external_declaration(s)
        except BadSyntax:
            s.skip(s.at, inside=False)
        except RecursionError:
            s.too_deep()
            s.skip(s.at, inside=False)
    return FileAST(found, find_marks(text, tokens, s.attributes) if report.wanted or standard.instruments else {})


def external_declaration(s: Stream) -> Sequence[External]:
    """Read a declaration or function definition."""
    if s.kinds[s.at] == ";":
        s.at += 1
        return []
    begin = s.at
    if s.kinds[s.at] == "_Static_assert":
        return declaration(s)
    if s.kinds[s.at] == "asm":
        return [assembly(s)]
    if not starts_declaration(s) and not starts_attributes(s) and s.kinds[s.at] not in (NAME, "*", "("):
        s.missing("identifier or '('")
    head = specifiers(s)
    if s.kinds[s.at] == ";":
        s.at = begin
        return declaration(s)
    s.of_functions = {}
    first = declarator(s)
    head.attributes.others = head.attributes.others | s.of_functions
    behind = s.at
    if _is_function(first):
        head.attributes.add(attributes(s))
    if _is_function(first) and (s.kinds[s.at] == "{" or starts_declaration(s)):
        return [_definition(s, head, first)]
    if begin == s.start and not head.has_type and not head.storage and s.kinds[s.at] not in (";", "=", ",", "["):
        s.missing("';'")
    imply_int(s, head)
    s.at = behind
    return declared(s, head, first)


def _is_function(found: Declarator) -> bool:
    return bool(found[0]) and found[0][0][0] == "function"


def _definition(s: Stream, head: Specifiers, found: Declarator) -> FuncDef:
    """Read the rest of a function definition: parameters of the old style, and the body."""
    derivations, name, place = found
    imply_int(s, head, place, warns=False)
    type_ = derived(head, derivations, place)
    decl = Decl(name, head, type_)
    assert isinstance(type_, FuncDecl)
    if name is not None:
        s.declare(name)
    with s.scope():
        _declare_parameters(s, type_)
        old: list[Declaration] = []
        while s.kinds[s.at] != "{":
            if not starts_declaration(s):
                s.expect("{")
            old += declaration(s)
        return FuncDef(decl, old, body(s), decl.coord)


def _declare_parameters(s: Stream, declarator: FuncDecl) -> None:
    """Let the names of parameters be none of types in the function's body."""
    if isinstance(declarator.args, NameList):
        names: list[str | None] = [parameter.name for parameter in declarator.args.names]
    else:
        parameters = declarator.args.params if declarator.args is not None else []
        names = [parameter.name for parameter in parameters if isinstance(parameter, Decl)]
    for name in names:
        if name is not None:
            s.declare(name)
