"""The warnings that there are, by the flags of gcc that switch them: one table, for the options and for the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Group = Literal["default", "all", "extra", "pedantic", "none"]  # what switches a flag on: nothing, -Wall, -Wextra, -pedantic


@dataclass(frozen=True, slots=True)
class Flag:
    """One kind of warning: `-Wname`."""

    name: str
    group: Group
    about: str


_TABLE: tuple[tuple[str, Group, str], ...] = (
    ("address-of-packed-member", "default", "the address of a member of a packed structure, as a pointer"),
    ("attribute-warning", "default", "a call of a function with the attribute warning"),
    ("attributes", "default", "an attribute that is not known, and is ignored"),
    ("conversion-mismatch", "default", "operands of ?: or of a comparison whose types do not go together"),
    ("cpp", "default", "#warning, and macros that are defined in an odd way"),
    ("declarations", "default", "a declaration that declares nothing, or does not go with an earlier use"),
    ("deprecated-declarations", "default", "a use of what is declared with the attribute deprecated"),
    ("discarded-array-qualifiers", "default", "a pointer to an array that loses const or volatile of its elements"),
    ("discarded-qualifiers", "default", "a pointer that loses const or volatile"),
    ("div-by-zero", "default", "a division by the constant 0"),
    ("endif-labels", "default", "words behind #else and #endif"),
    ("extra-tokens", "default", "words behind #ifdef, #ifndef and #undef"),
    ("escapes", "default", "an escape sequence that does not exist"),
    ("excess-initializers", "default", "more initialisers than there is room for"),
    ("implicit-function-declaration", "default", "a call of a function that is not declared"),
    ("implicit-int", "default", "a declaration without a type"),
    ("incompatible-pointer-types", "default", "a pointer to another type than is wanted"),
    ("int-to-pointer-cast", "default", "a cast to a pointer from an integer of another size"),
    ("int-conversion", "default", "an integer where a pointer is wanted, or the other way round"),
    ("macro-redefined", "default", "a macro that is defined anew as something else"),
    ("multichar", "default", "a character constant of several characters"),
    ("overflow", "default", "a constant that does not fit its type"),
    ("parameter-tags", "default", "a structure that is declared among parameters, where nothing else can use it"),
    ("pointer-to-int-cast", "default", "a cast from a pointer to an integer of another size"),
    ("return-local-addr", "default", "a function that returns the address of a local variable"),
    ("return-mismatch", "default", "a return with a value in a void function, or without one in another"),
    ("shift-count-negative", "default", "a shift by less than 0"),
    ("shift-count-overflow", "default", "a shift by the width of the type or more"),
    ("shift-overflow", "default", "a constant shifted to the left beyond its type"),
    ("switch-bool", "default", "a switch over the value of a condition"),
    ("switch-range", "default", "a range of cases that is empty"),
    ("undefined-internal", "default", "a static function that is declared and never defined"),
    ("unused-result", "default", "a result not used of a function with the attribute warn_unused_result"),
    ("va-arg", "default", "a type in va_arg that no argument can have"),
    ("address", "all", "a string literal that is compared"),
    ("array-bounds", "all", "a constant index outside of an array"),
    ("bool-compare", "all", "the value of a condition compared with a number that it cannot be"),
    ("bool-operation", "all", "~ on the value of a condition"),
    ("char-subscripts", "all", "an index of type char, which may be negative"),
    ("duplicate-decl-specifier", "all", "a qualifier that is given twice"),
    ("enum-compare", "all", "values of different enumerations compared"),
    ("format", "all", "arguments that do not go with the format of printf, scanf and their like"),
    ("format-extra-args", "all", "more arguments than a format uses"),
    ("logical-not-parentheses", "all", "a ! before the left side of a comparison"),
    ("main", "all", "a main that returns something else than int"),
    ("maybe-uninitialized", "all", "a variable that is read before anything is stored in it on some way"),
    ("memset-transposed-args", "all", "a memset of no bytes"),
    ("parentheses", "all", "an assignment as a condition, an else of two ifs, operators that are easily mixed up"),
    ("pointer-sign", "all", "a pointer to an integer of the other signedness"),
    ("return-type", "all", "control that reaches the end of a function which returns a value"),
    ("sizeof-pointer-memaccess", "all", "the size of a pointer instead of that of what it points to"),
    ("switch", "all", "a switch over an enumeration that handles not all of its values"),
    ("tautological-compare", "all", "an expression compared with itself"),
    ("uninitialized", "all", "a variable that is read before anything is stored in it"),
    ("unknown-pragmas", "all", "a pragma that is not known, and is ignored"),
    ("unused-but-set-variable", "all", "a local variable that is stored to and never read"),
    ("unused-const-variable", "all", "a static constant that nothing uses"),
    ("unused-function", "all", "a static function that nothing uses"),
    ("unused-label", "all", "a label that nothing jumps to"),
    ("unused-local-typedefs", "all", "a local type name that nothing uses"),
    ("unused-value", "all", "an expression as a statement that does nothing"),
    ("unused-variable", "all", "a local or static variable that nothing uses"),
    ("empty-body", "extra", "an if or else with a semicolon for a body"),
    ("ignored-qualifiers", "extra", "a function that returns a const or volatile value"),
    ("old-style-declaration", "extra", "a storage class that is not the first word of its declaration"),
    ("shift-negative-value", "extra", "a negative constant shifted to the left"),
    ("sign-compare", "extra", "a signed number compared with an unsigned one"),
    ("type-limits", "extra", "a comparison that the type makes always true or always false"),
    ("unused-but-set-parameter", "extra", "a parameter that is stored to and never read"),
    ("unused-parameter", "extra", "a parameter that nothing uses"),
    ("cast-qual", "none", "a cast that loses const or volatile"),
    ("conversion", "none", "an implicit conversion of a number that may change its value"),
    ("float-conversion", "none", "an implicit conversion of a floating number that may change its value"),
    ("float-equal", "none", "floating numbers compared for equality"),
    ("missing-prototypes", "none", "a function that is defined without a prototype before"),
    ("pointer-arith", "none", "arithmetic with a pointer to void or to functions"),
    ("shadow", "none", "a local name that hides another one"),
    ("sign-conversion", "none", "an implicit conversion of an integer that may change its sign"),
    ("strict-prototypes", "none", "a function declared without its parameters"),
    ("undef", "none", "a name in #if that is no macro"),
    ("long-long", "none", "long long where C has none; with -pedantic of C90"),
    ("variadic-macros", "pedantic", "macros with variable arguments as C has none"),
    ("vla", "none", "an array of variable length; with -pedantic of C90"),
    ("overlength-strings", "pedantic", "a string literal longer than every compiler must take"),
    ("pedantic", "pedantic", "what the edition of C does not have; `__extension__` before it says that it is meant"),
)
FLAGS = {name: Flag(name, group, about) for name, group, about in _TABLE}
_NOT_UNUSED = ("unused-parameter", "unused-but-set-parameter", "unused-result")
_UNUSED = tuple(name for name in FLAGS if name.startswith("unused-") and name not in _NOT_UNUSED)
_MEMBERS = {
    "unused": _UNUSED, "format": ("format", "format-extra-args"), "uninitialized": ("uninitialized", "maybe-uninitialized"),
    "conversion": ("conversion", "float-conversion", "sign-conversion"), "dangling-else": ("parentheses",),
    "unused-variable": ("unused-variable", "unused-const-variable"),
    "pedantic": ("pedantic", "overlength-strings"), "implicit": ("implicit-function-declaration", "implicit-int"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class WarningOptions:
    """The flags whose warnings are wanted, and those whose warnings are errors; none are of files in `quiet` folders."""

    shown: frozenset[str]
    errors: frozenset[str] = frozenset()
    quiet: tuple[str, ...] = ()


def in_groups(*groups: str) -> frozenset[str]:
    """Return the flags of some groups."""
    return frozenset(flag.name for flag in FLAGS.values() if flag.group in groups)


DEFAULT = WarningOptions(in_groups("default"))
EVERYTHING = WarningOptions(frozenset(FLAGS))
NOTHING = WarningOptions(frozenset())

# Warnings that depend on other code than what they are about, so that with a part of it left out they would be wrong.
ABOUT_OTHER_CODE = frozenset(
    flag for flag in FLAGS if flag.startswith(("unused", "uninitialized", "maybe", "return-type", "undefined", "implicit"))
)


# Errors with -pedantic-errors: what the standard wants to be told.
_PEDANTIC = frozenset((
    "conversion-mismatch", "declarations", "discarded-array-qualifiers", "discarded-qualifiers",
    "endif-labels", "escapes", "excess-initializers",
    "extra-tokens", "implicit-function-declaration", "implicit-int", "incompatible-pointer-types", "int-conversion",
    "pointer-sign", "return-mismatch", "undefined-internal",
))  # fmt: skip


# What -pedantic tells only of editions before C99, and what it tells of all.
_NEW_IN_C99 = frozenset(("long-long", "vla"))
_TOLD_STRICTLY = frozenset(("pedantic", "overlength-strings", "pointer-arith", "variadic-macros"))
STRICT = _NEW_IN_C99 | _TOLD_STRICTLY  # not told of the library's headers, and behind `__extension__`

# What editions of C before C99 allow: told with -Wall only.
_ALLOWED_ONCE = frozenset(("implicit-function-declaration", "implicit-int"))


# What the library says of its functions, and other compilers do not: it takes -Werror=NAME to make that an error.
_REMARKS = frozenset(("attribute-warning",))


def read_options(words: Sequence[str], edition: int = 2017) -> WarningOptions:
    """Return what options beginning with -W say, `-w` and `-pedantic` included; what a flag's own option says goes first.

    `edition` is that of C.
    """
    if "-w" in words:
        return NOTHING
    groups, own, errors, all_errors = {"default"}, dict[str, bool](), dict[str, bool](), False
    for word in words:
        name = word.removeprefix("-W")
        positive = not name.startswith("no-")
        if name.startswith(("shadow=", "shadow-")):  # only some of what `shadow` tells
            continue
        name = name.removeprefix("no-").partition("=")[0] if not name.removeprefix("no-").startswith("error") else name
        if name in ("all", "extra", "-pedantic", "pedantic") or word == "-W":
            _switch(groups, {"": "extra"}.get(name, name.lstrip("-")), positive)
        elif word == "-pedantic-errors":
            groups.add("pedantic")
            errors |= dict.fromkeys(_strict_errors(edition), True)
            own["pointer-sign"] = True
        elif name in ("error", "no-error"):
            all_errors = positive
        elif name.startswith(("error=", "no-error=")):
            for member in members(name.partition("=")[2]):
                errors[member] = positive
                if positive:
                    own[member] = True
        else:
            own |= dict.fromkeys(members(name), positive)
    usual = in_groups(*groups) | (frozenset(members("uninitialized")) if "extra" in groups else frozenset())
    if "pedantic" in groups:
        usual |= _TOLD_STRICTLY | (_NEW_IN_C99 if edition < 1999 else frozenset())
    if edition < 1999 and "all" not in groups:
        usual -= _ALLOWED_ONCE
    shown = usual - {name for name, on in own.items() if not on} | {name for name, on in own.items() if on}
    return WarningOptions(shown, frozenset(name for name in shown if errors.get(name, all_errors and name not in _REMARKS)))


def _strict_errors(edition: int) -> frozenset[str]:
    """Return the flags that -pedantic-errors makes errors."""
    if edition < 1999:
        return (_PEDANTIC - _ALLOWED_ONCE) | STRICT
    return _PEDANTIC | _TOLD_STRICTLY


def _switch(groups: set[str], name: str, on: bool) -> None:
    if on:
        groups.add(name)
    else:
        groups.discard(name)


def members(name: str) -> tuple[str, ...]:
    """Return the flags that a name stands for; flags of other compilers, and their levels, mean nothing here."""
    if name in ("all", "extra"):
        return tuple(flag.name for flag in FLAGS.values() if flag.group == name)
    name = name.partition("=")[0]
    return _MEMBERS.get(name, (name,) if name in FLAGS else ())


def table() -> str:
    """Return the flags as lines of text, for `easecc --help-warnings`."""
    titles = {
        "default": "On unless switched off:", "all": "With -Wall:", "extra": "With -Wextra:", "pedantic": "With -pedantic:",
        "none": "Alone:",
    }  # fmt: skip
    width = max(map(len, FLAGS)) + 4
    return "\n".join(
        f"{title}\n" + "".join(f"  -W{f.name}".ljust(width + 2) + f.about + "\n" for f in FLAGS.values() if f.group == group)
        for group, title in titles.items()
    )
