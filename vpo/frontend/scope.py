"""Names and what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vpo import il
from vpo.frontend.syntax.nodes import Coord, Specifier
from vpo.frontend.types.types import Arithmetic, CType, Record


def plain_name(name: str) -> str:
    """Return a name for code and assembly: other characters than those of ASCII as their numbers."""
    return name if name.isascii() else "".join(c if c.isascii() else f"_u{ord(c):04x}" for c in name)


@dataclass(eq=False, slots=True)
class Symbol:
    """A declared name; `kind` is one of object function typedef constant wrong.

    `local` is set for automatic objects, `symbol` for static ones, `value` for enumeration constants;
    of an object it is the alignment that its declarations ask for, or 0.
    A `wrong` one had an error in its declaration, so that nothing more is said where it is used.
    `inline_only`: every declaration of the function so far says inline and none says extern.
    `implicit`: the function has been called and not been declared yet.
    `is_inline`, `is_separate`: some declaration of the function says so, or that calls are not to be inlined.
    `replaceable`: the definition of the function is one for inlining only (`extern inline` of gnu89); another may follow.
    `constant` is the value of a scalar that is declared constexpr.
    `weak`: another file may define the name in place of this one, or none at all.
    `owner` has the parameters and locals of the function that a local belongs to.
    `section`: where an object must be, and which file and line want that.
    `uses` counts where the name stands in expressions, and `stores` those of them that only store.
    `is_dynamic`: the local holds the address of the object (`dynamic_objects.py`).
    """

    kind: str
    name: str
    type: CType
    coord: Coord
    local: il.Local | None = None
    symbol: str = ""
    value: int = 0
    static: bool = False
    defined: bool = False
    is_register: bool = False
    linkage: bool = False
    inline_only: bool = False
    implicit: bool = False
    is_dynamic: bool = False
    is_inline: bool = False
    is_separate: bool = False
    replaceable: bool = False
    constant: il.Const | None = None
    weak: bool = False
    owner: list[Symbol] | None = None
    uses: int = 0
    stores: int = 0
    section: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Cleanup:
    """A function that is to be called with the address of a local object when its scope is left."""

    function: Symbol
    object: Symbol
    coord: Coord


@dataclass(eq=False, slots=True)
class Scope:
    """One block, prototype or file; tags have a name space of their own.

    `bodies` has the types whose members or enumerators were declared here, by syntax node: the declarators of one
    declaration share its specifiers.  It is None for a body with an error.
    `dynamic` holds what is to be given back at the end of a block (`dynamic_objects.py`), unless it `keeps_dynamic` objects.
    `modified` are the names of variably modified types, into whose scopes control may not jump.
    """

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    tags: dict[str, Record | Arithmetic] = field(default_factory=dict)
    bodies: dict[Specifier, CType | None] = field(default_factory=dict)
    forward: set[str] = field(default_factory=set)  # tags of enums that are to be defined later
    prototype: bool = False
    dynamic: il.Local | None = None
    keeps_dynamic: bool = False
    modified: list[Symbol] = field(default_factory=list)
    cleanups: list[Cleanup] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)  # functions that are declared and not used

    def lookup(self, name: str) -> Symbol | None:
        """What a name stands for here, if anything."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def lookup_type(self, name: str) -> Symbol | None:
        """Return the innermost typedef of a name that the parser took for a type, if there is one.

        A declarator may have hidden it from those behind it in the same declaration: `T T, *p;`.
        """
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None and found.kind == "typedef":
                return found
            scope = scope.parent
        return None

    def all_modified(self) -> list[Symbol]:
        """Return the names of variably modified types that are in scope here."""
        found: list[Symbol] = []
        scope: Scope | None = self
        while scope is not None:
            found += scope.modified
            scope = scope.parent
        return found

    def known(self) -> Iterator[str]:
        """Yield the names that stand for something here, the nearest first."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            yield from scope.passed_over
            scope = scope.parent

    def lookup_tag(self, name: str) -> Record | Arithmetic | None:
        """The struct, union or enum of that tag, if any."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.tags.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None
