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

    What follows from the effects is kept beside them, so only `become` changes them.  `uses` are the registers that they
    read, `sets` those that they write, in order; `loads` the cells that they read, in evaluation order, `stores` those that
    they write.  `transfer` is the effect that ends a basic block, `call` the call, `system_call` the call of the system that
    one sets something to, `single_set` the effect if it is the only one and a Set: each None if there is none.  `acts` tells
    whether there is more than setting registers to what registers and memory hold, `annuls` whether what stands in its delay
    slots is executed only if the branch is taken.
    """

    __slots__ = ("acts", "annuls", "call", "cause", "effects", "form", "lines", "loads", "record", "sets", "single_set",
                 "stores", "system_call", "transfer", "uses")  # fmt: skip
    effects: tuple[Effect, ...]
    uses: tuple[Register, ...]
    sets: tuple[Register, ...]
    loads: tuple[Mem, ...]
    stores: tuple[Mem, ...]
    transfer: Jump | Branch | IndirectJump | Return | None
    call: Call | None
    system_call: Op | None
    single_set: Set | None
    acts: bool
    annuls: bool

    def __init__(
        self, effects: Iterable[Effect], lines: tuple[int, ...] = (0,), cause: str = "program", form: int = 0
    ) -> None:
        self.become(tuple(effects))
        self.lines = lines
        self.cause = cause
        self.form = form

    def copied(self) -> Rtl:
        """Return another instruction that does the same, from the same place."""
        return Rtl(self.effects, self.lines, self.cause)

    def become(self, effects: tuple[Effect, ...]) -> None:
        """Give it other effects, of which nothing is known yet."""
        self.effects = effects
        self.form = 0
        self.record: Any = None  # the machine's semantic record, filled in by recognition
        self.transfer = self.call = self.system_call = self.single_set = None
        self.annuls = False
        if len(effects) == 1:
            effect = effects[0]
            self.uses, self.sets, self.loads, self.acts = effect.uses, effect.sets, effect.memory, effect.acts
            if type(effect) is Set:
                self.single_set = effect
                self.stores = (effect.target,) if type(effect.target) is Mem else ()
            else:
                self.stores = ()
        else:
            self.uses = united(*[effect.uses for effect in effects])
            self.sets = tuple([r for effect in effects for r in effect.sets])
            self.loads = tuple([cell for effect in effects for cell in effect.memory])
            self.stores = tuple([e.target for e in effects if type(e) is Set and type(e.target) is Mem])
            self.acts = any(effect.acts for effect in effects)
            self.annuls = TAKEN in effects
        if self.acts:
            self._note_acts()

    def _note_acts(self) -> None:
        """Find the first transfer, the first call and the first call of the system."""
        for effect in reversed(self.effects):
            if type(effect) is Set:
                if type(effect.source) is Op and effect.source.op == "SYS":
                    self.system_call = effect.source
            elif type(effect) is Call:
                self.call = effect
            elif effect.transfers:
                self.transfer = effect  # type: ignore[assignment]

    def __repr__(self) -> str:
        from vpo.rtl.printer import show_rtl

        return show_rtl(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rtl, (self.effects, self.lines, self.cause, self.form)

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
