"""Flags and status variables: set to a constant, set anew behind a branch, tested much later."""

from __future__ import annotations

from tests.fuzz.people.expressions import comparison, condition, ranged
from tests.fuzz.people.scope import Scope, fill, idiom
from tests.fuzz.people.statements import block, lines, show, simple, straight
from tests.fuzz.people.values import Kind, Place, Subject, constant

STATUS = (-3, -2, -1, 0, 1, 2, 3, 4, 5, 9, 100)


class Flag:
    """A variable that holds one of a few constants; its declaration, and what other statements write for it."""

    def __init__(self, scope: Scope) -> None:
        writer, name = (
            scope.writer,
            scope.writer.name(scope.chance.choice(("ok", "found", "done", "status", "err", "rc", "p", "sign"))),
        )
        way = scope.chance.choice(
            (
                "int",
                "int",
                "int",
                "long long",
                "bool",
                "char",
                "short",
                "long",
                "enum",
                "field",
                "member",
                "shared",
                "text",
                "double",
                "pointer",
            )
        )
        values = scope.chance.sample(STATUS[3:8] if way in ("char", "field", "double") else STATUS, 3)
        if scope.likely(0.5):
            values[:2] = scope.chance.choice(((0, 1), (1, 0), (-1, 0), (0, -1))) if way not in ("char", "field") else (0, 1)
        if way == "bool":
            values = [*scope.chance.choice(((0, 1), (1, 0))), 1]
        if way == "enum" and not writer.enums:
            way = "int"
        self.scope, self.name, self.way, self.values = scope, name, way, values
        self.words = [str(value) for value in values]
        self.read = name
        self.declaration = self._declared()

    def _declared(self) -> str:
        """Return the flag's declaration with its first value."""
        scope, writer = self.scope, self.scope.writer
        first = self.words[0]
        if self.way == "enum":
            kind, names = scope.chance.choice(writer.enums)
            self.values = scope.chance.sample(range(len(names)), 3)
            self.words = [names[value] for value in self.values]
            return f"enum {kind} {self.name} = {self.words[0]};"
        if self.way == "field":
            holder = writer.name("state")
            text = f"struct {{ unsigned char kind; unsigned {self.name} : 4; int rest : 5; short more; }} {holder}"
            text += f" = {{1, {first}, 3, 4}};"
            self.name = self.read = f"{holder}.{self.name}"
            return text
        if self.way == "member":
            holder = writer.name("context")
            text = f'struct {{ const char *what; int {self.name}, line; }} {holder} = {{"none", {first}, 0}};'
            self.name = self.read = f"{holder}.{self.name}"
            return text
        if self.way == "shared":
            writer.tops.append(f"static int {self.name};")
            return f"{self.name} = {first};"
        if self.way == "text":
            self.words = scope.chance.choice((["NULL", '"bad"', '"late"'], ['"fine"', "NULL", '"fine, too"']))
            self.read = f"({self.name} != NULL)"
            self.values = [int(word != "NULL") for word in self.words]
            return f"const char *{self.name} = {self.words[0]};"
        if self.way == "pointer":
            target = writer.name("target")
            self.words = scope.chance.choice((["NULL", f"&{target}", f"&{target}"], [f"&{target}", "NULL", "NULL"]))
            self.read = f"({self.name} ? *{self.name} : 0)"
            self.values = [0 if word == "NULL" else 5 for word in self.words]
            return f"int {target} = 5;\nint *{self.name} = {self.words[0]};"
        return f"{self.way} {self.name} = {first};"

    def set(self, which: int) -> str:
        return f"{self.name} = {self.words[which]};"

    def test(self) -> str:
        """Return a condition on the flag."""
        chance = self.scope.chance
        plain = self.name if self.way in ("text", "pointer") else self.read
        ways = [plain, plain, f"!{plain}"]
        if self.way not in ("text", "pointer"):
            ways += [f"{self.read} == {self.words[chance.randrange(3)]}", f"{self.read} != {self.words[chance.randrange(3)]}"]
            if self.way != "enum":
                ways += [f"{self.read} > {min(self.values)}", f"{self.read} < {max(self.values)}"]
        return chance.choice(ways)

    def known(self) -> Place:
        """Return the flag as an integer to read."""
        kind = Kind(
            "int",
            (),
            2 if self.way == "long long" else 1 if self.way == "long" else 0,
            "(int)" if self.way in ("enum", "double") else "",
        )
        return Place(self.read, kind, min(*self.values, 0), max(*self.values, 0), False)


def long_lines(scope: Scope) -> str:
    """Return many plain statements in a row, more than any phase looks at."""
    scope.spend(30)
    count = scope.chance.choice((3, 5, 8, 12, 16, 24))
    scope.writer.whole += count // 4
    way = scope.number(0, 3)
    if way <= 1:
        return "\n".join(straight(scope) for _ in range(count))
    return "\n".join(simple(scope) if way == 2 or scope.likely(0.8) else lines(scope, 1) for _ in range(count))


def short_lines(scope: Scope) -> str:
    return block(scope, scope.number(0, 3))


def setting(scope: Scope, flag: Flag) -> str:
    """Return a statement that sets a flag anew on some ways, with other things before and behind."""
    inside = scope.inner()
    ways = (long_lines, long_lines, long_lines, short_lines)
    before = scope.chance.choice(ways)(inside) if scope.likely(0.3) else ""
    after = scope.chance.choice(ways)(inside)
    parts = {"test": condition(scope), "before": before, "after": after, "one": flag.set(1), "two": flag.set(2)}
    way = scope.number(0, 9)
    if way > 7:
        return fill("if ($test) {\n$before\n$one\n$after\n}", **parts)
    if way > 4:
        again = scope.inner()
        after = "\n".join(straight(again) for _ in range(scope.number(1, 40)))
        return fill("if ($test) {\n$one\n$after\n}", test=by_argument(scope), one=flag.set(1), after=after)
    if way <= 1:
        return fill(
            "if ($test) {\n$before\n$one\n$after\n} else {\n$two\n$more\n}",
            more=scope.chance.choice(ways)(scope.inner()),
            **parts,
        )
    if way == 2:
        return fill(
            "if ($test) {\n$before\n$one\n$after\nif ($again) {\n$two\n$more\n}\n}",
            again=condition(inside),
            more=long_lines(inside),
            **parts,
        )
    if way == 3:
        return fill(
            "switch ($of) {\ncase 0:\n$one\n$after\nbreak;\n"
            "case 1:\n$before\n/* fall through */\ncase 2:\n$two\nbreak;\ndefault:\nbreak;\n}",
            of=ranged(scope, 0, 3, 1),
            **_without_declarations(scope, flag),
        )
    times = scope.chance.choice((2, 3, 5))
    around = scope.inner(times, loop=True)
    step = scope.writer.name("i")
    around.read_only(step, 0, times)
    return fill(
        "for (int $i = 0; $i < $n; $i++) {\n$body\nif ($test) {\n$one\n$after\n$exit\n}\n}",
        i=step,
        n=times,
        body=lines(around, scope.number(0, 2)),
        test=condition(around),
        one=flag.set(1),
        after=long_lines(around),
        exit=scope.chance.choice(("break;", "break;", "")),
    )


def by_argument(scope: Scope) -> str:
    """Return a condition on one of the variables that were known first: an argument, mostly."""
    numbers = [place for place in scope.places[scope.inherited :] if place.low < place.high][:3]
    if not numbers:
        return condition(scope)
    return (
        comparison(scope, scope.chance.choice(numbers).value)
        if scope.likely(0.7)
        else f"{scope.chance.choice(numbers).value.text} & 1"
    )


def _without_declarations(scope: Scope, flag: Flag) -> dict[str, str]:
    """Return the parts of a switch: blocks of their own."""
    return {
        "before": f"{{\n{block(scope, loop=False)}\n}}",
        "after": f"{{\n{long_lines(scope.inner(loop=False))}\n}}",
        "one": flag.set(1),
        "two": flag.set(2),
    }


def testing(scope: Scope, flag: Flag) -> str:
    """Return a statement that tests a flag."""
    way = scope.number(0, 8)
    if way <= 1 and scope.result:
        return f"if ({flag.test()}) {{\n{short_lines(scope)}\nreturn {ranged(scope, *scope.result)};\n}}"
    if way == 2 and flag.way not in ("text", "pointer", "double"):
        cases = dict.fromkeys(flag.words[: scope.number(2, 3)])
        body = "".join(
            f"case {word}: {{\n{block(scope, loop=False)}\n}}\n"
            f"{scope.chance.choice(('break;', 'break;', '/* fall through */'))}\n"
            for word in cases
        )
        return f"switch ({flag.read}) {{\n{body}default:\nbreak;\n}}"
    if way == 3 and scope.prints():
        return fill('printf("$n %s\\n", $t ? "yes" : "no");', n=scope.writer.name("flag"), t=flag.test())
    if way == 4:
        return f"while ({flag.test()}) {{\n{block(scope, 2)}\nbreak;\n}}"
    if way == 5:
        return f"if ({flag.test()} {scope.chance.choice(('&&', '||'))} {condition(scope, 0)}) {{\n{block(scope)}\n}}"
    if way == 6 and scope.label:
        return f"if ({flag.test()})\ngoto {scope.label};"
    if way == 7:
        place = scope.declare()
        values = (constant(scope.number(max(place.low, -99), min(place.high, 99)), scope.writer.bits).text for _ in range(2))
        return f"{place.kind.name} {place.text} = {flag.test()} ? {' : '.join(values)};"
    return f"if ({flag.test()}) {{\n{block(scope)}\n}} else {{\n{block(scope)}\n}}"


@idiom(3)
def flagged(scope: Scope) -> str:
    """A flag is set, set anew on some ways, and tested."""
    if not scope.affords(80):
        return simple(scope)
    flag = Flag(scope)
    text = [flag.declaration]
    if scope.likely(0.3):
        text.append(lines(scope, 1))
    if scope.likely(0.15):
        text.append(setting(scope, flag))
    text.append(setting(scope, flag))
    if scope.likely(0.15):
        text.append(lines(scope, scope.number(1, 2)))
    text.append(testing(scope, flag))
    if scope.likely(0.4):
        text.append(testing(scope, flag))
    if flag.way != "shared" or scope.likely(0.5):
        scope.places.append(flag.known())
    return "\n".join(text)


def status_function(scope: Scope) -> str:
    """Return the body of a function that sets a status late, and returns something by it at its end."""
    flag = Flag(scope)
    assert scope.result is not None
    text = [flag.declaration, setting(scope, flag)]
    while scope.likely(0.3):
        text += [testing(scope, flag), setting(scope, flag)]
    if scope.likely(0.2):
        text.append(lines(scope, 1))
    low, high = scope.result
    ends = [constant(scope.number(low, high), scope.writer.bits).text for _ in range(3)]
    way = scope.number(0, 3)
    if way == 0:
        text.append(f"if ({flag.test()})\nreturn {ends[0]};\nreturn {ends[1]};")
    elif way == 1 and flag.way not in ("text", "pointer", "double"):
        text.append(
            f"switch ({flag.read}) {{\ncase {flag.words[0]}:\nreturn {ends[0]};\ncase {flag.words[1]}:\nreturn {ends[1]};\n"
            f"default:\nbreak;\n}}\nreturn {ends[2]};"
        )
    else:
        text.append(f"return {flag.test()} ? {ends[0]} : {ends[1]};")
    return "\n".join(text)


@idiom(0.6)
def status_record(scope: Scope) -> str:
    """The state of a structure is saved, changed, and put back if a flag says so."""
    if not scope.subjects or not scope.affords(60):
        return simple(scope)
    subject = scope.chance.choice(scope.subjects)
    saved, flag = scope.writer.name("saved"), Flag(scope)
    text = [f"struct {subject.record.name} {saved} = {subject.itself};", flag.declaration, setting(scope, flag)]
    text += [
        f"if ({flag.test()}) {{\n{subject.itself} = {saved};\n}}",
        show(scope, "kept", subject.member(subject.record.fields[0]).value),
    ]
    scope.subjects.append(Subject(saved, subject.record))
    return "\n".join(text if scope.prints() else text[:-1])
