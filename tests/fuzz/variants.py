"""Options of compilers that change what programs mean, and random programs that depend on it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from vpo.build.compiler import Settings


@dataclass(frozen=True)
class Variant:
    """Options for the other compiler, for csmith, and for ours.

    The types named `plain` are written `char`.  Programs in which a run with one of UBSan's `checks` fails are undefined.
    """

    options: tuple[str, ...] = ()
    csmith: tuple[str, ...] = ()
    plain: str = ""
    char_signed: bool | None = None
    strict_aliasing: bool = True
    checks: tuple[str, ...] = ("float-cast-overflow", "alignment")

    def write(self, text: str) -> str:
        """Return a program of csmith as this variant has it."""
        return re.sub(rf"\b{self.plain}\b", "char", text) if self.plain else text

    def settings(self, settings: Settings) -> Settings:
        """Return settings with the options of this variant."""
        standard = dataclasses.replace(settings.c.standard, char_signed=self.char_signed)
        options = dataclasses.replace(settings.c, standard=standard)
        return dataclasses.replace(settings, c=options, strict_aliasing=self.strict_aliasing)


# Without unions: with them programs depend on the byte order, and there is no oracle for 16-bit int.
VARIANTS = {
    "none": Variant(),
    "signed-char": Variant(("-fsigned-char",), plain="int8_t", char_signed=True),
    "unsigned-char": Variant(("-funsigned-char",), plain="uint8_t", char_signed=False),
    "wrapv": Variant(
        ("-fwrapv",), ("--no-safe-math", "--no-unions", "--no-float"),
        checks=("integer-divide-by-zero", "shift-exponent", "alignment"),
    ),
    "no-strict-aliasing": Variant(("-fno-strict-aliasing",), strict_aliasing=False),
}  # fmt: skip
