"""Floating point in software: the intermediate language without floating types that no register of the machine holds.

Their values become unsigned integers of the same size, their operations calls of the run-time library, which the trees they
stood in read the results of:

    x = a * b + c        =>        t1 = __muldf3(a, b);  t2 = __adddf3(t1, c);  x = t2

Trees are pure, so that it does not matter that calls come before the rest.  Singles are computed as doubles and rounded:
for + - * / and conversions from words that is as if it had been rounded once (Figueroa, "When is double rounding
innocuous?", 1995).
"""

from __future__ import annotations

import dataclasses
import struct
from typing import Any

from vpo import il
from vpo.machines.machine import Machine
from vpo.routine_names import MODES

ROUTINES = {"add": "__adddf3", "sub": "__subdf3", "mul": "__muldf3", "div": "__divdf3"}
ORDERS = dict.fromkeys(("eq", "ne", "lt", "le"), "__ledf2") | dict.fromkeys(("gt", "ge"), "__gedf2")
UNSIGNED = {il.F4: il.U4, il.F8: il.U8}
EXPRESSIONS = (il.Const, il.AddrGlobal, il.AddrLocal, il.Load, il.Unary, il.Binary, il.Compare, il.Convert)


def soft_types(machine: Machine) -> frozenset[il.Type]:
    """Return the floating types that no register holds; a double's registers hold singles, too."""
    return frozenset(t for t, letters in ((il.F4, "FD"), (il.F8, "D")) if not any(map(machine.values.floating, letters)))


def soften(unit: il.Unit, machine: Machine) -> None:
    """Remove floating types that the machine has no registers for from every function of a unit."""
    soft = soft_types(machine)
    for function in unit.functions if soft else ():
        _Softener(function, machine, soft).run()


class _Softener:
    """Rewrites one function; `out` are its statements so far."""

    def __init__(self, function: il.Function, machine: Machine, soft: frozenset[il.Type]) -> None:
        self.function, self.soft = function, soft
        self.int = il.Type("I", machine.model.sizes["int"])
        self.pointer = il.Type("P", machine.model.sizes["pointer"])
        self.align = machine.model.aligns["double"]
        self.out: list[il.Statement] = []
        self.line = function.line

    def run(self) -> None:
        """Rewrite the function."""
        function = self.function
        for local in {id(local): local for local in (*function.parameters, *function.locals)}.values():
            local.type = self.rewritten(local.type)
        for name in ("result", "result_scalars", "parameter_scalars"):
            setattr(function, name, self.rewritten(getattr(function, name)))
        for statement in function.body:
            self.line = getattr(statement, "line", self.line)
            self.out.append(self.statement(statement))
        function.body = self.out

    def statement(self, statement: il.Statement) -> il.Statement:
        """Return a statement with all its parts rewritten."""
        if isinstance(statement, il.Branch) and statement.left.type in self.soft:
            left, right = self._order(statement.relation, statement.left, statement.right)
            return dataclasses.replace(statement, left=left, right=right)
        rewritten: il.Statement = self.fields(statement)
        return rewritten

    def fields(self, node: Any) -> Any:
        """Return a node with all its parts rewritten."""
        values = {field.name: getattr(node, field.name) for field in dataclasses.fields(node)}
        changed = {name: new for name, value in values.items() if (new := self.rewritten(value)) is not value}
        return dataclasses.replace(node, **changed) if changed else node

    def rewritten(self, part: Any) -> Any:
        """Return a part of the intermediate language, of whatever kind, without the soft types."""
        match part:
            case il.Type():
                return UNSIGNED[part] if part in self.soft else part
            case tuple():
                return tuple(self.rewritten(item) for item in part)
            case dict():
                return {key: self.rewritten(item) for key, item in part.items()}
            case il.Block():
                return self.fields(part)
        return self.value(part) if isinstance(part, EXPRESSIONS) else part

    # --------------------------------------------------------------------------------------------------- expressions

    def value(self, node: il.Expr) -> il.Expr:
        """Return a tree with the value of another, its floating operations in calls before it."""
        match node:
            case il.Const(type=type_, value=value) if type_ in self.soft:
                return _bits(type_, float(value))
            case il.Unary(operator=operator, type=type_, operand=operand) if type_ in self.soft:
                return self._unary(operator, type_, self.value(operand))
            case il.Binary(operator=operator, type=type_, left=left, right=right) if type_ in self.soft:
                operands = [self._as_double(self.value(operand), type_) for operand in (left, right)]
                return self._from_double(self.call(ROUTINES[operator], il.U8, *operands), type_)
            case il.Compare(relation=relation, type=type_, left=left, right=right) if left.type in self.soft:
                return il.Compare(relation, type_, *self._order(relation, left, right))
            case il.Convert(type=type_, operand=operand) if {type_, operand.type} & self.soft:
                return self._convert(self.value(operand), operand.type, type_)
        rebuilt: il.Expr = self.fields(node)
        return rebuilt

    def call(self, routine: str, result: il.Type, *arguments: il.Expr) -> il.Expr:
        """Call a routine of the library; returns a tree that reads its result."""
        local = il.Local(f"soft{len(self.function.locals)}", result, result.size, min(result.size, self.align))
        self.function.locals.append(local)
        self.out.append(il.Call(il.AddrGlobal(self.pointer, routine), arguments, local, self.line))
        return il.Load(result, il.AddrLocal(self.pointer, local))

    def _unary(self, operator: str, type_: il.Type, operand: il.Expr) -> il.Expr:
        if operator == "sqrt":
            return self._from_double(self.call("sqrt", il.U8, self._as_double(operand, type_)), type_)
        bits, sign = UNSIGNED[type_], 1 << (8 * type_.size - 1)
        if operator == "neg":
            return il.Binary("xor", bits, operand, il.Const(bits, sign))
        return il.Binary("and", bits, operand, il.Const(bits, sign - 1))

    def _order(self, relation: str, left: il.Expr, right: il.Expr) -> tuple[il.Expr, il.Expr]:
        """Return an integer that has the relation to the other one returned, 0, if two floating values have it."""
        operands = [self._as_double(self.value(operand), operand.type) for operand in (left, right)]
        return self.call(ORDERS[relation], self.int, *operands), il.Const(self.int, 0)

    # --------------------------------------------------------------------------------------------------- conversions

    def _as_double(self, value: il.Expr, type_: il.Type) -> il.Expr:
        return self.call("__extendsfdf2", il.U8, value) if type_ == il.F4 else value

    def _from_double(self, value: il.Expr, type_: il.Type) -> il.Expr:
        return self.call("__truncdfsf2", self.rewritten(il.F4), value) if type_ == il.F4 else value

    def _convert(self, value: il.Expr, source: il.Type, target: il.Type) -> il.Expr:
        if source == target:
            return value
        if source.is_float and target.is_float:
            return self._from_double(self._as_double(value, source), target)
        integer, floating = (target, source) if source.is_float else (source, target)
        wide = integer if integer.size >= il.I4.size else il.I4
        unsigned, size = "" if wide.is_signed else "un", MODES[wide.size]
        if source.is_float:
            routine = f"__fix{unsigned and 'uns'}df{size}"
            return _converted(target, self.call(routine, wide, self._as_double(value, source)))
        value = _converted(wide, value)
        if wide.size >= il.I8.size and target == il.F4:  # rounded once, not twice
            return self.call(f"__float{unsigned}{size}sf", self.rewritten(floating), value)
        return self._from_double(self.call(f"__float{unsigned}{size}df", il.U8, value), target)


def _converted(type_: il.Type, value: il.Expr) -> il.Expr:
    return value if value.type == type_ else il.Convert(type_, value)


def _bits(type_: il.Type, value: float) -> il.Const:
    packed = struct.pack("<d" if type_.size == 8 else "<f", value)
    return il.Const(UNSIGNED[type_], int.from_bytes(packed, "little"))
