"""Functions that run before main, or when the program ends: units name them by objects, the linker makes tables of these.

Where there are any, the start-up code calls a function of the library in main's place, which calls them and main.
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo import il
from vpo.function import Data

KINDS = ("constructor", "destructor")
DEFAULT_PRIORITY = 65535
MAIN, IN_PLACE_OF_MAIN = "_main", "___start_main"
ENVIRONMENT = "_environ"
ASKING = (ENVIRONMENT, "___arguments")  # of programs that mention one the start-up code calls the same function


def object_name(kind: str, priority: int, function: str, unit: int) -> str:
    """Return the name, in the intermediate language, of the object that names a function of a unit with that number."""
    return f"{kind}.{priority:05}.{unit:08x}.{function}"


def tables(data: Iterable[Data], size: int) -> list[Data]:
    """Return the tables of functions, null pointers at their ends.

    Constructors run in the order of priorities, then of the program's files; destructors in the opposite order.
    """
    objects = list(data)
    found: list[Data] = []
    for kind in KINDS:
        named = [item for item in objects if item.name.startswith(f"_{kind}.")]
        named.sort(key=lambda item: item.name[: len(kind) + 7])
        items = [item for one in (named if kind == "constructor" else reversed(named)) for item in one.items]
        symbols = [item.symbol for item in items if isinstance(item, il.AddressItem)]
        entries = [il.AddressItem(size * position, symbol, 0) for position, symbol in enumerate(symbols)]
        found.append(Data(f"___{kind}s", size * (len(entries) + 1), size, list(entries), constant=True))
    return found
