"""Delay slots that an instruction may have or not, and slots that are annulled: what is filled how, and that it runs."""

import itertools
import json
import re
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run
from tests.kept_machines import load
from tests.programs.running import Checking
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import Delay

ROOT = Path(__file__).parents[2]
SAMPLES = json.loads((ROOT / "samples" / "samples.json").read_text())
RELATIONS = {
    "JEQ JNE JLT JLE JGT JGE JLO JLS JHI JHS": ("cc", ["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u"]),
    "FJEQ FJNE FJLT FJLE FJGT FJGE FJULT FJULE FJUGT FJUGE": (
        "fc", ["==", "!=", "<", "<=", ">", ">=", "!>=", "!>", "!<=", "!<"],
    ),
}  # fmt: skip

# every transfer has a form without slots, and one with
OPTIONAL = """\
machine: optional
extends: baseline
instructions:
  JMP:
    - {rtl: "PC=target;", asm: "jmp $target"}
    - {rtl: "PC=target; DS=always;", asm: "jmp.n $target", slots: 1}
    - {rtl: "PC=target,{};", target: callee, asm: "jmp $target"}
    - {rtl: "PC=target,{}; DS=always;", target: callee, asm: "jmp.n $target", slots: 1}
  CALL:
    - {rtl: "ST=target(); r[2]=NPC;", target: callee, asm: "call $target,r2"}
    - {rtl: "ST=target(); r[2]=NPC; DS=always;", target: callee, asm: "call.n $target,r2", slots: 1}
  RET: [{rtl: "PC=r[2],RT();", asm: ret}, {rtl: "PC=r[2],RT(); DS=always;", asm: ret.n, slots: 1}]
"""
# branches forward can do without their slot, branches backward annul it; and they do not reach far
DIRECTED = """\
machine: directed
extends: baseline
instructions:
  JMP:
    - {rtl: "PC=target;", asm: "jmp $target", slots: 1}
    - {rtl: "PC=target; DS=never;", asm: "jmp,n $target"}
    - {rtl: "PC=target,{};", target: callee, asm: "jmp $target", slots: 1}
"""


def description(text, branches):
    """Add to a description the forms of conditional branches."""
    for names, (code, relations) in RELATIONS.items():
        forms = "".join(f"    - {{op: {json.dumps(relations)}, {branch}}}\n" for branch in branches)
        text += f"  {names}:\n" + forms.replace("CC", code)
    return text


@pytest.fixture(params=["optional", "directed"])
def machine(request, tmp_path):
    if request.param == "optional":
        text = description(OPTIONAL, [
            'rtl: "PC=CC${op}0,target;", asm: "$name $target"',
            'rtl: "PC=CC${op}0,target; DS=always;", asm: "$name.n $target", slots: 1',
        ])  # fmt: skip
    else:
        text = description(DIRECTED, [
            'rtl: "PC=CC${op}0,target;", asm: "$name $target", slots: 1, reach: [-400, 400]',
            'rtl: "PC=CC${op}0,target; DS=never;", asm: "$name,n $target", reach: [4, 400]',
            'rtl: "PC=CC${op}0,target; DS=taken;", asm: "$name,n $target", slots: 1, reach: [-400, -4]',
        ])  # fmt: skip
    path = tmp_path / f"{request.param}.yaml"
    path.write_text(text)
    return load(str(path))


def stated(program):
    """Count what the instructions of a program say of their delay slots."""
    found = {}
    for function in program.functions.values():
        for rtl in function.rtls():
            for effect in rtl.effects:
                if isinstance(effect, Delay):
                    found[effect.when] = found.get(effect.when, 0) + 1
    return found


def test_sample(machine, monkeypatch):
    monkeypatch.chdir(ROOT)
    entry = SAMPLES["queens"]
    arguments = ["queens", *entry["args"]]
    program = Checking(machine, Settings(level=1)).program(["samples/queens.c"])
    kinds = {"always"} if machine.name == "optional" else {"never", "taken"}
    assert set(stated(program)) == kinds

    oracle = interpret(program, arguments, capture=True)
    assert (oracle.fault, oracle.output) == (None, (ROOT / entry["expected"]).read_bytes())
    host, counts = counted_run(program, arguments, RunOptions(capture=True, tier="fast"))
    assert (host.fault, host.output) == (None, oracle.output)
    assert counts.rtls == oracle.rtls
    assert counts.taken == oracle.taken


def test_what_may_not_stand_in_a_slot(tmp_path):
    """An instruction with `slot: false` is put nowhere behind a transfer or call, and others are."""
    path = tmp_path / "program.c"
    path.write_text("int g(int, int); int f(int a, int b) { return g(b, 5) + g(a, 7); }")

    def slots(*changes):
        changed = load("baseline", changes)
        (function,) = Compiler(changed, Settings(level=1)).unit(str(path)).functions
        records = [changed.record(rtl) for rtl in function.rtls()]
        return [behind.name for before, behind in itertools.pairwise(records) if before.slots]

    assert "MOV" in slots()
    assert "MOV" not in slots("instructions.MOV.slot=false")


def test_far_branches_take_their_slots_along(machine, tmp_path):
    if machine.name != "directed":
        pytest.skip("every branch reaches everywhere")
    body = "".join(f"        s = s * {n} + (s ^ t[{n}]);\n" for n in range(60))
    (tmp_path / "far.c").write_text(
        "#include <stdio.h>\nint t[60];\n"
        f"int main(void)\n{{\n    unsigned s = 1, i = 0;\n    do {{\n        i++;\n{body}    }} while (i < 50);\n"
        '    printf("%u\\n", s);\n    return 0;\n}\n'
    )
    program = Checking(machine, Settings(level=1)).program([str(tmp_path / "far.c")])
    main = program.functions["_main"]
    assert len(main.rtls()) > 200
    oracle = interpret(program, ["far"], capture=True)
    near = Compiler(load("baseline"), Settings(level=1)).program([str(tmp_path / "far.c")])
    assert oracle.fault is None
    assert oracle.output == interpret(near, ["far"], capture=True).output
    assert re.fullmatch(rb"\d+\n", oracle.output)
