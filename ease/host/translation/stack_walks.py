"""Find programs that read the frames of other functions, as conservative garbage collectors do.

A function follows the address of its frame through registers and cells of the frame.  A program walks its stack if it calls
setjmp, if it stores such an address in a static object, or if, in a loop, it compares one with an address from elsewhere; also
if it subtracts one from an address from elsewhere.  What a function does so with its parameters is judged where it is called.

In doubt, a program is said not to walk its stack: one that counts the cells that it reads beyond an object is not found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ease.model.run_identity import file_name, is_library
from vpo.analysis.cfg import build_cfg, delay_slots
from vpo.analysis.dominators import dominators, natural_loops
from vpo.analysis.register_summaries import Key, RegisterSummaries
from vpo.analysis.transfers import INDIRECT, callee_of
from vpo.base.kept import kept
from vpo.il.routine_names import SAVE_CONTEXT
from vpo.program import Program
from vpo.rtl import BITS, RELATIONS, Const, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Function

# A value is a set of origins, as bits: an address in the frame of the function itself, something loaded from elsewhere, an
# address in the frame of a function called, and the parameters (registers and cells at entry), numbered from 3.
OWN, OTHER, CALLED = 1, 2, 4
_FIRST = 3
_PASSING = frozenset({"+", "&", "|", "^", "sx", "zx", "tr", "bits", "SEL"})  # operators whose result may be an address

Place = Key | int  # a register, or a cell of the frame by its distance from the stack pointer at entry
Value = tuple[int, int | None]  # origins, and the distance from the stack pointer at entry if it is such an address
State = dict[Place, Value]
Event = tuple[str, int, int]  # 'compare' and 'subtract': two values; 'store': a value and an address


@kept
def walks_stack(program: Program, summaries: RegisterSummaries) -> bool:
    """Return whether a program may look at what functions save in their frames; `summaries` are with trust."""
    return SAVE_CONTEXT in program.functions or _Walks(program, summaries).found()


def _is_walk(event: Event) -> bool:
    """Whether an event tells of a walk; values that parameters may be part of do not."""
    kind, one, other = event
    if kind == "store":
        return one in (OWN, CALLED) and other == 0
    if kind == "subtract":
        return other in (OWN, CALLED) and one != 0 and not one & other and one < 1 << _FIRST
    pairs = ((one, other), (other, one))
    return any(a in (OWN, CALLED) and b != 0 and not a & b and b < 1 << _FIRST for a, b in pairs)


def _is_open(event: Event) -> bool:
    """Whether an event may tell of a walk once it is known what parameters are."""
    kind, one, other = event
    if kind == "store":
        return one != 0 and not one & OTHER and not other & (OWN | OTHER | CALLED | one)
    return one != 0 and other != 0 and not one & other and not (one & OTHER and other & OTHER)


@dataclass(slots=True)
class _Summary:
    """What a function does with its parameters, and which values it returns in registers."""

    events: set[Event] = field(default_factory=set)
    returned: dict[Key, int] = field(default_factory=dict)


class _Walks:
    """The functions of a program, each summed up, callees before callers as far as possible."""

    def __init__(self, program: Program, summaries: RegisterSummaries) -> None:
        self.program, self.summaries, self.machine = program, summaries, program.machine
        self.places: list[Place] = []
        self.numbers: dict[Place, int] = {}
        self.known: dict[str, _Summary] = {}  # not of the library's functions: they do not walk the stack
        self.word = BITS[self.machine.address_type]
        self.stack = self.machine.storage(self.machine.stack_pointer)[0]

    def found(self) -> bool:
        """Sum up functions, first what they return, then what they do with addresses; return whether one walks the stack."""
        own = {n: f for n, f in self.program.functions.items() if not is_library(file_name(f.file)) or n == self.program.entry}
        flows = {name: _Flow(self, function) for name, function in own.items()}
        self.known = {name: _Summary() for name in [*own, INDIRECT]}
        callers: dict[str, set[str]] = {name: set() for name in self.known}
        for name, flow in flows.items():
            for callee in flow.callees:
                callers.setdefault(callee, set()).add(name)
        self._settle(callers, lambda name: flows[name].follow(self.known[name]))
        self._settle(callers, lambda name: flows[name].collect(self.known[name]))
        return any(_is_walk(event) for summary in self.known.values() for event in summary.events)

    def _settle(self, callers: dict[str, set[str]], sum_up: Callable[[str], None]) -> None:
        """Sum up all functions, and those again that call one whose summary has grown."""
        waiting = dict.fromkeys(name for name in self.known if name != INDIRECT)
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            before = self._size(name)
            sum_up(name)
            if self._size(name) == before:
                continue
            waiting |= dict.fromkeys(callers[name])
            if name in self.summaries.taken:
                self._join(self.known[INDIRECT], self.known[name])
                waiting |= dict.fromkeys(callers[INDIRECT])

    def _size(self, name: str) -> tuple[int, int]:
        summary = self.known[name]
        return len(summary.events), sum(mask.bit_count() for mask in summary.returned.values())

    @staticmethod
    def _join(whole: _Summary, part: _Summary) -> None:
        whole.events |= part.events
        for key, mask in part.returned.items():
            whole.returned[key] = whole.returned.get(key, 0) | mask

    def parameter(self, place: Place) -> int:
        """Return the origin that a place is at entry."""
        if place not in self.numbers:
            self.numbers[place] = len(self.places)
            self.places.append(place)
        return 1 << _FIRST + self.numbers[place]

    def parameters(self, mask: int) -> Iterator[tuple[int, Place]]:
        """Yield the parameters that a value may be, as origins and places."""
        rest = mask >> _FIRST
        while rest:
            low = rest & -rest
            yield low << _FIRST, self.places[low.bit_length() - 1]
            rest ^= low


class _Flow:
    """One function: its blocks, each with the state before it."""

    def __init__(self, walks: _Walks, function: Function) -> None:
        self.walks, self.function, self.machine = walks, function, walks.machine
        self.own = OTHER if function.name == walks.program.entry else OWN
        self.cfg = build_cfg(function)
        self.order = {number: place for place, number in enumerate(self.cfg.reverse_postorder())}
        self.looping: set[int] = set()
        for loop in natural_loops(self.cfg, dominators(self.cfg)):
            self.looping |= loop.blocks
        self.callees = {callee_of(walks.program, rtl.call) for rtl in function.rtls() if rtl.call is not None}
        self.entries: dict[int, State] = {0: {walks.stack: (self.own, 0)}}
        self.summary = _Summary()
        self.state: State = {}
        self.repeats = self.collects = False

    def follow(self, summary: _Summary) -> None:
        """Find the states before blocks, and what is returned."""
        self.summary = summary
        waiting = set(self.entries)
        while waiting:
            number = min(waiting, key=self.order.__getitem__)
            waiting.discard(number)
            self._block(number)
            waiting |= {after for after in set(self.cfg.successors[number]) if self._enters(after)}

    def collect(self, summary: _Summary) -> None:
        """Find what is done with addresses, when states are known."""
        self.summary, self.collects = summary, True
        for number in self.entries:
            self._block(number)

    def _enters(self, number: int) -> bool:
        """Join the state into that before a block; return whether this changes it."""
        entry = self.entries.get(number)
        if entry is None:
            self.entries[number] = dict(self.state)
            return True
        changed = False
        for place in {place for place, _ in self.state.items() ^ entry.items()}:
            old, new = self._at(entry, place), self._at(self.state, place)
            joined = old[0] | new[0], old[1] if old[1] == new[1] else None
            if joined != old:
                entry[place], changed = joined, True
        return changed

    def _at(self, state: State, place: Place) -> Value:
        """Return what a place holds; at entry, registers and what the caller has pushed are parameters."""
        value = state.get(place)
        if value is not None:
            return value
        if isinstance(place, int) and (place >= 0) == self.machine.convention.grows_up:
            return OWN | OTHER, None
        if place in self.walks.summaries.registers.zero:
            return 0, None
        return self.walks.parameter(place), None

    def _block(self, number: int) -> None:
        """Follow the RTLs of a block."""
        block, self.state, self.repeats = self.function.blocks[number], dict(self.entries[number]), number in self.looping
        wait, callee, annulled = 0, None, False
        for rtl in block.rtls:
            self._rtl(rtl, annulled)
            annulled |= rtl.annuls
            wait -= 1
            if rtl.call is not None:
                callee = callee_of(self.walks.program, rtl.call)
                wait = delay_slots(self.machine, self.function, rtl)
            if callee is not None and wait <= 0:
                self._call(callee)
                callee = None
        if not self.cfg.successors[number]:
            for key in self.walks.summaries.registers.members(self.walks.summaries.signatures[self.function.name].returned):
                mask = self._at(self.state, key)[0]
                self.summary.returned[key] = self.summary.returned.get(key, 0) | mask & ~OWN | (OTHER if mask & OWN else 0)

    def _rtl(self, rtl: Rtl, annulled: bool) -> None:
        """Follow one RTL: first what it reads, then what it writes."""
        writes: list[tuple[Place, Value]] = []
        for effect in rtl.effects:
            if not isinstance(effect, Set):
                condition = getattr(effect, "condition", None)
                if condition is not None:
                    self._value(condition)
                continue
            value = self._value(effect.source)
            if not isinstance(effect.target, Mem):
                writes += [(key, value) for register in effect.sets for key in self.machine.storage(register)]
                continue
            address = self._value(effect.target.address)
            if address[1] is not None:
                writes.append((address[1], value))
            else:
                self._note("store", value[0], address[0])
        for place, value in writes:
            old = self._at(self.state, place)
            self.state[place] = (old[0] | value[0], None) if annulled else value

    def _call(self, callee: str) -> None:
        """Do with what is passed what a function called does with its parameters."""
        known, pointer = self.walks.known.get(callee), self.state[self.walks.stack][1]
        if self.collects and known is not None:
            for kind, one, other in list(known.events):
                self._note(kind, self._passed(one, pointer), self._passed(other, pointer))
        changed = self.walks.summaries.registers.members(self.walks.summaries.signatures[callee].changed)
        if known is None:
            self.state |= dict.fromkeys(changed, (OWN | OTHER, None))  # it may be an address that was passed
        else:
            returned = known.returned
            self.state |= {key: (self._passed(returned.get(key, 0), pointer), None) for key in changed}
        if pointer is not None:
            self.state[self.walks.stack] = self.own, pointer + self.machine.convention.pushed

    def _passed(self, mask: int, pointer: int | None) -> int:
        """Return what a value of a function called is here, where the stack pointer has a distance from that at entry."""
        result = mask & OTHER | (CALLED if mask & (OWN | CALLED) else 0)
        for _, place in self.walks.parameters(mask):
            if isinstance(place, int):
                result |= OTHER if pointer is None else self._at(self.state, pointer + place)[0]
            else:
                result |= self._at(self.state, place)[0]
        return result

    def _note(self, kind: str, one: int, other: int) -> None:
        event = kind, one, other
        if self.collects and (_is_walk(event) or _is_open(event)):
            self.summary.events.add(event)

    def _value(self, node: Expr) -> Value:
        """Return what an expression is, and note what it compares and subtracts."""
        if isinstance(node, Register):
            values = [self._at(self.state, key) for key in self.machine.storage(node)]
            return values[0] if len(values) == 1 else (0, None)
        if isinstance(node, Mem):
            return self._loaded(node)
        return self._result(node) if isinstance(node, Op) else (0, None)

    def _loaded(self, cell: Mem) -> Value:
        mask, distance = self._value(cell.address)
        if cell.type in "FDCG" or BITS[cell.type] < self.walks.word:
            return 0, None
        if distance is not None:
            return self._at(self.state, distance)
        return (OWN | OTHER if mask & OWN else OTHER), None

    def _result(self, node: Op) -> Value:
        """Return what an operator makes of its operands."""
        values = [self._value(arg) for arg in node.args]
        masks = [mask for mask, _ in values]
        if node.op in RELATIONS or node.op == "?":
            if self.repeats:
                self._note("compare", masks[0], masks[1])
            return 0, None
        if node.op == "-" and len(values) == 2:
            self._note("subtract", masks[0], masks[1])
            return (0 if masks[0] & masks[1] else masks[0]), None
        if node.op not in _PASSING:
            return 0, None
        for (mask, distance), step in zip(values, reversed(node.args), strict=False):
            if node.op == "+" and distance is not None and isinstance(step, Const):
                return mask, distance + step.value
        if node.op == "+" and OWN in masks:
            return OWN, None
        return masks[0] | masks[-1] | (masks[1] if len(masks) > 2 else 0), None
