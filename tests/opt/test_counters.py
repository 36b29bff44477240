"""Loops with a counter beside the variable that they want: where an instruction that counts and branches takes less time."""

from __future__ import annotations

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

LOOPS = """
extern void g(int);
void f1(int n) { for (int i = 0; i < n; i++) g(i); }
int f2(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int f3(const int *a, int n, int k) { for (int i = 0; i < n; i++) if (a[i] == k) return i; return -1; }
unsigned f4(unsigned n) { unsigned s = 0; while (n--) s = s * 3 + n; return s; }
"""
BDNZ = 'extends: arm\ninstructions:\n  BDNZ: {rtl: "r[a]=r[a]-1; PC=r[a]!=1,t;", asm: "bdnz $a,$t"}\n'


def names(machine, source):
    unit = Compiler(machine, Settings(2)).unit(str(source))
    return {function.name: [machine.record(rtl).name for rtl in function.rtls()] for function in unit.functions}


def test_a_counter_beside_a_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "more.yaml").write_text(BDNZ)
    (tmp_path / "a.c").write_text(LOOPS)
    found = names(load(str(tmp_path / "more.yaml")), tmp_path / "a.c")
    assert [function for function, used in found.items() if used.count("BDNZ") != 1] == []


def test_none_where_the_variable_steps_and_branches_in_one_instruction(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(LOOPS)
    found = names(load("vax"), tmp_path / "a.c")
    assert all("AOBLSS" in found[f"_f{number}"] for number in (1, 2, 3))
