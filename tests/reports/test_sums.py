"""What host code counts is what the interpreter counts, and every table sums exactly."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest
from fake_machine import program_of
from generate import RandomProgram
from paper import measurement as papers_measurement

from ease.host.process.job import RunOptions
from ease.model.characterise import characterise, run_lengths
from ease.model.results import ADD, Characteristics, Count, Counts, Measurement, total
from ease.model.static_program import describe
from ease.reports import REPORTS
from ease.reports.render import as_dictionary, as_text, render
from ease.run.interpreting import measurement_of_interpretation
from ease.run.measuring import measure
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

MACHINES = [("riscv32", 0), ("riscv32", 1), ("riscv32", 2), ("baseline", 1), ("m68020", 1)]


def check_sums(c: Characteristics) -> None:
    """Check every identity between the tables."""
    for table in (c.types, c.sizes, c.functions, c.lines):
        assert total(table.values()) == c.instructions
    operands = total(c.operands.values())
    assert total(c.addressing_modes().values()) == total(c.data_types().values()) == operands
    lengths = [Count(length * n.static, length * n.dynamic) for length, n in c.runs.items()]
    assert total(lengths) == c.instructions
    for branch in c.branches.values():
        assert 0 <= branch.taken <= branch.dynamic
    assert total(c.arguments.values()).dynamic <= c.transfers.dynamic
    assert c.conditional_branches().dynamic <= c.transfers.dynamic <= c.instructions.dynamic


def check_json(values) -> None:
    """Check the sums that a reader of the JSON form relies on."""

    def summed(table):
        return {key: sum(v[key] for v in table) for key in ("static", "dynamic")}

    instructions = {key: values["instructions"][key] for key in ("static", "dynamic")}
    assert summed(values["instruction_types"].values()) == instructions
    assert summed(values["functions"].values()) == instructions
    assert summed([count for lines in values["lines"].values() for count in lines.values()]) == instructions
    references = values["memory_references"]
    whole = summed([references["reads"], references["writes"]])
    for part in ("by_cause", "by_group", "by_size", "by_mode"):
        assert summed(references[part].values()) == whole
    fields = summed(values["operand_fields"])
    assert summed(values["addressing_modes"].values()) == summed(values["data_types"].values()) == fields
    branches = values["branches"]
    assert summed(branches["by_type"].values()) == branches["conditional"]
    assert sum(v["taken"] for v in branches["by_type"].values()) == branches["taken"]
    sizes = values["instruction_sizes"].items()
    assert sum(int(size) * n["dynamic"] for size, n in sizes) == values["instructions"]["dynamic_bytes"]


def check_tables(c: Characteristics) -> None:
    """Check that the numbers printed in each table sum to its last row."""
    for report in REPORTS.values():
        if report.about != "characteristics":
            continue
        table = report.table(c)
        for column, heading in enumerate(table.headings):
            if heading in ("static", "dynamic", "taken"):
                numbers = [int(row[column].replace(",", "")) for row in table.rows]
                assert sum(numbers) == int(table.total[column].replace(",", "")), report.name


def check_everything(measurement) -> None:
    check_sums(measurement.characteristics)
    check_json(as_dictionary(measurement))
    check_tables(measurement.characteristics)


def test_calls_by_registers_with_arguments(programs):
    calls = "int f(int a, int b, int c) { return a - b * c; } int (*volatile p)(int, int, int) = f;"
    program = programs(calls + "int main(void) { return (*p)(1, 2, 3) + (*p)(4, 5, 6) + 53; }", "riscv32")
    assert measure(program, ["p"], options=RunOptions(capture=True)).characteristics.arguments[3].dynamic == 3  # and main


@pytest.mark.parametrize(("machine", "level"), some(MACHINES, 3))
@pytest.mark.parametrize("arguments", [[], ["3"], ["99"]])
def test_a_program(small, machine, level, arguments):
    program = small(machine, level)
    words = ["small", *arguments]
    measured = measure(program, words, options=RunOptions(capture=True, tier="fast"))
    assert not measured.partial
    assert measured == measurement_of_interpretation(program, interpret(program, words, capture=True))
    check_everything(measured)
    assert json.loads(render(measured, ".json")) == as_dictionary(measured)


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed):
    slots = seed % 2
    cells = {"r": "L", "b": "B", "w": "W", "l": "L", "q": "Q", "s": "F", "d": "D", "cc": "C", "fc": "G", "e": "F", "f": "D"}
    program = program_of(RandomProgram(seed, slots=slots, functions=5).text(), slots=slots, cells=cells)
    result = interpret(program, capture=True)
    expected = measurement_of_interpretation(program, result)
    assert measure(program, options=RunOptions(capture=True, tier="fast")) == expected
    check_everything(expected)
    assert expected.characteristics.instructions.dynamic == result.instructions


@pytest.mark.parametrize("machine", ["riscv32", "baseline", "m68020"])
def test_references_are_those_that_an_observer_sees(small, machine):
    class Observer:
        reads = writes = fetches = 0

        def fetch(self, address, size):
            self.fetches += 1

        def data(self, address, size, write):
            self.writes += write
            self.reads += not write

    program = small(machine, 1)
    observer = Observer()
    result = interpret(program, ["small"], capture=True, observer=observer)
    values = as_dictionary(measurement_of_interpretation(program, result))
    assert values["instructions"]["dynamic"] == observer.fetches
    assert values["memory_references"]["reads"]["dynamic"] == observer.reads
    assert values["memory_references"]["writes"]["dynamic"] == observer.writes


def test_measurements_add(small):
    program = small("riscv32", 1)
    both = measure(program, ["small"], options=RunOptions(tier="fast")) + measure(
        program, ["small", "3"], options=RunOptions(tier="fast")
    )
    check_everything(both)
    with pytest.raises(ValueError, match="different machines"):
        both + papers_measurement()


def test_a_field_must_say_how_it_adds():
    @dataclass(frozen=True)
    class More(Measurement):
        more: int = 0

    measurement = More("m", Characteristics(), more=1)
    with pytest.raises(KeyError, match=ADD):
        measurement + measurement
    one = replace(papers_measurement(), fault="a", partial=True, exact=False, tools={})
    both = one + replace(one, fault="b", exit_status=2)
    assert (both.fault, both.partial, both.exact, both.exit_status, both.tools) == ("a; b", True, False, 2, None)


def test_a_run_that_is_cut_short_says_so(small):
    measured = measure(small("riscv32", 1), ["small", "99"], options=RunOptions(limit=500, tier="fast"))
    assert measured.partial
    assert measured.exit_status == 124
    assert 400 < measured.characteristics.instructions.dynamic < 800
    assert "cut short" in as_text(measured, ["path-length"])
    check_everything(measured)


def test_nothing_was_executed(small):
    program = small("riscv32", 1)
    nothing = Counts(
        {name: [0] * len(f.rtls()) for name, f in program.functions.items()},
        {name: [0] * len(f.blocks) for name, f in program.functions.items()},
    )
    characteristics = characterise(describe(program), nothing)
    check_sums(characteristics)
    check_tables(characteristics)


def test_stretches_between_transfers():
    """Two arrivals in the middle; the last one ends the program before the transfer at 4."""
    assert run_lengths([3, 3, 5, 5, 4, 4], {4, 5}) == {5: 3, 3: 1, 2: 1, 1: 4}
