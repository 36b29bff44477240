"""The compiler command: `easecc [options] file.c|file.rtl ... [-- program arguments]`."""

from __future__ import annotations

import errno
import math
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cache_sim.config import ConfigurationError, MemorySystem
from cache_sim.grid import Grid
from cache_sim.history import parse_moments
from cache_sim.parse import load_any as load_system
from cache_sim.predictors.spec import load as load_predictors
from cache_sim.sweep_form import is_sweep
from vpo.compiler import Compiler, Settings, UserError
from vpo.link import LinkError
from vpo.machines.load import load
from vpo.machines.machine import Machine
from vpo.machines.source import DescriptionError, default_machine
from vpo.program import Program

USAGE = """\
usage: easecc [options] file.c|file.rtl ... [-- program arguments]

What to make
  -S                 assembly text (to FILE.s, or -o FILE; with several files or -o -, one listing)
  -c                 RTL text (to FILE.rtl); `easecc a.rtl b.rtl` links such files
  -run               compile, link and run (the default when nothing else is asked for)
  -measure           compile, run, and report what the machine did
  -report FILE       -measure, and the report goes to FILE: JSON if it ends in .json, a picture if in .svg (sweeps have
                     some), text if in .txt or without an ending (default: standard error)
  -show LIST         -measure, but only these reports (comma separated); `-show help` lists them
  -timing            -measure with an estimate of the cycles; with -cache, memory included
  -cache SYSTEM      -measure with caches: a YAML file, or a short form such as I:1k,16,1+D:8k,16,4+switch:10000
  -cache sweep       -measure with all LRU caches at once, or some, as in sweep+D+size:1k-64k+line:16,32+ways:1-8,full
  -over-time N       with -cache: also what caches did up to each N instructions; `switch`: up to each context switch
  -predict LIST      -measure with branch predictors, such as btfn+bimodal:1024+gshare:4k,12+ras:16+btb:512,4
  -o FILE            name of the output of -S or -c

For which machine
  -m MACHINE         a machine's name or description file (default: {machine}; `ease machine list`)
  --set KEY=VALUE    change one value of the description, such as registers.r.count=16

How
  -O0 -O1 -O2        effort (default -O1)
  -D NAME[=VALUE] -U NAME -I DIR     as for any C compiler
  -phases LIST       run these phases, in this order (comma separated), instead of the level's; `-phases help` lists them
  -verify            check every invariant after every phase
  -max-changes N     stop improving after N changes
  -dump-dir DIR      write each function after each phase; every dump is legal input
  -limit N           end the run after N instructions
  -timeout SECONDS   end the run after so long
  -V                 version        -help    this text
"""

EXIT_USER, EXIT_USAGE = 1, 2
LARGEST = (1 << 63) - 1  # number that an option takes
KILLED_BY_PIPE = 141  # the status of a program whose reader went away, of which shells say nothing
VALUED = {
    "-m": "machine", "--set": "sets", "-o": "output", "-report": "report", "-cache": "cache", "-predict": "predict",
    "-over-time": "over_time", "-show": "show",
    "-phases": "phases", "-max-changes": "max_changes", "-dump-dir": "dump", "-limit": "limit", "-timeout": "timeout",
}  # fmt: skip
FLAGS = {"-S": "assembly", "-c": "objects", "-run": "run", "-measure": "measure", "-timing": "timing", "-verify": "check"}


HELP = ("help",)  # in place of a list of names


class UsageError(Exception):
    """The command line is wrong."""


@dataclass
class Command:
    """A parsed command line."""

    files: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    machine: str = field(default_factory=default_machine)
    sets: list[str] = field(default_factory=list)
    output: str | None = None
    report: str | None = None
    cache: str | None = None
    predict: str | None = None
    over_time: str | None = None
    show: tuple[str, ...] | None = None
    phases: tuple[str, ...] | None = None
    max_changes: int | None = None
    dump: Path | None = None
    limit: int | None = None
    timeout: float | None = None
    level: int = 1
    defines: list[tuple[str, str]] = field(default_factory=list)
    undefines: list[str] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    assembly: bool = False
    objects: bool = False
    run: bool = False
    measure: bool = False
    timing: bool = False
    check: bool = False

    def settings(self) -> Settings:
        """Return what the compiler needs to know."""
        return Settings(
            self.level, tuple(self.includes), tuple(self.defines), tuple(self.undefines), self.phases, self.check,
            self.dump, self.max_changes,
        )  # fmt: skip


def parse(words: Sequence[str]) -> Command:
    """Read a command line.

    Raises UsageError.
    """
    command = Command()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            command.arguments = rest
            break
        if word in FLAGS:
            setattr(command, FLAGS[word], True)
        elif word in VALUED:
            if not rest:
                raise UsageError(f"'{word}' needs a value")
            _set_value(command, VALUED[word], rest.pop(0), word)
        elif word in ("-O0", "-O1", "-O2"):
            command.level = int(word[2])
        elif word == "-O":
            command.level = 1
        elif word[:2] in ("-D", "-U", "-I"):
            value = word[2:] or (rest.pop(0) if rest else "")
            if not value:
                raise UsageError(f"'{word}' needs a value")
            _preprocessor_option(command, word[1], value)
        elif word.startswith("-") and word != "-":
            raise UsageError(f"unknown option '{word}'")
        else:
            command.files.append(word)
    _check(command)
    return command


def _set_value(command: Command, name: str, value: str, option: str) -> None:
    if name == "sets":
        command.sets.append(value)
    elif name == "cache" and command.cache is not None:
        raise UsageError("-cache is given twice; a run has one memory system")
    elif name == "predict" and command.predict is not None:
        raise UsageError("-predict is given twice; + joins predictors")
    elif name in ("phases", "show"):
        setattr(command, name, tuple(part for part in value.split(",") if part))
    elif name == "dump":
        command.dump = Path(value)
    elif name in ("max_changes", "limit", "timeout"):
        try:
            number = float(value) if name == "timeout" else int(value)
        except ValueError:
            raise UsageError(f"'{option}' needs a number, not '{value}'") from None
        if number < 0:
            raise UsageError(f"'{option}' needs a number that is not negative")
        if not math.isfinite(number) or number > LARGEST:
            raise UsageError(f"'{option}' needs a smaller number than '{value}'")
        setattr(command, name, number)
    else:
        setattr(command, name, value)


def _preprocessor_option(command: Command, letter: str, value: str) -> None:
    if letter == "D":
        name, equals, text = value.partition("=")
        command.defines.append((name, text if equals else "1"))
    elif letter == "U":
        command.undefines.append(value)
    else:
        command.includes.append(value)


def _check(command: Command) -> None:
    from ease.reports import REPORTS
    from vpo.opt.driver import PHASES

    if HELP in (command.phases, command.show):
        return
    asking = (command.report, command.cache, command.predict, command.show)
    command.measure = command.measure or command.timing or any(x is not None for x in asking)
    if command.assembly + command.objects + (command.run or command.measure) > 1:
        raise UsageError("-S, -c and running (-run, -measure, -report, -cache, -predict, -timing, -show) exclude each other")
    if command.over_time is not None and (command.cache is None or is_sweep(command.cache)):
        raise UsageError("-over-time needs -cache SYSTEM" + (", not a sweep" if command.cache else ""))
    if command.output is not None and not (command.assembly or command.objects):
        raise UsageError("-o needs -S or -c")
    if not command.files:
        raise UsageError("no input files")
    for file in command.files:
        if not file.endswith((".c", ".rtl")):
            raise UsageError(f"'{file}': input files end in .c or .rtl")
    for name in command.phases or ():
        if name not in PHASES:
            raise UsageError(f"there is no phase '{name}' (phases: {', '.join(PHASES)})")
    needed = [name for name, phase in PHASES.items() if phase.needed]
    if command.phases is not None and [name for name in command.phases if name in needed] != needed:
        raise UsageError(f"-phases must have {', '.join(needed)}, once each and in this order")
    for name in command.show or ():
        if name not in REPORTS:
            raise UsageError(f"there is no report '{name}' (reports: {', '.join(REPORTS)})")
        _check_report(name, REPORTS[name].about, command)
    if command.report is not None:
        _check_form(Path(command.report), command)
    if command.output and len(command.files) > 1 and command.objects:
        raise UsageError("-o with -c takes one file")


def _check_form(file: Path, command: Command) -> None:
    """Find out whether a file's ending says what to write, and whether there will be a picture for one that is to be."""
    from ease.reports import REPORTS
    from ease.reports.render import PICTURE, SUFFIXES

    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"-report {file}: there are no reports in '{suffix}': .json and .svg, text is .txt or has no ending")
    shown = [REPORTS[name] for name in command.show or REPORTS]
    made = {"sweep": is_sweep(command.cache or ""), "history": command.over_time is not None}
    if suffix == PICTURE and not any(report.panels and made.get(report.about) for report in shown):
        pictured = ", ".join(name for name, report in REPORTS.items() if report.panels)
        raise UsageError(f"a picture needs -cache sweep or -over-time: only {pictured} have one")


def _check_report(name: str, about: str, command: Command) -> None:
    """Find out whether there will be what a report is about."""
    cache = command.cache
    if about == "prediction" and command.predict is None:
        raise UsageError(f"the report '{name}' needs -predict")
    if about == "timing" and not command.timing:
        raise UsageError(f"the report '{name}' needs -timing")
    if about == "memory" and (cache is None or is_sweep(cache)):
        raise UsageError(f"the report '{name}' needs -cache" + (" SYSTEM, not a sweep" if cache else ""))
    if about == "sweep" and (cache is None or not is_sweep(cache)):
        raise UsageError(f"the report '{name}' needs -cache sweep")
    if about == "history" and command.over_time is None:
        raise UsageError(f"the report '{name}' needs -over-time")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    words = sys.argv[1:] if words is None else words
    if any(word in ("-help", "--help", "-h") for word in words[: words.index("--") if "--" in words else None]):
        print(USAGE.replace("{machine}", default_machine()), end="")
        return 0
    if "-V" in words and "--" not in words[: words.index("-V")]:
        from importlib.metadata import version

        print(f"easecc {version('ease')}")
        return 0
    try:
        command = parse(words)
    except UsageError as error:
        print(f"easecc: {error}\n(easecc -help lists the options)", file=sys.stderr)
        return EXIT_USAGE
    if command.phases == HELP:
        return _list_phases()
    if command.show == HELP:
        return _list_reports()
    return guarded("easecc", lambda: execute(command))


def _list_phases() -> int:
    from vpo.opt.driver import LEVELS, PHASES

    for phase in PHASES.values():
        print(f"{phase.name:<10} {phase.summary}{' (always needed)' if phase.needed else ''}")
    for level, names in LEVELS.items():
        print(f"-O{level} is -phases {','.join(names)}")
    return 0


def _list_reports() -> int:
    from ease.reports import REPORTS

    for report in REPORTS.values():
        print(f"{report.name:<20} {report.title}")
    return 0


def guarded(program: str, action: Callable[[], int]) -> int:
    """Run an action; what users can get wrong becomes a message and exit status 1."""
    from ease.verify import ToolMissing
    from vpo.memory import ArgumentsTooLong
    from vpo.opt.driver import PhaseError

    try:
        return action()
    except (UserError, LinkError) as error:
        for message in error.messages:
            print(message, file=sys.stderr)
        count = len(error.messages)
        print(f"{program}: {count} error{'s' if count != 1 else ''}", file=sys.stderr)
    except DescriptionError as error:
        print(error, file=sys.stderr)
    except ConfigurationError as error:
        print(error if error.place else f"{program}: {error}", file=sys.stderr)
    except (PhaseError, ToolMissing, ArgumentsTooLong) as error:
        print(f"{program}: {error}", file=sys.stderr)
    except BrokenPipeError:
        raise  # whoever started the command knows
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{program}: {where}{error.strerror or error}", file=sys.stderr)
    except RecursionError:
        print(f"{program}: an expression or a declaration is nested too deeply", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130
    return EXIT_USER


def execute(command: Command) -> int:
    """Do what a command line asks for; returns the exit status."""
    machine = load(command.machine, command.sets)
    system = None if command.cache is None else load_system(command.cache)
    moments = None
    if command.over_time is not None and isinstance(system, MemorySystem):
        moments = parse_moments(command.over_time, system)
    if command.predict is not None:
        load_predictors(command.predict)  # what is wrong is said before anything is compiled
    compiler = Compiler(machine, command.settings(), warn=lambda d: print(d, file=sys.stderr))
    if command.objects:
        return _write_objects(command, compiler, machine)
    if command.assembly:
        return _write_assembly(command, compiler, machine)
    if command.report is not None:
        check_place(command.report)
    with _progress() as show:
        compiler.progress = show
        program = compiler.program(command.files)
    arguments = [program_name(command.files[0]), *command.arguments]
    if command.measure:
        return _measure(command, program, arguments, system, moments)
    from ease.host.run import run

    result = run(program, arguments, limit=command.limit, timeout=command.timeout)
    if result.fault is not None and result.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {result.fault}", file=sys.stderr)
    return result.exit_status


def _measure(
    command: Command, program: Program, arguments: list[str], system: MemorySystem | Grid | None, moments: int | None
) -> int:
    """Run and report; a partial measurement is reported too, and says so."""
    from ease.measure import measure
    from ease.reports.render import render

    limits = {"limit": command.limit, "timeout": command.timeout}
    measurement = measure(program, arguments, system, command.predict, command.timing, moments, **limits)
    if measurement.fault and measurement.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {measurement.fault}", file=sys.stderr)
    if command.report is None:
        sys.stderr.write(render(measurement, names=command.show))
    else:
        write_atomically(command.report, render(measurement, Path(command.report).suffix, command.show))
    return measurement.exit_status


def program_name(file: str) -> str:
    """Return what the program is told that it is called."""
    return Path(file).stem


class _progress:
    """Shows what is being compiled on a terminal, after a moment; nothing when piped."""

    def __enter__(self) -> Callable[[str], None]:
        self.status = None
        if not sys.stderr.isatty():
            return lambda text: None
        from rich.console import Console

        self.status = Console(stderr=True).status("compiling")
        self.status.start()
        return lambda text: self.status.update(f"compiling {text}") if self.status else None

    def __exit__(self, *_: object) -> None:
        if self.status is not None:
            self.status.stop()


def _write_objects(command: Command, compiler: Compiler, machine: Machine) -> int:
    from vpo.opt.changes import limited
    from vpo.text import print_unit

    with limited(command.max_changes):
        for file in command.files:
            target = command.output or str(Path(file).with_suffix(".rtl").name)
            write_atomically(target, print_unit(compiler.unit(file), machine.cells))
    return 0


def _write_assembly(command: Command, compiler: Compiler, machine: Machine) -> int:
    from vpo.assembly import assembly
    from vpo.opt.changes import limited

    with limited(command.max_changes):
        units = [compiler.unit(file) for file in command.files]
    if command.output or len(units) > 1:
        text = assembly(machine, [f for u in units for f in u.functions], [d for u in units for d in u.data])
        write_atomically(command.output or str(Path(command.files[0]).with_suffix(".s").name), text)
        return 0
    write_atomically(str(Path(command.files[0]).with_suffix(".s").name), assembly(machine, units[0].functions, units[0].data))
    return 0


def check_place(target: str) -> None:
    """Find out early, before a long run, that a file cannot be written.

    Raises OSError.
    """
    path = Path(target)
    if path.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, "there is no such folder", str(path.parent))


def write_atomically(target: str, text: str) -> None:
    """Write a file so that it appears whole or not at all; '-' is standard output.

    Raises OSError, with the name of the file.
    """
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    check_place(target)
    try:
        _write(Path(target), text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from None


def _write(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():  # a device or pipe
        with path.open("w", encoding="utf-8") as file:
            file.write(text)
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    sys.exit(main())
