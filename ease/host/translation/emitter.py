"""Compile RTL expressions into LLVM IR text."""

from __future__ import annotations

from collections.abc import Mapping

from ease.host.process.job import ADDRESS_SPACE
from ease.host.translation import runtime
from ease.host.translation.ir_builder import FCMP, ICMP, INTEGER, LLVM, SIZE, IrBuilder, float_literal, integer_literal
from ease.host.translation.places import Places
from vpo.algebra import INTEGER_OF, source_type
from vpo.algebra.values import (
    EQUAL,
    EQUAL_UNSIGNED,
    GREATER,
    GREATER_UNSIGNED,
    LESS,
    LESS_UNSIGNED,
    ORDERED,
    UNEQUAL,
    UNORDERED,
)
from vpo.analysis.register_summaries import Key, Registers
from vpo.machines.machine import Machine
from vpo.rtl import (
    BITS,
    CODE_TYPES,
    HIGH_PRODUCTS,
    QUOTIENTS,
    RELATIONS,
    Const,
    Expr,
    Half,
    LabelAddress,
    Mem,
    Next,
    Op,
    Register,
    Slot,
    Symbol,
    selector,
    subexpressions,
)

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_FLOATING = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_SHIFTS = {"<<": "shl", ">>": "ashr", ">>u": "lshr"}
_BIT_INTRINSICS = {"clz": "ctlz", "ctz": "cttz", "popcount": "ctpop", "bswap": "bswap", "brev": "bitreverse"}


def may_fault(node: Expr) -> bool:
    """True if computing a value can end the run: by a reference to memory or a division."""
    return bool(node.memory) or any(type(n) is Op and n.op in QUOTIENTS for n in subexpressions(node))


class Emitter(IrBuilder):
    """Collects the IR of one function and compiles expressions into it."""

    def __init__(self, machine: Machine, registers: Registers, symbols: Mapping[str, int], base: int) -> None:
        super().__init__()
        self.machine, self.registers, self.symbols, self.base = machine, registers, symbols, base
        self.slots: Mapping[str, int] = {}
        self.literals: Mapping[Half, int] = {}
        self.labels: Mapping[str, int] = {}
        self.next_address = 0
        self.word = machine.address_type
        self.bits = BITS[self.word]
        self.keeps_reads = False  # whether the reads of the current RTL are kept if their values are not needed
        self.quick = False  # whether volatile reads cost nothing, since LLVM does no more to others
        self.used: dict[Key, str] = {}  # registers that need an alloca, by name
        self.fold_up, self.fold_down = 0, 0  # displacements that the guard areas allow
        self.memory = f"ptr inttoptr (i64 {base} to ptr)"
        self.places = Places(self)

    def constant(self, node: Expr) -> int | None:
        """Return the value of a constant expression (any sign), None for one that depends on places which the code reads."""
        if self.places.part(node) is not None:
            return None
        match node:
            case Const():
                return node.value
            case Symbol():
                return self.symbols[node.name] + node.offset
            case Slot():
                return self.slots[node.name] + node.offset
            case LabelAddress():
                return self.labels[node.label]
            case Next():
                return self.next_address
            case Half(is_literal=True):
                return self.literals[node]
            case Half():
                inner = self.constant(node.of)
                if inner is None:
                    raise ValueError(f"{node!r}: only constants have halves")
                return self.machine.half(node.which, inner)
        return None

    def number(self) -> str:
        """Return the number of the current RTL in the program, an i64."""
        return self.places.number()

    # ---------------------------------------------------------------------------------------- registers

    def home(self, key: Key) -> str:
        """Return the name of a register's alloca."""
        name = self.used.get(key)
        if name is None:
            name = self.used[key] = f"%r.{key[0]}.{key[1]}"
        return name

    def read(self, register: Register) -> str:
        """Read a register in its own view."""
        parts = self.registers.storage(register)
        if len(parts) > 1:
            return self._join(self._halves(parts), register.type)
        key = parts[0]
        if key in self.registers.zero:
            return float_literal(0.0) if register.type in "FD" else "0"
        held = self.registers.types[key[0]]
        return self.view(self.put(f"load {LLVM[held]}, ptr {self.home(key)}"), held, register.type)

    def write(self, register: Register, value: str) -> None:
        """Write a register."""
        parts = self.registers.storage(register)
        if len(parts) > 1:
            halves = self._halves(parts)
            for half, part in zip(halves, self._split(value, register.type, halves[0].type), strict=True):
                self.write(half, part)
            return
        key = parts[0]
        if key not in self.registers.zero:
            held = self.registers.types[key[0]]
            self.lines.append(f"store {LLVM[held]} {self.view(value, register.type, held)}, ptr {self.home(key)}")

    def _halves(self, parts: tuple[Key, ...]) -> list[Register]:
        """Return the registers of a pair, the more significant first."""
        halves = [Register(bank, index, self.machine.classes[bank].type) for bank, index in parts]
        return halves if self.machine.big_endian else halves[::-1]

    def _join(self, halves: list[Register], wanted: str) -> str:
        """Read the halves of a pair as one value."""
        bits = BITS[wanted] // 2
        half, whole = INTEGER_OF[bits], INTEGER_OF[2 * bits]
        words = [self.view(self.read(register), register.type, half) for register in halves]
        high, low = (self.put(f"zext {LLVM[half]} {word} to {LLVM[whole]}") for word in words)
        high = self.put(f"shl {LLVM[whole]} {high}, {bits}")
        return self.view(self.put(f"or {LLVM[whole]} {high}, {low}"), whole, wanted)

    def _split(self, value: str, held: str, wanted: str) -> list[str]:
        """Make the halves of a value."""
        bits = BITS[held] // 2
        half, whole = INTEGER_OF[bits], INTEGER_OF[2 * bits]
        value = self.view(value, held, whole)
        high = self.put(f"lshr {LLVM[whole]} {value}, {bits}")
        return [self.view(self.put(f"trunc {LLVM[whole]} {v} to {LLVM[half]}"), half, wanted) for v in (high, value)]

    def read_outcome(self, register: Register) -> tuple[str, str]:
        """Read a condition code: the two numbers that were compared."""
        name, type_ = self.home(self.registers.storage(register)[0]), LLVM[register.type]
        return self.put(f"load {type_}, ptr {name}.a"), self.put(f"load {type_}, ptr {name}.b")

    def write_outcome(self, register: Register, pair: tuple[str, str]) -> None:
        """Write a condition code."""
        name, type_ = self.home(self.registers.storage(register)[0]), LLVM[register.type]
        self.lines += [f"store {type_} {pair[0]}, ptr {name}.a", f"store {type_} {pair[1]}, ptr {name}.b"]

    # ------------------------------------------------------------------------------------------- values

    def value(self, node: Expr, type_: str = "") -> str:
        """Compile a value, of type `type_` if it has none of its own."""
        type_ = node.type or type_ or self.word
        number = self.constant(node)
        if number is not None:
            return integer_literal(number, type_)
        part = self.places.part(node)
        if part is not None:
            return self.places.load(part, type_)
        match node:
            case Register():
                return self.read(node)
            case Mem():
                return self.load(node.type, self.address(node.address, node.type, False))
            case Op(op="SYS"):
                return self._system_call(node, type_)
            case Op(op="SEL", args=(Op() as test, a, b)):
                return self._select(self.condition(test), a, b, type_)
            case Op():
                if node.op in RELATIONS:
                    condition = self.condition(node)
                    kind = "uitofp" if type_ in "FD" else "zext"
                    return condition if type_ == "" else self.put(f"{kind} i1 {condition} to {LLVM[type_]}")
                return self._binary(node, type_) if len(node.args) == 2 else self._unary(node, type_)
        raise TypeError(node)

    def _select(self, condition: str, a: Expr, b: Expr, type_: str) -> str:
        """Compile a selection; only the arm that is selected may fault."""
        llvm = LLVM[type_]
        if not any(map(may_fault, (a, b))):
            return self.put(f"select i1 {condition}, {llvm} {self.value(a, type_)}, {llvm} {self.value(b, type_)}")
        starts, ends, join = (self.label(), self.label()), (self.label(), self.label()), self.label()
        self.lines.append(f"br i1 {condition}, label %{starts[0]}, label %{starts[1]}")
        arms = []
        for arm, start, end in zip((a, b), starts, ends, strict=True):
            self.lines.append(f"{start}:")
            arms.append(f"[ {self.value(arm, type_)}, %{end} ]")
            self.lines += [f"br label %{end}", f"{end}:", f"br label %{join}"]
        self.lines.append(f"{join}:")
        return self.put(f"phi {llvm} {', '.join(arms)}")

    def _system_call(self, node: Op, type_: str) -> str:
        words = []
        for arg in node.args:
            value = self.value(arg)
            given = arg.type or self.word
            words.append(value if given == "Q" else self.put(f"zext {LLVM[given]} {value} to i64"))
        words += ["0"] * (7 - len(words))
        result = self.put(f"call i64 @ease_system_call({', '.join(f'i64 {w}' for w in words[:7])})")
        return self.resize(result, 64, BITS[type_])

    def _binary(self, node: Op, type_: str) -> str:
        op, llvm = node.op, LLVM[type_]
        left, right = node.args
        if op in _SHIFTS:
            value = self.value(left, type_)
            return self.put(f"{_SHIFTS[op]} {llvm} {value}, {self._amount(right, type_)}")
        if op == "rotl":
            a, amount = self.value(left, type_), self._amount(right, type_)
            return self.put(f"call {llvm} @llvm.fshl.{llvm}({llvm} {a}, {llvm} {a}, {llvm} {amount})")
        a, b = self.value(left, type_), self.value(right, type_)
        if op in HIGH_PRODUCTS:
            return self._high_product(op, a, b, BITS[type_])
        if op in ("clmul", "clmulh"):
            return self._carryless(op, a, b, BITS[type_])
        if type_ in "FD":
            return self.put(f"{_FLOATING[op]} {llvm} {a}, {b}")
        if op in _ARITHMETIC:
            return self.put(f"{_ARITHMETIC[op]} {llvm} {a}, {b}")
        return self._divide(op, llvm, a, b, self.constant(right))

    def _amount(self, node: Expr, type_: str) -> str:
        """Compile a shift count, reduced to the width of what is shifted."""
        bits = BITS[type_]
        number = self.constant(node)
        if number is not None:
            return str(number & (bits - 1))
        value = self.resize(self.value(node, type_), BITS[node.type or type_], bits)
        return self.put(f"and i{bits} {value}, {bits - 1}")

    def _high_product(self, op: str, a: str, b: str, bits: int) -> str:
        wide = f"i{2 * bits}"
        x, y = (
            self.put(f"{extension[0]}ext i{bits} {value} to {wide}")
            for extension, value in zip(HIGH_PRODUCTS[op], (a, b), strict=True)
        )
        high = self.put(f"lshr {wide} {self.put(f'mul {wide} {x}, {y}')}, {bits}")
        return self.put(f"trunc {wide} {high} to i{bits}")

    def _carryless(self, op: str, a: str, b: str, bits: int) -> str:
        a, b = self.resize(a, bits, 64), self.resize(b, bits, 64)
        if op == "clmulh" and bits == 64:
            return self.put(f"call i64 @ease_carryless_high(i64 {a}, i64 {b})")
        product = self.put(f"call i64 @ease_carryless(i64 {a}, i64 {b})")
        if op == "clmulh":
            product = self.put(f"lshr i64 {product}, {bits}")
        return self.resize(product, 64, bits)

    def _divide(self, op: str, llvm: str, a: str, b: str, divisor: int | None) -> str:
        name = ("u" if op.endswith("u") else "s") + ("div" if op[0] == "/" else "rem")
        if not divisor:
            self.trap_if(self.put(f"icmp eq {llvm} {b}, 0"), "division")
        if name[0] == "u" or (divisor and divisor != -1):
            return self.put(f"{name} {llvm} {a}, {b}")
        minus = self.put(f"icmp eq {llvm} {b}, -1")
        safe = self.put(f"select i1 {minus}, {llvm} 1, {llvm} {b}")
        result = self.put(f"{name} {llvm} {a}, {safe}")
        if name == "srem":
            return result
        negated = self.put(f"sub {llvm} 0, {a}")
        return self.put(f"select i1 {minus}, {llvm} {negated}, {llvm} {result}")

    def _unary(self, node: Op, type_: str) -> str:
        arg, op = node.args[0], node.op
        if op in ("sx", "zx", "tr", "cvt", "cvtu", "bits"):
            source = source_type(node, self.word)
            if source in CODE_TYPES:
                return self._relations(arg, source, llvm=LLVM[type_])
            return self._convert(op, self.value(arg, source), source, type_)
        if op == "fma":
            return self._fused([self.value(x, type_) for x in node.args], type_)
        a, llvm = self.value(arg, type_), LLVM[type_]
        if (op, type_) == ("bswap", "B"):
            return a
        if op in _BIT_INTRINSICS:
            of_zero = ", i1 false" if op in ("clz", "ctz") else ""
            return self.put(f"call {llvm} @llvm.{_BIT_INTRINSICS[op]}.{llvm}({llvm} {a}{of_zero})")
        width = llvm if type_ not in "FD" else f"f{BITS[type_]}"
        if type_ in "FD":
            if op == "neg":
                return self.put(f"fneg {llvm} {a}")
            return self.put(f"call {llvm} @llvm.{'fabs' if op == 'abs' else 'sqrt'}.{width}({llvm} {a})")
        if op == "neg":
            return self.put(f"sub {llvm} 0, {a}")
        if op == "not":
            return self.put(f"xor {llvm} {a}, -1")
        if op == "abs":
            return self.put(f"call {llvm} @llvm.abs.{llvm}({llvm} {a}, i1 false)")
        raise ValueError(f"{node!r}: no such operator on type {type_}")

    def _fused(self, values: list[str], type_: str) -> str:
        operands = ", ".join(f"{LLVM[type_]} {value}" for value in values)
        return self.put(f"call {LLVM[type_]} @llvm.fma.f{BITS[type_]}({operands})")

    def _convert(self, op: str, value: str, source: str, type_: str) -> str:
        have, want = LLVM[source], LLVM[type_]
        if op in ("sx", "zx", "tr"):
            if BITS[source] == BITS[type_]:
                return value
            name = "trunc" if BITS[source] > BITS[type_] else op[0] + "ext"
            return self.put(f"{name} {have} {value} to {want}")
        if op == "bits":
            return self.view(value, source, type_)
        if source in "FD" and type_ in "FD":
            if source == type_:
                return value
            return self.put(f"{'fptrunc' if source == 'D' else 'fpext'} {have} {value} to {want}")
        unsigned = "u" if op == "cvtu" else "s"
        if type_ in "FD":
            return self.put(f"{unsigned}itofp {have} {value} to {want}")
        name = f"@llvm.fpto{unsigned}i.sat.{want}.f{BITS[source]}"
        return self.put(f"call {want} {name}({have} {value})")

    # ---------------------------------------------------------------------------------------- relations

    def condition(self, node: Op) -> str:
        """Compile a relation to an i1."""
        left, right = node.args
        type_ = left.type or right.type or self.word
        if type_ in CODE_TYPES:
            a, b = self._pair(left)
        else:
            a, b = self.value(left, type_), self.value(right, type_)
        if type_ in "GFD":
            return self.put(f"fcmp {FCMP[node.op]} {LLVM[type_]} {a}, {b}")
        return self.put(f"icmp {ICMP[node.op]} {LLVM[type_]} {a}, {b}")

    def _relations(self, compared: Expr, type_: str, llvm: str) -> str:
        """Compile the bits of a condition code, or of a comparison in its place: one for each relation that holds."""
        if isinstance(compared, Op):
            a, b = self.outcome(compared)
        else:
            assert isinstance(compared, Register)
            a, b = self.read_outcome(compared)
        kind = "icmp" if type_ == "C" else "fcmp"

        def choose(relation: str, yes: int | str, no: int | str) -> str:
            table = ICMP if type_ == "C" else FCMP
            test = self.put(f"{kind} {table[relation]} {LLVM[type_]} {a}, {b}")
            return self.put(f"select i1 {test}, {llvm} {yes}, {llvm} {no}")

        if type_ == "G":
            unequal = choose(">", ORDERED | UNEQUAL | GREATER, UNORDERED | UNEQUAL)
            return choose("==", ORDERED | EQUAL, choose("<", ORDERED | UNEQUAL | LESS, unequal))
        signed = choose("<", UNEQUAL | LESS, UNEQUAL | GREATER)
        unsigned = choose("<u", LESS_UNSIGNED, GREATER_UNSIGNED)
        return choose("==", EQUAL | EQUAL_UNSIGNED, self.put(f"or {llvm} {signed}, {unsigned}"))

    def outcome(self, node: Op) -> tuple[str, str]:
        """Compile a comparison to the two numbers that a condition code keeps."""
        if node.op == "SEL":
            condition, llvm = self.condition(selector(node)), LLVM[node.type]
            first, second = map(self._pair, node.args[1:])
            a, b = (self.put(f"select i1 {condition}, {llvm} {x}, {llvm} {y}") for x, y in zip(first, second, strict=True))
            return a, b
        type_ = node.args[0].type or node.args[1].type or self.word
        values = [self.value(arg, type_) for arg in node.args]
        if type_ == "F":
            return self._widen("fpext float", values, "double")
        if type_ == "D" or type_ == "Q":
            return values[0], values[1]
        return self._widen(f"sext {LLVM[type_]}", values, "i64")

    def _pair(self, node: Expr) -> tuple[str, str]:
        """Compile the two numbers of a condition code or of a comparison."""
        if isinstance(node, Op):
            return self.outcome(node)
        assert isinstance(node, Register)
        return self.read_outcome(node)

    def _widen(self, how: str, values: list[str], type_: str) -> tuple[str, str]:
        return self.put(f"{how} {values[0]} to {type_}"), self.put(f"{how} {values[1]} to {type_}")

    # ------------------------------------------------------------------------------------------- memory

    def address(self, node: Expr, type_: str, write: bool) -> str:
        """Compile an address to a host pointer; a displacement that only reaches guard areas cannot wrap around."""
        offset = 0
        number = self.constant(node)
        if number is not None:
            number &= (1 << self.bits) - 1
            if not self.machine.misaligned and number % SIZE[type_]:
                self.trap_if("true", f"misaligned {'write' if write else 'read'}", str(number))
            near = min(number, ADDRESS_SPACE)
            if number > near:
                self.lines.append(f"store volatile i64 {number}, {self.far}, align 8")
            if self.faults is not None:
                self.faults.check(node, type_, write, str(number), str(near))
            return f"inttoptr (i64 {self.base + near} to ptr)"
        written = node
        if type(node) is Op and node.op == "+" and node.args[0].type == self.word:
            displacement = self.constant(node.args[1])
            if displacement is not None and -self.fold_down <= displacement <= self.fold_up and self.bits == 32:
                node, offset = node.args[0], displacement
        value = self.value(node, self.word)
        if not self.machine.misaligned and SIZE[type_] > 1:
            self._check_alignment(value, offset, type_, write)
        whole = self.put(f"zext i{self.bits} {value} to i64") if self.bits < 64 else value
        wide = whole if self.bits < 64 else self.bounded(value, self.machine.stack_pointer in written.uses)
        if self.faults is not None:
            self.faults.check(written, type_, write, whole, wide)
        pointer = self.put(f"getelementptr i8, {self.memory}, i64 {wide}")
        return self.put(f"getelementptr i8, ptr {pointer}, i64 {offset}") if offset else pointer

    def _check_alignment(self, value: str, offset: int, type_: str, write: bool) -> None:
        """Trap unless value + offset is a multiple of the size."""
        word, low = f"i{self.bits}", SIZE[type_] - 1
        kind = f"misaligned {'write' if write else 'read'}"
        masked = self.put(f"and {word} {value}, {low}")
        wrong = self.put(f"icmp ne {word} {masked}, {-offset & low}")
        moved = self.put(f"add {word} {value}, {offset}") if offset else value
        self.trap_if(wrong, kind, moved if self.bits == 64 else self.put(f"zext {word} {moved} to i64"))

    def load(self, type_: str, pointer: str) -> str:
        """Compile a read of memory."""
        llvm, align = LLVM[type_], 1 if self.machine.misaligned else SIZE[type_]
        swap = self.machine.big_endian and type_ != "B"
        kind = f"i{BITS[type_]}" if swap else llvm
        volatile = "volatile " if self.keeps_reads and self.quick else ""
        value = self.put(f"load {volatile}{kind}, ptr {pointer}, align {align}, !tbaa !4{self.location()}")
        if self.keeps_reads and not self.quick:
            self._keep(value, kind)
        if swap:
            # the host may load and swap in one instruction, which is where this one is
            value = self.put(f"call {kind} @llvm.bswap.{kind}({kind} {value}){self.location()}")
            if type_ in "FD":
                value = self.put(f"bitcast {kind} {value} to {llvm}")
        return value

    def _keep(self, value: str, kind: str) -> None:
        """Make LLVM compute a value here, even if it is not used."""
        if kind in ("i8", "i16"):  # a register of the host that the load sets as a whole
            value, kind = self.put(f"zext {kind} {value} to i32"), "i32"
        self.lines.append(f"call void {runtime.keep(kind)}({kind} {value}) #1")

    def store(self, type_: str, pointer: str, value: str) -> None:
        """Compile a write of memory."""
        kind, align = LLVM[type_], 1 if self.machine.misaligned else SIZE[type_]
        if self.machine.big_endian and type_ != "B":
            if type_ in "FD":
                value = self.put(f"bitcast {kind} {value} to {INTEGER[type_]}")
            kind = f"i{BITS[type_]}"
            value = self.put(f"call {kind} @llvm.bswap.{kind}({kind} {value})")
        self.lines.append(f"store {kind} {value}, ptr {pointer}, align {align}, !tbaa !4{self.location()}")

    def stored(self, source: Expr, type_: str) -> str:
        """Compile the value that a store of `type_` writes, which is truncated."""
        value = self.value(source, type_)
        have = source.type or type_
        if have in "BWLQ" and type_ in "BWLQ" and BITS[have] > BITS[type_]:
            return self.resize(value, BITS[have], BITS[type_])
        return value
