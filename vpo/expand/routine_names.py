"""Operators on words that routines of the library stand for, where a machine can have them in no other way."""

from __future__ import annotations

MODES = {2: "hi", 4: "si", 8: "di", 16: "ti"}  # gcc's names of integers, by their bytes
ROUTINES = {"&": "and", "|": "ior", "^": "xor", "<<": "ashl", ">>": "ashr", ">>u": "lshr", "+": "add", "-": "sub", "*": "mul"}
