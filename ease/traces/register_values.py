"""Which symbolic values the registers of a function hold at its blocks and RTLs."""

from __future__ import annotations

from collections.abc import Iterator

from ease.host.emitter import Emitter
from ease.traces.symbolic_values import State, SymbolicValues, Value
from vpo.analysis.call_graph import callee_of
from vpo.analysis.cfg import build_cfg
from vpo.analysis.delay_slots import delay_slots
from vpo.analysis.register_summaries import Key, RegisterSummaries
from vpo.function import Function
from vpo.program import Program
from vpo.rtl import Call, Mem, Register, Rtl, Set

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
        for index, rtl in enumerate(rtls):
            number = self.first + self.starts[block] + index
            slots = delay_slots(self.machine, self.function, rtl)
            self.emitter.literals = literals
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
