"""Generates C programs in two halves, callers and callees, which check that both mean the same calling convention.

Deterministic: the same seed gives the same text.  Among the functions are

* for each type, a function that takes and returns it;
* sequences of up to ten parameters in which every type follows every other type at least once, results of all types in turn;
* functions with variable arguments, in which every promoted type follows every other;
* values that live across calls, in callers and callees which need many registers.

A callee compares each argument with the value that the generator chose, and changes some of its parameters; a caller
compares the result, and what it passed by value.  The halves have no variables of their own, which some compilers address in
ways that need start-up code of their system.  Both report a set of differences as bits: `report(function, bits)`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

LONGEST = 10  # parameters of a function
PARTS = 18
RESULT, PASSED, KEPT = 1 << 30, 1 << 29, 1 << 28  # bits of a report beside those of the arguments


@dataclass(frozen=True)
class Type:
    """A C type.  `bits` is how many bits its values may have: below 0 if signed, 0 for structures.

    A structure has `members`: (declaration with @ for the name, element type, number of elements or 0 if not an array).
    """

    name: str
    c: str
    bits: int = 0
    floating: bool = False
    members: tuple[tuple[str, str, int], ...] = ()
    union: bool = False
    promoted: bool = True  # passes through variable arguments as it is


SCALARS = (
    Type("c", "signed char", -8, promoted=False),
    Type("uc", "unsigned char", 8, promoted=False),
    Type("s", "short", -16, promoted=False),
    Type("us", "unsigned short", 16, promoted=False),
    Type("i", "int", -32),
    Type("u", "unsigned", 32),
    Type("l", "long", -32),
    Type("ll", "long long", -64),
    Type("f", "float", -20, floating=True, promoted=False),
    Type("d", "double", -40, floating=True),
    Type("p", "char *", 31),
)
BY_NAME = {scalar.name: scalar for scalar in SCALARS}


def structure(name: str, *members: str, union: bool = False) -> Type:
    """Return a structure (or union) whose members are given as 'type' or 'type*elements'."""
    fields = []
    for member in members:
        element, _, count = member.partition("*")
        fields.append((BY_NAME[element].c, element, int(count or 0)))
    return Type(name, f"{'union' if union else 'struct'} {name}", members=tuple(fields), union=union)


STRUCTURES = (
    structure("C1", "c"),
    structure("C2", "uc*2"),
    structure("S1", "s"),
    structure("C3", "c*3"),
    structure("I1", "i"),
    structure("SC", "s", "c"),
    structure("C5", "c*5"),
    structure("S3", "s*3"),
    structure("C7", "uc*7"),
    structure("I2", "i", "u"),
    structure("L1", "ll"),
    structure("C9", "c*9"),
    structure("I3", "i*3"),
    structure("LC", "ll", "c"),
    structure("P4", "p", "us", "i", "p"),
    structure("C17", "c*17"),
    structure("I5", "i*5"),
    structure("F1", "f"),
    structure("F2", "f*2"),
    structure("F3", "f", "f", "f"),
    structure("F4", "f*4"),
    structure("F5", "f*5"),
    structure("D1", "d"),
    structure("D2", "d", "d"),
    structure("FI", "f", "i"),
    structure("CF", "c", "f"),
    structure("ID", "i", "d"),
    structure("DF", "d", "f"),
    structure("DC", "d", "c", "s"),
    structure("FL", "f", "ll"),
    structure("UF", "f", "i", union=True),
    structure("UD", "d", "i*3", union=True),
)
TYPES = (*SCALARS, *STRUCTURES)
# in full: each of these after each
CORE = tuple(t for t in TYPES if t.name in {
    "c", "us", "i", "ll", "f", "d", "p", "C1", "C3", "C5", "I2", "L1", "I3", "C17", "F1", "F2", "F4", "D2", "FI", "ID", "UD",
})  # fmt: skip
VARIABLE = tuple(t for t in TYPES if t.name in {"i", "u", "ll", "d", "p", "C1", "C7", "L1", "I3", "F2", "D1", "ID"})


@dataclass
class Signature:
    """One function: types, values of its arguments and result; `fixed` parameters are named if it is variadic."""

    number: int
    parameters: list[Type]
    result: Type
    fixed: int | None = None
    values: list[list[str]] = field(default_factory=list)
    result_value: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The callee's name."""
        return f"f{self.number}"


class Values:
    """Chooses values: all bytes differ as a rule, signs vary, floating values are exact."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def scalar(self, type_: Type) -> str:
        """Return a constant expression of a type."""
        signed, bits = type_.bits < 0, abs(type_.bits)
        value = self.random.getrandbits(bits - signed)
        if signed and self.random.random() < 0.5:
            value = -value - 1
        if type_.floating:
            return f"{value / 16!r}" + ("f" if type_.c == "float" else "")
        if type_.c.endswith("*"):
            return f"(char *){value:#x}"
        if bits == 64:
            return f"({value + 1}LL-1)"
        return f"({value + 1}-1)" if value < 0 else f"{value}{'u' if not signed else ''}"

    def value(self, type_: Type) -> list[str]:
        """Return the constants of a value: one, or those of the members (of a union, of its first)."""
        if not type_.members:
            return [self.scalar(type_)]
        members = type_.members[:1] if type_.union else type_.members
        return [self.scalar(BY_NAME[element]) for _, element, count in members for _ in range(count or 1)]


def adjacent(types: Sequence[Type], chance: random.Random) -> Iterator[list[Type]]:
    """Yield sequences of types in which each type follows each, itself too, exactly once.

    They are cut from one closed walk over all pairs; each begins with the type that ended the one before.
    """
    missing = {t.name: chance.sample(types, len(types)) for t in types}
    path, walk = [types[0]], []
    while path:
        if missing[path[-1].name]:
            path.append(missing[path[-1].name].pop())
        else:
            walk.append(path.pop())
    while len(walk) > 1:
        length = chance.choice((4, 7, 8, 9, LONGEST, LONGEST))
        yield walk[:length]
        del walk[: length - 1]


def signatures(seed: int) -> list[Signature]:
    """Return the functions of a program."""
    chance = random.Random(seed)
    found = [Signature(0, [], TYPES[4])]

    def add(parameters: list[Type], result: Type, fixed: int | None = None) -> None:
        found.append(Signature(len(found), parameters, result, fixed))

    for type_ in TYPES:
        add([type_], type_)
    for count, sequence in enumerate([*adjacent(SCALARS, chance), *adjacent(CORE, chance)]):
        other = STRUCTURES[count % len(STRUCTURES)]
        add([*sequence, other] if len(sequence) < LONGEST else sequence, TYPES[count % len(TYPES)])
    for count, sequence in enumerate(adjacent(VARIABLE, chance)):
        named = [chance.choice(TYPES) for _ in range(count % 4)] + [chance.choice(VARIABLE)]
        add([*named, *sequence], TYPES[count % len(TYPES)], len(named))
    values = Values(seed + 1)
    for signature in found:
        signature.values = [values.value(t) for t in signature.parameters]
        signature.result_value = values.value(signature.result)
    return found


# --------------------------------------------------------------------------------------------------- C text


def common(functions: Sequence[Signature]) -> Iterator[str]:
    """Yield the lines that both halves share."""
    yield "extern void report(int function, unsigned bits);"
    yield "extern volatile int *integers(void);"
    yield "extern volatile double *doubles(void);"
    for type_ in STRUCTURES:
        members = [f"{c} m{i}{f'[{n}]' if n else ''};" for i, (c, _, n) in enumerate(type_.members)]
        yield f"{type_.c} {{ {' '.join(members)} }};"
        yield f"static int differ_{type_.name}(const {type_.c} *a, const {type_.c} *b)"
        compared = type_.members[:1] if type_.union else type_.members
        tests = [f"a->m{i}{j} != b->m{i}{j}" for i, (_, _, n) in enumerate(compared)
                 for j in ([f"[{k}]" for k in range(n)] or [""])]  # fmt: skip
        yield f"{{ return {' || '.join(tests)}; }}"
    for function in functions:
        named = function.parameters[: function.fixed]
        parameters = ", ".join(f"{t.c} a{i}" for i, t in enumerate(named)) or "void"
        yield f"{function.result.c} {function.name}({parameters}{', ...' if function.fixed else ''});"


def constant(function: Signature, index: int) -> str:
    """Name the object that holds a structure argument's value, or the result's (-1)."""
    return f"v{function.number}_{'r' if index < 0 else index}"


def constants(function: Signature) -> Iterator[str]:
    """Yield definitions of the structure values of a function."""
    whole = [(function.result, function.result_value, -1)]
    whole += [(t, v, i) for i, (t, v) in enumerate(zip(function.parameters, function.values, strict=True))]
    for type_, values, index in whole:
        if type_.members:
            yield f"static const {type_.c} {constant(function, index)} = {{ {_braced(type_, values)} }};"


def _braced(type_: Type, values: list[str]) -> str:
    rest, parts = list(values), []
    for _, _, count in type_.members:
        if rest:
            parts.append("{" + ", ".join(rest[:count]) + "}" if count else rest[0])
            del rest[: count or 1]
    return ", ".join(parts)


def expected(function: Signature, index: int) -> str:
    """Return the expression of an argument's value, or the result's (-1)."""
    type_ = function.result if index < 0 else function.parameters[index]
    if type_.members:
        return constant(function, index)
    return function.result_value[0] if index < 0 else function.values[index][0]


def difference(function: Signature, index: int, name: str) -> str:
    """Return the condition under which a variable does not have the value that it should."""
    type_ = function.result if index < 0 else function.parameters[index]
    if type_.members:
        return f"differ_{type_.name}(&{name}, &{constant(function, index)})"
    return f"{name} != {expected(function, index)}"


def callee(function: Signature) -> Iterator[str]:
    """Yield the definition of a callee."""
    yield from constants(function)
    fixed = len(function.parameters) if function.fixed is None else function.fixed
    named = ", ".join(f"{t.c} a{i}" for i, t in enumerate(function.parameters[:fixed])) or "void"
    yield f"{function.result.c} {function.name}({named}{', ...' if function.fixed else ''})"
    yield "{"
    yield "    unsigned bits = 0;"
    if function.fixed:
        yield "    va_list list;"
        yield f"    va_start(list, a{fixed - 1});"
    for index, type_ in enumerate(function.parameters):
        if index >= fixed:
            yield f"    {type_.c} a{index} = va_arg(list, {type_.c});"
        yield f"    if ({difference(function, index, f'a{index}')}) bits |= {1 << index}u;"
    if function.number % 4 == 0:
        for index, type_ in enumerate(function.parameters):
            if type_.members:
                yield f"    *(volatile char *)&a{index} = 99;"
    if function.fixed:
        yield "    va_end(list);"
    if function.number % 8 == 1:
        yield from _pressure()
    yield f"    report({function.number}, bits);"
    yield f"    return {expected(function, -1)};"
    yield "}"


def table(functions: Sequence[Signature]) -> str:
    """Return a table of all callees, from which a linker that takes only what is needed finds them."""
    return f"void (*const callees[])(void) = {{ {', '.join(f'(void (*)(void)){f.name}' for f in functions)} }};"


def _kept(count: int) -> Iterator[str]:
    """Yield definitions of `count` integer and as many floating variables, x0... and y0..."""
    yield "    volatile int *some_integers = integers(); volatile double *some_doubles = doubles();"
    for index in range(count):
        yield f"    int x{index} = some_integers[{index}]; double y{index} = some_doubles[{index}];"


def _pressure() -> Iterator[str]:
    """Yield a computation that needs more registers than there are, and comes to nothing."""
    yield from _kept(14)
    for step, op in ((5, "+"), (3, "-")):
        yield f"    some_integers[15] = {' ^ '.join(f'(x{i} {op} x{(i + step) % 14})' for i in range(14))};"
        yield f"    some_doubles[15] = {f' {op} '.join(f'(y{i} * y{(i + step) % 14})' for i in range(14))};"
        yield "    report(-1, 0);"


def caller(function: Signature) -> Iterator[str]:
    """Yield the definition of a caller."""
    yield from constants(function)
    yield f"void call{function.number}(void)"
    yield "{"
    yield "    unsigned bits = 0;"
    keeps = 10 if function.number % 8 in (1, 2) else 0
    if keeps:
        yield from _kept(keeps)
    arguments = []
    passed = [i for i, t in enumerate(function.parameters) if t.members and function.number % 4 == 0]
    for index, type_ in enumerate(function.parameters):
        value = expected(function, index)
        if index in passed:
            yield f"    {type_.c} a{index} = {value};"
            value = f"a{index}"
        elif function.fixed and not type_.members and index >= function.fixed:
            value = f"({type_.c}){value}"
        arguments.append(value)
    what = function.name
    if function.number % 5 == 3:
        yield _pointer(function)
        what = "where"
    yield f"    {function.result.c} result = {what}({', '.join(arguments)});"
    yield f"    if ({difference(function, -1, 'result')}) bits |= {RESULT}u;"
    for index in passed:
        yield f"    if ({difference(function, index, f'a{index}')}) bits |= {PASSED}u;"
    for index in range(keeps):
        yield f"    if (x{index} != some_integers[{index}] || y{index} != some_doubles[{index}]) bits |= {KEPT}u;"
    yield f"    report({function.number}, bits);"
    yield "}"


def _pointer(function: Signature) -> str:
    named = ", ".join(t.c for t in function.parameters[: function.fixed]) or "void"
    return f"    {function.result.c} (*volatile where)({named}{', ...' if function.fixed else ''}) = {function.name};"


def driver(functions: Sequence[Signature]) -> Iterator[str]:
    """Yield the main program: with an argument, it says whom it calls; it prints differences and a verdict."""
    yield "#include <unistd.h>"
    yield "#include <string.h>"
    yield "static volatile int some_integers[16];"
    yield "static volatile double some_doubles[16];"
    yield "volatile int *integers(void) { return some_integers; }"
    yield "volatile double *doubles(void) { return some_doubles; }"
    yield "extern void (*const callees[])(void);"
    yield "extern void report(int function, unsigned bits);"
    yield "/* linked because the other half calls them */"
    names = ("report", "integers", "doubles", "memcpy", "memmove", "memset", "memcmp")
    yield f"void *const needed[] = {{ {', '.join(f'(void *){name}' for name in names)} }};"
    yield """static int different;
static void number(const char *before, int value, const char *after)
{
    char digits[12], *start = digits + sizeof digits;
    int rest = value;
    do { *--start = (char)('0' + rest % 10); rest /= 10; } while (rest);
    write(1, before, strlen(before));
    write(1, start, (size_t)(digits + sizeof digits - start));
    write(1, after, strlen(after));
}
void report(int function, unsigned bits)
{
    if (!bits) return;
    different++;
    for (int bit = 0; bit < 31; bit++)
        if (bits >> bit & 1) { number("f", function, " "); number("", bit, "\\n"); }
}"""
    for function in functions:
        yield f"extern void call{function.number}(void);"
    yield f"static void (*const calls[])(void) = {{ {', '.join(f'call{f.number}' for f in functions)} }};"
    yield f"""int main(int argc, char **argv)
{{
    int index;
    (void)argv;
    if (argc > 2) return callees[argc] == needed[argc];
    for (index = 0; index < 16; index++) {{ some_integers[index] = index * 1000003; some_doubles[index] = index * 1.25; }}
    for (index = 0; index < {len(functions)}; index++) {{
        if (argc > 1) number("call ", index, "\\n");
        calls[index]();
    }}
    number("differences: ", different, "\\n");
    return different != 0;
}}"""


def part(functions: Sequence[Signature], some: int | None, variadic: bool = True) -> list[Signature]:
    """Return one of the PARTS of functions, or all: in eights, since each has every kind of function that numbers choose."""
    return [f for f in functions if (some is None or f.number // 8 % PARTS == some) and (variadic or f.fixed is None)]


def program(seed: int, some: int | None = None, variadic: bool = True) -> dict[str, str]:
    """Return the files of a program: two halves, which need no other header, and a main program."""
    functions = part(signatures(seed), some, variadic)
    shared = list(common(functions))
    callees = [line for function in functions for line in callee(function)]
    callers = [line for function in functions for line in caller(function)]
    halves = {
        "callees.c": ["#include <stdarg.h>", *shared, *callees, table(functions)],
        "callers.c": [*shared, *callers],
        "driver.c": list(driver(functions)),
    }
    return {name: "\n".join(lines) + "\n" for name, lines in halves.items()}
