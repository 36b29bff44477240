"""Small programs, compiled once for each machine."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """
int putchar(int);
static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
static int half(int n) { return n & 1 ? 3 * n + 1 : n / 2; }
static int steps(int n) { int count = 0; while (n != 1) { n = half(n); count++; } return count; }
static int pick(int (*g)(int), int n) { return g(n); }
int main(int argc, char **argv) {
    int n, r = f(9), i, s = 0;
    for (i = 0; i < 12; i++)
        for (n = 0; n < i; n++)
            s += n * i + pick(n & 1 ? half : f, n);
    for (i = 1; i < 9; i++)
        s += steps(i);
    if (argc > 5)
        s = pick(steps, s);
    r += s & 1;
    while (r) { putchar('0' + r % 10); r /= 10; }
    return 0;
}
"""


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("static_cache") / "program.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="session")
def compiled(source):
    made = {}

    def compile_(machine):
        if machine not in made:
            made[machine] = Compiler(load(machine), Settings(level=1)).program([str(source)])
        return made[machine]

    return compile_
