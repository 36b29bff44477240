"""What a store keeps of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ease.results import Measurement
from ease.source_names import file_name, readable
from ease.static_kinds import StaticProgram
from vpo.program import Program
from vpo.text import show_effects

# The parts of a measurement that are no counts, but those that are measurements themselves.
SIMULATED = ("memory", "sweep", "prediction", "timing", "history", "tools", "timeline", "attribution")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run: a measurement with program, counts and identity; its number in the store, and when it was made (ISO 8601).

    `texts` has the RTL and the assembly of each kind of the program, `sources` the text of its files that could be read,
    `description` that of the machine.
    """

    measurement: Measurement
    texts: tuple[tuple[str, str], ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    description: str = ""
    number: int = 0
    time: str = ""


def keep(
    measurement: Measurement, program: Program, description: str, sources: Mapping[str, str] | None = None
) -> KeptRun:
    """Return what is kept of a run of a program.

    `description` is the text of its machine's; `sources`, texts by file, are read if they are not given.
    """
    assert measurement.program is not None
    sources = sources_of(program) if sources is None else sources
    return KeptRun(measurement, texts_of(measurement.program, program), sources, description)


def texts_of(known: StaticProgram, program: Program) -> tuple[tuple[str, str], ...]:
    """Return the RTL and the assembly of each kind of a program."""
    texts: dict[int, tuple[str, str]] = {}
    for name, function in program.functions.items():
        for kind, rtl in zip(known.functions[name].kinds, function.rtls(), strict=True):
            if kind not in texts:
                texts[kind] = show_effects(rtl.effects), program.machine.record(rtl).assembly
    return tuple(texts[kind] for kind in range(len(texts)))


def sources_of(program: Program) -> dict[str, str]:
    """Return the text of the source files that can be read, but for the library's."""
    found = {}
    for file in sorted({function.file for function in program.functions.values()}):
        if file and file_name(file) == file and Path(file).is_file():
            found[file] = readable(file)
    return found
