"""At -Os bytes decide where at -O2 the time does."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

FULL = r"""
unsigned a[8];
int main(int n, char **v)
{
    unsigned b = a[0], c = a[1], d = a[2], e = a[3], f = a[4], g = a[5], h = a[6], i = a[7];
    unsigned k = n * 3, l = n * 5, m = n * 7, o = n * 11, p = n * 13, q = n * 17;
    do {
        b += c ^ k; c += d ^ l; d += e ^ m; e += f ^ o; f += g ^ p; g += h ^ q; h += i ^ k; i += b ^ l;
    } while (--n);
    return b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ m ^ o ^ p ^ q;
}
"""


@pytest.mark.parametrize("level", [2, "s"])
def test_values_go_to_another_bank_where_the_moves_are_shorter_than_loads(level, tmp_path):
    source = tmp_path / "a.c"
    source.write_text(FULL)
    program = Compiler(load("thumb2"), Settings(level=level)).program([str(source)])
    spills = [rtl for rtl in program.functions["_main"].rtls() if rtl.cause == "spill"]
    assert spills
    elsewhere = [rtl for rtl in spills if any(register.cls == "n" for register in (*rtl.uses, *rtl.sets))]
    assert bool(elsewhere) == (level == 2)


FIX = r"""
struct node { struct node *up; char red; struct node *left, *right; };
int fix(struct node **place)
{
    struct node *t = *place, *r = t->right, *a, *b, *c, *d;
    if (!r) { t->red = 0; return 0; }
    a = r->left; b = r->right;
    if (r->red) {
        c = a->left; d = a->right;
        if (d && d->red) {
            *place = a; a->left = t; a->right = r; r->left = d; r->right = b; t->right = c; d->red = 0; return 0;
        }
        *place = r; r->left = t; r->red = 0; t->right = a; a->red = 1; return c != 0;
    }
    if (b && b->red) { *place = r; r->red = t->red; t->red = 0; r->left = t; t->right = a; b->red = 0; return 0; }
    r->red = 1; r->left = b; r->right = a; r->up = t; return t->red;
}
"""


@pytest.mark.parametrize("machine", ["thumb2", "rv32imc"])
def test_registers_are_exchanged_where_more_instructions_become_short(machine, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    source = tmp_path / "a.c"
    source.write_text(FIX)

    def size() -> int:
        compiler = Compiler(load(machine), Settings(level="s"))
        (function,) = compiler.unit(str(source)).functions
        return sum(compiler.machine.record(rtl).size for rtl in function.rtls())

    exchanged = size()
    monkeypatch.setattr("vpo.opt.registers.exchanges.Exchanges.run", lambda exchanges: None)
    assert exchanged < size()
