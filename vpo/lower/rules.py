"""Ways to have an operation by other operations: one table of rules, and how they are read and applied.

`vpo/lower/derivation.py` asks what each costs on a machine, and emits the cheapest; tests prove all of them.
Sources: Warren, Hacker's Delight (2nd edition), chapters 2 and 5; Cattell, Automatic derivation of code generators from
machine descriptions (TOPLAS 2(2), 1980); Bernstein, Multiplication by integer constants (Software: Practice and Experience
16(7), 1986).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from vpo.algebra import binary, unary, wrap
from vpo.machines.read.condition import Condition, compile_condition
from vpo.machines.read.source import Place
from vpo.rtl import BITS, REVERSED, SWAPPED, Const, Expr, Half, Op
from vpo.text import Variable, keep_patterns, parse_expression_pattern

# A line is `RTL => RTLs`, perhaps with a condition.  Of an operation only the expression stands there.  Operands are a and b,
# or c, a number; `bits` is how many a word has.  Numbers that only depend on numbers are worked out.  LIT[...] is a number
# in a register of its own.  A jump to `yes` is wanted, and the end is `no`; other labels stand before what they name.
# {relation}, {order} (all but == and !=): a rule for each, with {swapped} and {opposite} of it.  Of rules that cost the same,
# the first is taken.
RULES = """
a+b                       => a-neg(b)
a+b                       => a-(not(b)+1)
a-b                       => a+neg(b)
a-b                       => not(not(a)+b)
neg(a)                    => LIT[0]-a
neg(a)                    => not(a)+1
neg(a)                    => not(a+-1)
neg(a)                    => a*LIT[-1]

a&b                       => not(not(a)|not(b))
a&b                       => (a|b)^(a^b)
a&b                       => (a+b)-(a|b)
a&c                       => (a<<clz(c))>>uclz(c)                                 when c > 0 and not c & c + 1
a&c                       => (a>>uctz(c))<<ctz(c)                                 when ~c > 0 and not ~c & -c
a&b                       => not(not(a&b))
a&b                       => a&not(not(b))
a|b                       => (a&not(b))+b
a|b                       => (a&b)^(a^b)
a|b                       => not(not(a)&not(b))
a|b                       => (a+b)-(a&b)
a|b                       => not(not(a|b))
a|b                       => a|not(not(b))
a^b                       => (a|b)-(a&b)
a^b                       => x=a&b; ((a+b)-x)-x
a^b                       => (a|b)&not(a&b)
a^b                       => x=not(a&b); not(not(a&x)&not(b&x))
a^b                       => x=not(a|b); not(not(not(a|x)|not(b|x)))
a^b                       => not(not(a^b))
not(a)                    => a^LIT[-1]
not(a)                    => LIT[-1]-a
not(a)                    => neg(a)+-1
not(a)                    => not(a&LIT[-1])
not(a)                    => not(a|LIT[0])

a*c                       => (a*(c>>ctz(c)))<<ctz(c)                              when c and not c & 1
a*c                       => (a*(c-1))+a                                          when c > 2 and c & 1
a*c                       => (a*(c+1))-a                                          when c > 2 and c & 1
a*c                       => neg(a*neg(c))                                        when -1 << bits - 1 < c < 0
a*c                       => x=a*(c/5); (x<<2)+x                                  when c > 5 and not c % 5
a*c                       => x=a*(c/3); (x<<2)-x                                  when c > 3 and not c % 3
a*c                       => x=a*(c/9); (x<<3)+x                                  when c > 9 and not c % 9
a*c                       => x=a*(c/7); (x<<3)-x                                  when c > 7 and not c % 7
a*c                       => x=a*(c/17); (x<<4)+x                                 when c > 17 and not c % 17
a*c                       => x=a*(c/15); (x<<4)-x                                 when c > 15 and not c % 15
a*c                       => x=a*(c/33); (x<<5)+x                                 when c > 33 and not c % 33
a*c                       => x=a*(c/31); (x<<5)-x                                 when c > 31 and not c % 31
a/b                       => s=a>>(bits-1); t=b>>(bits-1); x=(a^s)-s; y=(b^t)-t; q=s^t; ((x/uy)^q)-q
a%b                       => a-((a/b)*b)
a%ub                      => a-((a/ub)*b)

a<<c                      => x=1<<((bits-1)-clz(c)); (a<<x)<<(c-x)                when 1 < c < bits and c & c - 1
a<<c                      => (a<<1)<<(c-1)                                        when 1 < c < bits
a<<c                      => x=a<<(c-1); x+x                                      when 0 < c < bits
a>>c                      => x=1<<((bits-1)-clz(c)); (a>>x)>>(c-x)                when 1 < c < bits and c & c - 1
a>>c                      => (a>>1)>>(c-1)                                        when 1 < c < bits
a>>b                      => s=LIT[-1<<(bits-1)]>>ub; ((a>>ub)^s)-s
a>>uc                     => x=1<<((bits-1)-clz(c)); (a>>ux)>>u(c-x)              when 1 < c < bits and c & c - 1
a>>uc                     => (a>>u1)>>u(c-1)                                      when 1 < c < bits
a>>uc                     => (a>>c)&((1<<(bits-c))-1)                             when 0 < c < bits
a>>ub                     => x=(LIT[-1<<(bits-1)]>>b)<<1; (a>>b)&not(x)

a==b                      => (a-b)==0
a==b                      => (a-b)<u1
a==b                      => (a!=b)^1
a!=b                      => (a-b)!=0
a!=b                      => 0<u(a-b)
a!=b                      => x=a-b; (x|neg(x))>>u(bits-1)
a!=b                      => (a==b)^1
a{order}b                 => b{swapped}a
a{order}b                 => (a{opposite}b)^1
a<b                       => s=a^b; x=a-b; (x^(s&(x^a)))>>u(bits-1)
a<b                       => s=LIT[-1<<(bits-1)]; (a^s)<u(b^s)
a<ub                      => s=a^b; x=a-b; (x^(s&(x^b)))>>u(bits-1)
a<ub                      => s=LIT[-1<<(bits-1)]; (a^s)<(b^s)

PC=a==b,yes               => PC=(a-b)==0,yes
PC=a==b,yes               => PC=(a^b)==0,yes
PC=a==0,yes               => PC=a<u1,yes
PC=a==0,yes               => PC=not(a|neg(a))<0,yes
PC=a!=b,yes               => PC=(a-b)!=0,yes
PC=a!=b,yes               => PC=(a^b)!=0,yes
PC=a!=0,yes               => PC=LIT[0]<ua,yes
PC=a!=0,yes               => PC=(a|neg(a))<0,yes
PC=a<0,yes                => PC=(a&LIT[-1<<(bits-1)])!=0,yes
PC=a>=0,yes               => PC=(a&LIT[-1<<(bits-1)])==0,yes
PC=a<c,yes                => PC=a<=(c-1),yes                                      when c != -1 << bits - 1
PC=a>c,yes                => PC=a>=(c+1),yes                                      when c != (1 << bits - 1) - 1
PC=a<=c,yes               => PC=a<(c+1),yes                                       when c != (1 << bits - 1) - 1
PC=a>=c,yes               => PC=a>(c-1),yes                                       when c != -1 << bits - 1
PC=a<uc,yes               => PC=a<=u(c-1),yes                                     when c
PC=a>uc,yes               => PC=a>=u(c+1),yes                                     when c != -1
PC=a<=uc,yes              => PC=a<u(c+1),yes                                      when c != -1
PC=a>=uc,yes              => PC=a>u(c-1),yes                                      when c
PC=a{relation}b,yes       => PC=(a{relation}b)!=0,yes
PC=a{relation}b,yes       => PC=(a{opposite}b)==0,yes
PC=a{relation}b,yes       => PC=(a{relation}b)==1,yes
PC=a{relation}b,yes       => PC=a{opposite}b,no; PC=yes
PC=a<0,yes                => PC=a>0,no; PC=(a+1)<=0,yes
PC=a>0,yes                => PC=a<0,no; PC=(a-1)>=0,yes
PC=a!=0,yes               => PC=a>0,yes; PC=a<0,yes
PC=a<b,yes                => PC=a<0,negative; PC=b<0,no; PC=alike; negative: PC=b>=0,yes; alike: PC=(a-b)<0,yes
PC=a<=b,yes               => PC=a<0,negative; PC=b<0,no; PC=alike; negative: PC=b>=0,yes; alike: PC=(a-b)<=0,yes
PC=a<ub,yes               => PC=a<0,negative; PC=b<0,yes; PC=alike; negative: PC=b>=0,no; alike: PC=(a-b)<0,yes
PC=a<=ub,yes              => PC=a<0,negative; PC=b<0,yes; PC=alike; negative: PC=b>=0,no; alike: PC=(a-b)<=0,yes
"""

NUMBER = "c"  # the operand that must be one
PLACE = "."  # the relation of a step that is a place
ZERO = Const(0)
# name -> the operator, whether the second operand is complemented, and whether the outcome is: what may be one instruction
COMBINED = {"nand": ("&", False, True), "nor": ("|", False, True), "xnor": ("^", False, True),
            "andn": ("&", True, False), "orn": ("|", True, False)}  # fmt: skip

# ----------------------------------------------------------------------------------------------------------------------
# Terms: the values that the right side of a rule computes.


class Terms:
    """Expressions in words of a type; `make` returns a register with the value of an operation on leaves."""

    def __init__(self, word: str, make: Callable[[Expr], Expr]) -> None:
        self.word, self.bits, self.make = word, BITS[word], make

    def number(self, value: int) -> Const:
        """Return a constant, with the value that a word of these bits has."""
        return Const(wrap(value, self.bits))

    def register(self, value: Expr) -> Expr:
        """Return a register with a constant, an operand that is none as it is."""
        return self.make(value) if isinstance(value, Const) else value

    def unary(self, op: str, a: Expr) -> Expr:
        """Return op(a)."""
        return self._of(unary(op, self.word, a))

    def binary(self, op: str, a: Expr, b: Expr) -> Expr:
        """Return a op b."""
        return self._of(binary(op, a, b, self.word))

    def combined(self, op: str, a: Expr, b: Expr) -> Expr:
        """Return what one instruction makes of two operators."""
        return self._of(combination(op, a, b, self.word))

    def _of(self, node: Expr) -> Expr:
        return self.make(node) if isinstance(node, Op) else node

    def value(self, pattern: Any, known: Mapping[str, Expr]) -> Expr:
        """Return the value of an expression of a rule, whose variables are known."""
        match pattern:
            case Variable():
                return known[pattern.name]
            case Half():
                return self.register(self.value(pattern.of, known))
            case Op():
                parts = combined(pattern)
                values = [self.value(part, known) for part in (parts[1:] if parts else pattern.args)]
                if parts:
                    return self.combined(parts[0], *values)
                return self.unary(pattern.op, *values) if len(values) == 1 else self.binary(pattern.op, *values)
        return self.number(pattern.value)


def combination(op: str, a: Expr, b: Expr, word: str) -> Expr:
    """Return one of COMBINED as an expression."""
    inner, complements_second, complements = COMBINED[op]
    node = binary(inner, a, unary("not", word, b) if complements_second else b, word)
    return unary("not", word, node) if complements else node


def combined(node: Op) -> tuple[str, Any, Any] | None:
    """Return which of COMBINED an operation of two operators is, and its operands."""
    outer, inner = node, node.args[0]
    if outer.op == "not" and isinstance(inner, Op) and len(inner.args) == 2:
        wanted, a, b = (inner.op, False, True), *inner.args
    elif len(outer.args) == 2 and isinstance(outer.args[1], Op) and outer.args[1].op == "not":
        wanted, a, b = (outer.op, True, False), outer.args[0], outer.args[1].args[0]
    elif len(outer.args) == 2 and isinstance(inner, Op) and inner.op == "not":
        wanted, a, b = (outer.op, True, False), outer.args[1], inner.args[0]
    else:
        return None
    return next(((name, a, b) for name, operators in COMBINED.items() if operators == wanted), None)


# ----------------------------------------------------------------------------------------------------------------------
# Reading the table: the rules of an operator when they are first asked for.

_LEFT = re.compile(r"(PC=)?(?:(\w+)\(|[abc](\W+u?)[abc0])")
_RELATIONS = tuple(op for op in SWAPPED if op == "!=" or op[0] != "!")
_ORDERS = tuple(op for op in _RELATIONS if op not in ("==", "!="))
_PLACE = Place("the rules", 1, 1)


class Step(NamedTuple):
    """A branch to a place if a relation holds, or if that is '' in any case; or '.', the place itself."""

    relation: str
    a: Any
    b: Any
    place: str


Outcome = Expr | Step | Iterator[Step] | None


@dataclass(frozen=True, eq=False, slots=True)
class Rule:
    """A line of the table: operands as they must be; the values to compute, the last without a name, or branches."""

    text: str
    operands: tuple[Any, ...]
    values: tuple[tuple[str, Any], ...]
    steps: tuple[Step, ...]
    condition: Condition | None

    def apply(self, terms: Terms, *operands: Expr) -> Outcome:
        """Return what has the value, the branch that decides, or several as they are asked for.

        None if the rule is not for such operands.
        """
        known: dict[str, Expr] = {"bits": Const(terms.bits)}
        for pattern, operand in zip(self.operands, operands, strict=False):
            if isinstance(pattern, Const):
                if operand is not pattern:
                    return None
                continue
            if pattern.name == NUMBER and not isinstance(operand, Const):
                return None
            known[pattern.name] = operand
        numbers = {name: node.value for name, node in known.items() if isinstance(node, Const)}
        if self.condition is not None and not self.condition(numbers):
            return None
        for name, pattern in self.values:
            known[name] = terms.value(pattern, known)
        steps = self._decide(terms, known)
        return known[""] if self.values else next(steps) if len(self.steps) == 1 else steps

    def _decide(self, terms: Terms, known: Mapping[str, Expr]) -> Iterator[Step]:
        for relation, a, b, place in self.steps:
            yield Step(relation, terms.value(a, known), terms.value(b, known), place)


@cache
def rules_for(op: str, jumps: bool = False) -> tuple[Rule, ...]:
    """Return the rules for values of an operator, or for branches on a relation."""
    rules = tuple(map(_rule, _lines().get(f"PC={op}" if jumps else op, ())))
    keep_patterns({})
    return rules


def has_rules(op: str) -> bool:
    """Whether there are rules for values of an operator."""
    return op in _lines()


def operators() -> list[tuple[str, str]]:
    """Return what there are rules for: operators, and whether of a 'value', 'unary' or for a 'branch'."""
    kinds = {True: "branch", False: "value"}
    return [(op.removeprefix("PC="), "unary" if op.isalpha() else kinds[op.startswith("PC=")]) for op in _lines()]


@cache
def _lines() -> Mapping[str, list[str]]:
    """Return the lines of the table for each operator, with 'PC=' before it for branches."""
    found: dict[str, list[str]] = {}
    for line in filter(None, RULES.splitlines()):
        for written in _family(line):
            match = _LEFT.match(written)
            assert match is not None
            found.setdefault("".join(filter(None, match.groups())), []).append(written)
    return found


def _family(line: str) -> list[str]:
    """Return a line for each relation that it is for."""
    ops = _ORDERS if "{order}" in line else _RELATIONS if "{relation}" in line else ("",)
    return [line.format(order=op, relation=op, swapped=SWAPPED.get(op), opposite=REVERSED.get(op)) for op in ops]


def _rule(line: str) -> Rule:
    left, _, rest = line.partition("=>")
    right, _, condition = rest.partition(" when ")
    wanted = _expression(left.strip().removeprefix("PC=").partition(",")[0])
    parts = [part.strip() for part in right.split(";")]
    steps = [step for part in parts for step in _steps_of(part)] if left.startswith("PC=") else []
    values = [] if steps else [(name, _expression(text)) for name, _, text in map(_named, parts)]
    compiled = compile_condition(condition, {NUMBER, "bits"}, _PLACE) if condition else None
    return Rule(line, wanted.args, tuple(values), tuple(steps), compiled)


def _named(text: str) -> tuple[str, str, str]:
    """Return the name that a value gets, if any, and its expression."""
    match = re.match(r"(\w+)(=)(?!=)(.*)", text)
    return match.groups() if match else ("", "", text)  # type: ignore[return-value]


def _steps_of(text: str) -> Iterator[Step]:
    """Yield a branch of a rule, after the place that it begins."""
    place, _, jump = text.rpartition(": ")
    if place:
        yield Step(PLACE, ZERO, ZERO, place)
    condition, _, target = jump.removeprefix("PC=").rpartition(",")
    node = _expression(condition) if condition else Op("", "", ZERO, ZERO)
    yield Step(node.op, node.args[0], node.args[1], target)


def _expression(text: str) -> Any:
    return parse_expression_pattern(text, {})
