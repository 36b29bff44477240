"""Reading the command line of `easecc` by the table of its options."""

from __future__ import annotations

import math
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ease.commands.messages import meant
from ease.commands.options import ALIASES, IGNORED, IGNORED_VALUED, JOINED, LEVELS, OPTIONS, REFUSED, SWITCHES, Option
from vpo.c_standard import Standard, find_standard
from vpo.machines.names import default_machine

if TYPE_CHECKING:
    from vpo.compiler import Settings
    from vpo.opt.driver import Level
    from vpo.opt.phase_list import Step

LARGEST = (1 << 63) - 1  # number that an option takes
ONCE = {"cache": "a run has one memory system", "predict": "+ joins predictors", "sample": "a run has one schedule"}
STDIN = "-"
FOLDERS = "EASE_FILES"  # in the environment: folders whose files programs may use
LONG = 6  # letters of an option that may be a misspelt one of ours
STANDARD = ("-std=", "--std=")  # how options begin that choose an edition of C
WARNINGS = ("-W", "-pedantic")  # how options begin that choose warnings


class UsageError(Exception):
    """The command line is wrong."""


@dataclass
class Command:
    """A parsed command line."""

    words: tuple[str, ...] = ()  # the whole of it
    files: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    machine: str = field(default_factory=default_machine)
    sets: list[str] = field(default_factory=list)
    output: str | None = None
    report: str | None = None
    db: str | None = None
    cache: str | None = None
    predict: str | None = None
    record: str | None = None
    over_time: str | None = None
    tools: list[str] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    sample: str | None = None
    wrong_path: str | None = None
    show: tuple[str, ...] | None = None
    top: int | None = None
    sort: str = ""
    plot: bool = False
    why_not: str | None = None
    trace: tuple[str, ...] | None = None
    trace_to: str | None = None
    window: str | None = None
    warmup: int | None = None
    phases: str | None = None
    max_changes: int | None = None
    inline_limit: int | None = None
    profile: str | None = None
    jobs: int | None = None
    dump: Path | None = None
    limit: int | None = None
    timeout: float | None = None
    folders: list[str] = field(default_factory=lambda: list(filter(None, os.environ.get(FOLDERS, "").split(os.pathsep))))
    environment: list[str] = field(default_factory=list)  # of the program: "NAME=VALUE"
    level: Level = 1
    defines: list[str] = field(default_factory=list)
    undefines: list[str] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)  # headers that are included before the first line
    strict_aliasing: bool = True
    libraries: list[str] = field(default_factory=list)
    library_paths: list[str] = field(default_factory=list)
    dependency_file: str | None = None
    dependency_targets: list[str] = field(default_factory=list)
    language: str = "none"
    assembly: bool = False
    objects: bool = False
    preprocessed: bool = False
    macros: bool = False
    link: bool = False
    run: bool = False
    measure: bool = False
    save: bool = False
    timing: bool = False
    check: bool = False
    progress: bool = False
    warnings: list[str] = field(default_factory=list)  # the options that choose them
    standard: Standard = field(default_factory=Standard)
    quiet: bool = False
    syntax_only: bool = False
    verbose: bool = False
    dependencies: bool = False
    dependencies_too: bool = False
    dependency_phonies: bool = False
    own_headers: bool = False  # only these are named as dependencies

    @property
    def stops_early(self) -> bool:
        """Whether what is made is less than a program."""
        return self.assembly or self.objects or self.preprocessed or self.syntax_only

    @property
    def may_sweep(self) -> bool:
        """Whether a setting may have several values."""
        return self.measure and any(marks in setting for setting in self.sets for marks in ("..", ","))

    def is_source(self, file: str) -> bool:
        """Return whether a file is C text."""
        return self.language == "c" or file == STDIN or file.endswith((".c", ".i", ".h"))

    def settings(self) -> Settings:
        """Return what the compiler needs to know."""
        from ease.line_profiles import read_profile
        from vpo.compiler import Settings
        from vpo.frontend.warning_flags import read_options
        from vpo.parallel import cores

        profile = None if self.profile is None else read_profile(Path(self.profile))
        return Settings(
            self.level, tuple(self.includes), tuple(map(_definition, self.defines)), tuple(self.undefines), self.steps(),
            self.check, self.dump, self.max_changes, self.inline_limit, profile,
            cores() if self.jobs is None else self.jobs, tuple(self.first), self.strict_aliasing,
            read_options(["-w", *self.warnings] if self.quiet else self.warnings), self.standard,
        )  # fmt: skip

    def steps(self) -> tuple[Step, ...] | None:
        """Return the phases to run instead of the level's, if there are any."""
        from vpo.opt.phase_list import parse_phases

        return None if self.phases is None else parse_phases(self.phases)


def _definition(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"


def parse(words: Sequence[str], links: bool = False) -> Command:
    """Read a command line; `links` says that a program is linked where nothing else is asked for.

    Raises UsageError.
    """
    from ease.commands.consistency import check

    command = Command(words=("easecc", *words))
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            command.arguments = rest
            break
        if word.startswith("@") and os.path.isfile(word[1:]):
            rest[:0] = shlex.split(Path(word[1:]).read_text(encoding="utf-8", errors="surrogateescape"))
        elif word in SWITCHES:
            setattr(command, *SWITCHES[word])
        elif word.startswith(WARNINGS):
            command.warnings.append(word)
        elif word.startswith(STANDARD) or word == "-ansi":
            command.standard = _standard(word.partition("=")[2] or "c90")
        elif word in LEVELS:
            command.level = LEVELS[word]
        elif word in ("-MM", "-MMD"):
            command.own_headers = True
            rest.insert(0, word.replace("MM", "M"))
        elif word.startswith("-") and word != STDIN:
            _option(command, word, rest)
        else:
            command.files.append(word)
    check(command, links)
    return command


def _standard(name: str) -> Standard:
    found = find_standard(name)
    if found is None:
        raise UsageError(f"there is no edition '{name}' of C (choose c89, c99, c11, c17 or c23, or gnu89 to gnu23)")
    return found


def apply(command: Command, option: Option, word: str, rest: list[str]) -> None:
    """Do what an option says that is given as `word`; its value is taken from `rest`, the words behind it.

    Raises UsageError.
    """
    if option.kind == "flag":
        setattr(command, option.field, True)
    elif rest:
        _set_value(command, option, rest.pop(0))
    else:
        raise UsageError(f"'{word}' needs a value")


def _option(command: Command, word: str, rest: list[str]) -> None:
    """Do what an option says; `rest` are the words behind it."""
    name = ALIASES.get(word, word)
    option = OPTIONS.get(name)
    joined = next((name for name in JOINED if word.startswith(name)), None)
    if option is not None:
        apply(command, option, word, rest)
    elif word in REFUSED:
        raise UsageError(f"'{word}' cannot be done: {REFUSED[word]}")
    elif joined is not None:
        _set_value(command, OPTIONS[joined], word[len(joined) :])
    else:
        _ignore(word, rest)


def _ignore(word: str, rest: list[str]) -> None:
    """Pass over an option of other compilers that changes nothing here; say so of those that are not well known."""
    if word in IGNORED_VALUED:
        del rest[:1]
    elif word.startswith(IGNORED):
        return
    elif word.startswith(("-f", "-m")):
        near = meant(word, OPTIONS) if len(word) > LONG else ""  # short ones are like many
        print(f"easecc: note: '{word}' changes nothing here{near}", file=sys.stderr)
    else:
        raise UsageError(f"unknown option '{word}'{meant(word, OPTIONS)}")


def _set_value(command: Command, option: Option, value: str) -> None:
    old = getattr(command, option.field)
    if option.kind == "once" and old is not None:
        raise UsageError(f"{option.name} is given twice; {ONCE[option.field]}")
    if option.kind == "list":
        old.append(value)
        return
    setattr(command, option.field, _converted(option, value))


def _converted(option: Option, value: str) -> object:
    if option.kind == "names":
        return tuple(part for part in value.split(",") if part)
    if option.kind == "path":
        return Path(value)
    return _number(option, value) if option.kind in ("count", "seconds") else value


def _number(option: Option, value: str) -> float:
    try:
        number = float(value) if option.kind == "seconds" else int(value)
    except ValueError:
        raise UsageError(f"'{option.name}' needs a number, not '{value}'") from None
    if number < 0:
        raise UsageError(f"'{option.name}' needs a number that is not negative")
    if not math.isfinite(number) or number > LARGEST:
        raise UsageError(f"'{option.name}' needs a smaller number than '{value}'")
    return number


def program_name(file: str) -> str:
    """Return what the program is told that it is called."""
    return Path(file).stem
