"""What each part of a machine is worth: what programs cost with it and without it, and as tables, JSON and a heat map."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from ease import Error, HeatMap, Machine, Run, TitledTable, measuring_code, number
from ease import Program as Compiled
from ease.lab.experiments.experiment import added
from ease.lab.experiments.programs import Program
from vpo.base import cache
from vpo.base.parallel import workers
from vpo.machines.advice.edits import Edit, edited
from vpo.machines.read.load import fingerprint
from vpo.machines.read.source import DescriptionError
from vpo.opt.driver import Level
from vpo.rtl.function import as_data

# ----------------------------------------------------------------------------------------------------------------------
# What programs cost on a machine: the few numbers by which variants of a machine are compared.


MEASURES = ("instructions", "references", "bytes", "cycles")
TIME = 60.0  # seconds that a run may take: one that was compiled wrongly may not end


@dataclass(frozen=True, slots=True)
class Price:
    """What a run did: executed instructions, references to memory, cycles (0 if the machine has no timing), bytes of code.

    `executed` counts instructions by name.
    """

    instructions: int = 0
    references: int = 0
    bytes: int = 0
    cycles: int = 0
    executed: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Price) -> Price:
        """Put the runs of two programs together."""
        sums = {name: self.of(name) + other.of(name) for name in MEASURES}
        return Price(**sums, executed=added(self.executed, other.executed))

    def of(self, measure: str) -> int:
        """Return one of MEASURES."""
        number: int = getattr(self, measure)
        return number


def run(program: Program, compiled: Compiled) -> Run:
    """Run a program once, as fast as it is compiled for the host.

    Raises ease.Error, and UserError if it does not end by itself.
    """
    return program.run(compiled, timeout=TIME, quick=True)


def price_of(run: Run) -> Price:
    """Return what a run did."""
    known, types = run.measurement.program, run.measurement.characteristics.types
    assert known is not None
    names = dict.fromkeys(kind.instruction for kind in known.kinds)  # in the order of the code
    executed = {name: types[name].dynamic if name in types else 0 for name in names}
    return Price(run.instructions, run.references, run.size, run.cycles or 0, executed)


def end_of(run: Run) -> tuple[int, bytes]:
    """Return how a run ended, and what it wrote."""
    return run.exit_status, run.output + run.errors


# ----------------------------------------------------------------------------------------------------------------------
# What each part of a machine is worth: the part is taken away, the programs are compiled and run again.
#
# Prices are kept in the cache under digests of description, programs and level, so that what was interrupted goes on where
# it stopped.


OTHER_OUTPUT = "{} writes something else, or ends otherwise"


@dataclass(frozen=True, slots=True)
class Variant:
    """A machine with edits, and the price of each program on it, or the reason why there is none."""

    edits: tuple[Edit, ...]
    prices: dict[str, Price]
    reason: str = ""

    @property
    def name(self) -> str:
        """What was taken away."""
        return " + ".join(edit.name for edit in self.edits)

    @property
    def total(self) -> Price:
        """The price of all programs together."""
        return sum(self.prices.values(), Price())


class Ablation:
    """Prices variants of one machine over some programs.

    Where the cache is turned off, so is what keeps compiling a variant from being compiling everything.
    """

    def __init__(self, machine: Machine, programs: Sequence[Program], level: Level) -> None:
        self.machine, self.programs, self.level = machine, programs, level

    @cached_property
    def compiled(self) -> dict[str, Compiled]:
        """Each program, compiled for the whole machine.

        Raises ease.Error.
        """
        return {program.name: program.compiled(self.machine, self.level) for program in self.programs}

    @cached_property
    def identity(self) -> str:
        """A digest of everything but the description that a price depends on.

        Raises ease.Error, OSError.
        """
        parts = [*measuring_code()]
        for program in self.programs:
            inputs = [Path(program.folder, word) for word in (program.stdin, *program.arguments) if word]
            read = [*map(Path, self.compiled[program.name].read), *(path for path in inputs if path.is_file())]
            parts += [repr(program), *(repr(path.read_bytes()) for path in read)]
        return cache.key(f"-O{self.level}", *parts)

    @cached_property
    def runs(self) -> dict[str, Run]:
        """The run of each program on the whole machine.

        Raises ease.Error, UserError.
        """
        return {program.name: run(program, self.compiled[program.name]) for program in self.programs}

    @cached_property
    def _code(self) -> dict[str, object]:
        return {name: _code_of(compiled) for name, compiled in self.compiled.items()}

    def priced(self, edits: tuple[Edit, ...]) -> Variant:
        """Return the price of a machine with edits, from the cache if it is there."""
        name = self._key(edits)
        known = self._kept(name, edits)
        if known is None:
            known = self._measured(edits)
            plain = {program: _plain(price) for program, price in known.prices.items()}
            cache.store(name, (known.reason, plain))
        return known

    def known(self, edits: tuple[Edit, ...]) -> Variant | None:
        """Return the price of a machine with edits if the cache has it."""
        return self._kept(self._key(edits), edits)

    def _key(self, edits: tuple[Edit, ...]) -> str:
        try:
            changed = fingerprint(edited(self.machine.description, *edits))
        except (DescriptionError, KeyError):  # as compiling will find
            changed = " ".join([self.machine.built.fingerprint, *(edit.name for edit in edits)])
        return cache.key("price", self.identity, changed)

    def _kept(self, name: str, edits: tuple[Edit, ...]) -> Variant | None:
        kept = cache.load(name, ())
        return None if kept is None else Variant(edits, {p: Price(**fields) for p, fields in kept[1].items()}, kept[0])

    def _measured(self, edits: tuple[Edit, ...]) -> Variant:
        """Compile and run the programs on an edited machine."""
        try:
            machine = self.machine.edited(*edits)
            return Variant(edits, {program.name: self._price(program, machine) for program in self.programs})
        except Error as error:
            return Variant(edits, {}, str(error))
        except Exception as error:  # a part without which the compiler fails has a price, too
            return Variant(edits, {}, str(error).splitlines()[0] if str(error) else type(error).__name__)

    def _price(self, program: Program, machine: Machine) -> Price:
        before, compiled = self.runs[program.name], program.compiled(machine, self.level)
        if _code_of(compiled) == self._code[program.name]:
            return price_of(before)
        after = run(program, compiled)
        if end_of(after) != end_of(before):
            raise ValueError(OTHER_OUTPUT.format(program.name))
        return price_of(after)

    @property
    def whole(self) -> Variant:
        """The price of the machine as it is."""
        return Variant((), {name: price_of(run) for name, run in self.runs.items()})


def _code_of(program: Compiled) -> object:
    """Return what makes two programs the same code at the same addresses."""
    linked = program.linked
    return [as_data(function) for function in linked.functions.values()], linked.image, linked.addresses


def _plain(price: Price) -> dict[str, object]:
    return {name: getattr(price, name) for name in Price.__slots__}


# ------------------------------------------------------------------------------------------------------------ in parallel


def price_all(
    ablation: Ablation, variants: Sequence[tuple[Edit, ...]], jobs: int, tell: Callable[[str], None]
) -> list[Variant]:
    """Return the price of each variant; `tell` hears of progress, and how long it may still take."""
    found = {number: ablation.known(edits) for number, edits in enumerate(variants)}
    wanted = [number for number, variant in found.items() if variant is None]
    ablation.runs  # noqa: B018  before processes fork, so that all share them
    begun = time.monotonic()
    for done, (place, variant) in enumerate(_priced(ablation, variants, wanted, jobs), 1):
        found[place] = variant
        left = (time.monotonic() - begun) / done * (len(wanted) - done)
        tell(f"{done} of {len(wanted)}: {variant.name or 'nothing'}; {left / 60:.0f} minutes left")
    return [variant for variant in found.values() if variant is not None]


_work: Callable[[int], Variant]  # of the processes that were forked when it was set


def _priced(
    ablation: Ablation, variants: Sequence[tuple[Edit, ...]], wanted: Sequence[int], jobs: int
) -> Iterator[tuple[int, Variant]]:
    """Yield the number and price of each wanted variant, in the order in which they are done."""
    global _work
    if jobs < 2 or len(wanted) < 2:
        yield from ((number, ablation.priced(variants[number])) for number in wanted)
        return

    def work(number: int) -> Variant:
        return ablation.priced(variants[number])

    _work = work
    with workers(min(jobs, len(wanted)), "fork") as pool:
        futures = {pool.submit(_do, number): number for number in wanted}
        for future in as_completed(futures):
            name_and_prices = future.result()
            yield futures[future], Variant(variants[futures[future]], *name_and_prices)


def _do(number: int) -> tuple[dict[str, Price], str]:
    variant = _work(number)
    return variant.prices, variant.reason


# ----------------------------------------------------------------------------------------------------------------------
# Tables, JSON and a heat map of what the parts of a machine are worth.


INSTEAD = 3  # instructions that are shown to take the place of others
SHOWN = 40  # rows of a heat map


def measure_of(whole: Variant) -> str:
    """Return the measure by which to sort: cycles if the machine's description tells them, else instructions."""
    return "cycles" if whole.total.cycles else "instructions"


def change(variant: Variant, whole: Variant, measure: str) -> float:
    """Return by which part of the whole machine's a variant's measure is higher."""
    before = whole.total.of(measure)
    return (variant.total.of(measure) - before) / before if before else 0.0


def prices(variants: Sequence[Variant], whole: Variant) -> Iterator[TitledTable]:
    """Yield the costs of what was taken away, the highest first; what changes nothing; what cannot be compiled without it."""
    measure = measure_of(whole)
    priced = [variant for variant in variants if not variant.reason]
    dear = [variant for variant in priced if differences(variant, whole) != [0] * len(MEASURES)]
    dear.sort(key=lambda variant: (-change(variant, whole, measure), variant.name))
    head = ["without", "", *(cell for name in _measures(whole) for cell in (name, "%")), "  instead"]
    rows = [head, *([*_titles(variant), *_cells(variant, whole), "  " + instead(variant, whole)] for variant in dear)]
    yield TitledTable(f"What parts are worth: costs of taking one away, by {measure}", rows, keys=2, note=_totals(whole))
    free = [variant for variant in priced if variant not in dear]
    yield TitledTable("Parts that these programs do without", [["", "parts"], *_by_kind(free)], keys=2)
    failed = [[*_titles(variant), variant.reason] for variant in variants if variant.reason]
    yield TitledTable("Parts without which there is no right code", [["part", "", "why"], *failed], keys=3)


def _titles(variant: Variant) -> list[str]:
    return [" + ".join(dict.fromkeys(edit.kind for edit in variant.edits)), variant.name]


def _measures(whole: Variant) -> list[str]:
    return [name for name in MEASURES if whole.total.of(name)]


def differences(variant: Variant, whole: Variant) -> list[int]:
    """Return by how much each of MEASURES is higher than on the whole machine."""
    before, after = whole.total, variant.total
    return [after.of(name) - before.of(name) for name in MEASURES]


def _cells(variant: Variant, whole: Variant) -> list[str]:
    wanted = _measures(whole)
    pairs = zip(MEASURES, differences(variant, whole), strict=True)
    return [
        cell for name, more in pairs if name in wanted for cell in (f"{more:+,}", f"{100 * change(variant, whole, name):+.2f}")
    ]


def _totals(whole: Variant) -> str:
    return "the whole machine: " + ", ".join(f"{number(whole.total.of(name))} {name}" for name in _measures(whole))


def _by_kind(variants: Iterable[Variant]) -> list[list[str]]:
    ordered = sorted(variants, key=lambda variant: _titles(variant)[0])
    return [[kind, ", ".join(v.name for v in group)] for kind, group in groupby(ordered, lambda v: _titles(v)[0])]


def instead(variant: Variant, whole: Variant) -> str:
    """Return which instructions are executed more often than on the whole machine, most first."""
    before, after = whole.total.executed, variant.total.executed
    more = {name: times - before.get(name, 0) for name, times in after.items()}
    chosen = sorted((name for name in more if more[name] > 0), key=lambda name: -more[name])[:INSTEAD]
    return ", ".join(f"{name} {more[name]:+,}" for name in chosen)


def noise(variants: Sequence[Variant], whole: Variant) -> TitledTable:
    """Show how much prices change by edits that change no machine."""
    rows = [["", *(cell for name in _measures(whole) for cell in (name, "%"))]]
    rows += [[variant.name, *_cells(variant, whole)] for variant in variants if not variant.reason]
    return TitledTable("The compiler's noise: descriptions of the same machine in another order", rows)


def pairs(variants: Sequence[Variant], singles: Sequence[Variant], whole: Variant) -> TitledTable:
    """Show what two parts cost together beyond what each costs: where it is much, one replaces the other."""
    measure = measure_of(whole)
    alone = {variant.edits[0].name: change(variant, whole, measure) for variant in singles if not variant.reason}
    rows: list[tuple[float, list[str]]] = []
    for variant in variants:
        apart = sum(alone[edit.name] for edit in variant.edits)
        together = change(variant, whole, measure)
        shown = ["-", "no code"] if variant.reason else [f"{100 * together:+.3f}", f"{100 * (together - apart):+.3f}"]
        rows.append((-1.0 if variant.reason else apart - together, [variant.name, f"{100 * apart:+.3f}", *shown]))
    head = ["without both", "% apart", "% together", "% more"]
    return TitledTable(f"Pairs, by {measure}: what replaces what", [head, *(cells for _, cells in sorted(rows))])


def kept(steps: Sequence[Variant], whole: Variant, names: Sequence[str]) -> TitledTable:
    """Show in which order instructions were taken away, and at which cost; `names` are left.

    Those that change nothing when they go share a row with the one before.
    """
    measure = measure_of(whole)
    rows = [["taken away", "left", *(cell for name in _measures(whole) for cell in (name, "%"))]]
    before: set[str] = set()
    for _, same in groupby(steps, lambda variant: differences(variant, whole)):
        variant = list(same)[-1]
        gone = [edit.name for edit in variant.edits if edit.name not in before]
        left = len(names) + len(steps[-1].edits) - len(variant.edits)
        rows.append([", ".join(gone), str(left), *_cells(variant, whole)])
        before.update(gone)
    return TitledTable(f"A small set of instructions, by {measure}", rows, note="left: " + " ".join(names))


def as_json(variants: Iterable[Variant]) -> list[dict[str, Any]]:
    """Return the JSON form of variants: what was taken away, and the price of each program or the reason why there is none."""
    return [
        {"without": [{"kind": edit.kind, "name": edit.name} for edit in variant.edits]}
        | ({"reason": variant.reason} if variant.reason else {"programs": {p: _json(x) for p, x in variant.prices.items()}})
        for variant in variants
    ]


def _json(price: Price) -> dict[str, Any]:
    return {name: price.of(name) for name in MEASURES} | {"executed": dict(price.executed)}


def heat_map(variants: Sequence[Variant], whole: Variant) -> HeatMap:
    """Return a picture of the dearest parts: how much more each program takes without them."""
    measure = measure_of(whole)
    priced = [variant for variant in variants if not variant.reason and change(variant, whole, measure)]
    priced.sort(key=lambda variant: -change(variant, whole, measure))
    columns = list(whole.prices)
    cells = [
        [variant.prices[name].of(measure) / max(whole.prices[name].of(measure), 1) - 1 for name in columns]
        for variant in priced[:SHOWN]
    ]
    return HeatMap(f"more {measure} without a part", [variant.name for variant in priced[:SHOWN]], columns, cells)
