"""RTL text, both ways: `show*` and `print_*` write it, `parse_*` reads it back equal.

The one grammar is rtl.lark.  Register classes and their types are not in the grammar: a unit declares them in its
header, and `parse_effects` is given them as `cells`, a dictionary from class to type letter.
"""

from __future__ import annotations

from vpo.rtl import RegisterVariable, Variable
from vpo.rtl.printer import TYPED_FUNCTIONS, print_function, print_unit, show, show_effects, show_phi
from vpo.text.mistakes import TextError, is_function_name
from vpo.text.reading import (
    keep_patterns,
    parse_effects,
    parse_expression,
    parse_expression_pattern,
    parse_function,
    parse_pattern,
    parse_unit,
)

__all__ = [
    "TYPED_FUNCTIONS",
    "RegisterVariable",
    "TextError",
    "Variable",
    "is_function_name",
    "keep_patterns",
    "parse_effects",
    "parse_expression",
    "parse_expression_pattern",
    "parse_function",
    "parse_pattern",
    "parse_unit",
    "print_function",
    "print_unit",
    "show",
    "show_effects",
    "show_phi",
]  # fmt: skip
