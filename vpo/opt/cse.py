"""Common subexpressions, copies and constants within extended basic blocks, by value numbering.

    r[t1]=HI[_x];                 r[t1]=HI[_x];
    r[t5]=HI[_x];           =>    r[t5]=r[t1];         (which copy propagation then makes useless)

The state at the end of a block is carried into every block whose only predecessor it is; globally, what concerns only
registers that are set once is carried into every block that it dominates.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import rebuild_effect
from vpo.analysis.alias import Aliases
from vpo.analysis.cfg import Cfg
from vpo.analysis.liveness import Numbering, access, has_side_effect, numbering_of, set_once
from vpo.function import Block
from vpo.machines.machine import Machine
from vpo.opt.state import ALIASES, CFG, DOMINATORS, FunctionState
from vpo.rtl import Const, Effect, Expr, Mem, Op, Register, Rtl, Set


def eliminate_common_subexpressions(state: FunctionState) -> None:
    """Eliminate common subexpressions within extended basic blocks, and propagate copies and constants."""
    _eliminate(state, everywhere=False)


def eliminate_common_subexpressions_globally(state: FunctionState) -> None:
    """Eliminate common subexpressions along the dominator tree, too, for registers that are set once."""
    _eliminate(state, everywhere=True)


def _eliminate(handle: FunctionState, everywhere: bool) -> None:
    function, machine = handle.function, handle.machine
    cfg = handle.get(CFG)
    idom = handle.get(DOMINATORS) if everywhere else {}
    steady = set(set_once(function)) | machine.zero | {machine.stack_pointer}
    numbering, aliases = numbering_of(function, machine), handle.get(ALIASES)
    states: dict[int, State] = {}
    for index in cfg.reverse_postorder():
        state = _inherited(index, cfg, states)
        if state is None and idom.get(index, index) != index:
            state = states[idom[index]].steady_part(steady)
        state = state or State(machine, numbering, aliases)
        for rtl in function.blocks[index].rtls:
            state.improve(rtl, function.blocks[index], handle)
            state.record(rtl)
        states[index] = state


def _inherited(index: int, cfg: Cfg, states: dict[int, State]) -> State | None:
    predecessors = cfg.predecessors[index]
    if len(predecessors) == 1 and index != 0 and predecessors[0] in states:
        return states[predecessors[0]].fork()
    return None


class State:
    """What is known at one point: which register holds which value."""

    def __init__(self, machine: Machine, numbering: Numbering, aliases: Aliases) -> None:
        self.machine, self.numbering, self.aliases = machine, numbering, aliases
        self.holder: dict[Expr, Register] = {}  # a value -> a register that holds it
        self.values: dict[Register, set[Expr]] = {}  # a register -> the values it holds (the inverse)
        self.copies: dict[Register, Expr] = {}  # a register -> the register or constant it equals
        self.readers: dict[Register, set[Register]] = {}  # a register -> registers whose entries mention it

    def fork(self) -> State:
        """Return an independent copy."""
        other = State(self.machine, self.numbering, self.aliases)
        other.holder, other.copies = dict(self.holder), dict(self.copies)
        other.values = {k: set(v) for k, v in self.values.items()}
        other.readers = {k: set(v) for k, v in self.readers.items()}
        return other

    def steady_part(self, steady: set[Register]) -> State:
        """Return what stays true wherever this point dominates: values without memory, of registers set once."""
        other = State(self.machine, self.numbering, self.aliases)
        for value, register in self.holder.items():
            if register in steady and steady.issuperset(value.uses) and not value.memory:
                other._hold(value, register)
        for register, copy in self.copies.items():
            if register in steady and steady.issuperset(copy.uses):
                other.copies[register] = copy
                other._note(register, copy)
        return other

    def improve(self, rtl: Rtl, block: Block, handle: FunctionState) -> None:
        """Rewrite one RTL of a block with what is known."""
        copies = self.copies
        relevant = [r for r in rtl.uses if r in copies]
        if relevant:
            self._propagate(rtl, relevant, block, handle)
        effect = rtl.single_set()
        if effect is None or type(effect.target) is not Register:
            return
        source = effect.source
        if isinstance(source, Const) or getattr(source, "op", "") == "SYS":
            return
        if isinstance(source, Register) and source.cls == effect.target.cls:
            return
        holder = self.holder.get(source)
        if holder is not None and holder is not effect.target and holder.type == effect.target.type:
            handle.replace(block, rtl, (Set(effect.target, holder),))

    def _propagate(self, rtl: Rtl, registers: list[Register], block: Block, handle: FunctionState) -> None:
        for register in registers:
            for replacement in self._replacements(register):
                new = tuple(
                    rebuild_effect(e, lambda node, r=register, n=replacement: n if node is r else None)  # type: ignore[misc]
                    for e in rtl.effects
                )
                if new != rtl.effects and self._acceptable(rtl.effects, new) and handle.replace(block, rtl, new):
                    break

    def _replacements(self, register: Register) -> Iterator[Expr]:
        """Yield what can be read instead of a register; instead of 0, a register that always is."""
        yield self.copies[register]
        if self.copies[register] is Const(0):
            same_class = (zero for zero in self.machine.zero if zero.cls == register.cls)
            yield from sorted(same_class, key=lambda zero: zero.index)

    def _acceptable(self, old: tuple[Effect, ...], new: tuple[Effect, ...]) -> bool:
        """Whether the new RTL is legal, no larger, and changes no more registers."""
        record, before = self.machine.recognize(new), self.machine.recognize(old)
        if record is None or before is None:
            return False
        return record.size <= before.size and set(record.clobbers) <= set(before.clobbers)

    def record(self, rtl: Rtl) -> None:
        """Update what is known past an RTL."""
        entry = access(rtl, self.numbering)
        for register in self.numbering.members(entry.sets | entry.clobbers):
            self._forget(register)
        if has_side_effect(rtl):
            self._forget_memory(rtl)
        single = rtl.single_set()
        if single is not None:
            self._learn(single)

    def _learn(self, effect: Set) -> None:
        target, source = effect.target, effect.source
        if any(cell.volatile for cell in source.memory):
            return
        if type(target) is Mem:
            if not target.volatile and isinstance(source, Register) and source.pseudo and source.type == target.type:
                self._hold(target, source)
            return
        assert type(target) is Register
        if not target.pseudo or target in source.uses or getattr(source, "op", "") == "SYS":
            return
        if isinstance(source, Register):
            if source.pseudo and source.cls != target.cls:
                self._hold(source, target)  # a copy in another class is for other uses
            elif source.pseudo:
                self.copies[target] = self.copies.get(source, source)
                self._note(target, self.copies[target])
        elif isinstance(source, Const):
            self.copies[target] = source
            self._hold(source, target)
        elif (isinstance(source, Op | Mem) or source.type == "") and all(
            r.pseudo or r in self.numbering.untracked for r in source.uses
        ):
            self._hold(source, target)

    def _hold(self, value: Expr, register: Register) -> None:
        if value in self.holder:
            return
        self.holder[value] = register
        self.values.setdefault(register, set()).add(value)
        self._note(register, value)

    def _note(self, register: Register, value: Expr) -> None:
        for used in value.uses:
            self.readers.setdefault(used, set()).add(register)

    def _forget(self, register: Register) -> None:
        self._drop(register)
        for reader in self.readers.pop(register, ()):
            copy = self.copies.get(reader)
            if copy is not None and register in copy.uses:
                del self.copies[reader]
            for value in [v for v in self.values.get(reader, ()) if register in v.uses]:
                self._drop_value(reader, value)

    def _drop(self, register: Register) -> None:
        self.copies.pop(register, None)
        for value in self.values.pop(register, ()):
            if self.holder.get(value) is register:
                del self.holder[value]

    def _drop_value(self, register: Register, value: Expr) -> None:
        self.values[register].discard(value)
        if self.holder.get(value) is register:
            del self.holder[value]

    def _forget_memory(self, rtl: Rtl) -> None:
        """Forget values of memory that an RTL may change."""
        for value, register in list(self.holder.items()):
            if any(self.aliases.may_change(rtl, cell) for cell in value.memory):
                self._drop_value(register, value)
