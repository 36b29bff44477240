"""The least that a machine lacks, as entries of its description: each is loaded, and tried on what could not be done."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ease.commands.machine.machine_check import START, Checker, Result, constructs, start_lacks
from ease.commands.machine.wanted_instructions import Entry, by_likeness, canonical, forms_elsewhere, lines_of, wanted
from vpo.machines.machine import Machine
from vpo.machines.read.extends import merge
from vpo.machines.read.load import build
from vpo.machines.read.source import DescriptionError, Map, Place, read_value

MOST = 8  # entries of one advice
TRIED = 24  # instructions of other descriptions that are tried where nothing tells what is missing
ALTERNATIVES = 6  # other instructions that are tried in the place of one


@dataclass(frozen=True, slots=True)
class Advice:
    """Entries that are enough, all together, and other instructions any of which could stand in the place of the only one."""

    entries: tuple[Entry, ...]
    instead: tuple[Entry, ...]

    def lines(self) -> list[str]:
        """Return what to tell."""
        if len(self.entries) > 1:
            head = "the least that is missing; add all of"
        else:
            names = [entry.name for entry in (*self.entries, *self.instead)]
            head = f"the least that is missing; add {'one of ' if self.instead else ''}{', '.join(names)}"
        lines = [f"{head} (loaded, and tried on all that cannot be done):", "", *lines_of(self.entries).splitlines()]
        for entry in self.instead:
            lines += ["", f"or, as {entry.name}:", "", *lines_of((entry,)).splitlines()]
        return lines


def advise(description: Map, machine: Machine, result: Result) -> Advice | None:
    """Return what to add so that everything can be done that could not; None if nothing short was found."""
    return _Adviser(description, machine, result).advice()


class _Adviser:
    def __init__(self, description: Map, machine: Machine, result: Result) -> None:
        self.text, self.machine = description, machine
        self.failing = [missing.construct for missing in result.missing]
        self.what = {missing.construct: missing.what for missing in result.missing}
        self.sources = dict(constructs())
        self.taken = {name for key in description["instructions"] for name in key.split()}
        self.pool = list(forms_elsewhere(machine))
        self.known: dict[str, str] = {}
        for entry in self.pool:
            self.known.setdefault(canonical(entry.rtl), entry.name)

    def advice(self) -> Advice | None:
        """Add what is wanted first, and again, until all can be done."""
        entries: tuple[Entry, ...] = ()
        left, what = self.failing, self.what[self.failing[0]]
        while left:
            likely = [entry for entry in self._likely(what) if entry not in entries]
            if not likely or len(entries) == MOST:
                return None
            outcomes = [(self._left((*entries, entry), left), entry) for entry in likely]
            (left, what), entry = min(outcomes, key=lambda outcome: len(outcome[0][0]))
            entries = (*entries, entry)
        for entry in entries[:-1]:
            without = tuple(other for other in entries if other is not entry)
            if not self._left(without, self.failing)[0]:
                entries = without
        return Advice(entries, self._instead(entries[0]) if len(entries) == 1 else ())

    def _likely(self, what: str) -> list[Entry]:
        """Return instructions that may be what is missing: what other descriptions have where the message names no RTL."""
        entries = wanted(self.machine, what, self.known, self.taken)
        if entries:
            return entries
        there = {canonical(alternative.text) for alternative in self.machine.recognizer.alternatives}
        lacking: dict[str, Entry] = {}
        for entry in self.pool:
            text = canonical(entry.rtl)
            if text not in there and entry.name not in self.taken and not entry.names_registers:
                lacking.setdefault(text, entry)
        return list(lacking.values())[:TRIED]

    def _instead(self, entry: Entry) -> tuple[Entry, ...]:
        """Return instructions of other descriptions that would do as well."""
        free = [other for other in self.pool if other.name not in self.taken and not other.names_registers]
        likely = by_likeness(entry, free)[:ALTERNATIVES]
        return tuple(other for other in likely if not self._left((other,), self.failing)[0])

    def _left(self, entries: tuple[Entry, ...], names: Sequence[str]) -> tuple[list[str], str]:
        """Return what cannot be done with entries, beginning with the first of such constructs, and what that one lacks."""
        changed = self._with(entries)
        try:
            machine = build(changed)
        except DescriptionError as error:
            return list(names), str(error)
        checker = Checker(machine)
        for number, name in enumerate(names):
            what = start_lacks(machine) if name == START else checker.lacks(self.sources[name], Path("check.c"))
            if what:
                return list(names[number:]), what
        return [], ""

    def _with(self, entries: tuple[Entry, ...]) -> Map:
        changed = copy.deepcopy(self.text)
        merge(changed, read_value(lines_of(entries), Place("advice", 1, 1)))
        return changed
