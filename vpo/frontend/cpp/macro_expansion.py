"""Macro replacement (6.10.3).

A macro is not replaced while its own replacement is rescanned, and its name met then is never replaced later either.  This
is done as in GCC: the end of each replacement is marked among the tokens that are still to be read, and until the mark is
reached the macro is active.  Chains of macros therefore need no recursion; arguments that contain calls do, to a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vpo.frontend.cpp.macros import Macro, Operand
from vpo.frontend.cpp.tokens import CHARACTER, IDENTIFIER, STRING, Token, single
from vpo.frontend.warnings.diagnostics import Reporter

MAX_DEPTH = 200  # of calls in arguments of calls
_LEFT_OUT: list[Token] = []  # variable arguments with the comma before them


@dataclass(frozen=True)
class Builtin:
    """A name with a meaning of its own: returns what replaces a token, or None if it stays."""

    replace: Callable[[Token, Scan], list[Token] | None]
    defined: bool = True  # for #ifdef


class Scan:
    """Tokens still to be read: those of replacements, each followed by the macro that ends there, then the source."""

    def __init__(self, tokens: list[Token], source: Iterator[Token]) -> None:
        self.pending: list[Token | Macro] = [*reversed(tokens)]
        self._source = source

    def replaced(self) -> Token | None:
        """Take the next token, or return None when no replacement is left."""
        while self.pending:
            item = self.pending.pop()
            if isinstance(item, Token):
                return item
            item.active = False
        return None

    def take(self) -> Token | None:
        """Take the next token, from the source if need be, or return None at its end."""
        return self.replaced() or next(self._source, None)

    def opens(self) -> bool:
        """Take the next token if it is an opening parenthesis, and say so."""
        token = self.take()
        if token is None or token.text == "(":
            return token is not None
        self.pending.append(token)
        return False

    def push(self, macro: Macro, tokens: list[Token]) -> None:
        """Read the replacement of a macro next."""
        macro.active = True
        self.pending.append(macro)
        tokens.reverse()
        self.pending += tokens


class Expander:
    """Replaces macros by their definitions."""

    def __init__(self, report: Reporter) -> None:
        self.report = report
        self.macros: dict[str, Macro | Builtin] = {}
        self._depth = 0

    def expand(self, source: Iterator[Token]) -> Iterator[Token]:
        """Yield tokens with every macro replaced; directives may change macros while the source is read."""
        macros = self.macros
        for token in source:
            if token.kind == IDENTIFIER and token.text in macros and not token.blocked:
                yield from self._rescan(Scan([token], source))
            else:
                yield token

    def _rescan(self, scan: Scan) -> Iterator[Token]:
        """Yield what comes of the tokens of a scan, and of those of the source that calls take."""
        while (token := scan.replaced()) is not None:
            if token.kind == IDENTIFIER and not token.blocked:
                macro = self.macros.get(token.text)
                if macro is not None and self._replace(macro, token, scan):
                    continue
            yield token

    def _replace(self, macro: Macro | Builtin, name: Token, scan: Scan) -> bool:
        """Let the replacement of a name be read next; return False if the name stays."""
        if isinstance(macro, Builtin):
            replacement = macro.replace(name, scan)
            scan.pending += reversed(replacement or [])
            return replacement is not None
        if macro.active:
            name.blocked = True
            return False
        if macro.unread is not None:
            macro.read()
        if macro.plain:
            scan.push(macro, _placed([token.at(name, token.space) for token in macro.body], name))
        elif macro.parameters is None:
            scan.push(macro, self._substitute(macro, name, []))
        elif scan.opens() and (arguments := self._arguments(macro, name, scan)) is not None:
            scan.push(macro, self._substitute(macro, name, arguments))
        else:
            return False
        return True

    def balanced(self, name: Token, scan: Scan) -> list[Token] | None:
        """Return the tokens up to the parenthesis that ends a call of a name; an error and None if there is none."""
        depth = 0
        found: list[Token] = []
        while (token := scan.take()) is not None:
            if token.text == "(":
                depth += 1
            elif token.text == ")":
                depth -= 1
                if depth < 0:
                    return found
            elif token.kind == IDENTIFIER and getattr(self.macros.get(token.text), "active", False):
                token.blocked = True
            found.append(token)
        self.report.error(name, f"unterminated argument list of '{name.text}'")
        return None

    def _arguments(self, macro: Macro, name: Token, scan: Scan) -> list[list[Token]] | None:
        """Read the arguments of a call; an error and None if they are not as the macro wants them.

        The name then stays, so that a mistake in the bodies of macros that call each other is told only a few times.
        """
        parameters = macro.parameters or []
        most = len(parameters) if macro.variadic else 0
        arguments: list[list[Token]] = [[]]
        depth = 0
        inside = self.balanced(name, scan)
        if inside is None:
            return None
        for token in inside:
            depth += (token.text == "(") - (token.text == ")")
            if token.text == "," and depth == 0 and len(arguments) != most:
                arguments.append([])
            else:
                arguments[-1].append(token)
        if not parameters and arguments == [[]]:
            return []
        if macro.variadic and len(arguments) == len(parameters) - 1:
            arguments.append(_LEFT_OUT)
        if len(arguments) != len(parameters):
            least = "at least " if macro.variadic else ""
            wanted = len(parameters) - macro.variadic
            plural = "" if wanted == 1 else "s"
            given = len(arguments)
            message = f"macro {macro.name} requires {least}{wanted} argument{plural} but was passed {given}"
            self.report.error(name, message)
            return None
        return arguments

    def _substitute(self, macro: Macro, name: Token, arguments: list[list[Token]]) -> list[Token]:
        """Return a macro's body with arguments for parameters, `#` and `##` done."""
        expanded: dict[int, list[Token]] = {}
        result: list[Token] = []
        without = macro.optional is not None and arguments and not self._expanded(arguments[-1], name)
        for term in macro.optional if without and macro.optional is not None else macro.terms:
            first = term[0]
            if len(term) > 1:
                result += self._pasted(macro, term, name, arguments)
            elif first.parameter < 0 or first.stringised:
                result += self._raw(first, name, arguments)
            else:
                index = first.parameter
                if index not in expanded:
                    expanded[index] = self._expanded(arguments[index], name)
                result += _argument(expanded[index], first, name)
        return _placed(result, name)

    def _expanded(self, argument: list[Token], name: Token) -> list[Token]:
        """Return an argument with its own macros replaced, as if it were all there is."""
        if not any(token.kind == IDENTIFIER and token.text in self.macros for token in argument):
            return argument
        if self._depth >= MAX_DEPTH:
            self.report.error(name, f"macro calls nested too deeply: more than {MAX_DEPTH} in arguments of each other")
            return []
        self._depth += 1
        try:
            return list(self._rescan(Scan([token.at(token, token.space) for token in argument], iter(()))))
        finally:
            self._depth -= 1

    def _pasted(self, macro: Macro, term: list[Operand], name: Token, arguments: list[list[Token]]) -> list[Token]:
        """Join operands with `##`; an empty one leaves the other as it is."""
        result = self._raw(term[0], name, arguments)
        for operand in term[1:]:
            right = self._raw(operand, name, arguments)
            if macro.takes_rest(operand) and result and result[-1].text == ",":  # GNU C: no comma before no arguments
                left_out = arguments[operand.parameter] is _LEFT_OUT or not (right or operand.parameter)
                if right:
                    right[0].space = arguments[operand.parameter][0].space  # not that before the parameter
                result = result[:-1] if left_out else result + right
            elif result and right:
                left = result[-1]
                result[-1] = self._glued(left, right[0])
                result[-1].origin, result[-1].name = left.origin, left.name
                if operand.parameter < 0:  # it comes from the body, if a part of it does
                    result[-1].origin, result[-1].name = right[0].origin, right[0].name
                result += right[1:]
            else:
                result = result or right
        return result

    def _raw(self, operand: Operand, name: Token, arguments: list[list[Token]]) -> list[Token]:
        """Return the tokens of an operand of `##`, or of one that is no parameter."""
        if operand.option is not None:
            tokens = self._substitute(operand.option, name, arguments)
        elif operand.parameter < 0:
            return [operand.token.at(name, operand.token.space)]
        else:
            tokens = arguments[operand.parameter]
        if operand.stringised:
            text = Token(STRING, _stringised(tokens), operand.token.space, name.file, name.line, name.column)
            text.origin, text.name = operand.token, name
            return [text]
        return _argument(tokens, operand, name)

    def _glued(self, left: Token, right: Token) -> Token:
        """Return the one token that two make."""
        text = left.text + right.text
        kind = single(text)
        if not kind:
            message = f"pasting '{left.text}' and '{right.text}' does not give a valid preprocessing token"
            self.report.error(left, message)
        return Token(kind or left.kind, text, left.space, left.file, left.line, left.column)


def _placed(tokens: list[Token], name: Token) -> list[Token]:
    """Give a replacement the white space that was before the name."""
    if tokens:
        tokens[0].space = name.space
    return tokens


def _argument(tokens: list[Token], operand: Operand, name: Token) -> list[Token]:
    """Return copies of an argument's tokens in the place of a parameter."""
    copies = [token.at(name, token.space) for token in tokens]
    return _placed(copies, operand.token)


def _stringised(tokens: list[Token]) -> str:
    """Return the string literal that spells tokens (6.10.3.2)."""
    parts: list[str] = []
    for token in tokens:
        text = token.text
        if token.kind in (STRING, CHARACTER):
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(" " + text if token.space and parts else text)
    result = "".join(parts)
    if (len(result) - len(result.rstrip("\\"))) % 2:  # it would spell away the closing quote
        result = result[:-1]
    return f'"{result}"'
