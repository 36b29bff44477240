"""asm statements without instructions: barriers, and operands that tie values or hide them from the compiler.

What an output or a read-write operand holds afterwards is taken from a volatile object, so that nothing is known of it, and
inputs are stored to one, so that they are computed.  A clobber of memory needs nothing: no other thread looks at memory.
"""

from __future__ import annotations

import re
from typing import NoReturn

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.cpp.tokens import unquoted
from vpo.frontend.lower import conversions, stored_scalars
from vpo.frontend.lower.assignments import modifiable
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Expression
from vpo.frontend.syntax.statement_nodes import Assembly, AssemblyOperand
from vpo.frontend.types.types import Array, is_scalar
from vpo.frontend.warnings.diagnostics import CompileErrors, Diagnostic

_EMPTY = re.compile(r"(?:\s|;|\\[nt]|#[^\\]*(?=\\n|$))*")  # white space and comments of assembly
_VERSION = re.compile(r"\s*\.symver\s+[\w.]+\s*,\s*[\w.]+@{1,3}[\w.]+[\s;]*")  # see vpo.frontend.declare.linker_symbols
_IN_MEMORY = re.compile(r"[=+&%m<>oV,]*")  # constraints of operands that stay where they are


def lower_assembly(ctx: Context, node: Assembly) -> None:
    """Lower an asm statement; one with instructions is an error."""
    versioned = ctx.function is None and _VERSION.fullmatch(node.text) is not None
    if not versioned and _EMPTY.fullmatch(node.text) is None:
        ctx.report.fail(node.coord, "assembly is not supported: write C, or an asm statement without instructions (a barrier)")
    if ctx.function is None:
        return
    known = [_output(ctx, operand) for operand in node.outputs]
    names = {operand.name: number for number, operand in enumerate(node.outputs) if operand.name}
    for operand in node.inputs:
        number = _tied(operand.constraint, names)
        if number is None:
            _input(ctx, operand)
        elif number >= len(known):
            ctx.report.fail(operand.coord, f"there is no operand {number} for the constraint of this one")
        else:
            known[number] = _tie(ctx, known[number], operand)
    for operand, (target, value) in zip(node.outputs, known, strict=True):
        if value is not None and is_scalar(target.type):
            assigned = conversions.assign(ctx, target.type, Value(target.type, _hidden(ctx, value)), operand.expr)
            assert assigned.tree is not None
            stored_scalars.store(ctx, target, assigned.tree)


def _tied(constraint: str, names: dict[str, int]) -> int | None:
    """Return the number of the output in whose place an input is."""
    match = re.search(r"\d+|(?<=\[)\w+(?=\])", constraint)
    if match is None:
        return None
    return int(match[0]) if match[0].isdecimal() else names.get(match[0])


def _output(ctx: Context, operand: AssemblyOperand) -> tuple[Value, il.Expr | None]:
    """Return the object of an output, and its value before if it is read."""
    if _IN_MEMORY.fullmatch(operand.constraint) and _is_array(ctx, operand.expr):
        return ctx.expression(operand.expr), None
    target = modifiable(ctx, operand.expr, "output of an asm statement")
    if target.address is not None and not isinstance(target.address, il.AddrLocal | il.AddrGlobal):
        target.address = ctx.save(target.address)
    if not operand.constraint.startswith("+") or _IN_MEMORY.fullmatch(operand.constraint) or not is_scalar(target.type):
        return target, None
    return target, conversions.decay(ctx, target, operand.expr).tree


def _is_array(ctx: Context, node: Expression) -> bool:
    with ctx.scratch(unevaluated=True):
        return isinstance(ctx.expression(node).type, Array)


def _tie(ctx: Context, output: tuple[Value, il.Expr | None], operand: AssemblyOperand) -> tuple[Value, il.Expr | None]:
    """Return an output that takes the value of an input."""
    target, _ = output
    value = conversions.rvalue(ctx, operand.expr)
    if not is_scalar(target.type) or value.tree is None:
        return output
    return target, conversions.cast(ctx, target.type, value, operand.expr).tree


def _input(ctx: Context, operand: AssemblyOperand) -> None:
    if _IN_MEMORY.fullmatch(operand.constraint):
        ctx.discard(operand.expr)
        return
    value = conversions.rvalue(ctx, operand.expr)
    if value.tree is not None and not isinstance(value.tree, il.Const | il.AddrGlobal):
        _hidden(ctx, value.tree)


def _hidden(ctx: Context, tree: il.Expr) -> il.Expr:
    """Return the value of a tree as something that nothing is known of."""
    local = ctx.temporary(tree.type)
    local.volatile = True
    ctx.store_local(local, tree)
    return ctx.load_local(local)


# ----------------------------------------------------------------------------------------------------------------------
# Assembly files (.S, .s) of programs that have C, too: on our machines, conditions leave nothing of them.


ENDINGS = (".S", ".s", ".sx")
MACROS = (("__ASSEMBLER__", "1"),)  # as gcc defines when it preprocesses assembly

_MARKER = re.compile(r'#line (\d+) "(.*)"')
_MAKES_NOTHING = re.compile(r"\s*(\.(section|text|data|bss|file|ident|previous)\b.*)?")


def as_unit(path: str, text: str) -> str:
    """Return the C text of an assembly file, preprocessed, that makes neither code nor data: the empty text.

    Raises CompileErrors at the first line that would make something.
    """
    file, number = path, 0
    for line in text.splitlines():
        if marker := _MARKER.fullmatch(line):
            number, file = int(marker[1]) - 1, unquoted(marker[2])
            continue
        number += 1
        if not _MAKES_NOTHING.fullmatch(line):
            _refuse(file, number)
    return ""


def _refuse(file: str, line: int) -> NoReturn:
    message = "assembly code is not compiled; build the program without it (many have an option or a macro for that)"
    raise CompileErrors([Diagnostic(file, line, 0, "error", message)])
