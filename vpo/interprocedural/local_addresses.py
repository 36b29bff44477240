"""Pointers to objects that are set once: the address goes where the pointer is read, and a local may need no memory.

int x, *p = &x; *p = 1; return *p + 1;   =>   x = 1; return x + 1;
"""

from __future__ import annotations

from collections import Counter

from vpo import il
from vpo.il_locals import exposed_locals, is_whole
from vpo.interprocedural.rewriting import Rewriter, without_unreachable


def propagate_addresses(function: il.Function) -> bool:
    """Put the addresses of objects in the places of pointers that only ever hold them; returns whether there were any."""
    changed = False
    while values := _known(function):
        rewriter = Rewriter(values)
        kept = [statement for statement in function.body if _set_by(statement) not in values]
        function.body = without_unreachable([copy for statement in kept for copy in rewriter.statement(statement)])
        function.locals = [local for local in function.locals if id(local) not in values]
        changed = True
    return changed


def _known(function: il.Function) -> dict[int, il.Expr]:
    """Return the addresses that pointers hold from their only assignment on, by the pointer's id."""
    found: dict[int, il.Expr] = {
        id(statement.address.local): statement.value
        for statement in function.body
        if isinstance(statement, il.Store)
        and isinstance(statement.address, il.AddrLocal)
        and isinstance(statement.value, il.AddrLocal | il.AddrGlobal)
        and is_whole(statement.address, statement.value.type)
    }
    if not found:
        return found
    counts = Counter(map(_set_by, function.body))
    parameters = {id(parameter) for parameter in function.parameters}
    unknown = exposed_locals(function.body) | parameters
    volatile = {id(local) for local in function.locals if local.volatile}
    return {name: value for name, value in found.items() if counts[name] == 1 and name not in unknown | volatile}


def _set_by(statement: il.Statement) -> int:
    """Return the id of the local that a statement sets by its name; 0 if it sets none."""
    match statement:
        case il.Store(address=il.AddrLocal(local=local)) | il.Copy(target=il.AddrLocal(local=local)):
            return id(local)
        case il.Call(result=il.Local() as result) | il.Syscall(result=result) | il.VaArg(result=result):
            return id(result)
    return 0
