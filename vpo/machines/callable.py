"""Instructions as functions of C: `__builtin_insn_NAME(...)` and the headers `<ease/MACHINE.h>`.

Of the operands of a form, registers that are read are parameters, in order of appearance, constants are parameters that must
be constants, cells of memory take pointers, and the registers that are set are the results.  An operand with several notations
has those that C can say: a register, a constant; in addresses a register, or a register and a constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from pathlib import Path
from typing import Any

from vpo.base.suggestions import suggested
from vpo.il import Type
from vpo.il.instruction_functions import Kind, Parameter
from vpo.machines.machine import Machine
from vpo.machines.match.instantiation import Instance
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.names import FOLDER, parts_of
from vpo.machines.read.load import load
from vpo.machines.read.source import DescriptionError
from vpo.rtl import BITS, FLOAT_TYPES, INTEGER_TYPES, Const, Effect, Mem, Op, Register, Set, subexpressions
from vpo.text import RegisterVariable, Variable

Constants = dict[str, list[OperandForm]]  # the ranges of the constants of an instruction, by the names of their variables


class NoFunction(Exception):
    """A form of an instruction that C cannot call; the text says why."""


def c_name(name: str) -> str:
    """Return what an instruction or machine is called in C."""
    return re.sub(r"\W", "_", name)


# ----------------------------------------------------------------------------------------------------------------------
# One form of an instruction.


@dataclass(eq=False)
class CallableForm:
    """A form of an instruction, each operand of which has one notation: `pattern` is over the variables `bindings`."""

    machine: Machine
    alternative: Alternative
    pattern: tuple[Any, ...]
    bindings: dict[str, Register]
    parameters: list[Parameter] = field(default_factory=list)
    places: tuple[object, ...] = ()
    results: list[Type] = field(default_factory=list)
    targets: tuple[object, ...] = ()
    constants: list[str] = field(default_factory=list)

    def effects(self, constants: Sequence[int]) -> tuple[Effect, ...] | None:
        """Return the RTL with numbers for its constants, as the compiler writes it; None if the instruction has them not."""
        bound = {**self.bindings, **{name: Const(value) for name, value in zip(self.constants, constants, strict=True)}}
        instance = Instance(bound, _no_register, self.machine.half)
        effects = tuple(map(instance.effect, self.pattern))
        if self._is_this(effects):
            return effects
        written = tuple(_verbatim(effect, bound) for effect in self.pattern)
        return effects if self._is_this(written) and self.machine.is_legal(effects) else None

    def _is_this(self, effects: tuple[Effect, ...]) -> bool:
        return any(match.alternative is self.alternative for match in self.machine.recognizer.all_matches(effects))


def _no_register(cls: str, type_: str) -> Register:
    raise LookupError(f"a variable of class {cls} ({type_}) without a value")


def _verbatim(node: Any, bound: dict[str, Any]) -> Any:
    """Return a pattern with nodes in the places of its variables, as it is written: nothing is folded."""
    match node:
        case RegisterVariable() | Variable():
            return bound[node.name]
        case Op():
            return Op(node.op, node.type, *(_verbatim(arg, bound) for arg in node.args))
        case Mem():
            return node.at(_verbatim(node.address, bound))
        case Set():
            return Set(_verbatim(node.target, bound), _verbatim(node.source, bound))
    return node


class _Reading:
    """Reads one form of an instruction, in each way that C can call it."""

    def __init__(self, machine: Machine, alternative: Alternative) -> None:
        self.machine, self.alternative = machine, alternative
        self.operands = machine.recognizer.operands

    def forms(self) -> Iterator[CallableForm]:
        """Yield the ways; raises NoFunction if there is none."""
        if self.alternative.repeated:
            raise NoFunction("it moves a list of registers")
        if self.alternative.pseudo:
            raise NoFunction("it is none of the machine's, but stands for several until registers are assigned")
        for effect in self.alternative.effects:
            if not isinstance(effect, Set):
                raise NoFunction("it transfers control")
        found = [self._form(effects, variables) for effects, variables in self._written()]
        problem = next((form for form in found if isinstance(form, NoFunction)), NoFunction("C has none of its operands"))
        if not any(isinstance(form, CallableForm) for form in found):
            raise problem
        yield from (form for form in found if isinstance(form, CallableForm))

    def _written(self) -> Iterator[tuple[tuple[Any, ...], Constants]]:
        """Yield the effects with one notation of each operand, and the constants in them."""
        effects = self.alternative.effects
        in_address = {node.name for effect in effects for node, inside in _leaves(effect) if inside and _is_operand(node)}
        names = list(self.alternative.operands)
        notations = [list(self._notations(name, name in in_address)) for name in names]
        for row in product(*notations):
            constants: Constants = {name: forms for _, inner in row for name, forms in inner.items()}
            chosen = {name: pattern for name, (pattern, _) in zip(names, row, strict=True)}
            yield tuple(_chosen(effect, chosen) for effect in effects), constants

    def _notations(self, name: str, in_address: bool) -> Iterator[tuple[Any, Constants]]:
        """Yield the notations of an operand that C can say: a register, a constant, in addresses a register and a constant."""
        forms = [form for form in self.operands[self.alternative.operands[name]] if not form.steps]
        numbers = [form for form in forms if _is_constants(form) and not in_address]
        said = False
        for form in forms:
            is_sum = isinstance(form.pattern, Op) and form.pattern.op == "+" and in_address
            if isinstance(form.pattern, RegisterVariable) or (is_sum and _is_displaced(form.pattern)):
                inlined = self._inlined(form, name)
            else:
                inlined = (Variable(name), {name: numbers}) if numbers and form is numbers[0] else None
            if inlined is not None:
                said = True
                yield inlined
        if not said:
            yield from islice(filter(None, (self._inlined(form, name) for form in forms if form.pattern is not None)), 1)

    def _inlined(self, form: OperandForm, name: str) -> tuple[Any, Constants] | None:
        """Return a form with a pattern, the operands in it by the first notation of each; None if C cannot say one."""
        constants: Constants = {}
        chosen: dict[str, Any] = {}
        for inner, operand in form.operands.items():
            forms = [each for each in self.operands[operand] if not each.steps]
            numbers = [each for each in forms if _is_constants(each)]
            plain = next((each for each in forms if isinstance(each.pattern, RegisterVariable)), None)
            if plain is not None:
                chosen[inner] = RegisterVariable(plain.pattern.cls, f"{name}.{inner}", plain.pattern.type)
            elif numbers:
                chosen[inner] = Variable(f"{name}.{inner}")
                constants[f"{name}.{inner}"] = numbers
            else:
                found = next(filter(None, (self._inlined(each, f"{name}.{inner}") for each in forms if each.pattern)), None)
                if found is None:
                    return None
                chosen[inner] = found[0]
                constants |= found[1]
        return _chosen(form.pattern, chosen, name), constants

    # -------------------------------------------------------------------------------------------------- parameters

    def _form(self, effects: tuple[Any, ...], constants: Constants) -> CallableForm | NoFunction:
        try:
            return self._read(effects, constants)
        except NoFunction as problem:
            return problem

    def _read(self, effects: tuple[Any, ...], constants: Constants) -> CallableForm:
        form = CallableForm(self.machine, self.alternative, effects, {})
        read: dict[Any, Parameter] = {}
        for effect in effects:
            if _has_value(effect.target) and any(isinstance(n, Op) and n.op == "?" for n in subexpressions(effect.source)):
                raise NoFunction("it makes a code of conditions, which C has not")
            for node, is_address in _leaves(effect):
                self._note(node, is_address, read, constants, form)
        set_ = list(dict.fromkeys(filter(None, (self._target(effect.target, form) for effect in effects))))
        if not set_ and not any(isinstance(effect.target, Mem) for effect in effects):
            raise NoFunction("it sets nothing that C has")
        form.parameters = list(read.values())
        form.constants = [parameter.name for parameter in form.parameters if parameter.kind == "constant"]
        form.places = tuple(node for node, parameter in read.items() if parameter.kind != "constant")
        form.targets = tuple(set_)
        addresses = {node for node, parameter in read.items() if parameter.kind == "address"}
        form.results = [self._address if node in addresses else _type(node.type) for node in set_]
        return form

    @property
    def _address(self) -> Type:
        return Type("P", self.machine.model.sizes["pointer"])

    def _note(self, node: Any, is_address: bool, read: dict[Any, Parameter], constants: Constants, form: CallableForm) -> None:
        """Make a parameter of a variable or a register that is read, unless it is one."""
        match node:
            case RegisterVariable():
                self._check(register := self._bound(node, form), "read")
                self._add(register, node.name, is_address, read)
            case Variable() if is_address:
                raise NoFunction("it addresses memory by a constant")
            case Variable() if node.name in constants:
                numbers = " or ".join(map(_range, constants[node.name]))
                read.setdefault(node.name, Parameter(node.name, "constant", Type("I", 8), numbers))
            case Register():
                if node in self.machine.zero:
                    return
                if node == self.machine.stack_pointer:
                    raise NoFunction("it uses the stack pointer")
                self._check(node, "read")
                self._add(node, self.machine.recognizer.text(node), is_address, read)
            case _:
                raise NoFunction(f"C has no `{node!r}`")

    def _add(self, node: Register, name: str, is_address: bool, read: dict[Any, Parameter]) -> None:
        kind: Kind = "address" if is_address else "value"
        if node not in read or is_address:
            read[node] = Parameter(name, kind, self._address if is_address else _type(node.type))

    def _bound(self, node: RegisterVariable, form: CallableForm) -> Register:
        """Return the pseudo-register that stands for a variable."""
        register = form.bindings.get(node.name)
        if register is None:
            register = form.bindings[node.name] = Register(node.cls, len(form.bindings) + 1, node.type, True)
        return register

    @property
    def _stacks(self) -> set[str]:
        """The classes whose registers are numbered from the top of a stack."""
        tops = {
            effect.target.cls for effect in self.machine.pop if isinstance(effect, Set) and isinstance(effect.target, Register)
        }
        return tops | {register.cls for stack in self.machine.stacks for register in stack}

    def _target(self, target: Any, form: CallableForm) -> Register | None:
        """Return a register that is set, None for a cell and for a code of conditions, which C has not."""
        if isinstance(target, Mem) or target in self.machine.zero:
            return None
        if not _has_value(target):
            return None
        if target == self.machine.stack_pointer:
            raise NoFunction("it sets the stack pointer")
        register = self._bound(target, form) if isinstance(target, RegisterVariable) else target
        self._check(register, "set")
        return register

    def _check(self, register: Register, done: str) -> None:
        """Refuse registers that hold no values of C, and those to or from which none can be moved as needed."""
        machine = self.machine
        if machine.is_private(register):
            raise NoFunction(f"it uses {register.cls}[], of which each activation has its own")
        if register.pseudo and not machine.has_allocable(register.cls):
            raise NoFunction(f"no register of {register.cls}[] is for values")
        if not register.pseudo and register.cls in self._stacks:
            raise NoFunction("its operands lie on a stack of registers")
        if not _has_value(register):
            raise NoFunction(f"it reads {register.cls}[], for which C has no type")
        usual = machine.values.floating(register.type) if register.type in FLOAT_TYPES else machine.values.integer
        if register.cls in machine.values.classes().values():
            return
        if not usual or machine.classes[usual].type != register.type:
            raise NoFunction(f"no value of C is in {register.cls}[]")
        other = Register(usual, 0, register.type, True)
        move, way = (Set(register, other), "to") if done == "read" else (Set(other, register), "from")
        if not machine.is_legal((move,)):
            raise NoFunction(f"no instruction moves a value of C {way} {register.cls}[]")


def _type(letter: str) -> Type:
    """Return the type of C's values in registers of a type: integers have no sign."""
    return Type("F" if letter in FLOAT_TYPES else "U", BITS[letter] // 8)


def _is_constants(form: OperandForm) -> bool:
    return form.pattern is None and (bool(form.values) or form.low <= form.high)


def _range(form: OperandForm) -> str:
    """Return the constants of an operand, in words."""
    if form.values:
        return "one of " + ", ".join(map(str, form.values))
    if form.low <= -(1 << 63):
        return ""
    low, high = (str(number) if abs(number) < 1 << 20 else hex(number) for number in (form.low, form.high))
    return f"in {low}..{high}" + (f" and a multiple of {form.multiple}" if form.multiple > 1 else "")


def _chosen(node: Any, chosen: dict[str, Any], within: str = "") -> Any:
    """Return a pattern with notations in the places of its operands; `within` is the operand of which it is a form."""
    match node:
        case RegisterVariable() if within:
            return RegisterVariable(node.cls, f"{within}.{node.name}", node.type)
        case Variable():
            return chosen[node.name]
        case Op():
            return Op(node.op, node.type, *(_chosen(arg, chosen, within) for arg in node.args))
        case Mem():
            return node.at(_chosen(node.address, chosen, within))
        case Set():
            return Set(_chosen(node.target, chosen, within), _chosen(node.source, chosen, within))
    return node


def _is_displaced(sum_: Op) -> bool:
    """Whether an address is a register and an operand."""
    return isinstance(sum_.args[0], RegisterVariable) and isinstance(sum_.args[1], Variable)


def _has_value(node: Any) -> bool:
    """Whether a register or cell has a value of C."""
    return node.type in INTEGER_TYPES or node.type in FLOAT_TYPES


def _is_operand(node: Any) -> bool:
    return isinstance(node, Variable)


def _leaves(effect: Set) -> Iterator[tuple[Any, bool]]:
    """Yield what an effect reads, in order of appearance, each with whether it is (the first register of) an address."""
    if isinstance(effect.target, Mem):
        yield from _parts(effect.target.address, True)
    yield from _parts(effect.source, False)


def _parts(node: Any, is_address: bool) -> Iterator[tuple[Any, bool]]:
    match node:
        case Op(op="SYS"):
            raise NoFunction("it asks the system")
        case Op():
            for number, arg in enumerate(node.args):
                yield from _parts(arg, is_address and number == 0 and node.op in ("+", "-"))
        case Mem():
            yield from _parts(node.address, True)
        case Const():
            pass
        case _:
            yield node, is_address


# ----------------------------------------------------------------------------------------------------------------------
# The instructions of a machine.


class InstructionFunctions:
    """The instructions of a machine, by their names in C."""

    def __init__(self, machine: Machine, name: str) -> None:
        self.machine, self._machine, self.fingerprint = name, machine, machine.fingerprint
        self._known: dict[str, tuple[list[CallableForm], str]] = {}

    @cached_property
    def _alternatives(self) -> dict[str, list[Alternative]]:
        found: dict[str, list[Alternative]] = {}
        for alternative in self._machine.recognizer.alternatives:
            found.setdefault(c_name(alternative.name), []).append(alternative)
        return found

    @property
    def names(self) -> list[str]:
        """The names of all instructions in C."""
        return list(self._alternatives)

    def forms(self, name: str) -> Sequence[CallableForm]:
        """Return the forms of an instruction that are functions, in the order of the description."""
        return self._forms(name)[0]

    def why_none(self, name: str) -> str:
        """Return why an instruction is no function, or that there is none of that name and which is meant."""
        if name not in self._alternatives:
            return f"{self.machine} has no instruction '{name}'{suggested(name, self.names)}"
        return f"instruction '{name}' of {self.machine} is not a function: {self._forms(name)[1]}"

    def _forms(self, name: str) -> tuple[list[CallableForm], str]:
        if name not in self._known:
            found: list[CallableForm] = []
            reasons: list[str] = []
            for alternative in self._alternatives.get(name, ()):
                try:
                    found += _Reading(self._machine, alternative).forms()
                except NoFunction as problem:
                    reasons.append(str(problem))
            self._known[name] = found, reasons[0] if reasons else ""
        return self._known[name]


class DescribedInstructions:
    """The instructions of the target, and of other descriptions that a program includes."""

    def __init__(self, target: Machine) -> None:
        self.target = target
        composed = len(parts_of(target.name)) > 1
        self.own = InstructionFunctions(target, target.name if composed else Path(target.file).stem or target.name)
        self._others: dict[str, InstructionFunctions] = {}
        self._included: dict[str, InstructionFunctions] = {}  # by the names with which their functions begin

    def header(self, name: str, folders: Sequence[str]) -> tuple[str, str] | None:
        """Return the file of the description that `<ease/NAME.h>` means, and the header; None if there is no such description.

        Raises ValueError.
        """
        if name == self.own.machine:
            self._included[c_name(name)] = self.own
            return self.target.file, _header(name, self.own.names, "__builtin_insn_{name}(__VA_ARGS__)")
        base, *extensions = parts_of(name)
        paths = [path for folder in folders if (path := Path(folder, f"{base}.yaml")).is_file()]
        path = paths[0] if paths else FOLDER / f"{base}.yaml"
        if not path.is_file():
            return None
        whole = "+".join([str(path.resolve()), *extensions])
        functions = self._load(whole, name)
        key = f"{whole}#{functions.fingerprint}"
        self._others[key] = self._included[c_name(name)] = functions
        call = f'__builtin_insn_of("{key}", {{name}} __VA_OPT__(,) __VA_ARGS__)'
        return str(path), _header(name, functions.names, call)

    def of(self, key: str) -> InstructionFunctions:
        """Return the instructions of a description, by the key that its header has.  Raises ValueError."""
        if key not in self._others:
            whole = key.rpartition("#")[0]
            base, *extensions = parts_of(whole)
            self._others[key] = self._load(whole, "+".join([Path(base).stem, *extensions]))
        return self._others[key]

    def why_none(self, name: str) -> str:
        """Return why there is no function of a name that begins as those of a header that was included; '' for others."""
        for prefix, functions in self._included.items():
            if name.startswith(f"{prefix}_"):
                return functions.why_none(name.removeprefix(f"{prefix}_"))
        return ""

    def _load(self, path: str, name: str) -> InstructionFunctions:
        try:
            return InstructionFunctions(load(path), name)
        except (DescriptionError, OSError) as problem:
            raise ValueError(str(problem)) from None


def _header(machine: str, names: Sequence[str], call: str) -> str:
    """Return a header with a macro for each instruction of a machine."""
    prefix = c_name(machine)
    return "".join(f"#define {prefix}_{name}(...) {call.format(name=name)}\n" for name in names)
