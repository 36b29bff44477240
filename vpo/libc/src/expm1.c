/* expm1: exp(x) - 1 */

#include <errno.h>
#include <math.h>
#include "exp.h"

double expm1(double x)
{
    double head, low;
    int exponent;

    if (x != x || x == 0)
        return x;
    if (x < -40)
        return -1;
    if (x > EXP_MOST) {
        if (__isfinite(x))
            errno = ERANGE;
        return HUGE_VAL;
    }
    head = __exp_parts(x, 0, &low, &exponent);
    if (exponent > 60)
        return ldexp(head + low, exponent);
    return (ldexp(head, exponent) - 1) + ldexp(low, exponent);
}
