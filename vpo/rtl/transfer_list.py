"""The register transfer list itself: simultaneous effects with their provenance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vpo.rtl.effects import TAKEN, Branch, Call, Effect, IndirectJump, Jump, Return, Set
from vpo.rtl.nodes import Mem, Op, Register, united

# Why an instruction exists; when two merge, the one that stands first here wins.
CAUSES = (
    "save",
    "callsave",
    "spill",
    "linkage",
    "argument",
    "variable",
    "program",
    "control",
    "address",
    "constant",
    "delay",
    "startup",
)
_CAUSE_RANK = {cause: rank for rank, cause in enumerate(CAUSES)}


class Rtl:
    """One instruction: simultaneous effects (all reads come before any write), and where it came from.

    No effects at all is a no-operation.  `lines` are source lines, ascending, never empty; `cause` is one of CAUSES.
    `form` tells which of the machine's instructions with these effects it is, in their order: 0 unless a branch is long.
    Two Rtls are never equal: compare their `effects`, or use `is`.
    """

    __slots__ = ("cause", "effects", "form", "lines", "record")

    def __init__(
        self, effects: Iterable[Effect], lines: tuple[int, ...] = (0,), cause: str = "program", form: int = 0
    ) -> None:
        self.effects: tuple[Effect, ...] = tuple(effects)
        self.lines = lines
        self.cause = cause
        self.form = form
        self.record: Any = None  # the machine's semantic record, filled in by recognition

    def __repr__(self) -> str:
        from vpo.rtl.printer import show_rtl

        return show_rtl(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rtl, (self.effects, self.lines, self.cause, self.form)

    @property
    def uses(self) -> tuple[Register, ...]:
        """Registers read by the stated effects."""
        effects = self.effects
        return effects[0].uses if len(effects) == 1 else united(*[effect.uses for effect in effects])

    @property
    def sets(self) -> tuple[Register, ...]:
        """Registers written by the stated effects, in order."""
        effects = self.effects
        return effects[0].sets if len(effects) == 1 else tuple([r for effect in effects for r in effect.sets])

    @property
    def stores(self) -> list[Mem]:
        """Memory cells written, in order."""
        return [e.target for e in self.effects if type(e) is Set and type(e.target) is Mem]

    @property
    def loads(self) -> list[Mem]:
        """Memory cells read, in evaluation order."""
        return [cell for effect in self.effects for cell in effect.memory]

    @property
    def transfer(self) -> Jump | Branch | IndirectJump | Return | None:
        """The effect that ends a basic block, if there is one."""
        for effect in self.effects:
            if effect.transfers:
                return effect  # type: ignore[return-value]
        return None

    @property
    def annuls(self) -> bool:
        """Whether what stands in its delay slots is executed only if the branch is taken."""
        return len(self.effects) > 1 and TAKEN in self.effects

    @property
    def call(self) -> Call | None:
        """The call among the effects, if there is one."""
        for effect in self.effects:
            if type(effect) is Call:
                return effect
        return None

    @property
    def system_call(self) -> Op | None:
        """The call of the system that an effect sets something to, if there is one."""
        for effect in self.effects:
            if type(effect) is Set and type(effect.source) is Op and effect.source.op == "SYS":
                return effect.source
        return None

    def single_set(self) -> Set | None:
        """The effect, if it is the only one and a Set."""
        effects = self.effects
        return effects[0] if len(effects) == 1 and type(effects[0]) is Set else None

    def copy(self) -> Rtl:
        """A new Rtl with the same effects, provenance and form."""
        return Rtl(self.effects, self.lines, self.cause, self.form)


def tie(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Return effects that set the version of a register which they read, where they set another version of it.

    In SSA form `r[t1.2]=r[t1.1]+r[t3];` is an instruction with two addresses if `r[t1.1]=r[t1.1]+r[t3];` is.  Effects that
    read several versions of what they set are left as they are, and so is what is not in SSA form.
    """
    result = effects
    for number, effect in enumerate(effects):
        if type(effect) is Set and type(effect.target) is Register and effect.target.pseudo:
            target = effect.target
            read = [r for e in effects for r in e.uses if r.index == target.index and r.cls == target.cls and r.pseudo]
            if read and len(set(read)) == 1 and read[0] is not target:
                result = (*result[:number], Set(read[0], effect.source), *result[number + 1 :])
    return result


def merge_provenance(*rtls: Rtl) -> tuple[tuple[int, ...], str]:
    """Return the lines and the cause of an Rtl that replaces all of these.

    The cause is that of the memory references, if there are any, so that each keeps its own.
    """
    lines = sorted({line for rtl in rtls for line in rtl.lines})
    referring = [rtl for rtl in rtls if rtl.loads or rtl.stores] or rtls
    return tuple(lines), min((rtl.cause for rtl in referring), key=_CAUSE_RANK.__getitem__)
