/* log, log10, log2 */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "log.h"

double __log_special(double x)
{
    if (x == 0) {
        errno = ERANGE;
        return -HUGE_VAL;
    }
    if (x < 0) {
        errno = EDOM;
        return NAN;
    }
    return x; /* infinite or not a number */
}

double log(double x)
{
    double low;

    return IS_ORDINARY(x) ? __log_parts(x, &low) : __log_special(x);
}

/* log(x) * (factor + tail) */
static double scaled_log(double x, double factor, double tail)
{
    double high, low, product;

    if (!IS_ORDINARY(x))
        return __log_special(x);
    high = __log_parts(x, &low);
    product = high * factor;
    return product + (product_error(high, factor, product) + (high * tail + low * factor));
}

double log10(double x)
{
    return scaled_log(x, 0.4342944819032518, 1.098319650216765e-17);
}

double log2(double x)
{
    return scaled_log(x, 1.4426950408889634, 2.0355273740931033e-17);
}
