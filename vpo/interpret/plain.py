"""A plain interpreter of RTLs: docs/rtl.md read aloud, one RTL after another.

It walks the RTLs themselves, so that it can be read; nothing in it is fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from vpo.algebra.values import Evaluator, Value, mask
from vpo.analysis.cfg import units
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.interpret.plain_state import INTERPRETER_FRAMES, Activation, Layout, State
from vpo.interpret.result import Observer, Result, run_with_streams, uncounted_rtls
from vpo.program import Program
from vpo.rtl import (
    BITS,
    Branch,
    Call,
    Const,
    Effect,
    Expr,
    Half,
    IndirectJump,
    Jump,
    LabelAddress,
    Mem,
    Next,
    Register,
    Return,
    Rtl,
    Set,
    Slot,
    Symbol,
)
from vpo.rtl.function import Function
from vpo.system.address_space import kernel_of
from vpo.system.faults import (
    ENTRY,
    MESSAGES,
    Exit,
    Fault,
    MemoryFault,
    access_message,
    fault_delivery,
    stack_message,
    transfer_message,
)
from vpo.system.kernel import NO_LIMITS, Limits
from vpo.system.system import System

# ----------------------------------------------------------------------------------------------------------------------
# What goes wrong in the plain interpreter: how it is told, or how it becomes a signal.


class NowhereError(Exception):
    """A 'call', 'jump' or 'return' goes to an address where there is no such thing, or a function ends without ('end')."""

    def __init__(self, kind: str, address: int = 0, expected: int | None = None) -> None:
        super().__init__(kind)
        self.kind, self.address, self.expected = kind, address, expected


class LimitError(Exception):
    """As many instructions have been executed as may be."""


def fault_of(run: PlainInterpreter, error: Exception) -> Fault:
    """Describe what went wrong at the program counter."""
    position, digits = run.position, BITS[run.word] // 4
    match error:
        case LimitError():
            kind, message = "limit", f"stopped after {run.limit} instructions"
        case NowhereError(kind="end"):
            kind, message, position = "end", MESSAGES["end"], len(run.function.rtls()) - 1
        case NowhereError():
            kind, message = error.kind, transfer_message(error.kind, error.address, error.expected, digits)
        case MemoryFault(kind="stack"):
            kind, message = "stack", stack_message(run.machine.layout.stack_size, error.address, digits)
        case MemoryFault():
            kind, message = error.kind, access_message(error.kind, error.write, error.size, error.address, digits)
        case _:
            kind, message = "division", MESSAGES["division"]
    line = max(run.function.rtls()[position].lines)
    return Fault(kind, message, run.function.name, run.function.file, line, run.fetched[position][0], position)


def deliver(run: PlainInterpreter, error: Exception) -> bool:
    """Enter the handler of a fault; return False if the program has none (`vpo.system.faults`)."""
    kind = error.kind if isinstance(error, NowhereError | MemoryFault) else "division"
    number = run.delivery.signal(kind, run.state.memory.read) if run.delivery is not None else 0
    if run.delivery is None or not number:
        return False
    block = run.function.blocks[run.block]
    _, cut, _ = next(unit for unit in units(run.machine, run.function, block) if unit[2] > run.index)
    if run.index >= cut:  # in slots that a branch may annul
        run.taken[run.function.name][run.block] -= 1
    else:
        run.count(1, cut - run.index)
    if run.index < cut and not isinstance(error, NowhereError):
        run.executed += sum(rtl.record is None or rtl.record.counted for rtl in block.rtls[run.index : cut])
    address = 0 if kind == "division" else error.address  # type: ignore[attr-defined]
    run.state.store("B", run.delivery.number, number)
    run.state.store(run.word, run.delivery.where, address & mask(run.word))
    run.state.write(run.machine.stack_pointer, run.delivery.stack)
    run.enter(run.program.functions[ENTRY], None)
    return True


# ----------------------------------------------------------------------------------------------------------------------


Going = tuple[Effect, int]  # a transfer or call that is made, and the address that it computed


class PlainInterpreter(Evaluator):
    """One run of a program.  The program counter is the innermost activation's function, `block` and `index`."""

    def __init__(
        self, program: Program, arguments: Sequence[str | bytes], streams: Sequence[int], roots: Iterable[str | Path],
        limit: int | None, observer: Observer | None, limits: Limits = NO_LIMITS,
    ) -> None:  # fmt: skip
        self.program, self.machine, self.limit, self.observer = program, program.machine, limit, observer
        super().__init__(program.machine.address_type)
        self.state = State(program, arguments, observer)
        self.system = System(kernel_of(program, limits), self.state.memory, streams, roots)
        functions = program.functions
        self.layouts = {name: Layout(program, function) for name, function in functions.items()}
        self.by_address = {program.symbols[name]: function for name, function in functions.items()}
        self.rtls = {name: [0] * len(function.rtls()) for name, function in functions.items()}
        self.blocks = {name: [0] * len(function.blocks) for name, function in functions.items()}
        self.taken = {name: [0] * len(function.blocks) for name, function in functions.items()}
        self.traps = {
            name: {n: 0 for n, rtl in enumerate(function.rtls()) if self.machine.window_move(rtl.effects)}
            for name, function in functions.items()
        }
        self.delivery = fault_delivery(program)
        self.executed = self.resident = 0  # instructions; register windows, without that of the start-up code
        self.block = self.index = 0

    # --------------------------------------------------------------------------------------------- running

    def run(self, resumed: bool = False) -> Result:
        """Execute instructions until the program ends or goes wrong: from its entry or, if `resumed`, from where it is."""
        status, fault = None, None
        try:
            if not resumed:
                self.enter(self.program.functions[self.program.entry], None)
            while True:
                self.advance()
        except Exit as exit_:
            self.count(1)
            status = exit_.status
        except (LimitError, NowhereError, MemoryFault, ZeroDivisionError) as error:
            fault = fault_of(self, error)
            self.system.flush()
        return Result(
            status, fault, self.rtls, self.blocks, self.taken, self.traps, self.state.memory,
            registers=self.state.named_registers(), uncounted=uncounted_rtls(self.program, self.rtls),
        )  # fmt: skip

    def advance(self) -> None:
        """Execute the instruction at the program counter; if it faults, go to the handler that the program has for that."""
        try:
            self.step()
        except (NowhereError, MemoryFault, ZeroDivisionError) as error:
            if not deliver(self, error):
                raise

    def step(self) -> None:
        """Execute the instruction at the program counter, and what stands in its delay slots."""
        rtls = self.function.blocks[self.block].rtls
        if self.index == len(rtls):
            self.go_to(self.block + 1)
            return
        rtl = rtls[self.index]
        self.go_on(rtl, self.execute(rtl))

    def go_on(self, rtl: Rtl, going: Going | None) -> None:
        """Execute what stands in the delay slots of the instruction at the program counter, and go where it goes."""
        rtls, start, slots = self.function.blocks[self.block].rtls, self.index, self.slots_of(rtl)
        if isinstance(rtl.transfer, Branch) and going is not None and rtl.annuls:
            self.taken[self.function.name][self.block] += 1
        if rtl.annuls and going is None:
            self.index += slots
        else:
            for _ in range(slots):
                self.index += 1
                self.execute(rtls[self.index])
        if going is None:
            self.index += 1
        else:
            self.arrive(*going, rtl, start)

    def execute(self, rtl: Rtl) -> Going | None:
        """Execute one RTL: read everything, then write.  Return the transfer or call that it makes."""
        counted = rtl.record is None or rtl.record.counted
        if counted and self.executed == self.limit:
            raise LimitError
        self.fetch()
        if self.function.stage in INTERPRETER_FRAMES and isinstance(rtl.transfer, Return):
            self.state.registers |= self.state.activations[-1].preserved
        going: Going | None = None
        stores: list[tuple[str, int, Value, bool]] = []  # with whether the instruction itself makes the reference
        writes: list[tuple[Register, Value]] = []
        for place, effect in enumerate(self.program.effects_of(rtl)):
            match effect:
                case Set(target=Mem() as cell):
                    value = self.evaluate(effect.source, cell.type)
                    stores.append((cell.type, self.evaluate(cell.address), value, place < len(rtl.effects)))
                case Set(target=Register() as register):
                    writes.append((register, self.evaluate(effect.source, register.type)))
                case Branch():
                    going = (effect, 0) if self.holds(effect.condition) else None
                case IndirectJump() | Call() | Return():
                    going = effect, self.evaluate(effect.target)
                case Jump():
                    going = effect, 0
        self.move_window(rtl)
        for store in stores:
            self.state.store(*store)
        for write in writes:
            self.state.write(*write)
        self.executed += counted
        self.count(1)
        return going

    @property
    def function(self) -> Function:
        """The function under way."""
        return self.state.activations[-1].function

    @property
    def position(self) -> int:
        """Which RTL of its function is executed."""
        return self.state.activations[-1].layout.first[self.block] + self.index

    @property
    def fetched(self) -> list[tuple[int, int]]:
        """The bytes that are fetched for each RTL of this function."""
        return self.program.fetched[self.function.name]

    def slots_of(self, rtl: Rtl) -> int:
        """Return how many delay slots follow an RTL."""
        transfers = rtl.transfer is not None or rtl.call is not None
        return self.machine.record(rtl).slots if transfers and self.function.stage == "final" else 0

    def count(self, times: int, rtls: int = 1) -> None:
        """Count the RTL at the program counter, and those behind it, as executed."""
        for position in range(self.position, self.position + rtls):
            self.rtls[self.function.name][position] += times

    def fetch(self) -> None:
        """Tell the observer of the instruction at the program counter, unless it is a part of another one."""
        start, end = self.fetched[self.position]
        if self.observer is not None and end > start:
            self.observer.fetch(start, end - start)

    def move_window(self, rtl: Rtl) -> None:
        """Count the resident register windows, and the traps where there is none to enter or to go back to."""
        move, windows = self.machine.window_move(rtl.effects), self.machine.convention.windows
        if not move or windows is None:
            return
        if self.resident == (windows.count - 1 if move == "enter" else 1):
            self.traps[self.function.name][self.position] += 1
        else:
            self.resident += 1 if move == "enter" else -1

    # ------------------------------------------------------------------------------------------- transfers

    def arrive(self, effect: Effect, target: int, rtl: Rtl, start: int) -> None:
        """Let control arrive where a transfer or call goes.

        If that is nowhere, the run ends before the instruction at `start`: neither it nor its delay slots count.
        """
        after, self.index = self.index + 1, start
        try:
            match effect:
                case Jump() | Branch():
                    self.taken[self.function.name][self.block] += isinstance(effect, Branch) and not rtl.annuls
                    self.go_to(self.state.activations[-1].layout.labels[effect.label])
                case IndirectJump():
                    self.jump(effect, target)
                case Call():
                    self.call(target, after)
                case Return():
                    self.leave(target)
        except NowhereError:
            self.count(-1, after - start)
            raise

    def go_to(self, block: int) -> None:
        """Enter a block, at whose head all phis take effect at once: by the block that control comes from."""
        blocks = self.function.blocks
        if block == len(blocks):
            raise NowhereError("end")
        writes = [(phi.target, self.state.read(phi.sources[blocks[self.block].label])) for phi in blocks[block].phis]
        for write in writes:
            self.state.write(*write)
        self.block, self.index = block, 0
        self.blocks[self.function.name][block] += 1

    def jump(self, effect: IndirectJump, target: int) -> None:
        """Go to the one of an indirect jump's labels that is at an address."""
        for label in effect.labels:
            if self.program.labels[self.function.name, label] == target:
                self.go_to(self.state.activations[-1].layout.labels[label])
                return
        raise NowhereError("jump", target)

    def call(self, target: int, after: int) -> None:
        """Call the function at an address; `after` is where its caller goes on."""
        if target not in self.by_address:
            raise NowhereError("call", target)
        last = self.position + after - 1 - self.index
        self.enter(self.by_address[target], self.fetched[last][1], after)

    def enter(self, function: Function, back: int | None, after: int = 0) -> None:
        """Begin an activation of a function, in a frame made here if it does not make one itself."""
        layout = self.layouts[function.name]
        self.state.activations.append(Activation(function, layout, back, self.block, after))
        self.go_to(0)
        if function.stage not in INTERPRETER_FRAMES:
            return
        pointer, stack = self.machine.stack_pointer, self.machine.layout
        saved = [r for r in (pointer, *self.machine.convention.saved) if r not in self.machine.zero]
        keys = [self.state.key(part) for register in saved for part in self.state.parts(register) or [register]]
        self.state.activations[-1].preserved = {key: self.state.registers[key] for key in keys}
        up = self.machine.convention.grows_up
        top = self.state.read(pointer) + (layout.frame if up else -layout.frame)
        self.state.write(pointer, top & mask(self.word))
        if self.state.read(pointer) > stack.stack_top if up else self.state.read(pointer) < stack.stack_low:
            raise MemoryFault(self.state.read(pointer), 0, True, "stack")

    def leave(self, target: int) -> None:
        """Return from a function, to an address that must be its caller's unless the interpreter made the frame."""
        activation = self.state.activations[-1]
        if activation.function.name == RESUME_CONTEXT:
            resumption = self.state.resume_context(target)
            if resumption is None:
                raise NowhereError("return", target)
            self.block, self.index = resumption.block, resumption.index
            return
        if activation.back is None:
            raise NowhereError("return", target)
        if activation.back != target and activation.function.stage not in INTERPRETER_FRAMES:
            raise NowhereError("return", target, activation.back)
        self.state.activations.pop()
        self.block, self.index = activation.block, activation.index
        if activation.function.name == SAVE_CONTEXT:
            self.state.save_context(target, self.block, self.index)

    # ------------------------------------------------------------------------------------------- expressions

    def read(self, register: Register) -> Value:
        """Return the value of a register."""
        return self.state.read(register)

    def load(self, type_: str, address: int) -> Value:
        """Return what a memory cell holds."""
        return self.state.load(type_, address)

    def system_call(self, call: int, arguments: Sequence[int]) -> int:
        """Return the result of a system call."""
        return self.system.call(call, list(arguments))

    def constant(self, node: Expr) -> int:
        """Return the value of a constant or address."""
        match node:
            case Const():
                return node.value
            case Symbol():
                return self.program.symbols[node.name] + node.offset
            case LabelAddress():
                return self.program.labels[self.function.name, node.label]
            case Slot():
                return self.state.activations[-1].layout.slots[node.name] + node.offset
            case Next():
                rtl = self.function.blocks[self.block].rtls[self.index]
                return self.fetched[self.position + self.slots_of(rtl)][1]
            case Half(is_literal=True):
                return self.program.literals_of(self.function.name, self.block)[node]
            case Half():
                return self.machine.half(node.which, self.constant(node.of))
        raise TypeError(node)

def interpret_plainly(
    program: Program,
    arguments: Sequence[str | bytes] = (),
    *,
    stdin: bytes | None = None,
    capture: bool = False,
    roots: Iterable[str | Path] = (),
    limit: int | None = None,
    observer: Observer | None = None,
) -> Result:
    """Run a program; `stdin` replaces standard input, `capture` keeps standard output and error in the result."""

    def run(streams: Sequence[int]) -> Result:
        return PlainInterpreter(program, arguments, streams, roots, limit, observer).run()

    return run_with_streams(run, stdin, capture)
