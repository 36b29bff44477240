"""How many code points an instruction takes: with all registers, constants and distances that it may name.

If a description gives its encoding with the bits of the opcode, they are the words that are encoded so, without the numbers
that fields do not take, and each once, whichever forms share it; without these bits, the values of all fields that are no
opcode.  Else they are counted from its operands, which an encoding takes at least.  A file of its own, since it asks
descriptions and no run.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.machines.read.encoding import Counting, distinct


@dataclass(frozen=True, slots=True)
class Space:
    """What the forms of an instruction take: code points, and the part of all of their size; not `exact`: at least."""

    points: int
    part: float
    size: int
    exact: bool


def space_of(machine: Machine, name: str) -> Space:
    """Return what an instruction takes of the opcode space."""
    counting = Counting(machine.classes, machine.recognizer.operands)
    forms = [form for form in machine.recognizer.alternatives if form.name == name and not form.pseudo and not form.implied]
    exact = all(form.encoding for form in forms)
    forms = distinct(forms) if exact else forms
    points = [_points(form, counting) for form in forms]
    part = sum(number / 2.0 ** (8 * form.size) for number, form in zip(points, forms, strict=True) if form.size)
    return Space(sum(points), part, max((form.size for form in forms), default=0), exact)


def _points(form: Alternative, counting: Counting) -> int:
    """Return the code points of one form."""
    if form.code is not None:
        return int(form.code.share * 2**form.code.bits)
    if form.encoding:
        variables = {name for name, _, _ in form.variables}
        return 1 << sum(bits for field, bits in form.encoding.items() if field in variables)
    low, high = form.reach or (0, 0)
    return counting.of(form.effects, form.operands) * ((high - low) // (gcd(low, high) or 1) + 1)
