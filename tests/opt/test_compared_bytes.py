"""Bytes and halves are compared as they are, without extending them first, where a machine has instructions for it."""

import pytest

from tests.ground_truth import confirm
from tests.kept_machines import load
from tests.opt.test_cookbook import instructions
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

CODE = """
struct s { signed char c; unsigned char u; short h; unsigned short w; };
int f1(struct s *p) { return p->c == 1 ? 3 : 8; }
int f2(struct s *p) { return p->c < -7 ? 3 : 8; }
int f3(struct s *p) { return p->u == 255 ? 3 : 8; }
int f4(struct s *p) { return p->u > 127 ? 3 : 8; }
int f5(struct s *p) { return p->h == -2 ? 3 : 8; }
int f6(struct s *p) { return p->h > 300 ? 3 : 8; }
int f7(struct s *p) { return p->w == 500 ? 3 : 8; }
int f8(struct s *p) { return p->w < 65535 ? 3 : 8; }
int g1(signed char c, unsigned char u) { return c == 3 ? 1 : u == 200 ? 2 : c < -100 ? 4 : u > 250 ? 5 : 6; }
int g2(struct s *p, int x) { return p->u == (unsigned char)x ? 3 : 8; }
int g3(struct s *p, int x) { return p->c < (signed char)x ? 3 : 8; }
int g4(int x) { return (x & 255) == 0 ? 3 : 8; }
int printf(const char *, ...);
int main(void)
{
    static const int d[] = {0, 1, -1, 3, -7, -8, 126, 127, 128, 200, 255, 256, 300, 301, 500, -100, 65534, 65535, 65536, -2};
    unsigned sum = 0;
    for (int i = 0; i < sizeof d / sizeof *d; i++) {
        struct s s = {d[i], d[i], d[i], d[i]};
        struct s *volatile v = &s;
        struct s *p = v;
        sum = sum * 31 + f1(p) + 3 * f2(p) + 5 * f3(p) + 7 * f4(p) + 11 * f5(p) + 13 * f6(p) + 17 * f7(p) + 19 * f8(p);
        sum = sum * 31 + g1(d[i], d[i]) + g4(d[i]);
        for (int j = 0; j < sizeof d / sizeof *d; j++)
            sum = sum * 31 + g2(p, d[j]) + 3 * g3(p, d[j]);
    }
    printf("%u\\n", sum);
    return 0;
}
"""
EXPECTED = b"2656893623\n"  # gcc's


@pytest.mark.parametrize("machine", ["x86_64", "i386"])
def test_bytes_and_halves_are_compared_without_extending_them(machine, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(CODE)
    made = load(machine)
    found = instructions(made, 2, tmp_path / "a.c")
    for number in range(1, 9):
        assert not [name for name in found[f"f{number}"] if name.startswith("MOVS") or name.startswith("MOVZ")], number
        assert ("CMPB" if number < 5 else "CMPW") in found[f"f{number}"]
    program = Compiler(made, Settings(level=2)).program([str(tmp_path / "a.c")])
    run = interpret(program, ["program"], capture=True)
    assert (run.fault, run.output) == (None, EXPECTED)
    confirm(program, run)
