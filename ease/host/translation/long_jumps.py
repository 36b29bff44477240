"""How longjmp gets from one activation to another in host code, where activations are calls of LLVM functions.

`__longjmp` leaves in shared memory where it goes, with which stack pointer and registers, and returns to an impossible
address.  So do all callers, each of which tests return addresses anyway, up to the function in which `__setjmp` came back
to that address with that stack pointer.  It goes on behind that call.
"""

from __future__ import annotations

from ease.host.instruments.instrument import Site
from ease.host.process.job import HEADER, JUMP_IDENTITY, JUMP_POINTER, JUMP_TARGET, JUMP_VALUES, JUMPING
from ease.host.translation.counting import Counting
from ease.host.translation.emitter import integer_literal
from ease.host.translation.module_context import ModuleContext
from vpo.analysis.cfg import delay_slots
from vpo.analysis.transfers import callee_of

Place = tuple[int, int]  # the index of a block, and of an RTL in it


class LongJumps:
    """What one function does about longjmp; `sites` are its calls that may be of `__setjmp`, by their ends."""

    def __init__(self, context: ModuleContext, site: Site, counting: Counting) -> None:
        self.context, self.site, self.counting, self.emitter = context, site, counting, site.emitter
        self.word = context.word
        fetched = context.program.fetched[site.function.name]
        self.sites: dict[Place, int] = {}  # with the addresses behind them
        for number, (block, start) in enumerate(zip(site.function.blocks, site.function.block_starts(), strict=True)):
            for index, rtl in enumerate(block.rtls):
                if rtl.call is not None and callee_of(context.program, rtl.call) in context.saving:
                    end = index + delay_slots(context.program.machine, site.function, rtl)
                    self.sites[number, end] = fetched[start + end][1]

    def declarations(self) -> list[str]:
        """Return the variables that hold the stack pointers with which `__setjmp` came back."""
        lines = []
        for place in self.sites:
            lines += [f"{_pointer(place)} = alloca {self.word}", f"store {self.word} -1, ptr {_pointer(place)}"]
        return lines

    def behind(self, place: Place) -> None:
        """Write, behind a call, what a return from `__setjmp` leaves, and the label to which it may return again."""
        if place in self.sites:
            pointer = self.emitter.read(self.context.program.machine.stack_pointer)
            label = f"behind{place[0]}.{place[1]}{self.site.copy}"
            self.emitter.lines += [f"store {self.word} {pointer}, ptr {_pointer(place)}", f"br label %{label}", f"{label}:"]

    def leave(self, nowhere: str) -> str:
        """Return what leaves the function because control comes back from a call to an impossible address."""
        return f"br label %caught{self.site.copy}" if self.sites else nowhere

    def jump(self, target: str) -> None:
        """Write what `__longjmp` leaves behind before it returns to nowhere."""
        machine, emitter = self.context.program.machine, self.emitter
        self._store("i64", JUMPING, "1")
        self._store("i64", JUMP_IDENTITY, str(emitter.identity))
        self._store(self.word, JUMP_TARGET, target)
        self._store(self.word, JUMP_POINTER, emitter.read(machine.stack_pointer))
        for type_, home, number in self._values():
            self._store(type_, number, emitter.put(f"load {type_}, ptr {home}"))

    def catch(self, nowhere: str) -> None:
        """Write, for the copy that was written last, where control goes on when it comes from nowhere."""
        if not self.sites:
            return
        emitter, copy = self.emitter, self.site.copy
        emitter.lines.append(f"caught{copy}:")
        jumping = self._is("i64", JUMPING, "1")
        target, pointer = self._load(self.word, JUMP_TARGET), self._load(self.word, JUMP_POINTER)
        found = {place: emitter.label() for place in self.sites}
        for place, label in found.items():
            expected = integer_literal(self.sites[place], self.context.program.machine.address_type)
            here = emitter.put(f"icmp eq {self.word} {target}, {expected}")
            kept = emitter.put(f"load {self.word}, ptr {_pointer(place)}")
            same = emitter.put(f"icmp eq {self.word} {pointer}, {kept}")
            both = emitter.put(f"and i1 {here}, {same}")
            goes, other = emitter.put(f"and i1 {both}, {jumping}"), emitter.label()
            emitter.lines += [f"br i1 {goes}, label %{label}, label %{other}", f"{other}:"]
        emitter.lines.append(nowhere)
        for place, label in found.items():
            emitter.lines.append(f"{label}:")
            self._resume(place)

    def _resume(self, place: Place) -> None:
        """Write what makes the state that of `__longjmp`, and the way to behind the call."""
        self._store("i64", JUMPING, "0")
        for type_, home, number in self._values():
            self.emitter.lines.append(f"store {type_} {self._load(type_, number)}, ptr {home}")
        self.counting.count(self.counting.probes.resumed.get(place))
        self.emitter.lines.append(f"br label %behind{place[0]}.{place[1]}{self.site.copy}")

    def _values(self) -> list[tuple[str, str, int]]:
        """List (type, variable, word of the header) of what `__longjmp` hands to the function where control goes on."""
        values = [(thread.type, thread.variable) for thread in self.context.threads]
        values += [(t, f"{self.emitter.home(key)}{suffix}") for t, suffix, key in self.context.values(self.context.restored)]
        if 8 * (JUMP_VALUES + len(values)) > HEADER:
            raise ValueError("too many registers for longjmp")
        return [(type_, home, JUMP_VALUES + number) for number, (type_, home) in enumerate(values)]

    def _word(self, number: int) -> str:
        return f"ptr inttoptr (i64 {self.context.options.shared + 8 * number} to ptr)"

    def _store(self, type_: str, number: int, value: str) -> None:
        self.emitter.lines.append(f"store {type_} {value}, {self._word(number)}, align 8")

    def _load(self, type_: str, number: int) -> str:
        return self.emitter.put(f"load {type_}, {self._word(number)}, align 8")

    def _is(self, type_: str, number: int, value: str) -> str:
        return self.emitter.put(f"icmp eq {type_} {self._load(type_, number)}, {value}")


def _pointer(place: Place) -> str:
    return f"%context{place[0]}.{place[1]}"
