"""Converting values between C types."""

from __future__ import annotations

from vpo import il
from vpo.algebra import unary
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import Accesses
from vpo.expand.routines import Routines
from vpo.expand.wide import WideArithmetic
from vpo.expand.words import Values, Words, letter
from vpo.il.routine_names import MODES
from vpo.rtl import Const, Expr, Symbol


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
