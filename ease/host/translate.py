"""Translate a linked program into the text of one LLVM module.

Each target function becomes an LLVM function whose registers are local variables.  Its arguments are the registers that it
reads; its results are the return address, and those registers it changes that somebody reads
(`ease.host.register_summaries`).  Target memory is a reserved region at a fixed host address.  Every reference to memory has
the number of its RTL as its source line, by which a fault is traced back.  LLVM may not remove a read whose value is not
needed (`ease.host.demand`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ease.host import runtime
from ease.host.counting import Counting, FunctionProbes, astray, has_ended, unwinds
from ease.host.demand import removable_reads
from ease.host.emitter import LLVM, Emitter, float_literal, may_fault
from ease.host.inlining import inlined
from ease.host.instrument import Instrument, Site
from ease.host.job import BASE, BUDGET, EXIT, GUARD, RESIDENT, SHARED
from vpo.address_space import regions
from vpo.analysis.call_graph import INDIRECT, callee_of
from vpo.analysis.cfg import OUTSIDE, annulled_slots
from vpo.analysis.delay_slots import delay_slots
from vpo.analysis.register_summaries import Key, RegisterSummaries
from vpo.analysis.saved_registers import is_saving
from vpo.function import Block, Function
from vpo.program import Program
from vpo.rtl import Branch, Call, Delay, Effect, IndirectJump, Jump, Mem, Op, Register, Return, Rtl, Set


@dataclass(frozen=True, slots=True)
class Options:
    """How to translate.

    `limit`: the run ends after a number of instructions.  `check_returns`: a return must go to the address behind its call.
    `trust_saves`: functions are taken to restore the registers that they save, so these stay in the caller's variables and the
    cells that hold them are written as 0.  `base` and `shared` are the host addresses of target memory and of the memory that
    parent and child share.
    """

    limit: bool = False
    check_returns: bool = True
    trust_saves: bool = True
    base: int = BASE
    shared: int = SHARED


def translate(
    program: Program,
    probes: Mapping[str, FunctionProbes] | None = None,
    options: Options | None = None,
    instruments: Sequence[Instrument] = (),
) -> str:
    """Return the IR of a program whose functions are all framed or final, with instruments that have been placed.

    Raises ValueError for functions at earlier stages.
    """
    return _Module(program, probes or {}, options or Options(), instruments).text()


class _Module:
    def __init__(
        self, program: Program, probes: Mapping[str, FunctionProbes], options: Options, instruments: Sequence[Instrument]
    ) -> None:
        self.program, self.probes, self.options, self.instruments = program, probes, options, instruments
        self.threads = [thread for instrument in instruments for thread in instrument.threads]
        self.summaries = RegisterSummaries(program, options.trust_saves)
        self.word = LLVM[program.machine.address_type]
        for name, function in program.functions.items():
            if function.stage not in ("framed", "final"):
                raise ValueError(f"{name}: host code needs entry and exit code, but this is stage {function.stage}")
        self.removable = {program.number(name, index) for name, index in removable_reads(self.summaries)}
        self.fold_up, self.fold_down = self._guards()

    @cached_property
    def inlined(self) -> frozenset[str]:
        """The functions to inline if functions have copies."""
        return inlined(self.program, self.probes)

    def _guards(self) -> tuple[int, int]:
        """Return the displacements that cannot get from one end of the address space to mapped memory at the other end."""
        mapped = regions(self.program)
        low = min([self.program.end, *[r.start for r in mapped]])
        high = max(r.end for r in mapped)
        up = max(min(low - 8, GUARD - 8), 0)
        return up, max(min((1 << 32) - high - 8, GUARD - 8), 0)

    def text(self) -> str:
        """Return the module."""
        parts = [runtime.prelude(self.options.shared)]
        if unwinds(self.probes):
            parts.append(astray(self.options.shared))
        located: list[tuple[int, int]] = []
        for number, function in enumerate(self.program.functions.values()):
            translated = _Function(self, function, number)
            parts.append(translated.text())
            located += [(identity, number) for identity in sorted(translated.emitter.located)]
        parts.append(self._dispatcher())
        parts.append(self._start())
        parts += [instrument.text() for instrument in self.instruments]
        parts.append(runtime.metadata(list(self.program.functions), located, self.program.numbers + 100))
        return "\n".join(parts)

    # ------------------------------------------------------------------------------------- signatures

    def parts(self, key: Key) -> list[tuple[str, str]]:
        """Return the LLVM type and the suffix of each value that a register consists of."""
        type_ = self.summaries.registers.types[key[0]]
        return [(LLVM[type_], ".a"), (LLVM[type_], ".b")] if type_ in "CG" else [(LLVM[type_], "")]

    def values(self, registers: int) -> list[tuple[str, str, Key]]:
        """List (type, suffix, key) of everything in a set of registers."""
        return [(t, suffix, key) for key in self.summaries.registers.members(registers) for t, suffix in self.parts(key)]

    def result_type(self, callee: str) -> str:
        """Return the struct that a function returns: where to, threads, then registers."""
        types = [self.word] if self.options.check_returns else []
        types += [thread.type for thread in self.threads]
        types += [t for t, _, _ in self.values(self.summaries.signatures[callee].returned)]
        return f"{{ {', '.join(types)} }}" if types else "void"

    def _dispatcher(self) -> str:
        """Write the function that makes indirect calls."""
        result = self.result_type(INDIRECT)
        arguments = [thread.type for thread in self.threads]
        arguments += [t for t, _, _ in self.values(self.summaries.signatures[INDIRECT].read)]
        names = [f"{t} %a{i}" for i, t in enumerate(arguments)]
        head = ", ".join([f"{self.word} %target", "i64 %identity", *names])
        lines = [f"define internal fastcc {result} @ease_indirect({head}) {runtime.HOST} {{"]
        cases = " ".join(f"{self.word} {self.program.symbols[n]}, label %f{i}" for i, n in enumerate(self.summaries.taken))
        lines.append(f"switch {self.word} %target, label %bad [ {cases} ]")
        for i, name in enumerate(self.summaries.taken):
            lines.append(f"f{i}:")
            call = f'call fastcc {result} @"f{name}"({", ".join(names)})'
            lines += [call, "ret void"] if result == "void" else [f"%x{i} = {call}", f"ret {result} %x{i}"]
        value = "%target" if self.word == "i64" else "%wide"
        lines.append("bad:")
        if self.word != "i64":
            lines.append(f"%wide = zext {self.word} %target to i64")
        lines += [f"call void @ease_trap(i64 1, i64 %identity, i64 {value}, i64 0)", "unreachable", "}", ""]
        return "\n".join(lines)

    def _start(self) -> str:
        """Write the entry from the host.  Registers are 0, except the stack pointer and those of argc and argv."""
        machine = self.program.machine
        given = (machine.stack_pointer, *machine.convention.start_arguments)
        values = {self.summaries.registers.storage(register)[0]: f"%g{n}" for n, register in enumerate(given)}
        entry = self.program.entry
        arguments = [f"{thread.type} {thread.start}" for thread in self.threads]
        for t, _, key in self.values(self.summaries.signatures[entry].read):
            zero = float_literal(0.0) if t in ("float", "double") else "0"
            arguments.append(f"{t} {values.get(key, zero)}")
        result = self.result_type(entry)
        # Not inlined: a function without lines of its own would drop those by which faults are traced back.
        call = f'call fastcc {result} @"f{entry}"({", ".join(arguments)}) noinline'
        lines = [f"define void @ease_run(i64 %w0, i64 %w1, i64 %w2) {runtime.HOST} {{"]
        lines += [f"%g{n} = {self._narrow(f'%w{n}')}" for n in range(len(given))]
        value = "0"
        if result == "void":
            lines.append(call)
        else:
            lines.append(f"%x = {call}")
            if self.options.check_returns:
                lines.append(f"%to = extractvalue {result} %x, 0")
                lines.append(f"%back = {'add i64 0, %to' if self.word == 'i64' else f'zext {self.word} %to to i64'}")
                value = "%back"
        if unwinds(self.probes):
            lines += [*has_ended(self.options.shared, "ended", "astray"), "ended:"]
            lines += [f"%f = load ptr, ptr inttoptr (i64 {self.options.shared + 8 * EXIT} to ptr)", "call void %f(i32 0)"]
            lines += ["unreachable", "astray:"]
        identity = self.program.first(entry)
        lines += [f"call void @ease_trap(i64 3, i64 {identity}, i64 {value}, i64 -1)", "unreachable", "}", ""]
        return "\n".join(lines)

    def _narrow(self, value: str) -> str:
        return f"add i64 0, {value}" if self.word == "i64" else f"trunc i64 {value} to {self.word}"


class _Function:
    """Translates one function."""

    def __init__(self, module: _Module, function: Function, number: int) -> None:
        self.module, self.function, self.number = module, function, number
        self.program, self.machine = module.program, module.program.machine
        self.probes = module.probes.get(function.name, FunctionProbes())
        self.signature = module.summaries.signatures[function.name]
        self.emitter = Emitter(self.machine, module.summaries.registers, self.program.symbols, module.options.base)
        self.emitter.fold_up, self.emitter.fold_down = module.fold_up, module.fold_down
        self.emitter.literals = self.program.literals.get(function.name, {})
        self.emitter.slots = {s.name: s.offset for s in function.slots.values() if s.offset is not None}
        self.returned: tuple[str, str] | None = None
        self.site = Site(function, self.emitter, self.program.first(function.name))
        self.instruments = [instrument.function(self.site) for instrument in module.instruments]
        self.counting = Counting(self.emitter, self.probes, module.options.shared, self.instruments)
        self.numbers = {block.label: number for number, block in enumerate(function.blocks)}

    def text(self) -> str:
        """Return the LLVM function."""
        self._enter()
        self.counting.edge(OUTSIDE, 0)
        self.site.copy = self.site.copies[0]
        self.emitter.lines.append(f"br label %{self._label(self.function.blocks[0].label)}")
        everything = range(len(self.function.blocks))
        for copy, blocks in {**dict.fromkeys(self.site.copies, everything), **self.site.parts}.items():
            self.site.copy = copy
            self._blocks(blocks)
        return "\n".join([self._head(), *self.emitter.lines, "}", ""])

    def _label(self, label: str) -> str:
        """Return the name of a label in the copy that is being written."""
        part = self.site.parts.get(self.site.copy)
        return label + (self.site.copy if part is None or self.numbers[label] in part else self.site.copies[0])

    def _blocks(self, chosen: Container[int]) -> None:
        """Write blocks."""
        first = self.program.first(self.function.name)
        for number, (block, start) in enumerate(zip(self.function.blocks, self.function.block_starts(), strict=True)):
            if number not in chosen:
                continue
            self.emitter.lines.append(f"{self._label(block.label)}:")
            for instrument in self.instruments:
                instrument.begin(number)
            self.counting.count(self.probes.blocks.get(number))
            self._block(number, block, first + start)

    def _head(self) -> str:
        """Return the beginning: the definition, an alloca for every register, the arguments."""
        read = self.module.values(self.signature.read)
        threads = self.module.threads
        given = [f"{thread.type} %t{i}" for i, thread in enumerate(threads)]
        arguments = ", ".join([*given, *(f"{t} %a{i}" for i, (t, _, _) in enumerate(read))])
        name, result = self.function.name, self.module.result_type(self.function.name)
        for _, _, key in read:
            self.emitter.home(key)
        scope = runtime.scope(self.number, self.program.numbers)
        lines = [
            f'define internal fastcc {result} @"f{name}"({arguments}){self.counting.hint()} {runtime.HOST} !dbg !{scope} {{'
        ]
        for key, home in self.emitter.used.items():
            lines += [f"{home}{suffix} = alloca {t}" for t, suffix in self.module.parts(key)]
        variables = [(thread.type, thread.variable) for thread in threads]
        for type_, name in [*variables, *(v for instrument in self.instruments for v in instrument.variables())]:
            lines.append(f"{name} = alloca {type_}")
        for i, (t, suffix, key) in enumerate(read):
            lines.append(f"store {t} %a{i}, ptr {self.emitter.home(key)}{suffix}")
        lines += [f"store {thread.type} %t{i}, ptr {thread.variable}" for i, thread in enumerate(threads)]
        return "\n".join([*lines, *self.counting.declarations()])

    def _enter(self) -> None:
        """Let instruments write at the head of the function and behind calls."""
        for instrument in self.instruments:
            instrument.enter()

    def _before(self, number: int, index: int, identity: int) -> None:
        """Let instruments write before an RTL."""
        if self.instruments:
            self.emitter.identity = identity
            self._set_next(identity, 0)
        for instrument in self.instruments:
            instrument.before(number, index)

    def _move_window(self, number: int, index: int) -> None:
        """Count the resident register windows, if traps are counted."""
        counter = self.probes.traps.get((number, index))
        windows = self.machine.convention.windows
        if counter is None or windows is None:
            return
        emitter = self.emitter
        entering = self.machine.window_move(self.function.blocks[number].rtls[index].effects) == "enter"
        pointer = f"ptr inttoptr (i64 {self.module.options.shared + 8 * RESIDENT} to ptr)"
        value = emitter.put(f"load i64, {pointer}, align 8, !tbaa !5")
        none = emitter.put(f"icmp eq i64 {value}, {windows.count - 1 if entering else 1}")
        trap, move, after = emitter.label(), emitter.label(), emitter.label()
        emitter.lines += [f"br i1 {none}, label %{trap}, label %{move}", f"{trap}:"]
        self.counting.count(counter)
        emitter.lines += [f"br label %{after}", f"{move}:"]
        value = emitter.put(f"add i64 {value}, {1 if entering else -1}")
        emitter.lines += [f"store i64 {value}, {pointer}, align 8, !tbaa !5", f"br label %{after}", f"{after}:"]

    def _charges(self, block: Block) -> dict[int, int]:
        """Return the parts of a block that are normally executed as a whole: the end of each by its start.

        A part ends behind a call, and before slots that a branch may annul.
        """
        rest = len(block.rtls) - annulled_slots(block)
        ends = [index + 1 + delay_slots(self.machine, self.function, rtl) for index, rtl in enumerate(block.rtls) if rtl.call]
        return dict(pairwise(sorted({0, *ends, rest})))

    def _charge(self, number: int, start: int, end: int, position: int) -> None:
        """Take the instructions of a part of a block from the budget; if the budget is too small, execute what it allows."""
        emitter, rtls = self.emitter, self.function.blocks[number].rtls[start:end]
        size = sum(self.machine.record(rtl).counted for rtl in rtls)
        pointer = f"ptr inttoptr (i64 {self.module.options.shared + 8 * BUDGET} to ptr)"
        budget = emitter.put(f"load i64, {pointer}, align 8, !tbaa !5")
        left = emitter.put(f"sub i64 {budget}, {size}")
        emitter.lines.append(f"store i64 {left}, {pointer}, align 8, !tbaa !5")
        small, enough = emitter.label(), emitter.label()
        test = emitter.put(f"icmp slt i64 {left}, 0")
        emitter.lines += [f"br i1 {test}, label %{small}, label %{enough}, !prof !3", f"{small}:"]
        self._last(number, start, end, position, budget)
        emitter.lines.append(f"{enough}:")

    def _last(self, number: int, start: int, end: int, position: int, budget: str) -> None:
        """Execute only those RTLs that the budget allows, then end the run."""
        emitter, rtls = self.emitter, self.function.blocks[number].rtls
        felt = [index for index in range(start, end - 1) if self._is_felt(rtls[index])]
        done = 0
        for index in range(start, felt[-1] + 1 if felt else start):
            rtl = rtls[index]
            if index in felt:
                emitter.identity = position + start
                emitter.trap_if(emitter.put(f"icmp sle i64 {budget}, {done}"), "limit", budget)
            slots = delay_slots(self.machine, self.function, rtl)
            self._move_window(number, index)
            self._target(self._rtl(rtl, position + index, slots))
            self._unwind_system_call(rtl, (number, index + slots))
            done += self.machine.record(rtl).counted
        emitter.identity = position + start
        emitter.trap("limit", budget)

    def _is_felt(self, rtl: Rtl) -> bool:
        """True if an RTL can have an effect that outlives the run: it may fault, write, or call the system."""
        if rtl.loads or rtl.stores or rtl.system_call or self.machine.window_move(rtl.effects):
            return True
        return any(may_fault(effect.source) for effect in rtl.effects if isinstance(effect, Set))

    def _block(self, number: int, block: Block, position: int) -> None:
        index = 0
        charges = self._charges(block) if self.module.options.limit else {}
        while index < len(block.rtls):
            self.counting.count(self.probes.inner.get((number, index)))
            if index in charges:
                self._charge(number, index, charges[index], position)
            rtl = block.rtls[index]
            self._before(number, index, position + index)
            self._move_window(number, index)
            slots = delay_slots(self.machine, self.function, rtl)
            place = (number, index + slots)
            transfer = self._rtl(rtl, position + index, slots)
            self._unwind_system_call(rtl, place)
            target = self._target(transfer)
            if transfer is not None:
                for instrument in self.instruments:
                    instrument.transfer(number, index, target)
            if rtl.annuls:
                self._annulling(number, index, target, position + index)
                return
            for extra in range(1, slots + 1):
                self._before(number, index + extra, position + index + extra)
                self._move_window(number, index + extra)
                self._rtl(block.rtls[index + extra], position + index + extra, 0)
                self._unwind_system_call(block.rtls[index + extra], place)
            self.emitter.identity = position + index
            index += 1 + slots
            if transfer is not None:
                self._set_next(position + index - 1 - slots, slots)
                self._transfer(place, transfer, target)
                if not isinstance(transfer, Call):
                    return
        self._fall(number, position + len(block.rtls) - 1)

    def _annulling(self, number: int, index: int, condition: str, identity: int) -> None:
        """Write an annulling branch: its delay slots are executed on the edge to the target."""
        rtls = self.function.blocks[number].rtls
        branch = rtls[index].transfer
        assert isinstance(branch, Branch)
        slots = self.emitter.label()
        self._branch(number, branch.label, condition, slots)
        self.emitter.lines.append(f"{slots}:")
        if self.module.options.limit:
            self._charge(number, index + 1, len(rtls), identity - index)
        for extra in range(1, self.machine.record(rtls[index]).slots + 1):
            self._before(number, index + extra, identity + extra)
            self._move_window(number, index + extra)
            self._rtl(rtls[index + extra], identity + extra, 0)
            self._unwind_system_call(rtls[index + extra], (number, len(rtls) - 1))
        self.emitter.lines.append(f"br label %{self._label(branch.label)}")

    def _fall(self, number: int, identity: int) -> None:
        """Go on to the next block."""
        self.emitter.identity = max(identity, self.program.first(self.function.name))
        self.counting.edge(number, number + 1)
        if number + 1 < len(self.function.blocks):
            self.emitter.lines.append(f"br label %{self._label(self.function.blocks[number + 1].label)}")
        else:
            self.emitter.trap("end")

    def _set_next(self, identity: int, slots: int) -> None:
        addresses = self.program.addresses[self.function.name]
        self.emitter.next_address = addresses[identity - self.program.first(self.function.name) + 1 + slots]

    def _rtl(self, rtl: Rtl, identity: int, slots: int) -> Effect | None:
        """Translate the assignments of an RTL, all reads first; return its transfer or call."""
        emitter = self.emitter
        emitter.identity = identity
        emitter.keeps_reads = identity in self.module.removable
        self._set_next(identity, slots)
        transfer: Effect | None = None
        saved = self.module.summaries.saved[self.function.name]
        writes: list[tuple[Set, tuple[str, str]]] = []
        for effect in rtl.effects:
            if isinstance(effect, Delay):
                continue
            if not isinstance(effect, Set):
                transfer = effect
                self.returned = self._evaluate(effect)
            elif is_saving(rtl, effect, saved, self.machine):
                if isinstance(effect.target, Mem):  # written all the same: the stack may be exhausted
                    nothing = float_literal(0.0) if effect.target.type in "FD" else "0"
                    where = emitter.address(effect.target.address, effect.target.type, True)
                    writes.append((effect, (nothing, where)))
            elif isinstance(effect.target, Mem):
                value = emitter.stored(effect.source, effect.target.type)
                writes.append((effect, (value, emitter.address(effect.target.address, effect.target.type, True))))
            elif effect.target.type in "CG":
                source = effect.source
                pair = emitter.outcome(source) if isinstance(source, Op) else self._outcome_of(source)
                writes.append((effect, pair))
            else:
                writes.append((effect, (emitter.value(effect.source, effect.target.type), "")))
        writes.sort(key=lambda write: isinstance(write[0].target, Register))
        for effect, (first, second) in writes:
            if isinstance(effect.target, Mem):
                emitter.store(effect.target.type, second, first)
            elif effect.target.type in "CG":
                emitter.write_outcome(effect.target, (first, second))
            else:
                emitter.write(effect.target, first)
        return transfer

    def _outcome_of(self, source: object) -> tuple[str, str]:
        assert isinstance(source, Register)
        return self.emitter.read_outcome(source)

    def _evaluate(self, effect: Effect) -> tuple[str, str] | None:
        """Compute the condition or target of a transfer before the RTL writes anything."""
        match effect:
            case Branch(condition=condition):
                return self.emitter.condition(condition), ""
            case IndirectJump(target=target) | Return(target=target):
                return self.emitter.value(target), ""
            case Call(target=target) if callee_of(self.program, effect) == INDIRECT:
                return self.emitter.value(target), ""
        return None

    def _target(self, transfer: Effect | None) -> str:
        value = self.returned[0] if transfer is not None and self.returned is not None else ""
        self.returned = None
        return value

    # ---------------------------------------------------------------------------------------- transfers

    def _transfer(self, place: tuple[int, int], effect: Effect, value: str) -> None:
        emitter, number = self.emitter, place[0]
        match effect:
            case Jump(label=label):
                self.counting.edge(number, self.numbers[label])
                emitter.lines.append(f"br label %{self._label(label)}")
            case Branch(label=label):
                self._branch(number, label, value)
            case IndirectJump(labels=labels):
                self._switch(number, labels, value)
            case Call():
                self._call(effect, value, place)
            case Return():
                self.counting.edge(number, OUTSIDE)
                self._return(value)

    def _switch(self, number: int, labels: Sequence[str], value: str) -> None:
        emitter, word = self.emitter, self.module.word
        bad = emitter.label()
        edges = {label: self.counting.detour(number, self._label(label), self.numbers[label]) for label in labels}
        cases = {self.program.labels[self.function.name, label]: edges[label][0] for label in labels}
        text = " ".join(f"{word} {address}, label %{label}" for address, label in cases.items())
        emitter.lines += [f"switch {word} {value}, label %{bad} [ {text} ]", f"{bad}:"]
        emitter.trap("jump", self._wide(value))
        for _, written in edges.values():
            emitter.lines += written

    def _wide(self, value: str) -> str:
        return value if self.module.word == "i64" else self.emitter.put(f"zext {self.module.word} {value} to i64")

    def _branch(self, number: int, label: str, condition: str, slots: str = "") -> None:
        """Write a branch to a label, or to the delay slots that are executed on the edge to it."""
        self.counting.choose(number, condition)
        taken, written = self.counting.detour(number, slots or self._label(label), self.numbers[label], True)
        after = self.emitter.label()
        self.emitter.lines += [f"br i1 {condition}, label %{taken}, label %{after}", *written, f"{after}:"]
        self._fall(number, self.emitter.identity)

    def _call(self, effect: Call, target: str, place: tuple[int, int]) -> None:
        emitter, module = self.emitter, self.module
        callee = callee_of(self.program, effect)
        signature, result = module.summaries.signatures[callee], module.result_type(callee)
        arguments = [] if callee else [f"{module.word} {target}", f"i64 {emitter.identity}"]
        arguments += [f"{t.type} {emitter.put(f'load {t.type}, ptr {t.variable}')}" for t in module.threads]
        for t, suffix, key in module.values(signature.read):
            arguments.append(f"{t} {emitter.put(f'load {t}, ptr {emitter.home(key)}{suffix}')}")
        name = f'@"f{callee}"' if callee else "@ease_indirect"
        call = f"call fastcc {result} {name}({', '.join(arguments)}){self._how(callee)}{emitter.location()}"
        self.counting.call(place, begins=True)
        if result == "void":
            emitter.lines.append(call)
            self.counting.call(place, begins=False)
            self._pop()
            self._unwind(place)
            self._enter()
            return
        value = emitter.put(call)
        self._pop()
        if module.options.check_returns:
            back = emitter.put(f"extractvalue {result} {value}, 0")
            expected = emitter.next_address
            wrong = emitter.put(f"icmp ne {module.word} {back}, {emitter.literal(expected, self.machine.address_type)}")
            if place in self.probes.unwinding:
                bad, good = emitter.label(), emitter.label()
                emitter.lines += [f"br i1 {wrong}, label %{bad}, label %{good}, !prof !3", f"{bad}:"]
                self.counting.unwind_call(place, self._wide(back), expected, self._nowhere())
                emitter.lines.append(f"{good}:")
            else:
                emitter.trap_if(wrong, "return", self._wide(back), expected)
        else:
            self._unwind(place)
        self.counting.call(place, begins=False)
        member = int(module.options.check_returns)
        for thread in module.threads:
            part = emitter.put(f"extractvalue {result} {value}, {member}")
            emitter.lines.append(f"store {thread.type} {part}, ptr {thread.variable}")
            member += 1
        for i, (t, suffix, key) in enumerate(module.values(signature.returned), member):
            part = emitter.put(f"extractvalue {result} {value}, {i}")
            emitter.lines.append(f"store {t} {part}, ptr {emitter.home(key)}{suffix}")
        self._enter()

    def _how(self, callee: str) -> str:
        """Return the attribute of a call; LLVM decides about inlining unless functions have copies."""
        others = self.site.copies[1:]
        if self.site.copy in others:
            return " noinline"
        return " alwaysinline" if others and callee in self.module.inlined else ""

    def _unwind_system_call(self, rtl: Rtl, place: tuple[int, int]) -> None:
        if rtl.system_call is not None:
            self._unwind(place)

    def _unwind(self, place: tuple[int, int]) -> None:
        """Return if the program has ended in a call or system call."""
        if place in self.probes.unwinding:
            self.counting.unwind_system_call(place, self._nowhere())

    def _nowhere(self) -> str:
        """Return to an address that no call expects."""
        result = self.module.result_type(self.function.name)
        parts = [f"{self.module.word} -1"] if self.module.options.check_returns else []
        parts += [f"{thread.type} poison" for thread in self.module.threads]
        parts += [f"{t} poison" for t, _, _ in self.module.values(self.signature.returned)]
        return "ret void" if result == "void" else f"ret {result} {{ {', '.join(parts)} }}"

    def _pop(self) -> None:
        """Take back what a call pushed: a trusted callee does not return the stack pointer."""
        pushed = self.machine.convention.pushed
        if self.module.options.trust_saves and pushed:
            sp = self.machine.stack_pointer
            value = self.emitter.read(sp)
            self.emitter.write(sp, self.emitter.put(f"add {self.module.word} {value}, {pushed}"))

    def _return(self, target: str) -> None:
        emitter, module = self.emitter, self.module
        result = module.result_type(self.function.name)
        if result == "void":
            emitter.lines.append("ret void")
            return
        value, place = "undef", 0
        if module.options.check_returns:
            value = emitter.put(f"insertvalue {result} {value}, {module.word} {target}, 0")
            place = 1
        for thread in module.threads:
            part = emitter.put(f"load {thread.type}, ptr {thread.variable}")
            value = emitter.put(f"insertvalue {result} {value}, {thread.type} {part}, {place}")
            place += 1
        for i, (t, suffix, key) in enumerate(module.values(self.signature.returned), place):
            part = emitter.put(f"load {t}, ptr {emitter.home(key)}{suffix}")
            value = emitter.put(f"insertvalue {result} {value}, {t} {part}, {i}")
        emitter.lines.append(f"ret {result} {value}")


def beyond_budget(program: Program, identity: int, budget: int) -> int:
    """Return the number of the RTL before which a run ended, from the first RTL of its part and the budget left there."""
    function, index = program.place(identity)
    for distance, rtl in enumerate(function.rtls()[index:]):
        budget -= program.machine.record(rtl).counted
        if budget < 0:
            return identity + distance
    raise ValueError(f"a budget of {budget} instructions is enough")
