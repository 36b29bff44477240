"""How far the functions of <math.h> are from the true values, in units of the last place.

    python -m tests.libc.accuracy --count 100000
    python -m tests.libc.accuracy --functions sin,lgammaf --show 5

MPFR computes the true values (Python package gmpy2), and mpmath one of a hundred again.
"""

from __future__ import annotations

import argparse
import heapq
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from struct import iter_unpack

import gmpy2
import mpmath
from gmpy2 import mpfr

from tests.libc import native

BITS = 200  # with which true values are computed
CHECKED = 100  # of so many values of MPFR, mpmath computes one again
MOST = 1.0  # units of the last place that a result may be off
BINARIES = ("atan2", "pow", "hypot")
UNARIES = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "exp2", "expm1",
    "log", "log2", "log10", "log1p", "cbrt", "erf", "erfc", "tgamma", "lgamma", "sqrt",
)  # fmt: skip
NAMES = tuple(f"{name}{suffix}" for suffix in ("", "f") for name in (*UNARIES, *BINARIES))
# by the name in C, where other names are usual
MPFR = {"tgamma": gmpy2.gamma, "lgamma": lambda x: gmpy2.lgamma(x)[0], "pow": lambda x, y: x**y}
MPMATH = {
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log2": lambda x: mpmath.log(x, 2),
    "tgamma": mpmath.gamma,
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))),
    "pow": mpmath.power,
}

Point = tuple[float, float, float]  # arguments and result


@dataclass
class Accuracy:
    """What was seen of a function; the worst points with their errors in units of the last place."""

    points: int = 0
    inexact: int = 0  # results that are not the nearest number
    worst: list[tuple[float, Point]] = field(default_factory=list)

    def note(self, error: float, point: Point, kept: int = 10) -> None:
        """Note a point and its error."""
        self.points += 1
        self.inexact += error > 0.5
        heapq.heappush(self.worst, (error, point))
        if len(self.worst) > kept:
            heapq.heappop(self.worst)


def points(program: Path, name: str, *how: str) -> Iterator[Point]:
    """Give points of a function as a program computes them; `how`: a seed and a count, or a number."""
    words = [str(program), name, *how, *(["float"] if base_of(name)[1] else [])]
    answer = subprocess.run(words, capture_output=True, check=True, timeout=3600).stdout
    yield from iter_unpack("<3d", answer)  # type: ignore[misc]


def true_value(name: str, x: float, y: float) -> mpfr:
    """Return the value of a function, with `BITS` bits."""
    function = MPFR.get(name) or getattr(gmpy2, name)
    return function(mpfr(x), mpfr(y)) if name in BINARIES else function(mpfr(x))


def error_of(value: mpfr, result: float, single: bool) -> float:
    """Return by how many units of the last place a double or float differs from a true value; of no number: 0 or infinity."""
    bits, least, most = (24, -149, 128) if single else (53, -1074, 1024)
    if gmpy2.is_nan(value) or result != result:
        return 0.0 if gmpy2.is_nan(value) and result != result else float("inf")
    if gmpy2.is_infinite(value):
        return 0.0 if value == result else float("inf")
    exponent = gmpy2.get_exp(value) if value != 0 else least
    if exponent > most:  # which overflows
        return 0.0 if abs(result) == float("inf") and (value > 0) == (result > 0) else float("inf")
    near = mpfr(result) if abs(result) != float("inf") else mpfr(2) ** most * (1 if result > 0 else -1)
    return float(abs(near - value) / mpfr(2) ** max(exponent - bits, least))


def base_of(name: str) -> tuple[str, bool]:
    """Return the name of a function for doubles, and whether it was the one for floats."""
    single = name.endswith("f") and name != "erf"
    return (name[:-1] if single else name), single


def agrees(name: str, x: float, y: float, value: mpfr) -> bool:
    """Whether mpmath has the same value."""
    if not gmpy2.is_finite(value) or value == 0 or abs(gmpy2.get_exp(value)) > 1100:
        return True
    function = MPMATH.get(name) or getattr(mpmath, name)
    other = function(x, y) if name in BINARIES else function(mpmath.mpf(x))
    return mpmath.fabs(mpmath.mpf(str(value)) / other - 1) < 1e-25


def accuracy(program: Path, name: str, *how: str) -> Accuracy:
    """Compare a function's results with the true values; `how` as for `points`."""
    base, single = base_of(name)
    found = Accuracy()
    with gmpy2.context(gmpy2.get_context(), precision=BITS), mpmath.workprec(BITS):
        for x, y, result in points(program, name, *how):
            value = true_value(base, x, y)
            if found.points % CHECKED == 0 and not agrees(base, x, y, value):
                raise ArithmeticError(f"MPFR and mpmath differ: {name}({x.hex()}, {y.hex()})")
            found.note(error_of(value, result, single), (x, y, result))
    return found


def report(program: Path, names: Iterable[str], seed: int, count: int, shown: int) -> list[str]:
    """Print a line for each function; return the names of those that are further off than they may be."""
    failed = []
    for name in names:
        found = accuracy(program, name, str(seed), str(count))
        worst = heapq.nlargest(shown, found.worst)
        print(f"{name:8} {found.points} points, at most {worst[0][0]:.3f} off, {found.inexact / found.points:.1%} not nearest",
              flush=True)  # fmt: skip
        failed += [name] * (worst[0][0] > MOST)
        for error, (x, y, result) in worst if worst[0][0] > MOST or shown > 1 else []:
            other = f", {y.hex()}" if base_of(name)[0] in BINARIES else ""
            print(f"    {error:.3f}: {name}({x.hex()}{other}) = {result.hex()}", flush=True)
    return failed


def main() -> int:
    """Tell how accurate functions are."""
    parser = argparse.ArgumentParser(prog="python -m tests.libc.accuracy", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="points of each function (default 10,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", default=",".join(NAMES))
    parser.add_argument("--show", type=int, default=1, help="so many of the worst points")
    parser.add_argument("--theirs", action="store_true", help="this machine's own library in place of ours")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        native.build_library(Path(folder))
        programs = native.build_both(Path(folder), "math_points")
        failed = report(programs[given.theirs], given.functions.split(","), given.seed, given.count, given.show)
    print(f"more than {MOST:g} off: {', '.join(failed)}" if failed else f"none is more than {MOST:g} off")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
