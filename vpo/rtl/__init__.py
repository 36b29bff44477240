"""Register transfer lists: the data only.  Text is read in `vpo.text`, meaning in `vpo.interpret.plain` and docs/rtl.md.

Expressions and effects are immutable and interned: two equal ones are the same object, so `is` compares them and
they are cheap dictionary keys.  Build them with the functions of `vpo.algebra` wherever folding is wanted.

A value's type is the letter of the memory cell that holds it: B W L Q (integers of 8, 16, 32, 64 bits), F D (IEEE
single and double), C and G (the outcomes of integer and floating comparisons).
Constants, addresses of symbols and truth values have type ''
and take the width of what stands beside them.
"""

from __future__ import annotations

from vpo.rtl.effects import (
    DELAYS,
    NODES,
    TAKEN,
    TRANSFERS,
    Branch,
    Call,
    Delay,
    Effect,
    IndirectJump,
    Jump,
    Return,
    Set,
    expressions_read,
)
from vpo.rtl.nodes import (
    ARITHMETIC,
    BITS,
    COMMUTATIVE,
    COUNTS,
    FLOAT_TYPES,
    HIGH_PRODUCTS,
    INTEGER_TYPES,
    LITERAL,
    NAMED,
    PART,
    RELATIONS,
    REVERSALS,
    REVERSED,
    SHIFTS,
    SWAPPED,
    UNORDERED_REVERSED,
    Cell,
    Const,
    Expr,
    Half,
    Mem,
    Next,
    Node,
    Op,
    Register,
    Slot,
    Symbol,
    selector,
    subexpressions,
)
from vpo.rtl.transfer_list import (
    CAUSES,
    Rtl,
    merge_provenance,
    tie,
)

__all__ = [
    "ARITHMETIC",
    "BITS",
    "CAUSES",
    "COMMUTATIVE",
    "COUNTS",
    "DELAYS",
    "FLOAT_TYPES",
    "HIGH_PRODUCTS",
    "INTEGER_TYPES",
    "LITERAL",
    "NAMED",
    "NODES",
    "PART",
    "RELATIONS",
    "REVERSALS",
    "REVERSED",
    "SHIFTS",
    "SWAPPED",
    "TAKEN",
    "TRANSFERS",
    "UNORDERED_REVERSED",
    "Branch",
    "Call",
    "Cell",
    "Const",
    "Delay",
    "Effect",
    "Expr",
    "Half",
    "IndirectJump",
    "Jump",
    "Mem",
    "Next",
    "Node",
    "Op",
    "Register",
    "Return",
    "Rtl",
    "Set",
    "Slot",
    "Symbol",
    "expressions_read",
    "merge_provenance",
    "selector",
    "subexpressions",
    "tie",
]  # fmt: skip
