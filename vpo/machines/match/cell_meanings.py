"""What instructions compute of a cell of memory, and the addresses at which only such instructions read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from vpo.machines.match.meaning import Meaning, put, unnamed
from vpo.machines.match.meanings import ADDRESS, CELL, FUNCTIONS, STORED, Computed, condition_of, meanings_of, value_of
from vpo.machines.match.pattern import Alternative
from vpo.machines.read.operands import Operands
from vpo.rtl import BITS, INTEGER_TYPES, Branch, Const, Mem, Op, Set, subexpressions
from vpo.text import RegisterVariable, Variable

CELLS = 2  # that an instruction reads of which it computes


def find_in_cells(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return what instructions compute of one cell or two, to set a register, to store it or to branch by it.

    What is one operator is found as it is written, but for those that C has none for, where it changes a register and others
    of it set any, of a part of what registers hold: programs extend what they read, and of a cell that no load extends so,
    or reaches so.
    """
    alternatives = [one for one in alternatives if len(one.effects) == 1]
    seen = [_with_leaf(one) for one in alternatives if _reads(one.effects[0])]
    found: dict[Any, Meaning] = {}
    elsewhere = {one.name for one in find_read_addresses(alternatives, operands)}
    free = set(map(_free_operator, alternatives)) if seen else set()
    usual = _usual_bits(alternatives) if seen else 0
    loaded = {kind for one in alternatives for kind in _extended_cells(one.effects[0]) if _is_load(one.effects[0])}
    for computed in (value_of, _stored, condition_of) if seen else ():
        for meaning in meanings_of(seen, operands, computed):
            operators = [node.op for node in subexpressions(meaning.source) if isinstance(node, Op)]
            several = sum(op not in ("sx", "zx", "tr") for op in operators) > 1
            several |= bool(operators) and BITS["L"] <= BITS.get(_operand_type(meaning), usual) < usual
            several |= not FUNCTIONS.isdisjoint(operators)  # which programs may have to write with others
            several |= computed is condition_of and "tr" in operators  # of a part, and programs compare whole registers
            several |= any(kind not in loaded for kind in _extended_leaves(meaning.source))
            several |= meaning.name in elsewhere
            if several or (meaning.changes and free.intersection(operators)):
                found.setdefault((meaning.target, unnamed(meaning), tuple(map(id, meaning.forms))), meaning)
    for meaning in meanings_of(_stored_alone(alternatives), operands, _stored):
        found.setdefault((meaning.target, unnamed(meaning), tuple(map(id, meaning.forms))), meaning)
    return list(found.values())


def find_read_addresses(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return how instructions that compute of a cell compute its address, where no load does so.

    What a load reaches is the address of a cell before anything is computed of it.
    """
    alternatives = [one for one in alternatives if len(one.effects) == 1]
    loads = [one for one in alternatives if _only_loads(one.effects[0])]
    usual = {name for one in loads if (name := _address_operand(one))}
    others = [one for one in alternatives if _reads(one.effects[0], 1) and _address_operand(one) not in usual]
    others = [one for one in others if not isinstance(_cell(one).address, RegisterVariable)]
    found: dict[Any, Meaning] = {}
    for meaning in meanings_of(map(_as_load, others), operands, _read_address):
        found.setdefault((unnamed(meaning), tuple(map(id, meaning.forms))), meaning)
    known = meanings_of(map(_as_load, loads), operands, _read_address) if found else []
    for meaning in known:
        found.pop((unnamed(meaning), tuple(map(id, meaning.forms))), None)
    return list(found.values())


def _only_loads(effect: Any) -> bool:
    """Whether an effect sets a register to a cell, perhaps extended."""
    if not isinstance(effect, Set) or not isinstance(effect.target, RegisterVariable):
        return False
    return isinstance(effect.source, Mem) or _is_load(effect)


def _cell(one: Alternative) -> Any:
    """Return the cell that an instruction reads."""
    effect = one.effects[0]
    part = effect.source if isinstance(effect, Set) else effect.condition
    return next(node for node in subexpressions(part) if isinstance(node, Mem))


def _address_operand(one: Alternative) -> str:
    """Return the operand that is the address of the cell that an instruction reads, if that is one."""
    address = _cell(one).address
    return one.operands.get(address.name, "") if isinstance(address, Variable) else ""


def _as_load(one: Alternative) -> Alternative:
    """Return an instruction that reads the same cell and does nothing else."""
    cell = _cell(one)
    names = {node.name for node in subexpressions(cell) if isinstance(node, Variable)}
    operands = {name: own for name, own in one.operands.items() if name in names}
    return replace(one, effects=(Set(RegisterVariable("", "what is loaded", cell.type), cell),), operands=operands)


def _read_address(effect: Any) -> Computed | None:
    """Return the address of the cell that an effect loads."""
    address = effect.source.address
    return (ADDRESS, address.type, address, "") if isinstance(address, Op) else None


def _stored_alone(alternatives: Sequence[Alternative]) -> list[Alternative]:
    """Return the instructions that store what only they compute of registers, by operators that programs write with others."""
    sources = [(one, effect.source) for one in alternatives if isinstance(effect := one.effects[0], Set)]
    of_registers = {
        node.op
        for one, source in sources
        if isinstance(one.effects[0].target, RegisterVariable) and not source.memory
        for node in subexpressions(source)
        if isinstance(node, Op)
    }
    return [
        _at_no_address(one)
        for one, source in sources
        if isinstance(one.effects[0].target, Mem) and isinstance(source, Op) and not source.memory
        and any(isinstance(node, Op) and node.op in FUNCTIONS - of_registers for node in subexpressions(source))
    ]  # fmt: skip


def _at_no_address(one: Alternative) -> Alternative:
    """Return a store wherever it stores to."""
    (effect,) = one.effects
    names = {node.name for node in subexpressions(effect.source) if isinstance(node, Variable)}
    operands = {name: own for name, own in one.operands.items() if name in names}
    return replace(one, effects=(Set(effect.target.at(Const(0)), effect.source),), operands=operands)


def _extended_cells(effect: Any) -> Iterator[tuple[str, str]]:
    """Yield how a pattern extends cells: whether by their signs, and from which type."""
    for node in subexpressions(effect.source) if isinstance(effect, Set) else ():
        if isinstance(node, Op) and node.op in ("sx", "zx") and isinstance(node.args[0], Mem):
            yield node.op, node.args[0].type


def _extended_leaves(source: Any) -> Iterator[tuple[str, str]]:
    """Yield how an instruction extends the cell that is a leaf of what it computes."""
    for node in subexpressions(source):
        if isinstance(node, Op) and node.op in ("sx", "zx") and getattr(node.args[0], "cls", "").startswith(CELL):
            yield node.op, node.args[0].type


def _is_load(effect: Any) -> bool:
    """Whether an effect only loads a cell into a register, and extends it."""
    source = getattr(effect, "source", None)
    return isinstance(source, Op) and source.op in ("sx", "zx") and isinstance(source.args[0], Mem)


def _usual_bits(alternatives: Iterable[Alternative]) -> int:
    """Return how wide the integer registers are that most instructions set."""
    targets = [getattr(one.effects[0], "target", None) for one in alternatives]
    types = Counter(node.type for node in targets if isinstance(node, RegisterVariable) and node.type in INTEGER_TYPES)
    return BITS[types.most_common(1)[0][0]] if types else 0


def _operand_type(meaning: Meaning) -> str:
    """Return the type of numbers on which an instruction operates behind extensions."""
    source = meaning.source
    while isinstance(source, Op) and source.op in ("sx", "zx", "tr"):
        source = source.args[0]
    return str(source.type)


def _free_operator(one: Alternative) -> str:
    """Return the operator of an instruction that operates on one register and sets another one."""
    match one.effects[0]:
        case Set(target=RegisterVariable(name=target), source=Op(op=op, args=(RegisterVariable(name=first), *_))):
            return op if first != target else ""
    return ""


def _reads(effect: Any, most: int = CELLS) -> bool:
    """Whether an effect does more with a cell of integers, or several, than to load, extend or store it."""
    part: Any = effect.condition if isinstance(effect, Branch) else None
    if isinstance(effect, Set) and isinstance(effect.target, RegisterVariable | Mem):
        part = effect.source
    cells = {node for node in subexpressions(part) if isinstance(node, Mem)} if isinstance(part, Op) else set()
    loads = isinstance(part, Op) and part.op in ("sx", "zx") and isinstance(part.args[0], Mem)
    return 1 <= len(cells) <= most and not loads and all(cell.type in INTEGER_TYPES for cell in cells)


def _with_leaf(one: Alternative) -> Alternative:
    """Return an instruction with a leaf for each cell that it reads, wherever that is."""
    effect = one.effects[0]
    part = effect.source if isinstance(effect, Set) else effect.condition
    cells = dict.fromkeys(node for node in subexpressions(part) if isinstance(node, Mem))
    leaves = {cell: RegisterVariable(f"{CELL}{cell.type}", f"cell {n}", cell.type) for n, cell in enumerate(cells)}
    part = put(part, leaves)
    names = {node.name for node in subexpressions(part) if isinstance(node, Variable)}
    new = effect
    if isinstance(effect, Set):
        new = Set(effect.target.at(Const(0)) if isinstance(effect.target, Mem) else effect.target, part)
    elif isinstance(effect, Branch):
        new = Branch(part, effect.label)
    return replace(one, effects=(new,), operands={name: own for name, own in one.operands.items() if name in names})


def _stored(effect: Any) -> Computed | None:
    """Return what an effect stores that it computes of a cell."""
    match effect:
        case Set(target=Mem(type=type_), source=source) if type_ in INTEGER_TYPES and source.type in INTEGER_TYPES:
            return f"{STORED}{type_}", type_, source if source.type == type_ else Op("tr", type_, source), ""
    return None
