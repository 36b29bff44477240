"""A tool: its file, what it asks for when it is shown a program, and the tables that it makes of a run."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

from ease.model.results import Table
from ease.tools.analysis import READABLE, Analysis, Array, ToolMisuse, analysis, mistake, naming_line
from ease.tools.requests import Request, Requests
from ease.tools.unit import registers_of
from ease.tools.view import Program as View
from ease.tools.view import ViewBuilder
from vpo.base.errors import UserError
from vpo.base.suggestions import suggested
from vpo.program import Program

# ----------------------------------------------------------------------------------------------------------------------
# Settings of a tool: constants at the top of its file that the command line changes, as in `cache:SETS=512,LINE=16`.


def split(text: str) -> tuple[str, dict[str, str]]:
    """Take apart what `-tool` says: the name or file of a tool, and its settings.

    Raises UserError.
    """
    name, colon, rest = text.partition(":")
    if not colon or Path(text).exists():
        return text, {}
    found: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key or key in found:
            raise UserError([f"-tool {text}: '{part}' is no setting; settings are NAME=VALUE, each once, separated by commas"])
        found[key] = value
    return name, found


def change(tree: ast.Module, settings: dict[str, str], file: str) -> None:
    """Change the constants of a file, given its syntax: names in capitals whose values are whole numbers or text.

    Raises UserError.
    """
    known: dict[str, ast.Assign] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            for target in statement.targets:
                if isinstance(target, ast.Name) and target.id.isupper() and type(statement.value.value) in (int, str):
                    known[target.id] = statement
    for name, text in settings.items():
        if name not in known:
            advice = suggested(name, known)
            raise UserError([f"-tool {file}: there is no setting '{name}'{advice} (there are: {', '.join(known) or 'none'})"])
        before = known[name].value
        assert isinstance(before, ast.Constant)
        value = _number(file, name, text) if isinstance(before.value, int) else text
        known[name].value = ast.copy_location(ast.Constant(value), before)


def _number(file: str, name: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise UserError([f"-tool {file}: {name}={text} is no whole number, such as 16 or 0x10"]) from None


# ----------------------------------------------------------------------------------------------------------------------


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
        near = suggested(name, supplied())
        raise UserError([f"-tool {name}: there is no such tool{near} (supplied: {', '.join(supplied())}; or a file.py)"])
    return Path(name)


class Tool:
    """A tool whose file has been read and executed; `names` is what it has at its top."""

    def __init__(self, name: str) -> None:
        """Read a tool, by its name or file, behind which settings may stand (`ease.tools.tool_file`).

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
