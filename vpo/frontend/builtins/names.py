"""The names of built-in functions, for `__has_builtin`; those of the library are known by `library_functions`.

A file of its own, since the preprocessor asks it, and needs no lowering.
"""

from __future__ import annotations

import re

from vpo.frontend.types.library_functions import is_library_function

PREFIX = "__builtin_"
BIT_COUNTS = ("clz", "ctz", "ffs", "parity", "popcount", "clrsb")
OVERFLOW = re.compile(r"__builtin_(s|u|)(add|sub|mul)(l{0,2})_overflow(_p)?")
_OTHERS = frozenset((
    "va_start", "va_arg", "va_end", "va_copy", "alloca", "expect", "constant_p", "prefetch", "unreachable", "offsetof",
    "types_compatible_p", "trap", "choose_expr", "classify_type", "frame_address", "object_size",
    "assume_aligned", "expect_with_probability", "shuffle", "shufflevector", "convertvector", "setjmp",
    "longjmp", "alloca_with_align", "alloca_with_align_and_max", "__clear_cache", "extract_return_addr", "frob_return_addr",
    "LINE", "FILE", "FUNCTION", "speculation_safe_value", "dynamic_object_size",
))  # fmt: skip
_BITS = re.compile(rf"({'|'.join(BIT_COUNTS)})(l{{0,2}})|bswap(16|32|64)|bitreverse(8|16|32|64)")


_SIZED = re.compile(r"(__builtin_[a-z]\w*?)f(32x?|64)")


def unsized(name: str) -> str:
    """Return what a built-in function is called without the size of `_Float32`, `_Float64` or `_Float32x` in its name."""
    match = _SIZED.fullmatch(name)
    if match is None:
        return name
    return match[1] + "f" if match[2] == "32" else match[1]


def is_builtin_name(name: str) -> bool:
    """Return whether a name is that of a built-in function."""
    name = unsized(name)
    if not name.startswith(PREFIX):
        return name.startswith(("__atomic_", "__sync_"))
    rest = name.removeprefix(PREFIX)
    matches = _BITS.fullmatch(rest) or OVERFLOW.fullmatch(name)
    return matches is not None or rest in _OTHERS or is_library_function(rest)
