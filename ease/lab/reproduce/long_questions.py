"""Questions about tools: sampling, records, traces, many caches at once; what only commands do is asked of commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import chdir
from pathlib import Path
from time import process_time

from cache_sim.parse import load as load_system
from cache_sim.sweeps import parse_sweep
from ease.lab.reproduce.questions import TURNS, Answer, Asked
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import dominators, natural_loops
from vpo.base.errors import UserError
from vpo.interpret.plain import interpret_plainly

EASE, EASECC = "ease", "easecc"


def command(name: str, words: Sequence[str], folder: str, stdin: str | None = None, made: Path | None = None) -> str:
    """Run a command of this project as a user would, and return what it prints.

    Raises UserError if it fails: if it does not make the file that it should, or else ends with another status than 0.
    """
    start = f"import sys; from ease.start import {name}; sys.exit({name}())"
    given = Path(folder, stdin).read_bytes() if stdin else b""
    # a user's folder may have modules of its own
    environment = os.environ | {"PYTHONSAFEPATH": "1"}
    run = subprocess.run(
        [sys.executable, "-c", start, *words], cwd=folder, input=given, capture_output=True, check=False, env=environment
    )
    if run.returncode if made is None else not made.is_file():
        raise UserError(
            run.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"{name}: exit status {run.returncode}"]
        )
    return run.stdout.decode(errors="replace")


def machine_words(asked: Asked) -> list[str]:
    """Return the words of a command that say for which machine is compiled, and how well."""
    sets = [word for setting in asked.machine.settings for word in ("--set", setting)]
    return ["-m", asked.machine.origin, *sets, f"-O{asked.level}"]


def compiling(asked: Asked) -> list[str]:
    """Return the words of a command that say what is compiled, for which machine."""
    return [*machine_words(asked), *asked.program.options, *asked.program.files, "--", *asked.program.arguments]


def _record(asked: Asked) -> Answer:
    """Return the bytes of a record, and those of its system calls alone, with the instructions that they stand for."""
    with tempfile.TemporaryDirectory(prefix="ease-reproduce-") as folder:
        file = Path(folder, "run.run")
        command(EASECC, ["-record", str(file), *compiling(asked)], asked.program.folder, asked.program.stdin, file)
        told = command(EASE, ["replay", str(file), "-info"], folder)
    lines = {line[:22].strip(): line[22:].strip() for line in told.splitlines()}
    return {name: int(lines[name].split(", ")[0].replace(",", "")) for name in INFORMED}


INFORMED = ("instructions", "system calls", "bytes", "bytes of system calls")


def _together(asked: Asked) -> Answer:
    """Return accesses and misses of copies of the program that take turns, with each of the kernels that the settings name."""
    copies, found = asked.settings["copies"], {}
    words = [word for _ in range(copies) for word in ("--", *asked.program.arguments)]
    with tempfile.TemporaryDirectory(prefix="ease-reproduce-") as folder:
        file = Path(folder, "found.json")
        for name, kernel in asked.settings["kernels"].items():
            own = ["-quantum", asked.settings["quantum"], "-cache", asked.settings["system"], "--json", str(file)]
            own += ["--kernel", kernel] if kernel else []
            given = ["together", *own, *machine_words(asked), *asked.program.options, *asked.program.files * copies, *words]
            command(EASE, given, asked.program.folder, asked.program.stdin, file)
            known = json.loads(file.read_text())
            (turns,) = known["together"]
            of_kernel = turns["programs"][copies:]
            found[name] = {
                "alone": _missed(known["alone"][0]["results"]),
                "together": _missed(turns["all"]),
                "kernel": _missed(of_kernel[0]["results"]) if of_kernel else [0, 0],
                "instructions": turns["all"]["instructions"],
                "of kernel": of_kernel[0]["results"]["instructions"] if of_kernel else 0,
            }
    return found


def _missed(results: Answer) -> list[int]:
    """Return accesses and misses of a memory system's first cache."""
    cache = next(iter(results["caches"].values()))
    return [sum(cache["accesses"].values()), sum(cache["misses"].values())]


def _trace(asked: Asked) -> Answer:
    """Return the bytes of a compact trace, and the references that it stands for."""
    with tempfile.TemporaryDirectory(prefix="ease-reproduce-") as folder:
        file = Path(folder, "run.trace")
        words = ["-trace", "execution", "-trace-to", str(file), *compiling(asked)]
        command(EASECC, words, asked.program.folder, asked.program.stdin, file)
        size = file.stat().st_size
    run = asked.run()
    return {"instructions": run.instructions, "references": run.references, "bytes": size}


def _sampling(asked: Asked) -> Answer:
    """Return times: plain, with no sample, with samples of each part of the run that the settings name, all of it measured."""
    ways = asked.settings["samples"]
    times: dict[str, list[float]] = {}
    known: Answer = {}
    for _ in range(TURNS):
        times.setdefault("plain", []).append(asked.program.plain_seconds(asked.compiled))
        for name, sample in ways.items():
            run = asked.program.run(asked.compiled, asked.settings.get("system"), timing=False, sample=sample)
            times.setdefault(name, []).append(run.seconds or 0.0)
            sampling = run.measurement.sampling
            assert sampling is not None
            parts = {str(distance): part for distance, part in sampling.within.items()}
            known[name] = {
                "instructions": sampling.instructions, "measured": sampling.measured, "distance": sampling.distance,
                "passed": sampling.passed, "within": parts,
            }  # fmt: skip
    return {"seconds": {name: min(found) for name, found in times.items()}, "samples": known}


def _heads(asked: Asked) -> Answer:
    """Return how often functions of the program's own files were called, and heads of their loops were come to."""
    run = asked.run()
    counts = run.measurement.counts
    assert counts is not None
    own = {row["function"] for row in asked.compiled.functions if row["file"] in asked.program.files}
    found = {"instructions": run.instructions, "functions": 0, "loops": 0}
    for name, function in asked.compiled.linked.functions.items():
        if name.removeprefix("_") in own:
            executed, starts, cfg = counts.rtls[name], function.block_starts(), build_cfg(function)
            heads = {loop.header for loop in natural_loops(cfg, dominators(cfg)) if function.blocks[loop.header].rtls}
            found["functions"] += executed[0]
            found["loops"] += sum(executed[starts[head]] for head in heads)
    return found


def _interpreted(asked: Asked) -> Answer:
    """Return the times of the program, and of the plain interpreter, which looks at one RTL after the other."""
    program = asked.program
    with chdir(program.folder):
        stdin = Path(program.stdin).read_bytes() if program.stdin else b""
        begin = process_time()
        run = interpret_plainly(asked.compiled.linked, [program.name, *program.arguments], stdin=stdin, capture=True)
        taken = process_time() - begin
    return {
        "plain": min(program.plain_seconds(asked.compiled) for _ in range(TURNS)),
        "interpreted": taken,
        "instructions": run.instructions,
    }


def _tools(asked: Asked) -> Answer:
    """Return the numbers in the tables of the tools that the settings name, by the text of the row, if any, and the column."""
    found = {}
    for name, tool in asked.settings["tools"].items():
        tables = asked.program.run(asked.compiled, timing=False, tools=[tool]).measurement.tools
        assert tables is not None
        found[name] = {
            f"{row[0]} {column}" if isinstance(row[0], str) else column: value
            for table in tables[tool]
            for row in table.rows
            for column, value in zip(table.columns, row, strict=True)
            if not isinstance(value, str)
        }
    return found


def _single_pass(asked: Asked) -> Answer:
    """Return the misses of each cache out of one run of all of them, and out of a run of its own."""
    grid = parse_sweep(asked.settings["sweep"])
    swept = asked.run(grid).measurement.sweep
    assert swept is not None
    once, alone = {}, {}
    for cache, misses in swept.caches():
        name = f"{cache.name}:{cache.size},{cache.line},{cache.ways}"
        once[name] = misses
        memory = asked.run(load_system(name)).measurement.memory
        assert memory is not None
        alone[name] = memory.results.caches[0].misses.total
    return {"once": once, "alone": alone}


LONG_QUESTIONS: dict[str, Callable[[Asked], Answer]] = {
    "record": _record, "together": _together, "trace": _trace, "sampling": _sampling, "single pass": _single_pass,
    "interpreted": _interpreted, "heads": _heads, "tools": _tools,
}  # fmt: skip
