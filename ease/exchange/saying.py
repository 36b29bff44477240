"""RTL expressions in CoreDSL: every operator with the casts that keep its width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ease.exchange.trees import Unsayable
from vpo.rtl import BITS, RELATIONS, Branch, Const, Mem, Op, Set
from vpo.text import RegisterVariable, Variable

if TYPE_CHECKING:
    from ease.exchange.exporting import Exported

PLAIN = ("+", "-", "*", "&", "|", "^")
SHIFTS = {"<<": "<<", ">>": ">>", ">>u": ">>"}
HIGH = {"mulh": ("signed", "signed"), "mulhu": ("unsigned", "unsigned"), "mulhsu": ("signed", "unsigned")}


def behavior(effect: Set | Branch, exported: Exported, word: int) -> str:
    """Return a statement that does what an effect does.  Raises Unsayable."""
    speaker = _Speaker(exported, word)
    if isinstance(effect, Branch):
        distance = speaker.number(effect.label, word)
        return f"if ({speaker.relation(effect.condition, word)}) PC = (unsigned<{word}>)(PC + {distance});"
    if isinstance(effect.target, Mem):
        bits = BITS[effect.target.type]
        cell = speaker.cell(effect.target, bits)
        return speaker.block(f"{cell} = (unsigned<{bits}>){speaker.value(effect.source, word)};")
    target = effect.target
    if not isinstance(target, RegisterVariable):
        raise Unsayable("it sets something else than a register of its fields")
    value = speaker.value(effect.source, word)
    return speaker.block(f"if ({target.name} != 0) X[{target.name}] = {value};")


class _Speaker:
    """Says expressions, each as a value without sign of so many bits."""

    def __init__(self, exported: Exported, word: int) -> None:
        self.exported, self.word = exported, word
        self.addresses: list[str] = []

    def cell(self, node: Mem, bits: int) -> str:
        """Return a cell of memory; its address is a variable, since tools take no other range."""
        name = f"address{len(self.addresses) or ''}"
        address = self.value(node.address, self.word)
        self.addresses.append(f"unsigned<{self.word}> {name} = {address};")
        return f"MEM[{name}+{bits // 8 - 1}:{name}]" if bits > 8 else f"MEM[{name}]"

    def block(self, statement: str) -> str:
        """Return a statement with the variables that it needs."""
        return f"{{ {' '.join([*self.addresses, statement])} }}" if self.addresses else statement

    def value(self, node: Any, bits: int) -> str:
        """Return an expression."""
        own = BITS.get(getattr(node, "type", ""), bits)
        match node:
            case Const():
                return f"(unsigned<{bits}>){node.value}" if node.value >= 0 else f"(unsigned<{bits}>)({node.value})"
            case RegisterVariable():
                if own != self.word:
                    raise Unsayable("it has registers that are no integers")
                return f"X[{node.name}]"
            case Variable():
                return self.number(node.name, bits)
            case Mem():
                return self.cell(node, own)
            case Op(op="SEL", args=(condition, yes, no)):
                return f"({self.relation(condition, own)} ? {self.value(yes, own)} : {self.value(no, own)})"
            case Op() if node.op in RELATIONS:
                return f"({self.relation(node, bits)} ? (unsigned<{bits}>)1 : (unsigned<{bits}>)0)"
            case Op(args=(a, b)):
                return self.binary(node.op, a, b, own)
            case Op(args=(a,)):
                return self.unary(node, a, own)
        raise Unsayable(f"CoreDSL has no `{node!r}`")

    def number(self, name: str, bits: int) -> str:
        """Return a number from the encoding."""
        operand = self.exported.operand(name)
        return (
            f"(unsigned<{bits}>)(signed<{operand.bits + operand.shift}>){name}"
            if operand.signed
            else f"(unsigned<{bits}>){name}"
        )

    def signed(self, node: Any, bits: int) -> str:
        """Return an expression with its sign."""
        return f"(signed<{bits}>){self.value(node, bits)}"

    def binary(self, op: str, a: Any, b: Any, bits: int) -> str:
        """Return an operator of two operands, no wider than they are."""
        if op in PLAIN:
            return f"(unsigned<{bits}>)({self.value(a, bits)} {op} {self.value(b, bits)})"
        if op in SHIFTS:
            wide = BITS.get(getattr(b, "type", ""), bits)
            left = self.signed(a, bits) if op == ">>" else self.value(a, bits)
            return f"(unsigned<{bits}>)(({left}) {SHIFTS[op]} ({self.value(b, wide)} & {bits - 1}))"
        if op in ("/", "%"):
            return f"(unsigned<{bits}>)({self.signed(a, bits)} {op} {self.signed(b, bits)})"
        if op in ("/u", "%u"):
            return f"(unsigned<{bits}>)({self.value(a, bits)} {op[0]} {self.value(b, bits)})"
        if op in HIGH:
            left, right = (f"({kind}<{bits}>){self.value(each, bits)}" for kind, each in zip(HIGH[op], (a, b), strict=True))
            return f"(unsigned<{bits}>)(({left} * {right}) >> {bits})"
        if op == "rotl":
            x, by = self.value(a, bits), f"({self.value(b, bits)} & {bits - 1})"
            return f"(unsigned<{bits}>)(({x} << {by}) | ({x} >> (({bits} - {by}) & {bits - 1})))"
        raise Unsayable(f"CoreDSL has no operator for {op}")

    def unary(self, node: Op, a: Any, bits: int) -> str:
        """Return an operator of one operand, or a conversion."""
        held = BITS.get(getattr(a, "type", ""), self.word)
        match node.op:
            case "sx":
                return f"(unsigned<{bits}>)(signed<{bits}>){self.signed(a, held)}"
            case "zx" | "tr":
                return f"(unsigned<{bits}>){self.value(a, held)}"
            case "not":
                return f"(unsigned<{bits}>)(~{self.value(a, bits)})"
            case "neg":
                return f"(unsigned<{bits}>)(-{self.value(a, bits)})"
        raise Unsayable(f"CoreDSL has no operator for {node.op}")

    def relation(self, node: Any, bits: int) -> str:
        """Return a condition."""
        a, b = node.args
        own = BITS.get(a.type or b.type, self.word)
        op = node.op.removesuffix("u")
        said = self.signed if op == node.op and op not in ("==", "!=") else self.value
        return f"({said(a, own)}) {op} ({said(b, own)})"
