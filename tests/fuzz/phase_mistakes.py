"""Mistakes in the compiler's own phases, one at a time: of those that make a program wrong, how many does `-verify` find?

    python -m tests.fuzz.phase_mistakes --count 200 -m riscv32 -O 2

A mistake is one that people make: a comparison that is off by one, two arguments exchanged, a constant one too large, a
condition or a statement forgotten.  It is made in a function of a phase, an analysis or the algebra that compiling
`phase_mistakes.c` executes, in a process of its own.  A mistake counts if the program then computes something else, without
a fault of the compiler and without `-verify`, and was right before the phases: the algebra is the expander's, too.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import importlib
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType

from tests.fuzz.child import freeze, in_child
from tests.fuzz.trying import Job
from vpo.build import compiler as compiling
from vpo.build.compiler import Compiler
from vpo.interpret.fast.interpreter import interpret
from vpo.opt.driver import Level, PhaseError, improve
from vpo.rtl.function import Function, Unit
from vpo.rtl.printer import print_function

PROGRAM = Path(__file__).with_suffix(".c")
LIMIT = 3_000_000  # instructions of the program
SECONDS = 25  # of processor time for a mistake
PARTS = ("vpo.opt.", "vpo.analysis.", "vpo.algebra.")
_PAIRS = (
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot), (ast.Add, ast.Sub),
    (ast.LShift, ast.RShift), (ast.BitAnd, ast.BitOr), (ast.And, ast.Or),
)  # fmt: skip
OTHER: dict[type[ast.AST], type[ast.AST]] = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
Lines = dict[str, set[int]]  # of modules
SAME, EQUAL, CRASH, ENDLESS = "same code", "same output", "crash", "no end"
EARLY, FOUND, MISSED = "wrong before the phases", "found", "missed"


@dataclass(frozen=True)
class Mistake:
    """The `number`-th mistake that can be made in a module."""

    module: str
    number: int
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.module} line {self.line}: {self.what}"


def mistakes(tree: ast.Module) -> Iterator[tuple[ast.AST, str, Callable[[], None]]]:
    """Yield the mistakes that can be made in a module: where, what, and what makes it in the tree."""
    hints = {id(part) for node in ast.walk(tree) for hint in _hints(node) for part in ast.walk(hint)}
    for node in ast.walk(tree):
        if id(node) not in hints:
            yield from ((node, what, make) for what, make in _of(node))


def _hints(node: ast.AST) -> Iterator[ast.AST]:
    """Yield types, which nothing executes, and decorators."""
    for name in ("annotation", "returns"):
        hint = getattr(node, name, None)
        if hint is not None:
            yield hint
    yield from getattr(node, "decorator_list", ())


def _of(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the mistakes that can be made in a node."""
    match node:
        case ast.Compare(ops=[operator]) | ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in OTHER:
            other = OTHER[type(operator)]()
            changed = [other] if isinstance(node, ast.Compare) else other
            name = "ops" if isinstance(node, ast.Compare) else "op"
            yield f"{type(other).__name__} for {type(operator).__name__}", partial(setattr, node, name, changed)
        case ast.UnaryOp(op=ast.Not()):
            yield "no Not", partial(setattr, node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield f"{value + 1} for {value}", partial(setattr, node, "value", value + 1)
        case ast.Call(args=[first, second, *rest]) if not any(isinstance(one, ast.Starred) for one in (first, second)):
            yield "arguments exchanged", partial(setattr, node, "args", [second, first, *rest])
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield f"{NAMES[name]} for {name}", partial(setattr, node, "id", NAMES[name])
        case ast.If(body=[ast.Return() | ast.Continue()], orelse=[]):
            yield "forgets an exit", partial(setattr, node, "test", ast.Constant(value=False))
    if isinstance(node, ast.BoolOp):
        kept = node.values[:-1] if len(node.values) > 2 else [node.values[0]] * 2
        yield "forgets a condition", partial(setattr, node, "values", kept)
    for name in ("body", "orelse"):
        statements = getattr(node, name, None)
        for place, one in enumerate(statements if isinstance(statements, list) else ()):
            called = isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
            if called or isinstance(one, ast.AugAssign | ast.Continue):
                passes = ast.copy_location(ast.Pass(), one)
                yield f"forgets line {one.lineno}", partial(statements.__setitem__, place, passes)


@cache
def parsed(module: str) -> tuple[str, str]:
    """Return a module's file and text."""
    path = importlib.import_module(module).__file__
    assert path
    return path, Path(path).read_text()


def all_mistakes(executed: Lines) -> list[Mistake]:
    """Return all mistakes that can be made in executed lines, by module."""
    found = []
    for module, lines in sorted(executed.items()):
        for number, (node, what, _) in enumerate(mistakes(ast.parse(parsed(module)[1]))):
            if getattr(node, "lineno", 0) in lines:
                found.append(Mistake(module, number, node.lineno, what))  # type: ignore[attr-defined]
    return found


def make(mistake: Mistake) -> bool:
    """Make a mistake in the functions of this process; return whether there is one that has it."""
    path, text = parsed(mistake.module)
    tree = ast.parse(text)
    *_, change = next(one for number, one in enumerate(mistakes(tree)) if number == mistake.number)
    change()
    code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    old = compile(text, path, "exec", dont_inherit=True)
    changed = False
    for name, new in codes(code).items():
        if new != codes(old).get(name):
            function = live(sys.modules[mistake.module], name)
            if function is not None and function.__code__.co_freevars == new.co_freevars:
                function.__code__ = new
                changed = True
    return changed


def codes(code: CodeType) -> dict[str, CodeType]:
    """Return the code of functions and methods by their qualified names; that of functions in functions is within theirs."""
    found = {}
    for const in code.co_consts:
        if isinstance(const, CodeType):
            if "<locals>" not in const.co_qualname and const.co_flags & 2:  # of a function: its locals are fast
                found[const.co_qualname] = const
            else:
                found.update(codes(const))
    return found


def live(module: ModuleType, name: str) -> FunctionType | None:
    """Return the function of a qualified name, below its decorators."""
    place: object = module
    for step in name.split("."):
        place = vars(place).get(step)
        if place is None:
            return None
    while not isinstance(place, FunctionType) or hasattr(place, "__wrapped__"):
        inner = next((getattr(place, key) for key in ("__wrapped__", "__func__", "func", "fget") if hasattr(place, key)), None)
        if inner is None:
            return None
        place = inner
    return place


class Trial:
    """Compiles the program for a machine, with the library as it was before a mistake, and runs it.

    Functions whose phases do not come to the line of a mistake stay as they were.
    """

    def __init__(self, job: Job, machine: str, level: Level) -> None:
        self.compiler = job.compilers[machine, level]
        self.settings = dataclasses.replace(self.compiler.settings, inline_limit=None)
        self.lines: dict[str, Lines] = {}  # that the phases of each function come to
        with improving(self._traced):
            self.unit()
        self.expanded: dict[str, str] = {}  # code of functions before their phases
        with improving(partial(self._kept, {})):
            self.known = self._improved()
        self.before = dict(self.expanded)
        self.code, self.output = self._texts(self.known), self.run(self.known)

    def _improved(self) -> dict[str, Function]:
        return {function.name: function for function in self.unit().functions}

    def compiled(self, check: str = "nothing") -> Compiler:
        """Return a compiler that has nothing but the library."""
        compiler = Compiler(self.compiler.machine, dataclasses.replace(self.settings, check=check))  # type: ignore[arg-type]
        compiler.library_units = self.compiler.library_units
        return compiler

    def unit(self, check: str = "nothing") -> Unit:
        """Return the program's code."""
        return self.compiled(check).unit(str(PROGRAM))

    def _texts(self, functions: dict[str, Function]) -> dict[str, str]:
        return {name: print_function(function) for name, function in functions.items()}

    def run(self, known: dict[str, Function]) -> object:
        """Return what the program does whose functions are known."""
        with improving(partial(self._kept, known)):
            program = self.compiled().program([str(PROGRAM)])
        result = interpret(program, ["program"], capture=True, limit=LIMIT)
        return result.fault is not None, result.exit_status, result.output

    def _kept(self, known: dict[str, Function], function: Function, *rest: object) -> bool:
        """Give a function the code that is known of it; run its phases if there is none."""
        self.expanded[function.name] = print_function(function)
        if function.name not in known:
            return improve(function, *rest)  # type: ignore[arg-type]
        copy = known[function.name].copy()
        for field in dataclasses.fields(function):
            setattr(function, field.name, getattr(copy, field.name))
        return True

    def _traced(self, function: Function, *rest: object) -> bool:
        """Run the phases of a function, and note the lines to which they come."""
        lines = self.lines.setdefault(function.name, {})

        def within(frame: FrameType, event: str, _: object) -> object:
            if event == "line":
                lines[frame.f_globals["__name__"]].add(frame.f_lineno)
            return within

        def called(frame: FrameType, _event: str, _argument: object) -> object:
            name = frame.f_globals.get("__name__", "")
            if not name.startswith(PARTS):
                return None
            lines.setdefault(name, set())
            return within

        sys.settrace(called)  # type: ignore[arg-type]
        try:
            return improve(function, *rest)  # type: ignore[arg-type]
        finally:
            sys.settrace(None)

    def executed(self) -> Lines:
        """Return the lines to which the phases of any function come, by module."""
        found: Lines = {}
        for lines in self.lines.values():
            for module, numbers in lines.items():
                found.setdefault(module, set()).update(numbers)
        return found

    def verdict(self, mistake: Mistake) -> dict[str, object]:
        """Return what becomes of the program with a mistake."""
        if not make(mistake):
            return {"verdict": SAME}
        known = {n: f for n, f in self.known.items() if mistake.line not in self.lines[n].get(mistake.module, ())}
        try:
            with improving(partial(self._kept, known)):
                functions = self._improved()
            texts = self._texts(functions)
            changed = [name for name, text in texts.items() if text != self.code[name]]
            if not changed:
                return {"verdict": SAME}
            if self.run(functions) == self.output:
                return {"verdict": EQUAL}
            if any(self.expanded[name] != self.before[name] for name in changed):
                return {"verdict": EARLY}
        except Exception as error:
            return {"verdict": CRASH, "why": f"{type(error).__name__}: {error}"}
        try:
            with improving(partial(self._kept, {n: f for n, f in functions.items() if n not in changed})):
                self.unit("samples")
        except PhaseError as error:
            return {"verdict": FOUND, "why": str(error)}
        except Exception as error:
            return {"verdict": FOUND, "why": f"{type(error).__name__}: {error}"}
        return {"verdict": MISSED, "why": f"in {', '.join(name[1:] for name in changed)}"}


@contextmanager
def improving(how: Callable[..., bool]) -> Iterator[None]:
    """Have the compiler run phases in another way."""
    before = compiling.improve_function  # type: ignore[attr-defined]
    compiling.improve_function = how  # type: ignore[attr-defined]
    try:
        yield
    finally:
        compiling.improve_function = before  # type: ignore[attr-defined]


def main() -> int:
    """Make mistakes; exit status 1 if one was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.phase_mistakes", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--wrong", type=int, default=10**9, help="stop when so many made the program wrong")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="PATTERN", help="only mistakes whose descriptions have a match")
    parser.add_argument("-m", dest="machine", default="riscv32")
    parser.add_argument("-O", dest="level", default="2")
    parser.add_argument("-v", dest="verbose", action="store_true", help="tell what became of each")
    given = parser.parse_args()
    level: Level = given.level if given.level == "s" else int(given.level)  # type: ignore[assignment]
    job = Job([given.machine], [level])
    with tempfile.TemporaryDirectory() as folder:
        job.warm(Path(folder), PROGRAM.read_text())
    trial = Trial(job, given.machine, level)
    found = all_mistakes(trial.executed())
    print(f"{len(found)} mistakes can be made", flush=True)
    if given.only:
        found = [mistake for mistake in found if re.search(given.only, str(mistake))]
    random.Random(given.seed).shuffle(found)
    freeze()
    verdicts: Counter[str] = Counter()
    for mistake in found[: given.count]:
        answer = in_child(partial(trial.verdict, mistake), SECONDS)
        verdict = str(answer.get("verdict", ENDLESS))
        verdicts[verdict] += 1
        if verdict in (MISSED, FOUND, ENDLESS):
            print(f"{verdict}: {mistake} {str(answer.get('why', answer.get('failures')))[:200]}", flush=True)
        elif given.verbose:
            print(f"{verdict}: {mistake}", flush=True)
        if verdicts[MISSED] + verdicts[FOUND] >= given.wrong:
            break
    print(", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common()))
    return 1 if verdicts[MISSED] else 0


if __name__ == "__main__":
    sys.exit(main())
