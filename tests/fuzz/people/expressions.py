"""Random expressions: integers within ranges, conditions, and 32-bit words that wrap around."""

from __future__ import annotations

import re

from tests.fuzz.people.scope import Scope
from tests.fuzz.people.values import LIMITS, Place, Value, combine, constant


def integer(scope: Scope, depth: int = 2) -> Value:
    """Return a random integer."""
    if depth <= 0 or scope.likely(0.25):
        return atom(scope)
    choices = (sum_, sum_, product, bitwise, shift, quotient, truth, choice, negated, helper, from_word)
    return scope.chance.choice(choices)(scope, depth - 1)


def atom(scope: Scope) -> Value:
    """Return a variable, an element, a member, or a constant."""
    places = scope.places
    way = scope.chance.random()
    if way < 0.5 and places:
        return scope.chance.choice(places[-12:] if scope.likely(0.7) else places).value
    if way < 0.65 and scope.arrays:
        return element(scope).value
    if way < 0.75 and scope.subjects:
        return member(scope).value
    return number(scope)


def number(scope: Scope) -> Value:
    """Return a constant: most are small."""
    way = scope.chance.random()
    if way < 0.6:
        return constant(scope.number(0, 9), scope.writer.bits)
    if way < 0.8:
        return constant(scope.number(-100, 300), scope.writer.bits)
    if way < 0.95:
        return constant(scope.chance.choice((255, 256, 1000, 1024, 4096, 32767, -32767, 4095)), scope.writer.bits)
    return constant(scope.number(-100_000, 100_000_000), scope.writer.bits)


def element(scope: Scope, writable: bool = False) -> Place:
    """Return a place in an array."""
    array = scope.chance.choice([one for one in scope.arrays if one.writable or not writable])
    if scope.likely(0.5):
        return array.element(str(scope.number(0, array.length - 1)))
    return array.element(fit(scope, atom(scope), 0, array.length - 1))


def member(scope: Scope) -> Place:
    """Return a member of a structure."""
    subject = scope.chance.choice(scope.subjects)
    return subject.member(scope.chance.choice(subject.record.fields))


def sum_(scope: Scope, depth: int) -> Value:
    left, right = integer(scope, depth), integer(scope, depth)
    return combine(scope.chance.choice("+-"), left, right, scope.writer.bits) or left


def product(scope: Scope, depth: int) -> Value:
    left, right = integer(scope, depth), integer(scope, min(depth, 1))
    if scope.likely(0.6):
        right = constant(scope.number(2, 12), scope.writer.bits)
    return combine("*", left, right, scope.writer.bits) or left


def bitwise(scope: Scope, depth: int) -> Value:
    left, right = integer(scope, depth), integer(scope, depth)
    if scope.likely(0.5):
        right = constant(scope.chance.choice((1, 2, 3, 7, 8, 15, 16, 31, 0x7F, 255)), scope.writer.bits)
    operator = scope.chance.choice("&|^&")
    rank = max(left.rank, right.rank)
    text = f"({left.text} {operator} {right.text})"
    if operator == "&" and right.low >= 0:
        return Value(text, 0, right.high if left.low < 0 else min(left.high, right.high), rank)
    room = 1 << max(abs(end).bit_length() for end in (left.low, left.high, right.low, right.high))
    low = 0 if left.low >= 0 and right.low >= 0 else -room
    if low < -LIMITS[scope.writer.bits][rank]:
        return left
    return Value(text, low, room - 1, rank)


def shift(scope: Scope, depth: int) -> Value:
    left = integer(scope, depth)
    count = scope.number(1, 7)
    if scope.likely(0.5) and left.low >= 0 and left.high << count <= LIMITS[scope.writer.bits][left.rank]:
        return Value(f"({left.text} << {count})", left.low << count, left.high << count, left.rank)
    if scope.likely(0.3):
        return Value(f"({left.text} >> ({fit(scope, atom(scope), 0, 7)}))", min(left.low, 0), max(left.high, 0), left.rank)
    return Value(f"({left.text} >> {count})", left.low >> count, left.high >> count, left.rank)


def quotient(scope: Scope, depth: int) -> Value:
    left = integer(scope, depth)
    divisor = scope.chance.choice((2, 3, 4, 5, 7, 8, 10, 16, 60, 100, 1000))
    text, rank = str(divisor), left.rank
    if scope.likely(0.25):
        value = atom(scope)
        text, divisor, rank = f"(({fit(scope, value, 0, 14)}) + 1)", 15, max(rank, value.rank)
    most = max(abs(left.low), abs(left.high))
    if scope.likely(0.5):
        ends = (min(0, left.low), max(0, left.high))
        return Value(f"({left.text} / {text})", *ends, rank)
    most = min(most, divisor - 1)
    return Value(f"({left.text} % {text})", -most if left.low < 0 else 0, most if left.high > 0 else 0, rank)


def truth(scope: Scope, depth: int) -> Value:
    return Value(f"({comparison(scope, varying(scope, min(depth, 1)))})", 0, 1)


def choice(scope: Scope, depth: int) -> Value:
    left, right = integer(scope, depth), integer(scope, depth)
    text = f"({condition(scope, depth)} ? {left.text} : {right.text})"
    return Value(text, min(left.low, right.low), max(left.high, right.high), max(left.rank, right.rank))


def negated(scope: Scope, depth: int) -> Value:
    value = integer(scope, depth)
    if scope.likely(0.3) and value.high < LIMITS[scope.writer.bits][value.rank]:
        return Value(f"(~{value.text})", ~value.high, ~value.low, value.rank)
    return Value(f"(-{value.text})", -value.high, -value.low, value.rank)


def helper(scope: Scope, depth: int) -> Value:
    """Return what a small function makes of integers: the larger one, the absolute value..."""
    left, right = ranged(scope, -30000, 30000, depth), ranged(scope, -30000, 30000, depth)
    way = scope.chance.choice(("larger", "smaller", "magnitude", "sign"))
    if way == "sign":
        return Value(f"sign_of({left})", -1, 1)
    if way == "magnitude":
        return Value(f"magnitude({left})", 0, 30000, 1)
    return Value(f"{way}({left}, {right})", -30000, 30000, 1)


def from_word(scope: Scope, depth: int) -> Value:
    mask = scope.chance.choice((1, 3, 7, 15, 0x3F, 0xFF, 0x7FFF))
    return Value(f"(int)({word(scope, depth)} & {mask})", 0, mask)


def fit(scope: Scope, value: Value, low: int, high: int) -> str:
    """Return a text with the value brought into a range."""
    if low <= value.low and value.high <= high:
        return bare(value.text)
    if low == 0 and high == 1:
        return f"{value.text} {scope.chance.choice(('!=', '>', '<='))} {scope.number(0, 3)}"
    span = high - low + 1
    limit = LIMITS[scope.writer.bits][value.rank]
    if low < 0 < high and scope.likely(0.4):
        bound = min(-low, high) + 1
        return f"{value.text} % {constant(bound, scope.writer.bits).text}"
    if (
        scope.likely(0.25)
        and low >= -30000
        and high <= 30000
        and value.low >= -limit
        and max(-value.low, value.high) <= 2**31 - 1
    ):
        return f"clamped({value.text}, {low}, {high})"
    mask = (1 << (span.bit_length() - 1)) - 1
    if low == 0 and value.low >= 0 and scope.likely(0.5):
        return f"{value.text} % {constant(span, scope.writer.bits).text}"
    masked = f"{value.text} & {constant(mask, scope.writer.bits).text}"
    return masked if low == 0 else f"({masked}) {'-' if low < 0 else '+'} {constant(abs(low), scope.writer.bits).text}"


def bare(text: str) -> str:
    """Return an expression without the parentheses that enclose all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if place == len(text) - 1 else text
    return text


def ranged(scope: Scope, low: int, high: int, depth: int = 2) -> str:
    """Return a random expression within a range."""
    return fit(scope, integer(scope, depth), low, high)


def condition(scope: Scope, depth: int = 1) -> str:
    """Return a random condition, neither always true nor always false if possible."""
    way = scope.chance.random()
    if depth > 0 and way < 0.2:
        operator = scope.chance.choice(("&&", "||"))
        return f"({condition(scope, depth - 1)}) {operator} ({condition(scope, depth - 1)})"
    value = varying(scope, min(depth, 1))
    if way < 0.3:
        return f"{scope.chance.choice(('', '!'))}{value.text}"
    if way < 0.42:
        return f"{value.text} & {scope.chance.choice((1, 2, 4, 8, 6))}"
    return comparison(scope, value)


def varying(scope: Scope, depth: int) -> Value:
    """Return a random integer that is no constant, if there is any."""
    for _ in range(4):
        value = integer(scope, depth)
        if value.low < value.high and re.search("[a-z]", value.text):
            return value
    places = [place for place in scope.places if place.low < place.high]
    return scope.chance.choice(places).value if places else value


def comparison(scope: Scope, value: Value) -> str:
    """Return the comparison of a value with a number in its range, or with another value."""
    other = threshold(scope, value) if scope.likely(0.6) else integer(scope, 0).text
    return f"{value.text} {scope.chance.choice(('<', '>', '<=', '>=', '==', '!='))} {other}"


def threshold(scope: Scope, value: Value) -> str:
    """Return a number that values of a range may be above and below."""
    low, high = max(value.low, -20), min(value.high, 20)
    middle = scope.number(low, high) if low <= high else (value.low + value.high) // 2
    return constant(middle, scope.writer.bits).text


def word(scope: Scope, depth: int = 2) -> str:
    """Return a random expression of type uint32_t; any value is fine."""
    if depth <= 0 or scope.likely(0.2):
        if scope.words and scope.likely(0.7):
            return scope.chance.choice(scope.words)
        return f"(uint32_t){atom(scope).text}"
    left, right = word(scope, depth - 1), word(scope, depth - 1)
    way = scope.number(0, 6)
    if way == 0:
        return f"({left} {scope.chance.choice(('<<', '>>'))} {scope.number(1, 31)})"
    if way == 1:
        return f"(({left} << {(turn := scope.number(1, 31))}) | ({left} >> {32 - turn}))"
    if way == 2:
        return f"({left} * {scope.chance.choice((16777619, 31, 0x9E3779B1, 5, 1103515245))}u + {scope.number(0, 99)}u)"
    if way == 3:
        return f"(~{left})"
    return f"({left} {scope.chance.choice(('+', '-', '^', '&', '|', '*'))} {right})"
