"""RTL in the words of other languages: what is the same in all of them.

A language is a `Speaker` that says a number, a register, a cell of memory, and each operator; an expression is said with
its width, so that nothing is left to the rules by which a language makes numbers wider.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ease.exchange.exported import Exported, Operand
from ease.exchange.trees import Unsayable
from vpo.rtl import BITS, RELATIONS, Const, Mem, Op, Set
from vpo.text import RegisterVariable, Variable

PLAIN = ("+", "-", "*", "&", "|", "^")
# of products whose high half is wanted: whether the operands have a sign
HIGH = {"mulh": (True, True), "mulhu": (False, False), "mulhsu": (True, False)}


class Speaker(ABC):
    """Says expressions, each as a value of so many bits."""

    language = ""

    def __init__(self, exported: Exported, word: int) -> None:
        self.exported, self.word = exported, word

    def value(self, node: Any, bits: int) -> str:
        """Return an expression.  Raises Unsayable."""
        own = BITS.get(getattr(node, "type", ""), bits)
        match node:
            case Const():
                return self.constant(node.value, bits)
            case RegisterVariable():
                if own != self.word:
                    raise Unsayable("it has registers that are no integers")
                return self.register(self.exported.operand(node.name))
            case Variable():
                return self.number(node.name, bits)
            case Mem():
                return self.cell(node, own)
            case Op(op="SEL", args=(condition, yes, no)):
                return self.choice(condition, yes, no, own)
            case Op() if node.op in RELATIONS:
                return self.truth(node, bits)
            case Op(args=(a, b)):
                return self.binary(node.op, a, b, own)
            case Op(args=(a,)):
                return self.unary(node, a, own)
        raise self.unsayable(f"`{node!r}`")

    def unsayable(self, what: str) -> Unsayable:
        """Return the exception for something that the language has no words for."""
        return Unsayable(f"{self.language} has no {what}")

    def target(self, effect: Set) -> Operand:
        """Return the register that an effect sets.  Raises Unsayable."""
        if not isinstance(effect.target, RegisterVariable):
            raise Unsayable("it sets something else than a register of its fields")
        return self.exported.operand(effect.target.name)

    def width(self, node: Any) -> int:
        """Return the bits of what two operands of a relation are."""
        return BITS.get(node.args[0].type or node.args[1].type, self.word)

    def held(self, node: Any) -> int:
        """Return the bits of an operand of its own width."""
        return BITS.get(getattr(node, "type", ""), self.word)

    @abstractmethod
    def constant(self, value: int, bits: int) -> str:
        """Return a number that is known."""

    @abstractmethod
    def register(self, operand: Operand) -> str:
        """Return what a register holds."""

    @abstractmethod
    def number(self, name: str, bits: int) -> str:
        """Return a number from the encoding, whose zeros below are part of it."""

    @abstractmethod
    def cell(self, node: Mem, bits: int) -> str:
        """Return a cell of memory."""

    @abstractmethod
    def choice(self, condition: Any, yes: Any, no: Any, bits: int) -> str:
        """Return one of two values."""

    @abstractmethod
    def truth(self, node: Any, bits: int) -> str:
        """Return 1 if a relation holds, else 0."""

    @abstractmethod
    def binary(self, op: str, a: Any, b: Any, bits: int) -> str:
        """Return an operator of two operands, no wider than they are."""

    @abstractmethod
    def unary(self, node: Op, a: Any, bits: int) -> str:
        """Return an operator of one operand, or a conversion."""
