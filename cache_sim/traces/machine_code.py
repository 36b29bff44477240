"""The machine that regenerates traces, as LLVM IR: its registers, streams and stack, and how events come out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cache_sim.native.code import UNLIKELY, Code
from cache_sim.traces.regeneration import RECORD, Halt

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
