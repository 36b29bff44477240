"""Flags, widths, precisions and length modifiers that conversions of formats cannot have (C11, 7.21.6 and 7.27.3.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

# The flags of each conversion of printf, with `w` for a width and `p` for a precision.
_PRINTED = {
    **dict.fromkeys("di", "-wp0 +'I"), **dict.fromkeys("oxXbB", "-wp0#"), "u": "-wp0'I", **dict.fromkeys("fFgG", "-wp0 +#'I"),
    **dict.fromkeys("eE", "-wp0 +#I"), **dict.fromkeys("aA", "-wp0 +#"), **dict.fromkeys("cpC", "-w"),
    **dict.fromkeys("sSm", "-wp"), "n": "",
}  # fmt: skip
_IGNORED = ((" ", "+"), ("0", "-"))  # flags that others beside them switch off
_LENGTHS = {
    **dict.fromkeys("diouxXbBn", ("", "hh", "h", "l", "ll", "q", "L", "j", "z", "Z", "t")),
    **dict.fromkeys("fFeEgGaA", ("", "l", "L")), **dict.fromkeys("cs[", ("", "l")), **dict.fromkeys("pCSm", ("",)),
}  # fmt: skip
_SCANNED_WIDTH = "diouxXbfFeEgGaAscp[SC"
_TIME = re.compile(r"%([-_0^#]*)(\d*)([EO]?)(.|\Z)", re.DOTALL)
_TIMES = frozenset("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ+%")
_ALTERNATIVES = {"E": "cCxXyY", "O": "deHImMSuUVwWyBb"}


def printed(flags: str, width: str, precision: bool, length: str, kind: str) -> Iterator[str]:
    """Yield what is wrong with a conversion of printf of a known kind; `width` and `precision` say if there are such."""
    allowed, has = _PRINTED[kind], "".join(dict.fromkeys(flags))
    for flag in has:
        if flags.count(flag) > 1:
            yield f"repeated '{flag}' flag in format"
        if flag not in allowed:
            yield f"'{flag}' flag used with '%{kind}' printf format"
    if width and "w" not in allowed:
        yield f"field width used with '%{kind}' printf format"
    if precision and "p" not in allowed:
        yield f"precision used with '%{kind}' printf format"
    for flag, other in _IGNORED:
        if flag in has and other in has and flag in allowed and other in allowed:
            yield f"'{flag}' flag ignored with '{other}' flag in printf format"
    if precision and "0" in has and kind in "diouxX":
        yield f"'0' flag ignored with precision and '%{kind}' printf format"
    yield from _length(length, kind)


def scanned(star: bool, width: str, length: str, kind: str) -> Iterator[str]:
    """Yield what is wrong with a conversion of scanf of a known kind."""
    if width and not width.strip("0"):
        yield "zero width in scanf format"
    elif width and kind[0] not in _SCANNED_WIDTH:
        yield f"field width used with '%{kind[0]}' scanf format"
    if star and length:
        yield "use of assignment suppression and length modifier together in scanf format"
    elif star and kind == "n":
        yield "assignment suppression used with '%n' scanf format"
    yield from _length(length, kind[0])


def _length(length: str, kind: str) -> Iterator[str]:
    if not length.startswith("w") and length not in _LENGTHS.get(kind, (length,)):
        how = "has either no effect or undefined behavior"
        yield f"use of '{length}' length modifier with '{kind}' type character {how}"


def times(text: str) -> Iterator[str]:
    """Yield what is wrong with a format of strftime."""
    for match in _TIME.finditer(text):
        modifier, kind = match[3], match[4]
        if not kind:
            yield "spurious trailing '%' in format"
        elif kind not in _TIMES:
            yield f"unknown conversion type character '{kind}' in format"
        elif modifier and kind not in _ALTERNATIVES[modifier]:
            yield f"'{modifier}' modifier used with '%{kind}' strftime format"
