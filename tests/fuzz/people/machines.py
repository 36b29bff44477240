"""State machines: by value and by pointer, over events, characters and time."""

from __future__ import annotations

from tests.fuzz.people.expressions import ranged
from tests.fuzz.people.scope import Writer, fill, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines


@piece(1.5)
def events(writer: Writer) -> None:
    """Write a machine whose states follow events, in a structure that is passed by value or by pointer."""
    t, name = writer.name("machine"), writer.name("drive")
    states = [f"{t.upper()}_{word}" for word in ("OFF", "READY", "BUSY", "DONE", "BROKEN")][: writer.number(3, 5)]
    by_value = writer.likely(0.5)
    m = "m." if by_value else "m->"
    scope = writer.scope(result=None)
    scope.read_only("event", 0, 5)
    scope.read_only(f"{m}count", 0, 200)
    inside = scope.inner(12, loop=False)
    cases = ""
    for state in states:
        cases += f"case {state}:\n"
        for event in writer.chance.sample(range(6), writer.number(1, 3)):
            cases += fill(
                "if (event == $event) {\nnext = $to;\n${m}changed = $changed;\n$body\n}\n",
                event=event,
                m=m,
                to=writer.chance.choice(states),
                changed=writer.number(0, 1),
                body=lines(inside.inner(), writer.number(0, 5)),
            )
        cases += writer.chance.choice(("break;\n", "break;\n", "break;\n", "/* fall through */\n"))
    writer.tops.append(
        fill(
            """enum ${t}_state { $states };
        struct $t { enum ${t}_state state; $kind changed; int count, errors; $more };
        $how $type ${t}_step($parameter, int event)
        {
            enum ${t}_state next = ${m}state;
            ${m}changed = 0;
            switch (${m}state) {
            $cases
            default:
                ${m}errors++;
                $body
                break;
            }
            if (next != ${m}state)
                ${m}count++;
            ${m}state = next;
            $result
        }
        $how int $name(int a, int b)
        {
            struct $t now = {$first, 0, 0, 0}, before;
            int repeated = 0;
            for (int i = 0; i < 12; i++) {
                before = now;
                $call
                if (now.changed)
                    repeated = 0;
                else if (before.state == now.state && ++repeated > $limit) {
                    now.state = $first;
                    now.errors += 5;
                }
            }
            return (int)now.state * 100 + now.count * 10 + now.errors + repeated;
        }""",
            t=t,
            states=", ".join(states),
            kind=writer.chance.choice(("int", "bool", "char", "long long", "short")),
            more=writer.chance.choice(("", "char name[12];", "double time;")),
            how=writer.storage(),
            type=f"struct {t}" if by_value else "void",
            parameter=f"struct {t} {'' if by_value else '*'}m",
            m=m,
            cases=cases,
            body=lines(inside.inner(), writer.number(0, 1)) if writer.likely(0.5) else "",
            result="return m;" if by_value else "",
            name=name,
            first=states[0],
            call=f"now = {t}_step(now, (a * i + b) % 6);" if by_value else f"{t}_step(&now, (a * i + b) % 6);",
            limit=writer.number(1, 4),
        )
    )
    register(writer, name, ((0, 12), (0, 12)), (0, 1000), 400)


@piece(1.2)
def characters(writer: Writer) -> None:
    """Write a machine that counts words, numbers, quotes and lines of a text."""
    t, name = writer.name("scan"), writer.name("scan_text")
    scope = writer.scope(result=None)
    scope.read_only("c", 0, 127)
    scope.read_only("quoted", 0, 1)
    inside = scope.inner(20, loop=False)
    parts = {word: lines(inside.inner(), writer.number(0, 3)) for word in ("word", "number", "quote", "other")}
    pieces = [
        writer.chance.choice(("abc", "12", " ", "'x y'", "\\n", "7b", "--", "'", "z ", ".5"))
        for _ in range(writer.number(4, 9))
    ]
    writer.tops.append(
        fill(
            """struct $t { short words, numbers, lines, errors; };
        $how struct $t ${t}_all(const char *text, int start)
        {
            struct $t r = {0, 0, 0, 0};
            enum { OUTSIDE, IN_WORD, IN_NUMBER } state = OUTSIDE;
            $flag quoted = 0;
            int c;
            for (const char *at = text + start; (c = *at) != 0; at++) {
                if (c == '\\n') {
                    r.lines++;
                    if (quoted) {
                        quoted = 0;
                        r.errors++;
                    }
                    state = OUTSIDE;
                    continue;
                }
                if (c == '\\'') {
                    quoted = !quoted;
                    $quote
                    continue;
                }
                if (quoted)
                    continue;
                switch (state) {
                case OUTSIDE:
                    if (c >= '0' && c <= '9') {
                        state = IN_NUMBER;
                        r.numbers++;
                        $number
                    } else if ((c | 32) >= 'a' && (c | 32) <= 'z') {
                        state = IN_WORD;
                        r.words++;
                        $word
                    }
                    break;
                case IN_WORD:
                    if (c == ' ')
                        state = OUTSIDE;
                    break;
                case IN_NUMBER:
                    if (c == ' ') {
                        state = OUTSIDE;
                        break;
                    }
                    if (c < '0' || c > '9') {
                        state = IN_WORD;
                        r.errors++;
                        $other
                    }
                    break;
                }
            }
            if (quoted)
                r.errors += 10;
            return r;
        }
        $how int $name(int start)
        {
            struct $t r = ${t}_all("12345678$text", start);
            return r.words * 100 + r.numbers * 10 + r.lines + r.errors * 1000;
        }""",
            t=t,
            how=writer.storage(),
            flag=writer.chance.choice(("bool", "int", "char", "long")),
            text="".join(pieces),
            name=name,
            **parts,
        )
    )
    register(writer, name, ((0, 8),), (0, 32000), 400)


@piece(1)
def board(writer: Writer) -> None:
    """Write a game on a small board: rounds of life, or a flood from a place."""
    t, name = writer.name("board"), writer.name("play")
    size = writer.number(4, 6)
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 4)
    inside = scope.inner(12, loop=True)
    inside.read_only("x", 0, size - 1)
    inside.read_only("z", 0, size - 1)
    cells = ", ".join(f"{{{', '.join(str(writer.number(0, 1)) for _ in range(size))}}}" for _ in range(size))
    writer.tops.append(
        fill(
            """struct $t { $kind cells[$size][$size]; };
        $how int ${t}_around(const struct $t *b, int x, int z)
        {
            int count = 0;
            for (int dz = -1; dz <= 1; dz++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx == 0 && dz == 0)
                        continue;
                    if (x + dx < 0 || x + dx >= $size || z + dz < 0 || z + dz >= $size)
                        continue;
                    count += b->cells[z + dz][x + dx] != 0;
                }
            return count;
        }
        static void ${t}_flood(struct $t *b, int x, int z, int *left)
        {
            if (x < 0 || z < 0 || x >= $size || z >= $size || b->cells[z][x] != 0 || *left <= 0)
                return;
            b->cells[z][x] = 2;
            --*left;
            ${t}_flood(b, x + 1, z, left);
            ${t}_flood(b, x, z + 1, left);
            ${t}_flood(b, x - 1, z, left);
            ${t}_flood(b, x, z - 1, left);
        }
        $how int $name(int n, int where)
        {
            struct $t now = {{$cells}}, next;
            int changes = 0, left = $left, sum = 0, still = 0;
            for (int round = 0; round < n; round++) {
                int changed = 0;
                next = now;
                for (int z = 0; z < $size; z++)
                    for (int x = 0; x < $size; x++) {
                        int around = ${t}_around(&now, x, z);
                        next.cells[z][x] = around == 3 || (around == 2 && now.cells[z][x]);
                        if (next.cells[z][x] == now.cells[z][x])
                            continue;
                        changed = 1;
                        changes++;
                        $body
                    }
                now = next;
                if (!changed) {
                    still = 1;
                    break;
                }
            }
            ${t}_flood(&now, where % $size, where / $size % $size, &left);
            for (int z = 0; z < $size; z++)
                for (int x = 0; x < $size; x++)
                    sum += now.cells[z][x] * (x + z * 2);
            return sum + changes + left * 10 + (still ? 500 : 0);
        }""",
            t=t,
            kind=writer.chance.choice(("unsigned char", "char", "int", "short", "bool" if writer.likely(0.2) else "int")),
            size=size,
            how=writer.storage(),
            name=name,
            cells=cells,
            left=writer.number(0, 12),
            body=lines(inside, writer.number(0, 2)),
        )
    )
    register(writer, name, ((0, 4), (0, 35)), (0, 4000), 1500)


@piece(0.8)
def clock_(writer: Writer) -> None:
    """Write a timer that carries over, and what compares two of them."""
    t, name = writer.name("clock"), writer.name("tick")
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 300)
    limits = [writer.number(5, 60) for _ in range(3)]
    kind = writer.chance.choice(("unsigned char", "int", "short"))
    writer.tops.append(
        fill(
            """struct $t { $kind second, minute, hour; $flag late; };
        $how struct $t ${t}_add(struct $t c, int seconds)
        {
            int carried = 0;
            int s = c.second + seconds;
            c.second = ($kind)(s % $a);
            s /= $a;
            if (s > 0) {
                carried = 1;
                c.late = false;
                $body
                s += c.minute;
                c.minute = ($kind)(s % $b);
                s /= $b;
                if (s > 0) {
                    carried = 2;
                    c.hour = ($kind)((c.hour + s) % $c);
                }
            }
            if (carried == 2)
                c.late = true;
            else if (!carried && c.second > $late)
                c.late = !c.late;
            return c;
        }
        $how int $name(int n)
        {
            struct $t c = {0, 0, 0, false}, d = ${t}_add(c, n);
            int order = 0;
            c = ${t}_add(${t}_add(d, $step), n / 2);
            order = c.hour != d.hour ? (c.hour > d.hour) - (c.hour < d.hour)
                : c.minute != d.minute ? (c.minute > d.minute ? 2 : -2) : 0;
            return (c.hour * 10 + c.minute + c.second) * 3 + order + (c.late ? 1 : 0) + $more;
        }""",
            t=t,
            kind=kind,
            flag=writer.chance.choice(("bool", "int", "char")),
            how=writer.storage(),
            a=limits[0],
            b=limits[1],
            c=limits[2],
            late=writer.number(0, 20),
            body=lines(writer.scope(result=None).inner(3), writer.number(0, 9)),
            name=name,
            step=writer.number(1, 99),
            more=ranged(scope, 0, 9),
        )
    )
    register(writer, name, ((0, 300),), (-10, 5000), 60)
