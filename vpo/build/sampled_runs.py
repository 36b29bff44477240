"""Runs of one function on samples of inputs, by which `-verify` tells that a phase changes what the function does.

The function runs in the interpreter, in made-up surroundings: a `main` of the machine's instructions calls it and stores its
results; when it begins, its arguments and the variables get the values of one of the inputs (`sample_inputs.py`).  Each one
that it calls is one that folds its arguments into a variable and returns numbers, or addresses where these are wanted, but for
routines of the library that stand for operators, which compute what these do, and for functions of which the unit's facts say
that they change nothing, since their calls may go.  Variables are objects of their own, or lie in their groups
(`neighbours.py`); then a sample counts only if the function does the same where they do not.

A call must also keep the registers of which the convention says so; in the others a function finds something else behind
each call that it makes, as it would with a callee that uses them.

C leaves much open, and phases may make use of it, so a sample counts only if the function as it is first seen returns within
`LIMIT` instructions (within `LONG`, if that is too few for all inputs), without a fault, does the same wherever its frame and
its code lie and whatever the frame holds at first, stores nothing behind the ends of its own locals, and refers to variables
only near their beginnings.  Of inputs with which this is so those are taken by which branches go a way, or compare numbers in
an order, that is new.
Functions that call the system are not run.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vpo.algebra.values import to_bytes
from vpo.analysis.alias import NO_FACTS
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness
from vpo.analysis.memory_effects import UnitFacts
from vpo.base.errors import CannotExpress, LinkError
from vpo.base.kept import kept
from vpo.build.sample_inputs import FUNCTION, Cell, Inputs, Uses, Value, inputs_for, stack_words
from vpo.il.routine_names import operators_by_symbol
from vpo.interpret.plain import LimitError, NowhereError, PlainInterpreter
from vpo.interpret.plain_state import INTERPRETER_FRAMES, outgoing_bytes
from vpo.link.link import link
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.machines.match.instantiation import Instance
from vpo.opt.driver import BASIC, Options, run_phases
from vpo.rtl import BITS, FLOAT_TYPES, Branch, Call, Const, Effect, Expr, Jump, Mem, Op, Register, Return, Rtl, Slot, Symbol
from vpo.rtl.function import Block, Data, FrameSlot, Function, Item, PartItem, Unit
from vpo.rtl.symbols import symbols_of_function
from vpo.system.faults import MemoryFault

MAIN, EXIT = "_main", "_exit"  # what the machine's start calls; C names nothing else that is made up here
KEPT = "_.kept"  # in what a call changed: registers that it had to keep, and did not
RESULTS, RETURNED = "_.results", "_.returned"  # variables: where main stores results, what functions return addresses of
CALLED = "_.called"  # into which functions that are called fold their arguments
TESTED = "_.tested"  # in place of `_main`, if that is tested
LIMIT = 1000  # instructions of a run
LONG = 30 * LIMIT  # of the only one, if all others take longer than that
BUDGET = 30000  # instructions of all runs by which samples are chosen
LEAST, MOST = 3, 12  # samples
ROOM = 4096  # bytes of each variable: whoever walks on from one comes to no other
ALIGNED = 8  # bytes
REACH = 512  # bytes of each variable that samples may refer to
SIGNS = ("B", "W", "L", "Q")  # types of numbers whose signs are noted
OPERANDS = 2  # of an operator that a routine stands for
BETWEEN = 64  # bytes between locals when it is found out whether something is stored behind their ends
Memory = dict[str, bytes]  # the contents of the variables that have changed, by name
Registers = tuple[Register, ...]


@dataclass(frozen=True)
class Surroundings:
    """What a function runs in: the functions that call it and that it calls, all variables, and what its arguments are in.

    `parts` are variables that lie in groups: the group, the distance from its begin, and the bytes of the variable.  All
    `groups` are there, even if nothing lies in them.
    """

    functions: tuple[Function, ...]
    variables: tuple[str, ...]
    cells: tuple[Cell, ...]
    parts: Mapping[str, tuple[str, int, int]]
    groups: tuple[str, ...]

    def room(self, name: str) -> int:
        """Return how many bytes a variable has."""
        return min(self.parts[name][2], ROOM) if name in self.parts else ROOM

    def within(self, found: Memory) -> Memory:
        """Return the contents of variables, no more of each than it has room for."""
        return {name: content[: self.room(name)] for name, content in found.items()}

    def data(self) -> list[Data]:
        """Return the variables, and the groups in which some of them lie."""
        inside: dict[str, list[Item]] = {group: [] for group in self.groups}
        for name, (group, distance, _) in sorted(self.parts.items(), key=lambda part: part[1][1]):
            inside[group].append(PartItem(distance, name))
        ends = {group: max((item.offset for item in items), default=0) for group, items in inside.items()}
        grouped = [Data(group, ends[group] + ROOM, ALIGNED, items) for group, items in inside.items()]
        return [*(Data(name, self.room(name), 1 if name in self.parts else ALIGNED, []) for name in self.variables), *grouped]


@dataclass(frozen=True)
class Start:
    """How the stack is when a function begins: so many bytes lower, and filled with words of one number."""

    shift: int = 0
    fill: int = 0


STARTS = (Start(0, 0), Start(64, 0x5A5A5A5B))  # no sample counts of which a function makes something else


def arguments_of(function: Function, machine: Machine) -> tuple[Cell, ...]:
    """Return what the arguments of a function are in."""
    return (*(r for r in registers_read(function, machine) if not r.pseudo), *stack_words(function, machine))


def surroundings(
    function: Function, machine: Machine, named: Iterable[str], facts: UnitFacts = NO_FACTS,
    called_for: Mapping[tuple[str, Register], str] | None = None,
) -> Surroundings:  # fmt: skip
    """Return what a function can be run in, where inputs name variables.

    `called_for` tells of results of functions whether they are used as pointers.
    """
    called: dict[str, tuple[Registers, tuple[int, ...]]] = {}
    for name, registers, words in _calls(function, machine):
        before = called.get(name, (registers, words))
        called[name] = tuple(r for r in before[0] if r in registers), tuple(w for w in before[1] if w in words)
    silent = {name for name, effects in facts.effects.items() if effects.removable}
    for known in (function.name, EXIT):  # a run ends where `exit` is called
        called.pop(known, None)
    pointers = [place for place, kind in (called_for or {}).items() if kind == "pointer"]
    callees = [
        _made(machine, _callee, name, *of, tuple(r for of, r in pointers if of == name), name in silent)
        for name, of in called.items()
    ]
    others = (*callees, _endless(EXIT))

    set_ = _registers_set(function)
    names = {symbol for each in (function, *others) for symbol in symbols_of_function(each)}
    names.update(named, [RESULTS] if set_ else ())
    variables = tuple(sorted(names - {"", FUNCTION, function.name, *(each.name for each in others)}))
    places = {name: facts.places[name] for name in variables if name in facts.places}
    parts = {name: (group, distance, facts.sizes.get(name, ROOM)) for name, (group, distance) in places.items()}
    groups = tuple(sorted({group for group, _ in places.values()}))
    main = _main(function, machine, set_, (*variables, *groups, *((FUNCTION,) if FUNCTION in called else ())))
    return Surroundings((main, *others), variables, arguments_of(function, machine), parts, groups)


def _calls(function: Function, machine: Machine) -> Iterable[tuple[str, Registers, tuple[int, ...]]]:
    """Yield the calls of a function: of what, with what in registers, and in which words on the stack."""
    convention, word = machine.convention, machine.address_type
    stored: list[int] = []
    for rtl in function.rtls():
        for cell in rtl.stores:
            match cell.address:
                case Op(op="+", args=(base, Const(value=offset))) if base is machine.stack_pointer:
                    stored += [offset] * (cell.type == word)
                case base if base is machine.stack_pointer:
                    stored += [0] * (cell.type == word)
        if rtl.call is not None:
            name = rtl.call.target.name if isinstance(rtl.call.target, Symbol) else FUNCTION
            distances = (convention.distance(offset, BITS[word] // 8) for offset in stored)
            yield name, rtl.call.arguments, tuple(sorted({d for d in distances if d >= convention.first_argument}))
            stored.clear()


class _Watch:
    """Watches what a function refers to: nothing may be stored into the stack where none of its slots is.

    Nor may it refer to what is far behind the beginning of a variable.
    """

    def __init__(self, function: Function) -> None:
        self.name = function.name
        self.sizes = {slot.name: slot.size for slot in function.slots.values()}
        self.trial: Trial | None = None

    def fetch(self, address: int, size: int) -> None:
        """Instructions are where they are."""

    def data(self, address: int, size: int, write: bool) -> None:
        """Raises MemoryFault for a store behind the end of a slot, and for a reference far from a variable."""
        assert self.trial is not None
        run = self.trial.run
        activation, machine = run.state.activations[-1], run.machine
        if activation.function.name != self.name:
            return
        if self.trial.is_wild(address, size):
            raise MemoryFault(address, size, write, "wild")
        if not write or machine.convention.grows_up:
            return
        pointer = run.state.read(machine.stack_pointer)
        if not pointer <= address < machine.layout.stack_top:
            return
        slots = activation.layout.slots.items()
        if any(0 <= address - pointer - start <= self.sizes[name] - size for name, start in slots):
            return
        if address >= pointer + outgoing_bytes(run.program, activation.function):
            raise MemoryFault(address, size, True, "stack")


def _spread(function: Function) -> Function:
    """Return a copy of a function with room behind each local."""
    copy = function.copy()
    for name, slot in copy.slots.items():
        if slot.kind == "local":
            copy.slots[name] = replace(slot, size=slot.size + BETWEEN)
    return copy


class Trial:
    """A function in its surroundings, linked, to be run with inputs.

    Its code lies behind that of others, whose addresses it may store: these are the same whatever its size is.  If it is
    watched, it lies elsewhere, but the others do not.
    Raises LinkError.
    """

    def __init__(self, function: Function, machine: Machine, around: Surroundings, watch: _Watch | None = None) -> None:
        self.around, self.name = around, function.name
        *others, last = around.functions
        functions = [*others, last, function] if watch is None else [*others, function, last]
        program = link([Unit(machine.name, functions, around.data())], machine)
        self.program = replace(program, machine=_with_little_memory(machine))
        self.places = {name: program.symbols[name] for name in around.variables if name in program.symbols}
        self.by_place = sorted((place, around.room(name)) for name, place in self.places.items())
        self.first = min(self.places.values(), default=0)
        self.order: Literal["big", "little"] = "big" if machine.big_endian else "little"
        self.run = PlainInterpreter(self.program, (), (0, 1, 2), (), None, watch)
        self.registers = dict(self.run.state.registers)
        self.kept, self.lost = _over_calls(machine)
        self.is_long = False  # a call took more instructions than it might
        if watch is not None:
            watch.trial = self

    def call(self, inputs: Inputs, start: Start, limit: int = LIMIT, seen: set[object] | None = None) -> Memory | None:
        """Return the variables that a call changed, with contents; None if it faults or does not end soon.

        Registers that the call had to keep count as a variable if it changed some.  Those that calls may change hold other
        values after each call that the function makes.
        `seen` gets which ways branches go.  The run is by the definition: so few instructions are not worth a translation.
        """
        run, state = self.run, self.run.state
        state.registers, state.activations, run.resident, run.executed = dict(self.registers), [], 0, 0
        run.limit = limit
        contents = self.contents(inputs)
        for name, content in contents.items():
            state.memory.write(self.places[name], content)
        try:
            self._push(start.shift)
            run.enter(self.program.functions[self.program.entry], None)
            while run.function.name != self.name:
                run.advance()
            self._give(inputs, start.fill)
            before, kept = [state.read(register) for register in self.kept], b""
            while run.function.name != EXIT:
                name = run.function.name
                if seen is not None and name == self.name:
                    self._advance(seen)
                else:
                    run.advance()
                if run.function.name != name:
                    if name == self.name and run.function.name == MAIN:
                        kept = bytes(state.read(r) != value for r, value in zip(self.kept, before, strict=True))
                    elif run.function.name == self.name:
                        self._lose(name)
        except LimitError:
            self.is_long = True
            return None
        except (NowhereError, MemoryFault, ZeroDivisionError):
            return None
        found = {name: state.memory.read(place, self.around.room(name)) for name, place in self.places.items()}
        changed = {name: content for name, content in found.items() if content != contents[name]}
        return {**changed, KEPT: kept} if any(kept) else changed

    def _lose(self, called: str) -> None:
        """Give registers that calls may change other values, behind a call that has returned."""
        if called != MAIN:
            for number, register in enumerate(self.lost):
                self.run.state.write(register, -1.5 - number if register.type in FLOAT_TYPES else 0x5BAD + number)

    def is_wild(self, address: int, size: int) -> bool:
        """Whether a reference is to bytes between variables, or far from the begin of one."""
        number = bisect_right(self.by_place, (address, ROOM))
        if not number:
            return False
        place, room = self.by_place[number - 1]
        last = number == len(self.by_place)
        return address + size > place + min(room, REACH) and not (last and address >= place + ROOM)

    def contents(self, inputs: Inputs) -> Memory:
        """Return what is in all variables before a call with inputs."""
        found = {name: inputs.contents(self.order, number) for number, name in enumerate(self.places)}
        size = BITS[self.run.word] // 8
        for name, at, pointer in inputs.pointers:
            if name in found and at + size <= self.around.room(name):
                found[name][at : at + size] = self._number(pointer).to_bytes(size, self.order)
        rooms = ((name, content, self.around.room(name)) for name, content in found.items())
        return {name: bytes(content[:room].ljust(room, b"\0")) for name, content, room in rooms}

    def _number(self, value: Symbol) -> int:
        """Return the address of something; without a name it is none."""
        return self.program.symbols[value.name] + value.offset if value.name else value.offset

    def _push(self, size: int) -> None:
        state, pointer = self.run.state, self.run.machine.stack_pointer
        up = self.run.machine.convention.grows_up
        state.write(pointer, state.read(pointer) + (size if up else -size))

    def _give(self, inputs: Inputs, fill: int) -> None:
        """Give the function that has just been called its arguments, and fill what will be its frame."""
        state, machine = self.run.state, self.run.machine
        activation, layout, up = state.activations[-1], machine.layout, machine.convention.grows_up
        entry = state.read(machine.stack_pointer)
        if activation.function.stage in INTERPRETER_FRAMES:
            entry += -activation.layout.frame if up else activation.layout.frame
        room = abs(machine.convention.pushed)  # which may have a return address on either side of the stack pointer
        low, high = (entry + room, layout.stack_top) if up else (layout.stack_low, entry - room)
        state.memory.write(low, (fill.to_bytes(4, self.order) * ((high - low) // 4 + 1))[: high - low])
        for cell, value in zip(self.around.cells, inputs.values, strict=True):
            held = self._value(value, cell.type)
            if isinstance(cell, Register):
                state.write(cell, held)
            else:
                state.memory.write(entry + cell.place, to_bytes(held, cell.type, machine.big_endian))

    def _value(self, value: Value, type_: str) -> int | float:
        """Return a value as one of a type."""
        number = self._number(value) if isinstance(value, Symbol) else value
        return float(number) if type_ in FLOAT_TYPES else int(number) % (1 << BITS[type_])

    def _advance(self, seen: set[object]) -> None:
        """Execute an RTL of the function; note in which order a branch has what it compares, and the signs of results."""
        run, place = self.run, (self.run.block, self.run.index)
        rtls = run.function.blocks[run.block].rtls
        rtl = rtls[run.index] if run.index < len(rtls) else None
        if rtl is not None and isinstance(rtl.transfer, Branch):
            left, right = rtl.transfer.condition.args
            type_ = left.type or right.type or run.word
            first = run.evaluate(left, type_)
            a, b = first if isinstance(first, tuple) else (first, run.evaluate(right, type_))
            seen.add((place, run.holds(rtl.transfer.condition), a == b, a < b))
        depth = len(run.state.activations)
        run.advance()
        target = rtl.single_set.target if rtl is not None and rtl.single_set is not None else None
        if isinstance(target, Register) and target.type in SIGNS and depth == len(run.state.activations):
            value = run.state.read(target)
            seen.add((place, value == 0, value >> BITS[target.type] - 1))


@kept
def _over_calls(machine: Machine) -> tuple[Registers, Registers]:
    """Return the registers that a call keeps, and those that it may change and that hold no results."""
    convention = machine.convention

    results = {part for group in convention.results.values() for register in group for part in machine.storage(register)}
    own = (r for r in sorted(convention.scratch, key=repr) if r.type in BITS and not machine.is_private(r))
    lost = tuple(r for r in own if results.isdisjoint(machine.storage(r)))
    return tuple(r for r in convention.saved if not machine.is_private(r)), lost


@kept
def _with_little_memory(machine: Machine) -> Machine:
    """Return the machine with a small stack and heap, which are quickly made."""
    layout = machine.layout
    return replace(machine, layout=replace(layout, stack_size=1 << 16, heap_limit=layout.text + (1 << 20)))


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


def give(code: Legalizer, registers: Iterable[Register], value: Callable[[int], Expr]) -> None:
    """Emit moves that give registers values, by their numbers; floating ones come from a variable."""
    for number, register in enumerate(registers):
        if register.type in FLOAT_TYPES:
            code.load(register, Mem(register.type, Symbol("_.area")))
        else:
            code.move(register, value(number))


def code_of(function: Function, machine: Machine) -> Legalizer:
    """Return what emits RTLs for a function that is being made."""
    code = Legalizer(machine, function)
    code.line = 1
    return code


def _main(tested: Function, machine: Machine, set_: Registers, names: tuple[str, ...]) -> Function:
    """Return the function that calls one that is tested, and stores the registers that it sets.

    It mentions names, so that all are there, the variables at the same addresses, whatever phases leave of the function.
    """
    function = Function(MAIN, "", 1, False, "pseudo", [Block("L1")], labels=1)
    code = code_of(function, machine)
    for name in names:
        code.move(code.fresh(code.address), Symbol(name))
    code.append(_filled(code, machine.convention.call, Symbol(tested.name), ()))
    for number, register in enumerate(set_):
        code.store(Mem(tested.leaving.get(register, register.type), Symbol(RESULTS, 8 * number)), register)
    code.append(_filled(code, machine.convention.return_, None, ()))
    incoming = [slot for slot in tested.slots.values() if slot.kind == "incoming"]
    ends = ((slot.offset or 0) + slot.size - machine.convention.pushed for slot in incoming)
    function.outgoing = max(ends, default=0)
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


def _callee(
    machine: Machine, name: str, arguments: Registers, words: tuple[int, ...], pointers: Registers, silent: bool
) -> Function:
    """Return a function that adds its arguments to a variable and returns a number, or what the routine of its name does.

    One that is `silent` only returns.  Arguments are in registers and, at distances from the caller's stack pointer, `words`;
    `pointers` are registers in which it returns addresses.
    """
    function = Function(name, "", 1, False, "pseudo", [Block("L1")], labels=1)
    code = code_of(function, machine)
    operator = operators_by_symbol(BITS[code.word] // 8).get(name)
    if operator is not None and len(arguments) == OPERANDS:  # else they are in memory
        (result,), (a, b) = machine.convention.results["integer"][:1], arguments
        code.move(result, code.operate(operator, code.reg(a, code.integer), code.reg(b, code.integer)))
        code.append(_filled(code, machine.convention.return_, None, (result,)))
        return _finished(function, code, machine)
    cell = Mem(code.word, Symbol(CALLED))
    total: Expr = Op("+", code.word, code.atom(cell), Const(1))
    values: list[Expr] = [code.reg(register, code.integer) for register in arguments if register.type == code.word]
    for distance in words:
        slot = FrameSlot(f".in.{distance}", "incoming", BITS[code.word] // 8, 1, distance + machine.convention.pushed)
        function.slots[slot.name] = slot
        values.append(Mem(code.word, Op("+", machine.address_type, machine.stack_pointer, Slot(slot.name, 0))))
    for value in values:
        total = Op("+", code.word, Op("*", code.word, code.atom(total), Const(3)), code.atom(value))
    if not silent:
        code.store(cell, code.atom(total))
    results = tuple(dict.fromkeys(register for group in machine.convention.results.values() for register in group))
    give(code, results, lambda n: Symbol(RETURNED, 8) if results[n] in pointers else Const(7 + n))
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
    """Inputs that count, what a call with them leaves, and the instructions that one may take."""

    inputs: Inputs
    expected: Memory
    limit: int


class SampledRuns:
    """What a function did on samples of inputs before the first phase."""

    def __init__(self, function: Function, machine: Machine, facts: UnitFacts) -> None:
        self.machine = machine
        self.samples: list[_Sample] = []
        function = _renamed(function)
        calls_system = any(rtl.system_call is not None for rtl in function.rtls())  # which must not be done
        alone = function.name != EXIT and not calls_system
        if function.stage == "pseudo" and alone and not any(r.pseudo for r in registers_read(function, machine)):
            try:
                self._choose(function, facts)
            except (CannotExpress, LinkError):
                self.samples = []

    def _choose(self, function: Function, facts: UnitFacts) -> None:
        """Choose samples: what the function does with them must not depend on how the stack is when it begins."""
        machine, cells = self.machine, arguments_of(function, self.machine)
        uses = Uses(function, cells, machine.stack_pointer, BITS[machine.address_type] // 8)
        candidates = list(inputs_for(uses))
        named = {name for inputs in candidates for name in inputs.variables()}
        self.around = surroundings(function, machine, named, facts, uses.called)
        first = Trial(function.copy(), machine, self.around)
        second = Trial(_spread(function), machine, self.around, _Watch(function))
        apart = Trial(function.copy(), machine, replace(self.around, parts={})) if self.around.parts else None
        self.first = first.first  # addresses may be among the values
        if not self._take(candidates, first, second, apart, LIMIT) and first.is_long:
            self._take(candidates[:1], first, second, apart, LONG)

    def _take(self, candidates: Sequence[Inputs], first: Trial, second: Trial, apart: Trial | None, limit: int) -> bool:
        """Take those inputs as samples with which a function returns within a limit and which show something new."""
        known: set[object] = set()
        budget = BUDGET
        for inputs in candidates:
            seen: set[object] = set()
            expected = first.call(inputs, STARTS[0], limit, seen)
            budget -= first.run.executed
            news = not seen <= known or len(self.samples) < LEAST
            same = news and second.call(inputs, STARTS[1], limit) == expected
            if same and apart is not None:  # else it goes from one variable of a group to another one
                found = apart.call(inputs, STARTS[0], limit)  # where functions may be given other addresses
                same = found is not None and {**self.around.within(found), CALLED: b""} == {**(expected or {}), CALLED: b""}
            if expected is not None and same:
                self.samples.append(_Sample(inputs, expected, 4 * limit))
                known |= seen
            if budget < 0 or len(self.samples) == MOST:
                break
        return bool(self.samples)

    def difference(self, function: Function) -> str:
        """Tell what a function does otherwise than at first; nothing if it does the same on all samples."""
        if not self.samples:
            return ""
        try:
            trial = Trial(_renamed(function.copy()), self.machine, self.around)
        except LinkError:  # a routine that a phase calls
            return ""
        for sample in self.samples if trial.first == self.first else ():
            found = trial.call(sample.inputs, STARTS[0], sample.limit)
            if found != sample.expected:
                values = zip(self.around.cells, sample.inputs.values, strict=True)
                given = ", ".join(f"{_named(cell)}={value!r}" for cell, value in values)
                told = self._told(sample.expected, found, trial.contents(sample.inputs), trial.kept)
                return f"it changes what the function does: with {given or 'no arguments'} {told}"
        return ""

    def _told(self, expected: Memory, found: Memory | None, initially: Memory, kept_: Registers) -> str:
        """Tell in what two contents of memory differ."""
        if found is None:
            return "it returned, and now it does not"
        if KEPT in expected.keys() ^ found.keys():
            changed = [register for register, lost in zip(kept_, found.get(KEPT, b""), strict=False) if lost]
            return f"it kept {', '.join(map(repr, changed))}, and now it does not" if changed else "it changed registers"
        name = next(name for name in sorted({*expected, *found}) if expected.get(name) != found.get(name))
        before, after = expected.get(name, initially[name]), found.get(name, initially[name])
        place = next(at for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b) & ~3
        where = "the result" if name == RESULTS else f"{name[1:]}+{place}"
        order: Literal["big", "little"] = "big" if self.machine.big_endian else "little"
        old, new = (int.from_bytes(content[place : place + 4], order) for content in (before, after))
        return f"it left 0x{old:x} in {where}, and now 0x{new:x}"


def _renamed(function: Function) -> Function:
    """Return a function, or a copy with another name where a function that is made up has this one."""
    if function.name != MAIN:
        return function
    function = function.copy()
    function.name = TESTED
    return function


def _named(cell: Cell) -> str:
    """Return the name of an argument in messages."""
    return repr(cell) if isinstance(cell, Register) else f"{cell.name}+{cell.offset}" if cell.offset else cell.name
