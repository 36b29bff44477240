/* remquo: the remainder, and the last three bits of the quotient. */

#include <math.h>

double remquo(double x, double y, int *quotient)
{
    double rest = remainder(x, y);
    double size = fabs(x), divisor = fabs(y);

    *quotient = 0;
    if (rest != rest || !__isfinite(y))
        return rest;
    if (divisor < 1e307)
        size = fmod(size, 8 * divisor);
    *quotient = (int)((size - copysign(1, x) * rest) / divisor + 0.5) & 7;
    if (__signbit(x) != __signbit(y))
        *quotient = -*quotient;
    return rest;
}

float remquof(float x, float y, int *quotient)
{
    return (float)remquo(x, y, quotient); /* exact */
}

long double remquol(long double x, long double y, int *quotient)
{
    return remquo((double)x, (double)y, quotient);
}
