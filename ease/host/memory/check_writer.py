"""Write the checks that `ease.host.memory.check_plan` has planned into the host code of a function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cache_sim.native.check_code import EXACT, FAST, MISSED, Check, CheckCode
from cache_sim.native.fetch_code import Touch
from ease.host.instruments.instrument import Site
from ease.host.memory.check_plan import CheckPlan
from ease.host.memory.facts import Place
from vpo.analysis.cfg import units
from vpo.analysis.references import Reference
from vpo.rtl import Return, Rtl

if TYPE_CHECKING:
    from ease.host.memory.caching import Caching


class CheckWriter:
    """Writes the checks of one function.

    With context switches, a function has two copies: a fast one, and an exact one that follows each reference.  A function
    that hardly ever runs has the exact copy only.
    """

    def __init__(self, caching: Caching, site: Site) -> None:
        self.caching, self.site = caching, site
        self.fetches = caching.program.fetched[site.function.name]
        self.leaving = set(self._slots_of_calls())
        if self.check_code.code.switching:
            numbers = range(site.first, site.first + len(self.fetches))
            site.copies = (EXACT,) if all(number in caching.feedback.cold for number in numbers) else (FAST, EXACT)
        self.plan = CheckPlan(caching, site.function, site.first, site.copies)

    @property
    def check_code(self) -> CheckCode:
        """The writer of checks."""
        return self.caching.writers[0]

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the function, without the thread."""
        return [("i64", MISSED)] if self.check_code.code.penalty else []

    def enter(self) -> None:
        """Set the misses that wait for settlement to 0, at the head of the function and behind calls."""
        if self.check_code.code.penalty:
            self.site.emitter.lines.append(f"store i64 0, ptr {MISSED}")

    def begin(self, block: int) -> None:
        """Write the switch check at the head of a block; it stands before counters, so that it can be the head of a loop."""
        if (block, 0) in self.plan.switch_checks:
            self._switch_check((block, 0))

    def before(self, block: int, index: int) -> None:
        """Write the checks of an RTL."""
        emitter, place, exact = self.site.emitter, (block, index), self.site.copy == EXACT
        if index and place in self.plan.switch_checks:
            self._switch_check(place)
        if not exact:
            self.check_code.begin(emitter, self.plan.costs.get(place, 0))
            self._fetch(self.plan.fetched.checks.get(place, ()))
        write = self.check_code.follow if exact else self.check_code.check
        probe = None
        for probe in (self.plan.followed if exact else self.plan.checks).get(place, ()):
            if probe.reference is None:
                write(emitter, probe.check, str(probe.check.address))
            else:
                self._data(probe.check, probe.reference)
        if probe is not None and place in self.leaving:
            self.check_code.settle(emitter)

    def edge(self, source: int, target: int) -> None:
        """Write nothing."""

    def _fetch(self, touches: Sequence[Touch]) -> None:
        """Write one check for the lines from which code fetches."""
        _, fetches = self.caching.writers
        if touches and fetches is not None:
            fetches.check(self.site.emitter, touches)

    def _switch_check(self, place: Place) -> None:
        """Write a switch check.

        The other copy jumps to the label of the block if the check stands at the head of the block.  A label of its own would
        be a second entry into loops, and LLVM recognises no loop with two entries.
        """
        block, index = place
        name = f"switch_check.{block}.{index}" if index else self.site.function.blocks[block].label
        switch_check, emitter = self.plan.switch_checks[place], self.site.emitter
        if index:
            self._land(name)
        if self.site.copy != EXACT:
            self.check_code.switch_check(emitter, switch_check.enough, name + EXACT)
        elif switch_check.returns:
            fetches, needs = self.caching.fetches, self.plan.fetched.needs.get(place)
            lines_resident = fetches.lines_resident(needs) if fetches is not None and needs else ""
            self.check_code.switch_check_back(emitter, switch_check.enough, name, lines_resident)

    def _land(self, name: str) -> None:
        """Write the label to which the other copy jumps."""
        label = name + self.site.copy
        self.site.emitter.lines += [f"br label %{label}", f"{label}:"]

    def transfer(self, block: int, index: int, value: str) -> None:
        """Settle misses before a call or return, which hands on the units that are left."""
        if _leaves(self.site.function.blocks[block].rtls[index]):
            self.check_code.settle(self.site.emitter)

    def _slots_of_calls(self) -> Iterator[Place]:
        """Yield the places of the delay slots of calls and returns."""
        for number, block in enumerate(self.site.function.blocks):
            for first, _, end in units(self.caching.program.machine, self.site.function, block):
                if _leaves(block.rtls[first]):
                    yield from ((number, index) for index in range(first + 1, end))

    def _data(self, check: Check, reference: Reference) -> None:
        """Write the check of a reference to data, and around it a test of the guards of the reference."""
        emitter = self.site.emitter
        after = emitter.label() if reference.guards else ""
        for test, holds in reference.guards:
            inside, condition = emitter.label(), emitter.condition(test)
            targets = (inside, after) if holds else (after, inside)
            emitter.lines += [f"br i1 {condition}, label %{targets[0]}, label %{targets[1]}", f"{inside}:"]
        address = emitter.value(reference.cell.address, emitter.word)
        if emitter.bits > 32:
            address = emitter.put(f"trunc i{emitter.bits} {address} to i32")
        write = self.check_code.follow if self.site.copy == EXACT else self.check_code.check
        write(emitter, check, address)
        if after:
            emitter.lines += [f"br label %{after}", f"{after}:"]


def _leaves(rtl: Rtl) -> bool:
    """True if an RTL is a call or a return."""
    return rtl.call is not None or isinstance(rtl.transfer, Return)
