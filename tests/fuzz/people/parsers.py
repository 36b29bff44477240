"""Parsers by hand: expressions, keys and values, numbers with errors, over pointers and structures."""

from __future__ import annotations

from tests.fuzz.people.scope import Writer, fill, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines


def sum_text(writer: Writer, depth: int = 3) -> str:
    """Return a random expression as the parsers below read them; some have mistakes."""
    if depth == 0 or writer.likely(0.3):
        return (
            writer.chance.choice(("1", "7", "23", "4", "x", " 5", "0", ""))
            if writer.likely(0.15)
            else str(writer.number(0, 99))
        )
    if writer.likely(0.25):
        return f"({sum_text(writer, depth - 1)}{')' if writer.likely(0.9) else ''}"
    return (
        f"{sum_text(writer, depth - 1)}{writer.chance.choice(('+', '-', '*', '/', ' + ', '%'))}{sum_text(writer, depth - 1)}"
    )


@piece(1.5)
def calculator(writer: Writer) -> None:
    """Write a parser of expressions by recursive descent, with an error that is kept."""
    t, name = writer.name("input"), writer.name("calculate")
    scope = writer.scope(result=None)
    scope.read_only("in->at", 0, 60)
    scope.weight = 4
    parts = {word: lines(scope.inner(loop=False), writer.number(0, 4)) for word in ("number", "divide", "product", "sum")}
    writer.tops.append(
        fill(
            """struct $t { const char *text; int at; $kind error; };
        static long ${t}_sum(struct $t *in);
        static int ${t}_peek(struct $t *in)
        {
            while (in->text[in->at] == ' ')
                in->at++;
            return (unsigned char)in->text[in->at];
        }
        $how bool ${t}_accept(struct $t *in, int c)
        {
            bool yes = false;
            if (${t}_peek(in) == c) {
                yes = true;
                in->at++;
            }
            return yes;
        }
        static long ${t}_atom(struct $t *in)
        {
            long value = 0;
            int digits = 0;
            if (in->error)
                return 0;
            if (${t}_accept(in, '(')) {
                value = ${t}_sum(in);
                if (!${t}_accept(in, ')') && !in->error)
                    in->error = $one;
                return value;
            }
            if (${t}_accept(in, '-'))
                return -${t}_atom(in);
            while (${t}_peek(in) >= '0' && ${t}_peek(in) <= '9') {
                value = (value * 10 + (in->text[in->at++] - '0')) % 10000;
                digits++;
            }
            if (digits == 0)
                in->error = $two;
            else {
                $number
            }
            return value;
        }
        static long ${t}_product(struct $t *in)
        {
            long left = ${t}_atom(in);
            for (;;) {
                int op = ${t}_peek(in);
                bool zero = false;
                long right;
                if (op != '*' && op != '/' && op != '%')
                    return left;
                in->at++;
                right = ${t}_atom(in);
                if (op != '*' && right == 0) {
                    zero = true;
                    $divide
                }
                if (zero) {
                    in->error = 3;
                    return 0;
                }
                switch (op) {
                case '*': left = left * right % 10007; break;
                case '/': left /= right; break;
                default: left %= right;
                }
                $product
            }
        }
        static long ${t}_sum(struct $t *in)
        {
            long left = ${t}_product(in);
            while (!in->error) {
                if (${t}_accept(in, '+'))
                    left = (left + ${t}_product(in)) % 10007;
                else if (${t}_accept(in, '-'))
                    left = (left - ${t}_product(in)) % 10007;
                else
                    break;
                $sum
            }
            return left;
        }
        $how int $name(int which)
        {
            static const char *const texts[] = {$texts};
            struct $t in = {texts[which], 0, 0};
            long value = ${t}_sum(&in);
            if (!in.error && ${t}_peek(&in) != 0)
                in.error = 4;
            return in.error ? -(int)in.error - 10 * in.at : (int)(value % 10000);
        }""",
            t=t,
            kind=writer.chance.choice(("int", "char", "short", "long")),
            how=writer.storage(),
            one=writer.number(1, 2),
            two=writer.number(5, 9),
            name=name,
            texts=", ".join(f'"{sum_text(writer)[:30]}"' for _ in range(4)),
            **parts,
        )
    )
    register(writer, name, ((0, 3),), (-10000, 10000), 800)


KEYS, VALUES = ("size", "mode", "flag", "sise"), ("5", "12", "on", "off", "", "-3", "fast", "300")


@piece(1.2)
def pairs(writer: Writer) -> None:
    """Write a parser of keys and values into a structure, which returns how far it came or an error."""
    t, name = writer.name("config"), writer.name("read_config")
    scope = writer.scope(result=None)
    scope.weight = 5
    parts = {word: lines(scope.inner(), writer.number(0, 9)) for word in ("size", "mode", "flag")}
    keys = [
        "".join(map(writer.chance.choice, (KEYS, ("=", "=", "=", " = ", ":"), VALUES))) for _ in range(writer.number(2, 5))
    ]
    writer.tops.append(
        fill(
            """struct $t { int size; $mode_kind mode; $flag_kind flag; int seen; };
        static const char *${t}_skip(const char *p)
        {
            while (*p == ' ' || *p == ',')
                p++;
            return p;
        }
        $how const char *${t}_number(const char *p, int *value, int *status)
        {
            int negative = 0, any = 0, n = 0;
            if (*p == '-') {
                negative = 1;
                p++;
            }
            for (; *p >= '0' && *p <= '9'; p++) {
                any = 1;
                if (n > 300) {
                    *status = -2;
                    return p;
                }
                n = n * 10 + *p - '0';
            }
            if (!any)
                *status = -1;
            *value = negative ? -n : n;
            return p;
        }
        $how int ${t}_read(struct $t *c, const char *text)
        {
            const char *p = ${t}_skip(text);
            int status = 0, count = 0;
            while (*p) {
                char key[6];
                size_t n = 0;
                int value = 0;
                bool word = false;
                while (*p >= 'a' && *p <= 'z') {
                    if (n < sizeof key - 1)
                        key[n++] = *p;
                    p++;
                }
                key[n] = 0;
                p = ${t}_skip(p);
                if (*p != '=')
                    return -3 - count;
                p = ${t}_skip(p + 1);
                if (strncmp(p, "on", 2) == 0) {
                    value = 1;
                    word = true;
                    p += 2;
                } else if (!strncmp(p, "off", 3)) {
                    word = true;
                    p += 3;
                } else {
                    p = ${t}_number(p, &value, &status);
                    if (status < 0)
                        return status * 10 - count;
                }
                if (strcmp(key, "size") == 0) {
                    c->size = value;
                    c->seen |= 1;
                    $size
                } else if (strcmp(key, "mode") == 0) {
                    c->mode = value & 3;
                    c->seen |= 2;
                    $mode
                } else if (strcmp(key, "flag") == 0) {
                    c->flag = word ? value : value > 3;
                    c->seen |= 4;
                    $flag
                } else
                    status = 1;
                if (status == 1 && !word)
                    break;
                count++;
                p = ${t}_skip(p);
            }
            return status ? status : count + 10;
        }
        $how int $name(int start)
        {
            struct $t c = {7, 0, 0, 0}, saved = c;
            int r = ${t}_read(&c, &"$text"[start]);
            if (r < 0)
                c = saved;
            return r + c.size % 100 * 10 + (int)c.mode * 2 + (c.flag ? 1 : 0) + c.seen * 1000;
        }""",
            t=t,
            mode_kind=writer.chance.choice(("int", "char", "long")),
            flag_kind=writer.chance.choice(("bool", "int", "char")),
            how=writer.storage(),
            name=name,
            text=", ".join(keys),
            **parts,
        )
    )
    register(writer, name, ((0, 6),), (-1100, 9000), 600)


@piece(0.8)
def numerals(writer: Writer) -> None:
    """Write conversions between numbers and texts: any base, Roman numerals."""
    digits, back, name = (writer.name(stem) for stem in ("digits_of", "number_of", "round_trip"))
    scope = writer.scope(result=None)
    scope.read_only("n", -3000, 3000)
    writer.tops.append(
        fill(
            """$how char *$digits(long n, int base, char *end)
        {
            bool minus = false;
            unsigned long u = (unsigned long)n;
            *--end = 0;
            if (n < 0) {
                minus = true;
                u = (unsigned long)-n;
                $body
            }
            do {
                int digit = (int)(u % (unsigned long)base);
                *--end = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
                u /= (unsigned long)base;
            } while (u);
            if (minus)
                *--end = '-';
            return end;
        }
        $how int $back(const char *text, int base, int *value)
        {
            int sign = 1, n = 0, used = 0;
            if (text[used] == '-') {
                sign = -1;
                used++;
            }
            for (;; used++) {
                int c = text[used], digit = -1;
                switch (c) {
                case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
                    digit = c - '0';
                    break;
                case 'a': case 'b': case 'c': case 'd': case 'e': case 'f':
                    digit = 10 + c - 'a';
                    break;
                default:
                    break;
                }
                if (digit < 0 || digit >= base)
                    break;
                n = n * base + digit;
            }
            *value = sign * n;
            return sign < 0 ? used - 1 : used;
        }
        $how int $name(int n, int base)
        {
            char buffer[40], *text = $digits(n, base, buffer + sizeof buffer);
            int value = $some, length = $back(text, $wrong, &value);
            if (value != n)
                length = -length;
            checked = checked * 31 + (uint32_t)strlen(text);
            return length * 10 + (text[0] == '-');
        }""",
            how=writer.storage(),
            digits=digits,
            back=back,
            name=name,
            body=lines(writer.scope(result=None), writer.number(0, 9)),
            some=writer.number(0, 9),
            wrong=writer.chance.choice(("base", "base", "8")),
        )
    )
    register(writer, name, ((-3000, 3000), (2, 16)), (-200, 200), 200)
