/* What the macros of <math.h> that classify numbers call. */

#include <float.h>
#include <math.h>
#include "double.h"

static uint32_t exponent_of(uint64_t bits)
{
    return HIGH(bits) >> 20 & 0x7ff;
}

int __isnan(double value)
{
    return value != value;
}

int __isinf(double value)
{
    return value == HUGE_VAL ? 1 : value == -HUGE_VAL ? -1 : 0;
}

int __isfinite(double value)
{
    union double_bits number;

    number.value = value;
    return exponent_of(number.bits) != 0x7ff;
}

int __isnormal(double value)
{
    union double_bits number;

    number.value = value;
    return exponent_of(number.bits) - 1 < 0x7fe;
}

int __signbit(double value)
{
    union double_bits number;

    number.value = value;
    return HIGH(number.bits) >> 31;
}

int __fpclassify(double value)
{
    union double_bits number;
    uint32_t exponent;

    number.value = value;
    exponent = exponent_of(number.bits);
    if (exponent == 0)
        return number.bits << 1 ? FP_SUBNORMAL : FP_ZERO;
    if (exponent == 0x7ff)
        return number.bits << 12 ? FP_NAN : FP_INFINITE;
    return FP_NORMAL;
}

int __isnormalf(float value)
{
    return __isnormal(value) && fabsf(value) >= FLT_MIN;
}

int __fpclassifyf(float value)
{
    return value != 0 && fabsf(value) < FLT_MIN ? FP_SUBNORMAL : __fpclassify(value);
}
