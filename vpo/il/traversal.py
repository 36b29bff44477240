"""Walk over the trees of the intermediate language."""

from __future__ import annotations

from vpo.il import (
    AddressItem,
    AddrGlobal,
    Binary,
    Block,
    Branch,
    Call,
    Compare,
    Convert,
    Copy,
    Expr,
    Load,
    Return,
    Statement,
    Store,
    Switch,
    Syscall,
    Unary,
    Unit,
    VaArg,
    VaStart,
)


def walk(expression: Expr) -> list[Expr]:
    """Return an expression and all expressions below it, parents first."""
    nodes: list[Expr] = []
    work = [expression]
    while work:
        node = work.pop()
        nodes.append(node)
        kind = type(node)
        if kind is Load:
            work.append(node.address)  # type: ignore[union-attr]
        elif kind is Binary or kind is Compare:
            work.append(node.right)  # type: ignore[union-attr]
            work.append(node.left)  # type: ignore[union-attr]
        elif kind is Unary or kind is Convert:
            work.append(node.operand)  # type: ignore[union-attr]
    return nodes


def children(node: Expr) -> list[Expr]:
    """Return the operands of an expression."""
    kind = type(node)
    if kind is Load:
        return [node.address]  # type: ignore[union-attr]
    if kind is Unary or kind is Convert:
        return [node.operand]  # type: ignore[union-attr]
    if kind is Binary or kind is Compare:
        return [node.left, node.right]  # type: ignore[union-attr]
    return []


def expressions_of(statement: Statement) -> list[Expr]:
    """Return the expression trees of a statement."""
    match statement:
        case Store(address=address, value=value):
            return [address, value]
        case Copy(target=target, source=source):
            return [target, source]
        case Call(function=function, arguments=arguments):
            return [function, *(a.address if isinstance(a, Block) else a for a in arguments)]
        case Syscall(number=number, arguments=arguments):
            return [number, *arguments]
        case VaStart(address=address) | VaArg(address=address):
            return [address]
        case Branch(left=left, right=right):
            return [left, right]
        case Switch(value=value):
            return [value]
        case Return(value=value):
            return [] if value is None else [value.address if isinstance(value, Block) else value]
    return []


def reachable(unit: Unit) -> set[str]:
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
                trees = expressions_of(statement)
                named += [node.name for tree in trees for node in walk(tree) if isinstance(node, AddrGlobal)]
        if name in data:
            named += [item.symbol for item in data[name].items if isinstance(item, AddressItem)]
        new = {other for other in named if other not in found}
        found |= new
        work += new
    return found
