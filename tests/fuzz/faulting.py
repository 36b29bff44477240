"""Programs that fault, abort, end in a handler or meet a limit: host code counts what the emulator and the interpreter count.

    python -m tests.fuzz.faulting --seeds 1-100 --machines riscv32,m68020,x86_64,aarch64,mips

The end comes in the midst of loops, calls, callbacks of the library and handlers.  What ends by a limit of instructions is
compared with the interpreter, RTL by RTL, all else with the emulator: instructions, output, exit status.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ease.host.process.job import RunOptions
from ease.run.measuring import exact_run
from ease.run.verify import ToolMissing, emulated, truth
from tests.fuzz.seeds import parser_of, seeds
from tests.fuzz.trying import Job
from vpo.build.compiler import Compiler
from vpo.interpret.fast.interpreter import interpret
from vpo.opt.driver import Level

MACHINES = "riscv32,m68020,x86_64,aarch64,mips"
LEVELS: tuple[Level, ...] = (0, 1, 2, "s")
SECONDS = 60  # of the emulator
HEAD = """\
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int total, rounds, numbers[12] = {5, -3, 8, 1, 40, -7, 2, 0, 9, 11, -20, 6};
static int *cells[12];
static char text[] = "a text of some length";
static jmp_buf back;
static void put(int value)
{
    char line[12];
    int at = sizeof line;
    unsigned rest = value;
    line[--at] = '\\n';
    do
        line[--at] = '0' + rest % 10;
    while (rest /= 10);
    write(1, line + at, sizeof line - at);
}
static void atend(void) { put(total); }
static void handler(int number) { total += number; HANDLED; }
"""
# What ends the program; a fault by a pointer that is null in the array needs no branch before it.
ENDS = {
    "null read": "total += *(volatile int *)(rounds > {k} ? 0L : (long)numbers);",
    "null write": "if (total > {k}) *(volatile short *)8 = total;",
    "wild byte": "total += ((volatile char *)text)[rounds > {k} ? -0x7fff0000L : 1];",
    "cell": "total += *cells[rounds * 5 % 12]; if (rounds > {k}) cells[{k} % 12] = 0;",
    "far write": "if (rounds > {k}) memset(text + 0x10000000L, 1, {k});",
    "abort": "if (rounds > {k}) abort();",
    "assert": "assert(rounds < {k});",
    "exit": "if (rounds > {k}) exit(total & 63);",
    "at once": "if (rounds > {k}) _exit(total & 63);",
    "raise": "if (rounds > {k}) raise(SIGUSR1);",
    "killed": "if (rounds > {k}) {{ signal(SIGUSR1, SIG_DFL); raise(SIGUSR1); }}",
    "limit": "if (rounds > {k}) for (;;) total += numbers[rounds++ % 12];",
}
HANDLED = (
    "exit(3)", "_exit(4)", "longjmp(back, 1)", "*(volatile int *)4 = 1", "abort()", "total *= 3; signal(number, SIG_DFL)",
)  # fmt: skip
# Where the end comes: @ is it.
PLACES = (
    """
static int work(int n)
{
    int s = n;
    for (int i = 0; i < n; i++) { s += numbers[i % 12] ^ i; rounds++; @ s ^= total; }
    return s;
}
""",
    """
static int work(int n)
{
    if (n <= 0)
        return total;
    int s = numbers[n % 12] * n;
    rounds++;
    @
    return s + work(n - 1) + work(n - 3) % 7;
}
""",
    """
static int order(const void *a, const void *b) { rounds++; @ return *(const int *)a - *(const int *)b; }
static int work(int n)
{
    int copy[12];
    memcpy(copy, numbers, sizeof copy);
    for (int i = 0; i < n; i++) { copy[i % 12] ^= i; qsort(copy, 12, sizeof *copy, order); }
    return copy[n % 12];
}
""",
    """
static int add(int count, ...)
{
    va_list list;
    int s = 0;
    va_start(list, count);
    while (count--) { s += va_arg(list, int); rounds++; @ }
    va_end(list);
    return s;
}
static int work(int n) { int s = 0; while (n-- > 0) s += add(3, n, s, total); return s; }
""",
    """
static int one(int x) { rounds++; @ return x + 1; }
static int two(int x) { return x * 3 - one(x); }
static int (*const both[])(int) = {one, two};
static int work(int n)
{
    long long s = 0;
    for (int i = 0; i < n; i++)
        s = s * 3 + both[i & 1](i);
    return (int)(s % 1000);
}
""",
    """
static int work(int n)
{
    double x = 1;
    short y[5] = {0};
    for (int i = 0; i < n; i++) {
        x = x * 0.75 + i;
        y[i % 5] += (int)x;
        rounds++;
        if (y[0] & 1) { @ } else { total++; @ }
    }
    return y[2];
}
""",
)
MAIN = """
int main(void)
{
    for (int i = 0; i < 12; i++)
        cells[i] = &numbers[i];
    ATEXIT
    signal(SIGUSR1, handler);
    put(7);
    if (setjmp(back)) {
        put(rounds);
        return 9;
    }
    put(work(ROUNDS));
    return total & 15;
}
"""
# A program that has of the library what the others have.
ALL = """
int order(const void *a, const void *b) { return a > b; }
int main(void)
{
    if (total) {
        qsort(cells, 12, 4, order); setjmp(back); signal(2, handler); atexit(atend); memcpy(text, text + 1, 2); put(1);
        @
    }
    return numbers[rounds] / (rounds + 1) * 1.5;
}
"""


def generate(seed: int) -> tuple[str, str]:
    """Return a program of a seed, and what ends it, if it comes to that."""
    chance = random.Random(seed)
    end = chance.choice(list(ENDS))
    statement = ENDS[end].format(k=chance.choice((0, 1, 2, 5, 11, 30, 100)))
    place = chance.choice(PLACES).replace("@", statement)
    atexit = "atexit(atend);" if chance.random() < 0.3 else ""
    main = MAIN.replace("ROUNDS", str(chance.randrange(3, 40))).replace("ATEXIT", atexit)
    return HEAD.replace("HANDLED", chance.choice(HANDLED)) + place + main, end


def faults(job: Job, seed: int, machine: str, level: Level, folder: Path) -> list[str]:
    """Run a program in every way; return how the ways differ."""
    text, end = generate(seed)
    source = folder / "program.c"
    source.write_text(text)
    compiler = Compiler(job.compilers[machine, level].machine, job.compilers[machine, level].settings)
    compiler.library_units = job.compilers[machine, level].library_units
    program = compiler.program([str(source)])
    limit = random.Random(seed).randrange(2000, 60000) if end == "limit" else None
    options = RunOptions(capture=True, tier="fast" if seed % 2 else "quick", cache="", limit=limit)
    host, counts = exact_run(program, ["program"], options)
    if end == "limit":
        plain = interpret(program, ["program"], capture=True, limit=limit)
        return _unlike(
            ("output", plain.output, host.output), ("counts", plain.rtls, counts.rtls),
            ("blocks", plain.taken, counts.taken), ("message", str(plain.fault), str(host.fault)),
        )  # fmt: skip
    real = truth(program, ["program"], timeout=SECONDS)
    failed = host.fault is not None  # the emulator counts the instruction that fails, and knows but one kind of signal
    instructions = emulated(program, counts) + failed
    return _unlike(
        ("output", real.output, host.output), ("status", real.exit_status, real.exit_status if failed else host.exit_status),
        ("instructions", real.instructions, instructions),
    )  # fmt: skip


def _unlike(*pairs: tuple[str, object, object]) -> list[str]:
    return [f"{what}: {str(one)[:300]} there, {str(own)[:300]} in host code" for what, one, own in pairs if one != own]


def warm(machines: Sequence[str], levels: Sequence[Level], folder: Path) -> Job:
    """Return what has compiled the library for all programs."""
    job = Job(list(machines), list(levels), library=(1,))
    everything = "\n".join(ENDS[end].format(k=1) for end in ENDS)
    job.warm(folder, HEAD.replace("HANDLED", "exit(3); longjmp(back, 1)") + ALL.replace("@", everything))
    return job


def main() -> int:
    """Try programs; returns 1 if one is counted wrongly."""
    parser = parser_of("faulting", __doc__ or "", 100)
    parser.add_argument("--machines", default=MACHINES)
    given = parser.parse_args()
    machines = given.machines.split(",")
    wrong = tried = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, machine in enumerate(machines):
            job = warm([machine], LEVELS, folder)
            for seed in seeds(given)[number :: len(machines)]:
                level = LEVELS[seed // len(machines) % len(LEVELS)]
                tried += 1
                try:
                    found = faults(job, seed, machine, level, folder)
                except ToolMissing as missing:
                    found = [str(missing)]
                for what in found:
                    wrong += 1
                    print(f"seed {seed} {machine} -O{level} ({generate(seed)[1]}): {what}", flush=True)
    print(f"{tried} programs, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
