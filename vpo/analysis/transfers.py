"""Where control may go: which functions calls reach, transfers known only when they are executed, RTLs that may fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import gcd

from vpo.analysis.cfg import OUTSIDE, transfer_of, units
from vpo.base.kept import kept
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.program import Program
from vpo.rtl import (
    BITS,
    QUOTIENTS,
    Branch,
    Call,
    Const,
    Effect,
    Expr,
    Half,
    IndirectJump,
    Mem,
    Op,
    Register,
    Return,
    Rtl,
    Set,
    Slot,
    Symbol,
    expressions_read,
    subexpressions,
)
from vpo.rtl.function import Block, Function
from vpo.rtl.symbols import addresses_taken
from vpo.system.address_space import regions
from vpo.system.faults import ENTRY, STACK_OFFERED

# ----------------------------------------------------------------------------------------------------------------------
# Which RTLs may fault so that a handler is called, in programs that may handle faults (`vpo.system.faults`).
#
# References to objects by their addresses are taken not to fault, and so are those to the stack by the stack pointer, unless
# the program has `sigaltstack`: then an exhausted stack may have a handler.


_CONSTANT = (Const, Half, Slot, Symbol)


class FaultSites:
    """Says of references and RTLs of a program whether they may fault."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, program.machine
        self.regions = regions(program)
        self.trusts_stack = STACK_OFFERED not in program.symbols

    def refers_safely(self, address: Expr, type_: str, write: bool) -> bool:
        """True if a reference is known not to fault."""
        if (address is self.machine.stack_pointer and self.trusts_stack) or (isinstance(address, Half) and address.is_literal):
            return True
        if isinstance(address, Op) and address.op == "+" and isinstance(address.args[1], _CONSTANT):
            return address.args[0] is self.machine.stack_pointer and self.trusts_stack
        if isinstance(address, Symbol):
            number = self.program.symbols[address.name] + address.offset
        elif isinstance(address, Const):
            number = address.value
        else:
            return False
        size = BITS[type_] // 8
        mapped = any(r.start <= number and number + size <= r.end and (r.writable or not write) for r in self.regions)
        return mapped and (self.machine.misaligned or number % size == 0)

    def may_fault(self, rtl: Rtl) -> bool:
        """True if an RTL may fault: by a reference or a division."""
        if any(not self.refers_safely(cell.address, cell.type, False) for cell in rtl.loads):
            return True
        effects = self.program.effects_of(rtl)
        stored = (effect.target for effect in effects if isinstance(effect, Set) and isinstance(effect.target, Mem))
        if any(not self.refers_safely(cell.address, cell.type, True) for cell in stored):
            return True
        roots = (root for effect in rtl.effects for root in expressions_read(effect))
        return any(
            isinstance(node, Op) and node.op in QUOTIENTS and not (isinstance(node.args[1], Const) and node.args[1].value)
            for root in roots
            for node in subexpressions(root)
        )

    def ends(self, function: Function, block: Block) -> set[int]:
        """Return where the units of a block end (an RTL with its delay slots) that contain an RTL which may fault."""
        found = units(self.machine, function, block)
        return {end for first, _, end in found if any(map(self.may_fault, block.rtls[first:end]))}


@kept
def fault_sites(program: Program) -> FaultSites | None:
    """Return the sites of a program that may handle faults, else None."""
    return FaultSites(program) if ENTRY in program.functions else None


def faulting_functions(program: Program) -> set[str]:
    """Return the functions with an RTL that may fault, in a program that may handle faults."""
    sites = fault_sites(program)
    if sites is None:
        return set()
    return {name for name, function in program.functions.items() if any(map(sites.may_fault, function.rtls()))}


# ----------------------------------------------------------------------------------------------------------------------
# Calls of a program: which functions they reach, and which of them may never come back.


INDIRECT = ""  # the callee of an indirect call
EXITS = ("exit", "exit_group")  # system calls that end the program


def callee_of(program: Program, call: Call) -> str:
    """Return the name of the function called, or INDIRECT."""
    target = call.target
    if type(target) is Symbol and target.offset == 0 and target.name in program.functions:
        return target.name
    return INDIRECT


@kept
def address_taken(program: Program) -> list[str]:
    """Functions that an indirect call may reach, in program order."""
    taken = addresses_taken(program.functions.values(), program.data)
    return [name for name in program.functions if name in taken]


def may_end(program: Program) -> set[str]:
    """Return the functions whose calls may not come back, since they end the program or jump out of a function called."""
    ending = {name for name, function in program.functions.items() if _exits(program, function)}
    return may_jump(program, ending | left_by_faults(program))


def may_jump(program: Program, ending: Iterable[str] = ()) -> set[str]:
    """Return the functions that can call `__longjmp` or one of those given, and these; INDIRECT if an indirect call can."""
    ending = {*ending, *({RESUME_CONTEXT} & program.functions.keys())}
    if not ending:
        return ending
    ending |= left_by_faults(program)
    callees = {name: _callees(program, function) for name, function in program.functions.items()}
    taken = set(address_taken(program))
    changed = True
    while changed:
        new = {name for name, called in callees.items() if called & ending} | ending
        if taken & new:
            new.add(INDIRECT)
        changed = new != ending
        ending = new
    return ending


def left_by_faults(program: Program) -> set[str]:
    """Return the functions out of which a fault may go to its handler: INDIRECT as well, for calls of no function."""
    faulting = faulting_functions(program)
    return {*faulting, INDIRECT} if faulting else faulting


def context_savers(program: Program) -> set[str]:
    """Return what calls `__setjmp`: INDIRECT as well, where the machine calls through registers."""
    present = {SAVE_CONTEXT} & program.functions.keys()
    return present | {INDIRECT} if present.intersection(address_taken(program)) else present


def _callees(program: Program, function: Function) -> set[str]:
    return {callee_of(program, call) for rtl in function.rtls() if (call := rtl.call) is not None}


def _exits(program: Program, function: Function) -> bool:
    return any(is_exit(program, block, index) for block in function.blocks for index in range(len(block.rtls)))


def is_exit(program: Program, block: Block, index: int) -> bool:
    """True if an RTL is a system call that ends the program, as far as its block shows."""
    call = block.rtls[index].system_call
    if call is None:
        return False
    number = call.args[0]
    if isinstance(number, Register):
        number = _value_before(program, block, index, number) or number
    return not isinstance(number, Const) or program.machine.syscalls.get(number.value) in EXITS


def _value_before(program: Program, block: Block, index: int, register: Register) -> Const | None:
    """Return the constant that a register holds before an RTL, if its block shows it."""
    machine = program.machine
    places = set(machine.storage(register))
    for rtl in reversed(block.rtls[:index]):
        if rtl.call is not None or any(not places.isdisjoint(machine.storage(r)) for r in machine.record(rtl).clobbers):
            return None
        for effect in rtl.effects:
            target = effect.target if isinstance(effect, Set) else None
            if isinstance(target, Register) and not places.isdisjoint(machine.storage(target)):
                known = isinstance(effect, Set) and target is register and isinstance(effect.source, Const)
                return effect.source if known else None  # type: ignore[union-attr, return-value]
    return None


# ----------------------------------------------------------------------------------------------------------------------
# The transfers of control whose outcome is known only when they are executed, and where in a program they are.
#
# The interpreter's observer of transfers and the simulators in host code go by this.


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer of a 'branch' (conditional), 'jump', 'call' (both indirect) or 'return': the RTL at `index` of a block.

    `number` is the RTL's in the program, as host code numbers them, `position` the one in its function.  `address` is that
    of the instruction's last byte: it tells instructions apart also on a machine whose instructions are bytes, and is
    known to a machine that has fetched one.  `target`: where a branch goes if taken, else 0.
    """

    kind: str
    function: str
    block: int
    index: int
    position: int
    number: int
    address: int
    target: int


def kind_of(effect: Effect, program: Program) -> str:
    """Return what kind of transfer an effect is; '' for what always goes the same way."""
    match effect:
        case Branch():
            return "branch"
        case IndirectJump():
            return "jump"
        case Return():
            return "return"
        case Call():
            return "call" if callee_of(program, effect) == INDIRECT else ""
    return ""


def transfers(program: Program) -> Iterator[Transfer]:
    """Yield the transfers of a program in the order of its instructions."""
    for name, function in program.functions.items():
        fetched = program.fetched[name]
        for block_number, (block, start) in enumerate(zip(function.blocks, function.block_starts(), strict=True)):
            for index, rtl in enumerate(block.rtls):
                effect = rtl.transfer or rtl.call
                kind = kind_of(effect, program) if effect is not None else ""
                if kind:
                    position = start + index
                    target = program.labels[name, effect.label] if isinstance(effect, Branch) else 0
                    place = fetched[position][1] - 1
                    yield Transfer(kind, name, block_number, index, position, program.number(name, position), place, target)


def unit(program: Program) -> int:
    """Return the largest number of bytes of which the size of every instruction is a multiple."""
    return gcd(*(end - start for fetched in program.fetched.values() for start, end in fetched)) or 1


# ----------------------------------------------------------------------------------------------------------------------
# Jump tables that several blocks of a function jump by, as the dispatches of a threaded interpreter do.
#
# Each has a number below that of any block, so that edges can lead over it: with 250 dispatches of 250 operations, 500 edges
# stand for 62,500.


@dataclass(frozen=True, slots=True)
class JumpTable:
    """The labels of a table, the blocks that jump by it, and its number, which is less than OUTSIDE."""

    number: int
    labels: tuple[str, ...]
    blocks: tuple[int, ...]


def shared_tables(function: Function) -> dict[tuple[str, ...], JumpTable]:
    """Return the tables that more than one block jumps by, by their labels."""
    users: dict[tuple[str, ...], list[int]] = {}
    for number, block in enumerate(function.blocks):
        rtl = transfer_of(block, function.stage == "final")
        if rtl is not None and isinstance(rtl.transfer, IndirectJump):
            users.setdefault(rtl.transfer.labels, []).append(number)
    shared = {labels: blocks for labels, blocks in users.items() if len(blocks) > 1}
    return {labels: JumpTable(OUTSIDE - 1 - i, labels, tuple(shared[labels])) for i, labels in enumerate(shared)}
