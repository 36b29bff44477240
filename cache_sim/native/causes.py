"""Find the causes of misses: a fully associative LRU cache of the same size follows all accesses of a cache.

A miss is `compulsory` if no access came to the line before, else `switch` if none came since the last context switch, else
`capacity` if the fully associative cache misses as well, else `conflict`.  Two arrays over all lines have the time of the
last access and the node of the LRU list.  They are as long as there are lines in the address space; most pages of them
are never touched.
"""

from __future__ import annotations

from cache_sim.config import Cache
from cache_sim.native.code import Code
from cache_sim.native.gauge import Counting
from cache_sim.native.state import State

CAUSES = ("compulsory", "switch", "capacity", "conflict")
ADDRESS_BITS = 32


class Causes:
    """The state and code of a cause finder; `large` holds the arrays over all lines.

    Nodes of the list are counted from 1; node 0 is both ends of the list.
    """

    def __init__(self, cache: Cache, name: str, state: State, large: State, word: str, sites: int, counting: Counting) -> None:
        self.name, self.word, self.sites, self.counting = name, word, sites, counting
        self.lines = cache.size // cache.line
        all_lines = 1 << (ADDRESS_BITS - (cache.line.bit_length() - 1))
        self.asked_at, self.node_of = (large.array("i32", all_lines) for _ in range(2))
        self.line_of = state.array("i64", self.lines + 1)
        self.before, self.after = (state.array("i32", self.lines + 1) for _ in range(2))
        self.used = state.array("i64", 1)
        self.epoch = state.array("i32", 1, 1)
        self.counts = [state.array("i64", sites) for _ in CAUSES]

    def missed(self, code: Code, line: str, site: str) -> None:
        """Write the count of a miss; this comes before `accessed` or `asked`."""
        code.do(f"call preserve_allcc void @{self.name}.missed({self.word} {line}, i64 {site}), !tbaa !6")

    def accessed(self, code: Code, line: str) -> None:
        """Write the note of an access that brings in its line if it is absent."""
        code.do(f"call preserve_allcc void @{self.name}.accessed({self.word} {line}), !tbaa !6")

    def asked(self, code: Code, line: str) -> None:
        """Write the note of an access that does not bring in its line; a line that is present becomes the newest."""
        code.do(f"call preserve_allcc void @{self.name}.asked({self.word} {line}), !tbaa !6")

    def empty(self, code: Code) -> None:
        """Write code that forgets everything except which lines were ever accessed."""
        used = code.put(f"add i64 {code.load('i64', self.used.pointer)}, 1")
        with code.count_up("1", used) as node:
            line = code.load("i64", code.at(self.line_of.pointer, node, "i64"))
            code.store("i32", code.at(self.node_of.pointer, line, "i32"), "0")
        code.store("i64", self.used.pointer, "0")
        code.store("i32", self.before.pointer, "0")
        code.store("i32", self.after.pointer, "0")
        code.add("i32", self.epoch.pointer)

    def functions(self) -> str:
        """Return the text of the functions."""
        return "\n".join([self._missed(), self._accessed("accessed"), self._accessed("asked")])

    def _missed(self) -> str:
        code = Code()
        line = code.wide(self.word, "%line")
        asked = code.load("i32", code.at(self.asked_at.pointer, line, "i32"))
        node = code.load("i32", code.at(self.node_of.pointer, line, "i32"))
        now = code.load("i32", self.epoch.pointer)
        tests = (f"icmp eq i32 {asked}, 0", f"icmp ne i32 {asked}, {now}", f"icmp eq i32 {node}, 0")
        for test, counts in zip(tests, self.counts, strict=False):
            with code.when(code.put(test)):
                self.counting.count(code, code.at(counts.pointer, "%site", "i64"), "1")
                code.do("ret void")
        self.counting.count(code, code.at(self.counts[-1].pointer, "%site", "i64"), "1")
        code.do("ret void")
        return code.function(f"preserve_allcc void @{self.name}.missed({self.word} %line, i64 %site) noinline")

    def _accessed(self, name: str) -> str:
        """Return the function that makes a line the newest: with its own node, a new one, or that of the oldest line."""
        code = Code()
        line = code.wide(self.word, "%line")
        code.store("i32", code.at(self.asked_at.pointer, line, "i32"), code.load("i32", self.epoch.pointer))
        where = code.at(self.node_of.pointer, line, "i32")
        node = code.variable("i32", code.load("i32", where))
        absent = code.put(f"icmp eq i32 {code.get('i32', node)}, 0")
        with code.when(absent):
            if name == "asked":
                code.do("ret void")
            else:
                self._take(code, node)
                taken = code.get("i32", node)
                code.store("i32", where, taken)
                code.store("i64", code.at(self.line_of.pointer, code.wide("i32", taken), "i64"), line)
        with code.when(code.put(f"xor i1 {absent}, true")):
            self._unlink(code, code.get("i32", node))
        self._link(code, code.get("i32", node))
        code.do("ret void")
        return code.function(f"preserve_allcc void @{self.name}.{name}({self.word} %line) noinline")

    def _neighbour(self, code: Code, side: str, node: str) -> str:
        field = self.before if side == "before" else self.after
        return code.at(field.pointer, code.wide("i32", node), "i32")

    def _take(self, code: Code, node: str) -> None:
        """Write code that sets `node` to a new node, or to the last one of the list, whose line is evicted."""
        used = code.load("i64", self.used.pointer)
        full = code.put(f"icmp eq i64 {used}, {self.lines}")
        with code.when(full):
            last = code.load("i32", self.before.pointer)
            old = code.load("i64", code.at(self.line_of.pointer, code.wide("i32", last), "i64"))
            code.store("i32", code.at(self.node_of.pointer, old, "i32"), "0")
            self._unlink(code, last)
            code.set("i32", node, last)
        with code.when(code.put(f"xor i1 {full}, true")):
            new = code.put(f"add i64 {used}, 1")
            code.store("i64", self.used.pointer, new)
            code.set("i32", node, code.put(f"trunc i64 {new} to i32"))

    def _unlink(self, code: Code, node: str) -> None:
        before, after = (code.load("i32", self._neighbour(code, side, node)) for side in ("before", "after"))
        code.store("i32", self._neighbour(code, "after", before), after)
        code.store("i32", self._neighbour(code, "before", after), before)

    def _link(self, code: Code, node: str) -> None:
        """Write code that puts a node at the front of the list."""
        first = code.load("i32", self.after.pointer)
        code.store("i32", self._neighbour(code, "after", node), first)
        code.store("i32", self._neighbour(code, "before", node), "0")
        code.store("i32", self._neighbour(code, "before", first), node)
        code.store("i32", self.after.pointer, node)
