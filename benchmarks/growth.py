"""How the time of each phase grows with the size of one function.

    python benchmarks/growth.py [--kinds loops,calls] [--rtls 2500,5000,10000,20000] [-m MACHINE] [-O LEVEL]

Writes C functions of one kind of statement, compiles them, and prints the processor's milliseconds of each phase, with
what analyses it asks for, and by what power of the number of RTLs they grew from the first size to the last: 1.1 is n log n.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from pathlib import Path

from vpo.build.compiler import Compiler, Settings
from vpo.machines.machine import Machine
from vpo.machines.read.load import load
from vpo.opt import driver as fewer_phases
from vpo.opt.phase_list import PhaseLog

HEAD = "extern int g(int); int a[1000], b[1000]; int f(int x, int y, int *p) { int s = 0, t = 1, u = 2, i;\n"
TAIL = "return s + t + u; }\n"
STATEMENTS = {  # with the RTLs that each becomes, more or less
    "straight": ("s += a[{k} % 997] * y + (t ^ {k}); t = b[{k} * 7 % 991] - s; p[{k} % 50] = t;", 17),
    "branches": ("if (a[{k} % 997] > s) s += b[{k} % 91] + {k}; else {{ t ^= s + {k}; p[{k} % 50] = t; }}", 16),
    "loops": ("for (i = 0; i < y + {k}; i++) {{ s += a[i] * ({k} + 2); p[i] = s + t; }}", 18),
    "calls": ("t = g(s + {k}); s ^= t; a[{k} % 100] = s; u += a[y];", 15),
    "globals": ("g{k} += x ^ g{k}; s += g{k} * y;", 14),
    "members": ("q->m{k} = s; s += w.m{k} * y;", 8),
}
DECLARED = {"globals": ("", "int g{k};\n", ""), "members": ("struct {{ ", "int m{k}; ", "}} w, *q = &w;\n")}
QUICK = 2.0  # milliseconds that tell nothing of growth


def source(kind: str, rtls: int) -> str:
    """Return a function of statements of one kind, which the expander makes about so many RTLs of."""
    statement, each = STATEMENTS[kind]
    before, declared, behind = DECLARED.get(kind, ("", "", ""))
    objects, statements = ["".join(text.format(k=k) for k in range(rtls // each)) for text in (declared, f"{statement}\n")]
    return before.format() + objects + behind.format() + HEAD + statements + TAIL


def seconds(text: str, machine: Machine, level: int) -> tuple[int, float, dict[str, float]]:
    """Compile a function; return how many RTLs the expander made, the seconds, and those of each phase."""
    sizes: list[int] = []
    run_phases = fewer_phases.run_phases

    def watched(function, *rest):  # type: ignore[no-untyped-def]
        sizes.append(len(function.rtls()))
        run_phases(function, *rest)

    work = Compiler(machine, Settings(level=level))
    work.options.log = log = PhaseLog()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "f.c")
        file.write_text(text)
        fewer_phases.run_phases = watched
        try:
            start = time.process_time()
            work.unit(str(file))
            taken = time.process_time() - start
        finally:
            fewer_phases.run_phases = run_phases
    scale = taken / max(sum(log.seconds().values()), taken)  # phases are taken by the wall clock
    return sum(sizes), taken, {name: part * scale for name, part in log.seconds().items()}


def power(sizes: list[int], times: list[float]) -> str:
    """Return the power of the size by which times grew."""
    if times[-1] * 1000 < QUICK or times[0] <= 0 or len(times) < 2:
        return ""
    return f"{math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0]):.2f}"


def show(kind: str, sizes: list[int], machine: Machine, level: int) -> None:
    """Print the table of one kind."""
    runs = [seconds(source(kind, size), machine, level) for size in sizes]
    found = [rtls for rtls, _, _ in runs]
    print(f"\n{kind:<18}" + "".join(f"{rtls:>10,}" for rtls in found) + "    grows")
    rows = {"everything": [taken for _, taken, _ in runs]}
    rows |= {name: [phases[name] for _, _, phases in runs] for name in sorted(runs[-1][2], key=lambda n: -runs[-1][2][n])}
    for name, times in rows.items():
        if times[-1] * 1000 >= QUICK:
            print(f"{name:<18}" + "".join(f"{1000 * taken:>10,.0f}" for taken in times) + f"{power(found, times):>9}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default=",".join(STATEMENTS))
    parser.add_argument("--rtls", default="5000,10000,20000")
    parser.add_argument("-m", dest="machine", default="riscv32")
    parser.add_argument("-O", dest="level", type=int, default=2, choices=(0, 1, 2))
    options = parser.parse_args()
    machine = load(options.machine)
    sizes = [int(word) for word in options.rtls.split(",")]
    seconds(source("straight", 500), machine, options.level)  # imports, and what the machine keeps
    for kind in options.kinds.split(","):
        show(kind, sizes, machine, options.level)


if __name__ == "__main__":
    main()
