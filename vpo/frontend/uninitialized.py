"""Variables that are read where nothing was stored in them, on every path or on some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Protocol

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.feasible_paths import Graph, PathSearch
from vpo.il_traversal import children, expressions_of

OF_READS = frozenset(("uninitialized", "maybe-uninitialized"))  # flags


class Flow(Graph, Protocol):
    """The statements of a function, and those of them that control can reach."""

    reached: set[int]


def check_reads(ctx: Context, flow: Flow) -> None:
    """Warn of variables that are read where nothing may have been stored in them."""
    state = ctx.state
    declared = {id(symbol.local) for symbol in state.entered if symbol.local is not None and not symbol.is_dynamic}
    tracked = [local for local in state.locals if id(local) in declared and local.type is not None and not local.volatile]
    reads: dict[int, list[il.Local]] = defaultdict(list)
    stores: dict[int, il.Local] = {}
    in_memory: set[il.Local] = set()
    for at, statement in enumerate(flow.body):
        for local, how in _accesses(statement):
            if how == "store":
                stores[at] = local
            elif how == "read":
                reads[at].append(local)
            else:
                in_memory.add(local)
    bits = {local: 1 << number for number, local in enumerate(tracked) if local not in in_memory}
    reads = {at: found for at, locals_ in reads.items() if (found := [local for local in locals_ if local in bits])}
    stored = {at: bits.get(local, 0) for at, local in stores.items()}
    some, every = _stored_before(flow, stored, on_all=False), _stored_before(flow, stored, on_all=True)
    search: PathSearch | None = None
    for at in sorted(reads.keys() & some.keys()):
        for local in reads[at]:
            if local not in bits or every[at] & bits[local]:
                continue
            if not some[at] & bits[local] and not _is_avoidable(flow, at):
                _report_read(ctx, local, flow.body[at], is_certain=True)
                del bits[local]  # is said once
            elif "maybe-uninitialized" in ctx.report.wanted:
                search = search or PathSearch(flow, in_memory)
                if search.reaches(at, {place for place, other in stores.items() if other is local}):
                    _report_read(ctx, local, flow.body[at], is_certain=False)
                    del bits[local]


def _stored_before(flow: Flow, stores: dict[int, int], on_all: bool) -> dict[int, int]:
    """Return, by position, the variables that were stored to before, as bits: on all paths, or on some."""
    before = {0: 0}
    work = [0]
    while work:
        at = work.pop()
        behind = before[at] | stores.get(at, 0)
        for successor in flow.after(at):
            old = before.get(successor)
            new = behind if old is None else old & behind if on_all else old | behind
            if new != old:
                before[successor] = new
                work.append(successor)
    return before


def _is_avoidable(flow: Flow, target: int) -> bool:
    """Return whether control may come to an end of the function without passing a position."""
    seen, work = {target}, [0]
    while work:
        at = work.pop()
        if at in seen:
            continue
        seen.add(at)
        successors = list(flow.after(at))
        if not successors:
            return True
        work += successors
    return False


def _report_read(ctx: Context, local: il.Local, statement: il.Statement, is_certain: bool) -> None:
    line = getattr(statement, "line", 0)
    places: list[Any] = [coord for mentioned, coord in ctx.state.mentions if mentioned is local]
    place = next((coord for coord in reversed(places) if coord.line == line), places[0] if places else None)
    if place is None:
        return
    if is_certain:
        ctx.report.warning(place, "uninitialized", f"'{local.name}' is used uninitialized")
    else:
        ctx.report.warning(place, "maybe-uninitialized", f"'{local.name}' may be used uninitialized")


def _is_of_itself(store: il.Store) -> bool:
    """Return whether a statement is `x = x`: as an initialiser it says that no warning is wanted."""
    match store:
        case il.Store(address=il.AddrLocal(local=local), value=il.Load(address=il.AddrLocal(local=other))):
            return local is other
    return False


def _accesses(statement: il.Statement) -> Iterator[tuple[il.Local, str]]:
    """Yield the locals that a statement reads, stores to as a whole, or takes the address of."""
    work = expressions_of(statement)
    if isinstance(statement, il.Store) and isinstance(statement.address, il.AddrLocal):
        yield statement.address.local, "store"
        work = [] if _is_of_itself(statement) else [statement.value]
    elif isinstance(statement, il.Call | il.Syscall | il.VaArg) and statement.result is not None:
        yield statement.result, "store"
    while work:
        node = work.pop()
        if isinstance(node, il.Load) and isinstance(node.address, il.AddrLocal) and not node.address.offset:
            yield node.address.local, "read"
        elif isinstance(node, il.AddrLocal):
            yield node.local, "address"
        else:
            work += children(node)
