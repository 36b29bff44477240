"""What a description writes once and uses in many RTLs: `functions:`, in RTL, and `abbreviations:`, any text.

    functions:
      clamp(x,low,high): "SEL(x<low,low,SEL(x>high,high,x))"
      sat16(x): "clamp(x,-32768,32767)"
    instructions:
      SAT16: {rtl: "r[dst]=sat16(r[src]);", asm: "sat16 $dst,$src"}

Each may use others. What remains is RTL: the use of a function is its text with the operands in the places of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from vpo.machines.read.source import DescriptionError, Map, Place, inserted, section, text, text_place
from vpo.text import TextError, is_function_name, parse_expression_pattern

LONGEST = 1 << 12  # characters of an RTL with functions written out
WORD = re.compile(r"[a-z][a-z0-9_]*")
_HEAD = re.compile(r"\s*([a-z][a-z0-9_]*)\s*\(([^()]*)\)\s*")
_OPERATOR = r"!=|!<=|!>=|!<|!>|==|<=u|>=u|<<|>>u|>>|<=|>=|<u|>u|<|>|/u|%u|[-+*/%&|^?]"
_TOKEN = re.compile(rf"({_OPERATOR})|([A-Za-z_][\w.]*)([(\[]?)|(.)", re.DOTALL)  # a word goes with the bracket behind it


@dataclass(frozen=True)
class Function:
    """A function of a description; its body uses no others any more."""

    name: str
    parameters: tuple[str, ...]
    body: str
    place: Place

    def of(self, operands: list[str], place: Place) -> str:
        """Return the text of the function with operands in the places of its parameters.

        Raises DescriptionError.
        """
        wanted = len(self.parameters)
        if len(operands) != wanted:
            raise DescriptionError(place, f"`{self.name}` has {wanted} operand{'s'[: wanted != 1]}, not {len(operands)}")
        values = dict(zip(self.parameters, operands, strict=True))
        return _joined((self._piece(match, values) for match in _TOKEN.finditer(self.body)), place)

    def _piece(self, match: re.Match[str], values: dict[str, str]) -> str:
        if match[2] is None or match[3] or match[2] not in values:
            return match.group()
        value, is_whole = values[match[2]], match.group() == self.body
        return value if is_whole or not _is_infix(value) else f"({value})"


@dataclass(frozen=True)
class Shorthands:
    """The functions and abbreviations of a description, by name."""

    functions: dict[str, Function] = field(default_factory=dict)
    abbreviations: dict[str, str] = field(default_factory=dict)

    def expanded(self, rtl: str, place: Place) -> str:
        """Return an RTL with the texts of functions in place of their uses.

        Raises DescriptionError, also if that becomes too long.
        """
        return _joined(self._pieces(rtl, place), place) if any(name in rtl for name in self.functions) else rtl

    def _pieces(self, rtl: str, place: Place) -> Iterator[str]:
        position = 0
        for match in _TOKEN.finditer(rtl):
            if match.start() < position or match[3] != "(" or match[2] not in self.functions:
                continue  # in an operand of a use before it, or none
            before = rtl[position : match.start()]
            operands, position = _operands(rtl, match.end() - 1, place)
            use = self.functions[match[2]].of([self.expanded(operand, place) for operand in operands], place)
            is_whole = before.rstrip().endswith("PC=") or not (rtl[: match.start()] + rtl[position:]).strip()
            yield from (before, use if is_whole or not _is_infix(use) else f"({use})")
        yield rtl[position:]


def load_shorthands(d: Map) -> Shorthands:
    """Read `functions:` and `abbreviations:`.

    Raises DescriptionError.
    """
    spec = section(d, "functions")
    written = {function.name: function for function in (_function(spec, head) for head in spec)}
    found: dict[str, Function] = {}
    for name in written:
        _resolve(written, name, found, ())
    return Shorthands(found, load_abbreviations(d))


def _function(spec: Map, head: str) -> Function:
    """Read a function as it is written."""
    place, match = spec.key_places[head], _HEAD.fullmatch(head)
    parameters = [word.strip() for word in match[2].split(",")] if match is not None else []
    if match is None or not all(map(WORD.fullmatch, parameters)) or len(set(parameters)) < len(parameters):
        raise DescriptionError(place, f"'{head}': a function is written as in `half(x): \"x>>1\"`, each parameter once")
    if is_function_name(match[1]):
        raise DescriptionError(place, f"'{match[1]}' is a function that every machine has")
    return Function(match[1], tuple(parameters), text(spec, head), spec.where(head))


def _resolve(written: dict[str, Function], name: str, found: dict[str, Function], within: tuple[str, ...]) -> None:
    """Note a function without the uses of others in its body, after those that it uses.

    Raises DescriptionError if it uses itself, or if what remains is no RTL that consists of its parameters.
    """
    function = written[name]
    if name in within:
        circle = " -> ".join([*within[within.index(name) :], name])
        raise DescriptionError(function.place, f"function '{name}' is made of itself: {circle}")
    if name in found:
        return
    for match in _TOKEN.finditer(function.body):
        word, is_use = match[2], match[3] == "("
        if is_use and word in written:
            _resolve(written, word, found, (*within, name))
        elif not match[3] and word and WORD.fullmatch(word) and word not in function.parameters:
            names = ", ".join(function.parameters)
            raise DescriptionError(function.place, f"function '{name}': '{word}' is no parameter ({names})")
    body = Shorthands(found).expanded(function.body, function.place)
    try:
        parse_expression_pattern(body, {})
    except TextError as error:
        place = text_place(function.place, error) if body == function.body else function.place
        raise DescriptionError(place, f"function '{name}': {error.message}") from None
    found[name] = replace(function, body=body)


def load_abbreviations(d: Map) -> dict[str, str]:
    """Read `abbreviations:`, text that `${name}` inserts into the RTLs of instructions and commands; it may name others.

    One that is a mapping is its values one behind the other, so that descriptions that extend this one may add to it.

    Raises DescriptionError.
    """
    spec = section(d, "abbreviations")
    for name in spec:
        if not WORD.fullmatch(name) or name == "name":
            raise DescriptionError(spec.key_places[name], f"'{name}': an abbreviation is a lower-case word, but not 'name'")
    found: dict[str, str] = {}
    for name in spec:
        _abbreviation(spec, name, found, ())
    return {name: found[name] for name in spec}


def _abbreviation(spec: Map, name: str, found: dict[str, str], within: tuple[str, ...]) -> str:
    """Return the whole text of an abbreviation, and note it."""
    if name in within:
        circle = " -> ".join([*within[within.index(name) :], name])
        raise DescriptionError(spec.where(name), f"abbreviation '{name}' is made of itself: {circle}")
    if name not in found:
        parts = spec[name]
        whole = "".join(text(parts, part) for part in parts) if isinstance(parts, Map) else text(spec, name)
        for other in spec:
            if f"${{{other}}}" in whole:
                whole = inserted(whole, other, _abbreviation(spec, other, found, (*within, name)), spec.where(name))
        found[name] = whole
    return found[name]


def _operands(rtl: str, opening: int, place: Place) -> tuple[list[str], int]:
    """Return the operands between a parenthesis and the one that closes it, and the position behind that.

    Raises DescriptionError.
    """
    depth, start, operands = 0, opening + 1, list[str]()
    for position in range(opening, len(rtl)):
        letter = rtl[position]
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 1) or depth == 0:
            operands.append(rtl[start:position].strip())
            start = position + 1
        if depth == 0:
            return operands, start
    raise DescriptionError(place, f"'{rtl[:opening]}(': the parenthesis is not closed")


def _joined(pieces: Iterable[str], place: Place) -> str:
    """Return pieces of text as one.

    Raises DescriptionError if it is too long: a function that uses another twice may double it forty times.
    """
    result, length = list[str](), 0
    for piece in pieces:
        result.append(piece)
        length += len(piece)
        if length > LONGEST:
            raise DescriptionError(place, f"with functions written out, the text has more than {LONGEST:,} characters")
    return "".join(result)


def _is_infix(value: str) -> bool:
    """Whether an operator stands outside of all parentheses, behind an operand."""
    depth, after = 0, False
    for match in _TOKEN.finditer(value):
        if match[1] is not None and depth == 0 and after:
            return True
        token = match.group()
        depth += (token[-1] in "([{") - (token in (")", "]", "}"))
        after = after or not token.isspace()
    return False
