"""Formats of printf, scanf and their like, against the types of the arguments (C11, 7.21.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from vpo.frontend.context import Context
from vpo.frontend.lower.constants import BadLiteral, string_codes
from vpo.frontend.syntax.lexer import STRING
from vpo.frontend.syntax.nodes import Constant, Coord, Node, TernaryOp
from vpo.frontend.types.types import (
    RANK_CHAR,
    RANK_DOUBLE,
    RANK_FLOAT,
    RANK_INT,
    RANK_LDOUBLE,
    RANK_LLONG,
    RANK_LONG,
    RANK_SHORT,
    Arithmetic,
    CType,
    Pointer,
    is_integer,
)
from vpo.il.formats import PRINTING

_LENGTHS = {  # modifiers that conversions may have
    **dict.fromkeys("diouxXbBn", ("", "hh", "h", "l", "ll", "q", "L", "j", "z", "Z", "t")),
    **dict.fromkeys("fFeEgGaA", ("", "l", "L")), **dict.fromkeys("cs[", ("", "l")), **dict.fromkeys("pCSm", ("",)),
}  # fmt: skip
_PRINTF = re.compile(
    r"%(?:(?P<at>\d+)\$)?[-+ #0'I]*(?P<width>\*(?:\d+\$)?|\d+)?(?P<precision>\.(?:\*(?:\d+\$)?|-?\d+)?)?"
    r"(?P<length>hh|h|ll|l|j|z|Z|t|L|q|wf?(?:8|16|32|64))?(?P<kind>.|\Z)",
    re.DOTALL,
)
_SCANF = re.compile(
    r"%(?:(?P<at>\d+)\$)?(?P<star>\*)?\d*(?P<allocates>m)?"
    r"(?P<length>hh|h|ll|l|j|z|Z|t|L|q)?(?P<kind>\[\^?\]?[^]]*\]|.|\Z)",
    re.DOTALL,
)
_UNSIGNED_KINDS = "ouxXbB"
_PRINTED_KINDS = "cdiouxXbBfFeEgGaAspnmCS"
_RANKS = {"hh": RANK_CHAR, "h": RANK_SHORT, "": RANK_INT, "l": RANK_LONG, "ll": RANK_LLONG, "q": RANK_LLONG, "L": RANK_LLONG}
_FLOATS = {"": RANK_FLOAT, "l": RANK_DOUBLE, "L": RANK_LDOUBLE}
_NAMES = ("_Bool", "char", "short", "int", "long", "long long", "__int128", "float", "double", "long double")


@dataclass(frozen=True)
class Format:
    """How a function takes its format: like printf or scanf, which argument it is, and the first that it is about, from 1.

    No arguments are checked if `first` is 0.
    """

    like: str
    position: int
    first: int


_STANDARD = {
    **PRINTING, "scanf": (1, 2), "fscanf": (2, 3), "sscanf": (2, 3), "vscanf": (1, 0), "vfscanf": (2, 0), "vsscanf": (2, 0),
    "syslog": (2, 3),
}  # fmt: skip
FORMATS = {
    name: Format("scanf" if name.endswith("scanf") else "printf", *where) for name, where in _STANDARD.items()
}
_ATTRIBUTE = re.compile(r"\b_*format_*\s*\(\s*(?:\w*?)(printf|scanf)_*\s*,\s*(\d+)\s*,\s*(\d+)\s*\)")


def declared_format(attributes: str) -> Format | None:
    """Return what the attribute `format` of a function says."""
    found = _ATTRIBUTE.search(attributes)
    return None if found is None else Format(found[1], int(found[2]), int(found[3]))


def check_format(ctx: Context, format_: Format, nodes: Sequence[Node], types: Sequence[CType]) -> None:
    """Warn of what is wrong with the format of a call, if it is a string literal, or one of two."""
    if format_.position > len(nodes):
        return
    literals, left_over = [nodes[format_.position - 1]], list[_Check]()
    while literals:
        match literals.pop():
            case TernaryOp(iftrue=Node() as yes, iffalse=no):
                literals += [no, yes]
            case Constant(type=kind, value=text, coord=place) if kind == STRING:
                left_over.append(_Check(ctx, format_, nodes, types, place))
                left_over[-1].run(text)
    if left_over and all(check.has_more for check in left_over):  # of several formats, one may need fewer than the others
        ctx.report.warning(left_over[0].place, "format-extra-args")


class _Check:
    """One format string against the arguments of a call."""

    def __init__(self, ctx: Context, format_: Format, nodes: Sequence[Node], types: Sequence[CType], place: Coord) -> None:
        self.ctx, self.format, self.nodes, self.types, self.place = ctx, format_, nodes, types, place
        self.next = format_.first - 1  # argument
        self.has_more = False  # whether there are more arguments than the format uses

    def run(self, literal: str) -> None:
        """Compare the conversions of a literal with the arguments."""
        try:
            codes, wide = string_codes(literal)
        except BadLiteral:
            return
        text = "".join(map(chr, codes))
        if wide:
            return
        is_numbered = False
        pattern, check = (_PRINTF, self._printed) if self.format.like == "printf" else (_SCANF, self._scanned)
        for match in pattern.finditer(text):
            is_numbered = is_numbered or "$" in match[0]
            if match["at"] is not None:  # of POSIX: which argument a conversion is about
                self.next = self.format.first + int(match["at"]) - 2
            elif is_numbered and match["kind"] not in ("%", "m"):
                self._warn("format:operand")
                return
            if match["kind"] != "%" and not check(match):
                return
        self.has_more = bool(self.format.first) and self.next < len(self.types) and not is_numbered

    def _warn(self, key: str, *fields: object) -> None:
        self.ctx.report.warning(self.place, key, *fields)

    def _check_length(self, length: str, kind: str) -> None:
        if not length.startswith("w") and length not in _LENGTHS[kind]:
            self._warn("format:length", length, kind)

    def _printed(self, match: re.Match[str]) -> bool:
        """Check a conversion of printf; return False if the rest cannot be checked."""
        length, kind = match["length"] or "", match["kind"]
        for star in (match["width"], match["precision"]):
            if star in ("*", ".*"):
                self._take(match[0], "int", lambda ctype: is_integer(ctype) and _promoted(ctype.rank) == RANK_INT)
        if not kind or kind not in _PRINTED_KINDS:
            return self._unknown(kind)
        self._check_length(length, kind)
        if kind in "CS" and not length:
            length, kind = "l", kind.lower()
        if kind == "c" and length in ("", "l"):
            self._integer(match[0], "", kind)
        elif kind in "diouxXbB" and length != "L":
            self._integer(match[0], length, kind)
        elif kind in "fFeEgGaA" and length in ("", "l", "L"):
            rank = RANK_LDOUBLE if length == "L" else RANK_DOUBLE
            self._take(match[0], _NAMES[rank], lambda t: _is_floating(t) and max(t.rank, RANK_DOUBLE) == rank)
        elif kind == "s" and length in ("", "l"):
            self._string(match[0], length)
        elif kind == "p" and not length:
            self._take(match[0], "void *", lambda ctype: isinstance(ctype, Pointer))
        elif kind == "n":
            self._pointed(match[0], length, kind)
        elif kind != "m":
            return False  # the length modifier has been told
        return True

    def _unknown(self, kind: str) -> bool:
        self._warn(*(("format:unknown", kind) if kind else ("format:trailing",)))
        return False

    def _integer(self, conversion: str, length: str, kind: str) -> None:
        rank = _promoted(self._rank(length))
        self._take(conversion, _integer_name(rank, kind), lambda ctype: is_integer(ctype) and _promoted(ctype.rank) == rank)

    def _rank(self, length: str) -> int:
        types = self.ctx.types
        special = {"z": types.size_t.rank, "t": types.ptrdiff_t.rank, "j": RANK_LONG if types.long.size == 8 else RANK_LLONG}
        special["Z"] = special["z"]
        if length.startswith("w"):
            return self._rank_of_width(length)
        return special[length] if length in special else _RANKS[length]

    def _rank_of_width(self, length: str) -> int:
        """Return the rank of the integers of C23's `wN`, or of the fast ones of `wfN`, as stdint.h has them."""
        types, bits = self.ctx.types, int(length.lstrip("wf"))
        if length[1] == "f" and bits == 16:
            bits = 32 if types.int_.size == 4 else 16
        candidates = (types.schar, types.short, types.int_, types.long, types.llong)
        order = candidates if bits < 32 else candidates[2:]
        return next((ctype.rank for ctype in order if 8 * ctype.size >= bits), RANK_LLONG)

    def _string(self, conversion: str, length: str) -> None:
        rank = self.ctx.types.wchar.rank if length else RANK_CHAR
        name = "wchar_t *" if length else "char *"
        self._take(conversion, name, lambda ctype: isinstance(ctype, Pointer) and _has_rank(ctype.target, rank))

    def _pointed(self, conversion: str, length: str, kind: str) -> None:
        rank = self._rank(length)
        name = f"{_integer_name(rank, kind)} *"
        self._take(conversion, name, lambda ctype: isinstance(ctype, Pointer) and _has_rank(ctype.target, rank))

    def _scanned(self, match: re.Match[str]) -> bool:
        """Check a conversion of scanf; return False if the rest cannot be checked."""
        length, kind = match["length"] or "", match["kind"]
        given = length
        if kind in ("C", "S") and not length:
            length, kind = "l", kind.lower()
        if not kind or (kind not in "bdiouxXnfFeEgGaAscp" and kind[0] != "["):
            return self._unknown(kind)
        self._check_length(given, kind[0])
        if match["star"]:
            return True
        if kind in "bdiouxXn":
            self._pointed(match[0], length, kind)
        elif kind in "fFeEgGaA":
            rank = _FLOATS.get(length, RANK_FLOAT)
            self._take(match[0], f"{_NAMES[rank]} *", lambda t: isinstance(t, Pointer) and _has_rank(t.target, rank, True))
        elif kind == "p" or match["allocates"]:
            self._take(match[0], "void **", lambda ctype: isinstance(ctype, Pointer) and isinstance(ctype.target, Pointer))
        else:
            self._string(match[0], length)
        return True

    def _take(self, conversion: str, wanted: str, fits: Callable[[CType], bool]) -> None:
        """Compare the next argument with what a conversion wants."""
        if not self.format.first:
            return
        if self.next >= len(self.types):
            if self.next == len(self.types):
                self._warn("format:missing", conversion, wanted)
            self.next += 1
            return
        ctype, node = self.types[self.next], self.nodes[self.next]
        self.next += 1
        if not fits(ctype):
            self.ctx.report.warning(node.coord, "format", conversion, wanted, self.next, ctype)


def _integer_name(rank: int, kind: str) -> str:
    """Return the name of the integer type of a rank that a conversion (`d`, `u`, `x`...) wants; either sign fits."""
    if kind in _UNSIGNED_KINDS:
        return f"unsigned {_NAMES[rank]}"
    return "signed char" if rank == RANK_CHAR else _NAMES[rank]


def _promoted(rank: int) -> int:
    return max(rank, RANK_INT)


def _is_floating(ctype: CType) -> TypeGuard[Arithmetic]:
    return isinstance(ctype, Arithmetic) and ctype.is_float


def _has_rank(ctype: CType, rank: int, floating: bool = False) -> bool:
    return isinstance(ctype, Arithmetic) and ctype.rank == rank and ctype.is_float == floating
