"""Registers with which instructions have shorter forms, by the conditions of these forms.

    C.SUB: {rtl: "r[acc]=r[acc]-r[src];", when: "8 <= acc <= 15 and 8 <= src <= 15", size: 2, ...}

A file of its own, since phases ask for the registers and nothing else of these forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vpo.machines.match.pattern import Alternative
from vpo.machines.match.recognizer import Recognizer
from vpo.machines.read.encoding import variables_in
from vpo.machines.target import RegisterClass
from vpo.rtl import Register
from vpo.text import RegisterVariable

NUMBER = 4  # any constant is taken as this one


def short_registers(
    recognizer: Recognizer, classes: Mapping[str, RegisterClass], allocable: Mapping[str, tuple[Register, ...]]
) -> dict[str, frozenset[int]]:
    """Return, by bank, the allocable registers with which most conditions of short forms hold; no bank whose all are alike.

    Where registers make every instruction longer, they are the others.
    """
    largest = max((form.size for form in recognizer.alternatives), default=0)
    short = [form for form in recognizer.alternatives if form.size < largest and not form.implied and not form.repeated]
    conditions = [each for form in short for each in _conditions(form, recognizer, classes)]
    result: dict[str, frozenset[int]] = {}
    for bank, registers in allocable.items():
        concerned = [(condition, names) for condition, names, of in conditions if of == bank]
        held = {r.index: sum(_holds(condition, names, r.index) for condition, names in concerned) for r in registers}
        longer = classes[bank].longer
        best = frozenset(index for index, count in held.items() if (index < longer if longer else count == max(held.values())))
        if len(best) < len(held):
            result[bank] = best
    return result


def _conditions(
    form: Alternative, recognizer: Recognizer, classes: Mapping[str, RegisterClass]
) -> Iterator[tuple[Any, dict[str, bool], str]]:
    """Yield the conditions of a form and its operands, their variables (whether each is a register), and the bank of these."""
    patterns: list[tuple[Any, Any]] = [(form.condition, form.effects)]
    patterns += [(part.condition, part.pattern) for name in form.operands.values() for part in recognizer.operands[name]]
    for condition, pattern in patterns:
        if condition is None or pattern is None:
            continue
        registers = [v for v in variables_in(pattern) if isinstance(v, RegisterVariable) and v.cls in classes]
        banks = {v.name: classes[v.cls].bank for v in registers}
        banks = {name: bank for name, bank in banks.items() if name in condition.names}
        names = dict.fromkeys(condition.names, False) | dict.fromkeys(banks, True)
        for bank in set(banks.values()):
            yield condition, names, bank


def _holds(condition: Any, names: Mapping[str, bool], index: int) -> bool:
    return bool(condition({name: index if register else NUMBER for name, register in names.items()}))
