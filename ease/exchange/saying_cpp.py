"""RTL in C++, as extensions of Spike have it: each operation is a variable of its own width."""

from __future__ import annotations

from typing import Any

from ease.exchange.exported import Exported, Operand
from ease.exchange.saying import HIGH, PLAIN, Speaker
from vpo.rtl import BITS, QUOTIENTS, Branch, Mem, Op, Set

SHIFTS = {"<<": "<<", ">>": ">>", ">>u": ">>"}
NAMED = ("clz", "ctz", "popcount", "bswap", "brev", "clmul", "clmulh")  # functions of the template


def body(effect: Set | Branch, exported: Exported, word: int) -> list[str]:
    """Return the statements of a function that does what an effect does, and returns the next address.  Raises Unsayable."""
    speaker = _Speaker(exported, word)
    following = f"return pc + {exported.code.bits // 8};"
    if isinstance(effect, Branch):
        condition, distance = speaker.relation(effect.condition), speaker.number(effect.label, word)
        return [*speaker.lines, f"if ({condition}) return extended(uint{word}_t(pc) + {distance});", following]
    if isinstance(effect.target, Mem):
        bits = BITS[effect.target.type]
        address, value = speaker.value(effect.target.address, word), speaker.value(effect.source, bits)
        return [*speaker.lines, f"store<uint{bits}_t>(p, {address}, {value});", following]
    target, value = speaker.target(effect), speaker.value(effect.source, word)
    return [*speaker.lines, f"write(p, {speaker.place(target)}, {value});", following]


class _Speaker(Speaker):
    """Says expressions: each becomes a variable, whose name is what is handed on."""

    language = "the template for Spike"

    def __init__(self, exported: Exported, word: int) -> None:
        super().__init__(exported, word)
        self.lines: list[str] = []

    def keep(self, bits: int, text: str) -> str:
        """Return the name of a variable that holds so many bits of an expression."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"const uint{bits}_t {name} = {text};")
        return name

    def constant(self, value: int, bits: int) -> str:
        """Return a number that is known."""
        return f"uint{bits}_t({value & ((1 << bits) - 1):#x}{'ull' if bits > 32 else 'u'})"

    def field(self, operand: Operand) -> str:
        """Return what a field, or several, hold as a number without sign."""
        pieces = operand.pieces or ((operand.bits, operand.low, 0),)
        shifted = ((f"part(insn, {low}, {bits})", place + operand.shift) for bits, low, place in pieces)
        return " | ".join(f"{part} << {by}" if by else part for part, by in shifted)

    def place(self, operand: Operand) -> str:
        """Return which register a field means."""
        number = f"part(insn, {operand.low}, {operand.bits})"
        return f"{operand.first} + {number}" if operand.first else number

    def register(self, operand: Operand) -> str:
        """Return what a register holds."""
        return self.keep(self.word, f"read(p, {self.place(operand)})")

    def number(self, name: str, bits: int) -> str:
        """Return a number from the encoding, whose zeros below are part of it."""
        operand = self.exported.operand(name)
        field = self.field(operand)
        return self.keep(bits, f"signed_part({field}, {operand.bits + operand.shift})" if operand.signed else field)

    def cell(self, node: Mem, bits: int) -> str:
        """Return a cell of memory."""
        return self.keep(bits, f"load<uint{bits}_t>(p, {self.value(node.address, self.word)})")

    def choice(self, condition: Any, yes: Any, no: Any, bits: int) -> str:
        """Return one of two values."""
        chosen, otherwise = self.value(yes, bits), self.value(no, bits)
        return self.keep(bits, f"({self.relation(condition)}) ? {chosen} : {otherwise}")

    def truth(self, node: Any, bits: int) -> str:
        """Return 1 if a relation holds, else 0."""
        return self.keep(bits, f"({self.relation(node)}) ? 1 : 0")

    def binary(self, op: str, a: Any, b: Any, bits: int) -> str:
        """Return an operator of two operands, computed in a width in which nothing overflows that should not."""
        left = self.value(a, bits)
        if op in SHIFTS or op == "rotl":
            by = self.keep(bits, f"{self.value(b, BITS.get(getattr(b, 'type', ''), bits))} & {bits - 1}")
            if op == "rotl":
                back = f"(({bits} - {by}) & {bits - 1})"
                return self.keep(bits, f"uint{bits}_t({left} << {by}) | uint{bits}_t({left} >> {back})")
            return self.keep(bits, f"{f'int{bits}_t({left})' if op == '>>' else left} {SHIFTS[op]} {by}")
        right = self.value(b, bits)
        if op in PLAIN:
            return self.keep(bits, f"uint64_t({left}) {op} {right}")
        if op in QUOTIENTS:
            self.lines.append(f"if ({right} == 0) throw trap_illegal_instruction(insn.bits());")
            kind = "unsigned __int128" if op.endswith("u") else f"__int128)(int{bits}_t"
            return self.keep(bits, f"({kind})({left}) {op[0]} ({kind})({right})")
        if op in HIGH:
            signs = zip((left, right), HIGH[op], strict=True)
            wide = [f"__int128({'int' if sign else 'uint'}{bits}_t({each}))" for each, sign in signs]
            if not any(HIGH[op]):
                wide[0] = f"(unsigned __int128)({left})"
            return self.keep(bits, f"{' * '.join(wide)} >> {bits}")
        if op in NAMED:
            return self.keep(bits, f"{op}({left}, {right}, {bits})")
        raise self.unsayable(f"operator for {op}")

    def unary(self, node: Op, a: Any, bits: int) -> str:
        """Return an operator of one operand, or a conversion."""
        if node.op in ("sx", "zx", "tr"):
            held = self.held(a)
            inner = self.value(a, held)
            return self.keep(bits, f"int{held}_t({inner})" if node.op == "sx" else inner)
        inner = self.value(a, bits)
        if node.op in ("not", "neg"):
            return self.keep(bits, f"{'~' if node.op == 'not' else '-'}uint64_t({inner})")
        if node.op in NAMED:
            return self.keep(bits, f"{node.op}({inner}, {bits})")
        raise self.unsayable(f"operator for {node.op}")

    def relation(self, node: Any) -> str:
        """Return a condition."""
        own = self.width(node)
        left, right = (self.value(each, own) for each in node.args)
        op = node.op.removesuffix("u")
        if op == node.op and op not in ("==", "!="):
            left, right = f"int{own}_t({left})", f"int{own}_t({right})"
        return f"{left} {op} {right}"
