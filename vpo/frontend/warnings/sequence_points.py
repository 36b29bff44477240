"""Variables that one expression changes and reads, or changes twice, in an order that C leaves open (6.5, 2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vpo.frontend.context import Context

_STEPS = frozenset(("++", "--", "p++", "p--"))


@dataclass
class _Accesses:
    """The variables that an expression reads and those that it changes, each with a node where it does.

    Changes of the variables in `done` are complete when the expression has its value: there was a sequence point.
    """

    read: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)

    def add(self, other: _Accesses) -> None:
        self.read |= other.read
        self.changed |= other.changed
        self.done |= other.done

    def finish(self) -> _Accesses:
        """Return the accesses as they are behind a sequence point."""
        self.done = set(self.changed)
        return self


class _Check:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def unordered(self, *parts: Any) -> _Accesses:
        """Return the accesses of expressions that C evaluates in any order; warn if that matters."""
        found = _Accesses()
        for part in parts:
            accesses = self.accesses(part)
            for name in accesses.changed:
                if name in found.read or name in found.changed:
                    self._warn(name, accesses.changed[name])
            for name in accesses.read:
                if name in found.changed and name not in accesses.changed:
                    self._warn(name, found.changed[name])
            found.add(accesses)
        return found

    def _warn(self, name: str, node: Any) -> None:
        symbol = self.ctx.scope.lookup(name)
        if symbol is not None and symbol.kind == "object":
            self.ctx.report.warning(node.coord, "sequence-point", f"operation on '{name}' may be undefined")

    def accesses(self, node: Any) -> _Accesses:
        """Return the accesses of an expression."""
        match type(node).__name__:
            case "ID":
                return _Accesses({node.name: node})
            case "UnaryOp" if node.op in _STEPS:
                return self._changed(node.expr, self.accesses(node.expr), node)
            case "UnaryOp":
                return _Accesses() if node.op in ("sizeof", "_Alignof") else self._operand(node)
            case "Assignment":
                return self._assignment(node)
            case "BinaryOp" if node.op in ("&&", "||"):
                return self._ordered(node.left, node.right)
            case "BinaryOp":
                return self.unordered(node.left, node.right)
            case "TernaryOp":
                found = self.accesses(node.cond).finish()
                found.add(self.accesses(node.iftrue) if node.iftrue is not None else _Accesses())
                found.add(self.accesses(node.iffalse))
                return found
            case "ExprList":
                return self._ordered(*node.exprs)
            case "ArrayRef":
                return self.unordered(node.name, node.subscript)
            case "StructRef":
                return self.accesses(node.name)
            case "Cast":
                return self.accesses(node.expr)
            case "FuncCall":
                return self.unordered(node.name, *(node.args.exprs if node.args is not None else ())).finish()
        return _Accesses()

    def _operand(self, node: Any) -> _Accesses:
        if node.op == "&":
            inner = node.expr
            return _Accesses() if type(inner).__name__ == "ID" else self.accesses(inner)
        return self.accesses(node.expr)

    def _ordered(self, *parts: Any) -> _Accesses:
        found = _Accesses()
        for part in parts[:-1]:
            found.add(self.accesses(part).finish())
        found.add(self.accesses(parts[-1]))
        return found

    def _changed(self, target: Any, found: _Accesses, node: Any) -> _Accesses:
        if type(target).__name__ == "ID":
            found.changed[target.name] = node
        return found

    def _assignment(self, node: Any) -> _Accesses:
        """Return the accesses of an assignment; what is assigned is read before, but changes in it may come later."""
        value, target = self.accesses(node.rvalue), node.lvalue
        if type(target).__name__ == "ID":
            if target.name in value.changed and target.name not in value.done:
                self._warn(target.name, value.changed[target.name])
            return self._changed(target, value, node)
        place = self.accesses(target)
        for name in sorted(value.changed.keys() & place.read.keys()):
            self._warn(name, value.changed[name])
        for name in sorted(place.changed.keys() & (value.read.keys() | value.changed.keys())):
            self._warn(name, place.changed[name])
        value.add(place)
        return value


def check_sequence(ctx: Context, node: Any) -> None:
    """Warn about a full expression."""
    _Check(ctx).accesses(node)
