"""Calls replaced by the bodies of their callees, where that is estimated to pay.

Callees are finished before their callers, so that bodies are copied when they have become what they stay; a call in a cycle
of the call graph whose callee is not finished yet remains.  Small functions that call themselves get copies of their own
body, so that one activation does the work of several: those of the leaves of a tree, which return at once, say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count

from vpo import il
from vpo.analysis.frequency import LineProfile
from vpo.frontend.lower import trees
from vpo.il.traversal import reachable
from vpo.il.uses import assigned_locals, exposed_locals, is_whole, locals_used, returns_twice
from vpo.interprocedural.symbol_references import (
    body_size,
    bottom_up,
    callee_name,
    converted,
    loop_depths,
    matches,
    references_of,
    references_of_unit,
    statement_size,
)

# ----------------------------------------------------------------------------------------------------------------------
# Copies of statements with other locals, labels and lines, in which what has become constant is folded.


class Rewriter:
    """Copies expressions and statements; `values` stand for the locals, by id, that are never assigned.

    Subclasses say which locals, labels and lines copies have; here they are those of the original.
    """

    def __init__(self, values: Mapping[int, il.Expr]) -> None:
        self.values = values

    def local(self, local: il.Local) -> il.Local:
        """Return what stands for a local that is in memory or assigned."""
        return local

    def label(self, name: str) -> str:
        """Return what stands for a label."""
        return name

    def line(self, line: int) -> int:
        """Return the source line of the copy of a statement."""
        return line

    def expression(self, node: il.Expr) -> il.Expr:
        """Return the copy of an expression, which is folded where operands have changed."""
        if type(node) is il.Const or type(node) is il.AddrGlobal:
            return node
        match node:
            case il.AddrLocal(type=kind, local=local, offset=offset):
                new = self.local(local)
                return node if new is local else il.AddrLocal(kind, new, offset)
            case il.Load(type=kind, address=il.AddrLocal(local=local) as address) if id(local) in self.values:
                assert is_whole(address, kind), local.name
                return trees.convert(kind, self.values[id(local)])
            case il.Load(address=address):
                new_address = self.expression(address)
                return node if new_address is address else il.Load(node.type, new_address, node.volatile, node.effective)
            case il.Unary(operator=operator, type=kind, operand=operand):
                new_operand = self.expression(operand)
                return node if new_operand is operand else trees.unary(operator, kind, new_operand)
            case il.Convert(type=kind, operand=operand):
                new_operand = self.expression(operand)
                return node if new_operand is operand else trees.convert(kind, new_operand)
            case il.Binary(operator=operator, type=kind, left=left, right=right):
                new_left, new_right = self.expression(left), self.expression(right)
                return node if new_left is left and new_right is right else trees.binary(operator, kind, new_left, new_right)
            case il.Compare(relation=relation, type=kind, left=left, right=right):
                new_left, new_right = self.expression(left), self.expression(right)
                return node if new_left is left and new_right is right else trees.compare(relation, kind, new_left, new_right)
        return node

    def value(self, node: il.Expr | il.Block) -> il.Expr | il.Block:
        """Return the copy of an argument or result."""
        return replace(node, address=self.expression(node.address)) if isinstance(node, il.Block) else self.expression(node)

    def statement(self, node: il.Statement) -> list[il.Statement]:
        """Return the copy of a statement; a branch that always or never branches becomes a jump, or nothing."""
        if isinstance(node, il.Label):
            return [il.Label(self.label(node.name))]
        line, tree = self.line(node.line), self.expression
        match node:
            case il.Store(address=address, value=value):
                return [il.Store(tree(address), tree(value), line, node.volatile, node.effective)]
            case il.Copy(target=target, source=source):
                return [replace(node, target=tree(target), source=tree(source), line=line)]
            case il.Call(function=function, arguments=arguments, result=result):
                copied = tuple(map(self.value, arguments))
                local = None if result is None else self.local(result)
                return [replace(node, function=tree(function), arguments=copied, result=local, line=line)]
            case il.Syscall(number=number, arguments=words, result=result):
                return [il.Syscall(tree(number), tuple(map(tree, words)), self.local(result), line)]
            case il.Instruction(arguments=words, results=results):
                return [replace(node, arguments=tuple(map(tree, words)), results=tuple(map(self.local, results)), line=line)]
            case il.VaStart(address=address):
                return [il.VaStart(tree(address), line)]
            case il.VaArg(address=address, result=result):
                return [replace(node, address=tree(address), result=self.local(result), line=line)]
            case il.Jump(label=label):
                return [il.Jump(self.label(label), line)]
            case il.Branch(relation=relation, left=left, right=right, label=label):
                return _branch(il.Branch(relation, tree(left), tree(right), self.label(label), line))
            case il.Switch(value=value, cases=cases, default=default):
                arms = tuple((number, self.label(label)) for number, label in cases)
                return [_switch(il.Switch(tree(value), arms, self.label(default), line))]
            case il.Return(value=value):
                return [il.Return(None if value is None else self.value(value), line)]


def _branch(branch: il.Branch) -> list[il.Statement]:
    """Return a branch, or what it always does."""
    holds = trees.compare(branch.relation, branch.left.type, branch.left, branch.right)
    if not isinstance(holds, il.Const):
        return [branch]
    return [il.Jump(branch.label, branch.line)] if holds.value else []


def _switch(switch: il.Switch) -> il.Switch | il.Jump:
    """Return a switch, or the jump that it always is."""
    if not isinstance(switch.value, il.Const):
        return switch
    return il.Jump(dict(switch.cases).get(int(switch.value.value), switch.default), switch.line)


def without_unreachable(body: list[il.Statement]) -> list[il.Statement]:
    """Return the statements of a body, or of a part into which control comes at the beginning, that control can reach."""
    places = {statement.name: index for index, statement in enumerate(body) if isinstance(statement, il.Label)}
    reached: set[int] = set()
    work = [0]
    while work:
        index = work.pop()
        while index < len(body) and index not in reached:
            reached.add(index)
            match body[index]:
                case il.Jump(label=label):
                    index = places[label]
                    continue
                case il.Branch(label=label):
                    work.append(places[label])
                case il.Switch(cases=cases, default=default):
                    work += [places[label] for label in (default, *(label for _, label in cases))]
                    break
                case il.Return():
                    break
            index += 1
    return [statement for index, statement in enumerate(body) if index in reached]


# ----------------------------------------------------------------------------------------------------------------------
# The body of a function in the place of a call of it.


class Splicer:
    """Copies bodies of callees into one caller: with fresh locals, labels of a new suffix, and results in a local."""

    def __init__(self, caller: il.Function, pointer: il.Type) -> None:
        self.caller, self.pointer = caller, pointer
        self.exposed = exposed_locals(caller.body)
        labels = (statement.name.rpartition("_")[2] for statement in caller.body if isinstance(statement, il.Label))
        self.numbers = count(1 + max((int(suffix) for suffix in labels if suffix.isdigit()), default=0))

    def body(self, call: il.Call, callee: il.Function) -> list[il.Statement]:
        """Return statements that do what a matching call does."""
        copier = _Copier(self, call, callee)
        copied = [copy for statement in callee.body for copy in copier.statement(statement)]
        if copied and isinstance(copied[-1], il.Jump) and copied[-1].label == copier.end:
            copied.pop()
        return [*copier.parameters, *copied, il.Label(copier.end)]

    def is_steady(self, value: il.Expr) -> bool:
        """Return whether no statement of a callee can change a value, which takes no operation."""
        match value:
            case il.Const() | il.AddrGlobal() | il.AddrLocal():
                return True
            case il.Load(type=kind, address=il.AddrLocal(local=local) as address, volatile=False):
                return is_whole(address, kind) and id(local) not in self.exposed
        return False


class _Copier(Rewriter):
    """Copies one body; `parameters` are the statements that give parameters their values."""

    def __init__(self, splicer: Splicer, call: il.Call, callee: il.Function) -> None:
        super().__init__({})
        self.splicer, self.call, self.callee = splicer, call, callee
        self.number = next(splicer.numbers)
        self.end = self.label("end")
        self.locals: dict[int, il.Local] = {}
        self.exposed = exposed_locals(callee.body)
        self.same_file = splicer.caller.file == callee.file
        self.parameters = list(self._parameters())

    def _parameters(self) -> Iterable[il.Statement]:
        """Put arguments that cannot change in the places of parameters that do not; yields assignments of the others."""
        changed = self.exposed | assigned_locals(self.callee.body)
        values: dict[int, il.Expr] = {}
        for parameter, argument in zip(self.callee.parameters, self.call.arguments, strict=True):
            if isinstance(argument, il.Block):
                target = self._address(self.local(parameter))
                yield il.Copy(target, argument.address, argument.size, argument.align, self.call.line)
                continue
            value = converted(argument, parameter)
            if id(parameter) not in changed and not parameter.volatile and self.splicer.is_steady(value):
                values[id(parameter)] = value
            else:
                yield il.Store(self._address(self.local(parameter)), value, self.call.line, parameter.volatile)
        self.values = values

    def _address(self, local: il.Local) -> il.AddrLocal:
        return il.AddrLocal(self.splicer.pointer, local)

    def local(self, local: il.Local) -> il.Local:
        """Return the caller's copy of a local of the callee."""
        if id(local) not in self.locals:
            copy = il.Local(local.name, local.type, local.size, local.align, local.volatile)
            self.locals[id(local)] = copy
            self.splicer.caller.locals.append(copy)
            if id(local) in self.exposed:
                self.splicer.exposed.add(id(copy))
        return self.locals[id(local)]

    def label(self, name: str) -> str:
        """Return the caller's copy of a label of the callee."""
        return f"{name}_{self.number}"

    def line(self, line: int) -> int:
        """Return the line of a statement, that of the call if it is one of another file."""
        return line if self.same_file else self.call.line

    def statement(self, node: il.Statement) -> list[il.Statement]:
        """Return the copy of a statement; a return stores the result and goes to the end."""
        if not isinstance(node, il.Return):
            return super().statement(node)
        line = self.line(node.line)
        jump = il.Jump(self.end, line)
        result = self.call.result
        if node.value is None or result is None:
            return [jump]
        value, target = self.value(node.value), self._address(result)
        if isinstance(value, il.Block):
            return [il.Copy(target, value.address, value.size, value.align, line), jump]
        return [il.Store(target, value, line, result.volatile), jump]


# ----------------------------------------------------------------------------------------------------------------------


CONSTANT = 2  # operations that an argument which is constant is expected to save
HOPED = 2  # what constants save is a hope: so many times the limit, at most
NONE: Mapping[str, il.Function] = {}
DEEPEST = 2  # loops around a call that make it worth more
OFTEN = (100, 10_000, 1_000_000)  # so many times is the most frequent line executed for calls that are worth 3, 2, 1
WISHED = 2  # what the word `inline` is worth, in such loops
TRIED = 30  # operations that a callee may have more than its call for a copy to be tried where code is to be small
LARGE = 1000  # operations of a caller that inlining must not exceed, as long functions take too long to compile
ROOMY = 10  # a lower limit is one for small code
RECURSIVE = 8  # times the limit: operations of a function that is inlined into itself
LEVELS = 3  # of such copies where there is one call: with several, more values live across calls than that saves
LARGE_FRAME = 512  # bytes of aggregates of a callee, which would lie in the frames of its callers all the time


@dataclass(frozen=True, slots=True)
class Inlining:
    """Which calls are to be inlined: those that grow their caller by at most `limit` operations; with 0, none is.

    Calls of the functions `kept` are not.  A `profile` of an earlier run tells which calls matter; where code is to be
    `small`, none does, copies are tried, and what grows more than the limit is taken back.
    """

    limit: int
    kept: Collection[str] = ()
    profile: LineProfile | None = None
    small: bool = False


def inline_calls(unit: il.Unit, pointer: il.Type, wanted: Inlining, others: Mapping[str, il.Function] = NONE) -> None:
    """Inline the calls that are wanted, and those of static functions that are called once.

    `others` are shareable functions of other units, which are finished.
    """
    _Inliner(unit, pointer, wanted, others).run()


def is_shareable(function: il.Function, unit: il.Unit) -> bool:
    """Return whether a function's body would mean the same in another unit."""
    return not function.static and not references_of(function.body).keys() & _static_names(unit)


def _static_names(unit: il.Unit) -> set[str]:
    return {item.name for items in (unit.functions, unit.data) for item in items if item.static}


class _Inliner:
    """Inlines the calls of a unit; `references` are those that remain."""

    def __init__(self, unit: il.Unit, pointer: il.Type, wanted: Inlining, others: Mapping[str, il.Function]) -> None:
        self.pointer, self.limit, self.profile, self.small = pointer, wanted.limit, wanted.profile, wanted.small
        reached = reachable(unit)
        own = {function.name: function for function in unit.functions}
        self.functions = {name: function for name, function in own.items() if name in reached}
        static = _static_names(unit)
        others = {name: function for name, function in others.items()
                  if name not in own and name not in static and not references_of(function.body).keys() & static}  # fmt: skip
        self.callees = {**others, **self.functions}
        self.references = references_of_unit(unit)
        # functions whose calls are decided, and their sizes
        self.finished = {name: body_size(function.body) for name, function in others.items()}
        self.never = {name for name, function in self.callees.items() if name in wanted.kept or _is_bound(function)}

    def run(self) -> None:
        """Decide all calls, callees before callers."""
        for function in bottom_up(self.functions):
            if not returns_twice(function):  # its locals, and those of what it were to contain, are in memory
                _Caller(self, function).run()
                fits = self.limit >= ROOMY and _frame_size(function) <= LARGE_FRAME
                if _calls_itself(function) and function.name not in self.never and fits:
                    _inline_recursion(function, self.pointer, RECURSIVE * self.limit)
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


def _inline_recursion(function: il.Function, pointer: il.Type, most: int) -> None:
    """Put a function's own body in the place of calls to itself, level by level, as long as `most` operations suffice."""
    original = replace(function, body=list(function.body), locals=list(function.locals))
    splicer = Splicer(function, pointer)
    body, size, new = function.body, body_size(function.body), set(map(id, function.body))
    for level in range(LEVELS):
        calls = [each for each in body if id(each) in new and isinstance(each, il.Call) and _calls(each, original)]
        copies = {id(call): without_unreachable(splicer.body(call, original)) for call in calls}
        size += sum(body_size(copies[id(call)]) - statement_size(call) for call in calls)
        if not calls or size > most or (level and len(calls) > 1):
            break
        new = {id(statement) for copy in copies.values() for statement in copy}
        body = [each for statement in body for each in copies.get(id(statement), [statement])]
    function.body = body
    used = locals_used(body)
    function.locals = [local for local in function.locals if id(local) in used]


def _calls(call: il.Call, function: il.Function) -> bool:
    return callee_name(call) == function.name and matches(call, function)


class _Caller:
    """Inlines the calls of one function."""

    def __init__(self, inliner: _Inliner, function: il.Function) -> None:
        self.inliner, self.function = inliner, function
        self.size = body_size(function.body)
        self.splicer = Splicer(function, inliner.pointer)

    def run(self) -> None:
        """Replace the function's body if a call is inlined, and forget the locals that are not used any more."""
        function = self.function
        own = len(function.locals)
        body = self._inlined(function.body, 0, ())
        if body == function.body:
            del function.locals[own:]  # of copies that were tried
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
            growth = body_size(copy) - statement_size(statement)
            if self.inliner.small and growth > self.inliner.limit and not self.inliner.is_only_call(callee):
                result.append(statement)
                continue
            self.size += growth
            self.inliner.references[callee.name] -= 1
            self.inliner.references += references_of(copy)
            if callee.static and not self.inliner.references[callee.name]:
                self.inliner.references -= references_of(callee.body)
            result += self._inlined(copy, depth + loops, (*active, callee.name))
        return result

    def _pays(self, call: il.Statement, callee: il.Function, depth: int) -> bool:
        """Return whether a call is worth its callee's body, or worth a copy that tells how large it becomes."""
        assert isinstance(call, il.Call)
        size = self.inliner.finished[callee.name]
        if self.size + size > LARGE and self.size > self.inliner.limit:
            return False
        if _frame_size(callee) > LARGE_FRAME:
            return False
        if self.inliner.is_only_call(callee):
            return True
        if self.inliner.small:
            return size - statement_size(call) <= TRIED
        constants = sum(isinstance(argument, il.Const | il.AddrGlobal) for argument in call.arguments)
        often = self._often(call)
        worth = 1 + min(depth, DEEPEST) if often is None else often
        saved = min(CONSTANT * constants, HOPED * self.inliner.limit)
        return size - statement_size(call) - saved <= self.inliner.limit * (worth + WISHED * callee.inline)

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
    calls = [statement for statement in function.body if type(statement) is il.Call]
    return any(callee_name(statement) == function.name for statement in calls)


def _frame_size(function: il.Function) -> int:
    return sum(local.size for local in function.locals if local.type is None)
