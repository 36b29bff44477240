"""Emits the operations that a machine has by way of its description's expansions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.algebra import rebuild_effect
from vpo.expand.cannot_express import CannotExpress
from vpo.rtl import Effect, Expr, Mem, Register, Set
from vpo.text import show_effects

if TYPE_CHECKING:
    from vpo.expand.legalize import Legalizer

DEPTH = 6  # of expansions that need expansions


class Described:
    """Emits for a legaliser what expansions make; one that needs what the machine cannot do is as if it were not there."""

    def __init__(self, code: Legalizer) -> None:
        self.code = code
        self.trying: list[Effect] = []  # the effects that are being expanded, as `_shape` has them

    def emit(self, effect: Effect) -> bool:
        """Emit an effect by the first expansion that fits and of which the machine can do all; tells whether there is one."""
        code, shape = self.code, _shape(effect)
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


def _shape(effect: Effect) -> Effect:
    """Return an effect with all pseudo-registers of a class as one."""

    def common(node: Expr) -> Register | None:
        return Register(node.cls, -1, node.type, True) if isinstance(node, Register) and node.pseudo else None

    return rebuild_effect(effect, common, targets=True)
