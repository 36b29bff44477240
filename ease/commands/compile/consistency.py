"""Which options of `easecc` go together, and what they imply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ease.commands.compile.command import STDIN, Command, UsageError
from ease.commands.compile.options import OPTIONS, Option
from ease.commands.runs.window_option import window_of
from vpo.link.input_files import input_kind
from vpo.system.files import folder_of

INTERPRETED = "ease_line"  # as in ease.model.regions, which takes long to import
HELP = ("help",)  # in place of a list of names
ENDINGS = ".c, .i, .S, .o, .a or .rtl"


def check(command: Command, links: bool) -> None:
    """Find out whether the options of a command line go together, and add what they imply.

    Raises UsageError.
    """
    if command.phases == "help" or command.show == HELP or HELP[0] in command.tools:
        return
    _imply_measuring(command)
    command.preprocessed = command.preprocessed or command.dependencies or command.macros
    if command.assembly + command.objects + command.preprocessed + (command.run or command.measure) > 1:
        running = "running (-run, -measure, -report, -save, -cache, -predict, -timing, -tool, -show)"
        raise UsageError(f"-S, -c, -E and {running} exclude each other")
    if command.why_not is not None and (command.measure or command.stops_early):
        raise UsageError("-why-not excludes -S, -c, -E and measuring")
    if command.record is not None and (command.link or command.stops_early or command.output is not None):
        raise UsageError("-record keeps a run; it excludes -S, -c, -E and making a program (-link, -o)")
    _check_trace(command)
    if command.window is not None and command.trace is None:
        raise UsageError("-window needs -trace here (to measure a window, -record the run and `ease replay` it with -window)")
    window_of(command)
    _check_files(command)
    for folder in filter(None, map(folder_of, command.folders)):
        if not Path(folder).is_dir():
            raise UsageError(f"-files (or EASE_FILES): there is no folder '{folder}'")
    _check_link(command, links)
    if command.phases is not None or command.without is not None:
        _check_phases(command)
    _check_measuring(command)


def check_replay(command: Command) -> None:
    """Find out whether the options of a command line that replays a record go together, and add what they imply.

    Raises UsageError.
    """
    _imply_measuring(command)
    if command.why_not is not None and command.measure:
        raise UsageError("-why-not excludes measuring")
    _check_trace(command)
    from ease.commands.runs.trace_run import OPERATIONS

    if command.trace is not None and OPERATIONS in command.trace:
        raise UsageError("-trace operations is made from sources, by easecc; a record has the machine's code")
    _check_measuring(command)


def _imply_measuring(command: Command) -> None:
    command.save = command.save or command.db is not None
    command.measure = command.measure or any(option.measures and option.is_in(command) for option in OPTIONS.values())


def _check_measuring(command: Command) -> None:
    """Find out whether what is measured and how it is reported go together."""
    if command.over_time is not None and _is_sweep(command):
        raise UsageError("-over-time excludes a sweep: -cache SYSTEM has one memory system")
    if command.over_time is not None and INTERPRETED in command.regions:
        raise UsageError(f"-region {INTERPRETED} excludes -over-time: attribution is for the whole run")
    for option in OPTIONS.values():
        _check_excluded(option, command)
    if command.wrong_path is not None and _is_sweep(command):
        raise UsageError("-wrong-path excludes a sweep")
    if command.wrong_path is not None and command.predict is None:
        raise UsageError("-wrong-path needs -predict: paths are wrong where a predictor is")
    if command.show is not None or command.sort:
        _check_reports(command)
    if command.report is not None:
        _check_form(Path(command.report), command)


def _check_excluded(option: Option, command: Command) -> None:
    for name in option.excludes if option.is_in(command) else ():
        if OPTIONS[name].is_in(command):
            raise UsageError(f"{option.name} excludes {name}")


def _check_trace(command: Command) -> None:
    if command.trace_to is not None and command.trace is None:
        command.trace = ("execution",)
    if command.trace is None:
        return
    from ease.commands.runs.trace_run import OPERATIONS, kinds_of

    if command.measure or command.stops_early or command.why_not is not None:
        raise UsageError("-trace excludes -S, -c, -E, -why-not and measuring; measure with what the trace tells")
    kinds_of(command)
    if (command.window is not None or command.warmup is not None) and tuple(command.trace) == ("profile",):
        raise UsageError("a trace of the kind 'profile' has no windows")
    if OPERATIONS in command.trace:
        if len(command.trace) > 1 or command.record is not None:
            raise UsageError("-trace operations is of another program than all other kinds and -record: give it alone")
        command.level = 0
    command.run = True


def _check_files(command: Command) -> None:
    if not command.files:
        raise UsageError("no input files")
    if command.language not in ("c", "none", "assembler", "assembler-with-cpp"):
        raise UsageError(f"'-x {command.language}': only C is compiled (-x c)")
    for file in command.files:
        if file == STDIN and command.language != "c" and not command.preprocessed:
            raise UsageError("'-': standard input needs -x c or -E")
        if not command.is_source(file) and input_kind(file) == "unknown":
            level = f"; a level stands right behind its option: -O{file}" if file.isdigit() else ""
            raise UsageError(f"'{file}': input files end in {ENDINGS}{level}")
    if command.output and len(command.files) > 1 and (command.objects or command.preprocessed):
        raise UsageError("-o with -c or -E takes one file")


def _check_link(command: Command, links: bool) -> None:
    """Find out whether a program that runs by itself is to be made."""
    runs = command.run or command.why_not is not None
    if command.shared and runs:
        raise UsageError("-shared makes a library; it excludes -run and -why-not")
    if command.link and (command.stops_early or runs):
        raise UsageError("-link excludes -S, -c, -E, -run and -why-not")
    if command.output is not None and runs:
        raise UsageError("-o makes a program that is run later; it excludes -run and -why-not")
    asked = command.link or command.output is not None or (links and not command.measure and command.record is None)
    command.shared = command.shared and not command.stops_early
    command.link = asked and not (command.stops_early or command.shared or runs)
    for option in OPTIONS.values():
        if command.link and option.measures and not option.kept and option.is_in(command):
            raise UsageError(f"{option.name} is not kept in a program that is linked: measure at once, without -o and -link")
    if command.link and command.arguments:
        to_file = "; -report FILE writes what is measured to a file" if command.measure else ""
        raise UsageError(f"arguments are given to the program when it runs, not when it is linked{to_file}")


def _is_sweep(command: Command) -> bool:
    """Return whether the caches asked for are a sweep."""
    if command.cache is None:
        return False
    from cache_sim.sweeps import is_sweep

    return is_sweep(command.cache)


def _check_phases(command: Command) -> None:
    from vpo.opt.driver import check_phases
    from vpo.opt.phase_list import PhaseListError

    try:
        check_phases(command.steps() or ())
    except PhaseListError as error:
        raise UsageError(f"{'-phases' if command.without is None else '-without'}: {error}") from None


def _check_reports(command: Command) -> None:
    from ease.reports import REPORTS, AskedError, check_asked
    from ease.reports.render import ALL

    try:
        check_asked(command.show or (), command.sort)
    except AskedError as error:
        raise UsageError(str(error)) from None
    for name in () if command.show == ALL else command.show or ():
        _check_report(name, REPORTS[name].about, command)


def _check_form(file: Path, command: Command) -> None:
    """Find out whether a file's ending says what to write, and whether there will be a picture for one that is to be."""
    from ease.exports.forms import FORMS
    from ease.reports.render import PICTURES, SUFFIXES

    suffix = file.suffix.lower()
    if suffix in FORMS and command.show is not None:
        raise UsageError(f"-report {file}: what is in '{suffix}' is not chosen; -show has no place here")
    if suffix not in (*SUFFIXES, *FORMS):
        known = ", ".join(filter(None, (*SUFFIXES, *FORMS)))
        raise UsageError(f"-report {file}: there are no reports in '{suffix}' ({known}, or no ending)")
    if suffix not in PICTURES or command.may_sweep:
        return
    from ease.reports import REPORTS
    from ease.reports.render import ALL

    shown = [REPORTS[name] for name in (REPORTS if command.show in (None, ALL) else command.show or ())]
    if not any(report.panels for report in shown):
        pictured = ", ".join(name for name, report in REPORTS.items() if report.panels)
        raise UsageError(f"-report {file}: only {pictured} have a picture")


NEEDS: Mapping[str, tuple[str, Callable[[Command], bool]]] = {  # by what reports are about, and whether it is there
    "prediction": ("-predict", lambda command: command.predict is not None),
    "tools": ("-tool", lambda command: bool(command.tools)),
    "sampling": ("-sample", lambda command: command.sample is not None),
    "regions": ("-region", lambda command: bool(command.regions)),
    "attribution": ("-region", lambda command: bool(command.regions)),
    "wrong_paths": ("-wrong-path", lambda command: command.wrong_path is not None),
    "timing": ("-timing", lambda command: command.timing),
    "memory": ("-cache SYSTEM, not a sweep", lambda command: command.cache is not None and not _is_sweep(command)),
    "sweep": ("-cache sweep", _is_sweep),
    "timeline": ("-over-time", lambda command: command.over_time is not None),
    "history": ("-over-time and -cache", lambda command: command.over_time is not None and command.cache is not None),
}


def _check_report(name: str, about: str, command: Command) -> None:
    """Find out whether there will be what a report is about."""
    needed, is_there = NEEDS.get(about, ("", lambda command: True))
    if not is_there(command):
        raise UsageError(f"the report '{name}' needs {needed}")
