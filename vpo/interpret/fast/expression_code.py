"""From RTL expressions to Python expressions; `vpo.interpret.fast.function_code` makes statements and functions of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from vpo.algebra import INTEGER_OF, source_type
from vpo.interpret.plain_state import widest_views
from vpo.machines.machine import Machine
from vpo.rtl import (
    BITS,
    CODE_TYPES,
    HIGH_PRODUCTS,
    RELATIONS,
    SHIFTS,
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
)

MASK = {t: (1 << BITS[t]) - 1 for t in "BWLQ"}
SIGN = {t: 1 << (BITS[t] - 1) for t in "BWLQ"}
SIZE = {t: BITS[t] // 8 for t in BITS}
CODES = {"B": "B", "W": "H", "L": "I", "Q": "Q", "F": "f", "D": "d"}
_PYTHON_RELATION = {"==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
WIDER = {8: "W", 16: "L", 32: "Q"}  # the integer type of twice so many bits
_FAR = 1 << 31
_BIT_FUNCTIONS = {"clz": "leading_zeros", "ctz": "trailing_zeros", "bswap": "reversed_bytes", "brev": "reversed_bits"}


def structs(big_endian: bool) -> dict[str, Callable[..., object]]:
    """Return the functions by which generated code reads (`u_L`) and writes (`p_L`) memory."""
    result: dict[str, Callable[..., object]] = {}
    for type_, code in CODES.items():
        form = struct.Struct((">" if big_endian else "<") + code)
        result[f"u_{type_}"], result[f"p_{type_}"] = form.unpack_from, form.pack_into
    return result


def convert_view(source: str, held: str, wanted: str) -> str:
    """Read a register that holds a value of one view as another view."""
    if held == wanted:
        return source
    if held == "D" and wanted == "F":
        return f"unbox({source})"
    if held == "F" and wanted == "D":
        return f"box({source})"
    if held in "FD":
        source = f"{'single' if held == 'F' else 'double'}_bits({source})"
        held = "L" if held == "F" else "Q"
    if wanted in "FD":
        mask = 0xFFFFFFFF if wanted == "F" else MASK["Q"]
        return f"bits_{'single' if wanted == 'F' else 'double'}({source}&{mask})"
    return source if BITS[held] <= BITS[wanted] else f"({source}&{MASK[wanted]})"


def join(parts: Sequence[str], held: str, wanted: str) -> str:
    """Read two registers that hold values of one view, the more significant first, as one wider value."""
    high, low = (convert_view(part, held, "L" if held == "F" else held) for part in parts)
    return convert_view(f"({high}<<{BITS[held]}|{low})", WIDER[BITS[held]], wanted)


def split(source: str, held: str, wanted: str) -> list[str]:
    """Write a value to two registers of half its width, the more significant first."""
    bits = BITS[wanted]
    whole = convert_view(source, held, WIDER[bits])
    part = "L" if wanted == "F" else wanted
    return [convert_view(text, part, wanted) for text in (f"({whole}>>{bits})", f"({whole}&{MASK[part]})")]


@dataclass(frozen=True)
class Place:
    """What expressions of one RTL need to know: constants that depend on where it stands."""

    symbols: Mapping[str, int]
    slots: Mapping[str, int]
    next_address: int
    literals: Mapping[Half, int] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)


class Expressions:
    """Compiles expressions; `read` gives the Python text of a register's value.

    `accesses` collects (address text, size, is a write) of every memory reference compiled since it was last cleared.
    """

    def __init__(self, machine: Machine, read: Callable[[Register], str]) -> None:
        self.machine, self.read = machine, read
        self.place = Place({}, {}, 0)
        self.word = machine.address_type
        self.shift = machine.layout.page.bit_length() - 1
        self.accesses: list[tuple[str, int, bool]] = []
        self.temporaries = 0

    def temporary(self) -> str:
        """Return a fresh name."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def constant(self, node: Expr) -> int | None:
        """Return the value of a constant expression (any sign), or None."""
        match node:
            case Const():
                return node.value
            case Symbol():
                return self.place.symbols[node.name] + node.offset
            case Slot():
                return self.place.slots[node.name] + node.offset
            case LabelAddress():
                return self.place.labels[node.label]
            case Next():
                return self.place.next_address
            case Half(is_literal=True):
                return self.place.literals[node]
            case Half():
                inner = self.constant(node.of)
                if inner is None:
                    raise ValueError(f"{node!r}: only constants have halves")
                return self.machine.half(node.which, inner)
        return None

    def value(self, node: Expr, type_: str = "") -> str:
        """Return Python text for a value, of type `type_` if it has none of its own."""
        type_ = node.type or type_ or self.word
        number = self.constant(node)
        if number is not None:
            return str(number & MASK[type_]) if type_ in MASK else repr(float(number))
        match node:
            case Register():
                return self.read(node)
            case Mem():
                return self.load(node)
            case Op(op="SYS"):
                arguments = "".join(f"{self.value(a)}," for a in node.args[1:])
                return f"(system_call({self.value(node.args[0])},({arguments}))&{MASK[type_]})"
            case Op(op="SEL", args=(Op() as test, a, b)):
                return f"({self.value(a, type_)} if {self.condition(test)} else {self.value(b, type_)})"
            case Op():
                if node.op in RELATIONS:
                    return f"({'1 if' if type_ in MASK else '1.0 if'} {self.condition(node)} else 0)"
                if len(node.args) == 2:
                    return self._binary(node, type_)
                return self._unary(node, type_)
        raise TypeError(node)

    def signed(self, node: Expr, type_: str) -> str:
        """Return Python text for the signed value of an integer expression."""
        number = self.constant(node)
        if number is not None:
            number &= MASK[type_]
            return f"({number - (number >> (BITS[type_] - 1) << BITS[type_])})"
        return f"(({self.value(node, type_)}^{SIGN[type_]})-{SIGN[type_]})"

    def _binary(self, node: Op, type_: str) -> str:
        op = node.op
        left, right = node.args
        if type_ in "FD":
            a, b = self.value(left, type_), self.value(right, type_)
            text = f"divide({a},{b})" if op == "/" else f"({a}{op}{b})"
            return f"round_single({text})" if type_ == "F" else text
        mask, bits = MASK[type_], BITS[type_]
        if op in SHIFTS:
            number = self.constant(right)
            amount = f"({self.value(right, type_)}&{bits - 1})" if number is None else str(number & (bits - 1))
            if op == "<<":
                return f"({self.value(left, type_)}<<{amount}&{mask})"
            if op == ">>u":
                return f"({self.value(left, type_)}>>{amount})"
            if op == "rotl":
                return f"rotated({self.value(left, type_)},{amount},{bits})"
            return f"({self.signed(left, type_)}>>{amount}&{mask})"
        a, b = self.value(left, type_), self.value(right, type_)
        if op in "+-*":
            return f"({a}{op}{b}&{mask})"
        if op in "&|^":
            return f"({a}{op}{b})"
        if op in ("clmul", "clmulh"):
            return f"(carryless({a},{b}){f'>>{bits}' if op == 'clmulh' else f'&{mask}'})"
        if op in HIGH_PRODUCTS:
            signs = "".join("s" if extension == "sx" else "u" for extension in HIGH_PRODUCTS[op])
            return f"high_product({a},{b},{bits},'{signs}')"
        if op in ("/u", "%u"):
            return f"({a}{'//' if op == '/u' else '%'}{b})"
        return f"signed_{'divide' if op == '/' else 'remainder'}({a},{b},{bits})"

    def _unary(self, node: Op, type_: str) -> str:
        arg = node.args[0]
        if node.op == "fma":
            return f"fused({','.join(self.value(x, type_) for x in node.args)},{type_ == 'F'})"
        if node.op in ("sx", "zx", "tr", "cvt", "cvtu", "bits"):
            return self._convert(node, type_, source_type(node, self.word))
        a = self.value(arg, type_)
        if type_ in "FD":
            match node.op:
                case "neg":
                    return f"(-{a})"
                case "abs":
                    return f"abs({a})"
                case "sqrt":
                    return f"round_single(square_root({a}))" if type_ == "F" else f"square_root({a})"
        match node.op:
            case "neg":
                return f"(-{a}&{MASK[type_]})"
            case "not":
                return f"({a}^{MASK[type_]})"
            case "abs":
                return f"absolute({a},{BITS[type_]})"
            case "popcount":
                return f"{a}.bit_count()" if a.isidentifier() else f"({a}).bit_count()"
            case "clz" | "ctz" | "bswap" | "brev":
                return f"{_BIT_FUNCTIONS[node.op]}({a},{BITS[type_]})"
        raise ValueError(f"{node!r}: no such operator on type {type_}")

    def _convert(self, node: Op, type_: str, source: str) -> str:
        arg, op = node.args[0], node.op
        if source in CODE_TYPES:
            return self._relations(arg, source)
        if op == "sx":
            return f"({self.signed(arg, source)}&{MASK[type_]})"
        if op == "zx":
            return self.value(arg, source)
        if op == "tr":
            return f"({self.value(arg, source)}&{MASK[type_]})"
        if op == "bits":
            return convert_view(self.value(arg, source), source, type_)
        if type_ in "FD":
            if source in "FD":
                text = self.value(arg, source)
                return f"round_single({text})" if (source, type_) == ("D", "F") else text
            text = self.signed(arg, source) if op == "cvt" else self.value(arg, source)
            return f"integer_to_single({text})" if type_ == "F" else f"float({text})"
        low, high = (-SIGN[type_], SIGN[type_] - 1) if op == "cvt" else (0, MASK[type_])
        return f"(to_integer({self.value(arg, source)},{low},{high})&{MASK[type_]})"

    # ---------------------------------------------------------------------------------------- relations

    def condition(self, node: Op) -> str:
        """Return Python text that is true when the relation holds."""
        left, right = node.args
        op = node.op
        type_ = left.type or right.type or self.word
        if type_ in CODE_TYPES:
            return self._outcome(op, left, type_)
        if type_ in "FD":
            return _float_relation(op, self.value(left, type_), self.value(right, type_))
        if op.endswith("u"):
            return f"{self.value(left, type_)}{op[:-1]}{self.value(right, type_)}"
        if op in ("==", "!="):
            return f"{self.value(left, type_)}{op}{self.value(right, type_)}"
        return _integer_relation(op, *[self._biased(x, type_) for x in (left, right)])

    def _biased(self, node: Expr, type_: str) -> str:
        """Return a value that orders as unsigned like the signed one."""
        number = self.constant(node)
        if number is not None:
            return str((number & MASK[type_]) ^ SIGN[type_])
        return f"({self.value(node, type_)}^{SIGN[type_]})"

    def _outcome(self, op: str, compared: Expr, type_: str) -> str:
        """Test a condition code, or a comparison that stands in its place, against 0."""
        a, b = self._pair(compared)
        if type_ == "G":
            return _float_relation(op, a, b)
        if op.endswith("u"):
            return f"{a}&{MASK['Q']}{op[:-1]}{b}&{MASK['Q']}"
        return _integer_relation(op, a, b)

    def _relations(self, compared: Expr, type_: str) -> str:
        """Return the bits of a condition code, or of a comparison in its place: one for each relation that holds."""
        if isinstance(compared, Op):
            a, b = self.outcome(compared)
        else:
            assert isinstance(compared, Register)
            a, b = (f"{self.read(compared)}_{x}" for x in "ab")
        return f"{'floating' if type_ == 'G' else 'integer'}_relations({a},{b})"

    def outcome(self, node: Op) -> tuple[str, str]:
        """Return the two values that a comparison `a?b` leaves in a condition code (integers signed)."""
        if node.op == "SEL":
            condition, pairs = self.condition(selector(node)), [self._pair(arg) for arg in node.args[1:]]
            a, b = (f"({first} if {condition} else {second})" for first, second in zip(*pairs, strict=True))
            return a, b
        left, right = node.args
        type_ = left.type or right.type or self.word
        if type_ in "FD":
            return self.value(left, type_), self.value(right, type_)
        return self.signed(left, type_), self.signed(right, type_)

    def _pair(self, node: Expr) -> tuple[str, str]:
        """Return the two values of a condition code or of a comparison."""
        if isinstance(node, Op):
            return self.outcome(node)
        assert isinstance(node, Register)
        name = self.read(node)
        return f"{name}_a", f"{name}_b"

    # ------------------------------------------------------------------------------------------- memory

    def address(self, node: Expr) -> str:
        """Return Python text for an address, as an index that `pages` may be asked for."""
        if self.word == "L" and type(node) is Op and node.op == "+" and node.args[0].type == "L":
            offset = self.constant(node.args[1])
            if offset is not None and -_FAR <= offset < _FAR:
                return f"({self.value(node.args[0])}{offset:+d})"  # `pages` is mirrored, so it need not be reduced
        return self.value(node, self.word)

    def load(self, node: Mem) -> str:
        """Return Python text that reads memory."""
        type_, address = node.type, self.address(node.address)
        self.accesses.append((address, SIZE[type_], False))
        name, first = address, address
        if not address.isidentifier():
            name = self.temporary()
            first = f"({name}:={address})"
        low = self.machine.layout.page - 1
        if self.machine.misaligned or type_ == "B":
            if type_ == "B":
                return f"pages[{first}>>{self.shift}][{name}&{low}]"
            return f"u_{type_}(pages[{first}>>{self.shift}],{name}&{low})[0]"
        text = f"u_{type_}(pages[{name}>>{self.shift}],{name}&{low})[0]"
        return f"(misaligned({name},{SIZE[type_]}) if {first}&{SIZE[type_] - 1} else {text})"

    def store(self, type_: str, address: str, value: str) -> list[str]:
        """Return statements that write memory."""
        self.accesses.append((address, SIZE[type_], True))
        low, lines = self.machine.layout.page - 1, []
        name = address
        checked = not self.machine.misaligned and type_ != "B"
        if checked and not value.isidentifier():  # reads come before the check
            lines.append(f"{self.temporary()}={value}")
            value = f"t{self.temporaries}"
        if not address.isidentifier():
            name = self.temporary()
            lines.append(f"{name}={address}")
        if type_ == "B":
            return [*lines, f"pages[{name}>>{self.shift}][{name}&{low}]={value}"]
        if checked:
            lines.append(f"if {name}&{SIZE[type_] - 1}: misaligned({name},{SIZE[type_]},True)")
        return [*lines, f"p_{type_}(pages[{name}>>{self.shift}],{name}&{low},{value})"]

    def stored(self, source: Expr, type_: str) -> str:
        """Return Python text for what a store of `type_` writes: it truncates."""
        text = self.value(source, type_)
        if type_ in MASK and (source.type or type_) in MASK and BITS[source.type or type_] > BITS[type_]:
            return f"({text}&{MASK[type_]})"
        return text


def _integer_relation(op: str, a: str, b: str) -> str:
    """Negated relations mean their opposites: integers are always ordered."""
    opposites = {"!<": ">=", "!<=": ">", "!>": "<=", "!>=": "<"}
    return f"{a}{opposites.get(op, op)}{b}"


def _float_relation(op: str, a: str, b: str) -> str:
    if op in _PYTHON_RELATION:
        return f"{a}{op}{b}"
    return f"not {a}{op[1:]}{b}"


# ----------------------------------------------------------------------------------------------------------------------
# Where registers are in the Python code that the interpreter runs, and the statements that read and write them.


Key = tuple[str, int, str]  # a register: bank, index, '' or which version of a pseudo-register


class RegisterCode:
    """The registers of one function; `current` tells which of them the segment being written holds in Python locals."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.banks = widest_views(machine)
        self.private = {key: number for number, key in enumerate(machine.private_registers())}
        self.pseudos: dict[Key, int] = {}
        self.current: dict[Key, tuple[str, str]] = {}

    def _bank(self, register: Register) -> str:
        cls = self.machine.classes.get(register.cls)
        return cls.bank if cls is not None and cls.width == 1 else register.cls

    def _is_pair(self, register: Register) -> bool:
        cls = self.machine.classes.get(register.cls)
        return not register.pseudo and cls is not None and cls.width > 1

    def _halves(self, register: Register) -> tuple[list[Register], str]:
        """Return the registers of a pair as integers, the more significant first, and their type."""
        storage = self.machine.storage(register)
        type_ = INTEGER_OF[BITS[self.machine.classes[storage[0][0]].type]]
        halves = [Register(bank, index, type_) for bank, index in storage]
        return halves if self.machine.big_endian else halves[::-1], type_

    def _key(self, register: Register) -> Key:
        version = f"t{register.version}_" if register.version else "t"
        return self._bank(register), register.index, version if register.pseudo else ""

    def home(self, register: Register) -> str:
        """Return the place where a register is kept between segments."""
        return self._home(self._key(register))

    def _home(self, key: Key) -> str:
        bank, index, pseudo = key
        if (bank, index) in self.private:
            return f"W[{self.private[bank, index]}]"
        if pseudo:
            return f"P[{self.pseudos.setdefault(key, len(self.pseudos))}]"
        return f"v_{bank}_{index}"

    def read(self, register: Register) -> str:
        """Return the expression of what a register holds at this place."""
        if register in self.machine.zero:
            return "0.0" if register.type in "FD" else "0"
        if self._is_pair(register):
            halves, type_ = self._halves(register)
            return join([self.read(half) for half in halves], type_, register.type)
        key = self._key(register)
        if register.type in "CG":
            return self.current[key][1] if key in self.current else self._home(key)
        held, name = self.current.get(key) or (self.banks.get(key[0], register.type), self._home(key))
        return convert_view(name, held, register.type)

    def write(self, register: Register, value: str, temporary: Callable[[], str]) -> list[str]:
        """Return the statements that write a register, or a condition code whose two numbers begin with `value`."""
        if register.type in "CG":
            key = self._key(register)
            name = f"w_{key[0]}_{key[1]}"
            self.current[key] = (register.type, name)
            return [f"{name}_a={value}_a;{name}_b={value}_b"]
        return self._assign(register, value, temporary)

    def _assign(self, register: Register, value: str, temporary: Callable[[], str]) -> list[str]:
        if register in self.machine.zero:
            return [value]
        if self._is_pair(register):
            halves, type_ = self._halves(register)
            name = temporary()
            values = split(name, register.type, type_)
            writes = [self._assign(half, text, temporary) for half, text in zip(halves, values, strict=True)]
            return [f"{name}={value}", *(line for lines in writes for line in lines)]
        key = self._key(register)
        name = f"w_{key[0]}_{key[2]}{key[1]}"
        self.current[key] = (register.type, name)
        return [f"{name}={value}"]

    def flush(self) -> list[str]:
        """Return the statements that bring what the segment wrote to where it is kept."""
        lines = []
        for key, (held, name) in self.current.items():
            if held in "CG":
                home = self._home(key)
                lines.append(f"{home}_a={name}_a;{home}_b={name}_b")
            else:
                lines.append(f"{self._home(key)}={convert_view(name, held, self.banks.get(key[0], held))}")
        return lines

    def globals(self) -> list[str]:
        """Return the declaration of the module variables that the segment writes."""
        names: list[str] = []
        for key, (held, _) in self.current.items():
            if not key[2] and key[:2] not in self.private:
                home = self._home(key)
                names += [f"{home}_a", f"{home}_b"] if held in "CG" else [home]
        return [f"global {','.join(names)}"] if names else []

    def write_cell(self, bank: str, index: int) -> str:
        """Return the local variable to which the segment writes a register of the machine, with the type of its bank."""
        name = f"w_{bank}_{index}"
        self.current[bank, index, ""] = (self.banks[bank], name)
        return name

    def zeros(self) -> str:
        """Return what the list of pseudo-registers holds when a function is entered."""
        return ",".join("0.0" if self.banks.get(bank) in ("F", "D") else "0" for bank, *_ in self.pseudos)
