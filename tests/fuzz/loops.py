"""Random C programs of loop nests over arrays, for the phases about loops.

Loops go forwards, backwards, in strides, by pointers, to limits that are constants, parameters, globals or other loops'
variables, some never; counters are narrow, without sign, wide, and wanted behind the loop.  References overlap (parameters
into one array, beside its name; bytes; unions), or may not (`restrict`).  Every index is in range and every sum without sign:
nothing is undefined.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.fuzz import oracles

START = f"""{oracles.WIDE_INT} {oracles.ANY_LAYOUT}
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(uint64_t value)
{{
    char text[] = "................";
    int digit;
    for (digit = 0; digit < 16; digit++)
        text[15 - digit] = "0123456789abcdef"[value >> 4 * digit & 15];
    puts(text);
}}
"""
WARM = f"""{START}
int main(void)
{{
    volatile uint64_t wide = 5;
    unsigned char bytes[300], others[sizeof bytes];
    memset(bytes, 1, sizeof bytes);
    memcpy(others, bytes, sizeof others);
    memmove(others, others + 1, sizeof others - 1);
    show(wide * wide / 3 + wide % 7 + (wide << wide) + (wide >> wide) + others[3]);
    return 0;
}}
"""
KINDS = ("uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "uint64_t", "int64_t")
UNION = (("uint32_t", "u"), ("int32_t", "i"))
RECORD = (("int8_t", "a"), ("uint16_t", "b"), ("int32_t", "c"), ("uint8_t", "d[1]"))
SHARED = """static union { uint32_t u; int32_t i; } cells[20];
static struct { int8_t a; uint16_t b; int32_t c; uint8_t d[3]; } records[24];
static uint32_t total;
int limit = 8, limit_seen;
volatile uint32_t seen;

"""
COUNTERS = ("int", "int", "int", "unsigned", "long", "size_t", "short", "uint8_t", "int8_t", "uint16_t")
COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
ROUNDS = 3000  # of all loops in one call, about
DEEP = 3
SIZES = (17, 23, 32, 40, 61)


@dataclass(frozen=True)
class Array:
    """An array, or what a parameter points to: an element's name up to the index, its type, and how many there are."""

    name: str
    kind: str
    length: int
    member: str = ""

    def at(self, index: str) -> str:
        return f"{self.name}[{index}]{self.member}"


@dataclass(frozen=True)
class Range:
    """A variable and the values that it has where it may be an index."""

    name: str
    low: int
    high: int
    unsigned: bool = False


def wide(kind: str) -> str:
    return "uint64_t" if "64" in kind else "uint32_t"


def lines_of(text: str) -> list[str]:
    """Return the lines of statements: each on its own, so that a program can be cut down by lines."""
    lines, line, open_ = [], "", 0
    for letter in text:
        line += letter
        open_ += (letter == "(") - (letter == ")")
        if letter in "{};" and open_ == 0:
            lines.append(line.strip())
            line = ""
    return [*lines, line.strip()] if line.strip() else lines


class Writer:
    """The text of one function."""

    def __init__(self, chance: random.Random, name: str, shared: list[Array]) -> None:
        self.chance, self.name = chance, name
        self.restrict = chance.random() < 0.3
        kinds = [chance.choice(KINDS) for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.4:
            kinds = kinds[:1] * len(kinds)
        self.parameters = [Array(f"p{n}", kind, chance.randint(6, 16)) for n, kind in enumerate(kinds)]
        self.arrays = self.parameters if self.restrict else [*self.parameters, *chance.sample(shared, 2)]
        self.locals: list[str] = []
        self.sums = ["s0", "s1"]
        self.most = chance.randint(3, 12)  # what the parameter n is at most

    def fresh(self, kind: str, value: object = 0, stem: str = "v") -> str:
        name = f"{stem}{len(self.locals)}"
        self.locals.append(f"{kind} {name} = {value};")
        return name

    # Expressions.

    def index(self, length: int, scope: list[Range]) -> str:
        """Return an index in range."""
        chance = self.chance
        for _ in range(4):
            if not scope:
                break
            variable = chance.choice(scope[-3:])
            factor = chance.choice((1, 1, 1, 1, -1, 2, -2, 3))
            low, high = sorted((factor * variable.low, factor * variable.high))
            if high - low < length:
                offset = chance.choice((-low, length - 1 - high, chance.randint(-low, length - 1 - high)))
                if variable.unsigned and (factor < 0 or offset < 0):
                    return f"({offset} + {factor} * (int){variable.name})"
                name = variable.name
                if factor == 1:
                    return f"{name} + {offset}" if offset > 0 else f"{name} - {-offset}" if offset else name
                return chance.choice((f"{factor} * {name} + {offset}", f"{offset} - {-factor} * {name}"))
        if scope and chance.random() < 0.7:
            mask = (1 << length.bit_length() - 1) - 1
            return f"((unsigned){chance.choice(scope).name} * {chance.choice((1, 3, 7))} & {mask})"
        return str(chance.randrange(length))

    def element(self, scope: list[Range]) -> tuple[str, Array]:
        array = self.chance.choice(self.arrays)
        return array.at(self.index(array.length, scope)), array

    def value(self, kind: str, scope: list[Range], depth: int = 2) -> str:
        """Return an expression without sign, of 32 or 64 bits."""
        chance = self.chance
        if depth == 0 or chance.random() < 0.25:
            return chance.choice((
                lambda: f"({kind}){self.element(scope)[0]}",
                lambda: f"({kind}){self.element(scope)[0]}",
                lambda: f"({kind}){chance.choice(scope).name}" if scope else f"({kind})n",
                lambda: f"({kind}){chance.choice((0, 1, 2, 3, 5, 255, 256, 65535, 0x12345678, chance.randrange(1 << 31)))}",
                lambda: f"({kind}){chance.choice(self.sums)}",
            ))()  # fmt: skip
        left = self.value(kind, scope, depth - 1)
        match chance.randrange(12):
            case 0:
                return f"({left} {chance.choice(('<<', '>>'))} {chance.randint(1, 31)})"
            case 1:
                return f"({left} {chance.choice('/%')} {chance.choice((2, 3, 7, 10, 16, 255))}u)"
            case 2:
                return f"({self.condition(scope)} ? {left} : {self.value(kind, scope, depth - 1)})"
            case 3:
                return f"({kind})({chance.choice(KINDS)}){left}"
            case 4:
                return f"({kind})({self.element(scope)[0]} {chance.choice(COMPARISONS)} {self.element(scope)[0]})"
            case _:
                return f"({left} {chance.choice(('+', '+', '-', '*', '^', '&', '|'))} {self.value(kind, scope, depth - 1)})"

    def condition(self, scope: list[Range]) -> str:
        chance = self.chance
        comparison = chance.choice(COMPARISONS)
        if scope and chance.random() < 0.4:
            variable = chance.choice(scope)
            return f"{variable.name} {comparison} {chance.randint(max(0, variable.low), max(0, variable.high))}"
        if chance.random() < 0.3:
            return f"{self.element(scope)[0]} & {1 << chance.randrange(7)}"
        text, array = self.element(scope)
        return f"{text} {comparison} ({array.kind}){chance.choice((0, 1, 7, 100, 200, -1))}"

    # Statements.

    def store(self, scope: list[Range]) -> str:
        text, array = self.element(scope)
        kind = wide(array.kind)
        value = self.value(kind, scope)
        if array.kind.startswith("u") and self.chance.random() < 0.4:
            return f"{text} {self.chance.choice('+-^|&')}= {value};"
        return f"{text} = ({array.kind})({value});"

    def statement(self, scope: list[Range], rounds: int, depth: int, in_for: bool = False) -> str:
        """Return a statement that is executed `rounds` times."""
        chance = self.chance
        match chance.randrange(14):
            case 0 | 1 | 2 if depth < DEEP and rounds * 6 < ROUNDS:
                return self.loop(scope, rounds, depth)
            case 3 | 4:
                return f"{chance.choice(self.sums)} += {self.value('uint32_t', scope)};"
            case 5:
                other = f" else {{ {self.store(scope)} }}" if chance.random() < 0.5 else ""
                return f"if ({self.condition(scope)}) {{ {self.statement(scope, rounds, DEEP)} }}{other}"
            case 6 if in_for:
                return f"if ({self.condition(scope)}) {chance.choice(('break', 'continue'))};"
            case 7:
                best = self.fresh("int", chance.choice((-100, 0, 100)), "best")
                self.sums.append(best)
                text, _ = self.element(scope)
                return f"if ((int8_t){text} {chance.choice('<>')} {best}) {best} = (int8_t){text};"
            case 8:
                return chance.choice(("total += s0;", "limit_seen ^= (int)(s1 & 7);", "seen = s0;"))
            case 9:
                return self.swap(scope)
            case _:
                return self.store(scope)

    def swap(self, scope: list[Range]) -> str:
        array = self.chance.choice(self.arrays)
        one, other = (array.at(self.index(array.length, scope)) for _ in "12")
        return f"{{ {array.kind} kept = {one}; {one} = {other}; {other} = kept; }}"

    def block(self, scope: list[Range], rounds: int, depth: int, in_for: bool) -> str:
        return " ".join(self.statement(scope, rounds, depth, in_for) for _ in range(self.chance.choice((1, 1, 2, 3))))

    def loop(self, scope: list[Range], rounds: int, depth: int) -> str:
        """Return a loop, and sometimes what it leaves."""
        chance = self.chance
        if chance.random() < 0.3:
            return chance.choice((self.copy, self.walk, self.search, self.fill))(scope)
        return self.counted(scope, rounds, depth)

    def counted(self, scope: list[Range], rounds: int, depth: int) -> str:
        chance = self.chance
        step = chance.choice((1, 1, 1, 1, 2, 3))
        low, times = chance.choice((0, 0, 0, 1, 2)), chance.randint(1, 12)
        kind = chance.choice(COUNTERS)
        unsigned = kind[0] == "u" or kind == "size_t"
        name = self.fresh(kind, chance.randint(0, 3))
        end = low + step * times  # the first value that is not in range
        limit, some = str(end), [v for v in scope if v.low >= 0 and v.high <= end]
        if not unsigned and self.most <= end and chance.random() < 0.5:
            limit = "n"
        elif chance.random() < 0.2 and end >= 8:
            limit = "limit"  # a global, 8
        elif some and chance.random() < 0.4:
            limit = chance.choice(some).name
            limit = f"({kind}){limit}" if unsigned else limit
        exact = limit == str(end)
        variable = Range(name, low, end - 1, unsigned)
        inner = [*scope, variable]
        before, after = "", ""
        if chance.random() < 0.3:  # another variable that steps beside it
            first, each = chance.randint(0, 5), chance.choice((1, 2, 3, -1))
            beside = self.fresh(chance.choice(("int", "long", "short")), stem="w")
            values = sorted((first, first + each * (times * step - 1)))
            inner.append(Range(beside, *values))
            before, after = f"{beside} = {first}; ", f" {beside} += {each};"
        body = self.block(inner, rounds * times, depth + 1, in_for=not after) + after
        text = before + self._framed(variable, limit, step, end, exact, body)
        if chance.random() < 0.5:
            text += f" {chance.choice(self.sums[:2])} += (uint32_t){name};"
        return text

    def _framed(self, variable: Range, limit: str, step: int, end: int, exact: bool, body: str) -> str:
        """Return a loop around a body, forwards or backwards."""
        chance, name, low = self.chance, variable.name, variable.low
        add = {1: f"{name}++"}.get(step, f"{name} += {step}")
        forms = [f"for ({name} = {low}; {name} < {limit}; {add}) {{ {body} }}"] * 3
        if "continue" not in body:
            forms.append(f"{name} = {low}; while ({name} < {limit}) {{ {body} {add}; }}")
        if exact:
            forms.append(f"for ({name} = {low}; {name} <= {end - 1}; {add}) {{ {body} }}")
            forms.append(f"for ({name} = {low}; {name} != {end}; {add}) {{ {body} }}")
            forms.append(f"for ({name} = {end}; {name}-- > {low};) {{ {body} }}")
            if "continue" not in body:
                forms.append(f"{name} = {low}; do {{ {body} {add}; }} while ({name} < {limit});")
            if not variable.unsigned:
                forms.append(f"for ({name} = {end - 1}; {name} >= {low}; {name} -= {step}) {{ {body} }}")
        elif not variable.unsigned:
            forms.append(f"for ({name} = {limit} - 1; {name} >= {low}; {name}--) {{ {body} }}")
        return chance.choice(forms)

    def copy(self, scope: list[Range]) -> str:
        """Return a loop like memcpy, memmove or a reversal, or a call of them."""
        chance = self.chance
        to, source = chance.choice(self.arrays), chance.choice(self.arrays)
        alike = to.kind == source.kind and not to.member and not source.member
        count = chance.randint(1, min(to.length, source.length))
        name = self.fresh(chance.choice(("int", "unsigned", "size_t", "uint8_t")))
        first, other = chance.randint(0, to.length - count), chance.randint(0, source.length - count)
        target, origin = to.at(f"{name} + {first}"), source.at(f"{name} + {other}")
        mirrored = source.at(f"{other + count - 1} - {name}")
        forms = [
            f"for ({name} = 0; {name} < {count}; {name}++) {target} = ({to.kind}){origin};",
            f"for ({name} = {count}; {name}-- > 0;) {target} = ({to.kind}){origin};",
            f"for ({name} = 0; {name} < {count}; {name}++) {target} = ({to.kind}){mirrored};",
        ]
        if alike:
            at, from_ = f"{to.name} + {first}", f"{source.name} + {other}"
            pointers = f"{to.kind} *a = {at}; const {to.kind} *b = {from_};"
            several = f"{count} * sizeof({to.kind})"
            forms += [
                f"{{ {pointers} {name} = {count}; while ({name}--) *a++ = *b++; }}",
                f"{{ {pointers} a += {count}; b += {count}; while (a != {at}) *--a = *--b; }}",
                f"memmove({at}, {from_}, {several});",
                f"{{ unsigned char *a = (unsigned char *)({at}); const unsigned char *b = (const unsigned char *)({from_});"
                f" size_t k; for (k = 0; k < {several}; k++) a[k] = b[k]; }}",
            ]
        return chance.choice(forms)

    def fill(self, scope: list[Range]) -> str:
        """Return a loop like memset, or a call of it."""
        chance = self.chance
        to = chance.choice(self.arrays)
        count = chance.randint(1, to.length)
        name = self.fresh(chance.choice(("int", "unsigned", "short")))
        value = chance.choice((0, 0, 1, -1, 0x55))
        forms = [f"for ({name} = 0; {name} < {count}; {name}++) {to.at(name)} = ({to.kind}){value};",
                 f"for ({name} = {count - 1 & ~1}; {name} > 0; {name} -= 2) {to.at(name)} = ({to.kind}){value};"]  # fmt: skip
        if not to.member:
            forms.append(f"memset({to.name}, {value}, {count} * sizeof *{to.name});")
        return chance.choice(forms)

    def walk(self, scope: list[Range]) -> str:
        """Return a loop whose variable is a pointer."""
        chance = self.chance
        array = chance.choice([a for a in self.arrays if not a.member] or self.parameters)
        low = chance.randint(0, array.length - 2)
        high = chance.randint(low + 1, array.length)
        step = chance.choice((1, 1, 2, 3))
        start, end = f"{array.name} + {low}", f"{array.name} + {high}"
        kind = wide(array.kind)
        change = f"*p = ({array.kind})(({kind})*p {chance.choice('+-*^')} {self.value(kind, scope, 1)});"
        use = f"s0 = s0 * 31 + (uint32_t)*p; {change if chance.random() < 0.5 else ''}"
        body = chance.choice((change, use))
        return f"{{ {array.kind} *p; " + chance.choice((
            f"for (p = {start}; p < {end}; p++) {{ {body} }} s1 += (uint32_t)(p - {array.name});",
            f"for (p = {start}; p != {end}; p++) {{ {body} }}",
            f"for (p = {end}; p > {start};) {{ p--; {body} }} s1 ^= (uint32_t)(p - {array.name});",
            f"p = {end}; while (p-- != {start}) {{ {body} }}" if low else f"p = {start}; do {{ {body} }} while (++p < {end});",
            f"int k; for (p = {start}, k = 0; k + {step} <= {high - low}; k += {step}, p += {step}) {{ {body} }}"
            f" s1 += (uint32_t)(p - ({start}));",
        )) + " }"  # fmt: skip

    def search(self, scope: list[Range]) -> str:
        """Return a loop that ends where something is found."""
        chance = self.chance
        array = chance.choice(self.arrays)
        name = self.fresh(chance.choice(("int", "unsigned", "short")))
        wanted = f"({array.kind}){chance.choice((0, 1, 5, 200, 's0'))}"
        test = f"{array.at(name)} {chance.choice(('!=', '!=', '<', '>'))} {wanted}"
        text = chance.choice((
            f"for ({name} = 0; {name} < {array.length} && {test}; {name}++) ;",
            f"{name} = 0; while ({test}) if (++{name} == {array.length}) break;",
            f"for ({name} = 0; {name} < {array.length}; {name}++) if ({test}) s1 += {name}; else break;",
        ))  # fmt: skip
        return f"{text} s0 += (uint32_t){name};"

    # The whole function and its calls.

    def function(self) -> str:
        """Return the function's text."""
        body = [self.counted([], 1, 0) for _ in range(self.chance.randint(1, 3))]
        restrict, static = "restrict " if self.restrict else "", self.chance.choice(("static ", ""))
        head = ", ".join([*(f"{p.kind} *{restrict}{p.name}" for p in self.parameters), "int n"])
        kept = "".join(f"    {line}\n" for line in ["uint32_t s0 = 1, s1 = 2;", *self.locals])
        results = " ^ ".join(f"(uint64_t){name} << {7 * n % 32}" for n, name in enumerate(self.sums))
        text = "".join(f"    {line}\n" for part in body for line in lines_of(part))
        return f"{static}uint64_t {self.name}({head})\n{{\n{kept}{text}    return {results};\n}}\n"

    def calls(self, arrays: list[Array]) -> list[str]:
        """Return calls with several arguments."""
        lines = []
        for _ in range(self.chance.randint(2, 4)):
            names: list[str] = []
            taken: set[str] = set()
            for parameter in self.parameters:
                fitting = [a for a in arrays if a.kind == parameter.kind and not (self.restrict and a.name in taken)]
                array = self.chance.choice(fitting)
                taken.add(array.name)
                names.append(f"{array.name} + {self.chance.randint(0, array.length - parameter.length)}")
            lines.append(f"    show({self.name}({', '.join(names)}, {self.chance.randint(-1, self.most)}));")
        return lines


def generate(seed: int) -> str:
    """Return the program of a seed."""
    chance = random.Random(seed)
    plain = [Array(f"a{n}_{kind[:-2]}", kind, chance.choice(SIZES)) for n in range(3) for kind in KINDS]
    members = [Array("cells", kind, 20, f".{name}") for kind, name in UNION]
    members += [Array("records", kind, 24, f".{name}") for kind, name in RECORD]
    everything = [*plain, *members]
    text = START + "\n" + "".join(f"static {a.kind} {a.name}[{a.length}];\n" for a in plain) + SHARED
    lines = ["    int k;"]
    for number, array in enumerate(everything):
        value = f"({array.kind})(k * {chance.choice((1, 7, 37, 1001))} + {number})"
        lines.append(f"    for (k = 0; k < {array.length}; k++) {array.at('k')} = {value};")
    for number in range(chance.randint(2, 4)):
        writer = Writer(chance, f"f{number}", [*chance.sample(plain, 3), *members])
        text += writer.function() + "\n"
        lines += writer.calls(plain)
    for array in everything:
        lines.append(f"    for (k = 0; k < {array.length}; k++) total = total * 31 + (uint32_t){array.at('k')};")
        if array.kind == "int64_t":
            lines.append("    show(total);")
    lines += ["    show(total ^ seen ^ (uint32_t)limit_seen);", "    return 0;"]
    return text + "int main(void)\n{\n" + "\n".join(lines) + "\n}\n"
