"""Which calls of analysis functions are written where they are made, and the LLVM functions of the others."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ease.host.ir_builder import IrBuilder
from ease.host.runtime import HOST
from ease.tools.analysis import AnalysisFunction
from ease.tools.code import CallCode
from ease.tools.unit import Unit

LARGEST_INLINE = 24  # statements: what is larger or has loops is a function of its own


def is_small(unit: Unit, statements: Iterable[ast.stmt]) -> bool:
    """Return whether statements are few and have no loops, the functions that they call included."""
    return _size(unit, statements) <= LARGEST_INLINE


def _size(unit: Unit, statements: Iterable[ast.stmt]) -> int:
    count = 0
    for node in (each for statement in statements for each in ast.walk(statement)):
        count += isinstance(node, ast.stmt)
        if isinstance(node, ast.While | ast.For):
            return LARGEST_INLINE + 1
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in unit.analysis.functions:
            count += _size(unit, unit.analysis.functions[node.func.id].body)
    return count


def host_function(unit: Unit, name: str, function: AnalysisFunction, statements: Iterable[ast.stmt]) -> str:
    """Return statements of an analysis function as an LLVM function, for calls too large to be written where they are made."""
    builder, variables = IrBuilder(), dict[str, None]()

    def variable(name: str) -> str:
        variables[f'%"{name}"'] = None
        return f'%"{name}"'

    rounds = variable("rounds")
    code = CallCode(unit, builder, variable, function, [f"%p{i}" for i in range(len(function.parameters))], rounds)
    code.write(statements)
    parameters = ", ".join(f"i64 %p{i}" for i in range(len(function.parameters)))
    return "\n".join([
        f'define internal fastcc void @"{name}"({parameters}) noinline {HOST} {{',
        *(f"{name} = alloca i64" for name in variables),
        f"%limit = load i64, ptr {unit.rounds.pointer}", f"store i64 %limit, ptr {rounds}",
        *builder.lines, "ret void", "}",
    ])  # fmt: skip
