/* ldexp, scalbn, frexp, modf, ilogb, logb */

#include <math.h>
#include "double.h"

#define EXPONENT(bits) ((int)(HIGH(bits) >> 20) & 0x7ff)

/* 2^exponent, for a normal one. */
static double power(int exponent)
{
    union double_bits number;

    number.bits = PAIR((uint32_t)(exponent + BIAS) << 20, 0);
    return number.value;
}

/* By steps of which only the last can round. */
double ldexp(double value, int exponent)
{
    if (exponent > 1023) {
        value *= power(1023);
        exponent -= 1023;
        if (exponent > 1023) {
            value *= power(1023);
            exponent = exponent > 2046 ? 1023 : exponent - 1023;
        }
    } else if (exponent < -1022) {
        value *= power(-1022 + 53);
        exponent += 1022 - 53;
        if (exponent < -1022) {
            value *= power(-1022 + 53);
            exponent = exponent < -1991 ? -1022 : exponent + 1022 - 53;
        }
    }
    return value * power(exponent);
}

double scalbn(double value, int exponent)
{
    return ldexp(value, exponent);
}

double frexp(double value, int *exponent)
{
    union double_bits number;
    int stored;

    number.value = value;
    stored = EXPONENT(number.bits);
    *exponent = 0;
    if (stored == 0x7ff || value == 0)
        return value;
    if (stored == 0) {
        number.value *= 18014398509481984.0; /* 2^54 */
        stored = EXPONENT(number.bits) - 54;
    }
    *exponent = stored - (BIAS - 1);
    number.bits = PAIR((HIGH(number.bits) & 0x800fffff) | (uint32_t)(BIAS - 1) << 20, LOW(number.bits));
    return number.value;
}

int ilogb(double value)
{
    int exponent;

    if (value == 0)
        return FP_ILOGB0;
    if (!__isfinite(value))
        return value != value ? FP_ILOGBNAN : 2147483647;
    frexp(value, &exponent);
    return exponent - 1;
}

double logb(double value)
{
    if (value == 0)
        return -HUGE_VAL;
    if (!__isfinite(value))
        return value * value;
    return ilogb(value);
}
