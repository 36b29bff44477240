"""The inputs that `-verify` runs a function on, made from what the function does with its arguments and with what it loads.

An argument by which memory is addressed gets the address of a variable, an index a small number, any other one a number about
one of the function's own constants, or one of the usual numbers of both signs.  Where a loaded value is an address in its
turn, variables hold addresses of further variables, as the nodes of lists and trees do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from typing import Literal

from vpo.algebra import INTEGER_OF, wrap
from vpo.machines.machine import Machine
from vpo.rtl import BITS, FLOAT_TYPES, RELATIONS, Branch, Const, Half, Mem, Node, Op, Register, Set, Slot, Symbol
from vpo.rtl.function import Function
from vpo.rtl.nodes import subexpressions

AREA = 256  # bytes of each variable that have contents
INSIDE = 8  # where in a variable an argument points
NODES = 5  # behind each argument
MOST = 64  # bytes of an argument on the stack that get values
PLACES = 4  # of a node, at most, that hold addresses
TABLE = 8  # places of a table of functions
CONSTANTS = 8  # of a function, at most, about which numbers are chosen
CANDIDATES = 100  # inputs that are tried
FUNCTION = "_.function"  # what pointers to functions point to

NUMBERS = (0, 1, -1, 2, -3, 7, -8, 9, 100, -100, 127, -128, 255, 0x7FFF, -0x8000, 0x12345678, -0x12345678)
SMALL = (3, 2, 5, 0, 1, 7, -1, 4)
FLOATS = (1.5, -2.25, 3.0, 0.0, -0.75, 100.5)
COUNTING = tuple(range(1, AREA // 4 + 1))
SIGNED = (0xFFFFFFFF, 5, 0xFFFFFF80, 0x7FFF, 0x80, 0xFFFFFFFD, 0x8000, 2, 0xFFFF8001, 0x40, 0)  # words and bytes of both signs
LETTERS = (0x61, 0x62, 0x31, 0x2D, 0x5A, 0x20, 0x80)
REALS = (0x3FF80000, 0x40140000, 0xC0040000, 0xBFF80000, 0x3FC80000)  # any one or two of them are a number of a usual size
Value = int | float | Symbol


@dataclass(frozen=True, slots=True)
class StackWord:
    """An argument, or a part of one, on the stack: its slot, an offset in there, its type and its place.

    The place is an offset from the stack pointer when the function begins.
    """

    name: str
    offset: int
    type: str
    place: int


Cell = Register | StackWord
Source = Node | tuple[str, Register]  # of a value: an expression, or the result of a function in a register


@dataclass(frozen=True)
class Inputs:
    """Values of a function's arguments, the words that variables hold, and the addresses in places of some variables."""

    values: tuple[Value, ...]
    words: tuple[int, ...] = COUNTING
    pointers: tuple[tuple[str, int, Symbol], ...] = ()
    turn: int = 0  # words by which the contents of each variable are behind those of the one before

    def variables(self) -> Iterator[str]:
        """Yield the variables that addresses are of, and those that hold them."""
        yield from (value.name for value in self.values if isinstance(value, Symbol))
        for name, _, pointer in self.pointers:
            yield from (name, pointer.name)

    def contents(self, order: Literal["big", "little"], number: int) -> bytearray:
        """Return what the n-th variable holds beside addresses."""
        words = islice(cycle(self.words), number * self.turn, number * self.turn + AREA // 4)
        return bytearray(b"".join(word.to_bytes(4, order) for word in words))


@dataclass
class Uses:
    """How a function uses its arguments and what it loads.

    `kinds` tells of registers whether they are pointers, indices or pointers to functions.  `places` are those of nodes that
    hold addresses and `code` those that hold addresses of functions, by argument or variable.
    """

    function: Function
    cells: tuple[Cell, ...]
    stack_pointer: Register
    word: int  # bytes
    kinds: dict[Cell, str] = field(default_factory=dict)
    places: dict[Cell | str, list[int]] = field(default_factory=dict)
    code: dict[Cell | str, list[int]] = field(default_factory=dict)
    called: dict[tuple[str, Register], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the kinds out."""
        self.on_stack = {(cell.name, cell.offset): cell for cell in self.cells if isinstance(cell, StackWord)}
        self.pointers: set[Node] = set()
        self.sources: dict[Register, list[Source]] = {}
        entry = {cell for cell in self.cells if isinstance(cell, Register)}
        callee = ""
        for rtl in self.function.rtls():
            for effect in rtl.effects:
                if isinstance(effect, Set) and isinstance(effect.target, Register) and effect.target.pseudo:
                    source: Source = effect.source
                    if callee and isinstance(source, Register) and not source.pseudo and source not in entry:
                        source = callee, source
                    self.sources.setdefault(effect.target, []).append(source)
            if rtl.call is not None:
                entry, callee = set(), rtl.call.target.name if isinstance(rtl.call.target, Symbol) else FUNCTION
        for rtl in self.function.rtls():
            for cell in (*rtl.loads, *rtl.stores):
                self._mark(cell.address, "pointer")
            if rtl.call is not None and not isinstance(rtl.call.target, Symbol):
                self._mark(rtl.call.target, "code")

    def kind(self, cell: Cell) -> str:
        """Return how an argument is used: as a 'pointer', an 'index', 'code' or a 'number'."""
        return self.kinds.get(cell, "number")

    def _mark(self, node: Source, kind: str) -> None:
        """Note that a value is of a kind, and what follows from that for those of which it is computed."""
        if isinstance(node, tuple):
            self.called.setdefault(node, kind)
        elif isinstance(node, Register):
            if node is not self.stack_pointer and node not in self.kinds:
                self.kinds[node] = kind
                self.pointers |= {node} if kind == "pointer" else set()
                for source in self.sources.get(node, ()):
                    self._mark(source, kind)
        elif isinstance(node, Mem):
            self._mark_cell(node, kind)
        elif isinstance(node, Op) and kind == "index":
            for argument in node.args:
                self._mark(argument, kind)
        elif isinstance(node, Op) and node.op in ("+", "-") and len(node.args) == 2:
            base, others = self._base(node)
            self._mark(base, kind)
            if kind == "pointer":
                for other in others:
                    self._mark(other, "index")
        elif isinstance(node, Op) and len(node.args) == 1:
            self._mark(node.args[0], kind)

    def _base(self, node: Op) -> tuple[Node, tuple[Node, ...]]:
        """Return the operand of an addition that is an address, and the other one."""
        first, second = node.args
        if isinstance(first, Symbol | Slot) or isinstance(second, Const) or node.op == "-" or first is self.stack_pointer:
            return first, (second,)
        if isinstance(second, Symbol | Slot) or isinstance(first, Const):
            return second, (first,)
        swapped = self._scaled(first) > self._scaled(second) or second in self.pointers
        return (second, (first,)) if swapped else (first, (second,))

    def _scaled(self, node: Node, depth: int = 3) -> bool:
        """Whether a value is computed as indices are."""
        if isinstance(node, Op):
            return node.op in ("<<", "*", "sx", "zx", "&")
        sources = self.sources.get(node, ()) if isinstance(node, Register) and depth else ()
        return any(not isinstance(source, tuple) and self._scaled(source, depth - 1) for source in sources)

    def _mark_cell(self, cell: Mem, kind: str) -> None:
        """Note that what a cell holds is of a kind: an argument, or a place of nodes."""
        argument = self._argument(cell)
        if argument is not None:
            self.kinds.setdefault(argument, kind)
            return
        found = {"pointer": self.places, "code": self.code}.get(kind)
        root, offset = self._root(cell.address, set())
        if found is not None and root is not None:
            places = found.setdefault(root, [])
            if kind == "code" and self._is_indexed(cell.address):
                places += [at for at in range(offset, offset + TABLE * self.word, self.word) if at not in places]
            elif offset not in places and len(places) < PLACES:
                places.append(offset)

    def _is_indexed(self, address: Node, depth: int = 3) -> bool:
        """Whether an address is one of an object, and a number that is not known is added."""
        if isinstance(address, Op) and address.op == "+" and len(address.args) == 2:
            base, others = self._base(address)
            return not all(isinstance(other, Const) for other in others) or self._is_indexed(base, depth)
        sources = self.sources.get(address, ()) if isinstance(address, Register) and depth else ()
        return any(not isinstance(source, tuple) and self._is_indexed(source, depth - 1) for source in sources)

    def _argument(self, cell: Mem) -> Cell | None:
        """Return the argument on the stack that a cell is in."""
        slot = slot_of(cell, self.stack_pointer)
        return None if slot is None else self.on_stack.get((slot.name, slot.offset - slot.offset % self.word))

    def _root(self, node: Node, seen: set[Node]) -> tuple[Cell | str | None, int]:
        """Return the argument or variable from which an address comes, perhaps through loads, and the distance."""
        offset = 0
        while True:
            if isinstance(node, Op) and len(node.args) == 2 and node.op == "+":
                node, others = self._base(node)
                offset += sum(other.value for other in others if isinstance(other, Const))
            elif isinstance(node, Op) and len(node.args) == 1:
                node = node.args[0]
            else:
                break
        if isinstance(node, Half):  # the other parts of the address are added to it
            node = node.of
        if isinstance(node, Symbol):
            return node.name, offset + node.offset
        if isinstance(node, Mem):
            argument = self._argument(node)
            return argument if argument is not None else self._root(node.address, seen)[0], offset
        if not isinstance(node, Register) or node in seen:
            return None, offset
        if node in self.cells:
            return node, offset
        seen.add(node)
        for source in self.sources.get(node, ()):
            if isinstance(source, tuple):
                return None, offset
            root, more = self._root(source, seen)
            if root is not None:
                return root, offset + (more if not isinstance(source, Mem) else 0)
        return None, offset


def slot_of(cell: Mem, stack_pointer: Register) -> Slot | None:
    """Return the place in the frame that a cell is at, if it is known beforehand."""
    match cell.address:
        case Op(op="+", args=(base, Slot() as slot)) if base is stack_pointer:
            return slot
    return None


def stack_words(function: Function, machine: Machine) -> Iterator[StackWord]:
    """Yield the arguments of a function that are on the stack, word by word."""
    floats: dict[tuple[str, int], str] = {}
    for cell in (cell for rtl in function.rtls() for cell in rtl.loads):
        place = slot_of(cell, machine.stack_pointer)
        if place is not None and cell.type in FLOAT_TYPES:
            floats[place.name, place.offset] = cell.type
    convention, word = machine.convention, BITS[machine.address_type] // 8
    for slot in function.slots.values():
        at, size = 0, min(slot.size, MOST)
        passed = slot.kind == "incoming" and (slot.offset or 0) - convention.pushed >= convention.first_argument
        while passed and at < size:
            type_ = floats.get((slot.name, at)) or INTEGER_OF[8 * min(word, (size - at) & -(size - at))]
            yield StackWord(slot.name, at, type_, convention.offset(slot.offset or 0, slot.size) + at)
            at += BITS[type_] // 8


def constants_of(function: Function) -> list[int]:
    """Return the numbers that a function compares or computes with, those of comparisons first."""
    compared: dict[int, None] = {}
    others: dict[int, None] = {}
    for effect in (effect for rtl in function.rtls() for effect in rtl.effects):
        whole = effect.source if isinstance(effect, Set) else effect.condition if isinstance(effect, Branch) else None
        if isinstance(whole, Const):
            compared[whole.value] = None  # which may be compared as a register
        for node in () if whole is None else subexpressions(whole):
            if isinstance(node, Op):
                into = compared if node.op in RELATIONS or node.op == "?" else others
                into.update((arg.value, None) for arg in node.args if isinstance(arg, Const))
    return [number for number in dict.fromkeys((*compared, *others)) if -1 << 31 <= number < 1 << 32]


def inputs_for(uses: Uses) -> Iterator[Inputs]:
    """Yield inputs of a function, the most telling first, the same in each run."""
    near = [number + step for number in constants_of(uses.function)[:CONSTANTS] for step in (0, -1, 1)]
    pointers = pointers_of(uses)
    random = Random(len(near))
    for number in range(CANDIDATES):
        given = (_value(uses, cell, place, number, near, random) for place, cell in enumerate(uses.cells))
        values = tuple(as_held(uses.function, cell, value) for cell, value in zip(uses.cells, given, strict=True))
        words = _words(number, near, values, random)
        turn = 3 * number % len(words)
        yield Inputs(values, words[turn:] + words[:turn], pointers, number % 2)


def _value(uses: Uses, cell: Cell, place: int, number: int, near: Sequence[int], random: Random) -> Value:
    """Return the value of an argument in one of the inputs."""
    kind = uses.kind(cell)
    if cell.type in FLOAT_TYPES:
        return FLOATS[(number + place) % len(FLOATS)]
    if kind == "code":
        return Symbol(FUNCTION)
    if kind == "pointer":
        if number % 9 == 8 and random.random() < 0.5:
            return 0
        together = number % 7 == 6  # all point into the same variable
        return Symbol(area(0), INSIDE + 4 * place) if together else Symbol(area(place), INSIDE)
    if kind == "index":
        return SMALL[(number + place) % len(SMALL)]
    few = (place + 2, 9 - place, -5 - 37 * place, place - 3)
    if number < len(few):
        return few[number]
    return random.choice(near) if near and random.random() < 0.6 else random.choice(NUMBERS)


def as_held(function: Function, cell: Cell, value: Value) -> Value:
    """Return a value as an argument holds it: extended if callers extend it."""
    op, type_ = function.arriving.get(cell if isinstance(cell, Register) else Slot(cell.name, 0), ("", ""))
    if not op or isinstance(value, float):
        return value
    low = (value.offset if isinstance(value, Symbol) else value) % (1 << BITS[type_])
    return wrap(low, BITS[type_]) if op == "sx" else low


def area(place: int) -> str:
    """Return the name of the variable to which an argument points."""
    return f"_.area{place}"


def pointers_of(uses: Uses) -> tuple[tuple[str, int, Symbol], ...]:
    """Return which places of which variables hold addresses: those of nodes lead to further nodes, as far as there are any."""
    found: list[tuple[str, int, Symbol]] = []
    for root in dict.fromkeys((*uses.places, *uses.code)):
        first, inside = (root, 0) if isinstance(root, str) else (area(uses.cells.index(root)), INSIDE)
        nodes = [first, *(f"{first}.{n}" if first.startswith("_.") else f"_.{first}.{n}" for n in range(1, NODES + 1))]
        places = [place for place in uses.places.get(root, ()) if _fits(place, inside, uses.word)]
        for number, node in enumerate(nodes):
            at = inside if number == 0 else INSIDE
            for child, place in enumerate(places, number * len(places) + 1):
                pointer = Symbol(nodes[child], INSIDE) if child <= NODES else Symbol("", 0)
                found.append((node, at + place, pointer))
            code = [place for place in uses.code.get(root, ()) if _fits(place, inside, uses.word)]
            found += [(node, at + place, Symbol(FUNCTION)) for place in code]
    return tuple(found)


def _fits(place: int, inside: int, size: int) -> bool:
    return 0 <= place + inside <= AREA - INSIDE - size


def _words(number: int, near: Sequence[int], values: Sequence[Value], random: Random) -> tuple[int, ...]:
    """Return what variables hold in one of the inputs: small numbers, texts, or what the function knows."""
    known = [*near, *(value for value in values if isinstance(value, int))]
    kind = ("signed", "counting", "text", "known", "reals")[number % 5]
    if kind == "counting" or (kind == "known" and not known):
        return COUNTING
    if kind == "signed":
        return SIGNED
    if kind == "reals":
        return REALS
    if kind == "known":
        return tuple(random.choice(known) & 0xFFFFFFFF for _ in range(AREA // 4))
    letters = [letter for letter in near if 0 < letter < 256] * 2 + list(LETTERS)
    text = bytes(0 if at % 11 == 10 else random.choice(letters) for at in range(AREA))
    return tuple(int.from_bytes(text[at : at + 4], "little") for at in range(0, AREA, 4))
