"""Building and rewriting expressions: folding, canonical form, substitution.

The canonical form is what machine descriptions are matched against: constants stand on the right, `x-5` is `x+-5`,
`(x+1)+2` is `x+3`, an offset is part of its symbol or slot.  Every function here returns canonical expressions when
given canonical ones, so printing and reading back is the identity.
"""

from __future__ import annotations

from vpo.algebra.building import (
    CONSTANTS,
    INTEGER_OF,
    SPELLED,
    apply,
    binary,
    branch,
    extend,
    is_high_half,
    is_step,
    mem,
    on_part,
    operand_type,
    rebuild,
    rebuild_effect,
    reverse,
    rotation_distance,
    select,
    set_,
    source_type,
    spelled_product,
    substitute,
    substitute_in,
    truncate,
    unary,
)
from vpo.algebra.folding import extended, fold, relate, wrap

__all__ = [
    "CONSTANTS", "INTEGER_OF", "SPELLED", "apply", "binary", "branch", "extend", "extended", "fold", "is_high_half", "is_step",
    "mem", "on_part", "operand_type", "rebuild", "rebuild_effect", "relate", "reverse", "rotation_distance", "select", "set_",
    "source_type", "spelled_product", "substitute", "substitute_in", "truncate", "unary", "wrap",
]  # fmt: skip
