"""Host code of functions is kept for other programs that have them, wherever they and what they use are there."""

from dataclasses import fields, replace

import pytest

from ease.counters.plan import plan_counters
from ease.host.process import run as host_run
from ease.host.process.job import RunOptions
from ease.host.process.modules import codes
from ease.host.translation import apart
from ease.host.translation.module_context import ModuleContext, Options
from ease.host.translation.places import words
from ease.model.results import Counts
from ease.run.measuring import counted_run
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

BEFORE = "int more[5] = {5, 4, 3, 2, 1}; int added(int n) { return n > 4 ? more[n - 5] : added(n + 1) + more[n]; }"
WAYS = "int twice(int n) { return 2 * n; } int thrice(int n) { return 3 * n + seven; } int (*ways[])(int) = {twice, thrice};"
OTHER_WAYS = WAYS.replace("2 * n", "n + n + 1")
REST = """
char text[] = "abcdefgh"; double halves = 0.5; long long wide = 1234567890123; jmp_buf back;
int choose(int n) {
    switch (n) { case 0: return 7; case 1: return seven; case 2: return text[n]; case 3: return (int)(halves * 8);
                 case 4: return (int)(wide >> 20); case 5: return n * seven; case 6: return -1; default: return text[n & 7]; }
}
int deep(int n) { if (n == 3) longjmp(back, n); return deep(n + 1) + 1; }
int main(int argc, char **argv) {
    int i, sum = seven;
    if (setjmp(back) == 0) sum += deep(0);
    for (i = 0; i < 12; i++) sum += ways[i & 1](i) + choose(i);
    putchar('A' + sum % 26); putchar('\\n');
    if (argc > 1) sum = *(volatile int *)(argc - 1);
    return sum & 63;
}
"""
START = "#include <setjmp.h>\n#include <stdio.h>\nint seven = 7;\n"
TEXTS = {
    "as it was": START + WAYS + REST,
    "added": START + BEFORE + WAYS + REST.replace("sum = seven", "sum = added(seven - 7)"),
    "changed and reordered": "char pad[3];\n" + START + REST.replace("jmp_buf back;", "jmp_buf back; " + OTHER_WAYS),
}
MACHINES = [("sparc", 2), ("arm", 1), ("vax", 1), ("riscv64", "s"), ("short16", 1)]
QUICK = RunOptions(capture=True, tier="quick")


@pytest.mark.parametrize(("machine", "level"), some(MACHINES, 1))
def test_programs_share_code(machine, level, programs, tmp_path, monkeypatch):
    """Runs with code that is kept of other programs do what the interpreter does."""
    made = {name: programs(text, machine, level) for name, text in TEXTS.items()}
    monkeypatch.setenv("EASE_CACHE", str(tmp_path))
    found = []
    monkeypatch.setattr(host_run, "codes", lambda *args: found.extend(codes(*args)) or tuple(found))
    for name, program in made.items():
        found.clear()
        result, counts = counted_run(program, ["program"], QUICK)
        expected = interpret(program, ["program"])
        assert result.exit_status == expected.exit_status
        assert counts == Counts(expected.rtls, expected.taken, expected.traps)
        translated = {code.entry[1:] for code in found if code.ir} & program.functions.keys()
        own = {name for name, function in program.functions.items() if function.file.endswith("program.c")}
        assert own - {"_main", "_twice", "_thrice", "_added"} == {"_choose", "_deep"}
        assert translated == set(program.functions) if name == "as it was" else translated <= own - {"_choose", "_deep"}
        assert translated


def test_faults_are_where_they_were(programs, tmp_path, monkeypatch):
    """And counts up to there agree; both also if the cache has lost the code meanwhile."""
    first, second = (programs(TEXTS[name], "riscv32") for name in ("as it was", "added"))
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "kept"))
    counted_run(first, ["program"], replace(QUICK, limit=10**6))
    assert list((tmp_path / "kept" / "code").rglob("*.o"))
    for arguments, limit in ((["program", "x"], 10**6), (["program"], 777)):
        options = replace(QUICK, limit=limit)
        expected = interpret(second, arguments, limit=limit)
        for _ in range(2):
            result, counts = counted_run(second, arguments, options)
            told = result.fault, counts.rtls, counts.taken
            assert (told[0].kind, told[0].function, told[0].line, told[0].rtl) == (
                expected.fault.kind, expected.fault.function, expected.fault.line, expected.fault.rtl
            )  # fmt: skip
            assert told[1:] == (expected.rtls, expected.taken)
            for path in (tmp_path / "kept" / "code").rglob("*.o"):
                path.unlink()


class Asked:
    """A machine that notes what it is asked for."""

    def __init__(self, machine):
        self.machine, self.asked = machine, set()

    def __getattr__(self, name):
        self.asked.add(name)
        return getattr(self.machine, name)


# The first follow from what is in the key.
OF_RTLS = {"record", "window_move", "window_stores", "storage", "is_private", "classes"}
FACTS = {"address_type", "big_endian", "misaligned", "halves", "stack_pointer", "zero", "convention", "half"}


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "short16", "vax"), 2))
def test_the_key_says_what_the_translation_asks(machine, programs):
    """Whoever lets the translation ask for more adds this to `ease.host.translation.apart.facts`, and here."""
    program = programs(TEXTS["added"], machine)
    context = ModuleContext(program, plan_counters(program).probes, Options(quick=True, apart=True, limit=True), ())
    asked = Asked(program.machine)
    context.program = replace(program, machine=asked)
    for function in program.functions.values():
        apart.function_module(context, function)
    assert asked.asked <= OF_RTLS | FACTS


def test_the_key_tells_probes_apart(programs):
    program = programs(TEXTS["as it was"], "riscv32")
    probes = plan_counters(program).probes
    options = Options(quick=True, apart=True)

    def key(**changes):
        context = ModuleContext(program, {**probes, "_main": replace(probes["_main"], **changes)}, options, ())
        return apart.key_of(context, program.functions["_main"], apart.facts(context))

    flags = [each.name for each in fields(probes["_main"]) if each.type == "bool"]
    keys = [key(), key(kept={10**6: frozenset()}), *(key(**{flag: True}) for flag in flags)]
    assert len(set(keys)) == len(keys) > 4


def test_words_are_those_that_the_machine_makes_of_addresses(programs):
    program = programs(TEXTS["as it was"], "riscv32")
    address = program.symbols["_text"] + 5
    parts = [("", "_text", 5), ("HI", "_text", 5), ("LO", "_text", 5), ("number", "", 0), ("counters", "", 0)]
    high, low = (program.machine.half(which, address) & (1 << 64) - 1 for which in ("HI", "LO"))
    assert words(parts, program, "_main", 99) == [address, high, low, program.first("_main"), 99]
