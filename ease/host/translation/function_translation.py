"""Translate one function into LLVM IR: its frame of registers, its blocks and their RTLs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ease.host.instruments.instrument import FollowingInstrument, FunctionInstrument, Site
from ease.host.process.job import BUDGET, FAR, RESIDENT
from ease.host.translation import runtime
from ease.host.translation.counting import Counting, FunctionProbes
from ease.host.translation.emitter import Emitter, may_fault
from ease.host.translation.ir_builder import float_literal
from ease.host.translation.long_jumps import FaultChecks
from ease.host.translation.module_context import ModuleContext
from ease.host.translation.places import Places, TabledPlaces
from ease.host.translation.transfers import Transfers
from vpo.analysis.cfg import OUTSIDE, annulled_slots, delay_slots
from vpo.analysis.register_summaries import is_saving
from vpo.analysis.transfers import INDIRECT, callee_of
from vpo.rtl import Branch, By, Call, Delay, Effect, IndirectJump, Mem, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function


class FunctionTranslation:
    """One function on its way to LLVM IR."""

    def __init__(self, context: ModuleContext, function: Function, number: int) -> None:
        self.context, self.function, self.number = context, function, number
        self.program, self.machine = context.program, context.program.machine
        name, apart = function.name, context.options.apart
        probes = context.probes.get(name, FunctionProbes())
        self.probes = probes.from_zero() if apart else probes
        self.signature = context.summaries.signatures[function.name]
        self.emitter = Emitter(self.machine, context.summaries.registers, self.program.symbols, context.options.base)
        self.emitter.places = Places(self.emitter, context.options.shared)
        if apart:
            self.emitter.places = TabledPlaces(self.emitter, name, self.program.symbols[name])
        self.emitter.far = f"ptr inttoptr (i64 {context.options.shared + 8 * FAR} to ptr)"
        self.emitter.fold_up, self.emitter.fold_down = context.fold_up, context.fold_down
        self.emitter.quick = context.options.quick
        self.emitter.labels = {block.label: self.program.labels[name, block.label] for block in function.blocks}
        self.emitter.slots = {s.name: s.offset for s in function.slots.values() if s.offset is not None}
        self.returned: tuple[str, str] | None = None
        self.held: set[str] = set()  # types of variables that keep targets during delay slots
        self.site = Site(function, self.emitter, 0 if apart else self.program.first(name), context.options.shared)
        self.last = len(self.program.addresses[name]) if apart else self.program.numbers
        self.instruments = [instrument.function(self.site) for instrument in context.instruments]
        self.following = [each for each in self.instruments if isinstance(each, FollowingInstrument)]
        self.counting = Counting(self.emitter, self.probes, context.options.shared, self.instruments)
        self.transfers = Transfers(context, self.site, self.counting)
        self.faults: FaultChecks | None = None
        if context.sites is not None:
            self.faults = FaultChecks(context, context.sites, self.emitter, self.counting, self.transfers.leave)
            self.emitter.faults = self.faults

    def text(self) -> str:
        """Return the LLVM function."""
        self.transfers.enter()
        self.counting.edge(OUTSIDE, 0)
        self.site.copy = self.site.copies[0]
        self.emitter.lines.append(f"br label %{self.function.blocks[0].label}{self.site.copy}")
        for copy in self.site.copies:
            self.site.copy = copy
            self._blocks()
            self.transfers.end_copy()
        return "\n".join([self._head(), *self.emitter.lines, "}", ""])

    def _blocks(self) -> None:
        """Write blocks."""
        first = self.site.first
        for number, (block, start) in enumerate(zip(self.function.blocks, self.function.block_starts(), strict=True)):
            if not self.site.has(number):
                continue
            self.emitter.literals = self.program.literals_of(self.function.name, number)
            self.emitter.lines.append(f"{block.label}{self.site.copy}:")
            for instrument in self.instruments:
                instrument.begin(number)
            self.counting.count(self.probes.blocks.get(number))
            self._block(number, block, first + start)

    def _head(self) -> str:
        """Return the beginning: the definition, an alloca for every register, the arguments."""
        read = self.context.values(self.signature.read)
        threads = self.context.threads
        given = [f"{thread.type} %t{i}" for i, thread in enumerate(threads)]
        arguments = ", ".join([*given, *(f"{t} %a{i}" for i, (t, _, _) in enumerate(read))])
        name, result = self.function.name, self.context.result_type(self.function.name)
        for _, _, key in read:
            self.emitter.home(key)
        scope = runtime.scope(self.number, self.last)
        linkage = "fastcc" if self.context.options.apart else "internal fastcc"
        lines = [f'define {linkage} {result} @"f{name}"({arguments}){self.counting.hint()} {runtime.HOST} !dbg !{scope} {{']
        for key, home in self.emitter.used.items():
            lines += [f"{home}{suffix} = alloca {t}" for t, suffix in self.context.parts(key)]
        variables = [(thread.type, thread.variable) for thread in threads]
        for type_, name in [*variables, *(v for instrument in self.instruments for v in instrument.variables())]:
            lines.append(f"{name} = alloca {type_}")
        lines += [f"%held.{type_} = alloca {type_}" for type_ in sorted(self.held)]
        for i, (t, suffix, key) in enumerate(read):
            lines.append(f"store {t} %a{i}, ptr {self.emitter.home(key)}{suffix}")
        lines += [f"store {thread.type} %t{i}, ptr {thread.variable}" for i, thread in enumerate(threads)]
        return "\n".join([*lines, *self.counting.declarations(), *self.transfers.declarations()])

    def _before(self, number: int, index: int, identity: int) -> None:
        """Let instruments write before an RTL."""
        self._let_write(self.instruments, number, index, identity)

    def _let_write(self, instruments: Sequence[FunctionInstrument], number: int, index: int, identity: int) -> None:
        if instruments:
            self.emitter.identity = identity
            self._set_next(identity, 0)
        for instrument in instruments:
            instrument.before(number, index)

    def _after(self, number: int, index: int) -> None:
        """Let instruments write behind an RTL that does not transfer control."""
        for instrument in self.following:
            instrument.after(number, index)

    def _move_window(self, number: int, index: int) -> None:
        """Count the resident register windows, if traps are counted."""
        counter = self.probes.traps.get((number, index))
        windows = self.machine.convention.windows
        if counter is None or windows is None:
            return
        emitter = self.emitter
        entering = self.machine.window_move(self.function.blocks[number].rtls[index].effects) == "enter"
        pointer = f"ptr inttoptr (i64 {self.context.options.shared + 8 * RESIDENT} to ptr)"
        value = emitter.put(f"load i64, {pointer}, align 8, !tbaa !5")
        none = emitter.put(f"icmp eq i64 {value}, {windows.count - 1 if entering else 1}")
        trap, move, after = emitter.label(), emitter.label(), emitter.label()
        emitter.lines += [f"br i1 {none}, label %{trap}, label %{move}", f"{trap}:"]
        self.counting.count(None if self.site.copy in self.site.uncounted else counter)
        emitter.lines += [f"br label %{after}", f"{move}:"]
        value = emitter.put(f"add i64 {value}, {1 if entering else -1}")
        emitter.lines += [f"store i64 {value}, {pointer}, align 8, !tbaa !5", f"br label %{after}", f"{after}:"]

    def _fault_at(self, place: tuple[int, int], end: int, annulled: bool = False) -> None:
        """Say where a fault of what is written next would leave the function, in a part that is charged up to `end`."""
        if self.faults is not None:
            rest = self.function.blocks[place[0]].rtls[place[1] + 1 : end]
            self.faults.place, self.faults.annulled = place, annulled
            self.faults.rest = sum(self.machine.record(rtl).counted for rtl in rest)

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
        pointer = f"ptr inttoptr (i64 {self.context.options.shared + 8 * BUDGET} to ptr)"
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
        both = zip(self.context.instruments, self.instruments, strict=True)
        following = [instrument for whole, instrument in both if whole.follows_cut]
        felt = [index for index in range(start, end - 1) if following or self._is_felt(rtls[index])]
        done = 0
        for index in range(start, felt[-1] + 1 if felt else start):
            rtl = rtls[index]
            if index in felt:
                emitter.identity = position + start
                emitter.trap_if(emitter.put(f"icmp sle i64 {budget}, {done}"), "limit", budget)
            slots = delay_slots(self.machine, self.function, rtl)
            annulled = start > 0 and rtls[start - 1].annuls
            self._fault_at((number, len(rtls) - 1 if annulled else index + slots), end, annulled)
            self._let_write(following, number, index, position + index)
            self._move_window(number, index)
            transfer = self._rtl(rtl, position + index, slots)
            target = self._target(transfer)
            for instrument in following if transfer is not None else ():
                instrument.transfer(number, index, target)
            self.transfers.unwind_system_call(rtl, (number, index + slots))
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
        charges = self._charges(block) if self.context.options.limit else {}
        end = 0  # of the part that was charged
        while index < len(block.rtls):
            self.counting.count(self.probes.inner.get((number, index)))
            if index in charges:
                end = charges[index]
                self._fault_at((number, index), end)
                self._charge(number, index, end, position)
            rtl = block.rtls[index]
            self._before(number, index, position + index)
            if self.site.gone:
                self.site.gone = False
                self.emitter.lines.append("unreachable")
                return
            self._move_window(number, index)
            slots = delay_slots(self.machine, self.function, rtl)
            place = (number, index + slots)
            self._fault_at(place, end)
            transfer = self._rtl(rtl, position + index, slots)
            self.transfers.unwind_system_call(rtl, place)
            target = self._target(transfer)
            if transfer is not None:
                for instrument in self.instruments:
                    instrument.transfer(number, index, target)
            else:
                self._after(number, index)
            held = self._hold(transfer, target, slots)
            if rtl.annuls:
                self._annulling(number, index, target, position + index)
                return
            for extra in range(1, slots + 1):
                self._before(number, index + extra, position + index + extra)
                self._move_window(number, index + extra)
                self._rtl(block.rtls[index + extra], position + index + extra, 0)
                self.transfers.unwind_system_call(block.rtls[index + extra], place)
                self._after(number, index + extra)
            self.emitter.identity = position + index
            index += 1 + slots
            if transfer is not None:
                self._set_next(position + index - 1 - slots, slots)
                self.transfers.transfer(place, transfer, self.emitter.put(held) if held else target)
                if not isinstance(transfer, Call):
                    return
        self.transfers.fall(number, position + len(block.rtls) - 1)

    def _hold(self, transfer: Effect | None, target: str, slots: int) -> str:
        """Keep the target of a transfer in a variable during its slots, if another copy may go on there; return its load."""
        if not (self.site.splits and target and slots):
            return ""
        type_ = "i1" if isinstance(transfer, Branch) else self.context.word
        self.held.add(type_)
        self.emitter.lines.append(f"store {type_} {target}, ptr %held.{type_}")
        return f"load {type_}, ptr %held.{type_}"

    def _annulling(self, number: int, index: int, condition: str, identity: int) -> None:
        """Write an annulling branch: its delay slots are executed on the edge to the target."""
        rtls = self.function.blocks[number].rtls
        branch = rtls[index].transfer
        assert isinstance(branch, Branch)
        slots = self.emitter.label()
        self.transfers.branch(number, branch.label, condition, slots)
        self.emitter.lines.append(f"{slots}:")
        self._fault_at((number, len(rtls) - 1), 0, annulled=True)
        if self.context.options.limit:
            self._charge(number, index + 1, len(rtls), identity - index)
        for extra in range(1, self.machine.record(rtls[index]).slots + 1):
            self._before(number, index + extra, identity + extra)
            self._move_window(number, index + extra)
            self._rtl(rtls[index + extra], identity + extra, 0)
            self.transfers.unwind_system_call(rtls[index + extra], (number, len(rtls) - 1))
            self._after(number, index + extra)
        self.counting.arrive(number, self.transfers.numbers[branch.label])
        self.emitter.lines.append(f"br label %{self.transfers.label(number, branch.label)}")

    def _set_next(self, identity: int, slots: int) -> None:
        fetched = self.program.fetched[self.function.name]
        self.emitter.next_address = fetched[identity - self.site.first + slots][1]

    def _rtl(self, rtl: Rtl, identity: int, slots: int) -> Effect | None:
        """Translate the assignments of an RTL, all reads first; return its transfer or call."""
        emitter = self.emitter
        emitter.identity = identity
        emitter.keeps_reads = self.context.keeps_reads(self.function.name, identity - self.site.first)
        self._set_next(identity, slots)
        transfer: Effect | None = None
        saved = self.context.summaries.saved[self.function.name]
        writes: list[tuple[Set, tuple[str, str]]] = []
        for effect in self.program.effects_of(rtl):
            if isinstance(effect, Delay | By):
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
            for register in effect.sets:
                if register.type in "CG":
                    emitter.write_outcome(register, (first, second))
                else:
                    emitter.write(register, first)
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
