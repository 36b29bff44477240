"""Machines: those of descriptions, and changed ones that are made in code; programs compiled for them, and measured."""

from __future__ import annotations

import copy
import html
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import yaml

from ease.api.errors import Error, told
from ease.api.frame import Frame
from vpo.machines.advice.edits import Edit, deletions, edited
from vpo.machines.names import default_machine
from vpo.machines.read.extends import assign, merge
from vpo.machines.read.load import build, read_description, text_of
from vpo.machines.read.registers import use_of_added_registers
from vpo.machines.read.source import DescriptionError, Map, parse

if TYPE_CHECKING:
    from cache_sim.config import MemorySystem
    from cache_sim.sweeps import Grid
    from ease.api.programs import Program
    from ease.api.runs import Run
    from vpo.build.settings import Settings as CompilerSettings
    from vpo.opt.driver import Level

Settings = Mapping[str, Any] | Iterable[str]
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class Machine:
    """A machine by its name or its description file, perhaps with values changed as `--set` changes them.

    Without a name it is the one that commands take if none is given.  `text` is the whole description of one that no file has,
    as `Machine.text` returns it.

    Raises Error for a description that is wrong.
    """

    def __init__(self, name: str | os.PathLike[str] = "", set: Settings = (), *, text: str = "") -> None:
        self.origin, self.settings = os.fspath(name) or default_machine(), tuple(as_settings(set))
        with told():
            self._take(_described(text, self.origin, self.settings) if text else read_description(self.origin, self.settings))

    def _take(self, description: Map) -> None:
        self.description = description
        self.built = build(description)  # what is wrong with it is told now

    @property
    def name(self) -> str:
        """The name that the description gives the machine."""
        return self.built.name

    @cached_property
    def text(self) -> str:
        """The whole description in YAML, as a file for `-m`."""
        return text_of(self.description)

    def changed(self, changes: Mapping[str, Any] | str | None = None, /, *, file: str = "", **sections: Any) -> Machine:
        """Return a machine with changes, which say what a description with `extends` would; None takes a name away.

        `changes` are a mapping or YAML text, of a `file` that messages name, `sections` the same by keys of a description:
        `Machine().changed(machine="small", registers={"r": {"count": 16}})`.
        Raises Error, also for changes that extend another machine.
        """
        text = changes if isinstance(changes, str) else yaml.safe_dump({**(changes or {}), **sections}, sort_keys=False)
        if isinstance(changes, str) and sections:
            raise Error("changes are one text of YAML, or keys and values, not both")
        result = self._copy()
        with told():
            own = parse(text, file or f"<changes of {self.name}>")
            if own.pop("extends", self.origin) not in (self.origin, self.name):
                raise DescriptionError(own.key_places["extends"], f"what changes {self.name} extends no other machine")
            description = copy.deepcopy(self.description)
            with use_of_added_registers(description):
                merge(description, own)
            if "machine" not in own:
                description["machine"] = f"{self.name}+"
            result._take(description)
        result.origin, result.settings = f"{result.name}.yaml", ()
        return result

    def with_settings(self, settings: Settings) -> Machine:
        """Return a machine with values changed as `--set` changes them: `{"registers.r.count": 16}`.

        Raises Error.
        """
        result = self._copy()
        description = copy.deepcopy(self.description)
        given = as_settings(settings)
        with told():
            with use_of_added_registers(description):
                for setting in given:
                    assign(description, setting)
            result._take(description)
        result.settings = (*self.settings, *given)
        return result

    def _copy(self) -> Machine:
        result = copy.copy(self)
        result.__dict__.pop("text", None)
        return result

    def without(self, *instructions: str) -> Machine:
        """Return a machine without some of its instructions.

        Raises Error.
        """
        return self.changed(instructions=dict.fromkeys(instructions))

    @property
    def parts(self) -> list[Edit]:
        """The parts that can be taken away one by one: instructions, forms, operands, registers, bits, delay slots."""
        return list(deletions(self.description))

    def edited(self, *edits: Edit) -> Machine:
        """Return a machine with some of its `parts` taken away, or with other edits of `vpo.machines.advice.edits`.

        Raises Error for a machine that cannot be without them.
        """
        result = self._copy()
        with told():
            try:
                result._take(edited(self.description, *edits))
            except KeyError as error:
                raise Error(f"an earlier edit took {error} away") from None
        result.origin, result.settings = f"{self.name}.yaml", ()
        return result

    def compile(
        self,
        files: Files,
        *,
        level: Level = 1,
        defines: Mapping[str, object] | None = None,
        include: Iterable[str | os.PathLike[str]] = (),
        settings: CompilerSettings | None = None,
    ) -> Program:
        """Compile and link C files; `settings` (`vpo.build.settings.Settings`) are all other options of the compiler.

        Raises Error.
        """
        from ease.api.programs import compiled  # with the compiler, which a script that looks at machines does without

        return compiled(self, files, level, defines, include, settings)

    @property
    def instructions(self) -> Frame:
        """The instructions: a row for each form."""
        forms = self.built.recognizer.alternatives
        return Frame(("instruction", "form"), tuple((form.name, form.text) for form in forms))

    @property
    def registers(self) -> Frame:
        """The classes of registers: how many there are, and how many may be allocated."""
        rows = ((name, found.count, len(self.built.allocable.get(name, ()))) for name, found in self.built.classes.items())
        return Frame(("class", "count", "allocable"), tuple(rows))

    def __repr__(self) -> str:
        changes = "".join(f" --set {setting}" for setting in self.settings)
        return f"<Machine {self.name}{changes}: {self.built.description}>"

    def _repr_html_(self) -> str:
        """Return a summary for notebooks."""
        about = f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.built.description)}</p>"
        return f"{about}{self.registers._repr_html_()}<p>{len({*self.instructions['instruction']})} instructions</p>"


def _described(text: str, name: str, settings: Iterable[str]) -> Map:
    """Return the description that a text is, with values changed."""
    description = parse(text, name)
    with use_of_added_registers(description):
        for setting in settings:
            assign(description, setting)
    return description


def as_settings(given: Settings) -> list[str]:
    """Return settings as `--set` has them: KEY=VALUE."""
    if isinstance(given, Mapping):
        return [f"{key}={flow(value)}" for key, value in given.items()]
    if isinstance(given, str):
        return [given]
    return list(given)


def flow(value: Any) -> str:
    """Return a value in a line of YAML."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")


def measure(
    files: Files,
    machine: str | os.PathLike[str] | Machine = "",
    *,
    args: Iterable[object] = (),
    set: Settings = (),
    level: Level = 1,
    defines: Mapping[str, object] | None = None,
    include: Iterable[str | os.PathLike[str]] = (),
    stdin: bytes | str = b"",
    cache: str | MemorySystem | Grid | None = None,
    predict: str | None = None,
    timing: bool | None = None,
    tools: Iterable[str | os.PathLike[str]] = (),
    regions: Iterable[str] = (),
    over_time: int | None = None,
    sample: str | None = None,
    limit: int | None = None,
    timeout: float | None = None,
) -> Run:
    """Compile files for a machine, run them with arguments, and return what happened.

    This is `Machine(machine, set).compile(files, ...).measure(...)`.  Raises Error.
    """
    on = machine if isinstance(machine, Machine) else Machine(machine)
    if settings := as_settings(set):
        on = on.with_settings(settings)
    return on.compile(files, level=level, defines=defines, include=include).measure(
        args=args, stdin=stdin, cache=cache, predict=predict, timing=timing, tools=tools, regions=regions,
        over_time=over_time, sample=sample, limit=limit, timeout=timeout,
    )  # fmt: skip
