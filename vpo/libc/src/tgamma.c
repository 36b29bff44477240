/* tgamma */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "exp.h"
#include "gamma.h"

#define MOST 171.6243769563027
#define LEAST (-184.0)

/* For x <= -GAMMA_PRODUCT that is no integer: gamma(x) = reflection / gamma(-x), without its sign. */
static double of_negative(double x)
{
    double high, low, head, rest, factor, factor_low, product;
    int exponent;

    factor = __reflection(-x, &factor_low);
    high = __stirling(-x, &low);
    head = __exp_parts(-high, -low, &rest, &exponent);
    TWO_SUM(head, rest, head, rest);
    TWO_SUM(head, rest, head, rest);
    TWO_SUM(head, rest, head, rest);
    product = head * factor;
    rest = product_error(head, factor, product) + head * factor_low + rest * factor;
    return ldexp(product + rest, exponent);
}

double tgamma(double x)
{
    double high, low;

    if (x != x || x == HUGE_VAL)
        return x;
    if (x == -HUGE_VAL || (x < 0 && floor(x) == x)) {
        errno = EDOM;
        return NAN;
    }
    if (x == 0 || x > MOST) {
        errno = ERANGE;
        return copysign(HUGE_VAL, x);
    }
    if (fabs(x) < GAMMA_TINY) {
        if (fabs(1 / x) == HUGE_VAL)
            errno = ERANGE;
        return 1 / x;
    }
    if (fabs(x) < GAMMA_PRODUCT) {
        high = __gamma_parts(x, &low);
        return high + low;
    }
    if (x > 0) {
        high = __stirling(x, &low);
        return __exp_sum(high, low);
    }
    if (x < LEAST) {
        errno = ERANGE;
        high = 0;
    } else
        high = of_negative(x);
    return fmod(floor(x), 2) == 0 ? high : -high;
}
