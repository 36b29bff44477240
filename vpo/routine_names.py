"""Names of the library's routines that stand for operators on words, where a machine can have them in no other way."""

from __future__ import annotations

MODES = {2: "hi", 4: "si", 8: "di", 16: "ti"}  # gcc's names of integers, by their bytes
ROUTINES = {"&": "and", "|": "ior", "^": "xor", "<<": "ashl", ">>": "ashr", ">>u": "lshr", "+": "add", "-": "sub", "*": "mul"}
DIVISIONS = {"/": "div", "%": "mod", "/u": "udiv", "%u": "umod"}


def routine_of(op: str, size: int) -> str:
    """Return the name of the routine for an operator on words of so many bytes."""
    return f"__{(ROUTINES | DIVISIONS)[op]}{MODES[size]}3"


def operators_by_symbol(size: int) -> dict[str, str]:
    """Return the operators on words of so many bytes that routines stand for, by the names that calls have for these."""
    return {"_" + routine_of(op, size): op for op in (*ROUTINES, *DIVISIONS)}
