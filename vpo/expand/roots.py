"""Calls of sqrt where the machine has an instruction: that, and the call for numbers below 0, since it sets errno.

    y = sqrt(x)     =>     t = x;  y = the root of t;  if (t < 0) goto call;  back: ...      call: y = sqrt(t);  goto back

gcc does the same.  The front end computes roots without a call where errno does not matter or the number is not negative.
"""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.expand.soften import FloatOperations
from vpo.il.routine_names import FUNCTIONS
from vpo.machines.machine import Machine


def use_instructions(unit: il.Unit, machine: Machine) -> None:
    """Compute square roots by instructions in a unit's functions, where the machine has one for the type."""
    for function in unit.functions:
        if any(_root_type(statement, function) is not None for statement in function.body):
            _Roots(function, machine).run()


def _root_type(statement: il.Statement, function: il.Function) -> il.Type | None:
    """Return the type of the root that a statement calls the library for; None if it does not."""
    if not isinstance(statement, il.Call) or not isinstance(statement.function, il.AddrGlobal) or statement.result is None:
        return None
    name, type_ = statement.function.name, statement.result.type
    if name == function.name or type_ is None or type_ != FUNCTIONS.get(name) or len(statement.arguments) != 1:
        return None
    number = statement.arguments[0]
    return type_ if not isinstance(number, il.Block) and number.type == type_ else None


class _Roots:
    """Rewrites one function; `calls` stand behind its end."""

    def __init__(self, function: il.Function, machine: Machine) -> None:
        self.function, self.can = function, FloatOperations(machine)
        self.pointer = il.Type("P", machine.model.sizes["pointer"])
        self.calls: list[il.Statement] = []

    def run(self) -> None:
        """Change each call that an instruction can do."""
        body: list[il.Statement] = []
        for statement in self.function.body:
            type_ = _root_type(statement, self.function)
            if type_ is not None and self.can.is_held(type_) and self.can.arithmetic("sqrt", type_):
                assert isinstance(statement, il.Call)
                body += self._root(statement, type_)
            else:
                body.append(statement)
        self.function.body[:] = body + self.calls

    def _root(self, call: il.Call, type_: il.Type) -> list[il.Statement]:
        """Return what computes the root, and keep the call for numbers below 0."""
        argument = call.arguments[0]
        assert call.result is not None
        assert not isinstance(argument, il.Block)
        number = il.Local("root", type_, type_.size, type_.size)
        self.function.locals.append(number)
        value = il.Load(type_, self._address(number))
        name = f"root.{len(self.calls)}"
        call_label, back = f"{name}.call", f"{name}.back"
        self.calls += [il.Label(call_label), replace(call, arguments=(value,)), il.Jump(back, call.line)]
        return [
            il.Store(self._address(number), argument, call.line),
            il.Store(self._address(call.result), il.Unary("sqrt", type_, value), call.line),
            il.Branch("lt", value, il.Const(type_, 0.0), call_label, call.line),
            il.Label(back),
        ]

    def _address(self, local: il.Local) -> il.AddrLocal:
        return il.AddrLocal(self.pointer, local)
