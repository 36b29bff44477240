"""A check of expansions that move values in parts: each is executed, and must be right in the byte order of the machine.

An expansion is refused if it is wrong in this order and right in the other one; nothing is said of others, since some hold
only where they are used, as those of results of system calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from vpo.algebra import INTEGER_OF
from vpo.algebra.values import Evaluator, Value, from_bytes, mask, to_bytes, view
from vpo.machines.match.pattern import number_of
from vpo.machines.read.registers import Classes
from vpo.rtl import BITS, CODE_TYPES, Const, Expr, Half, Mem, Set, Slot, subexpressions
from vpo.text import RegisterVariable, Variable

SEEDS = range(3)
NUMBERS = (16, 8, 4, 2, 1, 3, 0, -1)  # for constants: the first that the condition allows
SYMBOL, FRAME = 0x12340, 0x400


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The patterns of an expansion, and when it holds."""

    pattern: tuple[Any, ...]
    into: list[tuple[Any, ...]]
    condition: Callable[[dict[str, Any]], Any] | None


def is_for_other_order(rewriting: Rewriting, classes: Classes, word: str, big_endian: bool) -> bool:
    """Whether an expansion does what it says in the other byte order only."""
    rtls = [rewriting.pattern, *rewriting.into]
    if any(not isinstance(effect, Set) for effect in chain.from_iterable(rtls)):
        return False
    if len({node.type for node in _nodes(rtls) if isinstance(node, Mem)}) < 2:
        return False
    try:
        numbers = _numbers(rewriting)
        if numbers is None:
            return False
        here, there = (partial(_Run, classes, word, big, numbers) for big in (big_endian, not big_endian))
        return not _is_right(rewriting, here) and _is_right(rewriting, there)
    except (NotImplementedError, ArithmeticError):
        return False


def _nodes(rtls: list[tuple[Any, ...]]) -> Iterator[Any]:
    for effect in chain.from_iterable(rtls):
        yield from subexpressions(effect.target)
        yield from subexpressions(effect.source)


def _numbers(rewriting: Rewriting) -> dict[str, int] | None:
    """Return a number for each variable of an expansion's pattern that is no register, such that it holds."""
    nodes = list(_nodes([rewriting.pattern]))
    names = {node.name for node in nodes if isinstance(node, Variable)}
    registers = {node.name for node in nodes if isinstance(node, RegisterVariable)}
    for tried in NUMBERS:
        numbers = dict.fromkeys(names, tried)
        values = {name: number_of(Const(number)) for name, number in numbers.items()} | dict.fromkeys(registers, -1)
        if rewriting.condition is None or rewriting.condition(values):
            return numbers
    return None


def _is_right(rewriting: Rewriting, begin: Callable[[int], _Run]) -> bool:
    """Whether an expansion does with some values what its pattern does."""
    for seed in SEEDS:
        wanted, done = begin(seed), begin(seed)
        wanted.execute(rewriting.pattern)
        for effects in rewriting.into:
            done.execute(effects)
        if any(done.registers.get(name) != wanted.registers[name] for name in wanted.written):
            return False
        if any(done.byte(address) != value for address, value in wanted.memory.items()):
            return False
    return True


class _Run(Evaluator):
    """Registers and memory, full of random numbers; registers are kept as their bits."""

    def __init__(self, classes: Classes, word: str, big_endian: bool, numbers: dict[str, int], seed: int) -> None:
        super().__init__(word)
        self.classes, self.big_endian, self.numbers, self.seed = classes, big_endian, numbers, seed
        self.registers: dict[object, int] = {}
        self.written: set[object] = set()
        self.memory: dict[int, int] = {}

    def execute(self, effects: tuple[Set, ...]) -> None:
        """Do the effects of an RTL at once."""
        found = []
        for effect in effects:
            target = effect.target
            address = self.evaluate(target.address) & mask(self.word) if isinstance(target, Mem) else 0
            found.append((target, address, self.evaluate(effect.source, target.type)))
        for target, address, value in found:
            if isinstance(target, Mem):
                for number, byte in enumerate(to_bytes(value, target.type, self.big_endian)):
                    self.memory[address + number] = byte
            else:
                name = self._name(target)
                self.registers[name] = self._bits(value, target.type)
                self.written.add(name)

    def evaluate(self, node: Expr, type_: str = "") -> Value:
        """Return the value of an expression, of type `type_` if it has none of its own."""
        return self.read(node) if isinstance(node, RegisterVariable) else super().evaluate(node, type_)

    def read(self, register: Any) -> Value:
        """Return the value of a register."""
        name = self._name(register)
        if name not in self.registers:
            self.registers[name] = Random(f"{name} {self.seed}").getrandbits(BITS.get(register.type, 0))
        if register.type in CODE_TYPES:
            raise NotImplementedError
        return view(self.registers[name] & mask(register.type), INTEGER_OF[BITS[register.type]], register.type)

    def load(self, type_: str, address: int) -> Value:
        """Return what a memory cell holds."""
        raw = bytes(self.byte((address & mask(self.word)) + number) for number in range(BITS[type_] // 8))
        return from_bytes(raw, type_, self.big_endian)

    def byte(self, address: int) -> int:
        """Return a byte of memory."""
        return self.memory.get(address, Random(address * 8 + self.seed).getrandbits(8))

    def constant(self, node: Expr) -> int:
        """Return the value of a constant or address."""
        match node:
            case Const():
                return node.value
            case Variable():
                return self.numbers[node.name]
            case Slot():
                return FRAME + node.offset
            case Half(which="HI"):
                return (int(self.evaluate(node.of)) + SYMBOL) & ~0xFFFF
            case Half(which="LO"):
                return (int(self.evaluate(node.of)) + SYMBOL) & 0xFFFF
        raise NotImplementedError

    def _name(self, register: Any) -> object:
        if isinstance(register, RegisterVariable):
            return register.name
        return (self.classes[register.cls].bank, register.index)

    def _bits(self, value: Value, type_: str) -> int:
        if type_ in CODE_TYPES:
            raise NotImplementedError
        bits: int = view(value, type_, INTEGER_OF[BITS[type_]])
        return bits & mask(type_)
