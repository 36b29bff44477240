"""The code expander: intermediate language to naive legal RTLs over pseudo-registers.

It is deliberately simple: every operation gets its own RTL and its own pseudo-register, and quality is left to the
phases that follow.  Each module of this package knows only those that stand before it here:

    argument_passing, builder, words     where values travel; the function that is built; values in words
    comparisons, soften                  truth values; floating point in software
    accesses, wide                       values in memory; integers of several words
    linkage, locals                      calls and returns as the convention writes them; where variables live
    routines                             calls of the run-time library
    arithmetic                           operators and conversions
    evaluation                           trees
    caller, parameters                   calls, and the parameters of functions

The functions behind setjmp and longjmp are written here, too.
"""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.algebra import binary
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import Accesses, BlockCopies
from vpo.expand.arithmetic import Aggregates, Arithmetic, Casting
from vpo.expand.builder import Builder
from vpo.expand.caller import CalledInstructions, Calls
from vpo.expand.comparisons import Comparisons
from vpo.expand.evaluation import Evaluation
from vpo.expand.linkage import Linkage
from vpo.expand.locals import Locals, Signs
from vpo.expand.meanings import give_meanings
from vpo.expand.parameters import Parameters, Returns, VariableArguments
from vpo.expand.routines import Routines, use_instructions
from vpo.expand.soften import soften
from vpo.expand.wide import WideArithmetic, WideShifts
from vpo.expand.words import Values
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.il.traversal import reachable
from vpo.lower.legalize import Legalizer
from vpo.lower.narrow_cells import smallest_stored
from vpo.machines.machine import Machine
from vpo.rtl import Const, Expr, Mem, Register, Set
from vpo.rtl.function import Data, FrameSlot, Function, Item

# ----------------------------------------------------------------------------------------------------------------------
# The functions behind setjmp and longjmp, written from the calling convention.
#
# `__setjmp` stores what `vpo.machines.calling_convention` says of its caller in a `jmp_buf`; `__longjmp` restores it and
# returns in its place.  Both run on the stack of their callers: what longjmp overwrites there lies above its own frame.


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


# ----------------------------------------------------------------------------------------------------------------------
# Expanding switches: few cases by comparison, dense ones by a table, others by bisection.


TABLE_CASES = 5  # a switch with so many cases becomes a jump table if at least half of the range is used
COMPARED_CASES = 4  # at most so many are compared with one after the other


class Switches:
    """Emits switches."""

    def __init__(self, builder: Builder, evaluation: Evaluation) -> None:
        self.builder, self.code, self.machine = builder, builder.code, builder.machine
        self.evaluation, self.values = evaluation, evaluation.values

    def switch(self, statement: il.Switch) -> None:
        """Expand a switch."""
        value = statement.value
        if value.type.size > self.values.word_size:
            self._compare_with_each(self.evaluation.temporary(value), statement)
            return
        index = self.code.reg(self.values.number(self.evaluation.scalar(value), value.type), self.code.integer)
        cases = sorted(statement.cases)
        self._decide(index, cases, self.builder.label(statement.default), value.type.is_signed)

    def _compare_with_each(self, value: il.Expr, statement: il.Switch) -> None:
        """Compare with each case in turn (values of several words)."""
        for number, label in statement.cases:
            self.evaluation.branch("eq", value, il.Const(value.type, number), self.builder.label(label))
            self.builder.start_block()
        self.builder.jump(self.builder.label(statement.default))

    def _decide(self, index: Register, cases: list[tuple[int, str]], default: str, signed: bool) -> None:
        """Choose among sorted cases."""
        count = len(cases)
        span = cases[-1][0] - cases[0][0] + 1 if cases else 0
        if count >= TABLE_CASES and span <= 2 * count + 8 and self._table_jump(index, cases, default, span):
            return
        if count <= COMPARED_CASES:
            for number, label in cases:
                self._branch("==", index, number, self.builder.label(label))
            self.builder.jump(default)
            return
        middle = count // 2
        upper = self.builder.function.label()
        self._branch(">=" if signed else ">=u", index, cases[middle][0], upper)
        self._decide(index, cases[:middle], default, signed)
        self.builder.start_block(upper)
        self._decide(index, cases[middle:], default, signed)

    def _branch(self, relation: str, index: Register, number: int, label: str) -> None:
        self.code.branch(relation, index, Const(self.values.wrapped(number)), label)
        self.builder.start_block()

    def _table_jump(self, index: Register, cases: list[tuple[int, str]], default: str, span: int) -> bool:
        """Jump through a table, if the machine has indirect jumps."""
        if not self.builder.has_indirect_jumps:
            return False
        low = cases[0][0]
        offset = self.code.operate("+", index, Const(self.values.wrapped(-low)))
        self.code.branch(">u", offset, Const(span - 1), default)
        self.builder.start_block()
        chosen = {number: self.builder.label(label) for number, label in cases}
        self.builder.jump_by_table(offset, [chosen.get(low + i, default) for i in range(span)])
        self.builder.start_block()
        return True


# ----------------------------------------------------------------------------------------------------------------------


def expand_unit(unit: il.Unit, machine: Machine, promote: bool) -> tuple[list[Function], list[Data], list[CannotExpress]]:
    """Expand every function of a unit that can be reached.

    Returns functions at stage 'pseudo', data objects, and what the machine cannot express (with source lines).  With
    `promote`, scalar locals whose address is not taken live in pseudo-registers; without, in memory.
    """
    give_meanings(unit, machine)
    use_instructions(unit, machine)
    soften(unit, machine)
    functions: list[Function] = []
    wanted = reachable(unit)
    least = smallest_stored(Legalizer(machine, Function("_", "", 0, False)))
    data = [_global(d, least) for d in unit.data if d.name in wanted]
    failures: list[CannotExpress] = []
    for source in unit.functions:
        if source.name not in wanted:
            continue
        try:
            builder = expand_function(source, machine, promote)
            functions.append(builder.function)
            data += builder.tables
        except CannotExpress as failure:
            failure.line = failure.line or source.line
            failures.append(failure)
    return functions, data, failures


def _global(data: il.Data, align: int) -> Data:
    """Return a data object, on a boundary of at least `align` bytes."""
    items: list[Item] = [_underscore(item) for item in data.items]
    flags = data.constant, data.static, data.tentative, data.weak
    return Data("_" + data.name, data.size, max(data.align, align), items, *flags, data.section, data.place)


def _underscore(item: il.Item) -> il.Item:
    if isinstance(item, il.AddressItem):
        return il.AddressItem(item.offset, "_" + item.symbol, item.addend)
    return item


def expand_function(source: il.Function, machine: Machine, promote: bool) -> Builder:
    """Expand one function; returns the builder that has it, and the data that only its code reads.

    Raises CannotExpress.
    """
    builder = Builder(source, machine)
    values = Values(builder.code)
    accesses = Accesses(builder, values)
    variables = Locals(source, promote, builder, values, accesses)
    copies = BlockCopies(builder, values, accesses)
    linkage = Linkage(builder, values, accesses, copies)
    routines = Routines(linkage, copies)
    comparisons = Comparisons(builder, values)
    wide = WideArithmetic(values, comparisons)
    arithmetic = Arithmetic(values, accesses, wide, WideShifts(builder, values), routines)
    casting = Casting(values, accesses, wide, routines)
    signs = Signs(source, variables.is_in_registers)
    evaluation = Evaluation(builder, values, accesses, variables, arithmetic, casting, comparisons, signs, source.contracts)
    aggregates = Aggregates(builder, values, accesses, variables, routines)
    parameters = Parameters(source, builder, linkage, routines, aggregates)
    statements = Statements(
        builder,
        evaluation,
        routines,
        Switches(builder, evaluation),
        Calls(builder, evaluation, linkage, routines, aggregates),
        CalledInstructions(builder, evaluation),
        Returns(source, builder, evaluation, linkage, routines, aggregates, parameters),
        VariableArguments(builder, evaluation, linkage, routines, parameters),
    )
    builder.start_block()
    parameters.receive()
    for statement in source.body:
        statements.expand(statement)
    return builder


class Statements:
    """Emits the statements of a function."""

    def __init__(
        self,
        builder: Builder,
        evaluation: Evaluation,
        routines: Routines,
        switches: Switches,
        calls: Calls,
        instructions: CalledInstructions,
        returns: Returns,
        variable_arguments: VariableArguments,
    ) -> None:
        self.builder, self.evaluation, self.routines = builder, evaluation, routines
        self.switches, self.calls, self.instructions = switches, calls, instructions
        self.returns, self.variable_arguments = returns, variable_arguments

    def expand(self, statement: il.Statement) -> None:
        """Expand one statement."""
        if not isinstance(statement, il.Label):
            self.builder.code.line = statement.line
        match statement:
            case il.Store():
                self.evaluation.assign(statement)
            case il.Copy(target=target, source=source, size=size, align=align):
                self.routines.copy(self.evaluation.pointer(target), self.evaluation.pointer(source), size, align)
            case il.Label(name=name):
                self.builder.start_block(self.builder.label(name))
            case il.Jump(label=label):
                self.builder.jump(self.builder.label(label))
            case il.Branch(relation=relation, left=left, right=right, label=label):
                self.evaluation.branch(relation, left, right, self.builder.label(label))
                self.builder.start_block()
            case il.Switch():
                self.switches.switch(statement)
            case il.Return(value=value):
                self.returns.leave(value)
                self.builder.start_block()
            case il.Call():
                self.calls.call(statement)
            case il.Syscall():
                self.calls.system_call(statement)
            case il.Instruction():
                self.instructions.call(statement)
            case il.VaStart():
                self.variable_arguments.start(statement)
            case il.VaArg():
                self.variable_arguments.next(statement)
