"""Forms of instructions that a description need not list, since an instruction does the same with certain operands.

Adding 0 is a move, a branch if a register equals itself is a jump, an indirect jump to the link register is a return, a move
of a register to itself is a no-operation, the comparison of `r | 0` with 0 is that of r.  Where a machine has no other move,
jump, return, no-operation or comparison, such an instruction becomes one, with its own name, size and latency.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, product
from typing import Any

from vpo.algebra import binary, unary
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.match.record import fill
from vpo.machines.read.expansion import Expansion, matcher_of
from vpo.rtl import (
    BITS,
    FLOAT_TYPES,
    INTEGER_TYPES,
    Branch,
    Const,
    Effect,
    Expr,
    IndirectJump,
    Jump,
    Mem,
    Op,
    Register,
    Return,
    Set,
    Slot,
    subexpressions,
)
from vpo.text import RegisterVariable, Variable, show_effects

NEUTRAL = {"+": 0, "-": 0, "|": 0, "^": 0, "<<": 0, ">>": 0, ">>u": 0, "*": 1, "&": -1}  # as the operand on the right
IDEMPOTENT = ("&", "|")
REFLEXIVE = ("==", "<=", ">=", "<=u", ">=u")
Fixed = dict[str, Register | Const]  # what variables stand for in an implied form
Wanted = tuple[tuple[Effect, ...], list[Effect]]  # the effects of a form, and what has the same effect, one of them is enough


def implied_forms(
    recognizer: Recognizer, moved: set[str], zero: frozenset[Register], any_register: Register, returns: tuple[Effect, ...]
) -> list[Alternative]:
    """Return what a machine lacks of moves in the classes `moved`, a jump, the convention's return, one form of each.

    Where instructions have slots, so it does of a no-operation; and so of comparisons with 0, if there is none.

    `zero` are the registers that hold 0, `any_register` is one that may be compared with itself.
    """
    result: list[Alternative] = []
    for effects, ways in _wanted(recognizer, moved, sorted(zero, key=repr), any_register, returns):
        if recognizer.match(effects) is None:
            found = [form for way in ways for form in _forms(recognizer, effects, way)]
            result += sorted(found, key=lambda form: (form.latency, form.size, form.order))[:1]
    return [replace(form, order=len(recognizer.alternatives) + n) for n, form in enumerate(result)]


def _wanted(
    recognizer: Recognizer, moved: set[str], zero: list[Register], any_register: Register, returns: tuple[Effect, ...]
) -> Iterator[Wanted]:
    """Yield what every machine should have."""
    for name in sorted(moved):
        a, b = _two_of(recognizer, name)
        yield (Set(a, b),), [Set(a, node) for node in _unchanged(b, zero)]
    for name in sorted(moved):
        a, b = _two_of(recognizer, name)
        yield (Set(a, Op("not", b.type, b)),), [Set(a, Op("not", b.type, Op(op, b.type, b, b))) for op in IDEMPOTENT]
    always = [(register, register) for register in (any_register, *zero)] + [(register, Const(0)) for register in zero]
    yield (Jump("L0"),), [Branch(Op(op, "", *pair), "L0") for pair in always for op in REFLEXIVE]
    match returns:
        case (Return(target=Register() as link),):
            yield returns, [IndirectJump(link, ())]
    if any(form.slots or form.load_slots or form.hold_slots for form in recognizer.alternatives):
        yield (), [Set(any_register, node) for node in (any_register, *_unchanged(any_register, zero))]
    value, _ = _two_of(recognizer, any_register.cls)
    tests = dict.fromkeys(code for alternative in recognizer.alternatives for code in _tested(alternative))
    wanted: list[Wanted] = [
        ((_test(code, value),), [_test(code, node) for node in _unchanged(value, zero)]) for code in tests
    ]  # fmt: skip
    if all(recognizer.match(effects) is None for effects, _ in wanted):
        yield from wanted


def _two_of(recognizer: Recognizer, name: str) -> tuple[Register, Register]:
    """Return two pseudo-registers of a class, which stand for any."""
    type_ = recognizer.classes[name].type
    return Register(name, -1, type_, True), Register(name, -2, type_, True)


def _unchanged(a: Register, zero: list[Register]) -> Iterator[Expr]:
    """Yield operations whose outcome is a register's value, as nobody writes them."""
    for op, number in NEUTRAL.items():
        yield Op(op, a.type, a, Const(number))
        yield from (Op(op, a.type, a, register) for register in zero if number == 0 and register.cls == a.cls)
    yield from (Op(op, a.type, a, a) for op in IDEMPOTENT)


def _test(code: Register, value: Expr) -> Effect:
    return Set(code, Op("?", code.type, value, Const(0)))


def _is_plain(alternative: Alternative) -> bool:
    """Whether an alternative does one thing on no condition."""
    special = alternative.repeated or alternative.condition or alternative.pseudo or alternative.into
    return len(alternative.effects) == 1 and not special and not (alternative.clobbers and not list(_tested(alternative)))


def _tested(alternative: Alternative) -> Iterator[Register]:
    """Yield the condition code that tells how the outcome of an operation compares with 0, if that is all there is."""
    match alternative.effects:
        case (Set(target=Register() as code, source=Op(op="?", args=(Op(args=(_, _)), Const(value=0)))),):
            yield code


def _forms(recognizer: Recognizer, effects: tuple[Effect, ...], way: Effect) -> Iterator[Alternative]:
    """Yield the forms that instructions have with certain operands, which a way to the same effects tells."""
    for alternative, bindings, _ in recognizer.all_matches((way,)):
        names: dict[Any, str] = {}  # of what the form leaves open
        repeated: dict[str, str] = {}
        fixed: Fixed = {}
        for name, node in bindings.items():
            if isinstance(node, str) or (isinstance(node, Register) and node.pseudo):
                repeated |= {name: f"${names[node]}"} if node in names else {}
                names.setdefault(node, name)
            else:
                fixed[name] = node
        if _is_plain(alternative) and alternative.operands.keys().isdisjoint((*names.values(), *repeated)):
            form = form_with(recognizer, alternative, tuple(_open(effect, names) for effect in effects), fixed)
            yield replace(form, asm=fill(form.asm, repeated))


def _open(effect: Effect, names: Mapping[Any, str]) -> Any:
    """Return the pattern of an effect, in which some nodes have names."""
    match effect:
        case Set(target=target, source=source):
            registers = (node for node in names if isinstance(node, Register))
            variables: dict[Any, Any] = {node: RegisterVariable(node.cls, names[node], node.type) for node in registers}
            return Set(variables.get(target, target), _replaced(source, variables))
        case Jump(label=label):
            return Jump(names[label])
    return effect


def takes(recognizer: Recognizer, alternative: Alternative, node: Register | Const, pattern: Any) -> bool:
    """Whether a variable of an alternative may stand for a register or number."""
    if isinstance(pattern, RegisterVariable):
        return isinstance(node, Register) and node.cls == pattern.cls
    operands = alternative.operands
    return isinstance(pattern, Variable) and recognizer.operand(operands[pattern.name], node) is not None


def form_with(recognizer: Recognizer, alternative: Alternative, effects: tuple[Effect, ...], fixed: Fixed) -> Alternative:
    """Return an alternative with other effects, in whose assembly and size variables are fixed."""
    texts, size = {}, alternative.size
    for name, node in fixed.items():
        operand = recognizer.operand(alternative.operands[name], node) if name in alternative.operands else None
        texts[name] = operand.text if operand else recognizer.text(node)
        size += operand.size if operand else 0
    return replace(
        alternative, effects=effects, asm=fill(alternative.asm, texts), size=size, text=show_effects(effects),
        operands={name: operand for name, operand in alternative.operands.items() if name not in fixed},
        fields={name: mode for name, mode in alternative.fields.items() if name not in fixed},
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------
# The jump of a machine that has none: a comparison that is known to hold, and a branch on it.
#
#     PC=L5;     =>     cc=r[4]?r[4]; PC=cc==0,L5;
#
# It is one instruction for phases, and becomes the two when the code is complete.


LABEL = "target"
HOLDING = ("==", ">=", "<=")  # between a register and itself
Steps = tuple[tuple[Any, ...], ...]


def implied_jumps(machine: Machine) -> list[Alternative]:
    """Return the form that a machine lacks of a jump, if a comparison and a branch together are one."""
    if machine.is_legal((Jump("L0"),)):
        return []
    codes = [Register(cls.name, 0, cls.type) for cls in machine.classes.values() if cls.type == "C"]
    registers = dict.fromkeys((machine.stack_pointer, *machine.allocable_in(machine.values.integer)))
    for register, code, relation in product(registers, codes, HOLDING):
        condition = Op(relation, "", code, Const(0))
        steps: Steps = ((Set(code, Op("?", "C", register, register)),), (Branch(condition, LABEL),))
        if all(map(machine.is_legal, steps)):
            return [_consisting(machine, (Jump(LABEL),), steps, (code,))]
    return []


def _consisting(
    machine: Machine, effects: tuple[Effect, ...], steps: Steps, changed: tuple[Register, ...] = (), name: int = -1
) -> Alternative:
    """Return a form that consists of legal steps, has the name of one of them, and changes some registers beside theirs."""
    matches = [match.alternative for step in steps if (match := machine.recognizer.match(step)) is not None]
    latency, size = _cost(machine, steps)
    clobbers = dict.fromkeys(chain(changed, *(match.clobbers for match in matches)))
    return Alternative(
        matches[name].name, matches[name].place, effects, False, {}, "", size, latency, 0, tuple(clobbers), None, None,
        order=len(machine.recognizer.alternatives), text=show_effects(effects), into=steps,
    )  # fmt: skip


def _cost(machine: Machine, steps: Steps) -> tuple[int, int]:
    """Return the cycles and bytes of legal steps."""
    records = [machine.recognize(effects) for effects in steps]
    return sum(record.latency for record in records if record), sum(record.size for record in records if record)


# ----------------------------------------------------------------------------------------------------------------------
# Moves that no instruction of a machine does: by several instructions that need no other register, or over a cell.
#
#     r[1]=r[2];     =>     r[1]=not(r[2]); r[1]=not(r[1]);     or     L[r[14]+.move]=r[2]; r[1]=L[r[14]+.move];
#
# Within a class such a move is a form of an instruction until registers are assigned, so that phases may move values and
# registers are coalesced as always; what is left becomes the several instructions.  Between classes it is an expansion only.


ZERO_FIRST = ("|", "+", "^")  # 0 on the left of these leaves the other operand as it is
CELL = ".move"

Build = Callable[[Any, Any], Steps]  # of a target and a source


def implied_moves(machine: Machine) -> tuple[list[Alternative], list[Expansion]]:
    """Return the forms and expansions that are missing, the cheapest for each pair of classes."""
    forms: list[Alternative] = []
    expansions: list[Expansion] = []
    results = chain.from_iterable(machine.convention.results.values())
    kept = {*machine.values.classes().values(), *(register.cls for register in results)}
    shared = [name for name, cls in machine.classes.items() if not cls.private and cls.type not in "CG"]
    for target, source in product(shared, shared):
        a, b = (Register(name, -1 - n, machine.classes[name].type, True) for n, name in enumerate((target, source)))
        if a.type != b.type or (target == source and target not in kept) or machine.is_legal((Set(a, b),)):
            continue
        ways = [build for build in _ways(machine, a, b) if all(map(machine.is_legal, build(a, b)))]
        if not ways:
            continue
        build = min(ways, key=lambda way: _cost(machine, way(a, b)))
        dst: Any = RegisterVariable(target, "dst", a.type)
        src: Any = RegisterVariable(source, "src", a.type)
        pattern: tuple[Any, ...] = (Set(dst, src),)
        form = _consisting(machine, pattern, build(a, b), name=0)
        match = matcher_of(machine.recognizer, pattern, form.place, {})
        expansions.append(Expansion(match, list(build(dst, src)), None, form.text))
        if target == source:
            forms.append(replace(form, into=(), pseudo=True))
    return forms, expansions


def _ways(machine: Machine, a: Register, b: Register) -> Iterator[Build]:
    """Yield ways to move one register into another."""
    if a.cls == b.cls and a.type not in "FD":
        yield from (partial(_twice, operator) for operator in ("not", "neg"))
        yield from (partial(_zero_first, operator) for operator in ZERO_FIRST)
    yield partial(_over, Mem(a.type, Op("+", machine.address_type, machine.stack_pointer, Slot(CELL))))


def _twice(operator: str, target: Any, source: Any) -> Steps:
    return tuple((Set(target, unary(operator, source.type, node)),) for node in (source, target))


def _zero_first(operator: str, target: Any, source: Any) -> Steps:
    return (Set(target, Const(0)),), (Set(target, Op(operator, source.type, target, source)),)


def _over(cell: Mem, target: Any, source: Any) -> Steps:
    return (Set(cell, source),), (Set(target, cell),)


# ----------------------------------------------------------------------------------------------------------------------
# Expansions that take one result of an instruction with two, or that use an instruction which names its registers.
#
#     r[1]=r[2]%r[3];     =>     r[4]=r[2]; r[4]=r[4]/r[3]; r[5]=r[4]%r[3]; r[1]=r[5];      (the middle two are one
#     instruction) r[4]=r[5]<<r[6];    =>     r[1]=r[6]; r[4]=r[5]; r[4]=r[4]<<r[1];
#
# The other result goes to a register that nobody reads.  Operands that the instruction destroys are copied before; hard
# registers that it names are set before and read afterwards.


VALUES = (*INTEGER_TYPES, *FLOAT_TYPES)


def implied_results(machine: Machine) -> list[Expansion]:
    """Return expansions for each result of the instructions that have two, and of those that name a register."""
    return [
        expansion
        for form in machine.recognizer.alternatives
        if len(form.effects) <= 2 and not form.repeated and not form.pseudo
        if all(_is_result(machine, effect) for effect in form.effects)
        for wanted, *others in (form.effects, form.effects[::-1])[: len(form.effects)]
        if (expansion := _expansion(machine, form, wanted, others)) is not None
    ]


def _is_result(machine: Machine, effect: Effect) -> bool:
    """Whether an effect sets a register that values may be in from registers alone."""
    if not isinstance(effect, Set) or not isinstance(effect.target, Register | RegisterVariable):
        return False
    target = effect.target
    inner = list(subexpressions(effect.source))
    hard = [node for node in (target, *inner) if isinstance(node, Register)]
    kept = {machine.stack_pointer, machine.convention.link, *machine.zero}
    is_value = isinstance(target, Register) or target.cls in machine.values.classes().values()
    computes = len(inner) > 1 and not any(isinstance(node, Mem) or getattr(node, "op", "") == "SYS" for node in inner)
    return is_value and target.type in VALUES and computes and kept.isdisjoint(hard)


def _expansion(machine: Machine, form: Alternative, wanted: Set, others: list[Set]) -> Expansion | None:
    """Return the expansion for the wanted effect of a form, None if another one reads more, or if the form is plain."""
    read, changed = _variables(wanted.source), {_key(effect.target) for effect in (wanted, *others)}
    if any(not _variables(other.source).keys() <= read.keys() for other in others):
        return None
    if not others and not any(isinstance(node, Register) for node in read.values()):
        return None
    replaced: dict[Any, Any] = {
        key: RegisterVariable(node.cls, f"in_{n}", node.type)
        for n, (key, node) in enumerate(read.items()) if key in changed or isinstance(node, Register)
    }  # fmt: skip
    into: list[tuple[Any, ...]] = [(Set(read[key], variable),) for key, variable in replaced.items()]
    into.append(form.effects)
    out: Any = wanted.target
    if isinstance(out, Register) or _key(out) in read:
        cls = out.cls if out.cls in machine.values.classes().values() else machine.values.integer
        out = RegisterVariable(cls, "out", out.type)
        into.append((Set(out, wanted.target),))
    pattern = (Set(out, _replaced(wanted.source, replaced)),)
    operands = {name: operand for name, operand in form.operands.items() if name in read}
    match = matcher_of(machine.recognizer, pattern, form.place, operands)
    return Expansion(match, into, None, show_effects(pattern))


def _key(node: Any) -> Any:
    """Return what is the same for all nodes of a pattern that stand for the same."""
    return node if isinstance(node, Register) else node.name


def _variables(source: Any) -> dict[Any, Any]:
    """Return the registers, hard or any, and the operands that an expression of a pattern reads, by their keys."""
    return {_key(node): node for node in subexpressions(source) if isinstance(node, Register | RegisterVariable | Variable)}


def _replaced(source: Any, variables: Mapping[Any, Any]) -> Any:
    """Return an expression of a pattern with other variables."""
    if isinstance(source, Op):
        return Op(source.op, source.type, *(_replaced(arg, variables) for arg in source.args))
    known = isinstance(source, Register | RegisterVariable | Variable)
    return variables.get(_key(source), source) if known else source


# ----------------------------------------------------------------------------------------------------------------------
# The return of a machine that has lost the instruction: another one goes where it went, through a register or the stack.
#
#     PC=L[r[15]],RT(); r[15]=r[15]+4;     =>     r[3]=L[r[15]]; r[15]=r[15]+4; PC=r[3],RT();
#     PC=r[14],RT();                       =>     r[13]=r[13]+-4; L[r[13]]=r[14]; PC=L[r[13]],RT(); r[13]=r[13]+4;
#
# It is one instruction for phases, and becomes the three when the code is complete.


def implied_returns(machine: Machine) -> list[Alternative]:
    """Return the form that a machine lacks of its convention's return, with the jumps of which it consists."""
    effects = machine.convention.return_
    if machine.is_legal(effects):
        return []
    match effects:
        case (Return(target=Mem() as cell), Set(target=Register() as pointer)) if pointer is machine.stack_pointer:
            return _by_a_register(machine, effects, cell)
        case (Return(target=Register() as link),):
            return _by_the_stack(machine, effects, link)
    return []


def _by_a_register(machine: Machine, effects: tuple[Effect, ...], cell: Mem) -> list[Alternative]:
    """Return the return that pops its address from a cell, and the jump to a register as a return."""
    for register in _free_registers(machine):
        jump = machine.recognizer.match((IndirectJump(register, ()),))
        pop: Steps = ((Set(register, cell),), effects[1:])
        if jump is not None and register.type == cell.type and all(map(machine.is_legal, pop)):
            returning = _returning(machine, jump.alternative)
            known = replace(machine, recognizer=machine.recognizer.extended([returning]))
            return [returning, _consisting(known, effects, (*pop, (Return(register, ()),)), (register,))]
    return []


def _by_the_stack(machine: Machine, effects: tuple[Effect, ...], link: Register) -> list[Alternative]:
    """Return the return that pushes the link register, where another return pops its address."""
    pointer, word = machine.stack_pointer, BITS[machine.address_type] // 8
    cell = Mem(machine.address_type, pointer)
    down, up = (Set(pointer, binary("+", pointer, Const(step))) for step in (-word, word))
    steps: Steps = ((down,), (Set(cell, link),), (Return(cell, ()), up))
    free = not machine.convention.grows_up  # below the stack pointer is nobody's
    return [_consisting(machine, effects, steps)] if free and all(map(machine.is_legal, steps)) else []


def _free_registers(machine: Machine) -> list[Register]:
    """Return the registers for addresses that a function may change and that carry no result."""
    convention = machine.convention
    results = {part for r in chain.from_iterable(convention.results.values()) for part in machine.storage(r)}
    free = {part for register in convention.scratch for part in machine.storage(register)} - results
    names = dict.fromkeys((machine.values.address, machine.values.integer))
    return [r for name in names for r in machine.allocable_in(name) if free.issuperset(machine.storage(r))]


def _returning(machine: Machine, jump: Alternative) -> Alternative:
    """Return the return to an address in a register that an indirect jump is."""
    effects = tuple(Return(effect.target, ()) if isinstance(effect, IndirectJump) else effect for effect in jump.effects)
    return replace(jump, effects=effects, text=show_effects(effects), order=len(machine.recognizer.alternatives))
