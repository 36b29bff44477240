"""How long the answer to an edit of a machine takes.

    python benchmarks/edits.py [--machines riscv32,m68020] [--edits N] [-O LEVEL] [--no-check] FILE...

For edits of each kind (an instruction, a form, an operand, a register taken away, a constant narrowed, a branch shortened,
latencies and sizes changed, fewer registers, an instruction added) the seconds of the processor for a linked program, with
the unedited machine's code in the cache and with nothing there; how many phases ran on functions; and whether both are the
same code.  Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from vpo.base.errors import UserError
from vpo.build.compiler import Compiler, Settings
from vpo.link.link import LinkError
from vpo.machines.advice.edits import Edit, deletions, edited
from vpo.machines.machine import Machine
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import DescriptionError, Map
from vpo.opt import driver

ADDED = {
    "MAC": {"rtl": "r[d]=r[d]+(r[a]*r[b]);", "asm": "mac $d,$a,$b"},
    "MIN": {"rtl": "r[d]=SEL(r[a]<r[b],r[a],r[b]);", "asm": "min $d,$a,$b"},
    "SH2ADD": {"rtl": "r[d]=(r[a]<<2)+r[b];", "asm": "sh2add $d,$a,$b"},
    "ANDN": {"rtl": "r[d]=r[a]&not(r[b]);", "asm": "andn $d,$a,$b"},
}


def additions(description: Map) -> Iterator[tuple[str, Map]]:
    """Yield descriptions with an instruction more, as far as they can be built."""
    for name, entry in ADDED.items():
        changed = edited(description)
        changed["instructions"].put(name, plain(entry, changed), changed.place, changed.place)
        yield f"add {name}", changed


def plain(entry: dict[str, str], d: Map) -> Map:
    """Return an entry as if it had been read."""
    result = Map(d.place)
    for key, value in entry.items():
        result.put(key, value, d.place, d.place)
    return result


def numbers(description: Map, key: str, number: int) -> list[tuple[str, Map]]:
    """Return descriptions in which one instruction takes another number of cycles or bytes."""
    found = []
    for name, entry in description["instructions"].items():
        if isinstance(entry, Map):
            changed = edited(description)
            changed["instructions"][name].put(key, number, changed.place, changed.place)
            found.append((f"{key} {name}", changed))
    return found


def counts(description: Map) -> list[tuple[str, Map]]:
    """Return descriptions in which a class has fewer registers."""
    found = []
    for name, spec in description["registers"].items():
        count = spec.get("count", 0)
        for fewer in sorted({count // 2, count * 3 // 4, count - 1} if count > 7 else ()):
            changed = edited(description)
            changed["registers"][name].put("count", fewer, changed.place, changed.place)
            found.append((f"registers {name} {fewer}", changed))
    return found


def edits(description: Map, number: int) -> Iterator[tuple[str, Map]]:
    """Yield about as many edited descriptions, some of each kind, always the same."""
    chosen = random.Random(number)
    kinds: dict[str, list[Edit]] = {}
    for edit in deletions(description):
        kinds.setdefault(edit.kind, []).append(edit)
    each = max(number // (len(kinds) + 3), 1)
    found = [(f"{e.kind} {e.name}", edited(description, e)) for group in kinds.values()
             for e in chosen.sample(group, min(each, len(group)))]  # fmt: skip
    for key, value in (("latency", 9), ("size", 8)):
        several = numbers(description, key, value)
        yield from chosen.sample(several, min(each, len(several)))
    fewer = counts(description)
    yield from chosen.sample(fewer, min(each, len(fewer)))
    yield from [*found, *additions(description)]


class Phases:
    """Counts the phases that run on functions."""

    def __init__(self) -> None:
        self.count, self.run = 0, driver._Run._phase

    def watch(self) -> None:
        """Begin to count."""
        counter = self

        def phase(run: Any, name: str, place: int) -> None:
            counter.count += 1
            counter.run(run, name, place)

        driver._Run._phase = phase  # type: ignore[method-assign]


def code(machine: Machine, level: Any, files: list[str]) -> str:
    """Return a linked program as text, or why there is none."""
    try:
        compiler = Compiler(machine, Settings(level))
        return compiler.linked_text(compiler.program(files))
    except (UserError, LinkError) as failure:
        return str(failure)


def timed(phases: Phases, make: Callable[..., str], *given: Any) -> tuple[str, float, int]:
    """Return what was made, the seconds and the phases that it took."""
    start, before = time.process_time(), phases.count
    text = make(*given)
    return text, time.process_time() - start, phases.count - before


def main() -> int:
    """Print a line for each edit, and means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--machines", default="riscv32,m68020,vax")
    parser.add_argument("--edits", type=int, default=30, help="about how many for each machine")
    parser.add_argument("-O", dest="level", default="2")
    parser.add_argument("--no-check", action="store_true", help="do not compile from nothing")
    parser.add_argument("files", nargs="+")
    asked = parser.parse_args()
    level: Any = asked.level if asked.level == "s" else int(asked.level)
    phases, wrong = Phases(), 0
    phases.watch()
    for name in asked.machines.split(","):
        description, rows = read_description(name), []
        with tempfile.TemporaryDirectory() as folder:
            os.environ["EASE_CACHE"] = folder
            _, whole, all_phases = timed(phases, code, build(description), level, asked.files)
            print(f"{name}: from nothing {whole:.2f} s, {all_phases} phases", flush=True)
            for what, changed in edits(description, asked.edits):
                try:
                    machine = build(changed)
                except DescriptionError:
                    continue
                os.environ["EASE_CACHE"] = folder
                text, seconds, ran = timed(phases, code, machine, level, asked.files)
                same = ""
                if not asked.no_check:
                    os.environ["EASE_CACHE"] = ""
                    fresh, whole, _ = timed(phases, code, build(changed), level, asked.files)
                    same = "same" if fresh == text else "DIFFERS"
                    wrong += fresh != text
                rows.append(seconds / whole)
                print(
                    f"  {what:32} {seconds:6.2f} s  {seconds / whole:5.2f} of {whole:.2f} s  {ran:5} phases  {same}",
                    flush=True,
                )
        print(f"{name}: {sum(rows) / max(len(rows), 1):.2f} in the mean of {len(rows)} edits")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
