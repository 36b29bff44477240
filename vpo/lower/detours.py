"""Operations that a machine does only with operands or results elsewhere: the ways there and back.

    r[1]=r[2]*r[3];     =>     lo[0]=r[2]*r[3]; r[1]=lo[0];
    f[1]=cvtD(r[2]);    =>     L[r[14]+.detour]=r[2]; f[1]=cvtD(L[r[14]+.detour]);
    r[1]=r[2]>>r[3];    =>     r[4]=neg(r[3]); r[1]=r[2]>>neg(r[4]);
    r[1]=r[2]<r[3];     =>     cc=r[2]?r[3]; r[1]=cc<0;
    r[1]=sxL(B[r[2]]);  =>     r[3]=zxL(B[r[2]]); r[1]=sxL(trB(r[3]));      also where loads set low bits alone
    r[1]=L[r[2]];       =>     p[3]=L[r[2]]; r[1]=p[3];

All ways are tried once for each shape of an effect, and the cheapest is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

from vpo.algebra import binary, branch, rebuild, unary
from vpo.base.errors import CannotExpress
from vpo.lower.code import Code, cost_of
from vpo.lower.plans import opposite
from vpo.rtl import BITS, RELATIONS, SHIFTS, SWAPPED, Branch, Const, Effect, Expr, Mem, Op, Register, Set, Slot, subexpressions

# where a value is: as the effect has it, in a cell of the frame, otherwise the name of a class, or of its only register
HERE, CELL, ONLY = "", ".", "[0]"
MOST_OPERANDS = 2
OTHER_EXTENSION = {"sx": "zx", "zx": "sx"}
Detour = Callable[[Code, Effect], None]  # emits an effect; raises CannotExpress


def emit(code: Code, effect: Effect) -> bool:
    """Emit an effect by its cheapest detour; return whether there is one."""
    way = cheapest(code, effect)
    if way is None:
        return False
    way(code, effect)
    return True


def cheapest(code: Code, effect: Effect) -> Detour | None:
    """Return the cheapest detour for effects of a shape, None if there is none."""
    found, key = code.plans.found, ("detour", _shape(effect))
    if key not in found:
        found[key] = None  # while it is sought: no detour leads over itself
        found[key] = _cheapest(code, effect)
    result: Detour | None = found[key]
    return result


def _cheapest(code: Code, effect: Effect) -> Detour | None:
    costs = [(cost_of(code, partial(_tried, way, effect)), way) for way in _ways(code, effect)]
    return min(((cost, way) for cost, way in costs if cost is not None), key=lambda pair: pair[0], default=(0, None))[1]


def _tried(way: Detour, effect: Effect, scratch: Code) -> None:
    way(scratch, effect)


def _shape(effect: Effect) -> Any:
    """Return what effects have in common that differ in pseudo-registers and labels only."""
    roots: tuple[Expr, ...] = ()
    match effect:
        case Branch(condition=condition):
            roots = (condition,)
        case Set(target=target, source=source):
            roots = (target, source)
    numbers: dict[Register, int] = {}

    def part(node: Expr) -> Any:
        match node:
            case Register(pseudo=True):
                return node.cls, numbers.setdefault(node, len(numbers))
            case Op():
                return node.op, node.type, *map(part, node.args)
            case Mem():
                return node.type, part(node.address)
        return node

    return type(effect), *map(part, roots)


def _ways(code: Code, effect: Effect) -> Iterator[Detour]:
    """Yield what may be detours for an effect."""
    match effect:
        case Branch(condition=Op(op=op, args=(a, b))) if op in RELATIONS and {type(a), type(b)} <= {Register, Const}:
            yield from _values(code, effect)
        case Set(target=Register(), source=Op(op=op, args=(Mem(),))) if op in OTHER_EXTENSION:
            yield from (_extended_again, _inserted)
        case Set(target=Mem(), source=Register() as value):
            yield from (partial(_through, place) for place in _places(code, value)[1:-1])
        case Set(target=Register() as target, source=Mem()):
            yield from (partial(_through, place) for place in _places(code, target)[1:-1])
        case Set(target=Register() as target, source=Op(op=op) as source) if (operands := _operands(source)) is not None:
            places = [_places(code, register) for register in (target, *operands)]
            yield from (partial(_elsewhere, *chosen) for chosen in _possible(code, effect, operands, places))
            if op in SHIFTS and isinstance(source.args[1], Register):
                distances = [place for place in _places(code, source.args[1]) if place != CELL]
                yield from (partial(_shifted, *chosen) for chosen in product((True, False), (False, True), distances))
            if op in RELATIONS:
                yield from (partial(_by_code, swaps) for swaps in (False, True))
                yield from _values(code, effect)


def _operands(source: Op) -> list[Register] | None:
    """Return the registers that an operation reads, None if it reads anything but these and constants."""
    nodes = list(subexpressions(source))
    registers = list(dict.fromkeys(node for node in nodes if isinstance(node, Register)))
    plain = all(isinstance(node, Op | Const | Register) for node in nodes) and len(registers) <= MOST_OPERANDS
    return registers if plain else None


def _places(code: Code, register: Register) -> list[str]:
    """Return where the value of a register may also be."""
    classes = code.machine.classes.values()
    others = [cls.name for cls in classes if cls.type == register.type and cls.name != register.cls and not cls.private]
    return [HERE, *filter(code.machine.has_allocable, others), *_single(code, others), CELL]


def _words(code: Code) -> list[str]:
    """Return all registers, as places, that hold a word."""
    classes = [cls.name for cls in code.machine.classes.values() if cls.type == code.word and not cls.private]
    return [*classes, *_single(code, classes)]


def _single(code: Code, names: Iterable[str]) -> list[str]:
    """Return, as places, the registers that are alone in their classes, in which no values of C are."""
    machine = code.machine
    kept = {machine.stack_pointer, machine.convention.link, *machine.zero}
    classes = [machine.classes[name] for name in names if name not in machine.values.classes().values()]
    return [f"{cls.name}{ONLY}" for cls in classes if cls.count == 1 and Register(cls.name, 0, cls.type) not in kept]


def _register(code: Code, cls: str) -> Register:
    """Return a new register of a class, or the one that is alone in its class."""
    name = cls.removesuffix(ONLY)
    return Register(name, 0, code.machine.classes[name].type) if name != cls else code.fresh(cls)


def _demand(code: Code, effect: Effect) -> None:
    if not code.machine.is_legal((effect,)):
        raise CannotExpress("`{}`", code.line, effect)


# ------------------------------------------------------------------------------------------------------- elsewhere


Move = tuple[Set, dict[Register, Expr], Expr]  # the operation, where it has each operand, and the address of cells among these


def _possible(code: Code, effect: Effect, operands: list[Register], places: list[list[str]]) -> Iterator[Any]:
    """Yield the arguments of `_elsewhere` with which the operation itself is an instruction: few of many."""
    assert isinstance(effect, Set)
    if not code.machine.may_compute(effect.source):
        return
    trial = code.scratch()
    first = trial.function.pseudos
    result, *others = places
    in_copy = product((True,), product(result[:1], *others)) if operands else ()  # the result is where the copy is
    for in_place, chosen in chain(in_copy, product((False,), product(*places))):
        trial.function.pseudos = first  # the same registers each time: the machine remembers what it was asked
        if _moved(trial, effect, operands, in_place, chosen) is not None:
            yield in_place, chosen


def _moved(code: Code, effect: Set, operands: list[Register], in_place: bool, places: tuple[str, ...]) -> Move | None:
    """Return an operation with its result and operands in certain places, None if that is no instruction."""
    assert isinstance(effect.target, Register)
    address = _frame(code) if CELL in places else Const(0)
    for where in (address, code.fresh(code.address)) if CELL in places else (address,):
        values = [
            _placed(code, register, place, where, copies=in_place and number == 1)
            for number, (register, place) in enumerate(zip((effect.target, *operands), places, strict=True))
        ]
        replaced = dict(zip(operands, values[1:], strict=True))
        if len(set(replaced.values())) < len(replaced):  # one place does not hold two values
            continue
        result = values[min(1, len(operands))] if in_place else values[0]
        main = Set(result, rebuild(effect.source, replaced.get))  # type: ignore[arg-type]
        if code.machine.is_legal((main,)):
            return main, replaced, where
    return None


def _elsewhere(in_place: bool, places: tuple[str, ...], code: Code, effect: Effect) -> None:
    """Operate with the result and the operands in certain places; `in_place` in a copy of the first operand."""
    assert isinstance(effect, Set)
    assert isinstance(effect.target, Register)
    assert isinstance(effect.source, Op)
    moved = _moved(code, effect, _operands(effect.source) or [], in_place, places)
    if moved is None:
        raise CannotExpress("`{}`", code.line, effect)
    main, replaced, where = moved
    if isinstance(where, Register):
        code.emit(Set(where, _frame(code)))
    for operand, value in reversed(replaced.items()):  # the copy that is changed last, so that it lives shortly
        _bring(code, value, operand)
    code.append((main,))
    _bring(code, effect.target, main.target)


def _placed(code: Code, register: Register, place: str, where: Expr, copies: bool) -> Expr:
    """Return what stands for a register in a place."""
    if place == CELL:
        return Mem(register.type, where)
    if place == HERE:
        return code.fresh(register.cls) if copies else register
    return _register(code, place)


def _bring(code: Code, target: Expr, source: Expr) -> None:
    """Emit target=source for registers and cells of the frame."""
    if target is source:
        return
    if isinstance(target, Mem):
        code.store(target, source)
    elif isinstance(source, Mem):
        code.load(target, source)  # type: ignore[arg-type]
    else:
        code.move(target, source)  # type: ignore[arg-type]


def _frame(code: Code) -> Expr:
    """Return the address of the cell of the frame in which an operand or a result is."""
    return Op("+", code.machine.address_type, code.machine.stack_pointer, Slot(code.frame_cell(".detour")))


def _shifted(in_place: bool, negates: bool, place: str, code: Code, effect: Effect) -> None:
    """Shift by an instruction that does so by the negative of a register, or by all bits but one less what it says."""
    assert isinstance(effect, Set)
    assert isinstance(effect.target, Register)
    assert isinstance(effect.source, Op)
    shift, (shifted, distance) = effect.source, effect.source.args
    other = code.fresh(code.integer) if place == HERE else _register(code, place)
    value = code.fresh(effect.target.cls) if in_place else shifted

    def less(node: Expr) -> Expr:
        return unary("neg", code.word, node) if negates else binary("-", Const(BITS[code.word] - 1), node)

    main = Set(code.reg(value) if in_place else effect.target, binary(shift.op, value, less(other)))
    _demand(code, main)
    code.move(other, code.atom(less(distance)))
    _bring(code, value, shifted)
    code.append((main,))
    _bring(code, effect.target, main.target)


# ------------------------------------------------------------------------------------------------------ truth values

_SENSES = tuple(product((False, True), (False, True)))  # whether operands are exchanged, and whether the outcome is reversed


def _sense(swaps: bool, reverses: bool, condition: Expr) -> tuple[Op, str]:
    """Return a relation, perhaps with its operands exchanged or reversed, and how its value is tested."""
    assert isinstance(condition, Op)
    op, (a, b) = condition.op, condition.args
    if reverses:
        op = opposite(op, a, b)
    if swaps:
        op, a, b = SWAPPED[op], b, a
    node = binary(op, a, b)
    return node if isinstance(node, Op) else condition, "==" if reverses else "!="


def _values(code: Code, effect: Set | Branch) -> Iterator[Detour]:
    """Yield the ways by the value of a relation that an instruction computes: few of many."""
    relations = [(sense, _sense(*sense, _relation(effect))[0]) for sense in _SENSES]
    for place in _words(code):
        value = _register(code.scratch(), place)
        for sense, relation in relations:
            if code.machine.is_legal((Set(value, relation),)):
                yield partial(_by_value, place, *sense)


def _relation(effect: Set | Branch) -> Expr:
    return effect.condition if isinstance(effect, Branch) else effect.source


def _by_value(cls: str, swaps: bool, reverses: bool, code: Code, effect: Effect) -> None:
    """Branch on the value of a relation in a register of some class, or set a register to the outcome of a test of it."""
    assert isinstance(effect, Set | Branch)
    branches = isinstance(effect, Branch)
    relation, test = _sense(swaps, reverses, _relation(effect))
    value = _register(code, cls)
    outcome = binary(test, value, Const(0))
    last = branch(outcome, effect.label) if isinstance(effect, Branch) else Set(effect.target, outcome)
    for step in (Set(value, relation), last):
        if isinstance(step, Set) or relation.args[0].type not in ("F", "D"):  # of integers the rules know more
            _demand(code, step)
        # where only conditions are, one is control, as a comparison is; a truth value is the program's
        with code.because("control" if branches and (step is last or value.cls != code.integer) else code.cause):
            code.emit(step)


def _by_code(swaps: bool, code: Code, effect: Effect) -> None:
    """Set a register to the outcome of a comparison by way of a condition code."""
    assert isinstance(effect, Set)
    relation, _ = _sense(swaps, False, effect.source)
    a, b = relation.args
    for condition in code.plans.codes_for(a, b):
        steps = Set(condition, binary("?", a, b)), Set(effect.target, binary(relation.op, condition, Const(0)))
        if all(code.machine.is_legal((step,)) for step in steps):
            for step in steps:
                code.append((step,))
            return
    raise CannotExpress("`{}`", code.line, effect)


# ------------------------------------------------------------------------------------------------------------- cells


def _through(cls: str, code: Code, effect: Effect) -> None:
    """Store a value from a register of some class, or load it into one."""
    assert isinstance(effect, Set)
    other, loads = _register(code, cls), isinstance(effect.source, Mem)
    main = Set(other, effect.source) if loads else Set(effect.target, other)
    _demand(code, main)
    if not loads:
        code.move(other, effect.source)
    code.append((main,))
    if loads:
        _bring(code, effect.target, other)


def _extended_again(code: Code, effect: Effect) -> None:
    """Load a narrow cell with the extension that the machine has, and extend what was loaded as wanted."""
    assert isinstance(effect, Set)
    assert isinstance(effect.target, Register)
    assert isinstance(effect.source, Op)
    source, cell = effect.source, effect.source.args[0]
    loaded = code.fresh(effect.target.cls)
    first = Set(loaded, unary(OTHER_EXTENSION[source.op], source.type, cell))
    _demand(code, first)
    code.append((first,))
    code.emit(Set(effect.target, unary(source.op, source.type, unary("tr", cell.type, loaded))))


def _inserted(code: Code, effect: Effect) -> None:
    """Load a narrow cell into the low bits of a register, and extend what was loaded as wanted."""
    assert isinstance(effect, Set)
    assert isinstance(effect.target, Register)
    assert isinstance(effect.source, Op)
    source, cell = effect.source, effect.source.args[0]
    loaded, type_ = code.fresh(effect.target.cls), effect.target.type
    others = binary("&", loaded, Const(-1 << BITS[cell.type]))
    insertion = Set(loaded, binary("|", others, unary("zx", type_, cell)))
    _demand(code, insertion)
    if source.op == "zx":
        code.move(loaded, Const(0))
    code.append((insertion,))
    if source.op == "zx":
        code.move(effect.target, loaded)
    else:
        code.emit(Set(effect.target, unary("sx", type_, unary("tr", cell.type, loaded))))
