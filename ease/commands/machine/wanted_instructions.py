"""Instructions that a machine might be given: what an RTL that it lacks would be, and what other descriptions have.

An entry is written as a description would have it, with the operands that the machine has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher

from vpo.machines.machine import Machine
from vpo.machines.names import machine_names
from vpo.machines.read.instructions import KEYS, family
from vpo.machines.read.shorthands import load_shorthands
from vpo.machines.read.source import DescriptionError, Map, Seq, find, read_own
from vpo.rtl import (
    CODE_TYPES,
    Branch,
    Call,
    Const,
    Effect,
    Expr,
    Half,
    IndirectJump,
    Jump,
    Mem,
    Op,
    Register,
    Return,
    Set,
    Slot,
    Symbol,
)
from vpo.text import TYPED_FUNCTIONS, TextError, parse_effects, show_effects

SYSTEM_CALL = "an instruction with SYS"
ARGUMENTS = 5  # of a system call, beside its number
_WORD = re.compile(r"\b([a-z]\w*)\b(?![\[(])")


@dataclass(frozen=True, slots=True)
class Entry:
    """One form of an instruction: its name, pattern, assembly, and the operands of its variables."""

    name: str
    rtl: str
    asm: str
    operands: tuple[tuple[str, str], ...] = ()

    @property
    def names_registers(self) -> bool:
        """Whether it is about certain registers, which have other uses on other machines."""
        return re.search(r"\b[a-z]\w*\[\d", self.rtl) is not None

    @property
    def body(self) -> str:
        """What stands behind the name in a description."""
        bound = "".join(f", {variable}: {operand}" for variable, operand in self.operands)
        return f'{{rtl: "{self.rtl}"{bound}, asm: "{self.asm}"}}'


def lines_of(entries: tuple[Entry, ...]) -> str:
    """Return the section of a description that entries are."""
    forms: dict[str, list[str]] = {}
    for entry in entries:
        forms.setdefault(entry.name, []).append(entry.body)
    lines = [f"  {name}: {one[0]}" if len(one) == 1 else f"  {name}:" for name, one in forms.items()]
    for number, (_, bodies) in reversed(list(enumerate(forms.items()))):
        if len(bodies) > 1:
            lines[number + 1 : number + 1] = [f"    - {body}" for body in bodies]
    return "\n".join(["instructions:", *lines]) + "\n"


def wanted(machine: Machine, what: str, known: dict[str, str], taken: set[str]) -> list[Entry]:
    """Return the instructions any of which a message about what is missing asks for.

    `known` has names by patterns, `taken` those that are no longer free.
    """
    if SYSTEM_CALL in what:
        return [_named(_system_call(machine), (), known, taken)]
    result = []
    for text in _rtls(machine, what):
        writer = _Writer(machine)
        with suppress(TextError, LookupError):
            rtl = writer.rtl(parse_effects(text, machine.cells))
            result.append(_named(rtl, tuple(writer.operands.items()), known, taken))
    return result


def _rtls(machine: Machine, what: str) -> Iterator[str]:
    """Yield the RTLs that a message names: of a branch, first comparisons that set a condition code, if there is one."""
    found = re.search(r"`([^`]*)`", what)
    if found is None:
        return
    text = found.group(1).partition(" #")[0]  # without a cause
    if "branch if" not in what:
        yield "PC=L1;" if text == "PC=L;" else text
        return
    comparison = re.sub(r"(==|!=|<=|>=|<|>)u?", "?", text, count=1)
    yield from (f"{name}={comparison};" for name, cls in machine.classes.items() if cls.type == "C")
    yield f"PC={text},L1;"


def _named(rtl: str, operands: tuple[tuple[str, str], ...], known: dict[str, str], taken: set[str]) -> Entry:
    stem = known.get(canonical(rtl), _kind(rtl))
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    variables = list(dict.fromkeys(re.findall(r"\b[a-z]\w*\[([a-z]\w*)\]", rtl) + [variable for variable, _ in operands]))
    variables += ["label"] if re.search(r"[,=]label;", rtl) else []
    asm = " ".join([name.lower(), ",".join(f"${variable}" for variable in variables)]).rstrip()
    return Entry(name, rtl, asm, operands)


def _kind(rtl: str) -> str:
    """Return a name for an instruction by what it does."""
    kinds = (("ST=", "CALL"), ("PC=", "BRANCH"), ("=SYS", "SYSTEM"))
    target, _, source = rtl.partition("=")
    stored = "STORE" if target[:1].isupper() else "LOAD" if re.search(r"[A-Z]\[", source) else "NEW"
    return next((name for part, name in kinds if part in rtl), stored)


def _system_call(machine: Machine) -> str:
    """Return a system call with its number in a register that carries no argument."""
    cls = machine.values.integer
    carried = [r for r in machine.convention.arguments.get("integer", ()) if r.cls == cls]
    registers = [*carried, *(r for r in machine.allocable_in(cls) if r not in carried)]
    arguments = registers[:ARGUMENTS]
    result = machine.convention.results["integer"][0]
    free = [r for r in machine.allocable_in(cls) if r not in (*arguments, result, machine.convention.link)]
    scratch = [r for r in free if r in machine.convention.scratch]
    number = (scratch or free)[-1]
    return f"{result!r}=SYS{number.type}({','.join(map(repr, [number, *arguments]))});"


class _Writer:
    """Writes an RTL as a pattern: registers become variables, and what is an operand of the machine becomes one."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.operands: dict[str, str] = {}
        self.registers = 0

    def rtl(self, effects: tuple[Effect, ...]) -> str:
        """Return the pattern of an RTL; what a call does besides is as the convention has it.

        Raises LookupError if it is of no kind that is advised.
        """
        calls = any(isinstance(effect, Call) for effect in effects)
        stated = [calls and not isinstance(effect, Call) for effect in effects]
        pairs = zip(effects, stated, strict=True)
        return " ".join(show_effects((effect,)) if as_it_is else self.effect(effect) for effect, as_it_is in pairs)

    def effect(self, effect: Effect) -> str:
        """Return the pattern of an effect.

        Raises LookupError if it is of no kind that is advised.
        """
        match effect:
            case Set(target=Register() as target, source=source):
                return f"{self._set(target)}={self.node(source)};"
            case Set(target=Mem() as target, source=source):
                cell = self.node(target)
                return f"{cell}={self.node(source)};"
            case Branch(condition=condition):
                return f"PC={self.node(condition)},label;"
            case Jump():
                return "PC=label;"
            case IndirectJump(target=target):
                return f"PC={self.node(target)},{{}};"
            case Call(target=target):
                return f"ST={self.node(target)}();"
            case Return(target=target):
                return f"PC={target!r},RT();"
        raise LookupError(effect)

    def _set(self, register: Register) -> str:
        return register.cls if register.type in CODE_TYPES else f"{register.cls}[dst]"

    def node(self, node: Expr) -> str:
        """Return the pattern of an expression."""
        match node:
            case Register() if node.type in CODE_TYPES:
                return node.cls
            case Register():
                self.registers += 1
                return f"{node.cls}[src{self.registers}]"
            case Mem():
                operand = self._operand(node.address)
                return f"{node.type}[{self._variable('mem', operand) if operand else self.node(node.address)}]"
            case Half() if isinstance(node.of, Symbol | Slot):
                return f"{node.which}[{self._variable('value', 'symbol' if isinstance(node.of, Symbol) else 'far')}]"
            case Half():
                return f"{node.which}[{self._variable('value', 'any')}]"
            case Symbol():
                return self._variable("value", "symbol")
            case Const() | Slot():
                return self._variable("value", self._operand(node) or "any")
            case Op() if node.is_infix:
                left = self._nested(node.args[0])
                return f"{left}{node.op}{self._nested(node.args[1])}"
            case Op():
                suffix = node.type if node.op in TYPED_FUNCTIONS else ""
                return f"{node.op}{suffix}({','.join(map(self.node, node.args))})"
        raise LookupError(node)

    def _nested(self, node: Expr) -> str:
        text = self.node(node)
        return f"({text})" if isinstance(node, Op) and node.is_infix else text

    def _variable(self, stem: str, operand: str) -> str:
        name = stem
        while name in self.operands:
            name += "2"
        self.operands[name] = operand
        return name

    def _operand(self, node: Expr) -> str:
        """Return the operand with most forms, and the widest range, that a node is; '' if there is none."""
        found = []
        for name, forms in self.machine.recognizer.operands.items():
            if name not in ("any", "far", "symbol") and self.machine.recognizer.operand_match(name, node) is not None:
                found.append((len(forms), max(form.high - form.low for form in forms), name))
        return max(found)[2] if found else ""


def canonical(rtl: str) -> str:
    """Return a pattern in which the names of variables do not matter."""
    names: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        return names.setdefault(match.group(1), f"v{len(names)}")

    return _WORD.sub(renamed, re.sub(r"\s", "", rtl))


def forms_elsewhere(machine: Machine) -> Iterator[Entry]:
    """Yield the forms in all descriptions, this machine's first, if this machine has their classes and operands."""
    for name in sorted(machine_names(), key=lambda name: name != machine.name):
        try:
            description = read_own(find(name))
            yield from _forms(description, machine)
        except (DescriptionError, OSError):
            continue


def _forms(description: Map, machine: Machine) -> Iterator[Entry]:
    shorthands = load_shorthands(description)
    instructions = description.get("instructions")
    for key, spec in instructions.items() if isinstance(instructions, Map) else ():
        for form in spec if isinstance(spec, Seq) else [spec]:
            if isinstance(form, Map) and {"rtl", "asm"} <= form.keys():
                for name, member in family(key, form, form.place, shorthands):
                    entry = _entry(name, member, machine)
                    if entry is not None:
                        yield entry


def _entry(name: str, member: Map, machine: Machine) -> Entry | None:
    """Return a form as an entry; None if it says more than an entry does, or if the machine lacks its classes and operands."""
    bound = {key: value for key, value in member.items() if key not in KEYS}
    more = member.keys() & KEYS - {"rtl", "asm", "size", "latency", "reach", *("slots", "unit", "issue", "taken")}
    rtl = member["rtl"]
    classes = set(re.findall(r"\b([a-z]\w*)\[", rtl))
    operands = set(map(str, bound.values()))
    fits = classes <= machine.classes.keys() and operands <= machine.recognizer.operands.keys()
    if more or not fits or "..." in rtl or "$if" in member["asm"]:
        return None
    return Entry(name, rtl, member["asm"], tuple((key, str(value)) for key, value in bound.items()))


def by_likeness(entry: Entry, pool: list[Entry]) -> list[Entry]:
    """Return the entries of a pool, those first whose pattern is most like that of an entry; each pattern once."""
    patterns = {canonical(other.rtl) + str(other.operands): other for other in reversed(pool)}
    own = canonical(entry.rtl)
    order = sorted(patterns, key=lambda text: (-SequenceMatcher(None, own, text, autojunk=False).ratio(), text))
    return [patterns[text] for text in order if canonical(patterns[text].rtl) != own]
