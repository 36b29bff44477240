"""Functions by pointers with contexts, tables of functions, lists of arguments of any length."""

from __future__ import annotations

from tests.fuzz.people.expressions import ranged
from tests.fuzz.people.flags import status_function
from tests.fuzz.people.scope import Writer, fill, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines


@piece(1.5)
def callbacks(writer: Writer) -> None:
    """Write a function that calls another one for each element, with a context of its caller's."""
    visit, each, name, context = (writer.name(stem) for stem in ("visit", "for_each", "collect", "context"))
    texts = []
    names = [writer.name(stem) for stem in ("on_sum", "on_find", "on_any")]
    texts.append(
        f"struct {context} {{ long sum; int wanted, at, seen; bool stop; }};\n"
        f"typedef int (*{visit})(void *context, int value);"
    )
    for number, one in enumerate(names):
        scope = writer.scope(result=(0, 1) if number == 2 else None)
        scope.read_only("value", -1000, 1000)
        scope.read_only("c->seen", 0, 16)
        scope.weight = 8
        if number == 0:
            body = f"c->sum += value * {writer.number(1, 3)};\n{lines(scope, writer.number(0, 3))}\n"
            body += f"return c->sum > {writer.number(0, 300)};"
        elif number == 1:
            inside = lines(scope.inner(), writer.number(0, 8))
            test = writer.chance.choice(("==", ">="))
            body = f"if (value {test} c->wanted) {{\nc->at = c->seen;\n{inside}\nc->stop = true;\n}}\nreturn c->stop;"
        else:
            body = status_function(scope)
        texts.append(f"static int {one}(void *context, int value)\n{{\nstruct {context} *c = context;\nc->seen++;\n{body}\n}}")
    texts.append(
        fill(
            """$how int $each(const int *a, int n, $visit f, void *context)
        {
            int r = 0;
            for (int i = 0; i < n; i++)
                if ((r = f(context, a[i])) != 0)
                    break;
            return r;
        }
        $how int $name(int which, int wanted)
        {
            static const $visit table[] = {$names};
            static const int data[8] = {$data};
            struct $context c = {0, wanted, -1, 0, false};
            int r = $each(data, 8, table[which], &c);
            if (!r && c.at < 0)
                r = $each(data, $some, $first, &c) - 1;
            return r * 100 + c.seen + c.at + (int)(c.sum % 50);
        }""",
            how=writer.storage(),
            each=each,
            visit=visit,
            name=name,
            names=", ".join(names),
            context=context,
            data=", ".join(str(writer.number(-50, 90)) for _ in range(8)),
            some=writer.number(1, 8),
            first=writer.chance.choice(names),
        )
    )
    writer.tops += texts
    register(writer, name, ((0, 2), (-50, 90)), (-300, 300), 150)


@piece(1)
def arguments(writer: Writer) -> None:
    """Write a function of any number of arguments: with a count, or a format."""
    name, use = writer.name("put_all"), writer.name("format")
    scope = writer.scope(result=None)
    inside = scope.inner(6, loop=False)
    bodies = [lines(inside.inner(), writer.number(0, 3)) for _ in range(2)]
    letters = writer.chance.choices("dlLsfc", k=writer.number(2, 6))
    given = {
        "d": "x + {n}",
        "l": "(long)x * {n}",
        "L": "(long long)x * {n}000000000",
        "s": 'x > {n} ? "abc" : "zz"',
        "f": "x * 0.5",
        "c": "'a' + {n}",
    }
    values = ", ".join(given[letter].format(n=writer.number(1, 9)) for letter in letters)
    writer.tops.append(
        fill(
            """$how long $name(const char *format, ...)
        {
            va_list list;
            long sum = 0;
            int wide = 0, bad = 0;
            va_start(list, format);
            for (const char *at = format; *at != 0; at++) {
                if (*at != '%') {
                    sum += *at;
                    continue;
                }
                switch (*++at) {
                case 'd': sum += va_arg(list, int); break;
                case 'l': wide++; sum += va_arg(list, long) % 1000; break;
                case 'L': {
                    long long v = va_arg(list, long long);
                    wide = 2;
                    $first
                    sum += (long)(v % 1009);
                    break;
                }
                case 's': sum += (long)strlen(va_arg(list, const char *)); break;
                case 'f': sum += (long)(va_arg(list, double) * 2.0); break;
                case 'c': sum ^= va_arg(list, int); break;
                default: bad = 1; break;
                }
                if (bad)
                    break;
            }
            va_end(list);
            $second
            return bad ? -1 : wide ? sum % 5000 : sum % 700;
        }
        $how int $use(int x)
        {
            long all = $name("$format", $values);
            if (all < 0)
                all = $name("%d%z", x, x);
            return (int)all;
        }""",
            how=writer.storage(),
            name=name,
            use=use,
            first=bodies[0],
            second=bodies[1],
            format="".join(f"{writer.chance.choice(('', 'a', ' '))}%{letter}" for letter in letters),
            values=values,
        )
    )
    register(writer, use, ((-1000, 1000),), (-5000, 5000), 200)


@piece(1)
def dispatch(writer: Writer) -> None:
    """Write a small machine with instructions in bytes, by a switch or by a table of functions."""
    t, run = writer.name("vm"), writer.name("run_code")
    scope = writer.scope(result=None)
    scope.read_only("n", -100, 100)
    scope.read_only("m.flag", -1, 1)
    inside = scope.inner(20, loop=False)
    code = []
    for _ in range(writer.number(4, 14)):
        code += [writer.number(0, 7), writer.number(0, 20)]
    parts = {f"b{number}": lines(inside.inner(), writer.number(0, 2)) for number in range(3)}
    writer.tops.append(
        fill(
            """struct $t { int stack[16]; int top, at, flag; const char *error; };
        static int ${t}_pop(struct $t *m)
        {
            if (m->top == 0) {
                m->error = "empty";
                return 0;
            }
            return m->stack[--m->top];
        }
        static bool ${t}_push(struct $t *m, int v)
        {
            bool ok = true;
            if (m->top >= $deep) {
                ok = false;
                m->error = "full";
            } else
                m->stack[m->top++] = v % 1000;
            return ok;
        }
        $how int $run(int n)
        {
            static const unsigned char code[] = {$code};
            struct $t m = {{0}, 0, 0, 0, NULL};
            int steps = 0, a, b;
            while (m.error == NULL && m.at + 1 < (int)sizeof code && steps++ < 40) {
                int op = code[m.at], arg = code[m.at + 1];
                m.at += 2;
                switch (op) {
                case 0: ${t}_push(&m, arg); continue;
                case 1: ${t}_push(&m, n); break;
                case 2: a = ${t}_pop(&m); b = ${t}_pop(&m); ${t}_push(&m, a + b); break;
                case 3: {
                    a = ${t}_pop(&m);
                    $b0
                    if (!${t}_push(&m, a * 3) || !${t}_push(&m, a)) {
                        $b1
                        goto failed;
                    }
                    break;
                }
                case 4: m.flag = m.top > 0 && m.stack[m.top - 1] > arg; break;
                case 5: if (m.flag) { m.at = arg & ~1; m.flag = 0; } break;
                case 6: m.flag = -m.flag; /* fall through */
                case 7: ${t}_push(&m, m.flag); break;
                default: m.error = "code"; break;
                }
                $b2
            }
            if (m.error)
                goto failed;
            return m.top ? m.stack[m.top - 1] : steps;
        failed:
            checked += (uint32_t)m.error[0];
            return -steps;
        }""",
            t=t,
            how=writer.storage(),
            run=run,
            code=", ".join(map(str, code)),
            deep=writer.chance.choice((3, 8, 16)),
            **parts,
        )
    )
    register(writer, run, ((-100, 100),), (-1000, 1000), 500)


@piece(0.8)
def chosen(writer: Writer) -> None:
    """Write functions of one kind, a table of them with names, and what looks one up by its name."""
    names = [writer.name(stem) for stem in ("op_one", "op_two", "op_three")]
    look, name, t = writer.name("look_up"), writer.name("use_op"), writer.name("op")
    for one in names:
        scope = writer.scope(result=(-1000, 1000))
        scope.read_only("x", -1000, 1000)
        scope.read_only("y", -100, 100)
        writer.tops.append(
            f"static int {one}(int x, int y)\n{{\n{lines(scope, writer.number(0, 3))}\n"
            f"return {ranged(scope, -1000, 1000)};\n}}"
        )
    words = writer.chance.sample(("add", "sub", "mul", "mod", "neg", "shift"), 3)
    entries = ", ".join(f'{{"{word}", {one}, {writer.number(0, 1)}}}' for word, one in zip(words, names, strict=True))
    writer.tops.append(
        fill(
            """static const struct $t { const char *name; int (*run)(int, int); bool strict; } ${t}_table[] = {$entries};
        $how const struct $t *$look(const char *name)
        {
            const struct $t *found = NULL;
            for (size_t i = 0; i < sizeof ${t}_table / sizeof ${t}_table[0]; i++) {
                if (strcmp(${t}_table[i].name, name) == 0) {
                    found = &${t}_table[i];
                    checked += (uint32_t)i;
                    break;
                }
            }
            return found;
        }
        $how int $name(int which, int x, int y)
        {
            static const char *const names[] = {$words, "none"};
            const struct $t *op = $look(names[which]);
            int result = 0, strict = -1;
            if (op) {
                strict = op->strict;
                result = op->run(x, y);
                checked ^= (uint32_t)result;
                if (strict && result < 0)
                    result = 0;
            }
            return strict < 0 ? -1 : result;
        }""",
            t=t,
            entries=entries,
            how=writer.storage(),
            look=look,
            name=name,
            words=", ".join(f'"{word}"' for word in words),
        )
    )
    register(writer, name, ((0, 3), (-1000, 1000), (-100, 100)), (-1000, 1000), 100)
