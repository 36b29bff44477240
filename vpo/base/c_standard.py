"""The editions of C that `-std=` chooses from: their numbers, and the words that are keywords in them."""

from __future__ import annotations

from dataclasses import dataclass

_NAMES = {
    "c89": 1990, "c90": 1990, "iso9899:1990": 1990, "iso9899:199409": 1994, "c99": 1999, "c9x": 1999, "iso9899:1999": 1999,
    "iso9899:199x": 1999, "c11": 2011, "c1x": 2011, "iso9899:2011": 2011, "c17": 2017, "c18": 2017, "iso9899:2017": 2017,
    "iso9899:2018": 2017, "c23": 2023, "c2x": 2023, "iso9899:2024": 2023,
}  # fmt: skip
_GNU_NAMES = {f"gnu{name[1:]}": edition for name, edition in _NAMES.items() if name[0] == "c"}
_VERSIONS = {1994: "199409L", 1999: "199901L", 2011: "201112L", 2017: "201710L", 2023: "202311L"}

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if int long register
    return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas _Alignof
    _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    _BitInt __attribute__ __auto_type __real__ __imag__ __label__ __int128
"""
_SPELLED_OTHERWISE = {
    "__typeof": "typeof", "__typeof__": "typeof", "__thread": "_Thread_local", "__complex__": "_Complex",
    "__complex": "_Complex", "__attribute": "__attribute__", "__asm__": "asm", "__asm": "asm", "__real": "__real__",
    "__imag": "__imag__", "__inline": "inline", "__inline__": "inline", "__const": "const", "__const__": "const",
    "__restrict": "restrict", "__restrict__": "restrict", "__volatile": "volatile", "__volatile__": "volatile",
    "__signed": "signed", "__signed__": "signed", "__alignof": "_Alignof", "__alignof__": "_Alignof",
    "__int128__": "__int128", "_Float32": "float", "_Float64": "double", "_Float32x": "double",
}  # fmt: skip
_SPELLED_LATER = {
    "alignas": "_Alignas", "alignof": "_Alignof", "bool": "_Bool", "static_assert": "_Static_assert",
    "thread_local": "_Thread_local", "typeof": "typeof", "typeof_unqual": "typeof_unqual", "true": "true", "false": "false",
    "nullptr": "nullptr", "constexpr": "constexpr",
}  # fmt: skip


@dataclass(frozen=True)
class Standard:
    """An edition of C, by its year; `gnu` adds extensions whose names programs may use otherwise.

    With `gnu89_inline`, which older editions always have, `extern inline` defines a function that is for inlining only.
    `char_signed` says what plain char is; None: what the machine's convention has.
    `instruments`: functions call `__cyg_profile_func_enter` and `__cyg_profile_func_exit`.  Members of structures are
    aligned to `pack` bytes at most, if it is not 0.  With `tagged_members`, a member without a name may be of a structure
    that has one.  Without `math_errno` programs do not ask whether functions of <math.h> set errno.  `contracts` says whether
    a product and a sum of one expression may be rounded once; None: with extensions of gnu, as in gcc.
    """

    edition: int = 2017
    gnu: bool = True
    gnu89_inline: bool = False
    char_signed: bool | None = None
    instruments: bool = False
    hosted: bool = True
    short_enums: bool = False
    pack: int = 0
    tagged_members: bool = False
    math_errno: bool = True
    contracts: bool | None = None

    @property
    def has_gnu89_inline(self) -> bool:
        """True if `inline` means what it meant in gcc before C99."""
        return self.gnu89_inline or self.edition < 1999

    @property
    def fuses(self) -> bool:
        """True if a product and a sum of one expression may be rounded once."""
        return self.gnu if self.contracts is None else self.contracts

    @property
    def title(self) -> str:
        """The name of the edition in messages."""
        return f"ISO C{str(self.edition)[2:]}"

    @property
    def macros(self) -> dict[str, str]:
        """The macros that tell programs which edition it is."""
        found = {"__STDC_VERSION__": _VERSIONS[self.edition]} if self.edition in _VERSIONS else {}
        found["__STDC_HOSTED__"] = str(int(self.hosted))
        found["__GNUC_GNU_INLINE__" if self.has_gnu89_inline else "__GNUC_STDC_INLINE__"] = "1"
        if not self.math_errno:
            found["__NO_MATH_ERRNO__"] = "1"
        return found if self.gnu else found | {"__STRICT_ANSI__": "1"}

    @property
    def keywords(self) -> dict[str, str]:
        """The kinds of tokens that words are."""
        found = {word: word for word in _WORDS.split()} | _SPELLED_OTHERWISE
        if self.edition >= 1999:
            found["restrict"] = "restrict"
        if self.edition >= 1999 or self.gnu:
            found["inline"] = "inline"
        if self.gnu:
            found |= {"asm": "asm", "typeof": "typeof"}
        return found | _SPELLED_LATER if self.edition >= 2023 else found


DEFAULT_STANDARD = Standard()
LIBRARY_STANDARD = Standard(contracts=False)  # functions of <math.h> are written for products that are rounded


def find_standard(name: str) -> Standard | None:
    """Return the edition with a name that gcc knows it by, if there is one."""
    if name in _GNU_NAMES:
        return Standard(_GNU_NAMES[name], True)
    return Standard(_NAMES[name], False) if name in _NAMES else None
