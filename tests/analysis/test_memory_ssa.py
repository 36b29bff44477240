"""Memory SSA: the nearest definitions that may change cells, and runs that look whether something else did."""

import random
import time

import pytest
from hypothesis import given, settings
from memory_oracle import problems
from random_machines import SMALL, functions
from test_alias import MACHINE, cell, function_of

from tests.covering import some
from tests.kept_machines import load
from vpo.analysis.alias import Aliases
from vpo.analysis.ssa import ENTRY, MemoryPhi
from vpo.link.link import link
from vpo.opt.ssa.construct_ssa import construct_ssa
from vpo.opt.state import MEMORY_SSA, FunctionState
from vpo.rtl import Call, Mem, Register, Rtl, Set, Symbol
from vpo.text import parse_unit

LOOP = """
r[t1]=r[10];
L[_x]=r[t1];
L[r[2]+.a]=r[t1];
L2:
r[t2.1]=PHI(L1:r[t1],L4:r[t2.2]);
r[t3]=L[r[t2.1]+8];
PC=r[t3]<0,L4;
L3:
L[_y]=r[t3];
L4:
r[t5]=L[_x];
L[r[t2.1]+4]=r[t5];
r[t2.2]=r[t2.1]+4;
PC=r[t3]!=0,L2;
L5:
r[t6]=L[_y];
"""


@pytest.fixture(scope="module")
def loop():
    return FunctionState(function_of(LOOP), MACHINE)


def found(state, label, name, position=0):
    """Return the definition that may change a cell before a place: an RTL as text, the label of a phi's block, or nothing."""
    blocks = state.function.blocks
    index = next(number for number, block in enumerate(blocks) if block.label == label)
    definition = state.get(MEMORY_SSA).clobber(index, position, cell(name))
    if isinstance(definition, MemoryPhi):
        return blocks[definition.block].label
    return "" if definition is ENTRY else repr(definition).partition(" #")[0].strip()


def test_what_does_not_alias_is_skipped(loop):
    assert found(loop, "L1", "L[_x]", 3) == "L[_x]=r[t1];"
    assert found(loop, "L1", "L[_y]", 3) == ""
    assert found(loop, "L1", "L[r[t1]]", 3) == "L[_x]=r[t1];"


def test_a_phi_whose_sources_agree_is_looked_through(loop):
    assert found(loop, "L5", "L[r[2]+.a]") == "L[r[2]+.a]=r[t1];"
    assert found(loop, "L5", "L[r[2]+.b]") == ""


def test_phis_stand_where_definitions_meet(loop):
    assert found(loop, "L4", "L[_y]") == "L4"
    assert found(loop, "L4", "L[_x]") == "L2"  # the store of the iteration before may have changed it
    assert found(loop, "L5", "L[_y]") == "L[r[t2.1]+4]=r[t5];"


def test_an_address_of_another_iteration_is_another_cell(loop):
    assert found(loop, "L4", "L[r[t2.1]+8]", 2) == "L4"
    assert found(loop, "L3", "L[r[t2.1]+8]", 0) == "L2"  # r[t2.1]+4 was this cell, an iteration ago


ADDRESSES = ("_a", "_a+4", "_b", "_b+2", "r[2]+.x", "r[2]+.y", "r[10]", "r[10]+4", "r[11]", "r[t1]", "r[t2]", "r[t2]-4", "_c")
TYPES = ("", "i", "i s.0", "i s.4", "i t.0", "c", "i t.8", "i s.8")


def test_what_is_passed_by_is_what_may_not_change_a_cell(monkeypatch):
    chosen = random.Random(3)
    for _ in range(5):
        cells = [
            Mem(chosen.choice("LLWB"), address, chosen.random() < 0.02, chosen.choice(TYPES))
            for address in [cell(f"L[{text}]").address for text in ADDRESSES] for _ in range(4)
        ]  # fmt: skip
        function = function_of("r[t1]=L[_p];\nr[t2]=r[10]+8;\n")
        value = Register("r", 10, "L")
        for _ in range(150):
            effect = Set(chosen.choice(cells), value)
            function.blocks[0].rtls.append(Rtl((effect,) if chosen.random() > 0.02 else (Call(Symbol("_f")),), (1,)))
        answers = []
        for few in (8, 1 << 30):
            monkeypatch.setattr("vpo.analysis.ssa.FEW", few)
            memory = FunctionState(function, MACHINE).get(MEMORY_SSA)
            places = range(len(function.blocks[0].rtls))
            answers.append([memory.clobber(0, place, cell) for place in places for cell in cells])
        assert all(one is other for one, other in zip(*answers, strict=True))
        assert len({*map(id, answers[0])}) > 20


def test_at_the_end_of_a_block(loop):
    memory = loop.get(MEMORY_SSA)
    assert memory.clobber_at_end(0, cell("L[_y]")) is ENTRY
    assert memory.clobber_at_end(3, cell("L[_y]")) is memory.leaving[3]


def test_a_call_changes_what_has_escaped():
    state = FunctionState(function_of("L[r[2]+.a]=r[t1];\nL[_x]=r[t1];\nST=_g(); r[1]=NPC;"), MACHINE)
    assert found(state, "L1", "L[r[2]+.a]", 3) == "L[r[2]+.a]=r[t1];"
    assert found(state, "L1", "L[_x]", 3) == "ST=_g(); r[1]=NPC;"


def test_cached_and_new_are_equal(loop):
    loop.get(MEMORY_SSA)
    assert loop.wrong_analyses() == []


def test_large_functions_take_near_linear_time():
    """A chain of branches and loops; each load may only be answered by what earlier ones found out."""
    block = "PC=r[t1]<0,L{1};\nL{0}:\nL[_a+{2}]=r[t1];\nL{1}:\nr[t{0}]=L[_b];\nPC=r[t1]!=0,L{3};\nL{4}:\n"
    taken, cells = [], [cell("L[_b]"), cell("L[_a+4]")]
    for count in (100, 800):
        text = "".join(block.format(5 * n + 2, 5 * n + 3, n % 9 * 4, 5 * n + 3, 5 * n + 4) for n in range(count))
        state = FunctionState(function_of("r[t1]=r[10];\n" + text), MACHINE)
        begun = time.process_time()
        memory = state.get(MEMORY_SSA)
        for index in range(len(state.function.blocks)):
            for each in cells:
                memory.clobber_at_end(index, each)
        taken.append(time.process_time() - begun)
    assert taken[1] < 20 * taken[0]


def test_stores_to_other_objects_are_not_looked_at_one_by_one(monkeypatch):
    text = "".join(f"L[_g{n}]=r[10];\nr[t{n + 1}]=L[_g{n * 7 % 300}];\n" for n in range(300))
    state, asked = FunctionState(function_of(text), MACHINE), []
    may_change = Aliases.may_change
    monkeypatch.setattr(Aliases, "may_change", lambda self, *about: asked.append(about) or may_change(self, *about))
    memory = state.get(MEMORY_SSA)
    found = [memory.clobber(0, 2 * n + 1, cell(f"L[_g{n * 7 % 300}]")) for n in range(300)]
    assert sum(definition is ENTRY for definition in found) > 100
    assert len(asked) < 300 * 12


@pytest.mark.parametrize("ssa", some([False, True], 1))
@pytest.mark.parametrize("number", range(len(SMALL)))
def test_random_functions_agree(number, ssa, tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(SMALL[number].description())
    machine = load(str(path))
    header = f'machine "{machine.name}" cells ' + " ".join(f"{k}={v}" for k, v in machine.cells.items()) + "\n"

    @settings(max_examples=6, derandomize=True, database=None, deadline=None)
    @given(functions(SMALL[number]))
    def holds(text):
        unit, _ = parse_unit(header + text)
        for function in unit.functions if ssa else ():
            construct_ssa(FunctionState(function, machine))
        program = link([unit], machine)
        assert problems(program, unit.functions, limit=1_000)[0] == [], text

    holds()
