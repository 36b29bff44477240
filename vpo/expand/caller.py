"""Expanding calls of functions and of the system, and of instructions that a program calls by name."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

from vpo import il
from vpo.algebra import binary, extend, rebuild_effect, set_, unary
from vpo.base.errors import CannotExpress
from vpo.expand.argument_passing import Assigner, Place, aggregate_result
from vpo.expand.arithmetic import Aggregates
from vpo.expand.builder import Builder
from vpo.expand.evaluation import Evaluation
from vpo.expand.linkage import Linkage, Move
from vpo.expand.routines import Routines
from vpo.expand.words import Words, letter
from vpo.link.dispatchers import dispatched
from vpo.lower.code import cost_of
from vpo.rtl import Const, Effect, Expr, Mem, Op, Register, Symbol

INSTRUCTIONS = {("fabs", "F8"): "abs", ("fabsf", "F4"): "abs", ("fma", "F8"): "fma", ("fmaf", "F4"): "fma"}
INT = 4  # bytes: what is shorter some callees expect to be an int
DEAREST = 64  # what the operations in the place of a call may cost: by cycles and bytes, as `cost_of` has them


class Calls:
    """Emits calls."""

    def __init__(
        self, builder: Builder, evaluation: Evaluation, linkage: Linkage, routines: Routines, aggregates: Aggregates
    ) -> None:
        self.builder, self.code, self.machine = builder, builder.code, builder.machine
        self.evaluation, self.values, self.locals = evaluation, evaluation.values, evaluation.locals
        self.linkage, self.routines, self.aggregates = linkage, routines, aggregates

    def call(self, statement: il.Call) -> None:
        """Expand a call statement."""
        if self._is_instruction(statement):
            return
        result = statement.result
        place, hidden = self._result(statement)
        room = result.size if result is not None and hidden is not None else None
        if not isinstance(statement.function, il.AddrGlobal) and not self.linkage.calls_pointers(room):
            statement = dispatched(statement, self.values.pointer)
            place, hidden = self._result(statement)
        assigner = Assigner(self.machine, statement.variadic)
        moves: list[Move] = []
        if hidden is not None and self.machine.convention.hidden.place is None:
            pointer = self.values.pointer
            moves.append((assigner.scalar(pointer), pointer, [self.code.address_register(hidden)]))
        alike = not statement.variadic or self.machine.convention.variadic_list != "pointer"
        for position, argument in enumerate(statement.arguments):
            named = alike or position < statement.fixed
            moves += self._argument(argument, assigner, named)
            prototyped = not statement.unprototyped and (position < statement.fixed or not statement.variadic)
            if prototyped and not isinstance(argument, il.Block):
                moves[-1] = self._extended_freely(moves[-1])
        target = self._callee(statement.function)
        registers = self.linkage.place_arguments(moves, assigner.offset, statement.variadic or statement.unprototyped)
        count = self.machine.convention.variadic_count
        if count is not None and (statement.variadic or statement.unprototyped):
            self.code.move(count, Const(assigner.floats_used))
            registers = [*registers, count]
        if hidden is None:
            self.linkage.call(target, registers, result.type if result is not None else None, statement.variadic)
        else:
            assert result is not None
            self.linkage.call_with_hidden_result(target, registers, hidden, result.size)
        if result is not None:
            self._receive(result, place, statement.variadic)

    def _is_instruction(self, statement: il.Call) -> bool:
        """Do a call of a library function that is one instruction of most machines, or hardly more, without a call."""
        function, result = statement.function, statement.result
        if not isinstance(function, il.AddrGlobal) or result is None or result.type is None:
            return False
        operator = INSTRUCTIONS.get((function.name, str(result.type)))
        if operator is None or self.builder.function.name == "_" + function.name:
            return False
        arguments = [each for each in statement.arguments if not isinstance(each, il.Block) and each.type == result.type]
        if len(arguments) != (3 if operator == "fma" else 1) or len(statement.arguments) != len(arguments):
            return False
        if operator == "fma":
            return self._is_fused(result, result.type, arguments)
        argument = arguments[0]
        cls = self.machine.classes[self.values.class_of(result.type)]
        probe = Register(cls.name, -1, cls.type, True)
        if cls.type != letter(result.type):
            return False
        if not self.machine.is_legal((set_(probe, unary(operator, cls.type, probe)),)):
            cost = cost_of(self.code, lambda code: code.convert(operator, cls.type, probe, cls.name))
            if cost is None or cost > DEAREST:
                return False
        self.locals.set(result, self.evaluation.value(il.Unary(operator, result.type, argument)))
        return True

    def _is_fused(self, result: il.Local, type_: il.Type, arguments: list[il.Expr]) -> bool:
        """Add to a product and round once, if an instruction does that."""
        arithmetic = self.evaluation.arithmetic
        if not arithmetic.fuses(type_):
            return False
        words = tuple(self.evaluation.value(argument)[0] for argument in arguments)
        self.locals.set(result, arithmetic.fused(type_, words))
        return True

    # ----------------------------------------------------------------------------------------------------- results

    def _result(self, statement: il.Call) -> tuple[Place | None, Expr | None]:
        """Return the registers with the result of a call if it is an aggregate, or the address where it shall be put."""
        result = statement.result
        if result is None or result.type is not None:
            return None, None
        place = aggregate_result(
            self.machine, result.size, statement.result_align, statement.result_scalars, statement.variadic
        )
        return place, self.locals.address(result) if place is None else None

    def _receive(self, result: il.Local, place: Place | None, variadic: bool) -> None:
        if result.type is not None:
            self.locals.set(result, self.linkage.result(result.type, variadic))
        elif place is not None:
            words: Words = [self.code.copy(register) for register in place.registers]
            self.aggregates.store(self.aggregates.aligned(result), words, place)

    # --------------------------------------------------------------------------------------------------- arguments

    def _callee(self, function: il.Expr) -> Expr:
        if isinstance(function, il.AddrGlobal) and function.offset == 0:
            return Symbol("_" + function.name)
        return self.code.reg(self.evaluation.scalar(function), self.code.address)

    def _argument(self, argument: il.Expr | il.Block, assigner: Assigner, named: bool) -> list[Move]:
        """Evaluate an argument; returns the moves that put it where it travels."""
        if isinstance(argument, il.Block):
            place = assigner.aggregate(argument.size, argument.align, argument.scalars, named)
            return self._aggregate(argument, self.evaluation.pointer(argument.address), place)
        place = assigner.scalar(argument.type, named)
        words = self.evaluation.value(argument)
        if argument.type.is_float and place.registers and not place.floating:
            return [(place, None, self.linkage.accesses.bits_of_float(words[0], argument.type))]
        return [(place, argument.type, words)]

    def _extended_freely(self, move: Move) -> Move:
        """Let an argument that nobody need extend be extended as operations leave it, without an instruction for that."""
        place, type_, words = move
        word, out = words[0], self.code.out
        if not self.machine.convention.narrow_arguments or type_ is None or type_.is_float or type_.size != INT or not out:
            return move
        effect = out[-1].single_set
        match effect.source if effect is not None and effect.target is word else None:
            case Op(op="sx", type=whole, args=(Op(op="tr", args=(Register(pseudo=True) as held,)) as part,)):
                total = unary("tr", part.type, binary("+", held, held))
                if type_.size < self.values.word_size and self.machine.is_legal((set_(held, extend("zx", whole, total)),)):
                    return place, type_, [self.code.convert("zx", whole, part)]
        return move

    def _aggregate(self, argument: il.Block, address: Expr, place: Place) -> list[Move]:
        """Return the moves that put an aggregate where it travels."""
        word_size = self.values.word_size
        if place.rest is not None:
            behind = replace(argument, size=place.rest.size, align=math.gcd(argument.align, place.start))
            others = self._aggregate(behind, binary("+", address, Const(place.start)), place.rest)
            return [*self._aggregate(argument, address, replace(place, rest=None)), *others]
        if place.reference and argument.owned:
            return [(place, self.values.pointer, [self.code.address_register(address)])]
        if place.reference:
            copy = self.builder.scratch_slot(argument.size, max(argument.align, word_size))
            self.routines.copy(copy, address, argument.size, argument.align)
            return [(place, self.values.pointer, [self.code.address_register(copy)])]
        moves: list[Move] = []
        held = len(place.registers) * word_size
        if place.registers:
            within = replace(place, on_stack=0, size=min(place.size, held))
            moves.append((within, None, self.aggregates.load(address, argument.align, within)))
        if place.on_stack:  # a block on the stack: copied when the arguments are placed
            rest = replace(place, registers=(), size=place.size - held)
            moves.append((rest, None, [self.code.address_register(binary("+", address, Const(held)))]))
        return moves

    # ------------------------------------------------------------------------------------------------ system calls

    def system_call(self, statement: il.Syscall) -> None:
        """Expand a system call: arguments into the registers or cells that one of the machine's SYS instructions names."""
        words: Words = []
        for argument in (statement.number, *statement.arguments):
            words += self.evaluation.value(argument)
        calls = [(effect, cast("Op", effect.source).args) for effect in self.machine.capabilities.system_calls]
        effect, places = next(((effect, places) for effect, places in calls if len(places) >= len(words)), (None, ()))
        if effect is None:
            wanted = "an instruction with SYS" if not calls else f"an instruction with SYS of {len(words)} operands"
            raise CannotExpress(f"system call ({wanted})", self.code.line)
        result = effect.target
        assert isinstance(result, Register)
        words += [Const(0)] * (len(places) - len(words))
        copies = [self.code.reg(word) if not isinstance(word, Const) else word for word in words]
        for place, word in zip(places, copies, strict=True):
            assert isinstance(place, Register | Mem)
            if isinstance(place, Mem):
                self.linkage.leave_room(place)
            self.code.emit(set_(place, word))
        self.code.append((effect,), "program")
        type_ = statement.result.type
        assert type_ is not None
        value: Words = [self.code.copy(result, self.code.integer)]
        self.locals.set(statement.result, self.evaluation.casting.convert(value, self.values.word_type, type_))


# ----------------------------------------------------------------------------------------------------------------------
# Instructions that a program calls by name, on the machine that has them: one RTL each.


class CalledInstructions:
    """Emits instructions that a program calls."""

    def __init__(self, builder: Builder, evaluation: Evaluation) -> None:
        self.code, self.evaluation, self.locals = builder.code, evaluation, evaluation.locals

    def call(self, statement: il.Instruction) -> None:
        """Expand a call: the arguments into its registers, the RTL, the results out of them."""
        places, targets = (cast("tuple[Register, ...]", registers) for registers in (statement.places, statement.targets))
        own = {place: self._own(place) for place in dict.fromkeys((*places, *targets))}
        words = [self.evaluation.scalar(argument) for argument in statement.arguments]
        for place, word in zip(places, words, strict=True):
            self.code.move(own[place], word)
        effects = cast("tuple[Effect, ...]", statement.effects)

        def replaced(node: Expr) -> Expr | None:
            return own.get(node) if isinstance(node, Register) else None

        self.code.append(tuple(rebuild_effect(effect, replaced, targets=True) for effect in effects), "program")
        taken = [self._taken(own[target], local) for target, local in zip(targets, statement.results, strict=True)]
        for local, register in zip(statement.results, taken, strict=True):
            self.locals.set(local, [register])

    def _taken(self, register: Register, local: il.Local) -> Register:
        """Return a register of the class for a local with what an instruction has set."""
        assert local.type is not None
        taken = self.code.fresh(self.evaluation.values.class_of(local.type))
        self.code.move(taken, register)
        return taken

    def _own(self, place: Register) -> Register:
        """Return the register of this call that stands for one of the RTL: a hard register for itself."""
        return self.code.fresh(place.cls, place.type) if place.pseudo else place
