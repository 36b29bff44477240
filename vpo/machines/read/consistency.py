"""Checks of a description as a whole: sections that contradict each other, instructions that an earlier one hides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from vpo import rtl
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative, OperandForm, effect_orders
from vpo.machines.read.convention import check_convention_as_a_whole
from vpo.machines.read.operands import Operands
from vpo.machines.read.source import DescriptionError, Map, Place
from vpo.text import RegisterVariable, Variable

MAIN = "_main"

# ----------------------------------------------------------------------------------------------------------------------
# Checks across the sections of a description: what each says is possible, but not together.


def check_consistency(machine: Machine, d: Map) -> None:
    """Reject a machine that no program could be compiled for.

    Raises DescriptionError.
    """
    _check_types(machine, d)
    _check_symbols(machine)
    _check_allocable(machine, d)
    _check_convention(machine, d["calls"])
    check_convention_as_a_whole(machine, d["calls"])
    _check_start(machine, d)
    if machine.capabilities.literals_before and "literal" not in d["assembler"]:
        message = "'literal' must say how the literals in front of each function print: nothing reaches forward (`LIT[..]`)"
        raise DescriptionError(d.where("assembler"), message)
    if machine.capabilities.literals and {"pool", "literal"}.isdisjoint(d["assembler"]):
        message = "'pool' or 'literal' must say how a literal pool is printed (for `LIT[..]`)"
        raise DescriptionError(d.where("assembler"), message)
    least = machine.literal_alignment
    if machine.capabilities.literals and machine.syntax.function_align % least:
        message = f"'function_align' must be a multiple of {least}, as the words of literal pools are aligned (`LIT[..]`)"
        raise DescriptionError(d["assembler"].where("function_align"), message)


def _check_start(machine: Machine, d: Map) -> None:
    """Reject start-up code that calls otherwise than programs do, or takes the result of `main` from somewhere else."""
    convention = machine.convention
    expected = tuple(convention.arguments.get("integer", ()))
    linkage = [effect for effect in convention.call if not isinstance(effect, rtl.Call)]
    result, waits, last = convention.results["integer"][0], False, ""  # `waits`: nobody has read what main returned
    lines = list(zip(machine.start, d["start"].places, strict=True)) if machine.start else []
    for effects, place in lines:
        if waits and any(result in effect.uses for effect in effects):
            waits = False
        elif waits and any(result in effect.sets for effect in effects):
            break
        for call in (effect for effect in effects if isinstance(effect, rtl.Call)):
            if call.arguments != expected[: len(call.arguments)] or (expected and not call.arguments):
                where = f"in {', '.join(map(repr, expected[:3]))}" if expected else "on the stack"
                told = f"in {', '.join(map(repr, call.arguments))}" if call.arguments else "on the stack"
                raise _of_start(place, f"passes arguments {told}, but calls pass them {where}")
            if [effect for effect in effects if effect is not call] != linkage:
                raise _of_start(place, f"calls otherwise than `calls.call`, which is `{convention.call_text}`")
            last = repr(call.target)
            waits = waits or last == MAIN
    if waits and last != MAIN:
        raise _of_start(lines[-1][1], f"does not read the result of main, which is in {result!r}")


def _of_start(place: Place, problem: str) -> DescriptionError:
    return DescriptionError(place, f"start-up code {problem}: write `start:` anew when you change `calls:`")


def _check_types(machine: Machine, d: Map) -> None:
    values = machine.values
    address = machine.classes[values.address].type
    if address != machine.address_type:
        raise DescriptionError(
            d.where("address"), f"addresses have type {machine.address_type}, but class '{values.address}' holds {address}"
        )
    if machine.stack_pointer.type != machine.address_type:
        place = d["roles"].where("stack_pointer")
        raise DescriptionError(place, f"'{machine.stack_pointer!r}' does not hold an address (type {machine.address_type})")
    if machine.model.sizes["pointer"] * 8 != rtl.BITS[machine.address_type]:
        where = d["c"].where("sizes") if isinstance(d.get("c"), Map) else d.where("address")
        size = machine.model.sizes["pointer"]
        raise DescriptionError(where, f"a C pointer has {size} bytes, but an address has type {machine.address_type}")
    if machine.model.sizes["int"] * 8 > rtl.BITS[machine.classes[values.integer].type]:
        raise DescriptionError(d["values"].where("integer"), "an int of C does not fit into these registers")


def _check_symbols(machine: Machine) -> None:
    """Reject symbols that only some objects have: of a char's address nobody knows that it is even."""
    align = machine.model.object_align
    for form in (form for forms in machine.recognizer.operands.values() for form in forms):
        if form.symbol and align % form.multiple:
            message = f"'multiple: {form.multiple}' of a symbol needs 'c: {{object_align: {form.multiple}}}'"
            raise DescriptionError(form.place, f"{message}: objects lie at multiples of {align}")


def _check_allocable(machine: Machine, d: Map) -> None:
    for kind, name in machine.values.classes().items():
        bank = machine.classes[name].bank
        if not machine.allocable_in(name):
            where = d["allocable"].where(bank)
            raise DescriptionError(where, f"no register of class '{bank}' is allocable, but it holds '{kind}' values")
    reserved = {machine.stack_pointer: "the stack pointer", **dict.fromkeys(machine.zero, "always zero")}
    for name, registers in machine.allocable.items():
        for register in registers:
            if register in reserved:
                raise DescriptionError(d["allocable"].where(name), f"'{register!r}' is {reserved[register]}: not allocable")


def _check_convention(machine: Machine, d: Map) -> None:
    convention = machine.convention
    if not convention.results.get("integer"):
        raise DescriptionError(d.where("results"), "'results' must name an integer register")
    word = machine.classes[machine.values.integer].type
    for key, registers in (("arguments", convention.arguments), ("results", convention.results)):
        for kind in registers:
            wanted = tuple(rtl.FLOAT_TYPES) if kind == "float" else (machine.address_type if kind == "address" else word,)
            _check_carriers(registers[kind], wanted, kind, d[key].where(kind))
    for key, carriers in (("arguments", convention.arguments), ("results", convention.results)):
        if carriers.get("float") and not machine.values.double:
            raise DescriptionError(d[key].where("float"), "'values:' names no class for 'D' values, so nothing travels here")
    if convention.word * 8 != rtl.BITS[word]:
        size = f"{rtl.BITS[word] // 8}, the bytes of an integer register, not {convention.word}"
        raise DescriptionError(d.where("word"), f"'word' must be {size}")
    align = convention.stack_align
    if not 0 < align <= 1 << 12 or align & (align - 1):
        raise DescriptionError(d.where("stack_align"), f"'stack_align' must be a power of two, not {align}")
    if convention.grows_up and (convention.align_pairs != "every" or len(convention.arguments.get("integer", ())) % 2):
        message = "with 'stack_grows: up' no value may lie partly in a register: write 'align_pairs: every', and name an even"
        message += " number of registers for integer arguments"
        raise DescriptionError(d.where("stack_grows"), message)
    if machine.stack_pointer in convention.saved or machine.stack_pointer is convention.link:
        raise DescriptionError(d.place, f"'{machine.stack_pointer!r}' is the stack pointer: it is neither saved nor the link")
    if (convention.hidden.pushed - convention.pushed) % convention.stack_align:
        raise DescriptionError(d.where("hidden_call"), "'hidden_call' pushes what leaves the stack pointer off its alignment")


def _check_carriers(registers: Iterable[rtl.Register], wanted: tuple[str, ...], kind: str, place: Place) -> None:
    seen: set[rtl.Register] = set()
    for register in registers:
        if register.type not in wanted:
            raise DescriptionError(place, f"'{register!r}' does not hold {kind} values")
        if register in seen:
            raise DescriptionError(place, f"'{register!r}' is listed twice")
        seen.add(register)


# ----------------------------------------------------------------------------------------------------------------------
# Finding instructions that an earlier one always precedes: they could never be recognised.


def without_hidden(alternatives: list[Alternative], operands: Operands, refuse: bool) -> list[Alternative]:
    """Return the alternatives but those whose RTLs an earlier one (without condition or reach) all matches.

    Raises DescriptionError for these if told to `refuse` them.
    """
    seen: dict[Any, list[tuple[Alternative, list[tuple[Any, ...]]]]] = {}
    kept: list[Alternative] = []
    for alternative in alternatives:
        outline = tuple(map(_outline, alternative.effects))
        candidates = [found for key in (outline, tuple(map(_wild, outline))) for found in seen.get(key, ())]
        earlier = next((e for e, variants in candidates if hides(operands, e, variants, alternative)), None)
        if earlier is not None and refuse:
            raise DescriptionError(
                alternative.place,
                f"instruction {alternative.name} `{alternative.text}` is hidden by {earlier.name} in line "
                f"{earlier.place.line}, which matches the same RTLs first",
            )
        if earlier is None:
            kept.append(alternative)
            always = alternative.condition is None and alternative.reach is None and not alternative.if_dead
            if always and not alternative.pseudo:
                seen.setdefault(outline, []).append((alternative, effect_orders(alternative.effects)))
    return kept


def hides(operands: Operands, earlier: Alternative, variants: list[tuple[Any, ...]], alternative: Alternative) -> bool:
    """Whether an alternative, in one of the variants of its effects, matches all RTLs of another."""
    if alternative.repeated and not earlier.repeated:
        return False
    bound = earlier.operands, alternative.operands
    return any(_Cover(operands, *bound).all(effects, alternative.effects) for effects in variants)


def _outline(effect: Any) -> Any:
    """Return what two effects that match the same RTL must have in common: target and outermost operator."""
    if isinstance(effect, rtl.Set):
        target, source = effect.target, effect.source
        return getattr(target, "cls", target.type), getattr(source, "op", "") or type(source).__name__, source.type
    return type(effect).__name__, getattr(getattr(effect, "condition", None), "op", ""), ""


def _wild(outline: tuple[str, str, str]) -> tuple[str, str, str]:
    """Return the outline of a move from any operand to the same target."""
    return (outline[0], "Variable", "")


@dataclass(eq=False)
class _Cover:
    """Tests whether one pattern matches everything that another matches; `bound` are the variables of the first."""

    operands: Operands
    wide: dict[str, str]
    narrow: dict[str, str]
    bound: dict[str, Any] = field(default_factory=dict)

    def all(self, wide: tuple[Any, ...], narrow: tuple[Any, ...]) -> bool:
        """Whether each of some nodes covers its counterpart."""
        return len(wide) == len(narrow) and all(map(self.covers, wide, narrow))

    def covers(self, wide: Any, narrow: Any) -> bool:
        """Whether one node covers another."""
        match wide:
            case RegisterVariable():
                same = isinstance(narrow, RegisterVariable | rtl.Register) and narrow.cls == wide.cls
                return same and self.bind(wide.name, narrow)
            case Variable():
                forms = self.operands[self.wide[wide.name]]
                return self.bind(wide.name, narrow) and (
                    any(self.form_covers(form, narrow) for form in forms) or self.same_operand(wide, narrow)
                )
            case rtl.Op():
                same = isinstance(narrow, rtl.Op) and (wide.op, wide.type) == (narrow.op, narrow.type)
                return same and self.all(wide.args, narrow.args)
            case rtl.Mem():
                same = isinstance(narrow, rtl.Mem) and wide.type == narrow.type
                return same and self.covers(wide.address, narrow.address)
            case rtl.Half():
                return isinstance(narrow, rtl.Half) and wide.which == narrow.which and self.covers(wide.of, narrow.of)
            case rtl.Set():
                return (
                    isinstance(narrow, rtl.Set)
                    and self.covers(wide.target, narrow.target)
                    and self.covers(wide.source, narrow.source)
                )
            case rtl.Branch():
                return isinstance(narrow, rtl.Branch) and self.covers(wide.condition, narrow.condition)
            case rtl.Jump():
                return isinstance(narrow, rtl.Jump)
            case rtl.IndirectJump() | rtl.Call() | rtl.Return():
                return type(narrow) is type(wide) and self.covers(wide.target, narrow.target)
        return wide is narrow

    def bind(self, name: str, node: Any) -> bool:
        """Bind a variable; a second occurrence must stand for the same again."""
        key = node.name if isinstance(node, Variable | RegisterVariable) else node
        if name not in self.bound:
            self.bound[name] = key
        return bool(self.bound[name] == key)

    def same_operand(self, wide: Variable, narrow: Any) -> bool:
        """Whether both are variables of operands of which one covers the other."""
        if not isinstance(narrow, Variable):
            return False
        first, second = self.wide[wide.name], self.narrow[narrow.name]
        return first == second or all(
            any(_form_within(form, other) for other in self.operands[first]) for form in self.operands[second]
        )

    def form_covers(self, form: OperandForm, node: Any) -> bool:
        """Whether one form of an operand covers a register, a constant or a symbol of the other pattern."""
        if isinstance(node, RegisterVariable | rtl.Register):
            simple = isinstance(form.pattern, RegisterVariable) and form.condition is None
            return simple and form.pattern.cls == node.cls
        return form.pattern is None and isinstance(node, rtl.Const | rtl.Symbol) and form.accepts(node)


def _form_within(form: OperandForm, other: OperandForm) -> bool:
    """Whether everything of one form of an operand is also of another form (as far as that is easily seen)."""
    if form is other:
        return True
    if form.pattern is not None or other.pattern is not None:
        return (
            isinstance(form.pattern, rtl.Node)
            and isinstance(other.pattern, RegisterVariable)
            and isinstance(form.pattern, RegisterVariable)
            and form.pattern.cls == other.pattern.cls
            and other.condition is None
        )
    if other.condition is not None or form.slots > other.slots or form.far > other.far or form.symbol > other.symbol:
        return False
    if form.values:
        return all(other.accepts(rtl.Const(value)) for value in form.values)
    if form.low > form.high:
        return True
    within = other.low <= form.low and form.high <= other.high and form.multiple % other.multiple == 0
    return within and not other.values
