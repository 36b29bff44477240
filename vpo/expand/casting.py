"""Converting values between C types, and aggregates that travel in registers."""

from __future__ import annotations

from vpo import il
from vpo.algebra import binary, unary
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import Accesses
from vpo.expand.argument_passing import Place
from vpo.expand.builder import Builder
from vpo.expand.locals import Locals
from vpo.expand.routines import Routines
from vpo.expand.wide import WideArithmetic
from vpo.expand.words import Values, Words, letter
from vpo.il.routine_names import MODES
from vpo.rtl import Const, Expr, Mem, Symbol

# ----------------------------------------------------------------------------------------------------------------------
# Converting values between C types.


class Casting:
    """Emits conversions."""

    def __init__(self, values: Values, accesses: Accesses, wide: WideArithmetic, routines: Routines) -> None:
        self.code, self.values, self.accesses, self.wide, self.routines = values.code, values, accesses, wide, routines

    def convert(self, words: Words, source: il.Type, target: il.Type) -> Words:
        """Convert a value between types."""
        if source == target:
            return words
        if source.is_float and target.is_float:
            return [self._float_to_float(words[0], target)]
        if source.is_float:
            return self._float_to_integer(words[0], source, target)
        if target.is_float:
            return [self._integer_to_float(words, source, target)]
        if source.size < target.size and self.values.misheld(source):
            words, source = [self.values.number(words[0], source)], il.Type("U", self.values.word_size)
        if self.values.count(target) == 1:
            return [self._to_word(self.values.low(words)[0], source, target)]
        return self._to_words(words, source, target)

    def _to_word(self, word: Expr, source: il.Type, target: il.Type) -> Expr:
        """Convert the low word of an integer or address to a type of one word."""
        values = self.values
        if target.kind == "P" or source.kind == "P":
            return self._between_classes(word, target)
        if source.size <= target.size < values.word_size and values.extension(target) == values.extension(source):
            return word
        if source.size < target.size and (target.size == values.word_size or values.extension(source) == "zx"):
            return word
        return values.narrow(word, target)

    def _to_words(self, words: Words, source: il.Type, target: il.Type) -> Words:
        """Convert an integer to a type of several words."""
        values = self.values
        have, want = values.count(source), values.count(target)
        if have == 1:
            return self.wide.extend(values.in_integer(words[0]), source.is_signed, want)
        low = values.low(words)
        if want <= have:
            return values.low(low[:want])
        filler = self.code.operate(">>", low[-1], Const(values.bits - 1)) if source.is_signed else Const(0)
        return values.low(low + [filler] * (want - have))

    def _between_classes(self, word: Expr, target: il.Type) -> Expr:
        if isinstance(word, Const | Symbol) and target.size >= self.values.word_size:
            return word
        if target.kind == "P":
            return self.code.reg(word, self.code.address)
        return self.values.narrow(self.values.in_integer(word), target)

    def _float_to_float(self, word: Expr, target: il.Type) -> Expr:
        if target.size == 8 and word.type == "D":
            return word
        if target.size == 4 and word.type == "D" and self.values.class_of(target) == self.values.class_of(il.F8):
            return self.accesses.rounded(word, target)
        return self.code.convert("cvt", letter(target), word, self.values.class_of(target))

    def _float_to_integer(self, word: Expr, source: il.Type, target: il.Type) -> Words:
        values = self.values
        signed = target.is_signed or target.size < values.word_size
        if target.size < values.word_size:
            cell = unary("cvt" if target.is_signed else "cvtu", letter(target), word)
            narrow = self.code.attempt_value(unary(values.extension(target), self.code.word, cell))
            if narrow is not None:
                return [narrow]
        if values.count(target) == 1:
            try:
                result = self.code.convert("cvt" if signed else "cvtu", self.code.word, word)
                return [values.narrow(result, target)]
            except CannotExpress:
                pass
        wide = il.Type("I" if signed else "U", max(target.size, values.word_size))
        name = f"__fix{'' if signed else 'uns'}{'sf' if source.size == 4 else 'df'}{MODES[wide.size]}"
        return self.convert(self.routines.call(name, [(source, [word])], wide), wide, target)

    def _integer_to_float(self, words: Words, source: il.Type, target: il.Type) -> Expr:
        values = self.values
        signed = source.is_signed or source.size < values.word_size
        if values.count(source) == 1:
            word = self.code.reg(values.in_integer(values.number(words[0], source)), self.code.integer)
            held = "D" if values.class_of(target) == self.code.machine.values.double else letter(target)
            try:
                result = self.code.convert("cvt" if signed else "cvtu", held, word, values.class_of(target))
                return self.accesses.rounded(result, target)
            except CannotExpress:
                pass
        wide = il.Type("I" if signed else "U", max(source.size, values.word_size))
        name = f"__float{'' if signed else 'un'}{MODES[wide.size]}{'sf' if target.size == 4 else 'df'}"
        return self.routines.call(name, [(wide, self.convert(words, source, wide))], target)[0]


# ----------------------------------------------------------------------------------------------------------------------
# Aggregates that travel in registers: loading their words, and putting them together again.


class Aggregates:
    """Emits moves of aggregates between memory and words."""

    def __init__(self, builder: Builder, values: Values, accesses: Accesses, variables: Locals, routines: Routines) -> None:
        self.builder, self.code, self.values = builder, builder.code, values
        self.accesses, self.locals, self.routines = accesses, variables, routines

    def load(self, address: Expr, align: int, place: Place) -> Words:
        """Load what travels in the registers of a place; a short word goes through an aligned copy."""
        if place.members:
            return [self.accesses.load(binary("+", address, Const(at)), type_)[0] for at, type_ in place.members]
        count, word_size = len(place.registers), self.values.word_size
        if place.size % word_size or self.builder.machine.model.access_size(align) < word_size:
            copy = self.builder.scratch_slot(count * word_size, word_size)
            self.routines.copy(binary("+", copy, Const(place.lead)), address, place.size, align)
            address = copy
        words: Words = []
        for i in range(count):
            target = self.code.fresh(self.code.integer)
            self.code.load(target, Mem(self.code.word, binary("+", address, Const(i * word_size))))
            words.append(target)
        return words

    def store(self, address: Expr, words: Words, place: Place) -> None:
        """Store what came in the registers of a place to an aggregate, a short word through an aligned copy."""
        if place.members:
            for word, (at, type_) in zip(words, place.members, strict=True):
                self.accesses.store(binary("+", address, Const(at)), [word], type_)
            return
        word_size, where = self.values.word_size, address
        if place.size % word_size:
            where = self.builder.scratch_slot(len(words) * word_size, word_size)
        for i, word in enumerate(words):
            self.code.store(Mem(self.code.word, binary("+", where, Const(i * word_size))), word)
        if where is not address:
            self.routines.copy(address, binary("+", where, Const(place.lead)), place.size, 1)

    def aligned(self, aggregate: il.Local) -> Expr:
        """Return the address of an aggregate in the frame, which can be stored to in words from now on."""
        slot = self.locals.slot(aggregate)
        slot.align = max(slot.align, self.values.word_size)
        return self.locals.address(aggregate)
