"""Which registers of a function in SSA form are found to hold the same value, and which are not."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kept_machines import load
from vpo.analysis.value_numbers import MAX_PASSES, ValueNumbers
from vpo.opt.state import CFG, MEMORY_SSA, FunctionState
from vpo.rtl import Const, Register
from vpo.text import parse_function


@cache
def machine():
    return load("riscv32")


def numbers(body: str) -> ValueNumbers:
    """Return the value numbers of the function with some blocks, the first of which is L1."""
    lines = "".join(f"{line}\n" if line.endswith(":") else f"\t{line} # program 2\n" for line in body.split("\n"))
    text = f'function _f file "a.c" line 1 stage ssa {{\nL1:\n{lines}\tPC=r[1],RT(); # linkage 9\n}}\n'
    function = parse_function(text, machine().cells)
    state = FunctionState(function, machine())
    return ValueNumbers(function, state.get(CFG), machine(), state.get(MEMORY_SSA))


def register(number: int, version: int = 0) -> Register:
    return Register("r", number, "L", True, version)


def same(body: str, *pair: Register) -> bool:
    """Whether two registers, `r[t8]` and `r[t9]` by default, hold the same value."""
    values = numbers(body).values
    one, other = pair or (register(8), register(9))
    return values[one] is values[other]


def test_operands_of_sums_commute_and_those_of_differences_do_not():
    start = "r[t1]=r[10];\nr[t2]=r[11];\n"
    assert same(start + "r[t8]=r[t1]+r[t2];\nr[t9]=r[t2]+r[t1];")
    assert not same(start + "r[t8]=r[t1]-r[t2];\nr[t9]=r[t2]-r[t1];")


def test_copies_and_constants_are_seen_through():
    found = numbers("r[t1]=r[10];\nr[t2]=r[t1];\nr[t3]=5;\nr[t4]=r[t3]+2;\nr[t5]=r[t2]+0;")
    assert found.values[register(5)] is register(1)
    assert found.values[register(4)] is Const(7)


def test_hard_registers_are_not_followed_but_the_stack_pointer():
    assert not same("r[t8]=r[10]+4;\nr[t9]=r[10]+4;")
    assert same("r[t8]=r[2]+4;\nr[t9]=r[2]+4;")


LOOP = """\
r[t8.1]=0;
r[t9.1]={0};
L2:
r[t8.2]=PHI(L1:r[t8.1],L2:r[t8.3]);
r[t9.2]=PHI(L1:r[t9.1],L2:r[t9.3]);
r[t8.3]=r[t8.2]+4;
r[t9.3]=r[t9.2]+{1};
PC=r[t8.3]!=r[10],L2;
L3:"""


def test_loop_variables_that_run_alike_are_one():
    assert same(LOOP.format(0, 4), register(8, 2), register(9, 2))
    assert not same(LOOP.format(1, 4), register(8, 2), register(9, 2))
    assert not same(LOOP.format(0, 8), register(8, 2), register(9, 2))


def test_a_phi_of_one_value_is_that_value():
    body = "r[t1]=r[10];\nL2:\nr[t2.1]=PHI(L1:r[t1],L2:r[t2.1]);\nPC=r[10]!=0,L2;\nL3:"
    assert same(body, register(1), register(2, 1))


def test_phis_of_different_blocks_are_not_one():
    join = "r[t{0}]=PHI({1}:r[t1],{2}:r[t2]);\n"
    body = "r[t1]=r[10];\nr[t2]=r[11];\nPC=r[t1]!=0,L3;\nL2:\nL3:\n" + join.format(8, "L1", "L2")
    body += "PC=r[t2]!=0,L5;\nL4:\nL5:\n" + join.format(9, "L3", "L4")
    assert not same(body.rstrip())


def test_a_load_is_known_until_a_store_or_call_may_change_it():
    load_twice = "r[t1]=r[10];\nr[t7]=r[11];\nr[t8]=L[r[t1]];\n{}\nr[t9]=L[r[t1]];"
    assert same(load_twice.format("r[t2]=r[t1]+1;"))
    assert same(load_twice.replace("t1]]", "t1]+8]").format("L[r[t1]+4]=r[t7];"))
    assert not same(load_twice.format("L[r[t7]]=r[t7];"))
    assert not same(load_twice.format("ST=_g(); r[1]=NPC;"))


def test_what_was_stored_whole_is_known_to_be_there():
    store = "r[t1]=r[10];\nr[t8]=r[11];\n{};\nr[t9]={};"
    assert same(store.format("L[r[t1]]=r[t8]", "L[r[t1]]"))
    assert not same(store.format("B[r[t1]]=r[t8]", "zxL(B[r[t1]])"))
    assert not same(store.format("L[r[t1]]=r[t8]", "L[r[t1]+2]"))


def test_volatile_cells_are_never_known():
    assert not same("r[t1]=r[10];\nr[t8]=VL[r[t1]];\nr[t9]=VL[r[t1]];")


def test_too_many_passes_leave_each_register_its_own_value(monkeypatch):
    assert MAX_PASSES > 2
    monkeypatch.setattr("vpo.analysis.value_numbers.MAX_PASSES", 1)
    assert not same(LOOP.format(0, 4), register(8, 2), register(9, 2))


OPERATORS = {"+": int.__add__, "-": int.__sub__, "&": int.__and__, "|": int.__or__, "^": int.__xor__, "*": int.__mul__}
Step = tuple[str, int, int]


@settings(max_examples=50, derandomize=True, database=None, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(OPERATORS)), st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_what_has_one_value_number_has_one_value(steps: list[Step]):
    """Straight-line code on small numbers: three unknown ones, 1, and what is made of them."""
    lines = ["r[t1]=r[10];", "r[t2]=r[11];", "r[t3]=r[12];", "r[t4]=1;"]
    held = [12345, 777, 31, 1]
    for number, (operator, a, b) in enumerate(steps, 5):
        a, b = a % len(held), b % len(held)
        lines.append(f"r[t{number}]=r[t{a + 1}]{operator}r[t{b + 1}];")
        result = OPERATORS[operator](held[a], held[b]) & 0xFFFFFFFF
        held.append(result)
    values = numbers("\n".join(lines)).values
    by_value: dict[object, int] = {}
    for number, result in enumerate(held, 1):
        value = values[register(number)]
        assert by_value.setdefault(value, result) == result
        assert not isinstance(value, Const) or value.value & 0xFFFFFFFF == result


def test_numbers_that_were_stored_are_loaded_again():
    start = "r[t1]=r[10];\nr[t2]=-56;\nL[r[t1]]=r[t2];\nB[r[t1]+4]=r[t2];\nL[r[t1]+8]=0;\n"
    found = numbers(
        start + "r[t5]=L[r[t1]];\nr[t6]=zxL(B[r[t1]+4]);\nr[t7]=sxL(B[r[t1]+4]);\nr[t8]=L[r[t1]+8];\nr[t9]=L[r[t1]+4];"
    )
    assert [found.values[register(n)] for n in range(5, 9)] == [Const(-56), Const(200), Const(-56), Const(0)]
    assert found.values[register(9)] is register(9)
