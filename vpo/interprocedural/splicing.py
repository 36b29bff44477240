"""The body of a function in the place of a call of it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from vpo import il
from vpo.il_locals import assigned_locals, exposed_locals, is_whole
from vpo.interprocedural.matching import converted
from vpo.interprocedural.rewriting import Rewriter


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
