"""Jumps by a table that several blocks share, written once: with a switch in each block LLVM would take quadratic time.

A threaded interpreter ends each of its operations by a jump to any other.  Each such block leaves its target, and which RTL
jumps, in variables, and goes to the one switch.  Blocks have switches of their own where instruments write on their edges.
"""

from __future__ import annotations

from ease.host.counting import Counting
from ease.host.instrument import Site
from vpo.analysis.jump_tables import JumpTable, shared_tables

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
            f"store i64 {self.emitter.identity}, ptr {rtl}",
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
        cases = {self.addresses[label]: there for label, (there, _) in edges.items()}
        text = " ".join(f"{word} {address}, label %{there}" for address, there in cases.items())
        emitter.lines += [f"switch {word} {value}, label %{bad} [ {text} ]", f"{bad}:"]
        wide = value if word == "i64" else emitter.put(f"zext {word} {value} to i64")
        emitter.trap("jump", wide, identity=identity)
        for _, written in edges.values():
            emitter.lines += written


def _names(table: JumpTable) -> tuple[str, str]:
    """Return the variables of a table: where a jump goes, and which RTL it is."""
    return f"%table{-table.number}.target", f"%table{-table.number}.rtl"
