"""Who saves registers, where, and with what: programs do the same under each, and memory is referenced as promised."""

import functools
from pathlib import Path

import pytest

import ease
from ease.lab.experiments.experiment import outcome_of
from tests.covering import case
from tests.kept_machines import load
from tests.programs.running import Checking
from vpo.build.compiler import Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.calling_convention import METHODS

SOURCE = Path(__file__).with_name("save_methods.c")
OUTPUT = b"1 6 68 22 1017774 101332 1 625 103428785 11\n3956568858"  # as gcc's


@functools.cache
def run(name, *settings):
    """Compile, interpret and run the program; returns what the runs did."""
    machine = load(name, settings)
    program = Checking(machine, Settings(level=1)).program([str(SOURCE)])
    oracle = interpret(program, ["program"], capture=True)
    assert (oracle.fault, oracle.exit_status, oracle.output) == (None, 0, OUTPUT)
    measured = ease.Program(program).measure(quick=True)
    assert (measured.fault, measured.exit_status, measured.output) == ("", 0, OUTPUT)
    assert measured.counts.rtls == oracle.rtls
    outcome = outcome_of(measured.program, measured)
    assert outcome.instructions == oracle.instructions
    return outcome


NAMES = ("riscv32", "m68020", "mips")
USUAL = {(method, "riscv32") for method in METHODS}  # other tests here look at the runs of riscv32


@pytest.mark.parametrize(("name", "method"), [case(n, m, usual=(m, n) in USUAL) for n in NAMES for m in METHODS])
def test_every_method_is_right(name, method):
    run(name, f"calls.save={method}")


@pytest.mark.parametrize("who", ["callee", "caller", "hybrid"])
def test_data_flow_saves_at_most_as_much(who):
    simple, flow = run("riscv32", f"calls.save={who}"), run("riscv32", f"calls.save={who}-flow")
    assert flow.references["save/restore"] <= simple.references["save/restore"]
    assert flow.memory <= simple.memory


def test_pure_methods_save_in_one_place():
    callee, caller = run("riscv32", "calls.save=callee-flow"), run("riscv32", "calls.save=caller-flow")
    assert callee.causes["save"] > 0
    assert not callee.causes.get("callsave")
    assert caller.causes["callsave"] > caller.causes["save"]  # the return address alone is the callee's


@pytest.mark.thorough
def test_blocks_need_fewer_instructions():
    block, single = run("m68020", "calls.save_with=block"), run("m68020", "calls.save_with=single")
    assert block.saves < single.saves
    # which values are worth a register that must be saved depends on what saving costs
    assert block.instructions < single.instructions
    assert block.memory <= single.memory * 1.01


@pytest.mark.thorough
def test_masks_need_no_instructions():
    mask, single = run("vax"), run("vax", "calls.save_with=single", "calls.enter=r[13]=r[14];")
    assert mask.saves == 0
    assert mask.instructions < single.instructions
    assert mask.references["variables"] < single.references["variables"]  # where saving is free, more is kept in registers
