/* 64-bit integers: every operator on pairs of interesting values, shifts by variables, conversions. */
#include <stdio.h>

typedef long long s64;
typedef unsigned long long u64;

static const u64 values[] = {
    0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
    0x100000000, 0x100000001, 0x123456789abcdef, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
    0xffffffff00000000, 0xffffffff80000000, 0xfffffffffffffffe, 0xffffffffffffffff, 1000000007, 0xdeadbeefcafebabe,
};
#define COUNT ((int)(sizeof values / sizeof *values))

static unsigned sum;

static void add(u64 x)
{
    sum = (sum << 5 | sum >> 27) ^ (unsigned)x;
    sum = (sum << 5 | sum >> 27) + (unsigned)(x >> 32);
}

static void binary(u64 a, u64 b)
{
    s64 x = (s64)a, y = (s64)b;

    add(a + b);
    add(a - b);
    add(a * b);
    add(a & b);
    add(a | b);
    add(a ^ b);
    add((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5);
    add((x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5);
    if (b) {
        add(a / b);
        add(a % b);
        if (!(a == 0x8000000000000000 && b == 0xffffffffffffffff)) {
            add((u64)(x / y));
            add((u64)(x % y));
        }
    }
    add((a && b) + 2 * (a || b));
    if (a < b)
        add(1);
    if (x < y)
        add(2);
    while (a == b) {
        add(3);
        break;
    }
}

static void unary(u64 a)
{
    s64 x = (s64)a;
    u64 t = a;
    s64 v = x;

    add(-a);
    add(~a);
    add(!a);
    add(t++);
    add(++t);
    add(t--);
    add(--t);
    v += 5; add((u64)v);
    v -= 0x100000000; add((u64)v);
    v ^= x; add((u64)v);
    v |= 0x10; add((u64)v);
    v &= ~0xffLL; add((u64)v);
    add((u64)(x * 10)); add(a * 3); add(a * 0x100000000); add(a * 0x100000003);
    add((u64)(x / 10)); add(a / 10); add((u64)(x % 10)); add(a % 10);
    add((u64)(x / 16)); add(a / 16); add((u64)(x % 16)); add(a % 16);
    add(a + 1); add(a - 1); add(a + 0xffffffff); add(a - 0xffffffff); add(a & 0xffff0000ffff);
    add((u64)(signed char)a); add((unsigned char)a); add((u64)(short)a); add((unsigned short)a);
    add((u64)(int)a); add((unsigned)a);
    add(x < 0); add(x >= 0); add(x > 0); add(x <= 0); add(x == 0); add(x != 0); add(a > 5); add(x < -7);
    add(a ? 3 : 4);
    add((u64)((int)a * (s64)(int)(a >> 32)));
    add((u64)(unsigned)a * (unsigned)(a >> 32));
    add((u64)(s64)(int)(unsigned)a << 7);
}

static void shifts(u64 a)
{
    s64 x = (s64)a;
    int n;

    for (n = 0; n < 64; n++) {
        u64 t = a;
        s64 v = x;

        add(a << n);
        add(a >> n);
        add((u64)(x >> n));
        t <<= n;
        v >>= n;
        add(t ^ (u64)v);
    }
    add(a << 0); add(a << 1); add(a << 31); add(a << 32); add(a << 33); add(a << 63);
    add(a >> 0); add(a >> 1); add(a >> 31); add(a >> 32); add(a >> 33); add(a >> 63);
    add((u64)(x >> 1)); add((u64)(x >> 31)); add((u64)(x >> 32)); add((u64)(x >> 33)); add((u64)(x >> 63));
    add(1u << (a & 31)); add((u64)(int)a >> (x & 31)); add((u64)((int)a >> (a & 31)));
}

static s64 many(s64 a, int b, u64 c, char d, s64 e, short f, u64 g, s64 h)
{
    return a - b + (s64)c * d - e + f - (s64)g + h;
}

static s64 global = -5;
static s64 array[5] = {1, -2, 3, -4, 5};

static s64 *reference(s64 *p)
{
    *p += 0x0fffffffffffffff;
    return p + 1;
}

int main(void)
{
    int i, j;
    s64 local = 3, *p = array;

    for (i = 0; i < COUNT; i++) {
        unary(values[i]);
        printf("%08x ", sum);
        shifts(values[i]);
        printf("%08x ", sum);
        for (j = 0; j < COUNT; j++)
            binary(values[i], values[j]);
        printf("%08x %lld %llu %llx\n", sum, (s64)values[i], values[i], values[i]);
    }
    printf("%lld\n", many(1, 2, 3, 4, 5, 6, 7, 8));
    printf("%lld\n", many(-0x123456789a, -2, 0xffffffff00000001, -4, 5LL << 40, -6, 7ULL << 60, 1));
    reference(&local);
    reference(reference(array) + 1);
    p += 2;
    *p++ *= -7;
    p[-1]--;
    array[i % 5] += global++;
    printf("%lld %lld %lld %lld %lld %lld %lld\n", local, global, array[0], array[1], array[2], array[3], array[4]);
    for (local = 0x7ffffffe; local < 0x80000003; local++)
        printf("%lld ", local * local);
    printf("\n");
    return (int)(local >> 28);
}
