"""Record a trace in host code: decisions and addresses go into two buffers, as `ease.traces.path_program` has planned.

The buffers' unused parts hold ones only, so whoever looks at them after the end of the process, however that came about, finds
how far they were filled.  They are passed on when they are nearly full: at the head of a function, behind a call and at the
head of a loop, between which no path writes more than `margin`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cache_sim.native.code import State
from ease.host.instruments.instrument import Site, Thread
from ease.host.process.job import TraceJob
from ease.host.translation.ir_builder import LLVM
from ease.traces.address_plan import Access, FunctionPlan, Move
from ease.traces.path_program import PathProgram
from vpo.analysis.cfg import OUTSIDE, build_cfg
from vpo.analysis.register_summaries import Key
from vpo.analysis.transfers import INDIRECT, callee_of
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.program import Program
from vpo.rtl import BITS, Branch, Call, IndirectJump, Return

CONTROL, WORDS = "%trace.control", "%trace.words"
CONTROL_ROOM, WORD_ROOM = 1 << 18, 1 << 17  # events that fit into the buffers beside the margin


class Tracing:
    """The buffers of a trace, and the code that fills them."""

    follows_cut = True  # what a limit of instructions lets a block execute is traced, too

    def __init__(self, program: Program, path: PathProgram) -> None:
        self.program, self.path = program, path
        self.word = LLVM[program.machine.address_type]
        self.bytes = BITS[program.machine.address_type] // 8
        self.margin = max((self._events(name) for name in program.functions), default=0) + 8

    def _events(self, name: str) -> int:
        """Return more than a path through a function can record that takes no edge twice."""
        function, plan = self.program.functions[name], self.path.plans[name]
        transfers = sum(2 for rtl in function.rtls() if rtl.transfer is not None or rtl.call is not None)
        accesses = sum(map(len, plan.accesses.values()))
        return transfers + accesses + sum(map(len, plan.moves.values())) + len(self.path.notes[name]) + 2

    @property
    def threads(self) -> Sequence[Thread]:
        """The places in the buffers to write to next."""
        return Thread("i64", CONTROL, self.control.address), Thread("i64", WORDS, self.words.address)

    def place(self, state: State, large: State) -> None:
        """Lay out the buffers."""
        self.control = state.array("i8", CONTROL_ROOM + self.margin, 255)
        self.words = state.array(self.word, WORD_ROOM + self.margin, -1)
        self.taker = state.array("i64", 1)  # the address of the function that takes what is in the buffers
        self.taken = state.array("i64", 1)  # how often it has done so
        self.written = state.array("i64", 1)  # chunks in the file
        self.systems = state.array("i64", 1)  # system calls
        self.told = state.array("i64", 1)  # system calls in the file

    def job(self, file: int) -> TraceJob:
        """Return what the child must know; it writes to the file of a descriptor, -1 for none."""
        fields = self.taker, self.taken, self.written, self.systems, self.told, self.control, self.words
        taker, taken, written, systems, told, control, words = (item.address for item in fields)
        return TraceJob(taker, taken, written, systems, told, control, words, self.bytes, file)

    def function(self, site: Site) -> FunctionTracing:
        """Return the instrument of one function."""
        return FunctionTracing(self, site)

    def text(self) -> str:
        """Return the function that passes the buffers on."""
        return "\n".join(
            [
                "define internal void @ease_trace(i64 %control, i64 %words) cold noinline nounwind {",
                f"%take = load ptr, ptr {self.taker.pointer}",
                f"%bytes = sub i64 %control, {self.control.address}",
                f"%addresses = sub i64 %words, {self.words.address}",
                "call void %take(i64 %bytes, i64 %addresses)",
                "ret void",
                "}",
                "",
            ]
        )

    @property
    def limits(self) -> tuple[int, int]:
        """The host addresses from which on the buffers are nearly full."""
        return self.control.address + CONTROL_ROOM, self.words.address + WORD_ROOM * self.bytes


class FunctionTracing:
    """Writes the recording of one function."""

    def __init__(self, tracing: Tracing, site: Site) -> None:
        self.tracing, self.site, self.emitter = tracing, site, site.emitter
        name = site.function.name
        self.plan: FunctionPlan = tracing.path.plans[name]
        self.notes, self.noted = tracing.path.notes[name], name in tracing.path.noted
        self.starts = site.function.block_starts()
        cfg = build_cfg(site.function)
        place = {block: number for number, block in enumerate(cfg.reverse_postorder())}
        self.heads = {t for block in place for t in cfg.successors[block] if place[t] <= place[block]}

    def variables(self) -> list[tuple[str, str]]:
        """Return nothing: the threads are all that is needed."""
        return []

    def enter(self) -> None:
        """Pass the buffers on if they are nearly full."""
        emitter = self.emitter
        control, words = (emitter.put(f"load i64, ptr {name}") for name in (CONTROL, WORDS))
        full = [emitter.put(f"icmp uge i64 {v}, {m}") for v, m in zip((control, words), self.tracing.limits, strict=True)]
        either = emitter.put(f"or i1 {full[0]}, {full[1]}")
        now, after = emitter.label(), emitter.label()
        emitter.lines += [f"br i1 {either}, label %{now}, label %{after}, !prof !3", f"{now}:"]
        emitter.lines.append(f"call void @ease_trace(i64 {control}, i64 {words})")
        emitter.lines += [f"store i64 {self.tracing.control.address}, ptr {CONTROL}"]
        emitter.lines += [f"store i64 {self.tracing.words.address}, ptr {WORDS}", f"br label %{after}", f"{after}:"]

    def begin(self, block: int) -> None:
        """Pass the buffers on at the head of a loop."""
        if block in self.heads:
            self.enter()

    def before(self, block: int, index: int) -> None:
        """Record the addresses of an RTL that do not follow from others, and whether references are made."""
        for access in self.plan.accesses.get(self.starts[block] + index, ()):
            if access.reference.guards:
                self._guarded(access)
            elif access.recorded:
                self._record_word(self.emitter.value(access.reference.cell.address, self.emitter.word))

    def transfer(self, block: int, index: int, value: str) -> None:
        """Record a decision, or where an indirect transfer goes."""
        rtl = self.site.function.blocks[block].rtls[index]
        match rtl.transfer or rtl.call:
            case Branch():
                self._record_control(value)
            case IndirectJump():
                self._record_word(value)
            case Call() as call if callee_of(self.tracing.program, call) == INDIRECT:
                self._record_word(value)
            case Return() if self.site.function.name in (SAVE_CONTEXT, RESUME_CONTEXT):
                self._record_word(value)
                self._record_word(self.emitter.read(self.tracing.program.machine.stack_pointer))

    def edge(self, source: int, target: int) -> None:
        """Record that control came here, where nothing else tells, and the bases of addresses before a loop."""
        if (source == OUTSIDE and self.noted) or (source in self.notes and target != OUTSIDE):
            self._record_control("0")
        for move in self.plan.moves.get((source, target), ()):
            if move.recorded:
                self._record_word(self._sum(move))

    def arrive(self, source: int, target: int) -> None:
        """Record the same behind the slots of a branch that annuls: the bases are those behind them."""
        self.edge(source, target)

    def _sum(self, move: Move) -> str:
        emitter, word = self.emitter, self.tracing.word
        total = str(move.offset)
        for key, factor in move.recorded:
            value = emitter.put(f"load {word}, ptr {emitter.home(key)}") if not self._is_zero(key) else "0"
            total = emitter.put(f"add {word} {total}, {emitter.put(f'mul {word} {value}, {factor}')}")
        return total

    def _is_zero(self, key: Key) -> bool:
        return key in self.emitter.registers.zero

    def _guarded(self, access: Access) -> None:
        """Record whether a reference is made, and where."""
        emitter = self.emitter
        skipped, after = emitter.label(), emitter.label()
        for test, holds in access.reference.guards:
            inside, condition = emitter.label(), emitter.condition(test)
            targets = (inside, skipped) if holds else (skipped, inside)
            emitter.lines += [f"br i1 {condition}, label %{targets[0]}, label %{targets[1]}", f"{inside}:"]
        self._record_control("1")
        if access.recorded:
            self._record_word(emitter.value(access.reference.cell.address, emitter.word))
        emitter.lines += [f"br label %{after}", f"{skipped}:"]
        self._record_control("0")
        emitter.lines += [f"br label %{after}", f"{after}:"]

    def _record_control(self, bit: str) -> None:
        emitter = self.emitter
        byte = emitter.put(f"zext i1 {bit} to i8") if bit.startswith("%") else bit
        self._record("i8", 1, CONTROL, byte)

    def _record_word(self, value: str) -> None:
        self._record(self.tracing.word, self.tracing.bytes, WORDS, value)

    def _record(self, type_: str, size: int, place: str, value: str) -> None:
        emitter = self.emitter
        at = emitter.put(f"load i64, ptr {place}")
        pointer = emitter.put(f"inttoptr i64 {at} to ptr")
        emitter.lines += [f"store {type_} {value}, ptr {pointer}"]
        emitter.lines += [f"store i64 {emitter.put(f'add i64 {at}, {size}')}, ptr {place}"]
