"""Descriptions of a hundred bytes do not take the machine: numbers, texts and expressions are bounded, and told with place."""

import pytest

from tests.limited import read_each
from vpo.machines.read.condition import compile_condition
from vpo.machines.read.source import DescriptionError, Place

HEAD = "machine: hostile\nextends: riscv32\n"
OPERAND = HEAD + "operands: {{imm: {{constant: -2048..2047, slots: true, mode: IMMED, {}}}}}\n"
DOUBLING = "abbreviations:\n" + "".join(f'  a{n}: "${{a{n + 1}}}${{a{n + 1}}}"\n' for n in range(40)) + '  a40: "r[d]=r[a];"\n'
CASES = {
    OPERAND.format('print: "v << 99999999999"'): "3:74: error: 'v << 99999999999': a shift is one by at most 128 bits",
    OPERAND.format('when: "(1, 2) * 99999999999 == v"'): "a list of numbers stands behind 'in' only",
    OPERAND.format(f'when: "{"not " * 10_000} v"'): "3:73: error: the expression is nested too deeply",
    OPERAND.format(f'when: "{"(" * 5_000}v{")" * 5_000}"'): "(...' is not an expression such as",
    OPERAND.format(f'when: "{"not " * 100_000} v"'): "3:73: error: a text of 400,002 characters; 65,536 are allowed",
    OPERAND.format(f'when: "v < {"9" * 5_000}"'): "a number of more than 40 digits",
    HEAD + DOUBLING + 'instructions: {TWICE: {rtl: "${a0}", asm: "twice $d,$a"}}\n': "characters; 65,536 are allowed",
    HEAD + f"registers: {{r: {{count: {'9' * 5_000}}}}}\n": "3:24: error: a number of more than 40 digits",
    HEAD + f"registers: {{r: {{count: 0x{'f' * 1_000_000}}}}}\n": "3:24: error: a text of 1,000,002 characters",
    HEAD + f"registers: {{r: {{count: 0x{'f' * 50_000}}}}}\n": "3:24: error: a number of more than 40 digits",
    HEAD + f'instructions: {{BIG: {{rtl: "r[d]={"1" * 5_000};", asm: "big $d"}}}}\n': "a number of more than 40 digits",
    HEAD + f'allocable: {{r: ["r[0]..r[{"1" * 5_000}]"]}}\n': "a number of more than 40 digits",
}


def test_each_is_told_with_its_place(tmp_path):
    files = []
    for number, content in enumerate(CASES):
        files.append(tmp_path / f"m{number}.yaml")
        files[-1].write_text(content)
    for told, expected, file in zip(read_each("vpo.machines.read.load", "load", files), CASES.values(), files, strict=True):
        assert told.startswith(f"DescriptionError: {file}:")
        assert expected in told
        assert len(told) < 500


def test_shifts_of_variables_are_bounded():
    place = Place("m.yaml", 1, 1)
    assert compile_condition("(v << 4) | (1 << v)", {"v"}, place)({"v": 3}) == 56
    assert compile_condition("1 << (1 << v)", {"v"}, place)({"v": 100}) is False
    assert compile_condition("v in (1, 2) and (v, 1) == (2, 1)", {"v"}, place)({"v": 2}) is True


def test_functions_of_conditions():
    place = Place("m.yaml", 1, 1)
    assert [compile_condition("log2(v)", {"v"}, place)({"v": v}) for v in (1, 1 << 63, 12, 0)] == [0, 63, False, False]
    assert compile_condition("ones(v) + max(v, 9) - min(v, 9)", {"v"}, place)({"v": 7}) == 5
    for text in ("ones(v, v)", "log2()", "eval(v)", "v.bit_count()", "min(v)"):
        with pytest.raises(DescriptionError):
            compile_condition(text, {"v"}, place)


def test_shifts_by_constants_are_told_where_they_stand():
    with pytest.raises(DescriptionError):
        compile_condition("v << 129", {"v"}, Place("m.yaml", 1, 1))
    compile_condition("v << 128", {"v"}, Place("m.yaml", 1, 1))
