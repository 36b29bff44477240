"""Fuzzing: random C programs must print the same here as with another compiler, and count the same in both ways to run.

    python -m tests.fuzz.run --count 100 --machines riscv32,m68020 --levels 0,1,2
    python -m tests.fuzz.run --seeds 1-3000 --machines riscv32,m68020,sparc,riscv64,arm,vax,short16 --turns
    python -m tests.fuzz.run --generator yarpgen --machines riscv32,riscv64

Each seed is run in a process of its own, so that a crash or an endless loop costs one seed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.fuzz import csmith, loops, oracles, yarpgen
from tests.fuzz.child import each_in_child, freeze
from tests.fuzz.people import programs
from tests.fuzz.seeds import parser_of, seeds
from tests.fuzz.tally import Tally
from tests.fuzz.trying import WARM, WHOLE, Job
from tests.fuzz.variants import VARIANTS, Variant
from tests.kept_machines import load
from vpo.opt.driver import Level

SECONDS = 120  # for one seed, unless told
SLOW = 30  # seconds for one seed that are worth a word
MISSING = 2  # the exit status where tools are

GENERATORS: dict[str, Callable[[int, Variant], dict[str, str]]] = {
    # less than half of csmith's programs have structures
    "csmith": lambda seed, way: {"program.c": way.write(csmith.generate(seed, seed % 2 == 1, way.csmith))},
    "people": lambda seed, _: {"program.c": programs.generate(seed)},
    "loops": lambda seed, _: {"program.c": loops.generate(seed)},
    "yarpgen": lambda seed, _: yarpgen.generate(seed),
    "yarpgen-large": lambda seed, _: yarpgen.generate(seed, yarpgen.LARGE),
    "yarpgen-mutated": lambda seed, _: yarpgen.generate(seed, options=yarpgen.MUTATED),
}
WARMS = {"people": programs.WARM, "loops": loops.WARM}
ANY_LAYOUT = ("people", "loops")  # whose programs print the same however values lie in memory


def try_seed(job: Job, generator: str, seed: int, folder: Path, keep: Path) -> dict[str, object]:
    """Return the outcome for one seed; what fails is kept in a folder of the seed's name."""
    files = GENERATORS[generator](seed, job.variant)
    for name, text in files.items():
        (folder / name).write_text(text)
    answer = job.try_program(seed, [folder / name for name in files if name.endswith(".c")])
    if failures := answer.get("failures"):
        if generator in ANY_LAYOUT:
            failures += [f"the generator's fault: {line}" for line in oracles.report(folder / "program.c")[0].splitlines()[:1]]
        kept = keep / f"{generator}-{seed}"
        kept.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (kept / name).write_text(text)
    return answer


def missing_tools(generator: str, machines: list[str]) -> list[str]:
    """Return the tools that are not installed and programs for these machines need, and their packages."""
    texts = (oracles.ANY_LAYOUT,) if generator in ANY_LAYOUT else oracles.KINDS_OF_TEXTS
    models = {model: name for name in machines for model in oracles.models_of(load(name), texts)}
    compilers = [f"{what} for programs on {name}" for model, name in models.items() if (what := oracles.missing(model))]
    if generator.startswith("yarpgen"):
        return [*([] if yarpgen.command() else ["yarpgen (in PATH, or where YARPGEN says)"]), *compilers]
    if generator in ANY_LAYOUT:
        return compilers
    return [*([] if csmith.version() else [f"{csmith.CSMITH} (packages: csmith libcsmith-dev)"]), *compilers]


def arguments() -> argparse.Namespace:
    parser = parser_of("run", __doc__, 50)
    parser.add_argument("--generator", choices=GENERATORS, default="csmith", help="what writes the programs")
    parser.add_argument("--machines", default="riscv32,m68020,baseline")
    parser.add_argument("--levels", default="0,1,2,s")
    parser.add_argument("--library", metavar="LEVEL", help="the library's level whatever the program's, to begin sooner")
    parser.add_argument("--turns", action="store_true",
                        help="one level for each seed and machine, by turns; some in every way")  # fmt: skip
    parser.add_argument("--host", action="store_true", help="host code only")
    parser.add_argument("--interpret", action="store_true", help="interpreter only (default: both)")
    parser.add_argument("--trace", action="store_true", help="compare the trace with the interpreter's references, too")
    parser.add_argument("--whole", type=int, default=WHOLE, help=f"one of so many in every way (default {WHOLE})")
    parser.add_argument("--emulate", action="store_true", help="these on the machine's emulator, too, where there is one")
    parser.add_argument("--variant", choices=VARIANTS, default="none", help="options that change what programs mean")
    parser.add_argument("--log", type=Path, help="file that gets a line for each seed; those that it has are not tried again")
    parser.add_argument("--no-check", action="store_true", help="do not verify after every phase")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"processor time for each seed (default {SECONDS})")
    return parser.parse_args()


def levels(words: str) -> list[Level]:
    """Return the levels of a list with commas."""
    return [int(word) if word.isdigit() else word for word in words.split(",") if word]


def main() -> int:
    """Try seeds, tell of those that fail, and say how often each machine was tried at each level."""
    given = arguments()
    machines = given.machines.split(",")
    if missing := missing_tools(given.generator, machines):
        print(*(f"not installed: {what}" for what in missing), "(--machines chooses others)", sep="\n", file=sys.stderr)
        return MISSING
    job = Job(
        machines, levels(given.levels),
        given.host or not given.interpret, given.interpret or not given.host, not given.no_check, given.turns, given.trace,
        VARIANTS[given.variant], tuple(levels(given.library or "")), whole=given.whole, emulate=given.emulate,
    )  # fmt: skip
    tally = Tally(given.log)
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):  # which tells of what was done
        job.warm(Path(folder), WARMS.get(given.generator, WARM))
        freeze()
        start = time.monotonic()
        action = partial(try_seed, job, given.generator, folder=Path(folder), keep=given.keep)
        left = [seed for seed in seeds(given) if seed not in tally.known]
        for seed, answer in each_in_child(action, left, given.seconds):
            seconds, start = time.monotonic() - start, time.monotonic()
            kind = tally.add(seed, answer)
            if kind == "failed" or seconds > SLOW:
                print(f"seed {seed}: {kind} {answer.get('skipped', '')} ({seconds:.0f} s)")
                for failure in answer.get("failures", []):
                    print(f"    {failure}")
                sys.stdout.flush()
    print(tally)
    return 1 if tally.outcomes["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
