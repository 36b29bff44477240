"""SSA form of real functions: into it and out of it changes nothing, and copies propagated in it keep programs right."""

from pathlib import Path

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.analysis.verify import verify
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.layout import place
from vpo.opt.driver import Options, PhaseError, run_phases
from vpo.opt.ssa.construct_ssa import construct_ssa, rename
from vpo.opt.ssa.leave_ssa import leave_ssa
from vpo.opt.state import FunctionState
from vpo.rtl import Register
from vpo.text import parse_function, print_function

ROOT = Path(__file__).parents[2]
MACHINES = {"i386": ["compact", "puzzle"], "m68020": ["od", "spline"], "riscv32": ["matmult", "diff"]}


def checked(function, machine, phase):
    """Run a phase, check what it leaves, and return that as text."""
    phase(FunctionState(function, machine))
    text = print_function(function)
    assert verify(function, machine) == [], text
    assert print_function(parse_function(text, machine.cells)) == text
    return text


@pytest.mark.parametrize(("name", "samples"), some(MACHINES.items(), 1))
def test_leaving_undoes_constructing(name, samples):
    machine = load(name)
    compiler = Compiler(machine, Settings(level=2, phases=("control",)))
    phis = 0
    for sample in samples:
        for function in compiler.unit(str(ROOT / "samples" / f"{sample}.c")).functions:
            before = print_function(function)
            checked(function, machine, construct_ssa)
            phis += sum(len(block.phis) for block in function.blocks)
            assert checked(function, machine, leave_ssa) == before
    assert phis > 20


def propagate_copies(state):
    """Use the sources of copies instead of their targets, so that versions of one register are live at once."""
    copied, machine = {}, state.machine
    for rtl in state.function.rtls():
        effect = rtl.single_set
        if effect is not None and isinstance(effect.target, Register) and isinstance(effect.source, Register):
            target, source = effect.target, copied.get(effect.source, effect.source)
            if target.pseudo and source.pseudo and target.cls == source.cls:
                copied[target] = source
    for block in state.function.blocks:
        for phi in block.phis:
            phi.sources = {label: copied.get(source, source) for label, source in phi.sources.items()}
        for index, rtl in enumerate(block.rtls):
            uses = {register: copied[register] for register in rtl.uses if register in copied}
            renamed = rename(rtl, uses, {})
            if uses and machine.is_legal(renamed.effects):
                block.rtls[index] = renamed


@pytest.mark.parametrize("name", some(MACHINES, 1, first=2))
def test_programs_run_in_ssa_form_and_behind_it(name):
    machine = load(name)
    program = Compiler(machine, Settings(level=2, phases=("control",))).program([str(ROOT / "samples" / "queens.c")])
    before = interpret(program, ["queens", "5"], capture=True)
    functions = [function for function in program.functions.values() if function.stage == "pseudo"]
    for phases in ([construct_ssa], [propagate_copies], [leave_ssa]):
        for function in functions:
            for phase in phases:
                phase(FunctionState(function, machine))
            assert verify(function, machine) == []
        program = place(program)
        result = interpret(program, ["queens", "5"], capture=True)
        assert (result.fault, result.output) == (None, before.output)


HEAD = 'function _f file "f.c" line 1 stage ssa {\nL1:\n'
TAIL = "PC=r[1],RT(); # linkage 1\n}\n"
WRONG = [
    ("r[t1]=1; # program 1\nr[t1]=2; # program 1\n", "`r[t1]` has several definitions"),
    ("r[t1.2]=r[t1.1]; # program 1\n", "`r[t1.1]` has no definition"),
    ("r[t2]=r[t1]; # program 1\nr[t1]=2; # program 1\n", "`r[t1]` is used where its definition has not been"),
    ("PC=L3; # control 1\nL2:\nr[t1]=1; # program 1\nL3:\n", "L2: cannot be reached"),
    ("r[t1]=1; # program 1\nL2:\nr[t2]=PHI(L3:r[t1]); # program 1\n", "but the predecessors are L1"),
    ("e[t1]=F[r[10]]; # program 1\nL2:\nf[t2]=PHI(L1:e[t1]); # program 1\n", "is not among pseudo-registers of one class"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message for _, message in WRONG])
def test_verifier(text, message):
    machine = load("riscv32")
    problems = verify(parse_function(HEAD + text + TAIL, machine.cells), machine)
    assert message in " ".join(problems)


@pytest.mark.parametrize("text", ["r[t1.1]=1; # program 1\n", "r[t1]=1; # program 1\nL2:\nr[t2]=PHI(L1:r[t1]); # program 1\n"])
def test_other_stages_have_neither_versions_nor_phis(text):
    machine = load("riscv32")
    assert verify(parse_function(HEAD.replace("stage ssa", "stage pseudo") + text + TAIL, machine.cells), machine)


def test_phases_that_know_no_phis_refuse():
    machine = load("riscv32")
    function = parse_function(HEAD + TAIL, machine.cells)
    with pytest.raises(PhaseError, match="in SSA form"):
        run_phases(function, machine, Options(phases=("combine",)))
