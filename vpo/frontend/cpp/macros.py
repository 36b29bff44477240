"""Macro definitions: the parts of `#define`, taken apart once so that calls are quick."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vpo.frontend.cpp.tokens import IDENTIFIER, PUNCTUATOR, Definition, Malformed, Token, spelled

_OPTION = "__VA_OPT__"
_HEAD = re.compile(r"#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?")


@dataclass(slots=True)
class Operand:
    """A token of a macro's body; `parameter` is the index of the parameter that it names, or -1.

    `option` is what stands in the parentheses of a `#__VA_OPT__(...)`, as a macro of the same parameters.
    """

    token: Token
    parameter: int = -1
    stringised: bool = False
    option: Macro | None = None


@dataclass(slots=True, eq=False)
class Macro:
    """A macro; `terms` is its body, each a chain of operands joined by `##`.

    `optional` is the body for calls without variable arguments, if it has a `__VA_OPT__(...)`, which stands for nothing then.
    Until `read` is called, a macro may have its name only, and `unread`, the definition.
    """

    name: str
    body: list[Token] = field(default_factory=list)
    parameters: list[str] | None = None
    variadic: bool = False
    terms: list[list[Operand]] = field(default_factory=list)
    active: bool = False  # while its replacement is rescanned
    optional: list[list[Operand]] | None = None
    plain: bool = False  # without parameters and `##`: its replacement is its body
    unread: Definition | None = None
    place: Token | None = None  # of its name in the definition

    def read(self) -> None:
        """Read the definition, unless that was done."""
        if self.unread is not None:
            line, self.unread = self.unread.tokens(), None
            _read(self, line[2:])

    def is_same(self, other: Macro) -> bool:
        """Return whether another macro that was read is defined by the same tokens with white space between the same."""
        if (self.parameters, self.variadic) != (other.parameters, other.variadic) or len(self.body) != len(other.body):
            return False
        return all(
            mine.text == its.text and (index == 0 or bool(mine.space) == bool(its.space))
            for index, (mine, its) in enumerate(zip(self.body, other.body, strict=True))
        )

    def definition(self) -> str:
        """Return the directive that defines the macro."""
        self.read()
        parameters = ""
        if self.parameters is not None:
            names = list(self.parameters)
            if self.variadic:
                names[-1] = "..." if names[-1] == "__VA_ARGS__" else f"{names[-1]}..."
            parameters = f"({','.join(names)})"
        return f"#define {self.name}{parameters} {spelled(self.body)}"

    def takes_rest(self, operand: Operand) -> bool:
        """True if an operand is the parameter for variable arguments."""
        return self.variadic and operand.parameter == len(self.parameters or ()) - 1


def parse_definition(tokens: Sequence[Token]) -> Macro:
    """Read what follows `#define`, a name first; raise `Malformed` if it is wrong."""
    macro = Macro(tokens[0].text)
    _read(macro, tokens)
    return macro


def unread_macro(definition: Definition) -> Macro | None:
    """Return a macro whose definition is read when it is used, None if it may be wrong."""
    head = _HEAD.match(definition.text)
    if head is None or _OPTION in definition.text:
        return None
    parameters = (head[2] or "").replace("\t", "").replace(" ", "").split(",")
    return Macro(head[1], unread=definition) if len(parameters) == len(set(parameters)) else None


def _read(macro: Macro, tokens: Sequence[Token]) -> None:
    """Take a definition apart, which begins with the name."""
    macro.place = tokens[0]
    if len(tokens) > 1 and tokens[1].text == "(" and not tokens[1].space:
        macro.parameters, macro.variadic, length = _parameters(tokens)
        macro.body = list(tokens[length:])
    else:
        macro.body = list(tokens[1:])
    if macro.variadic and any(token.text == _OPTION for token in macro.body):
        body = macro.body
        macro.body = _with_option(body, False)
        macro.optional = _terms(macro)
        macro.body = _with_option(body, True)
    macro.terms = _terms(macro)
    macro.plain = macro.parameters is None and all(len(term) == 1 for term in macro.terms)


def _with_option(body: list[Token], given: bool) -> list[Token]:
    """Return a body with what stands in the parentheses of `__VA_OPT__`, or without it and the `##` beside it."""
    found: list[Token] = []
    at = 0
    while at < len(body):
        if body[at].text != _OPTION:
            found.append(body[at])
            at += 1
            continue
        end = _closing(body, at)
        if at and _is(body[at - 1], "#", "%:"):
            found += body[at : end + 1] if given else [body[at], body[at + 1], body[end]]
        elif given:
            found += body[at + 2 : end]
        elif end + 1 < len(body) and body[end + 1].text == "##":
            end += 1
        elif found and found[-1].text == "##":
            found.pop()
        at = end + 1
    return found


def _closing(body: list[Token], at: int) -> int:
    """Return the position of the parenthesis that ends a `__VA_OPT__`."""
    depth = 0
    for position in range(at + 1, len(body)):
        depth += (body[position].text == "(") - (body[position].text == ")")
        if depth == 0:
            if position > at + 1:
                return position
            break
    raise Malformed(body[at], f"unterminated {_OPTION}: it takes tokens in parentheses")


def check_name(name: Token) -> None:
    """Raise `Malformed` if a token cannot be the name of a macro."""
    if name.kind != IDENTIFIER:
        raise Malformed(name, f"macro names must be identifiers, not '{name.text}'")
    if name.text == "defined":
        raise Malformed(name, "'defined' cannot be used as a macro name")


def _parameters(tokens: Sequence[Token]) -> tuple[list[str], bool, int]:
    """Return the parameters, whether the last one takes the rest, and how many tokens name and parameters are."""
    names: list[str] = []
    texts = [token.text for token in tokens]
    at = 2
    if texts[at : at + 1] == [")"]:
        return names, False, at + 1
    while at < len(tokens):
        named = tokens[at].kind == IDENTIFIER
        if named:
            if texts[at] in names:
                raise Malformed(tokens[at], f"duplicate macro parameter '{texts[at]}'")
            names.append(texts[at])
            at += 1
        variadic = texts[at : at + 1] == ["..."]
        if variadic:
            at += 1
            if not named:
                names.append("__VA_ARGS__")
        if texts[at : at + 1] == [")"] and (named or variadic):
            return names, variadic, at + 1
        if variadic or not named or texts[at : at + 1] != [","]:
            break
        at += 1
    raise Malformed(tokens[0], "missing ')' in macro arguments")


def _is(token: Token, text: str, digraph: str) -> bool:
    return token.kind == PUNCTUATOR and token.text in (text, digraph)


def _option(macro: Macro, tokens: Iterator[Token]) -> Macro:
    """Read the tokens in parentheses behind a `__VA_OPT__`."""
    found = [next(tokens)]
    depth = 1
    while depth:
        found.append(token := next(tokens))
        depth += (token.text == "(") - (token.text == ")")
    option = Macro(macro.name, found[1:-1], macro.parameters, macro.variadic)
    option.terms = _terms(option)
    return option


def _terms(macro: Macro) -> list[list[Operand]]:
    """Take a body apart at white space and `##`."""
    index = {name: i for i, name in enumerate(macro.parameters or ())}
    terms: list[list[Operand]] = []
    pasting = False
    tokens = iter(macro.body)
    for token in tokens:
        if _is(token, "##", "%:%:"):
            if not terms or token is macro.body[-1]:
                raise Malformed(token, "'##' cannot appear at either end of a macro expansion")
            pasting = True
            continue
        if macro.parameters is not None and _is(token, "#", "%:"):
            named = next(tokens, None)
            if named is not None and named.text == _OPTION and macro.variadic:
                operand = Operand(token, stringised=True, option=_option(macro, tokens))
            elif named is None or named.text not in index:
                raise Malformed(token, "'#' is not followed by a macro parameter")
            else:
                operand = Operand(token, index[named.text], stringised=True)
        else:
            operand = Operand(token, index.get(token.text, -1))
        if pasting:
            terms[-1].append(operand)
        else:
            terms.append([operand])
        pasting = False
    return terms
