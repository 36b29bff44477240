"""RTL in IDL, the language of the RISC-V Unified Database: each operation is a variable, so that every width is said."""

from __future__ import annotations

from typing import Any

from ease.exchange.exported import Exported, Operand
from ease.exchange.saying import HIGH, PLAIN, Speaker
from ease.exchange.trees import Unsayable
from vpo.rtl import BITS, Branch, Mem, Op, Set

REGISTER = 5  # bits that name a register
SHIFTS = {"<<": "<<", ">>": ">>>", ">>u": ">>"}
DIVISIONS = {"/": "/", "%": "%", "/u": "/", "%u": "%"}


def operation(effect: Set | Branch, exported: Exported, word: int) -> list[str]:
    """Return the statements that do what an effect does.  Raises Unsayable."""
    speaker = _Speaker(exported, word)
    if isinstance(effect, Branch):
        condition, distance = speaker.relation(effect.condition, word), speaker.number(effect.label, word)
        return [*speaker.lines, f"if ({condition}) {{ jump_halfword($pc + $signed({distance})); }}"]
    if isinstance(effect.target, Mem):
        bits = BITS[effect.target.type]
        address, value = speaker.value(effect.target.address, word), speaker.value(effect.source, bits)
        return [*speaker.lines, f"write_memory<{bits}>({address}, {value}, $encoding);"]
    target, value = speaker.target(effect), speaker.value(effect.source, word)
    return [*speaker.lines, f"X[{speaker.place(target)}] = {value};"]


class _Speaker(Speaker):
    """Says expressions: each becomes a variable, whose name is what is handed on."""

    language = "IDL"

    def __init__(self, exported: Exported, word: int) -> None:
        super().__init__(exported, word)
        self.lines: list[str] = []

    def keep(self, bits: int, text: str) -> str:
        """Return the name of a variable that holds an expression of so many bits."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"Bits<{bits}> {name} = {text};")
        return name

    def constant(self, value: int, bits: int) -> str:
        """Return a number that is known."""
        return f"{bits}'h{value & ((1 << bits) - 1):x}"

    def place(self, operand: Operand) -> str:
        """Return which register a field means."""
        if not operand.first:
            return operand.name
        above = REGISTER - operand.bits
        return f"{{{above}'h{operand.first >> operand.bits:x}, {operand.name}}}"

    def register(self, operand: Operand) -> str:
        """Return what a register holds."""
        return self.keep(self.word, f"X[{self.place(operand)}]")

    def cell(self, node: Mem, bits: int) -> str:
        """Return a cell of memory."""
        return self.keep(bits, f"read_memory<{bits}>({self.value(node.address, self.word)}, $encoding)")

    def choice(self, condition: Any, yes: Any, no: Any, bits: int) -> str:
        """Return one of two values."""
        chosen, otherwise = self.value(yes, bits), self.value(no, bits)
        return self.keep(bits, f"({self.relation(condition, bits)}) ? {chosen} : {otherwise}")

    def truth(self, node: Any, bits: int) -> str:
        """Return 1 if a relation holds, else 0."""
        return self.keep(bits, f"({self.relation(node, bits)}) ? {bits}'h1 : {bits}'h0")

    def number(self, name: str, bits: int) -> str:
        """Return a number from the encoding, whose zeros below are part of it."""
        operand = self.exported.operand(name)
        held = operand.bits + operand.shift
        if held > bits:
            raise Unsayable(f"its field {name} has more bits than what it is used for")
        field = self.keep(held, name)
        return self.extended(field, held, bits, operand.signed)

    def extended(self, name: str, held: int, bits: int, signed: bool) -> str:
        """Return the variable that has another one's bits below its sign, or below zeros."""
        if held == bits:
            return name
        more = bits - held
        return self.keep(bits, f"{{{{{more}{{{name}[{held - 1}]}}}}, {name}}}" if signed else f"{{{more}'h0, {name}}}")

    def binary(self, op: str, a: Any, b: Any, bits: int) -> str:
        """Return an operator of two operands, no wider than they are."""
        left = self.value(a, bits)
        if op in SHIFTS or op == "rotl":
            wide = BITS.get(getattr(b, "type", ""), bits)
            by = self.keep(wide, f"{self.value(b, wide)} & {wide}'h{bits - 1:x}")
            if op in SHIFTS:
                return self.keep(bits, f"{left} {SHIFTS[op]} {by}")
            back = self.keep(wide, f"({wide}'h{bits:x} - {by}) & {wide}'h{bits - 1:x}")
            return self.keep(bits, f"({left} << {by}) | ({left} >> {back})")
        right = self.value(b, bits)
        if op in PLAIN:
            return self.keep(bits, f"{left} {op} {right}")
        if op in DIVISIONS:
            signed = not op.endswith("u")
            left, right = (f"$signed({each})" if signed else each for each in (left, right))
            return self.keep(bits, f"{left} {DIVISIONS[op]} {right}")
        if op in HIGH:
            wide_left, wide_right = (
                self.extended(each, bits, 2 * bits, sign) for each, sign in zip((left, right), HIGH[op], strict=True)
            )
            product = self.keep(2 * bits, f"{wide_left} * {wide_right}")
            return self.keep(bits, f"{product}[{2 * bits - 1}:{bits}]")
        raise self.unsayable(f"operator for {op}")

    def unary(self, node: Op, a: Any, bits: int) -> str:
        """Return an operator of one operand, or a conversion."""
        held = self.held(a)
        inner = self.value(a, held if node.op in ("sx", "zx", "tr") else bits)
        match node.op:
            case "sx" | "zx":
                return self.extended(inner, held, bits, node.op == "sx")
            case "tr":
                return self.keep(bits, f"{self.keep(held, inner)}[{bits - 1}:0]")
            case "not":
                return self.keep(bits, f"~{inner}")
            case "neg":
                return self.keep(bits, f"{bits}'h0 - {inner}")
            case "clz" if bits == self.word:
                return self.keep(bits, f"(xlen() - 1) - $signed(highest_set_bit({inner}))")
            case "ctz" if bits == self.word:
                return self.keep(bits, f"lowest_set_bit({inner})")
            case "bswap":
                whole = self.keep(bits, inner)
                return self.keep(bits, f"{{{', '.join(f'{whole}[{low + 7}:{low}]' for low in range(0, bits, 8))}}}")
            case "brev":
                whole = self.keep(bits, inner)
                return self.keep(bits, f"{{{', '.join(f'{whole}[{place}]' for place in range(bits))}}}")
            case "popcount":
                whole, sum_ = self.keep(bits, inner), self.keep(bits, f"{bits}'h0")
                step = f"if ({whole}[i] == 1'h1) {{ {sum_} = {sum_} + {bits}'h1; }}"
                self.lines.append(f"for (U32 i = 0; i < {bits}; i++) {{ {step} }}")
                return sum_
        raise self.unsayable(f"operator for {node.op}")

    def relation(self, node: Any, bits: int) -> str:
        """Return a condition."""
        a, b = node.args
        own = self.width(node)
        left, right = self.value(a, own), self.value(b, own)
        op = node.op.removesuffix("u")
        if op == node.op and op not in ("==", "!="):
            left, right = f"$signed({left})", f"$signed({right})"
        return f"{left} {op} {right}"
