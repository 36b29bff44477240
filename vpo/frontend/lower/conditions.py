"""Conditions as control flow, and the operators that need it: && || ! ?: and relations."""

from __future__ import annotations

from vpo import il
from vpo.frontend.builtins.names import PREFIX
from vpo.frontend.context import Context
from vpo.frontend.declare.compatibility import compatible, composite
from vpo.frontend.lower import complex_numbers, conversions, trees, vectors
from vpo.frontend.lower.values import Held, Value
from vpo.frontend.syntax import nodes
from vpo.frontend.types import types
from vpo.frontend.types.type_table import are_comparable, has_null_type, is_null_constant
from vpo.frontend.warnings.conversions import check_not, check_signs
from vpo.il.traversal import walk

# ----------------------------------------------------------------------------------------------------------------------
# Which expressions cannot be constants, by their form.


def is_variable(ctx: Context, node: nodes.Expression) -> bool:
    """Whether an expression is certainly no constant; quick and rough."""
    match node:
        case nodes.BinaryOp():
            return is_variable(ctx, node.left) or is_variable(ctx, node.right)
        case nodes.UnaryOp():
            return node.op != "&" and is_variable(ctx, node.expr)
        case nodes.Cast():
            return is_variable(ctx, node.expr)
        case nodes.TernaryOp():
            return is_variable(ctx, node.cond)
        case nodes.ID():
            symbol = ctx.scope.lookup(node.name)
            is_object = symbol is not None and symbol.kind == "object" and not isinstance(symbol.type, types.Array)
            return symbol is None or (is_object and symbol.constant is None)
        case nodes.Constant() | nodes.GenericSelection() | nodes.SizeOf():
            return False
        case nodes.StructRef() | nodes.CompoundLiteral():
            return not ctx.contents
        case Held():
            return not isinstance(node.value.tree, il.Const)
        case nodes.FuncCall():
            return not isinstance(node.name, nodes.ID) or not node.name.name.startswith(("offsetof", PREFIX))
    return True


# ----------------------------------------------------------------------------------------------------------------------
# Conditions.


RELATIONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def relation(ctx: Context, node: nodes.BinaryOp) -> Value:
    """Return the value of a relation."""
    left, right = _compared(ctx, node)
    if isinstance(left.type, types.Vector) or isinstance(right.type, types.Vector):
        return vectors.operation(ctx, node.op, left, right, node)
    int_type = ctx.types.int_
    name, a, b = _scalar_comparison(ctx, node, left, right)
    return Value(int_type, trees.compare(name, int_type.il, a, b))


def _compared(ctx: Context, node: nodes.BinaryOp) -> tuple[Value, Value]:
    """Lower the operands of a relation."""
    left = conversions.rvalue(ctx, node.left)
    if not types.is_compound(left.type):
        conversions.require_scalar(ctx, left, node.left)
    mark = ctx.mark
    right = conversions.rvalue(ctx, node.right)
    if not types.is_compound(right.type):
        conversions.require_scalar(ctx, right, node.right)
    return ctx.settle_value(mark, left), right


def comparison(ctx: Context, node: nodes.BinaryOp) -> tuple[str, il.Expr, il.Expr]:
    """Lower the operands of a relation: its name and two trees of one type."""
    return _scalar_comparison(ctx, node, *_compared(ctx, node))


def _scalar_comparison(ctx: Context, node: nodes.BinaryOp, left: Value, right: Value) -> tuple[str, il.Expr, il.Expr]:
    left_type, right_type, left_tree, right_tree = left.type, right.type, left.tree, right.tree
    check_not(ctx, node, right)
    if isinstance(left_type, types.Complex) or isinstance(right_type, types.Complex):
        numbers = isinstance(left_type, types.Arithmetic | types.Complex) and isinstance(
            right_type, types.Arithmetic | types.Complex
        )
        if node.op not in ("==", "!=") or not numbers:
            ctx.report.fail(node.coord, f"invalid operands to binary {node.op} (have '{left_type}' and '{right_type}')")
        truth = complex_numbers.equality(ctx, RELATIONS[node.op], left, right)
        return "ne", truth, trees.constant(truth.type, 0)
    if left_tree is None or right_tree is None:
        ctx.report.fail(node.coord, "a comparison of vectors is no condition: it has a truth value for each element")
    if isinstance(left_type, types.Arithmetic) and isinstance(right_type, types.Arithmetic):
        common: types.Arithmetic | types.Pointer = ctx.types.usual(left_type, right_type)
        if "sign-compare" in ctx.report.wanted:
            check_signs(ctx, RELATIONS[node.op], node, left, right)
    else:
        common = _pointer_comparison(ctx, left, right, node)
    left_tree, right_tree = (conversions.to_type(ctx, common, tree) for tree in (left_tree, right_tree))
    return RELATIONS[node.op], *trees.singles(left_tree, right_tree)


def _pointer_comparison(ctx: Context, left: Value, right: Value, node: nodes.BinaryOp) -> types.Pointer:
    a, b = left.type, right.type
    if has_null_type(a, b) and not are_comparable(node.op, left, right):
        ctx.report.fail(node.coord, f"invalid operands to binary {node.op} (have '{a}' and '{b}')")
    if isinstance(a, types.Pointer) and isinstance(b, types.Pointer):
        is_order_of_void = node.op not in ("==", "!=") and isinstance(a.target, types.Void) != isinstance(b.target, types.Void)
        if is_order_of_void or conversions.pointer_union(ctx, a, b) is None:
            ctx.report.warning(node.coord, "conversion-mismatch")
        return a
    pointer, other = (a, right) if isinstance(a, types.Pointer) else (b, left)
    assert isinstance(pointer, types.Pointer)
    if isinstance(other.type, types.Arithmetic) and other.type.is_float:
        ctx.report.fail(node.coord, f"invalid operands to binary {node.op} (have '{a}' and '{b}')")
    if not is_null_constant(other):
        ctx.report.warning(node.coord, "conversion-mismatch:integer")
    return pointer


def jump_if(ctx: Context, node: nodes.Expression, label: str, when: bool) -> None:
    """Go to `label` if the truth of a condition is `when`; else fall through."""
    match node:
        case nodes.BinaryOp(op="&&" | "||"):
            _jump_logical(ctx, node, label, when)
        case nodes.BinaryOp() if node.op in RELATIONS:
            branch(ctx, *comparison(ctx, node), label, when)
        case nodes.UnaryOp(op="!"):
            jump_if(ctx, node.expr, label, not when)
        case nodes.ExprList():
            for expression in node.exprs[:-1]:
                ctx.discard(expression)
            jump_if(ctx, node.exprs[-1], label, when)
        case _:
            jump_if_true(ctx, condition(ctx, node), label, when)


def condition(ctx: Context, node: nodes.Expression) -> il.Expr:
    """Lower an expression whose being 0 or not decides."""
    value = conversions.rvalue(ctx, node)
    if isinstance(value.type, types.Complex):
        return complex_numbers.is_true(ctx, value)
    return conversions.require_scalar(ctx, value, node)[1]


def jump_if_true(ctx: Context, tree: il.Expr, label: str, when: bool) -> None:
    """Go to `label` if a tree's being nonzero is `when`."""
    tree = _unwidened(tree)
    if isinstance(tree, il.Compare):
        branch(ctx, tree.relation, tree.left, tree.right, label, when)
    elif isinstance(tree, il.Binary) and _is_joined(tree):
        over = label if (tree.operator == "or") == when else ctx.label()
        jump_if_true(ctx, tree.left, over, tree.operator == "or")
        jump_if_true(ctx, tree.right, label, when)
        if over != label:
            ctx.place(over)
    else:
        branch(ctx, "ne", tree, trees.constant(tree.type, 0), label, when)


def _unwidened(tree: il.Expr) -> il.Expr:
    """Return what is zero when an integer is, without its widening."""
    while isinstance(tree, il.Convert) and tree.type.kind != "F" and tree.operand.type.kind != "F":
        if tree.type.size < tree.operand.type.size:
            break
        tree = tree.operand
    return tree


def _is_joined(tree: il.Expr) -> bool:
    """Whether bits join truths of which the second need not be found out: a branch is less than what makes a number."""
    match tree:
        case il.Binary(operator="and" | "or", left=left, right=right):
            is_quiet = not any(isinstance(part, il.Load) and part.volatile for part in walk(right))
            return is_quiet and all(isinstance(t, il.Compare) or _is_joined(t) for t in (_unwidened(left), _unwidened(right)))
    return False


def branch(ctx: Context, relation: str, left: il.Expr, right: il.Expr, label: str, when: bool) -> None:
    """Go to `label` if the truth of a relation is `when`."""
    folded = trees.compare(relation, ctx.types.int_.il, left, right)
    if isinstance(folded, il.Const):
        if bool(folded.value) == when:
            ctx.jump(label)
        return
    if when:
        ctx.emit(il.Branch(relation, left, right, label, ctx.line))
    elif left.type.kind != "F" or relation in ("eq", "ne"):
        ctx.emit(il.Branch(trees.INVERSE[relation], left, right, label, ctx.line))
    else:  # the inverse of a floating relation would be wrong for NaN
        over = ctx.label()
        ctx.emit(il.Branch(relation, left, right, over, ctx.line))
        ctx.jump(label)
        ctx.place(over)


def _jump_logical(ctx: Context, node: nodes.BinaryOp, label: str, when: bool) -> None:
    if (node.op == "||") == when:
        jump_if(ctx, node.left, label, when)
        jump_if(ctx, node.right, label, when)
    else:
        over = ctx.label()
        jump_if(ctx, node.left, over, not when)
        jump_if(ctx, node.right, label, when)
        ctx.place(over)


def known_truth(ctx: Context, node: nodes.Expression) -> bool | None:
    """Whether a condition is a constant, and which."""
    if is_variable(ctx, node):
        return None
    with ctx.scratch(unevaluated=True) as state:
        tree = condition(ctx, node)
        if isinstance(tree, il.Const) and not state.body:
            return bool(tree.value)
        if isinstance(tree, il.AddrGlobal) and isinstance(node, nodes.ID) and not state.body:
            return True  # an array or a function
    return None


def logical(ctx: Context, node: nodes.BinaryOp) -> Value:
    """The value of && or ||."""
    int_type = ctx.types.int_
    known = known_truth(ctx, node.left)
    if known is not None:
        if known == (node.op == "||"):
            with ctx.scratch(unevaluated=True):
                conversions.scalar_rvalue(ctx, node.right)
            return Value(int_type, trees.constant(int_type.il, int(known)))
        return truth(ctx, node.right)
    result, end = ctx.temporary(int_type.il), ctx.label()
    ctx.store_local(result, trees.constant(int_type.il, int(node.op == "||")))
    jump_if(ctx, node.left, end, node.op == "||")
    jump_if(ctx, node.right, end, node.op == "||")
    ctx.store_local(result, trees.constant(int_type.il, int(node.op != "||")))
    ctx.place(end)
    return Value(int_type, ctx.load_local(result))


def truth(ctx: Context, node: nodes.Expression, inverted: bool = False) -> Value:
    """0 or 1: whether an expression differs from zero, or equals it when inverted."""
    int_type = ctx.types.int_
    value = conversions.rvalue(ctx, node)
    if isinstance(value.type, types.Vector) and inverted:
        return vectors.unary(ctx, "!", value, node)
    tree = condition(ctx, Held(value, node.coord))
    if isinstance(tree, il.Compare) and (not inverted or tree.left.type.kind != "F"):
        relation = trees.INVERSE[tree.relation] if inverted else tree.relation
        return Value(int_type, trees.compare(relation, int_type.il, tree.left, tree.right))
    relation = "eq" if inverted else "ne"
    return Value(int_type, trees.compare(relation, int_type.il, tree, trees.constant(tree.type, 0)))


def logical_effect(ctx: Context, node: nodes.BinaryOp) -> None:
    """Lower && or || whose value nobody wants."""
    end = ctx.label()
    jump_if(ctx, node.left, end, node.op == "||")
    ctx.discard(node.right)
    ctx.place(end)


# --------------------------------------------------------------------------------------------------- conditional


def conditional_effect(ctx: Context, node: nodes.TernaryOp, iftrue: nodes.Expression) -> None:
    """Lower ?: whose value nobody wants."""
    otherwise, end = ctx.label(), ctx.label()
    jump_if(ctx, node.cond, otherwise, False)
    ctx.discard(iftrue)
    ctx.jump(end)
    ctx.place(otherwise)
    ctx.discard(node.iffalse)
    ctx.place(end)


def conditional(ctx: Context, node: nodes.TernaryOp) -> Value:
    """Lower ?: for its value."""
    if node.iftrue is None:
        node = _with_middle(ctx, node)
    assert node.iftrue is not None
    known = known_truth(ctx, node.cond)
    if known is not None:
        return _known_conditional(ctx, node, node.iftrue, known)
    otherwise, end = ctx.label(), ctx.label()
    jump_if(ctx, node.cond, otherwise, False)
    yes = conversions.rvalue(ctx, node.iftrue)
    after_yes = ctx.mark
    ctx.place(otherwise)
    no = conversions.rvalue(ctx, node.iffalse)
    ctype = _conditional_type(ctx, yes, no, node)
    if isinstance(ctype, types.Void):
        ctx.state.body.insert(after_yes, il.Jump(end, ctx.line))
        ctx.place(end)
        return Value(ctype)
    # The type is known only now: finish the first branch where it ended.
    tail, ctx.state.body[after_yes:] = ctx.state.body[after_yes:], []
    if types.is_in_memory(ctype):
        target = ctx.address_of(ctx.aggregate_temporary(ctype))
        result = Value(ctype, None, target)
    else:
        assert types.is_scalar(ctype)
        local = ctx.temporary(ctype.il)
        result = Value(ctype, ctx.load_local(local))
        target = ctx.address_of(local)
    _deliver(ctx, target, ctype, yes)
    ctx.jump(end)
    ctx.state.body += tail
    _deliver(ctx, target, ctype, no)
    ctx.place(end)
    return result


def _with_middle(ctx: Context, node: nodes.TernaryOp) -> nodes.TernaryOp:
    """Return the node of `a ? a : b` for `a ?: b`; `a` is evaluated once, here."""
    ctype, tree = conversions.scalar_rvalue(ctx, node.cond)
    condition = Held(Value(ctype, ctx.save(tree)), node.cond.coord)
    return nodes.TernaryOp(condition, condition, node.iffalse, node.coord)


def _deliver(ctx: Context, target: il.Expr, ctype: types.CType, value: Value) -> None:
    if isinstance(ctype, types.Complex):
        complex_numbers.store(ctx, target, complex_numbers.converted(ctype, value))
    elif types.is_scalar(ctype) and value.tree is not None:
        ctx.emit(il.Store(target, conversions.to_type(ctx, ctype, value.tree), ctx.line))
    elif value.address is not None:
        conversions.copy(ctx, target, value.address, ctype)


def _known_conditional(ctx: Context, node: nodes.TernaryOp, iftrue: nodes.Expression, known: bool) -> Value:
    """Lower the operand that is chosen, and the other one only for its type; neither twice."""
    with ctx.scratch(unevaluated=True):
        other = conversions.rvalue(ctx, node.iffalse if known else iftrue)
    value = conversions.rvalue(ctx, iftrue if known else node.iffalse)
    with ctx.scratch(unevaluated=True):
        ctype = _conditional_type(ctx, *((value, other) if known else (other, value)), node)
    if isinstance(ctype, types.Complex):
        return complex_numbers.converted(ctype, value)
    if types.is_scalar(ctype) and value.tree is not None:
        return Value(ctype, conversions.to_type(ctx, ctype, value.tree))
    return Value(ctype, None, value.address)


def _conditional_type(ctx: Context, yes: Value, no: Value, node: nodes.Node) -> types.CType:
    a, b = types.unqualified(yes.type), types.unqualified(no.type)
    if isinstance(a, types.Arithmetic) and isinstance(b, types.Arithmetic):
        return ctx.types.usual(a, b)
    if isinstance(a, types.Arithmetic | types.Complex) and isinstance(b, types.Arithmetic | types.Complex):
        return types.Complex(ctx.types.usual(complex_numbers.part_type(a), complex_numbers.part_type(b)))
    if isinstance(a, types.Vector) and a == b:
        return a
    if isinstance(a, types.Void) or isinstance(b, types.Void):
        return ctx.types.void
    if isinstance(a, types.Record) and isinstance(b, types.Record) and a.tag is b.tag:
        return a
    if isinstance(a, types.Pointer) and isinstance(b, types.Pointer):
        return _conditional_pointer(ctx, yes, no, a, b, node)
    for pointer, other in ((a, no), (b, yes)):
        if isinstance(pointer, types.Pointer) and isinstance(other.type, types.Arithmetic) and not other.type.is_float:
            if not is_null_constant(other):
                ctx.report.warning(node.coord, "conversion-mismatch:side")
            return pointer
    ctx.report.fail(node.coord, f"type mismatch in conditional expression (have '{a}' and '{b}')")


def _conditional_pointer(
    ctx: Context, yes: Value, no: Value, a: types.Pointer, b: types.Pointer, node: nodes.Node
) -> types.Pointer:
    if is_null_constant(no) and not has_null_type(a):
        return a
    if is_null_constant(yes):
        return b
    union = conversions.pointer_union(ctx, a, b)
    if union is None:
        ctx.report.warning(node.coord, "conversion-mismatch:sides")
        return ctx.types.pointer(ctx.types.void)
    if compatible(types.unqualified(a.target), types.unqualified(b.target)):
        merged = composite(a, b)
        assert isinstance(merged, types.Pointer)
        if merged.target.const == union.target.const and merged.target.volatile == union.target.volatile:
            return merged
    return union
