/* Points of one function of <math.h>: math_points NAME SEED COUNT writes arguments and results, three doubles for each;
   with a fourth argument of floats.  math_points NAME X writes those of one point. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double unary(double);
typedef double binary(double, double);
typedef float float_unary(float);
typedef float float_binary(float, float);

#define ONE(f) {#f, f}
#define BOTH(name) {#name "f", name##f}

static const struct { const char *name; unary *function; } unaries[] = {
    ONE(sin), ONE(cos), ONE(tan), ONE(asin), ONE(acos), ONE(atan), ONE(sinh), ONE(cosh), ONE(tanh), ONE(asinh), ONE(acosh),
    ONE(atanh), ONE(exp), ONE(exp2), ONE(expm1), ONE(log), ONE(log2), ONE(log10), ONE(log1p), ONE(cbrt), ONE(erf), ONE(erfc),
    ONE(tgamma), ONE(lgamma), ONE(sqrt)
};
static const struct { const char *name; binary *function; } binaries[] = {ONE(atan2), ONE(pow), ONE(hypot)};
static const struct { const char *name; float_unary *function; } float_unaries[] = {
    BOTH(sin), BOTH(cos), BOTH(tan), BOTH(asin), BOTH(acos), BOTH(atan), BOTH(sinh), BOTH(cosh), BOTH(tanh), BOTH(asinh),
    BOTH(acosh), BOTH(atanh), BOTH(exp), BOTH(exp2), BOTH(expm1), BOTH(log), BOTH(log2), BOTH(log10), BOTH(log1p),
    BOTH(cbrt), BOTH(erf), BOTH(erfc), BOTH(tgamma), BOTH(lgamma), BOTH(sqrt)
};
static const struct { const char *name; float_binary *function; } float_binaries[] = {BOTH(atan2), BOTH(pow), BOTH(hypot)};

static uint64_t state;

static uint64_t next64(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static double near(double x, int bits)
{
    return x + ldexp((double)(int64_t)next64(), -bits);
}

/* A number of any kind; of floats, `single` says that exponents are those of a float. */
static double point(int single)
{
    double unit = (double)(next64() >> 11) / 9007199254740992.0;
    double sign = next64() & 1 ? 1 : -1;
    int wide = single ? 140 : 1060;

    switch (next64() % 16) {
    case 0: return sign * ldexp(1 + unit, (int)(next64() % (2 * wide)) - wide);
    case 1: return sign * ldexp(1 + unit, (int)(next64() % 40) - 30);
    case 2: return sign * unit * 750;
    case 3: return sign * unit * (single ? 100 : 750);
    case 4: return sign * unit * 100;
    case 5: case 6: return sign * unit * 20;
    case 7: case 8: return sign * unit * 3;
    case 9: case 10: return sign * unit;
    case 11: return near(sign, 64 + (int)(next64() % 50));
    case 12: return near(sign * (double)(next64() % 200) / 2, 64 + (int)(next64() % 50));
    case 13: return near(sign * (double)(next64() % 1000) * 0.78539816339744830961, 64 + (int)(next64() % 50));
    case 14: return sign * unit * 1e6;
    default: return sign * ldexp(1 + unit, (int)(next64() % 60));
    }
}

static double call(const char *name, double x, double y)
{
    unsigned i;

    for (i = 0; i < sizeof unaries / sizeof *unaries; i++) {
        if (strcmp(unaries[i].name, name) == 0)
            return unaries[i].function(x);
        if (strcmp(float_unaries[i].name, name) == 0)
            return float_unaries[i].function((float)x);
    }
    for (i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        if (strcmp(binaries[i].name, name) == 0)
            return binaries[i].function(x, y);
        if (strcmp(float_binaries[i].name, name) == 0)
            return float_binaries[i].function((float)x, (float)y);
    }
    exit(2);
}

int main(int argc, char **argv)
{
    const char *name = argv[1];
    int count = argc > 3 ? atoi(argv[3]) : 1;
    int single = argc > 4;

    state = (uint64_t)atoi(argv[2]) * 0x9e3779b97f4a7c15 * 3;
    while (count-- > 0) {
        double numbers[3];

        numbers[0] = single ? (float)point(1) : point(0);
        numbers[1] = single ? (float)point(1) : point(0);
        if (strncmp(name, "pow", 3) == 0 && next64() % 2) /* most powers of others have no finite result */
            numbers[0] = fabs(single ? (float)near(1, 64) : near(1, 64)), numbers[1] *= 3;
        else if (strncmp(name, "hypot", 5) == 0 || strncmp(name, "atan2", 5) == 0)
            numbers[1] = numbers[0] * (single ? (float)point(1) : point(0));
        if (single)
            numbers[1] = (float)numbers[1];
        if (argc == 3)
            numbers[0] = strtod(argv[2], NULL);
        numbers[2] = call(name, numbers[0], numbers[1]);
        fwrite(numbers, sizeof numbers, 1, stdout);
    }
    return 0;
}
