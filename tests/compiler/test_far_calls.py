"""Calls that do not reach become calls by registers: with the same results, as real tools build them."""

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.covering import some
from tests.ground_truth import confirm
from tests.kept_machines import load
from vpo.base.errors import LinkError
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.layout import far_calls
from vpo.link.link import link
from vpo.rtl import Register, Symbol

SOURCE = """
int write(int, const void *, unsigned long);
static int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
struct pair { int a; double b; };
struct pair made(int a, double b, long long c) { struct pair p = {a + (int)c, b * 2}; return p; }
static void print(int n) { char digit = n % 10 + '0'; if (n > 9) print(n / 10); write(1, &digit, 1); }
int main(int argc, char **argv)
{
    struct pair p = made(depth(argc + 5), 2.5, 1LL << 33 | 4);
    print(p.a * 100 + (int)p.b);
    return depth(3);
}
"""
REACH = 128


def program(machine, tmp_path, level=2):
    path = tmp_path / "program.c"
    path.write_text(SOURCE)
    return Compiler(machine, Settings(level=level)).program([str(path)])


def calls(linked):
    """Return how many calls are of symbols, and how many of addresses in registers."""
    targets = [rtl.call.target for function in linked.functions.values() for rtl in function.rtls() if rtl.call is not None]
    return [sum(isinstance(target, kind) for target in targets) for kind in (Symbol, Register)]


# without delay slots; a delay slot at both; only at the call of a symbol; a literal pool; register windows
@pytest.mark.parametrize(("name", "call"), some([
    ("riscv32", "JAL"), ("mips", "JAL"), ("parisc", "BL"), ("arm", "BL"), ("sparc", "CALL"),
], 2))  # fmt: skip
def test_calls_reach(name, call, tmp_path):
    near = program(load(name), tmp_path)
    machine = load(name, [f"instructions.{call}.reach=[-{REACH},{REACH}]"])
    linked = program(machine, tmp_path)
    assert not far_calls(linked.functions, linked.machine, linked.addresses, linked.symbols)
    assert all(calls(linked))
    assert sum(calls(linked)) == sum(calls(near))
    result = interpret(linked, ["program"], capture=True)
    assert (result.fault, result.exit_status, result.output) == (None, 3, b"1005")
    host, _ = counted_run(linked, ["program"], RunOptions(capture=True, tier="fast"))
    assert host.output == result.output
    confirm(linked, result)


def test_other_programs_keep_their_library(tmp_path):
    """What one program makes of functions of the library, which a compiler keeps, another does not see."""
    compiler = Compiler(load("riscv32", [f"instructions.JAL.reach=[-{REACH},{REACH}]"]), Settings(level=1))
    small, large = tmp_path / "small.c", tmp_path / "large.c"
    small.write_text("int write(int, const void *, unsigned long); int main(void) { return write(1, 0, 0); }")
    large.write_text(SOURCE)
    before = calls(compiler.program([str(small)]))
    compiler.program([str(large)])
    assert calls(compiler.program([str(small)])) == before


def test_what_others_compiled_is_far(tmp_path):
    """Where functions of object files of others will be is not known: they are called by registers if any could be far."""
    path = tmp_path / "program.c"
    path.write_text("int other(int); int main(void) { return other(3); }")
    for reach, wanted in (4096, [0, 1]), (1 << 20, [1, 0]):
        machine = load("riscv32", [f"instructions.JAL.reach=[-{reach},{reach}]"])
        compiler = Compiler(machine, Settings(level=1))
        linked = link([compiler.unit(str(path))], machine, compiler.library, frozenset({"_other"}))
        main = [rtl.call.target for rtl in linked.functions["_main"].rtls() if rtl.call is not None]
        assert [sum(isinstance(target, kind) for target in main) for kind in (Symbol, Register)] == wanted


def test_what_cannot_be_called_is_told(tmp_path):
    machine = load("riscv32", [f"instructions.JAL.reach=[-{REACH},{REACH}]", "instructions.JALR=null"])
    with pytest.raises(LinkError, match=r"a call in '.*' does not reach, and riscv32 cannot call further: it has no `ST="):
        program(machine, tmp_path)
