"""Instructions of machines as functions of C: what the front end must know of them.

`vpo.machines.callable` makes these of descriptions; the front end, which knows no machine, is given an `Instructions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from vpo.il import Type

Kind = Literal["value", "address", "constant"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """What one operand of an instruction is in C: a number, a pointer to memory, or a constant of those that `range` names."""

    name: str
    kind: Kind
    type: Type
    range: str = ""


class Form(Protocol):
    """One form of an instruction as a function; `places` and `targets` are as `il.Instruction` has them."""

    @property
    def parameters(self) -> Sequence[Parameter]:
        """What is read, in order of appearance in the RTL."""

    @property
    def results(self) -> Sequence[Type]:
        """What is set: the first is the value, others are stored by way of pointers that follow the arguments."""

    @property
    def places(self) -> tuple[object, ...]:
        """The registers that hold the parameters which are no constants."""

    @property
    def targets(self) -> tuple[object, ...]:
        """The registers that are set."""

    def effects(self, constants: Sequence[int]) -> tuple[object, ...] | None:
        """Return the RTL with numbers for the constant parameters; None if the instruction does not have them."""


class Functions(Protocol):
    """The instructions of one machine as functions, by their names in C."""

    @property
    def machine(self) -> str:
        """The name of the machine, for messages."""

    @property
    def fingerprint(self) -> str:
        """What identifies the description."""

    def forms(self, name: str) -> Sequence[Form]:
        """Return the forms of an instruction that are functions, in the order of the description; none: see `why_none`."""

    def why_none(self, name: str) -> str:
        """Return why an instruction is no function, or that there is none of that name and which is meant."""


class Instructions(Protocol):
    """All that a program can call: the target's instructions, and those of other descriptions by the keys in headers."""

    @property
    def own(self) -> Functions:
        """The instructions of the target."""

    def of(self, key: str) -> Functions:
        """Return the instructions of a description; raises ValueError with a message if they cannot be had."""

    def why_none(self, name: str) -> str:
        """Return why there is no function of a name that begins as those of a header that was included; '' for others."""

    def header(self, name: str, folders: Sequence[str]) -> tuple[str, str] | None:
        """Return the file of the description that `<ease/NAME.h>` means and the header; None if there is no such description.

        Other descriptions than the target's and those that come with the project are looked for in folders.  Raises
        ValueError with a message for a description that is wrong.
        """
