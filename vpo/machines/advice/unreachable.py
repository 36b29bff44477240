"""Which forms of instructions no C program can reach, and why.

Each rule is a proof, from the description and from how RTLs are made, that the compiler never writes a form.  A form that no
rule is about counts as reachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Any

from vpo.algebra.equivalents import equivalents
from vpo.machines.advice.examples import Maker
from vpo.machines.machine import Machine
from vpo.machines.match.instantiation import chosen_forms
from vpo.machines.match.pattern import COUNT, MASK, Alternative, OperandForm, effect_orders
from vpo.machines.read.condition import Condition
from vpo.machines.read.consistency import hides
from vpo.rtl import (
    CODE_TYPES,
    COUNTS,
    FLOAT_TYPES,
    NAMED,
    RELATIONS,
    REVERSALS,
    SHIFTS,
    Branch,
    Call,
    IndirectJump,
    Jump,
    Next,
    Op,
    Register,
    Return,
    Set,
    subexpressions,
)
from vpo.text import RegisterVariable, Variable, show_effects

# ----------------------------------------------------------------------------------------------------------------------
# Which register classes a compiled program can have values in, and which condition codes it can set and test.


def classes_in(effects: Iterable[Any]) -> set[str]:
    """Return the register classes that the effects of a pattern name themselves, not by their operands."""
    return {node.cls for effect in effects for node in nodes_of(effect) if isinstance(node, Register | RegisterVariable)}


def nodes_of(effect: Any) -> Iterator[Any]:
    """Yield the nodes of an effect of a pattern."""
    match effect:
        case Set():
            yield from subexpressions(effect.target)
            yield from subexpressions(effect.source)
        case Branch():
            yield from subexpressions(effect.condition)
        case Call() | Return() | IndirectJump():
            yield from subexpressions(effect.target)
        case Jump():
            return


def read_classes(effects: Iterable[Any]) -> set[str]:
    """Return the register classes that the effects of a pattern read, but by their operands."""
    return {
        node.cls
        for effect in effects
        for node in nodes_of(effect)
        if isinstance(node, Register | RegisterVariable) and not (isinstance(effect, Set) and node is effect.target)
    }


def stated_effects(machine: Machine) -> Iterator[tuple[Any, ...]]:
    """Yield the RTLs, and patterns of RTLs, that a description states for the compiler to write as they are."""
    convention = machine.convention
    yield from (convention.call, convention.return_, convention.hidden.call, convention.hidden.return_)
    yield from filter(None, (machine.pop, convention.enter))
    if convention.windows is not None:
        yield from (convention.windows.enter, convention.windows.leave)
    yield from machine.start
    for expansion in machine.expansions:
        yield from expansion.into
    for alternative in machine.recognizer.alternatives:
        yield from alternative.into
    for call in machine.capabilities.system_calls:
        yield (call,)


def live_classes(machine: Machine) -> set[str]:
    """Return the classes in which a program may have values: those of C values, views of them, those that the description
    states, those to which registers move when there are too few (`vpo/opt/registers/spilling.py`), and those of detours.
    """
    classes = machine.recognizer.classes
    count = machine.convention.variadic_count
    named = {*machine.values.classes().values(), machine.stack_pointer.cls, *([count.cls] if count is not None else [])}
    for effects in stated_effects(machine):
        named |= classes_in(effects)
    banks = {classes[name].bank for name in named}
    banks |= {cls.bank for cls in classes.values() if cls.type in CODE_TYPES}
    banks |= {classes[name].bank for name in _detours(machine)}
    moves = {(classes[to].bank, classes[source].bank) for to, source in _moves(machine)}
    holds = {classes[name].bank for name in machine.allocable}
    while True:
        more = {to for to, source in moves if source in banks and (source, to) in moves and to in holds} - banks
        if not more:
            return {name for name, cls in classes.items() if cls.bank in banks}
        banks |= more


def _detours(machine: Machine) -> Iterator[str]:
    """Yield the classes of values' types to or from which values move, and those that hold the value of a relation.

    Operations that are done in such registers only are done there (`vpo/lower/detours.py`).
    """
    classes = machine.recognizer.classes
    values = set(machine.values.classes().values())
    types = {classes[name].type for name in values}
    for pair in _moves(machine):
        if not values.isdisjoint(pair):
            yield from (name for name in pair if classes[name].type in types and not classes[name].private)
    for form in machine.recognizer.alternatives:
        match form.effects:
            case (Set(target=RegisterVariable() | Register() as target, source=Op(op=op)),):
                if op in RELATIONS and target.type == classes[machine.values.integer].type:
                    yield target.cls


def _moves(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield the classes to and from which some instruction moves a register."""
    for alternative in machine.recognizer.alternatives:
        match alternative.effects:
            case (Set(target=target, source=RegisterVariable() | Register() | Variable() as source),):
                for to in _classes_of(target, alternative, machine):
                    yield from ((to, other) for other in _classes_of(source, alternative, machine))


def _classes_of(node: Any, alternative: Alternative, machine: Machine) -> set[str]:
    """Return the classes of the registers that a register or an operand of a pattern may be."""
    if isinstance(node, Register | RegisterVariable):
        return {node.cls}
    forms = machine.recognizer.operands[alternative.operands[node.name]] if isinstance(node, Variable) else []
    return {form.pattern.cls for form in forms if isinstance(form.pattern, Register | RegisterVariable)}


def form_is_live(form: OperandForm, live: set[str]) -> bool:
    """Whether a form of an operand names live classes only."""
    return form.pattern is None or classes_of_expression(form.pattern) <= live


def classes_of_expression(node: Any) -> set[str]:
    """Return the register classes that an expression of a pattern names itself."""
    return {inner.cls for inner in subexpressions(node) if isinstance(inner, Register | RegisterVariable)}


# ----------------------------------------------------------------------------------------------------------------------


INTEGER_ONLY = SHIFTS | COUNTS | REVERSALS | NAMED | {"%", "&", "|", "^", "/u", "%u", "not", "<u", "<=u", ">u", ">=u"}
COMBINATIONS = 20_000  # values of the variables of a condition that are tried
LONGEST_LIST = 64  # registers
EXAMPLES = 60  # of a form, to see in which notation they are written
CHOICES = 6  # of a variable in these


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A form of an instruction that the compiler never writes, and the reason."""

    form: Alternative
    reason: str


def unreachable_forms(machine: Machine) -> list[Unreachable]:
    """Return the forms that no C program can reach, in the order of the description."""
    rules = _Rules(machine)
    written = [form for form in machine.recognizer.alternatives if not form.implied]
    found = {form.order: reason for form in written if (reason := rules.reason(form))}
    left = [form for form in written if form.order not in found]
    while more := dict(_without_codes(left)):
        found |= more
        left = [form for form in left if form.order not in found]
    return [Unreachable(form, found[form.order]) for form in machine.recognizer.alternatives if form.order in found]


def _without_codes(left: list[Alternative]) -> Iterator[tuple[int, str]]:
    """Yield the forms that test a condition code which none of some forms sets, or do no more than set one that none tests."""
    tested = {cls for form in left for cls in read_classes(form.effects)}
    written = {effect.target.cls for form in left for effect in form.effects if _sets_register(effect)}
    for form in left:
        for effect in form.effects:
            for node in nodes_of(effect):
                is_code = isinstance(node, Register) and node.type in CODE_TYPES
                if is_code and not _is_target(effect, node) and node.cls not in written:
                    yield form.order, f"no instruction sets {node.cls}"
        if form.effects and all(_sets_code(effect) and effect.target.cls not in tested for effect in form.effects):
            yield form.order, f"no instruction tests {form.effects[0].target.cls}"


def _is_target(effect: Any, node: Any) -> bool:
    return isinstance(effect, Set) and effect.target is node


def _sets_code(effect: Any) -> bool:
    return _sets_register(effect) and effect.target.type in CODE_TYPES


def _sets_register(effect: Any) -> bool:
    return isinstance(effect, Set) and isinstance(effect.target, Register | RegisterVariable)


class _Rules:
    """The rules that look at one form at a time."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.operands, self.forms = machine.recognizer.operands, machine.recognizer.alternatives
        self.live = live_classes(machine)
        self.maker = Maker(machine)
        self.examples: dict[str, list[Any]] = {}  # values of operands
        self.stated = list(stated_effects(machine))
        self.has_slots = any(form.slots or form.load_slots or form.hold_slots for form in self.forms)

    def reason(self, form: Alternative) -> str:
        """Return why no program can reach a form, '' if none is known."""
        return (
            self._idle(form)
            or self._system_call(form)
            or self._return_address(form)
            or self._class(form)
            or self._operation(form)
            or self._operand(form)
            or self._condition(form)
            or self._preceded(form)
            or self._notation(form)
        )

    def _idle(self, form: Alternative) -> str:
        if form.effects or () in self.stated:
            return ""
        first = next(other for other in self.forms if not other.effects)
        if first is not form:
            return f"{first.name} in line {first.place.line} is the no-operation"
        return "" if self.has_slots else "no-operations stand in delay slots, and no instruction has any"

    def _system_call(self, form: Alternative) -> str:
        calls = [e for e in form.effects if isinstance(e, Set) and isinstance(e.source, Op) and e.source.op == "SYS"]
        if not calls or any(effect in calls for effects in self.stated for effect in effects):
            return ""
        return "an earlier form of SYS in the description has room for as many arguments"

    def _return_address(self, form: Alternative) -> str:
        """Only what the description states, such as calls, writes the address of an instruction."""
        stated = [effect for effects in self.stated for effect in _addresses(effects)]
        if all(any(_may_be(own, other) for other in stated) for own in _addresses(form.effects)):
            return ""
        return f"only calls ask for the address of an instruction, as in `{self.machine.convention.call_text}`"

    def _class(self, form: Alternative) -> str:
        for name in sorted(classes_in(form.effects) - self.live):
            return f"no value of C is in class {name}, neither `calls:` nor `expansions:` name it, and no moves lead there"
        return ""

    def _operation(self, form: Alternative) -> str:
        for effect in form.effects:
            for node in nodes_of(effect):
                if isinstance(node, Op) and node.op in INTEGER_ONLY:
                    floating = {node.type, *(arg.type for arg in node.args)} & set(FLOAT_TYPES)
                    if floating:
                        return f"C has no '{node.op}' on floating values ({floating.pop()})"
        return ""

    def _operand(self, form: Alternative) -> str:
        for variable, name in form.operands.items():
            if not self._is_possible(name, ()):
                return f"nothing can be ${variable}: operand {name} has no constant and names no register that is in use"
        return ""

    def _is_possible(self, name: str, above: tuple[str, ...]) -> bool:
        """Whether something can be an operand; `above` are those within which it stands."""
        return name in above or any(self._form_is_possible(form, (*above, name)) for form in self.operands[name])

    def _form_is_possible(self, form: OperandForm, above: tuple[str, ...]) -> bool:
        if form.pattern is not None:
            return form_is_live(form, self.live) and all(self._is_possible(o, above) for o in form.operands.values())
        return bool(form.symbol or form.slots or form.far or form.values or form.multiples)

    def _condition(self, form: Alternative) -> str:
        """The condition of a form is tried with all values of its variables, if they are not too many."""
        condition = form.condition
        if condition is None or MASK in condition.names:
            return ""
        values = {name: self._values(form, name) for name in sorted(condition.names)}
        if not 0 < prod(map(len, values.values())) <= COMBINATIONS:
            return ""
        if any(_holds(condition, dict(zip(values, row, strict=True))) for row in product(*values.values())):
            return ""
        return "its condition (`when:`) never holds"

    def _values(self, form: Alternative, name: str) -> list[Any]:
        """Return all that a condition may take a variable for, too much if that is not known."""
        if name == COUNT:
            return list(range(LONGEST_LIST))
        unknown: list[Any] = [object()]
        if name in form.operands:
            result = unknown
            for operand in self.operands[form.operands[name]]:
                if operand.pattern is None:
                    result = [*result, *islice(operand.values or operand.multiples, COMBINATIONS + 1)]
                elif isinstance(operand.pattern, Register | RegisterVariable):
                    result = [*result, *range(self.machine.classes[operand.pattern.cls].count)]
            return result
        nodes = [node for effect in form.effects for node in nodes_of(effect) if isinstance(node, RegisterVariable)]
        found = {node.cls for node in nodes if node.name == name}
        counts = [self.machine.recognizer.classes[cls].count for cls in found]
        return [*unknown, *range(max(counts, default=0))]

    def _preceded(self, form: Alternative) -> str:
        """Each way to read its operands is a form that stands earlier, and reaches as far."""
        if len(form.effects) != 1 or form.repeated:
            return ""
        earlier = [other for other in self.forms if other.order < form.order and _always(other) and _reaches(other, form)]
        first: list[Alternative] = []
        for narrow in chosen_forms(form, self.operands):
            own = self.operands | narrow.operands
            found = next((o for o in earlier if hides(own, o, effect_orders(o.effects), narrow.form)), None)
            if found is None:
                return ""
            first.append(found)
        names = " or ".join(dict.fromkeys(f"{other.name} in line {other.place.line}" for other in first))
        return f"{names} is taken first"

    def _notation(self, form: Alternative) -> str:
        """The compiler writes what the form does in another way."""
        if len(form.effects) != 1 or form.repeated or form.pseudo:
            return ""
        maker = self.maker
        names = [name for name, _, _ in form.variables]
        choices = [self._choices(form, variable) for variable in form.variables]
        match = self.machine.recognizer.matcher(form)
        written = ""
        for values in islice(product(*choices), EXAMPLES):
            bindings = dict(zip(names, values, strict=True))
            effects = maker.effects(form, bindings)
            if any(match((same,)) is not None for same in _notations(effects[0])) or self._has_twin(form, effects):
                return ""
            raw = _bound(form.effects[0], bindings)
            if raw is not None and match((raw,)) is not None:
                written = written or show_effects(effects)
        return f"the compiler writes this as `{written}`" if written else ""

    def _has_twin(self, form: Alternative, effects: tuple[Any, ...]) -> bool:
        """Whether effects are a form, or one that follows from it: the same in another order or notation."""
        found = self.machine.recognizer.match(effects)
        return found is not None and found.alternative.place == form.place

    def _choices(self, form: Alternative, variable: tuple[str, str, str]) -> list[Any]:
        """Return some values of a variable."""
        name, kind, _ = variable
        if kind != "operand":
            return list(islice(self.maker.choices(form, variable), CHOICES))
        operand = form.operands[name]
        if operand not in self.examples:
            self.examples[operand] = list(islice(self.maker.operand(operand), CHOICES))
        return self.examples[operand]


def _addresses(effects: tuple[Any, ...]) -> list[Set]:
    """Return the effects that write the address of an instruction."""
    return [e for e in effects if isinstance(e, Set) and any(isinstance(node, Next) for node in nodes_of(e))]


def _may_be(pattern: Set, stated: Set) -> bool:
    """Whether an effect that a description states may be one of a pattern, by their outermost shapes."""
    one, other = pattern.target, stated.target
    if isinstance(one, Register) and isinstance(other, Register) and one is not other:
        return False
    same_class = getattr(one, "cls", "") == getattr(other, "cls", "")
    return same_class and getattr(pattern.source, "op", "") == getattr(stated.source, "op", "")


def _holds(condition: Condition, values: dict[str, Any]) -> bool:
    return bool(condition(values))


def _always(form: Alternative) -> bool:
    """Whether each RTL that has the shape of a form is the form."""
    return form.condition is None and not form.pseudo and not form.repeated and not form.if_dead


def _reaches(form: Alternative, other: Alternative) -> bool:
    """Whether a form reaches wherever another one does."""
    if form.reach is None:
        return True
    return other.reach is not None and form.reach[0] <= other.reach[0] and form.reach[1] >= other.reach[1]


def _notations(effect: Any) -> Iterator[Any]:
    """Yield an effect in every notation in which phases ask for it."""
    yield effect
    if isinstance(effect, Set):
        yield from (Set(effect.target, source) for source in equivalents(effect.source))
    elif isinstance(effect, Branch):
        yield from (Branch(other, effect.label) for other in equivalents(effect.condition) if isinstance(other, Op))


def _bound(pattern: Any, bindings: dict[str, Any]) -> Any:
    """Return an effect of a pattern with nodes for its variables, as it is written; None if it is of another kind."""
    match pattern:
        case Set():
            return Set(_node(pattern.target, bindings), _node(pattern.source, bindings))
        case Branch():
            condition = _node(pattern.condition, bindings)
            return Branch(condition, bindings.get(pattern.label, pattern.label))
    return None


def _node(pattern: Any, bindings: dict[str, Any]) -> Any:
    match pattern:
        case RegisterVariable() | Variable():
            return bindings[pattern.name]
        case Op():
            return Op(pattern.op, pattern.type, *(_node(arg, bindings) for arg in pattern.args))
        case _ if hasattr(pattern, "address"):
            return pattern.at(_node(pattern.address, bindings))
    return pattern
