"""Check a trace against itself: what is regenerated must be what the run counted."""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

import numpy as np

from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.formats.champsim import CALL, JUMP, RETURN
from cache_sim.traces.regeneration import FETCHED, read_chunk
from cache_sim.traces.trace_file import TraceFile
from ease.model.run_identity import file_name
from ease.model.static_program import accesses
from ease.traces.address_plan import copies
from ease.traces.trace_tables import known_sites
from vpo.analysis.references import references
from vpo.analysis.transfers import callee_of
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import Branch, Jump, Register, Return, Rtl


def check(trace: TraceFile) -> str:
    """Regenerate a trace, and return what was found in a sentence.

    Raises TraceDamaged if it is not what the run counted.
    """
    facts = trace.facts
    if facts.get("form") == "profile":
        end = trace.end
        if trace.cut:
            raise TraceDamaged("the file was cut short, before its counts or its end")
        return f"counts of {end.get('instructions', 0):,} instructions"
    executed, events_seen = None, 0
    size = len(trace.static.get("type", ()))
    for events in trace.events(("fetch", "read", "write") if facts.get("data", True) else ("fetch",)):
        events_seen += len(events)
        fetched = events.sites[events.kinds == FETCHED].astype(np.int64)
        known_sites(trace, events)
        if size:
            found = np.bincount(fetched, minlength=size)
            executed = found if executed is None else executed + found
    if trace.cut:
        return f"{events_seen:,} references; the file was cut short"
    counted = trace.whole.parts.get("CNTS")
    if counted is not None and "instructions" in trace.end and executed is not None:
        if len(counted) != 8 * size:
            raise TraceDamaged("its section CNTS is of another program")
        wanted = np.frombuffer(counted, "<u8").astype(np.int64)
        differing = np.flatnonzero(executed[: len(wanted)] != wanted).tolist()
        wrong = [site for site in differing if executed[site]]  # RTLs without bytes are not fetched
        for site in wrong[:1]:
            raise TraceDamaged(f"RTL {site} was executed {wanted[site]:,} times, and is {executed[site]:,} times in the trace")
    if counted is None:
        return f"{events_seen:,} references; no run counted them"
    return f"{events_seen:,} references, as the run counted them"


# ----------------------------------------------------------------------------------------------------------------------
# Whether traces are of the same run (IDtrace's `idtinfo`): by digests of the program, of the counts and of the streams.


_UNTIL = ("status", "fault", "instructions")  # what is said of the end


def difference(first: TraceFile, second: TraceFile) -> str:
    """Return in what the run of a second trace differs from that of a first one; empty if it does not, as far as they tell.

    Raises TraceDamaged.
    """
    one, other = first.facts, second.facts
    if not one.get("image") or not other.get("image"):
        return "of a program that one of the files does not tell"
    if one["image"] != other["image"]:
        same = one.get("machine") == other.get("machine")
        return "of another program" if same else f"of a program for another machine, {other.get('machine', 'unknown')}"
    if one.get("arguments") != other.get("arguments"):
        return f"of a run with other arguments, {other.get('arguments', [])}"
    if first.end and second.end and (found := _ends(first, second)):
        return found
    alike = one.get("form") == other.get("form") == "path" and one.get("data") == other.get("data")
    whole = bool(first.end and second.end)
    if alike and whole and _streams(first) != _streams(second):
        return "of a run that took another path or referred to other addresses"
    return ""


def _ends(first: TraceFile, second: TraceFile) -> str:
    """Return in what the ends of two runs of one program differ, or their counts."""
    both: list[tuple[dict[str, Any], bytes | None]] = []
    for trace in (first, second):
        end = {key: trace.end.get(key) for key in _UNTIL}
        both.append((end, trace.whole.parts.get("CNTS")))
    (one, counted), (other, counted_too) = both
    if counted is None or counted_too is None:  # a list of events does not know how its run ended
        return ""
    if one != other:
        said = other["fault"] or f"exit status {other['status']}, {other['instructions'] or 0:,} instructions"
        return f"of a run that ended otherwise ({said})"
    return "" if counted == counted_too else "of a run with other counts"


def _streams(trace: TraceFile) -> tuple[str, str]:
    """Return digests of all decisions and of all words; where chunks end does not matter."""
    decisions, words = hashlib.sha256(), hashlib.sha256()
    with trace.opened() as streams:
        for content in streams.contents("DATA"):
            _, control, given = read_chunk(content, int(trace.facts["bits"]))
            decisions.update(control.tobytes())
            words.update(given.tobytes())
    return decisions.hexdigest(), words.hexdigest()


# ----------------------------------------------------------------------------------------------------------------------
# The static half of a trace: what each RTL and each block of the program is, for readers that have no program.


def static_half(program: Program) -> dict[str, Any]:
    """Return it as JSON has it; docs/traces.md says what each key means.

    Lists have an entry for each number of an RTL, those one past the last RTL of a function among them.
    """
    types: dict[str, int] = {}
    files: dict[str, int] = {}
    functions: list[list[object]] = []
    blocks: list[list[int]] = []
    kinds: list[int] = []
    lines: list[int] = []
    texts: list[str] = []
    addresses: list[int] = []
    transfers: list[int] = []
    targets: list[int] = []
    registers = _Registers(program.machine)
    for name, function in program.functions.items():
        first, places, fetched = program.first(name), program.addresses[name], program.fetched[name]
        file = files.setdefault(file_name(function.file), len(files))
        functions.append([name.removeprefix("_"), file, first, len(places) - 1])
        records = [program.machine.record(rtl) for rtl in function.rtls()]
        kinds += [types.setdefault(record.name, len(types)) for record in records] + [-1]
        lines += [rtl.lines[0] for rtl in function.rtls()] + [0]
        texts += [record.assembly for record in records] + [""]
        addresses += places
        transfers += [*map(_transfer, function.rtls()), 0]
        targets += [*(_target(program, name, rtl) for rtl in function.rtls()), 0]
        registers.add([*function.rtls(), None])
        for block, start in zip(function.blocks, function.block_starts(), strict=True):
            found = [reference for rtl in block.rtls for reference in references(rtl)]
            writes = sum(reference.write for reference in found)
            end = start + len(block.rtls)
            counted = sum(record.counted for record in records[start:end])
            size = sum(behind - address for address, behind in fetched[start:end])
            blocks.append([first + start, places[start], size, counted, len(found) - writes, writes])
    return {
        "types": list(types), "files": list(files), "functions": functions, "blocks": blocks, "type": kinds, "line": lines,
        "text": texts, "address": addresses, "copies": copies(program), "transfer": transfers, "target": targets,
        "uses": [[list(read), list(written)] for read, written in registers.uses], "use": registers.use,
    }  # fmt: skip


def _transfer(rtl: Rtl) -> int:
    """Return what an RTL is that always takes control elsewhere, 0 if it is none."""
    if rtl.call is not None:
        return CALL
    if rtl.transfer is None or isinstance(rtl.transfer, Branch):
        return 0
    return RETURN if isinstance(rtl.transfer, Return) else JUMP


def _target(program: Program, function: str, rtl: Rtl) -> int:
    """Return the address to which an RTL that says so may take control, 0 if it does not say it."""
    if isinstance(rtl.transfer, Branch | Jump):
        return program.labels[function, rtl.transfer.label]
    called = None if rtl.call is None else callee_of(program, rtl.call)
    return program.addresses[called][0] if called in program.addresses else 0


class _Registers:
    """Which registers each RTL reads and writes: numbers in the order in which they occur, 0 is the stack pointer.

    `uses` are the pairs that there are, and `use` has the number of one for each RTL, that of none for no RTL.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.numbers = dict.fromkeys(machine.storage(machine.stack_pointer), 0)
        self.uses: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 0}
        self.use: list[int] = []

    def add(self, rtls: list[Rtl | None]) -> None:
        """Add the RTLs of a function."""
        for rtl in rtls:
            read, written = ((), ()) if rtl is None else map(self._numbered, accesses(rtl))
            self.use.append(self.uses.setdefault((read, written), len(self.uses)))

    def _numbered(self, registers: set[Register]) -> tuple[int, ...]:
        places = {place for each in registers if each not in self.machine.zero for place in self.machine.storage(each)}
        found = {self.numbers.setdefault(place, len(self.numbers)) for place in sorted(places)}
        return tuple(sorted(found, reverse=True))  # the stack pointer last


def image_digest(program: Program, static: dict[str, Any]) -> str:
    """Return the SHA-256 of a program's code, data and addresses, whatever the names of its source files are."""
    code = [static[name] for name in ("types", "type", "text", "address")]
    digest = hashlib.sha256(json.dumps([code, sorted(program.symbols.items()), program.end]).encode())
    for address, content in program.image:
        digest.update(struct.pack("<QQ", address, len(content)) + content)
    return digest.hexdigest()
