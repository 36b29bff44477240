/* fmaf: the product is exact as a double, and the sum is made odd unless exact, so that rounding it again does no
   harm; fmal. */

#include <math.h>
#include "exact.h"

float fmaf(float x, float y, float z)
{
    union double_bits sum;
    double error;

    TWO_SUM(sum.value, error, (double)x * y, z);
    if (error == error && error != 0 && !(sum.bits & 1))
        sum.bits += (error > 0) == (sum.value > 0) ? 1 : -(uint64_t)1;
    return (float)sum.value;
}

long double fmal(long double x, long double y, long double z)
{
    return fma((double)x, (double)y, (double)z);
}
