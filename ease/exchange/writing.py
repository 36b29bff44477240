"""Terms as RTL text: each value in the narrowest type that has room for it, extended where its higher bits matter."""

from __future__ import annotations

from ease.exchange.symbolic import Meaning
from ease.exchange.terms import Term, extend, make, mask, maximum, signed_value
from ease.exchange.trees import Instruction, Unsayable
from vpo.rtl import BITS

TYPES = {8: "B", 16: "W", 32: "L", 64: "Q"}
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
COUNTING = ("clz", "ctz", "popcount")
COMPACT = 3  # bits of a field that names some of the registers, from one on
NEGATED = {"==": "!=", "<": ">=", "<u": ">=u"}
RELATIONS = {"eq": "==", "lts": "<", "ltu": "<u"}


class Writer:
    """Writes the terms of one instruction; notes how it uses its fields."""

    def __init__(self, instruction: Instruction, word: int, cell: str) -> None:
        self.instruction, self.word, self.cell = instruction, TYPES[word], cell
        self.signs: dict[str, set[bool]] = {}  # of fields that are numbers
        self.registers: dict[str, int] = {}  # fields that are registers, and what is added to them
        self.beside: dict[str, str] = {}  # registers beside these, which no field names, and the field that tells them
        self.labels: set[str] = set()

    # -------------------------------------------------------------------------------------------------- effects

    def rtl(self, meaning: Meaning) -> str:
        """Return the RTL.  Raises Unsayable."""
        effects = []
        link = self.linked(meaning)
        for register, value in meaning.registers.items():
            if register is not link:
                effects.append(f"{self.register(register)}={bare(self.low(value, self.word))};")
        for store in meaning.stores:
            address = bare(self.low(store.address, self.word))
            effects.append(f"{self.memory_type(store.bits)}[{address}]={bare(self.stored(store.value))};")
        if meaning.target is not None:
            effects.append(self.transfer(meaning, link is not None))
        if link is not None:
            effects.append(f"{self.register(link)}=NPC;")
        return " ".join(effects) or "NOP;"

    def stored(self, value: Term) -> str:
        """Return what is stored, whose higher bits do not matter."""
        if value.width > BITS[self.word]:
            return self.low(value, carrier(value.width, self.word))
        return self.low(value, self.word)

    def linked(self, meaning: Meaning) -> Term | None:
        """Return the register that receives the address behind a jump."""
        if meaning.target is None or not meaning.taken.is_const:
            return None
        after = make("add", BITS[self.word], Term("pc", BITS[self.word]), Term("const", BITS[self.word], value=self.size))
        return next((register for register, value in meaning.registers.items() if value == after), None)

    @property
    def size(self) -> int:
        """The bytes of the instruction."""
        return self.instruction.bits // 8

    def transfer(self, meaning: Meaning, calls: bool) -> str:
        """Return where control goes."""
        target = meaning.target
        assert target is not None
        if target.op == "ite":
            raise Unsayable("it goes to several places")
        label = self.label(target)
        if label:
            if calls:
                return f"ST={label}();"
            return f"PC={label};" if meaning.taken.is_const else f"PC={self.relation(meaning.taken)},{label};"
        if not meaning.taken.is_const:
            raise Unsayable("a branch to an address that is computed")
        while target.op in ("concat", "and") and target.args[1].is_const:  # that addresses are even
            target = extend(target.args[0].args[0], target.width, False) if target.op == "concat" else target.args[0]
        if target.op == "add" and self.displacement(target.args[1]):
            target = target.args[0]  # of no use to compilers, who compute the address
        if target.op != "reg":
            raise Unsayable("a jump to an address that is computed")
        return f"ST={self.register(target.args[0])}();" if calls else f"PC={self.register(target.args[0])},{{}};"

    def displacement(self, term: Term) -> bool:
        """Whether a term is a field of numbers."""
        return is_field(term.args[0] if term.op in ("sext", "zext") else term)

    def label(self, target: Term) -> str:
        """Return the name of a field that says how far a branch goes."""
        if target.op != "add" or target.args[0].op != "pc":
            return ""
        distance = target.args[1]
        field = distance.args[0] if distance.op == "sext" else distance
        if not is_field(field):
            raise Unsayable("a branch to an address that is computed")
        name = field_name(field)
        self.labels.add(name)
        return name

    # -------------------------------------------------------------------------------------------------- leaves

    def register(self, key: Term) -> str:
        """Return a register by the term of its number."""
        if key.is_const:
            return f"{self.cell}[{key.value}]"
        added = 0
        if key.op == "zext":
            key = key.args[0]
        if key.op == "concat" and key.args[0].is_const:
            added, key = key.args[0].value << key.args[1].width, key.args[1]
        elif key.op == "add" and key.args[1].is_const:
            added, key = key.args[1].value, key.args[0]
        if key.op == "zext":
            key = key.args[0]
        if key.op != "field":
            raise Unsayable("which register it means is computed")
        own = self.registers.setdefault(key.name, 0 if key.width > COMPACT else added)
        if own == added:
            return f"{self.cell}[{key.name}]"
        name = f"{key.name}_{added}"
        self.registers[name], self.beside[name] = added, key.name
        return f"{self.cell}[{name}]"

    def field(self, term: Term, signed: bool) -> str:
        """Return a number from the encoding."""
        name = field_name(term)
        self.signs.setdefault(name, set()).add(signed)
        return name

    def memory_type(self, bits: int) -> str:
        """Return the type of cells of memory."""
        if bits not in TYPES:
            raise Unsayable(f"it refers to {bits} bits of memory")
        return TYPES[bits]

    # -------------------------------------------------------------------------------------------------- values

    def zero(self, term: Term, type_: str) -> str:
        """Return a value of a type whose bits above those of the term are 0."""
        bits = BITS[type_]
        if is_field(term):
            return self.field(term, False)
        match term.op:
            case "const":
                return str(signed_value(term.value, bits) if term.width == bits else term.value)
            case "zext":
                return self.zero(term.args[0], type_)
            case "reg":
                return self.converted(self.register(term.args[0]), self.word, type_, "zx")
            case "load":
                address = bare(self.low(term.args[0], self.word))
                cell = self.memory_type(term.width)
                return self.converted(f"{cell}[{address}]", cell, type_, "zx")
            case "ite":
                yes, no = (bare(self.zero(arg, type_)) for arg in term.args[1:])
                return f"SEL({self.relation(term.args[0])},{yes},{no})"
            case "eq" | "lts" | "ltu":
                return f"({self.relation(term)})"
            case "not" if term.width == 1:
                return f"({self.relation(term)})"
            case "and" | "or" | "xor":
                a, b = (self.zero(arg, type_) for arg in term.args)
                return f"({a}{OPERATORS[term.op]}{b})"
            case "extract":
                return self.extracted(term, type_)
            case "concat":
                upper, lower = (self.zero(arg, type_) for arg in term.args)
                return f"(({upper}<<{term.args[1].width})|{lower})"
            case "shr":
                return self.shifted(">>u", term, self.zero(term.args[0], type_), type_)
            case "divu" | "remu":
                a, b = (self.zero(arg, type_) for arg in term.args)
                return f"({a}{'/u' if term.op == 'divu' else '%u'}{b})"
        return self.limited(term, type_)

    def limited(self, term: Term, type_: str) -> str:
        """Return a value whose higher bits, which are not 0 by themselves, are made 0."""
        if term.width == BITS[type_]:
            return self.low(term, type_)
        exact = TYPES.get(term.width)
        if exact:
            return self.converted(self.low(term, exact), exact, type_, "zx")
        return f"({self.low(term, type_)}&{mask(term.width)})"

    def low(self, term: Term, type_: str) -> str:
        """Return a value of a type, at least as wide as the term, whose bits above those of the term may be anything."""
        bits = BITS[type_]
        match term.op:
            case "const":
                return str(signed_value(term.value, term.width))
            case "add" | "sub" | "mul" | "and" | "or" | "xor":
                a, b = (self.low(arg, type_) for arg in term.args)
                return f"({a}{OPERATORS[term.op]}{b})"
            case "not" if term.width > 1:
                return f"not({bare(self.low(term.args[0], type_))})"
            case "neg":
                return f"neg({bare(self.low(term.args[0], type_))})"
            case "shl":
                return self.shifted("<<", term, self.low(term.args[0], type_), type_)
            case "sext":
                return self.signed(term, type_)
            case "sar":
                return self.shifted(">>", term, self.signed(term.args[0], type_), type_)
            case "divs" | "rems":
                a, b = (self.signed(arg, type_) for arg in term.args)
                return f"({a}{'/' if term.op == 'divs' else '%'}{b})"
            case "ite":
                yes, no = (bare(self.low(arg, type_)) for arg in term.args[1:])
                return f"SEL({self.relation(term.args[0])},{yes},{no})"
            case "extract" if term.value == 0 and carrier(term.args[0].width, self.word) == type_:
                return self.low(term.args[0], type_)
            case "concat" if term.args[1].is_const and term.args[1].value == 0 and not is_field(term):
                return f"({self.low(term.args[0], type_)}<<{term.args[1].width})"
            case op if op in COUNTING:
                inner = carrier(term.args[0].width, self.word)
                if BITS[inner] != term.args[0].width:
                    raise Unsayable(f"it counts the bits of a value of {term.args[0].width}")
                text = f"{op}({bare(self.low(term.args[0], inner))})"
                return self.converted(text, inner, type_, "zx") if inner != type_ else text
            case "pc" if bits == BITS[self.word]:
                return f"(NPC+-{self.size})"
        return self.zero(term, type_)

    def signed(self, term: Term, type_: str) -> str:
        """Return a value of a type with the sign of the term."""
        if is_field(term):
            return self.field(term, True)
        match term.op:
            case "const":
                return str(signed_value(term.value, term.width))
            case "sext":
                return self.signed(term.args[0], type_)
            case "zext":
                return self.zero(term.args[0], type_)
            case "ite":
                yes, no = (bare(self.signed(arg, type_)) for arg in term.args[1:])
                return f"SEL({self.relation(term.args[0])},{yes},{no})"
            case "load":
                address = bare(self.low(term.args[0], self.word))
                cell = self.memory_type(term.width)
                return self.converted(f"{cell}[{address}]", cell, type_, "sx")
        if term.width == BITS[type_]:
            return self.low(term, type_)
        exact = TYPES.get(term.width)
        if exact:
            return self.converted(self.narrow(term, exact), exact, type_, "sx")
        by = BITS[type_] - term.width
        return f"(({self.low(term, type_)}<<{by})>>{by})"

    def narrow(self, term: Term, exact: str) -> str:
        """Return a term of exactly the bits of a type."""
        if term.op == "extract":
            inner = term.args[0]
            held = carrier(inner.width, self.word)
            text = f"({self.zero(inner, held)}>>u{term.value})" if term.value else self.low(inner, held)
            return self.converted(text, held, exact, "")
        return self.low(term, exact)

    def extracted(self, term: Term, type_: str) -> str:
        """Return some bits of a value."""
        (inner,) = term.args
        held = carrier(inner.width, self.word)
        exact = TYPES.get(term.width)
        if exact and exact != held:
            return self.converted(self.narrow(term, exact), exact, type_, "zx")
        text = f"({self.zero(inner, held)}>>u{term.value})" if term.value else self.low(inner, held)
        if term.value + term.width < inner.width or (not term.value and term.width < inner.width):
            text = f"({text}&{mask(term.width)})"
        return self.converted(text, held, type_, "zx")

    def converted(self, text: str, held: str, type_: str, how: str) -> str:
        """Return a value of another type."""
        if held == type_:
            return text
        return f"{how}{type_}({bare(text)})" if BITS[type_] > BITS[held] else f"tr{type_}({bare(text)})"

    def shifted(self, op: str, term: Term, left: str, type_: str) -> str:
        """Return a shifted value; distances of the width of the term and more leave nothing, or the sign."""
        distance, bits = term.args[1], BITS[type_]
        if op == "<<" and distance.is_const:
            return f"({left}<<{distance.value})"
        by = distance.args[0] if distance.op == "zext" else distance
        text = self.zero(distance, self.word) if distance.width <= BITS[self.word] else self.zero(distance, "Q")
        if by.op == "extract" and by.value == 0 and mask(by.width) + 1 == bits:  # the machine takes it modulo the width
            text = self.low(by.args[0], carrier(by.args[0].width, self.word))
        shifted = f"({left}{op}{text})"
        if maximum(distance) < bits:
            return shifted
        beyond = f"{left}>>{bits - 1}" if op == ">>" else "0"
        return f"SEL({text}>=u{bits},{beyond},{bare(shifted)})"

    # ----------------------------------------------------------------------------------------------- conditions

    def relation(self, term: Term, negated: bool = False) -> str:
        """Return a condition as a relation."""
        if term.op == "not":
            return self.relation(term.args[0], not negated)
        if term.op in RELATIONS:
            a, b = term.args
            op = RELATIONS[term.op]
            held = carrier(a.width, self.word)
            with_sign = op == "<" or (op == "==" and any(each.op in ("sext", "const") for each in (a, b)))
            read = self.signed if with_sign else self.zero
            return f"{read(a, held)}{NEGATED[op] if negated else op}{read(b, held)}"
        if term.op == "extract" and term.value == term.args[0].width - 1:
            inner = term.args[0]
            return f"{self.signed(inner, carrier(inner.width, self.word))}{'>=' if negated else '<'}0"
        text = self.zero(term, self.word)
        return f"{text}{'==' if negated else '!='}0"


def is_field(term: Term) -> bool:
    """Whether a term is a number from the encoding."""
    return term.op == "field" or (
        term.op == "concat" and term.args[0].op == "field" and term.args[1].is_const and term.args[1].value == 0
    )


def field_name(term: Term) -> str:
    """Return the name of such a field."""
    return term.name or term.args[0].name


def carrier(width: int, word: str) -> str:
    """Return the type that has room for so many bits."""
    if width in TYPES:
        return TYPES[width]
    if width <= BITS[word]:
        return word
    if width <= 64:
        return "Q"
    raise Unsayable(f"it computes with {width} bits")


def bare(text: str) -> str:
    """Return an expression without the parentheses around it."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if place == len(text) - 1 else text
    return text


def condition_text(term: Term) -> str:
    """Return a condition on fields as `when:` has it.  Raises Unsayable."""
    match term.op:
        case "const":
            return str(term.value)
        case "field":
            return term.name
        case "zext" | "sext":
            return condition_text(term.args[0])
        case "not" if term.width == 1:
            return f"not ({condition_text(term.args[0])})"
        case "eq" | "ltu" | "lts":
            a, b = map(condition_text, term.args)
            return f"{a} {'==' if term.op == 'eq' else '<'} {b}"
        case "and" | "or" if term.width == 1:
            a, b = map(condition_text, term.args)
            return f"({a}) {term.op} ({b})"
        case "add":
            a, b = map(condition_text, term.args)
            return f"({a} + {b})"
        case "extract" if term.value == 0:
            return f"({condition_text(term.args[0])} & {mask(term.width)})"
    raise Unsayable("it is an instruction for some of its fields only")
