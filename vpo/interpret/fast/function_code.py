"""From functions to Python functions, one for every segment (`vpo/analysis/cfg.py`).

Registers live in module variables of the generated code (`v_r_5`), pseudo-registers in the list `P` of the current
activation; inside a segment what was written is a Python local.  A segment returns the segment to continue with.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.analysis.cfg import Segment, delay_slots, segments
from vpo.analysis.references import references
from vpo.analysis.transfers import INDIRECT, callee_of, kind_of
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.interpret.fast.expression_code import SIZE, Expressions, Place, RegisterCode
from vpo.interpret.plain_state import INTERPRETER_FRAMES, lay_out_slots
from vpo.program import Program
from vpo.rtl import BITS, Branch, By, Call, Delay, Effect, IndirectJump, Jump, Mem, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Block, Function

CONTEXTS = {SAVE_CONTEXT: "save", RESUME_CONTEXT: "resume"}  # what does the returns of these functions


@dataclass(slots=True)
class SegmentCode:
    """The code made of RTLs [first, end) of a function, counted by `counter`; `lines` has the RTL of each of its lines."""

    name: str
    function: Function
    block: int
    first: int
    end: int
    counter: int
    taken: int = -1  # counts how often the branch at the end was taken
    text: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    accesses: dict[int, list[tuple[str, int, bool]]] = field(default_factory=dict)  # of each RTL
    traps: dict[int, int] = field(default_factory=dict)  # by RTL that moves the register window: counts its traps


class FunctionCode:
    """Compiles one function: `source` is the generated Python, `segments` says what each part of it is."""

    def __init__(
        self, program: Program, number: int, counters: int, observed: bool, followed: bool = False, limited: bool = False
    ) -> None:
        self.program, self.number, self.observed, self.followed, self.limited = program, number, observed, followed, limited
        self.outcome = ""  # of the current RTL's transfer: a variable
        self.function = list(program.functions.values())[number]
        self.machine = program.machine
        self.counters = counters
        self.registers = RegisterCode(self.machine)
        self.expressions = Expressions(self.machine, self.registers.read)
        self.frame, self.slots = lay_out_slots(program, self.function)
        self.framed_here = self.function.stage in INTERPRETER_FRAMES
        self.labels = {block.label: program.labels.get((self.function.name, block.label), 0) for block in self.function.blocks}
        self.entries = {block.label: f"s{number}_{i}_0" for i, block in enumerate(self.function.blocks)}
        self.phis = {self.entries[block.label]: block.phis for block in self.function.blocks if block.phis}
        self.annulled: dict[int, str] = {}  # by block: the segment of slots that only a branch taken executes
        self.segments: list[SegmentCode] = []
        self.segment: SegmentCode
        self._translate()

    # ----------------------------------------------------------------------------------------- the function

    def _translate(self) -> None:
        for number, (block, start) in enumerate(zip(self.function.blocks, self.function.block_starts(), strict=True)):
            self._block(number, block, start)

    def _block(self, number: int, block: Block, base: int) -> None:
        """Translate the segments of a block; slots that may be annulled run on the way to the target of their branch."""
        parts = list(segments(self.machine, self.function, block))
        annulled = parts.pop() if parts and parts[-1].annullable else None
        if annulled:
            self.annulled[number] = f"s{self.number}_{number}_a"
        following = f"s{self.number}_{number + 1}_0" if number + 1 < len(self.function.blocks) else f"x{self.number}"
        if not parts or (parts[-1].call >= 0 and following in self.phis):  # a call cannot return to phis
            parts.append(Segment(len(block.rtls), len(block.rtls)))
        for index, part in enumerate(parts):
            after = f"s{self.number}_{number}_{index + 1}" if index + 1 < len(parts) else following
            self._segment(f"s{self.number}_{number}_{index}", number, part, base, after)
        if annulled:
            branch = block.rtls[annulled.first - 1].transfer
            assert isinstance(branch, Branch)
            self._segment(self.annulled[number], number, annulled, base, self.entries[branch.label])

    def _counter(self) -> int:
        self.counters += 1
        return self.counters - 1

    def _segment(self, name: str, number: int, segment: Segment, base: int, after: str) -> None:
        """Translate a segment of block `number`, whose first RTL is number `base` of the function."""
        self.segment = SegmentCode(name, self.function, number, base + segment.first, base + segment.end, self._counter())
        self.segments.append(self.segment)
        rtls = self.function.blocks[number].rtls[segment.first : segment.end]
        self.registers.current, self.expressions.temporaries = {}, 0
        body: list[tuple[str, int]] = []
        index = 0
        while index < len(rtls):
            position = self.segment.first + index
            slots = delay_slots(self.machine, self.function, rtls[index])
            lines, transfer = self._rtl(rtls[index], position, slots, after)
            body += [(line, position) for line in lines]
            annulled = rtls[index].annuls
            for extra in range(1, 1 if annulled else slots + 1):
                lines, _ = self._rtl(rtls[index + extra], position + extra, 0, after)
                body += [(line, position + extra) for line in lines]
            if transfer:
                body += [(line, position) for line in (*self.registers.flush(), *transfer)]
                break
            index += 1 + slots
        else:
            body += [(line, self.segment.end - 1) for line in (*self.registers.flush(), self._goto(after))]
        head = [f"def {self.segment.name}():", *[" " + g for g in self.registers.globals()], f" C[{self.segment.counter}]+=1"]
        for name in "PW":
            if any(f"{name}=" in line for line, _ in body):
                head.insert(1, f" global {name}")
        self.segment.text = [*head, *[" " + line for line, _ in body]]
        self.segment.lines = [self.segment.first] * len(head) + [position for _, position in body]

    # ----------------------------------------------------------------------------------------------- one RTL

    def _rtl(self, rtl: Rtl, position: int, slots: int, after: str) -> tuple[list[str], list[str]]:
        """Return the statements of an RTL, and those that transfer control when the segment is over."""
        fetched = self.program.fetched[self.function.name]
        start, end = fetched[position]
        next_address = fetched[position + slots][1]
        self.expressions.place = Place(
            self.program.symbols, self.slots, next_address, self.program.literals_of(self.function.name, self.segment.block),
            self.labels,
        )
        self.expressions.accesses = []
        lines: list[str] = []
        if self.limited and (rtl.record is None or rtl.record.counted):
            lines += ["if B[0]:B[0]-=1", "else:stop()"]
        if self.observed:
            lines += self._observations(rtl, start, end - start)
        transfer: list[str] = []
        restored = self.framed_here and any(isinstance(e, Return) for e in rtl.effects)
        if restored:
            lines += self._restore()
        simple = len(rtl.effects) == 1
        stores: list[str] = []
        writes: list[tuple[Register, str]] = []
        for effect in self.program.effects_of(rtl):
            if isinstance(effect, Set):
                lines += self._set(effect, simple, stores, writes)
            elif not isinstance(effect, Delay | By):
                direct = simple and not slots and not self.followed
                transfer = self._transfer(effect, direct, lines, next_address, after)
        lines += [*self._window(rtl, position), *stores]
        for register, value in writes:
            lines += self.registers.write(register, value, self.expressions.temporary)
        if self.followed:
            lines += self._followed(rtl, end - 1, next_address)
        if self.expressions.accesses:
            self.segment.accesses[position] = sorted(self.expressions.accesses, key=lambda access: access[2])  # reads first
        return lines, transfer

    def _observations(self, rtl: Rtl, address: int, size: int) -> list[str]:
        """Return the statements that tell the observer what an instruction refers to; parts of others are not fetched."""
        lines = [f"fetch({address},{size})"] if size else []
        for cell, write, guards in references(rtl):
            tests = [f"{'' if holds else 'not '}({self.expressions.condition(test)})" for test, holds in guards]
            text = f"refer({self.expressions.value(cell.address, self.machine.address_type)},{SIZE[cell.type]},{write})"
            lines.append(f"if {' and '.join(tests)}: {text}" if tests else text)
        return lines

    def _followed(self, rtl: Rtl, address: int, next_address: int) -> list[str]:
        """Return the statements that tell the observer of transfers where control is going."""
        effect = rtl.transfer or rtl.call
        kind = kind_of(effect, self.program) if effect is not None else ""
        target = self.program.labels[self.function.name, effect.label] if isinstance(effect, Branch) else 0
        outcome = f"1 if {self.outcome} else 0" if kind == "branch" else self.outcome
        lines = [f"transfer('{kind}',{address},{target},{outcome})"] if kind else []
        return [*lines, f"called({next_address})"] if isinstance(effect, Call) else lines

    def _window(self, rtl: Rtl, position: int) -> list[str]:
        """Return the statements that count resident windows, and the traps where there is none to enter or to go back to."""
        move, windows = self.machine.window_move(rtl.effects), self.machine.convention.windows
        if not move or windows is None:
            return []
        counter = self.segment.traps[position] = self._counter()
        last, step = (windows.count - 1, "+") if move == "enter" else (1, "-")
        return [f"if N[0]=={last}:C[{counter}]+=1", f"else:N[0]{step}=1"]

    def _set(self, effect: Set, simple: bool, stores: list[str], writes: list[tuple[Register, str]]) -> list[str]:
        """Return what reads; append what writes."""
        lines: list[str] = []
        target = effect.target
        assert isinstance(target, Mem | Register)
        if isinstance(target, Mem):
            value = self.expressions.stored(effect.source, target.type)
            address = self.expressions.address(target.address)
            if not simple:
                names = self.expressions.temporary(), self.expressions.temporary()
                lines.append(f"{names[0]}={value};{names[1]}={address}")
                value, address = names
            stores += self.expressions.store(target.type, address, value)
        elif target.type in "CG":
            name = self.expressions.temporary()
            if isinstance(effect.source, Op):
                a, b = self.expressions.outcome(effect.source)
            else:
                assert isinstance(effect.source, Register)
                a, b = (f"{self.registers.read(effect.source)}_{x}" for x in "ab")
            lines.append(f"{name}_a={a};{name}_b={b}")
            writes.append((target, name))
        else:
            value = self.expressions.value(effect.source, target.type)
            if not simple:
                name = self.expressions.temporary()
                lines.append(f"{name}={value}")
                value = name
            writes.append((target, value))
        return lines

    def _transfer(self, effect: Effect, direct: bool, lines: list[str], next_address: int, after: str) -> list[str]:
        """Return the statements that end the segment; append to `lines` what must be worked out before the writes."""
        match effect:
            case Jump(label=label):
                return [self._goto(self.entries[label])]
            case Branch(condition=condition, label=label):
                test = self._early(self.expressions.condition(condition), direct, lines)
                self.segment.taken = self._counter()
                taken = self.annulled.get(self.segment.block, self.entries[label])
                return [f"if {test}:C[{self.segment.taken}]+=1;{self._goto(taken)}", self._goto(after)]
            case IndirectJump(target=target, labels=labels):
                where = self._early(self.expressions.value(target), direct, lines)
                table = {self.program.labels[self.function.name, label]: self.entries[label] for label in labels}
                text = ",".join(f"{address}:{name}" for address, name in table.items())
                phis = [name for name in dict.fromkeys(table.values()) if name in self.phis]
                copies = [f"if k is {name}:{self._copies(name)}" for name in phis]
                return [f"k=J({where},{{{text}}})", *copies, "return k"]
            case Call(target=target):
                callee = callee_of(self.program, effect)
                if callee != INDIRECT:
                    number = list(self.program.functions).index(callee)
                    return [*self._activation(next_address, after), f"return E[{number}]"]
                where = self._early(self.expressions.value(target), direct, lines)
                return [f"k=find({where})", *self._activation(next_address, after), "return k"]
            case Return(target=target) if self.function.name in CONTEXTS:
                return [f"return {CONTEXTS[self.function.name]}({self._early(self.expressions.value(target), direct, lines)})"]
            case Return(target=target):
                if self.framed_here:
                    where = self._early(self.expressions.value(target), False, lines)
                    self.outcome = "(S[-1][0] if S else 0)"
                    back = f"k=S.pop() if S else R({where});P=k[1]"
                    return [back, *(["W=k[3]"] if self.registers.private else []), "return k[2]"]
                where = self._early(self.expressions.value(target), direct, lines)
                if self._pseudo_callers():
                    return [f"return R({where})"]
                private = "W=k[3];" if self.registers.private else ""
                return [f"k=S.pop() if S else R({where});{private}return k[2] if k[0]=={where} else R({where},k)"]
        raise TypeError(effect)

    def _goto(self, name: str) -> str:
        """Return the statements that end the segment by going to another one."""
        copies = self._copies(name)
        return f"{copies};return {name}" if copies else f"return {name}"

    def _copies(self, name: str) -> str:
        """Return the statement that does what the phis at the entry of a segment do, all at once, or ''."""
        phis = self.phis.get(name)
        if not phis:
            return ""
        label = self.function.blocks[self.segment.block].label
        targets = ",".join(self.registers.home(phi.target) for phi in phis)
        return f"{targets}={','.join(self.registers.home(phi.sources[label]) for phi in phis)}"

    def _activation(self, next_address: int, after: str) -> list[str]:
        """Return the statements that note where to go on, and with which pseudo-registers and private ones."""
        if not self.registers.private:
            return [f"S.append(({next_address},P,{after}))"]
        return [f"S.append(({next_address},P,{after},W))", f"W=[0]*{len(self.registers.private)}"]

    def _pseudo_callers(self) -> bool:
        """Whether a caller may have pseudo-registers that must be brought back."""
        return any(f.stage in INTERPRETER_FRAMES for f in self.program.functions.values())

    def _early(self, text: str, direct: bool, lines: list[str]) -> str:
        """Work out something before the RTL's writes and delay slots, unless there are none."""
        if direct:
            return text
        self.outcome = name = self.expressions.temporary()
        lines.append(f"{name}={text}")
        return name

    # -------------------------------------------------------------------------------- frames made here

    def _preserved(self) -> list[tuple[str, int]]:
        """Registers that a function without its own saves must not change for its caller: (bank, index)."""
        saved = [self.machine.stack_pointer, *self.machine.convention.saved]
        return list(dict.fromkeys(part for r in saved if r not in self.machine.zero for part in self.machine.storage(r)))

    def _restore(self) -> list[str]:
        """Return the statements that take down the frame made by `entry`."""
        names = [self.registers.write_cell(bank, index) for bank, index in self._preserved()]
        return [f"{','.join(names)},=F.pop()"]

    def entry(self) -> str:
        """Return the text of the function's entry point, or '' if that is its first segment."""
        if not self.framed_here:
            return ""
        names = [f"v_{bank}_{index}" for bank, index in self._preserved()]
        mask = (1 << BITS[self.machine.address_type]) - 1
        layout, up = self.machine.layout, self.machine.convention.grows_up
        beyond = f">{layout.stack_top}" if up else f"<{layout.stack_low}"
        return "\n".join(
            [
                f"def e{self.number}():",
                f" global {names[0]},P",
                f" F.append(({','.join(names)},))",
                f" {names[0]}={names[0]}{'+' if up else '-'}{self.frame}&{mask}",
                f" if {names[0]}{beyond}:C[{self.segments[0].counter}]+=1;exhausted({names[0]})",
                f" P=[{self.registers.zeros()}]",
                f" return s{self.number}_0_0",
                "",
            ]
        )
