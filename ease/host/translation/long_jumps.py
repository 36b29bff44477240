"""Ways between functions that are no calls: longjmp from one activation to another, and handlers of faults."""

from __future__ import annotations

from collections.abc import Callable

from ease.host.instruments.instrument import Site
from ease.host.process.job import (
    BUDGET,
    HEADER,
    JUMP_IDENTITY,
    JUMP_POINTER,
    JUMP_TARGET,
    JUMP_VALUES,
    JUMPING,
    PAGES_BELOW,
    READABLE,
    WRITABLE,
)
from ease.host.translation.counting import Counting
from ease.host.translation.emitter import Emitter
from ease.host.translation.ir_builder import SIZE, float_literal
from ease.host.translation.module_context import ModuleContext
from ease.host.translation.runtime import HOST
from vpo.analysis.cfg import delay_slots
from vpo.analysis.transfers import FaultSites, callee_of
from vpo.rtl import Expr
from vpo.system.address_space import beyond_stack
from vpo.system.faults import ENTRY, HANDLED, HANDLED_ON_STACK, SIGNALS, FaultDelivery

# ----------------------------------------------------------------------------------------------------------------------
# How longjmp gets from one activation to another in host code, where activations are calls of LLVM functions.
#
# `__longjmp` leaves in shared memory where it goes, with which stack pointer and registers, and returns to an impossible
# address.  So do all callers, each of which tests return addresses anyway, up to the function in which `__setjmp` came back
# to that address with that stack pointer.  It goes on behind that call.


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
        return f"br label %caught{self.site.whole}" if self.sites else nowhere

    def jump(self, target: str) -> None:
        """Write what `__longjmp` leaves behind before it returns to nowhere."""
        machine, emitter = self.context.program.machine, self.emitter
        self._store("i64", JUMPING, "1")
        self._store("i64", JUMP_IDENTITY, emitter.number())
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
            expected = emitter.places.address(self.sites[place], self.context.program.machine.address_type)
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


# ----------------------------------------------------------------------------------------------------------------------
# Let host code call a program's handlers of faults (`vpo.system.faults`); only programs that ask for them pay for it.
#
# References that may fault are checked against a table of pages, since a fault of the host would leave no state that could go
# on.  A fault with a handler enters the program's `__deliver_fault`, which never comes back by itself: behind it, activations
# return to an impossible address, as they do when the program ends and when longjmp leaves them.


class FaultChecks:
    """Writes the checks of one function.

    `place` is where the program ends if the current RTL faults, `rest` how many instructions behind it have been taken from
    the budget already.  `annulled`: it stands in slots that a branch may annul.
    """

    def __init__(
        self, context: ModuleContext, sites: FaultSites, emitter: Emitter, counting: Counting, leave: Callable[[], str]
    ) -> None:
        self.context, self.sites, self.emitter, self.counting, self.leave = context, sites, emitter, counting, leave
        self.place, self.rest, self.annulled = (0, 0), 0, False

    def check(self, address: Expr, type_: str, write: bool, value: str, host_offset: str) -> None:
        """Write the check of a reference to an address, an i64; `host_offset` is what host code takes for it."""
        if self.sites.refers_safely(address, type_, write):
            return
        emitter, size = self.emitter, SIZE[type_]
        allowed = self._page(host_offset)
        if emitter.machine.misaligned and size > 1:
            allowed = emitter.put(f"and i8 {allowed}, {self._page(emitter.put(f'add i64 {host_offset}, {size - 1}'))}")
        wanted = emitter.put(f"and i8 {allowed}, {WRITABLE if write else READABLE}")
        bad, good = emitter.label(), emitter.label()
        test = emitter.put(f"icmp eq i8 {wanted}, 0")
        emitter.lines += [f"br i1 {test}, label %{bad}, label %{good}, !prof !3", f"{bad}:"]
        self.deliver("reference", value)
        emitter.lines += [f"br label %{good}", f"{good}:"]  # where the reference itself ends the run

    def _page(self, host_offset: str) -> str:
        """Return what may be done with the page of an address."""
        shift = self.context.program.machine.layout.page.bit_length() - 1
        number = self.emitter.put(f"lshr i64 {host_offset}, {shift}")
        table = f"ptr inttoptr (i64 {self.context.options.shared - PAGES_BELOW} to ptr)"
        return self.emitter.put(f"load i8, ptr {self.emitter.put(f'getelementptr i8, {table}, i64 {number}')}, !tbaa !6")

    def deliver(self, kind: str, value: str) -> None:
        """Write what calls the handler of a fault, if there is one; `value` is the address as an i64.

        Kind `reference` is that of any reference to what is not mapped.
        """
        name, signal = "handles", SIGNALS.get(kind.split()[0], 0)
        if kind == "reference":
            name, signal = "handles_reference", SIGNALS["wild"]
        if not signal:
            return
        emitter, context = self.emitter, self.context
        goes, other = emitter.label(), emitter.label()
        test = emitter.put(f"call i1 @ease_{name}(i64 {signal}, i64 {value}, i8 {HANDLED})")
        emitter.lines += [f"br i1 {test}, label %{goes}, label %{other}", f"{goes}:"]
        if context.options.limit and self.rest:
            budget = f"ptr inttoptr (i64 {context.options.shared + 8 * BUDGET} to ptr)"
            left = emitter.put(f"load i64, {budget}, align 8, !tbaa !5")
            emitter.lines.append(f"store i64 {emitter.put(f'add i64 {left}, {self.rest}')}, {budget}, align 8, !tbaa !5")
        self.counting.call(self.place, begins=True)
        threads = [f"{t.type} {emitter.put(f'load {t.type}, ptr {t.variable}')}" for t in context.threads]
        emitter.lines.append(f"call fastcc void @ease_deliver({', '.join(threads)}){emitter.location()}")
        self.counting.call(self.place, begins=False)
        self.counting.end_at(self.place, self.annulled, self.leave())
        emitter.lines.append(f"{other}:")


def functions(context: ModuleContext, delivery: FaultDelivery) -> str:
    """Return the functions that programs with handlers of faults share."""
    return "\n".join((_handles(context, delivery), _handles_reference(context, delivery), _deliver(context, delivery)))


def dispatched(context: ModuleContext, nowhere: str, value: str) -> list[str]:
    """Return what an indirect call of no function does if that has a handler."""
    threads = ", ".join(f"{thread.type} %a{number}" for number, thread in enumerate(context.threads))
    return [
        f"%handled = call i1 @ease_handles(i64 {SIGNALS['call']}, i64 {value}, i8 {HANDLED})",
        "br i1 %handled, label %deliver, label %fail",
        "deliver:",
        f"call fastcc void @ease_deliver({threads})",
        nowhere,
        "fail:",
    ]


def _handles(context: ModuleContext, delivery: FaultDelivery) -> str:
    """Write the function that says whether a signal has a handler, and if so leaves the signal and the address for it.

    `%wanted` is the flag that the handler must have.
    """
    base, word = context.options.base, context.word
    machine = context.program.machine
    lines = [
        f"define internal i1 @ease_handles(i64 %signal, i64 %value, i8 %wanted) cold noinline {HOST} {{",
        f"%active = load i8, {_at(base + delivery.active)}",
        f"%slot = getelementptr i8, {_at(base + delivery.handled)}, i64 %signal",
        "%set = load i8, ptr %slot",
        "%idle = icmp eq i8 %active, 0",
        "%flag = and i8 %set, %wanted",
        "%has = icmp ne i8 %flag, 0",
        "%both = and i1 %idle, %has",
        "br i1 %both, label %yes, label %no",
        "yes:",
        "%number = trunc i64 %signal to i8",
        f"store i8 %number, {_at(base + delivery.number)}",
        f"%narrow = {'add i64 0, %value' if word == 'i64' else f'trunc i64 %value to {word}'}",
    ]
    address = "%narrow"
    if machine.big_endian:
        lines.append(f"%swapped = call {word} @llvm.bswap.{word}({word} %narrow)")
        address = "%swapped"
    lines += [f"store {word} {address}, {_at(base + delivery.where)}, align 1", "ret i1 true", "no:", "ret i1 false", "}"]
    return "\n".join(lines)


def _handles_reference(context: ModuleContext, delivery: FaultDelivery) -> str:
    """Write the function that does so for a reference, which may mean that the stack is exhausted."""
    head = f"define internal i1 @ease_handles_reference(i64 %signal, i64 %value, i8 %usual) cold noinline {HOST} {{"
    offered = ["%offered = add i8 0, 0"] if delivery.offered is None else [
        f"%byte = load i8, {_at(context.options.base + delivery.offered)}",
        "%is_offered = icmp ne i8 %byte, 0",
        f"%offered = select i1 %is_offered, i8 {HANDLED_ON_STACK}, i8 0",
    ]  # fmt: skip
    beyond = beyond_stack(context.program.machine)
    return "\n".join([
        head,
        *offered,
        f"%distance = sub i64 %value, {beyond.start}",
        f"%beyond = icmp ult i64 %distance, {len(beyond)}",
        "%wanted = select i1 %beyond, i8 %offered, i8 %usual",
        "%result = call i1 @ease_handles(i64 %signal, i64 %value, i8 %wanted)",
        "ret i1 %result",
        "}",
    ])  # fmt: skip


def _deliver(context: ModuleContext, delivery: FaultDelivery) -> str:
    """Write the function that enters `__deliver_fault`: on its stack, with registers that are 0 otherwise."""
    stack = context.summaries.registers.storage(context.program.machine.stack_pointer)[0]
    names = [f"{thread.type} %t{number}" for number, thread in enumerate(context.threads)]
    arguments = list(names)
    for t, _, key in context.values(context.summaries.signatures[ENTRY].read):
        zero = float_literal(0.0) if t in ("float", "double") else "0"
        arguments.append(f"{t} {delivery.stack if key == stack else zero}")
    result = context.result_type(ENTRY)
    call = f'call fastcc {result} @"f{ENTRY}"({", ".join(arguments)}) noinline'
    return "\n".join([
        f"define internal fastcc void @ease_deliver({', '.join(names)}) cold noinline {HOST} {{",
        call if result == "void" else f"%x = {call}",
        "ret void",
        "}",
        "",
    ])  # fmt: skip


def _at(address: int) -> str:
    return f"ptr inttoptr (i64 {address} to ptr)"
