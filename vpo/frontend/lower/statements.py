"""Statements as control flow."""

from __future__ import annotations

from contextlib import suppress

from vpo import il
from vpo.frontend.context import Context, SwitchState
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.declare.dynamic_objects import leave_scopes
from vpo.frontend.lower import cleanups, complex_numbers, conversions, trees
from vpo.frontend.lower.calls import block
from vpo.frontend.lower.conditions import jump_if
from vpo.frontend.lower.values import Value
from vpo.frontend.scope import Scope, Symbol
from vpo.frontend.syntax import nodes, statement_nodes
from vpo.frontend.types.bit_precise import working
from vpo.frontend.types.types import Complex, Void, is_empty, is_in_memory, is_integer, is_scalar
from vpo.frontend.warnings.declarations import check_returned, check_switch
from vpo.frontend.warnings.diagnostics import Recover
from vpo.frontend.warnings.unused import check_effects

# ----------------------------------------------------------------------------------------------------------------------
# What the first clause of a `for` may declare.


def check_for_declarations(ctx: Context, declarations: list[nodes.Declaration]) -> None:
    """Complain about what a `for` declares beside variables of its own (6.8.5, 3)."""
    for declaration in declarations:
        if isinstance(declaration, nodes.StaticAssert | nodes.FuncDef):
            continue
        for storage in sorted({"static", "extern", "typedef"} & set(declaration.storage)):
            what = "type" if storage == "typedef" else f"'{storage}' variable"
            ctx.report.error(declaration.coord, f"declaration of {what} '{declaration.name}' in 'for' loop")
        declared = declaration.type
        while isinstance(declared, nodes.Declarator):
            declared = declared.type
        has_body = isinstance(declared, nodes.Struct) and declared.decls is not None and declared.name is not None
        if isinstance(declared, nodes.Struct) and has_body and ctx.standard.edition < 2023:
            name = f"{declared.keyword} {declared.name}"
            ctx.report.error(declaration.coord, f"'{name}' declared in 'for' loop initial declaration")


# ----------------------------------------------------------------------------------------------------------------------


_SCOPED = (
    statement_nodes.If | statement_nodes.Switch | statement_nodes.While | statement_nodes.DoWhile
)  # statements whose conditions are scopes of their own (6.8.4, 6.8.5)


def lower(ctx: Context, node: nodes.BlockItem | statement_nodes.DeclList) -> None:
    """Lower one statement; an error in it does not stop the next."""
    ctx.line = node.coord.line
    ctx.coord = node.coord
    with suppress(Recover):
        if isinstance(node, _SCOPED):
            with ctx.block():
                ctx.statement(node)
        else:
            ctx.statement(node)


def lower_block(ctx: Context, node: nodes.Compound) -> None:
    """Lower the inside of a compound statement in the current scope."""
    for item in node.block_items:
        lower(ctx, item)


def _jump_if(ctx: Context, node: nodes.Expression, label: str, when: bool) -> None:
    with suppress(Recover):
        jump_if(ctx, node, label, when)


def expression_statement(ctx: Context, node: nodes.Expression) -> None:
    """Lower an expression that is a statement."""
    ctype = ctx.discard(node)
    if ctx.report.wanted:
        check_effects(ctx, node, ctype)


def compound(ctx: Context, node: nodes.Compound) -> None:
    """Lower a block."""
    with ctx.block():
        lower_block(ctx, node)
        leave_block(ctx)


def _substatement(ctx: Context, node: nodes.BlockItem) -> None:
    """Lower a statement that is part of another one: it is a scope of its own (6.8.4, 3; 6.8.5, 5)."""
    if isinstance(node, nodes.Compound | statement_nodes.EmptyStatement):
        lower(ctx, node)
        return
    with ctx.block():
        lower(ctx, node)


def if_statement(ctx: Context, node: statement_nodes.If) -> None:
    """Lower an if."""
    otherwise = ctx.label()
    _jump_if(ctx, node.cond, otherwise, False)
    _substatement(ctx, node.iftrue)
    if node.iffalse is not None:
        end = ctx.label()
        ctx.jump(end)
        ctx.place(otherwise)
        _substatement(ctx, node.iffalse)
        ctx.place(end)
    else:
        ctx.place(otherwise)


def statement_expression(ctx: Context, node: nodes.StatementExpression) -> Value:
    """Lower `({ ... })`: the value is that of the last statement, if it is an expression."""
    if ctx.function is None:
        ctx.report.fail(node.coord, "a statement expression is allowed only inside a function")
    if not node.block.block_items:
        return Value(ctx.types.void)
    *items, last = node.block.block_items
    with ctx.block():
        for item in items:
            lower(ctx, item)
        while isinstance(last, statement_nodes.Label):  # a label before the value
            lower(ctx, statement_nodes.Label(last.name, statement_nodes.EmptyStatement(last.coord), last.coord))
            last = last.stmt
        if isinstance(last, nodes.Statement | nodes.Declaration):
            lower(ctx, last)
            result = Value(ctx.types.void)
        else:
            result = _kept(ctx, conversions.rvalue(ctx, last))
        leave_block(ctx)
        return result


def _kept(ctx: Context, value: Value) -> Value:
    """Return a value that later statements do not change."""
    if isinstance(value.type, Complex):
        return complex_numbers.saved(ctx, value)
    if value.tree is not None:
        return Value(value.type, ctx.save(value.tree))
    if value.address is None or is_empty(value.type) or not is_in_memory(value.type):
        return value
    address = ctx.address_of(ctx.aggregate_temporary(value.type))
    conversions.copy(ctx, address, value.address, value.type)
    return Value(value.type, None, address)


# ------------------------------------------------------------------------------------------------------------ loops


def _loop_body(ctx: Context, node: nodes.BlockItem, end: str, again: str) -> None:
    ctx.state.breaks.append((end, ctx.scope))
    ctx.state.continues.append((again, ctx.scope))
    _substatement(ctx, node)
    ctx.state.breaks.pop()
    ctx.state.continues.pop()


def while_loop(ctx: Context, node: statement_nodes.While) -> None:
    """Lower a while."""
    top, end = ctx.label(), ctx.label()
    ctx.place(top)
    _jump_if(ctx, node.cond, end, False)
    _loop_body(ctx, node.stmt, end, top)
    ctx.line = node.coord.line
    ctx.jump(top)
    ctx.place(end)


def do_loop(ctx: Context, node: statement_nodes.DoWhile) -> None:
    """Lower a do."""
    top, again, end = ctx.label(), ctx.label(), ctx.label()
    ctx.place(top)
    _loop_body(ctx, node.stmt, end, again)
    ctx.place(again)
    ctx.line = node.cond.coord.line
    _jump_if(ctx, node.cond, top, True)
    ctx.place(end)


def for_loop(ctx: Context, node: statement_nodes.For) -> None:
    """Lower a for."""
    top, again, end = ctx.label(), ctx.label(), ctx.label()
    with ctx.block():
        if isinstance(node.init, statement_nodes.DeclList):
            check_for_declarations(ctx, node.init.decls)
        if node.init is not None:
            lower(ctx, node.init)
        ctx.line = node.coord.line
        ctx.place(top)
        if node.cond is not None:
            _jump_if(ctx, node.cond, end, False)
        following = _following(ctx, node) if node.declares else []
        _loop_body(ctx, node.stmt, end, again)
        ctx.place(again)
        ctx.state.body += following if node.declares else _following(ctx, node)
        ctx.line = node.coord.line
        ctx.jump(top)
        ctx.place(end)
        leave_block(ctx)


def _following(ctx: Context, node: statement_nodes.For) -> list[il.Statement]:
    """Return what the third expression of a `for` is lowered to."""
    if node.next is None:
        return []
    before, ctx.state.body = ctx.state.body, []
    ctx.line = node.next.coord.line
    with suppress(Recover):
        expression_statement(ctx, node.next)
    lowered, ctx.state.body = ctx.state.body, before
    return lowered


def leave(ctx: Context, node: statement_nodes.Break) -> None:
    """Lower a break."""
    if not ctx.state.breaks:
        ctx.report.fail(node.coord, "break statement not within loop or switch")
    _leave(ctx, *ctx.state.breaks[-1])


def go_on(ctx: Context, node: statement_nodes.Continue) -> None:
    """Lower a continue."""
    if not ctx.state.continues:
        ctx.report.fail(node.coord, "continue statement not within a loop")
    _leave(ctx, *ctx.state.continues[-1])


def leave_block(ctx: Context) -> None:
    """Emit what is to be done at the end of a block."""
    cleanups.call(ctx, cleanups.pending(ctx.scope, ctx.scope.parent))
    leave_scopes(ctx, ctx.scope.parent)


def _leave(ctx: Context, label: str, scope: Scope) -> None:
    cleanups.call(ctx, cleanups.pending(ctx.scope, scope))
    leave_scopes(ctx, scope)
    ctx.jump(label)


# ----------------------------------------------------------------------------------------------------------- switch


def switch(ctx: Context, node: statement_nodes.Switch) -> None:
    """Lower a switch."""
    value = conversions.rvalue(ctx, node.cond)
    if not is_integer(value.type) or value.tree is None:
        ctx.report.error(node.cond.coord, "switch quantity not an integer")
        value = conversions.scalar(ctx.types.int_, trees.constant(ctx.types.int_.il, 0))
    assert is_integer(value.type)
    assert value.tree is not None
    ctype = ctx.types.promote(value.type)
    tree = trees.convert(working(ctx.model, ctype), value.tree)
    line, position, end = ctx.line, ctx.mark, ctx.label()
    ctx.jump(end)  # the place of the Switch, which is known only after its body
    state = SwitchState(ctype, ctx.scope.all_modified())
    ctx.state.switches.append(state)
    ctx.state.breaks.append((end, ctx.scope))
    _substatement(ctx, node.stmt)
    ctx.state.breaks.pop()
    ctx.state.switches.pop()
    check_switch(ctx, node, value.type, state)
    cases = tuple(state.cases.items())
    tests: list[il.Statement] = []
    if state.ranges:
        local = ctx.temporary(tree.type)
        tests = [il.Store(ctx.address_of(local), tree, line), *_range_tests(ctx.load_local(local), state, line)]
        tree = ctx.load_local(local)
    ctx.state.body[position : position + 1] = [*tests, il.Switch(tree, cases, state.default or end, line)]
    ctx.place(end)


def _range_tests(tree: il.Expr, state: SwitchState, line: int) -> list[il.Statement]:
    """Return branches to the labels of case ranges; one unsigned comparison decides whether a value is in a range."""
    kind = il.Type("U", tree.type.size)
    found: list[il.Statement] = []
    for first, last, label in state.ranges:
        distance = trees.convert(kind, trees.binary("sub", tree.type, tree, trees.constant(tree.type, first)))
        found.append(il.Branch("le", distance, trees.constant(kind, last - first), label, line))
    return found


def case_label(ctx: Context, node: statement_nodes.Case) -> None:
    """Lower a case, and the statement behind it."""
    if not ctx.state.switches:
        ctx.report.fail(node.coord, "case label not within a switch statement")
    state = ctx.state.switches[-1]
    check_scopes_entered(ctx, node.coord, "switch jumps into", state.modified, ctx.scope.all_modified())
    label = ctx.label()
    with suppress(Recover):
        _enter_case(ctx, node, state, label)
    ctx.place(label)
    lower(ctx, node.stmt)


def _enter_case(ctx: Context, node: statement_nodes.Case, state: SwitchState, label: str) -> None:
    """Enter the value of a case, or the range `A ... B`, into its switch."""
    first = _case_value(ctx, node.expr, state)
    last = _case_value(ctx, node.last, state) if node.last is not None else first
    if node.last is not None:
        taken = [value for value in state.cases if first <= value <= last]
    else:
        taken = [first] if first in state.cases else []
    taken += [max(first, low) for low, high, _ in state.ranges if first <= high and low <= last]
    if taken:
        ctx.report.error(node.coord, f"duplicate case value {taken[0]}")
    if first > last:
        ctx.report.warning(node.coord, "switch-range")
    elif node.last is not None:
        state.ranges.append((first, last, label))
    else:
        state.cases[first] = label


def check_scopes_entered(ctx: Context, place: nodes.Coord, what: str, before: list[Symbol], after: list[Symbol]) -> None:
    """Complain about a jump past a declaration whose type is variably modified: nothing would compute its size."""
    for symbol in after:
        if not any(symbol is known for known in before):
            note = f"'{symbol.name}' declared in line {symbol.coord.line}"
            ctx.report.error(place, f"{what} scope of identifier with variably modified type; {note}")
            return


def _case_value(ctx: Context, node: nodes.Expression, state: SwitchState) -> int:
    assert is_integer(state.type)
    value = trees.constant(ctx.types.llong.il, constant_expression(ctx, node, "case label"))
    converted = conversions.to_type(ctx, state.type, value)
    assert isinstance(converted, il.Const)
    return int(converted.value)


def default_label(ctx: Context, node: statement_nodes.Default) -> None:
    """Lower a default, and the statement behind it."""
    if not ctx.state.switches:
        ctx.report.fail(node.coord, "'default' label not within a switch statement")
    state = ctx.state.switches[-1]
    if state.default is not None:
        ctx.report.error(node.coord, "multiple default labels in one switch")
    check_scopes_entered(ctx, node.coord, "switch jumps into", state.modified, ctx.scope.all_modified())
    state.default = ctx.label()
    ctx.place(state.default)
    lower(ctx, node.stmt)


# ----------------------------------------------------------------------------------------------------------------------
# The statement `return`.


def return_statement(ctx: Context, node: statement_nodes.Return) -> None:
    """Lower a return."""
    result = ctx.state.result
    if node.expr is None:
        if not isinstance(result, Void):
            ctx.report.warning(node.coord, "return-mismatch" if ctx.standard.edition >= 1999 else "return-type:no-value")
            _emit_return(ctx, trees.constant(result.il, 0) if is_scalar(result) else None)
        else:
            _emit_return(ctx, None)
        return
    if isinstance(result, Void):
        ctx.discard(node.expr)
        with ctx.scratch(unevaluated=True):
            returned = ctx.expression(node.expr).type
        if not isinstance(returned, Void):
            ctx.report.warning(node.coord, "return-mismatch:value")
        _emit_return(ctx, None)
        return
    value = conversions.assign(ctx, result, conversions.rvalue(ctx, node.expr), node.expr, "return")
    check_returned(ctx, value, node)
    if is_empty(result):
        _emit_return(ctx, None)
    elif isinstance(result, Complex):
        _emit_return(ctx, block(result, complex_numbers.in_memory(ctx, value)))
    elif is_in_memory(result):
        assert value.address is not None
        _emit_return(ctx, block(result, value.address))
    else:
        _emit_return(ctx, value.tree)


def _emit_return(ctx: Context, value: il.Expr | il.Block | None) -> None:
    value = cleanups.leave_function(ctx, value)
    ctx.emit(il.Return(value, ctx.line))
