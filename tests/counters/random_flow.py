"""Random flow graphs as programs, and random walks through them: what counters must agree with."""

from __future__ import annotations

import random

from fake_machine import program_of

from vpo.analysis.transfers import shared_tables

# Types of the cells of random programs' registers.
CELLS = {"r": "L", "b": "B", "w": "W", "l": "L", "q": "Q", "s": "F", "d": "D", "cc": "C", "fc": "G", "e": "F", "f": "D"}


def function_text(name: str, blocks: list[str]) -> str:
    """Blocks are 'name: what', where what is a transfer and, before it, calls."""
    lines = [f'function {name} file "f.c" line 1 stage framed {{']
    for block in blocks:
        label, *rtls = block.split("|")
        lines.append(f"{label}:")
        lines += [f"\t{rtl} # program 1" for rtl in rtls]
    return "\n".join([*lines, "}"]) + "\n"


class RandomFlow:
    """Functions _start, _f1, ...: any function may call any other, some blocks exit, flow may be irreducible."""

    def __init__(self, seed: int, functions: int = 3, blocks: int = 7) -> None:
        self.random = random.Random(seed)
        self.count = functions
        texts = [self._function(number, self.random.randint(1, blocks)) for number in range(functions)]
        self.program = program_of("".join(texts))

    def _function(self, number: int, size: int) -> str:
        r = self.random
        blocks = []
        tables = [f"{{L{r.randint(1, size)},L{r.randint(1, size)},L{r.randint(1, size)}}}" for _ in range(2)]
        for i in range(size):
            rtls = [f"L{i + 1}"]
            rtls += [
                r.choice(["r[5]=r[5]+1;", "r[6]=r[5];", self._call(), self._system(number)]) for _ in range(r.randint(0, 3))
            ]
            target = f"L{r.randint(1, size)}"
            rtls += r.choice(
                [[], [], [f"PC=r[5]<r[6],{target};"], [f"PC=r[5]<r[6],{target};"], [f"PC={target};"],
                 [f"PC=r[7],{r.choice(tables)};"], ["PC=r[1],RT();"]]
            )  # fmt: skip
            if i == size - 1:
                rtls += ["PC=r[1],RT();"] if not rtls[-1].startswith("PC") or "<" in rtls[-1] else []
                if len(rtls) > 2 and rtls[-2].startswith("PC"):
                    del rtls[-2]
            blocks.append("|".join(rtls))
        return function_text("_start" if number == 0 else f"_f{number}", blocks)

    def _call(self) -> str:
        return f"ST=_f{self.random.randint(1, self.count - 1)}(); r[1]=NPC;" if self.count > 1 else "NOP;"

    def _system(self, number: int) -> str:
        quiet = "r[10]=SYSL(4,r[10]);"
        return "r[10]=SYSL(1,r[10]);" if number % 2 == 0 and self.random.random() < 0.2 else quiet


class Ended(Exception):
    """The walk came to a system call that ends the program."""


class TooLong(Exception):
    """The walk does not seem to end."""


class Walk:
    """A random walk through a program: counts of RTLs, of branches taken, and of counters, all in memory or kept."""

    def __init__(self, program, seed: int, probes, steps: int = 3000) -> None:
        self.program, self.random, self.probes = program, random.Random(seed), probes
        self.rtls = {name: [0] * len(f.rtls()) for name, f in program.functions.items()}
        self.taken = {name: [0] * len(f.blocks) for name, f in program.functions.items()}
        self.counters = [0] * max((p.size for p in probes.values()), default=0)
        self.increments = 0  # of counters in memory
        self.steps, self.most = 0, steps
        self.stopped: tuple[str, int] | None = None  # function and RTL before which the walk was too long
        self.ended = False
        try:
            self._function("_start", 0)
        except Ended:
            self.ended = True
        except TooLong:
            if steps == 3000:
                raise

    def _count(self, name: str, kept: dict, counter) -> None:
        if counter in self.probes[name].kept:
            kept[counter] = kept.get(counter, 0) + 1
        elif counter is not None:
            self.counters[counter] += 1
            self.increments += 1

    def _go(self, name: str, kept: dict, source: int, target: int, taken: bool = False) -> None:
        """Count going from block to block, perhaps over a table, and add what was kept in a loop that is left."""
        tables = shared_tables(self.program.functions[name]).values()
        for number in [table.number for table in tables if source in table.blocks]:
            self._pass(name, kept, source, number)
            source = number
        self._pass(name, kept, source, target, taken)

    def _pass(self, name: str, kept: dict, source: int, target: int, taken: bool = False) -> None:
        probes = self.probes[name]
        self._count(name, kept, probes.taken.get(source) if taken else probes.edges.get((source, target)))
        for counter in probes.leaving(source, target):
            self.counters[counter] += kept.pop(counter, 0)
            self.increments += 1

    def _function(self, name: str, depth: int) -> None:
        function, probes = self.program.functions[name], self.probes[name]
        labels = {block.label: i for i, block in enumerate(function.blocks)}
        starts = function.block_starts()
        kept: dict[int, int] = {}
        self._go(name, kept, -1, 0)
        number = 0
        while number >= 0:
            self._count(name, kept, probes.blocks.get(number))
            following, taken = number + 1, False
            for index, rtl in enumerate(function.blocks[number].rtls):
                self._count(name, kept, probes.inner.get((number, index)))
                try:
                    following, taken = self._rtl(name, number, rtl, starts[number] + index, labels, depth)
                except Ended:
                    assert (number, index) in probes.unwinding
                    self._count(name, kept, probes.ends.get((number, index)))
                    self._go(name, kept, number, -1)
                    assert not kept
                    raise
            self._go(name, kept, number, following, taken)
            number = following
        assert not kept

    def _call(self, name: str, place: tuple[int, int], change: int) -> None:
        if place in self.probes[name].calls:
            self.counters[self.probes[name].calls[place]] += change

    def _rtl(self, name, number, rtl, position, labels, depth) -> tuple[int, bool]:
        self.steps += 1
        if self.steps > self.most or depth > 40:
            self.stopped = name, position
            raise TooLong
        self.rtls[name][position] += 1
        if "SYSL(1" in repr(rtl):
            raise Ended
        effect = rtl.transfer
        if rtl.call is not None:
            place = number, position - sum(len(b.rtls) for b in self.program.functions[name].blocks[:number])
            self._call(name, place, 1)
            self._function(rtl.call.target.name, depth + 1)
            self._call(name, place, -1)
        if effect is None:
            return number + 1, False
        match type(effect).__name__:
            case "Jump":
                return labels[effect.label], False
            case "Branch":
                if self.random.random() < 0.5:
                    self.taken[name][number] += 1
                    return labels[effect.label], True
                return number + 1, False
            case "IndirectJump":
                return labels[self.random.choice(effect.labels)], False
        return -1, False
