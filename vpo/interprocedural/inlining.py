"""Calls replaced by the bodies of their callees, where that is estimated to pay.

Callees are finished before their callers, so that bodies are copied when they have become what they stay; a call in a cycle
of the call graph whose callee is not finished yet remains.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from vpo import il
from vpo.il_contexts import returns_twice
from vpo.il_locals import locals_used
from vpo.il_traversal import reachable
from vpo.interprocedural.matching import callee_name, matches
from vpo.interprocedural.rewriting import without_unreachable
from vpo.interprocedural.size import body_size, statement_size
from vpo.interprocedural.splicing import Splicer
from vpo.interprocedural.symbol_references import bottom_up, loop_depths, references_of, references_of_unit
from vpo.line_profile import LineProfile

CONSTANT = 2  # operations that an argument which is constant is expected to save
NONE: Mapping[str, il.Function] = {}
DEEPEST = 2  # loops around a call that make it worth more
OFTEN = (100, 10_000, 1_000_000)  # so many times is the most frequent line executed for calls that are worth 3, 2, 1
WISHED = 2  # what the word `inline` is worth, in such loops
LARGE = 1000  # operations of a caller that inlining must not exceed, as long functions take too long to compile
LARGE_FRAME = 512  # bytes of aggregates of a callee, which would lie in the frames of its callers all the time


def inline_calls(
    unit: il.Unit,
    pointer: il.Type,
    limit: int,
    kept: Collection[str],
    others: Mapping[str, il.Function] = NONE,
    profile: LineProfile | None = None,
) -> None:
    """Inline calls that grow their caller by at most `limit` operations, and static functions that are called once.

    `others` are shareable functions of other units, which are finished.  A `profile` of an earlier run tells which calls
    matter.
    """
    _Inliner(unit, pointer, limit, kept, others, profile).run()


def is_shareable(function: il.Function, unit: il.Unit) -> bool:
    """Return whether a function's body would mean the same in another unit."""
    return not function.static and not references_of(function.body).keys() & _static_names(unit)


def _static_names(unit: il.Unit) -> set[str]:
    return {item.name for items in (unit.functions, unit.data) for item in items if item.static}


class _Inliner:
    """Inlines the calls of a unit; `references` are those that remain."""

    def __init__(
        self,
        unit: il.Unit,
        pointer: il.Type,
        limit: int,
        kept: Collection[str],
        others: Mapping[str, il.Function],
        profile: LineProfile | None,
    ) -> None:
        self.pointer, self.limit, self.profile = pointer, limit, profile
        wanted = reachable(unit)
        own = {function.name: function for function in unit.functions}
        self.functions = {name: function for name, function in own.items() if name in wanted}
        static = _static_names(unit)
        others = {name: function for name, function in others.items()
                  if name not in own and name not in static and not references_of(function.body).keys() & static}  # fmt: skip
        self.callees = {**others, **self.functions}
        self.references = references_of_unit(unit)
        # functions whose calls are decided, and their sizes
        self.finished = {name: body_size(function.body) for name, function in others.items()}
        self.never = {name for name, function in self.callees.items() if name in kept or _is_bound(function)}

    def run(self) -> None:
        """Decide all calls, callees before callers."""
        for function in bottom_up(self.functions):
            if not returns_twice(function):  # its locals, and those of what it were to contain, are in memory
                _Caller(self, function).run()
            self.finished[function.name] = body_size(function.body)

    def callee(self, call: il.Call) -> il.Function | None:
        """Return the function that a call could be replaced by."""
        function = self.callees.get(callee_name(call) or "")
        if function is None or function.name not in self.finished or function.name in self.never:
            return None
        return function if matches(call, function) and not _calls_itself(function) else None

    def is_only_call(self, function: il.Function) -> bool:
        """Return whether a function disappears when one call of it is inlined."""
        return function.static and self.references[function.name] == 1


class _Caller:
    """Inlines the calls of one function."""

    def __init__(self, inliner: _Inliner, function: il.Function) -> None:
        self.inliner, self.function = inliner, function
        self.size = body_size(function.body)
        self.splicer = Splicer(function, inliner.pointer)

    def run(self) -> None:
        """Replace the function's body if a call is inlined, and forget the locals that are not used any more."""
        function = self.function
        body = self._inlined(function.body, 0, ())
        if body == function.body:
            return
        function.body = without_unreachable(body)
        used = locals_used(function.body)
        function.locals = [local for local in function.locals if id(local) in used]

    def _inlined(self, body: list[il.Statement], depth: int, active: tuple[str, ...]) -> list[il.Statement]:
        """Return a body with calls inlined; `active` are the functions whose bodies this one is in."""
        result: list[il.Statement] = []
        for statement, loops in zip(body, loop_depths(body), strict=True):
            callee = self.inliner.callee(statement) if isinstance(statement, il.Call) else None
            if callee is None or callee.name in active or not self._pays(statement, callee, depth + loops):
                result.append(statement)
                continue
            assert isinstance(statement, il.Call)
            copy = without_unreachable(self.splicer.body(statement, callee))
            self.size += body_size(copy) - statement_size(statement)
            self.inliner.references[callee.name] -= 1
            self.inliner.references += references_of(copy)
            if callee.static and not self.inliner.references[callee.name]:
                self.inliner.references -= references_of(callee.body)
            result += self._inlined(copy, depth + loops, (*active, callee.name))
        return result

    def _pays(self, call: il.Statement, callee: il.Function, depth: int) -> bool:
        """Return whether a call is worth its callee's body."""
        assert isinstance(call, il.Call)
        size = self.inliner.finished[callee.name]
        if self.size + size > LARGE and self.size > self.inliner.limit:
            return False
        if _frame_size(callee) > LARGE_FRAME:
            return False
        if self.inliner.is_only_call(callee):
            return True
        constants = sum(isinstance(argument, il.Const | il.AddrGlobal) for argument in call.arguments)
        often = self._often(call)
        worth = 1 + min(depth, DEEPEST) if often is None else often
        return size - statement_size(call) - CONSTANT * constants <= self.inliner.limit * (worth + WISHED * callee.inline)

    def _often(self, call: il.Call) -> int | None:
        """Return what a call is worth by a profile, as much as one in loops if it is frequent; None if nothing is known."""
        profile = self.inliner.profile
        times = profile.times(self.function.file, call.line) if profile is not None else None
        if profile is None or times is None:
            return None
        return sum(times * share >= profile.most for share in OFTEN) if times else 0


def _is_bound(function: il.Function) -> bool:
    """Return whether a function's body means something only in the function, or shall stay there."""
    takes_arguments = any(isinstance(statement, il.VaStart) for statement in function.body)
    return function.separate or function.variadic or takes_arguments or returns_twice(function)


def _calls_itself(function: il.Function) -> bool:
    return any(isinstance(statement, il.Call) and callee_name(statement) == function.name for statement in function.body)


def _frame_size(function: il.Function) -> int:
    return sum(local.size for local in function.locals if local.type is None)
