"""Recursion, jumps out of functions, ladders of errors, nested loops with exits, options."""

from __future__ import annotations

from tests.fuzz.people.expressions import condition, ranged
from tests.fuzz.people.scope import Scope, Writer, fill, idiom, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import DEEPEST, block, lines, simple


@piece(1)
def recursive(writer: Writer) -> None:
    """Write functions that call themselves or each other."""
    name, other = writer.name("descend"), writer.name("ascend")
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 9)
    scope.read_only("depth", 0, 9)
    scope.weight = 8
    body, ends = lines(scope.inner(), writer.number(0, 4)), ranged(scope, -10, 10)
    way = writer.number(0, 2)
    step = (
        fill("int sum = $name(n - 1, depth + 1);\n$body\nreturn (sum * 3 + n) % 1000;", name=name, body=body),
        fill(
            "if ($test)\nreturn $other(n - 1, depth + 1) - 1;\n$body\nreturn $name(n - 1, depth + 1);",
            name=name,
            other=other,
            body=body,
            test=condition(scope),
        ),
        fill(
            "int left, right = 0;\nbool odd = false;\nif (n & 1) {\nodd = true;\n$body\n}\nleft = $name(n / 2, depth + 1);\n"
            "if (!odd)\nright = $name(n - n / 2 - 1, depth + 1);\nreturn (left - right + odd) % 1000;",
            name=name,
            body=body,
        ),
    )[way]
    writer.tops.append(
        fill(
            """static int $other(int n, int depth);
        $how int $name(int n, int depth)
        {
            if (n <= 0 || depth > 8)
                return $ends;
            $step
        }
        static int $other(int n, int depth)
        {
            if (n < 2)
                return depth;
            return $name(n - 2, depth + 1) + 1;
        }""",
            other=other,
            how=writer.chance.choice(("static", "")),
            name=name,
            ends=ends,
            step=step,
        )
    )
    register(writer, name, ((0, 9), (0, 1)), (-1100, 1100), 100)
    register(writer, other, ((0, 9), (0, 1)), (-1100, 1100), 100)


@piece(1)
def thrown(writer: Writer) -> None:
    """Write an error handler by setjmp, and functions that jump to it."""
    t, name = writer.name("trap"), writer.name("try_it")
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 20)
    inside = lines(scope.inner(4), writer.number(0, 4))
    writer.tops.append(
        fill(
            """static jmp_buf $t;
        static int ${t}_depth;
        $how int ${t}_work(int n, int depth)
        {
            int found = 0;
            ${t}_depth = depth;
            if (n == $bad)
                longjmp($t, $code);
            if (n > $large) {
                found = 1;
                $body
            }
            if (depth < 3)
                return ${t}_work(n + 1, depth + 1) + found;
            return found ? n : -n;
        }
        $how int $name(int n)
        {
            volatile int tries = 0;
            volatile $kind state = $first;
            int code = setjmp($t);
            if (code != 0) {
                tries++;
                state = $second;
                checked += (uint32_t)code;
                if (tries > 2)
                    return -100 - code;
            }
            switch (state) {
            case $first:
                return ${t}_work(n, tries);
            case $second:
                state = $first;
                return ${t}_work(n + tries, tries) + ${t}_depth * 100;
            default:
                return 0;
            }
        }""",
            t=t,
            how=writer.chance.choice(("static", "", "static __attribute__((noinline))")),
            bad=writer.number(1, 9),
            code=writer.number(1, 5),
            large=writer.number(0, 9),
            body=inside,
            name=name,
            kind=writer.chance.choice(("int", "char", "long")),
            first=writer.number(0, 1),
            second=writer.number(2, 5),
        )
    )
    register(writer, name, ((0, 20),), (-200, 1000), 60)


@piece(1)
def ladder(writer: Writer) -> None:
    """Write steps that may fail, each undone by those behind it if a later one fails."""
    name, step = writer.name("open_all"), writer.name("open_one")
    scope = writer.scope(result=None, label="")
    scope.read_only("n", 0, 40)
    scope.read_only("opened", 0, 7)
    many = writer.number(2, 4)
    steps, undo = "", ""
    for number in range(many):
        middle = lines(scope.inner(depth=DEEPEST - 1), writer.number(0, 5)) if writer.likely(0.7) else ""
        steps += f"r = {step}(n, {number});\nif (r < 0)\ngoto fail{number};\nopened |= {1 << number};\n{{\n{middle}\n}}\n"
        undo = (
            (f"opened &= ~{1 << number};\n" if number < many - 1 else "")
            + f"fail{number}:\nchecked = checked * 3 + {number};\n"
            + undo
        )
    writer.tops.append(
        fill(
            """$how int $step(int n, int which)
        {
            static const $kind limits[] = {$limits};
            int error = 0;
            if (n $test limits[which]) {
                error = -1 - which;
                $body
            }
            return error ? error : n;
        }
        $how int $name(int n)
        {
            int r, opened = 0, done = 0;
            $steps
            done = 1;
            if (opened == $all)
                goto out;
            $undo
        out:
            return done ? opened : r * 10 - opened;
        }""",
            how=writer.storage(),
            step=step,
            kind=writer.chance.choice(("int", "unsigned char", "short")),
            test=writer.chance.choice(("==", "<", ">")),
            limits=", ".join(str(writer.number(0, 40)) for _ in range(many)),
            name=name,
            steps=steps,
            undo=undo,
            all=(1 << many) - 1,
            body=lines(writer.scope(result=None).inner(2), writer.number(0, 9)),
        )
    )
    register(writer, name, ((0, 40),), (-70, 20), 60)


@piece(1)
def options(writer: Writer) -> None:
    """Write what reads words of a command line into flags."""
    t, name = writer.name("settings"), writer.name("read_options")
    flag = writer.chance.choice(
        (
            "bool verbose, quiet;",
            "unsigned verbose : 1, quiet : 1, spare : 6;",
            "char verbose, quiet;",
            "int verbose; long long quiet;",
        )
    )
    scope = writer.scope(result=None)
    parts = {word: lines(scope.inner(4, loop=False), writer.number(0, 7)) for word in ("verbose", "quiet")}
    words = [
        writer.chance.choice(("-v", "-q", "-n3", "-n", "--level=2", "-x", "file", "--", "-vq", "7"))
        for _ in range(writer.number(3, 7))
    ]
    writer.tops.append(
        fill(
            """struct $t { $flag int count, level; const char *file; };
        $how int ${t}_read(struct $t *s, int argc, const char *const *argv)
        {
            int unknown = 0, only_files = 0;
            for (int i = 0; i < argc; i++) {
                const char *word = argv[i];
                if (only_files || word[0] != '-') {
                    s->file = word;
                    continue;
                }
                if (strcmp(word, "--") == 0) {
                    only_files = 1;
                    continue;
                }
                if (strncmp(word, "--level=", 8) == 0) {
                    s->level = word[8] - '0';
                    continue;
                }
                for (word++; *word; word++) {
                    int known = 1;
                    switch (*word) {
                    case 'v': {
                        s->verbose = 1;
                        $verbose
                    }
                    break;
                    case 'q': {
                        s->quiet = 1;
                        $quiet
                    }
                    /* fall through */
                    case 'Q':
                        s->verbose = 0;
                        break;
                    case 'n':
                        if (word[1] >= '0' && word[1] <= '9') {
                            s->count = 0;
                            while (word[1] >= '0' && word[1] <= '9')
                                s->count = s->count * 10 + (*++word - '0');
                        } else if (i + 1 < argc && argv[i + 1][0] >= '0' && argv[i + 1][0] <= '9')
                            s->count = argv[++i][0] - '0';
                        else
                            return -1;
                        break;
                    default:
                        known = 0;
                        break;
                    }
                    if (!known)
                        unknown++;
                    if (*word == 0)
                        break;
                }
            }
            return unknown;
        }
        $how int $name(int from, int n)
        {
            static const char *const words[] = {$words};
            struct $t s = {.count = 1, .file = NULL};
            int r = ${t}_read(&s, n < $many - from ? n : $many - from, words + from);
            if (r < 0)
                return -1;
            return r + s.count * 10 + s.level * 100 + (s.verbose ? 1000 : 0) + (s.quiet ? 2000 : 0) + (s.file ? s.file[0] : 0);
        }""",
            t=t,
            flag=flag,
            how=writer.storage(),
            name=name,
            words=", ".join(f'"{word}"' for word in words),
            many=len(words),
            **parts,
        )
        .replace("argv[++i][0] - '0';", "argv[i + 1][0] - '0', i++;")
        .replace("if (*word == 0)\n", "if (s->count > 99)\n")
    )
    register(writer, name, ((0, 3), (0, 7)), (-1, 5000), 150)


@idiom(1.2)
def nested(scope: Scope) -> str:
    """Loops within loops, left all at once."""
    outer, inner_times = scope.number(2, 5), scope.number(2, 5)
    if not scope.affords(outer * inner_times * 6):
        return simple(scope)
    i, k, found, label = (scope.writer.name(stem) for stem in ("i", "k", "found", "out"))
    first = scope.inner(outer, loop=True)
    first.read_only(i, 0, outer)
    second = first.inner(inner_times, loop=True)
    second.read_only(k, 0, inner_times)
    way = scope.number(0, 2)
    leave = (f"goto {label};", "break;", "continue;")[way]
    text = fill(
        "int $found = 0;\nfor (int $i = 0; $i < $n; $i++) {\n$before\n"
        "for (int $k = $start; $k < $m; $k++) {\n$body\nif ($test) {\n"
        "$found = $value;\n$more\n$leave\n}\n$behind\n}\n$check\n$last\n}\n",
        found=found,
        i=i,
        k=k,
        n=outer,
        m=inner_times,
        before=lines(first, scope.number(0, 1)),
        start=scope.chance.choice(("0", i)),
        body=lines(second, scope.number(0, 2)),
        test=condition(second),
        value=scope.chance.choice(("1", "2", f"{i} + 1")),
        more=block(second, scope.number(0, 8)),
        leave=leave,
        behind=lines(second, scope.number(0, 1)),
        check=f"if ({found})\nbreak;" if way == 1 and scope.likely(0.8) else "",
        last=block(first, scope.number(0, 1)),
    )
    scope.read_only(found, 0, 9)
    return text + (f"{label}:;" if way == 0 else "")
