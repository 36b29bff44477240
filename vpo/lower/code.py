"""Code that is emitted as legal RTLs: what those need that emit a part of it, and what it costs before it is emitted."""

# ruff: noqa: D102 - what the methods of `Code` do is said where they are

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from vpo.algebra import rebuild_effect
from vpo.base.errors import CannotExpress
from vpo.lower.plans import Planner
from vpo.machines.machine import Machine
from vpo.rtl import Effect, Expr, Mem, Register, Rtl, Set
from vpo.rtl.function import Function
from vpo.text import show_effects

# ----------------------------------------------------------------------------------------------------------------------
# What emits: `vpo.lower.legalize` asks the other files here for ways, and these emit their parts through it.


class Blocks(Protocol):
    """What is needed of a function that is being built."""

    def new_label(self) -> str:
        """Hand out a label."""

    def start_block(self, label: str = "") -> None:
        """Begin a block, with a fresh label if none is given; the one before falls into it."""

    def jump(self, label: str) -> None:
        """Emit a jump and begin a new block."""

    @property
    def has_indirect_jumps(self) -> bool:
        """Whether `jump_by_table` has a way."""

    def jump_by_table(self, index: Expr, labels: list[str]) -> bool:
        """Emit a jump to the label that a number from 0 on chooses; return whether the machine has indirect jumps."""


class Code(Protocol):
    """Legal RTLs that grow: `vpo.lower.legalize.Legalizer`, which says what each method does."""

    machine: Machine
    function: Function
    out: list[Rtl]
    line: int
    cause: str
    depth: int
    integer: str
    address: str
    word: str
    routine: Callable[[str, Expr, Expr], Expr | None] | None
    blocks: Blocks | None

    @property
    def plans(self) -> Planner: ...

    def scratch(self) -> Code: ...

    def fresh(self, cls: str, type_: str = "") -> Register: ...

    def frame_cell(self, name: str) -> str: ...

    def append(self, effects: tuple[Effect, ...], cause: str = "") -> None: ...

    def because(self, cause: str) -> AbstractContextManager[None]: ...

    def attempt(self, *effects: Effect, cause: str = "") -> bool: ...

    def emit(self, effect: Effect) -> None: ...

    def expand(self, effect: Effect) -> bool: ...

    def is_stated(self, effect: Effect) -> bool: ...

    def atom(self, node: Expr) -> Expr: ...

    def move(self, target: Register, source: Expr) -> None: ...

    def reg(self, node: Expr, cls: str = "") -> Register: ...

    def copy(self, node: Expr, cls: str = "") -> Register: ...

    def cell(self, cell: Mem) -> Iterator[Mem]: ...

    def address_register(self, address: Expr) -> Register: ...

    def load(self, target: Register, source: Mem) -> None: ...

    def store(self, cell: Mem, value: Expr) -> None: ...

    def operate(self, op: str, a: Expr, b: Expr, cls: str = "") -> Expr: ...

    def convert(self, op: str, type_: str, a: Expr, cls: str = "") -> Expr: ...

    def binary_into(self, target: Register, op: str, a: Expr, b: Expr) -> None: ...

    def unary_into(self, target: Register, op: str, type_: str, a: Expr) -> None: ...

    def branch(self, relation: str, a: Expr, b: Expr, label: str) -> None: ...


# ----------------------------------------------------------------------------------------------------------------------
# Code that is emitted to see whether it can be, and what it costs.


BYTES_PER_CYCLE = 4  # so many bytes are worth a cycle


def cost_of(code: Code, emit: Callable[[Code], object]) -> int | None:
    """Return what code that `emit` emits costs, by cycles and bytes; None if it raises CannotExpress.

    Copies within a class cost nothing, since most of them go when registers are assigned.
    """
    trial = code.scratch()
    try:
        emit(trial)
    except CannotExpress:
        return None
    machine, rtls = code.machine, [rtl for rtl in trial.out if not _is_copy(rtl)]
    return sum(machine.latency(rtl.effects) * BYTES_PER_CYCLE + machine.record(rtl).size for rtl in rtls)


def _is_copy(rtl: Rtl) -> bool:
    match rtl.effects:
        case (Set(target=Register() as target, source=Register() as source),):
            return target.cls == source.cls
    return False


# ----------------------------------------------------------------------------------------------------------------------
# Emits the operations that a machine has by way of its description's expansions.


DEPTH = 6  # of expansions that need expansions


class Described:
    """Emits for a legaliser what expansions make; one that needs what the machine cannot do is as if it were not there."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.trying: list[Effect] = []  # the effects that are being expanded, as `_described_shape` has them

    def emit(self, effect: Effect) -> bool:
        """Emit an effect by the first expansion that fits and of which the machine can do all; tells whether there is one."""
        code, shape = self.code, _described_shape(effect)
        if shape in self.trying or len(self.trying) == DEPTH:
            return False
        out, mark, depth = code.out, len(code.out), code.depth
        self.trying.append(shape)
        try:
            for expansion in code.machine.expansions:
                rtls = expansion.apply((effect,), code.fresh, code.machine.half, code.frame_cell)
                if rtls is None:
                    continue
                try:
                    self._emit_all(_with_volatile(rtls, effect))
                    return True
                except CannotExpress:
                    code.out, code.depth = out, depth
                    del out[mark:]
        finally:
            self.trying.pop()
        return False

    def _emit_all(self, rtls: list[tuple[Effect, ...]]) -> None:
        code = self.code
        for effects in rtls:
            if len(effects) > 1:
                if not code.attempt(*effects):
                    raise CannotExpress(f"`{show_effects(effects)}`", code.line)
            elif not isinstance(effects[0], Set) or effects[0].target is not effects[0].source:  # as adding a LO part of zero
                code.emit(effects[0])


def _with_volatile(rtls: list[tuple[Effect, ...]], effect: Effect) -> list[tuple[Effect, ...]]:
    """Return RTLs whose cells are volatile where those of an effect are, of which expansions know nothing."""
    stored = [effect.target] if isinstance(effect, Set) and isinstance(effect.target, Mem) else []
    cells = {(cell.type, cell.address): cell for cell in (*effect.memory, *stored) if cell.volatile}
    if not cells:
        return rtls

    def original(node: Expr) -> Mem | None:
        return cells.get((node.type, node.address)) if isinstance(node, Mem) else None

    return [tuple(rebuild_effect(each, original, targets=True) for each in effects) for effects in rtls]


def _described_shape(effect: Effect) -> Effect:
    """Return an effect with all pseudo-registers of a class as one."""

    def common(node: Expr) -> Register | None:
        return Register(node.cls, -1, node.type, True) if isinstance(node, Register) and node.pseudo else None

    return rebuild_effect(effect, common, targets=True)
