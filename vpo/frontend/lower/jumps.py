"""Labels, jumps to them, and labels as values.

The value of `&&label` is no address, but the number of the label among those of its function whose values are taken; a
`goto *` decides by this number.  So tables of labels are constants, and each machine compiles such a jump as a switch.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context, UserLabel
from vpo.frontend.declare.dynamic_objects import jump_back, marks
from vpo.frontend.declare.nested_functions import find_targets, leave_for
from vpo.frontend.lower import cleanups, conversions, trees
from vpo.frontend.lower.statements import check_scopes_entered, lower
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import LabelAddress
from vpo.frontend.syntax.statement_nodes import ComputedGoto, Goto, Label
from vpo.frontend.types.types import Pointer


def _user_label(ctx: Context, name: str) -> UserLabel:
    label = ctx.state.labels.get(name)
    if label is None:
        label = ctx.state.labels[name] = UserLabel(ctx.label())
    return label


def label(ctx: Context, node: Label) -> None:
    """Lower a label, and the statement behind it."""
    entered = _user_label(ctx, node.name)
    if entered.defined is not None:
        ctx.report.error(node.coord, f"duplicate label '{node.name}'")
    else:
        entered.defined, entered.scope, entered.marks = node.coord, ctx.scope, marks(ctx.scope)
        entered.modified = ctx.scope.all_modified()
        ctx.place(entered.name)
    lower(ctx, node.stmt)


def goto(ctx: Context, node: Goto) -> None:
    """Lower a jump to a label."""
    label = _user_label(ctx, node.name)
    label.used = label.used or node.coord
    label.gotos.append((node.coord, ctx.scope.all_modified()))
    if label.defined is not None:
        jump_back(ctx, label.marks)
    ctx.jump(label.name)
    left = cleanups.pending(ctx.scope, ctx.state.around)
    jump = ctx.state.body[-1]
    if left and isinstance(jump, il.Jump):
        label.jumps.append((jump, left))


def label_address(ctx: Context, node: LabelAddress) -> Value:
    """Lower the value of a label."""
    if ctx.function is None:
        ctx.report.fail(node.coord, "the value of a label can be taken only inside its function")
    pointer = ctx.types.pointer(ctx.types.void)
    ctx.state.taken.setdefault(node.name, node.coord)
    number = 1 + list(ctx.state.taken).index(node.name)
    return Value(pointer, trees.constant(pointer.il, number))


def computed_goto(ctx: Context, node: ComputedGoto) -> None:
    """Lower a jump to the label that has a value."""
    ctype, tree = conversions.scalar_rvalue(ctx, node.expr)
    if not isinstance(ctype, Pointer):
        ctx.report.fail(node.expr.coord, "computed goto must be pointer type")
    value = trees.convert(il.Type("U", ctype.size), tree)
    jump = il.Switch(value, (), "", ctx.line)
    ctx.state.computed.append(jump)
    ctx.emit(jump)


def _call_cleanups(ctx: Context, label: UserLabel) -> None:
    """Call, before the jumps to a label, the functions for the objects whose scopes are left."""
    body = ctx.state.body
    for jump, left in label.jumps:
        staying = cleanups.pending(label.scope, ctx.state.around) if label.scope is not None else []
        position = next(at for at, statement in enumerate(body) if statement is jump)
        ctx.state.body, ctx.line = [], jump.line
        cleanups.call(ctx, [cleanup for cleanup in left if cleanup not in staying])
        body[position:position] = ctx.state.body
        ctx.state.body = body


def finish_labels(ctx: Context) -> None:
    """Say where the function's computed gotos may lead, and complain about labels that are nowhere."""
    state = ctx.state
    for name, place in state.taken.items():
        label = _user_label(ctx, name)
        label.used = label.used or place
    find_targets(ctx)
    is_nested = ctx.function in ctx.nesting.functions
    for name, label in state.labels.items():
        if label.defined is None and is_nested and name not in state.taken:
            leave_for(ctx, name, label)
        elif label.defined is None:
            outer = "; a nested function can take the values of its own labels only" if is_nested else ""
            ctx.report.error(label.used, f"label '{name.partition('.')[0]}' used but not defined{outer}")
        for place, modified in label.gotos:
            check_scopes_entered(ctx, place, "jump into", modified, label.modified)
        _call_cleanups(ctx, label)
    if not state.computed:
        return
    cases = tuple((number, state.labels[name].name) for number, name in enumerate(state.taken, 1))
    nowhere = "" if cases else ctx.label()
    for position, statement in enumerate(state.body):
        if isinstance(statement, il.Switch) and statement in state.computed:
            default = cases[0][1] if cases else nowhere
            state.body[position] = il.Switch(statement.value, cases[1:], default, statement.line)
    if nowhere:  # a function without labels has no value that leads anywhere
        ctx.place(nowhere)
        ctx.emit(il.Call(il.AddrGlobal(ctx.types.address, "abort"), (), None, ctx.line))
