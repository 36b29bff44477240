"""Run one function of RTL text in the interpreter, to compare what it does before and after phases.

A `main` made of the machine's instructions sets the registers that the function reads, calls it and stores its
results.  Each function that it calls is one that folds its arguments into a variable and returns a number, but for
routines of the library that stand for operators, which compute what these do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness
from vpo.expand.legalize import Legalizer
from vpo.function import Block, Data, Function, Unit
from vpo.il import IntItem
from vpo.interpret.interpreter import interpret
from vpo.link import link
from vpo.machines.instantiation import Instance
from vpo.machines.machine import Machine
from vpo.opt.driver import BASIC, Options, run_phases
from vpo.routine_names import operators_by_symbol
from vpo.rtl import BITS, FLOAT_TYPES, Call, Const, Effect, Expr, Jump, Mem, Op, Register, Return, Rtl, Set, Slot, Symbol
from vpo.unit_symbols import symbols_of_function

LIMIT = 500  # instructions
AREA = 256  # bytes of each variable
Environment = Callable[[int], Expr]  # the value of the n-th register that a function reads
ENVIRONMENTS: tuple[Environment, ...] = (
    lambda n: Symbol("_area", 8 * n + 8),
    lambda n: Const(n + 2) if n % 2 else Symbol("_area", 8 * n + 8),
    lambda n: Const(9 - n),
)
Registers = tuple[Register, ...]


@dataclass(frozen=True)
class Surroundings:
    """What a function runs in: the functions that call it and that it calls, and the variables that all of them name."""

    functions: tuple[Function, ...]
    variables: tuple[str, ...]


def surroundings(function: Function, machine: Machine, environment: Environment) -> Surroundings:
    """Return what a function can be run in, where the registers that it reads have values of an environment."""
    called: dict[str, Registers] = {}
    for rtl in function.rtls():
        if rtl.call is not None and type(rtl.call.target) is Symbol:
            name, arguments = rtl.call.target.name, rtl.call.arguments
            called[name] = tuple(r for r in called.get(name, arguments) if r in arguments)
    read = registers_read(function, machine)
    caller = _main(function.name, machine, environment, read, _registers_set(function))
    others = (caller, _endless("_exit"), *(_callee(name, arguments, machine) for name, arguments in called.items()))
    names = {symbol for each in (function, *others) for symbol in symbols_of_function(each)}
    return Surroundings(others, tuple(sorted(names - {function.name, *(each.name for each in others)})))


def outcome(function: Function, machine: Machine, around: Surroundings) -> dict[str, bytes] | None:
    """Return the variables that a call of the function changed, with contents; None if it faults or does not end soon."""
    data = [Data(name, AREA, 8, [IntItem(at, 4, at // 4 + 1) for at in range(0, AREA, 4)]) for name in around.variables]
    program = link([Unit(machine.name, [function, *around.functions], data)], machine)
    program.machine = _with_little_memory(machine)
    result = interpret(program, limit=LIMIT)
    if result.fault is None or result.fault.function != "_exit":
        return None
    order: Literal["big", "little"] = "big" if machine.big_endian else "little"
    initially = b"".join(item.to_bytes(4, order) for item in range(1, AREA // 4 + 1))
    linked = [name for name in around.variables if name in program.symbols]
    contents = {name: result.memory.read(program.symbols[name], AREA) for name in linked}
    return {name: content for name, content in contents.items() if content != initially}


def hands_out_slots(function: Function) -> bool:
    """Whether the address of a frame slot, which depends on the frame, becomes a value."""
    sources = [effect.source for rtl in function.rtls() for effect in rtl.effects if isinstance(effect, Set)]
    return any(type(source) is Op and any(type(arg) is Slot for arg in source.args) for source in sources)


def changed_while_wanted(function: Function, machine: Machine) -> list[Rtl]:
    """Return the RTLs that change a register by the way, such as a condition code, which is read behind them."""
    cfg = build_cfg(function)
    liveness = compute_liveness(function, cfg, machine)
    return [
        rtl
        for number in cfg.reachable()
        for rtl, entry, wanted in zip(
            function.blocks[number].rtls, liveness.accesses[number], liveness.backward(number), strict=True
        )
        if entry.clobbers & wanted and rtl.call is None  # a call hands back results in what it changes
    ]


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


def define(function: Function, machine: Machine, environment: Environment) -> None:
    """Let a function give values to the pseudo-registers that it reads and nobody has set."""
    pseudos = [r for r in registers_read(function, machine) if r.pseudo]
    if pseudos:
        code = _code(function, machine)
        _give(code, pseudos, environment)
        function.blocks.insert(0, Block(function.label(), code.out))


def _give(code: Legalizer, registers: Iterable[Register], environment: Environment) -> None:
    for number, register in enumerate(registers):
        if register.type in FLOAT_TYPES:
            code.load(register, Mem(register.type, Symbol("_area")))
        else:
            code.move(register, environment(number))


def _code(function: Function, machine: Machine) -> Legalizer:
    code = Legalizer(machine, function)
    code.line = 1
    return code


def _main(name: str, machine: Machine, environment: Environment, read: Registers, set_: Registers) -> Function:
    """Return the function that gives values to registers, calls a function, and stores the registers that it sets."""
    function = Function("_main", "", 1, False, "pseudo", [Block("L1")], labels=1)
    code = _code(function, machine)
    hard = tuple(r for r in read if not r.pseudo)
    _give(code, hard, environment)
    code.append(_filled(code, machine.convention.call, Symbol(name), hard))
    for number, register in enumerate(set_):
        code.store(Mem(register.type, Symbol("_results", 8 * number)), register)
    code.append(_filled(code, machine.convention.return_, None, ()))
    return _finished(function, code, machine)


@cache
def _callee(name: str, arguments: Registers, machine: Machine) -> Function:
    """Return a function that adds its arguments to a variable and returns a number, or what the routine of its name does."""
    function = Function(name, "", 1, False, "pseudo", [Block("L1")], labels=1)
    code = _code(function, machine)
    operator = operators_by_symbol(BITS[code.word] // 8).get(name)
    if operator is not None:
        (result,), (a, b) = machine.convention.results["integer"][:1], arguments
        code.move(result, code.operate(operator, code.reg(a, code.integer), code.reg(b, code.integer)))
        code.append(_filled(code, machine.convention.return_, None, (result,)))
        return _finished(function, code, machine)
    cell = Mem(code.word, Symbol("_called"))
    total: Expr = Op("+", code.word, code.atom(cell), Const(1))
    for register in arguments:
        if register.type == code.word:
            total = Op("+", code.word, Op("*", code.word, code.atom(total), Const(3)), code.reg(register, code.integer))
    code.store(cell, code.atom(total))
    results = machine.convention.results["integer"][:1]
    for register in results:
        code.move(register, Const(7))
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
    run_phases(function, machine, Options(phases=BASIC, check=True))
    return function
