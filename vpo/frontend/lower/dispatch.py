"""Which function lowers which class of node: an implementation of `Lowering` (`vpo/frontend/context.py`)."""

from __future__ import annotations

from vpo.frontend.context import Context, refuse_type_name
from vpo.frontend.declare.declarations import declare
from vpo.frontend.declare.flatten import lower_once
from vpo.frontend.declare.functions import nested_function
from vpo.frontend.lower import (
    asm_statements,
    assignments,
    calls,
    conditions,
    conversions,
    expressions,
    jumps,
    operators,
    statements,
    trees,
)
from vpo.frontend.lower.values import Held, Once, Value
from vpo.frontend.syntax import nodes, statement_nodes
from vpo.frontend.types.types import CType, is_aggregate


def expression(ctx: Context, node: nodes.Argument) -> Value:
    """Lower an expression; those that are most frequent are asked for first."""
    match node:
        case nodes.ID():
            return expressions.identifier(ctx, node)
        case nodes.Constant():
            return expressions.constant(ctx, node)
        case nodes.FuncCall():
            return calls.call(ctx, node)
        case nodes.StructRef():
            return expressions.member(ctx, node)
        case nodes.BinaryOp():
            return operators.binary(ctx, node)
        case nodes.UnaryOp():
            return assignments.increment(ctx, node) if node.op in assignments.STEPS else operators.unary(ctx, node)
        case nodes.ArrayRef():
            return expressions.array_reference(ctx, node)
        case nodes.Cast():
            return expressions.cast(ctx, node)
        case nodes.Assignment():
            return assignments.assign(ctx, node)
        case Held():
            return node.value
        case nodes.TernaryOp():
            return conditions.conditional(ctx, node)
        case nodes.SizeOf():
            return operators.size(ctx, node)
        case nodes.ExprList():
            return expressions.comma(ctx, node)
        case nodes.CompoundLiteral():
            return expressions.compound_literal(ctx, node)
        case nodes.StatementExpression():
            return statements.statement_expression(ctx, node)
        case nodes.GenericSelection():
            return expressions.generic(ctx, node)
        case nodes.LabelAddress():
            return jumps.label_address(ctx, node)
        case Once():
            return lower_once(ctx, node)
        case nodes.Typename():
            refuse_type_name(ctx, node)
        case nodes.Lowered():
            raise TypeError(f"no function lowers {type(node).__name__}")


def discard(ctx: Context, node: nodes.Argument) -> CType | None:
    """Lower an expression for its effects only; return its type if it has a value that was computed."""
    match node:
        case nodes.ExprList():
            for part in node.exprs:
                discard(ctx, part)
            return None
        case nodes.Assignment():
            assignments.assign(ctx, node, used=False)
            return None
        case nodes.UnaryOp() if node.op in assignments.STEPS:
            assignments.increment(ctx, node, used=False)
            return None
        case nodes.BinaryOp() if node.op in ("&&", "||"):
            conditions.logical_effect(ctx, node)
            return None
        case nodes.TernaryOp(iftrue=iftrue) if iftrue is not None:
            conditions.conditional_effect(ctx, node, iftrue)
            return None
    value = ctx.expression(node)
    ctype = value.type
    if value.address is not None and value.type.volatile and not is_aggregate(value.type):
        value = conversions.decay(ctx, value, node)
    if value.tree is not None and trees.reads_volatile(value.tree):
        ctx.save(value.tree)
    return ctype


def statement(ctx: Context, node: nodes.BlockItem) -> None:
    """Lower a statement."""
    if isinstance(node, nodes.Statement):
        _statement(ctx, node)
    elif isinstance(node, nodes.FuncDef):
        nested_function(ctx, node)
    elif isinstance(node, nodes.Declaration):
        declare(ctx, node)
    else:
        statements.expression_statement(ctx, node)


def _statement(ctx: Context, node: nodes.Statement) -> None:
    match node:
        case statement_nodes.If():
            statements.if_statement(ctx, node)
        case statement_nodes.Return():
            statements.return_statement(ctx, node)
        case nodes.Compound():
            statements.compound(ctx, node)
        case statement_nodes.For():
            statements.for_loop(ctx, node)
        case statement_nodes.While():
            statements.while_loop(ctx, node)
        case statement_nodes.DoWhile():
            statements.do_loop(ctx, node)
        case statement_nodes.Break():
            statements.leave(ctx, node)
        case statement_nodes.Continue():
            statements.go_on(ctx, node)
        case statement_nodes.Case():
            statements.case_label(ctx, node)
        case statement_nodes.Default():
            statements.default_label(ctx, node)
        case statement_nodes.Switch():
            statements.switch(ctx, node)
        case statement_nodes.DeclList():
            for declaration in node.decls:
                declare(ctx, declaration)
        case statement_nodes.Label():
            jumps.label(ctx, node)
        case statement_nodes.Goto():
            jumps.goto(ctx, node)
        case statement_nodes.ComputedGoto():
            jumps.computed_goto(ctx, node)
        case statement_nodes.Assembly():
            asm_statements.lower_assembly(ctx, node)
        case statement_nodes.EmptyStatement():
            pass
        case _:
            raise TypeError(f"no function lowers {type(node).__name__}")
