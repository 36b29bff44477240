"""Compiles and runs a random program on machines at levels, and compares with what another compiler makes of it."""

from __future__ import annotations

import dataclasses
import os
import re
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from ease.run.verify import ToolMissing, emulated, truth
from tests.fuzz import csmith, oracles
from tests.fuzz.child import WAITING
from tests.fuzz.oracles import Outcome
from tests.fuzz.traced import difference
from tests.fuzz.variants import VARIANTS, Variant
from tests.kept_machines import load
from vpo.base.c_standard import LIBRARY_STANDARD
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret
from vpo.interpret.result import Result
from vpo.opt.driver import Level
from vpo.program import Program

INSTRUCTIONS = 30_000_000  # more than this is an endless loop
WHOLE = 63  # with turns, one of so many compilations is verified after each phase and run as host code, too
SHORT = 200  # characters of both outputs that are told whole
WARM = f"""
{csmith.START}
int main(void)
{{
    volatile float single = 1.5f;
    volatile double number = single;
    volatile long long wide = 5;
    unsigned char bytes[300], others[sizeof bytes];
    crc32_gentab();
    memset(bytes, 1, sizeof bytes);
    memcpy(others, bytes, sizeof others);
    print_checksum(strcmp("a", "b") * (int)(number / single) + wide / 3 * wide % 3 << wide);
    transparent_crc(1, "crc", 0);
    return 0;
}}
"""


@dataclass
class Job:
    """What to try on every program.

    With `turns`, a seed is tried on each machine at one level, another one for the next seed; one of `whole` in every way,
    with `emulate` on the machine's emulator, too.  The library is compiled at the program's level, or at that of `library`.
    """

    machines: list[str]
    levels: list[Level]
    host: bool = True
    interpreter: bool = True
    check: bool = True
    turns: bool = False
    trace: bool = False
    variant: Variant = VARIANTS["none"]
    library: tuple[Level, ...] = ()
    whole: int = WHOLE
    emulate: bool = False
    compilers: dict[tuple[str, Level], Compiler] = field(default_factory=dict)

    def warm(self, folder: Path, text: str = WARM) -> None:
        """Compile the library once for all seeds, as far as a program needs it; what is compiled later is not kept."""
        source = folder / "warm.c"
        source.write_text(text)
        for name in self.machines:
            machine = load(name)
            units = None  # of the library at one level for all
            for level in dict.fromkeys((*self.library, *self.levels, 0)):
                compiler = Compiler(machine, Settings(level, c=COptions((str(csmith.HEADERS),), standard=LIBRARY_STANDARD)))
                self.compilers[name, level] = compiler
                if self.library:
                    units = compiler.library_units = compiler.library_units if units is None else units
                interpret(compiler.program([str(source)]), ["program"], capture=True)
        os.environ["EASE_CACHE"] = ""

    def tried(self, seed: int) -> Iterator[tuple[str, Level, bool]]:
        """Give the machines and levels on which a seed is tried, and whether in every way."""
        for number, name in enumerate(self.machines, seed):
            chosen = [self.levels[number % len(self.levels)]] if self.turns else self.levels
            yield from ((name, level, not self.turns or number // len(self.levels) % self.whole == 0) for level in chosen)

    def try_program(self, seed: int, sources: Sequence[Path]) -> dict[str, object]:
        """Return the outcome for the program of a seed: failures and where it was tried, or why it was skipped."""
        text = "".join(path.read_text() for path in sources)
        doubtful = self.variant.csmith or re.search(r"\bfloat\b|#pragma pack", text)
        if doubtful and oracles.is_undefined(sources, variant=self.variant):
            return {"skipped": "undefined"}
        found: list[str] = []
        tried: Counter[str] = Counter()
        outputs: dict[str, Outcome | None] = {}
        for name, level, whole in self.tried(seed):
            compiler = self.compilers[name, level]
            if oracles.WIDE_INT in text and compiler.machine.model.sizes["int"] < 4:
                continue
            model = oracles.model_of(compiler.machine, text)
            if model not in outputs and not oracles.missing(model):
                outputs[model] = oracles.expected(sources, model, 2, self.variant)
                if outputs[model] is None:
                    return {"skipped": "does not end"}
            try:
                want = outputs[model] if model in outputs else self._plain(name, sources)
                if want is None:
                    continue
                tried[f"{name} -O{level}" + ("" if model in outputs else " against -O0")] += 1
                found += [f"{name} -O{level} {what}" for what in self._failures(compiler, sources, want, whole)]
            except Exception as error:  # a crash of the compiler is a finding, not the end
                place = traceback.extract_tb(error.__traceback__)[-1]
                message = (str(error).splitlines() or [""])[0][:200]
                kind = type(error).__name__
                found.append(f"{name} -O{level} {kind}: {message} ({Path(place.filename).name}:{place.lineno})")
        return {"failures": found, "tried": tried}

    def _plain(self, name: str, sources: Sequence[Path]) -> Outcome | None:
        """Return what a program prints without improvements, where no other compiler can say it; None if it does not end."""
        program = self._compiled(self.compilers[name, 0], sources, False)
        result = interpret(program, ["program"], capture=True, limit=INSTRUCTIONS)
        return None if result.fault is not None and result.fault.kind == "limit" else _outcome(result)

    def _failures(self, compiler: Compiler, sources: Sequence[Path], want: Outcome, whole: bool) -> list[str]:
        """Compile and run a program; return a line for each failure."""
        program = self._compiled(compiler, sources, self.check and whole)
        found = []
        if self.interpreter or not whole:
            result = interpret(program, ["program"], capture=True, limit=INSTRUCTIONS)
            found += _wrong("interpreter", result, want)
        if self.host and whole:
            options = RunOptions(capture=True, timeout=WAITING * 30, tier="fast", cache="")
            host, counts = counted_run(program, ["program"], options)
            found += _wrong("host", host, want)
            if self.interpreter and not found:
                found += [f"counts of {name} differ" for name in result.rtls
                          if (result.rtls[name], result.taken[name]) != (counts.rtls[name], counts.taken[name])]  # fmt: skip
            if self.emulate and not found:
                found += _emulated(program, want, emulated(program, counts))
        if self.trace and whole and not found and (what := difference(program)):
            found.append(f"trace: {what}")
        return found

    def _compiled(self, compiler: Compiler, sources: Sequence[Path], check: bool) -> Program:
        """Compile a program, verified after each phase if told so; the library is taken as it is."""
        settings = dataclasses.replace(self.variant.settings(compiler.settings), check="invariants" if check else "nothing")
        if settings != compiler.settings:
            library = compiler.library_units
            compiler = Compiler(compiler.machine, settings)
            compiler.library_units = library
        return compiler.program([str(path) for path in sources])


def _emulated(program: Program, want: Outcome, instructions: int) -> list[str]:
    """Return what is wrong on the real machine, if it has an emulator."""
    try:
        real = truth(program, ["program"], timeout=WAITING * 60)
    except ToolMissing as missing:
        return [] if "names no toolchain" in str(missing) or "not installed" in str(missing) else [f"assembler: {missing}"]
    got = real.exit_status, real.output.decode("latin-1")
    found = [] if got == want else [f"emulator: {_unlike(got, want)}"]
    if real.instructions != instructions:
        found.append(f"emulator: {real.instructions} instructions instead of {instructions}")
    return found


def _outcome(result: Result) -> Outcome:
    return result.exit_status, result.output.decode("latin-1")


def _wrong(kind: str, result: Result, want: Outcome) -> list[str]:
    """Return what is wrong with a run's result, if anything."""
    if result.fault is not None:
        return [f"{kind}: {result.fault}"]
    got = _outcome(result)
    return [] if got == want else [f"{kind}: {_unlike(got, want)}"]


def _unlike(got: Outcome, want: Outcome) -> str:
    """Say what is unlike: of long outputs, the first such line."""
    if len(got[1]) + len(want[1]) < SHORT or got[0] != want[0]:
        return f"{got} instead of {want}"
    lines, wanted = ([*text.splitlines(), "the end"] for text in (got[1], want[1]))
    number = next(number for number, pair in enumerate(zip(lines, wanted, strict=False), 1) if pair[0] != pair[1])
    return f"line {number}: {lines[number - 1]!r} instead of {wanted[number - 1]!r}"
