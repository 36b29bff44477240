"""Literal pools: within reach of what reads them, in code with and without places for them, and as real tools have them."""

import pytest

from ease.measuring import counted_run
from tests.ground_truth import confirm
from tests.kept_machines import load
from vpo.compiler import Compiler, Settings
from vpo.interpret.interpreter import interpret
from vpo.machines.names import machine_names
from vpo.pools import literal_pools

STATEMENTS = 700


def constant(number):
    return 0x12345671 + number * 0x1EE10001 & 0x7FFFFFFF


def source(body):
    return "\n".join(["int printf(const char *, ...);", "volatile unsigned y = 1;", "int main(void) {", *body,
                      '    printf("%u\\n", y); return 0;', "}"])  # fmt: skip


PROGRAMS = {
    "no place for a pool": source([f"    y += {constant(n)}u;" for n in range(STATEMENTS)]),
    "places between": source([f"    if (y > {constant(n)}u) y++; else y ^= {n};" for n in range(STATEMENTS)]),
}


@pytest.mark.parametrize("name", [name for name in machine_names() if load(name).capabilities.literals])
@pytest.mark.parametrize("program", PROGRAMS)
def test_pools(name, program, tmp_path):
    machine = load(name)
    path = tmp_path / "program.c"
    path.write_text(PROGRAMS[program])
    linked = Compiler(machine, Settings(level=0)).program([str(path)])
    pools = literal_pools(linked.functions["_main"], machine)
    assert len(pools) > 1
    assert not any(pool.is_late(4) for pool in pools)
    oracle = interpret(linked, ["program"], capture=True)
    host, _ = counted_run(linked, ["program"], capture=True, tier="fast")
    assert (oracle.fault, oracle.exit_status, oracle.output) == (None, 0, host.output)
    confirm(linked, oracle.output, oracle.instructions)
