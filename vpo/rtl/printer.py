"""Print nodes, RTLs, functions and units as text."""

from __future__ import annotations

import json
from collections.abc import Mapping

from vpo import il
from vpo.rtl import (
    CODE_TYPES,
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
    Return,
    Rtl,
    Set,
    Slot,
    Symbol,
)  # fmt: skip
from vpo.rtl.function import Data, Function, Item, LabelItem, PartItem, Phi, Unit

# Functions whose names are printed with the type of their result.
TYPED_FUNCTIONS = ("sx", "zx", "tr", "cvt", "cvtu", "bits", "SYS")


def show(node: Node) -> str:
    """Return the text of an expression or effect."""
    match node:
        case Register():
            if node.type in CODE_TYPES:
                return node.cls
            version = f".{node.version}" if node.version else ""
            return f"{node.cls}[{'t' if node.pseudo else ''}{node.index}{version}]"
        case Const():
            return str(node.value)
        case Mem():
            effective = f"{{{node.effective}}}" if node.effective else ""
            return f"{'V' if node.volatile else ''}{node.type}{effective}[{show(node.address)}]"
        case Op():
            return _show_op(node)
        case Symbol() | Slot():
            return node.name + (f"+{node.offset}" if node.offset else "")
        case Half():
            return f"{node.which}[{show(node.of)}]"
        case Set():
            return f"{show(node.target)}={show(node.source)};"
        case Jump():
            return f"PC={node.label};"
        case Branch():
            return f"PC={show(node.condition)},{node.label};"
        case IndirectJump():
            return f"PC={_nested(node.target)},{{{','.join(node.labels)}}};"
        case Call():
            results = f",RT({','.join(map(show, node.results))})" if node.results else ""
            return f"ST={_nested(node.target)}({','.join(map(show, node.arguments))}){results};"
        case Return():
            return f"PC={_nested(node.target)},RT({','.join(map(show, node.results))});"
        case Next():
            return "NPC"
        case LabelAddress():
            return f"AT[{node.label}]"
        case Delay():
            return f"DS={node.when};"
        case By():
            return f"BY={show(node.register)};"
    return getattr(node, "shown", type(node).__name__)  # what patterns have beside RTLs says itself how it is written


def _show_op(node: Op) -> str:
    if node.is_infix:
        return f"{_nested(node.args[0])}{node.op}{_nested(node.args[1])}"
    suffix = node.type if node.op in TYPED_FUNCTIONS else ""
    return f"{node.op}{suffix}({','.join(map(show, node.args))})"


def _nested(node: Node) -> str:
    text = show(node)
    if (isinstance(node, Op) and node.is_infix) or (isinstance(node, Symbol | Slot) and node.offset):
        return f"({text})"
    return text


def show_effects(effects: tuple[Effect, ...]) -> str:
    """Return the text of the effects of one RTL."""
    return " ".join(map(show, effects)) if effects else "NOP;"


def show_rtl(rtl: Rtl) -> str:
    """Return the text of an RTL with its provenance."""
    return f"{show_effects(rtl.effects)} {_origin(rtl)}"


def _origin(rtl: Rtl) -> str:
    """Return the provenance of an RTL, and which instruction it is if it is not the first with its effects."""
    form = f" form {rtl.form}" if rtl.form else ""
    return f"# {rtl.cause} {','.join(map(str, rtl.lines))}{form}"


def show_phi(phi: Phi) -> str:
    """Return the text of a phi without its provenance."""
    sources = ",".join(f"{label}:{show(source)}" for label, source in phi.sources.items())
    return f"{show(phi.target)}=PHI({sources});"


def print_function(function: Function) -> str:
    """Return the text of a function, ending in a newline."""
    attributes = f" file {json.dumps(function.file)} line {function.line} stage {function.stage}"
    if function.frame:
        attributes += f" frame {function.frame}"
    if function.outgoing:
        attributes += f" outgoing {function.outgoing}"
    if function.static:
        attributes += " static inline" if function.inline else " static"
    if function.stage in ("ssa", "pseudo"):
        attributes += "".join(f' arriving {show(r)} "{op}{type_}"' for r, (op, type_) in function.arriving.items())
        attributes += "".join(f' leaving {show(r)} "{type_}"' for r, type_ in function.leaving.items())
    lines = [f"function {function.name}{attributes} {{"]
    for slot in function.slots.values():
        offset = "" if slot.offset is None else f" {slot.offset}"
        lines.append(f"slot {slot.name} {slot.kind} size {slot.size} align {slot.align}{offset}")
    for block in function.blocks:
        lines.append(f"{block.label}:")
        lines += [f"\t{show_phi(p):<40} # {p.cause} {','.join(map(str, p.lines))}" for p in block.phis]
        lines += [f"\t{show_effects(r.effects):<40} {_origin(r)}" for r in block.rtls]
    lines.append("}")
    return "\n".join(lines) + "\n"


def print_data(data: Data) -> str:
    """Return the text of a data object, ending in a newline."""
    flags = "".join(f" {f}" for f in ("static", "constant", "tentative", "weak") if getattr(data, f))
    flags += f" section {json.dumps(data.section)} {json.dumps(data.place)}" if data.section else ""
    lines = [f"data {data.name}{flags} size {data.size} align {data.align} {{"]
    lines += [f"\t{_show_item(item)}" for item in data.items]
    return "\n".join([*lines, "}"]) + "\n"


def _show_item(item: Item) -> str:
    match item:
        case il.IntItem():
            return f"{item.offset}: int {item.size} {item.value}"
        case il.FloatItem():
            text = "nan" if item.value != item.value else float(item.value).hex()
            return f"{item.offset}: float {item.size} {text}"
        case il.AddressItem():
            return f"{item.offset}: address {item.symbol} {item.addend}"
        case LabelItem():
            return f"{item.offset}: label {item.label} {item.function}"
        case PartItem():
            return f"{item.offset}: part {item.symbol}"
        case il.BytesItem():
            return f"{item.offset}: bytes {json.dumps(item.data.decode('latin-1'))}"


def print_unit(unit: Unit, cells: Mapping[str, str]) -> str:
    """Return the text of a unit for a machine with these cells."""
    header = f"machine {json.dumps(unit.machine)} cells {' '.join(f'{k}={v}' for k, v in cells.items())}\n"
    return header + "".join(map(print_data, unit.data)) + "".join(map(print_function, unit.functions))
