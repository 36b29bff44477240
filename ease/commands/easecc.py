"""The compiler command: `easecc [options] file.c|file.rtl ... [-- program arguments]`.

Only the command line is read here, and nothing imported that takes long: help, version and mistakes should be quick.
"""

from __future__ import annotations

import errno
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.guard import EXIT_USER, guarded, print_errors
from ease.version import ASKED, show_version
from vpo.machines.names import default_machine

if TYPE_CHECKING:
    from vpo.compiler import Settings
    from vpo.opt.driver import Level
    from vpo.opt.phase_list import Step

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
  -save              -measure, and keep the run in measurements.ease (`ease runs`, `ease report`, `ease compare`)
  -db FILE           -save, in another file
  -why-not NAME      run, and tell where instruction NAME nearly applied, how often that was executed, and what prevented it
  -o FILE            name of the output of -S or -c

For which machine
  -m MACHINE         a machine's name or description file (default: {machine}; `ease machine list`)
  --set KEY=VALUE    change one value of the description, such as registers.r.count=16

How
  -O0 -O1 -O2 -Os    effort (default -O1); -Os: small code
  -D NAME[=VALUE] -U NAME -I DIR     as for any C compiler
  -phases LIST       run these phases, in this order, instead of the level's: a,(b,c)*,d repeats b and c until nothing
                     changes; `-phases help` lists them
  -inline-limit N    inline calls that grow their caller by N operations or less (default: 20 at -O2, else 0: none)
  -profile FILE      compile for a run as an earlier one was, by its report in JSON (-report FILE.json)
  -jobs N            compile the functions of a large file in N processes (default: one a core); the code is the same
  -verify            check every invariant after every phase
  -max-changes N     stop improving after N changes
  -dump-dir DIR      write each function after each phase; every dump is legal input
  -limit N           end the run after N instructions
  -timeout SECONDS   end the run after so long
  -V, --version      version        -help    this text
"""

EXIT_USAGE = 2
LARGEST = (1 << 63) - 1  # number that an option takes
KILLED_BY_PIPE = 141  # the status of a program whose reader went away, of which shells say nothing
VALUED = {
    "-m": "machine", "--set": "sets", "-o": "output", "-report": "report", "-cache": "cache", "-predict": "predict",
    "-over-time": "over_time", "-show": "show", "-why-not": "why_not", "-profile": "profile",
    "-inline-limit": "inline_limit", "-phases": "phases", "-max-changes": "max_changes", "-dump-dir": "dump",
    "-limit": "limit", "-db": "db", "-timeout": "timeout", "-jobs": "jobs",
}  # fmt: skip
FLAGS = {
    "-S": "assembly", "-c": "objects", "-run": "run", "-measure": "measure", "-save": "save", "-timing": "timing",
    "-verify": "check",
}  # fmt: skip


HELP = ("help",)  # in place of a list of names


class UsageError(Exception):
    """The command line is wrong."""


@dataclass
class Command:
    """A parsed command line."""

    words: tuple[str, ...] = ()
    files: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    machine: str = field(default_factory=default_machine)
    sets: list[str] = field(default_factory=list)
    output: str | None = None
    report: str | None = None
    db: str | None = None
    cache: str | None = None
    predict: str | None = None
    over_time: str | None = None
    show: tuple[str, ...] | None = None
    why_not: str | None = None
    phases: str | None = None
    max_changes: int | None = None
    inline_limit: int | None = None
    profile: str | None = None
    jobs: int | None = None
    dump: Path | None = None
    limit: int | None = None
    timeout: float | None = None
    level: Level = 1
    defines: list[tuple[str, str]] = field(default_factory=list)
    undefines: list[str] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    assembly: bool = False
    objects: bool = False
    run: bool = False
    measure: bool = False
    save: bool = False
    timing: bool = False
    check: bool = False

    def settings(self) -> Settings:
        """Return what the compiler needs to know."""
        from ease.line_profiles import read_profile
        from vpo.compiler import Settings
        from vpo.parallel import cores

        profile = None if self.profile is None else read_profile(Path(self.profile))
        return Settings(
            self.level, tuple(self.includes), tuple(self.defines), tuple(self.undefines), self.steps(), self.check,
            self.dump, self.max_changes, self.inline_limit, profile, cores() if self.jobs is None else self.jobs,
        )  # fmt: skip

    def steps(self) -> tuple[Step, ...] | None:
        """Return the phases to run instead of the level's, if there are any."""
        from vpo.opt.phase_list import parse_phases

        return None if self.phases is None else parse_phases(self.phases)


def parse(words: Sequence[str]) -> Command:
    """Read a command line.

    Raises UsageError.
    """
    command = Command(words=tuple(words))
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
        elif word == "-Os":
            command.level = "s"
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
    elif name == "show":
        setattr(command, name, tuple(part for part in value.split(",") if part))
    elif name == "dump":
        command.dump = Path(value)
    elif name in ("max_changes", "inline_limit", "limit", "timeout", "jobs"):
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
    if command.phases == "help" or command.show == HELP:
        return
    asking = (command.report, command.cache, command.predict, command.show)
    command.save = command.save or command.db is not None
    command.measure = command.measure or command.timing or command.save or any(x is not None for x in asking)
    if command.assembly + command.objects + (command.run or command.measure) > 1:
        raise UsageError(
            "-S, -c and running (-run, -measure, -report, -save, -cache, -predict, -timing, -show) exclude each other"
        )
    if command.why_not is not None and (command.measure or command.assembly or command.objects):
        raise UsageError("-why-not excludes -S, -c and measuring")
    if command.over_time is not None and (command.cache is None or _is_sweep(command)):
        raise UsageError("-over-time needs -cache SYSTEM" + (", not a sweep" if command.cache else ""))
    if command.output is not None and not (command.assembly or command.objects):
        raise UsageError("-o needs -S or -c")
    if not command.files:
        raise UsageError("no input files")
    for file in command.files:
        if not file.endswith((".c", ".rtl")):
            raise UsageError(f"'{file}': input files end in .c or .rtl")
    if command.phases is not None:
        _check_phases(command)
    if command.show is not None:
        _check_reports(command)
    if command.report is not None:
        _check_form(Path(command.report), command)
    if command.output and len(command.files) > 1 and command.objects:
        raise UsageError("-o with -c takes one file")


def _is_sweep(command: Command) -> bool:
    """Return whether the caches asked for are a sweep."""
    if command.cache is None:
        return False
    from cache_sim.sweep_form import is_sweep

    return is_sweep(command.cache)


def _check_phases(command: Command) -> None:
    from vpo.opt.driver import check_phases
    from vpo.opt.phase_list import PhaseListError

    try:
        check_phases(command.steps() or ())
    except PhaseListError as error:
        raise UsageError(f"-phases: {error}") from None


def _check_reports(command: Command) -> None:
    from ease.reports import REPORTS

    for name in command.show or ():
        if name not in REPORTS:
            raise UsageError(f"there is no report '{name}' (reports: {', '.join(REPORTS)})")
        _check_report(name, REPORTS[name].about, command)


def _check_form(file: Path, command: Command) -> None:
    """Find out whether a file's ending says what to write, and whether there will be a picture for one that is to be."""
    from ease.reports.render import PICTURE, SUFFIXES

    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"-report {file}: there are no reports in '{suffix}': .json and .svg, text is .txt or has no ending")
    if suffix != PICTURE:
        return
    from ease.reports import REPORTS

    shown = [REPORTS[name] for name in command.show or REPORTS]
    made = {"sweep": _is_sweep(command), "history": command.over_time is not None}
    if not any(report.panels and made.get(report.about) for report in shown):
        pictured = ", ".join(name for name, report in REPORTS.items() if report.panels)
        raise UsageError(f"a picture needs -cache sweep or -over-time: only {pictured} have one")


def _check_report(name: str, about: str, command: Command) -> None:
    """Find out whether there will be what a report is about."""
    cache, is_sweep = command.cache, _is_sweep(command)
    if about == "prediction" and command.predict is None:
        raise UsageError(f"the report '{name}' needs -predict")
    if about == "timing" and not command.timing:
        raise UsageError(f"the report '{name}' needs -timing")
    if about == "memory" and (cache is None or is_sweep):
        raise UsageError(f"the report '{name}' needs -cache" + (" SYSTEM, not a sweep" if cache else ""))
    if about == "sweep" and not is_sweep:
        raise UsageError(f"the report '{name}' needs -cache sweep")
    if about == "history" and command.over_time is None:
        raise UsageError(f"the report '{name}' needs -over-time")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    words = sys.argv[1:] if words is None else words
    own = words[: words.index("--") if "--" in words else None]
    if any(word in ("-help", "--help", "-h") for word in own):
        print(USAGE.replace("{machine}", default_machine()), end="")
        return 0
    if any(word in ASKED for word in own):
        return show_version("easecc")
    try:
        command = parse(words)
    except UsageError as error:
        print(f"easecc: {error}\n(easecc -help lists the options)", file=sys.stderr)
        return EXIT_USAGE
    if command.phases == "help":
        return _list_phases()
    if command.show == HELP:
        return _list_reports()
    if _report_missing(command.files):
        return EXIT_USER
    return guarded("easecc", lambda: _execute(command))


def _execute(command: Command) -> int:
    from ease.commands.compile_command import execute

    return execute(command)


def _report_missing(files: Sequence[str]) -> bool:
    """Say which files do not exist, before anything that takes time; returns whether there are such."""
    missing = [file for file in files if not os.path.lexists(file)]
    for file in missing:
        print(f"{file}: error: cannot read: {os.strerror(errno.ENOENT)}", file=sys.stderr)
    if missing:
        print_errors("easecc", len(missing))
    return bool(missing)


def _list_phases() -> int:
    from vpo.opt.driver import LEVELS, PHASES
    from vpo.opt.phase_list import show_phases

    for phase in PHASES.values():
        print(f"{phase.name:<16} {phase.summary}{' (always needed)' if phase.needed else ''}")
    for level, steps in LEVELS.items():
        print(f"-O{level} is -phases {show_phases(steps)}")
    return 0


def _list_reports() -> int:
    from ease.reports import REPORTS

    for report in REPORTS.values():
        print(f"{report.name:<20} {report.title}")
    return 0


def program_name(file: str) -> str:
    """Return what the program is told that it is called."""
    return Path(file).stem


if __name__ == "__main__":
    sys.exit(main())
