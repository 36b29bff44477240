"""What is known of a program's calls and of the registers that its functions change."""

from fake_machine import program_of

from vpo.analysis.cfg import units
from vpo.analysis.frequency import TRIP_COUNT, frequencies
from vpo.analysis.references import references
from vpo.analysis.register_summaries import RegisterSummaries
from vpo.analysis.transfers import INDIRECT, address_taken, callee_of
from vpo.rtl import Register, Rtl
from vpo.text import parse_effects


def function(name: str, body: str, stage: str = "framed") -> str:
    lines = "".join(f"{text}\n" if text.endswith(":") else f"\t{text} # program 2\n" for text in body.splitlines())
    return f'function {name} file "a.c" line 1 stage {stage} {{\nL1:\n{lines}}}\n'


MAIN = function("_start", "r[3]=_f;\nST=_g(); r[1]=NPC;\nST=r[3](); r[1]=NPC;\nr[20]=r[9];\nPC=r[1],RT();")
PROGRAM = MAIN + function("_f", "r[9]=1;\nPC=r[1],RT();") + function("_g", "r[8]=r[7];\nPC=r[1],RT();")


def test_a_call_through_a_register_may_reach_functions_whose_address_is_taken():
    program = program_of(PROGRAM)
    calls = [rtl.call for rtl in program.functions["_start"].rtls() if rtl.call is not None]
    assert [callee_of(program, call) for call in calls] == ["_g", INDIRECT]
    assert address_taken(program) == ["_f"]


def test_summaries_tell_what_functions_read_and_change():
    program = program_of(PROGRAM)
    summaries = RegisterSummaries(program)
    named = {name: summaries.registers.members(summaries.signatures[name].changed) for name in ("_f", "_g", INDIRECT)}
    assert named == {"_f": [("r", 9)], "_g": [("r", 8)], INDIRECT: [("r", 9)]}
    assert ("r", 7) in summaries.registers.members(summaries.signatures["_g"].read)


def test_registers_are_numbered_in_the_same_order_however_sets_iterate(monkeypatch):
    orders = []
    for reverse in (False, True):
        program = program_of(PROGRAM)
        saved = sorted((Register("r", number, "L") for number in (12, 11, 10)), key=lambda r: r.index, reverse=reverse)
        monkeypatch.setattr("vpo.analysis.register_summaries.saved_registers", lambda *_, saved=saved: saved)
        orders.append(RegisterSummaries(program).registers.keys)
    assert orders[0] == orders[1]


def test_delay_slots_belong_to_the_transfer_before_them():
    program = program_of(function("_start", "r[3]=1;\nPC=L1;\nr[4]=1;", "final"), slots=1)
    found = program.functions["_start"]
    assert list(units(program.machine, found, found.blocks[0])) == [(0, 1, 1), (1, 3, 3)]


def test_a_loop_is_taken_to_go_round_so_often():
    program = program_of(function("_start", "L2:\nPC=r[3]<1,L2;\nL3:\nPC=r[1],RT();"))
    assert frequencies(program.functions["_start"]) == [1.0, TRIP_COUNT, 1.0]


def test_a_cell_read_in_every_case_is_one_reference():
    program = program_of(PROGRAM)
    rtl = Rtl(parse_effects("r[3]=L[r[4]]; r[5]=L[r[4]]+1; L[r[6]]=r[7];", program.machine.cells))
    assert [(reference.write, reference.guards) for reference in references(rtl)] == [(False, ()), (True, ())]
