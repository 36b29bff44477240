"""Calls through pointers on machines that call known functions only (`vpo.link.dispatchers`)."""

from pathlib import Path

import pytest

from ease.commands.machine.machine_check import check
from ease.host.process.run import run
from tests.covering import some
from tests.kept_machines import load
from vpo import il
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.dispatchers import dispatched, dispatcher
from vpo.machines.advice.edits import deletions, edited
from vpo.machines.read.load import build, read_description

HERE = Path(__file__).parent
FILES = [str(HERE / "dispatchers.c"), str(HERE / "dispatchers_other.c")]
EXPECTED = 61  # by the host's compiler
WITHOUT = [("riscv32", "JALR"), ("sparc", "callee r[n]"), ("accumulator", "callee x[b]")]
POINTER = il.Type("P", 4)


def without(name, *gone):
    description = read_description(name)
    edits = [edit for edit in deletions(description) if edit.name in gone]
    assert len(edits) == len(gone)
    return build(edited(description, *edits))


@pytest.mark.parametrize(("name", "gone", "level"), some([(*part, n) for n, part in enumerate(WITHOUT)], 1))
def test_calls_find_their_functions(name, gone, level):
    program = Compiler(without(name, gone), Settings(level=level)).program(FILES)
    assert interpret(program, ["prog"], limit=1_000_000).exit_status == EXPECTED
    assert run(program, ["prog"]).exit_status == EXPECTED


def test_objects_share_dispatchers(tmp_path):
    machine = without("riscv32", "JALR")
    objects = [tmp_path / f"{number}.rtl" for number in range(2)]
    for file, object_ in zip(FILES, objects, strict=True):
        object_.write_text(Compiler(machine, Settings()).object_text(file))
    program = Compiler(machine, Settings()).program(list(map(str, objects)))
    assert interpret(program, ["prog"], limit=1_000_000).exit_status == EXPECTED
    assert "___dispatch_I4_I4" in program.functions
    again = Compiler(machine, Settings()).linked("program", Compiler(machine, Settings()).linked_text(program).encode())
    assert interpret(again, ["prog"], limit=1_000_000).exit_status == EXPECTED


def test_a_pointer_to_no_function_faults():
    program = Compiler(without("riscv32", "JALR"), Settings()).program(FILES)
    result = run(program, ["prog", "more"])
    assert result.fault.kind == "wild"
    assert result.fault.function == "___dispatch_I4_I4_I4_I4_I4_I4_I4_I4_I4_I4_I4_F8"
    interpreted = interpret(program, ["prog", "more"], limit=1_000_000).fault
    assert (interpreted.kind, interpreted.function) == (result.fault.kind, result.fault.function)


def test_check_tries_what_dispatchers_need():
    assert not check(without("riscv32", "JALR"), ["call through a pointer"]).missing
    missing = check(without("riscv32", "JALR", "JAL"), ["call through a pointer"]).missing
    assert "call (`ST=___dispatch_I4_I4(" in missing[0].what


def test_a_machine_with_such_calls_has_no_dispatchers():
    program = Compiler(load("riscv32"), Settings()).program(FILES)
    assert not [name for name in program.functions if "dispatch" in name]


def test_the_name_says_what_travels():
    target, value = il.Local("p", POINTER, 4, 4), il.Local("r", None, 6, 8)
    block = il.Block(il.AddrLocal(POINTER, target), 12, 8, ((0, il.I4), (8, il.F4)))
    arguments = (il.Const(il.U8, 1), block, il.Const(il.F8, 1.0))
    pointer = il.Load(POINTER, il.AddrLocal(POINTER, target))
    call = il.Call(pointer, arguments, value, 7, variadic=True, fixed=2, result_scalars=((0, il.I2),), result_align=2)
    direct = dispatched(call, POINTER)
    assert direct.arguments == (call.function, *call.arguments)
    assert not direct.variadic
    made = dispatcher("_" + direct.function.name, ["_f"], POINTER)
    assert [parameter.type for parameter in made.parameters] == [POINTER, il.U8, None, il.F8]
    assert made.parameter_scalars == {2: block.scalars}
    assert (made.result, made.result_size, made.result_align, made.result_scalars) == (None, 6, 2, call.result_scalars)
    again = next(statement for statement in made.body if isinstance(statement, il.Call))
    assert (again.variadic, again.fixed, again.result_scalars, again.function.name) == (True, 2, call.result_scalars, "f")
    assert [getattr(argument, "type", "block") for argument in again.arguments] == [il.U8, "block", il.F8]


def test_many_functions_are_bisected():
    made = dispatcher("___dispatch_v", [f"_f{number}" for number in range(40)], POINTER)
    assert len([s for s in made.body if isinstance(s, il.Branch) and s.relation == "lt"]) == 15
    assert {s.function.name for s in made.body if isinstance(s, il.Call)} == {f"f{number}" for number in range(40)}
