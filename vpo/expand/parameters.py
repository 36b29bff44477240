"""Receiving the parameters of a function: from where the convention puts them to where they live."""

from __future__ import annotations

import math
from dataclasses import replace

from vpo import il
from vpo.algebra import binary
from vpo.expand.argument_passing import Assigner, Place, aggregate_result, result_place
from vpo.expand.arithmetic import Aggregates
from vpo.expand.builder import Builder
from vpo.expand.evaluation import Evaluation
from vpo.expand.linkage import Linkage
from vpo.expand.locals import Locals
from vpo.expand.routines import Routines
from vpo.expand.words import Words, letter
from vpo.rtl import Const, Expr, Mem, Register, Slot
from vpo.rtl.function import FrameSlot

SAVED = ".va.registers"  # the slot of argument registers that a va_list tells of
LIST_NUMBER = {
    "registers": 4,
    "counts": 1,
}  # bytes of each number that a va_list begins with: what is used up of the registers
LIST_STACK = {"registers": 8, "counts": 4}  # where in it the address of the next argument on the stack is
VARIADIC = ".va"  # the slot of the argument registers that may carry variable arguments, and of the stack arguments behind


def result_in_registers(source: il.Function, builder: Builder) -> Place | None:
    """Return the registers in which a function leaves an aggregate result."""
    return aggregate_result(builder.machine, source.result_size, source.result_align, source.result_scalars, source.variadic)


def result_in_place(source: il.Function) -> il.Local | None:
    """Return the aggregate that all returns of a function return: it may live where the caller wants the result.

    Nobody else knows that place before the function has returned.
    """
    blocks = [statement.value for statement in source.body if isinstance(statement, il.Return)]
    addresses = [block.address if isinstance(block, il.Block) else None for block in blocks]
    first = addresses[0] if addresses else None
    if not isinstance(first, il.AddrLocal) or first.local in source.parameters or first.local.volatile:
        return None
    local = first.local
    same = all(isinstance(a, il.AddrLocal) and a.local is local and a.offset == 0 for a in addresses)
    fits = local.type is None and local.size == source.result_size and local.align <= source.result_align
    calls = (statement for statement in source.body if isinstance(statement, il.Call) and statement.result is local)
    return local if same and fits and not any(call.variadic for call in calls) else None  # may come in registers


class Parameters:
    """Emits the moves of parameters.

    `hidden` is then the address at which the caller wants the result, `result` the local that lives there, if any, and
    `variadic_offset` the place of the first variable argument in its slot.
    """

    def __init__(
        self, source: il.Function, builder: Builder, linkage: Linkage, routines: Routines, aggregates: Aggregates
    ) -> None:
        self.source, self.builder, self.code, self.machine = source, builder, builder.code, builder.machine
        self.linkage, self.routines, self.aggregates = linkage, routines, aggregates
        self.values, self.accesses = linkage.values, linkage.accesses
        self.locals: Locals = aggregates.locals
        self.has_hidden_result = source.result_size > 0 and result_in_registers(source, builder) is None
        self.hidden: Register | None = None
        self.result = result_in_place(source) if self.has_hidden_result else None
        self.variadic_offset = 0
        self.left = 0, 0  # what named arguments use up of the saved registers, if there are such

    def receive(self) -> None:
        """Move all parameters, those in registers first."""
        assigner = Assigner(self.machine, self.source.variadic)
        with self.code.because("argument"):
            if self.has_hidden_result:
                self.hidden = self._receive_hidden(assigner)
                if self.result is not None:
                    self.locals.live_at(self.result, self.hidden)
            arrived: list[tuple[il.Local, Place, Words]] = []
            for position, parameter in enumerate(self.source.parameters):
                place = self._place(assigner, parameter, position)
                self._note_extension(parameter, place)
                arrived.append((parameter, place, [self.code.copy(register) for register in place.carriers]))
            if self.source.variadic:
                self._save_variadic(assigner)
            for parameter, place, words in sorted(arrived, key=lambda each: not each[1].carriers):
                self._receive(parameter, place, words)

    def _is_narrow(self, type_: il.Type | None) -> bool:
        """Whether values of a type take up a part of a word."""
        return type_ is not None and not type_.is_float and type_.kind != "P" and type_.size < self.values.word_size

    def _note_extension(self, parameter: il.Local, place: Place) -> None:
        """Take down that the caller has extended an argument to a word."""
        type_ = parameter.type
        if type_ is not None and self._is_narrow(type_) and not self.machine.convention.narrow_arguments:
            extension = self.values.extension(type_), letter(type_)
            slots = [Slot(_incoming_name(place.offset))] if place.on_stack else []
            self.builder.function.arriving.update(dict.fromkeys((*place.registers, *slots), extension))

    def _place(self, assigner: Assigner, parameter: il.Local, position: int) -> Place:
        if parameter.type is not None:
            return assigner.scalar(parameter.type)
        return assigner.aggregate(parameter.size, parameter.align, self.source.parameter_scalars[position])

    def _receive_hidden(self, assigner: Assigner) -> Register:
        """Return the address at which the caller wants the result."""
        convention, place = self.machine.convention, self.machine.convention.hidden.place
        pointer = self.values.pointer
        if place is None:
            argument = assigner.scalar(pointer)
            place = argument.registers[0] if argument.registers else convention.first_argument + argument.offset
        else:
            place = place if isinstance(place, Register) else convention.distance(place, pointer.size)
        if isinstance(place, Register):
            return self.code.copy(place, self.code.address)
        result = self.code.fresh(self.code.address)
        self.code.load(result, Mem(self.machine.address_type, self._incoming_at(".in.result", place, pointer.size)))
        return result

    def _receive(self, parameter: il.Local, place: Place, words: Words) -> None:
        if place.reference:
            (address,) = [*words, *self._stack_words(place, self.values.pointer)]
            self.locals.live_at(parameter, self.code.reg(address, self.code.address))
        elif parameter.type is None:
            self._receive_aggregate(parameter, place, words)
        else:
            self.locals.set(parameter, self._scalar(parameter.type, place, words))

    def _scalar(self, type_: il.Type, place: Place, words: Words) -> Words:
        """Return the words of a scalar parameter, of which those are given that came in registers."""
        whole = type_.is_float and not place.registers and not self.linkage.at_odd_words(type_.size)
        if not whole:
            words = [*words, *self._stack_words(place, type_)]
        if type_.is_float and not place.floating:
            if whole:
                return self.accesses.load(self._incoming(place.offset, type_.size), type_)
            return self.accesses.float_of_bits(words, type_)
        if type_.kind == "P":
            return [self.code.reg(words[0], self.code.address)]
        if self._is_narrow(type_) and self.machine.convention.narrow_arguments:
            return [self.values.narrow(words[0], type_)]
        return words

    def _stack_words(self, place: Place, type_: il.Type) -> Words:
        """Load the words of a scalar that lie on the stack."""
        word_size, words = self.values.word_size, []
        for i in range(place.on_stack):
            target = self.code.fresh(self.code.address if type_.kind == "P" else self.code.integer)
            step = self.machine.convention.step(i * word_size, word_size, place.on_stack * word_size)
            self.code.load(target, Mem(self.code.word, self._incoming(place.offset + step, word_size)))
            words.append(target)
        return [*words]

    def _receive_aggregate(self, parameter: il.Local, place: Place, words: Words) -> None:
        """Put together an aggregate from registers and stack; one that lies on the stack stays there."""
        word_size = self.values.word_size
        if not words and not self.linkage.at_odd_words(parameter.align):
            where = self._incoming(place.offset, place.on_stack * word_size)
            self.locals.live_at(parameter, binary("+", where, Const(place.lead)))
            return
        address = self.aggregates.aligned(parameter)
        if place.rest is not None:
            count = len(place.registers)
            behind = binary("+", address, Const(place.start))
            self._put_together(behind, math.gcd(parameter.align, place.start), place.rest, words[count:])
            place, words = replace(place, rest=None), words[:count]
        self._put_together(address, parameter.align, place, words)

    def _put_together(self, address: Expr, align: int, place: Place, words: Words) -> None:
        """Store words of a place, and copy behind them what lies on the stack."""
        word_size = self.values.word_size
        held = len(words) * word_size
        if words:
            self.aggregates.store(address, words, replace(place, size=min(place.size, held)))
        if place.on_stack:
            where = binary("+", self._incoming(place.offset, place.on_stack * word_size), Const(place.lead))
            rest, align = place.size - held, min(align, word_size)
            self.routines.copy(binary("+", address, Const(held)), where, rest, align)

    # -------------------------------------------------------------------------------------- what the caller pushed

    def _incoming(self, offset: int, size: int) -> Expr:
        """Return the address of an incoming stack argument."""
        return self._incoming_at(_incoming_name(offset), self.machine.convention.first_argument + offset, size)

    def _incoming_at(self, name: str, distance: int, size: int) -> Expr:
        """Return the address of what the caller has at a distance from its stack pointer, as a slot."""
        distance += self._pushed()
        self.builder.function.slots.setdefault(name, FrameSlot(name, "incoming", size, 1, distance))
        return self.builder.in_frame(name)

    def _pushed(self) -> int:
        """Return how many bytes calls of this function push."""
        convention = self.machine.convention
        return convention.hidden.pushed if self.has_hidden_result else convention.pushed

    def _save_variadic(self, assigner: Assigner) -> None:
        """Store the argument registers that may carry variable arguments next to the stack arguments."""
        convention, word_size = self.machine.convention, self.values.word_size
        assigner.close_registers()
        if convention.variadic_list != "pointer":
            self._save_registers(assigner)
        registers = assigner.integers if convention.variadic_registers else []
        used = min(assigner.next_integer, len(registers))
        size = len(registers) * word_size
        base = convention.first_argument + self._pushed()
        self.builder.function.slots[VARIADIC] = FrameSlot(VARIADIC, "incoming", size or word_size, 1, base - size)
        for index in range(used, len(registers)):
            offset = convention.step(index * word_size, word_size, size)
            self.code.store(Mem(self.code.word, self.builder.in_frame(VARIADIC, offset)), registers[index])
        first = used * word_size if used < len(registers) else size + assigner.offset
        self.variadic_offset = convention.step(first, 0, size or word_size)

    def _save_registers(self, assigner: Assigner) -> None:
        """Store the argument registers that may carry variable arguments, for a va_list: integers in words, others in two."""
        word, count, used = self.values.word_size, len(assigner.integers), assigner.floats_used
        end = word * (count + 2 * len(assigner.floats))
        self.builder.function.slots[SAVED] = FrameSlot(SAVED, "local", end, word)
        for index, register in enumerate(assigner.integers):
            if index >= assigner.next_integer:
                self.code.store(Mem(self.code.word, self.builder.in_frame(SAVED, index * word)), register)
        for index, register in enumerate(assigner.floats):
            if index >= used:
                self.code.store(Mem(register.type, self.builder.in_frame(SAVED, (count + 2 * index) * word)), register)
        counts = self.machine.convention.variadic_list == "counts"
        self.left = (assigner.next_integer, used) if counts else (assigner.next_integer * word, (count + 2 * used) * word)


# ----------------------------------------------------------------------------------------------------------------------
# Expanding returns: the result into its registers or to the address that the caller passed, and the return.


class Returns:
    """Emits the returns of a function."""

    def __init__(
        self,
        source: il.Function,
        builder: Builder,
        evaluation: Evaluation,
        linkage: Linkage,
        routines: Routines,
        aggregates: Aggregates,
        parameters: Parameters,
    ) -> None:
        self.source, self.builder, self.code, self.machine = source, builder, builder.code, builder.machine
        self.evaluation, self.linkage, self.routines = evaluation, linkage, routines
        self.aggregates, self.parameters = aggregates, parameters

    def leave(self, value: il.Expr | il.Block | None) -> None:
        """Expand a return; the caller begins the next block."""
        registers: tuple[Register, ...] = ()
        if isinstance(value, il.Block):
            registers = self._aggregate(value)
        elif value is not None:
            registers = self._scalar(value)
        convention = self.machine.convention
        hidden = self.parameters.has_hidden_result
        self.linkage.return_(convention.hidden.return_ if hidden else convention.return_, registers)

    def _scalar(self, value: il.Expr) -> tuple[Register, ...]:
        """Put a scalar into its registers, which are returned."""
        type_ = self.source.result or value.type
        words = self.evaluation.casting.convert(self.evaluation.value(value), value.type, type_)
        place = result_place(self.machine, type_, self.source.variadic)
        if type_.is_float and not place.floating:
            words = self.linkage.accesses.bits_of_float(words[0], type_)
        with self.code.because("argument"):
            self.linkage.into_registers(place.registers, words)
        if not type_.is_float and type_.size < self.linkage.values.word_size and self.machine.convention.narrow_results:
            self.builder.function.leaving.update(dict.fromkeys(place.registers, letter(type_)))
        return place.registers

    def _aggregate(self, block: il.Block) -> tuple[Register, ...]:
        """Put an aggregate where the caller wants it; returns the registers that tell."""
        place = result_in_registers(self.source, self.builder)
        address = self.evaluation.pointer(block.address)
        if place is not None:
            words = self.aggregates.load(address, block.align, place)
            with self.code.because("argument"):
                self.linkage.into_registers(place.registers, words)
            return place.registers
        hidden = self.parameters.hidden
        assert hidden is not None
        if self.parameters.result is None:
            self.routines.copy(hidden, address, block.size, block.align)
        results = self.machine.convention.results
        register = (results.get("address") or results["integer"])[0]
        self.code.move(register, hidden)
        return (register,)


# ----------------------------------------------------------------------------------------------------------------------
# Expanding `va_start` and `va_arg`.


class VariableArguments:
    """Emits accesses of variable arguments through a va_list, which is the address of the next one."""

    def __init__(
        self, builder: Builder, evaluation: Evaluation, linkage: Linkage, routines: Routines, parameters: Parameters
    ) -> None:
        self.builder, self.code, self.machine = builder, builder.code, builder.machine
        self.evaluation, self.values, self.accesses = evaluation, evaluation.values, evaluation.accesses
        self.linkage, self.routines, self.parameters = linkage, routines, parameters

    def start(self, statement: il.VaStart) -> None:
        """Store the address of the first variable argument."""
        first = self.code.address_register(self.builder.in_frame(VARIADIC, self.parameters.variadic_offset))
        shape = self.machine.convention.variadic_list
        if shape != "pointer":
            where, pointer, number = (
                self.evaluation.pointer(statement.address),
                self.values.pointer,
                il.Type("U", LIST_NUMBER[shape]),
            )
            saved = self.code.address_register(self.builder.in_frame(SAVED))
            for index, used in enumerate(self.parameters.left):
                self.accesses.store(self._moved(where, number.size * index), [Const(used)], number)
            self.accesses.store(self._moved(where, LIST_STACK[shape]), [first], pointer)
            self.accesses.store(self._moved(where, LIST_STACK[shape] + pointer.size), [saved], pointer)
            return
        self.accesses.store(self.evaluation.pointer(statement.address), [first], self.values.pointer)

    def next(self, statement: il.VaArg) -> None:
        """Advance a va_list over one argument, and store the address of that."""
        convention, pointer, word_size = self.machine.convention, self.values.pointer, self.values.word_size
        where = self.evaluation.pointer(statement.address)
        if convention.variadic_list != "pointer":
            place = self._place(statement)
            if place.registers:
                self._next_in_registers(statement, where, place)
                return
            where = self.code.reg(self._moved(where, LIST_STACK[convention.variadic_list]), self.code.address)
        current: Expr = self.accesses.load(where, pointer)[0]
        by_reference = self._by_reference(statement)
        size = pointer.size if by_reference else _size(statement)
        align = convention.argument_alignment(statement.align) if statement.type is None else size
        room = self.values.words_in(size) * word_size
        if convention.align_pairs == "every" and room > word_size:
            align = 2 * word_size
        if convention.grows_up:  # a va_list is the end of the next argument
            current = self._moved(current, -room)
        if align > word_size and convention.align_pairs != "never" and not by_reference:
            current = self._moved(current, 0 if convention.grows_up else align - 1)
            current = self.code.operate("&", current, Const(-align), self.code.address)
        self.accesses.store(where, [self._moved(current, 0 if convention.grows_up else room)], pointer)
        if align > word_size and self.linkage.at_odd_words(size) and not by_reference:
            aligned = self.builder.scratch_slot(room, align)
            self.routines.copy(aligned, current, room, word_size)
            current = self.code.address_register(aligned)
        self.evaluation.locals.set(statement.result, [self._within(statement, current, size, by_reference)])

    def _place(self, statement: il.VaArg) -> Place:
        """Return where an argument travels if there are registers left."""
        assigner = Assigner(self.machine, True)
        if statement.type is not None:
            return assigner.scalar(statement.type)
        return assigner.aggregate(statement.size, statement.align, statement.scalars)

    def _next_in_registers(self, statement: il.VaArg, where: Expr, place: Place) -> None:
        """Call the routine that finds an argument in registers, or on the stack if too few are left."""
        pointer, number, word = self.values.pointer, il.Type("U", 4), self.values.word_size
        if self.machine.convention.variadic_list == "counts":
            self._next_counted(statement, where, place)
            return
        carriers = self.machine.convention.arguments
        floating = [register in carriers["float"] or register.type in ("F", "D") for register in place.registers]
        room: Expr = Const(0)
        if any(floating) and len(floating) > 1:
            room = self.builder.scratch_slot(len(floating) * word, word)
        integers = len(carriers["integer"]) * word
        shape = len(floating) + sum(is_floating << (2 + i) for i, is_floating in enumerate(floating))
        numbers = (shape, max(word, statement.align), integers, integers + 2 * word * len(carriers["float"]))
        arguments: list[tuple[il.Type, Words]] = [(pointer, [self.code.address_register(where)])]
        arguments += [(number, [Const(each)]) for each in numbers]
        arguments.append((pointer, [self.code.address_register(room)]))
        self.evaluation.locals.set(statement.result, self.routines.call("__va_next", arguments, pointer))

    def _next_counted(self, statement: il.VaArg, where: Expr, place: Place) -> None:
        """Call the routine that finds a scalar, or the address of an aggregate, by how many registers are used up."""
        pointer, number, carriers = self.values.pointer, il.Type("U", 4), self.machine.convention.arguments
        floating = place.registers[0] in carriers["float"]
        words = self.values.words_in(pointer.size if place.reference else _size(statement))
        arguments: list[tuple[il.Type, Words]] = [(pointer, [self.code.address_register(where)])]
        numbers = int(floating), words, len(carriers["integer"]), len(carriers["float"])
        arguments += [(number, [Const(each)]) for each in numbers]
        found = self.routines.call("__va_next_counted", arguments, pointer)[0]
        self.evaluation.locals.set(statement.result, [self._within(statement, found, _size(statement), place.reference)])

    def _within(self, statement: il.VaArg, word: Expr, size: int, by_reference: bool) -> Expr:
        """Return the address of an argument, given that of its first word."""
        lead = self.machine.convention.lead(size)
        if statement.type is None and lead:
            word = self._moved(word, lead)
        if by_reference:
            return self.accesses.load(self.code.reg(word, self.code.address), self.values.pointer)[0]
        if statement.type is not None and self.machine.big_endian and size < self.values.word_size:
            return self._moved(word, self.values.word_size - size)  # at the end of its word
        return word

    def _by_reference(self, statement: il.VaArg) -> bool:
        """Whether an argument is an aggregate passed by its address."""
        convention = self.machine.convention
        return statement.type is None and convention.aggregates == "reference" and not convention.in_words(statement.size)

    def _moved(self, address: Expr, distance: int) -> Expr:
        return self.code.operate("+", address, Const(distance), self.code.address)


def _size(statement: il.VaArg) -> int:
    return statement.size if statement.type is None else statement.type.size


def _incoming_name(offset: int) -> str:
    """Return the name of the slot of what lies so far behind the first argument on the stack."""
    return f".in.{offset}"
