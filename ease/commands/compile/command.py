"""What a command line of `easecc` asks for."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vpo.base.c_standard import Standard
from vpo.link.input_files import SOURCES
from vpo.machines.names import default_machine

if TYPE_CHECKING:
    from ease.host.process.job import RunOptions
    from vpo.analysis.frequency import LineProfile
    from vpo.build.compiler import Settings
    from vpo.frontend.c_options import COptions
    from vpo.opt.driver import Level
    from vpo.opt.phase_list import Step

STDIN = "-"
FOLDERS = "EASE_FILES"  # in the environment: folders whose files programs may use


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
    without: str | None = None
    max_changes: int | None = None
    inline_limit: int | None = None
    profile: str | None = None
    jobs: int | None = None
    dump: Path | None = None
    limit: int | None = None
    limit_memory: int | None = None
    limit_output: int | None = None
    limit_files: int | None = None
    timeout: float | None = None
    folders: list[str] = field(default_factory=lambda: list(filter(None, os.environ.get(FOLDERS, "").split(os.pathsep))))
    environment: list[str] = field(default_factory=list)  # of the program: "NAME=VALUE"
    level: Level = 1
    defines: list[str] = field(default_factory=list)
    undefines: list[str] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    quote_includes: list[str] = field(default_factory=list)
    system_includes: list[str] = field(default_factory=list)
    late_includes: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)  # headers that are included before the first line
    strict_aliasing: bool = True
    groups: bool = True
    libraries: list[str] = field(default_factory=list)
    library_paths: list[str] = field(default_factory=list)
    wrapped: list[str] = field(default_factory=list)
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
    shared: bool = False
    no_markers: bool = False
    quiet: bool = False
    syntax_only: bool = False
    verbose: bool = False
    times: bool = False
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
        """Return whether a file is C text, or assembly text, which must come to nothing."""
        return self.language == "c" or file == STDIN or file.endswith(SOURCES)

    def settings(self) -> Settings:
        """Return what the compiler needs to know."""
        from vpo.base.parallel import cores
        from vpo.build.compiler import Settings

        profile = None if self.profile is None else read_profile(Path(self.profile))
        return Settings(
            self.level, self.c_options(), self.steps(), "samples" if self.check else "nothing", self.dump, self.max_changes,
            self.inline_limit, profile, cores() if self.jobs is None else self.jobs, self.strict_aliasing, tuple(self.wrapped),
            self.groups,
        )  # fmt: skip

    def run_options(self) -> RunOptions:
        """Return how the program is run."""
        from ease.host.process.job import RunOptions
        from vpo.system.kernel import Limits

        limits = Limits(self.limit_memory, self.limit_output, self.limit_files)
        return RunOptions(limit=self.limit, timeout=self.timeout, roots=tuple(self.folders), limits=limits)

    def c_options(self) -> COptions:
        """Return how C files are read."""
        from vpo.frontend.c_options import COptions
        from vpo.frontend.warnings.flags import read_options

        warnings = read_options(["-w", *self.warnings] if self.quiet else self.warnings, self.standard.edition)
        return COptions(
            (*self.includes, *self.system_includes), tuple(self.quote_includes), tuple(self.late_includes),
            tuple(map(_definition, self.defines)), tuple(self.undefines), tuple(self.first),
            replace(warnings, quiet=(*self.system_includes, *self.late_includes)), self.standard,
        )  # fmt: skip

    def steps(self) -> tuple[Step, ...] | None:
        """Return the phases to run instead of the level's, if there are any.

        Raises PhaseListError.
        """
        from vpo.opt.driver import LEVELS, without
        from vpo.opt.phase_list import parse_phases

        named = None if self.phases is None else parse_phases(self.phases)
        return named if self.without is None else without(named or LEVELS[self.level], self.without.split(","))


def read_profile(path: Path) -> LineProfile:
    """Read how often lines were executed from a report in JSON.

    Raises UserError if it is none, OSError.
    """
    import hashlib
    import json

    from vpo.analysis.frequency import LineProfile
    from vpo.base.errors import UserError

    text = path.read_bytes()
    try:
        report = json.loads(text)
        lines = report["lines"]
        files = {
            file: {int(line): count["dynamic"] / count["static"] for line, count in counts.items() if count["static"]}
            for file, counts in lines.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError([f"{path}: error: not a report in JSON, as `easecc -report FILE.json` writes it"]) from None
    return LineProfile(files, hashlib.sha256(text).hexdigest())


def _definition(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"


def program_name(file: str) -> str:
    """Return what the program is told that it is called."""
    return Path(file).stem
