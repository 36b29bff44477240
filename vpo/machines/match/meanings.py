"""What instructions compute, as expressions of registers and numbers: `likely.py` finds those that compute a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from vpo.machines.match.instantiation import chosen_forms
from vpo.machines.match.meaning import LEAVES, Meaning, Sought, put, unnamed
from vpo.machines.match.pattern import Alternative, OperandForm
from vpo.machines.read.operands import ANY, Operands
from vpo.machines.read.source import Place
from vpo.rtl import (
    BITS,
    COUNTS,
    INTEGER_TYPES,
    NAMED,
    REVERSALS,
    REVERSED,
    Branch,
    Const,
    Expr,
    Half,
    Mem,
    Next,
    Op,
    Register,
    Set,
    Slot,
    Symbol,
    subexpressions,
)
from vpo.text import RegisterVariable, Variable

OPENED = 3  # constants that are left open to see whether others would do
ANYWHERE = Place("", 0, 0)
WHOLE = ("*", "/", "/u", "%", "%u")
COMBINED = 2  # operators in what is compared, which are found as they are written
USUAL = 3  # registers that an instruction reads
REMEMBERED = 20_000  # values that were sought: programs seek the same ones
FUNCTIONS = frozenset(["SEL", "abs", *COUNTS, *REVERSALS, *NAMED])  # operators that are written so
# where what branches decide by goes, addresses of cells, and what is compared
CONDITION, ADDRESS, COMPARED = "PC", "M", "?"
SYMBOL = "symbol"  # the class of what stands for an address that a program names
CELL, STORED = "cell ", "stored "  # what is read of a cell of a type, and what is stored to one


def find_meanings(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return what instructions compute that only compute, if that takes several operators or one that C has none for."""
    alternatives = list(alternatives)
    # what is one operator however it is written is looked for as such
    simple = {(one.name, one.place) for one in alternatives if one.implied and _is_simple(one.effects)}
    alternatives = [one for one in alternatives if one.implied or (one.name, one.place) not in simple]
    return meanings_of(alternatives, operands, value_of)


@dataclass(frozen=True, slots=True, eq=False)
class Double:
    """What an instruction with two results computes; that of the `hard` one is no instruction of its own."""

    hard: Meaning
    easy: Meaning
    targets: tuple[str, str]  # the variables of the registers that they set
    hard_first: bool

    def with_equal(self) -> Iterator[Double]:
        """Yield what the instruction computes with one register for two that it only reads."""
        own = {leaf.name: leaf for leaf in self.easy.leaves}
        read = [leaf for leaf in self.hard.leaves if leaf.name not in self.targets]
        for one, other in combinations(read, 2):
            if one.cls == other.cls and one.name in own and other.name in own:
                hard, easy = self.hard.with_equal(one, other), self.easy.with_equal(own[one.name], own[other.name])
                yield replace(self, hard=hard, easy=easy)

    def of(self, registers: Sequence[Register], half: Callable[[str, int], int]) -> tuple[Expr, Expr]:
        """Return both expressions of registers, which are those of the leaves of the hard one."""
        known = dict(zip([leaf.name for leaf in self.hard.leaves], registers, strict=True))
        return self.hard.of(registers, (), half), self.easy.of([known[leaf.name] for leaf in self.easy.leaves], (), half)


def find_doubles(alternatives: Iterable[Alternative], is_instruction: Callable[[Any], bool]) -> list[Double]:
    """Return what instructions with two results compute of registers, where pairs of instructions do not tell."""
    found = []
    for one in alternatives:
        if len(one.effects) == 2 and not (one.repeated or one.pseudo or one.operands):
            computed = [(effect, what) for effect in one.effects if (what := value_of(effect)) is not None]
            # the harder one is no instruction, and has more operators than the other one has besides extensions
            computed.sort(key=lambda each: (not is_instruction(each[0]), _operators(each[1][2], besides=True)), reverse=True)
            meanings = [_meaning(one, what, {}, {}) for _, what in computed]
            if len(computed) < 2 or None in meanings or _is_high_half(computed[0][1][2]):
                continue
            is_narrow = any(_is_narrow(what[2]) for _, what in computed)
            if is_instruction(computed[0][0]) and not is_narrow:
                continue  # pairs of instructions tell, unless programs compute in more bits than the instruction does
            hard, easy = meanings
            assert hard is not None
            assert easy is not None
            targets, is_first = (computed[0][1][3], computed[1][1][3]), computed[0][0] is one.effects[0]
            doubles = [Double(hard, easy, targets, is_first)]
            if is_narrow:  # either may stand behind the other one
                doubles.append(Double(replace(easy), replace(hard), targets[::-1], not is_first))
            for double in doubles:
                if {leaf.name for leaf in double.easy.leaves} <= {leaf.name for leaf in double.hard.leaves}:
                    found += [double, *double.with_equal()]
    return found


def find_conditions(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return what branches decide by that compute it of integers."""
    branches = [one for one in alternatives if one.effects and isinstance(one.effects[0], Branch)]
    return meanings_of(branches, operands, condition_of)


def find_addresses(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return how instructions that refer to one cell of memory compute its address.

    Of symbols, too, where programs build these of halves: as of registers of the class SYMBOL.
    """
    alternatives, found = list(alternatives), dict[Any, Meaning]()
    meanings = meanings_of(alternatives, operands, _address) if _has_other_addresses(alternatives, operands) else []
    if _are_built_of_halves(alternatives, operands):
        named = [one for one in alternatives if any(form.symbol for own in one.operands.values() for form in operands[own])]
        meanings += filter(_has_symbol, meanings_of(named, operands, _address, symbols=True))
    for meaning in meanings:
        found.setdefault((unnamed(meaning), tuple(map(id, meaning.forms))), meaning)
    return list(found.values())


def _are_built_of_halves(alternatives: Iterable[Alternative], operands: Operands) -> bool:
    """Whether an instruction computes with the low half of an address."""
    patterns: list[Any] = [form.pattern for forms in operands.values() for form in forms if form.pattern is not None]
    patterns += [one.effects[0].source for one in alternatives if len(one.effects) == 1 and isinstance(one.effects[0], Set)]
    return any(isinstance(node, Half) and node.which == "LO" for pattern in patterns for node in subexpressions(pattern))


def _has_symbol(meaning: Meaning) -> bool:
    """Whether an instruction computes with an address that a program names."""
    return any(leaf.cls == SYMBOL for leaf in meaning.leaves)


def find_compared(alternatives: Iterable[Alternative], operands: Operands) -> list[Meaning]:
    """Return what instructions compute that compare it with something and set a condition code."""
    most = {
        name: max((_operators(form.pattern) for form in forms if form.pattern is not None and _only_computes(form)), default=0)
        for name, forms in operands.items()
    }

    def is_large(one: Alternative) -> bool:
        """Whether a comparison may have more operators than are found as they are written."""
        if len(one.effects) != 1 or not _is_comparison(one.effects[0]):
            return False
        sides = [list(subexpressions(side)) for side in one.effects[0].source.args]
        inside = [[most[one.operands[node.name]] for node in nodes if isinstance(node, Variable)] for nodes in sides]
        return any(_operators(nodes[0]) + sum(more) > COMBINED for nodes, more in zip(sides, inside, strict=True))

    compare = list(filter(is_large, alternatives))
    return [meaning for computed in (_compared_left, _compared_right) for meaning in meanings_of(compare, operands, computed)]


def _operators(source: Any, besides: bool = False) -> int:
    """Return the number of operators in an expression, or of those besides extensions.

    A truncation belongs to the extension around it.
    """
    skipped = ("tr", "sx", "zx") if besides else ("tr",)
    return sum(isinstance(node, Op) and node.op not in skipped for node in subexpressions(source))


def _is_comparison(effect: Any) -> bool:
    return isinstance(effect, Set) and isinstance(effect.source, Op) and effect.source.op == "?"


# the place of what an instruction computes, its type, the expression, and the variable of a register that it sets
Computed = tuple[str, str, Any, str]


def meanings_of(
    alternatives: Iterable[Alternative],
    operands: Operands,
    computed: Callable[[Any], Computed | None],
    symbols: bool = False,
) -> list[Meaning]:
    """Return what instructions of one effect compute, of each choice of forms of their operands, perhaps of symbols, too."""
    operands = {
        name: [form for form in forms if _only_computes(form) or (symbols and form.symbol)] for name, forms in operands.items()
    }
    found = []
    for alternative in alternatives:
        if alternative.repeated or alternative.pseudo or len(alternative.effects) != 1:
            continue
        if computed is condition_of or isinstance(alternative.effects[0], Set):
            for chosen in chosen_forms(alternative, operands):
                what = computed(chosen.form.effects[0])
                meaning = _meaning(chosen.form, what, chosen.operands, operands) if what is not None else None
                found += [meaning] if meaning is not None else []
    return found


def value_of(effect: Any) -> Computed | None:
    """Return what an effect sets a register to, if that is an integer that it computes."""
    match effect:
        case Set(target=RegisterVariable() as target, source=Op() as source):
            computes = target.type in INTEGER_TYPES and not source.memory
            return (target.cls, target.type, source, target.name) if computes else None
    return None


def condition_of(effect: Any) -> Computed | None:
    """Return what an effect branches on."""
    match effect:
        case Branch(condition=Op() as condition) if not condition.memory:
            return CONDITION, "", condition, ""
    return None


def _address(effect: Any) -> Computed | None:
    """Return the address of the only cell that an effect reads or sets."""
    if not isinstance(effect, Set):
        return None
    cells = cells_in(effect)
    if len(cells) != 1 or not isinstance(address := cells[0].address, Op):
        return None
    return ADDRESS, address.type, address, ""


def _compared_left(effect: Any) -> Computed | None:
    return _compared(effect, 0)


def _compared_right(effect: Any) -> Computed | None:
    return _compared(effect, 1)


def _compared(effect: Any, side: int) -> Computed | None:
    """Return what an effect computes on one side of a comparison, if it is an integer."""
    part = effect.source.args[side] if _is_comparison(effect) else None
    return (COMPARED, part.type, part, "") if isinstance(part, Op) and part.type in INTEGER_TYPES else None


def cells_in(effect: Any) -> list[Mem]:
    """Return the cells of memory in a pattern."""
    parts = (effect.target, effect.source) if isinstance(effect, Set) else (effect,) if isinstance(effect, Op | Mem) else ()
    return [node for part in parts for node in subexpressions(part) if isinstance(node, Mem)]


def _has_other_addresses(alternatives: Iterable[Alternative], operands: Operands) -> bool:
    """Whether some addresses are more than sums: asked before all forms of all instructions are looked at."""
    holders = [(cell, one.operands) for one in alternatives if len(one.effects) == 1 for cell in cells_in(one.effects[0])]
    forms = [form for forms in operands.values() for form in forms if form.pattern is not None]
    holders += [(cell, form.operands) for form in forms for cell in cells_in(form.pattern)]
    inside = {own[node.name] for cell, own in holders for node in subexpressions(cell.address) if isinstance(node, Variable)}
    patterns = [form.pattern for name in inside for form in operands[name] if form.pattern is not None]
    return not all(map(_is_plain_address, (*(cell.address for cell, _ in holders), *patterns)))


def _opened(meaning: Meaning) -> Meaning | None:
    """Return what an instruction computes with its constants left open; None if there are none, or too many."""
    numbers: list[Variable] = []

    def opened(node: Any) -> Any:
        if isinstance(node, Const):
            numbers.append(Variable(f"constant {len(numbers)}"))
            return numbers[-1]
        return Op(node.op, node.type, *map(opened, node.args)) if isinstance(node, Op) else node

    source = opened(meaning.source)
    if not numbers or len(numbers) + len(meaning.numbers) > OPENED:
        return None
    forms = (*meaning.forms, *[OperandForm("", ANYWHERE, low=-ANY, high=ANY)] * len(numbers))
    numbers = [*meaning.numbers, *numbers]
    return replace(meaning, source=source, numbers=tuple(numbers), forms=forms, plain=False, has_other_numbers=True)


def _is_simple(effects: tuple[Any, ...]) -> bool:
    """Whether a pattern is one operator on registers, and 0."""
    arguments = getattr(getattr(effects[0], "source", None), "args", ())
    return len(effects) == 1 and all(isinstance(arg, RegisterVariable) or arg is Const(0) for arg in arguments)


def _only_computes(form: OperandForm) -> bool:
    """Whether a form of an operand is a register, a number or what is computed of these."""
    return not (form.symbol or form.far or form.steps) and (form.pattern is None or not form.pattern.memory)


def _meaning(form: Alternative, computed: Computed, own: Operands, operands: Operands) -> Meaning | None:
    """Return what one choice of forms of operands computes; None if that is no function of integer registers."""
    target, type_, source, changed = computed
    names: dict[str, Any] = {}
    numbers: dict[Variable, OperandForm] = {}

    def one(node: Any) -> Any:
        """Let each variable be one node."""
        match node:
            case RegisterVariable() | Variable():
                return names.setdefault(node.name, node)
            case Op():
                return Op(node.op, node.type, *map(one, node.args))
        return node

    source = one(source)
    symbols = {node: RegisterVariable(SYMBOL, node.name, type_) for node in names.values() if _is_symbol(node, form, own)}
    names.update((node.name, leaf) for node, leaf in symbols.items())
    source = put(source, symbols) if symbols else source
    for node in subexpressions(source):
        if isinstance(node, Mem | Half | Next | Register | Slot | Symbol):
            return None
        if isinstance(node, Op) and node.op in WHOLE and _is_wide(node, type_):
            return None  # a quotient, or a product of factors that nothing extends
        if isinstance(node, Variable):
            chosen = own.get(form.operands.get(node.name, "")) or operands.get(form.operands.get(node.name, ""), [])
            if len(chosen) != 1 or chosen[0].pattern is not None:
                return None
            numbers[node] = chosen[0]
    leaves = tuple(node for node in names.values() if isinstance(node, RegisterVariable))
    if not leaves or len(leaves) > LEAVES or any(leaf.type not in INTEGER_TYPES for leaf in leaves):
        return None
    plain = _is_plain_address(source) and not symbols if target == ADDRESS else _is_plain(source, changed)
    if target == CONDITION and not all(form.values == (0,) or form.low == form.high == 0 for form in numbers.values()):
        plain = False  # what is compared with a number may be a sum, too
    changes = bool(changed) and changed in names
    return Meaning(form.name, source, target, type_, leaves, tuple(numbers), tuple(numbers.values()), plain, changes)


def _is_symbol(node: Any, form: Alternative, own: Operands) -> bool:
    """Whether a variable of a pattern stands for an address that a program names."""
    chosen = own.get(form.operands.get(node.name, ""), ()) if isinstance(node, Variable) else ()
    return any(each.symbol for each in chosen)


def _is_wide(node: Op, type_: str) -> bool:
    """Whether more bits are divided than a value of a type has, or multiplied that are not extended to be so many."""
    extended = node.op == "*" and all(isinstance(arg, Op) and arg.op in ("sx", "zx") for arg in node.args)
    return BITS.get(node.type, 0) > BITS.get(type_, 64) and not extended


def _is_narrow(source: Any) -> bool:
    """Whether an expression is computed in fewer bits than it has."""
    match source:
        case Op(op="sx" | "zx", args=(Op(op=op) as inner,)):
            return op not in ("tr", "cvt", "cvtu", "bits") and inner.type in INTEGER_TYPES
    return False


def _is_high_half(source: Any) -> bool:
    """Whether an expression is the high half of a product, and nothing else."""
    match source:
        case Op(op="tr", args=(Op(op=">>" | ">>u", args=(Op(op="*"), Const(value=by))),)):
            return by == BITS.get(source.type)
    return False


def _is_plain_address(source: Any) -> bool:
    """Whether an address is a sum of registers, shifted or extended, and numbers, which phases find as it stands."""
    match source:
        case Op(op="+" | "-", args=(first, second)):
            names = {getattr(part, "name", part) for part in (first, second)}
            return len(names) == 2 and _is_plain_address(first) and _is_plain_address(second)
        case Op(op="<<" | ">>" | ">>u", args=(first, Const() | Variable())):
            return not isinstance(first, Op) or (first.op in ("sx", "zx") and _is_plain_address(first))
        case Op(op="sx" | "zx", args=(RegisterVariable(),)):
            return True
    return not isinstance(source, Op)


def _is_plain(source: Op, target: str) -> bool:
    """Whether an expression is one operator of C on registers and a number, in their usual order.

    Phases find it as it stands, but for one that changes a register by a number.
    """
    first, *others = source.args
    if source.op in FUNCTIONS or not isinstance(first, RegisterVariable):
        return False
    changes = first.name == target and any(isinstance(arg, Variable) for arg in others)
    return not changes and all(isinstance(arg, RegisterVariable | Variable) or arg is Const(0) for arg in others)


# ----------------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Meanings:
    """What instructions of a machine compute."""

    all: list[Meaning]
    tables: dict[Any, Any] = field(default_factory=dict)  # what `likely.py` remembers
    found: dict[Sought, list[Expr]] = field(default_factory=dict)  # of what was sought

    def __post_init__(self) -> None:
        self.open = [meaning for meaning in self.all if meaning.numbers]  # with numbers that are looked for

    def of(self, name: str, with_other_numbers: bool = False) -> Meanings:
        """Return those of one instruction, as they are or with all their constants left open."""
        own = [meaning for meaning in self.all if meaning.name == name]
        return Meanings([one for one in map(_opened, own) if one is not None] if with_other_numbers else own)

    def likely(self, sought: Sought, half: Callable[[str, int], int]) -> list[Expr]:
        """Return what instructions compute that has a value on all samples, as expressions of its leaves."""
        found = self.found.get(sought)
        if found is None:
            from vpo.machines.match.likely import likely  # it loads numpy, which known code does not need

            if len(self.found) == REMEMBERED:
                self.found.clear()
            found = self.found[sought] = [*likely(self.all, self.tables, sought, half)]
        return found

    @property
    def exist(self) -> bool:
        """Whether there are any."""
        return bool(self.all)

    @property
    def most(self) -> int:
        """How many registers they may be of: few kinds of instructions read more than `USUAL`."""
        return max((USUAL, *(len(one.leaves) for one in self.all)))

    @property
    def has_stores_alone(self) -> bool:
        """Whether some store what they compute of registers only."""
        stored = [one for one in self.all if one.target.startswith(STORED)]
        return any(all(not leaf.cls.startswith(CELL) for leaf in one.leaves) for one in stored)

    @property
    def has_symbols(self) -> bool:
        """Whether some compute with addresses that a program names."""
        return any(map(_has_symbol, self.all))

    @cached_property
    def hidden(self) -> Meanings:
        """Those that phases which look at notations miss: these turn no branches, so branches without an opposite, too."""
        relations = set(map(_relation, self.all))
        return Meanings([
            one for one in self.all
            if not self._is_found(one) or (not one.type and _relation(one, REVERSED[one.source.op]) not in relations)
        ])  # fmt: skip

    def _is_found(self, meaning: Meaning) -> bool:
        """Whether phases find what an instruction computes as it is written: one operator, or an extension that is a mask.

        Of what is compared, two operators: comparisons are combined with what comes before them.
        """
        if meaning.target == COMPARED:
            return _operators(meaning.source) <= COMBINED
        if meaning.plain:
            return all(form.condition is None for form in meaning.forms)
        match meaning.source:
            case Op(op="zx", args=(Op(op="tr", type=part, args=(RegisterVariable(),)),)):
                mask = Const((1 << BITS[part]) - 1)
                return any(m.plain and m.source.op == "&" and m.forms and m.forms[0].accepts(mask) for m in self.open)
        return False


def _relation(meaning: Meaning, op: str = "") -> tuple[Any, ...]:
    """Return what a branch compares, with its operator or another one."""
    return op or meaning.source.op, tuple(map(str, meaning.source.args)), meaning.leaves[0].cls
