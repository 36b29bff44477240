"""Expanding calls, returns, parameters, variable arguments, system calls and block copies: part of the code expander."""

from __future__ import annotations

from dataclasses import replace

from vpo import il
from vpo.algebra import binary, set_, unary
from vpo.expand.argument_passing import Assigner, Place, aggregate_result, result_place
from vpo.expand.legalize import CannotExpress
from vpo.expand.operations import Expressions, letter
from vpo.expand.wide import Words
from vpo.function import FrameSlot
from vpo.rtl import Call, Const, Effect, Expr, Mem, Op, Register, Return, Set, Slot, Symbol
from vpo.text import show_effects

Move = tuple[Place, il.Type | None, Words]  # an argument's place, type if it is a scalar, and words
INLINE_COPY = 16  # block copies of at most so many moves are done inline
VARIADIC = ".va"
INSTRUCTIONS = {("sqrt", "F8"): "sqrt", ("sqrtf", "F4"): "sqrt", ("fabs", "F8"): "abs", ("fabsf", "F4"): "abs"}


class Transfers(Expressions):
    """Calls and what belongs to them."""

    # ----------------------------------------------------------------------------------------------------- calls

    def call(self, statement: il.Call) -> None:
        """Expand a call statement."""
        if self._instruction_for(statement):
            return
        assigner = Assigner(self.machine, statement.variadic)
        result = statement.result
        hidden: Expr | None = None
        in_registers = None
        if result is not None and result.type is None:
            in_registers = aggregate_result(
                self.machine, result.size, result.align, statement.result_scalars, statement.variadic
            )
            if in_registers is None:
                hidden = binary("+", self.machine.stack_pointer, Slot(self.slots[id(result)]))
        moves: list[Move] = []
        if hidden is not None and self.machine.convention.hidden.place is None:
            pointer = il.Type("P", self.machine.model.sizes["pointer"])
            moves.append((assigner.scalar(pointer), pointer, [self.code.address_register(hidden)]))
        for position, argument in enumerate(statement.arguments):
            named = not statement.variadic or position < statement.fixed
            moves += self._argument(argument, assigner, named)
        target = self._callee(statement.function)
        self._place_arguments(moves, assigner.offset, target)
        registers = [r for place, _, _ in moves for r in place.registers]
        if hidden is None:
            dropped = self._to_drop(result.type if result is not None else None, statement.variadic)
            self._emit_call(self.machine.convention.call, {"f": target}, registers, dropped)
        else:
            assert result is not None
            self._call_with_hidden_result(target, registers, hidden, result.size)
        if result is not None:
            self._receive_result(result, in_registers, statement.variadic)

    def _instruction_for(self, statement: il.Call) -> bool:
        """Do a call of a library function that is one instruction of the machine by that instruction."""
        function, result = statement.function, statement.result
        if not isinstance(function, il.AddrGlobal) or result is None or result.type is None or len(statement.arguments) != 1:
            return False
        operator = INSTRUCTIONS.get((function.name, str(result.type)))
        argument = statement.arguments[0]
        if operator is None or self.source.name == function.name or isinstance(argument, il.Block):
            return False
        if argument.type != result.type or self.class_of(result.type) not in self.machine.classes:
            return False
        cls = self.machine.classes[self.class_of(result.type)]
        probe = Register(cls.name, -1, cls.type, True)
        if cls.type != letter(result.type) or not self.machine.is_legal((set_(probe, unary(operator, cls.type, probe)),)):
            return False
        self.store_local(result, self.value(il.Unary(operator, result.type, argument)))
        return True

    def _receive_result(self, result: il.Local, place: Place | None, variadic: bool) -> None:
        if result.type is not None:
            self.store_local(result, self.result_words(result.type, variadic))
        elif place is not None:
            values: Words = [self.code.copy(r) for r in place.registers]
            self._store_aggregate(self._aligned_slot(result), values, place)

    def _aligned_slot(self, aggregate: il.Local) -> Expr:
        """Return the address of an aggregate in the frame, which can be stored to in words from now on."""
        slot = self.function.slots[self.slots[id(aggregate)]]
        slot.align = max(slot.align, self.word_size)
        return binary("+", self.machine.stack_pointer, Slot(slot.name))

    def result_words(self, type_: il.Type, variadic: bool = False) -> Words:
        """Copy a scalar result out of its registers."""
        place = result_place(self.machine, type_, variadic)
        if type_.is_float and not place.floating:
            return self._float_from_words([self.code.copy(r) for r in place.registers], type_)
        words: Words = [self.code.copy(r) for r in place.registers]
        narrow = not type_.is_float and type_.size < self.word_size
        return [self.narrow(words[0], type_)] if narrow and self.machine.convention.narrow_results else words

    def _callee(self, function: il.Expr) -> Expr:
        if isinstance(function, il.AddrGlobal) and function.offset == 0:
            return Symbol("_" + function.name)
        return self.code.reg(self.scalar(function), self.code.address)

    def _argument(self, argument: il.Expr | il.Block, assigner: Assigner, named: bool) -> list[Move]:
        """Evaluate an argument; returns the moves that put it where it travels."""
        if not isinstance(argument, il.Block):
            place = assigner.scalar(argument.type, named)
            words = self.value(argument)
            if argument.type.is_float and place.registers and not place.floating:
                return [(place, None, self._float_to_words(words[0], argument.type))]
            return [(place, argument.type, words)]
        place = assigner.aggregate(argument.size, argument.align, argument.scalars, named)
        address: Expr = self.pointer(argument.address)
        if place.reference:
            copy = self.scratch_slot(argument.size, max(argument.align, self.word_size))
            self.block_copy(copy, address, argument.size, argument.align)
            return [(place, il.Type("P", self.machine.model.sizes["pointer"]), [self.code.address_register(copy)])]
        moves: list[Move] = []
        if place.registers:
            within = replace(place, on_stack=0, size=min(place.size, len(place.registers) * self.word_size))
            moves.append((within, None, self._aggregate_words(address, argument.align, within)))
        if place.on_stack:  # a block on the stack: copied when the arguments are placed
            held = len(place.registers) * self.word_size
            rest = replace(place, registers=(), size=place.size - held)
            moves.append((rest, None, [self.code.address_register(binary("+", address, Const(held)))]))
        return moves

    def _aggregate_words(self, address: Expr, align: int, place: Place) -> Words:
        """Load what travels in the registers of a place; a short word goes through an aligned copy."""
        if place.members:
            return [self.load_words(binary("+", address, Const(at)), type_)[0] for at, type_ in place.members]
        count = len(place.registers)
        if place.size % self.word_size or align < self.word_size:
            copy = self.scratch_slot(count * self.word_size, self.word_size)
            self.block_copy(binary("+", copy, Const(place.lead)), address, place.size, align)
            address = copy
        words: Words = []
        for i in range(count):
            target = self.code.fresh(self.code.integer)
            self.code.load(target, Mem(self.code.word, binary("+", address, Const(i * self.word_size))))
            words.append(target)
        return words

    def _store_aggregate(self, address: Expr, words: Words, place: Place) -> None:
        """Store what came in the registers of a place to an aggregate, a short word through an aligned copy."""
        if place.members:
            for word, (at, type_) in zip(words, place.members, strict=True):
                self.store_words(binary("+", address, Const(at)), [word], type_)
            return
        where = address
        if place.size % self.word_size:
            where = self.scratch_slot(len(words) * self.word_size, self.word_size)
        for i, word in enumerate(words):
            self.code.store(Mem(self.code.word, binary("+", where, Const(i * self.word_size))), word)
        if where is not address:
            self.block_copy(address, binary("+", where, Const(place.lead)), place.size, 1)

    def _float_to_words(self, value: Expr, type_: il.Type) -> Words:
        """Move a floating value's bits into integer words, through memory."""
        slot = self.scratch_slot(type_.size, type_.size)
        self.store_words(slot, [value], type_)
        return self.load_words(slot, il.Type("U", type_.size))

    def _float_from_words(self, words: Words, type_: il.Type) -> Words:
        slot = self.scratch_slot(type_.size, type_.size)
        self.store_words(slot, words, il.Type("U", type_.size))
        return self.load_words(slot, type_)

    def _place_arguments(self, moves: list[Move], stack: int, target: Expr) -> None:
        """Store stack arguments, then move the others into their registers."""
        del target
        saved, self.code.cause = self.code.cause, "argument"
        base = self.machine.convention.first_argument
        self.function.outgoing = max(self.function.outgoing, base + stack)
        for place, type_, words in moves:
            if place.on_stack:
                self._stack_argument(place, type_, words, base + place.offset)
        for place, _, words in moves:
            for register, word in zip(place.registers, words, strict=False):
                self._into_register(register, word)
        self.code.cause = saved

    def _into_register(self, register: Register, word: Expr) -> None:
        if register.type == "F" and word.type == "D":
            self.code.emit(set_(register, unary("cvt", "F", word)))
        else:
            self.code.move(register, word)

    def _stack_argument(self, place: Place, type_: il.Type | None, words: Words, distance: int) -> None:
        offset = self.machine.convention.offset(distance, place.on_stack * self.word_size)
        where = binary("+", self.machine.stack_pointer, Const(offset + place.lead))
        if type_ is None and not place.registers:  # an aggregate, given by its address
            # a call of memcpy would use the place where arguments are being put
            self.block_copy(where, words[0], place.size, min(place.align, self.word_size), calls=False)
            return
        if type_ is not None and type_.is_float:
            if not self._at_odd_words(type_.size):
                self.store_words(where, words, type_)
                return
            words = self._float_to_words(words[0], type_)
        for i, word in enumerate(words[len(place.registers) :]):
            cell = Mem(self.code.word, binary("+", where, Const(i * self.word_size)))
            self.code.store(cell, word)

    def _at_odd_words(self, size: int) -> bool:
        """Whether values of a size may lie on the stack where the machine cannot access them in one piece."""
        return size > self.word_size and self.machine.convention.align_pairs == "never" and not self.machine.misaligned

    def _call_with_hidden_result(self, target: Expr, registers: list[Register], result: Expr, size: int) -> None:
        """Emit a call of a function that is told where to put its result."""
        convention, hidden = self.machine.convention, self.machine.convention.hidden
        bindings = {"f": target, "bytes": Const(size)}
        saved, self.code.cause = self.code.cause, "linkage"
        if hidden.passed:
            bindings["result"] = self.code.address_register(result)
        elif hidden.register is not None:
            self.code.move(hidden.register, self.code.address_register(result))
            registers = [*registers, hidden.register]
        elif hidden.cell is not None:
            cell = Mem(self.machine.address_type, binary("+", self.machine.stack_pointer, Const(hidden.cell)))
            self.function.outgoing = max(self.function.outgoing, convention.distance(hidden.cell, 0) + convention.word)
            self.code.store(cell, self.code.address_register(result))
        self.code.cause = saved
        self._emit_call(hidden.call, bindings, registers)

    def _to_drop(self, type_: il.Type | None, variadic: bool = False) -> tuple[Register, ...]:
        """Return the registers of a result that stays on a register stack until it is popped."""
        if type_ is None or not self.machine.pop:
            return ()
        tops = {effect.target for effect in self.machine.pop if isinstance(effect, Set)}
        return tuple(r for r in result_place(self.machine, type_, variadic).registers if r in tops)

    def _emit_call(
        self,
        pattern: tuple[Effect, ...],
        bindings: dict[str, Expr],
        arguments: list[Register],
        results: tuple[Register, ...] = (),
    ) -> None:
        effects = self.instantiate(pattern, bindings, tuple(arguments), results)
        if not self.machine.is_legal(effects):
            target = self.code.reg(bindings["f"], self.code.integer)
            effects = self.instantiate(pattern, {**bindings, "f": target}, tuple(arguments), results)
        if not self.machine.is_legal(effects):
            raise CannotExpress(f"call (`{show_effects(effects)}`)", self.code.line)
        self.code.append(effects, "linkage")

    def instantiate(
        self,
        pattern: tuple[Effect, ...],
        bindings: dict[str, Expr],
        registers: tuple[Register, ...],
        results: tuple[Register, ...] = (),
    ) -> tuple[Effect, ...]:
        """Fill in the convention's call or return: registers of arguments or results, results that a caller must drop."""
        result: list[Effect] = []
        for effect in self.machine.instantiate(pattern, bindings, self.code.fresh):
            if isinstance(effect, Call):
                effect = Call(effect.target, registers, results)
            elif isinstance(effect, Return):
                effect = Return(effect.target, registers)
            result.append(effect)
        return tuple(result)

    def call_routine(self, name: str, arguments: list[tuple[il.Type, Words]], result: il.Type) -> Words:
        """Call a routine of the run-time library."""
        if self.function.name == "_" + name:
            raise CannotExpress(f"the operation that {name} stands for", self.code.line)
        assigner = Assigner(self.machine)
        moves: list[Move] = []
        for type_, words in arguments:
            place = assigner.scalar(type_)
            if type_.is_float and place.registers and not place.floating:
                moves.append((place, None, self._float_to_words(words[0], type_)))
            else:
                moves.append((place, type_, words))
        self._place_arguments(moves, assigner.offset, Symbol("_" + name))
        registers = [r for place, _, _ in moves for r in place.registers]
        dropped = self._to_drop(result)
        self._emit_call(self.machine.convention.call, {"f": Symbol("_" + name)}, registers, dropped)
        return self.result_words(result)

    def block_copy(self, target: Expr, source: Expr, size: int, align: int, calls: bool = True) -> None:
        """Copy a block: inline if that takes few moves, else by memcpy, or by a loop where nothing may be called."""
        step = min(align, self.word_size) if not self.machine.misaligned else self.word_size
        step = max(1, min(step, align)) if align < self.word_size else self.word_size
        if size > INLINE_COPY * step and not calls:
            self._copy_loop(target, source, size, align, step)
            return
        if size > INLINE_COPY * step:
            pointer = il.Type("P", self.machine.model.sizes["pointer"])
            count = il.Type("U", self.machine.model.sizes["long"])
            to = [self.code.address_register(target)]
            where = [self.code.address_register(source)]
            self.call_routine("memcpy", [(pointer, list(to)), (pointer, list(where)), (count, [Const(size)])], pointer)
            return
        saved, self.code.cause = self.code.cause, "variable"
        offset = 0
        while offset < size:
            while step > size - offset:
                step //= 2
            unit = il.Type("U", step)
            words = self.load_words(binary("+", source, Const(offset)), unit)
            self.store_words(binary("+", target, Const(offset)), words, unit)
            offset += step
        self.code.cause = saved

    def _copy_loop(self, target: Expr, source: Expr, size: int, align: int, step: int) -> None:
        """Copy whole steps in a loop, and the rest inline."""
        start = self.code.address_register(source)
        end = self.code.operate("+", start, Const(size - size % step), self.code.address)
        from_, to = self.code.copy(start), self.code.copy(self.code.address_register(target))
        top, unit = self.function.label(), il.Type("U", step)
        self.start_block(top)
        self.store_words(to, self.load_words(from_, unit), unit)
        for pointer in (from_, to):
            self.code.emit(Set(pointer, binary("+", pointer, Const(step))))
        self.code.branch("!=", from_, end, top)
        self.start_block(self.function.label())
        self.block_copy(to, from_, size % step, align)

    # ---------------------------------------------------------------------------------------- parameters, results

    def receive_parameters(self) -> None:
        """Move arguments from where the convention puts them to where they live."""
        self.code.cause = "argument"
        source = self.source
        assigner = Assigner(self.machine, source.variadic)
        self.hidden: Register | None = None
        later: list[tuple[il.Local, Place]] = []
        if self._has_hidden_result():
            self.hidden = self._receive_hidden(assigner)
        pending: list[tuple[il.Local, Place, Words]] = []
        for position, parameter in enumerate(source.parameters):
            place = (
                assigner.aggregate(parameter.size, parameter.align, source.parameter_scalars[position])
                if parameter.type is None
                else assigner.scalar(parameter.type)
            )
            if place.registers:
                pending.append((parameter, place, [self.code.copy(r) for r in place.registers]))
            else:
                later.append((parameter, place))
        if source.variadic:
            self._save_variadic(assigner)
        for parameter, place, words in pending:
            self._receive(parameter, place, words)
        for parameter, place in later:
            self._receive(parameter, place, [])

    def _has_hidden_result(self) -> bool:
        return self.source.result_size > 0 and self._aggregate_result() is None

    def _receive_hidden(self, assigner: Assigner) -> Register:
        """Return the address at which the caller wants the result."""
        convention, place = self.machine.convention, self.machine.convention.hidden.place
        pointer = il.Type("P", self.machine.model.sizes["pointer"])
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

    def _aggregate_result(self) -> Place | None:
        """Return the registers in which this function leaves an aggregate result."""
        source = self.source
        return aggregate_result(self.machine, source.result_size, source.result_align, source.result_scalars, source.variadic)

    def _receive(self, parameter: il.Local, place: Place, words: Words) -> None:
        if parameter.type is None and not place.reference:
            self._receive_aggregate(parameter, place, words)
            return
        words = list(words)
        convention, size = self.machine.convention, place.on_stack * self.word_size
        type_ = parameter.type or il.Type("P", self.machine.model.sizes["pointer"])
        for i in range(place.on_stack):
            if type_.is_float and not place.registers and not self._at_odd_words(type_.size):
                break
            target = self.code.fresh(self.code.address if type_.kind == "P" else self.code.integer)
            offset = place.offset + convention.step(i * self.word_size, self.word_size, size)
            self.code.load(target, Mem(self.code.word, self._incoming(offset, self.word_size)))
            words.append(target)
        if place.reference:
            address = binary("+", self.machine.stack_pointer, Slot(self.slots[id(parameter)]))
            self.block_copy(address, self.code.reg(words[0], self.code.address), parameter.size, parameter.align)
            return
        if type_.is_float and not place.floating:
            if words:
                words = self._float_from_words(words, type_)
            else:
                words = self.load_words(self._incoming(place.offset, type_.size), type_)
        if type_.kind == "P":
            words = [self.code.reg(words[0], self.code.address)]
        self.store_local(parameter, words)

    def _receive_aggregate(self, parameter: il.Local, place: Place, words: Words) -> None:
        """Put together an aggregate from registers and stack."""
        address = self._aligned_slot(parameter)
        held = len(words) * self.word_size
        if words:
            self._store_aggregate(address, words, replace(place, size=min(place.size, held)))
        if place.on_stack:
            where = binary("+", self._incoming(place.offset, place.on_stack * self.word_size), Const(place.lead))
            rest = place.size - held
            self.block_copy(binary("+", address, Const(held)), where, rest, min(parameter.align, self.word_size))

    def _incoming(self, offset: int, size: int) -> Expr:
        """Return the address of an incoming stack argument."""
        return self._incoming_at(f".in.{offset}", self.machine.convention.first_argument + offset, size)

    def _incoming_at(self, name: str, distance: int, size: int) -> Expr:
        """Return the address of what the caller has at a distance from its stack pointer, as a slot."""
        distance += self._pushed()
        self.function.slots.setdefault(name, FrameSlot(name, "incoming", size, 1, distance))
        return binary("+", self.machine.stack_pointer, Slot(name))

    def _pushed(self) -> int:
        """Return how many bytes calls of this function push."""
        convention = self.machine.convention
        return convention.hidden.pushed if self._has_hidden_result() else convention.pushed

    def _save_variadic(self, assigner: Assigner) -> None:
        """Store the argument registers that may carry variable arguments next to the stack arguments."""
        convention = self.machine.convention
        registers = assigner.integers if convention.variadic_registers else []
        used = min(assigner.next_integer, len(registers))
        size = len(registers) * self.word_size
        base = convention.first_argument + self._pushed()
        self.function.slots[VARIADIC] = FrameSlot(VARIADIC, "incoming", size or self.word_size, 1, base - size)
        for index in range(used, len(registers)):
            offset = convention.step(index * self.word_size, self.word_size, size)
            address = binary("+", self.machine.stack_pointer, Slot(VARIADIC, offset))
            self.code.store(Mem(self.code.word, address), registers[index])
        first = used * self.word_size if used < len(registers) else size + assigner.offset
        self.variadic_offset = convention.step(first, 0, size or self.word_size)

    def variadic_start(self, statement: il.VaStart) -> None:
        """Store the address of the first variable argument."""
        first = self.code.address_register(binary("+", self.machine.stack_pointer, Slot(VARIADIC, self.variadic_offset)))
        self.store_words(self.pointer(statement.address), [first], il.Type("P", self.machine.model.sizes["pointer"]))

    def variadic_argument(self, statement: il.VaArg) -> None:
        """Advance a va_list over one argument."""
        convention = self.machine.convention
        pointer = il.Type("P", self.machine.model.sizes["pointer"])
        where = self.pointer(statement.address)
        current: Expr = self.load_words(where, pointer)[0]
        size = statement.size if statement.type is None else statement.type.size
        by_reference = (
            statement.type is None
            and convention.aggregates == "reference"
            and -(-size // self.word_size) > convention.aggregate_words
        )
        if by_reference:
            size = pointer.size
        align = statement.align if statement.type is None else size
        room = -(-size // self.word_size) * self.word_size
        if convention.align_pairs == "every" and room > self.word_size:
            align = 2 * self.word_size
        if convention.grows_up:  # a va_list is the end of the next argument
            current = self.code.operate("+", current, Const(-room), self.code.address)
        if align > self.word_size and convention.align_pairs != "never" and not by_reference:
            raised = 0 if convention.grows_up else align - 1
            current = self.code.operate("+", current, Const(raised), self.code.address)
            current = self.code.operate("&", current, Const(-align), self.code.address)
        advanced = self.code.operate("+", current, Const(0 if convention.grows_up else room), self.code.address)
        self.store_words(where, [advanced], pointer)
        if align > self.word_size and self._at_odd_words(size) and not by_reference:
            aligned = self.scratch_slot(room, align)
            self.block_copy(aligned, current, room, self.word_size)
            current = self.code.address_register(aligned)
        if statement.type is None and convention.lead(size):
            current = self.code.operate("+", current, Const(convention.lead(size)), self.code.address)
        if by_reference:
            current = self.load_words(self.code.reg(current, self.code.address), pointer)[0]
        elif statement.type is not None and self.machine.big_endian and size < self.word_size:  # at the end of its word
            current = self.code.operate("+", current, Const(self.word_size - size), self.code.address)
        self.store_local(statement.result, [current])

    def leave(self, value: il.Expr | il.Block | None) -> None:
        """Expand a return."""
        registers: tuple[Register, ...] = ()
        if isinstance(value, il.Block):
            registers = self._return_aggregate(value)
        elif value is not None:
            type_ = self.source.result or value.type
            words = self.convert(self.value(value), value.type, type_)
            place = result_place(self.machine, type_, self.source.variadic)
            if type_.is_float and not place.floating:
                words = self._float_to_words(words[0], type_)
            self.code.cause = "argument"
            for register, word in zip(place.registers, words, strict=True):
                self._into_register(register, word)
            registers = place.registers
        convention = self.machine.convention
        pattern = convention.hidden.return_ if self._has_hidden_result() else convention.return_
        effects = self.instantiate(pattern, {}, registers)
        if not self.machine.is_legal(effects):
            raise CannotExpress(f"return (`{show_effects(effects)}`)", self.code.line)
        self.code.append(effects, "linkage")

    def _return_aggregate(self, block: il.Block) -> tuple[Register, ...]:
        place = self._aggregate_result()
        if place is not None:
            words = self._aggregate_words(self.pointer(block.address), block.align, place)
            self.code.cause = "argument"
            for register, word in zip(place.registers, words, strict=True):
                self._into_register(register, word)
            return place.registers
        assert self.hidden is not None
        self.block_copy(self.hidden, self.pointer(block.address), block.size, block.align)
        results = self.machine.convention.results
        register = (results.get("address") or results["integer"])[0]
        self.code.move(register, self.hidden)
        return (register,)

    # ---------------------------------------------------------------------------------------------- system calls

    def system_call(self, statement: il.Syscall) -> None:
        """Expand a system call: arguments into the registers that the machine's SYS instruction names."""
        effect = self.machine.capabilities.system_call
        if effect is None:
            raise CannotExpress("system call (an instruction with SYS)", self.code.line)
        result, pattern = effect.target, effect.source
        assert isinstance(result, Register)
        assert isinstance(pattern, Op)
        words: Words = []
        for argument in (statement.number, *statement.arguments):
            words += self.value(argument)
        words += [Const(0)] * (len(pattern.args) - len(words))
        copies = [self.code.reg(word) if not isinstance(word, Const) else word for word in words]
        for register, word in zip(pattern.args, copies, strict=False):
            assert isinstance(register, Register)
            self.code.move(register, word)
        self.code.append((effect,), "program")
        type_ = statement.result.type
        assert type_ is not None
        word_type = il.Type("I", self.word_size)
        value = self.code.copy(result, self.code.integer)
        self.store_local(statement.result, self.convert([value], word_type, type_))
