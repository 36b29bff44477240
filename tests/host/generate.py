"""RTL programs for differential tests: every operator on edge values, and random programs."""

from __future__ import annotations

import random
import struct

BITS = {"B": 8, "W": 16, "L": 32, "Q": 64, "F": 32, "D": 64}
INTEGERS = [0, 1, 2, -1, 5, 127, 128, -128, 31, 32, 33, 0x7FFFFFFF, -0x80000000, 0x80000001, 1 << 63, (1 << 63) - 1,
            0x123456789ABCDEF0, 0x7FFFFFFFFFFFFFBF, 1 << 53, (1 << 53) + 1, 0xFFFFFFFF]  # fmt: skip
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 3e9, -3e9, 1e19, -1e19, 2147483647.5, 4294967295.5, 1e308, 5e-324, 1e-40, 1e-45,
          float("inf"), float("-inf"), float("nan"), 16777217.0, 0.49999999999999994]  # fmt: skip
RELATIONS = ["==", "!=", "<", "<=", ">", ">="]


def data(name: str, size: int, content: bytes = b"") -> str:
    text = "".join(f"\\u{byte:04x}" for byte in content)
    item = f'\t0: bytes "{text}"\n' if content else ""
    return f"data {name} size {size} align 8 {{\n{item}}}\n"


def operations() -> list[tuple[str, str]]:
    """(type of the result, expression) over A and B, of every type where `{T}` is a register class."""
    found: list[tuple[str, str]] = []
    for t in "BWLQ":
        a, b = f"{t}a", f"{t}b"
        found += [(t, f"{a}{op}{b}") for op in ("+", "-", "*", "&", "|", "^", "<<", ">>", ">>u")]
        found += [(t, f"{a}{op}({b}|1)") for op in ("/", "%", "/u", "%u")]
        found += [(t, f"{a}{op}{n}") for op in ("/", "%", "/u", "%u") for n in (1, -1, 7, -8)]
        found += [(t, f"{a}{op}{n}") for op in ("<<", ">>", ">>u") for n in (1, BITS[t] - 1)]
        found += [(t, f"{op}({a})") for op in ("neg", "not", "abs", "clz", "ctz", "popcount", "bswap", "brev")]
        found += [(t, f"{op}({a},{b})") for op in ("rotl", "mulh", "mulhu", "mulhsu", "clmul", "clmulh")]
        found += [(t, f"{op}({a},{n})") for op in ("rotl", "mulh", "mulhsu", "clmulh") for n in (3, -5)]
        found += [(t, f"{a}+popcount(77)"), (t, f"rotl(-7,{b})")]
        found += [("L", f"{a}{op}{b}") for op in [*RELATIONS, "<u", "<=u", ">u", ">=u"]]
        found += [(t, f"SEL({a}<u{b},{a}+{b},-1)"), (t, f"SEL({b}!=0,{a}/{b},SEL({a}<0,5,{a}))")]
        found += [("L", f"{a}{op}-1") for op in ("<", ">=", "<u", ">=u", "==")]
        found.append(("L", f"bitsL({a}?{b})"))
        for u in "BWLQ":
            if BITS[u] > BITS[t]:
                found += [(u, f"sx{u}({a})"), (u, f"zx{u}({a})")]
            elif BITS[u] < BITS[t]:
                found.append((u, f"tr{u}({a})"))
        for u in "FD":
            found += [(u, f"cvt{u}({a})"), (u, f"cvtu{u}({a})"), (t, f"cvt{t}({u}a)"), (t, f"cvtu{t}({u}a)")]
            if BITS[u] == BITS[t]:
                found += [(u, f"bits{u}({a})"), (t, f"bits{t}({u}a)")]
    for t in "FD":
        found += [(t, f"{t}a{op}{t}b") for op in "+-*/"]
        found += [(t, f"{op}({t}a)") for op in ("neg", "abs", "sqrt")]
        found += [(t, f"fma({t}a,{t}b,{c})") for c in (f"{t}a", f"neg({t}b)", f"neg({t}a*{t}b)")]
        found += [("L", f"{t}a{op}{t}b") for op in [*RELATIONS, "!<", "!<=", "!>", "!>="]]
        found.append((t, f"SEL({t}a!>{t}b,{t}a,{t}b-{t}a)"))
        found += [("L", f"{t}a{op}0") for op in ("==", "<", "!>")]
        found.append(("L", f"bitsL({t}a?{t}b)"))
    return [*found, ("F", "cvtF(Da)"), ("D", "cvtD(Fa)")]


CLASSES = {"B": "b", "W": "w", "L": "l", "Q": "q", "F": "s", "D": "d"}
CELLS = {"r": "L", **{name: t for t, name in CLASSES.items()}, "cc": "C", "fc": "G", "e": "F", "f": "D"}


def operator_program(order: str) -> tuple[str, list[tuple[str, int]]]:
    """Return a program that writes the result of every operation on every pair of values, and the types it writes."""
    table = b"".join(_edge(i, order) for i in range(len(INTEGERS)))
    lines = [
        'function _start file "ops.c" line 1 stage framed {',
        "L1:", "\tr[5]=_in; # address 1", "\tr[6]=_in; # address 1", "L2:",
    ]  # fmt: skip
    for which, register in (("a", 5), ("b", 6)):
        offset = 0
        for t, name in CLASSES.items():
            number = 1 if which == "a" else 2
            lines.append(f"\t{name}[{number}]={t}[r[{register}]+{offset}]; # variable 2")
            offset += 8
    out, layout = 0, []
    for t, expression in operations():
        text = expression
        for letter, name in CLASSES.items():
            text = text.replace(f"{letter}a", f"{name}[1]").replace(f"{letter}b", f"{name}[2]")
        lines.append(f"\t{t}[_out+{out}]={text}; # program 3")
        layout.append((t, out))
        out += 8
    lines += [
        *_system_call(4, "1", "_out", str(out)),
        "\tr[6]=r[6]+48; # program 4",
        f"\tPC=r[6]<u(_in+{len(table)}),L4; # control 4",
        "L3:",
        "\tr[6]=_in; # program 5",
        "\tr[5]=r[5]+48; # program 5",
        f"\tPC=r[5]>=u(_in+{len(table)}),L5; # control 5",
        "L4:",
        "\tPC=L2; # control 6",
        "L5:",
        *_system_call(1, "0"),
        "}",
    ]
    return "\n".join(lines) + "\n" + data("_in", len(table), table) + data("_out", out), layout


def _edge(i: int, order: str) -> bytes:
    raw = b""
    for t in CLASSES:
        if t in "FD":
            value = FLOATS[i % len(FLOATS)]
            try:
                piece = struct.pack(order + ("f" if t == "F" else "d"), value)
            except OverflowError:
                piece = struct.pack(order + "f", float("inf"))
        else:
            piece = (INTEGERS[i] & ((1 << BITS[t]) - 1)).to_bytes(BITS[t] // 8, "big" if order == ">" else "little")
        raw += piece.ljust(8, b"\0")
    return raw


def _system_call(number: int, *arguments: str) -> list[str]:
    lines = [f"\tr[17]={number}; # linkage 9"]
    lines += [f"\tr[{20 + i}]={a}; # argument 9" for i, a in enumerate(arguments)]
    registers = ",".join(f"r[{20 + i}]" for i in range(len(arguments)))
    return [*lines, f"\tr[10]=SYSL(r[17],{registers}); # linkage 9"]


# ---------------------------------------------------------------------------------------- random programs


class RandomProgram:
    """Functions with loops, branches, calls, tables and every kind of cell; always ends."""

    def __init__(self, seed: int, slots: int = 0, functions: int = 4) -> None:
        self.random = random.Random(seed)
        self.slots = slots
        self.count = functions
        self.label = 0

    def text(self) -> str:
        r = self.random
        parts = [self._function(i) for i in range(self.count)]
        values = [r.choice(INTEGERS) & 0xFFFFFFFF if r.random() < 0.5 else r.getrandbits(32) for _ in range(64)]
        init = [f"\t{4 * i}: int 4 {v - (v >> 31 << 32)}" for i, v in enumerate(values)]
        parts.append("data _mem size 4096 align 8 {\n" + "\n".join(init) + "\n}\n")
        table = [f"\t{4 * i}: address _f{1 + i % (self.count - 1)} 0" for i in range(4)]
        parts.append("data _table constant size 16 align 4 {\n" + "\n".join(table) + "\n}\n")
        return "".join([*parts, *self.tables])

    def _function(self, number: int) -> str:
        if number == 0:
            self.tables: list[str] = []
        name = "_start" if number == 0 else f"_f{number}"
        self.lines = [f'function {name} file "r.c" line {number} stage final {{', f"{self._new()}:"]
        self.name, self.number = name, number
        if number:
            self._put("r[2]=r[2]+-32;")
            self._put("L[r[2]+28]=r[1]; L[r[2]+24]=r[8];")
            self._put("L[r[2]+20]=r[9];")
        else:
            self._put("r[30]=_mem;")
        for _ in range(self.random.randint(3, 8)):
            self._region(depth=2)
        if number:
            self._put("r[1]=L[r[2]+28]; r[8]=L[r[2]+24];")
            self._put("r[9]=L[r[2]+20];")
            if self.slots:
                self._transfer("PC=r[1],RT(r[10]);", "r[2]=r[2]+32;")
            else:
                self._put("PC=r[1],RT(r[10]); r[2]=r[2]+32;")
        else:
            for i in range(3, 30):
                self._put(f"L[r[30]+{2048 + 4 * i}]=r[{i}];")
            for i in range(8):
                self._put(f"L[r[30]+{2048 + 128 + 4 * i}]={'fe'[i % 2]}[{i}]=={'fe'[i % 2]}[{i}];")
            self.lines += self._end("r[3]")
        return "\n".join([*self.lines, "}"]) + "\n"

    def _end(self, status: str) -> list[str]:
        """Write memory, and exit."""
        return [*_system_call(4, "1", "_mem", "4096"), *_system_call(1, status)]

    def _new(self) -> str:
        self.label += 1
        return f"L{self.label}"

    def _put(self, text: str) -> None:
        self.lines.append(f"\t{text} # program {len(self.lines)}")

    def _transfer(self, text: str, slot: str = "") -> None:
        self._put(text)
        for _ in range(self.slots):
            self._put(slot or self._assignment(single=True))

    def _region(self, depth: int) -> None:
        r = self.random
        kind = r.choice(["straight", "straight", "if", "loop", "switch", "call", "call"])
        if depth == 0 or kind == "straight":
            for _ in range(r.randint(1, 6)):
                self._put(self._assignment())
        elif kind == "if":
            self._if(depth)
        elif kind == "loop":
            self._loop(depth)
        elif kind == "switch":
            self._switch(depth)
        elif self.number + 1 < self.count:
            self._call()

    def _if(self, depth: int) -> None:
        done = self._new()
        if self.random.random() < 0.4:
            self._put(f"cc={self._reg()}?{self.random.choice([self._reg(), '5', '-1'])};")
            op = self.random.choice([*RELATIONS, "<u", "<=u", ">u", ">=u"])
            self._transfer(f"PC=cc{op}0,{done};")
        else:
            self._transfer(f"PC={self._relation()},{done};")
        self.lines.append(f"{self._new()}:")
        self._region(depth - 1)
        self.lines.append(f"{done}:")

    def _loop(self, depth: int) -> None:
        counter = f"r[{25 + depth}]"
        head = self._new()
        self._put(f"{counter}={self._rounds()};")
        self.lines.append(f"{head}:")
        self._region(depth - 1)
        self._put(f"{counter}={counter}+-1;")
        self._transfer(f"PC={counter}>0,{head};", self._assignment(single=True))
        self.lines.append(f"{self._new()}:")

    def _rounds(self) -> int:
        return self.random.randint(1, 5)

    def _switch(self, depth: int) -> None:
        labels = [self._new() for _ in range(3)]
        done = self._new()
        table = f"_t{self.label}"
        order = [self.random.choice(labels) for _ in range(4)]
        items = "".join(f"\t{4 * i}: label {label} {self.name}\n" for i, label in enumerate(order))
        self.tables.append(f"data {table} constant size 16 align 4 {{\n{items}}}\n")
        self._put(f"r[24]=({self._reg()}&3)<<2;")
        used = ",".join(dict.fromkeys(order))
        self._put(f"r[24]=L[r[24]+{table}];")
        self._transfer(f"PC=r[24],{{{used}}};")
        for label in labels:
            self.lines.append(f"{label}:")
            self._region(0)
            self._transfer(f"PC={done};")
        self.lines.append(f"{done}:")

    def _call(self) -> None:
        if self.number == 0 and self.random.random() < 0.4:
            self._put(f"r[24]=({self._reg()}&3)<<2;")
            self._put("r[24]=L[r[24]+_table];")
            self._transfer("ST=r[24](r[10]); r[1]=NPC;")
        else:
            callee = self.random.randint(self.number + 1, self.count - 1)
            self._transfer(f"ST=_f{callee}(r[10]); r[1]=NPC;")

    def _reg(self) -> str:
        return f"r[{self.random.choice([0, *range(3, 24)])}]"

    def _float(self, cls: str = "f") -> str:
        """Return a register; `f` and `e` share none, since writing one view of a bank leaves the other undefined."""
        return f"{cls}[{self.random.randint(0, 7) & ~1 | (cls == 'e')}]"

    def _relation(self) -> str:
        r = self.random
        if r.random() < 0.2:
            op = r.choice([*RELATIONS, "!<", "!<=", "!>", "!>="])
            return f"{self._float()}{op}{self._float()}"
        return f"{self._reg()}{r.choice([*RELATIONS, '<u', '<=u', '>u', '>=u'])}{r.choice([self._reg(), '0', '7'])}"

    def _address(self, size: int) -> str:
        """Return an address inside the first 2 KiB of _mem, aligned."""
        r = self.random
        if r.random() < 0.5:
            return f"r[30]+{r.randrange(0, 2048, size)}"
        if r.random() < 0.5:
            return f"_mem+{r.randrange(0, 2048, size)}"
        return f"r[30]+(({self._reg()}&{255 * 8 // size})<<{size.bit_length() - 1})"

    def _value(self) -> str:
        r = self.random
        kind = r.randrange(8)
        if kind < 3:
            op = r.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", ">>u"])
            return f"{self._reg()}{op}{r.choice([self._reg(), str(r.randint(-9, 99)), f'({self._reg()}+3)'])}"
        if kind == 3:
            return f"{self._reg()}{r.choice(['/', '%', '/u', '%u'])}({self._reg()}|1)"
        if kind == 4:
            t = r.choice("BW")
            return f"{r.choice(['sx', 'zx'])}L({t}[{self._address(2)}])"
        if kind == 5:
            return f"L[{self._address(4)}]"
        if kind == 6:
            half = f"HI[_mem+{r.randrange(99)}]"
            return r.choice([self._relation(), f"not({self._reg()})", f"neg({self._reg()})", half])
        return r.choice([f"cvtL({self._float()})", self._bits(), f"sxL(trB({self._reg()}))"])

    def _bits(self) -> str:
        """Return the bits of a single, of which those of a NaN are undefined."""
        single = self._float("e")
        return f"SEL({single}=={single},bitsL({single}),-1)"

    def _assignment(self, single: bool = False) -> str:
        r = self.random
        kind = r.randrange(10)
        if kind < 5:
            text = f"r[{r.randint(3, 23)}]={self._value()};"
        elif kind < 7:
            t = r.choice("BWL")
            text = f"{t}[{self._address(4)}]={self._reg()};"
        elif kind == 7:
            text = f"{self._float()}={r.choice([f'cvtD({self._reg()})', f'D[{self._address(8)}]', self._sum('f')])};"
        elif kind == 8:
            source = [f"cvtF({self._reg()})", f"F[{self._address(4)}]", self._sum("e"), f"bitsF({self._reg()})"]
            text = f"{self._float('e')}={r.choice(source)};"
        else:
            text = f"L[{self._address(4)}]=cvtL({self._float()}/3); r[{r.randint(3, 9)}]=r[{r.randint(3, 9)}]+1;"
        if not single and r.random() < 0.15:
            return f"r[11]={self._value()}; {text}" if "r[11]=" not in text else text
        return text

    def _sum(self, cls: str) -> str:
        return f"{self._float(cls)}{self.random.choice('+-*/')}{self._float(cls)}"


class VariedProgram(RandomProgram):
    """With references that may not be made or lie side by side, annulled slots, long loops, and ends inside of calls."""

    def __init__(self, seed: int, slots: int = 0, functions: int = 4, misaligned: bool = False) -> None:
        super().__init__(seed, slots, functions)
        self.misaligned = misaligned

    def _value(self) -> str:
        r = self.random
        if r.random() > 0.12:
            return super()._value()
        relation = r.choice([self._relation(), f"{self._load()}<{self._reg()}"])
        inner = f"SEL({self._relation()},{self._load()},{self._load()})"
        first, second = r.choice([self._load(), inner, "5"]), r.choice([self._load(), super()._value()])
        return f"SEL({relation},{first},{second})"

    def _load(self) -> str:
        t = self.random.choice("BWL")
        return f"L[{self._address(4)}]" if t == "L" else f"zxL({t}[{self._address(2)}])"

    def _address(self, size: int) -> str:
        anywhere = self.misaligned and self.random.random() < 0.1
        return f"_mem+{self.random.randrange(2040)}" if anywhere else super()._address(size)

    def _transfer(self, text: str, slot: str = "") -> None:
        branches = "," in text and "RT(" not in text and "{" not in text
        super()._transfer(f"{text} DS=taken;" if self.slots and branches and self.random.random() < 0.5 else text, slot)

    def _rounds(self) -> int:
        return super()._rounds() if self.random.random() < 0.6 else self.random.randint(5, 40)

    def _side_by_side(self) -> None:
        """Refer to cells off one register, which may change in between."""
        r = self.random
        self._put(f"r[28]=r[30]+{r.randrange(64, 1920, 4)};")
        for _ in range(r.randint(2, 5)):
            t = r.choice("LLW")
            cell = f"{t}[r[28]+{r.randrange(-8, 28, 1 if self.misaligned else 4)}]"
            load = f"r[{r.randint(3, 23)}]={cell if t == 'L' else f'zxL({cell})'};"
            text = r.choice([load, f"{cell}={self._reg()};"])
            self._put(f"{text} r[28]=r[28]+4;" if r.random() < 0.1 else text)

    def _region(self, depth: int) -> None:
        if self.random.random() < 0.15:
            self._side_by_side()
        if not depth or self.random.random() > 0.012:
            super()._region(depth)
            return
        after = self._new()
        self._transfer(f"PC={self._relation()},{after};")
        self.lines += [f"{self._new()}:", *self._end("7"), f"{after}:"]
