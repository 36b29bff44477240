"""Small allocators, blocks that grow, copies of bytes in unrolled loops."""

from __future__ import annotations

from tests.fuzz.people.expressions import condition
from tests.fuzz.people.scope import Scope, Writer, fill, idiom, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines, simple
from tests.fuzz.people.values import Subject


@piece(1)
def pool(writer: Writer) -> None:
    """Write an allocator of cells in a static array, with a list of free ones."""
    t, name = writer.name("cell"), writer.name("use_cells")
    scope = writer.scope(result=None)
    parts = {
        "none": lines(scope.inner(3, loop=False), writer.number(0, 8)),
        "body": lines(scope.inner(8, loop=True), writer.number(0, 2)),
    }
    writer.tops.append(
        fill(
            """struct $t { struct $t *next; $kind value; bool used; };
        static struct $t ${t}_all[$size], *${t}_free;
        static int ${t}_failures;
        static void ${t}_start(void)
        {
            ${t}_free = NULL;
            for (int i = $size; i-- > 0;) {
                ${t}_all[i].used = false;
                ${t}_all[i].next = ${t}_free;
                ${t}_free = &${t}_all[i];
            }
        }
        $how struct $t *${t}_take(int value)
        {
            struct $t *one = ${t}_free;
            bool failed = false;
            if (one == NULL) {
                failed = true;
                ${t}_failures++;
                $none
            } else {
                ${t}_free = one->next;
                one->value = ($kind)value;
                one->used = true;
            }
            return failed ? NULL : one;
        }
        $how int ${t}_give(struct $t *one)
        {
            if (!one || !one->used)
                return -1;
            one->used = false;
            one->next = ${t}_free;
            ${t}_free = one;
            return (int)(one - ${t}_all);
        }
        $how int $name(int n)
        {
            struct $t *held[4] = {NULL, NULL, NULL, NULL};
            int sum = 0, bad = 0;
            ${t}_start();
            for (int i = 0; i < n; i++) {
                int at = i * $factor & 3;
                if (held[at] && i % 3 != 0) {
                    if (${t}_give(held[at]) < 0)
                        bad = 1;
                    held[at] = NULL;
                    continue;
                }
                held[at] = ${t}_take(i);
                if (!held[at])
                    bad |= 2;
                else
                    sum += (int)held[at]->value * (at + 1);
                $body
            }
            for (struct $t *one = ${t}_free; one != NULL; one = one->next)
                sum += 100;
            return bad ? -sum : sum;
        }""",
            t=t,
            kind=writer.chance.choice(("int", "char", "long long", "short")),
            size=writer.number(2, 6),
            how=writer.storage(),
            name=name,
            factor=writer.number(1, 7),
            **parts,
        )
    )
    register(writer, name, ((0, 10),), (-1500, 1500), 300)


@piece(1)
def growing(writer: Writer) -> None:
    """Write an array on the heap that grows, with an error that sticks."""
    t, name = writer.name("vec"), writer.name("use_vec")
    scope = writer.scope(result=None)
    parts = {
        "grown": lines(scope.inner(4, loop=False), writer.number(0, 7)),
        "failed": lines(scope.inner(2, loop=False), writer.number(0, 7)),
    }
    kind = writer.chance.choice(("int", "short", "long long", "unsigned char"))
    writer.tops.append(
        fill(
            """struct $t { $kind *items; size_t count, room; int error; };
        $how bool ${t}_push(struct $t *v, $kind item)
        {
            if (v->error)
                return false;
            if (v->count == v->room) {
                size_t room = v->room ? v->room * 2 : $first;
                $kind *items = room > $most ? NULL : realloc(v->items, room * sizeof *items);
                if (items == NULL) {
                    v->error = $code;
                    $failed
                    return false;
                }
                v->items = items;
                v->room = room;
                $grown
            }
            v->items[v->count++] = item;
            return true;
        }
        $how int $name(int n, int step)
        {
            struct $t v = {NULL, 0, 0, 0}, copy;
            int ok = 1, result = 0;
            for (int i = 0; i < n; i++) {
                if (!${t}_push(&v, ($kind)(i * step & 127))) {
                    ok = 0;
                    checked += (uint32_t)v.count;
                    checked ^= (uint32_t)v.room;
                    result -= 1;
                    break;
                }
            }
            copy = v;
            if (copy.count > 2)
                memmove(copy.items, copy.items + 1, (copy.count - 1) * sizeof *copy.items);
            for (size_t i = 0; i < copy.count; i++)
                result = (result * 2 + (int)copy.items[i]) % 1000;
            free(v.items);
            return ok ? result : -result - copy.error;
        }""",
            t=t,
            kind=kind,
            how=writer.storage(),
            first=writer.chance.choice((1, 2, 4)),
            most=writer.chance.choice((8, 16, 64)),
            code=writer.number(1, 9),
            name=name,
            **parts,
        )
    )
    register(writer, name, ((0, 20), (1, 9)), (-1100, 1100), 300)


@piece(0.8)
def duff(writer: Writer) -> None:
    """Write a copy of bytes by eights, entered in the middle."""
    name, copy = writer.name("use_copy"), writer.name("copy_bytes")
    kind, unit = writer.chance.choice(("unsigned char", "short", "int")), writer.chance.choice((4, 8))
    scope = writer.scope(result=None)
    scope.read_only("n", 1, 30)
    cases = "\n".join(
        f"case {number}: *to++ = {writer.chance.choice(('', '', '', '(' + kind + ')~'))}*from++;"
        for number in range(unit - 1, 0, -1)
    )
    writer.tops.append(
        fill(
            """$how void $copy($kind *to, const $kind *from, int n)
        {
            int rounds = (n + $last) / $unit;
            switch (n % $unit) {
            case 0: do { *to++ = *from++;
            $cases
            } while (--rounds > 0);
            }
        }
        $how int $name(int n)
        {
            $kind from[32], to[32] = {0};
            int sum = 0, same = 1;
            for (int i = 0; i < 32; i++)
                from[i] = ($kind)(i * $factor & 127);
            $copy(to + 1, from, n);
            for (int i = 0; i < n; i++) {
                if (to[i + 1] != from[i]) {
                    same = 0;
                    $body
                }
                sum += to[i];
            }
            return same ? sum : -sum;
        }""",
            how=writer.storage(),
            copy=copy,
            kind=kind,
            last=unit - 1,
            unit=unit,
            cases=cases,
            name=name,
            factor=writer.number(1, 9),
            body=lines(scope.inner(10, loop=True), writer.number(0, 8)),
        )
    )
    register(writer, name, ((1, 30),), (-9000, 9000), 300)


@idiom(0.5)
def on_heap(scope: Scope) -> str:
    """A structure lives on the heap for a few statements."""
    if not scope.writer.records or not scope.affords(20):
        return simple(scope)
    record = scope.chance.choice(scope.writer.records)
    name = scope.writer.name("item")
    inside = scope.inner(result=None, label="", loop=False)
    inside.subjects.append(Subject(name, record, True))
    return fill(
        "struct $t *$name = calloc($many, sizeof *$name);\nif ($name != NULL && ($test)) {\n$body\n}\nfree($name);",
        t=record.name,
        name=name,
        many=scope.number(1, 3),
        test=condition(inside.inner()),
        body=lines(inside, scope.number(1, 6)),
    )
