"""Calls and returns as the machine's convention writes them: values into their places, the transfer, results out of theirs."""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary, set_, unary
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import Accesses, BlockCopies
from vpo.expand.argument_passing import Place, result_place
from vpo.expand.builder import Builder, special_register
from vpo.expand.words import Values, Words
from vpo.rtl import Call, Const, Effect, Expr, Mem, Op, Register, Return, Set
from vpo.text import show_effects

Move = tuple[Place, il.Type | None, Words]  # an argument's place, type if it is a scalar, and words


class Linkage:
    """Emits calls of functions whose arguments are values, and returns."""

    def __init__(self, builder: Builder, values: Values, accesses: Accesses, copies: BlockCopies) -> None:
        self.builder, self.code, self.machine = builder, builder.code, builder.machine
        self.values, self.accesses, self.copies = values, accesses, copies

    # --------------------------------------------------------------------------------------------------- arguments

    def place_arguments(self, moves: list[Move], stack: int, unknown: bool = False) -> list[Register]:
        """Store stack arguments, then move the others into their registers, which are returned.

        `stack` is how many bytes they use up of the stack; `unknown` says that the callee may look for others than these.
        """
        convention = self.machine.convention
        base = convention.first_argument
        homes = convention.homes == "always" or unknown or any(place.on_stack for place, _, _ in moves)
        room = base + stack if homes else convention.reserved
        self.builder.function.outgoing = max(self.builder.function.outgoing, room)
        with self.code.because("argument"):
            for place, type_, words in moves:
                if place.on_stack:
                    self._stack_argument(place, type_, words, base + place.offset)
            for place, _, words in moves:
                self.into_registers(place.registers, words)
        return [register for place, _, _ in moves for register in place.registers]

    def leave_room(self, cell: Mem) -> None:
        """Leave room for a cell of the stack in which something is passed."""
        pointer, function = self.machine.stack_pointer, self.builder.function
        match cell.address:
            case Op(op="+", args=(base, Const(value=offset))) if base is pointer:
                end = self.machine.convention.distance(offset, 0) + self.machine.convention.word
                function.outgoing = max(function.outgoing, end)

    def into_registers(self, registers: tuple[Register, ...], words: Words) -> None:
        """Move words into the registers in which they travel; a routine that makes one of them would change the others."""
        routine, self.code.routine = self.code.routine, None
        for register, word in sorted(zip(registers, words, strict=False), key=self._is_one_move):
            if register.type == "F" and word.type == "D":
                self.code.emit(set_(register, unary("cvt", "F", word)))
            else:
                self.code.move(register, word)
        self.code.routine = routine

    def _is_one_move(self, transfer: tuple[Register, Expr]) -> bool:
        """Whether a value moves into a register at once; the others go first, as they need registers that still are free."""
        register, word = transfer
        return not isinstance(word, Register) or word.type != register.type or self.machine.is_legal((Set(register, word),))

    def _stack_argument(self, place: Place, type_: il.Type | None, words: Words, distance: int) -> None:
        word_size = self.values.word_size
        offset = self.machine.convention.offset(distance, place.on_stack * word_size)
        where = binary("+", self.machine.stack_pointer, Const(offset + place.lead))
        if type_ is None and not place.registers:  # an aggregate, given by its address
            # a call of memcpy would use the place where arguments are being put
            self.copies.copy(where, words[0], place.size, min(place.align, word_size))
            return
        if type_ is not None and type_.is_float:
            if not self.at_odd_words(type_.size):
                self.accesses.store(where, words, type_)
                return
            words = self.accesses.bits_of_float(words[0], type_)
        for i, word in enumerate(words[len(place.registers) :]):
            cell = Mem(self.code.word, binary("+", where, Const(i * word_size)))
            self.code.store(cell, word)

    def at_odd_words(self, size: int) -> bool:
        """Whether values of a size may lie on the stack where the machine cannot access them in one piece."""
        whole = self.machine.convention.align_pairs != "never" or self.machine.misaligned
        return size > self.values.word_size and not whole

    # ------------------------------------------------------------------------------------------------------- calls

    def call(self, target: Expr, arguments: list[Register], result: il.Type | None, variadic: bool = False) -> None:
        """Emit a call whose arguments are in place, and which has a scalar result or none."""
        dropped = self._to_drop(result, variadic)
        self._emit_call(self.machine.convention.call, {"f": target}, arguments, dropped)

    def call_with_hidden_result(self, target: Expr, registers: list[Register], result: Expr, size: int) -> None:
        """Emit a call of a function that is told where to put its result."""
        hidden = self.machine.convention.hidden
        bindings = {"f": target, "bytes": Const(size)}
        with self.code.because("linkage"):
            if hidden.passed:
                bindings["result"] = self.code.address_register(result)
            elif hidden.register is not None:
                self.code.move(hidden.register, self.code.address_register(result))
                registers = [*registers, hidden.register]
            elif hidden.cell is not None:
                cell = Mem(self.machine.address_type, binary("+", self.machine.stack_pointer, Const(hidden.cell)))
                self.leave_room(cell)
                self.code.store(cell, self.code.address_register(result))
        self._emit_call(hidden.call, bindings, registers)

    def calls_pointers(self, room: int | None = None) -> bool:
        """Whether there is a call of a function whose address is in a register, with a result in memory if it has `room`."""
        pattern, bindings = self.machine.convention.call, dict[str, Expr]()
        if room is not None:
            pattern = self.machine.convention.hidden.call
            bindings = {"bytes": Const(room), "result": self._dummy(self.code.address)}
        return self._class_of_callees(pattern, bindings) is not None or self._special(pattern, bindings) is not None

    def _class_of_callees(self, pattern: tuple[Effect, ...], bindings: dict[str, Expr]) -> str | None:
        """Return the register class from which a call takes the address of a function; None if there is none."""
        for cls in dict.fromkeys((self.code.integer, self.code.address)):
            if self.machine.is_legal(self._instantiate(pattern, {**bindings, "f": self._dummy(cls)}, ())):
                return cls
        return None

    def _special(self, pattern: tuple[Effect, ...], bindings: dict[str, Expr]) -> Register | None:
        """Return a register outside the classes of values from which a call takes the address of a function."""
        return special_register(self.machine, lambda register: self._instantiate(pattern, {**bindings, "f": register}, ()))

    def _dummy(self, cls: str) -> Register:
        return Register(cls, -1, self.machine.classes[cls].type, True)

    def _to_drop(self, type_: il.Type | None, variadic: bool) -> tuple[Register, ...]:
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
        effects = self._instantiate(pattern, bindings, tuple(arguments), results)
        if not self.machine.is_legal(effects):
            bindings = {**bindings, "f": self._callee(pattern, bindings, effects)}
            effects = self._instantiate(pattern, bindings, tuple(arguments), results)
        self.code.append(effects, "linkage")

    def _callee(self, pattern: tuple[Effect, ...], bindings: dict[str, Expr], effects: tuple[Effect, ...]) -> Register:
        """Put the address of a function where a call takes it."""
        if (cls := self._class_of_callees(pattern, bindings)) is not None:
            return self.code.reg(bindings["f"], cls)
        special = self._special(pattern, bindings)
        if special is None:
            raise CannotExpress(f"call (`{show_effects(effects)}`)", self.code.line)
        with self.code.because("linkage"):
            self.code.move(special, bindings["f"])
        return special

    def return_(self, pattern: tuple[Effect, ...], registers: tuple[Register, ...]) -> None:
        """Emit a return with results in registers."""
        effects = self._instantiate(pattern, {}, registers)
        if not self.machine.is_legal(effects):
            raise CannotExpress(f"return (`{show_effects(effects)}`)", self.code.line)
        self.code.append(effects, "linkage")

    def _instantiate(
        self,
        pattern: tuple[Effect, ...],
        bindings: dict[str, Expr],
        registers: tuple[Register, ...],
        results: tuple[Register, ...] = (),
    ) -> tuple[Effect, ...]:
        """Fill in the convention's call or return: registers of arguments or results, results that a caller must drop."""
        effects: list[Effect] = []
        for effect in self.machine.instantiate(pattern, bindings, self.code.fresh):
            if isinstance(effect, Call):
                effect = Call(effect.target, registers, results)
            elif isinstance(effect, Return):
                effect = Return(effect.target, registers)
            effects.append(effect)
        return tuple(effects)

    # ----------------------------------------------------------------------------------------------------- results

    def result(self, type_: il.Type, variadic: bool = False) -> Words:
        """Copy a scalar result out of its registers."""
        place = result_place(self.machine, type_, variadic)
        words: Words = [self.code.copy(register) for register in place.registers]
        if type_.is_float:
            return words if place.floating else self.accesses.float_of_bits(words, type_)
        narrow = type_.size < self.values.word_size and self.machine.convention.narrow_results
        return [self.values.narrow(words[0], type_)] if narrow else words
