"""The letters of types and the operators of expressions, with what holds of them."""

from __future__ import annotations

BITS = {"B": 8, "W": 16, "L": 32, "Q": 64, "F": 32, "D": 64}
INTEGER_TYPES = ("B", "W", "L", "Q")
FLOAT_TYPES = ("F", "D")  # a tuple: the empty type is in every text

ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "/u", "%u", "&", "|", "^", "<<", ">>", ">>u"])
SHIFTS = frozenset(["<<", ">>", ">>u"])
RELATIONS = frozenset(["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u", "!<", "!<=", "!>", "!>="])
COMMUTATIVE = frozenset(["+", "*", "&", "|", "^", "==", "!="])
REVERSED = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "<u": ">=u",
    ">=u": "<u",
    ">u": "<=u",
    "<=u": ">u",
    "!<": "<",
    "!<=": "<=",
    "!>": ">",
    "!>=": ">=",
}  # the relation that holds when this one does not, for ordered (integer) operands
UNORDERED_REVERSED = {**REVERSED, "<": "!<", "<=": "!<=", ">": "!>", ">=": "!>="}  # for floating operands
SWAPPED = {
    "==": "==",
    "!=": "!=",
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
    "<u": ">u",
    ">u": "<u",
    "<=u": ">=u",
    ">=u": "<=u",
    "!<": "!>",
    "!>": "!<",
    "!<=": "!>=",
    "!>=": "!<=",
}  # the relation after exchanging the operands
