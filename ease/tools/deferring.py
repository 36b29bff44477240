"""Do after the run what only adds up, from the counts of the places of a program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import CodeType
from typing import Any

from ease.model.results import Counts
from ease.tools.analysis import Analysis, AnalysisFunction, ToolMisuse, naming_line, wrapped
from ease.tools.requests import TAKEN, Argument, Request
from vpo.analysis.cfg import Cfg, build_cfg, transfer_of
from vpo.analysis.references import references
from vpo.program import Program
from vpo.rtl import Branch, Rtl

# ----------------------------------------------------------------------------------------------------------------------
# How often control came to the places of a program, as exact counts tell.


Executions = Callable[[Counts], int]


class Places:
    """The places of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._starts = cache(lambda name: program.functions[name].block_starts())
        self._cfg: Callable[[str], Cfg] = cache(lambda name: build_cfg(program.functions[name]))

    def outcomes(self, request: Request) -> list[tuple[dict[Argument, int], Executions]]:
        """Return what is known of values and how often a call is then made: once for each way of a branch if it wants to know.

        Nothing if counts do not tell.
        """
        spot = request.spot
        if TAKEN not in request.arguments:
            executions = self._executions(request)
            return [] if executions is None else [({}, executions)]
        always, taken = self._executions(request), self._taken(spot.function, spot.block)
        assert always is not None
        return [({TAKEN: 1}, taken), ({TAKEN: 0}, lambda counts: always(counts) - taken(counts))]

    def _taken(self, name: str, number: int) -> Executions:
        return lambda counts: counts.taken[name][number]

    def _executions(self, request: Request) -> Executions | None:
        """Return how to find out how often control comes to a place."""
        spot = request.spot
        name, number = spot.function, spot.block
        block = self.program.functions[name].blocks[number]
        if not block.rtls:
            return None
        position = self._starts(name)[number]
        match spot.kind:
            case "instruction" | "reference" | "system call" if not _may_stay_away(block.rtls[spot.index], request):
                position += spot.index
            case "block" if not request.after:
                pass
            case "function" if not request.after and not self._cfg(name).predecessors[0]:
                pass
            case "edge":
                return self._edge(name, number, spot.number)
            case _:
                return None
        return lambda counts: counts.rtls[name][position]

    def _edge(self, name: str, number: int, target: int) -> Executions | None:
        """Return how to find out how often a branch goes one way."""
        function = self.program.functions[name]
        block = function.blocks[number]
        last = transfer_of(block, function.stage == "final")
        if last is None or not isinstance(last.transfer, Branch) or len(self._cfg(name).successors[number]) != 2:
            return None
        position = self._starts(name)[number] + next(n for n, rtl in enumerate(block.rtls) if rtl is last)
        if target != number + 1:
            return self._taken(name, number)
        return lambda counts: counts.rtls[name][position] - counts.taken[name][number]


def _may_stay_away(rtl: Rtl, request: Request) -> bool:
    """Return whether an instruction may be executed without a call that stands before or after it."""
    if request.spot.kind == "reference" and references(rtl)[request.spot.number].guards:
        return True
    return request.after and any((rtl.call, rtl.transfer, rtl.system_call))


# ----------------------------------------------------------------------------------------------------------------------
# Do after the run what only adds up: how often each place was executed is counted anyway.
#
# A storage is a sum if every statement of the tool that uses it adds a number to it or subtracts one.  A statement that adds
# to sums what follows from constants alone need not be in the host code: it is executed once for each call, after the run, and
# what it adds counts as often as control came to the call.


def sums(analysis: Analysis) -> frozenset[str]:
    """Return the arrays and numbers that are sums."""
    found = {*analysis.arrays, *analysis.scalars}
    for function in analysis.functions.values():
        inside = {id(node) for each in function.nodes() if isinstance(each, ast.AugAssign) for node in _target(each)}
        for node in function.nodes():
            if isinstance(node, ast.Name) and node.id not in function.locals and id(node) not in inside:
                if not _is_length(node, function):
                    found.discard(node.id)
            elif isinstance(node, ast.AugAssign) and not isinstance(node.op, ast.Add | ast.Sub):
                found -= {each.id for each in _target(node)}
    return frozenset(found)


def _target(node: ast.AugAssign) -> list[ast.Name]:
    """Return the name of what an assignment such as `+=` changes."""
    name = node.target.value if isinstance(node.target, ast.Subscript) else node.target
    return [name] if isinstance(name, ast.Name) else []


def _is_length(name: ast.Name, function: AnalysisFunction) -> bool:
    """Return whether a name stands in `len(name)`."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and name in node.args
        for node in function.nodes()
    )


def split(
    function: AnalysisFunction, added: frozenset[str], analysis: Analysis, constant: Iterable[str]
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Return the statements of a function that can wait until after the run, and the others.

    `added` are the sums; `constant` are the parameters whose values are known.
    """
    known = {*constant, *analysis.constants} - function.locals
    later: list[ast.stmt] = []
    now: list[ast.stmt] = []
    for statement in function.body:
        leaves = any(isinstance(node, ast.Return | ast.Raise) for each in now for node in ast.walk(each))
        waits = not leaves and _is_added(statement, added, known)
        (later if waits else now).append(statement)
    return later, now


def _is_added(node: ast.stmt, added: frozenset[str], known: set[str]) -> bool:
    """Return whether a statement only adds to sums what follows from constants."""
    match node:
        case ast.Pass() | ast.Global() | ast.Expr(value=ast.Constant()):
            return True
        case ast.AugAssign(op=ast.Add() | ast.Sub()):
            inner = [node.value, *([node.target.slice] if isinstance(node.target, ast.Subscript) else [])]
            return all(each.id in added for each in _target(node)) and all(_is_known(each, known) for each in inner)
        case ast.If():
            return _is_known(node.test, known) and all(_is_added(each, added, known) for each in (*node.body, *node.orelse))
    return False


def _is_known(node: ast.expr, known: set[str]) -> bool:
    """Return whether an expression follows from constants."""
    nodes = list(ast.walk(node))
    return not any(isinstance(each, ast.Call) for each in nodes) and all(
        each.id in known for each in nodes if isinstance(each, ast.Name)
    )


class _Counted:
    """Stands for an array: what is added to an element counts so many times."""

    def __init__(self, name: str, content: dict[int, int], length: int) -> None:
        self.name, self.content, self.length, self.times = name, content, length, 0

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < self.length:
            raise ToolMisuse(f"index {index} of `{self.name}`, whose length is {self.length}")
        return 0

    def __setitem__(self, index: int, value: int) -> None:
        self.content[index] = wrapped(self.content.get(index, 0) + value * self.times)


class Deferred:
    """The statements of a tool that are executed after the run; `totals` has what they add to elements of arrays."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.totals: dict[str, dict[int, int]] = {name: {} for name in (*analysis.arrays, *analysis.scalars)}
        self.arrays = {name: _Counted(name, self.totals[name], array.length) for name, array in analysis.arrays.items()}
        self.compiled: dict[tuple[str, tuple[int, ...]], CodeType] = {}

    def execute(
        self, function: AnalysisFunction, statements: Sequence[ast.stmt], given: Mapping[str, int], times: int
    ) -> None:
        """Execute statements of a function as often as control came to a call with these arguments.

        Raises UserError.
        """
        if not times:
            return
        for array in self.arrays.values():
            array.times = times
        scalars = dict.fromkeys(self.analysis.scalars, 0)
        space: dict[str, Any] = {**self.analysis.constants, **given, **self.arrays, **scalars}
        with naming_line(self.analysis.file):
            exec(self._code(function, statements), space)
        for name in scalars:
            total = self.totals[name]
            total[0] = wrapped(total.get(0, 0) + space[name] * times)

    def _code(self, function: AnalysisFunction, statements: Sequence[ast.stmt]) -> CodeType:
        key = function.name, tuple(each.lineno for each in statements)
        if key not in self.compiled:
            self.compiled[key] = compile(ast.Module([*statements], []), self.analysis.file, "exec")
        return self.compiled[key]
