"""The sections of a dossier: what the facts come to, as tables, each with the command that makes its numbers again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ease import Bar, HeatMap, TitledTable, Verdict, card, mean_change, number, verdict_over
from ease.lab.dossier.facts import SELDOM, Asked, Facts, name_of, on, ordered, unlike, without
from ease.lab.dossier.opcode_space import Space, space_of
from ease.lab.experiments.programs import Program
from vpo.opt.driver import Level

MEASURES = ("instructions", "cycles", "static bytes", "references")
SHARES = tuple(range(4, 21, 2))  # bits whose cumulative shares are shown
TOLD = 0.0005  # a saving that the verdict names
USES = 16  # ranges of constants that are shown


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a dossier: its title, what it says, its tables by the name of their CSV file, and perhaps a picture."""

    title: str
    text: str
    tables: tuple[tuple[str, TitledTable], ...] = ()
    picture: HeatMap | None = None


class Told:
    """Makes the sections of the facts that were asked for."""

    def __init__(self, asked: Asked, facts: Facts) -> None:
        self.asked, self.facts = asked, facts
        self.base = asked.base_name
        self.candidates = [name for name in asked.machines if name != self.base]
        self.programs = [program.name for program in asked.programs]
        self.measures = [name for name in MEASURES if all(self._all(name))]

    def _all(self, measure: str) -> Iterator[bool]:
        for name in (self.base, *self.candidates):
            for level in self.asked.levels:
                yield from (measure in self.totals(name, level, program) for program in self.programs)

    def totals(self, machine: str, level: Level, program: str) -> Mapping[str, int]:
        """Return the totals of a program on a machine."""
        found: Mapping[str, int] = self.facts[name_of("cost", machine, level, program)]["totals"]
        return found

    def knows(self, machine: str, level: Level) -> bool:
        """Return whether all programs could be measured on a machine."""
        return all(name_of("cost", machine, level, program) in self.facts for program in self.programs)

    def change(self, machine: str, level: Level, measure: str, base: str) -> float:
        """Return by how much the geometric mean of a measure changes."""
        return mean_change(self.pairs(machine, level, measure, base))

    def pairs(
        self, machine: str, level: Level, measure: str, base: str, programs: Sequence[str] = ()
    ) -> list[tuple[int, int]]:
        """Return what each program, of all or of some, takes on the base and on a machine."""
        return [
            (self.totals(base, level, program)[measure], self.totals(machine, level, program)[measure])
            for program in programs or self.programs
        ]

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdict of each candidate at the first level."""
        level, found = self.asked.levels[0], {}
        for name in self.candidates:
            pairs = {measure: self.pairs(name, level, measure, self.base) for measure in self.measures}
            notes = [*self._best(name), *self._loud(name)]
            found[name] = verdict_over(name, pairs, self.programs, notes, str(level), self.base)
        return found

    def band(self, candidate: str, measure: str, processor: str = "") -> tuple[float, float]:
        """Return the least and the largest change that a candidate makes, over all orders of both descriptions."""
        orders = range(self.asked.orders + 1)
        names = [[on(ordered(name, order), processor) for order in orders] for name in (self.base, candidate)]
        level = self.asked.levels[0]
        found = [self.change(mine, level, measure, base) for base in names[0] for mine in names[1]]
        return min(found), max(found)

    def _loud(self, candidate: str) -> list[str]:
        """Return whether what a candidate changes is within the noise of the compiler, if that is known."""
        if not self.asked.orders:
            return []
        low, high = self.band(candidate, self.deciding)
        return ["this is within the noise of the compiler"] if low < 0 < high else []

    def card(self, candidate: str) -> str:
        """Return the verdict of a candidate as a picture: what each program saves."""
        level = self.asked.levels[0]
        pairs = zip(self.programs, self.pairs(candidate, level, self.deciding, self.base), strict=True)
        changes = [(program, after / before - 1 if before else 0.0) for program, (before, after) in pairs]
        bars = [Bar(program, change, f"{signed(change)} %") for program, change in changes]
        notes = [f"Bars are {self.deciding}.", self.command]
        return card(candidate, self.verdicts[candidate].sentence, bars, self.base, notes)

    def _best(self, candidate: str) -> list[str]:
        """Return which program gains most, if there are several."""
        measure, level = self.deciding, self.asked.levels[0]
        changes = {
            program: after / before - 1
            for program, (before, after) in zip(self.programs, self.pairs(candidate, level, measure, self.base), strict=True)
        }
        most = min(changes, key=lambda program: changes[program])
        best = f"{program_share(changes[most])} of the {measure} of {most}"
        return [best] if len(changes) > 1 and changes[most] < -TOLD else []

    @property
    def deciding(self) -> str:
        """The measure that decides: cycles, if all machines have them."""
        return "cycles" if "cycles" in self.measures else "instructions"

    @property
    def weighed(self) -> list[str]:
        """The measures whose saving is told for each part of the opcode space: what decides, and the size of code."""
        return [self.deciding, *(name for name in self.measures if name == "static bytes")]

    def sections(self) -> Iterator[Section]:
        """Yield the sections in their order."""
        yield self._summary()
        yield from (self._programs(level) for level in self.asked.levels)
        for name in self.candidates:
            if self.asked.new(name):
                yield from (self._instructions(name, level) for level in self.asked.levels)
        yield self._lines()
        yield self._misses()
        yield self._immediates()

    # ------------------------------------------------------------------------------------------------------------------

    def _summary(self) -> Section:
        """Return what candidates save, by level, as geometric means."""
        head = ["machine", "level", *(f"{measure} %" for measure in self.measures), "programs better", "worse"]
        rows = [head]
        for name in self.candidates:
            for level in self.asked.levels:
                pairs = self.pairs(name, level, self.deciding, self.base)
                better, worse = (sum(map(test, pairs)) for test in (lambda p: p[1] < p[0], lambda p: p[1] > p[0]))
                changes = [signed(self.change(name, level, measure, self.base)) for measure in self.measures]
                rows.append([name, f"-O{level}", *changes, str(better), str(worse)])
        many = f"{len(self.programs)} program{'s' if len(self.programs) != 1 else ''}"
        note = f"Changes against {self.base}, geometric means over {many}; better and worse: {self.deciding}."
        odd = unlike(self.asked, self.facts)
        note += f"\nMake it again: {self.command}"
        drawn = self.heat_map if len(self.candidates) * len(self.programs) > 1 else None
        told = [f"These write something else, or end otherwise, somewhere: {', '.join(odd)}."] if odd else []
        text = "\n\n".join([*told, *(verdict.sentence for verdict in self.verdicts.values())])
        return Section("Summary", text, (("summary", TitledTable("What the candidates save", rows, 2, note)),), drawn)

    @property
    def heat_map(self) -> HeatMap:
        """The changes of each program on each candidate, at the first level."""
        level, measure = self.asked.levels[0], self.deciding
        cells = [
            [after / before - 1 for before, after in self.pairs(name, level, measure, self.base)] for name in self.candidates
        ]
        title = f"{measure} at -O{level}: change in per cent against {self.base}"
        return HeatMap(title, self.candidates, self.programs, cells)

    @property
    def command(self) -> str:
        """The command that makes the whole dossier."""
        machines = [word for name in (self.asked.base, *self.asked.candidates) for word in ("-m", name)]
        levels = ",".join(map(str, self.asked.levels))
        held = [word for words in self.asked.held_out_words for word in ("--held-out", words)]
        noise = ["--noise", str(self.asked.orders)] if self.asked.orders else []
        processors = [word for words in self.asked.processors for word in ("--processor", words)]
        beside = [*held, *noise, *processors]
        return shlex.join(["ease", "dossier", *machines, "-O", levels, *beside, "-o", "DIR", *self.asked.words])

    def _programs(self, level: Level) -> Section:
        """Return what each program takes on each machine."""
        head = ["program", *(f"{self.base} {measure}" for measure in self.measures)]
        head += [f"{name} {measure} %" for name in self.candidates for measure in self.measures]
        rows, columns = [head], [(name, level, measure) for name in self.candidates for measure in self.measures]
        for place, program in enumerate(self.programs):
            whole = [number(self.totals(self.base, level, program)[measure]) for measure in self.measures]
            pairs = [self.pairs(*column, self.base)[place] for column in columns]
            rows.append([program, *whole, *(signed(after / before - 1 if before else 0.0) for before, after in pairs)])
        means = [signed(self.change(*column, self.base)) for column in columns]
        rows.append(["geometric mean", *[""] * len(self.measures), *means])
        commands = [self.compared(program, self.asked.candidates[0], level) for program in self.asked.programs]
        note = "Make a row again, here of the first candidate:\n" + "\n".join(commands)
        table = TitledTable(f"Programs at -O{level}", rows, 1, note)
        return Section(f"Programs at -O{level}", "", ((f"programs-O{level}", table),))

    def compared(self, program: Program, candidate: str, level: Level, more: Sequence[str] = ()) -> str:
        """Return the command that compares a program on the base and a candidate, perhaps with more words."""
        return _ran(program, ["ease", "compare", f"-O{level}", *more, "-m", self.asked.base, "-m", candidate])

    # ------------------------------------------------------------------------------------------------------------------

    def _instructions(self, candidate: str, level: Level) -> Section:
        """Return what each new instruction takes and what it is worth."""
        machine = self.asked.machines[candidate]
        rows = [[
            "instruction", "code points", "% of space", "places, mean", "places, most", "bytes, mean", "bytes, most",
            "executed", "bytes fetched", *(f"{measure} % alone" for measure in self.measures),
            *(f"% {measure} saved per % of space" for measure in self.weighed),
        ]]  # fmt: skip
        for name in self.asked.new(candidate):
            space = space_of(machine.built, name)
            worth = self._worth(candidate, name, level)
            cells = ["-"] * len(self.measures) if worth is None else [signed(worth[measure]) for measure in self.measures]
            saved = [_share(worth, measure, space) for measure in self.weighed]
            rows.append([name, *_taken(space), *self._use(candidate, name, level), *cells, *saved])
        source = self.asked.candidates[self.candidates.index(candidate)]
        words = ["easecc", "-m", source, "--set", "instructions.NAME=null", f"-O{level}", "-timing"]
        sets = _ran(self.asked.programs[0], words)
        note = (
            "Code points: all registers, constants and distances; '>', without `encoding:`, is at least.  % of space: of all"
            " instructions of that size.\nPlaces and bytes: in the code of a program.  Executed, bytes fetched:"
            " all programs together.\n"
            f"% alone: what the programs save on {candidate} against the same machine without this instruction (geometric"
            " mean), and that for each per cent of space; - : a program cannot be compiled without it.\n"
            f"Make a number again: measure with and without, as in\n{sets}"
        )
        title = f"Instructions of {candidate} at -O{level}"
        return Section(title, "", ((f"instructions-{candidate}-O{level}", TitledTable(title, rows, 1, note)),))

    def _worth(self, candidate: str, name: str, level: Level) -> dict[str, float] | None:
        """Return what an instruction alone saves, by measure; None if not all programs can do without it."""
        rest = without(candidate, name)
        if not self.knows(rest, level):
            return None
        return {measure: self.change(candidate, level, measure, rest) for measure in self.measures}

    def _use(self, candidate: str, name: str, level: Level) -> list[str]:
        """Return places and bytes of an instruction in code, mean and most, how often it is executed, and bytes fetched."""
        found = [
            self.facts[name_of("cost", candidate, level, program)]["instructions"].get(name, [0, 0, 0, 0])
            for program in self.programs
        ]
        places, sizes, times, fetched = (list(column) for column in zip(*found, strict=True))
        count = len(found)
        means = [f"{sum(places) / count:.1f}", number(max(places)), f"{sum(sizes) / count:.1f}", number(max(sizes))]
        return [*means, number(sum(times)), number(sum(fetched))]

    # ------------------------------------------------------------------------------------------------------------------

    def _lines(self) -> Section:
        """Return the source lines at which most is saved, or lost."""
        rows = [["machine", "program", "line", "what became what", "instructions"]]
        for name in self.candidates:
            for program in self.programs:
                found = self._differing(name, program)
                rows += [[name, program, line, reason, f"{change:+,}"] for line, change, reason in found]
        level = self.asked.levels[0]
        note = f"At -O{level}.  Make it again: {self.compared(self.asked.programs[0], self.asked.candidates[0], level)}"
        return Section("Source lines", "", (("lines", TitledTable("Lines that differ most", rows, 4, note)),))

    def _differing(self, candidate: str, program: str) -> Sequence[tuple[str, int, str]]:
        found: Sequence[tuple[str, int, str]] = self.facts[name_of("why", candidate, self.asked.levels[0], program)]["lines"]
        return found

    def _misses(self) -> Section:
        """Return where new instructions nearly are, and why they are not."""
        rows = [["machine", "instruction", "program", "place", "why not", "executed"]]
        for name in self.candidates:
            for program in self.programs:
                for instruction, places in self._near(name, program).items():
                    for function, file, line, times, reason in places:
                        where = f"{str(file).rsplit('/', 1)[-1]}:{line} in {function}"
                        rows.append([name, instruction, program, where, str(reason), f"{times:,}"])
        first = self.asked.programs[0]
        command = _ran(first, ["easecc", "-m", self.asked.candidates[0], f"-O{self.asked.levels[0]}", "-why-not", "NAME"])
        note = f"Places that are executed at least once in {SELDOM:,} instructions.  Make it again: {command}"
        return Section("Near misses", "", (("misses", TitledTable("Where instructions nearly are", rows, 5, note)),))

    def _near(self, candidate: str, program: str) -> Mapping[str, list[list[object]]]:
        fact = self.facts[name_of("why", candidate, self.asked.levels[0], program)]
        found: Mapping[str, list[list[object]]] = fact["misses"]
        return found

    def _immediates(self) -> Section:
        """Return which constants the programs want on the base machine, as cumulative shares."""
        level = self.asked.levels[0]
        ranges: dict[str, int] = {}
        wanted: dict[str, Counter[int]] = {}
        for program in self.programs:
            for use, found in self.facts[name_of("constants", self.base, level, program)]["uses"].items():
                ranges[use] = found["range"]
                wanted.setdefault(use, Counter()).update({int(bits): times for bits, times in found["dynamic"].items()})
        most = sorted((use for use in wanted if wanted[use].total()), key=lambda use: -wanted[use].total())[:USES]
        rows = [["immediate", "bits", "executed", *(f"<= {bits} %" for bits in SHARES)]]
        for use in most:
            whole = wanted[use].total()
            shares = [
                f"{100 * sum(times for bits, times in wanted[use].items() if bits <= width) / whole:.1f}"
                if width <= ranges[use] else ""
                for width in SHARES
            ]  # fmt: skip
            rows.append([use, str(ranges[use]), number(whole), *shares])
        again = f"ease experiment immediates -m {self.asked.base} -O {level} {shlex.join(self.asked.words)}"
        note = f"{self.base} at -O{level}: executed constants and offsets that fit in so many bits.  Make it again: {again}"
        table = TitledTable("Constants that the programs want", rows, 1, note)
        return Section("Immediates and offsets", "", (("immediates", table),))


def _taken(space: Space) -> list[str]:
    mark = "" if space.exact else ">"
    return [f"{mark}{space.points:,}", f"{mark}{100 * space.part:.3g}"]


def _share(worth: Mapping[str, float] | None, measure: str, space: Space) -> str:
    """Return what is saved of a measure for each part of the opcode space."""
    if worth is None or not space.part:
        return "-"
    saved = -worth[measure] / space.part
    return f"{saved:,.0f}" if abs(saved) >= 100 else f"{saved:.3g}" if saved else "0"


def signed(change: float) -> str:
    """Return a change in per cent, small ones with more digits."""
    return f"{100 * change:+.{2 if abs(change) >= 0.0001 else 4}f}" if change else "0"


def program_share(change: float) -> str:
    """Return how much less something is."""
    return f"{-100 * change:.1f} %"


def _ran(program: Program, words: Sequence[str]) -> str:
    """Return a command line that compiles and runs a program where it is to be run."""
    files = program.files if program.folder == "." else [file.removeprefix(f"{program.folder}/") for file in program.files]
    line = shlex.join([*words, *program.options, *files, *(["--", *program.arguments] if program.arguments else [])])
    return f"{line} < {shlex.quote(program.stdin)}" if program.stdin else line
