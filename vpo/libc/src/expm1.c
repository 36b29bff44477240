/* expm1: exp(x) - 1 */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "exp.h"

#define SMALL 0.35

/* For small numbers: x + x^2/2, whose rounding error is kept, and the rest of the series. */
static double expm1_of_small(double x)
{
    double square = x * x;
    double sum = 0;
    int n;

    for (n = 15; n > 2; n--)
        sum = (sum * x + 1) / n;
    return x + (0.5 * square + (0.5 * product_error(x, x, square) + 0.5 * square * x * sum));
}

double expm1(double x)
{
    double head, low, error;
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
    if (x < SMALL && x > -SMALL)
        return x < 1e-150 && x > -1e-150 ? x : expm1_of_small(x);
    head = __exp_parts(x, 0, &low, &exponent);
    if (exponent > 60)
        return ldexp(head + low, exponent);
    TWO_SUM(head, error, ldexp(head, exponent), -1);
    return head + (error + ldexp(low, exponent));
}
