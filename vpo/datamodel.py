"""The C data model of a target: what the front end must know about a machine, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class DataModel:
    """Sizes and alignments in bytes of the C types on a target, and its byte order.

    `sizes` and `aligns` have the keys: char short int long llong float double ldouble pointer.
    `struct_align` is the least alignment of a struct; bit-fields are allocated from the most significant
    bit on big-endian machines, from the least on little-endian ones, in units of the declared type (System V).
    `macros` are predefined by the preprocessor (system call numbers among them).
    """

    big_endian: bool
    char_signed: bool
    sizes: dict[str, int]
    aligns: dict[str, int]
    struct_align: int = 1
    macros: dict[str, str] = field(default_factory=dict)

    def access_size(self, align: int) -> int:
        """Return how many bytes one access may carry at a multiple of `align`: an `int` of 4 bytes may lie at one of 2."""
        whole = ("char", "short", "int", "long", "llong", "pointer")
        return max((self.sizes[key] for key in whole if self.aligns[key] <= align), default=1)
