"""The values of C's numbers, characters and strings."""

from __future__ import annotations

import re
from fractions import Fraction

from vpo.frontend.lower.trees import nearest_float
from vpo.frontend.types.bit_precise import smallest
from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.types.types import Arithmetic

_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "\\": 92, "'": 39, '"': 34, "?": 63}
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_PART = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)


_INTEGER = re.compile(r"(0x[0-9a-f]+|0b[01]+|0[0-7]*|[1-9][0-9]*)(u?l{0,2}|l{1,2}u|u?wb|wbu)")
_FLOATING = re.compile(
    r"(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p[+-]?[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)(?:f32x?|f64|[fl])?"
)
_DIGITS = re.compile(r"0x[0-9a-f]+|0b[01]+|[0-9]+")
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|0x[0-9a-f]*\.?[0-9a-f]*(?:p[+-]?[0-9]+)?")


class BadLiteral(Exception):
    """A literal that means nothing; the message says why."""


def _mistake(text: str, body: str, digits: re.Pattern[str], kind: str) -> str:
    """Return what is wrong with a number."""
    match = digits.match(body)
    if match is not None and match.end() < len(body) and body[match.end()] not in "0123456789.":
        return f"invalid suffix '{text[match.end() :]}' on {kind} constant"
    return "invalid octal constant" if body.isdigit() else f"invalid number '{text}'"


def _codes(body: str, wide: bool) -> list[int]:
    """The character codes of the inside of a literal: bytes of UTF-8, or code points when wide."""
    codes: list[int] = []
    position = 0
    for match in _ESCAPE.finditer(body):
        codes += _plain(body[position : match.start()], wide)
        codes += _escape(match, wide)
        position = match.end()
    return codes + _plain(body[position:], wide)


def _plain(text: str, wide: bool) -> list[int]:
    return [ord(c) for c in text] if wide else list(text.encode("utf-8", "surrogateescape"))


def _escape(match: re.Match[str], wide: bool) -> list[int]:
    octal, hexadecimal, short, long, simple = match.groups()
    if octal is not None:
        return [int(octal, 8)]
    if hexadecimal is not None:
        return [int(hexadecimal, 16)]
    if simple is not None:
        return [_SIMPLE[simple]] if simple in _SIMPLE else _plain(simple, wide)
    code = int(short or long, 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000 or (code < 0xA0 and code not in (0x24, 0x40, 0x60)):
        raise BadLiteral(f"\\{'u' if short else 'U'}{short or long} is not a valid universal character")
    return _plain(chr(code), wide)


def unknown_escape(text: str) -> str | None:
    """Return the first escape sequence of a literal that C does not know; it stands for its character."""
    found = (match for match in _ESCAPE.finditer(text) if match[5] is not None and match[5] not in _SIMPLE)
    return next((match.group() for match in found), None)


def _unit(text: str) -> str:
    """Return the prefix that says which units a literal consists of: `L`, `u`, `U`, or nothing for bytes."""
    return text[0] if text[0] in "LUu" and not text.startswith("u8") else ""


def unit_type(unit: str, types: TypeTable) -> Arithmetic:
    """Return the type of the units of a literal: that of char, wchar_t, char16_t or char32_t."""
    return {"": types.char, "L": types.wchar, "u": types.char16, "U": types.char32}[unit]


def _units(body: str, unit: str) -> list[int]:
    """Return the units of the inside of a literal, those of UTF-16 for the prefix `u`."""
    codes = _codes(body, bool(unit))
    limit = {"": 0xFF, "u": 0x10FFFF}.get(unit, 0xFFFFFFFF)
    if any(code > limit for code in codes):
        raise BadLiteral("hex escape sequence out of range")
    if unit != "u":
        return codes
    pairs = ([code] if code < 0x10000 else [0xD7C0 + (code >> 10), 0xDC00 | (code & 0x3FF)] for code in codes)
    return [half for pair in pairs for half in pair]


def string_codes(text: str) -> tuple[list[int], str]:
    """The codes of a string literal (adjacent ones joined, no terminating 0), and its prefix (see `_unit`)."""
    unit = _unit(text)
    return [code for body in _PART.findall(text) for code in _units(body, unit)], unit


def character(text: str, types: TypeTable) -> tuple[Arithmetic, int]:
    """The type and value of a character constant."""
    unit = _unit(text)
    if text.startswith("u8") and len(_codes(text[text.index("'") + 1 : -1], False)) > 1:
        raise BadLiteral("character constant too long for its type")
    value = _character(_units(text[text.index("'") + 1 : -1], unit), bool(unit), types)
    return unit_type(unit, types) if unit else types.int_, value


def is_long_character(text: str) -> bool:
    """Return whether a character constant has several characters."""
    inside = text[text.index("'") + 1 : -1]
    return len(inside) > 1 and len(_ESCAPE.sub("?", inside)) > 1 and inside.isascii()


def _character(codes: list[int], wide: bool, types: TypeTable) -> int:
    if not codes:
        raise BadLiteral("empty character constant")
    if wide or len(codes) == 1:
        value = codes[-1]
        if not wide and types.char.il.is_signed and value >= 0x80:
            value -= 0x100
        return value
    value = 0
    for code in codes:
        value = (value << 8 | (code & 0xFF)) & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def is_imaginary(text: str) -> bool:
    """Return whether a number has the suffix that makes it imaginary."""
    return any(letter in text for letter in "iIjJ")


def real(text: str) -> str:
    """Return a number without that suffix."""
    return re.sub("[ijIJ]", "", text)


def integer(text: str, types: TypeTable) -> tuple[Arithmetic, int]:
    """The type and value of an integer constant."""
    body = text.replace("'", "").lower()
    match = _INTEGER.fullmatch(body)
    if match is None or "lL" in text or "Ll" in text:
        raise BadLiteral(_mistake(text, body, _DIGITS, "integer"))
    digits, suffix = match.groups()
    if digits.startswith("0x"):
        value, decimal = int(digits, 16), False
    elif digits.startswith("0b"):
        value, decimal = int(digits, 2), False
    elif digits.startswith("0") and len(digits) > 1:
        value, decimal = int(digits, 8), False
    else:
        value, decimal = int(digits), True
    if "wb" in suffix:
        found = smallest(types.model, value, "u" not in suffix)
        if found is None:
            raise BadLiteral("integer constant is too large for its type")
        return found, value
    longs = suffix.count("l")
    ranks = [(types.int_, types.uint), (types.long, types.ulong), (types.llong, types.ullong)][longs:]
    for signed, unsigned in ranks:
        bits = 8 * signed.size
        if "u" not in suffix and value < 1 << (bits - 1):
            return signed, value
        if ("u" in suffix or not decimal) and value < 1 << bits:
            return unsigned, value
    if value < 1 << (8 * types.ullong.size):
        return types.ullong, value
    raise BadLiteral("integer constant is too large for its type")


def floating(text: str, types: TypeTable) -> tuple[Arithmetic, float]:
    """The type and value of a floating constant."""
    body = text.replace("'", "").lower()
    if _FLOATING.fullmatch(body) is None:
        raise BadLiteral(_mistake(text, body, _NUMBER, "floating"))
    is_hex = body.startswith("0x")
    ctype = types.double
    sized = re.search("f32x?$|f64$", body)
    if sized is not None and (not is_hex or "p" in body):
        body, ctype = body[: sized.start()], types.float_ if sized[0] == "f32" else types.double
    elif body[-1] == "l":
        body, ctype = body[:-1], types.ldouble
    elif body[-1] == "f" and (not is_hex or "p" in body):
        body, ctype = body[:-1], types.float_
    try:
        value = float.fromhex(body) if is_hex else float(body)
    except OverflowError:
        return ctype, float("inf")
    if ctype is types.float_ and 1e-50 < value < 1e50:  # else it is 0 or infinite as a float, too
        value = nearest_float(types.float_.il, _exact(body) if is_hex else Fraction(body))
    return ctype, value


def _exact(body: str) -> Fraction:
    """The value of a hexadecimal floating constant."""
    digits, _, exponent = body.removeprefix("0x").partition("p")
    whole, _, rest = digits.partition(".")
    return int(whole + rest, 16) * Fraction(2) ** (int(exponent) - 4 * len(rest))
