"""Planted mistakes: each is one error with its file, line and column; nothing that is wrong makes a traceback."""

import contextlib
import random
import re

import pytest

from tests.covering import some
from vpo.machines.read.composition import read, read_file
from vpo.machines.read.expansion import load_expansions
from vpo.machines.read.load import build, load
from vpo.machines.read.source import DescriptionError, Map, Place, Seq

# a whole machine, small enough to plant mistakes by line
GOOD = """\
machine: tiny
endian: little
address: L
halves: {low: 12, signed: true}
registers:
  r: {count: 8, type: L, names: [z, ra, sp, a0..a4]}
  cc: {type: C}
roles: {stack_pointer: "r[2]", zero: ["r[0]"]}
values: {integer: r, address: r}
allocable:
  r: ["r[3]..r[7]", "r[1]"]
operands:
  imm: {constant: -8..7, slots: true}
  place:
    - {rtl: "r[b]", asm: "($b)", mode: REGDFR}
    - {rtl: "r[b]+c", c: imm, asm: "$c($b)", mode: DISP}
defaults: {size: 4}
instructions:
  LI: {rtl: "r[d]=c;", c: imm, asm: "li $d,$c"}
  ADD SUB: {op: ["+", "-"], rtl: "r[d]=r[a]${op}r[b];", asm: "$name $d,$a,$b"}
  LD: {rtl: "r[d]=L[m];", m: place, asm: "ld $d,$m"}
  J: {rtl: "PC=t;", asm: "j $t", reach: [-128, 127]}
expansions:
  - {rtl: "r[d]=c;", c: any, into: ["r[t]=HI[c];", "r[d]=r[t]+LO[c];"]}
calls:
  results: {integer: ["r[3]"]}
  saved: ["r[1]", "r[6]..r[7]"]
  call: "ST=f(); r[1]=NPC;"
  return: "PC=r[1],RT();"
layout: {text: 0x1000}
syscalls: {exit: 1}
start: ["r[3]=1;"]
assembler: {symbol: "$name"}
"""

SAVED = 'saved: ["r[1]", "r[6]..r[7]"]'

# what replaces what (in GOOD), then where the error is and what it says
MISTAKES = {
    "literals without a pool": (
        '  J: {rtl: "PC=t;"', '  LL: {rtl: "r[d]=L[LIT[c]];", c: any, asm: "ll $d,$c"}\n  J: {rtl: "PC=t;"', "34:12",
        "'pool' or 'literal' must say how a literal pool is printed"),
    "no such predicate": (
        'asm: "li $d,$c"}', 'asm: "li$if $d,$c", predicate: never}', "19:", "'never' is not an operand: say what 'if' is"),
    "predicate without an operand": ('asm: "li $d,$c"}', 'asm: "li$if $d,$c"}', "19:37",
        "'$if' in 'li$if $d,$c' is not bound by the pattern"),
    "stack of one register": ('zero: ["r[0]"]}', "stacks: [cc]}", "8:41", "'cc' is not a class of two registers or more"),
    "abbreviation in capitals": (
        "instructions:\n", 'abbreviations: {UP: "r[d]=r[a];"}\ninstructions:\n', "18:17",
        "'UP': an abbreviation is a lower-case word"),
    "duplicate key": ("endian: little", "machine: tiny", "2:1", "'machine' is given twice (first in line 1)"),
    "ranges of two lengths": ("r[d]=r[a]${op}r[b];", "r[0..2]=r[3..4];", "20:34", "the ranges are not of one length"),
    "windows without private registers": (
        "calls:\n", 'calls:\n  windows: {enter: "r[3]=r[4];", leave: "r[4]=r[3];"}\n', "26:20", "'enter' puts nothing away",
    ),
    "windows that compute": (
        "calls:\n", 'calls:\n  windows: {enter: "r[3]=r[4]+1;", leave: "r[4]=r[3];"}\n', "26:20", "'enter' only moves",
    ),
    "annulled jump": ("PC=t;", "PC=t; DS=taken;", "22:12", "'DS=taken;' stands beside a conditional branch"),
    "delay slots of a move": ("r[d]=c;\", c: imm", "r[d]=c; DS=never;\", c: imm", "19:13", "beside one transfer of control"),
    "slots without slots": ("t;\", asm", "t; DS=never;\", slots: 1, asm", "22:38", "one with 'DS=never;' has no delay slots"),
    "no slots of a form with": ("PC=t;", "PC=t; DS=always;", "22:6", "one with 'DS=always;' needs 'slots:'"),
    "too many delay slots": ('$t", reach', '$t", slots: 9, reach', "22:", "a number from 0 to 8, not 9"),
    "delay slots of some kind": ("PC=t;", "PC=t; DS=often;", "22:22", "'often': always, taken, never was expected"),
    "stack that grows up with split values": (
        SAVED, "stack_grows: up", "27:16", "with 'stack_grows: up' no value may lie partly in a register",
    ),
    "start arguments": (
        SAVED, 'start_arguments: ["r[3]"]', "27:20", "'start_arguments' are two registers: of argc and argv",
    ),
    "variable in a part of an instruction": (
        'asm: "li $d,$c"}', 'asm: "li $d,$c", into: ["r[e]=c;"]}', "19:", "'e' does not stand in `r[d]=c;`",
    ),
    "unknown section": ("roles:", "rolls:", "8:1", "'rolls' is not a key of a machine description; did you mean 'roles'?"),
    "missing section": ("layout: {text: 0x1000}\n", "", "1:1", "'layout:' is missing"),
    "tab": ("  r: {count: 8", "\tr: {count: 8", "6:1", "(indent with spaces, not tabs)"),
    "not YAML": ("[z, ra,", "[z, ra: {,", "6:", "not YAML: "),
    "truth value or word": ("signed: true", "signed: no", "4:27", "'no' could be a truth value or a word"),
    "octal or decimal": ("count: 8", "count: 010", "6:14", "'010' is a different number to different readers"),
    "number expected": ("count: 8", "count: many", "6:14", "'count' must be a number, not 'many'"),
    "number too large": ("count: 8", "count: 5000", "6:14", "'count' must be a number from 1 to 1024, not 5000"),
    "truth value expected": ("signed: true", "signed: 1", "4:27", "'signed' must be true or false, not 1"),
    "mapping expected": ("layout: {text: 0x1000}", "layout: 5", "30:9", "'layout' must be a mapping, not 5"),
    "list expected": ('start: ["r[3]=1;"]', "start: go", "32:8", "'start' must be a list, not 'go'"),
    "choice": ("endian: little", "endian: middle", "2:9", "'endian' is one of little, big, not 'middle'"),
    "type of a class": ("type: L", "type: X", "6:23", "'X' is not a type (B W L Q F D"),
    "class name": ("  cc: {", "  CC: {", "7:3", "the name of a register class is a lower-case word"),
    "type of pairs": ("  cc: {", "  p: {pairs: r, type: L}\n  cc: {", "7:23", "a pair of registers of class 'r' (type L)"),
    "two registers of one name": ("[z, ra,", "[z, z,", "6:33", "two registers are called 'z'"),
    "range of names": ("a0..a4", "a4..a0", "6:45", "'a4..a0' is not a range such as a0..a7"),
    "unknown register": ('stack_pointer: "r[2]"', 'stack_pointer: "q[2]"', "8:24", "'q[2]' is not a register such as r[2]"),
    "register beyond the class": ('"r[2]"', '"r[9]"', "8:24", "'r[9]': class r has only 8 registers"),
    "register listed twice": ('"r[1]"]\nop', '"r[4]"]\nop', "11:6", "'r[4]' is listed twice"),
    "class of values": ("integer: r", "integer: cc", "9:19", "registers of class 'cc' do not hold integers"),
    "unknown class": ("address: r}", "address: s}", "9:31", "'address' is one of r, cc, not 's'"),
    "empty range": ("-8..7", "7..-8", "13:19", "'7..-8' is an empty range"),
    "no range": ("-8..7", "-8...7", "13:19", "'-8...7' is not a number, a list, 'any', or a range"),
    "no number in a list": ("-8..7", "[0, 4..1]", "13:23", "'4..1' is an empty range"),
    "no range in a list": ("-8..7", "[0, four]", "13:23", "'four' is not a number, and not a range such as 1..31"),
    "long range in a list": ("-8..7", "[0..4096]", "13:20", "a range in a list has at most 4096 numbers"),
    "effect of another register": (
        'asm: "($b)", mode: REGDFR', 'effect: "r[a]=r[a]+4;", asm: "($b)", mode: REGDFR', "15:29",
        "steps the register that is the address"),
    "effect that does not fit": (
        'asm: "($b)", mode: REGDFR', 'effect: "r[b]=r[b]+-4;", asm: "($b)", mode: REGDFR', "15:29",
        "steps the register that is the address"),
    "operand without form": ("{constant: -8..7, slots: true}", "{mode: IMMED}", "13:8", "says neither 'rtl:' nor"),
    "operand without text": ('asm: "($b)", ', "", "15:7", "operand 'place': 'asm:' is missing"),
    "operand in itself": ("c: imm, asm: \"$c(", "c: place, asm: \"$c(", "15:5", "operand 'place' is part of itself"),
    "unknown operand": ("m: place", "m: palce", "21:30", "'palce' is not an operand: say what 'm' is"),
    "near operand": ("m: place", "m: palce", "21:30", "did you mean 'place'?"),
    "mode in small letters": ("mode: DISP", "mode: disp", "16:52", "an addressing mode is called in capitals"),
    "RTL syntax": ('"r[d]=L[m];"', '"r[d]=L[m;"', "21:22", "this is not RTL syntax"),
    "nested operator": ("r[a]${op}r[b];", "r[a]${op}r[b]+1;", "20:", "an operator inside another needs parentheses"),
    "class in RTL": ('"r[d]=L[m];"', '"x[d]=L[m];"', "21:14", "unknown register class 'x'"),
    "register in RTL": ('"r[d]=L[m];"', '"r[8]=L[m];"', "21:13", "'r[8]': class r has only 8 registers"),
    "pseudo-register in RTL": ('"r[d]=L[m];"', '"r[t1]=L[m];"', "21:13", "the pseudo-register 'r[t1]' cannot stand here"),
    "unbound name in assembly": ("li $d,$c", "li $d,$x", "19:37", "'$x' in 'li $d,$x' is not bound by the pattern"),
    "stray key": ("m: place", "m: place, latncy: 2", "21:37", "did you mean 'latency'?"),
    "values of a family": ('op: ["+", "-"]', 'op: ["+"]', "20:17", "'op' has 1 values for 2 instructions (ADD SUB)"),
    "instruction name": ("  LD: {", "  ld: {", "21:3", "an instruction is called in capitals"),
    "hidden instruction": ("  J: {", '  CLR: {rtl: "r[d]=0;", asm: "clr $d"}\n  J: {', "22:8", "is hidden by LI in line 19"),
    "reach": ("[-128, 127]", "[127]", "22:41", "'reach' is a list of the least and the greatest distance"),
    "unsigned by accident": (
        'rtl: "r[d]=L[m];", m: place', 'rtl: "r[d]=r[a]<upto;", upto: imm', "21:13", "something that does not begin with u",
    ),
    "condition": ("m: place", 'm: place, when: "d +"', "21:43", "'d +' is not an expression such as"),
    "condition on the unknown": ("m: place", 'm: place, when: "q > 1"', "21:43", "'q' is not a variable of the pattern"),
    "condition that calls": ("m: place", 'm: place, when: "exit(1)"', "21:43", "the functions are log2, ones"),
    "expansion": ("r[d]=r[t]+LO[c];", "r[d]=r[t]+LO[k];", "24:52", "'k' does not stand in `r[d]=c;`"),
    "field": ("m: place", "m: place, fields: {n: hidden}", "21:46", "'n' is not a variable of the pattern (d, m)"),
    "calls": ("saved:", "svaed:", "27:3", "'svaed' is not a key of a calling convention; did you mean 'saved'?"),
    "members of aggregates": (
        SAVED, "aggregate_members: {mxed: 2}", "27:23", "'mxed' is not a key of 'aggregate_members'",
    ),
    "sizes of aggregates": (
        SAVED, "aggregate_result_sizes: [4, 0]", "27:31", "'aggregate_result_sizes' is a list of numbers",
    ),
    "call": ('call: "ST=f(); r[1]=NPC;"', 'call: "ST=f("', "28:14", "this is not RTL syntax"),
    "call of the unknown": ("ST=f()", "ST=g()", "28:9", "'g' stands for nothing here: 'call' has only f"),
    "call that is none": ('call: "ST=f(); ', 'call: "', "28:9", "'call' must be an RTL that calls: ST=f();"),
    "return that is none": ('"PC=r[1],RT();"', '"r[3]=r[1];"', "29:11", "'return' must be an RTL that returns: PC=...,RT();"),
    "place of a hidden result": (
        SAVED, 'hidden_result: "L[r[3]+4]"', "27:18",
        "'hidden_result' is a register, or a cell at the stack pointer such as L[r[2]+64]",
    ),
    "hidden call": (
        SAVED, 'hidden_call: "ST=f(); r[1]=NPC; L[r[2]+-2]=size;"', "27:16",
        "'size' stands for nothing here: 'hidden_call' has only bytes, f, result",
    ),
    "hidden call off the alignment": (
        SAVED, 'hidden_call: "ST=f(); r[1]=NPC; r[2]=r[2]+-2;"', "27:16",
        "'hidden_call' pushes what leaves the stack pointer off its alignment",
    ),
    "hidden return": (
        SAVED, 'hidden_return: "PC=(r[1]+bytes),RT();"', "27:18",
        "'bytes' stands for nothing here: 'hidden_return' has no variables",
    ),
    "start": ("r[3]=1;\"]", "ST=main();\"]", "32:13", "start-up code `ST=main();`: 'main' is neither"),
    "pages that the host has not": ("{text: 0x1000}", "{page: 16}", "30:16", "'page' must be a number from 4096 to 1048576"),
    "heap beyond the addresses": (
        "{text: 0x1000}", "{heap_limit: 0x100000001}", "30:22", "'heap_limit' must be a number from 0 to 4294967296"),
    "stack beyond the addresses": ("{text: 0x1000}", "{stack_top: 0x200000000}", "30:21", "'stack_top' must be a number from"),
    "addresses too few for the default": ("address: L", "address: W", "30:9", "must be a number from 0 to 65536"),
    "stack among the data": ("{text: 0x1000}", "{stack_top: 0x2000000}", "30:21", "the stack lies among text, data and heap"),
    "reserve of the whole stack": ("{text: 0x1000}", "{reserve: 0x800000}", "30:19", "'reserve' leaves nothing of the stack"),
    "words that registers do not fill": ("calls:\n", "calls:\n  word: 2\n", "26:9", "'word' must be 4, the bytes of an"),
    "integers of no size": ("roles:", "c: {sizes: {llong: 16}}\nroles:", "8:20", "'llong' must have 1 or 2 or 4 or 8 bytes"),
    "characters of two bytes": ("roles:", "c: {sizes: {char: 2}}\nroles:", "8:19", "'char' must have 1 byte, not 2"),
    "order of sizes": ("roles:", "c: {sizes: {short: 8}}\nroles:", "8:20", "'int' must not be shorter than 'short' (8 bytes)"),
    "signed half of no bits": ("low: 12,", "low: 0,", "4:15", "'low' must be a number from 1 to 63, not 0"),
    "functions aligned to nothing": (
        "{symbol:", "{function_align: 0, symbol:", "33:29", "'function_align' must be a number from 1 to 65536"),
    "stack": ("{text: 0x1000}", "{stack_top: 0x1000}", "30:9", "the stack reaches below address 0 ('stack_top')"),
    "assembler": ("symbol:", "symbl:", "33:13", "'symbl' is not a key of 'assembler'; did you mean 'symbol'?"),
}  # fmt: skip


def load_text(tmp_path, text, name="tiny"):
    path = tmp_path / f"{name}.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(str(path))


def test_the_good_one_is_good(tmp_path):
    assert load_text(tmp_path, GOOD).name == "tiny"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_message_and_place(tmp_path, mistake):
    old, new, place, message = MISTAKES[mistake]
    assert GOOD.count(old) == 1
    with pytest.raises(DescriptionError) as caught:
        load_text(tmp_path, GOOD.replace(old, new))
    shown = str(caught.value)
    assert shown.startswith(f"{tmp_path / 'tiny.yaml'}:{place}"), shown
    assert ": error: " in shown
    assert message in shown, shown


FILES = {
    "empty": (b"", "1:1", "a description is a YAML mapping"),
    "list": (b"- machine: x\n", "1:1", "a description is a YAML mapping"),
    "not UTF-8": (b"machine: \xe9\xe8\n", "1:1", "not UTF-8 text"),
    "control character": (b"machine: \x01\n", "1:1", "not YAML: "),
    "key that is a list": (b"? [a]\n: b\n", "1:3", "a key must be a plain word"),
    "alias in itself": (b"machine: &x [*x]\n", "1:10", "an alias that contains itself"),
    "extends nothing": (b"machine: x\nextends: nobody\n", "2:10", "there is no machine 'nobody'; known machines: "),
    "extends no file": (b"machine: x\nextends: nobody.yaml\n", "2:10", "there is no machine description file 'nobody.yaml'"),
    "extends itself": (b"machine: x\nextends: tiny.yaml\n", "2:10", "'tiny.yaml' extends itself"),
}


@pytest.mark.parametrize("mistake", FILES)
def test_file(tmp_path, mistake):
    text, place, message = FILES[mistake]
    with pytest.raises(DescriptionError) as caught:
        load_text(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'tiny.yaml'}:{place}: error: ")
    assert message in str(caught.value)


def test_extends_in_a_circle(tmp_path):
    (tmp_path / "other.yaml").write_text("machine: b\nextends: tiny.yaml\n")
    with pytest.raises(DescriptionError, match=r"other\.yaml:2:10: error: 'tiny\.yaml' extends itself"):
        load_text(tmp_path, "machine: a\nextends: other.yaml\n")


def test_missing_file():
    with pytest.raises(FileNotFoundError, match=r"there is no machine description file 'nothing\.yaml'"):
        load("nothing.yaml")
    with pytest.raises(FileNotFoundError, match=r"there is no machine 'nothing'; known machines: .*arm, baseline, "):
        load("nothing")


SETTINGS = {
    "registers.r.count": "expected key.key=value, as in registers.r.count=16",
    "=3": "expected key.key=value",
    "registers.q.count=3": "there is no 'q' here (there is r, ",
    "registers.r.count.more=3": "'registers.r.count' is not a mapping",
    "c.sizs.long=8": "there is no 'sizs' here (there is char, wide_time)",
    "c.sizes.lon=8": "'lon' is not a key of 'sizes'; did you mean 'long'?",
    "registers.r.count=[": "'[' is not a YAML value",
    "registers.r.count=lots": "'count' must be a number, not 'lots'",
    "registers.r.cuont=3": "'cuont' is not a key of a register class; did you mean 'count'?",
    "endianness=big": "'endianness' is not a key of a machine description",
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_setting(setting):
    with pytest.raises(DescriptionError) as caught:
        load("riscv32", [setting])
    assert str(caught.value).startswith("--set:1:1: error: ")
    assert SETTINGS[setting] in str(caught.value)


def test_a_setting_may_begin_a_section():
    assert load("riscv32", ["c.sizes.long=8"]).model.sizes["long"] == 8


def test_a_definition_replaces_all_forms_of_a_name(tmp_path):
    """LDRH stands in two groups of arm, LDR in one of its own, too: of neither is anything left."""
    path = tmp_path / "one.yaml"
    half = '{rtl: "r[d]=zxL(W[mem]);", mem: half, asm: "ldrh $d, $mem"}'
    word = '{rtl: "r[d]=L[mem];", mem: word, asm: "ldr $d, $mem"}'
    path.write_text(f"machine: one\nextends: arm\ninstructions:\n  LDRH: {half}\n  LDR: {word}\n")
    found = [each for each in load(str(path)).recognizer.alternatives if not each.implied and not each.pseudo]
    assert {each.text for each in found if each.name == "LDR"} == {"r[d]=L[mem];"}
    assert {each.text for each in found if each.name == "LDRH"} == {"r[d]=zxL(W[mem]);"}
    assert len({each.text for each in found if each.name == "LDRSH"}) > 1


def test_names_of_parts_are_cut_as_registers_are():
    with pytest.raises(DescriptionError, match=r"instruction RET: 'r\[30\]': class r has only 16 registers"):
        load("aarch64", ["registers.r.count=16"])


def test_a_form_with_missing_registers_gives_way_to_another():
    machine = load("riscv32", ["registers.r.count=16"])
    assert [a.text[:16] for a in machine.recognizer.alternatives if a.name == "ECALL"] == ["r[10]=SYSL(r[5],"]
    with pytest.raises(DescriptionError, match=r"ECALL: 'r\[10\]': class r has only 8 registers"):
        load("riscv32", ["registers.r.count=8"])


HALVED = {  # machines whose expansions move values in parts, and such an expansion
    "mips": "f[d]=D[r[b]];", "powerpc": "f[d]=cvtD(r[a]);", "sh4": "f[d]=D[r[b]];", "parisc": "r[d]=r[a]*r[b];",
    "clipper": "q[d]=Q[r[b]+c];",
}  # fmt: skip


@pytest.mark.parametrize("name", HALVED)
def test_expansions_in_the_other_byte_order(name):
    here, other = ("big", "little") if load(name).big_endian else ("little", "big")
    message = f"{name}.yaml:.*expansion `{re.escape(HALVED[name])}` does what it says only where `endian` is {here}"
    with pytest.raises(DescriptionError, match=message):
        load(name, [f"endian={other}"])


def test_expansions_that_suit_both_byte_orders():
    for order in ("little", "big"):
        assert load("aarch64", [f"endian={order}"]).expansions


@pytest.mark.parametrize("name", HALVED)
def test_wrong_expansions_are_errors_not_crashes(name):
    description, values, machine = read(name), random.Random(name), load(name)
    parts = machine.classes, machine.recognizer.operands, machine.address_type, machine.big_endian
    for item in description["expansions"]:
        for container, key, _ in list(values_in(item)):
            good = container[key]
            for bad in values.sample(wrong_values(), 3):
                container[key] = bad
                with contextlib.suppress(DescriptionError):
                    load_expansions(description, *parts)
            container[key] = good


# --------------------------------------------------------------------------- anything in the place of anything


def wrong_values():
    nested, place = Seq(Place("f", 1, 1)), Place("f", 1, 1)
    nested.append("x")
    nested.places.append(place)
    mapping = Map(place)
    mapping.put("rtl", 3, place, place)
    mapping.put("x", nested, place, place)
    return [
        None, True, 0, -1, 7, 10**30, "", "x", "_sym", "$x", "...", "r[t]", "r[99999999]", "r[a]", "L[", "PC=L5;",
        "r[d]=x;", Map(place), mapping, nested,
    ]  # fmt: skip


def values_in(node, path=()):
    items = node.items() if isinstance(node, Map) else enumerate(node) if isinstance(node, Seq) else ()
    for key, value in list(items):
        yield node, key, (*path, key)
        yield from values_in(value, (*path, key))


@pytest.mark.parametrize("name", some(("tiny", "baseline"), 1))
def test_wrong_values_are_errors_not_crashes(tmp_path, name):
    if name == "tiny":
        (tmp_path / "tiny.yaml").write_text(GOOD)
        description = read_file(tmp_path / "tiny.yaml")
        sample = list(values_in(description))
    else:
        description = read(name)
        sample = random.Random(1).sample(list(values_in(description)), 12)
    for container, key, path in sample:
        good = container[key]
        for bad in wrong_values():
            container[key] = bad
            try:
                build(description)
            except DescriptionError as error:
                if "\n" in error.message:
                    pytest.fail(f"{path} = {bad!r}: a message of several lines: {error.message}")
            except Exception as error:
                pytest.fail(f"{path} = {bad!r}: {type(error).__name__}: {error}")
        container[key] = good


def test_broken_text_is_an_error_not_a_crash(tmp_path):
    source = random.Random(7)
    path = tmp_path / "tiny.yaml"
    for _ in range(300):
        text = list(GOOD)
        for _ in range(source.choice([1, 1, 2, 4])):
            position = source.randrange(len(text))
            match source.randrange(3):
                case 0:
                    text[position] = source.choice("[]{}:,\"'#&*!|>%@`-? \n\t$.rLc=;0129xu+()_")
                case 1:
                    del text[position : position + source.randrange(1, 40)]
                case 2:
                    text.insert(position, source.choice("[]{}:,\"'&*!|>%- \n\t$.=;0u"))
        path.write_text("".join(text))
        try:
            load(str(path))
        except (DescriptionError, FileNotFoundError):
            pass
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error} for\n{''.join(text)}")
