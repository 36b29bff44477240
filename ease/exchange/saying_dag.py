"""RTL as what LLVM's selection matches: nodes of its graph over registers as wide as addresses."""

from __future__ import annotations

from typing import Any

from ease.exchange.exported import Exported, Operand
from ease.exchange.saying import Speaker
from vpo.rtl import BITS, HIGH_PRODUCTS, Branch, Const, Mem, Op, Set

LOW = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}  # whose low bits follow from low bits
BINARY = {
    **LOW, "/": "sdiv", "%": "srem", "/u": "udiv", "%u": "urem", "<<": "shl", ">>": "sra", ">>u": "srl",
    "mulh": "mulhs", "mulhu": "mulhu", "rotl": "rotl",
}  # fmt: skip
UNARY = {
    "not": "not", "neg": "ineg", "clz": "ctlz", "ctz": "cttz", "popcount": "ctpop", "bswap": "bswap", "brev": "bitreverse",
}  # fmt: skip
RELATION = {
    "==": "seteq", "!=": "setne", "<": "setlt", "<=": "setle", ">": "setgt", ">=": "setge",
    "<u": "setult", "<=u": "setule", ">u": "setugt", ">=u": "setuge",
}  # fmt: skip
LEAST = {"<": "smin", "<=": "smin", "<u": "umin", "<=u": "umin", ">": "smax", ">=": "smax", ">u": "umax", ">=u": "umax"}


def pattern(effect: Set | Branch, exported: Exported, word: int) -> str:
    """Return the graph that an effect is.  Raises Unsayable."""
    speaker = _Speaker(exported, word)
    if isinstance(effect, Branch):
        return f"(brcond {speaker.truth(effect.condition, word)}, bb:${effect.label})"
    if isinstance(effect.target, Mem):
        bits = BITS[effect.target.type]
        store = "store" if bits == word else f"truncstorei{bits}"
        return f"({store} {speaker.low(effect.source, bits)}, {speaker.value(effect.target.address, word)})"
    speaker.target(effect)
    return f"(XLenVT {speaker.value(effect.source, word)})"


class _Speaker(Speaker):
    language = "LLVM's graph"

    def constant(self, value: int, bits: int) -> str:
        """Return a number that is known."""
        return f"(XLenVT {value})"

    def register(self, operand: Operand) -> str:
        """Return what a register holds."""
        return f"GPR:${operand.name}"

    def number(self, name: str, bits: int) -> str:
        """Return a number from the encoding."""
        return f"{self.exported.c_name}_{name}:${name}"

    def cell(self, node: Mem, bits: int) -> str:
        """Return a cell of memory as wide as a register."""
        if bits != self.word:
            raise self.unsayable(f"value of {bits} bits")
        return f"(XLenVT (load {self.value(node.address, self.word)}))"

    def choice(self, condition: Any, yes: Any, no: Any, bits: int) -> str:
        """Return one of two values."""
        chosen, otherwise = self.value(yes, bits), self.value(no, bits)
        compared = [self.value(each, bits) for each in condition.args]
        if condition.op in LEAST and compared in ([chosen, otherwise], [otherwise, chosen]):
            op = condition.op if compared[0] == chosen else condition.op.translate(str.maketrans("<>", "><"))
            return f"({LEAST[op]} {chosen}, {otherwise})"
        return f"(select {self.truth(condition, bits)}, {chosen}, {otherwise})"

    def truth(self, node: Any, bits: int) -> str:
        """Return 1 if a relation holds, else 0."""
        if node.op not in RELATION or self.width(node) != self.word:
            raise self.unsayable(f"relation {node.op} of these operands")
        left, right = (self.value(each, self.word) for each in node.args)
        return f"(XLenVT ({RELATION[node.op]} {left}, {right}))"

    def low(self, node: Any, bits: int) -> str:
        """Return a value as wide as a register whose low bits are those of an expression."""
        match node:
            case Op(op="tr", args=(inner,)):
                return self.value(inner, self.word)
            case Op(args=(a, b)) if node.op in LOW:
                return f"({LOW[node.op]} {self.low(a, bits)}, {self.low(b, bits)})"
            case Op(op="<<", args=(a, Const() as by)):
                return f"(shl {self.low(a, bits)}, {self.constant(by.value & (bits - 1), bits)})"
        return self.value(node, self.word)

    def binary(self, op: str, a: Any, b: Any, bits: int) -> str:
        """Return an operator of two operands."""
        if op not in BINARY or bits != self.word:
            raise self.unsayable(f"operator for {op} of {bits} bits")
        return f"({BINARY[op]} {self.value(a, bits)}, {self.value(b, bits)})"

    def unary(self, node: Op, a: Any, bits: int) -> str:
        """Return an operator of one operand, or a conversion."""
        match a:
            case Op(op=">>u", args=(Op(op="*", args=(Op() as left, Op() as right)), Const(value=by))) if node.op == "tr":
                op = next((op for op, kinds in HIGH_PRODUCTS.items() if kinds == (left.op, right.op) and op in BINARY), "")
                if op and by == bits == self.word:
                    return f"({BINARY[op]} {self.value(left.args[0], bits)}, {self.value(right.args[0], bits)})"
        if bits != self.word:
            raise self.unsayable(f"operator for {node.op} of {bits} bits")
        if node.op in ("sx", "zx"):
            held = self.held(a)
            if isinstance(a, Mem):
                return f"(XLenVT ({node.op[0]}extloadi{held} {self.value(a.address, self.word)}))"
            inner = self.low(a, held)
            return f"(sext_inreg {inner}, i{held})" if node.op == "sx" else f"(and {inner}, (XLenVT {(1 << held) - 1}))"
        if node.op not in UNARY:
            raise self.unsayable(f"operator for {node.op}")
        return f"({UNARY[node.op]} {self.value(a, bits)})"
