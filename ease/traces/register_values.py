"""Which symbolic values the registers of a function hold at its blocks and RTLs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from ease.host.translation.emitter import Emitter
from vpo.analysis.cfg import build_cfg, delay_slots
from vpo.analysis.register_summaries import Key, Registers, RegisterSummaries
from vpo.analysis.transfers import callee_of
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS, Call, Const, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Symbolic values: what registers hold, as sums of unknown terms and a constant.
#
# Two registers whose values have the same terms differ by a known number (global value numbering over linear forms; Karr 1976
# calls these affine relations).  A term is a number that stands for what nobody computes here: a register at the entry of its
# function, what a load brought, what a call left, what paths that join leave in a register, or an operator applied to values.


MOST = 6  # terms of a sum; a longer one becomes a term of its own


class Value(NamedTuple):
    """The sum of terms times their factors, plus `offset`, modulo the size of addresses."""

    terms: frozenset[tuple[int, int]]
    offset: int


State = dict[Key, Value]  # what registers hold; one that is missing holds what it held at the entry
NO_TERMS: frozenset[tuple[int, int]] = frozenset()


class SymbolicValues:
    """The values of one function.  `constant` tells the value of a constant expression, or None."""

    def __init__(self, machine: Machine, registers: Registers, constant: Callable[[Expr], int | None]) -> None:
        self.machine, self.registers, self.constant = machine, registers, constant
        self.word = machine.address_type
        self.modulus = 1 << BITS[self.word]
        self.numbers: dict[tuple[Hashable, ...], int] = {}
        self.origins: list[tuple[Any, ...]] = []  # where the terms come from, by their numbers

    def term(self, *origin: Hashable) -> Value:
        """Return the value of which is known where it comes from, and no more."""
        number = self.numbers.get(origin)
        if number is None:
            number = self.numbers[origin] = len(self.origins)
            self.origins.append(origin)
        return Value(frozenset(((number, 1),)), 0)

    def plus(self, value: Value, amount: int) -> Value:
        """Return a value plus a number."""
        return Value(value.terms, (value.offset + amount) % self.modulus)

    def held(self, key: Key, state: Mapping[Key, Value]) -> Value:
        """Return what a register holds."""
        return state.get(key) or self.term("entry", key)

    def is_whole(self, register: Register) -> bool:
        """Whether a register holds an address, and nothing else is kept beside it."""
        storage = self.registers.storage(register)
        return register.type == self.word and len(storage) == 1 and self.registers.types[storage[0][0]] == self.word

    def of(self, node: Expr, state: Mapping[Key, Value], number: int) -> Value:
        """Return the value of an expression in the RTL of a number, before that changes the state."""
        constant = self.constant(node)
        if constant is not None:
            return Value(NO_TERMS, constant % self.modulus)
        match node:
            case Register():
                return self._register(node, state)
            case Mem():
                return self.term("load", number, node)
            case Op(op="+" | "-", args=(left, right)) if node.type in (self.word, ""):
                return self.add(self.of(left, state, number), self.of(right, state, number), 1 if node.op == "+" else -1)
            case Op(op="*", args=(left, Const(value=factor))) if node.type == self.word:
                return self.scaled(self.of(left, state, number), factor)
            case Op(op="<<", args=(left, Const(value=count))) if node.type == self.word and 0 <= count < BITS[self.word]:
                return self.scaled(self.of(left, state, number), 1 << count)
            case Op(op="SYS"):
                return self.term("system", number)
            case Op():
                return self.term(node.op, node.type, *(self.of(arg, state, number) for arg in node.args))
        raise TypeError(node)

    def _register(self, register: Register, state: Mapping[Key, Value]) -> Value:
        if register in self.machine.zero:
            return Value(NO_TERMS, 0)
        parts = [self.held(key, state) for key in self.registers.storage(register)]
        return parts[0] if self.is_whole(register) else self.term("view", register.cls, register.index, *parts)

    def add(self, left: Value, right: Value, sign: int = 1) -> Value:
        """Return the sum of two values, or, with the sign -1, their difference."""
        factors = dict(left.terms)
        for term, factor in right.terms:
            factors[term] = (factors.get(term, 0) + sign * factor) % self.modulus
        terms = frozenset((term, factor) for term, factor in factors.items() if factor)
        offset = (left.offset + sign * right.offset) % self.modulus
        return Value(terms, offset) if len(terms) <= MOST else self.term("sum", terms, offset)

    def scaled(self, value: Value, factor: int) -> Value:
        """Return a value times a number."""
        terms = ((term, old * factor % self.modulus) for term, old in value.terms)
        return Value(frozenset((term, new) for term, new in terms if new), value.offset * factor % self.modulus)


# ----------------------------------------------------------------------------------------------------------------------


Edge = tuple[int, int]  # from a block to a block


class RegisterValues:
    """The values at the entry of each reachable block (`entry`), and on each edge between such blocks (`on_edge`).

    Forward data flow; where paths join that disagree about a register, a term of the block stands for it.
    """

    def __init__(self, program: Program, function: Function, summaries: RegisterSummaries, again: frozenset[str]) -> None:
        self.program, self.function, self.summaries, self.again = program, function, summaries, again
        self.machine, self.registers = program.machine, summaries.registers
        self.emitter = Emitter(self.machine, self.registers, program.symbols, 0)
        self.emitter.slots = {s.name: s.offset for s in function.slots.values() if s.offset is not None}
        self.values = SymbolicValues(self.machine, self.registers, self.emitter.constant)
        self.cfg = build_cfg(function)
        self.order = self.cfg.reverse_postorder()
        self.first = program.first(function.name)
        self.starts = function.block_starts()
        self.joined: dict[int, set[Key]] = {}  # by block, the registers about which paths disagree
        self.entry: dict[int, State] = {}
        self.on_edge: dict[Edge, State] = {}
        while self._changes():
            pass

    def _changes(self) -> bool:
        """Go over the blocks once; return whether anything changed."""
        changed = False
        for block in self.order:
            before = self._join(block)
            if self.entry.get(block) == before:
                continue
            changed, self.entry[block] = True, before
            after, annulled = before, before
            for _, rtl, _, after in self.steps(block):
                if rtl.annuls:
                    annulled = after  # what the slots do is on the edge to the target only
            for target in self.cfg.successors[block]:
                self.on_edge[block, target] = self._leaving(block, target, after, annulled)
        return changed

    def _leaving(self, block: int, target: int, after: State, annulled: State) -> State:
        rtls = self.function.blocks[block].rtls
        if not any(rtl.annuls for rtl in rtls[-3:]):
            return after
        return annulled if target == block + 1 else after

    def _join(self, block: int) -> State:
        incoming = [self.on_edge[p, block] for p in self.cfg.predecessors[block] if (p, block) in self.on_edge]
        if block == 0:
            incoming.append({})
        joined = self.joined.setdefault(block, set())
        result: State = {}
        for key in {key for state in incoming for key in state}:
            held = {self.values.held(key, state) for state in incoming}
            if len(held) > 1 or key in joined:
                joined.add(key)
                result[key] = self.values.term("join", block, key)
            else:
                result[key] = held.pop()
        return result

    def steps(self, block: int) -> Iterator[tuple[int, Rtl, State, State]]:
        """Yield index, RTL, the state before it and the one behind it, for each RTL of a block."""
        state = self.entry[block]
        rtls = self.function.blocks[block].rtls
        call: tuple[int, int, Call] | None = None  # where the call under way happens, behind its slots
        fetched, literals = self.program.fetched[self.function.name], self.program.literals_of(self.function.name, block)
        labels = {each.label: self.program.labels[self.function.name, each.label] for each in self.function.blocks}
        for index, rtl in enumerate(rtls):
            number = self.first + self.starts[block] + index
            slots = delay_slots(self.machine, self.function, rtl)
            self.emitter.literals, self.emitter.labels = literals, labels
            self.emitter.next_address = fetched[self.starts[block] + index + slots][1]
            after = self._behind(rtl, state, number)
            if rtl.call is not None:
                call = index + slots, number, rtl.call
            if call is not None and call[0] == index:
                after = self._behind_call(after, call[1], call[2])
                call = None
            yield index, rtl, state, after
            state = after

    def _behind(self, rtl: Rtl, state: State, number: int) -> State:
        """Return the state behind an RTL, before anybody that it calls has done anything."""
        changes: State = {}
        for effect in rtl.effects:
            if not isinstance(effect, Set) or not isinstance(effect.target, Register) or effect.target in self.machine.zero:
                continue
            if self.values.is_whole(effect.target):
                changes[self.registers.storage(effect.target)[0]] = self.values.of(effect.source, state, number)
            else:
                for key in self.registers.storage(effect.target):
                    changes[key] = self.values.term("set", number, key)
        return {**state, **changes} if changes else state

    def _behind_call(self, state: State, number: int, call: Call) -> State:
        """Return the state behind a call."""
        callee = callee_of(self.program, call)
        if self.comes_again(call):
            return {key: self.values.term("call", number, key) for key in self._all_keys()}
        changed = self.registers.members(self.summaries.signatures[callee].changed)
        result = {**state, **{key: self.values.term("call", number, key) for key in changed}}
        pointer = self.registers.storage(self.machine.stack_pointer)[0]
        if pointer not in changed and self.machine.convention.pushed:
            result[pointer] = self.values.plus(self.values.held(pointer, state), self.machine.convention.pushed)
        return result

    def _all_keys(self) -> Iterator[Key]:
        for cls in self.machine.classes.values():
            if cls.width == 1:
                yield from ((cls.bank, index) for index in range(cls.count))

    def comes_again(self, call: Call) -> bool:
        """Whether a call may return more than once, as one of setjmp does."""
        return callee_of(self.program, call) in self.again

    def is_address(self, key: Key) -> bool:
        """Whether a register holds words of the size of addresses."""
        return self.registers.types.get(key[0]) == self.machine.address_type

    def address(self, cell: Mem, state: State, number: int) -> Value:
        """Return the value of the address of a cell to which the RTL of a number refers."""
        return self.values.of(cell.address, state, number)
