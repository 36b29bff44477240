"""What the command line says about compiling."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vpo.analysis.frequency import LineProfile
from vpo.frontend.c_options import USUAL, COptions
from vpo.interprocedural import Inlining
from vpo.opt.driver import Level
from vpo.opt.phase_list import Step

Check = Literal["nothing", "invariants", "samples"]  # each also what stands before it
INLINE_LIMITS: dict[Level, int] = {0: 0, 1: 0, 2: 20, "s": 1}  # by level: operations by which a call may grow its caller


@dataclass(frozen=True)
class Settings:
    """What the command line says about compiling.

    `c` says how C files are read; the library's headers stand between those of `c.include_paths` and `c.late_paths`.
    `phases` overrides the level's phases; `check` says what is verified after each: the invariants, or also what functions do
    with samples of inputs; `max_changes` limits the improving changes.
    `inline_limit` says up to how many operations a function is inlined; 0: none is, None: as the level has it.
    `profile` is of an earlier run.  `jobs` processes work on the functions of a large file, with the same result.
    `strict_aliasing` says that programs hold to C's rule about the types of objects (`vpo.il.data_model`); it is made use of
    at levels 2 and s.  `groups` says that objects may be put side by side there (`neighbours.py`).  For `wrapped` names see
    `vpo.link.symbols`.
    """

    level: Level = 1
    c: COptions = USUAL
    phases: tuple[Step, ...] | None = None
    check: Check = "nothing"
    dump: Path | None = None
    max_changes: int | None = None
    inline_limit: int | None = None
    profile: LineProfile | None = None
    jobs: int = 1
    strict_aliasing: bool = True
    wrapped: tuple[str, ...] = ()
    groups: bool = True

    def cacheable(self) -> bool:
        """Whether compiling has no other purpose than its result."""
        return self.dump is None and self.max_changes is None and self.check == "nothing"

    @property
    def deciding(self) -> tuple[str, ...]:
        """All that decides what becomes of a preprocessed file, in texts that are the same in each process."""
        profile = self.profile.digest if self.profile is not None else ""
        return (
            str(self.level), str(self.phases), str(self.inlining), profile, str(self.aliasing_by_type), str(self.c.standard),
            str(self.groups), *self.wrapped,
        )  # fmt: skip

    @property
    def level_macros(self) -> tuple[tuple[str, str], ...]:
        """The macros that tell programs how they are compiled, as in gcc, with their values."""
        names = {0: ("__NO_INLINE__",), "s": ("__OPTIMIZE__", "__OPTIMIZE_SIZE__")}.get(self.level, ("__OPTIMIZE__",))
        return tuple((name, "1") for name in names)

    @property
    def inlining(self) -> int:
        """Up to how many operations functions are inlined."""
        return INLINE_LIMITS[self.level] if self.inline_limit is None else self.inline_limit

    def inlined(self, kept: Collection[str]) -> Inlining:
        """Return which calls are to be inlined, if those of some functions never are."""
        return Inlining(self.inlining, kept, self.profile, self.small)

    @property
    def aliasing_by_type(self) -> bool:
        """Whether references to memory that C says cannot be of one object are taken to be apart."""
        return self.strict_aliasing and self.level in (2, "s")

    @property
    def small(self) -> bool:
        """Whether code is to be small rather than fast."""
        return self.level == "s"

    @property
    def interprocedural(self) -> bool:
        """Whether functions may be changed together: below level 2 each stays what the source says, and is counted so."""
        return self.level in (2, "s") or self.inlining > 0
