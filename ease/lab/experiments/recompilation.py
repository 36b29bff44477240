"""Programs compiled again for a machine from which a part was taken, as far as the code can notice that the part is gone.

`Original` compiles for the whole machine and notes for each unit and function which parts of the description the answers rest
on that the machine gave meanwhile (`vpo.machines.match.match_parts`).  A `Recompiler` compiles for an edited machine: it
expands again the trees of units that may become other code, and runs the phases over those functions that may.
"""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from vpo import il
from vpo.analysis.memory_effects import UnitFacts, memory_effects, unit_facts
from vpo.base.errors import CannotExpress, UserError
from vpo.build.compiler import Compiler, Settings
from vpo.expand.expander import expand_unit
from vpo.il.uses import private_data
from vpo.link.link import link
from vpo.machines.advice.edits import ADDITION, Edit
from vpo.machines.machine import Machine
from vpo.machines.match.match_parts import Usage, added, same_facts, usage_of
from vpo.opt.driver import improve
from vpo.program import Program
from vpo.rtl import Effect
from vpo.rtl.function import Block, Data, Function, Unit

Code = list[tuple[str, list[tuple[Effect, ...]]]]  # of a function: labels and effects of its blocks


@dataclass(slots=True)
class KeptFunction:
    """A function as it was expanded and as it came to be, and what its phases used."""

    expanded: Code
    final: Code
    function: Function
    usage: Usage


@dataclass(slots=True)
class KeptUnit:
    """A unit with its tree, what its expansion used, and its functions by name."""

    tree: bytes
    usage: Usage
    unit: Unit
    functions: dict[str, KeptFunction]


class Original(Compiler):
    """Compiles for the whole machine and keeps what a Recompiler needs."""

    def __init__(self, machine: Machine, settings: Settings) -> None:
        super().__init__(machine, settings)
        self.kept: dict[Path, KeptUnit] = {}
        self.needed: dict[tuple[str, ...], set[Path]] = {}  # the library's files by the program that needs them
        self.dispatches = False  # whether a program has functions that call through pointers, which are in no unit
        self.refused: list[list[tuple[Effect, ...]]] = []  # by function: RTLs that phases wanted in vain

    def program(self, files: Sequence[str]) -> Program:
        """Compile and link the files of a program.

        Raises UserError, LinkError, OSError.
        """
        needed = self.needed[tuple(files)] = set()
        copies = _Copies()

        def defining(symbol: str) -> Unit | None:
            unit = self.library(symbol)
            if unit is not None:
                needed.add(Path(unit.file))
            return copies.copy(unit)

        units = [copied for file in files if (copied := copies.copy(self.unit(file)))]
        return link(units, self.machine, defining, dispatchers=self.dispatchers)

    def dispatchers(self, names: Sequence[str], functions: Sequence[str]) -> list[Function]:
        """Return functions that call through pointers, as the compiler does, and note that there are any."""
        self.dispatches = True
        return super().dispatchers(names, functions)

    def compile_file(self, path: Path, settings: Settings, library: bool = False) -> Unit:
        """Compile one C file.

        Raises UserError, OSError.
        """
        if path in self.kept:
            return self.kept[path].unit
        tree, _ = self._tree(path, None if library else self.preprocessed(path, settings), settings)
        content = pickle.dumps(tree, pickle.HIGHEST_PROTOCOL)
        asked = dataclasses.replace(self.machine)
        functions, data = self.expanded(tree, path, asked)
        expanded = [code_of(function) for function in functions]
        facts, kept = self.facts(tree, functions, data), []
        for function, code in zip(functions, expanded, strict=True):
            phases = dataclasses.replace(self.machine)
            self.improve(function, phases, facts)
            usage = usage_of(phases)
            self.refused.append([*chain.from_iterable(usage.refused.values())])
            kept.append(KeptFunction(code, code_of(function), function, usage))
        unit = Unit(self.machine.name, functions, data, str(path))
        self.kept[path] = KeptUnit(content, usage_of(asked), unit, {k.function.name: k for k in kept})
        return unit

    def expanded(self, tree: il.Unit, path: Path, machine: Machine) -> tuple[list[Function], list[Data]]:
        """Return the functions of a tree as RTLs, and its data.

        Raises UserError.
        """
        functions, data, failures = expand_unit(tree, machine, self.settings.level != 0)
        if failures:
            raise UserError([self._cannot(path, failure) for failure in failures])
        return functions, data

    def facts(self, tree: il.Unit, functions: list[Function], data: list[Data]) -> UnitFacts:
        """Return what is known of the unit that some functions form."""
        effects = memory_effects(functions, self.machine) if self.settings.interprocedural else {}
        return unit_facts(data, {f"_{name}" for name in private_data(tree)}, effects)

    def improve(self, function: Function, machine: Machine, facts: UnitFacts) -> None:
        """Run the phases over a function.

        Raises UserError.
        """
        try:
            improve(function, machine, self.options, facts)
        except CannotExpress as failure:
            raise UserError([self._cannot(Path(function.file), failure)]) from None


class Recompiler(Original):
    """Compiles for an edited machine; code that cannot notice the edits is that of the original."""

    def __init__(self, original: Original, machine: Machine, edits: Sequence[Edit]) -> None:
        super().__init__(machine, original.settings)
        self.original = original
        self.edits = list(edits)
        before, now = ([(each.deep, each.most_leaves) for each in one.searched] for one in (original.machine, machine))
        self.alike = same_facts(original.machine, machine) and before == now
        self.added: Machine | None = None
        if any(edit.kind == ADDITION for edit in edits):
            self.added = added(original.machine, machine)
            self.alike = self.alike and original.machine.bit_permutations == machine.bit_permutations
            # what is found by its meaning was not asked for before
            self.alike = self.alike and not any(each.deep for each in machine.searched)
        self.far = not any(edit.kind == "reach" for edit in edits)  # branches go as far as those of the original

    def is_unchanged(self, files: Sequence[str]) -> bool:
        """Compile a program; return whether it is the original.

        Raises UserError, OSError.
        """
        paths = [*map(Path, files), *self.original.needed[tuple(files)]]
        library = self.original.needed[tuple(files)]
        units = [self.compile_file(path, self.settings, path in library) for path in paths]
        self_contained = self.far and not self.original.dispatches
        return self_contained and all(unit is self.original.kept[path].unit for unit, path in zip(units, paths, strict=True))

    def compile_file(self, path: Path, settings: Settings, library: bool = False) -> Unit:
        """Compile a file as far as it may be other code than the original, and take the rest from there.

        Raises UserError, OSError.
        """
        old = self.original.kept.get(path)
        if old is None or path in self.kept:
            return super().compile_file(path, settings, library)
        unit = old.unit
        if self._notices(old.usage) or any(self._notices(kept.usage) for kept in old.functions.values()):
            unit = self._compiled(old, path)
        self.kept[path] = KeptUnit(b"", old.usage, unit, {})
        return unit

    def _notices(self, usage: Usage) -> bool:
        if not self.alike or any(usage.notices(edit) for edit in self.edits):
            return True
        return self.added is not None and usage.gains(self.added)

    def _compiled(self, old: KeptUnit, path: Path) -> Unit:
        tree = pickle.loads(old.tree)
        functions, data = self.expanded(tree, path, self.machine)
        if _data_text(data) == _data_text(old.unit.data):
            data = old.unit.data
        same = [self._same(function, old) for function in functions]
        if self.settings.interprocedural and not all(same):
            same = [None] * len(functions)
        facts = self.facts(tree, functions, data) if not all(same) else None
        result = [kept or self._improved(function, facts, old) for function, kept in zip(functions, same, strict=True)]
        if data is old.unit.data and [*map(id, result)] == [*map(id, old.unit.functions)]:
            return old.unit
        return Unit(self.machine.name, result, data, str(path))

    def _same(self, function: Function, old: KeptUnit) -> Function | None:
        """Return what the original made of a function if the same comes out again."""
        kept = old.functions.get(function.name)
        known = kept is not None and kept.expanded == code_of(function) and not self._notices(kept.usage)
        return kept.function if kept is not None and known else None

    def _improved(self, function: Function, facts: UnitFacts | None, old: KeptUnit) -> Function:
        """Run the phases over a function; return the original's one if it is the same."""
        assert facts is not None
        self.improve(function, self.machine, facts)
        kept = old.functions.get(function.name)
        return kept.function if kept is not None and kept.final == code_of(function) else function


def code_of(function: Function) -> Code:
    """Return what makes two functions the same code."""
    return [(block.label, [rtl.effects for rtl in block.rtls]) for block in function.blocks]


def _data_text(data: list[Data]) -> list[str]:
    return [repr(d) for d in data]


class _Copies:
    """Copies of units for linking, which changes functions; one of each, since the linker tells units apart."""

    def __init__(self) -> None:
        self.made: dict[int, Unit] = {}

    def copy(self, unit: Unit | None) -> Unit | None:
        """Return the copy of a unit."""
        if unit is None:
            return None
        if id(unit) not in self.made:
            self.made[id(unit)] = Unit(unit.machine, [_copied(f) for f in unit.functions], unit.data, unit.file)
        return self.made[id(unit)]


def _copied(function: Function) -> Function:
    blocks = [Block(b.label, [rtl.copy() for rtl in b.rtls], b.phis) for b in function.blocks]
    return dataclasses.replace(function, blocks=blocks)
