"""Analysis functions: the part of Python that they are written in, and what is wrong with others.

Numbers are integers of 64 bits that wrap around.  There are assignments, `if`, `while`, `for ... in range(...)`, `break`,
`continue`, `return`, `pass`, `raise`, arithmetic, comparisons, elements of arrays, numbers at the top of the file (changed
through `global`), and calls of other functions of the file, of `len`, `min`, `max`, `abs`, `int` and `bool`.

The arrays of tools, which are the same for Python and for translated functions, come first.
"""

from __future__ import annotations

import ast
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from vpo.base.errors import UserError

# ----------------------------------------------------------------------------------------------------------------------
# The memory of tools: arrays of integers, the same for Python and for translated analysis functions.


WIDTHS = (8, 32, 64)  # bits of an element; those of 64 bits are signed, the others are not
READABLE = 1 << 26  # bytes: larger arrays are not read back after the run


def wrapped(number: int, bits: int = 64) -> int:
    """Return a number as an element of so many bits holds it."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if bits == 64 and number >> 63 else number


class Array:
    """A row of integers.

    `bits` is one of WIDTHS; all elements are `fill` at the start.  `resize` gives it another length while the program is
    instrumented.  There are no negative indices.
    """

    def __init__(self, length: int = 1, bits: int = 64, fill: int = 0) -> None:
        if bits not in WIDTHS:
            raise ValueError(f"elements have 8, 32 or 64 bits, not {bits}")
        self.bits, self.fill = bits, wrapped(fill, bits)
        self.resize(length)

    def resize(self, length: int) -> None:
        """Set the length; all elements are as at the start."""
        if length < 0:
            raise ValueError(f"an array has a length of 0 or more, not {length}")
        self.length = length
        self.changed: dict[int, int] = {}
        self._read: Sequence[int] = ()

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.length * self.bits // 8

    def load(self, content: Sequence[int]) -> None:
        """Take over what a run has left."""
        self._read, self.changed = content, {}

    def _check(self, index: int) -> None:
        if not 0 <= index < self.length:
            raise IndexError(f"index {index} of an array of {self.length}")
        if self.bytes > READABLE:
            raise ValueError(f"an array of {self.bytes >> 20} MiB can be used while the program runs only")

    def __getitem__(self, index: int) -> int:
        self._check(index)
        if index in self.changed:
            return self.changed[index]
        return self._read[index] if self._read else self.fill

    def __setitem__(self, index: int, value: int) -> None:
        self._check(index)
        self.changed[index] = wrapped(value, self.bits)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[int]:
        return (self[index] for index in range(self.length))


# ----------------------------------------------------------------------------------------------------------------------
# Mistakes in tools: messages that name the line of the tool's file.


class ToolMisuse(Exception):
    """A tool asks for something that there is not; the message says what."""


def mistake(file: str, line: int, message: str) -> UserError:
    """Return the exception that tells a mistake at a line of a tool."""
    return UserError([f"{file}:{line}: error: {message}"])


@contextmanager
def naming_line(file: str) -> Iterator[None]:
    """Turn whatever a tool's own Python raises into a message with the line of its file."""
    try:
        yield
    except UserError:
        raise
    except SyntaxError as error:
        raise mistake(error.filename or file, error.lineno or 0, f"this is not Python: {error.msg}") from None
    except (Exception, SystemExit) as error:
        lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
        message = str(error) if isinstance(error, ToolMisuse) else f"{type(error).__name__}: {error}"
        raise mistake(file, lines[-1] if lines else 1, message) from None


# ----------------------------------------------------------------------------------------------------------------------


BUILTINS = {"len": (1, 1), "min": (2, 9), "max": (2, 9), "abs": (1, 1), "int": (1, 1), "bool": (1, 1)}  # how many arguments
_STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Break, ast.Continue, ast.Return, ast.Pass,
    ast.Raise, ast.Global, ast.Expr,
)  # fmt: skip
_OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift,
)  # fmt: skip
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


@dataclass(frozen=True, eq=False, slots=True)
class AnalysisFunction:
    """A function of a tool: `scalars` are the numbers at the top of the file that it changes, `locals` its own variables."""

    name: str
    line: int
    parameters: tuple[str, ...]
    body: tuple[ast.stmt, ...]
    scalars: frozenset[str]
    locals: frozenset[str]

    def nodes(self) -> Iterator[ast.AST]:
        """Yield everything that it consists of."""
        for statement in self.body:
            yield from ast.walk(statement)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis functions of a file that are called, from the program or from each other, and what they use of the file."""

    file: str
    functions: Mapping[str, AnalysisFunction]
    arrays: Mapping[str, Array]
    scalars: Mapping[str, int]
    constants: Mapping[str, int]


def analysis(file: str, tree: ast.Module, names: Mapping[str, object], called: Iterable[str]) -> Analysis:
    """Return the analysis of a file whose syntax and names are given, with the functions that the program calls.

    Raises UserError for what is no analysis function.
    """
    reader = _Reader(file, tree, names)
    for name in called:
        reader.read(name)
    functions = reader.functions
    scalars = {name for function in functions.values() for name in function.scalars}
    numbers = {name: value for name, value in names.items() if isinstance(value, int)}
    return Analysis(
        file, functions, {name: value for name, value in names.items() if isinstance(value, Array)},
        {name: numbers[name] for name in sorted(scalars)},
        {name: int(value) for name, value in numbers.items() if name not in scalars},
    )  # fmt: skip


class _Reader:
    """Reads functions, and those that they call."""

    def __init__(self, file: str, tree: ast.Module, names: Mapping[str, object]) -> None:
        self.file, self.names = file, names
        self.defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.functions: dict[str, AnalysisFunction] = {}
        self.under_way: list[str] = []

    def read(self, name: str) -> None:
        """Read a function.

        Raises UserError.
        """
        if name in self.functions:
            return
        node = self.defined[name]
        if name in self.under_way:
            raise mistake(self.file, node.lineno, f"`{name}` calls itself, which an analysis function cannot")
        self.under_way.append(name)
        given = node.args
        if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults or node.decorator_list:
            raise mistake(self.file, node.lineno, f"`{name}`: an analysis function has plain parameters and no decorators")
        parameters = tuple(each.arg for each in given.args)
        scalars = {n for each in ast.walk(node) if isinstance(each, ast.Global) for n in each.names}
        stored = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        function = AnalysisFunction(
            name, node.lineno, parameters, tuple(node.body), frozenset(scalars), frozenset(stored - scalars)
        )
        _Check(self, function).check()
        self.under_way.pop()
        self.functions[name] = function


class _Check:
    """Refuses what cannot be translated."""

    def __init__(self, reader: _Reader, function: AnalysisFunction) -> None:
        self.reader, self.function = reader, function

    def check(self) -> None:
        """Check the function.

        Raises UserError.
        """
        for name in sorted(self.function.scalars):
            if not isinstance(self.reader.names.get(name), int):
                self.refuse(self.function.line, f"`global {name}`: there is no number `{name}` at the top of the file")
        for name in sorted(self.function.locals - {*self.function.parameters}):
            if isinstance(self.reader.names.get(name), int):
                self.refuse(self.function.line, f"`{name}` is a number at the top of the file: write `global {name}` first")
        self._statements(self.function.body)

    def refuse(self, where: ast.stmt | ast.expr | int, message: str) -> None:
        """Tell a mistake."""
        raise mistake(self.reader.file, where if isinstance(where, int) else where.lineno, message)

    def _statements(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if not isinstance(node, _STATEMENTS):
            self.refuse(node, f"an analysis function cannot have `{_shown(node)}` (docs/tools.md lists what it can)")
        match node:
            case ast.Assign(targets=targets):
                if len(targets) != 1:
                    self.refuse(node, "assign to one thing at a time")
                self._target(targets[0])
                self._expression(node.value)
            case ast.AnnAssign():
                self._target(node.target)
                if node.value is not None:
                    self._expression(node.value)
            case ast.AugAssign():
                self._target(node.target)
                self._operator(node, node.op)
                self._expression(node.value)
            case ast.If() | ast.While():
                self._test(node.test)
                self._statements(node.body)
                if isinstance(node, ast.While) and node.orelse:
                    self.refuse(node, "a loop has no `else` here")
                self._statements(node.orelse)
            case ast.For():
                self._for(node)
            case ast.Return(value=ast.expr() as value):
                self._expression(value)
            case ast.Raise():
                if not isinstance(node.exc, ast.Call) or not all(isinstance(each, ast.Constant) for each in node.exc.args):
                    self.refuse(node, 'write `raise ValueError("what is wrong")`')
            case ast.Expr(value=ast.Constant(value=str())):
                pass  # a docstring
            case ast.Expr():
                self._expression(node.value)

    def _for(self, node: ast.For) -> None:
        match node:
            case ast.For(target=ast.Name(), iter=ast.Call(func=ast.Name(id="range"), args=args, keywords=[]), orelse=[]):
                if not 1 <= len(args) <= 3:
                    self.refuse(node, "range has 1 to 3 arguments")
                for each in args:
                    self._expression(each)
                if len(args) == 3 and _number(args[2]) in (None, 0):
                    self.refuse(node, "the step of a range is a number, and not 0")
                self._statements(node.body)
            case _:
                self.refuse(node, "write `for NAME in range(...)`, without `else`")

    def _target(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                if name not in self.function.scalars and isinstance(self.reader.names.get(name), Array):
                    self.refuse(node, f"`{name}` is an array: assign to its elements")
            case ast.Subscript():
                self._expression(node)
            case _:
                self.refuse(node, "assign to a variable or an element of an array; a tool cannot change anything else")

    def _operator(self, node: ast.stmt | ast.expr, operator: ast.operator) -> None:
        if not isinstance(operator, _OPERATORS):
            advice = "; numbers are whole: use `//`" if isinstance(operator, ast.Div) else ""
            self.refuse(node, f"there is no such operator in analysis functions{advice}")

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.Constant(value=int()):
                pass
            case ast.Name(id=name):
                self._name(node, name)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                if not isinstance(self.reader.names.get(name), Array) or name in self.function.locals:
                    self.refuse(node, f"`{name}` is no array: write `{name} = Array(LENGTH)` at the top of the file")
                if isinstance(index, ast.Slice | ast.Tuple):
                    self.refuse(node, "an array has one index, a number")
                self._expression(index)
            case ast.BinOp(left=left, op=operator, right=right):
                self._operator(node, operator)
                self._expression(left)
                self._expression(right)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._test(operand)
            case ast.UnaryOp(operand=operand):
                self._expression(operand)
            case ast.BoolOp():
                self.refuse(node, "`and` and `or` stand in conditions only")
            case ast.Compare(left=left, ops=operators, comparators=others):
                if len(others) > 1 and any(isinstance(each, ast.Call) for other in others for each in ast.walk(other)):
                    self.refuse(node, "in a chain of comparisons nothing is called")
                if not all(isinstance(operator, _COMPARISONS) for operator in operators):
                    self.refuse(node, "numbers are compared by == != < <= > >=")
                for each in (left, *others):
                    self._expression(each)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self._test(test)
                self._expression(body)
                self._expression(orelse)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                self._call(node, name, args)
            case _:
                self.refuse(node, f"an analysis function cannot have `{_shown(node)}` (docs/tools.md lists what it can)")

    def _test(self, node: ast.expr) -> None:
        """Check a condition."""
        for each in node.values if isinstance(node, ast.BoolOp) else (node,):
            (self._test if isinstance(each, ast.BoolOp) else self._expression)(each)

    def _name(self, node: ast.expr, name: str) -> None:
        known = (*self.function.parameters, *self.function.locals, *self.function.scalars)
        if name not in known and not isinstance(self.reader.names.get(name), int):
            what = "an array is used by its elements" if isinstance(self.reader.names.get(name), Array) else "no such number"
            self.refuse(node, f"`{name}`: {what}")

    def _call(self, node: ast.expr, name: str, args: list[ast.expr]) -> None:
        if name == "len" and [type(each) for each in args] == [ast.Name]:
            if isinstance(self.reader.names.get(getattr(args[0], "id", "")), Array):
                return
            self.refuse(node, "`len` is the length of an array")
        if name in self.reader.defined:
            self.reader.read(name)
            wanted = len(self.reader.functions[name].parameters)
            low, high = wanted, wanted
        elif name in BUILTINS:
            low, high = BUILTINS[name]
        else:
            self.refuse(node, f"there is no function `{name}` in this file that could be called here")
        if not low <= len(args) <= high:
            self.refuse(node, f"`{name}` takes {low} argument{'s' * (low != 1)}, not {len(args)}")
        for each in args:
            self._expression(each)


def _number(node: ast.expr) -> int | None:
    """Return the number that an expression states."""
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None


def _shown(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]
