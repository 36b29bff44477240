"""Which registers each function reads on entry, changes, and hands back: exact sets over the whole program.

A set is an integer with one bit for each register of each bank.  All functions whose address is taken share one set of
everything, because an indirect call may reach any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from vpo.algebra import binary
from vpo.algebra.equivalents import split_address
from vpo.analysis.cfg import delay_slots
from vpo.analysis.transfers import INDIRECT, address_taken, callee_of
from vpo.il.routine_names import RESUME_CONTEXT
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import BITS, Branch, Call, Const, Effect, Expr, IndirectJump, Jump, Mem, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# Which registers a function saves at entry and restores before it returns, and the RTLs that do so.


def saved_registers(function: Function, machine: Machine) -> frozenset[Register]:
    """Return the registers that a function saves at entry and restores, each in one cell, before every return (if any).

    The link register is not among them: what is restored there says where the function returns to.  Nor are registers by way
    of which others are saved.
    """
    carriers: set[Register] = set()
    cells: dict[Register, set[Expr]] = {}
    restored: dict[Register, set[Expr]] = {}
    returns = any(isinstance(rtl.transfer, Return) for rtl in function.rtls())
    for rtl in function.rtls():
        if rtl.cause == "save":
            carriers |= _carriers(rtl, machine)
        for effect in rtl.effects:
            if not isinstance(effect, Set) or not (rtl.cause == "save" or isinstance(rtl.transfer, Return)):
                continue
            target, source = effect.target, effect.source
            if is_cell(target, machine) and isinstance(source, Register):
                cells.setdefault(source, set()).add(_behind_step(target, rtl, machine))
            elif isinstance(target, Register) and is_cell(source, machine):
                restored.setdefault(target, set()).add(source)
    return frozenset(
        register
        for register, saved in cells.items()
        if len(saved) == 1
        and register not in carriers
        and (restored.get(register) == saved or not returns)
        and register is not machine.convention.link
    )


def _carriers(rtl: Rtl, machine: Machine) -> set[Register]:
    """Return the registers that an RTL sets to something that is in no cell, unless it saves them itself."""
    sets = [effect for effect in rtl.effects if isinstance(effect, Set)]
    saved = {effect.source for effect in sets if is_cell(effect.target, machine)}
    moved = {effect.target for effect in sets if not is_cell(effect.source, machine)}
    return {register for register in moved - saved if isinstance(register, Register)}


def _behind_step(cell: Expr, rtl: Rtl, machine: Machine) -> Expr:
    """Return a cell as it is called behind an RTL that moves the stack pointer."""
    if not isinstance(cell, Mem):
        return cell
    sp = machine.stack_pointer
    moved = next((effect.source for effect in rtl.effects if isinstance(effect, Set) and effect.target is sp), sp)
    base, offset = split_address(cell.address)
    after, step = split_address(moved)
    return Mem(cell.type, binary("+", sp, Const(offset - step))) if base == after else cell


def is_cell(node: Expr, machine: Machine) -> bool:
    """Whether registers can be saved there: in memory, or in a register of which each activation has its own."""
    return isinstance(node, Mem) or machine.is_private(node)


def is_saving(rtl: Rtl, effect: Effect, saved: frozenset[Register], machine: Machine) -> bool:
    """Whether an effect of an RTL saves or restores one of the registers that its function preserves."""
    if not isinstance(effect, Set) or not (rtl.cause == "save" or isinstance(rtl.transfer, Return)):
        return False
    if is_cell(effect.target, machine):
        return effect.source in saved
    return effect.target in saved and is_cell(effect.source, machine)


# ----------------------------------------------------------------------------------------------------------------------


Key = tuple[str, int]  # bank and index of a register


class Registers:
    """Numbers the registers of a machine; a bank is kept in the type of its widest view."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.types: dict[str, str] = {}
        self.banks = {cls.name: cls.bank for cls in machine.classes.values()}
        for cls in (c for c in machine.classes.values() if c.width == 1):
            if cls.bank not in self.types or BITS.get(cls.type, 0) > BITS.get(self.types[cls.bank], 0):
                self.types[cls.bank] = cls.type
        self.keys: list[Key] = []
        self.numbers: dict[Key, int] = {}
        self.zero = {(self.banks[r.cls], r.index) for r in machine.zero}
        self.local = {*self.zero, *machine.private_registers()}  # never passed

    def storage(self, register: Register) -> tuple[Key, ...]:
        """Return the storage of a register: two places if it is a pair, in memory order.

        Raises ValueError for a pseudo-register.
        """
        if register.pseudo:
            raise ValueError(f"{register!r}: registers must be assigned first")
        return self.machine.storage(register)

    def bits(self, register: Register) -> int:
        """Return the set that a register consists of; zero registers and private ones are in none."""
        result = 0
        for key in self.storage(register):
            if key in self.local:
                continue
            number = self.numbers.get(key)
            if number is None:
                number = self.numbers[key] = len(self.keys)
                self.keys.append(key)
            result |= 1 << number
        return result

    def members(self, registers: int) -> list[Key]:
        """List a set."""
        return [key for number, key in enumerate(self.keys) if registers >> number & 1]


@dataclass(slots=True)
class Signature:
    """What calls of a function must pass and get back."""

    changed: int = 0
    read: int = 0
    returned: int = 0


@dataclass(slots=True)
class _Step:
    """Part of a block: registers read, then set; then perhaps a call.  `perhaps` are set in slots that may be annulled."""

    read: int = 0
    set: int = 0
    perhaps: int = 0
    callee: str | None = None


@dataclass(slots=True)
class _Outline:
    """A function reduced to what the analysis needs."""

    blocks: list[list[_Step]] = field(default_factory=list)
    successors: list[list[int]] = field(default_factory=list)
    returns: list[bool] = field(default_factory=list)
    live: list[int] = field(default_factory=list)


class RegisterSummaries:
    """The analysis; `signatures[name]` is the outcome, `signatures[INDIRECT]` that of indirect calls.

    With `trust`, functions are taken to restore the registers that they save, and the stack pointer: only a program
    that reads or overwrites frames can tell the difference.  `saved[name]` are those registers.  `observed` are registers that
    somebody looks at anywhere in a function: as if every RTL of it read them.
    """

    def __init__(
        self, program: Program, trust: bool = True, observed: Mapping[str, Iterable[Register]] = MappingProxyType({})
    ) -> None:
        self.program = program
        self.registers = Registers(program.machine)
        nothing: frozenset[Register] = frozenset()
        self.saved = {n: saved_registers(f, program.machine) if trust else nothing for n, f in program.functions.items()}
        self.stack = self.registers.bits(program.machine.stack_pointer) if trust else 0
        self.observed = {name: self._set_of(_ordered(registers)) for name, registers in observed.items()}
        self.taken = address_taken(program)
        while not self._is_consistent():
            pass
        self._live()

    def _is_consistent(self) -> bool:
        """Find what functions change; False if an indirect call may change what some of those it may reach preserve.

        These are not trusted to preserve that any more, since all of them must hand back the same registers.
        """
        self.preserved = {name: self._set_of(_ordered(saved)) | self._stack(name) for name, saved in self.saved.items()}
        self.signatures = {name: Signature() for name in self.program.functions}
        shared = self.signatures[INDIRECT] = Signature()
        for name in self.taken:
            self.signatures[name] = shared
        self.outlines = {name: self._summarise(f) for name, f in self.program.functions.items()}
        self._changed()
        consistent = True
        for name in self.taken:
            trusted = frozenset(r for r in self.saved[name] if not self.registers.bits(r) & shared.changed)
            consistent &= trusted == self.saved[name]
            self.saved[name] = trusted
        return consistent

    def _stack(self, name: str) -> int:
        """Return the stack pointer if a function is trusted to drop what calls push as a rule, else nothing."""
        convention = self.program.machine.convention
        if convention.hidden.pushed == convention.pushed:
            return self.stack
        drops = {e for e in convention.hidden.return_ if isinstance(e, Set)}
        returns = [rtl for rtl in self.program.functions[name].rtls() if isinstance(rtl.transfer, Return)]
        return 0 if any(drops.issubset(rtl.effects) for rtl in returns) else self.stack

    def _set_of(self, registers: Iterable[Register]) -> int:
        result = 0
        for register in registers:
            result |= self.registers.bits(register)
        return result

    def _summarise(self, function: Function) -> _Outline:
        outline = _Outline()
        labels = {block.label: i for i, block in enumerate(function.blocks)}
        for number, block in enumerate(function.blocks):
            steps, successors, returns = self._block(function, block, labels)
            if successors is None:
                successors = [number + 1] if number + 1 < len(function.blocks) else []
            elif -1 in successors:
                successors = [s if s >= 0 else number + 1 for s in successors]
                successors = [s for s in successors if s < len(function.blocks)]
            outline.blocks.append(steps)
            outline.successors.append(successors)
            outline.returns.append(returns)
            outline.live.append(0)
        return outline

    def _block(self, function: Function, block: Block, labels: dict[str, int]) -> tuple[list[_Step], list[int] | None, bool]:
        """Return steps, successors (None: the next block, -1: also the next block) and whether the block returns."""
        observed = self.observed.get(function.name, 0)
        steps = [_Step(observed)]
        pending: str | None = None
        wait = 0
        successors: list[int] | None = None
        returns = annulled = False
        for rtl in block.rtls:
            self._add(steps[-1], rtl, self.saved[function.name], annulled)
            annulled |= rtl.annuls
            if wait:
                wait -= 1
            for effect in rtl.effects:
                match effect:
                    case Call():
                        pending = callee_of(self.program, effect)
                        wait = delay_slots(self.program.machine, function, rtl)
                    case Jump(label=label):
                        successors = [labels[label]]
                    case Branch(label=label):
                        successors = [labels[label], -1]
                    case IndirectJump(labels=names):
                        successors = [labels[name] for name in names]
                    case Return():
                        successors, returns = [], True
            if pending is not None and not wait:
                steps[-1].callee = pending
                steps.append(_Step(observed))
                pending = None
        return steps, successors, returns

    def _add(self, step: _Step, rtl: Rtl, saved: frozenset[Register], annulled: bool) -> None:
        """Append one RTL to a step; `annulled`: it may not be executed."""
        read = written = 0
        for effect in rtl.effects:
            if is_saving(rtl, effect, saved, self.program.machine):
                assert isinstance(effect, Set)
                cell = effect.target if is_cell(effect.target, self.program.machine) else effect.source
                read |= self._set_of(cell.address.uses) if isinstance(cell, Mem) else 0
                continue
            used = effect.target.uses if isinstance(effect, Call | Return) else effect.uses
            for register in used:
                read |= self.registers.bits(register)
            if isinstance(effect, Set) and isinstance(effect.target, Register):
                written |= self.registers.bits(effect.target)
        step.read |= read & ~step.set
        if annulled:
            step.perhaps |= written
        else:
            step.set |= written

    def _changed(self) -> None:
        again = True
        while again:
            again = False
            for name, outline in self.outlines.items():
                if name == RESUME_CONTEXT:
                    continue  # it does not come back
                signature = self.signatures[name]
                new = 0
                for steps in outline.blocks:
                    for step in steps:
                        new |= step.set | step.perhaps
                        if step.callee is not None:
                            new |= self.signatures[step.callee].changed
                new = signature.changed | (new & ~self.preserved[name])
                if new != signature.changed:
                    signature.changed = new
                    again = True

    def _live(self) -> None:
        again = True
        while again:
            again = False
            for name, outline in self.outlines.items():
                again |= self._live_in_function(self.signatures[name], outline)

    def _live_in_function(self, signature: Signature, outline: _Outline) -> bool:
        """Bring a function's liveness up to date; return whether any signature changed."""
        changed = False
        again = True
        while again:
            again = False
            for number in range(len(outline.blocks) - 1, -1, -1):
                live = signature.returned if outline.returns[number] else 0
                for successor in outline.successors[number]:
                    live |= outline.live[successor]
                for step in reversed(outline.blocks[number]):
                    if step.callee is not None:
                        callee = self.signatures[step.callee]
                        wanted = callee.returned | (live & callee.changed)
                        if wanted != callee.returned:
                            callee.returned = wanted
                            changed = True
                        live = (live & ~callee.changed) | callee.read
                    live = (live & ~step.set) | step.read
                if live != outline.live[number]:
                    outline.live[number] = live
                    again = True
        if outline.live and outline.live[0] | signature.read != signature.read:
            signature.read |= outline.live[0]
            changed = True
        return changed


def _ordered(registers: Iterable[Register]) -> list[Register]:
    """Return registers in an order that is the same in every run: they are numbered in the order in which they are met."""
    return sorted(registers, key=lambda register: (register.cls, register.index))
