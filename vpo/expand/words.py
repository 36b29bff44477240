"""How machine words hold values of C types.

A value is a list of words in memory order: one register or constant for scalars up to the word, floating values and
addresses, several for wider integers.  Integers narrower than a word are kept extended by their signedness, except those
of the type that the description keeps sign-extended whether they are signed or not (`sign_extended` among its `values`).
"""

from __future__ import annotations

from vpo import il
from vpo.algebra import unary, wrap
from vpo.lower.legalize import Legalizer
from vpo.rtl import BITS, Const, Expr, Register

Words = list[Expr]
INTEGER_LETTER = {1: "B", 2: "W", 4: "L", 8: "Q"}


def letter(type_: il.Type) -> str:
    """Return the type letter of an IL type."""
    if type_.is_float:
        return "F" if type_.size == 4 else "D"
    return INTEGER_LETTER[type_.size]


class Values:
    """Tells how words hold values, and emits what brings words into the range of a type."""

    def __init__(self, code: Legalizer) -> None:
        self.code, self.machine = code, code.machine
        self.bits = BITS[code.word]
        self.word_size = self.bits // 8
        self.pointer = il.Type("P", self.machine.model.sizes["pointer"])
        self.word_type = il.Type("I", self.word_size)

    # ------------------------------------------------------------------------------------------------------- types

    def count(self, type_: il.Type) -> int:
        """Return how many words hold a type."""
        return 1 if type_.is_float else max(1, self.words_in(type_.size))

    def words_in(self, size: int) -> int:
        """Return how many words hold some bytes."""
        return -(-size // self.word_size)

    def class_of(self, type_: il.Type) -> str:
        """Return the register class for one word of a type.

        Raises CannotExpress if the machine has none.
        """
        if type_.is_float:
            classes = self.machine.values
            if type_.size == 4 and not classes.single and classes.double:
                return classes.double
            return self.code.class_for(letter(type_))
        return self.code.address if type_.kind == "P" else self.code.integer

    def fresh(self, type_: il.Type) -> Register:
        """Hand out a pseudo-register for one word of a type."""
        return self.code.fresh(self.class_of(type_))

    def extension(self, type_: il.Type) -> str:
        """Return how a word holds an integer type narrower than it: 'sx' or 'zx'."""
        return "sx" if type_.is_signed or letter(type_) == self.machine.values.sign_extended else "zx"

    def misheld(self, type_: il.Type) -> bool:
        """Whether words hold an unsigned type sign-extended, so that they are not its numbers."""
        narrow = not type_.is_float and type_.size < self.word_size
        return narrow and not type_.is_signed and self.extension(type_) == "sx"

    # ------------------------------------------------------------------------------------------------------- words

    def low(self, words: Words) -> Words:
        """Convert between memory order and least-significant-first order (its own inverse)."""
        return words[::-1] if self.machine.big_endian else list(words)

    def wrapped(self, value: int) -> int:
        """Bring a number into the signed range of a word."""
        return wrap(value, self.bits)

    def split(self, value: int, count: int) -> Words:
        """Split a number into words, in memory order."""
        return self.low([Const(self.wrapped(value >> (self.bits * i))) for i in range(count)])

    def integer(self, value: int, type_: il.Type) -> Words:
        """Return a number of an integer type."""
        if not type_.is_signed:
            value &= (1 << (8 * type_.size)) - 1
        if self.count(type_) == 1:
            return [Const(wrap(value, 8 * type_.size) if self.misheld(type_) else self.wrapped(value))]
        return self.split(value, self.count(type_))

    def in_integer(self, word: Expr) -> Expr:
        """Return a constant, or a register of the integer class with the value of a word."""
        return self.code.reg(word, self.code.integer) if not isinstance(word, Const) else word

    def narrow(self, word: Expr, type_: il.Type) -> Expr:
        """Bring a word into the range of an integer type narrower than the word."""
        return word if type_.size >= self.word_size else self.extended(self.extension(type_), word, type_)

    def extended(self, op: str, word: Expr, type_: il.Type) -> Expr:
        """Extend the low bits of a word by 'sx' or 'zx'."""
        if isinstance(word, Const):
            value = wrap(word.value, type_.size * 8)
            return Const(value if op == "sx" else value & ((1 << type_.size * 8) - 1))
        if not isinstance(word, Register):
            word = self.code.reg(word, self.code.integer)
        return self.code.convert(op, self.code.word, unary("tr", letter(type_), word))

    def number(self, word: Expr, type_: il.Type) -> Expr:
        """Return a word that is the number which a word of an integer type stands for."""
        return self.extended("zx", word, type_) if self.misheld(type_) else word


# ----------------------------------------------------------------------------------------------------------------------
# Operators and relations of the intermediate language, as RTLs have them.


OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "and": "&", "or": "|", "xor": "^",
             "shl": "<<", "shr": ">>"}  # fmt: skip
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
