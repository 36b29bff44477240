/* Integers of 128 bits: arithmetic, conversions, where they are in memory, and how they are passed. */
int printf(const char *, ...);
int puts(const char *);

typedef unsigned __int128 wide;
typedef __int128 signed_wide;
typedef int mode_ti __attribute__((mode(TI)));

static unsigned long long state = 88172645463325252ULL;
static wide global = (wide)0x123456789abcdefULL << 64 | 0xfedcba9876543210ULL;
static signed_wide table[] = {-1, 1, (signed_wide)1 << 100};
static struct { char before; wide value; short after; } members = {1, 5, 3};
static struct { wide a : 70, b : 50; } fields = {((wide)1 << 69) + 3, 9};

static void show(const char *name, wide value)
{
    printf("%s %016llx%016llx\n", name, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static unsigned long long next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static wide next_wide(void)
{
    wide value = next();

    return (value << 64 | next()) >> next() % 128;
}

static wide total(int count, ...)
{
    __builtin_va_list list;
    wide result;

    __builtin_va_start(list, count);
    result = __builtin_va_arg(list, int);
    while (--count)
        result += __builtin_va_arg(list, wide);
    __builtin_va_end(list);
    return result;
}

static wide mixed(char a, wide b, int c, signed_wide d, double e, wide f, wide g)
{
    return (a + b * c - d + (wide)e + f) ^ g;
}

static void operators(wide a, wide b, signed_wide s, signed_wide t, int count)
{
    signed_wide result;

    show("u/", a / b), show("u%", a % b), show("s/", s / t), show("s%", s % t), show("*", a * b);
    show("+", s + b), show("-", s - b), show("~", ~a), show("neg", -a), show("&|^", (a & b) | (s ^ t));
    show("<<", a << count), show("u>>", a >> count), show("s>>", s >> count), show("7", s << 7 ^ s >> 70);
    printf("%d%d%d%d%d%d%d%d\n", a < b, a <= b, s < t, s >= t, a == b, a != b, !a, a && b);
    printf("%a %a %a %a\n", (double)a, (double)s, (double)(float)a, (double)(float)s);
    show("from double", (wide)(double)(a >> 1)), show("", (signed_wide)(double)(s >> 2)), show("", (wide)(float)(a >> 3));
    printf("%d\n", __builtin_add_overflow(s, t, &result)), show("add", result);
    printf("%d\n", __builtin_mul_overflow(s, t, &result)), show("mul", result);
}

static void assignments(wide a, wide b, signed_wide s, int count)
{
    a++, --b, a += count, b -= a, a <<= 3, s >>= 5, b %= 1000003, s *= 3;
    show("a", a), show("b", b), show("s", s);
    switch (a & 3) {
    case 0: puts("none"); break;
    case (wide)1: puts("one"); break;
    default: puts(_Generic(a, unsigned __int128: "more", default: "?"));
    }
}

int main(void)
{
    mode_ti minus = -7;
    int i;

    printf("%d %d %d %d\n", (int)sizeof(wide), (int)_Alignof(wide), (int)sizeof members, (int)sizeof fields);
    show("minus", minus), show("global", global), show("member", members.value);
    show("table", table[0]), show("", table[1]), show("", table[2]);
    fields.a += 5, fields.b -= 10;
    show("fields", fields.a), show("", fields.b);
    show("mixed", mixed(3, global, -5, table[2], 1e30, global >> 3, global << 7)), show("total", total(4, 2, global, (wide)7, -global));
    for (i = 0; i < 24; i++) {
        wide a = next_wide(), b = next_wide() | 1;
        signed_wide s = next() & 1 ? a : -a, t = next() & 1 ? b : -b;

        operators(a, b, s, t, (int)(next() % 128));
        assignments(a, b, s, i);
    }
    return 0;
}
