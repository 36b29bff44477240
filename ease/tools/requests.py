"""What a tool asks for: calls of analysis functions at places of the program, or events in chunks."""

from __future__ import annotations

import ast
import inspect
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ease.tools.analysis import AnalysisFunction, ToolMisuse, wrapped
from vpo.rtl import Register

# ----------------------------------------------------------------------------------------------------------------------
# Events in chunks for functions that are ordinary Python: any library, and no hurry.


ROWS = 1 << 14  # events in a chunk


class Chunks:
    """A function that is called with an array for each parameter: the arguments of so many events, in their order."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function, self.columns = function, tuple(inspect.signature(function).parameters)
        self.waiting = array("q")

    def add(self, values: Sequence[int]) -> None:
        """Add an event."""
        self.waiting.extend(values)
        if len(self.waiting) == ROWS * len(self.columns):
            self.flush()

    def flush(self) -> None:
        """Pass on the events that wait."""
        events, self.waiting = self.waiting, array("q")
        if events:
            self.take(events.tobytes())

    def take(self, content: bytes) -> None:
        """Call the function with events as they lie in memory, one behind the other."""
        columns, width = _numbers(content), len(self.columns)
        self.function(*(columns[column::width] for column in range(width)))


def in_chunks(function: Callable[..., object]) -> Chunks:
    """Make a function that takes arrays of events: NumPy's, or those of Python if there is no NumPy."""
    return Chunks(function)


def _numbers(content: bytes) -> Any:
    """Return words of memory as an array."""
    try:
        import numpy
    except ImportError:
        return array("q", content)
    return numpy.frombuffer(content, numpy.int64)


# ----------------------------------------------------------------------------------------------------------------------
# Values that are known only when the program runs, as arguments of analysis functions.


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


# ----------------------------------------------------------------------------------------------------------------------


Argument = int | Value
Kind = Literal["program", "function", "block", "edge", "instruction", "reference", "system call"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a program.

    `function` is a name; `block` and `index` are those of an RTL in it; `number` is the target block of an edge, and tells
    which reference of the RTL is meant.
    """

    kind: Kind
    function: str = ""
    block: int = 0
    index: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """A call of an analysis function before or after a place, or an event that goes into `chunks`."""

    spot: Spot
    after: bool
    function: str
    arguments: tuple[Argument, ...]
    chunks: Chunks | None = None

    @property
    def is_decided_late(self) -> bool:
        """Whether an argument is known only when an instruction transfers control; such calls come after others."""
        return any(isinstance(each, Value) and each.name in ("TAKEN", "TARGET") for each in self.arguments)

    def constants(self, parameters: Iterable[str], known: Mapping[Argument, int]) -> dict[str, int]:
        """Return the arguments that are constants, by the names of their parameters, or whose values are known."""
        pairs = zip(parameters, (known.get(each, each) for each in self.arguments), strict=True)
        return {name: argument for name, argument in pairs if isinstance(argument, int)}


@dataclass(frozen=True, slots=True)
class Call:
    """Statements of an analysis function that are executed as a tool requests; an event for chunks has none."""

    request: Request
    function: AnalysisFunction | None = None
    statements: tuple[ast.stmt, ...] = ()


@dataclass(slots=True)
class Requests:
    """The requests of a tool, in order; only functions of its `file` can be called, and only these `registers` looked at."""

    file: str
    registers: Mapping[str, Register]
    made: list[Request] = field(default_factory=list)

    def add(self, place: Place, after: bool, function: Callable[..., object] | Chunks, arguments: tuple[Any, ...]) -> None:
        """Note a call.

        Raises ToolMisuse.
        """
        chunks = function if isinstance(function, Chunks) else None
        called = function.function if isinstance(function, Chunks) else function
        if not inspect.isfunction(called) or "<" in called.__qualname__ or called.__code__.co_filename != self.file:
            raise ToolMisuse(f"{called!r} is no analysis function: `def` one at the top of this file")
        takes = list(inspect.signature(called).parameters)
        name = called.__name__
        if len(takes) != len(arguments):
            given = ", ".join(map(repr, arguments))
            raise ToolMisuse(f"`{name}` takes {_arguments(takes)}, and is given {len(arguments)}: ({given})")
        if after and not place.has_after:
            raise ToolMisuse("nothing comes directly after an instruction that transfers control: take the edges of its block")
        allowed = place.values_after if after else place.values_before
        if chunks is not None and place.spot.kind == "program":
            raise ToolMisuse(f"`{name}` takes chunks, and what is before or after the program is no event")
        checked = tuple(self._checked(each, allowed, place, after) for each in arguments)
        self.made.append(Request(place.spot, after, name, checked, chunks))

    def _checked(self, argument: Any, allowed: frozenset[str], place: Place, after: bool) -> Argument:
        if isinstance(argument, Value):
            if argument.name == "register":
                self._check_register(str(argument.detail))
            elif argument.name not in allowed:
                known = ", ".join(sorted(allowed)) or "none but register(NAME)"
                raise ToolMisuse(
                    f"{argument!r} is not known {'after' if after else 'before'} this {place.spot.kind} (known: {known})"
                )
            constant = place.constant_target if argument.name == "TARGET" else None
            return argument if constant is None else constant
        if isinstance(argument, int):
            return wrapped(argument)
        raise ToolMisuse(f"an argument is a whole number or a value such as ADDRESS, not {argument!r}")

    def _check_register(self, name: str) -> None:
        if name not in self.registers:
            known = ", ".join(self.registers)
            raise ToolMisuse(f"the machine has no register `{name}` that could be looked at (it has {known})")


def _arguments(names: list[str]) -> str:
    return f"{len(names)} argument{'s' * (len(names) != 1)} ({', '.join(names)})" if names else "no arguments"


class Place:
    """A place of the program where analysis functions can be called."""

    spot: Spot
    _requests: Requests
    values_before: frozenset[str] = frozenset()
    values_after: frozenset[str] = frozenset()
    has_after = True
    constant_target: int | None = None

    def __init__(self, requests: Requests, spot: Spot) -> None:
        object.__setattr__(self, "_requests", requests)
        object.__setattr__(self, "spot", spot)

    def __setattr__(self, name: str, value: object) -> None:
        raise ToolMisuse(f"a tool cannot change the program: `{name}` of this {self.spot.kind} stays as it is")

    def __delattr__(self, name: str) -> None:
        raise ToolMisuse(f"a tool cannot change the program: `{name}` of this {self.spot.kind} stays as it is")

    def before(self, function: Callable[..., object] | Chunks, *arguments: Any) -> None:
        """Call an analysis function each time before control comes to this place.

        Raises ToolMisuse.
        """
        self._requests.add(self, False, function, arguments)

    def after(self, function: Callable[..., object] | Chunks, *arguments: Any) -> None:
        """Call an analysis function each time after control has been at this place.

        Raises ToolMisuse.
        """
        self._requests.add(self, True, function, arguments)
