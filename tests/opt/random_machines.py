"""Small machines that differ in what compilers must cope with, and random functions that are legal on them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

DESCRIPTION = """\
machine: small
description: a small machine made by a test
endian: {endian}
address: {word}
c: {model}
misaligned: false
registers:
  r: {{count: 12, type: {word}}}
  cc: {{type: C}}
roles: {{stack_pointer: "r[11]"}}
values: {{integer: r, address: r}}
allocable: {{r: ["r[1]..r[{registers}]"]}}
operands:
  number: {{constant: any, mode: IMMED}}
  second: [{{rtl: "r[n]", asm: "$n", mode: REGISTER}}, {{constant: -64..63, mode: IMMED}}]
  place: {{constant: 0..1020, slots: true, mode: IMMED}}
  cell: {cell}
  global: [{{symbol: true, mode: IMMED}}]
defaults: {{size: 4, latency: 1}}
instructions:
  MOV: {{rtl: "r[dst]=r[src];", asm: "mov $dst,$src"}}
  LDI: {{rtl: "r[dst]=src;", src: number, asm: "ldi $dst,$src"}}
  LDA: {{rtl: "r[dst]=src;", src: global, asm: "lda $dst,$src"}}
  LEA: {{rtl: "r[dst]=r[11]+src;", src: place, asm: "lea $dst,$src"}}
  ADD SUB AND OR XOR MUL SHL SRA:
    {{op: ["+", "-", "&", "|", "^", "*", "<<", ">>"], rtl: "r[dst]=r[{first}]${{op}}src2;", src2: second,
      asm: "$name $dst,$src2", clobbers: {clobbers}}}
  NOT NEG: {{op: [not, neg], rtl: "r[dst]=${{op}}(r[src]);", asm: "$name $dst,$src", clobbers: {clobbers}}}
  LD: {{rtl: "r[dst]={word}[mem];", mem: cell, asm: "ld $dst,$mem"}}
  ST: {{rtl: "{word}[mem]=r[src];", mem: cell, asm: "st $src,$mem"}}
  LDB: {{rtl: "r[dst]=zx{word}(B[mem]);", mem: cell, asm: "ldb $dst,$mem"}}
  STB: {{rtl: "B[mem]=r[src];", mem: cell, asm: "stb $src,$mem"}}
{branches}
  JMP: {{rtl: "PC=target;", asm: "jmp $target", slots: {slots}}}
  CALL: {{rtl: "ST=target(); r[10]=NPC;", target: global, asm: "call $target", slots: {slots}}}
  RET: {{rtl: "PC=r[10],RT();", asm: ret, slots: {slots}}}
  TRAP: {{rtl: "r[1]=SYS{word}(r[4],r[1],r[2],r[3]);", asm: trap}}
  NOP: {{rtl: "NOP;", asm: nop}}
calls:
  arguments: {{integer: ["r[1]", "r[2]"]}}
  results: {{integer: ["r[1]"]}}
  saved: ["r[5]..r[8]"]
  link: "r[10]"
  call: "ST=f(); r[10]=NPC;"
  return: "PC=r[10],RT();"
  save_with: single
  word: {bytes}
layout: {{text: 0x10000, stack_top: 0x40000, stack_size: 0x8000, heap_limit: 0x30000}}
syscalls: {{exit: 93, write: 64}}
start:
  - "r[1]=5;"
  - "ST=_main(r[1]); r[10]=NPC;"
  - "r[5]=r[1];"
  - "r[4]=64;"
  - "r[1]=1;"
  - "r[2]=_mem;"
  - "r[3]=64;"
  - "r[1]=SYS{word}(r[4],r[1],r[2],r[3]);"
  - "r[4]=93;"
  - "r[1]=r[5];"
  - "r[1]=SYS{word}(r[4],r[1],r[2],r[3]);"
assembler: {{symbol: "$name", comment: "#", label: ".L$label"}}
"""
COMPARE = """\
  CMP: {{rtl: "cc=r[src1]?src2;", src2: second, asm: "cmp $src1,$src2"}}
  BEQ BNE BLT BLE BGT BGE BLO:
    {{op: ["==", "!=", "<", "<=", ">", ">=", "<u"], rtl: "PC=cc${{op}}0,target;", asm: "$name $target", slots: {slots}}}"""
COMPARE_AND_BRANCH = """\
  BEQ BNE BLT BLE BGT BGE BLO:
    {{op: ["==", "!=", "<", "<=", ">", ">=", "<u"], rtl: "PC=r[src1]${{op}}src2,target;", src2: second, asm: "$name $target",
      slots: {slots}}}"""
COMPUTING = """\
  BBS BBC: {op: ["!=", "=="], rtl: "PC=((r[a]>>b)&1)${op}0,target;", b: second, asm: "$name $a,$b,$target"}
  BANY: {rtl: "PC=(r[a]&src2)!=0,target;", src2: second, asm: "bany $a,$src2,$target"}
  LDX: {rtl: "r[dst]=L[(r[b]&src2)+r[a]];", src2: second, asm: "ldx $dst,$a,$b,$src2"}
  STX: {rtl: "B[r[a]+(r[b]&15)]=r[src];", asm: "stx $src,$a,$b"}
  ADDX: {rtl: "r[d]=r[d]+L[r[a]]; r[a]=r[a]+4;", asm: "addx $d,($a)+"}
  XORX: {rtl: "L[r[a]]=r[b]^r[c]; r[a]=r[a]+4;", asm: "xorx ($a)+,$b,$c"}
"""
INDIRECT = '{rtl: "r[b]", asm: "[$b]", mode: REGDFR}'
DISPLACED = f'[{INDIRECT}, {{rtl: "r[b]+c", c: place, asm: "[$b+$c]", mode: DISP}}]'


@dataclass(frozen=True)
class Small:
    """What one small machine is like."""

    word: str = "L"
    big_endian: bool = False
    two_address: bool = False
    condition_codes: bool = False
    clobbered: bool = False  # whether arithmetic changes the condition code
    displacement: bool = True
    slots: int = 0
    registers: int = 9
    computing: bool = False  # whether branches, loads and stores compute what they use

    @property
    def bytes(self) -> int:
        """The size of a word."""
        return 8 if self.word == "Q" else 4

    def description(self) -> str:
        """Return its description in YAML."""
        branches = (COMPARE if self.condition_codes else COMPARE_AND_BRANCH).format(slots=self.slots)
        branches += "\n" + COMPUTING if self.computing else ""
        model = "{sizes: {long: 8, pointer: 8}, aligns: {long: 8, pointer: 8}}" if self.word == "Q" else "{}"
        return DESCRIPTION.format(
            word=self.word, bytes=self.bytes, model=model,
            endian="big" if self.big_endian else "little", registers=self.registers, slots=self.slots,
            clobbers="[cc]" if self.clobbered else "[]",
            first="dst" if self.two_address else "src1", branches=branches, cell=DISPLACED if self.displacement else INDIRECT,
        )  # fmt: skip


SMALL = (
    Small(computing=True),
    Small(two_address=True, condition_codes=True, clobbered=True, registers=6),
    Small(big_endian=True, condition_codes=True, slots=1),
    Small(word="Q", displacement=False, slots=1, registers=5),
    Small(two_address=True, condition_codes=True, clobbered=True, displacement=False, registers=4),
)
VARIABLES = [f"r[t{number}]" for number in range(1, 7)]
MEMORY, FRAME, ADDRESS = "r[t7]", "r[t8]", "r[t9]"  # pseudo-registers that hold addresses
AREA = 16  # bytes of memory, and of the frame, that the statements reach
LONG = 30  # RTLs: more than any phase looks back or ahead in a block
OPERATORS = ["+", "-", "&", "|", "^", "*", "<<", ">>"]
RELATIONS = ["==", "!=", "<", "<=", ">", ">=", "<u"]
LEAF = """\
function _leaf file "r.c" line 900 stage pseudo {
L1:
	r[t1]=r[1]; # argument 900
	r[t2]=r[2]; # argument 900
	r[t1]=r[t1]-r[t2]; # program 901
	r[1]=r[t1]; # argument 902
	PC=r[10],RT(r[1]); # linkage 902
}
data _mem size 64 align 8 {
	0: int 4 1234567
}
"""


class Writer:
    """Writes a random function; `draw` chooses."""

    def __init__(self, machine: Small, draw: st.DrawFn) -> None:
        self.machine, self.draw = machine, draw
        self.lines: list[str] = ["L1:"]
        self.labels, self.pseudos, self.left = 1, 9, 25  # statements that may still be written

    def choose(self, choices):
        """Return one of some things."""
        return self.draw(st.sampled_from(choices))

    def put(self, text: str, cause: str = "program") -> None:
        """Append an RTL, each in a line of its own."""
        self.lines.append(f"\t{text} # {cause} {len(self.lines)}")

    def label(self) -> str:
        """Return a fresh label."""
        self.labels += 1
        return f"L{self.labels}"

    def begin(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")

    def second(self) -> str:
        """Return what may stand on the right of an operator."""
        return self.choose([*VARIABLES, *map(str, (-63, -1, 0, 1, 3, 31, 63))])

    def cell(self, size: int) -> str:
        """Return an address in memory or in the frame: there are few, so that references often meet."""
        base = self.choose([MEMORY, FRAME])
        if self.choose([True, False, False]):
            return self.somewhere(base, size)
        return self.at(base, self.draw(st.integers(0, AREA // size - 1)) * size)

    def somewhere(self, base: str, size: int) -> str:
        """Return an address behind a base that depends on a variable."""
        self.put(f"{ADDRESS}={self.choose(VARIABLES)};", "address")
        self.put(f"{ADDRESS}={ADDRESS}&{AREA - size};", "address")
        self.put(f"{ADDRESS}={ADDRESS}+{base};", "address")
        return ADDRESS

    def at(self, base: str, offset: int) -> str:
        """Return the address that is so far from a base."""
        if not offset:
            return base
        if self.machine.displacement:
            return f"{base}+{offset}"
        self.put(f"{ADDRESS}={base};", "address")
        self.put(f"{ADDRESS}={ADDRESS}+{offset};", "address")
        return ADDRESS

    def operation(self) -> None:
        target, operator = self.choose(VARIABLES), self.choose(OPERATORS)
        first = target if self.machine.two_address else self.choose(VARIABLES)
        self.put(f"{target}={first}{operator}{self.second()};")

    def move(self) -> None:
        target, source = self.choose(VARIABLES), self.choose(VARIABLES)
        self.put(f"{target}={self.choose([source, f'not({source})', f'neg({source})', '77', '-3000'])};")

    def reference(self) -> None:
        word, register = self.machine.word, self.choose(VARIABLES)
        if self.choose([True, True, False]):
            cell = f"{word}[{self.cell(self.machine.bytes)}]"
            self.put(self.choose([f"{register}={cell};", f"{cell}={register};"]), "variable")
        else:
            cell = f"B[{self.cell(1)}]"
            self.put(self.choose([f"{register}=zx{word}({cell});", f"{cell}={register};"]), "variable")

    def read_back(self) -> None:
        """Write a cell, then one that may be the same, and read the first."""
        base = self.choose([MEMORY, FRAME])
        cell = f"{self.machine.word}[{self.at(base, self.machine.bytes if self.machine.displacement else 0)}]"
        self.put(f"{cell}={self.choose(VARIABLES)};", "variable")
        size, letter = self.choose([(self.machine.bytes, self.machine.word), (1, "B")])
        self.put(f"{letter}[{self.somewhere(base, size)}]={self.choose(VARIABLES)};", "variable")
        self.put(f"{self.choose(VARIABLES)}={cell};", "variable")

    def call(self) -> None:
        self.put(f"r[1]={self.choose(VARIABLES)};", "argument")
        self.put(f"r[2]={self.choose(VARIABLES)};", "argument")
        self.put("ST=_leaf(r[1],r[2]); r[10]=NPC;", "linkage")
        self.put(f"{self.choose(VARIABLES)}=r[1];", "argument")

    def branch(self, left: str, relation: str, right: str, label: str) -> None:
        """Write a branch, with a comparison if the machine needs one; it may depend on what comes before it, or not."""
        if self.choose([True, True, False]):
            self.operation()
        if self.machine.condition_codes:
            self.put(f"cc={left}?{right};", "control")
            left, right = "cc", "0"
        self.put(f"PC={left}{relation}{right},{label};", "control")

    def choice(self, depth: int) -> None:
        other, done = self.label(), self.label()
        self.branch(self.choose(VARIABLES), self.choose(RELATIONS), self.second(), other)
        self.begin(self.label())
        self.statements(depth - 1)
        self.put(f"PC={done};", "control")
        self.begin(other)
        self.statements(depth - 1)
        self.begin(done)

    def loop(self, depth: int) -> None:
        self.pseudos += 1
        counter, head = f"r[t{self.pseudos}]", self.label()
        self.put(f"{counter}={self.draw(st.integers(1, 4))};")
        self.begin(head)
        self.statements(depth - 1)
        self.put(f"{counter}={counter}-1;")
        self.branch(counter, ">", "0", head)
        self.begin(self.label())

    def stretch(self) -> None:
        """Write a block that is longer than any number of RTLs that a phase looks back or ahead."""
        numbers = Random(self.draw(st.integers(0, 1 << 16)))
        for _ in range(LONG // 2):
            target, first = numbers.choice(VARIABLES[2:]), numbers.choice(VARIABLES)
            first = target if self.machine.two_address else first
            self.put(f"{target}={first}{numbers.choice(OPERATORS[:5])}{numbers.choice(VARIABLES)};")
            self.put(f"{numbers.choice(VARIABLES[2:])}={numbers.choice(VARIABLES)};")

    def flag(self) -> None:
        """Set a flag, set it anew on one of two ways, perhaps with much code behind that, and test it."""
        self.pseudos += 1
        flag, test = f"r[t{self.pseudos}]", self.label()
        first, second = self.choose([(0, 1), (1, 0), (-1, 2)])
        self.put(f"{flag}={first};")
        self.branch(VARIABLES[0], self.choose(RELATIONS), self.second(), test)
        self.begin(self.label())
        self.put(f"{flag}={second};")
        self.choose([self.stretch, self.call])()
        self.begin(test)
        done = self.label()
        self.branch(flag, self.choose(["==", "!="]), str(first), done)
        self.begin(self.label())
        self.put(f"{VARIABLES[0]}={VARIABLES[0]}^63;")
        self.begin(done)

    def statements(self, depth: int) -> None:
        """Write some statements; those with others in them only if there is depth left."""
        simple = [self.operation, self.operation, self.move, self.reference, self.read_back, self.call]
        for _ in range(min(self.left, self.draw(st.integers(3, 9)))):
            self.left -= 1
            if depth and self.choose([False, False, True]):
                self.choose([self.choice, self.loop, lambda _: self.flag()])(depth)
            else:
                self.choose(simple)()

    def text(self) -> str:
        """Return the program's functions and data."""
        self.put(f"{VARIABLES[0]}=r[1];", "argument")
        for register in VARIABLES[1:]:
            self.put(f"{register}={self.draw(st.integers(-99, 99))};")
        self.put(f"{MEMORY}=_mem;", "address")
        self.put(f"{FRAME}=r[11]+.a;", "address")
        word, size = self.machine.word, self.machine.bytes
        for number in range(AREA // size):  # memory of the frame begins undefined
            self.put(f"{word}[{self.at(FRAME, number * size)}]={VARIABLES[number]};", "variable")
        self.statements(2)
        self.flag()
        self.flag()
        for number, register in enumerate(VARIABLES):
            self.put(f"{word}[{self.at(MEMORY, AREA + number * size)}]={register};", "variable")
        self.put(f"r[1]={VARIABLES[0]};", "argument")
        self.put("PC=r[10],RT(r[1]);", "linkage")
        slot = f"slot .a local size {AREA} align 8\n"
        return f'function _main file "r.c" line 1 stage pseudo {{\n{slot}' + "\n".join(self.lines) + "\n}\n" + LEAF


@st.composite
def functions(draw, machine: Small) -> str:
    """Return the text of functions `main` and `leaf`."""
    return Writer(machine, draw).text()
