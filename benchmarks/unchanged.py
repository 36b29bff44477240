"""Tells whether a change of the compiler changes what it writes: assembly, and what programs of it do.

    python benchmarks/unchanged.py --write before.json [--machines riscv32,vax] [--levels 0,2,s] [--programs queens] [--run]
    ... change the compiler ...
    python benchmarks/unchanged.py --compare before.json

Writes a digest of the assembly text of each program for each machine at each level, and with `--run` of the report of a
run of samples.  A comparison makes the same again and names what differs; its exit status is 1 if anything does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from programs import INDEXES, ROOT, chosen, entries

from ease.host.process.job import RunOptions
from ease.reports.render import as_json
from ease.run.measuring import measure
from vpo.base.errors import LinkError
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.link.assembly import assembly
from vpo.machines.names import machine_names
from vpo.machines.read.load import load

Digests = dict[str, str]


def digest(text: str) -> str:
    """Return a short digest of a text, in which it does not matter where the project lies."""
    return hashlib.sha256(text.replace(f"{ROOT}/", "").encode()).hexdigest()[:16]


def digests(task: tuple[str, Any], programs: list[str], run: bool) -> Digests:
    """Return the digests of programs for one machine at one level, by program, machine and level."""
    machine, level = task
    compiler = Compiler(load(machine), Settings(level))
    return {f"{name} {machine} -O{level}{kind}": value for name in programs for kind, value in _of(name, compiler, run)}


def _of(name: str, compiler: Compiler, run: bool) -> Iterator[tuple[str, str]]:
    """Yield the digests of one program: of its assembly text, and of the report of its short run."""
    source = entries()[name][0]
    try:
        program = compiler.program([str(source.relative_to(ROOT))])
    except (UserError, LinkError) as error:
        yield "", digest(str(error))
        return
    yield "", digest(assembly(program.machine, program.functions.values(), program.data))
    test = json.loads(INDEXES["samples"].read_text()).get(name) if run else None
    if test is not None:
        given = (ROOT / test["stdin"]).read_bytes() if test["stdin"] else b""
        measured = measure(program, [name, *test["args"]], options=RunOptions(given, capture=True, roots=[str(ROOT)]))
        yield " report", digest(as_json(measured))


def made(options: dict[str, Any]) -> Digests:
    """Return the digests that the options ask for."""
    tasks = [(machine, level) for machine in options["machines"] for level in options["levels"]]
    work = partial(digests, programs=options["programs"], run=options["run"])
    result: Digests = {}
    with ProcessPoolExecutor(options["jobs"]) as pool:
        for found in pool.map(work, tasks):
            result |= found
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return result


def levels_of(text: str) -> list[int | str]:
    """Return levels as the command line names them."""
    return [int(word) if word.isdigit() else word for word in text.split(",")]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=lambda text: Path(text).resolve(), metavar="FILE")
    what.add_argument("--compare", type=lambda text: Path(text).resolve(), metavar="FILE")
    parser.add_argument("--machines", type=lambda text: text.split(","), default=machine_names())
    parser.add_argument("--levels", type=levels_of, default=[0, 1, 2])
    parser.add_argument("--programs", type=lambda text: chosen(text.split(",")), default=chosen(["samples"]))
    parser.add_argument("--run", action="store_true")
    parser.add_argument("-j", dest="jobs", type=int, default=2)
    return parser.parse_args()


def main() -> int:
    """Write digests, or compare; returns the exit status."""
    options = vars(arguments())
    os.chdir(ROOT)
    write, compare = options.pop("write"), options.pop("compare")
    if write is not None:
        write.write_text(json.dumps({"options": options, "digests": made(options)}, indent=1), encoding="utf-8")
        return 0
    kept = json.loads(compare.read_text(encoding="utf-8"))
    new = made({**kept["options"], "jobs": options["jobs"]})
    differing = [name for name, value in kept["digests"].items() if new.get(name) != value]
    for name in differing:
        print(f"differs: {name}")
    print(f"{len(kept['digests']) - len(differing)} of {len(kept['digests'])} unchanged")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
