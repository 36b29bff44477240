"""The grammar of expressions (C11, 6.5) and initialisers (6.7.9)."""

from __future__ import annotations

from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.lexer import CHARACTER, FLOATING, INTEGER, NAME, RUN, STRING
from vpo.frontend.syntax.stream import Stream, starts_type
from vpo.frontend.syntax.suspicious_syntax import check_operand, is_bare_not, may_be_negated
from vpo.frontend.warnings.diagnostics import Diagnostic

_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS, 1) for operator in operators}
_PREFIXES = frozenset(("-", "+", "!", "~", "*", "&", "++", "--"))
_POSTFIXES = frozenset(("[", "(", ".", "->", "++", "--"))
_WORDS = frozenset(("true", "false", "nullptr"))  # constants of C23
_LITERAL_STORAGE = frozenset(("constexpr", "register", "static", "_Thread_local"))
_CONSTANTS = frozenset((INTEGER, FLOATING, CHARACTER))


def expression(s: Stream) -> nodes.Expression:
    """Read an expression, which may have commas."""
    first = assignment(s)
    if s.kinds[s.at] != ",":
        return first
    found: list[nodes.Expression] = [first]
    while s.accept(","):
        _add_runs(s, found)
        found.append(assignment(s))
    return nodes.ExprList(found, first.coord)


def assignment(s: Stream) -> nodes.Expression:
    """Read an expression without a comma."""
    left = conditional(s)
    operator = s.kinds[s.at]
    if operator not in _ASSIGNMENTS:
        return left
    s.at += 1
    return nodes.Assignment(operator, left, assignment(s), left.coord)


def conditional(s: Stream) -> nodes.Expression:
    """Read a conditional expression, or a constant one."""
    condition = _binary(s, 1)
    if s.kinds[s.at] != "?":
        return condition
    s.at += 1
    middle = None if s.kinds[s.at] == ":" else expression(s)
    s.expect(":")
    return nodes.TernaryOp(condition, middle, conditional(s), condition.coord)


def _binary(s: Stream, least: int) -> nodes.Expression:
    """Read operands between operators that bind at least as closely as a level."""
    left = _operand(s)
    precedence = _PRECEDENCE.get
    while True:
        operator = s.kinds[s.at]
        level = precedence(operator, 0)
        if level < least or level == 0:
            return left
        s.at += 1
        if s.checks_operators:
            check_operand(s, operator, left)
            is_bare = is_bare_not(s, left)
            right = _binary(s, level + 1)
            check_operand(s, operator, right)
            left = nodes.BinaryOp(operator, left, right, left.coord, is_bare and may_be_negated(operator, right))
        else:
            left = nodes.BinaryOp(operator, left, _binary(s, level + 1), left.coord)


def _operand(s: Stream) -> nodes.Expression:
    """Read a cast expression."""
    kind = s.kinds[s.at]
    if kind == NAME:
        found: nodes.Expression = nodes.ID(s.texts[s.at], s.coord())
        s.at += 1
    elif kind in _CONSTANTS:
        found = nodes.Constant(kind, s.texts[s.at], s.coord())
        s.at += 1
    elif kind == "(":
        return _parenthesis(s)
    elif kind in _PREFIXES:
        s.at += 1
        operand = _operand(s)
        return nodes.UnaryOp(kind, operand, operand.coord)
    else:
        return _less_common(s, kind)
    return _postfix(s, found) if s.kinds[s.at] in _POSTFIXES else found


def _parenthesis(s: Stream) -> nodes.Expression:
    """Read what begins with a parenthesis: a cast, a compound literal, statements, or an expression."""
    place = s.coord()
    s.at += 1
    storage = _literal_storage(s)
    if storage or starts_type(s):
        name = s.type_name(s)
        s.expect(")")
        if storage and s.kinds[s.at] != "{":
            s.missing("'{'")
        if s.kinds[s.at] == "{":
            return _postfix(s, nodes.CompoundLiteral(name, initializer_list(s), place, storage))
        return nodes.Cast(name, _operand(s), place)
    if s.kinds[s.at] == "{":
        block = s.compound(s)
        found: nodes.Expression = nodes.StatementExpression(block, block.coord)
    else:
        found = expression(s)
    s.expect(")")
    s.in_parentheses = found
    return _postfix(s, found)


def _literal_storage(s: Stream) -> frozenset[str]:
    """Read the storage classes of a compound literal, as C23 has them; anything else is left where it is."""
    found: set[str] = set()
    while s.kinds[s.at] in _LITERAL_STORAGE and s.standard.edition >= 2023:
        found.add(s.kinds[s.at])
        s.at += 1
    return frozenset(found)


def _postfix(s: Stream, found: nodes.Expression) -> nodes.Expression:
    """Read what stands behind an operand: subscripts, arguments, members and steps."""
    while True:
        kind = s.kinds[s.at]
        if kind not in _POSTFIXES:
            return found
        s.at += 1
        if kind == "[":
            found = nodes.ArrayRef(found, expression(s), found.coord)
            s.expect("]")
        elif kind == "(":
            found = nodes.FuncCall(found, _arguments(s), found.coord)
        elif kind in (".", "->"):
            found = nodes.StructRef(found, kind, _field(s), found.coord)
        else:
            found = nodes.UnaryOp("p" + kind, found, found.coord)


def _field(s: Stream) -> nodes.ID:
    place = s.coord()
    return nodes.ID(s.name(), place)


def _arguments(s: Stream) -> list[nodes.Argument]:
    """Read arguments behind their parenthesis; those of built-in functions may be type names."""
    if s.accept(")"):
        return []
    found: list[nodes.Argument] = [s.type_name(s) if starts_type(s) else assignment(s)]
    while s.accept(","):
        _add_runs(s, found)
        found.append(s.type_name(s) if starts_type(s) else assignment(s))
    s.expect(")")
    return found


def _add_runs(s: Stream, found: list[nodes.Expression] | list[nodes.Argument]) -> None:
    """Read runs of constants behind a comma as the constants that they are."""
    while s.kinds[s.at] == RUN:
        found += s.run().nodes()


def _less_common(s: Stream, kind: str) -> nodes.Expression:
    if kind == STRING:
        return _postfix(s, string(s))
    if kind in ("sizeof", "_Alignof"):
        return _size(s, kind)
    if kind in _WORDS:
        place = s.coord()
        s.at += 1
        return _postfix(s, nodes.Constant(kind, kind, place))
    if kind in ("__real__", "__imag__"):
        s.at += 1
        operand = _operand(s)
        return nodes.UnaryOp(kind, operand, operand.coord)
    if kind == "_Generic":
        return _postfix(s, _generic(s))
    if kind == "&&":
        place = s.coord()
        s.at += 1
        return nodes.LabelAddress(s.label(s.name()), place)
    s.missing("expression")


def string(s: Stream) -> nodes.Constant:
    """Read a string literal; adjacent ones are one."""
    place, texts = s.coord(), [s.texts[s.at]]
    s.at += 1
    if s.kinds[s.at] != STRING:
        return nodes.Constant(STRING, texts[0], place)
    while s.kinds[s.at] == STRING:
        texts.append(s.texts[s.at])
        s.at += 1
    prefixes = {text[: text.index('"')] for text in texts} - {""}
    if len(prefixes) > 1:
        message = f"string literals with different prefixes, {' and '.join(sorted(prefixes))}, stand together"
        s.report.add(Diagnostic(place.file, place.line, place.column, "error", message))
    return nodes.Constant(STRING, "".join([*sorted(prefixes)[:1], *(text[text.index('"') :] for text in texts)]), place)


def _size(s: Stream, operator: str) -> nodes.SizeOf:
    """Read sizeof or _Alignof, of a type name or an expression."""
    place = s.coord()
    s.at += 1
    if s.kinds[s.at] == "(":
        begin = s.at
        s.at += 1
        if starts_type(s):
            name = s.type_name(s)
            s.expect(")")
            if s.kinds[s.at] != "{":
                return nodes.SizeOf(operator, name, place)
        s.at = begin
    return nodes.SizeOf(operator, _operand(s), place)


def _generic(s: Stream) -> nodes.GenericSelection:
    place = s.coord()
    s.at += 1
    s.expect("(")
    controlling = assignment(s)
    associations: list[nodes.GenericAssociation] = []
    while s.accept(","):
        begin = s.coord()
        name: nodes.Typename | None = None if s.accept("default") else s.type_name(s)
        s.expect(":")
        associations.append(nodes.GenericAssociation(name, assignment(s), begin))
    s.expect(")")
    return nodes.GenericSelection(controlling, associations, place)


# ---------------------------------------------------------------------------------------------------- initialisers


def initializer(s: Stream) -> nodes.Initializer:
    """Read the initialiser of an object."""
    return initializer_list(s) if s.kinds[s.at] == "{" else assignment(s)


def initializer_list(s: Stream) -> nodes.InitList:
    """Read initialisers in braces."""
    place = s.coord()
    s.at += 1
    if s.kinds[s.at] == "}":
        s.at += 1
        return nodes.InitList([], place)
    found: list[nodes.ListItem] = [_item(s)]
    while s.accept(","):
        while s.kinds[s.at] == RUN:
            found.append(s.run())
        if s.kinds[s.at] == "}":
            break
        found.append(_item(s))
    s.expect("}")
    return nodes.InitList(found, found[0].coord)


def _item(s: Stream) -> nodes.Initializer | nodes.NamedInitializer:
    """Read one initialiser of a list, with its designators."""
    if s.kinds[s.at] == NAME and s.kinds[s.at + 1] == ":":  # gcc's old form of a designator
        path: list[nodes.Designator] = [_field(s)]
        s.at += 1
        return nodes.NamedInitializer(path, initializer(s))
    if s.kinds[s.at] not in (".", "["):
        return initializer(s)
    path = []
    while s.kinds[s.at] in (".", "["):
        path.append(_designator(s))
    if not s.accept("=") and len(path) != 1:
        s.expect("=")
    return nodes.NamedInitializer(path, initializer(s))


def _designator(s: Stream) -> nodes.Designator:
    place = s.coord()
    if s.accept("."):
        return _field(s)
    s.expect("[")
    first = conditional(s)
    if s.kinds[s.at] == "...":
        s.at += 1
        found: nodes.Designator = nodes.RangeDesignator(first, conditional(s), place)
    else:
        found = nodes.ArrayDesignator(first, place)
    s.expect("]")
    return found
