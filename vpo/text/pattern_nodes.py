"""What the patterns of machine descriptions have beside RTLs: variables; nothing in them is folded."""

from __future__ import annotations

from typing import Any

from vpo.rtl import SHIFTS, Const, Node, Op


class RegisterVariable(Node):
    """In a pattern: any register of class `cls`, called `name`."""

    __slots__ = ("cls", "name")
    cls: str
    name: str

    def __new__(cls, register_class: str, name: str, type_: str) -> RegisterVariable:
        node = object.__new__(cls)
        node.cls, node.name, node.type = register_class, name, type_
        node.uses, node.memory, node.size = (), (), 1
        return node


class Variable(Node):
    """In a pattern: whatever the operand called `name` stands for."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Variable:
        node = object.__new__(cls)
        node.name, node.type, node.uses, node.memory, node.size = name, "", (), (), 1
        return node


def pattern_binary(op: str, a: Any, b: Any) -> Op:
    """Build a binary operator of a pattern: types are worked out, nothing is folded, but that a-1 is a+-1 in all RTLs."""
    if op == "-" and isinstance(b, Const):
        op, b = "+", Const(-b.value)
    if op in ("?",):
        return Op(op, "G" if (a.type or b.type) in ("F", "D") else "C", a, b)
    if op in SHIFTS:
        return Op(op, a.type, a, b)
    if op[0] in "=!<>":
        return Op(op, "", a, b)
    return Op(op, a.type or b.type, a, b)


def select_pattern(condition: Any, a: Any, b: Any) -> Op:
    """Build a selection of a pattern."""
    return Op("SEL", a.type or b.type, condition, a, b)
