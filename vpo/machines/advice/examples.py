"""Examples of instructions, and the instruction nearest to an RTL that is none: for messages and listings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product, zip_longest
from typing import Any

from vpo.algebra import binary
from vpo.machines.machine import Machine
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.pattern import Alternative, OperandForm, effect_orders
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.match.record import Record
from vpo.machines.match.stepping import moved_register
from vpo.rtl import BITS, Call, Const, Effect, Mem, Node, Op, Register, Return, Set, Slot, Symbol
from vpo.text import RegisterVariable, Variable, show, show_effects

_ATTEMPTS = 2000
_DEPTH = 4
_CHOICES = 36  # of a variable
_VARIANTS = 8  # of an example, by one variable
_REGISTERS = 6
# constants that some operand wants: small ones, large ones, masks, numbers with zeros or ones on the right, bits of 1.0,
# a byte and all but a byte, at places 0 and 8, a small one that is no mask
_CONSTANTS = (
    8, -8, -100, -200, 70_000, -70_000, 0x50000, -0x30001, 0x7FFF, 0x3FFFFFFF, 0x12345678, -0x12345678, 0x3F800000,
    0x3FF0000000000000, 255, 0xFF00, -256, -0xFF01, 0xFFFFFF00, 0xFFFF00FF, 0x5A5,
)  # fmt: skip


def example(machine: Machine, alternative: Alternative) -> tuple[str, Record] | None:
    """Return the text of an RTL that is this form of an instruction, with its record; None if none is easily found."""
    return next(((show_effects(effects), record) for _, effects, record in examples(machine, alternative)), None)


def examples(machine: Machine, alternative: Alternative) -> Iterator[tuple[str, tuple[Effect, ...], Record]]:
    """Yield an RTL of this form of an instruction, with its record, then some that differ by one variable, which is named."""
    maker = Maker(machine)
    maker.pseudo = alternative.pseudo
    names = [name for name, _, _ in alternative.variables]
    choices = [list(islice(maker.choices(alternative, variable), _CHOICES)) for variable in alternative.variables]
    given = list(range(len(names)))
    orders = given, sorted(given, key=lambda number: len(choices[number]))  # constants that `when` ties together come last
    first: dict[str, Any] | None = None
    for bindings, effects in (trial for order in orders for trial in maker.trials(alternative, names, choices, order)):
        record = maker.found(alternative, effects)
        if record is not None:
            first = bindings
            yield "", effects, record
            break
    if first is None:
        return
    for name, possible in zip(names, choices, strict=True):
        for value in islice((each for each in possible if each != first[name]), _VARIANTS):
            effects = next(maker.rtls(alternative, first | {name: value}), ())
            record = maker.found(alternative, effects)
            if record is not None:
                yield name, effects, record


class Maker:
    """Makes values for variables of patterns."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.recognizer = machine.recognizer
        self.taken = 0
        self.pseudo = False  # whether registers are yet to be assigned

    def trials(
        self, alternative: Alternative, names: Sequence[str], choices: Sequence[Sequence[Any]], order: Sequence[int]
    ) -> Iterator[tuple[dict[str, Any], tuple[Effect, ...]]]:
        """Yield some bindings of variables, and the RTLs with them; those come last in an order that change first."""
        ordered = [names[number] for number in order]
        bound = (dict(zip(ordered, values, strict=True)) for values in product(*(choices[number] for number in order)))
        yield from islice(((each, rtl) for each in bound for rtl in self.rtls(alternative, each)), _ATTEMPTS)

    def found(self, alternative: Alternative, effects: tuple[Effect, ...]) -> Record | None:
        """Return the record of an RTL if it is this form of an instruction."""
        for match in self.recognizer.all_matches(effects):
            if match.alternative is alternative:
                return self.recognizer.record(match)
            if match.alternative.reach is None:
                break  # an earlier instruction has this RTL
        return None

    def choices(self, alternative: Alternative, variable: tuple[str, str, str]) -> Iterator[Any]:
        """Yield values for a variable of an instruction."""
        name, kind, _ = variable
        if kind == "label":
            yield "L5"
        elif kind == "register" and alternative.repeated and moved_register(alternative) == name:
            spec = self.machine.classes[_class_of(alternative, name)]  # up to the last one, for instructions that want it
            yield from islice(self.registers(spec.name), _REGISTERS)
            yield from (Register(spec.name, index, spec.type) for index in reversed(range(spec.count)))
        elif kind == "register":
            spec = self.machine.classes[_class_of(alternative, name)]
            yield from islice(self.registers(spec.name), _REGISTERS)
            yield Register(spec.name, 0, spec.type, self.pseudo)  # which some instructions cannot name
        else:
            yield from self.operand(alternative.operands[name])

    def registers(self, cls: str) -> Iterator[Register]:
        """Yield registers of a class, other ones each time if there are enough."""
        spec = self.machine.classes[cls]
        indices = [r.index for r in self.machine.allocable_in(cls)] or list(range(spec.count))
        if self.pseudo:
            indices = list(range(1, _REGISTERS + 1))
        self.taken += 1
        for step in range(len(indices)):
            yield Register(cls, indices[(self.taken - 1 + step) % len(indices)], spec.type, self.pseudo)

    def operand(self, name: str, depth: int = 0) -> Iterator[Any]:
        """Yield values of an operand, of each form by turns."""
        forms = [form for form in self.recognizer.operands[name] if not form.steps]
        values = [_simple(form) if form.pattern is None else self.compound(form, depth) for form in forms]
        for row in zip_longest(*values):
            yield from (value for value in row if value is not None)

    def compound(self, form: OperandForm, depth: int) -> Iterator[Any]:
        """Yield values of a form with a pattern."""
        if depth >= _DEPTH:
            return
        shape = Alternative("", form.place, (Set(Register("", 0, "L"), form.pattern),), False, form.operands,
                            "", 0, 0, 0, (), None, None)  # fmt: skip
        names = [name for name, _, _ in shape.variables]
        columns = []
        for name, kind, _ in shape.variables:
            wanted = self.registers(_class_of(shape, name)) if kind == "register" else None
            columns.append(list(islice(wanted or self.operand(form.operands[name], depth + 1), _CHOICES)))
        nodes = (
            Instance(dict(zip(names, combination, strict=True)), _no_register, self.machine.half).node(form.pattern)
            for combination in islice(product(*columns), _CHOICES)
        )
        yield from islice(dict.fromkeys(nodes), _CHOICES)

    def rtls(self, alternative: Alternative, bindings: dict[str, Any]) -> Iterator[tuple[Effect, ...]]:
        """Yield RTLs of an instruction: with each number of registers, at least two, if it has a list of them."""
        effects = self.effects(alternative, bindings)
        if not alternative.repeated:
            yield effects
            return
        for _ in range(_REGISTERS):
            after = self.following(effects[-1])
            if after is None:
                return
            effects = (*effects, after)
            yield effects

    def effects(self, alternative: Alternative, bindings: dict[str, Any]) -> tuple[Effect, ...]:
        """Return the effects of an instruction."""
        instance = Instance(bindings, _no_register, self.machine.half)
        effects = [instance.effect(effect) for effect in alternative.effects]
        convention = self.machine.convention
        for index, effect in enumerate(effects):
            if isinstance(effect, Call):
                effects[index] = Call(effect.target, convention.arguments.get("integer", ())[:1])
            elif isinstance(effect, Return):
                effects[index] = Return(effect.target, convention.results.get("integer", ())[:1])
        return tuple(effects)

    def following(self, move: Any) -> Effect | None:
        """Return the move of the next register in a list; None behind the last."""
        cell, register = (move.target, move.source) if isinstance(move.target, Mem) else (move.source, move.target)
        if register.index + 1 >= self.machine.classes[register.cls].count:
            return None
        after = Register(register.cls, register.index + 1, register.type)
        beyond = Mem(cell.type, binary("+", cell.address, Const(BITS[cell.type] // 8)))
        return Set(beyond, after) if cell is move.target else Set(after, beyond)


def _simple(form: OperandForm) -> Iterator[Any]:
    if form.values:
        yield from map(Const, form.values)
    elif form.low <= form.high:
        step = form.multiple
        wanted = (8, min(form.high // 2, 100_000), form.low, min(form.high, 100_000), *_CONSTANTS)
        values = (min(max(value, form.low), form.high) // step * step for value in wanted)
        yield from (node for node in map(Const, dict.fromkeys(values)) if form.accepts(node))
    if form.symbol:
        yield Symbol("_x")
    if form.far:
        yield Slot(".far.x")


def _class_of(alternative: Alternative, name: str) -> str:
    def search(node: Any) -> str:
        if getattr(node, "name", None) == name and hasattr(node, "cls"):
            return str(node.cls)
        parts = [*getattr(node, "args", ())]
        parts += [getattr(node, key, None) for key in ("target", "source", "address", "of", "condition", "register")]
        return next(filter(None, (search(part) for part in parts if part is not None)), "")

    return next(filter(None, map(search, alternative.effects)))


def _no_register(cls: str, type_: str) -> Register:
    raise LookupError(f"a variable of class {cls} ({type_}) without a value")


def nearest_form(machine: Machine, rtl: str) -> str | None:
    """Return the name and pattern of the instruction that looks most like an RTL, for a hint; None if none does."""
    wanted = _outline(rtl)
    best: tuple[float, str] | None = None
    for alternative in machine.recognizer.alternatives:
        score = difflib.SequenceMatcher(None, wanted, _outline(alternative.text), autojunk=False).ratio()
        if best is None or score > best[0]:
            best = score, f"{alternative.name} `{alternative.text}`"
    return best[1] if best is not None and best[0] > 0.5 else None


_SYMBOLS = re.compile(
    r"(?P<cell>[a-zA-Z]+\[)|(?P<function>(?:sx|zx|tr|cvtu?|bits|neg|not|sqrt|abs|SEL|SYS)[A-Z]?(?=\())|(?P<word>PC|ST|RT|NPC)"
    r"|(?P<name>[\w.]+)|(?P<operator>!=|!<=|!>=|!<|!>|==|<=u|>=u|<<|>>u|>>|<=|>=|<u|>u|/u|%u|[-+*/%&|^?<>])|(?P<other>\S)"
)


def _outline(rtl: str) -> list[str]:
    """Return the symbols of an RTL with registers, variables and constants made alike; operators count three times."""
    symbols: list[str] = []
    for match in _SYMBOLS.finditer(re.sub(r"\b([a-z]+)\[\w+\]", r"\1[]", rtl)):
        kind, symbol = match.lastgroup, match.group()
        symbols += ["x"] if kind == "name" else [symbol] * (3 if kind in ("operator", "function") else 1)
    return symbols


# ----------------------------------------------------------------------------------------------------------------------
# How near effects are to an instruction: what keeps them from being one, in words.


class NearMatches:
    """The forms of one instruction, against which effects are held."""

    def __init__(self, recognizer: Recognizer, name: str) -> None:
        self.recognizer = recognizer
        self.patterns = [
            (alternative, pattern)
            for alternative in recognizer.alternatives
            if alternative.name == name and not alternative.repeated
            for pattern in effect_orders(alternative.effects)
        ]
        self.largest = max((sum(effect.size for effect in pattern) for _, pattern in self.patterns), default=0)

    def problems(self, effects: tuple[Effect, ...]) -> list[str] | None:
        """Return what keeps effects from being the instruction: nothing if they are it; None if they are nothing like it."""
        found: list[str] | None = None
        for alternative, pattern in self.patterns:
            problems = _Match(self.recognizer, alternative).run(pattern, effects)
            if problems is not None and (found is None or len(problems) < len(found)):
                found = problems
        return found


class _Match:
    """One comparison; operands that do not fit are noted, another structure ends it."""

    def __init__(self, recognizer: Recognizer, alternative: Alternative) -> None:
        self.recognizer, self.alternative = recognizer, alternative
        self.bound: dict[str, Any] = {}
        self.problems: list[str] = []

    def run(self, pattern: tuple[Any, ...], effects: tuple[Effect, ...]) -> list[str] | None:
        """Return the problems, or None if the structure is another."""
        if len(pattern) != len(effects) or not all(map(self._fits, pattern, effects)):
            return None
        if not self.problems and not self.alternative.holds(self.bound, effects):
            self.problems.append("the condition of its description (when:) does not hold")
        return self.problems

    def _fits(self, pattern: Any, node: Any) -> bool:
        match pattern:
            case RegisterVariable():
                return self._register(pattern, node)
            case Variable():
                return self._operand(pattern.name, node)
            case Op():
                return type(node) is Op and node.op == pattern.op and self._all(pattern.args, node.args)
            case Mem():
                return type(node) is Mem and node.type == pattern.type and self._fits(pattern.address, node.address)
            case Node():
                return type(node) is type(pattern) and self._all(pattern.__reduce__()[1], node.__reduce__()[1])
        return bool(pattern == node)

    def _all(self, patterns: Sequence[Any], nodes: Sequence[Any]) -> bool:
        return len(patterns) == len(nodes) and all(map(self._fits, patterns, nodes))

    def _register(self, pattern: RegisterVariable, node: Any) -> bool:
        if type(node) is not Register or node.type != pattern.type:
            return False
        if node.cls != pattern.cls:
            self.problems.append(f"{show(node)} is no register of class {pattern.cls}")
        return self._bind(pattern.name, node)

    def _operand(self, name: str, node: Any) -> bool:
        operand = self.alternative.operands.get(name)
        if operand is not None and self.recognizer.operand(operand, node) is None:
            reason = misfit(operand, self.recognizer.operands[operand], node)
            if reason is None:
                return False
            self.problems.append(reason)
        return self._bind(name, node)

    def _bind(self, name: str, node: Any) -> bool:
        before = self.bound.setdefault(name, node)
        if before != node:
            self.problems.append(f"{show(before)} and {show(node)} would have to be the same")
        return True


def misfit(operand: str, forms: Iterable[OperandForm], node: Any) -> str | None:
    """Return why a number is none of the numbers that an operand has; None if there are no numbers among its forms."""
    ranges = [form for form in forms if form.pattern is None and (form.values or form.low <= form.high)]
    if type(node) is not Const or not ranges:
        return None
    form = ranges[0]
    if form.values:
        return f"{node.value} is none of {', '.join(map(str, form.values))}"
    if form.low <= node.value <= form.high:
        if node.value % form.multiple:
            return f"{node.value} is no multiple of {form.multiple}"
        return f"{node.value} is no `{operand}`: the condition of that (when:) does not hold"
    return f"{node.value} is not in {form.low}..{form.high}{_bits(form, node.value)}"


def _bits(form: OperandForm, value: int) -> str:
    low, high, bits = form.low, form.high, 0
    while not low <= value <= high and bits < 64:
        low, high, bits = 2 * low, 2 * high + 1, bits + 1
    return f": {bits} {'bit' if bits == 1 else 'bits'} too narrow" if low <= value <= high else ""
