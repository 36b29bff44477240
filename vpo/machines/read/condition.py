"""The small expressions of descriptions: conditions (`when:`) and how constants print (`print:`), compiled to Python."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any

from vpo.machines.read.source import DescriptionError, Place

_SHOWN = 100  # characters of an expression in a message
MOST_SHIFT = 128  # bits: no number of a machine is longer
_ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Name, ast.Load, ast.Constant, ast.IfExp,
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift,
    ast.USub, ast.UAdd, ast.Invert, ast.Not, ast.And, ast.Or, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
    ast.In, ast.NotIn, ast.Tuple, ast.Call,
)  # fmt: skip
_SHIFT = "<<"  # a name that no expression can have


def _shifted(value: Any, count: Any) -> Any:
    if count > MOST_SHIFT:
        raise ValueError("shifted too far")
    return value << count


def _log2(value: Any) -> int:
    if value <= 0 or value & (value - 1):
        raise ValueError("no power of two")
    return int(value).bit_length() - 1


def _ones(value: Any) -> int:
    return int(value).bit_count()


FUNCTIONS: dict[str, Callable[..., Any]] = {"log2": _log2, "ones": _ones, "min": min, "max": max}


class _BoundShifts(ast.NodeTransformer):
    """Makes left shifts calls of `_shifted`, so that a description cannot fill the memory."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Return what stands for an operation."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.LShift):
            return node
        return ast.copy_location(ast.Call(ast.Name(_SHIFT, ast.Load()), [node.left, node.right], []), node)


@dataclass(frozen=True, slots=True)
class Condition:
    """A compiled expression: called with the values of its variables, of which `names` are used; some may be `given`."""

    code: CodeType
    names: frozenset[str]
    given: tuple[tuple[str, int], ...] = ()

    def __call__(self, values: dict[str, Any]) -> Any:
        """Return the value of the expression; False where it makes no sense: of a symbol where a number is wanted, say."""
        try:
            return eval(self.code, {"__builtins__": {}, _SHIFT: _shifted, **FUNCTIONS}, {**values, **dict(self.given)})
        except (TypeError, ArithmeticError, ValueError):
            return False


def with_number(condition: Condition, name: str, value: int) -> Condition:
    """Return a condition in which a variable is a number."""
    return replace(condition, names=condition.names - {name}, given=(*condition.given, (name, value)))


def compile_condition(text: str, names: set[str], place: Place) -> Condition:
    """Compile an integer expression over `names`: comparisons, arithmetic, and/or/not.

    Raises DescriptionError for anything else.
    """
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    try:
        tree = ast.parse(text.strip(), mode="eval")
        _check(tree, shown, names, place)
        used = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)) - FUNCTIONS.keys()
        bound = ast.fix_missing_locations(_BoundShifts().visit(tree))
        return Condition(compile(bound, str(place), "eval"), used)
    except (RecursionError, MemoryError):  # the latter is what Python's parser says
        raise DescriptionError(place, "the expression is nested too deeply") from None
    except (SyntaxError, ValueError):
        raise DescriptionError(place, f"'{shown}' is not an expression such as 'c % 4 == 0'") from None


def _is_far(count: ast.expr) -> bool:
    return isinstance(count, ast.Constant) and isinstance(count.value, int) and count.value > MOST_SHIFT


def _is_known(call: ast.Call) -> bool:
    """Whether a function is called as it may be."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return name in FUNCTIONS and len(call.args) == (1 if name in ("log2", "ones") else 2) and not call.keywords


def _check(tree: ast.AST, text: str, names: set[str], place: Place) -> None:
    """Raise DescriptionError for what is no integer expression over `names`."""
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED) or (isinstance(node, ast.Constant) and not isinstance(node.value, int)):
            raise DescriptionError(place, f"'{text}': only integers, names, arithmetic and comparisons are allowed")
        if isinstance(node, ast.Call) and not _is_known(node):
            raise DescriptionError(place, f"'{text}': the functions are {', '.join(FUNCTIONS)}, of a number or two")
        if isinstance(node, ast.Name) and node.id not in names and node.id not in FUNCTIONS:
            known = ", ".join(sorted(names)) or "none"
            raise DescriptionError(place, f"'{text}': '{node.id}' is not a variable of the pattern (they are: {known})")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift) and _is_far(node.right):
            raise DescriptionError(place, f"'{text}': a shift is one by at most {MOST_SHIFT} bits")
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.IfExp | ast.BoolOp):
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.Tuple):
                    raise DescriptionError(place, f"'{text}': a list of numbers stands behind 'in' only")
