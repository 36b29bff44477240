"""Strings: put together, cut, coded, compared; buffers with limits."""

from __future__ import annotations

from tests.fuzz.people.expressions import condition, ranged
from tests.fuzz.people.scope import Scope, Writer, fill, idiom, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import WORDS, block, lines, simple
from tests.fuzz.people.values import Place


@piece(1)
def building(writer: Writer) -> None:
    """Write a buffer that texts are appended to until it is full."""
    t, name = writer.name("builder"), writer.name("build")
    scope = writer.scope(result=None)
    parts = {word: lines(scope.inner(4, loop=False), writer.number(0, 8)) for word in ("full", "last")}
    writer.tops.append(
        fill(
            """struct $t { char text[$size]; int length; $flag full; };
        $how int ${t}_add(struct $t *b, const char *text)
        {
            int left = (int)sizeof b->text - 1 - b->length, n = (int)strlen(text), cut = 0;
            if (n > left) {
                cut = 1;
                b->full = 1;
                n = left;
                $full
            }
            memcpy(b->text + b->length, text, (size_t)n);
            b->length += n;
            b->text[b->length] = 0;
            return cut ? -1 : n;
        }
        $how int $name(int n, int step)
        {
            static const char *const words[] = {"one", "", "three", "eleven"};
            struct $t b = {{0}, 0, 0};
            char number[12];
            int r = 0, lost = 0;
            for (int i = 0; i < n; i++) {
                if (i) {
                    r = ${t}_add(&b, ", ");
                    if (r < 0)
                        lost++;
                }
                if (i % $every == 0) {
                    snprintf(number, sizeof number, "$format", i * step);
                    r = ${t}_add(&b, number);
                } else
                    r = ${t}_add(&b, words[i & 3]);
                if (r < 0)
                    lost++;
                if (lost > 1) {
                    $last
                    break;
                }
            }
            for (const char *at = b.text; *at; at++)
                checked = checked * 33 + (unsigned char)*at;
            if (n == $print)
                printf("<%s>\\n", b.text);
            return b.full ? -b.length - lost : b.length;
        }""",
            t=t,
            size=writer.chance.choice((12, 20, 40)),
            flag=writer.chance.choice(("bool", "int", "char")),
            how=writer.storage(),
            name=name,
            every=writer.number(1, 4),
            format=writer.chance.choice(("%d", "%x", "%03d", "%-4d", "%+d", "%5u")),
            print=writer.number(1, 9),
            **parts,
        )
    )
    register(writer, name, ((0, 9), (0, 50)), (-100, 100), 300)


@piece(1)
def codes(writer: Writer) -> None:
    """Write a code of bytes and what undoes it: lengths of runs, hexadecimal, UTF-8."""
    code, undo, name = (writer.name(stem) for stem in ("encode", "decode", "code_both"))
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 20)
    inside = scope.inner(8, loop=False)
    way = writer.number(0, 2)
    bodies = (
        (
            """int out = 0;
        for (int i = 0; i < n;) {
            int run = 1;
            while (i + run < n && run < $most && in[i + run] == in[i])
                run++;
            to[out++] = (unsigned char)run;
            to[out++] = in[i];
            i += run;
            $body
        }
        return out;""",
            """int out = 0;
        for (int i = 0; i + 1 < n; i += 2)
            for (int k = 0; k < in[i]; k++) {
                if (out >= room)
                    return -1;
                to[out++] = in[i + 1];
            }
        return out;""",
        ),
        (
            """for (int i = 0; i < n; i++) {
            to[2 * i] = (unsigned char)"0123456789abcdef"[in[i] >> 4];
            to[2 * i + 1] = (unsigned char)"0123456789ABCDEF"[in[i] & 15];
            $body
        }
        return 2 * n;""",
            """int half = -1, out = 0;
        for (int i = 0; i < n; i++) {
            int c = in[i], digit;
            bool bad = false;
            if (c >= '0' && c <= '9')
                digit = c - '0';
            else if ((c | 32) >= 'a' && (c | 32) <= 'f')
                digit = (c | 32) - 'a' + 10;
            else {
                bad = true;
                digit = 0;
            }
            if (bad || out >= room)
                return -1;
            if (half < 0)
                half = digit;
            else {
                to[out++] = (unsigned char)(half << 4 | digit);
                half = -1;
            }
        }
        return half < 0 ? out : -2;""",
        ),
        (
            """int out = 0;
        for (int i = 0; i < n; i++) {
            uint32_t c = (uint32_t)in[i] * $most + $most;
            if (c < 0x80)
                to[out++] = (unsigned char)c;
            else if (c < 0x800) {
                to[out++] = (unsigned char)(0xC0 | c >> 6);
                to[out++] = (unsigned char)(0x80 | (c & 0x3F));
            } else {
                to[out++] = (unsigned char)(0xE0 | c >> 12);
                to[out++] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
                to[out++] = (unsigned char)(0x80 | (c & 0x3F));
            }
            $body
        }
        return out;""",
            """int out = 0, more = 0, bad = 0;
        uint32_t c = 0;
        for (int i = 0; i < n && !bad; i++) {
            if (more > 0) {
                if ((in[i] & 0xC0) != 0x80)
                    bad = 1;
                c = c << 6 | (in[i] & 0x3F);
                more--;
            } else if (in[i] < 0x80) {
                c = in[i];
            } else if (in[i] >> 5 == 6) {
                more = 1;
                c = in[i] & 0x1F;
            } else {
                more = 2;
                c = in[i] & 0x0F;
            }
            if (more == 0) {
                if (out >= room)
                    return -3;
                to[out++] = (unsigned char)((c - $most) / $most);
            }
        }
        return bad || more ? -1 : out;""",
        ),
    )[way]
    most = writer.number(2, 9)
    one, other = (fill(text.replace("$body", "$$body"), most=most) for text in bodies)
    writer.tops.append(
        fill(
            f"""$how int $code(const unsigned char *in, int n, unsigned char *to)
        {{
            {one}
        }}
        $how int $undo(const unsigned char *in, int n, unsigned char *to, int room)
        {{
            {other}
        }}
        $how int $name(int n)
        {{
            unsigned char in[20], middle[64], out[20] = {{0}};
            int length, back, same = 1;
            for (int i = 0; i < 20; i++)
                in[i] = (unsigned char)(i / $runs * $factor);
            length = $code(in, n, middle);
            back = $undo(middle, length, out, $room);
            if (back != n)
                same = 0;
            for (int i = 0; i < back && same; i++)
                if (in[i] != out[i]) {{
                    same = -1;
                    break;
                }}
            return length * 10 + same * 3 + back;
        }}""",
            how=writer.storage(),
            code=code,
            undo=undo,
            name=name,
            body=lines(inside, writer.number(0, 2)),
            runs=writer.number(1, 6),
            factor=writer.number(1, 255),
            room=writer.chance.choice((20, 20, 7)),
        )
    )
    register(writer, name, ((0, 20),), (-50, 800), 900)


@idiom(0.8)
def formatted(scope: Scope) -> str:
    """A number is printed into a buffer, and what is there is looked at."""
    if not scope.texts or not scope.affords(60):
        return simple(scope)
    scope.spend(20)
    name, size = scope.chance.choice(scope.texts)
    value = ranged(scope, -1000, 1000, 1)
    length = scope.writer.name("length")
    scope.places.append(Place(length, scope.writer.int_kind, 0, 30, False))
    return fill(
        'int $length = snprintf($name, $size, "$format", (int)($value), $at);',
        length=length,
        name=name,
        size=size,
        value=value,
        format=scope.chance.choice(("%d:%c", "%4d%c", "%x.%c")),
        at=scope.chance.choice(("'x'", "65", "'0' + 3")),
    )


@idiom(0.8)
def compared(scope: Scope) -> str:
    """A text is compared with others, and a status follows."""
    if not scope.texts or not scope.affords(40):
        return simple(scope)
    scope.spend(10)
    name, _ = scope.chance.choice(scope.texts)
    way = scope.number(0, 3)
    if way == 0:
        return f'strcpy({name}, {condition(scope, 0)} ? "{scope.chance.choice(WORDS)}" : "{scope.chance.choice(WORDS)}");'
    if way == 1:
        test = f'strcmp({name}, "{scope.chance.choice(WORDS)}") {scope.chance.choice(("==", "<", "!="))} 0'
        return f"if ({test}) {{\n{block(scope)}\n}}"
    if way == 2 and scope.prints():
        return f'printf("%s %d\\n", {name}, (int)strlen({name}));'
    index = scope.writer.name("i")
    inside = scope.inner(4, loop=True)
    inside.places.append(Place(f"{name}[{index}]", scope.writer.kinds[3], 0, 127, False))
    body = lines(inside, scope.number(1, 2))
    head = (
        f"for (int {index} = 0; {name}[{index}] != 0; {index}++) {{\nchecked = checked * 31 + (unsigned char){name}[{index}];"
    )
    return f"{head}\n{body}\n}}"


@idiom(0.6)
def named(scope: Scope) -> str:
    """A name is taken from a table by a number, and printed or measured."""
    if not scope.affords(20):
        return simple(scope)
    scope.spend(10)
    words = scope.chance.sample(WORDS, 4)
    name = scope.writer.name("names")
    text = f"static const char *const {name}[] = {{{', '.join(f'{chr(34)}{word}{chr(34)}' for word in words)}}};\n"
    index = ranged(scope, 0, 3, 1)
    if scope.prints() and scope.likely(0.5):
        return f'{text}printf("%s\\n", {name}[{index}]);'
    place = scope.declare("c", scope.writer.int_kind, (0, 127))
    return f"{text}int {place.text} = {name}[{index}][{scope.number(0, 1)}];"
