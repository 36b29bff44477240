"""Plain statements: assignments, branches, loops, switches, prints, calls, early exits."""

from __future__ import annotations

from tests.fuzz.people.expressions import bare, condition, element, fit, integer, member, ranged, word
from tests.fuzz.people.scope import IDIOMS, LONGEST, Function, Scope, fill, idiom
from tests.fuzz.people.values import Array, Place, Subject, Value, combine, constant

DEEPEST = 3  # statements within statements
WORDS = (
    "at", "go", "now", "step", "then", "left", "more", "last", "seen", "end", "value", "state", "item", "line", "mark",
    "open", "shut", "cold", "warm",
)  # fmt: skip


def block(scope: Scope, count: int | None = None, **changes: object) -> str:
    """Return some random statements in a scope of their own."""
    return lines(scope.inner(**changes), count)


def lines(scope: Scope, count: int | None = None) -> str:
    """Return some random statements in this scope."""
    count = scope.number(1, 3) if count is None else count
    if scope.writer.size > LONGEST:
        count = min(count, 1)
    return "\n".join(statement(scope) for _ in range(count))


def statement(scope: Scope) -> str:
    """Return a random statement."""
    scope.spend()
    scope.writer.size += 1
    scope.writer.whole += 1
    if scope.depth >= DEEPEST or not scope.affords(30):
        return simple(scope)
    weights, ways = [weight for weight, _ in IDIOMS], [way for _, way in IDIOMS]
    return scope.chance.choices(ways, weights)[0](scope)


def simple(scope: Scope) -> str:
    """Return a statement without statements in it."""
    ways = [assignment, assignment, count_up, count_up, mix, change_member, shown]
    return scope.chance.choice(ways)(scope)


def straight(scope: Scope) -> str:
    """Return a statement without a branch in it: a counter, a store of a constant or a variable, a copy, a print."""
    way = scope.number(0, 6)
    if way <= 1 and scope.counters:
        return f"{scope.chance.choice(scope.counters)}++;"
    if way == 2 and scope.prints() and scope.places:
        place = scope.chance.choice(scope.places)
        return show(scope, scope.chance.choice(WORDS), place.value)
    if way == 3 and scope.subjects:
        one = scope.chance.choice(scope.subjects)
        others = [other for other in scope.subjects if other.record == one.record and other != one]
        if others:
            return f"{scope.chance.choice(others).itself} = {one.itself};"
    if way == 4 and scope.words:
        one, other = scope.chance.choice(scope.words), scope.chance.choice(scope.words)
        return f"{one} = {one} * {scope.number(3, 99)}u {scope.chance.choice('+^-')} {other};"
    place = target(scope)
    if place is None:
        return "checked = checked * 31 + 7u;"
    same = [other for other in scope.places if place.low <= other.low and other.high <= place.high]
    if same and scope.likely(0.5):
        return f"{place.text} = {scope.chance.choice(same).value.text};"
    return f"{place.text} = {constant(scope.number(max(place.low, -100), min(place.high, 100)), scope.writer.bits).text};"


def target(scope: Scope) -> Place | None:
    """Return a place that may be written."""
    way = scope.chance.random()
    if way < 0.15 and any(array.writable for array in scope.arrays):
        return element(scope, writable=True)
    if way < 0.3 and scope.subjects:
        return member(scope)
    writable = [place for place in scope.places if place.writable]
    return scope.chance.choice(writable[-10:] if scope.likely(0.7) else writable) if writable else None


@idiom(3)
def assignment(scope: Scope) -> str:
    """A new value, or an old one that is changed."""
    place = target(scope)
    if place is None:
        return declaration(scope)
    if scope.likely(0.35) and (text := changed(scope, place)):
        return text
    return f"{place.text} = {ranged(scope, place.low, place.high)};"


def changed(scope: Scope, place: Place) -> str:
    """Return `x += e` and the like, and what brings x back into its range."""
    operator = scope.chance.choice(("+", "-", "*", "&", "%", "/"))
    if operator in "&%/" and not (operator == "&" and place.low < 0):
        amount = scope.chance.choice((2, 3, 5, 7, 10, 100) if operator != "&" else (1, 3, 7, 0x7F))
        return f"{place.text} {operator}= {amount};" if place.low <= 0 <= place.high else ""
    if operator in "&%/":
        return ""
    value = integer(scope, 1)
    together = combine(operator, place.value, value, scope.writer.bits)
    if together is None or together.rank > place.kind.rank or place.kind.name not in ("int", "long", "long long"):
        return ""
    text = f"{place.text} {operator}= {bare(value.text)};"
    if together.low < place.low or together.high > place.high:
        low, high = (constant(end, scope.writer.bits).text for end in (place.low, place.high))
        test = f"{place.text} > {high} || {place.text} < {low}"
        if "(" in place.text or "[" in place.text:  # whose index may have changed
            return f"{place.text} = {fit(scope, together, place.low, place.high)};"
        return f"{text}\nif ({test}) {place.text} = {scope.chance.choice((low, high))};"
    return text


@idiom(2)
def declaration(scope: Scope) -> str:
    """A new variable."""
    before = scope.inner()
    place = scope.declare()
    return f"{place.kind.name} {place.text} = {ranged(before, place.low, place.high)};"


@idiom(1)
def declared_array(scope: Scope) -> str:
    """A new array with some numbers, or a buffer of text."""
    if scope.likely(0.3):
        name, size = scope.writer.name("text"), scope.chance.choice((12, 16, 24))
        scope.texts.append((name, size))
        return f'char {name}[{size}] = "{scope.chance.choice(WORDS)}";'
    kind = scope.chance.choice(scope.writer.kinds) if scope.likely(0.4) else scope.writer.int_kind
    low, high = (-1000, 1000) if kind == scope.writer.int_kind else scope.range_of(kind)
    length = scope.chance.choice((8, 8, 9, 12, 16))
    numbers = ", ".join(
        constant(scope.number(max(low, -99), min(high, 99)), scope.writer.bits).text for _ in range(scope.number(1, length))
    )
    name = scope.writer.name(scope.chance.choice(("table", "list", "cells", "row", "a")))
    scope.arrays.append(Array(name, kind, length, low, high))
    return f"{kind.name} {name}[{length}] = {{{numbers}}};"


@idiom(2)
def count_up(scope: Scope) -> str:
    """A counter goes up."""
    if not scope.counters:
        return mix(scope)
    one = scope.chance.choice(scope.counters)
    return scope.chance.choice((f"{one}++;", f"{one}++;", f"{one} += {scope.number(1, 5)};", f"++{one};"))


@idiom(1)
def mix(scope: Scope) -> str:
    """A word that wraps around gets something else."""
    if not scope.words:
        return f"checked = (checked ^ {word(scope)}) * 16777619u;"
    one = scope.chance.choice(scope.words)
    return scope.chance.choice((f"{one} = {word(scope)};", f"{one} ^= {word(scope, 1)};", f"{one} += {word(scope, 1)};"))


@idiom(1.5)
def change_member(scope: Scope) -> str:
    """A member of a structure gets a value."""
    if not scope.subjects:
        return assignment(scope)
    place = member(scope)
    return f"{place.text} = {ranged(scope, place.low, place.high)};"


@idiom(2)
def shown(scope: Scope) -> str:
    """A value is printed."""
    if not scope.prints():
        return mix(scope)
    return show(scope, scope.chance.choice(WORDS), *(integer(scope, 1) for _ in range(scope.number(1, 2))))


def show(scope: Scope, what: str, *values: Value) -> str:
    """Return a print of values: of wide ones by a function, since not every library can print them."""
    if any(value.rank == 2 for value in values):
        return "\n".join(f'show("{what}", {bare(value.text)});' for value in values)
    scope.spend(5)
    formats = " ".join("%ld" if value.rank else "%d" for value in values)
    arguments = "".join(f", {f'(long){value.text}' if value.rank else bare(value.text)}" for value in values)
    return f'printf("{what} {formats}\\n"{arguments});'


@idiom(4)
def branch(scope: Scope) -> str:
    """If, else if, else."""
    text = f"if ({condition(scope)}) {{\n{block(scope)}\n}}"
    while scope.likely(0.25):
        text += f" else if ({condition(scope)}) {{\n{block(scope)}\n}}"
    if scope.likely(0.4):
        text += f" else {{\n{block(scope)}\n}}"
    return text


@idiom(2)
def loop(scope: Scope) -> str:
    """A loop over a few numbers."""
    times = scope.chance.choice((2, 3, 4, 5, 8, 8, 10))
    if not scope.affords(times * 8):
        return simple(scope)
    inside = scope.inner(times, loop=True)
    variable = scope.writer.name(scope.chance.choice("ikn"))
    kind = scope.chance.choice(("int", "int", "int", "long", "short")) if scope.writer.bits == 32 else "int"
    inside.read_only(variable, 0, times, next(one for one in scope.writer.kinds if one.name == kind))
    way = scope.number(0, 4)
    if way == 0:  # down, by while: whatever continues has counted
        head, end = f"{kind} {variable} = {times};\nwhile ({variable}-- > 0) {{", "}"
    elif way == 1:
        head, end = f"{kind} {variable} = 0;\ndo {{\n{variable}++;", f"}} while ({variable} < {times});"
    elif way == 2 and scope.likely(0.7):
        bound = ranged(scope, 0, times)
        head, end = f"for ({kind} {variable} = {bound}; {variable} > 0; {variable}--) {{", "}"
    else:
        head, end = (
            f"for ({kind} {variable} = 0; {variable} < {times}; {variable}{scope.chance.choice(('++', ' += 2'))}) {{",
            "}",
        )
    return f"{head}\n{lines(inside, scope.number(1, 4))}\n{end}"


@idiom(2)
def decision(scope: Scope) -> str:
    """A switch that falls through here and there."""
    most = scope.number(2, 8)
    text = f"switch ({ranged(scope, 0, most + scope.number(0, 2), 1)}) {{\n"
    place = target(scope)
    for number in scope.chance.sample(range(most + 1), scope.number(2, most + 1)):
        text += f"case {number}:"
        if scope.likely(0.2):
            text += "\n"
            continue
        if place is not None and "[" not in place.text and scope.likely(0.5):
            body = f"{place.text} = {constant(scope.number(place.low, place.high), scope.writer.bits).text};"
        else:
            body = block(scope, loop=False)
        text += f" {{\n{body}\n}}\n" + scope.chance.choice(("break;\n", "break;\n", "break;\n", "/* fall through */\n"))
    if scope.likely(0.7):
        text += f"default: {{\n{block(scope, 1, loop=False)}\n}}\n"
    else:
        text += "default:\n"
    return f"{text}break;\n}}"


@idiom(1.5)
def leave(scope: Scope) -> str:
    """An early exit."""
    test = condition(scope)
    ways = []
    if scope.loop:
        ways += ["break;", "continue;"]
    if scope.label:
        ways += [f"goto {scope.label};"]
    if scope.result:
        ways += [f"return {ranged(scope, *scope.result)};"]
    if not ways:
        return branch(scope)
    before = block(scope, scope.number(0, 2)) if scope.likely(0.4) else ""
    return f"if ({test}) {{\n{before}\n{scope.chance.choice(ways)}\n}}"


@idiom(4)
def call(scope: Scope) -> str:
    """The call of a function written before."""
    function = affordable(scope)
    if function is None:
        return simple(scope)
    text, out = called(scope, function)
    if function.returns:
        text = f"struct {function.returns.name} {(name := scope.writer.name('made'))} = {text};"
        scope.subjects.append(Subject(name, function.returns))
        return out + text
    kind = next(kind for kind in scope.writer.kinds if kind.name == ("int", "long", "long long")[function.rank])
    way = scope.number(0, 4)
    if way == 0:
        ends = constant(scope.number(max(function.low, -2), min(function.high, 9)), scope.writer.bits).text
        test = f"{text} {scope.chance.choice(('<', '!=', '==', '>'))} {ends}"
        return f"{out}if ({test}) {{\n{block(scope)}\n}}"
    place = target(scope)
    if way == 1 and place is not None and "[" not in place.text and function.rank <= place.kind.rank:
        value = Value(text, function.low, function.high, function.rank)
        if place.low <= value.low and value.high <= place.high:
            return f"{out}{place.text} = {text};"
    if way == 2 and scope.prints() and function.rank == 0:
        return f'{out}printf("{function.name} %d\\n", {text});'
    name = scope.declare(kind=kind, ends=(function.low, function.high)).text
    return f"{out}{kind.name} {name} = {text};"


def affordable(scope: Scope) -> Function | None:
    """Return a function that may be called here, if any."""
    if not scope.calls:
        return None
    able = [
        one
        for one in scope.writer.functions
        if scope.affords(one.cost)
        and (not one.array or _int_arrays(scope))
        and (one.record is None or any(subject.record == one.record for subject in scope.subjects))
    ]
    if not able:
        return None
    function = scope.chance.choice(able[-4:] if scope.likely(0.6) else able)
    scope.spend(function.cost)
    return function


def _int_arrays(scope: Scope) -> list[str]:
    kind = scope.writer.int_kind
    return [one.text for one in scope.arrays if one.writable and one.kind == kind and (one.low, one.high) == (-1000, 1000)]


def called(scope: Scope, function: Function) -> tuple[str, str]:
    """Return the text of a call, and what must stand before it."""
    words, before = [], ""
    if function.record:
        subject = scope.chance.choice([one for one in scope.subjects if one.record == function.record])
        words.append(subject.address if function.by_pointer else subject.itself)
    if function.array:
        words.append(scope.chance.choice(_int_arrays(scope)))
    words += [ranged(scope, *ends, 1) for ends in function.parameters]
    if function.out:
        place = scope.declare("out", scope.writer.int_kind, function.out)
        before = f"int {place.text} = {constant(scope.number(max(-9, function.out[0]), min(9, function.out[1])), 32).text};\n"
        words.append(f"&{place.text}")
    return f"{function.name}({', '.join(words)})", before


@idiom(0.7)
def copied(scope: Scope) -> str:
    """A structure is copied to another one, or to a new one."""
    if not scope.subjects:
        return declaration(scope)
    one = scope.chance.choice(scope.subjects)
    others = [other for other in scope.subjects if other.record == one.record and other != one]
    if others and scope.likely(0.5):
        return f"{scope.chance.choice(others).itself} = {one.itself};"
    name = scope.writer.name("copy")
    scope.subjects.append(Subject(name, one.record))
    return f"struct {one.record.name} {name} = {one.itself};"


@idiom(0.7)
def swapped(scope: Scope) -> str:
    """Two elements change places."""
    arrays = [one for one in scope.arrays if one.writable]
    if not arrays:
        return assignment(scope)
    array = scope.chance.choice(arrays)
    one, other = (str(scope.number(0, array.length - 1)) for _ in range(2))
    return fill(
        "{\n$k $h = $a[$i];\n$a[$i] = $a[$j];\n$a[$j] = $h;\n}",
        k=array.kind.name,
        h=scope.writer.name("held"),
        a=array.text,
        i=one,
        j=other,
    )


@idiom(0.7)
def searched(scope: Scope) -> str:
    """A loop that looks for something and leaves when it is found."""
    if not scope.arrays or not scope.affords(60):
        return simple(scope)
    array = scope.chance.choice(scope.arrays)
    flag = scope.writer.name("found")
    value, step = integer(scope, 1).text, scope.writer.name("i")
    inside = scope.inner(array.length, loop=True)
    inside.read_only(step, 0, array.length - 1)
    text = fill(
        "int $flag = -1;\nfor (int $i = 0; $i < $n; $i++) {\n$body\n"
        "if ($element $test $value) {\n$flag = $i;\n$more\nbreak;\n}\n}",
        flag=flag,
        i=step,
        n=array.length,
        body=lines(inside, scope.number(0, 1)),
        element=array.element(step).value.text,
        test=scope.chance.choice(("==", ">", "<=", ">=")),
        value=value,
        more=block(scope, scope.number(0, 3), weight=scope.weight, loop=True),
    )
    scope.places.append(Place(flag, scope.writer.int_kind, -1, array.length - 1))
    return text
