"""Formats of printf, and which parts of printf a unit does without.

printf has parts that most programs never use: floating numbers alone are a third of it.  Formats are mostly literals, so a
unit tells which parts it needs; the linker leaves out those that no unit does (`vpo.link.link`).  Toolchains for small
machines do the same by hand (newlib's `-u _printf_float`) or from formats (IAR's and Keil's linkers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vpo import il
from vpo.il.traversal import expressions_of, walk
from vpo.il.uses import string_at

# Which argument of a function the format is, from 1, and the first that it is about; 0 if those are in a va_list.
PRINTING = {
    "printf": (1, 2), "fprintf": (2, 3), "sprintf": (2, 3), "snprintf": (3, 4), "dprintf": (2, 3), "vprintf": (1, 0),
    "vfprintf": (2, 0), "vsprintf": (2, 0), "vsnprintf": (3, 0), "asprintf": (2, 3), "vasprintf": (2, 0),
    "vdprintf": (2, 0),
}  # fmt: skip
# The functions of the library that print some conversions, and what these look like.
_WRAPPED = "__real_"  # how names begin of functions in place of which others are called (`-wrap`)
_BEGIN, _LENGTH = r"%[-+ #0'\d.*$]*", r"[hljztLqwf\d]*"
PARTS = {
    "__format_float": re.compile(f"{_BEGIN}{_LENGTH}[aAeEfFgG]"),
    "__print_long": re.compile(f"{_BEGIN}{_LENGTH}(?:(?:ll|[jLqw]){_LENGTH}[diouxX]|[bB])"),
    "__print_positions": re.compile(r"%\d+\$"),
    "__put_wide_string": re.compile(f"{_BEGIN}{_LENGTH}l{_LENGTH}s"),
}


def parts_needed(unit: il.Unit, of_library: bool = False) -> frozenset[str] | None:
    """Return the parts that the formats of a unit need; None if it prints nothing.

    In files of the library that are printf themselves, formats that are not known are those of the callers, who tell.
    """
    objects = {data.name: data for data in unit.data if not data.weak}
    own = of_library and any(function.name in {*PRINTING, *PARTS} for function in unit.functions)
    found: set[str] | None = None
    for text in _formats(unit, objects):
        found = found or set()
        if text is not None:
            found.update(part for part, pattern in PARTS.items() if pattern.search(text))
        elif not own:
            return frozenset(PARTS)
    return None if found is None else frozenset(found)


def _formats(unit: il.Unit, objects: Mapping[str, il.Data]) -> Iterator[str | None]:
    """Yield for each use of a function that prints what its format is, None if that is not known."""
    for item in (item for data in unit.data for item in data.items):
        if isinstance(item, il.AddressItem) and _prints(item.symbol):
            yield None
    for statement in (statement for function in unit.functions for statement in function.body):
        roots = expressions_of(statement)
        match statement:
            case il.Call(function=il.AddrGlobal(name=name), arguments=arguments) if _prints(name):
                position, first = PRINTING[name.removeprefix(_WRAPPED)]
                given = arguments[position - 1] if first and len(arguments) >= position else None
                text = None if given is None or isinstance(given, il.Block) else string_at(given, objects)
                yield None if text is None else text.decode("latin-1")
                del roots[0]  # the function itself
        nodes = (node for root in roots for node in walk(root))
        if any(type(node) is il.AddrGlobal and _prints(node.name) for node in nodes):
            yield None


def _prints(name: str) -> bool:
    return name.removeprefix(_WRAPPED) in PRINTING
