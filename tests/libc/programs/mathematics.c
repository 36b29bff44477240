/* <math.h>: each line is a function, its arguments and its result; the harness allows a difference in the last place. */
#include <math.h>
#include <stdio.h>
#include "random.h"

typedef double unary(double);
typedef double binary(double, double);

#define ONE(f) {#f, f}

static const struct {
    const char *name;
    unary *function;
} unaries[] = {
    ONE(sin), ONE(cos), ONE(tan), ONE(asin), ONE(acos), ONE(atan), ONE(sinh), ONE(cosh), ONE(tanh), ONE(asinh),
    ONE(acosh), ONE(atanh), ONE(exp), ONE(exp2), ONE(expm1), ONE(log), ONE(log2), ONE(log10), ONE(log1p), ONE(cbrt),
    ONE(erf), ONE(erfc), ONE(tgamma), ONE(lgamma), ONE(sqrt), ONE(floor), ONE(ceil), ONE(trunc), ONE(round), ONE(rint), ONE(nearbyint), ONE(logb), ONE(fabs)
};

static const struct {
    const char *name;
    binary *function;
} binaries[] = {
    ONE(atan2), ONE(pow), ONE(hypot), ONE(fmod), ONE(remainder), ONE(copysign), ONE(fmin), ONE(fmax), ONE(fdim),
    ONE(nextafter)
};

static const double edges[] = {
    0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, -2, 2.5, -2.5, 3, -3, 4, 5, 7, -7, 8, 10, 27, 100, 1000, 1024, -1074, -1075, 1e-5, -1e-5,
    1e-10, 1e-300, -1e-300, 5e-324, -5e-324, 2.2250738585072014e-308, 1e300, -1e300, 1.7976931348623157e308,
    709.78, 709.79, -745.1, -745.2, 710.4, 1e15, 4503599627370495.5, 4503599627370496.5, -4503599627370495.5, 9007199254740993.0, 9007199254740991.0,
    1e22, 1e6, 1647098.5, 1647100.5, 3.141592653589793, 1.5707963267948966, 0.7853981633974483, 6381956970095103.0 * 0x1p700, 0.9999999999999999,
    1.0000000000000002, 0.99, 1.01, 0.49999999999999994, HUGE_VAL, -HUGE_VAL, NAN
};

#define EDGES (int)(sizeof edges / sizeof *edges)

static double some(int kind)
{
    double unit = (double)(next64() >> 11) / 9007199254740992.0;

    switch (kind % 8) {
    case 0: return next_double();
    case 1: return (unit - 0.5) * 2;
    case 2: return (unit - 0.5) * 20;
    case 3: return (unit - 0.5) * 1400;
    case 4: return (unit - 0.5) * 1e9;
    case 5: return 1 + (unit - 0.5) / 16;
    case 6: return (double)(next() % 2000) - 1000;
    default: return ldexp(unit - 0.5, (int)(next() % 80) - 40);
    }
}

static void show(const char *name, double x, double y, double result)
{
    if (result == result)
        printf("%s %a %a %a\n", name, x, y, result);
    else
        printf("%s %a %a NaN\n", name, x, y);
}

static void show_quotient(double x, double y)
{
    int quotient;
    double rest = remquo(x, y, &quotient);

    if (rest == rest && y < HUGE_VAL && y > -HUGE_VAL)
        printf("remquo %a %a %d %a\n", x, y, quotient < 0 ? -(-quotient & 7) : quotient & 7, rest);
    printf("scalbln %a %a\n", x, scalbln(x, y > -2000 && y < 2000 ? (long)y : 3));
}

static void try_both(double x, double y)
{
    unsigned i;

    for (i = 0; i < sizeof binaries / sizeof *binaries; i++)
        show(binaries[i].name, x, y, binaries[i].function(x, y));
    show_quotient(x, y);
}

static void try_one(double x)
{
    unsigned i;
    int exponent = 0;
    double whole, part;

    for (i = 0; i < sizeof unaries / sizeof *unaries; i++)
        show(unaries[i].name, x, 0, unaries[i].function(x));
    part = modf(x, &whole);
    show("modf", x, whole, part);
    part = frexp(x, &exponent);
    if (isfinite(x))
        show("frexp", x, exponent, part);
    for (exponent = -2200; exponent <= 2200; exponent += 73)
        show("ldexp", x, exponent, ldexp(x, exponent));
    if (x > -2e9 && x < 2e9)
        printf("lround %a %ld %ld %lld %lld\n", x, lround(x), lrint(x), llround(x), llrint(x));
    printf("class %a %d %d %d %d %d\n", x, isnan(x) != 0, isinf(x) != 0, isfinite(x) != 0, isnormal(x) != 0,
           x == x && signbit(x) != 0);
    show("sinf", x, 0, sinf((float)x));
    show("sqrtf", x, 0, sqrtf((float)x));
    show("floorf", x, 0, floorf((float)x));
}

int main(void)
{
    int i, j;

    for (i = 0; i < EDGES; i++) {
        try_one(edges[i]);
        for (j = 0; j < EDGES; j++)
            try_both(edges[i], edges[j]);
    }
    for (i = 0; i < 800; i++) {
        double x = some(i);
        double y = some(i / 8);
        double z = some(i / 64);

        try_one(x);
        try_both(x, y);
        try_both(fabs(x), z);
        show("fma", x, y, fma(x, y, z));
        show("fma", x, 1 / x, fma(x, 1 / x, -1.0));
        x = ldexp(some(1), -500 - (int)(next() % 40));
        y = ldexp(some(5), -520);
        z = ldexp(-x * y, (int)(next() % 5) - 2);
        show("fma", x, y, fma(x, y, z));
    }
    return 0;
}
