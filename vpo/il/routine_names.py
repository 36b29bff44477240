"""Names of the library's routines that the compiler knows: behind setjmp, and in place of operators on words.

A file of its own, since front end, expander and analyses share the names and nothing else.
"""

from __future__ import annotations

from vpo import il

# The functions behind setjmp and longjmp (`vpo.expand.expander`): a call of the first may return again, after the second has
# been called, and the second returns to no call of its own.
SAVE_CONTEXT, RESUME_CONTEXT = "___setjmp", "___longjmp"

ENVIRONMENT = "_environ"  # the variable of a program that asks for its environment

MODES = {2: "hi", 4: "si", 8: "di", 16: "ti"}  # gcc's names of integers, by their bytes
ROUTINES = {"&": "and", "|": "ior", "^": "xor", "<<": "ashl", ">>": "ashr", ">>u": "lshr", "+": "add", "-": "sub", "*": "mul"}
DIVISIONS = {"/": "div", "%": "mod", "/u": "udiv", "%u": "umod"}


def routine_of(op: str, size: int) -> str:
    """Return the name of the routine for an operator on words of so many bytes."""
    return f"__{(ROUTINES | DIVISIONS)[op]}{MODES[size]}3"


def operators_by_symbol(size: int) -> dict[str, str]:
    """Return the operators on words of so many bytes that routines stand for, by the names that calls have for these."""
    return {"_" + routine_of(op, size): op for op in (*ROUTINES, *DIVISIONS)}


# ----------------------------------------------------------------------------------------------------------------------
# The functions of the library for square roots, and which numbers are certainly not below 0.


FUNCTIONS = {"sqrt": il.F8, "sqrtf": il.F4}


def is_not_negative(tree: il.Expr) -> bool:
    """Whether a floating tree is never below 0: it may be 0, -0 or no number."""
    match tree:
        case il.Const(value=value):
            return not value < 0
        case il.Unary(operator=operator):
            return operator in ("abs", "sqrt")
        case il.Convert(operand=operand):
            return operand.type.kind == "U" or (operand.type.is_float and is_not_negative(operand))
        case il.Binary(operator="mul", left=left, right=right) if _is_same(left, right):
            return True
        case il.Binary(operator="add" | "mul" | "div", left=left, right=right):
            return is_not_negative(left) and is_not_negative(right)
    return False


def _is_same(left: il.Expr, right: il.Expr) -> bool:
    """Whether two trees read the same local variable."""
    match left, right:
        case il.Load(address=il.AddrLocal() as a, volatile=False), il.Load(address=il.AddrLocal() as b):
            return a.local is b.local and a.offset == b.offset and left.type == right.type
    return False
