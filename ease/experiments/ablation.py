"""What each part of a machine is worth: the part is taken away, the programs are compiled and run again.

Prices are kept in the cache under digests of description, programs and level, so that what was interrupted goes on where
it stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import active_children, get_context
from os import getpid
from pathlib import Path

from ease.base import interrupts
from ease.base.version import measuring_code
from ease.experiments.experiment import Program
from ease.experiments.price import Outcome, Price, run
from ease.experiments.recompilation import Original, Recompiler
from vpo.base import cache
from vpo.base.errors import LinkError
from vpo.base.parallel import end_with
from vpo.build.compiler import Settings
from vpo.machines.advice.edits import Edit, edited
from vpo.machines.machine import Machine
from vpo.machines.read.load import build, fingerprint
from vpo.machines.read.source import DescriptionError, Map

Build = Callable[[Map], Machine]
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
    """Prices variants of one machine over some programs."""

    def __init__(self, description: Map, programs: Sequence[Program], level: int, built: Build = build) -> None:
        self.description, self.programs, self.built = description, programs, built
        self.settings = Settings(level=level)
        self.machine: Machine = built(description)
        self.identity = self._identity()

    def _identity(self) -> str:
        """Return a digest of everything but the description that a price depends on."""
        compiler, parts = Original(self.machine, self.settings), [*measuring_code()]
        for program in self.programs:
            parts += [compiler.preprocessed(Path(file), self.settings) for file in program.files]
            files = [Path(program.folder, word) for word in (program.stdin, *program.arguments) if word]
            parts += [repr(program), *(repr(path.read_bytes()) for path in files if path.is_file())]
        return cache.key(f"-O{self.settings.level}", *parts)

    @cached_property
    def original(self) -> Original:
        """The programs as they are compiled for the whole machine."""
        return Original(self.machine, self.settings)

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        """What each program does on the whole machine.

        Raises UserError, LinkError.
        """
        return {program.name: run(program, self.original.program(program.files)) for program in self.programs}

    def priced(self, edits: tuple[Edit, ...]) -> Variant:
        """Return the price of a machine with edits, from the cache if it is there."""
        try:
            description = edited(self.description, *edits)
        except (DescriptionError, KeyError) as error:
            return Variant(edits, {}, str(error))
        name = self._key(description)
        known = self._kept(name, edits)
        if known is None:
            known = self._measured(description, edits)
            plain = {program: _plain(price) for program, price in known.prices.items()}
            cache.store(name, (known.reason, plain))
        return known

    def known(self, edits: tuple[Edit, ...]) -> Variant | None:
        """Return the price of a machine with edits if the cache has it."""
        try:
            return self._kept(self._key(edited(self.description, *edits)), edits)
        except (DescriptionError, KeyError) as error:
            return Variant(edits, {}, str(error))

    def _key(self, description: Map) -> str:
        return cache.key("price", self.identity, fingerprint(description))

    def _kept(self, name: str, edits: tuple[Edit, ...]) -> Variant | None:
        kept = cache.load(name, ())
        return None if kept is None else Variant(edits, {p: Price(**fields) for p, fields in kept[1].items()}, kept[0])

    def _measured(self, description: Map, edits: tuple[Edit, ...]) -> Variant:
        """Compile and run the programs on an edited machine."""
        try:
            compiler = Recompiler(self.original, self.built(description), edits)
            prices = {program.name: self._price(program, compiler) for program in self.programs}
        except (DescriptionError, LinkError) as error:
            return Variant(edits, {}, str(error))
        except Exception as error:  # a part without which the compiler fails has a price, too
            return Variant(edits, {}, str(error).splitlines()[0] if str(error) else type(error).__name__)
        return Variant(edits, prices)

    def _price(self, program: Program, compiler: Recompiler) -> Price:
        before = self.outcomes[program.name]
        if compiler.is_unchanged(program.files):
            return before.price
        after = run(program, compiler.program(program.files))
        if (after.status, after.output) != (before.status, before.output):
            raise ValueError(OTHER_OUTPUT.format(program.name))
        return after.price

    @property
    def whole(self) -> Variant:
        """The price of the machine as it is."""
        return Variant((), {name: outcome.price for name, outcome in self.outcomes.items()})


def _plain(price: Price) -> dict[str, object]:
    return {name: getattr(price, name) for name in Price.__slots__}


# ------------------------------------------------------------------------------------------------------------ in parallel


def price_all(
    ablation: Ablation, variants: Sequence[tuple[Edit, ...]], jobs: int, tell: Callable[[str], None]
) -> list[Variant]:
    """Return the price of each variant; `tell` hears of progress, and how long it may still take."""
    found = {number: ablation.known(edits) for number, edits in enumerate(variants)}
    wanted = [number for number, variant in found.items() if variant is None]
    ablation.outcomes  # noqa: B018  compiled before processes fork, so that all share it
    begun = time.monotonic()
    for done, (number, variant) in enumerate(_priced(ablation, variants, wanted, jobs), 1):
        found[number] = variant
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
    with ProcessPoolExecutor(min(jobs, len(wanted)), get_context("fork"), end_with, (getpid(),)) as pool:
        try:
            with interrupts.held():
                futures = {pool.submit(_do, number): number for number in wanted}
            for future in as_completed(futures):
                name_and_prices = future.result()
                yield futures[future], Variant(variants[futures[future]], *name_and_prices)
        except BaseException:
            for process in active_children():
                process.kill()
            raise


def _do(number: int) -> tuple[dict[str, Price], str]:
    variant = _work(number)
    return variant.prices, variant.reason
