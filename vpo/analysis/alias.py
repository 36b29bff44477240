"""Which references to memory may concern the same bytes: the one answer that every phase goes by.

Two cells do not overlap if they lie in different objects (`pointers.py`), or at different places of what they are computed
from (`linear.py`), or if C says that no object is of both their types (`vpo.il.data_model`).  A pointer from outside may
point to every symbol and to the frame slots whose addresses escape.
"""

from __future__ import annotations

from functools import cached_property, partial

from vpo.analysis.induction import LinearForm, LinearForms
from vpo.analysis.memory_effects import UnitFacts, callee_effects
from vpo.analysis.pointers import ANY, INCOMING, OUTSIDE, POOL, STACK, UNKNOWN, Base, Bases, Pointers
from vpo.il.data_model import least_size, never_one
from vpo.machines.machine import Machine
from vpo.rtl import BITS, Effect, Expr, Mem, Register, Return, Rtl, Slot, Symbol
from vpo.rtl.function import Function

NO_FACTS = UnitFacts()
SIZE_ELSEWHERE = 4096  # bytes that objects of other units are taken to have


class Aliases:
    """Answers about the cells of one function as it was when the first was asked for.

    Answers stay right while phases change the function, as long as registers keep their values: a pseudo-register that is
    new may point anywhere, and one whose values become others must be given to `forget`.
    """

    def __init__(self, function: Function, machine: Machine, facts: UnitFacts = NO_FACTS) -> None:
        self.function, self.machine, self.facts = function, machine, facts
        pointer = machine.stack_pointer  # it always holds the same value if only calls and returns set it
        moves = [rtl for block in function.blocks for rtl in block.rtls if pointer in rtl.sets and not _goes(rtl)]
        self._steady = frozenset(() if moves else (pointer,))
        self._pointers: Pointers | None = None
        self._linear: LinearForms | None = None
        self._bases: dict[Expr, Bases] = {}
        self._forms: dict[Expr, LinearForm | None] = {}
        self._roots: dict[Expr, frozenset[Register] | None] = {}
        self._read: Bases | None = None  # the objects of all loads
        self._apart: dict[tuple[Bases, Bases], bool] = {}
        self._large: dict[tuple[Bases, int], Bases] = {}  # those of some objects that have so many bytes
        self._stored: dict[tuple[Effect, ...], tuple[Mem, Bases] | None] = {}  # by what RTLs do

    @property
    def pointers(self) -> Pointers:
        """The objects that registers point into."""
        if self._pointers is None:
            self._pointers = Pointers(self.function, self.machine, self.facts.allocators)
        return self._pointers

    @property
    def linear(self) -> LinearForms:
        """The linear forms of registers."""
        if self._linear is None:
            self._linear = LinearForms(self.function, self.machine)
        return self._linear

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Aliases):
            return NotImplemented
        mine, theirs = self.pointers, other.pointers
        return (mine.points, mine.escaped, self.linear.forms) == (theirs.points, theirs.escaped, other.linear.forms)

    __hash__ = None  # type: ignore[assignment]

    def forget(self, register: Register) -> None:
        """Know nothing more of a pseudo-register: a phase gives it other values."""
        self.pointers.points.pop(register, None)
        self.linear.forms.pop(register, None)
        self._bases.clear()
        self._forms.clear()
        self._roots.clear()
        self._stored.clear()

    # ----------------------------------------------------------------------------------------------- two cells

    def may_alias(self, a: Mem, b: Mem, same_values: bool = True) -> bool:
        """Whether two cells may overlap, or may not change places because they are volatile.

        Their types count: one is read after the other was stored.  Ask about a cell `of_any_type` for other orders.
        `same_values`: the registers in the addresses hold the same values at both references.  In SSA form this is so
        unless one of the references may belong to an earlier iteration (`roots`).
        """
        if a.volatile or b.volatile:
            return True
        first, second = self.form(a.address), self.form(b.address)
        if first and second and first.terms == second.terms and (same_values or not self._unsteady(first)):
            return self._overlap(first, a, second, b)
        if a.effective and b.effective and never_one(a.effective, b.effective):
            return False
        x, y = self.bases(a), self.bases(b)
        if self._in_different_objects(x, y):
            return False
        return not self._in_different_objects(self._that_hold(x, y, b), self._that_hold(y, x, a))

    def _that_hold(self, bases: Bases, others: Bases, cell: Mem) -> Bases:
        """Return the objects that have room for a cell which may be in one of `others`: for its structure, if it is a member.

        A pointer from elsewhere points into no variable that is smaller than that.
        """
        if others != OUTSIDE:
            return bases
        key = bases, max(BITS[cell.type] // 8, least_size(cell.effective))
        if key not in self._large:
            self._large[key] = frozenset(base for base in bases if self._room(base) >= key[1])
        return self._large[key]

    def _room(self, base: Base) -> int:
        """Return how many bytes an object has at most."""
        if base.kind == "symbol":
            return self.facts.sizes.get(base.name, 0) or self.linear.modulus  # 0 if it is weak and defined elsewhere
        slot = self.function.slots.get(base.name) if base.kind == "slot" else None
        return slot.size if slot is not None else self.linear.modulus

    def bases(self, cell: Mem) -> Bases:
        """Return the objects that a cell may be part of."""
        found = self._bases.get(cell.address)
        if found is None:
            found = self.pointers.of(cell.address) or frozenset((UNKNOWN,))
            found = frozenset((POOL,)) if POOL in found else found
            if self.groups and any(base.name in self.groups for base in found):
                found = self._in_groups(cell.address, found)
            self._bases[cell.address] = found
        return found

    @cached_property
    def groups(self) -> dict[str, list[tuple[int, Base]]]:
        """The objects of each group of objects, with their places in it, in ascending order."""
        found: dict[str, list[tuple[int, Base]]] = {}
        for name, (group, place) in sorted(self.facts.places.items(), key=lambda item: item[1]):
            found.setdefault(group, []).append((place, Base("symbol", name)))
        return found

    def _in_groups(self, address: Expr, bases: Bases) -> Bases:
        """Return objects with those of a group in its place: the one at an address that is known, else all."""
        form = self.form(address)
        if form is not None and len(form.terms) == 1:
            ((term, factor),) = form.terms
            if factor == 1 and type(term) is Symbol and term.name in self.groups:
                at = [base for place, base in self.groups[term.name] if place <= form.offset]
                if at:
                    return frozenset(at[-1:])
        members = (base for group in bases if group.name in self.groups for _, base in self.groups[group.name])
        return frozenset((*members, *(base for base in bases if base.name not in self.groups)))

    def form(self, address: Expr) -> LinearForm | None:
        """Return an address as a linear form, if it is the same as long as registers are."""
        if address not in self._forms:
            self._forms[address] = self.linear.of(address)
        return self._forms[address]

    def roots(self, cell: Mem) -> frozenset[Register] | None:
        """Return the registers on which the place of a cell depends; None if it depends on memory."""
        address = cell.address
        if address not in self._roots:
            form = self.form(address)
            self._roots[address] = None if form is None else form.roots() - self._steady
        return self._roots[address]

    def is_variable(self, cell: Mem) -> bool:
        """Whether a cell is at a fixed place within a variable, so that a reference to it cannot fault."""
        form = self.form(cell.address)
        if form is None or not form.terms or any(factor != 1 for _, factor in form.terms):
            return False
        return form.offset + BITS[cell.type] // 8 <= min(self._size(term) for term, _ in form.terms)

    def _size(self, term: Expr) -> int:
        """Return how many bytes there are at a fixed place; 0 if it is none."""
        if isinstance(term, Symbol):
            return self.facts.sizes.get(term.name, SIZE_ELSEWHERE)
        if isinstance(term, Slot) and term.name in self.function.slots:
            return self.function.slots[term.name].size
        return self.linear.modulus if isinstance(term, Slot) or term is self.machine.stack_pointer else 0

    def _unsteady(self, form: LinearForm) -> bool:
        return bool(form.roots() - self._steady)

    def _overlap(self, first: LinearForm, a: Mem, second: LinearForm, b: Mem) -> bool:
        """Whether cells at known offsets from one address have a byte in common."""
        modulus = self.linear.modulus
        distance = (second.offset - first.offset) % modulus
        return distance < BITS[a.type] // 8 or modulus - distance < BITS[b.type] // 8

    def _in_different_objects(self, a: Bases, b: Bases) -> bool:
        known = self._apart.get((a, b))
        if known is None:
            known = not any(self._may_be_one(x, y) for x in a for y in b)
            self._apart[a, b] = self._apart[b, a] = known
        return known

    def _may_be_one(self, x: Base, y: Base) -> bool:
        """Whether two objects or groups of objects may have bytes in common."""
        if POOL in (x, y):
            return False
        if x == y or ANY in (x, y):
            return True
        if UNKNOWN in (x, y):
            return self._is_exposed(y if x == UNKNOWN else x)
        return False

    def _is_exposed(self, base: Base) -> bool:
        """Whether pointers from outside may point to an object."""
        if base.kind == "symbol" and base.name not in self.facts.private:
            return base.name not in self.facts.constants
        return base in self.pointers.escaped or ANY in self.pointers.escaped

    # ---------------------------------------------------------------------------------------- RTLs and calls

    def is_constant(self, cell: Mem) -> bool:
        """Whether nothing ever changes a cell: a literal or part of a constant object."""
        constants = self.facts.constants
        return not cell.volatile and all(b == POOL or (b.kind == "symbol" and b.name in constants) for b in self.bases(cell))

    def call_may_change(self, cell: Mem) -> bool:
        """Whether a call of an unknown function, or of the system, may change a cell."""
        return cell.volatile or (not self.is_constant(cell) and self.call_may_read(cell))

    def call_may_read(self, cell: Mem) -> bool:
        """Whether a call of an unknown function, or of the system, may read a cell: stack arguments, and what is exposed."""
        return cell.volatile or any(self._is_known_to_callees(base) for base in self.bases(cell))

    def _touches(self, objects: Bases, cell: Mem) -> bool:
        """Whether a function that refers to some objects, and to its stack arguments, may refer to a cell."""
        bases = self.bases(cell)
        return cell.volatile or STACK in bases or ANY in bases or not self._in_different_objects(objects, bases)

    def _is_known_to_callees(self, base: Base) -> bool:
        return base in (UNKNOWN, ANY, STACK) or base.kind == "symbol" or self._is_exposed(base)

    def is_ever_read(self, cell: Mem) -> bool:
        """Whether anything may read a cell: a load of the function, or somebody else if it is no part of a frame slot."""
        if not self.function.slots:
            return True
        if self._read is None:
            self._read = frozenset[Base]().union(*(self.bases(load) for rtl in self.function.rtls() for load in rtl.loads))
        bases = self.bases(cell)
        if cell.volatile or any(base.kind != "slot" or self._is_known_to_callees(base) for base in bases):
            return True
        return not self._in_different_objects(bases, self._read)

    def may_change(self, rtl: Rtl, cell: Mem, same_values: bool = True, callees: bool = True) -> bool:
        """Whether an RTL may change a cell that is read later, or is a volatile reference that must stay in order with it.

        If the cell is stored, or read before, ask about it `of_any_type`.  Without `callees` only what a call does itself
        counts: saving the return address, say.
        """
        plain = self.only_store(rtl)
        if plain is not None:
            store, objects = plain
            if not cell.volatile and self._in_different_objects(objects, self.bases(cell)):
                return False
            return self.may_alias(store, cell, same_values)
        if is_opaque(rtl) and (callees or rtl.call is None):
            known = callee_effects(rtl, self.facts.effects)
            if self.call_may_change(cell) and (known is None or self._touches(known.writes, cell)):
                return True
        return any(self.may_alias(store, cell, same_values) for store in (*rtl.stores, *_volatile_loads(rtl)))

    def only_store(self, rtl: Rtl) -> tuple[Mem, Bases] | None:
        """Return the store of an RTL and its objects, if that is all that it does to memory, as of most; and remember it."""
        if rtl.effects in self._stored:
            return self._stored[rtl.effects]
        stores = rtl.stores
        plain = len(stores) == 1 and not is_opaque(rtl) and not _volatile_loads(rtl)
        found = self._stored[rtl.effects] = (stores[0], self.bases(stores[0])) if plain and not stores[0].volatile else None
        return found

    def may_read(self, rtl: Rtl, cell: Mem, same_values: bool = True, callees: bool = True) -> bool:
        """Whether an RTL may read a cell that was stored before; a return lets the caller.

        If the cell is stored afterwards, ask about it `of_any_type`.
        """
        if is_opaque(rtl) and (callees or rtl.call is None):
            known = callee_effects(rtl, self.facts.effects)
            if self.call_may_read(cell) and (known is None or self._touches(known.reads | known.writes, cell)):
                return True
        if callees and type(rtl.transfer) is Return and any(b.kind != "slot" and b != INCOMING for b in self.bases(cell)):
            return True
        return any(self.may_alias(load, cell, same_values) for load in rtl.loads)

    def conflict(self, first: Rtl, second: Rtl, callees: bool = True) -> bool:
        """Whether two RTLs may not change places because of memory, if the registers of their addresses do not change.

        The first is executed before the second.  Without `callees`, an RTL may still be executed before a function that the
        other calls, or returns to.
        """
        if is_opaque(first) and is_opaque(second):
            return True
        changes, reads = partial(self.may_change, callees=callees), partial(self.may_read, callees=callees)
        return (
            any(changes(first, cell) for cell in second.loads)
            or any(reads(second, cell) for cell in first.stores)
            or any(changes(second, cell.of_any_type) for cell in (*first.loads, *first.stores))
            or any(changes(first, cell.of_any_type) or reads(first, cell.of_any_type) for cell in second.stores)
        )


def _goes(rtl: Rtl) -> bool:
    """Whether an RTL calls, returns or jumps."""
    return rtl.call is not None or rtl.transfer is not None


def is_opaque(rtl: Rtl) -> bool:
    """Whether an RTL may do more to memory than its loads and stores: a call, or a call of the system."""
    return rtl.call is not None or rtl.system_call is not None


def _volatile_loads(rtl: Rtl) -> list[Mem]:
    return [cell for cell in rtl.loads if cell.volatile]
