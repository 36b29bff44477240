"""Saturating and fixed-point numbers, sets of bits, checksums, simple doubles, wide products, tables."""

from __future__ import annotations

from tests.fuzz.people.expressions import ranged
from tests.fuzz.people.scope import Scope, Writer, fill, idiom, piece
from tests.fuzz.people.shapes import register
from tests.fuzz.people.statements import lines, simple


@piece(1)
def saturating(writer: Writer) -> None:
    """Write addition and the like that stop at the ends of a type."""
    add, name = writer.name("add_up_to"), writer.name("saturate")
    kind, least, most, wide = writer.chance.choice(
        (
            ("signed char", -128, 127, "int"),
            ("short", -32768, 32767, "long"),
            ("unsigned char", 0, 255, "int"),
            ("int32_t", "(-2147483647 - 1)", 2147483647, "long long"),
        )
    )
    scope = writer.scope(result=None)
    scope.read_only("x", -1000, 1000)
    scope.read_only("full", -1, 1)
    body = fill(
        """static $kind $add($kind a, $wide b, int *full)
        {
            $wide sum = ($wide)a + b;
            *full = 0;
            if (sum > $most) {
                *full = 1;
                $first
                return $most;
            }
            if (sum < $least) {
                sum = $least;
                *full = -1;
            }
            return ($kind)sum;
        }
        $how int $name(int x)
        {
            int full = 0, times = 0;
            $kind total = $start;
            for (int i = 0; i < $times; i++) {
                total = $add(total, ($wide)x * $step, &full);
                if (full) {
                    times++;
                    $body
                }
                if (full < 0)
                    break;
            }
            return times * 10 + (int)(total % 10);
        }""",
        kind=kind,
        add=add,
        wide=wide,
        most=most,
        least=least,
        how=writer.storage(),
        name=name,
        start=writer.number(0, 99),
        times=(times := writer.number(1, 9)),
        step=writer.chance.choice((1, 3, 20, -7)),
        first=writer.chance.choice(("", "checked ^= 1;")),
        body=lines(scope.inner(times, loop=True), writer.number(0, 6)),
    )
    writer.tops.append(body)
    register(writer, name, ((-1000, 1000),), (-9, 99))


@piece(1)
def fixed_point(writer: Writer) -> None:
    """Write arithmetic of numbers with a fraction of some bits, and a root."""
    mul, div, root, name = (writer.name(stem) for stem in ("fix_mul", "fix_div", "fix_root", "fix"))
    bits = writer.number(4, 12)
    scope = writer.scope(result=None)
    scope.read_only("x", -500, 500)
    scope.read_only("n", 1, 50)
    writer.tops.append(
        fill(
            """static int32_t $mul(int32_t a, int32_t b) { return (int32_t)((long long)a * b >> $bits); }
        static int32_t $div(int32_t a, int32_t b, bool *bad)
        {
            if (b == 0) {
                *bad = true;
                return 0;
            }
            return (int32_t)(((long long)a * ($one)) / b);
        }
        static uint32_t $root(uint32_t n)
        {
            uint32_t r = 0, bit = (uint32_t)1 << 30;
            while (bit > n)
                bit >>= 2;
            for (; bit != 0; bit >>= 2) {
                if (n >= r + bit) {
                    n -= r + bit;
                    r = (r >> 1) + bit;
                } else
                    r >>= 1;
            }
            return r;
        }
        $how int $name(int x, int n)
        {
            int32_t a = (int32_t)x * ($one), b = (int32_t)n * ($one) / $third;
            bool bad = false;
            int32_t c = $mul(a, b), d;
            if (c < 0) {
                bad = $initial;
                $body
                c = -c;
            }
            d = $div(c, b - $zero, &bad);
            if (bad)
                return -1;
            return (int)((d >> $bits) % 1000) + (int)($root((uint32_t)c) & 1023);
        }""",
            mul=mul,
            div=div,
            root=root,
            name=name,
            bits=bits,
            one=f"(int32_t)1 << {bits}",
            third=writer.number(2, 9),
            how=writer.storage(),
            body=lines(scope.inner(), writer.number(0, 9)),
            zero=writer.chance.choice((0, 0, 64)),
            initial=writer.chance.choice(("false", "false", "true")),
        )
    )
    register(writer, name, ((-500, 500), (1, 50)), (-1100, 2100), 150)


@piece(1)
def bit_set(writer: Writer) -> None:
    """Write a set of numbers in words, with what is put in, taken out, counted and listed."""
    t, name = writer.name("bits"), writer.name("use_bits")
    word, width = writer.chance.choice((("uint32_t", 32), ("unsigned char", 8), ("uint64_t", 64)))
    size = {32: 3, 8: 9, 64: 2}[width]
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 60)
    inside = scope.inner(size * width // 4)
    body = lines(inside, writer.number(0, 2))
    writer.tops.append(
        fill(
            """struct $t { $word words[$size]; int count; };
        static bool ${t}_has(const struct $t *s, int i) { return s->words[i / $width] >> i % $width & 1; }
        $how bool ${t}_put(struct $t *s, int i)
        {
            bool fresh = false;
            if (!${t}_has(s, i)) {
                s->words[i / $width] |= ($word)(($word)1 << i % $width);
                s->count++;
                fresh = true;
            }
            return fresh;
        }
        static void ${t}_drop(struct $t *s, int i)
        {
            if (i < 0 || i >= $size * $width || !${t}_has(s, i))
                return;
            s->words[i / $width] &= ($word)~(($word)1 << i % $width);
            s->count--;
        }
        $how int $name(int n)
        {
            struct $t set = {{0}, 0}, other;
            int last = -1, twice = 0, seen = 0;
            for (int i = n; i < $all; i += $step)
                if (!${t}_put(&set, i * $factor % $all)) {
                    twice++;
                    last = i;
                }
            other = set;
            for (int i = 0; i < $all; i += 3)
                ${t}_drop(&other, i - 1);
            for (int i = 0; i < $all; i++) {
                if (!${t}_has(&other, i))
                    continue;
                if (!seen) {
                    seen = i;
                    $body
                }
                last += i;
            }
            return set.count * 10 - other.count + twice + last % 50 + seen;
        }""",
            t=t,
            word=word,
            width=width,
            size=size,
            how=writer.storage(),
            name=name,
            all=size * width,
            step=writer.number(1, 5),
            factor=writer.number(1, 9),
            body=body,
        )
    )
    register(writer, name, ((0, 60),), (-2000, 4000), 900)


@piece(1)
def checksum(writer: Writer) -> None:
    """Write a checksum over bytes: by bits, by a table, or by two sums."""
    name, way = writer.name("sum_of"), writer.number(0, 3)
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 24)
    scope.words.append("sum")
    inside = scope.inner(24, loop=way != 0)
    inside.read_only("i", 0, 23)
    steps = (
        "sum ^= data[i];\nfor (int k = 0; k < 8; k++)\nsum = sum & 1 ? sum >> 1 ^ $poly : sum >> 1;",
        "sum = (sum << 5 | sum >> 27) ^ (uint32_t)data[i] * $poly;",
        "low = (low + data[i]) % $mod;\nhigh = (high + low) % $mod;\nsum = (uint32_t)high << 16 | low;",
        "sum = table[(sum ^ data[i]) & 15] ^ sum >> 4;\nsum = table[(sum ^ data[i] >> 4) & 15] ^ sum >> 4;",
    )[way]
    writer.tops.append(
        fill(
            """$how int $name(int n)
        {
            static const uint32_t table[16] = {$table};
            unsigned char data[24];
            uint32_t sum = $start;
            uint16_t low = 1, high = 0;
            for (int i = 0; i < 24; i++)
                data[i] = (unsigned char)(i * $factor + n);
            for (int i = 0; i < n; i++) {
                $steps
                $body
            }
            checked += sum + low + high + (uint32_t)table[n & 15];
            return (int)(sum & 0x3FFF);
        }""",
            how=writer.storage(),
            name=name,
            table=", ".join(f"{writer.chance.getrandbits(32)}u" for _ in range(16)),
            start=writer.chance.choice((0, 1, "0xFFFFFFFFu")),
            factor=writer.number(1, 250),
            steps=fill(steps, poly=f"{writer.chance.getrandbits(32)}u", mod=writer.chance.choice((251, 255, 65521))),
            body=lines(inside, writer.number(0, 2)),
        )
    )
    register(writer, name, ((0, 24),), (0, 0x3FFF), 400)


@piece(0.8)
def floating(writer: Writer) -> None:
    """Write functions over doubles that stay exact: quarters and small whole numbers."""
    t, name = writer.name("sample"), writer.name("mean")
    scope = writer.scope(result=None)
    scope.read_only("n", 1, 9)
    inside = scope.inner(9, loop=True)
    inside.read_only("i", 0, 8)
    writer.tops.append(
        fill(
            """struct $t { double low, high, sum; int count; };
        $how struct $t ${t}_add(struct $t s, double x)
        {
            if (s.count == 0 || x < s.low)
                s.low = x;
            if (s.count == 0 || x > s.high)
                s.high = x;
            s.sum += x;
            s.count++;
            return s;
        }
        $how int $name(int n, int step)
        {
            struct $t s = {0.0, 0.0, 0.0, 0};
            double x = $start, scale = 1.0, steep = 0.0;
            for (int i = 0; i < n; i++) {
                s = ${t}_add(s, x);
                x = x * $a + step $op 0.25;
                if (x > 200.0 || x < -200.0) {
                    steep = 1.0;
                    $body
                    x = $b;
                }
            }
            if (steep != 0.0)
                scale = 2.0;
            if (s.high - s.low > $spread)
                scale = -scale;
            return (int)((s.sum + s.low) * scale) + s.count + (steep ? 1 : 0);
        }""",
            t=t,
            how=writer.storage(),
            name=name,
            start=writer.chance.choice(("0.5", "-3.0", "8.25")),
            a=writer.chance.choice(("1.0", "2.0", "-1.0")),
            b=writer.chance.choice(("0.25", "-1.5")),
            op=writer.chance.choice("*+-"),
            body=lines(inside, writer.number(0, 9)),
            spread=writer.chance.choice(("10.0", "100.5")),
        )
    )
    register(writer, name, ((1, 9), (-20, 20)), (-9000, 9000), 150)


@piece(0.8)
def wide_arithmetic(writer: Writer) -> None:
    """Write powers by squaring modulo a number, in 64 bits."""
    times, power = writer.name("times_mod"), writer.name("power_mod")
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 1000)
    body = lines(scope.inner(10, loop=False), writer.number(0, 2))
    writer.tops.append(
        fill(
            """$how uint64_t $times(uint64_t a, uint64_t b, uint64_t m)
        {
            uint64_t r = 0;
            bool odd = false;
            while (b != 0) {
                odd = b & 1;
                if (odd)
                    r = (r + a) % m;
                a = (a << 1) % m;
                b >>= 1;
            }
            return r;
        }
        $how int $power(int a, int n)
        {
            uint64_t base = (uint64_t)a + $large, r = 1;
            const uint64_t m = $m;
            for (; n > 0; n >>= 1) {
                if (n & 1)
                    r = $way;
                base = $square;
                $body
            }
            return (int)(r % 1000) + (int)(r >> 40 & 31);
        }""",
            how=writer.storage(),
            times=times,
            power=power,
            large=f"{writer.chance.getrandbits(40)}ull",
            m=f"{writer.chance.getrandbits(31) + 7}ull",
            way=writer.chance.choice(("r * (base % m) % m", f"{times}(r, base, m)")),
            square=f"{times}(base % m, base % 4096, m)",
            body=body,
        )
    )
    register(writer, power, ((0, 500), (0, 1000)), (0, 1030), 1500)


@idiom(0.5)
def unrolled(scope: Scope) -> str:
    """Elements are added up or set by four in a round."""
    arrays = [one for one in scope.arrays if one.kind.rank < 2 and abs(one.low) <= 30000 and one.high <= 30000]
    if not arrays or not scope.affords(30):
        return simple(scope)
    array, total, index = scope.chance.choice(arrays), scope.writer.name("total"), scope.writer.name("i")
    text = f"long {total} = {ranged(scope, -9, 9, 1)};\nint {index} = 0;\n"
    text += f"for (; {index} + 4 <= {array.length}; {index} += 4) {{\n"
    text += "\n".join(
        f"{total} {scope.chance.choice(('+=', '+=', '-='))} {array.element(f'{index} + {n}').value.text};" for n in range(4)
    )
    scope.read_only(total, -2_000_000, 2_000_000, next(kind for kind in scope.writer.kinds if kind.name == "long"))
    return f"{text}\n}}\nwhile ({index} < {array.length})\n{total} += {array.element(f'{index}++').value.text};"
