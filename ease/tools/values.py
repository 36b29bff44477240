"""Values that are known only when the program runs, as arguments of analysis functions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """A value; `detail` says which argument or register."""

    name: str
    detail: int | str = ""

    def __repr__(self) -> str:
        return self.name if self.detail == "" else f"{self.name}({self.detail!r})"


ADDRESS = Value("ADDRESS")  # of a reference
VALUE = Value("VALUE")  # that a reference loads or stores: its bits, as a number without a sign
TAKEN = Value("TAKEN")  # 1 if a branch is taken, else 0
TARGET = Value("TARGET")  # the address to which a jump, call or return goes
NUMBER = Value("NUMBER")  # of a system call
RESULT = Value("RESULT")  # of a system call, after it: below 0 if it failed
RETURNED = Value("RETURNED")  # by a function, after it: the number or address


def argument(number: int) -> Value:
    """Return the argument of a system call with a number, from 0."""
    return Value("argument", number)


def register(name: str) -> Value:
    """Return the content of a register, by the name that assembly gives it."""
    return Value("register", name)


def parameter(number: int) -> Value:
    """Return a parameter of a function, from 0, before it; all parameters up to it must be words: numbers or addresses."""
    return Value("parameter", number)
