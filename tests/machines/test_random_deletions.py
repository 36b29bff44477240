"""Machines without parts chosen at random: code is right, or a message says what is missing, and its advice helps.

`EASE_RANDOM_DELETIONS=N` tries so many instead of a few.
"""

import os
from pathlib import Path

import pytest

from tests.covering import case
from tests.fuzz import deletions as fuzz
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.advice.edits import deletions, edited
from vpo.machines.read.load import build, read_description

COUNT = int(os.environ.get("EASE_RANDOM_DELETIONS", "1"))
EXPECTED = 91  # by the host's compiler
LIMIT = 2_000_000  # instructions: code that is wrong may not end
SOURCE = Path(__file__).with_name("deletions.c")


LACKING = [
    ("mips", {"SLTI"}),  # of which, when registers are assigned, nothing is left for branches that compare with constants
    ("riscv32", {"BNE"}),  # whose values can be set, and are tested by way of the value of `==` or a branch around a jump
    ("mips", {"BNE"}),
    ("arm", {"MUL"}),  # but there is an instruction for high words of products
    ("m68020", {"MOVE.W"}),  # of which an expansion makes masks
    ("sparc", {"SUBCC"}),  # so that logic must compare with 0
    ("sparc", {"-8388608..8388604: -32..31", "BGE slots"}),  # one goes around a jump by a branch with other slots
    ("sparc", {"-8388608..8388604: -32..31"}),  # jumps go by jumps
    ("sparc", {"RET slots"}),  # where the window is left
    ("parisc", {"FCMP.D.NGE"}),  # of which an expansion makes `>=`; it is made of the other relations
    ("baseline", {"CVT r[dst]=cvtL(f[src]);"}),  # integers are made in software, whose doubles are bits
    ("riscv32", {"FCVT.S.W", "FCVT.D.W"}),
    ("riscv32", {"FADD.D"}),  # sums of singles have an instruction
    ("riscv32", {"FSUB.S", "FEQ.D"}),  # done in doubles; equal is neither below nor above, and no NaN
    ("riscv32", {"FLD"}),  # registers that hold no doubles, nor singles, as they are saved as doubles
    ("riscv32", {"LW"}),  # words are put together of halfwords, registers saved as bytes
    ("arm", {"VLDR.D"}),  # nor words, though registers for singles take these
    ("mips", {"address r[b]+c: 5 bits"}),  # halves of doubles are loaded by addresses in registers
    ("mips", {"SW"}),
    ("accumulator", {"MOVE"}),  # moves over memory
    ("hcx9", {"src r[n]"}),  # operands go into memory
    ("hcx9", {"direct RELATIVE"}),  # an address read from data may be that of a static object
    ("i386", {"RET"}),  # the return address is popped
    ("i386", {"JMP"}),  # a comparison that holds, and a branch
    ("m88100", {"BR"}),  # a branch if 0 is 0
    ("clipper", {"STORW L[mem]=q[src]; mem: mem"}),  # half of a longword is stored from a register of its own
    ("accumulator", {"x"}),  # a store of one index register by way of the other
    ("accumulator", {"FLD.S"}),  # singles are in software, doubles are not
    ("stack", {"FMUL f[0]=f[1]${op}f[0]; f[1]=f[2];", "XOR s[0]=s[1]${op}s[0]; s[1]=s[2];"}),  # of which others consist
    ("c3230", {"mem r[b]"}),  # only addresses with a displacement
    ("accumulator", {"STX"}),  # start-up code with few registers
    ("accumulator", {"SUB a[dst]=a[dst]${op}src; src: word"}),  # with one register, only an operand in memory subtracts
    ("riscv32", {"LUI"}),  # addresses are put together of parts that immediates take
    ("dsp32", {"SET24"}),
    ("arm", {"ADD"}),  # so are distances in the frame; constants of which have a condition
    ("dsp32", {"LD"}),  # words of halves, whose extension is an expansion with a plain address
    # improved code wants more registers than there are, naive code does not
    ("accumulator", {"ADD a[dst]=a[dst]${op}src; src: word", "mem x[b]+c: 13 bits"}),
    ("m68020", {"MOVE.L", "AND.B"}),  # a constant is added to 0
    ("parisc", {"imm: 4 bits"}),  # what ORs ones in takes no other numbers
    ("rt", {"CAU"}),  # a constant that another search passed in vain
    ("baseline", {"CMP"}),  # branches become jumps by a table
    ("riscv64", {"LW"}),  # half a word is taken out of the word around it
    ("mips", {"address r[b]", "LI.src: 10 bits"}),  # a displacement of 0; a form that another one makes needless
]
ALWAYS = [  # one of each kind: branches, operators, reach, conversions, loads, few registers, constants
    ("riscv32", {"BNE"}),
    ("arm", {"MUL"}),
    ("sparc", {"-8388608..8388604: -32..31"}),
    ("baseline", {"CVT r[dst]=cvtL(f[src]);"}),
    ("riscv32", {"LW"}),
    ("accumulator", {"MOVE"}),
    ("riscv32", {"LUI"}),
]


def result(description):
    program = Compiler(build(description), Settings(level=1)).program([str(SOURCE)])
    run = interpret(program, ["prog"], limit=LIMIT)
    return run.fault or run.exit_status


@pytest.mark.parametrize(("name", "gone"), [case(*lack, usual=lack in ALWAYS) for lack in LACKING])
def test_what_others_need(name, gone, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    description = read_description(name)
    edits = [edit for edit in deletions(description) if edit.name in gone]
    assert {edit.name for edit in edits} == gone
    assert result(edited(description, *edits)) == EXPECTED


def test_a_reach_that_leads_nowhere(monkeypatch):
    """A branch around a jump and what is in its slots is out of reach, too."""
    monkeypatch.setenv("EASE_CACHE", "")
    description = read_description("sparc")
    edit = next(edit for edit in deletions(description) if edit.name == "-8388608..8388604: -16..15")
    with pytest.raises(UserError, match=r"no way for .* to reach its target"):
        result(edited(description, edit))


def test_cells_of_saved_registers_have_no_addresses(monkeypatch):
    """They are reached by their names alone, which an access by an address in a register would not have."""
    monkeypatch.setenv("EASE_CACHE", "")
    description = read_description("we32100")
    edit = next(edit for edit in deletions(description) if edit.name == "mem p")
    with pytest.raises(UserError, match=r"we32100 cannot do this: it has no `.*=\.s"):
        result(edited(description, edit))


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_is_left_is_right_or_told(seed, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    kind, said = fuzz.result(seed)
    assert kind != fuzz.WRONG, said


def test_another_outcome_is_wrong(monkeypatch):
    monkeypatch.setattr(fuzz, "outcome", lambda description: f"exit status {'drop_hidden' in description}")
    fuzz.parts.cache_clear()
    kind, said = fuzz.result(0)
    fuzz.parts.cache_clear()
    assert kind == fuzz.WRONG
    assert "exit status True in place of exit status False" in said
