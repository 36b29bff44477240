"""From patterns to matches to semantic records: which RTLs are instructions, and everything known about them.

A match tells that an RTL is legal, and from which alternative and variables its record can be built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, permutations
from typing import Any, NamedTuple

from vpo.machines.match.cell_meanings import find_in_cells, find_read_addresses
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.meaning import Meaning
from vpo.machines.match.meanings import (
    Double,
    Meanings,
    find_addresses,
    find_compared,
    find_conditions,
    find_doubles,
    find_meanings,
)
from vpo.machines.match.number_sums import summed_in
from vpo.machines.match.outlines import Outline, fits, outline
from vpo.machines.match.pattern import (
    NAMESPACE,
    Alternative,
    OperandForm,
    effect_orders,
    matcher_source,
    operand_source,
    orders,
)
from vpo.machines.match.record import Field, Occupancy, Record, fill
from vpo.machines.match.stepping import (
    is_sequence,
    moved_register,
    sequence_registers,
    steps_once,
    with_steps_in_operands,
    without_steps,
)
from vpo.machines.read.sections import kind_of
from vpo.machines.target import RegisterClass
from vpo.rtl import Branch, Call, Const, Effect, Half, Mem, Op, Register, RegisterVariable, Return, Set, Symbol
from vpo.text import show


@dataclass(frozen=True, slots=True)
class Operand:
    """What an operand matched: how it prints, its addressing mode and the bytes it adds to the instruction."""

    mode: str
    text: str
    size: int
    bindings: dict[str, Any]
    longer: bool = False  # has a register that makes the instruction longer by a byte, once


class Match(NamedTuple):
    """An alternative that an RTL is, with what its variables stand for; `effects` are in the order of the pattern."""

    alternative: Alternative
    bindings: dict[str, Any]
    effects: tuple[Effect, ...]


class OperandMatch(NamedTuple):
    """The form of an operand that a node has, with what its variables stand for."""

    form: OperandForm
    bindings: dict[str, Any]


Matcher = Callable[[tuple[Effect, ...]], "dict[str, Any] | None"]
OperandMatcher = Callable[[Any], "dict[str, Any] | None"]


@dataclass(eq=False)
class Recognizer:
    """Matches RTLs against the alternatives of a machine, first in file order first, those that are several at last."""

    classes: dict[str, RegisterClass]
    operands: dict[str, list[OperandForm]]
    alternatives: list[Alternative]
    symbol_text: Callable[[str], str]
    half_text: dict[str, str]  # 'HI'/'LO' -> template with $s
    address: str = ""  # the type of an address
    _operand_matches: dict[tuple[str, Any], OperandMatch | None] = field(default_factory=dict)
    _operands: dict[tuple[str, Any], Operand | None] = field(default_factory=dict)
    _namespace: dict[str, Any] = field(default_factory=dict)
    _patterns: list[tuple[Alternative, tuple[Any, ...]]] = field(default_factory=list)  # in each order
    _outlines: list[Outline] = field(default_factory=list)  # of the patterns; both once an RTL is looked at
    _compiled: dict[int, Matcher] = field(default_factory=dict)  # by index in _patterns, when first wanted
    _candidates: dict[Any, list[tuple[Alternative, Matcher]]] = field(default_factory=dict)
    _operand_matchers: dict[int, list[OperandMatcher]] = field(default_factory=dict)
    _forms: dict[tuple[Any, ...], list[OperandForm]] = field(default_factory=dict)  # of an operand, by the kind of a node
    _sums: dict[int, frozenset[str]] = field(default_factory=dict)
    _found: dict[str, Meanings] = field(default_factory=dict)  # by the function that found them
    _doubles: dict[Meaning, Double] | None = None

    def __post_init__(self) -> None:
        self.alternatives = sorted(self.alternatives, key=lambda one: one.pseudo)
        self.stepping = {form.steps for forms in self.operands.values() for form in forms if form.steps}
        for name in self.stepping:
            base = self.classes[name.rsplit("_", 2)[0]]
            self.classes = {**self.classes, name: replace(base, name=name)}
        self._counts = {name: cls.count for name, cls in self.classes.items()}
        self._longer = {name: cls.longer for name, cls in self.classes.items() if cls.longer}
        self._numbers = {name for name, forms in self.operands.items() if all(form.pattern is None for form in forms)}
        self._namespace.update(NAMESPACE)
        for name in self.operands:
            self._namespace[f"operand_{name}"] = self._operand_function(name)

    @property
    def meanings(self) -> Meanings:
        """What instructions compute."""
        return self._found_by(find_meanings)

    @property
    def conditions(self) -> Meanings:
        """What branches decide by."""
        return self._found_by(find_conditions)

    @property
    def compared(self) -> Meanings:
        """What instructions compute that set a condition code."""
        return self._found_by(find_compared)

    @property
    def addresses(self) -> Meanings:
        """How instructions compute the addresses of cells."""
        return self._found_by(find_addresses)

    @property
    def in_cells(self) -> Meanings:
        """What instructions compute of a cell of memory."""
        return self._found_by(find_in_cells)

    @property
    def read_addresses(self) -> Meanings:
        """How instructions that compute of a cell compute its address, where no load does so."""
        return self._found_by(find_read_addresses)

    @property
    def doubles(self) -> dict[Meaning, Double]:
        """What instructions with two results compute, where no instruction computes one of them, by that one."""
        if self._doubles is None:
            self._doubles = {double.hard: double for double in find_doubles(self.alternatives, self._is_instruction)}
        return self._doubles

    @property
    def double_meanings(self) -> Meanings:
        """Those of these results, to be looked for."""
        return self._found_by(self._hard)

    def _hard(self, *_: object) -> list[Meaning]:
        return list(self.doubles)

    def _found_by(self, find: Callable[[list[Alternative], dict[str, list[OperandForm]]], list[Meaning]]) -> Meanings:
        """Return what a function finds, which is found once."""
        name = find.__name__
        if name not in self._found:
            self._found[name] = Meanings(find(self.alternatives, self.operands))
        return self._found[name]

    def _is_instruction(self, pattern: Any) -> bool:
        """Whether an effect of a pattern is an instruction of its own, whatever its registers are."""
        numbers = count(1)
        instance = Instance({}, lambda cls, type_: Register(cls, -next(numbers), type_, True), lambda _, value: value)
        return self.match((instance.effect(pattern),)) is not None

    def extended(self, more: list[Alternative]) -> Recognizer:
        """Return a recogniser that knows more alternatives, this one if there are none."""
        return self.of([*self.alternatives, *more]) if more else self

    def of(self, alternatives: list[Alternative]) -> Recognizer:
        """Return a recogniser that knows these alternatives only."""
        classes = {name: cls for name, cls in self.classes.items() if name not in self.stepping}
        return Recognizer(classes, self.operands, alternatives, self.symbol_text, self.half_text, self.address)

    def _compile(self, source: str) -> Any:
        """Return the function `match` that a source defines."""
        exec(source, self._namespace)
        return self._namespace.pop("match")

    def _source(self, alternative: Alternative, effects: tuple[Any, ...]) -> str:
        return matcher_source("match", alternative, effects, self._counts, self._summed(alternative, alternative.effects))

    def _summed(self, form: Alternative | OperandForm, patterns: tuple[Any, ...]) -> frozenset[str]:
        """Return the variables of which a pattern computes numbers."""
        known = self._sums.get(id(form))
        if known is None:
            numbers = {name for name, operand in form.operands.items() if operand in self._numbers}
            known = self._sums[id(form)] = summed_in(patterns, numbers) if numbers else frozenset()
        return known

    def _matcher(self, index: int) -> Matcher:
        """Return the matcher of a pattern; most of a machine's are never wanted in a run."""
        matcher = self._compiled.get(index)
        if matcher is None:
            matcher = self._compiled[index] = self._compile(self._source(*self._patterns[index]))
        return matcher

    def matcher(self, alternative: Alternative) -> Matcher:
        """Return a matcher for a pattern outside the instructions, compiled when first used."""
        compiled: list[Matcher] = []

        def match(effects: tuple[Effect, ...]) -> dict[str, Any] | None:
            if not compiled:
                compiled.append(self._compile(self._source(alternative, alternative.effects)))
            return compiled[0](effects)

        return match

    def _form_matchers(self, form: OperandForm) -> list[OperandMatcher]:
        matchers = self._operand_matchers.get(id(form))
        if matchers is None:
            matchers = [
                self._compile(operand_source("match", form, pattern, self._counts, self._summed(form, (form.pattern,))))
                for pattern in orders(form.pattern)
            ]
            self._operand_matchers[id(form)] = matchers
        return matchers

    # ------------------------------------------------------------------------------------------------ operands

    def _operand_function(self, name: str) -> Callable[[Any], OperandMatch | None]:
        memo = self._operand_matches

        def match(node: Any) -> OperandMatch | None:
            key = (name, node)
            try:
                return memo[key]
            except KeyError:
                result = memo[key] = self._match_operand(name, node)
                return result

        return match

    def forget_matches(self) -> None:
        """Forget which nodes are which operands."""
        self._operand_matches.clear()
        self._operands.clear()

    def operand_match(self, name: str, node: Any) -> OperandMatch | None:
        """Return the match of a node with the first form that it has of the operand called `name`."""
        match: OperandMatch | None = self._namespace[f"operand_{name}"](node)
        return match

    def _match_operand(self, name: str, node: Any) -> OperandMatch | None:
        kind = type(node)
        key = name, kind, node.cls if kind is Register else node.op if kind is Op else node.type if kind is Mem else ""
        forms = self._forms.get(key)
        if forms is None:
            forms = self._forms[key] = [form for form in self.operands[name] if _may_be(form.pattern, node)]
        for form in forms:
            if form.pattern is None:
                if form.accepts(node) and form.holds({"v": node}):
                    return OperandMatch(form, {"v": node})
                continue
            for match in self._form_matchers(form):
                bindings = match(node)
                if bindings is not None and form.holds(bindings):
                    return OperandMatch(form, bindings)
        return None

    def operand(self, name: str, node: Any) -> Operand | None:
        """Return what a node is as the operand called `name`, None if it is none."""
        key = (name, node)
        if key not in self._operands:
            match = self._namespace[f"operand_{name}"](node)
            self._operands[key] = None if match is None else self._built(match)
        return self._operands[key]

    def _built(self, match: OperandMatch) -> Operand:
        inner = {name: self.operand(operand, match.bindings[name]) for name, operand in match.form.operands.items()}
        return self.build_operand(match.form, match.bindings, inner)

    def build_operand(self, form: OperandForm, bindings: dict[str, Any], inner: Mapping[str, Operand | None]) -> Operand:
        """Build what an operand matched from the bindings of its form and the operands in it."""
        if form.pattern is None:
            node = bindings["v"]
            shown = str(form.show({"v": node.value})) if form.show and type(node) is Const else self.text(node)
            return Operand(form.mode, form.asm.replace("$v", shown) if form.asm else shown, form.size, bindings)
        texts, size, mode, template = {}, form.size, form.mode, form.asm
        longer = False
        for variable, value in bindings.items():
            part = inner.get(variable)
            texts[variable] = part.text if part else self.text(value)
            template = self._with_parts(template, variable, value)
            if part:
                size += part.size
                mode = part.mode if mode == f"${variable}" else mode
            longer = longer or (part.longer if part else self._is_longer(value))
        return Operand(mode, fill(template, texts), size, bindings, longer)

    def _is_longer(self, node: Any) -> bool:
        """Whether what a variable stands for is a register that makes an instruction longer."""
        return type(node) is Register and node.cls in self._longer and node.index >= self._longer[node.cls] and not node.pseudo

    def _with_parts(self, template: str, name: str, value: Any) -> str:
        """Return an assembly template in which the parts of what a variable stands for print, if it is a register."""
        if type(value) is Register and not value.pseudo:
            for part, names in self.classes[value.cls].parts:
                template = template.replace(f"${name}.{part}", names[value.index])
        return template

    def text(self, node: Any) -> str:
        """Return how a register, constant, symbol or half prints in assembly."""
        match node:
            case Register():
                if node.pseudo:
                    return show(node)
                return self.classes[node.cls].names[node.index]
            case Const():
                return str(node.value)
            case Symbol():
                text = self.symbol_text(node.name)
                return f"{text}{node.offset:+d}" if node.offset else text
            case Half(part=(low, bits)):
                return f"(({self.text(node.of)} >> {low}) & {(1 << bits) - 1})"
            case Half():
                return self.half_text[node.which].replace("$s", self.text(node.of))
            case str():
                return node
        return show(node)

    # -------------------------------------------------------------------------------------------- instructions

    def match(self, effects: tuple[Effect, ...]) -> Match | None:
        """Return the match with the first alternative that an RTL is, or None if it is no instruction."""
        found = self._match(effects)
        if found is None and self.stepping and len(effects) > 1:
            marked = with_steps_in_operands(effects, self.stepping)
            found = None if marked is None else self._match(marked)
        return found

    def _match(self, effects: tuple[Effect, ...]) -> Match | None:
        for order in (effects,) if len(effects) < 2 or len(effects) > 3 else permutations(effects):
            for alternative, match in self._candidates_for(order):
                bindings = match(order)
                if bindings is not None and self.holds(alternative, bindings, order):
                    return Match(alternative, bindings, order)
        return None

    def all_matches(self, effects: tuple[Effect, ...]) -> list[Match]:
        """Return the match with every alternative that an RTL is, in file order."""
        result: list[Match] = []
        for alternative, match in self._candidates_for(effects):
            bindings = match(effects)
            if bindings is not None and self.holds(alternative, bindings, effects):
                result.append(Match(alternative, bindings, effects))
        return result

    def holds(self, alternative: Alternative, bindings: dict[str, Any], effects: tuple[Effect, ...]) -> bool:
        """Whether what an alternative demands of its variables holds."""
        if self.stepping and not steps_once(bindings.values(), self.stepping):
            return False
        repetition = not alternative.repeated or is_sequence(alternative.repetition(effects), self.classes)
        return repetition and alternative.holds(bindings, effects)

    def _candidates_for(self, effects: tuple[Effect, ...]) -> list[tuple[Alternative, Matcher]]:
        key = _key_of(effects)
        candidates = self._candidates.get(key)
        if candidates is None:
            if not self._outlines:
                self._patterns = [(a, effects) for a in self.alternatives for effects in effect_orders(a.effects)]
                self._outlines = [outline(effects) for _, effects in self._patterns]
            rtl = outline(effects)
            candidates = [
                (alternative, self._matcher(index))
                for index, (alternative, _) in enumerate(self._patterns)
                if fits(self._outlines[index], alternative.repeated, rtl)
            ]
            self._candidates[key] = candidates
        return candidates

    def record(self, match: Match) -> Record:
        """Build the semantic record of a match."""
        alternative, bindings, effects = match
        operands = {name: self.operand(operand, bindings[name]) for name, operand in alternative.operands.items()}
        return self.build_record(alternative, bindings, operands, effects)

    def build_record(
        self, alternative: Alternative, bindings: dict[str, Any], operands: Mapping[str, Operand | None],
        effects: tuple[Effect, ...],
    ) -> Record:  # fmt: skip
        """Build the semantic record from what the variables and operands of an alternative stand for."""
        fields, size, template, longer = [], alternative.size, alternative.asm, alternative.longer
        for name, kind, type_ in alternative.variables:
            value = bindings[name]
            if kind == "label":
                mode, text = "LABEL", value
            elif kind == "register":
                mode, text = "REGISTER", self.text(value)
                longer = longer or self._is_longer(value)
                template = self._with_parts(template, name, value)
            else:
                operand = operands[name]
                assert operand is not None
                mode, text, size, longer = operand.mode, operand.text, size + operand.size, longer or operand.longer
                if not type_ and type(value) in (Register, Mem):
                    type_ = value.type
            if alternative.repeated and moved_register(alternative) == name:
                mode = "REGLIST"
                moved = [self.text(r) for r in sequence_registers(alternative.repetition(effects))]
                text = alternative.separator.join(moved)
                template = template.replace(f"${name}.first", moved[0]).replace(f"${name}.last", moved[-1])
            mode = alternative.fields.get(name, mode)
            if mode:
                fields.append(Field(name, mode, type_, without_steps(value, self.stepping), text))
            else:
                template = fill(template, {name: text})
        implied = [n for n in alternative.fields if n not in bindings]
        fields += [Field(name, alternative.fields[name], self.address, None, "") for name in implied]
        occupancy, latency = _cycles(alternative, effects)
        return Record(
            alternative.name, size + longer, latency, tuple(fields), template,
            alternative.clobbers, alternative.slots, alternative.reach, alternative.order, alternative.load_slots,
            alternative.hold_slots, _parts(alternative, bindings, effects) if alternative.into else (), alternative.counted,
            alternative.fetched, occupancy, alternative.if_dead, alternative.slot, alternative.literal,
        )  # fmt: skip


def _cycles(alternative: Alternative, effects: tuple[Effect, ...]) -> tuple[Occupancy, int]:
    """Return what an instruction occupies, and its latency; each register of a list but the first may add to both."""
    occupancy, latency = alternative.occupancy, alternative.latency
    if alternative.latencies:
        latency = alternative.latencies.get(kind_of(effects), latency)
    if alternative.repeated and occupancy.each:
        more = occupancy.each * (len(alternative.repetition(effects)) - 1)
        issue = None if occupancy.issue is None else occupancy.issue + more
        return replace(occupancy, issue=issue), latency + more
    return occupancy, latency


def _parts(alternative: Alternative, bindings: dict[str, Any], effects: tuple[Effect, ...]) -> tuple[tuple[Effect, ...], ...]:
    """Return the instructions for which one stands; a call or return among them has the same registers."""
    instance = Instance(dict(bindings), lambda cls, type_: Register(cls, 0, type_), lambda _, value: value)
    transfer = next((e for e in effects if isinstance(e, Call | Return)), None)

    def same(effect: Effect) -> Effect:
        if isinstance(effect, Call) and isinstance(transfer, Call):
            return Call(effect.target, transfer.arguments, transfer.results)
        if isinstance(effect, Return) and isinstance(transfer, Return):
            return Return(effect.target, transfer.results)
        return effect

    return tuple(tuple(same(instance.effect(effect)) for effect in part) for part in alternative.into)


def _may_be(pattern: Any, node: Any) -> bool:
    """Whether a node may match the pattern of an operand, by its kind alone (`Emitter.expression`)."""
    match pattern:
        case RegisterVariable() | Register():
            return type(node) is Register and node.cls == pattern.cls
        case Mem():
            return type(node) is Mem and node.type == pattern.type
        case Op():
            return type(node) is Const or (type(node) is Op and node.op == pattern.op)  # a number may be a sum
    return True


def _key_of(effects: tuple[Effect, ...]) -> Any:
    """Return what tells most RTLs apart of which different alternatives may match."""
    return tuple([_effect_key(effect) for effect in effects])


def _effect_key(effect: Any) -> Any:
    if type(effect) is Set:
        source = effect.source
        target = effect.target
        found: tuple[Any, str]
        if type(source) is Op:
            found = source.op, source.type
        elif type(source) is Register:
            found = Register, source.cls
        else:
            found = type(source), getattr(source, "cls", source.type)
        return (target.cls if type(target) is Register else target.type, type(target), found)
    return (type(effect), effect.condition.op if type(effect) is Branch else None)
