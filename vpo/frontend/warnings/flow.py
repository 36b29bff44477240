"""Warnings from the control flow of a function: ends without a value, variables that are read before anything sets them."""

from __future__ import annotations

from collections.abc import Iterator

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.syntax.nodes import FuncDef
from vpo.frontend.types.types import Func, Void
from vpo.il.traversal import children, expressions_of
from vpo.il.uses import set_by

OF_READS = frozenset(("uninitialized", "maybe-uninitialized"))  # keys
_KEYS = OF_READS | {"return-type"}
_NO_RETURN = frozenset(
    ("exit", "abort", "_Exit", "_exit", "longjmp", "siglongjmp", "quick_exit", "thrd_exit", "__assert_fail")
)
MAX_STATEMENTS = 20_000  # of a function that is looked at


class _Flow:
    """The statements of a function, and where control goes from each; the position behind the last one is an end."""

    def __init__(self, body: list[il.Statement], no_return: frozenset[str], unreachable: set[str]) -> None:
        self.body, self._no_return, self._unreachable = body, no_return, unreachable
        self._labels = {statement.name: at for at, statement in enumerate(body) if isinstance(statement, il.Label)}
        self.before: dict[int, list[int]] = {0: []}  # by the positions that control can reach, from where it does
        work = [0]
        while work:
            at = work.pop()
            for successor in self.after(at):
                if successor not in self.before:
                    work.append(successor)
                self.before.setdefault(successor, []).append(at)

    def after(self, at: int) -> Iterator[int]:
        """Yield the positions where control may go from one."""
        if at >= len(self.body):
            return
        statement = self.body[at]
        match statement:
            case il.Jump(label=label):
                yield self._labels[label]
            case il.Switch(cases=cases, default=default):
                yield from (self._labels[label] for _, label in cases)
                yield self._labels[default]
            case il.Return():
                pass
            case il.Label(name=name) if name in self._unreachable:
                pass
            case il.Call(function=il.AddrGlobal(name=name)) if name in self._no_return:
                pass
            case il.Branch(label=label):
                yield self._labels[label]
                yield at + 1
            case _:
                yield at + 1

    def stored_before(self, stores: dict[int, int], on_all: bool) -> dict[int, int]:
        """Return, by position, the variables that were stored to before, as bits: on all paths, or on some."""
        before, work = {0: 0}, [0]
        while work:
            at = work.pop()
            behind = before[at] | stores.get(at, 0)
            for successor in self.after(at):
                old = before.get(successor)
                new = behind if old is None else old & behind if on_all else old | behind
                if new != old:
                    before[successor] = new
                    work.append(successor)
        return before

    def leading_to(self, targets: set[int], without: set[int]) -> set[int]:
        """Return the positions from which control may come to one of `targets`, without a position of another set."""
        found, work = set(targets), list(targets)
        while work:
            for at in self.before[work.pop()]:
                if at not in found and at not in without:
                    found.add(at)
                    work.append(at)
        return found

    def first(self, start: int, targets: set[int]) -> int | None:
        """Return the first of some positions to which control may come from one without another of them, if it may."""
        seen, work = {start}, [start]
        while work:
            at = work.pop()
            behind = () if at in targets else [successor for successor in self.after(at) if successor not in seen]
            seen.update(behind)
            work += behind
        return min(seen & targets, default=None)


def check_flow(ctx: Context, node: FuncDef, ctype: Func) -> None:
    """Warn about the function just lowered, whose end is not closed by a return yet."""
    body = ctx.state.body
    if _KEYS.isdisjoint(ctx.report.wanted) or ctx.report.errors or ctx.state.computed or len(body) > MAX_STATEMENTS:
        return
    no_return = _NO_RETURN | ctx.notes.by_attribute["noreturn"].keys()
    flow = _Flow(body, no_return, ctx.state.unreachable)
    ends = not isinstance(ctype.result, Void) and len(body) in flow.before
    if ends and ctx.state.name != "main":
        ctx.report.warning(node.decl.coord, "return-type", ctx.state.name)
    if not OF_READS.isdisjoint(ctx.report.wanted):
        never = ctx.notes.never_return
        _check_reads(ctx, _Flow(body, no_return | never, ctx.state.unreachable) if never else flow)
    if len(body) not in flow.before and not any(isinstance(body[at], il.Return) for at in flow.before):
        ctx.notes.never_return.add(ctx.state.name)


# ----------------------------------------------------------------------------------------------------------------------
# Variables in which nothing is stored before control surely reads them, from the beginning of the function on or behind one
# way out of a branch.  How branches depend on each other is not followed, so those behind a store on any path do not count.


def _check_reads(ctx: Context, flow: _Flow) -> None:
    """Warn of variables that are read where nothing was stored in them."""
    reads, stores = dict[il.Local, set[int]](), dict[il.Local, set[int]]()
    in_memory = set[il.Local]()
    for at in flow.before.keys() - {len(flow.body)}:
        for local, how in _accesses(flow.body[at]):
            if how == "address":
                in_memory.add(local)
            else:
                (reads if how == "read" else stores).setdefault(local, set()).add(at)
    declared = {symbol.local for symbol in ctx.state.entered if symbol.local is not None and not symbol.is_dynamic}
    tracked = [local for local in ctx.state.locals if local in declared and local in reads and local not in in_memory
               and local.type is not None and not local.volatile]  # fmt: skip
    bits = {local: 1 << number for number, local in enumerate(tracked)}
    stored: dict[int, int] = {}
    for local in tracked:
        for at in stores.get(local, ()):
            stored[at] = bits[local]
    some, every = flow.stored_before(stored, on_all=False), flow.stored_before(stored, on_all=True)
    for local in tracked:
        if any(not every[at] & bits[local] for at in reads[local]):
            unset = {at for at, before in some.items() if not before & bits[local]}
            _check_local(ctx, flow, local, reads[local], stores.get(local, set()), unset)


def _check_local(ctx: Context, flow: _Flow, local: il.Local, reads: set[int], stores: set[int], unset: set[int]) -> None:
    """Warn of a variable; `unset` are the positions before which nothing is stored in it."""
    ends = {at for at in flow.before if not any(True for _ in flow.after(at))}
    escaping = flow.leading_to((stores | ends) - reads, without=reads)
    starts = [behind for at in unset & escaping - ends for behind in flow.after(at) if behind not in escaping]
    found = [at for start in starts if (at := flow.first(start, reads)) is not None]
    if 0 not in escaping:
        _report(ctx, local, flow.body[flow.first(0, reads) or 0], is_certain=True)
    elif found:
        _report(ctx, local, flow.body[min(found)], is_certain=False)


def _report(ctx: Context, local: il.Local, statement: il.Statement, is_certain: bool) -> None:
    """Warn of a variable where it is mentioned last on the line of a statement."""
    line = getattr(statement, "line", 0)
    places = [coord for mentioned, coord in ctx.state.mentions if mentioned is local]
    place = next((coord for coord in reversed(places) if coord.line == line), places[0] if places else None)
    if place is not None:
        ctx.report.warning(place, "uninitialized" if is_certain else "maybe-uninitialized", local.name)


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
    elif not isinstance(statement, il.Store | il.Copy):
        yield from ((local, "store") for local in set_by(statement))
    while work:
        node = work.pop()
        if isinstance(node, il.Load) and isinstance(node.address, il.AddrLocal) and not node.address.offset:
            yield node.address.local, "read"
        elif isinstance(node, il.AddrLocal):
            yield node.local, "address"
        else:
            work += children(node)
