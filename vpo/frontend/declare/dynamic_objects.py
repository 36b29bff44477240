"""Objects whose size is known when control reaches them: arrays of variable length, and what alloca gives.

They lie on a stack of their own, which functions of the library keep (`rt_dynamic.c`), so frames have one size.  A block
that declares such an array gives back what was allocated since, and so does a function that allocates anything.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import trees
from vpo.frontend.scope import Scope
from vpo.frontend.types.types import VariableArray, is_empty, is_in_memory

ALLOCATE, TOP, RELEASE = "__dynamic_allocate", "__dynamic_top", "__dynamic_release"


def _call(ctx: Context, name: str, arguments: tuple[il.Expr, ...], result: il.Local | None) -> il.Call:
    return il.Call(il.AddrGlobal(ctx.types.address, name), arguments, result, ctx.line)


def allocate(ctx: Context, size: il.Expr) -> il.Local:
    """Emit the allocation of some bytes until the function returns; the local has their address.

    The blocks around it do not give back what they allocate either, since they would give back this, too.
    """
    scope: Scope | None = ctx.scope
    while scope is not None:
        scope.keeps_dynamic, scope = True, scope.parent
    return _allocated(ctx, size)


def _allocated(ctx: Context, size: il.Expr) -> il.Local:
    pointer = ctx.temporary(ctx.types.address)
    ctx.state.is_dynamic = True
    ctx.emit(_call(ctx, ALLOCATE, (size,), pointer))
    return pointer


def variable_array(ctx: Context, ctype: VariableArray) -> il.Local:
    """Emit the allocation of an array until its block ends; the local has its address."""
    if ctx.scope.dynamic is None:
        ctx.scope.dynamic = ctx.temporary(ctx.types.address)
        ctx.emit(_call(ctx, TOP, (), ctx.scope.dynamic))
    return _allocated(ctx, ctx.size_of(ctype))


def clear(ctx: Context, local: il.Local, ctype: VariableArray) -> None:
    """Emit the setting to zero of an array that was allocated (`= {}` of C23)."""
    zero = trees.constant(ctx.types.int_.il, 0)
    ctx.emit(_call(ctx, "memset", (ctx.load_local(local), zero, ctx.size_of(ctype)), None))


def leave_scopes(ctx: Context, outer: Scope | None) -> None:
    """Emit the release of what the scopes within an outer one have allocated, before control leaves them."""
    mark, scope = None, ctx.scope
    while scope is not outer and scope.parent is not None:
        mark, scope = _given_back(scope) or mark, scope.parent
    if mark is not None:
        ctx.emit(_call(ctx, RELEASE, (ctx.load_local(mark),), None))


def _given_back(scope: Scope) -> il.Local | None:
    """Return what tells where the arrays begin that a scope gives back."""
    return None if scope.keeps_dynamic else scope.dynamic


def marks(scope: Scope | None) -> list[il.Local]:
    """Return what tells where the arrays of a scope and of those around it begin, of the innermost first."""
    found: list[il.Local] = []
    while scope is not None:
        if scope.dynamic is not None:
            found.append(scope.dynamic)
        scope = scope.parent
    return found


def jump_back(ctx: Context, kept: list[il.Local]) -> None:
    """Emit the release of all arrays but those that begin at `kept` marks."""
    scope: Scope | None = ctx.scope
    first = None
    while scope is not None:
        mark = _given_back(scope)
        first = mark if mark is not None and mark not in kept else first
        scope = scope.parent
    if first is not None:
        ctx.emit(_call(ctx, RELEASE, (ctx.load_local(first),), None))


def finish_dynamic(ctx: Context) -> None:
    """Let a function that has allocated anything give it back before it returns."""
    state = ctx.state
    if not state.is_dynamic:
        return
    mark, lowered = ctx.temporary(ctx.types.address), state.body
    state.body = []
    ctx.emit(_call(ctx, TOP, (), mark))
    for statement in lowered:
        if isinstance(statement, il.Return):
            statement = il.Return(kept(ctx, statement.value), statement.line)
            ctx.emit(_call(ctx, RELEASE, (ctx.load_local(mark),), None))
        ctx.emit(statement)


def kept(ctx: Context, value: il.Expr | il.Block | None) -> il.Expr | il.Block | None:
    """Return a result that the release does not change."""
    result = ctx.state.result
    if isinstance(value, il.Block) and is_in_memory(result) and not is_empty(result):
        address = ctx.address_of(ctx.aggregate_temporary(result))
        ctx.emit(il.Copy(address, value.address, value.size, value.align, ctx.line))
        return il.Block(address, value.size, value.align, value.scalars)
    return value if value is None or isinstance(value, il.Block) else ctx.save(value)
