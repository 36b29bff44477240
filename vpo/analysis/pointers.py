"""The objects that each register and expression of a function may point into, and the objects whose addresses escape.

A subset of Andersen's points-to analysis (1994) for registers only: whatever is loaded from memory may point to every object
whose address has escaped.  In SSA form it is as exact as its registers are many; elsewhere a register has the objects of
all its definitions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from vpo.machines.machine import Machine
from vpo.rtl import CODE_TYPES, RELATIONS, Call, Const, Effect, Expr, Half, Mem, Op, Register, Return, Rtl, Set, Slot, Symbol
from vpo.rtl.function import Function


class Base(NamedTuple):
    """An object in memory, or a group of objects that are not told apart."""

    kind: str  # symbol, slot, heap, incoming, stack, pool, unknown, any
    name: str = ""


Bases = frozenset[Base]
UNKNOWN = Base("unknown")  # whatever a pointer from outside may point to: symbols, the heap, what has escaped
ANY = Base("any")  # every object, even one that has not escaped
STACK = Base("stack")  # stack arguments of calls; the whole frame, once slots are numbers
INCOMING = Base("incoming")  # the caller's stack arguments, which overlap each other
POOL = Base("pool")  # literals, which never change
NOTHING: Bases = frozenset()  # a number
OUTSIDE: Bases = frozenset((UNKNOWN,))
EVERYTHING: Bases = frozenset((ANY,))
MOST = 16  # objects of one register that are told apart

Equation = tuple[Register, "Expr | Bases"]  # a register, and what is put into it
Key = Register | tuple[str, int]  # a pseudo-register, or a hard register by bank and index


def base_of(node: Symbol | Slot, function: Function) -> Base:
    """Return the object that an address names."""
    if type(node) is Symbol:
        return Base("symbol", node.name)
    slot = function.slots.get(node.name)
    return INCOMING if slot is not None and slot.kind == "incoming" else Base("slot", node.name)


def join(*groups: Bases) -> Bases:
    """Return all objects of some groups."""
    result = groups[0] if len(groups) == 1 else NOTHING.union(*groups)
    return EVERYTHING if ANY in result or len(result) > MOST else result


def summands(node: Expr, plus: bool = True) -> Iterator[tuple[Expr, bool]]:
    """Yield the terms of a sum, and whether they are added."""
    if type(node) is Op and node.op in ("+", "-") and len(node.args) == 2:
        yield from summands(node.args[0], plus)
        yield from summands(node.args[1], plus == (node.op == "+"))
    else:
        yield node, plus


class Pointers:
    """Points-to sets of one function; `escaped` has the objects to which pointers from outside may point.

    What one of the `allocators` returns is a new object of a name of its own (C11 7.22.3).  What RTLs of `returned` put
    somewhere is taken to stay within the function.
    """

    def __init__(
        self, function: Function, machine: Machine, allocators: frozenset[str] = frozenset(), returned: Collection[Rtl] = ()
    ) -> None:
        self.function, self.machine, self.allocators, self.returned = function, machine, allocators, returned
        self.early = function.stage in ("ssa", "pseudo")  # hard registers only pass values: what they are given escapes
        self.points: dict[Key, Bases | None] = {}  # None: no definition has been looked at
        made = dict(self._allocations()) if self.early and allocators else {}
        equations = [(t, made.get(rtl, source)) for rtl, t, source in _definitions(function) if t.pseudo or self._keys(t)]
        self._solve(equations)
        self.escaped: Bases = NOTHING.union(*self._escapes())

    def of(self, node: Expr) -> Bases:
        """Return the objects that the value of an expression may point into; none if it is a number."""
        found = self._evaluate(node)
        return NOTHING if found is None else found

    def _allocations(self) -> Iterator[tuple[Rtl | None, Bases]]:
        """Yield the RTLs that copy what an allocator has returned, and its object."""
        for block in self.function.blocks:
            called = False
            for rtl in block.rtls:
                if rtl.call is not None:
                    called = is_call_of(rtl, self.allocators)
                elif called and (target := self._result(rtl)) is not None:
                    yield rtl, frozenset((Base("heap", repr(target)),))
                    called = False

    def _result(self, rtl: Rtl) -> Register | None:
        """Return what an RTL copies a hard register to: behind a call, its result."""
        effect = rtl.single_set
        if effect is None or type(effect.source) is not Register or type(effect.target) is not Register:
            return None
        return None if effect.source.pseudo or self._is_fixed(effect.source) else effect.target

    # ------------------------------------------------------------------------------------------------ the solution

    def _solve(self, equations: list[Equation]) -> None:
        """Find the least sets that contain what each definition of a register may give it."""
        readers: dict[Key, list[int]] = {}
        read: list[Register] = []
        for number, (_, source) in enumerate(equations):
            if isinstance(source, frozenset) or not source.uses:
                continue
            read += source.uses
            for register in source.uses:
                if register.pseudo:
                    readers.setdefault(register, []).append(number)
                else:
                    for key in self._keys(register):
                        readers.setdefault(key, []).append(number)
        self._begin({target for target, _ in equations}, read)
        self._iterate(equations, readers)
        undefined = [key for key, bases in self.points.items() if bases is None]
        if undefined:  # they depend on nothing but each other: numbers, to which others may add addresses
            self.points.update(dict.fromkeys(undefined, NOTHING))
            self._iterate(equations, readers)

    def _iterate(self, equations: list[Equation], readers: dict[Key, list[int]]) -> None:
        work = list(reversed(range(len(equations))))
        waiting = set(work)
        while work:
            number = work.pop()
            waiting.discard(number)
            target, source = equations[number]
            new = source if isinstance(source, frozenset) else self._evaluate(source)
            if new is None:
                continue
            for key in (target,) if target.pseudo else self._keys(target):
                old = self.points[key]
                joined = join(old, new) if old else new
                if joined != old:
                    self.points[key] = joined
                    again = [reader for reader in readers.get(key, ()) if reader not in waiting]
                    waiting.update(again)
                    work += again

    def _begin(self, defined: set[Register], read: Iterable[Register]) -> None:
        """Give registers that hold values from outside what these may point to."""
        others = [register for block in self.function.blocks for rtl in block.rtls for register in rtl.uses]
        for register in dict.fromkeys((*read, *others, *defined)):
            if register.pseudo:
                self.points[register] = None if register in defined else OUTSIDE
            else:
                for key in self._keys(register):
                    self.points[key] = OUTSIDE

    def _keys(self, register: Register) -> tuple[Key, ...]:
        """Return the keys under which the objects of a register are found: none if its objects are always the same."""
        if register.pseudo:
            return (register,)
        fixed = self.early or register.type in CODE_TYPES
        return () if fixed or self._is_fixed(register) else self.machine.storage(register)

    def _is_fixed(self, register: Register) -> bool:
        return register is self.machine.stack_pointer or register in self.machine.zero

    # ----------------------------------------------------------------------------------------------- expressions

    def _evaluate(self, node: Expr) -> Bases | None:
        """Return the objects of an expression; None if they depend on a definition that has not been looked at."""
        kind = type(node)
        if kind is Register:
            return self._register(node)  # type: ignore[arg-type]
        if kind is Const:
            return NOTHING
        if type(node) is Op:
            if node.op in ("+", "-"):
                return self._sum(node)
            if node.op == "SYS":
                return OUTSIDE
            if node.op == "SEL":
                return self._all(node.args[1:])
            return NOTHING if node.op in RELATIONS or node.op == "?" else self._all(node.args)
        if type(node) is Mem:
            address = self._evaluate(node.address)
            return address - {POOL} if address is not None and POOL in address else OUTSIDE
        if type(node) is Symbol or type(node) is Slot:
            return frozenset((base_of(node, self.function),))
        if type(node) is Half:
            inner = self._evaluate(node.of)
            return join(inner or NOTHING, frozenset((POOL,))) if node.is_literal else inner
        return NOTHING

    def _register(self, register: Register) -> Bases | None:
        if register.pseudo:
            return self.points.get(register, EVERYTHING)  # a phase may have made it since
        if self._is_fixed(register):
            return frozenset((STACK,)) if register is self.machine.stack_pointer else NOTHING
        return join(OUTSIDE, *(self.points.get(key) or NOTHING for key in self._keys(register)))

    def _all(self, nodes: Iterable[Expr]) -> Bases | None:
        """Return the objects of all of some expressions, as far as they are known."""
        found = [bases for node in nodes if (bases := self._evaluate(node)) is not None]
        return join(*found) if found else None

    def _sum(self, node: Op) -> Bases | None:
        """Return the objects of a sum: a known address plus an unknown number points where the address does (C11 6.5.6p8)."""
        if type(node.args[1]) is Const:
            return self._evaluate(node.args[0])
        terms = [(self._evaluate(term), plus) for term, plus in summands(node)]
        parts = [bases for bases, _ in terms if bases is not None]
        if len(parts) < len(terms):
            return None
        bases = join(*parts)
        if not bases:
            return bases
        if STACK in bases and any(base.kind in ("slot", "incoming") for base in bases):
            bases -= {STACK}  # a slot's distance from the stack pointer
        if UNKNOWN not in bases:
            return bases
        addresses = [bases for bases, plus in terms if plus and bases is not None]
        if any(bases.isdisjoint((UNKNOWN, ANY)) and bases - {STACK} for bases in addresses):
            number = all(UNKNOWN not in bases or len(bases) == 1 for bases in parts)
            return bases - {UNKNOWN} if number else bases
        return bases

    # ---------------------------------------------------------------------------------------------------- escape

    def _escapes(self) -> Iterator[Bases]:
        """Yield the objects whose addresses are stored, or given to a callee, the caller or the system."""
        early = self.early
        for rtl in self.function.rtls():
            if not rtl.acts and (not early or not [register for register in rtl.sets if not register.pseudo]):
                continue  # it sets registers of the function only
            for effect in rtl.effects:
                if rtl not in self.returned and not (self.returned and type(effect) is Return):
                    for value in self._given_away(effect):
                        yield self.of(value)

    def _given_away(self, effect: Effect) -> tuple[Expr, ...]:
        """Return the values of an effect that others may read."""
        match effect:
            case Call(arguments=registers) | Return(results=registers):
                return registers
            case Set(source=Op(op="SYS") as call):
                return call.args
            case Set(target=Mem()):
                return (effect.source,)
            case Set(target=Register() as target) if self.early and not (target.pseudo or self._is_fixed(target)):
                return (effect.source,)
        return ()


def _definitions(function: Function) -> Iterator[tuple[Rtl | None, Register, Expr]]:
    """Yield the registers that RTLs and phis set, and what they set them to."""
    for block in function.blocks:
        for phi in block.phis:
            for source in phi.sources.values():
                yield None, phi.target, source
        for rtl in block.rtls:
            for effect in rtl.effects:
                if type(effect) is Set and type(effect.target) is Register:
                    yield rtl, effect.target, effect.source


def is_call_of(rtl: Rtl, names: Collection[str]) -> bool:
    """Whether an RTL calls one of some functions by name."""
    call = rtl.call
    return call is not None and type(call.target) is Symbol and not call.target.offset and call.target.name in names
