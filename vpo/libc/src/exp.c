/* exp, exp2 */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "exp.h"

#define LN2 0.6931471805599453
#define LN2_TAIL 2.3190468138462996e-17

double exp(double x)
{
    if (x <= EXP_MOST && x >= EXP_LEAST)
        return __exp_sum(x, 0);
    if (x != x)
        return x;
    if (__isfinite(x))
        errno = ERANGE;
    return x > 0 ? HUGE_VAL : 0;
}

double exp2(double x)
{
    double product = x * LN2;

    if (x < 1024 && x > -1076)
        return __exp_sum(product, product_error(x, LN2, product) + x * LN2_TAIL);
    if (x != x)
        return x;
    if (__isfinite(x))
        errno = ERANGE;
    return x > 0 ? HUGE_VAL : 0;
}
