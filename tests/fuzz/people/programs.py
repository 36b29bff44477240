"""Whole programs: what all functions share, some pieces, and a main function that calls them and prints what they return."""

from __future__ import annotations

import random

from tests.fuzz import oracles
from tests.fuzz.people import arithmetic, callers, containers, control, machines, memory, parsers, searching, shapes, texts
from tests.fuzz.people.functions import plain, status
from tests.fuzz.people.scope import PIECES, Function, Scope, Writer, fill, indented
from tests.fuzz.people.statements import called
from tests.fuzz.people.values import Array, Field, Kind, Record, Subject, constant

NARROW = 4  # one of so many programs is for an int of 16 bits, too
# what registers pieces and idioms
MODULES = (arithmetic, callers, containers, control, machines, memory, parsers, searching, shapes, texts)
ENOUGH = 120  # random statements of a program, about
START = """#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t checked = 2166136261u;

static void show(const char *what, long long value)
{
    unsigned long long bits = (unsigned long long)value;
    printf("%s %08lx%08lx\\n", what, (unsigned long)(bits >> 32 & 0xFFFFFFFF), (unsigned long)(bits & 0xFFFFFFFF));
}
static long larger(long a, long b) { return a > b ? a : b; }
static long smaller(long a, long b) { if (a < b) return a; return b; }
static long magnitude(long a) { return a < 0 ? -a : a; }
static int sign_of(long a) { return (a > 0) - (a < 0); }
static int clamped(long value, long low, long high)
{
    if (value < low)
        return (int)low;
    if (value > high)
        return (int)high;
    return (int)value;
}
"""
# uses what programs use of the library
WARM = f"""{START}
int main(void)
{{
    char text[20] = "abc", *other = malloc(20);
    static jmp_buf where;
    volatile long long wide = 5;
    volatile double number = 1.5;
    other = realloc(other, 30);
    strcpy(other, text);
    memmove(text, text + 1, 2);
    memset(other, 0, strlen(text) + 1);
    snprintf(text, sizeof text, "%d", sprintf(other, "%c", 65));
    if (setjmp(where) == 0)
        longjmp(where, strcmp(text, other) ? 1 : strncmp(text, other, 2));
    printf("%s\\n", text);
    show("at", wide / 3 % 2 * (wide << wide) + (long long)(number * number - number / 2) + larger(clamped(1, 2, 3), 2));
    free(calloc(1, 2));
    free(other);
    if (smaller(1, 2) + sign_of(3) + magnitude(-4) == 0)
        exit(1);
    return 0;
}}
"""
ENUMS = (
    ("color", ["RED", "GREEN", "BLUE", "BLACK"]),
    ("step", ["IDLE", "OPENING", "OPEN", "CLOSING", "FAILED"]),
    ("answer", ["YES", "NO", "MAYBE"]),
    ("level", ["LOW", "MIDDLE", "HIGH", "FULL", "OVER"]),
)


def generate(seed: int) -> str:
    """Return the program of a seed."""
    chance = random.Random(f"people {seed}")
    writer = Writer(chance, 16 if seed % NARROW == 0 else 32)
    share(writer)
    pieces = [status, *(chance.choice((status, plain)) for _ in range(chance.randint(1, 2)))]
    weights = [weight for weight, _ in PIECES]
    pieces += chance.choices([write for _, write in PIECES], weights, k=chance.randint(1, 3))
    chance.shuffle(pieces)
    for write in pieces:
        if writer.whole < ENOUGH or not writer.functions:
            write(writer)
    text = "\n".join([*writer.tops, main_function(writer)])
    head = f"{oracles.WIDE_INT}\n" if writer.bits == 32 else ""
    return f"{oracles.ANY_LAYOUT}\n{head}{START}{indented(text)}"


def share(writer: Writer) -> None:
    """Write the types and variables that all functions see."""
    scope = writer.shared = Scope(writer)
    chance = writer.chance
    writer.enums = chance.sample(ENUMS, chance.randint(1, 2))
    for name, members in writer.enums:
        writer.tops.append(f"enum {name} {{ {', '.join(members)} }};")
    for _ in range(chance.randint(1, 3)):
        record(writer)
    for _ in range(chance.randint(1, 4)):
        place = scope.declare()
        first = constant(chance.randint(max(place.low, -9), min(place.high, 9)), writer.bits).text
        writer.tops.append(f"{chance.choice(('static ', 'static ', ''))}{place.kind.name} {place.text} = {first};")
    if chance.random() < 0.4:
        name = writer.name("volatile_one")
        writer.tops.append(f"static volatile int {name} = {chance.randint(0, 3)};")
        scope.read_only(name, 0, 3)
    table, counts, many = writer.name("table"), writer.name("counts"), chance.choice((8, 8, 12))
    numbers = ", ".join(str(chance.randint(-99, 99)) for _ in range(many))
    writer.tops.append(f"static {chance.choice(('', 'const '))}int {table}[{many}] = {{{numbers}}};")
    scope.arrays.append(Array(table, writer.int_kind, many, -1000, 1000, "const" not in writer.tops[-1]))
    writer.tops.append(f"static {writer.counter.name} {counts}[6];")
    scope.counters += [f"{counts}[{number}]" for number in range(6)]
    one = writer.name("mixed")
    writer.tops.append(f"static uint32_t {one} = {chance.getrandbits(32)}u;")
    scope.words.append(one)
    for one in writer.records:
        if chance.random() < 0.5:
            name = writer.name("shared")
            writer.tops.append(f"static struct {one.name} {name};")
            scope.subjects.append(Subject(name, one))


def record(writer: Writer) -> None:
    """Write a structure type with members of all kinds."""
    chance = writer.chance
    fields = []
    assert writer.shared
    for _ in range(chance.choice((1, 2, 2, 3, 4, 6, 9))):
        way = chance.random()
        name = writer.name()
        if way < 0.25:
            bits = chance.randint(1, 12)
            signed = chance.random() < 0.4 and bits > 1
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            fields.append(Field(name, Kind("signed" if signed else "unsigned", (), cast="(int)"), low, high, bits))
            continue
        if way < 0.35:
            kind, names = chance.choice(writer.enums)
            fields.append(Field(name, Kind(f"enum {kind}", (), cast="(int)"), 0, len(names) - 1))
            continue
        kind = chance.choice(writer.kinds) if chance.random() < 0.6 else writer.int_kind
        fields.append(Field(name, kind, *writer.shared.range_of(kind)))
    made = Record(writer.name(chance.choice(("item", "entry", "point", "options", "context"))), tuple(fields))
    writer.records.append(made)
    lines = "\n".join(field.declaration for field in made.fields)
    writer.tops.append(f"struct {made.name} {{\n{lines}\n}};")


def main_function(writer: Writer) -> str:
    """Return a main function that calls every function with some arguments, and prints all that is left in the end."""
    scope = writer.scope(calls=False)
    text = []
    for one in writer.records:
        name = writer.name("made")
        firsts = ", ".join(
            str(writer.number(max(field.low, 0), min(field.high, 3))) if field.high >= 0 else "-1" for field in one.fields
        )
        text.append(f"struct {one.name} {name} = {{{firsts}}};")
        scope.subjects.append(Subject(name, one))
    numbers = writer.name("numbers")
    text.append(f"int {numbers}[8] = {{{', '.join(str(writer.number(-50, 50)) for _ in range(8))}}};")
    scope.arrays.append(Array(numbers, writer.int_kind, 8, -1000, 1000))
    scope.places = []
    text += [f"{{\n{calls_of(scope.inner(), function)}\n}}" for function in writer.functions]
    for subject in scope.subjects:
        text += [shown(subject.text, place) for place in map(subject.member, subject.record.fields)]
    assert writer.shared
    text += [shown("shared", place) for place in writer.shared.places]
    text += [f'printf("count %ld\\n", (long){one});' for one in writer.shared.counters]
    text += [f'printf("word %lx\\n", (unsigned long){one});' for one in (*writer.shared.words, "checked")]
    for array in (*writer.shared.arrays, *scope.arrays[-1:]):
        text.append(
            fill(
                'for (int i = 0; i < $n; i++) printf("%d%c", (int)$a[i], i + 1 < $n ? 32 : 10);', n=array.length, a=array.text
            )
        )
    status = writer.number(0, 3)
    text.append(f"return {status if writer.bits == 32 else 0};")  # small machines have no status
    return "int main(void)\n{\n" + "\n".join(text) + "\n}"


def shown(what: str, place: object) -> str:
    """Return a print of a place."""
    value = place.value  # type: ignore[attr-defined]
    if value.rank == 2:
        return f'show("{what}", {value.text});'
    return f'printf("{what} %ld\\n", (long){value.text});'


def calls_of(scope: Scope, function: Function) -> str:
    """Return some calls of a function, with constants and in a loop."""
    text = []
    for number in range(scope.number(2, 5)):
        words, before = called(with_constants(scope, number), function)
        if function.returns:
            name = scope.writer.name("made")
            text.append(f"{before}struct {function.returns.name} {name} = {words};")
            text += [shown(function.name, Subject(name, function.returns).member(field)) for field in function.returns.fields]
        elif function.rank == 2:
            text.append(f'{before}show("{function.name}", {words});')
        else:
            text.append(f'{before}printf("{function.name} %ld\\n", (long){words});')
        if function.out:
            text.append(f'printf("out %d\\n", {before.split()[1]});')
    if function.parameters and scope.likely(0.5):
        inside = scope.inner()
        step = scope.writer.name("i")
        inside.read_only(step, 0, 5)
        inside.arrays = [one for one in inside.arrays if one.writable]
        words, before = called(inside, function)
        if not function.returns:
            text.append(f'for (int {step} = 0; {step} < 5; {step}++) {{\n{before}show("{function.name}", {words});\n}}')
    return "\n".join(text)


def with_constants(scope: Scope, number: int) -> Scope:
    """Return a scope whose only integers are constants, small ones first."""
    inside = scope.inner()
    inside.read_only(str(number), number, number)
    return inside
