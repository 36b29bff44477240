"""Receiving the parameters of a function: from where the convention puts them to where they live."""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.algebra import binary
from vpo.expand.aggregates import Aggregates
from vpo.expand.argument_passing import Assigner, Place, aggregate_result
from vpo.expand.builder import Builder
from vpo.expand.linkage import Linkage
from vpo.expand.locals import Locals
from vpo.expand.routines import Routines
from vpo.expand.words import Words
from vpo.function import FrameSlot
from vpo.rtl import Const, Expr, Mem, Register

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
                arrived.append((parameter, place, [self.code.copy(register) for register in place.registers]))
            if self.source.variadic:
                self._save_variadic(assigner)
            for parameter, place, words in sorted(arrived, key=lambda each: not each[1].registers):
                self._receive(parameter, place, words)

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
        held = len(words) * word_size
        if not words and not self.linkage.at_odd_words(parameter.align):
            where = self._incoming(place.offset, place.on_stack * word_size)
            self.locals.live_at(parameter, binary("+", where, Const(place.lead)))
            return
        address = self.aggregates.aligned(parameter)
        if words:
            self.aggregates.store(address, words, replace(place, size=min(place.size, held)))
        if place.on_stack:
            where = binary("+", self._incoming(place.offset, place.on_stack * word_size), Const(place.lead))
            rest, align = place.size - held, min(parameter.align, word_size)
            self.routines.copy(binary("+", address, Const(held)), where, rest, align)

    # -------------------------------------------------------------------------------------- what the caller pushed

    def _incoming(self, offset: int, size: int) -> Expr:
        """Return the address of an incoming stack argument."""
        return self._incoming_at(f".in.{offset}", self.machine.convention.first_argument + offset, size)

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
