"""Warnings from the control flow of a function: ends without a value, cases that fall through, reads before any store."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Protocol

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.cpp.directives import read
from vpo.frontend.types.types import Func, Void
from vpo.frontend.warnings.feasible_paths import Graph, PathSearch
from vpo.il.traversal import children, expressions_of, walk

# ----------------------------------------------------------------------------------------------------------------------
# Pointers to what is gone: used behind a `free` where control always gets, or returned though they point to locals.


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



# ----------------------------------------------------------------------------------------------------------------------
# Variables that are read where nothing was stored in them, on every path or on some.


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



# ----------------------------------------------------------------------------------------------------------------------


FLAGS = frozenset(("return-type", "implicit-fallthrough", "use-after-free")) | OF_READS
_NO_RETURN = frozenset(
    ("exit", "abort", "_Exit", "_exit", "longjmp", "siglongjmp", "quick_exit", "thrd_exit", "__assert_fail")
)
_SAID = re.compile(r"fall[\s_-]*(s|ing)?[\s_-]*thr(ough|u)|else.*fall|case.*fall", re.IGNORECASE)
_COMMENT = re.compile(r"\s*($|/[*/]|\*)")
MAX_STATEMENTS = 20_000  # of a function that is looked at


class _Flow:
    """The statements of a function that control can reach, and the order in which it does."""

    def __init__(self, body: list[il.Statement], no_return: frozenset[str], unreachable: set[str]) -> None:
        self.body, self._no_return, self._unreachable = body, no_return, unreachable
        self._labels = {statement.name: at for at, statement in enumerate(body) if isinstance(statement, il.Label)}
        self.reached: set[int] = set()
        work = [0]
        while work:
            at = work.pop()
            if at not in self.reached:
                self.reached.add(at)
                work += self.after(at)

    def position(self, label: str) -> int:
        """Return where a label stands."""
        return self._labels[label]

    def after(self, at: int) -> Iterator[int]:
        """Yield the positions where control may go from one; the end of the function is one."""
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


def check_flow(ctx: Context, node: Any, ctype: Func) -> None:
    """Warn about the function just lowered, whose end is not closed by a return yet."""
    body = ctx.state.body
    is_asked = bool(ctx.state.suspected) or not FLAGS.isdisjoint(ctx.report.wanted)
    if not is_asked or ctx.report.errors or ctx.state.computed or len(body) > MAX_STATEMENTS:
        return
    no_return = _NO_RETURN | ctx.noted["noreturn"].keys()
    flow = _Flow(body, no_return, ctx.state.unreachable)
    ends = not isinstance(ctype.result, Void) and len(body) in flow.reached
    if ends and ctx.state.name != "main":
        message = f"control reaches end of non-void function '{ctx.state.name}'"
        ctx.report.warning(node.decl.coord, "return-type", message)
    _check_cases(ctx, flow)
    if not OF_READS.isdisjoint(ctx.report.wanted):
        check_reads(ctx, _Flow(body, no_return | ctx.never_return, ctx.state.unreachable) if ctx.never_return else flow)
    for at, coord, flag, message in ctx.state.suspected:
        if at in flow.reached:
            ctx.report.warning(coord, flag, message)
    if "use-after-free" in ctx.report.wanted:
        check_freed(ctx, body)
        check_returned_pointers(ctx, body)
    if len(body) not in flow.reached and not any(isinstance(body[at], il.Return) for at in flow.reached):
        ctx.never_return.add(ctx.state.name)


# ----------------------------------------------------------------------------------------------------- cases


def _check_cases(ctx: Context, flow: _Flow) -> None:
    """Warn of cases that control enters from the statement before."""
    labels = ctx.state.case_labels
    for at, statement in enumerate(flow.body if "implicit-fallthrough" in ctx.report.wanted else ()):
        if not isinstance(statement, il.Label) or statement.name not in labels:
            continue
        coord, before = labels[statement.name]
        if _falls(flow, at, labels) and not _is_said(coord):
            ctx.report.warning(before or coord, "implicit-fallthrough", "this statement may fall through", (coord, "here"))


def _falls(flow: _Flow, at: int, labels: dict[str, Any]) -> bool:
    """True if control enters a case from a statement before it, and not only to leave the switch."""
    before, behind = flow.body[at - 1], at
    if isinstance(before, il.Switch | il.Jump) or (isinstance(before, il.Label) and before.name in labels):
        return False
    if isinstance(before, il.Branch) and flow.position(before.label) > at:  # the case stands in an if
        return False
    while behind < len(flow.body) and isinstance(flow.body[behind], il.Label):
        behind += 1
    if behind == len(flow.body) or isinstance(flow.body[behind], il.Jump | il.Return):
        return False
    return at - 1 in flow.reached and at in flow.after(at - 1)


def _is_said(coord: Any) -> bool:
    """True if a comment or attribute before a case says that control falls into it."""
    try:
        lines = read(coord.file).split("\n")[: coord.line]
    except OSError:
        return False
    before = [lines.pop()[: coord.column - 1]] if len(lines) == coord.line else []
    while lines and _COMMENT.match(before[-1] if before else ""):
        before.append(lines.pop())
    return any(map(_SAID.search, before))
