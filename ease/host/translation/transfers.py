"""Write where control goes: to other blocks, into functions and back."""

from __future__ import annotations

from ease.host.instruments.instrument import PARTIAL, Site
from ease.host.process.job import RETURNED
from ease.host.translation.counting import Counting
from ease.host.translation.long_jumps import LongJumps
from ease.host.translation.module_context import ModuleContext
from vpo.analysis.cfg import OUTSIDE
from vpo.analysis.transfers import JumpTable, callee_of, shared_tables
from vpo.il.routine_names import RESUME_CONTEXT
from vpo.rtl import Branch, Call, Effect, IndirectJump, Jump, Return, Rtl

# ----------------------------------------------------------------------------------------------------------------------
# Jumps by a table that several blocks share, written once: with a switch in each block LLVM would take quadratic time.
#
# A threaded interpreter ends each of its operations by a jump to any other.  Each such block leaves its target, and which RTL
# jumps, in variables, and goes to the one switch.  Blocks have switches of their own where instruments write on their edges.


Edges = dict[str, tuple[str, list[str]]]  # by label: where the edge to it leads, and the text to write there


class Dispatches:
    """The jumps by tables of one function; `addresses` are those of its labels, `word` is their LLVM type."""

    def __init__(self, site: Site, counting: Counting, addresses: dict[str, int], word: str) -> None:
        self.site, self.counting, self.emitter = site, counting, site.emitter
        self.addresses, self.word = addresses, word
        self.numbers = {block.label: number for number, block in enumerate(site.function.blocks)}
        self.tables = shared_tables(site.function)
        self.wanted: dict[str, JumpTable] = {}  # by the labels of the switches that are still to be written

    def declarations(self) -> list[str]:
        """Return the variables of the tables."""
        names = [_names(table) for table in self.tables.values()]
        return [line for target, rtl in names for line in (f"{target} = alloca {self.word}", f"{rtl} = alloca i64")]

    def jump(self, number: int, labels: tuple[str, ...], value: str) -> None:
        """Write the jump at the end of a block to an address, which should be that of one of the labels."""
        table = self.tables.get(labels)
        if table is None:
            detours = {label: self.counting.detour(number, self._there(label), self.numbers[label]) for label in labels}
            self._switch(value, detours)
            return
        self.counting.counters(number, table.number)
        if any(self.counting.has_instruments(number, self.numbers[label]) for label in labels):
            self._switch(value, self._over(table, number))
            return
        target, rtl = _names(table)
        dispatch = f"dispatch{-table.number}{self.site.copy}"
        self.wanted[dispatch] = table
        self.emitter.lines += [
            f"store {self.word} {value}, ptr {target}",
            f"store i64 {self.emitter.number()}, ptr {rtl}",
            f"br label %{dispatch}",
        ]

    def write(self) -> None:
        """Write the switches that blocks share, behind the blocks of a copy."""
        for dispatch, table in self.wanted.items():
            target, rtl = _names(table)
            self.emitter.lines.append(f"{dispatch}:")
            value, identity = self.emitter.put(f"load {self.word}, ptr {target}"), self.emitter.put(f"load i64, ptr {rtl}")
            self._switch(value, self._over(table, None), identity)
        self.wanted.clear()

    def _there(self, label: str) -> str:
        return label + self.site.copy

    def _over(self, table: JumpTable, source: int | None) -> Edges:
        """Return the edges from a table to its labels."""
        counting, numbers = self.counting, self.numbers
        return {
            label: counting.detour_by_table(source, table.number, self._there(label), numbers[label]) for label in table.labels
        }

    def _switch(self, value: str, edges: Edges, identity: str = "") -> None:
        emitter, word = self.emitter, self.word
        bad = emitter.label()
        cases = {emitter.places.label(self.addresses[label]): there for label, (there, _) in edges.items()}
        text = " ".join(f"{word} {address}, label %{there}" for address, there in cases.items())
        emitter.lines += [f"switch {word} {emitter.places.within(value)}, label %{bad} [ {text} ]", f"{bad}:"]
        wide = value if word == "i64" else emitter.put(f"zext {word} {value} to i64")
        emitter.trap("jump", wide, identity=identity)
        for _, written in edges.values():
            emitter.lines += written


def _names(table: JumpTable) -> tuple[str, str]:
    """Return the variables of a table: where a jump goes, and which RTL it is."""
    return f"%table{-table.number}.target", f"%table{-table.number}.rtl"


# ----------------------------------------------------------------------------------------------------------------------


class Transfers:
    """The transfers of control of one function; `site` tells the copy of it that is being written."""

    def __init__(self, context: ModuleContext, site: Site, counting: Counting) -> None:
        self.context, self.site, self.counting = context, site, counting
        self.program, self.machine = context.program, context.program.machine
        self.function, self.emitter = site.function, site.emitter
        self.signature = context.summaries.signatures[self.function.name]
        self.jumps = LongJumps(context, site, counting)
        self.callees: set[str] = set()
        addresses = {block.label: self.program.labels[self.function.name, block.label] for block in self.function.blocks}
        self.dispatches = Dispatches(site, counting, addresses, context.word)
        self.numbers = {block.label: number for number, block in enumerate(self.function.blocks)}

    def enter(self) -> None:
        """Let instruments write at the head of the function and behind calls."""
        for instrument in self.counting.instruments:
            instrument.enter()

    def label(self, source: int, label: str) -> str:
        """Return the name of a label, to which control goes from a block of the copy that is being written."""
        return label + self.site.copy_of(source, self.numbers[label])

    def transfer(self, place: tuple[int, int], effect: Effect, value: str) -> None:
        """Write the transfer or call that ends, with its delay slots, at a place; `value` is its condition or target."""
        emitter, number = self.emitter, place[0]
        match effect:
            case Jump(label=label):
                self.counting.edge(number, self.numbers[label])
                emitter.lines.append(f"br label %{self.label(number, label)}")
            case Branch(label=label):
                self.branch(number, label, value)
            case IndirectJump(labels=labels):
                self.dispatches.jump(number, labels, value)
            case Call():
                self._call(effect, value, place)
            case Return():
                self.counting.edge(number, OUTSIDE)
                if self.context.options.limit:
                    word = f"ptr inttoptr (i64 {self.context.options.shared + 8 * RETURNED} to ptr)"
                    emitter.lines.append(f"store volatile i64 {emitter.number()}, {word}")
                self._return(value)

    def fall(self, number: int, identity: int) -> None:
        """Go on to the next block."""
        self.emitter.identity = max(identity, self.site.first)
        self.counting.edge(number, number + 1)
        if number + 1 < len(self.function.blocks):
            self.emitter.lines.append(f"br label %{self.label(number, self.function.blocks[number + 1].label)}")
        else:
            self.emitter.trap("end")

    def branch(self, number: int, label: str, condition: str, slots: str = "") -> None:
        """Write a branch to a label, or to the delay slots that are executed on the edge to it."""
        self.counting.choose(number, condition)
        taken, written = self.counting.detour(
            number, slots or self.label(number, label), self.numbers[label], True, bool(slots)
        )
        after = self.emitter.label()
        self.emitter.lines += [f"br i1 {condition}, label %{taken}, label %{after}", *written, f"{after}:"]
        self.fall(number, self.emitter.identity)

    def _call(self, effect: Call, target: str, place: tuple[int, int]) -> None:
        emitter, context = self.emitter, self.context
        callee = callee_of(self.program, effect)
        self.callees.add(callee)
        signature, result = context.summaries.signatures[callee], context.result_type(callee)
        arguments = [] if callee else [f"{context.word} {target}", f"i64 {emitter.number()}"]
        arguments += [f"{t.type} {emitter.put(f'load {t.type}, ptr {t.variable}')}" for t in context.threads]
        for t, suffix, key in context.values(signature.read):
            arguments.append(f"{t} {emitter.put(f'load {t}, ptr {emitter.home(key)}{suffix}')}")
        name = f'@"f{callee}"' if callee else "@ease_indirect"
        call = f"call fastcc {result} {name}({', '.join(arguments)}){self._how(callee)}{emitter.location()}"
        self.counting.call(place, begins=True)
        if result == "void":
            emitter.lines.append(call)
            self.counting.call(place, begins=False)
            self._pop()
            self._unwind(place)
            self.enter()
            return
        value = emitter.put(call)
        self._pop()
        if context.options.check_returns:
            self._check_return(result, value, place, callee)
        else:
            self._unwind(place)
        self.counting.call(place, begins=False)
        self._take_results(signature.returned, result, value)
        self.jumps.behind(place)
        self.enter()

    def _check_return(self, result: str, value: str, place: tuple[int, int], callee: str) -> None:
        """Write the test that a call came back to the place behind it."""
        emitter, word = self.emitter, self.context.word
        back = emitter.put(f"extractvalue {result} {value}, 0")
        expected = emitter.next_address
        there = emitter.places.address(expected, self.machine.address_type)
        wrong = emitter.put(f"icmp ne {word} {back}, {there}")
        bad, good = emitter.label(), emitter.label()
        emitter.lines += [f"br i1 {wrong}, label %{bad}, label %{good}, !prof !3", f"{bad}:"]
        if place in self.counting.probes.unwinding or callee in self.context.jumping:
            self.counting.unwind_call(place, self._wide(back), expected, self.jumps.leave(self._nowhere()))
        else:
            emitter.trap("return", self._wide(back), emitter.places.address(expected, "Q"))
        emitter.lines.append(f"{good}:")

    def _take_results(self, returned: int, result: str, value: str) -> None:
        """Store the threads and registers that a call returns."""
        emitter, context = self.emitter, self.context
        member = int(context.options.check_returns)
        for thread in context.threads:
            part = emitter.put(f"extractvalue {result} {value}, {member}")
            emitter.lines.append(f"store {thread.type} {part}, ptr {thread.variable}")
            member += 1
        for i, (t, suffix, key) in enumerate(context.values(returned), member):
            part = emitter.put(f"extractvalue {result} {value}, {i}")
            emitter.lines.append(f"store {t} {part}, ptr {emitter.home(key)}{suffix}")

    def _how(self, callee: str) -> str:
        """Return the attribute of a call; LLVM decides about inlining unless functions have copies."""
        others = [copy for copy in self.site.copies[1:] if copy not in PARTIAL]
        if self.site.copy in others:
            return " noinline"
        return " alwaysinline" if others and callee in self.context.inlined else ""

    def _pop(self) -> None:
        """Take back what a call pushed: a trusted callee does not return the stack pointer."""
        pushed = self.machine.convention.pushed
        if self.context.options.trust_saves and pushed:
            sp = self.machine.stack_pointer
            value = self.emitter.read(sp)
            self.emitter.write(sp, self.emitter.put(f"add {self.context.word} {value}, {pushed}"))

    def _return(self, target: str) -> None:
        emitter, context = self.emitter, self.context
        result = context.result_type(self.function.name)
        if self.function.name == RESUME_CONTEXT:
            self.jumps.jump(target)
            emitter.lines.append(self._nowhere())
            return
        if result == "void":
            emitter.lines.append("ret void")
            return
        value, place = "undef", 0
        if context.options.check_returns:
            value = emitter.put(f"insertvalue {result} {value}, {context.word} {target}, 0")
            place = 1
        for thread in context.threads:
            part = emitter.put(f"load {thread.type}, ptr {thread.variable}")
            value = emitter.put(f"insertvalue {result} {value}, {thread.type} {part}, {place}")
            place += 1
        for i, (t, suffix, key) in enumerate(context.values(self.signature.returned), place):
            part = emitter.put(f"load {t}, ptr {emitter.home(key)}{suffix}")
            value = emitter.put(f"insertvalue {result} {value}, {t} {part}, {i}")
        emitter.lines.append(f"ret {result} {value}")

    def unwind_system_call(self, rtl: Rtl, place: tuple[int, int]) -> None:
        """Return if an RTL calls the system and this has ended the program."""
        if rtl.system_call is not None:
            self._unwind(place)

    def declarations(self) -> list[str]:
        """Return the variables of jumps."""
        return self.jumps.declarations() + self.dispatches.declarations()

    def end_copy(self) -> None:
        """Write, behind the blocks of a copy, the jumps that they share, and where calls go that do not come back."""
        self.dispatches.write()
        if self.site.copy == self.site.whole:
            self.jumps.catch(self._nowhere())

    def _unwind(self, place: tuple[int, int]) -> None:
        """Return if the program has ended in a call or system call."""
        if place in self.counting.probes.unwinding:
            self.counting.unwind_system_call(place, self._nowhere())

    def leave(self) -> str:
        """Return what leaves the function, because of longjmp or of the program's end."""
        return self.jumps.leave(self._nowhere())

    def _nowhere(self) -> str:
        """Return to an address that no call expects."""
        result = self.context.result_type(self.function.name)
        parts = [f"{self.context.word} -1"] if self.context.options.check_returns else []
        parts += [f"{thread.type} poison" for thread in self.context.threads]
        parts += [f"{t} poison" for t, _, _ in self.context.values(self.signature.returned)]
        return "ret void" if result == "void" else f"ret {result} {{ {', '.join(parts)} }}"

    def _wide(self, value: str) -> str:
        return value if self.context.word == "i64" else self.emitter.put(f"zext {self.context.word} {value} to i64")
