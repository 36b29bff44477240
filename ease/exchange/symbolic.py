"""What an instruction does, as terms: its statements, executed with fields and registers that have no value yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from ease.exchange.terms import Term, concat, const, extend, extract, ite, make, repeat
from ease.exchange.trees import (
    Assignment,
    Binary,
    CallOf,
    Cast,
    Choice,
    Concatenation,
    Declaration,
    Do,
    Expression,
    For,
    If,
    Index,
    Instruction,
    Name,
    Number,
    Repetition,
    Slice,
    Statement,
    Unary,
    Unsayable,
)

ROUNDS = 300  # of loops in one instruction
PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
RAISING = ("raise", "raise_precise", "unreachable", "unpredictable")


@dataclass(frozen=True, slots=True)
class Typed:
    """A term with the sign of its type; `flexible` numbers have no width of their own."""

    term: Term
    signed: bool = False
    flexible: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """So many bits that are written to memory."""

    bits: int
    address: Term
    value: Term


@dataclass
class State:
    """What was executed so far; registers are known by the terms of their numbers."""

    variables: dict[str, Typed] = field(default_factory=dict)
    registers: dict[Term, Term] = field(default_factory=dict)
    stores: list[Store] = field(default_factory=list)
    taken: Term = field(default_factory=lambda: const(0, 1))
    target: Term | None = None
    illegal: bool = False  # this way raises an exception

    def copy(self) -> State:
        """Return the same state, to go on with apart."""
        return replace(self, variables=dict(self.variables), registers=dict(self.registers), stores=list(self.stores))


@dataclass(frozen=True)
class Meaning:
    """What an instruction does: registers set, stores, and where control goes if `taken`."""

    registers: dict[Term, Term]
    stores: list[Store]
    taken: Term
    target: Term | None
    excluded: list[Term]  # conditions on fields under which it is no such instruction


def meaning(instruction: Instruction, word: int) -> Meaning:
    """Return what an instruction does on a machine with words of so many bits.  Raises Unsayable."""
    run = _Run(instruction, word)
    run.block(instruction.body)
    state = run.state
    if state.illegal:
        raise Unsayable("it is illegal on this machine")
    return Meaning(state.registers, state.stores, state.taken, state.target, run.excluded)


class _Run:
    """Executes statements."""

    def __init__(self, instruction: Instruction, word: int) -> None:
        self.instruction, self.word, self.exact = instruction, word, instruction.exact
        self.state = State()
        self.excluded: list[Term] = []
        self.rounds = 0

    # ----------------------------------------------------------------------------------------------- statements

    def block(self, statements: Iterable[Statement]) -> None:
        """Execute statements."""
        for statement in statements:
            if not self.state.illegal:
                self.statement(statement)

    def statement(self, statement: Statement) -> None:
        """Execute one."""
        match statement:
            case Declaration():
                self.declare(statement)
            case Assignment():
                self.assign(statement.target, self.value(statement.value))
            case If():
                self.choose(statement)
            case For():
                self.loop(statement)
            case Do():
                self.call(statement.call)

    def declare(self, statement: Declaration) -> None:
        """Make a variable."""
        width = 1 if statement.width is None else self.number(statement.width)
        value = Typed(const(0, width)) if statement.value is None else self.value(statement.value)
        fitted = self.fit(value, width) if statement.width is not None else self.truth_of(value)
        self.state.variables[statement.name] = Typed(fitted, statement.signed)

    def assign(self, target: Expression, value: Typed) -> None:
        """Set a variable, some of its bits, a register, memory or the program counter."""
        match target:
            case Name("$pc" | "PC"):
                self.jump(value)
            case Name(name) if name in self.state.variables:
                old = self.state.variables[name]
                self.state.variables[name] = Typed(self.fit(value, old.term.width), old.signed)
            case Name(name) if self.instruction.variable(name):
                raise Unsayable(f"it changes its field {name}")
            case Name(name):
                raise Unsayable(f"it sets '{name}', which is no variable and no register")
            case Index(Name("X"), index):
                self.state.registers[self.register(index)] = self.fit(value, self.word)
            case Index(Name("MEM"), index):
                self.state.stores.append(Store(8, self.fit(self.value(index), self.word), self.fit(value, 8)))
            case Slice(Name("MEM"), high, low):
                bits = 8 * self.distance(high, low)
                self.state.stores.append(Store(bits, self.fit(self.value(low), self.word), self.fit(value, bits)))
            case Index(Name(name), index) if name in self.state.variables:
                self.set_bits(name, self.number(index), self.number(index), value)
            case Slice(Name(name), high, low) if name in self.state.variables:
                self.set_bits(name, self.number(high), self.number(low), value)
            case _:
                raise Unsayable(f"it sets {_called(target)}")

    def set_bits(self, name: str, high: int, low: int, value: Typed) -> None:
        """Set some bits of a variable."""
        old = self.state.variables[name]
        width = old.term.width
        if not 0 <= low <= high < width:
            raise Unsayable(f"it sets bits {high} to {low} of {name}, which has {width}")
        result = self.fit(value, high - low + 1)
        if low:
            result = concat(result, extract(old.term, low - 1, 0))
        if high < width - 1:
            result = concat(extract(old.term, width - 1, high + 1), result)
        self.state.variables[name] = Typed(result, old.signed)

    def jump(self, value: Typed) -> None:
        """Go to an address."""
        if self.state.target is not None:
            raise Unsayable("it goes to several places")
        self.state.taken, self.state.target = const(1, 1), self.fit(value, self.word)

    def choose(self, statement: If) -> None:
        """Execute both ways, and bring together what they did."""
        condition = self.truth(statement.condition)
        if condition.is_const:
            self.block(statement.yes if condition.value else statement.no)
            return
        before = self.state
        self.state = before.copy()
        self.block(statement.yes)
        yes = self.state
        self.state = before.copy()
        self.block(statement.no)
        no = self.state
        self.state = self.joined(condition, yes, no)

    def joined(self, condition: Term, yes: State, no: State) -> State:
        """Return what was done on either way."""
        if yes.illegal or no.illegal:
            if is_of_fields(condition):
                self.excluded.append(condition if yes.illegal else make("not", 1, condition))
            elif depends_on(condition, "reg") or depends_on(condition, "load"):
                raise Unsayable("it raises an exception for some operands")  # else for targets that are no instructions
            return no if yes.illegal else yes
        spared = unless_zero(condition)
        if spared is not None and yes.registers.keys() - no.registers.keys() == {spared} and yes.stores == no.stores:
            return yes  # register 0 is 0 all the same
        if yes.stores != no.stores:
            raise Unsayable("a store depends on a condition")
        result = yes.copy()
        names = yes.variables.keys() & no.variables.keys()
        result.variables = {
            name: Typed(ite(condition, yes.variables[name].term, no.variables[name].term), yes.variables[name].signed)
            for name in names
        }
        keys = dict.fromkeys([*yes.registers, *no.registers])
        result.registers = {key: ite(condition, self.held(yes, key), self.held(no, key)) for key in keys}
        result.taken = ite(condition, yes.taken, no.taken)
        if yes.target is not None and no.target is not None:
            result.target = ite(condition, yes.target, no.target)
        else:
            result.target = no.target if yes.target is None else yes.target
        return result

    def held(self, state: State, key: Term) -> Term:
        """Return what a register holds."""
        return state.registers.get(key, Term("reg", self.word, (key,)))

    def loop(self, statement: For) -> None:
        """Execute a loop whose condition is known each time."""
        if statement.begin is not None:
            self.statement(statement.begin)
        while True:
            condition = self.truth(statement.condition)
            if not condition.is_const:
                raise Unsayable("a loop ends by its operands")
            if not condition.value:
                return
            self.rounds += 1
            if self.rounds > ROUNDS:
                raise Unsayable("a loop does not end soon")
            self.block(statement.body)
            self.statement(statement.step)

    def call(self, call: CallOf) -> None:
        """Execute a function for its effect."""
        match call.name:
            case name if name in RAISING:
                self.state.illegal = True
            case "jump" | "jump_halfword":
                self.jump(self.value(call.arguments[0]))
            case "write_memory" | "write_memory_aligned":
                self.store(self.number(call.template[0]), *call.arguments[:2])
            case "write_memory_xlen":
                self.store(self.word, *call.arguments[:2])
            case "set_tval":
                pass
            case _:
                raise Unsayable(f"{_called(call)} is no effect that RTLs have")

    def store(self, bits: int, address: Expression, value: Expression) -> None:
        """Write to memory."""
        place = self.fit(self.value(address), self.word)
        self.state.stores.append(Store(bits, place, self.fit(self.value(value), bits)))

    # ---------------------------------------------------------------------------------------------- expressions

    def fit(self, value: Typed, width: int) -> Term:
        """Return a value with so many bits."""
        return extend(value.term, width, value.signed)

    def number(self, node: Expression) -> int:
        """Return a number that must be known."""
        term = self.value(node).term
        if not term.is_const:
            raise Unsayable(f"{_called(node)} is no constant")
        return term.value

    def distance(self, high: Expression, low: Expression) -> int:
        """Return how many cells there are between two addresses."""
        first, last = self.fit(self.value(low), self.word), self.fit(self.value(high), self.word)
        difference = make("sub", self.word, last, first)
        if not difference.is_const and last.op == "add" and last.args[0] == first:
            difference = last.args[1]
        if not difference.is_const and last.op == first.op == "add" and last.args[0] == first.args[0]:
            difference = make("sub", self.word, last.args[1], first.args[1])
        if not difference.is_const:
            raise Unsayable("how much memory it refers to is not known")
        return difference.value + 1

    def truth(self, node: Expression) -> Term:
        """Return whether a condition holds, as one bit."""
        return self.truth_of(self.value(node))

    def truth_of(self, value: Typed) -> Term:
        """Return whether a value is not 0."""
        term = value.term
        return term if term.width == 1 else make("not", 1, make("eq", 1, term, const(0, term.width)))

    def register(self, index: Expression) -> Term:
        """Return the number of a register: a field, perhaps with a constant added, or a constant."""
        term = extend(self.value(index).term, 8, False)
        if not is_of_fields(term):
            raise Unsayable("which register it means depends on a register")
        return term

    def value(self, node: Expression) -> Typed:
        """Return the value of an expression."""
        match node:
            case Number():
                width = self.word if node.of_word else node.width
                flexible = width is None and not self.exact
                if width is None:
                    least = max(1, node.value.bit_length())
                    width = least if self.exact else max(self.word, least)
                return Typed(const(node.value, width), node.signed, flexible)
            case Name():
                return self.named(node.name)
            case Index(Name("X"), index):
                return Typed(self.held(self.state, self.register(index)))
            case Index(Name("MEM"), index):
                return Typed(Term("load", 8, (self.fit(self.value(index), self.word),)))
            case Slice(Name("MEM"), high, low):
                return Typed(Term("load", 8 * self.distance(high, low), (self.fit(self.value(low), self.word),)))
            case Index() | Slice():
                return self.bits(node)
            case Unary():
                return self.unary(node)
            case Binary():
                return self.binary(node)
            case Choice():
                return self.choice(node)
            case Concatenation():
                return Typed(self.concatenated(node.parts))
            case Repetition():
                return Typed(repeat(self.number(node.times), self.narrow(node.part)))
            case Cast():
                value = self.value(node.operand)
                width = value.term.width if node.width is None else self.number(node.width)
                return Typed(self.fit(value, width), node.signed)
            case CallOf():
                return self.called(node)

    def narrow(self, node: Expression) -> Term:
        """Return a part of a concatenation: numbers are as wide as they must be."""
        if isinstance(node, Number) and node.width is None and not node.of_word:
            return const(node.value, max(1, node.value.bit_length()))
        return self.value(node).term

    def concatenated(self, parts: tuple[Expression, ...]) -> Term:
        """Return values side by side."""
        result = self.narrow(parts[-1])
        for part in reversed(parts[:-1]):
            result = concat(self.narrow(part), result)
        return result

    def named(self, name: str) -> Typed:
        """Return a variable, a field or a parameter of the machine."""
        if name in self.state.variables:
            return self.state.variables[name]
        variable = self.instruction.variable(name)
        if variable is not None:
            term = Term("field", variable.bits, name=name)
            return Typed(concat(term, const(0, variable.shift)) if variable.shift else term, variable.signed)
        if name in ("MXLEN", "XLEN"):
            return Typed(const(self.word, 8), flexible=not self.exact)
        if name in self.instruction.parameters:
            value = self.instruction.parameters[name]
            return Typed(const(value, max(1, value.bit_length())))
        if name in ("$pc", "PC"):
            return Typed(Term("pc", self.word))
        raise Unsayable(f"'{name}' is not known")

    def bits(self, node: Index | Slice) -> Typed:
        """Return some bits of a value."""
        base = self.value(node.base)
        if isinstance(node, Slice):
            high, low = self.number(node.high), self.number(node.low)
        else:
            index = self.value(node.index).term
            if not index.is_const:
                return Typed(extract(self.shift("shr", base.term, index), 0, 0))
            high = low = index.value
        if not 0 <= low <= high:
            raise Unsayable(f"bits {high} to {low} are none")
        return Typed(extract(extend(base.term, max(high + 1, base.term.width), base.signed), high, low))

    def unary(self, node: Unary) -> Typed:
        """Return a value with one operator."""
        value = self.value(node.operand)
        term = value.term
        if node.op == "!":
            return Typed(make("not", 1, self.truth_of(value)))
        if node.op == "-" and self.exact:
            return Typed(make("neg", term.width + 1, extend(term, term.width + 1, value.signed)), True)
        return Typed(make("neg" if node.op == "-" else "not", term.width, term), value.signed, value.flexible)

    def choice(self, node: Choice) -> Typed:
        """Return one of two values."""
        condition = self.truth(node.condition)
        if condition.is_const:
            return self.value(node.yes if condition.value else node.no)
        yes, no = self.value(node.yes), self.value(node.no)
        width = max(yes.term.width, no.term.width)
        return Typed(ite(condition, self.fit(yes, width), self.fit(no, width)), yes.signed and no.signed)

    def binary(self, node: Binary) -> Typed:
        """Return a value with an operator of two."""
        if node.op in ("&&", "||"):
            left = self.truth(node.left)
            if left.is_const and bool(left.value) == (node.op == "||"):
                return Typed(left)
            return Typed(make("and" if node.op == "&&" else "or", 1, left, self.truth(node.right)))
        a, b = self.value(node.left), self.value(node.right)
        if node.op in ("<<", ">>", ">>>", "`<<"):
            return self.shifted(node.op, a, b)
        if node.op in ("==", "!=", "<", "<=", ">", ">="):
            return Typed(self.related(node.op, a, b))
        return self.computed(node.op, a, b)

    def shifted(self, op: str, a: Typed, b: Typed) -> Typed:
        """Return a shifted value."""
        if op == "`<<":
            if not b.term.is_const:
                raise Unsayable("how far it widens is no constant")
            return Typed(concat(a.term, const(0, b.term.value)), a.signed) if b.term.value else a
        arithmetic = op == ">>>" or (op == ">>" and self.exact and a.signed)
        kind = "shl" if op == "<<" else "sar" if arithmetic else "shr"
        return Typed(self.shift(kind, a.term, b.term), a.signed)

    def shift(self, kind: str, a: Term, b: Term) -> Term:
        """Return a term shifted by another one, which may be more than its width."""
        if b.is_const and kind == "shr" and b.value < a.width:
            return extend(extract(a, a.width - 1, b.value), a.width, False)
        if b.is_const and kind == "sar" and b.value < a.width:
            return extend(extract(a, a.width - 1, b.value), a.width, True)
        return make(kind, a.width, a, b)

    def related(self, op: str, a: Typed, b: Typed) -> Term:
        """Return whether a relation holds, as one bit."""
        width, signed = self.common(a, b)
        left, right = self.fit(a, width), self.fit(b, width)
        if op in ("==", "!="):
            result = make("eq", 1, left, right)
            return result if op == "==" else make("not", 1, result)
        if op in (">", "<="):
            left, right = right, left
        result = make("lts" if signed else "ltu", 1, left, right)
        return result if op in ("<", ">") else make("not", 1, result)

    def common(self, a: Typed, b: Typed) -> tuple[int, bool]:
        """Return the width and the sign of what has room for two values."""
        width = max(a.term.width, b.term.width)
        if not self.exact:
            return width, a.signed and b.signed
        unsigned = max((each.term.width for each in (a, b) if not each.signed), default=0)
        return (max(width, unsigned + 1), True) if a.signed or b.signed else (width, False)

    def computed(self, op: str, a: Typed, b: Typed) -> Typed:
        """Return a sum, a product, a quotient or bits that are combined."""
        width, signed = self.common(a, b)
        plain = op.removeprefix("`")
        if plain in "+-" and (self.exact or op != plain):
            width += 1
        if plain == "*" and (self.exact or op != plain):
            width = a.term.width + b.term.width if self.exact else 2 * width
        if self.exact and plain in "&|^":
            width = max(a.term.width, b.term.width)
        left, right = self.fit(a, width), self.fit(b, width)
        signed = signed or (self.exact and plain == "-")
        if plain in PLAIN:
            return Typed(make(PLAIN[plain], width, left, right), signed, a.flexible and b.flexible)
        kind = {"/": "div", "%": "rem"}[plain]
        return Typed(make(kind + ("s" if signed else "u"), width, left, right), signed)

    def called(self, node: CallOf) -> Typed:
        """Return the value of a function."""
        known = FUNCTIONS.get(node.name)
        if known is not None:
            return known(self, node)
        raise Unsayable(f"{_called(node)} is not known")


# ----------------------------------------------------------------------------------------------------------------------
# Functions that sources use.


def unless_zero(condition: Term) -> Term | None:
    """Return the number of the register of which a condition says that it is not 0."""
    if condition.op == "not" and condition.args[0].op == "eq":
        field, zero = condition.args[0].args
        if field.op == "field" and zero.is_const and not zero.value:
            return extend(field, 8, False)
    return None


def _extended(run: _Run, node: CallOf) -> Typed:
    value = run.value(node.arguments[0])
    if node.template:
        bits, width = (run.number(each) for each in node.template[:2])
    else:
        length = run.value(node.arguments[1]).term
        if not length.is_const:
            return _extended_by_operand(run, value, length)
        bits, width = length.value, max(run.word, value.term.width)
    return Typed(extend(extend(value.term, bits, value.signed), width, True))


def _extended_by_operand(run: _Run, value: Typed, bits: Term) -> Typed:
    """Return a value whose sign is in the bit that a field says: shifted to the left and back."""
    wide = run.fit(value, run.word)
    by = make("sub", run.word, const(run.word, run.word), extend(bits, run.word, False))
    return Typed(run.shift("sar", run.shift("shl", wide, by), by), True)


def _read(run: _Run, node: CallOf) -> Typed:
    if run.state.stores:
        raise Unsayable("it reads memory that it has written to")
    bits = run.number(node.template[0]) if node.template else run.word
    return Typed(Term("load", bits, (run.fit(run.value(node.arguments[0]), run.word),)))


def _short_register(run: _Run, node: CallOf) -> Typed:
    return Typed(concat(const(1, 2), extend(run.value(node.arguments[0]).term, 3, False)))


def _highest(run: _Run, node: CallOf) -> Typed:
    term = run.fit(run.value(node.arguments[0]), run.word)
    return Typed(make("sub", run.word, const(run.word - 1, run.word), make("clz", run.word, term)), True)


def _lowest(run: _Run, node: CallOf) -> Typed:
    value = run.value(node.arguments[0]).term
    return Typed(make("ctz", run.word, extend(value, run.word, False)))


FUNCTIONS: dict[str, Callable[[_Run, CallOf], Typed]] = {
    "sext": _extended,
    "read_memory": _read,
    "read_memory_aligned": _read,
    "read_memory_xlen": _read,
    "creg2reg": _short_register,
    "highest_set_bit": _highest,
    "lowest_set_bit": _lowest,
    "xlen": lambda run, _: Typed(const(run.word, 8), flexible=not run.exact),
    "implemented?": lambda _, __: Typed(const(0, 1)),
    "mode": lambda _, __: Typed(const(0, 3)),
}


def is_of_fields(term: Term) -> bool:
    """Whether a term consists of fields and numbers alone."""
    return term.op not in ("reg", "load", "pc") and all(map(is_of_fields, term.args))


def depends_on(term: Term, op: str) -> bool:
    """Whether an operator stands in a term."""
    return term.op == op or any(depends_on(arg, op) for arg in term.args)


def _called(node: Expression) -> str:
    match node:
        case Name(name):
            return f"'{name}'"
        case CallOf(name, _, arguments) if name.startswith("."):
            return f"{_called(arguments[0])[:-1]}{name}'" if _called(arguments[0]).endswith("'") else f"'{name[1:]}'"
        case CallOf(name):
            return f"'{name}()'" if "::" not in name else f"'{name}'"
        case Index(base, Name(name)):
            return f"'{_called(base).strip(chr(39))}[{name}]'"
        case Index(base) | Slice(base):
            return f"'{_called(base).strip(chr(39))}[...]'"
    return "an expression"
