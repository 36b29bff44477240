"""A tool: its file, what it asks for when it is shown a program, and the tables that it makes of a run."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

from ease.tools.analysis import Analysis, analysis
from ease.tools.lookups import registers_of
from ease.tools.mistakes import ToolMisuse, mistake, naming_line
from ease.tools.requests import Request, Requests
from ease.tools.settings import change, split
from ease.tools.storage import READABLE, Array
from ease.tools.table import Table
from ease.tools.view import Program as View
from ease.tools.view import ViewBuilder
from vpo.machines.nearest import nearest
from vpo.program import Program
from vpo.user_error import UserError

SUPPLIED = Path(__file__).parent / "supplied"
ELEMENTS = 1000  # of an array that a tool without `report` shows


def supplied() -> list[str]:
    """Return the names of the tools that come with the project."""
    return sorted(file.stem for file in SUPPLIED.glob("*.py") if not file.stem.startswith("_"))


def find(name: str) -> Path:
    """Return the file of a tool: one that is supplied, or a path.

    Raises UserError.
    """
    if name in supplied():
        return SUPPLIED / f"{name}.py"
    if not name.endswith(".py"):
        near = nearest(name, supplied())
        advice = f"; did you mean '{near}'?" if near else ""
        raise UserError([f"-tool {name}: there is no such tool{advice} (supplied: {', '.join(supplied())}; or a file.py)"])
    return Path(name)


class Tool:
    """A tool whose file has been read and executed; `names` is what it has at its top."""

    def __init__(self, name: str) -> None:
        """Read a tool, by its name or file, behind which settings may stand (`ease.tools.settings`).

        Raises UserError, OSError.
        """
        place, settings = split(name)
        path = find(place)
        self.name, self.file = path.stem + name[len(place) :], str(path)
        text = path.read_text(encoding="utf-8", errors="replace")
        self.names: dict[str, object] = {"__name__": path.stem, "__file__": self.file}
        with naming_line(self.file):
            self.tree = ast.parse(text, self.file)
            change(self.tree, settings, place)
            exec(compile(self.tree, self.file, "exec"), self.names)
        if not inspect.isfunction(self.names.get("instrument")):
            raise mistake(self.file, 1, "a tool has a function `instrument(program)`")

    def instrument(self, program: Program) -> tuple[Analysis, Sequence[Request]]:
        """Show the tool a program; return its analysis and the calls that it asks for.

        Raises UserError.
        """
        requests = Requests(self.file, registers_of(program.machine))
        self.view: View = ViewBuilder(program, requests).view()
        with naming_line(self.file):
            self.names["instrument"](self.view)  # type: ignore[operator]
        called = {request.function for request in requests.made if request.spot.kind != "program" and request.chunks is None}
        found = analysis(self.file, self.tree, self.names, sorted(called))
        return found, requests.made

    def call(self, request: Request) -> None:
        """Call a function of the tool in Python, before or after the run.

        Raises UserError.
        """
        with naming_line(self.file):
            self.names[request.function](*request.arguments)  # type: ignore[operator]

    def take(self, numbers: Mapping[str, int]) -> None:
        """Give numbers at the top of the file the values that a run has left."""
        self.names.update(numbers)

    def tables(self) -> list[Table]:
        """Return the tool's report: what its function `report` makes of the run, or else all its numbers.

        Raises UserError.
        """
        report = self.names.get("report")
        with naming_line(self.file):
            if not inspect.isfunction(report):
                return [self._numbers()]
            made = report(*[self.view][: len(inspect.signature(report).parameters)])
            tables = [made] if isinstance(made, Table) else list(made)
            for table in tables:
                if not isinstance(table, Table):
                    raise ToolMisuse(f"`report` returns a Table or a list of them, not {table!r}")
        return tables

    def _numbers(self) -> Table:
        """Return a table of the numbers, and then of elements that are not as at the start."""
        rows = [(name, int(each)) for name, each in self.names.items() if isinstance(each, int) and not name.startswith("_")]
        for name, value in self.names.items():
            if isinstance(value, Array) and value.bytes <= READABLE:
                found = [(f"{name}[{index}]", each) for index, each in enumerate(value) if each != value.fill]
                rows += found[:ELEMENTS]
        return Table(self.name, ("number", "value"), rows)
