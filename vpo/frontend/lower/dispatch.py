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
from vpo.frontend.syntax.nodes import (
    ID,
    Argument,
    ArrayRef,
    Assignment,
    BinaryOp,
    BlockItem,
    Cast,
    Compound,
    CompoundLiteral,
    Constant,
    Declaration,
    ExprList,
    FuncCall,
    FuncDef,
    GenericSelection,
    LabelAddress,
    Lowered,
    SizeOf,
    Statement,
    StatementExpression,
    StructRef,
    TernaryOp,
    Typename,
    UnaryOp,
)
from vpo.frontend.syntax.statement_nodes import (
    Assembly,
    Break,
    Case,
    ComputedGoto,
    Continue,
    DeclList,
    Default,
    DoWhile,
    EmptyStatement,
    For,
    Goto,
    If,
    Label,
    Return,
    Switch,
    While,
)
from vpo.frontend.types.types import CType, is_aggregate


def expression(ctx: Context, node: Argument) -> Value:
    """Lower an expression; those that are most frequent are asked for first."""
    match node:
        case ID():
            return expressions.identifier(ctx, node)
        case Constant():
            return expressions.constant(ctx, node)
        case FuncCall():
            return calls.call(ctx, node)
        case StructRef():
            return expressions.member(ctx, node)
        case BinaryOp():
            return operators.binary(ctx, node)
        case UnaryOp():
            return assignments.increment(ctx, node) if node.op in assignments.STEPS else operators.unary(ctx, node)
        case ArrayRef():
            return expressions.array_reference(ctx, node)
        case Cast():
            return expressions.cast(ctx, node)
        case Assignment():
            return assignments.assign(ctx, node)
        case Held():
            return node.value
        case TernaryOp():
            return conditions.conditional(ctx, node)
        case SizeOf():
            return operators.size(ctx, node)
        case ExprList():
            return expressions.comma(ctx, node)
        case CompoundLiteral():
            return expressions.compound_literal(ctx, node)
        case StatementExpression():
            return statements.statement_expression(ctx, node)
        case GenericSelection():
            return expressions.generic(ctx, node)
        case LabelAddress():
            return jumps.label_address(ctx, node)
        case Once():
            return lower_once(ctx, node)
        case Typename():
            refuse_type_name(ctx, node)
        case Lowered():
            raise TypeError(f"no function lowers {type(node).__name__}")


def discard(ctx: Context, node: Argument) -> CType | None:
    """Lower an expression for its effects only; return its type if it has a value that was computed."""
    match node:
        case ExprList():
            for part in node.exprs:
                discard(ctx, part)
            return None
        case Assignment():
            assignments.assign(ctx, node, used=False)
            return None
        case UnaryOp() if node.op in assignments.STEPS:
            assignments.increment(ctx, node, used=False)
            return None
        case BinaryOp() if node.op in ("&&", "||"):
            conditions.logical_effect(ctx, node)
            return None
        case TernaryOp(iftrue=iftrue) if iftrue is not None:
            conditions.conditional_effect(ctx, node, iftrue)
            return None
    value = ctx.expression(node)
    ctype = value.type
    if value.address is not None and value.type.volatile and not is_aggregate(value.type):
        value = conversions.decay(ctx, value, node)
    if value.tree is not None and trees.reads_volatile(value.tree):
        ctx.save(value.tree)
    return ctype


def statement(ctx: Context, node: BlockItem) -> None:
    """Lower a statement."""
    if isinstance(node, Statement):
        _statement(ctx, node)
    elif isinstance(node, FuncDef):
        nested_function(ctx, node)
    elif isinstance(node, Declaration):
        declare(ctx, node)
    else:
        statements.expression_statement(ctx, node)


def _statement(ctx: Context, node: Statement) -> None:
    match node:
        case If():
            statements.if_statement(ctx, node)
        case Return():
            statements.return_statement(ctx, node)
        case Compound():
            statements.compound(ctx, node)
        case For():
            statements.for_loop(ctx, node)
        case While():
            statements.while_loop(ctx, node)
        case DoWhile():
            statements.do_loop(ctx, node)
        case Break():
            statements.leave(ctx, node)
        case Continue():
            statements.go_on(ctx, node)
        case Case():
            statements.case_label(ctx, node)
        case Default():
            statements.default_label(ctx, node)
        case Switch():
            statements.switch(ctx, node)
        case DeclList():
            for declaration in node.decls:
                declare(ctx, declaration)
        case Label():
            jumps.label(ctx, node)
        case Goto():
            jumps.goto(ctx, node)
        case ComputedGoto():
            jumps.computed_goto(ctx, node)
        case Assembly():
            asm_statements.lower_assembly(ctx, node)
        case EmptyStatement():
            pass
        case _:
            raise TypeError(f"no function lowers {type(node).__name__}")
