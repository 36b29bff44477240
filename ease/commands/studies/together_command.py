"""`ease together`: several programs on one machine, and what a context switch costs each."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.commands.compile.command import Command, UsageError, program_name
from ease.commands.compile.command_line import LARGEST, parse
from ease.commands.compile.options import OPTIONS
from ease.commands.own_words import run_command, take

if TYPE_CHECKING:
    from cache_sim.config import MemorySystem
    from cache_sim.traces.kernel import Kernel
    from ease import TitledTable
    from ease.lab.together import processors
    from ease.lab.together.page_table import Policy
    from ease.lab.together.study import Machine, Study
    from vpo.program import Program

USAGE = """\
usage: ease together -quantum N[,N...] -cache SPEC [options] a.c b.c ... [-- arguments of a [-- arguments of b ...]]

Run programs in turns of N instructions (10000, or 10k; k is 1,000 and m 1,000,000) on one memory system, and tell what a
context switch costs each, against running alone.  Each file is a program; one may be given several times.

  --pages POLICY     which frame a page gets when it is first touched: sequential (the default), coloured or random:SEED
  --page BYTES       the size of a page (default: that of the machine)
  -predict LIST      branch predictors that the programs share, such as btfn+bimodal:1024+gshare:4k,12
  --flush            at a switch, predictors forget everything
  --kernel SPEC      a kernel's references at system calls, switches and interrupts: default, or call=2000,every=50k,...
  --coherent NAME    each program on a processor with private first-level caches and a protocol: msi or mesi
  --share            with --coherent: copies of one file share code, data and heap, as threads do
  --json FILE        everything as JSON; - is the standard output, instead of tables
  --svg FILE         a picture: what a switch costs, over quanta

Other options are those of easecc (-m, --set, -O, -limit, -timeout, ...); -limit and -timeout hold for each program.
"""
_UNITS = {"": 1, "k": 1000, "m": 1000_000}
_SEPARATOR, _FLUSH, _SHARE = "--", "--flush", "--share"
_OWN = ("-quantum", "--pages", "--page", "--kernel", "--coherent", "--json", "--svg")
_MEASURED = ("-cache", "-predict")  # here; what else is measured has no place, nor have these
_EXCLUDED = ("-record", "-trace", "-why-not", "-o", "-link")


@dataclass
class _Asked:
    """What a command line asks for, beside what it says to easecc."""

    quanta: list[int]
    policy: str
    page: int | None
    flushes: bool
    kernel: str | None
    protocol: str | None
    shares: bool
    json: str | None
    svg: str | None


def main(words: Sequence[str]) -> int:
    """Run the command; exit status 0, that of the first program that ended with another one, 1: an error, 2: wrong usage."""
    return run_command("ease together", USAGE, words, _action)


def _action(words: list[str]) -> Callable[[], int]:
    asked, command, arguments = _parse(words)
    return lambda: _together(asked, command, arguments)


def _parse(words: list[str]) -> tuple[_Asked, Command, list[list[str]]]:
    """Take out the words that are not for easecc; return also the arguments of each program.

    Raises UsageError.
    """
    end = words.index(_SEPARATOR) if _SEPARATOR in words else len(words)
    own, rest = take(words[:end], (_FLUSH, _SHARE), dict.fromkeys(_OWN, "a value"))
    asked = _Asked(
        _quanta(own.get("-quantum")), own.get("--pages", "sequential"), _page(own.get("--page")), _FLUSH in own,
        own.get("--kernel"), own.get("--coherent"), _SHARE in own, own.get("--json"), own.get("--svg"),
    )  # fmt: skip
    arguments: list[list[str]] = []
    for word in words[end:]:
        if word == _SEPARATOR:
            arguments.append([])
        else:
            arguments[-1].append(word)
    command = parse(rest)
    _check(asked, command, arguments)
    missing = len(command.files) - len(arguments)
    return asked, command, arguments + [[] for _ in range(missing)]


def _check(asked: _Asked, command: Command, arguments: Sequence[Sequence[str]]) -> None:
    for name, option in OPTIONS.items():
        if (name in _EXCLUDED or (option.measures and name not in _MEASURED)) and option.is_in(command):
            raise UsageError(f"'{name}' has no place here")
    if command.stops_early or command.may_sweep:
        raise UsageError("programs are run here, each compiled once")
    if not asked.quanta:
        raise UsageError("-quantum N is needed: how many instructions a turn has")
    if asked.flushes and command.predict is None:
        raise UsageError("--flush needs -predict: it is about predictors; caches see physical addresses")
    if asked.shares and asked.protocol is None:
        raise UsageError("--share needs --coherent: programs that take turns share nothing")
    if asked.protocol is not None and (command.predict is not None or asked.svg is not None):
        raise UsageError("--coherent is about caches: it has no predictors, and no picture")
    if command.cache is None:
        raise UsageError("-cache SPEC is needed: the memory system that the programs share")
    if len(arguments) > len(command.files):
        raise UsageError(f"arguments of {len(arguments)} programs, but there are {len(command.files)}")


def _quanta(text: str | None) -> list[int]:
    found: dict[int, None] = {}
    for part in text.split(",") if text is not None else ():
        match = re.fullmatch(r"([1-9][0-9]{0,17})([km]?)", part)
        count = int(match[1]) * _UNITS[match[2]] if match else 0
        if not 0 < count <= LARGEST >> 1:
            raise UsageError(f"-quantum: '{part}' is no number of instructions, such as 500, 10k or 1m")
        found[count] = None
    return list(found)


def _page(text: str | None) -> int | None:
    if text is None:
        return None
    page = int(text) if text.isdecimal() and len(text) < len(str(LARGEST)) else 0
    if not 1 << 4 <= page <= 1 << 30 or page & (page - 1):
        raise UsageError(f"--page: '{text}' is no power of two from 16 to {1 << 30}")
    return page


def _together(asked: _Asked, command: Command, arguments: Sequence[Sequence[str]]) -> int:
    import tempfile

    from cache_sim.traces.trace_file import TraceFile
    from ease.base.files import check_place
    from ease.lab.together import processors
    from ease.lab.together.study import Machine, predicting, study
    from ease.run.measure_options import on

    system, policy, kernel = _system(command), _policy(asked), _kernel(asked)
    for target in (asked.json, asked.svg):
        if target not in (None, "-"):
            check_place(target or "")
    if asked.protocol is not None:
        _check_protocol(asked.protocol, system)
    programs = _compiled(command)
    page = asked.page or programs[0].machine.layout.page
    shared = None if command.predict is None else predicting(command.predict, asked.flushes, programs)
    names = [f"{place} {program_name(file)}" for place, file in enumerate(command.files, 1)]
    with tempfile.TemporaryDirectory(prefix="ease-together-") as folder:
        files = [Path(folder, f"{place}.trace") for place in range(len(programs))]
        statuses = [_traced(command, *what) for what in zip(programs, command.files, arguments, files, strict=True)]
        traces, machine = [TraceFile(file) for file in files], Machine(
            replace(system, uncached=()), policy, page, shared, kernel, on(programs[0].machine, system).uncached
        )
        if asked.protocol is not None:
            shares = tuple(command.files.index(file) if asked.shares else n for n, file in enumerate(command.files))
            low = programs[0].machine.layout.stack_low
            at_once = processors.study(names, traces, asked.quanta, processors.Coherent(machine, asked.protocol, shares, low))
            _tell_processors(asked, command, at_once)
        else:
            _tell(asked, command, study(names, traces, asked.quanta, machine))
    return next(filter(None, statuses), 0)


def _system(command: Command) -> MemorySystem:
    """Return the memory system that a command names.

    Raises ConfigurationError, UserError.
    """
    from cache_sim.config import MemorySystem
    from cache_sim.parse import load_any
    from vpo.base.errors import UserError

    system = load_any(command.cache or "")
    if not isinstance(system, MemorySystem):
        raise UserError(["programs share one memory system, not a sweep"])
    if system.switch is not None:
        raise UserError(["'switch' empties caches in place of other programs; here there are other programs"])
    return system


def _policy(asked: _Asked) -> Policy:
    from ease.lab.together.page_table import POLICIES, parse_policy
    from vpo.base.errors import UserError

    policy = parse_policy(asked.policy)
    if policy is None:
        raise UserError([f"--pages: there is no policy '{asked.policy}' (there are {', '.join(POLICIES)})"])
    return policy


def _kernel(asked: _Asked) -> Kernel | None:
    from cache_sim.trace import TraceError
    from cache_sim.traces.kernel import parse_kernel
    from vpo.base.errors import UserError

    try:
        return None if asked.kernel is None else parse_kernel(asked.kernel)
    except TraceError as error:
        raise UserError([f"--kernel: {error}"]) from None


def _check_protocol(name: str, system: MemorySystem) -> None:
    from cache_sim.coherence import PROTOCOLS, check
    from vpo.base.errors import UserError

    if name not in PROTOCOLS:
        raise UserError([f"--coherent: there is no protocol '{name}' (there are {', '.join(PROTOCOLS)})"])
    check(system)


def _compiled(command: Command) -> list[Program]:
    from vpo.build.compiler import Compiler
    from vpo.machines.read.load import load

    machine, settings = load(command.machine, command.sets), command.settings()
    return [Compiler(machine, settings).program([file]) for file in command.files]


def _traced(command: Command, program: Program, name: str, arguments: Sequence[str], trace: Path) -> int:
    """Run a program, and write its trace; returns its exit status."""
    from ease.traces.traced_run import traced_run

    words = [program_name(name), *arguments]
    with trace.open("w+b") as out:
        result = traced_run(program, words, out, options=command.run_options())[0]
    if result.fault is not None:
        print(f"ease together: {name}: {result.fault}", file=sys.stderr)
    return result.exit_status


def _tell(asked: _Asked, command: Command, found: Study) -> None:
    """Print tables, and write the files that were asked for."""
    from ease.base.files import write_atomically
    from ease.lab.together.study import alone_table, as_json, panels, prediction_table, switch_table
    from ease.reports.render import picture

    if asked.svg is not None:
        write_atomically(asked.svg, picture(panels(found)))
    tables = alone_table(found), switch_table(found), prediction_table(found)
    _tell_all(asked, f"{command.machine}, {command.cache}", found.machine, as_json(found), tables)


def _tell_processors(asked: _Asked, command: Command, found: processors.Study) -> None:
    """Print tables of programs that run at once, and write the file that was asked for."""
    from ease.lab.together.processors import as_json, private_table, shared_table

    head = f"{command.machine}, {command.cache}, {found.coherent.protocol}"
    _tell_all(asked, head, found.coherent.machine, as_json(found), (private_table(found), shared_table(found)))


def _tell_all(asked: _Asked, head: str, machine: Machine, data: dict[str, Any], tables: Sequence[TitledTable]) -> None:
    """Write what was found as JSON, if that was asked for, and print it, unless the standard output has something else."""
    import json

    from ease.base.files import write_atomically

    if asked.json is not None:
        write_atomically(asked.json, json.dumps(data, indent=1) + "\n")
    if asked.json == "-" or asked.svg == "-":
        return
    print(f"{head}, pages of {machine.page:,} bytes, {machine.policy}")
    if machine.kernel is not None:
        print(f"kernel: {machine.kernel}")
    for table in tables:
        if len(table.rows) > 1:
            print(f"\n{table}")
