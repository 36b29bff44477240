"""Regenerate a trace fast: the machine of `plain.py` as LLVM IR, compiled for the kinds of events that are wanted."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

import numpy as np

from cache_sim.native.code import METADATA, UNLIKELY, Code
from cache_sim.native.simulate import compiled
from cache_sim.traces.plain import PlainRegenerator
from cache_sim.traces.regeneration import (
    BLOCK,
    BRANCH,
    CONTEXTS,
    FETCHED,
    READ,
    RECORD,
    STACK,
    SYSTEM,
    TRANSFER,
    WRITE,
    Events,
    Halt,
    Op,
    PathCode,
    State,
    Words,
)

# ----------------------------------------------------------------------------------------------------------------------
# The machine that regenerates traces, as LLVM IR: its registers, streams and stack, and how events come out.


# The parts of a `State` that are numbers, in the order in which the compiled function has them; then how many events came out.
PARTS = ("place", "top", "base", "done", "instructions", "systems", "test", "target", "control", "words", "saved")


class MachineCode:
    """What the code of each record is written with.  `wanted` has a bit for each kind of events that are to come out."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.code = wanted, Code()
        code = self.code
        self.parts = {
            name: code.variable("i64", code.load("i64", code.at("%state", str(n), "i64"))) for n, name in enumerate(PARTS)
        }
        self.count = code.variable("i64", "0")
        self.halt = code.variable("i64", "0")
        self.record = self.following = ""

    # ------------------------------------------------------------------------------------- the parts

    def _get(self, part: str) -> str:
        return self.code.get("i64", self.parts[part])

    def _set(self, part: str, value: str) -> None:
        self.code.set("i64", self.parts[part], value)

    def _add(self, part: str, amount: str = "1") -> str:
        value = self.code.put(f"add i64 {self._get(part)}, {amount}")
        self._set(part, value)
        return value

    def _field(self, name: str) -> str:
        """Return a field of the record as an i64."""
        type_, offset = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}[RECORD[name].itemsize], RECORD.fields[name][1]  # type: ignore[index]
        code = self.code
        pointer = code.put(f"getelementptr i8, ptr {self.record}, i64 {offset}")
        return code.wide(type_, code.put(f"load {type_}, ptr {pointer}, align 1"))

    def _go(self, place: str) -> None:
        self._set("place", place)
        self.code.do("br label %next")

    def _pause(self, halt: Halt) -> None:
        self.code.set("i64", self.halt, str(int(halt)))
        self.code.do("br label %out")

    @contextmanager
    def _when(self, test: str, hint: str = UNLIKELY) -> Iterator[None]:
        with self.code.when(self.code.put(test), hint):
            yield

    def _need_room(self, *kinds: int, count: str = "1") -> None:
        """Pause if there is no room for so many events, if events of one of the kinds are wanted."""
        if any(self.wanted >> kind & 1 for kind in kinds):
            after = self.code.put(f"add i64 {self.code.get('i64', self.count)}, {count}")
            with self._when(f"icmp ugt i64 {after}, %n.room"):
                self._pause(Halt.FULL)

    def _put(self, kind: str, address: str, size: str, site: str) -> None:
        """Write an event; there is room for it."""
        code = self.code
        number = code.get("i64", self.count)
        code.store("i8", code.at("%kinds", number, "i8"), kind)
        for array, value in (("%addresses", address), ("%sizes", size), ("%sites", site)):
            code.store("i64", code.at(array, number, "i64"), value)
        code.set("i64", self.count, code.put(f"add i64 {number}, 1"))

    def _event(self, kind: int, address: str, size: str) -> None:
        """Write an event of a kind if it is wanted."""
        if self.wanted >> kind & 1:
            self._put(str(kind), address, size, self._field("site"))

    def _refer(self, address: str) -> None:
        """Write a reference of the kind of the record, if it is wanted."""
        both = self.wanted & 3
        if not both:
            return
        kind = self.code.put(f"trunc i64 {self._field('kind')} to i8")
        if both == 3:
            self._put(kind, address, self._field("size"), self._field("site"))
            return
        with self._when(f"icmp eq i8 {kind}, {both - 1}", ""):
            self._put(kind, address, self._field("size"), self._field("site"))

    # ----------------------------------------------------------------------------------- the streams

    def _need(self, stream: str, count: int = 1) -> None:
        limit = "%n.decisions" if stream == "control" else "%n.given"
        after = self.code.put(f"add i64 {self._get(stream)}, {count}")
        with self._when(f"icmp ugt i64 {after}, {limit}"):
            self._pause(Halt.MORE)

    def _decision(self) -> str:
        """Read a control byte, which is there, as an i64."""
        code, position = self.code, self._get("control")
        value = code.wide("i8", code.load("i8", code.at("%control", position, "i8")))
        self._set("control", code.put(f"add i64 {position}, 1"))
        return value

    def _word(self) -> str:
        code, position = self.code, self._get("words")
        value = code.load("i64", code.at("%words", position, "i64"))
        self._set("words", code.put(f"add i64 {position}, 1"))
        return value

    def _read_go(self, place: str, stream: str) -> None:
        """Go on after something was read; pause if it was the last and the caller wants to know."""
        code = self.code
        self._set("place", place)
        limits = {"control": "%n.decisions", "words": "%n.given"}
        other = "words" if stream == "control" else "control"
        with self._when(f"icmp eq i64 {self._get(stream)}, {limits[stream]}"):
            empty = code.put(f"icmp eq i64 {self._get(other)}, {limits[other]}")
            asked = code.put("icmp ne i64 %n.dry, 0")
            with self._when(f"and i1 {empty}, {asked}"):
                self._pause(Halt.DRY)
        code.do("br label %next")

    # -------------------------------------------------------------------------------------- the stack

    def _slot(self, field: str) -> str:
        return self.code.at("%stack", self.code.put(f"add i64 {self._get('base')}, {self._field(field)}"), "i64")

    def _store_slot(self, value: str) -> None:
        self.code.store("i64", self._slot("a"), self.code.put(f"and i64 {value}, %n.mask"))

    def _push(self) -> None:
        code, top = self.code, self._get("top")
        code.store("i64", code.at("%stack", top, "i64"), self.following)
        second = code.put(f"add i64 {top}, 1")
        code.store("i64", code.at("%stack", second, "i64"), self._get("base"))
        self._set("top", code.put(f"add i64 {top}, 2"))

    def _pop(self) -> str:
        """Take an activation off the stack; return where to go."""
        code, base = self.code, self._get("base")
        with self._when(f"icmp eq i64 {base}, 0"):
            self._pause(Halt.WRONG)
        top = code.put(f"sub i64 {base}, 2")
        back = code.load("i64", code.at("%stack", top, "i64"))
        caller = code.load("i64", code.at("%stack", code.put(f"add i64 {top}, 1"), "i64"))
        self._set("top", top)
        self._set("base", caller)
        return back

    # -------------------------------------------------------------------------------- tables, contexts

    def _forget(self) -> None:
        """Forget contexts of activations that are over, from the last one on."""
        code = self.code
        head, body, drop, after = (code.label() for _ in range(4))
        code.do(f"br label %{head}")
        code.do(f"{head}:")
        saved = self._get("saved")
        code.do(f"br i1 {code.put(f'icmp eq i64 {saved}, 0')}, label %{after}, label %{body}")
        code.do(f"{body}:")
        last = code.put(f"sub i64 {saved}, 1")
        top = code.load("i64", self._context_part(last, 4))
        over = code.put(f"icmp ugt i64 {top}, {self._get('top')}")
        code.do(f"br i1 {over}, label %{drop}, label %{after}")
        code.do(f"{drop}:")
        self._set("saved", last)
        code.do(f"br label %{head}")
        code.do(f"{after}:")

    def _context(self, address: str, pointer: str) -> str:
        """Return the number of the last context with an address and a stack pointer, or -1."""
        code = self.code
        found = code.variable("i64", "0")
        code.set("i64", found, "-1")
        with code.count_up("0", self._get("saved")) as number:
            same = [
                code.put(f"icmp eq i64 {code.load('i64', self._context_part(number, place))}, {value}")
                for place, value in enumerate((address, pointer))
            ]
            with self._when(f"and i1 {same[0]}, {same[1]}", ""):
                code.set("i64", found, number)
        return code.get("i64", found)

    def _context_part(self, number: str, place: int) -> str:
        first = self.code.put(f"mul i64 {number}, 5")
        return self.code.at("%contexts", self.code.put(f"add i64 {first}, {place}"), "i64")

    def _find(self, table: str, first: str, count: str) -> str:
        """Return the record that a table has for the target; pause if it has none."""
        code, target = self.code, self._get("target")
        found = code.variable("i64", "0")
        code.set("i64", found, "-1")
        with code.count_up(first, code.put(f"add i64 {first}, {count}")) as number:
            double = code.put(f"mul i64 {number}, 2")
            here = code.load("i64", code.at(table, double, "i64"))
            with self._when(f"icmp eq i64 {here}, {target}", ""):
                second = code.put(f"add i64 {double}, 1")
                code.set("i64", found, code.load("i64", code.at(table, second, "i64")))
        value = code.get("i64", found)
        with self._when(f"icmp eq i64 {value}, -1"):
            self._pause(Halt.WRONG)
        return value


# ----------------------------------------------------------------------------------------------------------------------
# Regenerate a trace fast: the machine of `plain.py`, compiled by LLVM for the kinds of events that are wanted.


_ARGUMENTS = (
    "state", "records", "control", "words", "kinds", "addresses", "sizes", "sites", "stack", "contexts", "jumps", "entries",
)  # fmt: skip
_NUMBERS = ("decisions", "given", "room", "stop", "systems", "dry", "entered", "mask")


class Regenerator:
    """Executes the code of one trace."""

    def __init__(self, code: PathCode) -> None:
        self.code = code
        self.plain = PlainRegenerator(code)
        self.records = np.ascontiguousarray(code.records)
        self.jumps, self.entries = (np.ascontiguousarray(table, np.uint64) for table in (code.jumps, code.entries))
        self.numbers = np.zeros(len(PARTS) + 1, np.int64)

    def run(
        self, state: State, control: Words, words: Words, out: Events, wanted: int, stop: int, systems: int, dry: bool
    ) -> tuple[Halt, int]:
        """Go on as `PlainRegenerator.run` does."""
        self.numbers[:-1] = [getattr(state, name) for name in PARTS]
        self.numbers[-1] = 0
        arrays = (
            self.numbers, self.records, control, words, out.kinds, out.addresses, out.sizes, out.sites, state.stack,
            state.contexts, self.jumps, self.entries,
        )  # fmt: skip
        halt = _compiled(wanted)(
            *(array.ctypes.data for array in arrays), len(control), len(words), len(out), stop, systems, dry,
            len(self.entries), (1 << self.code.bits) - 1 - (1 << 64 if self.code.bits == 64 else 0),
        )  # fmt: skip
        for name, value in zip(PARTS, self.numbers.tolist(), strict=False):
            setattr(state, name, value)
        return Halt(halt), int(self.numbers[-1])


@lru_cache(maxsize=32)
def _compiled(wanted: int) -> Callable[..., int]:
    """Return the compiled function for kinds of events."""
    kinds = [*[ctypes.c_void_p] * len(_ARGUMENTS), *[ctypes.c_int64] * len(_NUMBERS)]
    text = _Writer(wanted).text()
    function: Callable[..., int] = compiled(text, "regenerate", ctypes.CFUNCTYPE(ctypes.c_int64, *kinds))
    return function


class _Writer(MachineCode):
    """Writes the function: a loop around a switch over what a record does."""

    def text(self) -> str:
        """Return the module."""
        code = self.code
        cases = ", ".join(f"i8 {int(op)}, label %op{int(op)}" for op in Op)
        code.do("br label %next")
        code.do("next:")
        place = self._get("place")
        self.record = code.put(f"getelementptr [{RECORD.itemsize} x i8], ptr %records, i64 {place}")
        operation = code.put(f"load i8, ptr {self.record}")
        self.following = code.put(f"add i64 {place}, 1")
        code.do(f"switch i8 {operation}, label %op0 [ {cases.replace(', i8', ' i8')} ]")
        for op in Op:
            code.do(f"op{int(op)}:")
            getattr(self, "_do_" + op.name.lower())()
        code.do("out:")
        for number, name in enumerate(PARTS):
            code.store("i64", code.at("%state", str(number), "i64"), self._get(name))
        code.store("i64", code.at("%state", str(len(PARTS)), "i64"), code.get("i64", self.count))
        code.do(f"ret i64 {code.get('i64', self.halt)}")
        given = ", ".join([*(f"ptr noalias %{n}" for n in _ARGUMENTS), *(f"i64 %n.{n}" for n in _NUMBERS)])
        function = code.function(f"i64 @regenerate({given})").replace("define internal", "define")
        return function + METADATA

    # ------------------------------------------------------------------------------------ the records

    def _do_end(self) -> None:
        self._pause(Halt.WRONG)

    def _do_fetch(self) -> None:
        code = self.code
        count, done = self._field("a"), self._get("done")
        self._need_room(FETCHED, count=count)
        left, allowed = code.put(f"sub i64 {count}, {done}"), code.put(f"sub i64 %n.stop, {self._get('instructions')}")
        few = code.put(f"icmp slt i64 {allowed}, {left}")
        with code.when(few, UNLIKELY):
            self._fetches(done, allowed)
            self._add("instructions", allowed)
            self._add("done", allowed)
            self._pause(Halt.STOP)
        self._fetches(done, left)
        self._add("instructions", left)
        self._set("done", "0")
        self._go(self.following)

    def _fetches(self, done: str, count: str) -> None:
        """Write events for so many fetches of the record."""
        if not self.wanted >> FETCHED & 1:
            return
        code = self.code
        size, site, address = self._field("size"), self._field("site"), self._field("value")
        with self._when(f"icmp ne i64 {size}, 0", ""), code.count_up(done, code.put(f"add i64 {done}, {count}")) as number:
            beyond = code.put(f"mul i64 {number}, {size}")
            where, which = code.put(f"add i64 {address}, {beyond}"), code.put(f"add i64 {site}, {number}")
            self._put(str(FETCHED), where, size, which)

    def _do_part(self) -> None:
        count = self._field("a")
        self._need_room(FETCHED, count=count)
        self._fetches("0", count)
        self._go(self.following)

    def _do_refer(self) -> None:
        self._need_room(READ, WRITE)
        self._refer(self._field("value"))
        self._go(self.following)

    def _do_recorded(self) -> None:
        self._need_room(READ, WRITE)
        self._need("words")
        self._refer(self._word())
        self._read_go(self.following, "words")

    def _do_kept(self) -> None:
        self._need_room(READ, WRITE)
        self._need("words")
        address = self._word()
        self._refer(address)
        self._store_slot(self.code.put(f"sub i64 {address}, {self._field('value')}"))
        self._read_go(self.following, "words")

    def _do_derived(self) -> None:
        code = self.code
        self._need_room(READ, WRITE)
        if self.wanted & 3:
            sum_ = code.put(f"add i64 {code.load('i64', self._slot('a'))}, {self._field('value')}")
            self._refer(code.put(f"and i64 {sum_}, %n.mask"))
        self._go(self.following)

    def _do_guard(self) -> None:
        code = self.code
        self._need("control")
        skipped = code.put(f"add i64 {self.following}, {self._field('a')}")
        taken = code.put(f"icmp ne i64 {self._decision()}, 0")
        self._read_go(code.put(f"select i1 {taken}, i64 {self.following}, i64 {skipped}"), "control")

    def _do_system(self) -> None:
        self._need_room(SYSTEM)
        self._event(SYSTEM, self._get("systems"), "0")
        now = self._add("systems")
        with self._when(f"icmp eq i64 {now}, %n.systems"):
            self._pause(Halt.EXITED)
        self._go(self.following)

    def _do_set(self) -> None:
        self._store_slot(self._field("value"))
        self._go(self.following)

    def _do_copy(self) -> None:
        self._store_slot(self.code.put(f"add i64 {self.code.load('i64', self._slot('b'))}, {self._field('value')}"))
        self._go(self.following)

    def _do_add(self) -> None:
        code = self.code
        self._store_slot(code.put(f"add i64 {code.load('i64', self._slot('a'))}, {code.load('i64', self._slot('b'))}"))
        self._go(self.following)

    def _do_load(self) -> None:
        self._need("words")
        self._store_slot(self._word())
        self._read_go(self.following, "words")

    def _do_jump(self) -> None:
        self._go(self._field("a"))

    def _do_branch(self) -> None:
        self._need_room(BRANCH)
        self._need("control")
        decision = self._decision()
        self._event(BRANCH, "0", decision)
        self._read_go(self._chosen(decision), "control")

    def _chosen(self, decision: str) -> str:
        taken = self.code.put(f"icmp ne i64 {decision}, 0")
        return self.code.put(f"select i1 {taken}, i64 {self._field('a')}, i64 {self.following}")

    def _do_test(self) -> None:
        self._need("control")
        self._set("test", self._decision())
        self._read_go(self.following, "control")

    def _do_decide(self) -> None:
        self._need_room(BRANCH)
        self._event(BRANCH, "0", self._get("test"))
        self._go(self._chosen(self._get("test")))

    def _do_target(self) -> None:
        self._need("words")
        self._set("target", self._word())
        self._read_go(self.following, "words")

    def _do_call(self) -> None:
        self._push()
        self._go(self._field("a"))

    def _do_call_indirect(self) -> None:
        self._need_room(TRANSFER)
        found = self._find("%entries", "0", "%n.entered")
        self._event(TRANSFER, self._get("target"), "0")
        self._push()
        self._go(found)

    def _do_jump_indirect(self) -> None:
        self._need_room(TRANSFER)
        found = self._find("%jumps", self._field("a"), self._field("b"))
        self._event(TRANSFER, self._get("target"), "0")
        self._go(found)

    def _do_enter(self) -> None:
        code, top = self.code, self._get("top")
        self._set("base", top)
        after = code.put(f"add i64 {top}, {self._field('a')}")
        self._set("top", after)
        with self._when(f"icmp ugt i64 {after}, {STACK - 2}"):
            self._pause(Halt.WRONG)
        self._go(self.following)

    def _do_note(self) -> None:
        self._need("control")
        self._decision()
        self._read_go(self.following, "control")

    def _do_return(self) -> None:
        self._go(self._pop())

    def _do_save(self) -> None:
        code = self.code
        self._need("words", 2)
        address, pointer = self._word(), self._word()
        back = self._pop()
        self._forget()
        found = self._context(address, pointer)
        new = code.put(f"icmp slt i64 {found}, 0")
        number = code.put(f"select i1 {new}, i64 {self._get('saved')}, i64 {found}")
        with self._when(f"icmp eq i64 {number}, {CONTEXTS}"):
            self._pause(Halt.WRONG)
        self._add("saved", code.put(f"zext i1 {new} to i64"))
        for place, value in enumerate((address, pointer, back, self._get("base"), self._get("top"))):
            code.store("i64", self._context_part(number, place), value)
        self._read_go(back, "words")

    def _do_resume(self) -> None:
        code = self.code
        self._need("words", 2)
        address, pointer = self._word(), self._word()
        found = self._context(address, pointer)
        with self._when(f"icmp slt i64 {found}, 0"):
            self._pause(Halt.WRONG)
        back, base, top = (code.load("i64", self._context_part(found, place)) for place in (2, 3, 4))
        self._set("base", base)
        self._set("top", top)
        self._read_go(back, "words")

    def _do_block(self) -> None:
        self._need_room(BLOCK)
        self._event(BLOCK, self._field("value"), self._field("size"))
        self._go(self.following)
