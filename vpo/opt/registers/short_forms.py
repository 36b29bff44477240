"""Wishes for registers that make instructions short: some of the registers, and results in the place of an operand.

On a machine whose `r[8]=r[8]-r[9];` has two bytes and whose `r[8]=r[9]-r[20];` has four, `r[t1]=r[t2]-r[t3];` wishes for a
register from 8 to 15 for each of the three, and for the same one for `t1` and `t2`.  Wishes choose among registers that cost
the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from vpo.algebra import rebuild_effect
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.rtl import Effect, Expr, Register, Rtl
from vpo.rtl.function import Function


class ShortForms:
    """What the RTLs of a function gain by registers: `pairs` are registers that are to be one.

    `forms` are the registers of RTLs that are shorter by so many bytes if all are good.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.good, self.other = self._registers()
        self.forms: list[tuple[list[Register], int]] = []
        self.pairs: list[tuple[Register, Register]] = []

    def _registers(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        good: dict[str, list[int]] = {}
        other: dict[str, list[int]] = {}
        for bank, short in self.machine.short_registers.items():
            indices = [register.index for register in self.machine.allocable[bank]]
            good[bank] = [index for index in indices if index in short]
            other[bank] = [index for index in indices if index not in short]
        return good, other

    def add(self, rtl: Rtl) -> None:
        """Note what an RTL gains."""
        registers = [
            register for register in dict.fromkeys((*rtl.sets, *rtl.uses))
            if register.pseudo and self._bank(register) in self.good and self.machine.classes[register.cls].width == 1
        ]  # fmt: skip
        if not registers:
            return
        best, worst = self._size(rtl, registers, self.good), self._size(rtl, registers, self.other)
        effect = rtl.single_set
        target = effect.target if effect is not None else None
        if isinstance(target, Register) and target in registers:
            for source in registers:
                if source in rtl.uses and source.cls == target.cls and source is not target:
                    size = self._size(rtl, registers, self.good, (target, source))
                    if size < best:
                        self.pairs.append((target, source))
                        best = size
        if best < worst:
            self.forms.append((registers, worst - best))

    def _bank(self, register: Register) -> str:
        return self.machine.classes[register.cls].bank

    def _size(
        self, rtl: Rtl, registers: Sequence[Register], indices: dict[str, list[int]], same: tuple[Register, ...] = ()
    ) -> int:
        """Return the size of an RTL with certain registers, 0 if it is no instruction; two of them may be the same."""
        names: dict[Expr, Expr] = {}
        for number, register in enumerate(registers):
            which = indices[self._bank(register)]
            names[register] = Register(register.cls, which[number % len(which)], register.type)
        if same:
            names[same[1]] = names[same[0]]
        effects = tuple(rebuild_effect(each, names.get, targets=True) for each in rtl.effects)
        record = self.machine.recognize(effects)
        return record.size if record is not None else self._expanded_size(effects)

    def _expanded_size(self, effects: tuple[Effect, ...]) -> int:
        """Return the size of what stands for an RTL once its registers are assigned, 0 if that is nothing."""
        code = Legalizer(self.machine, Function("_", "", 0, False))
        if len(effects) > 1 or not code.expand(effects[0]):
            return 0
        records = [self.machine.recognize(rtl.effects) for rtl in code.out]
        return sum(record.size for record in records if record is not None)
