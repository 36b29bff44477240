"""What the section SLIC of a record has: the state from which a slice goes on (docs/replay.md)."""

from __future__ import annotations

from cache_sim.json_shape import ADDRESS, COUNT

_NUMBER = (range(-(1 << 63), 1 << 64), float)
_VALUE = (*_NUMBER, [_NUMBER, _NUMBER])  # a condition code is two numbers
_REGISTERS = [[str, COUNT, bool, COUNT, _VALUE]]
_PLACE = [COUNT, COUNT]
_ACTIVATION = {
    "function": str, "back": (ADDRESS, None), "place": _PLACE, "own": _REGISTERS, "preserved": _REGISTERS,
    "contexts": [[ADDRESS, ADDRESS, COUNT, COUNT]],
}  # fmt: skip
STATE = {
    "executed": COUNT, "resident": COUNT, "place": _PLACE, "registers": _REGISTERS, "activations": [_ACTIVATION],
    "break": [ADDRESS, ADDRESS], "calls": COUNT, "outputs": [[COUNT, COUNT]], "memory": [[ADDRESS, str]],
}  # fmt: skip
