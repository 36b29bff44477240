"""Instructions that a program calls by name, on the machine that has them: one RTL each.

A file of its own, since `meanings.py`, which has the others, works on trees before there is an evaluation.
"""

from __future__ import annotations

from typing import cast

from vpo import il
from vpo.algebra import rebuild_effect
from vpo.expand.builder import Builder
from vpo.expand.evaluation import Evaluation
from vpo.rtl import Effect, Expr, Register


class CalledInstructions:
    """Emits instructions that a program calls."""

    def __init__(self, builder: Builder, evaluation: Evaluation) -> None:
        self.code, self.evaluation, self.locals = builder.code, evaluation, evaluation.locals

    def call(self, statement: il.Instruction) -> None:
        """Expand a call: the arguments into its registers, the RTL, the results out of them."""
        places, targets = (cast("tuple[Register, ...]", registers) for registers in (statement.places, statement.targets))
        own = {place: self._own(place) for place in dict.fromkeys((*places, *targets))}
        words = [self.evaluation.scalar(argument) for argument in statement.arguments]
        for place, word in zip(places, words, strict=True):
            self.code.move(own[place], word)
        effects = cast("tuple[Effect, ...]", statement.effects)

        def replaced(node: Expr) -> Expr | None:
            return own.get(node) if isinstance(node, Register) else None

        self.code.append(tuple(rebuild_effect(effect, replaced, targets=True) for effect in effects), "program")
        taken = [self._taken(own[target], local) for target, local in zip(targets, statement.results, strict=True)]
        for local, register in zip(statement.results, taken, strict=True):
            self.locals.set(local, [register])

    def _taken(self, register: Register, local: il.Local) -> Register:
        """Return a register of the class for a local with what an instruction has set."""
        assert local.type is not None
        taken = self.code.fresh(self.evaluation.values.class_of(local.type))
        self.code.move(taken, register)
        return taken

    def _own(self, place: Register) -> Register:
        """Return the register of this call that stands for one of the RTL: a hard register for itself."""
        return self.code.fresh(place.cls, place.type) if place.pseudo else place
