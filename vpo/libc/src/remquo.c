/* remquo: the remainder, and the last bits of the quotient: as much as rounds to from 0 to 8, as others have it. */

#include <math.h>

double remquo(double x, double y, int *quotient)
{
    double rest = remainder(x, y);
    double size = fabs(x), divisor = fabs(y), signed_rest = __signbit(x) ? -rest : rest;

    *quotient = 0;
    if (rest != rest || !__isfinite(y))
        return rest;
    if (divisor < 0x1p1021)
        size = fmod(size, 8 * divisor);
    else { /* with halves, which are exact, nothing overflows */
        size *= 0.5;
        divisor *= 0.5;
        signed_rest *= 0.5;
    }
    *quotient = (int)((size - signed_rest) / divisor + 0.5);
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
