"""Walk over the trees of the intermediate language."""

from __future__ import annotations

from vpo import il


def walk(expression: il.Expr) -> list[il.Expr]:
    """Return an expression and all expressions below it, parents first."""
    nodes = [expression]
    right: list[il.Expr] = []  # operands that come later
    node = expression
    while True:
        kind = type(node)
        if kind is il.Load:
            node = node.address  # type: ignore[union-attr]
        elif kind is il.Binary or kind is il.Compare:
            right.append(node.right)  # type: ignore[union-attr]
            node = node.left  # type: ignore[union-attr]
        elif kind is il.Unary or kind is il.Convert:
            node = node.operand  # type: ignore[union-attr]
        elif right:
            node = right.pop()
        else:
            return nodes
        nodes.append(node)


def children(node: il.Expr) -> list[il.Expr]:
    """Return the operands of an expression."""
    kind = type(node)
    if kind is il.Load:
        return [node.address]  # type: ignore[union-attr]
    if kind is il.Unary or kind is il.Convert:
        return [node.operand]  # type: ignore[union-attr]
    if kind is il.Binary or kind is il.Compare:
        return [node.left, node.right]  # type: ignore[union-attr]
    return []


def expressions_of(statement: il.Statement) -> list[il.Expr]:
    """Return the expression trees of a statement."""
    if type(statement) is il.Store:  # the most frequent ones first
        return [statement.address, statement.value]
    if type(statement) is il.Label or type(statement) is il.Jump:
        return []
    if type(statement) is il.Branch:
        return [statement.left, statement.right]
    match statement:
        case il.Copy(target=target, source=source):
            return [target, source]
        case il.Call(function=function, arguments=arguments):
            return [function, *(a.address if isinstance(a, il.Block) else a for a in arguments)]
        case il.Syscall(number=number, arguments=arguments):
            return [number, *arguments]
        case il.Instruction(arguments=arguments):
            return list(arguments)
        case il.VaStart(address=address) | il.VaArg(address=address):
            return [address]
        case il.Switch(value=value):
            return [value]
        case il.Return(value=value):
            return [] if value is None else [value.address if isinstance(value, il.Block) else value]
    return []


def reachable(unit: il.Unit) -> set[str]:
    """Return the names that other units can reach: what is not static, and what that refers to."""
    functions = {function.name: function for function in unit.functions}
    data = {item.name: item for item in unit.data}
    work = [item.name for items in (unit.functions, unit.data) for item in items if not item.static]
    found = set(work)
    while work:
        name = work.pop()
        named: list[str] = []
        if name in functions:
            for statement in functions[name].body:
                for tree in expressions_of(statement):
                    named += [node.name for node in walk(tree) if type(node) is il.AddrGlobal]
        if name in data:
            named += [item.symbol for item in data[name].items if isinstance(item, il.AddressItem)]
        new = {other for other in named if other not in found}
        found |= new
        work += new
    return found
