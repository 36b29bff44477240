"""The compiler as a whole: C or RTL files to units, units and the library to a program."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from vpo import il
from vpo.analysis.allocators import allocators
from vpo.analysis.memory_effects import UnitFacts, memory_effects, unit_facts
from vpo.base import cache
from vpo.base.c_standard import LIBRARY_STANDARD
from vpo.base.clock import CLOCK, LIBRARY, timed
from vpo.base.collector import seldom_collected
from vpo.base.errors import CannotExpress, GroupError
from vpo.base.errors import UserError as UserError
from vpo.base.parallel import work_on
from vpo.build.ahead import Ahead
from vpo.build.c_file import CFile
from vpo.build.neighbours import groups_of
from vpo.build.renewal import Renewal, asking
from vpo.build.settings import Settings as Settings
from vpo.expand.caller import INSTRUCTIONS
from vpo.expand.expander import expand_unit, resume_context, resuming, save_context
from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import NOTHING
from vpo.il.formats import PARTS, parts_needed
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.il.uses import keep_locals_in_memory, private_data
from vpo.interprocedural import inline_across, names_called, optimize_unit
from vpo.interprocedural.known_calls import FEW, MOST, replace_known_calls
from vpo.interprocedural.memory_loops import replace_memory_loops
from vpo.libc import HEADERS, SOURCES, defining_file, words_of
from vpo.link.dispatchers import dispatcher
from vpo.link.input_files import Member, input_kind, parsed_unit, read_archive
from vpo.link.link import link
from vpo.link.symbols import wrap
from vpo.machines.callable import DescribedInstructions
from vpo.machines.machine import Machine
from vpo.machines.questions import AskedMachine
from vpo.opt.changes import Changes
from vpo.opt.driver import Options, Sampled, run_phases
from vpo.opt.driver import improve as improve_function
from vpo.program import Program
from vpo.rtl.forgetting import forget_some
from vpo.rtl.function import UNIT_CLASSES, Data, Function, Unit
from vpo.text import print_unit

NEVER_INLINED = frozenset(name for name, _ in INSTRUCTIONS)  # the machine may have an instruction in place of the call
SMALL = frozenset(["abs", "labs", "llabs", "imaxabs"])  # functions of the library that are shorter than their calls
STDIN = "-"
BY_NAME = "__builtin_insn"  # how functions begin that are instructions of a machine
LANDING, CONTEXT_SIZE = "__label__", "__CONTEXT_SIZE__"  # a label that other functions may go to, what they keep for it
LARGE = 1000  # RTLs that are worth the start of another process


T = TypeVar("T")


class Compiler:
    """Compiles for one machine with one group of settings; `options.log` may be set to see what phases do."""

    def __init__(
        self,
        machine: Machine,
        settings: Settings,
        warn: Callable[[str], None] | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.machine, self.settings = machine, settings
        self.warn = warn
        self.progress = progress or (lambda text: None)
        self.library_units: dict[Path, Unit] = {}
        self.members: dict[Member, Unit] = {}  # of archives
        self.trees: dict[Path, il.Unit] = {}  # of library files with small functions
        self.unsampled: dict[tuple[str, str], None] = {}  # files and names of functions that no inputs suit
        self.included: dict[str, list[str]] = {}  # by C files, once they are preprocessed
        self.options = Options(
            settings.level, settings.phases, settings.check != "nothing", settings.dump, profile=settings.profile,
            changes=Changes(settings.max_changes),
        )  # fmt: skip
        self.asking = asking(machine)
        if settings.check == "samples":
            from vpo.machines.match.grammar_recognizer import GrammarJudge  # a parser that others do not need

            self.options.samples, self.options.judge = self._sampled, GrammarJudge(machine).objection

    def _sampled(self, function: Function, machine: Machine, facts: UnitFacts) -> Sampled:
        """Return what a function does on samples of inputs, and note if there are none."""
        from vpo.build.sampled_runs import SampledRuns  # an interpreter that others do not need

        sampled = SampledRuns(function, machine, facts)
        if not sampled.samples:
            self.unsampled[function.file, function.name] = None
        return sampled

    @seldom_collected
    def program(self, files: Sequence[str]) -> Program:
        """Compile and link files; what they lack comes from the archives among them, then from the library.

        Raises UserError, LinkError, ArchiveError, OSError.
        """
        archives = {file: read_archive(file) for file in files if input_kind(file) == "archive"}

        def defining(symbol: str) -> Unit | None:
            for file, archive in archives.items():
                member = archive.defining(symbol[1:])
                if member is not None:
                    return self._member(f"{file}({member.name})", member)
            return self.library(symbol)

        units = self.units([file for file in files if file not in archives])
        wrapped = [wrap(unit, self.settings.wrapped) for unit in units]
        ahead = self._ahead if self.settings.jobs > 1 else None
        try:
            return link(wrapped, self.machine, defining, dispatchers=self.dispatchers, ahead=ahead)
        except GroupError:
            if not self.settings.groups:
                raise  # files that were compiled before
        self.settings = dataclasses.replace(self.settings, groups=False)
        return self.program(files)

    def linked(self, file: str, content: bytes) -> Program:
        """Return a program that was linked before, from its text.

        Raises UserError, LinkError.
        """
        return dataclasses.replace(link([self.read_rtl(file, content)], self.machine), digest=self._object_key(content))

    def linked_text(self, program: Program) -> str:
        """Return a linked program as text from which `linked` makes it again, without parsing it while the cache has it."""
        functions = [function for name, function in program.functions.items() if name != program.entry]
        known = {*program.functions, *(data.name for data in program.data)}
        absent = [Data(name, 0, 1, [], weak=True) for name in program.symbols if name not in known]
        return self._text(Unit(program.machine.name, functions, [*program.data, *absent]))

    def _member(self, name: str, member: Member) -> Unit:
        if member not in self.members:
            self.members[member] = wrap(self.read_rtl(name, member.content), self.settings.wrapped)
            self.members[member].file = name
        return self.members[member]

    @seldom_collected
    def units(self, files: Sequence[str]) -> list[Unit]:
        """Compile or read the files of one program; functions of C files may go into other files."""
        sources = [Path(file) for file in files if input_kind(file) != "object"]
        if not self.settings.inlining or len(sources) < 2:
            return [self.unit(file) for file in files]
        compiled = self.compile_together(sources)
        units = [self.unit(file) if input_kind(file) == "object" else compiled.pop(0) for file in files]
        for unit, file in zip(units, files, strict=True):
            unit.file = file
        return units

    @seldom_collected
    def unit(self, file: str) -> Unit:
        """Compile one C file, or read one RTL file and finish it."""
        self.progress(file)
        is_object = input_kind(file) == "object"
        unit = self.read_rtl(file) if is_object else self.compile_file(Path(file), self.settings)
        unit.file = file
        return unit

    def library(self, symbol: str) -> Unit | None:
        """Return the library unit that defines a symbol, compiled under the same settings."""
        if symbol in (SAVE_CONTEXT, RESUME_CONTEXT):
            return self.contexts
        path = defining_file(symbol[1:])
        if path is None:
            return None
        if path not in self.library_units:
            self._add_library(path, self._library_unit(path))
        return self.library_units[path]

    def _library_unit(self, path: Path) -> Unit:
        self.progress(f"library: {path.name}")
        with CLOCK.of(LIBRARY):
            return self.compile_file(path, self._library_settings, library=True)

    def _kept_library_unit(self, path: Path) -> Unit | None:
        settings = self._library_settings
        return self.library_units.get(path) or self._kept(self._name(self._identity(settings, path.name)), settings)

    def _add_library(self, path: Path, unit: Unit) -> None:
        self.library_units[path] = unit
        unit.file = str(path)
        for function in unit.functions:  # the cache may have it from an installation in another place
            if Path(function.file).name == path.name:
                function.file = str(path)

    def _ahead(self, names: Sequence[str]) -> None:
        """Compile at the same time what names need of the library."""
        settings = self._library_settings
        ahead = Ahead(self._library_unit, self._kept_library_unit, settings.jobs, self._identity(settings, "ahead"))
        with CLOCK.of(LIBRARY), CLOCK.step("several files at a time"):
            for path, unit in ahead.units(names).items():
                self._add_library(path, unit)

    @cached_property
    def _library_settings(self) -> Settings:
        """The settings for what is not of the program's own files."""
        options = COptions(warnings=NOTHING, standard=LIBRARY_STANDARD)
        return dataclasses.replace(self.settings, c=options, dump=None, max_changes=None, groups=False)

    def dispatchers(self, names: Sequence[str], functions: Sequence[str]) -> list[Function]:
        """Return the functions of some names that call through pointers to the functions given (`vpo.link.dispatchers`).

        Raises UserError.
        """
        settings = self._library_settings
        key = self._name(self._identity(settings, "dispatchers", *names, "", *functions))
        unit = self._kept(key, settings)
        if unit is None:
            tree = il.Unit("", [dispatcher(name, functions, self._pointer()) for name in names], [])
            unit = self._code(tree, Path("calls through pointers"), settings)
            self._keep(key, settings, unit, False)
        return unit.functions

    @cached_property
    def contexts(self) -> Unit:
        """The functions behind setjmp and longjmp, which are the same at each level."""
        machines = (self.machine, resuming(self.machine))
        functions = [save_context(self.machine), resume_context(self.machine)]
        for function, machine in zip(functions, machines, strict=True):
            run_phases(function, machine, Options(level=0, check=self.options.check))
        return Unit(self.machine.name, functions)

    def compile_file(self, path: Path, settings: Settings, library: bool = False) -> Unit:
        """Compile one C file, from the cache if it is there.

        Raises UserError, OSError.
        """
        # the compiler's version covers the library's sources, so they need no preprocessing to find their key
        text = None if library else self.preprocessed(path, settings)
        identity = self._identity(settings, path.name if library else f"{path}\0{text}")
        return self._kept(self._name(identity), settings) or self._renewed(
            path, identity, settings, lambda: self._tree(path, text, settings), library
        )

    def compile_together(self, paths: Sequence[Path]) -> list[Unit]:
        """Compile C files, small functions of which go into the others; from the cache those that are there.

        Raises UserError, OSError.
        """
        settings = self.settings
        texts = [self.preprocessed(path, settings) for path in paths]
        together = [f"{path}\0{text}" for path, text in zip(paths, texts, strict=True)]
        trees = self._trees_together(paths, texts)
        units = []
        for number, path in enumerate(paths):
            identity = self._identity(settings, together[number], *together)
            unit = self._kept(self._name(identity), settings)
            if unit is None:
                self.progress(str(path))
                unit = self._renewed(path, identity, settings, lambda number=number: trees()[number])  # type: ignore[misc]
            units.append(unit)
        return units

    def _trees_together(self, paths: Sequence[Path], texts: Sequence[str]) -> Callable[[], list[tuple[il.Unit, bool]]]:
        """Return what makes the trees of files, small functions of which go into the others, when they are first wanted."""
        settings, made = self.settings, list[tuple[il.Unit, bool]]()

        def trees() -> list[tuple[il.Unit, bool]]:
            if not made:
                made.extend(self._tree(path, text, settings) for path, text in zip(paths, texts, strict=True))
                wanted = settings.inlined(NEVER_INLINED.union(settings.wrapped))
                inline_across([tree for tree, _ in made], self._pointer(), wanted, self.machine.model.big_endian)
            return made

        return trees

    @timed("preprocessor")
    def preprocessed(self, path: Path, settings: Settings, macros: bool = False, alone: bool = False) -> str:
        """Return what the preprocessor makes of a C file, '-' for standard input, or its macros; note which files it includes.

        Nothing is compiled behind it if it is wanted `alone`.  Raises UserError.
        """
        file = self._c_file(path, settings)
        text = file.preprocessed(macros, alone)
        self.included[str(path)] = file.included
        return text

    def check_file(self, file: str) -> None:
        """Tell what is wrong with a C file, and make nothing.

        Raises UserError.
        """
        if input_kind(file) != "object":
            self._c_file(Path(file), self.settings).tree(self.preprocessed(Path(file), self.settings), False)

    def _c_file(self, path: Path, settings: Settings) -> CFile:
        given = settings.c
        model = dataclasses.replace(self.machine.model, instructions=self.instructions)
        if given.standard.char_signed is not None:
            model = dataclasses.replace(model, char_signed=given.standard.char_signed)
        options = dataclasses.replace(
            given,
            include_paths=(*given.include_paths, str(HEADERS)),
            defines=(*settings.level_macros, *given.defines),
        )
        return CFile(str(path), model, options, self.warn, self._standard_input if str(path) == STDIN else None)

    @cached_property
    def instructions(self) -> DescribedInstructions:
        """What programs can call of machines by name."""
        return DescribedInstructions(self.machine)

    @cached_property
    def _standard_input(self) -> str:
        return sys.stdin.buffer.read().decode(errors="surrogateescape")

    def _identity(self, settings: Settings, *identities: str) -> str:
        """Return what a unit is made of: its source, and all that decides what becomes of it but the machine."""
        warnings = settings.c.warnings  # what one compilation did not tell, another may have to
        wanted = [*sorted(warnings.shown), *warnings.quiet]
        return "\0".join((*settings.deciding, *wanted, *identities))

    def _name(self, identity: str) -> str:
        """Return the key of the unit of an identity for this machine."""
        return cache.key(self.machine.fingerprint, identity)

    def _keeps(self, settings: Settings) -> bool:
        """Whether compiling has no other purpose than its result."""
        return settings.cacheable() and self.options.log is None

    def _kept(self, name: str, settings: Settings) -> Unit | None:
        """Return the unit that the cache keeps under a key, if there is one and nothing else is wanted."""
        unit = cache.load(name, UNIT_CLASSES) if self._keeps(settings) else None
        if not isinstance(unit, Unit):
            return None
        unit.machine = self.machine.name  # it may have been made for another, to which it is the same
        return unit

    def _keep(self, name: str, settings: Settings, unit: Unit, warned: bool) -> None:
        """Put a unit into the cache; one with warnings is compiled again, so that they are told again."""
        if self._keeps(settings) and not warned:
            cache.store(name, unit)

    @timed("front end")
    def _tree(self, path: Path, text: str | None, settings: Settings) -> tuple[il.Unit, bool]:
        """Return the unit of a C file before expansion, and whether there were warnings; the library's is given no text.

        Trees say nothing of instructions, so one serves all machines with the same types and operators.
        """
        key = self._tree_key(path, text, settings)
        kept = cache.load(key, il.CLASSES) if key else None
        if isinstance(kept, il.Unit):
            return kept, False
        tree, warned = self._tree_of(path, text, settings)
        if key and not warned:
            cache.store(key, tree)
        return tree, warned

    def _tree_key(self, path: Path, text: str | None, settings: Settings) -> str:
        """Return the key of a tree in the cache; '' if it is not kept: what calls instructions is for one machine."""
        if not self._keeps(settings) or BY_NAME in (text or ""):
            return ""
        model, macros = self.machine.model, self._macros(path, text)
        sizes = sorted(model.sizes.items()), sorted(model.aligns.items()), model.struct_align, model.bit_fields
        types = model.big_endian, model.char_signed, *sizes, macros, sorted(self.machine.bit_operators)
        return cache.key("tree", repr(types), self._identity(settings, path.name if text is None else f"{path}\0{text}"))

    def _macros(self, path: Path, text: str | None) -> list[tuple[str, str]]:
        """Return the macros of the machine that decide what the tree of a file is, beside its text."""
        words = words_of(path) if text is None else frozenset([CONTEXT_SIZE] if LANDING in text else ())
        return sorted((name, value) for name, value in self.machine.model.macros.items() if name in words)

    def _tree_of(self, path: Path, text: str | None, settings: Settings) -> tuple[il.Unit, bool]:
        file = self._c_file(path, settings)
        file.model = dataclasses.replace(file.model, operators=self.machine.bit_operators)
        tree = file.tree(text, settings.aliasing_by_type)
        keep_locals_in_memory(tree.functions)
        if settings.interprocedural:
            self._use_memory_functions(tree, settings)
            others = self._small_functions(tree) if settings.inlining else {}
            wanted = settings.inlined(NEVER_INLINED)
            optimize_unit(tree, self._pointer(), wanted, others, self.machine.model.big_endian)
            self._use_memory_functions(tree, settings)  # inlined loops and calls know their objects and sizes
        return tree, file.warned

    def _use_memory_functions(self, tree: il.Unit, settings: Settings) -> None:
        """Make calls of loops that fill or copy, and do in place what calls of <string.h> ask for."""
        replace_memory_loops(tree, self._pointer(), self.machine.model, settings.wrapped)
        most = FEW if settings.level == "s" else MOST
        replace_known_calls(tree, self._pointer(), self.machine.model, most, settings.wrapped)

    def _small_functions(self, unit: il.Unit) -> dict[str, il.Function]:
        """Return those functions of the library that a unit calls and that are worth inlining, by name."""
        found: dict[str, il.Function] = {}
        for name in (names_called(unit) & SMALL) - {*self.settings.wrapped, *(function.name for function in unit.functions)}:
            path = defining_file(name)
            if path is not None and path not in self.trees:
                options = COptions((str(HEADERS),), standard=LIBRARY_STANDARD)
                self.trees[path] = compile_c(str(path), self.machine.model, options)
            found.update((f.name, f) for f in (self.trees[path].functions if path is not None else ()) if f.name == name)
        return found

    def _pointer(self) -> il.Type:
        return il.Type("P", self.machine.model.sizes["pointer"])

    def _renewed(
        self, path: Path, identity: str, settings: Settings, tree: Callable[[], tuple[il.Unit, bool]], library: bool = False
    ) -> Unit:
        """Make a unit that the cache does not keep for this machine: from one for another, or of the file as it was before.

        Raises UserError.
        """
        if not self._keeps(settings) or not cache.is_kept():  # nobody would hear what was asked
            return self._code(tree()[0], path, settings)
        words = repr((sorted(self.machine.bit_operators), self._macros(path, None if library else identity)))  # of trees
        editions = "" if library else f"{words}\0{self._identity(settings, str(path.absolute()))}"
        renewal = Renewal(self.asking, f"{words}\0{identity}", self._options(settings), editions)
        name = self._name(identity)
        if renewal.expands_alike and (unit := renewal.unit()) is not None:
            unit.machine = self.machine.name
            if not cache.store_again(name, renewal.unit_key):
                cache.store(name, unit)
            return unit
        if renewal.expands_alike and renewal.load():
            asked, facts, traces, data, warned = renewal.expanding, renewal.facts, renewal.traces(), renewal.data, False
        else:
            made, warned = tree()
            machine = AskedMachine(self.machine)
            unit, facts = self._expanded(made, path, machine, settings)
            asked, data = self.asking.noted(machine), unit.data
            renewal.load()
            traces = [renewal.trace(function, facts) for function in unit.functions]
        if warned:  # so that the warnings are told again
            name = cache.key("warned", name)
        left = [trace for trace in traces if not renewal.take(trace)]
        worked = self._worked(left, lambda trace: trace.function, lambda trace: renewal.work(trace, facts), settings)
        known = {trace.function.name: trace for trace in worked}
        traces = [known.get(trace.function.name, trace) for trace in traces]
        unit = Unit(self.machine.name, [trace.function for trace in traces], data)
        cache.store(name, unit)
        renewal.keep(asked, facts, traces, name, warned)
        return unit

    def _code(self, tree: il.Unit, path: Path, settings: Settings) -> Unit:
        unit, facts = self._expanded(tree, path, self.machine, settings)
        self._improve(unit, settings, facts)
        return unit

    @timed("expander")
    def _expanded(self, tree: il.Unit, path: Path, machine: Machine, settings: Settings) -> tuple[Unit, UnitFacts]:
        """Return a unit as it is before all phases, and what is known of it.

        Raises UserError.
        """
        private = {f"_{name}" for name in private_data(tree)}
        functions, data, failures = expand_unit(tree, machine, settings.level != 0)
        if failures:
            raise UserError([self._cannot(path, failure) for failure in failures])
        if settings.groups and settings.level in (2, "s"):
            data += groups_of(functions, data, machine)
        facts = self._facts(functions, data, private, machine, settings)
        return Unit(self.machine.name, functions, [*data, *_left_out(tree, path)]), facts

    def _facts(
        self, functions: list[Function], data: list[Data], private: Iterable[str], machine: Machine, settings: Settings
    ) -> UnitFacts:
        """Return what is known of a unit; no pointer points to the `private` objects."""
        if not settings.interprocedural:
            return unit_facts(data, private, {})
        return unit_facts(data, private, memory_effects(functions, machine), allocators(functions, machine))

    def _cannot(self, path: Path, failure: CannotExpress) -> str:
        return f"{path}:{failure.line}: error: {failure.told(self.machine.name)}"

    def _options(self, settings: Settings) -> Options:
        if settings is self.settings:
            return self.options
        # the library's code is kept, and so must not depend on the limit
        return dataclasses.replace(self.options, dump=None, changes=Changes())

    def _improve(self, unit: Unit, settings: Settings, facts: UnitFacts) -> None:
        """Run the phases over the functions of a unit."""
        options = self._options(settings)

        def improve(function: Function) -> None:
            improve_function(function, self.machine, options, facts)

        unit.functions[:] = self._worked(unit.functions, lambda function: function, improve, settings)

    @timed("phases")
    def _worked(
        self, things: list[T], function: Callable[[T], Function], work: Callable[[T], object], settings: Settings
    ) -> list[T]:
        """Work on things that stand for functions, in several processes if that pays.

        Raises UserError.
        """

        def worked(thing: T) -> None:
            try:
                work(thing)
            except CannotExpress as failure:
                raise UserError([self._cannot(Path(function(thing).file), failure)]) from None
            forget_some(self.machine.forget_matches)  # memory is for the function at hand

        def size(thing: T) -> int:
            return sum(len(block.rtls) for block in function(thing).blocks)

        alone = not self._keeps(settings) or sum(map(size, things)) < LARGE
        return work_on(things, worked, 1 if alone else settings.jobs, size)

    def read_rtl(self, file: str, content: bytes | None = None) -> Unit:
        """Read an RTL file, or what an archive has in its place, and run the phases that its functions have not been through.

        Raises UserError, OSError.
        """
        content = Path(file).read_bytes() if content is None else content
        name = self._object_key(content)
        unit = self._kept(name, self.settings)
        if unit is None:
            unit = parsed_unit(file, content, self.machine)
            if all(function.stage == "final" for function in unit.functions):
                self._keep(name, self.settings, unit, False)
            else:
                self._improve(unit, self.settings, self._facts(unit.functions, unit.data, (), self.machine, self.settings))
        return unit

    def object_text(self, file: str) -> str:
        """Compile a file and return its unit as text, which is read back without being parsed.

        Raises UserError, OSError.
        """
        return self._text(self.unit(file))

    def _text(self, unit: Unit) -> str:
        """Return a unit as text; keep it under the key of this text."""
        text = print_unit(unit, self.machine.cells)
        if all(function.stage == "final" for function in unit.functions):
            name = self._object_key(text.encode())
            if not cache.has(name):  # as it is if nothing has changed
                self._keep(name, self.settings, unit, False)
        return text

    def _object_key(self, content: bytes) -> str:
        """Return the key of a unit whose functions have been through all phases: nothing but its text says what it is."""
        return cache.key(self.machine.fingerprint, "object", content.decode(errors="surrogateescape"))


def _left_out(tree: il.Unit, path: Path) -> list[Data]:
    """Return what tells the linker which parts of printf a unit does without, if it prints at all."""
    needed = parts_needed(tree, path.parent == SOURCES)
    return [] if needed is None else [Data(f"_{part}", 0, 1, [], weak=True) for part in PARTS if part not in needed]
