"""Operators on words that routines of the library stand for, where a machine can have them in no other way."""

from __future__ import annotations

ROUTINES = {"&": "and", "|": "ior", "^": "xor", "<<": "ashl", ">>": "ashr", ">>u": "lshr", "+": "add", "-": "sub", "*": "mul"}
