/* fmod, remainder: exact, by the division of integers. */

#include <errno.h>
#include <math.h>
#include "double.h"

#define HIDDEN ((uint64_t)1 << FRACTION_BITS)
#define STEP 11 /* so many bits fit before a significand */

/* The significand of a positive number, and the exponent of its last place. */
static uint64_t split(double x, int *exponent)
{
    union double_bits number;

    number.value = x;
    *exponent = (int)(HIGH(number.bits) >> 20);
    if (*exponent == 0) {
        *exponent = 1;
        return number.bits;
    }
    return (number.bits & (HIDDEN - 1)) | HIDDEN;
}

double fmod(double x, double y)
{
    double size = fabs(x);
    double divisor = fabs(y);
    uint64_t rest, by;
    int high, low;

    if (y == 0 || !__isfinite(x) || y != y) {
        if (x == x && y == y)
            errno = EDOM;
        return NAN;
    }
    if (size < divisor)
        return x;
    rest = split(size, &high);
    by = split(divisor, &low);
    rest %= by;
    for (high -= low; high && rest; high -= low) {
        low = high < STEP ? high : STEP;
        rest = (rest << low) % by;
    }
    split(divisor, &low);
    return copysign(ldexp((double)rest, low - (BIAS + FRACTION_BITS)), x);
}

double remainder(double x, double y)
{
    double divisor = fabs(y);
    double rest, half;

    if (y == 0 || !__isfinite(x) || y != y) {
        if (x == x && y == y)
            errno = EDOM;
        return NAN;
    }
    rest = fabs(divisor < 0x1p1023 ? fmod(x, divisor + divisor) : x);
    half = 0.5 * divisor;
    if (divisor < 4.5e-308) { /* half of it may not be exact */
        if (rest + rest > divisor) {
            rest -= divisor;
            if (rest + rest >= divisor)
                rest -= divisor;
        }
    } else if (rest > half) {
        rest -= divisor;
        if (rest >= half)
            rest -= divisor;
    }
    return __signbit(x) ? -rest : rest;
}
