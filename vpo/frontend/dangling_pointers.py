"""Pointers to what is gone: used behind a `free` where control always gets, or returned though they point to locals."""

from __future__ import annotations

from collections.abc import Iterator

from vpo import il
from vpo.frontend.context import Context
from vpo.il_traversal import expressions_of, walk

_FREES = frozenset(("free", "realloc"))


def check_freed(ctx: Context, body: list[il.Statement]) -> None:
    """Warn of local pointers that the statements behind a `free` read through or pass on; comparing them is no use."""
    if any(name in ctx.externals and ctx.externals[name].defined for name in _FREES):
        return
    frees = [(at, freed) for at, statement in enumerate(body) if (freed := _freed(statement)) is not None]
    in_memory = {node.local for statement in body for node in _addresses(statement)} if frees else set()
    for at, freed in frees:
        if freed in in_memory:  # what is called may change it
            continue
        for behind in body[at + 1 :]:
            if freed in _used(behind):
                _report(ctx, freed, behind, "use-after-free", f"pointer '{freed.name}' used after 'free'")
                break
            if isinstance(behind, il.Label | il.Jump | il.Branch | il.Switch | il.Return) or _sets(behind, freed):
                break


def _freed(statement: il.Statement) -> il.Local | None:
    """Return the local pointer that a statement frees."""
    match statement:
        case il.Call(function=il.AddrGlobal(name="free"), arguments=[il.Load(address=il.AddrLocal(local=local, offset=0))]):
            return local if local.type is not None and not local.volatile else None
    return None


def _sets(statement: il.Statement, local: il.Local) -> bool:
    """Return whether a statement changes a local."""
    match statement:
        case il.Store(address=il.AddrLocal(local=target)):
            return target is local
        case il.Call(result=target) | il.VaArg(result=target):
            return target is local
    return False


def _addresses(statement: il.Statement) -> Iterator[il.AddrLocal]:
    """Yield the addresses of locals in a statement that are not those of loads and stores."""
    trees = expressions_of(statement)
    if isinstance(statement, il.Store) and isinstance(statement.address, il.AddrLocal):
        trees = [statement.value]
    for tree in trees:
        nodes = walk(tree)
        loaded = {id(node.address) for node in nodes if isinstance(node, il.Load)}
        yield from (node for node in nodes if isinstance(node, il.AddrLocal) and id(node) not in loaded)


def _used(statement: il.Statement) -> set[il.Local]:
    """Return the pointers that a statement reads or writes through, or passes to a function."""
    found: set[il.Local] = set()
    trees = expressions_of(statement)
    addresses = [node.address for tree in trees for node in walk(tree) if isinstance(node, il.Load)]
    match statement:
        case il.Store(address=address):
            addresses.append(address)
        case il.Copy(target=target, source=source):
            addresses += [target, source]
        case il.Return(value=il.Load() as value):
            addresses.append(value)
        case il.Call(arguments=arguments):
            addresses += [a for a in arguments if not isinstance(a, il.Block)]
    for address in addresses:
        for node in walk(address):
            if isinstance(node, il.Load) and isinstance(node.address, il.AddrLocal) and node.type.kind == "P":
                found.add(node.address.local)
    return found


def _report(ctx: Context, local: il.Local, statement: il.Statement, flag: str, message: str) -> None:
    """Warn of a local where it is mentioned last on the line of a statement."""
    line = getattr(statement, "line", 0)
    places = [coord for mentioned, coord in ctx.state.mentions if mentioned is local and coord.line == line]
    if places:
        ctx.report.warning(places[-1], flag, message)


def check_returned_pointers(ctx: Context, body: list[il.Statement]) -> None:
    """Warn of a return of a local pointer in which only addresses of locals are ever stored."""
    returned = [(statement, statement.value.address.local) for statement in body if isinstance(statement, il.Return)
                and isinstance(statement.value, il.Load) and isinstance(statement.value.address, il.AddrLocal)]  # fmt: skip
    if not returned:
        return
    declared = {symbol.local for symbol in ctx.state.entered if not symbol.is_dynamic} & set(ctx.state.locals)  # no parameters
    in_memory = {node.local for statement in body for node in _addresses(statement)}
    stored: dict[il.Local, list[bool]] = {}
    for statement in body:
        match statement:
            case il.Store(address=il.AddrLocal(local=local), value=value):
                stored.setdefault(local, []).append(isinstance(value, il.AddrLocal))
            case il.Call(result=il.Local() as local) | il.VaArg(result=local):
                stored.setdefault(local, []).append(False)
    for statement, local in returned:
        if local in declared and local not in in_memory and stored.get(local) and all(stored[local]):
            _report(ctx, local, statement, "return-local-addr", "function returns address of local variable")
