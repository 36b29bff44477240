"""Where arguments and results travel, as the machine's calling convention says."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from vpo import il
from vpo.base.errors import CannotExpress
from vpo.machines.calling_convention import Convention
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Register

Scalar = tuple[int, il.Type]  # of an aggregate, with its offset


@dataclass(frozen=True, slots=True)
class Place:
    """One argument or result: word registers in memory order, or one floating register, or stack bytes, or a mix.

    `offset` is the distance of stack words from the first stack argument; `on_stack` how many words lie there.
    An aggregate with `members` (offset, type) has each of them in the register of the same position.
    """

    registers: tuple[Register, ...] = ()
    offset: int = 0
    on_stack: int = 0
    floating: bool = False
    reference: bool = False  # an aggregate passed by address
    size: int = 0
    align: int = 1
    lead: int = 0  # bytes in front of an aggregate in its first word
    members: tuple[Scalar, ...] = ()
    rest: Place | None = None  # where what is behind the members travels, if they are the first of an aggregate
    start: int = 0  # where in the aggregate that begins

    @property
    def carriers(self) -> tuple[Register, ...]:
        """All registers, those of the rest too."""
        return self.registers if self.rest is None else (*self.registers, *self.rest.registers)


class Assigner:
    """Hands out places for the arguments of one call, left to right.

    `variadic` says whether the function has variable arguments; `named` arguments are those that are none.  With
    `results`, the places are those of a result instead.
    """

    def __init__(self, machine: Machine, variadic: bool = False, results: bool = False) -> None:
        self.machine = machine
        self.convention: Convention = machine.convention
        carriers = self.convention.results if results else self.convention.arguments
        self.most_members = self.convention.aggregate_result_members if results else self.convention.aggregate_members
        self.integers = list(carriers.get("integer", ()))
        self.floats = list(carriers.get("float", ()))
        self.used: set[tuple[str, int]] = set()  # floating storage
        self.next_integer = self.next_float = 0
        self.offset = 0
        self.as_words = variadic and (self.convention.variadic_words in (("all",) if results else ("all", "arguments")))
        self.leading = not self.as_words
        # A va_list that is one pointer walks over all words in order, so unnamed arguments leave out none.
        self.walked = variadic and self.convention.variadic_list == "pointer" and self.convention.variadic_registers
        self.in_order = variadic and self.convention.variadic_registers and self.convention.keeps_whole

    def words(self, size: int) -> int:
        """Return how many words hold `size` bytes."""
        return -(-size // self.convention.word)

    def view(self, register: Register, type_: str) -> Register:
        """Return the view of a floating register that holds a type."""
        return self._views(register, type_)[0]

    def _views(self, register: Register, type_: str) -> list[Register]:
        """Return the registers for a floating type that lie within a register: itself as a rule, or both of a pair."""
        values = self.machine.values
        cls = self.machine.classes[values.floating(type_) or values.double]
        cells = [index for _, index in self.machine.storage(register)]
        whole = [index for index in cells if index % cls.width == 0 and index + cls.width - 1 <= cells[-1]]
        return [Register(cls.name, index // cls.width, cls.type) for index in whole]

    def scalar(self, type_: il.Type, named: bool = True) -> Place:
        """Place one scalar argument."""
        if not type_.is_float:
            self.leading = False
            return self._in_words(max(type_.size, 1), type_.size, named)
        if named and not self.as_words:
            place = self._floating(type_)
            if place is not None:
                return place
        place = self._in_words(type_.size, type_.size, named)
        return as_value(self.machine, place) if not place.on_stack else place

    @property
    def floats_used(self) -> int:
        """How many floating registers carry arguments."""
        return sum(not self.used.isdisjoint(self.machine.storage(register)) for register in self.floats)

    def _floating(self, type_: il.Type) -> Place | None:
        """Place a floating argument in a floating register, or where it goes without one; None: in words."""
        leading = self.convention.leading_floats
        if self.convention.float_words:
            words = self._in_words(type_.size, type_.size, True)
            registers = self._free_floats((type_,))
            return Place(tuple(registers), floating=True, size=type_.size) if registers else words
        if not leading and not self.convention.positional:
            registers = self._free_floats((type_,))
            if registers is None and self.convention.float_overflow != "words" and not self.in_order:
                self._close_floats()
                return self._on_stack(type_.size, type_.size)
            return Place(tuple(registers), floating=True, size=type_.size) if registers else None
        if leading and (not self.leading or self.next_float == len(self.floats)):
            return None
        place = self._in_words(type_.size, type_.size, True)
        self.next_float += 1
        index = self.next_float if leading else self.next_integer
        if place.on_stack or index > len(self.floats):
            return place
        return Place((self.view(self.floats[index - 1], "F" if type_.size == 4 else "D"),), floating=True, size=type_.size)

    def first_float(self, type_: il.Type) -> Register:
        """Return the first floating register that holds values of a type."""
        return next(v for r in self.floats for v in self._views(r, "F" if type_.size == 4 else "D"))

    def _free_floats(self, types: tuple[il.Type, ...], together: bool = False) -> list[Register] | None:
        """Take floating registers for values of some types, the first that are free; None if there are not enough.

        With `together`, the types are the same, and the registers follow each other.
        """
        found: list[Register] = []
        for type_, count in [(types[0], len(types))] if together else [(type_, 1) for type_ in types]:
            run = self._free_run(type_, count, {part for r in found for part in self.machine.storage(r)} | self.used)
            if run is None:
                return None
            found += run
        self.used |= {part for r in found for part in self.machine.storage(r)}
        if not self.convention.float_gaps:
            self.used |= self._before(found[-1])
        return found

    def _before(self, register: Register) -> set[tuple[str, int]]:
        """Return the storage of floating arguments that lies in front of a register of theirs, in the order of their use."""
        order = [part for r in self.floats for part in self.machine.storage(r)]
        return set(order[: max(order.index(part) for part in self.machine.storage(register))])

    def _close_floats(self) -> None:
        """What follows a floating argument on the stack uses no floating registers, unless that lies there `alone`."""
        if self.convention.float_overflow == "stack":
            self.next_float = len(self.floats)

    def _free_run(self, type_: il.Type, count: int, used: set[tuple[str, int]]) -> list[Register] | None:
        """Return the first `count` floating registers for values of a type that follow each other and are free."""
        views = [v for r in self.floats[self.next_float :] for v in self._views(r, "F" if type_.size == 4 else "D")]
        for first in range(len(views) - count + 1):
            run = views[first : first + count]
            if all(used.isdisjoint(self.machine.storage(register)) for register in run):
                return run
        return None

    def _on_stack(self, size: int, align: int) -> Place:
        """Place a value on the stack whatever registers are left."""
        if align > self.convention.word and self.convention.align_pairs != "never":
            self.offset = -(-self.offset // align) * align
        place = Place((), self.offset, self.words(size), size=size, align=align)
        self.offset += place.on_stack * self.convention.word
        return place

    def close_registers(self) -> None:
        """Let unnamed arguments lie behind named ones that are on the stack, if a va_list could not find them otherwise."""
        if self.walked and self.offset:
            self.next_integer = len(self.integers)

    def _in_words(self, size: int, align: int, named: bool) -> Place:
        if not named:
            self.close_registers()
        may_split = not named and self.walked
        count = self.words(size)
        pairs = self.convention.align_pairs
        aligned = align > self.convention.word or (count == 2 and pairs == "every")
        if aligned and (pairs in ("always", "every") or (pairs == "variadic" and not named)):
            # unnamed ones are found by their addresses, which are even from the end of the registers, where the stack begins
            self.next_integer += (self.next_integer - (0 if named else len(self.integers))) % 2
        if count > 1 and self.convention.keeps_whole and not self.in_order and self.next_integer + count > len(self.integers):
            return self._on_stack(size, align)
        splits = count > 1 and self.next_integer + count > len(self.integers)
        if splits and not self.convention.values_split and not may_split:
            self.next_integer = len(self.integers)
        if self.offset and self.next_integer + count > len(self.integers):  # nothing is split behind what is on the stack
            self.next_integer = len(self.integers)
        carriers = self.integers if named or self.convention.variadic_registers else []
        registers = tuple(carriers[self.next_integer : self.next_integer + count])
        self.next_integer += len(registers)
        if self.convention.grows_up:  # the cell of a later register has the lower address
            registers = registers[::-1]
        left = count - len(registers)
        if left == 0:
            return Place(registers, size=size)
        if not registers and aligned:
            return replace(self._on_stack(size, max(align, 2 * self.convention.word)), align=align)
        place = self._on_stack(left * self.convention.word, 1)
        return replace(place, registers=registers, size=size, align=align)

    def aggregate(self, size: int, align: int, scalars: tuple[Scalar, ...], named: bool = True) -> Place:
        """Place an aggregate argument, whose scalars are at the offsets given."""
        self.leading, align = False, self.convention.argument_alignment(align)
        members = self._members(scalars) if named and not self.as_words else ()
        if members and self.convention.float_words:
            return self._beside_words(members, size, align)
        if members:
            place = self._each(members, size)
            if place is not None:
                return place
            if self.convention.float_overflow != "words" and self.convention.aggregates == "reference":
                self._close_floats()
                return self._on_stack(size, align)
        small = self.convention.in_words(size)
        whole = members or not small or self._would_split(size, align)
        if self.convention.aggregates == "stack" and not self.in_order and whole:
            return replace(self._on_stack(size, align), lead=self.convention.lead(size))
        may_split = self.convention.aggregates_split or (self.walked and not named)
        if not may_split and self._would_split(size, align):
            self.next_integer = len(self.integers)
        if small or self.convention.aggregates == "stack":
            return replace(self._in_words(size, align, named), lead=self.convention.lead(size))
        pointer = self._in_words(self.machine.model.sizes["pointer"], 1, named)
        return Place(pointer.registers, pointer.offset, pointer.on_stack, reference=True, size=size, align=align)

    def _would_split(self, size: int, align: int) -> bool:
        """Whether an aggregate that travels in words would lie partly in registers and partly on the stack."""
        even = align > self.convention.word and self.convention.align_pairs in ("always", "every")
        first = self.next_integer + (self.next_integer % 2 if even else 0)
        count = self.words(size)
        return count <= self.convention.aggregate_words and first + count > len(self.integers)

    def _members(self, scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        """Return the members of an aggregate if each travels in a register of its own."""
        kinds = {str(type_) for _, type_ in scalars}
        floating = sum(type_.is_float for _, type_ in scalars)
        alike, mixed = (self.most_members.get(key, 0) for key in ("alike", "mixed"))
        apart = all(a + type_.size <= b for (a, type_), (b, _) in itertools.pairwise(scalars))
        if not floating or not apart:
            return ()
        if floating == len(scalars) <= alike and len(kinds) == 1:
            return scalars
        if self.words(scalars[-1][0] + scalars[-1][1].size) <= self.most_members.get("words", 0):
            return self._by_words(scalars)
        small = all(type_.is_float or type_.size <= self.convention.word for _, type_ in scalars)
        return scalars if len(scalars) <= mixed and floating >= len(scalars) - 1 and small else ()

    def _by_words(self, scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        """Return the words of an aggregate as scalars, those floating in which nothing else is; nothing if none is."""
        word, end = self.convention.word, scalars[-1][0] + scalars[-1][1].size
        result: list[Scalar] = []
        for start in range(0, end, word):
            within = [type_ for offset, type_ in scalars if start <= offset < start + word]
            floating = all(type_.is_float for type_ in within)
            size = word if end - start > word // 2 else word // 2
            result.append((start, il.Type("F" if floating else "U", size)))
        return tuple(result) if any(type_.is_float for _, type_ in result) else ()

    def _beside_words(self, members: tuple[Scalar, ...], size: int, align: int) -> Place:
        """Place floating members in registers while there are any, the others in the words that all of them use up."""
        word, words = self.convention.word, self._in_words(size, align, True)
        found = [self._free_floats((type_,)) for _, type_ in members]
        registers = tuple(taken[0] for taken in found if taken)
        held = members[: len(registers)]
        if not held:
            return replace(words, lead=self.convention.lead(size))
        place = Place(registers, size=size, align=align, members=held)
        if held == members:
            return place
        end = held[-1][0] + held[-1][1].size
        first = end // word  # the word of which some is in no floating register yet
        if first < len(words.registers):
            rest = replace(words, registers=words.registers[first:], size=size - first * word)
            return replace(place, rest=rest, start=first * word)
        behind = end - len(words.registers) * word
        rest = replace(words, registers=(), offset=words.offset + behind, size=size - end)
        return replace(place, rest=rest, start=end)

    def _each(self, members: tuple[Scalar, ...], size: int) -> Place | None:
        """Place the members of an aggregate in a register each; None if there are not enough."""
        rest = self.integers[self.next_integer :]
        integers = [type_ for _, type_ in members if not type_.is_float]
        if len(integers) > len(rest):
            return None
        types = tuple(type_ for _, type_ in members if type_.is_float)
        floats = self._free_floats(types, together=len(members) <= self.most_members.get("alike", 0))
        if floats is None:
            return None
        self.next_integer += len(integers)
        registers = tuple(floats.pop(0) if type_.is_float else rest.pop(0) for _, type_ in members)
        return Place(registers, size=size, members=members)


def result_place(machine: Machine, type_: il.Type, variadic: bool = False) -> Place:
    """Return where a function leaves a scalar result; `variadic` says whether it has variable arguments.

    Raises CannotExpress if the convention has too few registers for it.
    """
    convention = machine.convention
    as_words = variadic and convention.variadic_words == "all"
    if type_.is_float and convention.results.get("float") and not as_words:
        return Place((Assigner(machine, results=True).first_float(type_),), floating=True, size=type_.size)
    if type_.kind == "P" and convention.results.get("address"):
        return Place(convention.results["address"][:1], size=type_.size)
    count, registers = -(-type_.size // convention.word), convention.results["integer"]
    if count > len(registers):
        raise CannotExpress(f"registers for a result of {type_.size} bytes: `results: integer:` must name {count} of them")
    place = Place(tuple(registers[:count]), size=type_.size)
    return as_value(machine, place) if type_.is_float else place


def as_value(machine: Machine, place: Place) -> Place:
    """Return a floating value's place in integer registers as the one floating register that they make up, if they do."""
    name = machine.values.floating("F" if place.size == 4 else "D")
    if not name:
        return place
    cls = machine.classes[name]
    storage = tuple(part for register in place.registers for part in machine.storage(register))
    register = Register(name, storage[0][1] // cls.width, cls.type)
    if BITS[cls.type] != 8 * place.size or machine.storage(register) != storage:
        return place
    return replace(place, registers=(register,), floating=True)


def aggregate_result(
    machine: Machine, size: int, align: int, scalars: tuple[Scalar, ...], variadic: bool = False
) -> Place | None:
    """Return where a function leaves an aggregate result, None for in memory, at an address that the caller passes."""
    convention = machine.convention
    place = Assigner(machine, variadic, results=True).aggregate(size, align, scalars)
    if place.members:
        return place
    if not 0 < -(-size // convention.word) <= convention.aggregate_result_words:
        return None
    if convention.aggregate_result_sizes and size not in convention.aggregate_result_sizes:
        return None
    if convention.aggregate_result_aligned and align < min(size, convention.word):
        return None
    count = -(-size // convention.word)
    return Place(convention.results["integer"][:count], size=size, align=align, lead=convention.lead(size))
