"""The functions behind setjmp and longjmp, written from the calling convention.

`__setjmp` stores what `vpo.machines.calling_convention` says of its caller in a `jmp_buf`; `__longjmp` restores it and returns
in its place.  Both run on the stack of their callers: what longjmp overwrites there lies above its own frame.
"""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.algebra import binary
from vpo.expand.accesses import Accesses, BlockCopies
from vpo.expand.aggregates import Aggregates
from vpo.expand.builder import Builder
from vpo.expand.linkage import Linkage
from vpo.expand.locals import Locals
from vpo.expand.parameters import Parameters
from vpo.expand.routines import Routines
from vpo.expand.words import Values
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.machines.machine import Machine
from vpo.rtl import Const, Expr, Mem, Register, Set
from vpo.rtl.function import FrameSlot, Function

_ENTRY = ".entry"  # the slot of no size at which the stack pointer was on entry


def resuming(machine: Machine) -> Machine:
    """Return the machine as `__longjmp` must see it: the registers that it restores are not to be saved before."""
    return replace(machine, convention=replace(machine.convention, saved=(), link=None, windows=None))


def save_context(machine: Machine) -> Function:
    """Return `__setjmp`, before registers are assigned."""
    writer = _Writer(machine, SAVE_CONTEXT)
    context = machine.context
    for register, offset in context.registers:
        writer.code.emit(Set(writer.cell(register.type, offset), register))
    for distance, offset in context.linkage:
        word = writer.load(Mem(machine.address_type, writer.entry(distance)))
        writer.code.store(writer.cell(machine.address_type, offset), word)
    writer.code.store(writer.cell(machine.address_type, context.entry), writer.code.address_register(writer.entry()))
    writer.return_(())
    return writer.builder.function


def resume_context(machine: Machine) -> Function:
    """Return `__longjmp`, before registers are assigned by phases for the machine `resuming`."""
    writer = _Writer(resuming(machine), RESUME_CONTEXT)
    context, code = machine.context, writer.code
    entry = writer.load(writer.cell(machine.address_type, context.entry))
    for place, offset in context.linkage:
        word = writer.load(writer.cell(machine.address_type, offset))
        code.store(Mem(machine.address_type, binary("+", entry, Const(place))), word)
    # the exit code will take the stack pointer from where this function has it to where it was on entry
    distance = code.operate("-", entry, code.address_register(writer.entry()), code.address)
    for register, offset in context.registers:
        code.emit(Set(register, writer.cell(register.type, offset)))
    code.emit(Set(machine.stack_pointer, binary("+", machine.stack_pointer, distance)))
    writer.return_((*(register for register, _ in context.registers), machine.stack_pointer))
    return writer.builder.function


class _Writer:
    """Writes a function whose argument is the address of a `jmp_buf`."""

    def __init__(self, machine: Machine, symbol: str) -> None:
        size = machine.model.sizes["pointer"]
        argument = il.Local("environment", il.Type("P", size), size, size)
        source = il.Function(symbol[1:], [argument], None, [], [], "", 0)
        self.machine, self.builder = machine, Builder(source, machine)
        self.code = self.builder.code
        self.code.cause = "linkage"
        values = Values(self.code)
        accesses = Accesses(self.builder, values)
        variables = Locals(source, True, self.builder, values, accesses)
        copies = BlockCopies(self.builder, values, accesses)
        self.linkage = Linkage(self.builder, values, accesses, copies)
        routines = Routines(self.linkage, copies)
        aggregates = Aggregates(self.builder, values, accesses, variables, routines)
        self.builder.start_block()
        Parameters(source, self.builder, self.linkage, routines, aggregates).receive()
        self.base = self.code.reg(variables.read(argument)[0], self.code.address)
        self.builder.function.slots[_ENTRY] = FrameSlot(_ENTRY, "incoming", 0, 1, 0)

    def cell(self, type_: str, offset: int) -> Mem:
        """Return a cell of the `jmp_buf`."""
        return Mem(type_, binary("+", self.base, Const(offset)))

    def entry(self, distance: int = 0) -> Expr:
        """Return the address at a distance from where the stack pointer was on entry."""
        return self.builder.in_frame(_ENTRY, distance)

    def load(self, cell: Mem) -> Register:
        """Load an address, or a word of the same size."""
        target = self.code.fresh(self.code.address)
        self.code.load(target, cell)
        return target

    def return_(self, registers: tuple[Register, ...]) -> None:
        """Return; what is in the registers is for the caller."""
        self.linkage.return_(self.machine.convention.return_, registers)
