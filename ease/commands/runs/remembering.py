"""Keep in the cache what it takes to run a program again (`ease.commands.runs.repeated_run`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ease.commands.compile.command import Command
from ease.commands.runs.repeated_run import Start, Told, file_digest
from ease.counters.reconstruction import Plan, only_counts
from ease.host.process.job import Job
from ease.model.run_identity import file_name
from ease.model.static_program import describe
from vpo.base import cache
from vpo.libc import HEADERS
from vpo.machines.read.composition import files_of
from vpo.program import Program
from vpo.system.address_space import stack_shape

_CHANGING = (b"__DATE__", b"__TIME", b"__has_include")  # what makes a file mean another thing though no file has changed


@dataclass
class Remembering:
    """What a compilation read, and under which key its runs are kept."""

    key: str
    files: list[str]
    absent: list[str]

    def keep(self, job: Job, plan: Plan | None, program: Program) -> None:
        """Keep a run that came to its end."""
        digests = tuple((file, file_digest(file)) for file in self.files)
        if any(_changes(file) for file in self.files):
            return
        codes = tuple(replace(code, ir="") for code in job.codes)
        job = replace(job, codes=codes, image=job.image[:-1], code_file=-1, shared_file=-1, start=(0, 0, 0), calls=-1)
        if plan is not None:
            names = sorted({f.file for f in program.functions.values() if f.file and file_name(f.file) == f.file})
            sources = tuple(name for name in names if Path(name).is_file())
            cache.store(f"{self.key[:-1]}-", Told(only_counts(plan), describe(program), sources))
        counters, shape = 0 if plan is None else plan.counters, stack_shape(program.machine)
        cache.store(self.key, Start(job, shape, digests, tuple(self.absent), counters, program.sees_environment))


def _changes(file: str) -> bool:
    try:
        content = Path(file).read_bytes()
    except OSError:
        return True
    return any(word in content for word in _CHANGING)


def remembering(key: str, command: Command, included_by: Mapping[str, Sequence[str]], sources: Sequence[str]) -> Remembering:
    """Return what a command read: its files, what they include, and the descriptions of its machine."""
    included = {file for files in included_by.values() for file in files}
    own = [file for file in sorted(included) if not Path(file).is_relative_to(HEADERS)]
    files = [*sources, *own, *map(str, files_of(command.machine))]
    given = (*command.includes, *command.quote_includes, *command.system_includes, *command.late_includes)
    folders = {*given, *(str(Path(file).parent) for file in [*sources, *own])}
    absent = set(_others(included, [*folders, str(HEADERS)]))
    return Remembering(key, files, sorted(absent))


def _others(included: Iterable[str], folders: Sequence[str]) -> Iterator[str]:
    """Yield files that an `#include` could find in place of those that it found."""
    for file in map(Path, included):
        for folder in folders:
            if file.is_relative_to(folder):
                rest = file.relative_to(folder)
                yield from (str(path) for other in folders if not (path := Path(other) / rest).exists())
