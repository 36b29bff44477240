"""Linking: from units to a program at its target addresses.  What the entry does not reach is left out.

The start-up code of a program is made here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import chain

from vpo.base.clock import timed
from vpo.base.errors import CannotExpress, GroupError, LinkError
from vpo.il.formats import PARTS, PRINTING
from vpo.link.dispatchers import is_dispatcher
from vpo.link.layout import call_by_register, place
from vpo.link.symbols import ASKING, IN_PLACE_OF_MAIN, MAIN, rename_data, rename_function, share_definitions, tables
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.frame.save_instructions import storage, with_hard_registers
from vpo.opt.late.delay import fill_delay_slots
from vpo.opt.state import FunctionState
from vpo.program import Linked, Program
from vpo.rtl import Call, Effect, Half, Mem, Register, Rtl, Set
from vpo.rtl.function import Block, Data, Function, Unit
from vpo.rtl.symbols import addresses_taken, symbols_in, symbols_of_data, symbols_of_function
from vpo.text import show_effects

# ----------------------------------------------------------------------------------------------------------------------
# The start-up code of a program: the description's, made of other instructions where the machine lacks one of it.


ENTRY = "_start"


def start_function(machine: Machine) -> Function:
    """Build the start-up code of a machine, delay slots filled.

    Raises CannotExpress, which names an RTL that the machine can do in no way.
    """
    function = Function("_" + ENTRY, "", 0, False, "framed", [Block("L1", [])], labels=1)
    places = zip(machine.start, _free_registers(machine), strict=True)
    function.blocks[0].rtls = [rtl for effects, free in places for rtl in _legal(machine, effects, free)]
    fill_delay_slots(FunctionState(function, machine))
    return function


def _free_registers(machine: Machine) -> list[list[Register]]:
    """Return, for each RTL of the start-up code, the allocable registers that it does not name and nothing after it reads."""
    registers = [r for allocable in machine.allocable.values() for r in allocable]
    live: set[tuple[str, int]] = set()
    found: list[list[Register]] = []
    for effects in reversed(machine.start):
        set_ = storage(machine, (r for effect in effects for r in effect.sets))
        read = storage(machine, (r for effect in effects for r in effect.uses))
        calls = any(isinstance(effect, Call) for effect in effects)
        live -= storage(machine, machine.convention.scratch) if calls else set()
        busy = live | set_ | read
        found.append([r for r in registers if busy.isdisjoint(machine.storage(r))])
        live = live - set_ | read
    return found[::-1]


def _legal(machine: Machine, effects: tuple[Effect, ...], free: list[Register]) -> list[Rtl]:
    """Return RTLs that do what one does, with free registers for the values between them."""
    if machine.is_legal(effects):
        return [Rtl(effects, (0,), "startup")]
    try:
        if len(effects) > 1 or isinstance(effects[0], Call):
            return call_by_register(machine, effects, free, (0,), "startup")
        code = Legalizer(machine, Function("_" + ENTRY, "", 0, False))
        code.emit(_without_pool(effects[0]))
        return [Rtl(rtl.effects, (0,), "startup") for rtl in with_hard_registers(code.out, free, machine, 0)]
    except CannotExpress as failure:
        raise CannotExpress(f"{failure.what}, which start-up code `{show_effects(effects)}` needs") from None


def _without_pool(effect: Effect) -> Effect:
    """Return the move of a constant or an address in the place of its load from a literal pool."""
    match effect:
        case Set(source=Mem(address=Half(is_literal=True, of=value))):
            return Set(effect.target, value)
    return effect


# ----------------------------------------------------------------------------------------------------------------------
# Linking.


_PRINTING = frozenset("_" + name for name in PRINTING)
_PARTS = frozenset("_" + part for part in PARTS)  # of printf

Library = Callable[[str], Unit | None]
Dispatchers = Callable[[Sequence[str], Sequence[str]], list[Function]]


@timed("linker")
def link(
    units: list[Unit],
    machine: Machine,
    library: Library | None = None,
    elsewhere: frozenset[str] = frozenset(),
    dispatchers: Dispatchers | None = None,
    ahead: Callable[[Sequence[str]], object] | None = None,
) -> Program:
    """Link units, taking from `library` the units that define what is missing.

    `library(symbol)` returns the unit that defines a symbol (with its underscore), or None; what such a unit defines
    besides gives way to definitions of `units`, as it would if it were in a file of its own.  Symbols that are defined
    `elsewhere`, in object files that the machine's own linker will add, get the address 0.  `dispatchers(names, functions)`
    returns the functions of these names that call through pointers (`vpo.link.dispatchers`), which may point to the functions
    given, in ascending order of their addresses.  `ahead` is told what is missing, before `library` is asked for any of it.
    Raises LinkError.
    """
    try:
        start = start_function(machine)
    except CannotExpress as failure:
        raise LinkError([f"{machine.name} cannot do this: it has no {failure.what}"]) from None
    linker = _Linker(machine, library, elsewhere, dispatchers)
    linker.add(Unit(machine.name, [start]))
    for unit in share_definitions(units):
        linker.add(unit)
    if ahead is not None:
        ahead(linker.missing())
    return place(linker.finish())


class _Linker:
    """Collects units and finds what is reachable."""

    def __init__(
        self,
        machine: Machine,
        library: Library | None,
        elsewhere: frozenset[str] = frozenset(),
        dispatchers: Dispatchers | None = None,
    ) -> None:
        self.machine = machine
        self.library, self.dispatchers = library, dispatchers
        self.elsewhere = elsewhere
        self.functions: dict[str, Function] = {}
        self.data: dict[str, Data] = {}
        self.files: dict[str, str] = {}  # of data
        self.errors: list[str] = []
        self.count = 0
        self.given = 0  # number of the last unit that is not of the library
        self.weak: dict[str, Data] = {}
        self.left_out: dict[int, set[str]] = {}  # parts of printf that a unit, by its number, does without
        self.parts_needed: set[str] = set()
        self.parts: list[str] = []  # those that are reached, and of which it is not known yet whether they are needed
        self.seen: set[Unit] = set()
        self.units: dict[str, int] = {}  # of functions and data: the number of the unit that they are from
        self.statics: set[str] = set()  # names that mean something in their unit only
        self.reached: dict[str, None] = {}
        self.waiting: list[str] = []  # what is reached, too, and was not yet looked at
        self.others: dict[str, str] = {}  # what weak names stand for
        self.dispatching: list[str] = []  # functions that are made once all that pointers may point to is known

    def add(self, unit: Unit) -> None:
        """Add a unit, renaming its static symbols where another unit, or an object file, has the same."""
        if unit in self.seen:
            return
        self.seen.add(unit)
        self.count += 1
        items: list[Function | Data] = [*unit.functions, *unit.data]
        renames = {
            item.name: f"{item.name}.u{self.count}"
            for item in items
            if item.static and (item.name in self.functions or item.name in self.data or item.name in self.elsewhere)
        }
        for item in items:
            name = renames.get(item.name, item.name)
            if name in self.statics:
                self._move_aside(name)
            if item.static:
                self.statics.add(name)
        for function in unit.functions:
            self._define(rename_function(function, renames) if renames else function)
        for data in unit.data:
            self._define_data(rename_data(data, renames) if renames else data, unit.file)

    def _move_aside(self, name: str) -> None:
        """Rename something static, since another unit means something else by its name."""
        number = self.units.pop(name)
        renames = {name: f"{name}.u{number}"}
        new = renames[name]
        self.statics.remove(name)
        self.statics.add(new)
        own = {name} | {other for other, unit in self.units.items() if unit == number}
        self.units[new] = number
        self.functions = {
            renames.get(n, n): rename_function(f, renames) if n in own else f for n, f in self.functions.items()
        }
        self.data = {renames.get(n, n): rename_data(d, renames) if n in own else d for n, d in self.data.items()}
        if name in self.files:
            self.files[new] = self.files.pop(name)
        self.reached = {renames.get(n, n): None for n in self.reached}
        self.waiting = [renames.get(n, n) for n in self.waiting]

    def _gives_way(self, name: str) -> bool:
        """Whether the unit under way is of the library, and the program defines a name of it."""
        return self.count > self.given > 0 and 0 < self.units.get(name, 0) <= self.given

    def _define(self, function: Function) -> None:
        if self._gives_way(function.name):
            return
        if function.name in self.functions:
            other = self.functions[function.name]
            self.errors.append(
                f"{function.file}:{function.line}: error: '{function.name[1:]}' is defined twice "
                f"(also at {other.file}:{other.line})"
            )
        self.functions[function.name] = function
        self.units[function.name] = self.count

    def _define_data(self, data: Data, file: str) -> None:
        if data.weak:
            if data.name in _PARTS and not data.items:
                self.left_out.setdefault(self.count, set()).add(data.name)
            elif data.name not in self.weak or not self.weak[data.name].items:
                self.weak[data.name] = data
            return
        other = self.data.get(data.name)
        if self._gives_way(data.name) and not (other and other.tentative):
            return
        if other is not None and not (other.tentative or data.tentative):
            self.errors.append(f"{file}: error: '{data.name[1:]}' is defined twice (also in {self.files[data.name]})")
        if other is None or other.tentative:
            if other is not None and data.tentative and other.size > data.size:
                return
            self.data[data.name] = data
            self.files[data.name] = file
            self.units[data.name] = self.count

    def missing(self) -> list[str]:
        """Return the names that the units need and do not define, each once; what nothing reaches may be among them."""
        needs = [(name, dict.fromkeys(symbols_of_function(function))) for name, function in self.functions.items()]
        needs += [(name, dict.fromkeys(symbols_of_data(data))) for name, data in self.data.items()]
        known = {*self.functions, *self.data, *self.weak, *self.elsewhere}
        parts = sorted(frozenset().union(*(self._parts_for(name, symbols) for name, symbols in needs)))
        return [name for name in dict.fromkeys(chain(*(symbols for _, symbols in needs), parts)) if name not in known]

    def _parts_for(self, name: str, symbols: Collection[str]) -> frozenset[str]:
        """Return the parts of printf that something needs which mentions some symbols."""
        if _PRINTING.isdisjoint(symbols):
            return frozenset()
        return _PARTS.difference(self.left_out.get(self.units.get(name, 0), ()))

    def finish(self) -> Linked:
        """Return everything that the entry reaches, in a stable order."""
        self.given = self.count
        self._add_constructors()
        self.waiting = ["_" + ENTRY]
        self._reach()
        self._dispatch()
        for part in self.parts:
            self._leave_out(part)
        self._reach()
        reached, others = self.reached, self.others
        if self.errors:
            raise LinkError(self.errors)
        self._check_groups()
        functions = {n: self.functions[n] for n in self.functions if n in reached}
        data = [d for n, d in self.data.items() if n in reached]
        if others:
            functions = {n: rename_function(function, others) for n, function in functions.items()}
            data = [rename_data(d, others) for d in data]
        absent = [n for n in self.weak if n in reached and n not in others and n not in functions and n not in self.data]
        return Linked(self.machine, functions, data, (*self.elsewhere, *absent), "_" + ENTRY)

    def _check_groups(self) -> None:
        """Raise GroupError if an object that several files define has no room in the one group that it lies in."""
        least = self.machine.model.object_align
        groups = [data for name, data in self.data.items() if name in self.reached and data.parts]
        homes: dict[str, str] = {}
        for group in groups:
            ends = [*(part.offset for part in group.parts[1:]), group.size]
            for part, end in zip(group.parts, ends, strict=True):
                data = self.data[part.symbol]
                fits = part.offset + max(data.size, 1) <= end and part.offset % max(data.align, least) == 0
                if not fits or part.symbol in homes:
                    first = self.files[homes.get(part.symbol, part.symbol)]
                    text = f"error: '{part.symbol[1:]}' is defined twice (also in {first}), which takes -fcommon for each file"
                    raise GroupError([f"{self.files[group.name]}: {text}"])
                homes[part.symbol] = group.name

    def _reach(self) -> None:
        """Find everything that what is waiting reaches, and which parts of printf that needs."""
        while self._follow() or self._needed_parts():
            pass

    def _needed_parts(self) -> bool:
        """Take the parts of printf that are reached and needed from the library; return whether there are any."""
        wanted = [part for part in self.parts if part in self.parts_needed and self._from_library(part)]
        for part in wanted:
            self.parts.remove(part)
            del self.reached[part]
        self.waiting += wanted
        return bool(wanted)

    def _leave_out(self, name: str) -> None:
        """Let what a weak name stands for, if it is anything, be reached in its place."""
        targets = list(symbols_of_data(self.weak[name]))
        self.others.update((name, target) for target in targets)
        self.waiting += targets

    def _follow(self) -> bool:
        """Look at everything that what is waiting reaches; return whether anything was waiting."""
        if not self.waiting:
            return False
        while self.waiting:
            name = self.waiting.pop()
            if name in self.reached or name in self.elsewhere:
                continue
            defined = name in self.functions or name in self.data
            if not defined and name in self.weak:
                self.reached[name] = None
                if name in _PARTS:
                    self.parts.append(name)
                else:
                    self._leave_out(name)
                continue
            if not defined and self.dispatchers is not None and is_dispatcher(name):
                self.reached[name] = None
                self.dispatching.append(name)
                continue
            if not defined and not self._from_library(name):
                self.errors.append(self._undefined(name, self.reached))
                self.reached[name] = None
                continue
            self.reached[name] = None
            if name in ASKING:
                self.waiting += self._start_with_more()
            found = self.functions.get(name)
            symbols = set(symbols_of_function(found) if found is not None else symbols_of_data(self.data[name]))
            unit = self.units.get(name)  # the linker's own tables have none: they mean what is static
            self.parts_needed |= self._parts_for(name, symbols)
            for symbol in sorted(symbols & self.statics) if unit is not None else ():
                if self.units[symbol] != unit:
                    self._move_aside(symbol)
            self.waiting += [s for s in sorted(symbols, reverse=True) if s not in self.reached]
        return True

    def _dispatch(self) -> None:
        """Make the functions that call through pointers; what they need of the library may be pointed to as well."""
        made: tuple[list[str], list[str]] | None = None
        while self.dispatching and not self.errors and made != (wanted := (list(self.dispatching), self._pointed_to())):
            assert self.dispatchers is not None
            made = wanted
            for function in self.dispatchers(*made):
                self.functions[function.name] = function
                self.waiting += symbols_of_function(function)
            self._reach()

    def _pointed_to(self) -> list[str]:
        """Return the functions that pointers may point to, in ascending order of their addresses."""
        code = [self.functions[name] for name in self.functions if name in self.reached and name not in self.dispatching]
        taken = addresses_taken(code, [data for name, data in self.data.items() if name in self.reached])
        taken = {self.others.get(name, name) for name in taken}
        return [function.name for function in code if function.name in taken]

    def _add_constructors(self) -> None:
        """Let the start-up code call what runs before main, if anything does."""
        for table in tables(self.data.values(), self.machine.model.sizes["pointer"]):
            if table.name not in self.data:  # else the program was linked before
                self.data[table.name], self.files[table.name] = table, ""
            if self.data[table.name].items:
                self._start_with_more()

    def _start_with_more(self) -> list[str]:
        """Let the start-up code call what prepares more than the stack, and calls main; returns its name."""
        self.functions["_" + ENTRY] = rename_function(self.functions["_" + ENTRY], {MAIN: IN_PLACE_OF_MAIN})
        return [IN_PLACE_OF_MAIN]

    def _from_library(self, name: str) -> bool:
        unit = self.library(name) if self.library is not None else None
        if unit is None:
            return False
        self.add(unit)
        return name in self.functions or name in self.data

    def _undefined(self, name: str, reached: dict[str, None]) -> str:
        what = f"error: undefined reference to '{name[1:]}'"
        for function in self.functions.values():
            if function.name in reached:
                for rtl in function.rtls():
                    if any(name in symbols_in(effect) for effect in rtl.effects):
                        return f"{function.file}:{rtl.lines[0]}: {what}" if function.file else f"{what} in the start-up code"
        for data in self.data.values():
            if data.name in reached and name in symbols_of_data(data):
                return f"{self.files[data.name]}: {what} in the initial value of '{data.name[1:]}'"
        return what
