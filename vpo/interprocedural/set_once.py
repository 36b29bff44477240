"""Locals that are set once, to a number or an address: that goes where they are read, and other locals may need no memory.

int x, *p = &x, n = 4; *p = 1; return *p % n;   =>   x = 1; return x % 4;
"""

from __future__ import annotations

from collections import Counter

from vpo import il
from vpo.il_locals import exposed_locals, is_whole
from vpo.interprocedural.rewriting import Rewriter, without_unreachable


def replace_set_once(function: il.Function) -> bool:
    """Put numbers and addresses in the places of locals that only ever hold them; returns whether there were any."""
    changed = False
    while values := _known(function):
        rewriter = Rewriter(values)
        kept = [statement for statement in function.body if _set_by(statement) not in values]
        function.body = without_unreachable([copy for statement in kept for copy in rewriter.statement(statement)])
        function.locals = [local for local in function.locals if id(local) not in values]
        changed = True
    return changed


def _known(function: il.Function) -> dict[int, il.Expr]:
    """Return the constants that locals hold from their only assignment on, by the local's id."""
    found: dict[int, il.Expr] = {
        id(statement.address.local): statement.value
        for statement in function.body
        if isinstance(statement, il.Store)
        and isinstance(statement.address, il.AddrLocal)
        and _is_constant(statement.value)
        and is_whole(statement.address, statement.value.type)
    }
    if not found:
        return found
    counts = Counter(map(_set_by, function.body))
    parameters = {id(parameter) for parameter in function.parameters}
    unknown = exposed_locals(function.body) | parameters
    volatile = {id(local) for local in function.locals if local.volatile}
    return {name: value for name, value in found.items() if counts[name] == 1 and name not in unknown | volatile}


def _is_constant(value: il.Expr) -> bool:
    return isinstance(value, il.AddrLocal | il.AddrGlobal) or (isinstance(value, il.Const) and not value.type.is_float)


def _set_by(statement: il.Statement) -> int:
    """Return the id of the local that a statement sets by its name; 0 if it sets none."""
    match statement:
        case il.Store(address=il.AddrLocal(local=local)) | il.Copy(target=il.AddrLocal(local=local)):
            return id(local)
        case il.Call(result=il.Local() as result) | il.Syscall(result=result) | il.VaArg(result=result):
            return id(result)
    return 0
