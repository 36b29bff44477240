"""Parse text, by the grammar rtl.lark, into nodes, RTLs, functions and units."""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Transformer
from lark import __version__ as lark_version
from lark.exceptions import UnexpectedInput, VisitError
from lark.lexer import PatternStr

from vpo import il
from vpo.algebra import SPELLED, apply, binary, branch, is_high_half, rotation_distance, select, set_, spelled_product, unary
from vpo.base import cache as disk
from vpo.rtl import (
    CAUSES,
    CODE_TYPES,
    COUNTS,
    DELAYS,
    HIGH_PRODUCTS,
    INTEGER_TYPES,
    NAMED,
    RELATIONS,
    SHIFTS,
    Branch,
    By,
    Call,
    Const,
    Delay,
    Effect,
    Half,
    IndirectJump,
    Jump,
    LabelAddress,
    Mem,
    Next,
    Node,
    Op,
    Register,
    RegisterVariable,
    Return,
    Rtl,
    Set,
    Slot,
    Symbol,
    Variable,
)
from vpo.rtl.function import Block, Data, FrameSlot, Function, LabelItem, PartItem, Phi, Unit
from vpo.rtl.printer import TYPED_FUNCTIONS
from vpo.text.mistakes import TextError, hint

# ----------------------------------------------------------------------------------------------------------------------
# Operators in the patterns of machine descriptions: nothing in them is folded.


def pattern_binary(op: str, a: Any, b: Any) -> Op:
    """Build a binary operator of a pattern: types are worked out, nothing is folded, but that a-1 is a+-1 in all RTLs."""
    if op == "-" and isinstance(b, Const):
        op, b = "+", Const(-b.value)
    if op in ("?",):
        return Op(op, "G" if (a.type or b.type) in ("F", "D") else "C", a, b)
    if op in SHIFTS:
        return Op(op, a.type, a, rotation_distance(b, a.type) if op == "rotl" else b)
    if op[0] in "=!<>":
        return Op(op, "", a, b)
    type_ = a.type or b.type
    return spelled_product(op, type_, a, b) if op in HIGH_PRODUCTS and type_ in SPELLED else Op(op, type_, a, b)


def select_pattern(condition: Any, a: Any, b: Any) -> Op:
    """Build a selection of a pattern."""
    return Op("SEL", a.type or b.type, condition, a, b)


# ----------------------------------------------------------------------------------------------------------------------
# The parser.


_WIDTHS = ("sx", "zx", "tr")
MOST_DIGITS = 21  # of a number, with its sign
_TOO_LARGE = 1 << 65


def _number(token: Any, digits: str | None = None) -> int:
    """Return the number that a token is, or that some of its characters are.

    Raises TextError if it has more than 64 bits.
    """
    text = str(token if digits is None else digits)
    value = int(text) if len(text) <= MOST_DIGITS else _TOO_LARGE
    if abs(value) >= _TOO_LARGE:
        raise TextError("a number has at most 64 bits", token.line, token.column)
    return value


class _Builder(Transformer[Any, Any]):
    """Build nodes from parse results, without intermediate trees."""

    def __init__(self, cells: Mapping[str, str], pattern: bool = False) -> None:
        super().__init__()
        self.cells = dict(cells)
        self.pattern = pattern

    # cells and expressions
    def hard_register(self, c: list[Any]) -> Register:
        return Register(str(c[0]), _number(c[1]), self._type(c[0]))

    def pseudo_register(self, c: list[Any]) -> Register:
        index, _, version = c[1][1:].partition(".")
        numbers = _number(c[1], index), _number(c[1], version or "0")
        return Register(str(c[0]), numbers[0], self._type(c[0]), True, numbers[1])

    def _type(self, name: Any) -> str:
        if name not in self.cells:
            raise TextError(
                f"unknown register class '{name}' (known: {', '.join(self.cells)})", name.line or 1, name.column or 1
            )
        return self.cells[name]

    def register_variable(self, c: list[Any]) -> Node:
        if not self.pattern:
            raise TextError(f"'{c[0]}[{c[1]}]': a register number was expected", c[1].line, c[1].column)
        return RegisterVariable(str(c[0]), str(c[1]), self._type(c[0]))

    def bare(self, c: list[Any]) -> Node:
        name = c[0]
        if self.cells.get(name) in CODE_TYPES:
            return Register(str(name), 0, self.cells[name])
        if not self.pattern:
            raise TextError(f"'{name}' is neither a register nor a symbol", name.line, name.column)
        return Variable(str(name))

    def memory(self, c: list[Any]) -> Mem:
        letter = c[0][:-1]
        type_, _, effective = letter.removeprefix("V").rstrip("}").partition("{")
        return Mem(type_, c[1], letter[0] == "V", effective)

    def constant(self, c: list[Any]) -> Const:
        return Const(_number(c[0]))

    def symbol(self, c: list[Any]) -> Symbol:
        return Symbol(str(c[0]))

    def next_address(self, c: list[Any]) -> Next:
        return Next()

    def label_address(self, c: list[Any]) -> LabelAddress:
        return LabelAddress(c[0])

    def slot_address(self, c: list[Any]) -> Slot:
        return Slot(str(c[0]))

    def half(self, c: list[Any]) -> Half:
        for digits in re.findall(r"\d+", c[0]):
            _number(c[0], digits)
        return Half(str(c[0][:-1]), c[1])

    def binary(self, c: list[Any]) -> Node:
        if self.pattern:
            return pattern_binary(str(c[1]), c[0], c[2])
        return binary(str(c[1]), c[0], c[2])

    def apply(self, c: list[Any]) -> Node:
        op, type_ = str(c[0]), ""
        for prefix in TYPED_FUNCTIONS:
            if op.startswith(prefix) and op[len(prefix) :] in ("B", "W", "L", "Q", "F", "D"):
                op, type_ = prefix, op[len(prefix) :]
                break
        self._check(c[0], op, c[1:])
        if op == "SEL":
            return select_pattern(*c[1:]) if self.pattern else select(*c[1:])
        if self.pattern and op in NAMED:
            return pattern_binary(op, *c[1:])
        if self.pattern and op in ("sx", "zx", "tr") and isinstance(c[1], Op) and (c[1].op in _WIDTHS or not c[1].type):
            converted = unary(op, type_, c[1])
            # truth values, and what is computed of them, are of any type
            return converted if converted.type or c[1].op in RELATIONS else Op(c[1].op, type_, *c[1].args)
        if self.pattern and op in ("sx", "zx") and isinstance(c[1], Op):
            op = "zx" if c[1].op in COUNTS else op
        if self.pattern and op == "tr" and is_high_half(c[1], type_):
            return Op(op, type_, Op(">>u", c[1].type, *c[1].args))
        if self.pattern or op == "SYS":
            return Op(op, type_ or c[1].type, *c[1:])
        return apply(op, type_, tuple(c[1:]))

    def _check(self, token: Any, op: str, operands: list[Any]) -> None:
        """Raise TextError if a function has too few operands, or too many."""
        wanted = 2 if op in NAMED else 3 if op in ("SEL", "fma") else 1
        if op != "SYS" and len(operands) != wanted:
            has = f"{wanted} operand{'s' if wanted > 1 else ''}, not {len(operands)}"
            raise TextError(f"`{op}` has {has}", token.line, token.column)

    # effects
    def label(self, c: list[Any]) -> str:
        if c[0].type == "NAME" and not self.pattern:
            raise TextError(f"'{c[0]}': a label such as L5 was expected", c[0].line, c[0].column)
        return str(c[0])

    def set_effect(self, c: list[Any]) -> Effect:
        return Set(c[0], c[1]) if self.pattern else set_(c[0], c[1])

    def return_effect(self, c: list[Any]) -> Effect:
        return Return(c[0], c[1])

    def jump_effect(self, c: list[Any]) -> Effect:
        return Jump(c[0])

    def branch_effect(self, c: list[Any]) -> Effect:
        return Branch(c[0], c[1]) if self.pattern else branch(c[0], c[1])

    def indirect_effect(self, c: list[Any]) -> Effect:
        return IndirectJump(c[0], tuple(x for x in c[1:] if x is not None))

    def call_effect(self, c: list[Any]) -> Effect:
        return Call(c[0], c[1], c[2] or ())

    def registers(self, c: list[Any]) -> tuple[Register, ...]:
        return tuple(x for x in c if x is not None)

    def delay_effect(self, c: list[Any]) -> Effect:
        if c[0] not in DELAYS:
            raise TextError(f"'{c[0]}': {', '.join(DELAYS)} was expected", c[0].line, c[0].column)
        return Delay(str(c[0]))

    def by_effect(self, c: list[Any]) -> Effect:
        return By(c[0])

    def effects(self, c: list[Any]) -> tuple[tuple[Effect, ...], bool]:
        repeated = bool(c) and c[-1] is not None and not isinstance(c[-1], Node)
        return tuple(x for x in c if isinstance(x, Effect)), repeated

    def provenance(self, c: list[Any]) -> tuple[str, tuple[int, ...]]:
        if c[0] not in CAUSES:
            raise TextError(f"unknown cause '{c[0]}' (known: {', '.join(CAUSES)})", c[0].line, c[0].column)
        return str(c[0]), tuple(_number(x) for x in c[1:])

    def rtl(self, c: list[Any]) -> Rtl:
        return Rtl(c[0][0], c[1][1], c[1][0], _number(c[2] or 0))

    # functions
    def fn_file(self, c: list[Any]) -> tuple[str, Any]:
        return "file", json.loads(c[0])

    def fn_line(self, c: list[Any]) -> tuple[str, Any]:
        return "line", _number(c[0])

    def fn_stage(self, c: list[Any]) -> tuple[str, Any]:
        return "stage", str(c[0])

    def fn_frame(self, c: list[Any]) -> tuple[str, Any]:
        return "frame", _number(c[0])

    def fn_outgoing(self, c: list[Any]) -> tuple[str, Any]:
        return "outgoing", _number(c[0])

    def fn_static(self, c: list[Any]) -> tuple[str, Any]:
        return "static", True

    def fn_inline(self, c: list[Any]) -> tuple[str, Any]:
        return "inline", True

    def fn_arriving(self, c: list[Any]) -> tuple[str, Any]:
        op, type_ = json.loads(c[1])[:2], json.loads(c[1])[2:]
        place = c[0] if isinstance(c[0], Register | Mem) else Slot(str(c[0]))
        if op not in ("sx", "zx") or type_ not in INTEGER_TYPES or isinstance(place, Mem):
            raise TextError('a register or slot arrives as "sx" or "zx" of B, W or L say', c[1].line, c[1].column)
        return "arriving", (place, (op, type_))

    def fn_leaving(self, c: list[Any]) -> tuple[str, Any]:
        type_ = json.loads(c[1])
        if type_ not in INTEGER_TYPES or not isinstance(c[0], Register):
            raise TextError('of a register that leaves, "B", "W" or "L" say is read', c[1].line, c[1].column)
        return "leaving", (c[0], type_)

    def slot(self, c: list[Any]) -> FrameSlot:
        return FrameSlot(str(c[0]), str(c[1]), _number(c[2]), _number(c[3]), None if c[4] is None else _number(c[4]))

    def block(self, c: list[Any]) -> Block:
        _number(c[0], c[0][1:])
        return Block(str(c[0]), [x for x in c[1:] if type(x) is Rtl], [x for x in c[1:] if type(x) is Phi])

    def source(self, c: list[Any]) -> tuple[str, Any]:
        return str(c[0]), c[1]

    def phi(self, c: list[Any]) -> Phi:
        return Phi(c[0], dict(c[1:-1]), c[-1][1], c[-1][0])

    def function(self, c: list[Any]) -> Function:
        function = Function(str(c[0]))
        for part in c[1:]:
            if isinstance(part, FrameSlot):
                function.slots[part.name] = part
            elif isinstance(part, Block):
                function.blocks.append(part)
            elif part[0] in ("arriving", "leaving"):
                getattr(function, part[0]).update([part[1]])
            else:
                setattr(function, part[0], part[1])
        function.labels = max((int(block.label[1:]) for block in function.blocks), default=0)
        named = [r for rtl in function.rtls() for r in (*rtl.uses, *rtl.sets)]
        named += [r for block in function.blocks for phi in block.phis for r in (phi.target, *phi.sources.values())]
        function.pseudos = max((r.index for r in named if r.pseudo), default=0)
        return function

    # data
    def static_data(self, c: list[Any]) -> str:
        return "static"

    def constant_data(self, c: list[Any]) -> str:
        return "constant"

    def tentative_data(self, c: list[Any]) -> str:
        return "tentative"

    def weak_data(self, c: list[Any]) -> str:
        return "weak"

    def section_of_data(self, c: list[Any]) -> dict[str, str]:
        return {"section": json.loads(c[0]), "place": json.loads(c[1])}

    def int_item(self, c: list[Any]) -> il.IntItem:
        return il.IntItem(_number(c[0]), _number(c[1]), _number(c[2]))

    def float_item(self, c: list[Any]) -> il.FloatItem:
        value = float(c[2]) if c[2] in ("nan", "inf", "-inf") else float.fromhex(c[2])
        return il.FloatItem(_number(c[0]), _number(c[1]), value)

    def address_item(self, c: list[Any]) -> il.AddressItem:
        return il.AddressItem(_number(c[0]), str(c[1]), _number(c[2]))

    def label_item(self, c: list[Any]) -> LabelItem:
        return LabelItem(_number(c[0]), str(c[1]), str(c[2]))

    def part_item(self, c: list[Any]) -> PartItem:
        return PartItem(_number(c[0]), str(c[1]))

    def bytes_item(self, c: list[Any]) -> il.BytesItem:
        return il.BytesItem(_number(c[0]), json.loads(c[1]).encode("latin-1"))

    def data(self, c: list[Any]) -> Data:
        flags: dict[str, Any] = {x: True for x in c[1:] if type(x) is str}
        numbers = [_number(x) for x in c[1:] if hasattr(x, "type") and x.type == "INT"]
        items = [x for x in c[1:] if not isinstance(x, str | dict)]
        flags |= next((x for x in c[1:] if isinstance(x, dict)), {})
        return Data(str(c[0]), numbers[0], numbers[1], items, **flags)

    # units
    def celldecl(self, c: list[Any]) -> tuple[str, str]:
        return str(c[0]), str(c[1])

    def unit(self, c: list[Any]) -> Unit:
        unit = Unit(json.loads(c[0]))
        unit.functions = [x for x in c[1:] if isinstance(x, Function)]
        unit.data = [x for x in c[1:] if isinstance(x, Data)]
        return unit


FEW = 3  # signs that a message lists


@cache
def _parser() -> Lark:
    """Return the parser; its tables, which take a while to compute, are kept in the cache on disk."""
    name = disk.key("parser of RTL text", lark_version)
    tables = disk.load(name, ())
    if tables is not None:
        return Lark.load(tables)
    grammar = Path(__file__).with_name("rtl.lark").read_text(encoding="utf-8")
    starts = ["effects", "expr", "function", "unit"]
    parser = Lark(grammar, parser="lalr", start=starts, maybe_placeholders=True, propagate_positions=False)
    written = io.BytesIO()
    parser.save(written)
    disk.store(name, pickle.loads(written.getvalue()))
    return parser


def _wanted(names: Collection[str]) -> str:
    """Return which signs the parser would have taken, if they are few; `names` are those of terminals."""
    signs = {one.name: one.pattern.value for one in _parser().terminals if isinstance(one.pattern, PatternStr)}
    found = sorted(signs[name] for name in names if name in signs)
    return "expected " + " or ".join(f"`{sign}`" for sign in found) if 0 < len(found) == len(names) <= FEW else ""


def parsed(start: str, text: str, cells: Mapping[str, str], pattern: bool = False) -> Any:
    """Return what a text says that is a `start` of the grammar, perhaps with Variables.

    Raises TextError.
    """
    try:
        return _Builder(cells, pattern).transform(_parser().parse(text, start))
    except UnexpectedInput as error:
        line, column = max(error.line, 1), max(error.column, 1)
        lines = text.splitlines() or [""]
        near = lines[min(line, len(lines)) - 1]
        met = getattr(getattr(error, "token", None), "type", "")
        advice = hint(near.strip(), met == "OPERATOR", start == "effects") if start in ("effects", "expr") else ""
        advice = advice or _wanted(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
        where = " at its end" if met == "$END" else f" at {near[column - 1 :].strip()!r}"
        message = f"this is not RTL syntax{where}{f' ({advice})' if advice else ''}: {near.strip()!r}"
        raise TextError(message, line, column) from None
    except VisitError as error:
        if isinstance(error.orig_exc, TextError):
            raise error.orig_exc from None
        raise TextError(str(error.orig_exc)) from error
