"""How far each part of the results of <complex.h> is from the true one, in units of the last place.

    python -m tests.libc.complex_accuracy --count 10000
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from struct import iter_unpack

import mpmath

from tests.libc import native

BITS = 1200  # so that 1 and a number below 1e-300 can be added
MOST = 4.0  # units of the last place that a part may be off
NAMES = (
    *("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "asinh", "acosh", "atanh"),
)
LEAST, GREATEST = -1074, 1024

Worst = tuple[float, complex, complex]  # the error, the argument and the result


def error_of(value: mpmath.mpf, result: float) -> float:
    """Return by how many units of the last place a double differs from a true value."""
    if result != result or mpmath.isinf(value):
        return 0.0 if result == value else float("inf")
    exponent = mpmath.frexp(value)[1] if value else LEAST
    if exponent > GREATEST:
        return 0.0 if abs(result) == float("inf") and (value > 0) == (result > 0) else float("inf")
    if abs(result) == float("inf"):
        result, value = (1.0 if result > 0 else -1.0), value / mpmath.mpf(2) ** GREATEST
        exponent -= GREATEST
    return float(abs(mpmath.mpf(result) - value) / mpmath.mpf(2) ** max(exponent - 53, LEAST))


def accuracy(program: Path, seed: int, count: int) -> dict[str, Worst]:
    """Return the worst point of each function."""
    worst: dict[str, Worst] = {}
    words = [str(program), str(seed), str(count)]
    answer = subprocess.run(words, capture_output=True, check=True, timeout=3600).stdout
    with mpmath.workprec(BITS):
        for number, x, y, real, imaginary in iter_unpack("<5d", answer):
            if x == y == 0:
                continue
            name = NAMES[int(number)]
            value = mpmath.mpc(getattr(mpmath, name)(mpmath.mpc(x, y)))
            pairs = [(value.real, real), (value.imag, imaginary)]
            if x == 0 or y == 0:  # the sign of the zero says on which side of a cut the number is; mpmath has none
                pairs = [(abs(exact), abs(found)) for exact, found in pairs]
            error = max(error_of(exact, found) for exact, found in pairs)
            if name not in worst or error > worst[name][0]:
                worst[name] = (error, complex(x, y), complex(real, imaginary))
    return worst


def main() -> int:
    """Tell how accurate the functions are."""
    parser = argparse.ArgumentParser(prog="python -m tests.libc.complex_accuracy", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="points of each function (default 1,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theirs", action="store_true", help="this machine's own library in place of ours")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        native.build_library(Path(folder))
        program = native.build_both(Path(folder), "complex_points")[given.theirs]
        worst = accuracy(program, given.seed, given.count)
    for name, (error, argument, result) in worst.items():
        print(f"c{name:6} at most {error:.3f} off: {argument} gives {result}")
    return 1 if any(found[0] > MOST for found in worst.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
