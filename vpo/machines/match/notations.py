"""Other notations of instructions that a description states: those in which RTLs are written.

    r[d]=L[r[p]+c]; r[e]=L[r[p]+k];     with 0 for c it is     r[d]=L[r[p]]; r[e]=L[r[p]+k];
    r[d]=L[r[p]+c]; r[e]=L[(r[p]+c)+4];                        the same
    r[d]=(r[a]+c)+r[b];                 is written             r[d]=(r[a]+r[b])+c;

    r[d]=(r[a]&r[b])+(r[a]^r[b]);       is                     r[d]=r[a]|r[b];
    L[r[a]+r[b]]=r[s];                  is, with 0,            L[r[a]+r[b]]=0;    on a machine with a register that is 0
    r[d]=L[r[a]-k];                     is written             r[d]=L[r[a]+k];    with the number of the other sign
    r[d]=zxQ(SEL(cc==0,k,c));           is written             r[d]=SEL(cc==0,k,c);    if neither is below 0

RTLs have no zeros to add, constants on the right, and one operator where one is enough.  What instructions of one operator are
with a neutral number is in `implied.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from vpo.algebra import apply, binary, branch, operand_type, rebuild, set_
from vpo.algebra.building import told_type
from vpo.machines.match.implied import NEUTRAL, form_with, takes
from vpo.machines.match.number_sums import sum_of
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.read.condition import with_number
from vpo.rtl import (
    ARITHMETIC,
    BITS,
    INTEGER_TYPES,
    QUOTIENTS,
    SWAPPED,
    Branch,
    Const,
    Expr,
    IndirectJump,
    Mem,
    Op,
    Register,
    Set,
    Symbol,
    subexpressions,
)
from vpo.text import RegisterVariable, Variable

COMPUTING = Set | Branch | IndirectJump
CONVERSIONS = ("sx", "zx", "tr", "cvt", "cvtu", "bits")
LOW_BITS = ("+", "-", "*", "&", "|", "^")  # operators whose low bits follow from those of their operands
TRIED = 10_000  # combinations of numbers
SAMPLES = ((13, 5), (-3, 7), (-200, -9), (1 << 30, 3), (0x1234567, -0x765432))


def other_notations(recognizer: Recognizer, zero: Iterable[Register] = ()) -> list[Alternative]:
    """Return further forms of a machine's instructions; `zero` are registers that always hold 0."""
    added = added_forms(recognizer) + zero_forms(recognizer, zero) + positive_forms(recognizer)
    known = recognizer.extended(added)
    canonical = canonical_forms(known)
    found = added + neutral_forms(known.extended(canonical)) + canonical + plain_forms(known) + narrow_forms(known)
    return [replace(form, order=len(recognizer.alternatives) + n) for n, form in enumerate(found)]


def neutral_forms(recognizer: Recognizer) -> list[Alternative]:
    """Return what instructions of several operators or effects are where a number leaves something as it is.

    RTLs have no zeros to add: with 0 for c, a pair of loads from `r[p]+c` and `r[p]+k` is one from `r[p]` and `r[p]+k`.
    """
    work = list(filter(_only_computes, recognizer.alternatives))
    found: list[Alternative] = []
    seen = set[tuple[Any, ...]]()
    for form in work:
        for operation in {repr(node): node for node in _with_neutral_operands(form)}.values():
            right, neutral = _solved(operation, form)
            if right is None or not takes(recognizer, form, neutral, right):
                continue
            effects = tuple(_with_number(effect, right.name, neutral) for effect in form.effects)
            if _mentions(effects, right.name):
                continue
            key = (form.name, form.place, repr(effects), *sorted(form.operands))
            if key in seen:
                continue
            seen.add(key)
            moves = any(isinstance(e, Set) and not isinstance(e.target, Mem)
                        and isinstance(e.source, RegisterVariable | Variable) for e in effects)  # fmt: skip
            if moves or _is_known(recognizer, effects):
                continue  # nothing, or what another instruction does
            condition = form.condition and with_number(form.condition, right.name, neutral.value)
            text = f"{form.text} with {neutral.value} for {right.name}"
            new = replace(
                form_with(recognizer, form, effects, {right.name: neutral}), condition=condition, text=text, implied=True
            )
            if _may_hold(recognizer, new):
                found.append(new)
                work.append(new)
    return found


def canonical_forms(recognizer: Recognizer) -> list[Alternative]:
    """Return instructions in the notation in which RTLs are written: `(r[a]+c)+r[b]` is `(r[a]+r[b])+c` there."""
    found = []
    for form in recognizer.alternatives:
        stored = tuple(map(_without_truncation, form.effects))
        if (len(list(_operators(form.effects))) > 1 or stored != form.effects) and _only_computes(form):
            is_clear = not any(map(_converts_an_operand, _operators(stored)))
            effects = tuple(map(_Notation(form).canonical, stored)) if is_clear else stored
            if all(effects) and effects != form.effects:
                found.append(replace(form, effects=effects, implied=True))
    return found


def _without_truncation(effect: Any) -> Any:
    """Return an effect that stores no more of a wide value than the cell holds, in any case."""
    match effect:
        case Set(target=Mem() as cell, source=Op(op="tr", args=(wide,)) as source) if source.type == cell.type:
            if wide.type in INTEGER_TYPES and cell.type in INTEGER_TYPES and not isinstance(wide, Mem):
                return Set(cell, wide)
    return effect


def _converts_an_operand(node: Op) -> bool:
    """Whether an operator converts what may be a register or a number: nothing can stand for it that converts as both do."""
    return node.op in CONVERSIONS and _has_variable(node)


def _has_variable(node: Any) -> bool:
    """Whether a variable stands in an expression, and not in the address of a cell."""
    return isinstance(node, Variable) or (isinstance(node, Op) and any(map(_has_variable, node.args)))


def narrow_forms(recognizer: Recognizer) -> list[Alternative]:
    """Return instructions of several effects that compute in low bits, as those of the operation on whole registers.

    Instructions of one effect are found by what they compute, however it is written.
    """
    found = []
    for form in recognizer.alternatives:
        if len(form.effects) > 1 and _only_computes(form):
            for way in (_of_whole, _of_parts):
                effects = tuple(_mapped(effect, way) for effect in form.effects)
                if repr(effects) != repr(form.effects):
                    found.append(replace(form, effects=effects, implied=True))
    return found


def _of_whole(node: Any) -> Any:
    """Return a pattern with the low part of an operation in the place of the operation on low parts."""
    if isinstance(node, Mem):
        return node.at(_of_whole(node.address))
    if not isinstance(node, Op):
        return node
    args = tuple(map(_of_whole, node.args))
    parts = [arg for arg in args if isinstance(arg, Op) and arg.op == "tr"]
    wide = {arg.args[0].type for arg in parts}
    if node.op in LOW_BITS and len(wide) == 1 and all(arg in parts or isinstance(arg, Const | Variable) for arg in args):
        (type_,) = wide
        return Op("tr", node.type, Op(node.op, type_, *(arg.args[0] if arg in parts else arg for arg in args)))
    return Op(node.op, node.type, *args)


def _of_parts(node: Any) -> Any:
    """Return a pattern with an operation on low parts in the place of the low part of the operation."""
    if isinstance(node, Mem):
        return node.at(_of_parts(node.address))
    if not isinstance(node, Op):
        return node
    inner = node.args[0]
    if node.op == "tr" and isinstance(inner, Op) and inner.op in LOW_BITS and Mem not in map(type, inner.args):
        return Op(inner.op, node.type, *(_of_parts(_part(arg, node.type)) for arg in inner.args))
    return Op(node.op, node.type, *map(_of_parts, node.args))


def _part(node: Any, type_: str) -> Any:
    return node if isinstance(node, Const | Variable) else Op("tr", type_, node)


def added_forms(recognizer: Recognizer) -> list[Alternative]:
    """Return instructions that subtract a number as such that add one: RTLs add numbers with a sign."""
    found = []
    for form in recognizer.alternatives:
        seen: set[str] = set()
        for node in _operators(form.effects):
            number = node.args[1] if node.op == "-" and not form.repeated else None
            if isinstance(number, Variable) and number.name not in seen:
                seen.add(number.name)
                operands = recognizer.operands[form.operands[number.name]]
                is_known = form.condition is not None and number.name in form.condition.names
                if not all(form.pattern is None and not (form.symbol or form.far) for form in operands):
                    continue
                if _mentions(form.effects, number.name) == 1 and not is_known and all(map(_is_plain_number, operands)):
                    found.append(_added(recognizer, form, node, number.name))
                else:
                    same = [one for one in _operators(form.effects) if one.op == "-" and repr(one.args[1]) == repr(number)]
                    effects = form.effects
                    for one in same:
                        effects = _with(effects, one, Op("+", one.type, one.args[0], Op("neg", "", number)))
                    found.append(replace(form, effects=effects, implied=True))
    return found


def positive_forms(recognizer: Recognizer) -> list[Alternative]:
    """Return instructions that extend what they choose of numbers, for numbers without a sign: RTLs extend none of these."""
    found = []
    for form in recognizer.alternatives:
        for node in _operators(form.effects):
            chosen = node.args[0]
            extends = node.op in ("sx", "zx") and isinstance(chosen, Op) and chosen.op == "SEL" and not form.repeated
            names = _chosen(chosen) if extends else None
            if not names:
                continue
            most = (1 << BITS[told_type(chosen, True) or "B"] - 1) - 1
            operands = {name: f"_to_{most}_{form.operands[name]}" for name in sorted(names)}
            for name, other in operands.items():
                forms = [each for each in recognizer.operands[form.operands[name]] if each.pattern is None and not each.far]
                recognizer.operands[other] = [_without_sign(each, most) for each in forms]
            effects = _with(form.effects, node, _untyped(chosen))
            found.append(replace(form, effects=effects, operands={**form.operands, **operands}, implied=True))
    return found


def _chosen(node: Any) -> set[str] | None:
    """Return the variables that a choice is made of, if it is one of numbers only."""
    if isinstance(node, Op) and node.op == "SEL":
        sides = [_chosen(side) for side in node.args[1:]]
        return set().union(*(side for side in sides if side is not None)) if None not in sides else None
    if isinstance(node, Const):
        return set() if node.value >= 0 else None
    return {node.name} if isinstance(node, Variable) and not isinstance(node, RegisterVariable) else None


def _untyped(node: Any) -> Any:
    """Return a choice of numbers, of which nobody says how wide they are."""
    return Op("SEL", "", node.args[0], *map(_untyped, node.args[1:])) if isinstance(node, Op) else node


def _without_sign(form: OperandForm, most: int) -> OperandForm:
    """Return a form of an operand for those of its numbers that are not below 0 and at most a number."""
    values = tuple(value for value in form.values if 0 <= value <= most)
    low, high = (max(form.low, 0), min(form.high, most)) if values or not form.values else (0, -1)
    return replace(form, values=values, low=low, high=high, symbol=False, slots=False)


def zero_forms(recognizer: Recognizer, zero: Iterable[Register]) -> list[Alternative]:
    """Return what stores are that compute an address or do more, with a register that holds 0: RTLs store the number."""
    work = [form for form in recognizer.alternatives if not form.repeated]
    found = []
    for form in work:
        for place, effect in enumerate(form.effects):
            match effect:
                case Set(target=Mem() as cell, source=RegisterVariable() as stored):
                    register = next((one for one in zero if one.cls == stored.cls), None)
                    if register is None or not (isinstance(cell.address, Op) or len(form.effects) > 1):
                        continue
                    effects = (*form.effects[:place], Set(cell, Const(0)), *form.effects[place + 1 :])
                    if _only_computes(form) and not _has_register(effects, stored.name):
                        condition = form.condition and with_number(form.condition, stored.name, register.index)
                        known = form_with(recognizer, form, effects, {stored.name: register})
                        new = replace(known, condition=condition, implied=True)
                        found.append(new)
                        work.append(new)
    return found


def _has_register(effects: tuple[Any, ...], name: str) -> bool:
    """Whether a pattern has a variable of a register."""
    parts = [part for effect in effects for part in _parts(effect)]
    return any(isinstance(node, RegisterVariable) and node.name == name for part in parts for node in subexpressions(part))


def _is_plain_number(form: OperandForm) -> bool:
    return form.pattern is None and form.condition is None and not (form.symbol or form.far)


def _added(recognizer: Recognizer, form: Alternative, difference: Op, name: str) -> Alternative:
    """Return a form that adds a number where it subtracts one."""
    operand = form.operands[name]
    other = f"_minus_{operand}"
    recognizer.operands[other] = list(map(_with_another_sign, recognizer.operands[operand]))
    total = Op("+", difference.type, *difference.args)
    effects = _with(form.effects, difference, total)
    return replace(form, effects=effects, operands={**form.operands, name: other}, implied=True)


def _with(effects: tuple[Any, ...], old: Op, new: Op) -> tuple[Any, ...]:
    """Return the effects of a pattern with another operation in the place of one."""
    return tuple(_mapped(effect, lambda part: _put(part, old, new)) for effect in effects)


def _with_another_sign(form: OperandForm) -> OperandForm:
    """Return a form of an operand that is a number, for the number with the other sign; it prints as before."""

    def shown(values: dict[str, Any]) -> Any:
        value = -values["v"]
        return form.show({"v": value}) if form.show is not None else value

    values = tuple(-value for value in form.values)
    low, high = (-form.high, -form.low) if form.low <= form.high else (form.low, form.high)
    return replace(form, low=low, high=high, values=values, show=shown, slots=False)


def plain_forms(recognizer: Recognizer) -> list[Alternative]:
    """Return instructions that several operators describe and that are one operator on two registers, or on one."""
    found = []
    for form in recognizer.alternatives:
        single = len(form.effects) == 1 and _only_computes(form)
        source = form.effects[0].source if single and isinstance(form.effects[0], Set) else None
        if not isinstance(source, Op) or source.memory or source.op == "SEL" or form.operands:
            continue
        if all(isinstance(arg, RegisterVariable) or arg is Const(0) for arg in source.args):
            continue
        notation = _Notation(form)
        concrete = notation.concrete(source)
        registers = list(notation.variables)
        plain = next((one for one in _plain(registers) if _is_same(concrete, one, registers)), None)
        if plain is not None:
            target = form.effects[0].target
            found.append(replace(form, effects=(Set(target, notation.pattern(plain)),), implied=True))
    return found


def _plain(registers: list[Register]) -> Iterator[Op]:
    """Yield what one operator makes of two registers, or of one."""
    if len(registers) == 1 and registers[0].type in INTEGER_TYPES:
        yield from (Op(op, registers[0].type, registers[0]) for op in ("neg", "not"))
        yield from (Op(op, "", registers[0], Const(0)) for op in ("==", "!="))
    if len(registers) == 2 and all(register.type in INTEGER_TYPES for register in registers):
        for op in sorted(ARITHMETIC - QUOTIENTS):
            for a, b in (registers, registers[::-1]):
                yield Op(op, a.type, a, b)


def _is_same(a: Expr, b: Op, registers: list[Register]) -> bool:
    """Whether two expressions of some registers are the same value: on samples, and then proven."""
    for sample in SAMPLES:
        numbers = {register: Const(sample[place]) for place, register in enumerate(registers)}
        x, y = (rebuild(node, lambda n, known=numbers: known.get(n)) for node in (a, b))  # type: ignore[misc]
        if x is not y or not isinstance(x, Const):
            return False
    from vpo.algebra.proofs import are_equal  # hardly ever wanted

    return are_equal(a, b, a.type or b.type or registers[0].type)


def _is_known(recognizer: Recognizer, effects: tuple[Any, ...]) -> bool:
    """Whether a pattern of registers alone is an instruction already."""
    numbers: dict[str, Register] = {}

    def put(node: Any) -> Any:
        if isinstance(node, RegisterVariable):
            return numbers.setdefault(node.name, Register(node.cls, -1 - len(numbers), node.type, True))
        if isinstance(node, Op):
            return Op(node.op, node.type, *map(put, node.args))
        return node.at(put(node.address)) if isinstance(node, Mem) else node

    return recognizer.match(tuple(_mapped(effect, put) for effect in effects)) is not None


def _may_hold(recognizer: Recognizer, form: Alternative) -> bool:
    """Whether the condition of a form holds for some numbers, if these are few enough to be tried."""
    if form.condition is None:
        return True
    numbers = [name for name in form.operands if name in form.condition.names]
    domains = [_numbers(recognizer.operands[form.operands[name]]) for name in numbers]
    given = {name: place for place, name in enumerate(sorted(form.condition.names - {*numbers}), 1)}
    if prod(map(len, domains)) not in range(1, TRIED):
        return True
    return any(form.condition({**given, **dict(zip(numbers, row, strict=True))}) for row in product(*domains))


def _numbers(forms: list[OperandForm]) -> Sequence[int]:
    """Return the numbers that an operand may be; none if it may be something else."""
    form = forms[0]
    if len(forms) > 1 or form.pattern is not None or form.symbol or form.far or form.high - form.low > TRIED:
        return ()
    return form.values or range(form.low, form.high + 1, form.multiple)


def _with_neutral_operands(form: Alternative) -> list[Op]:
    """Return the operators that may leave an operand as it is: those of one effect that has no other make addresses."""
    operations = list(_operations(form.effects))
    if len(form.effects) > 1 or len(operations) > 1:
        return operations
    nodes = [node for effect in form.effects for part in _parts(effect) for node in subexpressions(part)]
    return [node.address for node in nodes if isinstance(node, Mem) and node.address in operations]


def _only_computes(form: Alternative) -> bool:
    """Whether an instruction only moves and computes, with registers that it leaves open."""
    if form.repeated or form.pseudo or form.into or not all(isinstance(effect, COMPUTING) for effect in form.effects):
        return False
    parts = [part for effect in form.effects for part in _parts(effect)]
    named = any(isinstance(node, Register) for part in parts for node in subexpressions(part))
    return not named  # a carry, a window, a frame


def _operations(effects: tuple[Any, ...]) -> Iterator[Op]:
    """Yield the operators with a neutral operand that the effects of a pattern have."""
    return (node for node in _operators(effects) if node.op in NEUTRAL and len(node.args) == 2)


def _operators(effects: tuple[Any, ...]) -> Iterator[Op]:
    """Yield the operators in the effects of a pattern that set something or branch."""
    for effect in effects:
        for part in _parts(effect) if isinstance(effect, COMPUTING) else ():
            yield from (node for node in subexpressions(part) if isinstance(node, Op))


def _parts(effect: Any) -> tuple[Any, ...]:
    """Return the expressions of a pattern's effect."""
    if isinstance(effect, IndirectJump):
        return (effect.target,)
    return (effect.condition,) if isinstance(effect, Branch) else (effect.target, effect.source)


def _mapped(effect: Any, put: Callable[[Any], Any]) -> Any:
    """Return an effect of a pattern with something put for each of its expressions."""
    if isinstance(effect, Branch):
        return Branch(put(effect.condition), effect.label)
    if isinstance(effect, IndirectJump):
        return IndirectJump(put(effect.target), effect.labels)
    return Set(put(effect.target), put(effect.source)) if isinstance(effect, Set) else effect


class _Notation:
    """The variables of a form as registers and numbers that nothing else is, so that expressions of them become canonical."""

    def __init__(self, form: Alternative) -> None:
        self.form = form
        self.nodes: dict[str, Any] = {}  # what stands for variables
        self.variables: dict[Any, Any] = {}  # the same backwards

    def canonical(self, effect: Any) -> Any:
        """Return an effect in the notation of RTLs; None if numbers in it are calculated with, so that they are lost."""
        if isinstance(effect, Set):
            found: Any = Set(self.target(effect.target), self.concrete(effect.source))
        else:
            found = _mapped(effect, self.concrete)
        if isinstance(found, Branch):
            found = branch(found.condition, found.label)
        elif isinstance(found, Set):
            found = set_(found.target, found.source)
        if type(found) is not type(effect):
            return None
        found = _mapped(found, self.pattern)
        both = [[n for part in _parts(e) for n in subexpressions(part)] for e in (effect, found)]
        before, after = ([sorted(_leaf(node) for node in nodes if not isinstance(node, Op | Mem | Const))] for nodes in both)
        return (effect if str(effect) == str(found) else found) if before == after else None

    def concrete(self, node: Any) -> Any:
        """Return an expression with registers and numbers for its variables, in canonical form."""
        if isinstance(node, Op):
            args = tuple(map(self.concrete, node.args))
            if node.op in SWAPPED and isinstance(args[0], Register) and isinstance(args[1], Op):
                return binary(SWAPPED[node.op], args[1], args[0], operand_type(node))  # what is computed is on the left
            return binary(node.op, args[0], args[1], operand_type(node)) if node.is_infix else apply(node.op, node.type, args)
        if isinstance(node, Mem):
            return node.at(self.concrete(node.address))
        if not isinstance(node, RegisterVariable | Variable):
            return node
        if node.name not in self.nodes:
            number: Register | Symbol = Symbol(f"_{len(self.nodes)}")
            if isinstance(node, RegisterVariable):
                number = Register(node.cls, -9 - len(self.nodes), node.type, True)
            self.nodes[node.name] = number
            self.variables[self.nodes[node.name]] = node
        return self.nodes[node.name]

    def target(self, node: Any) -> Any:
        """Return a target in canonical form; an operand stays what it is, since numbers cannot be set."""
        concrete = self.concrete(node)
        return node if isinstance(node, Variable) else concrete

    def pattern(self, node: Any) -> Any:
        """Return an expression of such registers and numbers with the variables."""
        if isinstance(node, Op):
            return Op(node.op, node.type, *map(self.pattern, node.args))
        if isinstance(node, Symbol) and node.offset:
            return Op("+", "", self.pattern(Symbol(node.name)), Const(node.offset))
        return node.at(self.pattern(node.address)) if isinstance(node, Mem) else self.variables.get(node, node)


def _leaf(node: Any) -> str:
    return node.name if isinstance(node, RegisterVariable | Variable) else str(node)


def _mentions(effects: tuple[Any, ...], name: str) -> int:
    """Return how often the effects of a pattern have a variable."""
    parts = [part for effect in effects if isinstance(effect, COMPUTING) for part in _parts(effect)]
    return sum(isinstance(node, Variable) and node.name == name for part in parts for node in subexpressions(part))


def _solved(operation: Op, form: Alternative) -> tuple[Variable | None, Const]:
    """Return the variable of a form, and the number for it, with which an operation leaves its first operand as it is."""
    right, neutral = operation.args[1], Const(NEUTRAL[operation.op])
    if isinstance(right, Variable):
        return right, neutral
    found = sum_of(right, form.operands)
    if found is None or len(found.factors) != 1:
        return None, neutral
    ((name, factor),) = found.factors.items()
    return Variable(name), Const((neutral.value - found.constant) * factor) if abs(factor) == 1 else neutral


def _with_number(effect: Any, name: str, number: Const) -> Any:
    """Return an effect of a pattern with a number for a variable: without operators that then do nothing, and in sums."""

    def put(node: Any) -> Any:
        if isinstance(node, Mem):
            return node.at(put(node.address))
        if isinstance(node, Variable) and node.name == name:
            return number
        if not isinstance(node, Op):
            return node
        if len(node.args) == 2 and node.op in NEUTRAL:
            told = sum_of(node.args[1], {name})
            if told is not None and told.factors and told.constant + number.value * told.factors[name] == NEUTRAL[node.op]:
                return put(node.args[0])
        found = sum_of(node, {name})
        if found is not None and found.factors:
            return Const(found.constant + number.value * found.factors[name])
        return Op(node.op, node.type, *map(put, node.args))

    return _mapped(effect, put)


def _put(node: Any, old: Any, new: Any) -> Any:
    """Return an expression of a pattern with another one in the place of a part."""
    if node is old:
        return new
    if isinstance(node, Op):
        return Op(node.op, node.type, *(_put(arg, old, new) for arg in node.args))
    return node.at(_put(node.address, old, new)) if isinstance(node, Mem) else node
