/* Conversions between all arithmetic types, implicit, by casts, in calls and in compound assignments. */
#include <stdio.h>

#define ALL(x)                                                                                                  \
    (printf("%d %d %d %d %d %u %d %u ", (signed char)(x), (unsigned char)(x), (short)(x), (unsigned short)(x),   \
            (int)(x), (unsigned)(x), (int)(long)(x), (unsigned)(unsigned long)(x)),                              \
     printf("%lld %llu %.9g %.17g %d\n", (long long)(x), (unsigned long long)(x), (double)(float)(x), (double)(x), \
            (_Bool)(x)))

static const double doubles[] = {0, 0.25, 0.999999999, 1, 1.5, 2.5, 99.99, 126.9, 0x1p-30, 1e-300};
static const int ints[] = {0, 1, -1, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 16777217,
                           0x7fffffff, -0x7fffffff - 1, -16777217, 0x7fffff80, 0x7fffffbf, 0x7fffffc0};
static const unsigned unsigneds[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000080, 0x80000081, 0xffffff7f, 0xffffff80, 0xffffffff};
static const long long longs[] = {0, -1, 0x80000000, 0xffffffff, 0x100000000, 0x20000000000001, 0x20000000000003,
                                  0x7fffffffffffffff, -0x7fffffffffffffff - 1, 0x7ffffffffffffdff, 0x7ffffffffffffe00,
                                  0x7fffff4000000000, 0x7fffff4000000001, -0x8000008000000001, 0x1000001, 0x1000003};
static const unsigned long long ulongs[] = {0x8000000000000000, 0x8000000000000400, 0x8000000000000401, 0xffffffffffffffff,
                                            0xfffffffffffff400, 0xfffffffffffffbff, 0x8000008000000000, 0x8000008000000001,
                                            0xffffff7fffffffff, 0xffffff8000000000};
static const double bigs[] = {2147483647.5, -2147483648.9, 4294967295.5, 2147483648.0, 1e15, 9007199254740993.0, 1e18, -9.2e18};

static const double edges[] = {2147483647.5, 2147483647.84375, -2147483647.75, -2147483648.9, 1073741823.5, -0.5, 0.5, -1.75};

static char to_char(int x) { return x; }
static unsigned char to_uchar(int x) { return x; }
static short to_short(double x) { return x; }
static unsigned short to_ushort(long long x) { return x; }
static float to_float(double x) { return x; }
static double from_float(float x) { return x; }
static unsigned to_unsigned(double x) { return x; }
static long long to_long(float x) { return x; }
static unsigned long long to_ulong(double x) { return x; }
static int from_narrow(char a, unsigned char b, short c, unsigned short d) { return a + b * 3 + c * 5 + d * 7; }

/* values that a compiler can know: unsigned ones of all bits, and what is left of them */
static void known(void)
{
    unsigned all = 0xffffffffu, shifted = all >> 3, third = all / 3, rest = all % 7, up = all << 5 >> 5;
    unsigned long long wide = all, most = ~0ULL, far = most >> 9;
    double narrow = (unsigned short)all, whole = all, sum = wide;
    printf("%u %u %u %u %llu %llu %llu %g %g %g\n", shifted, third, rest, up, far, most / 3, most % 7, narrow, whole, sum);
}

int main(void)
{
    unsigned i;
    char c = 100;
    unsigned char uc = 250;
    short s = 32000;
    unsigned short us = 65000;
    float f = 3.75f;
    double d = 1e10;
    long long q = -5;
    unsigned u = 7;
    int n = -7;

    for (i = 0; i < sizeof doubles / sizeof *doubles; i++)
        ALL(doubles[i]);
    for (i = 0; i < sizeof ints / sizeof *ints; i++)
        ALL(ints[i]);
    for (i = 0; i < sizeof unsigneds / sizeof *unsigneds; i++)
        ALL(unsigneds[i]);
    for (i = 0; i < sizeof longs / sizeof *longs; i++)
        ALL(longs[i]);
    for (i = 0; i < sizeof ulongs / sizeof *ulongs; i++)
        ALL(ulongs[i]);
    for (i = 0; i < sizeof bigs / sizeof *bigs; i++)
        printf("%lld %.9g\n", (long long)bigs[i], (double)(float)bigs[i]);
    for (i = 0; i < sizeof edges / sizeof *edges; i++)
        printf("%d %u\n", (int)edges[i], (unsigned)(long long)edges[i]);
    printf("%u %u %u\n", (unsigned)bigs[0], (unsigned)bigs[2], (unsigned)bigs[3]);
    printf("%llu %llu\n", (unsigned long long)9.3e18, (unsigned long long)1.8446744073709549568e19);
    printf("%llu %lld\n", (unsigned long long)1.2e19f, (long long)-1e18f);
    for (n = -40000; n < 70000; n += 9999)
        printf("%d %d %d %u\n", to_char(n), to_uchar(n), from_narrow(n, n, n, n), (unsigned)to_char(n) + to_uchar(n));
    printf("%d %d %.9g %.9g %u\n", to_short(-3.99), to_ushort(-1LL << 5), to_float(0.1), from_float(0.1f), to_unsigned(3e9));
    printf("%lld %llu\n", to_long(-3.5e12f), to_ulong(1e19));
    c += 100; uc += 10; s += 1000; us *= 3; f += n; d -= f; q *= c; u -= q;
    printf("%d %d %d %d %g %.3f %lld %u\n", c, uc, s, us, f, d, q, u);
    c *= 1.5; uc /= 0.7; s -= 0.9; us += 2.9f; q += 0.5; u /= 1.25; n <<= 2; f *= q; d = f = d;
    printf("%d %d %d %d %lld %u %d %g %.9g\n", c, uc, s, us, q, u, n, f, d);
    printf("%d %d %d %d\n", -1 < 1u, -1 < (unsigned short)1, -1LL < 1u, (char)-1 == 255);
    printf("%d %d %d\n", (unsigned char)~0 == ~0, (unsigned char)~0 >> 1, ((short)0x8000) >> 15);
    printf("%g %g %g\n", 7 / 2 + 7 / 2., 1.0f * 7 / 2, (double)(7u - 8u));
    printf("%d %d\n", (int)sizeof(c + c), (int)sizeof(1 ? f : d));
    printf("%d %u\n", 1 ? -1 : 1u, (1 ? -1 : 1u) > 0);
    printf("%.17g %.17g\n", 16777217.0f + 1.0f, (double)(0.1f + 0.2f));
    known();
    return (char)300;
}
