"""Functions of random statements: over numbers, structures and arrays, with results in all ways; and what registers others."""

from __future__ import annotations

from tests.fuzz.people.expressions import ranged
from tests.fuzz.people.flags import status_function
from tests.fuzz.people.scope import Function, Scope, Writer, piece
from tests.fuzz.people.statements import block, lines
from tests.fuzz.people.values import Array, Place, Subject, constant

RESULTS = ((0, 1), (-1, 1), (-1, 9), (0, 100), (-1000, 1000), (-30000, 30000))


class Head:
    """The head of a function, and the scope of its body."""

    def __init__(self, writer: Writer, result: tuple[int, int] | None, most: int = 3) -> None:
        self.name = writer.name(
            writer.chance.choice(("check", "update", "handle", "count_all", "next_step", "apply", "measure", "run"))
        )
        self.writer, self.result = writer, result
        self.scope = writer.scope(result=result)
        self.words: list[str] = []
        self.last: list[str] = []
        self.parameters: list[tuple[int, int]] = []
        self.record, self.by_pointer, self.array, self.out = None, writer.likely(0.6), writer.likely(0.25), None
        if writer.records and writer.likely(0.4):
            self.record = writer.chance.choice(writer.records)
            name = writer.name("p" if self.by_pointer else "s")
            self.words.append(f"struct {self.record.name} {'*' if self.by_pointer else ''}{name}")
            self.scope.subjects.append(Subject(name, self.record, self.by_pointer))
        if self.array:
            name = writer.name("a")
            self.words.append(f"int *{name}")
            self.scope.arrays.append(Array(name, writer.int_kind, 8, -1000, 1000))
        for _ in range(writer.number(1, most)):
            self.number()
        if writer.likely(0.2):
            self.out = writer.chance.choice(((0, 1), (-100, 100), (-30000, 30000)))
            name = writer.name("where")
            self.last = [f"int *{name}"]
            self.scope.places.append(Place(f"*{name}", writer.int_kind, *self.out))

    def number(self) -> None:
        """Add a parameter that is a number."""
        kind = self.writer.chance.choice(self.writer.kinds) if self.writer.likely(0.4) else self.writer.int_kind
        ends = self.scope.range_of(kind)
        place = self.scope.declare(self.writer.chance.choice(("x", "z", "n", "c", "size", "what")), kind, ends)
        self.words.append(f"{kind.name} {place.text}")
        self.parameters.append(ends)

    def finish(self, body: str, kind: str = "int", rank: int = 0, returns: object = None) -> None:
        """Write the function and let others call it."""
        writer = self.writer
        low, high = self.result or (0, 0)
        writer.tops.append(f"{writer.storage()} {kind} {self.name}({', '.join([*self.words, *self.last])})\n{{\n{body}\n}}")
        writer.functions.append(
            Function(
                self.name,
                tuple(self.parameters),
                low,
                high,
                writer.cost,
                rank,
                self.record,
                self.by_pointer,
                self.array,
                self.out,
                returns,
            )
        )  # type: ignore[arg-type]


@piece(3)
def plain(writer: Writer) -> None:
    """Write a function of random statements."""
    result = writer.chance.choice(RESULTS)
    head = Head(writer, result)
    body = lines(head.scope, writer.number(3, 7))
    head.finish(f"{body}\nreturn {ranged(head.scope, *result)};")


@piece(3)
def status(writer: Writer) -> None:
    """Write a function that sets a status late and returns something by it."""
    head = Head(writer, writer.chance.choice(RESULTS[1:]))
    if writer.likely(0.5):
        head.number()
    before = lines(head.scope, 1) + "\n" if writer.likely(0.25) else ""
    head.finish(before + status_function(head.scope))


@piece(1)
def wide(writer: Writer) -> None:
    """Write a function whose result is a long or a long long."""
    rank = writer.number(1, 2)
    result = writer.chance.choice(
        ((0, 1), (-1, 1), (-100000, 100000)) if rank == 1 else ((0, 1), (-1, 1), (-(1 << 40), 1 << 40))
    )
    head = Head(writer, result)
    body = status_function(head.scope) if writer.likely(0.4) else f"{lines(head.scope)}\nreturn {ranged(head.scope, *result)};"
    head.finish(body, ("long", "long long")[rank - 1], rank)


@piece(2)
def cleaning(writer: Writer) -> None:
    """Write a function that takes memory and gives it back in one place, whatever goes wrong."""
    head = Head(writer, (-9, 9))
    scope = head.scope
    names = [writer.name(stem) for stem in ("buffer", "other", "result")]
    text = [f"int {names[2]} = {writer.number(-3, 0)};", f"int *{names[0]} = NULL;", f"char *{names[1]} = NULL;"]
    label = writer.name("out_of_here")
    plain_scope = scope.inner(result=None, label=label)
    plain_scope.places.append(Place(names[2], writer.int_kind, -9, 9))
    text.append(f"if ({ranged(plain_scope, 0, 1)})\ngoto {label};")
    text.append(f"{names[0]} = malloc(8 * sizeof *{names[0]});\nif ({names[0]} == NULL)\ngoto {label};")
    text.append(f"memset({names[0]}, 0, 8 * sizeof *{names[0]});")
    plain_scope.arrays.append(Array(names[0], writer.int_kind, 8, -1000, 1000))
    text.append(lines(plain_scope, writer.number(1, 3)))
    text.append(
        f"{names[1]} = calloc(20, 1);\nif (!{names[1]}) {{\n{names[2]} = -9;\ngoto {label};\n}}\n"
        f'strcpy({names[1]}, "{writer.name("word")}");'
    )
    plain_scope.texts.append((names[1], 20))
    text.append(lines(plain_scope, writer.number(1, 4)))
    text.append(f"{names[2]} = {ranged(plain_scope, -9, 9)};")
    text.append(f"{label}:\nfree({names[1]});\nfree({names[0]});\nreturn {names[2]};")
    head.finish("\n".join(text))


@piece(1.5)
def made_by_value(writer: Writer) -> None:
    """Write a function that takes a structure and returns one."""
    if not writer.records:
        return
    record = writer.chance.choice(writer.records)
    head = Head(writer, None)
    scope = head.scope
    scope.calls = writer.likely(0.5)
    name = writer.name("it")
    firsts = ", ".join(
        constant(writer.number(max(field.low, -2), min(field.high, 3)), writer.bits).text for field in record.fields
    )
    text = [f"struct {record.name} {name} = {{{firsts}}};"]
    scope.subjects += [Subject(name, record)] * 2
    text.append(lines(scope, writer.number(1, 4)))
    if writer.likely(0.6):
        text.append(f"if ({ranged(scope, 0, 1)})\nreturn {name};")
        text.append(block(scope, 2))
    text.append(f"return {name};")
    head.finish("\n".join(text), f"struct {record.name}", returns=record)


@piece(1)
def remembered(writer: Writer) -> None:
    """Write a function with static variables that it remembers from call to call."""
    head = Head(writer, (-1000, 1000))
    scope = head.scope
    text = []
    for _ in range(writer.number(1, 3)):
        before = scope.declare()
        first = constant(writer.number(max(before.low, -5), min(before.high, 5)), writer.bits).text
        text.append(f"static {before.kind.name} {before.text} = {first};")
    known: Scope = scope
    text.append(lines(known, writer.number(2, 5)))
    head.finish("\n".join(text) + f"\nreturn {ranged(scope, -1000, 1000)};")
