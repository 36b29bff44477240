"""Calls of the run-time library: operations that a machine has no instruction for, square roots, long copies of blocks."""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import BlockCopies
from vpo.expand.argument_passing import Assigner
from vpo.expand.linkage import Linkage, Move
from vpo.expand.soften import FloatOperations
from vpo.expand.words import Words
from vpo.il.routine_names import FUNCTIONS, routine_of
from vpo.machines.machine import Machine
from vpo.rtl import Const, Expr, Symbol

# ----------------------------------------------------------------------------------------------------------------------
# Calls of the run-time library: operations that a machine has no instruction for, and long copies of blocks.


class Routines:
    """Emits calls of routines."""

    def __init__(self, linkage: Linkage, copies: BlockCopies) -> None:
        self.linkage, self.copies = linkage, copies
        self.code, self.values, self.machine = linkage.code, linkage.values, linkage.machine
        self.code.routine = self.operator

    def operator(self, op: str, a: Expr, b: Expr) -> Expr | None:
        """Return the result of an operator on words, by a call; None if there is no such routine."""
        word = self.values.word_type
        if self.code.derived is None or not self.code.derived.may_call(op):
            return None
        return self.call(routine_of(op, 4), [(word, [a]), (word, [b])], word)[0]

    def call(self, name: str, arguments: list[tuple[il.Type, Words]], result: il.Type) -> Words:
        """Call a routine; returns its result."""
        if self.code.function.name == "_" + name:
            raise CannotExpress(f"operation that {name} stands for", self.code.line)
        assigner = Assigner(self.machine)
        moves: list[Move] = []
        for type_, words in arguments:
            place = assigner.scalar(type_)
            if type_.is_float and place.registers and not place.floating:
                moves.append((place, None, self.linkage.accesses.bits_of_float(words[0], type_)))
            else:
                moves.append((place, type_, words))
        registers = self.linkage.place_arguments(moves, assigner.offset)
        self.linkage.call(Symbol("_" + name), registers, result)
        return self.linkage.result(result)

    def copy(self, target: Expr, source: Expr, size: int, align: int) -> None:
        """Copy a block: by moves if they are few, else by memcpy."""
        if not self.copies.is_long(size, align):
            self.copies.moves(target, source, size, align)
            return
        pointer, count = self.values.pointer, il.Type("U", self.machine.model.sizes["long"])
        to: Words = [self.code.address_register(target)]
        where: Words = [self.code.address_register(source)]
        self.call("memcpy", [(pointer, to), (pointer, where), (count, [Const(size)])], pointer)


# ----------------------------------------------------------------------------------------------------------------------
# Calls of sqrt where the machine has an instruction: that, and the call for numbers below 0, since it sets errno.
#
#     y = sqrt(x)     =>     t = x;  y = the root of t;  if (t < 0) goto call;  back: ...      call: y = sqrt(t);  goto back
#
# gcc does the same.  The front end computes roots without a call where errno does not matter or the number is not negative.


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
