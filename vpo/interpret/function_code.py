"""From functions to Python functions, one for every stretch of RTLs without a transfer or call ("segment").

Registers live in module variables of the generated code (`v_r_5`), pseudo-registers in the list `P` of the current
activation; inside a segment what was written is a Python local.  A segment returns the segment to continue with.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.analysis.call_graph import INDIRECT, callee_of
from vpo.analysis.control_transfers import kind_of
from vpo.analysis.delay_slots import delay_slots
from vpo.analysis.references import references
from vpo.function import Function
from vpo.interpret.expression_code import SIZE, Expressions, Place, bank_types, convert_view, join, split
from vpo.program import Program
from vpo.rtl import (
    BITS,
    Branch,
    Call,
    Const,
    Delay,
    Effect,
    IndirectJump,
    Jump,
    Mem,
    Op,
    Register,
    Return,
    Rtl,
    Set,
)

INTERPRETER_FRAMES = ("pseudo", "allocated")  # stages whose functions have no entry and exit code of their own


@dataclass(slots=True)
class Segment:
    """RTLs [first, end) of a function, counted by `counter`; `lines` gives the RTL of each line of generated code."""

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


def outgoing_bytes(program: Program, function: Function) -> int:
    """Return how many bytes of stack arguments a function passes, also when read back from text."""
    sp, convention = program.machine.stack_pointer, program.machine.convention
    most = max(function.outgoing, convention.reserved)
    for rtl in function.rtls():
        for cell in rtl.stores:
            address = cell.address
            offset = None
            if address is sp:
                offset = 0
            elif type(address) is Op and address.op == "+" and address.args[0] is sp and type(address.args[1]) is Const:
                offset = address.args[1].value
            if offset is not None:
                most = max(most, -offset if convention.grows_up else offset + BITS[cell.type] // 8)
    return most


def lay_out_slots(program: Program, function: Function) -> tuple[int, dict[str, int]]:
    """Return the size of the frame that the interpreter makes for a function, and the offsets of its slots."""
    if function.stage not in INTERPRETER_FRAMES:
        return 0, {s.name: s.offset for s in function.slots.values() if s.offset is not None}
    convention = program.machine.convention
    distance = outgoing_bytes(program, function)
    slots: dict[str, int] = {}
    for slot in function.slots.values():
        if slot.kind != "incoming":
            distance = convention.aligned(distance, slot.size, slot.align)
            slots[slot.name] = convention.offset(distance, slot.size)
            distance += slot.size
    align = max(16, convention.stack_align)
    frame = -(-(distance + convention.below) // align) * align
    for slot in function.slots.values():
        if slot.kind == "incoming":
            slots[slot.name] = convention.offset(frame + (slot.offset or 0), slot.size)
    return frame, slots


class FunctionCode:
    """Compiles one function: `source` is the generated Python, `segments` says what each part of it is."""

    def __init__(
        self, program: Program, number: int, counters: int, observed: bool, followed: bool = False, limited: bool = False
    ) -> None:
        self.program, self.number, self.observed, self.followed, self.limited = program, number, observed, followed, limited
        self.outcome = ""  # of the current RTL's transfer: a variable
        self.function = list(program.functions.values())[number]
        self.machine = program.machine
        self.banks = bank_types(self.machine)
        self.counters = counters
        self.expressions = Expressions(self.machine, self._read)
        self.frame, self.slots = lay_out_slots(program, self.function)
        self.framed_here = self.function.stage in INTERPRETER_FRAMES
        self.entries = {block.label: f"s{number}_{i}_0" for i, block in enumerate(self.function.blocks)}
        self.private = {key: number for number, key in enumerate(self.machine.private_registers())}
        self.annulled: dict[int, str] = {}  # by block: the segment of slots that only a branch taken executes
        self.pseudos: dict[tuple[str, int], int] = {}
        self.current: dict[tuple[str, int, bool], tuple[str, str]] = {}
        self.segments: list[Segment] = []
        self.segment: Segment
        self._translate()

    # ------------------------------------------------------------------------------------------ registers

    def _bank(self, register: Register) -> str:
        cls = self.machine.classes.get(register.cls)
        return cls.bank if cls is not None and cls.width == 1 else register.cls

    def _is_pair(self, register: Register) -> bool:
        cls = self.machine.classes.get(register.cls)
        return not register.pseudo and cls is not None and cls.width > 1

    def _halves(self, register: Register) -> tuple[list[Register], str]:
        """Return the registers of a pair, the more significant first, and their type."""
        storage = self.machine.storage(register)
        type_ = self.machine.classes[storage[0][0]].type
        halves = [Register(bank, index, type_) for bank, index in storage]
        return halves if self.machine.big_endian else halves[::-1], type_

    def _home(self, key: tuple[str, int, bool]) -> str:
        """Where a register is kept between segments."""
        bank, index, pseudo = key
        if (bank, index) in self.private:
            return f"W[{self.private[bank, index]}]"
        if pseudo:
            return f"P[{self.pseudos.setdefault((bank, index), len(self.pseudos))}]"
        return f"v_{bank}_{index}"

    def _read(self, register: Register) -> str:
        if register in self.machine.zero:
            return "0.0" if register.type in "FD" else "0"
        if self._is_pair(register):
            halves, type_ = self._halves(register)
            return join([self._read(half) for half in halves], type_, register.type)
        key = (self._bank(register), register.index, register.pseudo)
        if register.type in "CG":
            return self.current[key][1] if key in self.current else self._home(key)
        held, name = self.current.get(key) or (self.banks.get(key[0], register.type), self._home(key))
        return convert_view(name, held, register.type)

    def _assign(self, register: Register, value: str) -> list[str]:
        """Return the statements that write a register."""
        if register in self.machine.zero:
            return [value]
        if self._is_pair(register):
            halves, type_ = self._halves(register)
            name = self.expressions.temporary()
            values = split(name, register.type, type_)
            writes = [self._assign(half, text) for half, text in zip(halves, values, strict=True)]
            return [f"{name}={value}", *(line for lines in writes for line in lines)]
        key = (self._bank(register), register.index, register.pseudo)
        name = f"w_{key[0]}_{'t' if key[2] else ''}{key[1]}"
        self.current[key] = (register.type, name)
        return [f"{name}={value}"]

    def _flush(self) -> list[str]:
        """Return the statements that bring what the segment wrote to where it is kept."""
        lines = []
        for key, (held, name) in self.current.items():
            if held in "CG":
                home = self._home(key)
                lines.append(f"{home}_a={name}_a;{home}_b={name}_b")
            else:
                lines.append(f"{self._home(key)}={convert_view(name, held, self.banks.get(key[0], held))}")
        return lines

    def _globals(self) -> list[str]:
        names: list[str] = []
        for key, (held, _) in self.current.items():
            if not key[2] and key[:2] not in self.private:
                home = self._home(key)
                names += [f"{home}_a", f"{home}_b"] if held in "CG" else [home]
        return [f"global {','.join(names)}"] if names else []

    # ----------------------------------------------------------------------------------------- the function

    def _translate(self) -> None:
        for number, (block, start) in enumerate(zip(self.function.blocks, self.function.block_starts(), strict=True)):
            self._block(number, block.rtls, start)

    def _block(self, number: int, rtls: list[Rtl], base: int) -> None:
        """Split a block behind each call, and before slots that may be annulled, and translate the parts."""
        end = next((i + 1 for i, rtl in enumerate(rtls) if rtl.annuls), len(rtls))
        rtls, annulled = rtls[:end], rtls[end:]
        if annulled:
            self.annulled[number] = f"s{self.number}_{number}_a"
        parts: list[tuple[int, int]] = []
        first = i = 0
        while i < len(rtls):
            if rtls[i].call is not None:
                i += delay_slots(self.machine, self.function, rtls[i])
                parts.append((first, i + 1))
                first = i + 1
            i += 1
        if first < len(rtls) or not parts:
            parts.append((first, len(rtls)))
        following = f"s{self.number}_{number + 1}_0" if number + 1 < len(self.function.blocks) else f"x{self.number}"
        for part, (low, high) in enumerate(parts):
            after = f"s{self.number}_{number}_{part + 1}" if part + 1 < len(parts) else following
            name = f"s{self.number}_{number}_{part}"
            self.segment = Segment(name, self.function, number, base + low, base + high, self._counter())
            self.segments.append(self.segment)
            self._segment(rtls[low:high], after)
        if annulled:
            branch = rtls[-1].transfer
            assert isinstance(branch, Branch)
            self.segment = Segment(
                self.annulled[number], self.function, number, base + end, base + end + len(annulled), self._counter()
            )
            self.segments.append(self.segment)
            self._segment(annulled, self.entries[branch.label])

    def _counter(self) -> int:
        self.counters += 1
        return self.counters - 1

    def _segment(self, rtls: list[Rtl], after: str) -> None:
        self.current, self.expressions.temporaries = {}, 0
        body: list[tuple[str, int]] = []
        tail = [f"return {after}"]
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
                tail = transfer
                transferring = position
                body += [(line, transferring) for line in self._flush()]
                body += [(line, transferring) for line in tail]
                break
            index += 1 + slots
        else:
            body += [(line, self.segment.end - 1) for line in (*self._flush(), *tail)]
        head = [f"def {self.segment.name}():", *[" " + g for g in self._globals()], f" C[{self.segment.counter}]+=1"]
        for name in "PW":
            if any(f"{name}=" in line for line, _ in body):
                head.insert(1, f" global {name}")
        self.segment.text = [*head, *[" " + line for line, _ in body]]
        self.segment.lines = [self.segment.first] * len(head) + [position for _, position in body]

    # ----------------------------------------------------------------------------------------------- one RTL

    def _rtl(self, rtl: Rtl, position: int, slots: int, after: str) -> tuple[list[str], list[str]]:
        """Return the statements of an RTL, and those that transfer control when the segment is over."""
        addresses = self.program.addresses[self.function.name]
        next_address = addresses[position + 1 + slots]
        self.expressions.place = Place(
            self.program.symbols, self.slots, next_address, self.program.literals.get(self.function.name, {})
        )
        self.expressions.accesses = []
        lines: list[str] = []
        if self.limited and (rtl.record is None or rtl.record.counted):
            lines += ["if B[0]:B[0]-=1", "else:stop()"]
        if self.observed:
            lines += self._observations(rtl, addresses[position], addresses[position + 1] - addresses[position])
        transfer: list[str] = []
        restored = self.framed_here and any(isinstance(e, Return) for e in rtl.effects)
        if restored:
            lines += self._restore()
        simple = len(rtl.effects) == 1
        stores: list[str] = []
        writes: list[tuple[Register, str]] = []
        for effect in rtl.effects:
            if isinstance(effect, Set):
                lines += self._set(effect, simple, stores, writes)
            elif not isinstance(effect, Delay):
                direct = simple and not slots and not self.followed
                transfer = self._transfer(effect, direct, lines, next_address, after)
        lines += [*self._window(rtl, position), *stores]
        for register, value in writes:
            lines += self._write(register, value)
        if self.followed:
            lines += self._followed(rtl, addresses[position + 1] - 1, next_address)
        if self.expressions.accesses:
            self.segment.accesses[position] = self.expressions.accesses
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
                a, b = (f"{self._read(effect.source)}_{x}" for x in "ab")
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

    def _write(self, register: Register, value: str) -> list[str]:
        if register.type in "CG":
            key = (self._bank(register), register.index, register.pseudo)
            name = f"w_{key[0]}_{key[1]}"
            self.current[key] = (register.type, name)
            return [f"{name}_a={value}_a;{name}_b={value}_b"]
        return self._assign(register, value)

    def _transfer(self, effect: Effect, direct: bool, lines: list[str], next_address: int, after: str) -> list[str]:
        """Return the statements that end the segment; append to `lines` what must be worked out before the writes."""
        match effect:
            case Jump(label=label):
                return [f"return {self.entries[label]}"]
            case Branch(condition=condition, label=label):
                test = self._early(self.expressions.condition(condition), direct, lines)
                self.segment.taken = self._counter()
                taken = self.annulled.get(self.segment.block, self.entries[label])
                return [f"if {test}:C[{self.segment.taken}]+=1;return {taken}", f"return {after}"]
            case IndirectJump(target=target, labels=labels):
                where = self._early(self.expressions.value(target), direct, lines)
                table = {self.program.labels[self.function.name, label]: self.entries[label] for label in labels}
                text = ",".join(f"{address}:{name}" for address, name in table.items())
                return [f"return J({where},{{{text}}})"]
            case Call(target=target):
                callee = callee_of(self.program, effect)
                if callee != INDIRECT:
                    number = list(self.program.functions).index(callee)
                    return [*self._activation(next_address, after), f"return E[{number}]"]
                where = self._early(self.expressions.value(target), direct, lines)
                return [f"k=find({where})", *self._activation(next_address, after), "return k"]
            case Return(target=target):
                if self.framed_here:
                    self.outcome = "S[-1][0]"
                    return ["k=S.pop();P=k[1]", *(["W=k[3]"] if self.private else []), "return k[2]"]
                where = self._early(self.expressions.value(target), direct, lines)
                if self._pseudo_callers():
                    return [f"return R({where})"]
                private = "W=k[3];" if self.private else ""
                return [f"k=S.pop();{private}return k[2] if k[0]=={where} else R({where},k)"]
        raise TypeError(effect)

    def _activation(self, next_address: int, after: str) -> list[str]:
        """Return the statements that note where to go on, and with which pseudo-registers and private ones."""
        if not self.private:
            return [f"S.append(({next_address},P,{after}))"]
        return [f"S.append(({next_address},P,{after},W))", f"W=[0]*{len(self.private)}"]

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
        return list(dict.fromkeys((self._bank(r), r.index) for r in saved if r not in self.machine.zero))

    def _restore(self) -> list[str]:
        """Return the statements that take down the frame made by `entry`."""
        names = []
        for bank, index in self._preserved():
            name = f"w_{bank}_{index}"
            self.current[bank, index, False] = (self.banks[bank], name)
            names.append(name)
        return [f"{','.join(names)},=F.pop()"]

    def entry(self) -> str:
        """Return the text of the function's entry point, or '' if that is its first segment."""
        if not self.framed_here:
            return ""
        names = [f"v_{bank}_{index}" for bank, index in self._preserved()]
        zeros = ",".join("0.0" if self.banks.get(bank) in ("F", "D") else "0" for bank, _ in self.pseudos)
        mask = (1 << BITS[self.machine.address_type]) - 1
        layout, up = self.machine.layout, self.machine.convention.grows_up
        beyond = f">{layout.stack_top}" if up else f"<{layout.stack_low}"
        return "\n".join(
            [
                f"def e{self.number}():",
                f" global {names[0]},P",
                f" F.append(({','.join(names)},))",
                f" {names[0]}={names[0]}{'+' if up else '-'}{self.frame}&{mask}",
                f" if {names[0]}{beyond}:exhausted({names[0]})",
                f" P=[{zeros}]",
                f" return s{self.number}_0_0",
                "",
            ]
        )
