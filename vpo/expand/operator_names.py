"""Operators and relations of the intermediate language, as RTLs have them."""

from __future__ import annotations

OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "and": "&", "or": "|", "xor": "^",
             "shl": "<<", "shr": ">>"}  # fmt: skip
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
