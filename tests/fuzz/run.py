"""Fuzzing: random C programs must print the same here as with another compiler, and count the same in both ways to run.

    python -m tests.fuzz.run --count 100 --machines riscv32,m68020 --levels 0,1,2

Each seed is run in a process of its own, so that a crash or an endless loop costs one seed.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ease.measuring import counted_run
from tests.fuzz import programs
from tests.fuzz.seeds import parser_of, seeds
from tests.fuzz.traced import difference
from tests.kept_machines import load
from vpo.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret

INSTRUCTIONS = 30_000_000  # more than this is an endless loop
SECONDS = 120  # for one seed, unless told
MISSING = 2  # the exit status where tools are
WARM = """
#include <csmith.h>
int main(void) { crc32_gentab(); platform_main_end(strcmp("a", "b") * (int)5.5f, 0); return 1 / (int)1.5; }
"""


@dataclass
class Job:
    """What to try on every program."""

    machines: list[str]
    levels: list[int]
    host: bool
    interpreter: bool
    check: bool
    keep: Path
    trace: bool = False
    compilers: dict[tuple[str, int], Compiler] = field(default_factory=dict)

    def warm(self, folder: Path) -> None:
        """Compile the library once for all seeds."""
        source = folder / "warm.c"
        source.write_text(WARM)
        for name in self.machines:
            machine = load(name)
            for level in self.levels:
                settings = Settings(level=level, include_paths=(str(programs.HEADERS),), check=self.check)
                compiler = self.compilers[name, level] = Compiler(machine, settings)
                compiler.program([str(source)])

    def failures(self, source: Path, outputs: dict[str, tuple[int, str]]) -> list[str]:
        """Compile and run one program in every way; return a line for each failure."""
        found = []
        for (name, level), compiler in self.compilers.items():
            want = outputs[programs.model_of(compiler.machine, source.read_text())]
            try:
                found += [f"{name} -O{level} {text}" for text in self._one(compiler, source, want)]
            except Exception as error:  # a crash of the compiler is a finding, not the end
                place = traceback.extract_tb(error.__traceback__)[-1]
                message = (str(error).splitlines() or [""])[0][:200]
                kind = type(error).__name__
                found.append(f"{name} -O{level} {kind}: {message} ({Path(place.filename).name}:{place.lineno})")
        return found

    def _one(self, compiler: Compiler, source: Path, want: tuple[int, str]) -> list[str]:
        program = compiler.program([str(source)])
        results = []
        if self.interpreter:
            results.append(("interpreter", interpret(program, ["program"], capture=True, limit=INSTRUCTIONS)))
        if self.host:
            result, counts = counted_run(program, ["program"], capture=True, tier="fast", timeout=30, cache="")
            results.append(("host", result))
        found = []
        for kind, result in results:
            got = result.exit_status, result.output.decode("latin-1")
            if result.fault is not None:
                found.append(f"{kind}: {result.fault}")
            elif got != want:
                found.append(f"{kind}: {got} instead of {want}")
        if len(results) == 2 and not found:
            exact = results[0][1]
            found += [f"counts of {name} differ" for name in exact.rtls
                      if (exact.rtls[name], exact.taken[name]) != (counts.rtls[name], counts.taken[name])]  # fmt: skip
        if self.trace and not found and (what := difference(program)):
            found.append(f"trace: {what}")
        return found


def try_seed(job: Job, seed: int, folder: Path) -> dict[str, object]:
    """Return the outcome for one seed: its failures, or why it was skipped."""
    text = programs.generate(seed)
    source = folder / f"{seed}.c"
    source.write_text(text)
    if "float" in text and programs.is_undefined(source):
        return {"skipped": "undefined"}
    outputs = {}
    for model in dict.fromkeys(programs.model_of(c.machine, text) for c in job.compilers.values()):
        output = programs.expected(source, model)
        if output is None:
            return {"skipped": "does not end"}
        outputs[model] = output
    found = job.failures(source, outputs)
    if found:
        job.keep.mkdir(parents=True, exist_ok=True)
        (job.keep / f"{seed}.c").write_text(text)
    return {"failures": found}


def in_child(action, seconds: float) -> dict[str, object]:
    """Run an action in a forked process; return its answer or what became of it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setpgid(0, 0)
        try:
            answer = action()
        except BaseException as error:
            answer = {"failures": [f"{type(error).__name__}: {error}"]}
        with os.fdopen(writer, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(writer)
    text = b""
    end = time.monotonic() + seconds
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0, end - time.monotonic()))[0]:
            piece = pipe.read(1 << 16)
            text += piece
            if not piece:
                break
        else:
            os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(text) if text else {"failures": [f"no answer after {seconds} s, or a crash"]}


def missing_tools(machines: list[str]) -> list[str]:
    """Return the tools that are not installed and programs for these machines need, and their packages."""
    models = {model: name for name in machines for model in programs.models_of(load(name))}
    compilers = [f"{what} for programs on {name}" for model, name in models.items() if (what := programs.missing(model))]
    return [*([] if programs.version() else [f"{programs.CSMITH} (packages: csmith libcsmith-dev)"]), *compilers]


def arguments() -> argparse.Namespace:
    parser = parser_of("run", __doc__, 50)
    parser.add_argument("--machines", default="riscv32,m68020,baseline")
    parser.add_argument("--levels", default="0,1,2")
    parser.add_argument("--host", action="store_true", help="host code only")
    parser.add_argument("--interpret", action="store_true", help="interpreter only (default: both)")
    parser.add_argument("--trace", action="store_true", help="compare the trace with the interpreter's references, too")
    parser.add_argument("--no-check", action="store_true", help="do not verify after every phase")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"time for each seed (default {SECONDS})")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    if missing := missing_tools(given.machines.split(",")):
        print(*(f"not installed: {what}" for what in missing), "(--machines chooses others)", sep="\n", file=sys.stderr)
        return MISSING
    job = Job(
        given.machines.split(","), [int(level) if level.isdigit() else level for level in given.levels.split(",")],
        given.host or not given.interpret, given.interpret or not given.host, not given.no_check, given.keep, given.trace,
    )  # fmt: skip
    outcome: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        job.warm(Path(folder))
        for seed in seeds(given):
            start = time.monotonic()
            answer = in_child(lambda: try_seed(job, seed, Path(folder)), given.seconds)  # noqa: B023 (called at once)
            seconds = time.monotonic() - start
            failures = answer.get("failures", [])
            kind = "skipped" if "skipped" in answer else "failed" if failures else "agreed"
            outcome[kind] += 1
            if kind != "agreed" or seconds > 20:
                print(f"seed {seed}: {kind} {answer.get('skipped', '')} ({seconds:.0f} s)")
                for failure in failures:
                    print(f"    {failure}")
                sys.stdout.flush()
    print(f"{outcome['agreed']} agreed, {outcome['failed']} failed, {outcome['skipped']} skipped (endless or undefined)")
    return 1 if outcome["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
