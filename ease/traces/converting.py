"""Write traces in other formats, whole or filtered by caches."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from cache_sim.parse import load
from cache_sim.streamed import filtered
from cache_sim.trace import TraceError
from cache_sim.traces.coarse import by_lines, coarse
from cache_sim.traces.container import MAGIC, Section, TraceDamaged, section_places, static_of
from cache_sim.traces.formats import EASE, FORMATS, format_of, idtrace, read_trace
from cache_sim.traces.formats.code import Code
from cache_sim.traces.formats.references import by_instructions, chosen, joined, references, refuse_flushes
from cache_sim.traces.formats.simple_formats import decompressed
from cache_sim.traces.index import EVERY, KIND, index_section
from cache_sim.traces.kernel import Kernel, shadowed
from cache_sim.traces.listed import write_list
from cache_sim.traces.regeneration import FETCHED, Events, room_for
from cache_sim.traces.trace_file import KINDS, REFERENCES, TraceFile
from ease.base.files import file_atomically
from ease.traces.repeats import repeat_marks
from ease.traces.trace_tables import known_sites


@dataclass(frozen=True, slots=True)
class Changes:
    """What becomes of a trace that is converted.

    `caches` is a memory system: only what misses in its first level is written.  `lines`: an entry for each line of so many
    bytes that a block fetches from, if that is not 0.  `coarse`: the fetches of a block before its references to data.
    `only`: references of these kinds, if there are any (pixie's -itrace, -dtrace).
    `code`: what instructions from one address to another do, and nothing else (IDtrace's -H).
    `kernel`: references of a kernel are added at system calls and interrupts; nothing is known of instructions then.
    `repeats`: block moves, fills and scans of so many elements at least get tags of their own, if that is not 0.
    """

    caches: str | None = None
    lines: int = 0
    coarse: bool = False
    repeats: int = 0
    only: tuple[str, ...] = ()
    kernel: Kernel | None = None
    code: tuple[int, int] | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of events that a trace must have for them, beside those that are written."""
        return ("block",) * bool(self.lines or self.coarse) + ("system",) * (self.kernel is not None)

    def applied(self, events: Iterator[Events]) -> Iterator[Events]:
        """Return the events that are written.

        Raises TraceError for a memory system that there is not.
        """
        events = _within(events, *self.code) if self.code is not None else events
        events = shadowed(events, self.kernel) if self.kernel is not None else events
        if self.coarse:
            events = coarse(events)
        if self.lines:
            events = by_lines(events, self.lines)
        if self.kinds or self.code is not None:
            events = map(references, events)
        events = filtered(events, load(self.caches)) if self.caches else events
        return map(self._chosen, events) if self.only else events

    def _chosen(self, events: Events) -> Events:
        """Return the events that are no references, and references of the kinds that are wanted."""
        kinds = [KINDS[kind] for kind in self.only]
        return chosen(events, (events.kinds > FETCHED) | np.isin(events.kinds, kinds))

    def facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Return the facts of the trace that is written."""
        words = [f"--filter {self.caches}"] * bool(self.caches) + [f"--lines {self.lines}"] * bool(self.lines)
        words += ["--coarse"] * self.coarse + [f"--only {','.join(self.only)}"] * bool(self.only)
        words += [f"--kernel {self.kernel}"] * (self.kernel is not None)
        words += [] if self.code is None else [f"of {self.code[0]:#x} to {self.code[1]:#x}"]
        ordered = ["cache"] if self.lines or self.coarse else facts.get("kinds", ["cache"])
        kinds = ["filtered"] if self.caches or self.code is not None else ordered
        facts = {**facts, "line": self.lines} if self.lines else facts
        return {**facts, "kinds": kinds, "command": " ".join([facts.get("command", ""), *words]).strip()} if words else facts


def _within(chunks: Iterator[Events], begin: int, end: int) -> Iterator[Events]:
    """Yield the events of instructions whose addresses lie in a part of the code."""
    for events, _ in by_instructions(chunks):
        fetches = events.kinds == FETCHED
        addresses = events.addresses[fetches]
        inside = (addresses >= np.uint64(begin)) & (addresses <= np.uint64(end - 1))
        yield chosen(events, inside[np.cumsum(fetches) - 1])


_HINTS = ("TRACE_BEG", "TRACE_END", "MAIN_CALL", "EXIT_CALL", "JTAB", "CUR_BRK")


def part_of_hints(path: str) -> tuple[int, int] | None:
    """Return the part of the code that a file of IDtrace's hints names: where instrumenting begins, and where it stops.

    What the other hints tell IDtrace is known here.  Raises TraceError, OSError.
    """
    found: dict[str, int] = {}
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        words = line.split()
        if not words:
            continue
        tag, values = words[0].removesuffix("_TAG"), words[1:]
        try:
            numbers = [int(value, 0) for value in values]
        except ValueError:
            numbers = []
        if tag not in _HINTS or len(numbers) != 1 + (tag == "JTAB"):
            tags = ", ".join(_HINTS)
            raise TraceError(f"{path}:{number}: a hint is one of {tags}, and an address (a size behind that of JTAB)")
        found[tag] = numbers[0]
    return (found.get("TRACE_BEG", 0), found.get("TRACE_END", 1 << 64)) if {"TRACE_BEG", "TRACE_END"} & set(found) else None


UNCHANGED = Changes()
NOTHING = b"{}"  # the static half of a trace of whose instructions nothing is known
LINE_KINDS = (*REFERENCES, "block")  # of events of which lines are made
_ENDING = ("status", "fault")


def how_it_ended(trace: TraceFile) -> Callable[[], dict[str, Any]]:
    """Return a function that tells, when a trace has been read, how its run ended, as a list of its events says it."""
    return lambda: {key: trace.end[key] for key in _ENDING if key in trace.end}


def convert(
    source: str, output: str, form: str | None = None, to: str | None = None, size: int = 1,
    changes: Changes = UNCHANGED, executable: str | None = None,
) -> bool:  # fmt: skip
    """Write the trace in a file in another format; names of formats are those of FORMATS, or `ease`.

    `executable` is an ELF file of the program, which formats need that have its code.

    Returns whether the file of the trace was cut short.  Raises TraceError, TraceDamaged, OSError.
    """
    target = _known(to or format_of(output), f"the ending of '{output}' says no format; give --to")
    with ExitStack() as stack:
        trace: TraceFile | None = None
        file: Any = sys.stdin.buffer if source == "-" else stack.enter_context(open(source, "rb"))
        file = stack.enter_context(decompressed(file, source))
        facts: dict[str, Any] = {"kinds": ["cache"], "command": f"ease trace convert {source}"}
        static = NOTHING
        if file.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
            trace = TraceFile(file)
            facts, static = trace.facts, trace.static_text
            if changes.kernel is not None:
                facts, static = {key: value for key, value in facts.items() if key != "program"}, NOTHING
            wanted = FORMATS[target].kinds if target != EASE else tuple(KINDS)
            events = trace.events(tuple(dict.fromkeys((*wanted, *changes.kinds))))
        else:
            if form is not None:
                _known(form, "")
            events = map(refuse_flushes, read_trace(file, source, form, size))
        _check(target, facts, static, changes)
        events, facts = changes.applied(events), changes.facts(facts)
        companions = FORMATS[target].companions if target != EASE else ()
        if companions and output == "-":
            raise TraceError(f"the format '{target}' is several files: give the name of one, not -")
        others = [stack.enter_context(file_atomically(str(Path(output).with_suffix(suffix)))) for suffix in companions]
        out: IO[bytes] = sys.stdout.buffer if output == "-" else stack.enter_context(file_atomically(output))
        out = stack.enter_context(decompressed(out, output, "wb"))
        if target == EASE:
            write_list(events, out, facts, static, dict if trace is None else how_it_ended(trace))
        elif changes.repeats and trace is not None:
            _write_repeats(events, trace, out, changes.repeats)
        elif FORMATS[target].coded:
            FORMATS[target].write(events, static_of(Section("SITE", static)), _code(executable, target), out)
        elif FORMATS[target].typed or FORMATS[target].described:
            known = static_of(Section("SITE", static))
            FORMATS[target].write(events, known.get("type", []) if FORMATS[target].typed else known, out, *others)
        else:
            FORMATS[target].write(events, out)
    return trace is not None and trace.cut


def _check(target: str, facts: dict[str, Any], static: bytes, changes: Changes) -> None:
    """Raise TraceError if a trace has not what a format, or a change, needs."""
    instructions = target != EASE and "branch" in FORMATS[target].kinds
    if instructions and facts.get("line"):
        raise TraceError(f"a trace of lines has no instructions, which the format '{target}' needs")
    described = target != EASE and (FORMATS[target].typed or FORMATS[target].described)
    if changes.code is not None and (described or changes.lines or changes.coarse):
        raise TraceError("of a part of the code there are references only: no blocks, types or branches")
    if changes.kernel is not None and (described or changes.lines or changes.coarse):
        raise TraceError("of a kernel's instructions nothing is known but addresses: there are no blocks, types or branches")
    if changes.repeats and (target == EASE or FORMATS[target].write is not idtrace.write or static == NOTHING):
        raise TraceError("repeats are told by the format 'idtrace' only, of a trace of ease whose instructions are known")


def _write_repeats(events: Iterator[Events], trace: TraceFile, out: IO[bytes], least: int) -> None:
    """Write a trace in IDtrace's format, with its repeated references told apart; all of it is in memory meanwhile.

    Raises TraceDamaged.
    """
    whole = known_sites(trace, joined([room_for(0), *map(references, events)]))
    idtrace.write([whole], out, [repeat_marks(whole, trace.static.get("copies", ()), len(trace.static["type"]), least)])


def _code(executable: str | None, target: str) -> Code:
    """Return the code of an executable; raises TraceError."""
    if executable is None:
        how = "give --executable FILE, which `ease verify -keep FILE` makes"
        raise TraceError(f"the format '{target}' has bytes of code: {how}")
    from elftools.common.exceptions import ELFError
    from elftools.elf.constants import SH_FLAGS
    from elftools.elf.elffile import ELFFile
    from elftools.elf.enums import ENUM_E_MACHINE

    try:
        with open(executable, "rb") as file:
            whole = ELFFile(file)
            executed = [each for each in whole.iter_sections() if each["sh_flags"] & SH_FLAGS.SHF_EXECINSTR]
            pieces = [(section["sh_addr"], section.data()) for section in executed]
            return Code(pieces, ENUM_E_MACHINE.get(whole["e_machine"], 0), whole.elfclass)
    except ELFError as error:
        raise TraceError(f"{executable}: {error}") from None


def _known(name: str | None, otherwise: str) -> str:
    """Return a name of a format.

    Raises TraceError.
    """
    if name is None:
        raise TraceError(otherwise)
    if name not in (*FORMATS, EASE):
        raise TraceError(f"there is no format '{name}' (there are {', '.join((EASE, *FORMATS))})")
    return name


# ----------------------------------------------------------------------------------------------------------------------
# Write an index into the file of a trace.


def add_index(path: str, every: int = EVERY) -> int:
    """Put an index into a file, before its end, with a state each `every` instructions; return its size in bytes.

    Raises TraceDamaged, OSError.
    """
    with open(path, "rb") as old:
        index = index_section(old, every)
        places = dict(section_places(old))
        if KIND in places or "DONE" not in places:
            raise TraceDamaged("it has an index already" if KIND in places else "it was cut short")
        old.seek(0)
        with file_atomically(path) as new:
            new.write(old.read(places["DONE"]) + index)
            shutil.copyfileobj(old, new)
    return len(index)
