/* pow: exp(y * log(x)), with the logarithm and the product as sums of two doubles. */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "exp.h"
#include "log.h"

/* Whether y is an odd integer (1), an even one (2), or none (0). */
static int parity(double y)
{
    if (fabs(y) >= 9007199254740992.0)
        return 2;
    if (floor(y) != y)
        return 0;
    return floor(y * 0.5) == y * 0.5 ? 2 : 1;
}

/* For x that is zero or not finite, or y not finite; neither is NaN. */
static double special(double x, double y, int odd)
{
    double size = fabs(x);
    double result;

    if (!__isfinite(y)) {
        if (size == 1)
            return 1;
        return (size > 1) == (y > 0) ? HUGE_VAL : 0;
    }
    if (size == 0 && y < 0)
        errno = ERANGE;
    result = (size == 0) == (y < 0) ? HUGE_VAL : 0;
    return odd ? copysign(result, x) : result;
}

double pow(double x, double y)
{
    int kind = 2;
    double high, low, product;

    if (y == 2)
        return x * x;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return NAN;
    if (x <= 0)
        kind = parity(y);
    if (x == 0 || !__isfinite(x) || !__isfinite(y))
        return special(x, y, kind == 1);
    if (kind == 0) {
        errno = EDOM;
        return NAN;
    }
    if (x == -1)
        return kind == 1 ? -1 : 1;
    high = __log_parts(fabs(x), &low);
    product = high * y;
    if (product > EXP_MOST + 1 || product < EXP_LEAST - 1) {
        errno = ERANGE;
        product = product > 0 ? HUGE_VAL : 0;
    } else {
        product = __exp_sum(product, product_error(high, y, product) + low * y);
        if (product == HUGE_VAL || product == 0)
            errno = ERANGE;
    }
    return kind == 1 && x < 0 ? -product : product;
}
