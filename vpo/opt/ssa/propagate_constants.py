"""Sparse conditional constant propagation, on SSA form.

    r[t1.1]=0;                              r[t1.1]=0;
    PC=r[t1.1]!=0,L3;                =>
L2: r[t2]=r[t1.1]+4;                    L2: r[t2]=4;

A register is taken to be constant, and an edge never to be taken, until the contrary is found, so that constants survive
loops and what can never be executed has no say.  Addresses are constants, too.  Condition codes and truths in hard registers
are followed within a block.

Wegman and Zadeck, "Constant Propagation with Conditional Branches" (1991).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vpo.algebra import CONSTANTS, rebuild, rebuild_effect, set_
from vpo.analysis.cfg import branch_of
from vpo.analysis.condition_codes import condition_of
from vpo.analysis.liveness import access, numbering_of
from vpo.machines.machine import Machine
from vpo.opt.state import CFG, LIVENESS, VALUE_RANGES, FunctionState
from vpo.rtl import CODE_TYPES, RELATIONS, Const, Effect, Expr, Jump, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

Edge = tuple[int, int]


def propagate_constants(state: FunctionState) -> None:
    """Replace registers that are constant, and branches that always go one way."""
    if state.function.stage != "ssa":
        return
    lattice = _Lattice(state)
    lattice.solve()
    _replace_constants(state, lattice)
    _remove_edges(state, lattice)


class _Lattice:
    """What is known: `values` has registers found to be constant, or None for those that vary; `taken` the edges executed."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.function = state, state.function
        self.numbering = numbering_of(state.function, state.machine)
        self.cfg, self.ranges = state.get(CFG), state.get(VALUE_RANGES)
        self.outcomes: dict[int, bool | None] = {}  # of branches, as far as their blocks tell
        self.values: dict[Register, Expr | None] = {}
        self.taken: set[Edge] = set()
        self.reached: set[int] = set()
        self.users: dict[Register, set[int]] = {}
        for number, block in enumerate(self.function.blocks):
            for phi in block.phis:
                for source in phi.sources.values():
                    self.users.setdefault(source, set()).add(number)
            for rtl in block.rtls:
                for register in rtl.uses:
                    self.users.setdefault(register, set()).add(number)
        self.defined = {phi.target for block in self.function.blocks for phi in block.phis}
        self.defined.update([register for rtl in self.function.rtls() for register in rtl.sets])

    def solve(self) -> None:
        """Evaluate blocks until nothing changes; each register and edge changes at most twice."""
        work: dict[int, None] = {0: None}
        while work:
            number = next(iter(work))
            del work[number]
            self.reached.add(number)
            block = self.function.blocks[number]
            changed: list[Register] = []
            for phi in block.phis:
                self._merge(number, phi, changed)
            known: dict[Register, Expr] = {}  # hard registers, within the block
            for rtl in block.rtls:
                self._evaluate(rtl, known, changed)
            for target in self._successors(number, known):
                if (number, target) not in self.taken:
                    self.taken.add((number, target))
                    work[target] = None
            for register in changed:
                for user in self.users.get(register, ()):
                    if user in self.reached:
                        work[user] = None

    def _lower(self, register: Register, value: Expr | None, changed: list[Register]) -> None:
        """Note that a register has a value: with the one known before it is not constant."""
        if register not in self.values:
            self.values[register] = value
            changed.append(register)
        elif self.values[register] is not None and self.values[register] is not value:
            self.values[register] = None
            changed.append(register)

    def _merge(self, number: int, phi: Phi, changed: list[Register]) -> None:
        """Note what the sources of a phi have in common, on the edges that are taken, as far as they are known."""
        for label, source in phi.sources.items():
            if (self.cfg.labels[label], number) in self.taken and (source in self.values or source not in self.defined):
                self._lower(phi.target, self.values.get(source), changed)

    def _evaluate(self, rtl: Rtl, known: dict[Register, Expr], changed: list[Register]) -> None:
        """Note what an RTL sets; `known` are the hard registers that hold known expressions."""
        single = rtl.single_set
        value = None
        if single is not None and not single.acts:
            value = single.source
            for register in single.uses:
                if self.values.get(register) or known.get(register):
                    value = rebuild(value, self.constant_or(known))
                    break
        if known:
            entry = access(rtl, self.numbering)
            for register in self.numbering.members(entry.sets | entry.clobbers):
                known.pop(register, None)
        for target in rtl.sets:
            if target.pseudo:
                self._lower(target, self._fit(value, target), changed)
            elif value is not None and (target.type in CODE_TYPES or _is_truth(single)):
                known[target] = value

    def _fit(self, value: Expr | None, target: Register) -> Expr | None:
        """Return a constant as the source of a register, in the register's range."""
        if value is None or type(value) not in CONSTANTS or target.type not in ("B", "W", "L", "Q"):
            return None
        return set_(target, value).source

    def constant_or(self, known: dict[Register, Expr]) -> Callable[[Expr], Expr | None]:
        """Return what replaces registers by their constants, or by what is known of hard registers."""

        def replace(node: Expr) -> Expr | None:
            return self.values.get(node) or known.get(node) if type(node) is Register else None

        return replace

    def _successors(self, number: int, known: dict[Register, Expr]) -> list[int]:
        """Return where control goes from the end of a block, as far as the condition is known."""
        successors = self.cfg.successors[number]
        branch = branch_of(self.function.blocks[number])
        if branch is None or len(successors) < 2:
            return successors
        outcome = rebuild(branch.condition, self.constant_or(known))
        taken = bool(outcome.value) if isinstance(outcome, Const) else self._outcome_by_range(number)
        if taken is None:
            return successors
        goal = self.cfg.labels[branch.label]
        return [goal] if taken else [index for index in successors if index != goal]

    def _outcome_by_range(self, number: int) -> bool | None:
        """Return whether the branch at the end of a block is taken, as ranges and earlier branches tell."""
        if number not in self.outcomes:
            condition = condition_of(self.function.blocks[number])
            self.outcomes[number] = None if condition is None else self.ranges.outcome(condition, number)
        return self.outcomes[number]


def _is_truth(effect: Set | None) -> bool:
    """Whether an effect sets a register to whether something holds of registers that are set once."""
    source = effect.source if effect is not None else None
    return type(source) is Op and source.op in RELATIONS and all(register.pseudo for register in source.uses)


def _replace_constants(state: FunctionState, lattice: _Lattice) -> None:
    """Set constant registers to their constants, and use these where the machine can."""
    constants = {register: value for register, value in lattice.values.items() if value is not None}
    for number in sorted(lattice.reached):
        block = state.function.blocks[number]
        for rtl in list(block.rtls):
            single = rtl.single_set
            target = single.target if single is not None else None
            if single is not None and isinstance(target, Register) and (value := constants.get(target)) is not None:
                if single.source is not value:
                    state.replace(block, rtl, (Set(target, value),))
                continue
            for register in [register for register in rtl.uses if register in constants]:
                effects = _reading_constant(rtl, register, constants[register], state.machine)
                if effects is not None:
                    state.replace(block, rtl, effects)
        if any(phi.target in constants for phi in block.phis):
            liveness = state.get(LIVENESS)
            _replace_phis(state, block, constants, liveness.numbering.members(liveness.live_in[number]))


def _reading_constant(rtl: Rtl, register: Register, value: Expr, machine: Machine) -> tuple[Effect, ...] | None:
    """Return the effects of an RTL that reads a constant, or a register that always is 0, instead of a register."""
    effects = substituted(rtl.effects, register, value)
    if effects is not None and (machine.is_legal(effects) if type(value) is Const else _is_no_larger(effects, rtl, machine)):
        return effects
    zeros = sorted(machine.zero, key=lambda zero: (zero.cls, zero.index)) if value is Const(0) else []
    forms = (substituted(rtl.effects, register, zero) for zero in zeros if zero.cls == register.cls)
    return next((form for form in forms if form is not None and machine.is_legal(form)), None)


def substituted(effects: tuple[Effect, ...], register: Register, value: Expr) -> tuple[Effect, ...] | None:
    """Return effects that read a value instead of a register; None where only a register can be."""
    new = tuple(rebuild_effect(effect, lambda node: value if node is register else None) for effect in effects)
    return None if any(register in effect.uses for effect in new) else new


def _is_no_larger(effects: tuple[Effect, ...], rtl: Rtl, machine: Machine) -> bool:
    """Whether effects are an instruction that takes no more bytes than an RTL: addresses are shared otherwise."""
    record = machine.recognize(effects)
    return record is not None and record.size <= machine.record(rtl).size


def _replace_phis(state: FunctionState, block: Block, constants: dict[Register, Expr], live: Sequence[Register]) -> None:
    """Make RTLs of phis whose targets are constants that one instruction can load, changing nothing that is live."""
    kept, made = [], []
    for phi in block.phis:
        value = constants.get(phi.target)
        effects = (Set(phi.target, value),) if value is not None else ()
        if effects and state.machine.is_legal(effects) and not set(live) & set(state.machine.clobbers(effects)):
            made.append(Rtl(effects, phi.lines, phi.cause))
        else:
            kept.append(phi)
    if made:
        state.change({block: [*made, *block.rtls]}, phis={block: kept})


def _remove_edges(state: FunctionState, lattice: _Lattice) -> None:
    """Make jumps of branches that always go one way, and remove what is never executed, as one change."""
    function, cfg = state.function, lattice.cfg
    contents: dict[Block, list[Rtl]] = {}
    for number in lattice.reached:
        block = function.blocks[number]
        branch = branch_of(block)
        goals = [target for target in cfg.successors[number] if (number, target) in lattice.taken]
        if branch is None or len(goals) == len(cfg.successors[number]):
            continue
        last = block.rtls[-1]
        jump = [Rtl((Jump(branch.label),), last.lines, last.cause)] if goals == [cfg.labels[branch.label]] else []
        contents[block] = [*block.rtls[:-1], *jump]
    if not contents and len(lattice.reached) == len(function.blocks):
        return
    phis = {}
    for number in lattice.reached:
        block = function.blocks[number]
        if block.phis:
            ways = {function.blocks[p].label for p in cfg.predecessors[number] if (p, number) in lattice.taken}
            phis[block] = [
                Phi(p.target, {label: source for label, source in p.sources.items() if label in ways}, p.lines, p.cause)
                for p in block.phis
            ]
    layout = [function.blocks[number] for number in sorted(lattice.reached)]
    state.change(contents, layout, phis)
