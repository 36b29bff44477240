"""What attributes say, as the parser collects it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vpo.frontend.syntax.syntax_tree import Node

OF_TYPES = ("mode", "vector_size")  # these make another type of the one that the specifiers name
OF_FUNCTIONS = ("alias", "constructor", "destructor", "gnu_inline", "noinline", "noipa", "weak")


class Alignas(Node):
    """`_Alignas(alignment)`, an expression or type name, or the attribute `aligned`, perhaps with none."""

    __slots__ = ("alignment", "is_attribute")

    def __init__(self, alignment: Node | None, coord: Any, is_attribute: bool = False) -> None:
        self.alignment, self.coord, self.is_attribute = alignment, coord, is_attribute


@dataclass(slots=True)
class Attributes:
    """Attributes that stand together; `others` has the arguments of those that are neither `packed` nor alignments."""

    packed: bool = False
    align: list[Alignas] = field(default_factory=list)
    others: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, more: Attributes) -> None:
        """Take in attributes that stand elsewhere and are about the same."""
        self.packed = self.packed or more.packed
        self.align = self.align + more.align
        self.others = self.others | more.others

    def joined(self, more: Attributes) -> Attributes:
        """Return these and others together."""
        return Attributes(self.packed or more.packed, self.align + more.align, self.others | more.others)

    @property
    def of_functions(self) -> dict[str, list[Any]]:
        """Those that are about a function, even where they stand behind the `*` of its result."""
        return {name: arguments for name, arguments in self.others.items() if name in OF_FUNCTIONS}

    @property
    def of_type(self) -> dict[str, list[Any]]:
        """Those that change the type that the specifiers name."""
        return {name: arguments for name, arguments in self.others.items() if name in OF_TYPES}
