"""Runs of one function on samples of inputs, by which `-verify` tells that a phase changes what the function does.

The function runs in the interpreter, in made-up surroundings: a `main` of the machine's instructions sets the registers that
it reads, calls it and stores its results; each function that it calls is one that folds its arguments into a variable and
returns a number, but for routines of the library that stand for operators, which compute what these do, and for functions of
which the unit's facts say that they change nothing, since their calls may go.  Variables are objects of their own.

C leaves much open, and phases may make use of it, so a sample counts only if the function as it is first seen returns within
`LIMIT` instructions, without a fault, does the same wherever its frame lies and whatever the frame holds at first, and
stores nothing behind the ends of its own locals.
Functions that call the system are not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vpo.algebra import wrap
from vpo.analysis.alias import NO_FACTS
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness
from vpo.analysis.memory_effects import UnitFacts
from vpo.base.errors import CannotExpress, LinkError
from vpo.base.kept import kept
from vpo.il import IntItem
from vpo.il.routine_names import operators_by_symbol
from vpo.interpret.plain import LimitError, NowhereError, PlainInterpreter
from vpo.interpret.plain_state import outgoing_bytes
from vpo.interpret.target_memory import Memory as TargetMemory
from vpo.link.link import link
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.machines.match.instantiation import Instance
from vpo.opt.driver import BASIC, Options, run_phases
from vpo.program import Program
from vpo.rtl import BITS, FLOAT_TYPES, Call, Const, Effect, Expr, Jump, Mem, Op, Register, Return, Rtl, Slot, Symbol
from vpo.rtl.function import Block, Data, FrameSlot, Function, Item, Unit
from vpo.rtl.symbols import symbols_in, symbols_of_function
from vpo.system.faults import MemoryFault

MAIN, EXIT = "_main", "_exit"  # what the machine's start calls; C names nothing else that is made up here
LIMIT = 1000  # instructions
AREA = 256  # bytes of each variable that have contents
ROOM = 4096  # bytes of each variable: whoever walks on from one comes to no other
OPERANDS = 2  # of an operator that a routine stands for
BETWEEN = 64  # bytes between locals when it is found out whether something is stored behind their ends
FRAME = 256  # bytes below the stack pointer of main that are filled before the function is called
Memory = dict[str, bytes]  # the contents of the variables that have changed, by name
Environment = Callable[[int], Expr]  # the value of the n-th register that a function reads
ENVIRONMENTS: tuple[Environment, ...] = (
    lambda n: Symbol("_.area", 8 * n + 8),
    lambda n: Const(n + 2) if n % 2 else Symbol("_.area", 8 * n + 8),
    lambda n: Const(9 - n),
)
SAMPLES: tuple[Environment, ...] = (
    lambda n: Symbol(f"_.area{n}", 8),
    lambda n: Const(n + 2) if n % 2 else Symbol(f"_.area{n}", 8),
    lambda n: Symbol(f"_.area{n}", 8) if n % 2 else Const(n + 2),
    lambda n: Const(1) if n else Symbol("_.area0", 8),
    lambda n: Const(9 - n),
    lambda n: Const(0),
    lambda n: Const(n - 3),
)
Registers = tuple[Register, ...]


@dataclass(frozen=True)
class Surroundings:
    """What a function runs in: the functions that call it and that it calls, and the variables that all of them name."""

    functions: tuple[Function, ...]
    variables: tuple[str, ...]
    sizes: int = AREA  # of variables


@dataclass(frozen=True)
class Start:
    """How the stack is when a function begins: so many bytes lower, and filled with words of one number."""

    shift: int = 0
    fill: int = 0


STARTS = (Start(0, 0), Start(64, 0x5A5A5A5B))  # no sample counts of which a function makes something else


def surroundings(
    function: Function, machine: Machine, environment: Environment, facts: UnitFacts = NO_FACTS, start: Start | None = None
) -> Surroundings:
    """Return what a function can be run in, where the registers that it reads have values of an environment."""
    called: dict[str, Registers] = {}
    for rtl in function.rtls():
        if rtl.call is not None and type(rtl.call.target) is Symbol:
            name, arguments = rtl.call.target.name, rtl.call.arguments
            called[name] = tuple(r for r in called.get(name, arguments) if r in arguments)
    read = registers_read(function, machine)
    environment = _as_held(environment, [function.arriving.get(r, ("", "")) for r in read if not r.pseudo])
    silent = {name for name, effects in facts.effects.items() if effects.removable}
    for known in (function.name, EXIT):  # a run ends where `exit` is called
        called.pop(known, None)
    callees = (_made(machine, _callee, name, arguments, name in silent) for name, arguments in called.items())
    others = (_endless(EXIT), *(() if start is None else (_made(machine, _filling, start),)), *callees)

    set_ = _registers_set(function)
    names = {symbol for each in (function, *others) for symbol in symbols_of_function(each)}
    names.update(symbol for _, value in _given(read, environment) for symbol in symbols_in(value))
    names.update(["_.results"] if set_ else ())
    variables = tuple(sorted(names - {function.name, *(each.name for each in others)}))
    mentioned = variables if start is not None else ()
    main = _main(function.name, machine, environment, read, set_, start, mentioned, function.leaving)
    return Surroundings((main, *others), variables, AREA if start is None else ROOM)


def _as_held(environment: Environment, held: Sequence[tuple[str, str]]) -> Environment:
    """Return an environment in which registers hold extended values; `held` says how, and of which type, or nothing."""

    def value(number: int) -> Expr:
        given, (op, type_) = environment(number), held[number] if number < len(held) else ("", "")
        if not op:
            return given
        low = (given.value if isinstance(given, Const) else 8 * number + 3) % (1 << BITS[type_])
        return Const(wrap(low, BITS[type_]) if op == "sx" else low)

    return value


class _Strays:
    """Watches whether a function stores into the stack where none of its slots is; `sizes` are those of the slots."""

    def __init__(self, function: Function) -> None:
        self.name = function.name
        self.sizes = {slot.name: slot.size for slot in function.slots.values()}
        self.run: PlainInterpreter | None = None

    def fetch(self, address: int, size: int) -> None:
        """Instructions are where they are."""

    def data(self, address: int, size: int, write: bool) -> None:
        """Raises MemoryFault for a store behind the end of a slot."""
        assert self.run is not None
        activation, machine = self.run.state.activations[-1], self.run.machine
        if not write or activation.function.name != self.name or machine.convention.grows_up:
            return
        pointer = self.run.state.read(machine.stack_pointer)
        if not pointer <= address < machine.layout.stack_top:
            return
        slots = activation.layout.slots.items()
        if any(0 <= address - pointer - start <= self.sizes[name] - size for name, start in slots):
            return
        if address >= pointer + outgoing_bytes(self.run.program, activation.function):
            raise MemoryFault(address, size, True, "stack")


def _spread(function: Function) -> Function:
    """Return a copy of a function with room behind each local."""
    copy = function.copy()
    for name, slot in copy.slots.items():
        if slot.kind == "local":
            copy.slots[name] = replace(slot, size=slot.size + BETWEEN)
    return copy


def outcome(function: Function, machine: Machine, around: Surroundings) -> Memory | None:
    """Return the variables that a call of the function changed, with contents; None if it faults or does not end soon."""
    return _run(function, machine, around, LIMIT)[0]


def _run(
    function: Function, machine: Machine, around: Surroundings, limit: int, strays: _Strays | None = None
) -> tuple[Memory | None, int]:
    """Return what a call of the function leaves, and at which address data begin."""
    items: list[Item] = [IntItem(at, 4, at // 4 + 1) for at in range(0, AREA, 4)]
    data = [Data(name, around.sizes, 8, items) for name in around.variables]
    program = link([Unit(machine.name, [function, *around.functions], data)], machine)
    program = replace(program, machine=_with_little_memory(machine))
    memory = _memory_behind(program, limit, strays)
    if memory is None:
        return None, program.data_start
    initially = _initially(machine, around.sizes)
    linked = [name for name in around.variables if name in program.symbols]
    contents = {name: memory.read(program.symbols[name], around.sizes) for name in linked}
    return {name: content for name, content in contents.items() if content != initially}, program.data_start


def _memory_behind(program: Program, limit: int, strays: _Strays | None) -> TargetMemory | None:
    """Return the memory when main has returned; None if it does not within so many instructions.

    They are interpreted by the definition: so few are not worth a translation.
    """
    run = PlainInterpreter(program, (), (0, 1, 2), (), limit, strays)
    if strays is not None:
        strays.run = run
    run.enter(program.functions[program.entry], None)
    try:
        while run.function.name != EXIT:
            run.advance()
    except (LimitError, NowhereError, MemoryFault, ZeroDivisionError):
        return None
    return run.state.memory


def _initially(machine: Machine, size: int) -> bytes:
    """Return what is in a variable of a size before the function is called."""
    order: Literal["big", "little"] = "big" if machine.big_endian else "little"
    return b"".join(item.to_bytes(4, order) for item in range(1, AREA // 4 + 1)).ljust(size, b"\0")


@kept
def _with_little_memory(machine: Machine) -> Machine:
    """Return the machine with a small stack and heap, which are quickly made."""
    layout = machine.layout
    return replace(machine, layout=replace(layout, stack_size=1 << 16, heap_limit=layout.text + (1 << 18)))


def registers_read(function: Function, machine: Machine) -> Registers:
    """Return the registers whose values at the entry a function may read."""
    liveness = compute_liveness(function, build_cfg(function), machine)
    live = liveness.numbering.members(liveness.live_in[0])
    usual = {register for registers in machine.allocable.values() for register in registers} - {machine.convention.link}
    return tuple(sorted((r for r in live if r.pseudo or r in usual), key=repr))


def _registers_set(function: Function) -> Registers:
    """Return the registers with results."""
    returns = [rtl.transfer for rtl in function.rtls() if isinstance(rtl.transfer, Return)]
    return tuple(r for r in returns[0].results if not r.pseudo) if returns else ()


def give(code: Legalizer, registers: Iterable[Register], environment: Environment) -> None:
    """Emit moves that give registers the values of an environment."""
    for register, value in _given(registers, environment):
        if isinstance(value, Mem):
            code.load(register, value)
        else:
            code.move(register, value)


def _given(registers: Iterable[Register], environment: Environment) -> Iterator[tuple[Register, Expr]]:
    """Yield registers with their values in an environment; floating ones come from a variable."""
    for number, register in enumerate(registers):
        floating = register.type in FLOAT_TYPES
        yield register, Mem(register.type, Symbol("_.area")) if floating else environment(number)


def code_of(function: Function, machine: Machine) -> Legalizer:
    """Return what emits RTLs for a function that is being made."""
    code = Legalizer(machine, function)
    code.line = 1
    return code


def _main(
    name: str, machine: Machine, environment: Environment, read: Registers, set_: Registers, start: Start | None,
    variables: tuple[str, ...], leaving: Mapping[Register, str],
) -> Function:  # fmt: skip
    """Return the function that gives values to registers, calls a function, and stores the registers that it sets.

    It mentions variables, so that all are there, at the same addresses, whatever phases leave of the function.
    """
    function = Function(MAIN, "", 1, False, "pseudo", [Block("L1")], labels=1)
    code = code_of(function, machine)
    hard = tuple(r for r in read if not r.pseudo)
    if start is not None:
        if start.shift:
            function.slots[".shift"] = FrameSlot(".shift", "local", start.shift, 8)
            named = Op("+", machine.address_type, machine.stack_pointer, Slot(".shift", 0))  # else it gets no room
            code.move(code.fresh(code.address), named)
        for variable in variables:
            code.move(code.fresh(code.address), Symbol(variable))
        code.append(_filled(code, machine.convention.call, Symbol("_.fill"), ()))
    give(code, hard, environment)
    code.append(_filled(code, machine.convention.call, Symbol(name), hard))
    for number, register in enumerate(set_):
        code.store(Mem(leaving.get(register, register.type), Symbol("_.results", 8 * number)), register)
    code.append(_filled(code, machine.convention.return_, None, ()))
    return _finished(function, code, machine)


@kept
def _known(machine: Machine) -> dict[tuple[object, ...], Function]:
    """Return the functions that were made for a machine, by what makes them and of what."""
    return {}


def _made(machine: Machine, make: Callable[..., Function], *of: object) -> Function:
    """Return what `make` makes for a machine, the same function each time."""
    known = _known(machine)
    if (make, *of) not in known:
        known[make, *of] = make(machine, *of)
    return known[make, *of]


def _filling(machine: Machine, start: Start) -> Function:
    """Return the function that fills its frame."""
    function = Function("_.fill", "", 1, False, "pseudo", [Block("L1")], labels=1)
    function.slots[".f"] = FrameSlot(".f", "local", FRAME, 8)
    code = code_of(function, machine)
    stack, size = machine.stack_pointer, BITS[code.word] // 8
    fill = code.atom(Const(start.fill))
    for offset in range(0, FRAME, size):
        code.store(Mem(code.word, Op("+", machine.address_type, stack, Slot(".f", offset))), fill)
    code.append(_filled(code, machine.convention.return_, None, ()))
    return _finished(function, code, machine)


def _callee(machine: Machine, name: str, arguments: Registers, silent: bool) -> Function:
    """Return a function that adds its arguments to a variable and returns a number, or what the routine of its name does.

    One that is `silent` only returns.
    """
    function = Function(name, "", 1, False, "pseudo", [Block("L1")], labels=1)
    code = code_of(function, machine)
    operator = operators_by_symbol(BITS[code.word] // 8).get(name)
    if operator is not None and len(arguments) == OPERANDS:  # else they are in memory
        (result,), (a, b) = machine.convention.results["integer"][:1], arguments
        code.move(result, code.operate(operator, code.reg(a, code.integer), code.reg(b, code.integer)))
        code.append(_filled(code, machine.convention.return_, None, (result,)))
        return _finished(function, code, machine)
    cell = Mem(code.word, Symbol("_.called"))
    total: Expr = Op("+", code.word, code.atom(cell), Const(1))
    for register in arguments:
        if register.type == code.word:
            total = Op("+", code.word, Op("*", code.word, code.atom(total), Const(3)), code.reg(register, code.integer))
    if not silent:
        code.store(cell, code.atom(total))
    results = tuple(dict.fromkeys(register for group in machine.convention.results.values() for register in group))
    give(code, results, lambda n: Const(7 + n))
    code.append(_filled(code, machine.convention.return_, None, results))
    return _finished(function, code, machine)


def _endless(name: str) -> Function:
    return Function(name, "", 1, False, "framed", [Block("L1", [Rtl((Jump("L1"),), (1,), "control")])], labels=1)


def _filled(code: Legalizer, pattern: tuple[Effect, ...], target: Expr | None, registers: Registers) -> tuple[Effect, ...]:
    """Return the convention's call or return with its target and its registers."""

    def fill(address: Expr | None) -> tuple[Effect, ...]:
        bindings = {} if address is None else {"f": address}
        instance = Instance(bindings, lambda cls, type_: code.fresh(cls, type_), code.machine.half)
        effects = [instance.effect(part) for part in pattern]
        return tuple(
            Call(e.target, registers) if isinstance(e, Call) else Return(e.target, registers) if isinstance(e, Return) else e
            for e in effects
        )

    effects = fill(target)
    return effects if target is None or code.machine.is_legal(effects) else fill(code.reg(target, code.address))


def _finished(function: Function, code: Legalizer, machine: Machine) -> Function:
    function.blocks[0].rtls = code.out
    run_phases(function, machine, Options(phases=BASIC))
    return function


# ------------------------------------------------------------------------------------------------ before and after phases


@dataclass(frozen=True)
class _Sample:
    """An environment that counts, what a function runs in there, and what a call leaves."""

    environment: Environment
    around: Surroundings
    expected: Memory
    data_start: int  # addresses may be among the values


class SampledRuns:
    """What a function did on samples of inputs before the first phase."""

    def __init__(self, function: Function, machine: Machine, facts: UnitFacts) -> None:
        self.machine = machine
        self.read = registers_read(function, machine)
        self.samples: list[_Sample] = []
        calls_system = any(rtl.system_call is not None for rtl in function.rtls())  # which must not be done
        alone = function.name not in (MAIN, EXIT) and not calls_system
        if function.stage == "pseudo" and alone and not any(register.pseudo for register in self.read):
            found = (self._sample(function, environment, facts) for environment in SAMPLES)
            self.samples += [sample for sample in found if sample is not None]

    def _sample(self, function: Function, environment: Environment, facts: UnitFacts) -> _Sample | None:
        """Return a sample if what the function does in an environment does not depend on how the stack is when it begins."""
        try:
            arounds = [surroundings(function, self.machine, environment, facts, start) for start in STARTS]
            first, place = _run(function.copy(), self.machine, arounds[0], LIMIT)
            second, _ = _run(_spread(function), self.machine, arounds[1], LIMIT, _Strays(function))
        except (CannotExpress, LinkError):
            return None
        return _Sample(environment, arounds[0], first, place) if first is not None and first == second else None

    def difference(self, function: Function) -> str:
        """Tell what a function does otherwise than at first; nothing if it does the same on all samples."""
        for sample in self.samples:
            try:
                found, place = _run(function.copy(), self.machine, sample.around, 4 * LIMIT)
            except LinkError:  # a routine that a phase calls
                continue
            if found != sample.expected and place == sample.data_start:
                values = ", ".join(f"{register!r}={sample.environment(n)!r}" for n, register in enumerate(self.read))
                told = _told(sample.expected, found, self.machine)
                return f"it changes what the function does: with {values or 'no arguments'} {told}"
        return ""


def _told(expected: Memory, found: Memory | None, machine: Machine) -> str:
    """Tell in what two contents of memory differ."""
    if found is None:
        return "it returned, and now it does not"
    name = next(name for name in sorted({*expected, *found}) if expected.get(name) != found.get(name))
    initially = _initially(machine, ROOM)
    before, after = expected.get(name, initially), found.get(name, initially)
    place = next(at for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b) & ~3
    where = "the result" if name == "_.results" else f"{name[1:]}+{place}"
    order: Literal["big", "little"] = "big" if machine.big_endian else "little"
    old, new = (int.from_bytes(content[place : place + 4], order) for content in (before, after))
    return f"it left 0x{old:x} in {where}, and now 0x{new:x}"
