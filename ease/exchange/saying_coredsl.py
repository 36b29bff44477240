"""RTL expressions in CoreDSL: every operator with the casts that keep its width."""

from __future__ import annotations

from typing import Any

from ease.exchange.exported import Exported, Operand
from ease.exchange.saying import PLAIN, Speaker
from vpo.rtl import BITS, Branch, Mem, Op, Set

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
    target = speaker.target(effect)
    guard = "" if target.first else f"if ({target.name} != 0) "
    return speaker.block(f"{guard}{speaker.register(target)} = {speaker.value(effect.source, word)};")


class _Speaker(Speaker):
    """Says expressions, each as a value without sign of so many bits."""

    language = "CoreDSL"

    def __init__(self, exported: Exported, word: int) -> None:
        super().__init__(exported, word)
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

    def constant(self, value: int, bits: int) -> str:
        """Return a number that is known."""
        return f"(unsigned<{bits}>){value}" if value >= 0 else f"(unsigned<{bits}>)({value})"

    def register(self, operand: Operand) -> str:
        """Return what a register holds."""
        return f"X[{operand.name}{f' + {operand.first}' if operand.first else ''}]"

    def choice(self, condition: Any, yes: Any, no: Any, bits: int) -> str:
        """Return one of two values."""
        return f"({self.relation(condition, bits)} ? {self.value(yes, bits)} : {self.value(no, bits)})"

    def truth(self, node: Any, bits: int) -> str:
        """Return 1 if a relation holds, else 0."""
        return f"({self.relation(node, bits)} ? (unsigned<{bits}>)1 : (unsigned<{bits}>)0)"

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
        raise self.unsayable(f"operator for {op}")

    def unary(self, node: Op, a: Any, bits: int) -> str:
        """Return an operator of one operand, or a conversion."""
        held = self.held(a)
        match node.op:
            case "sx":
                return f"(unsigned<{bits}>)(signed<{bits}>){self.signed(a, held)}"
            case "zx" | "tr":
                return f"(unsigned<{bits}>){self.value(a, held)}"
            case "not":
                return f"(unsigned<{bits}>)(~{self.value(a, bits)})"
            case "neg":
                return f"(unsigned<{bits}>)(-{self.value(a, bits)})"
        raise self.unsayable(f"operator for {node.op}")

    def relation(self, node: Any, bits: int) -> str:
        """Return a condition."""
        a, b = node.args
        own = self.width(node)
        op = node.op.removesuffix("u")
        said = self.signed if op == node.op and op not in ("==", "!=") else self.value
        return f"({said(a, own)}) {op} ({said(b, own)})"
