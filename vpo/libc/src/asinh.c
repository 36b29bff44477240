/* asinh, acosh, atanh: logarithms of sums whose rounding errors are kept */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "log.h"

#define LN2 0.6931471805599453
#define LN2_TAIL 2.3190468138462996e-17
#define LARGE 1e9

/* log(1 + a + b + rest) */
static double log_of_sum(double a, double b, double rest)
{
    double sum, error, high, low;

    TWO_SUM(sum, error, 1, a);
    rest += error;
    TWO_SUM(sum, error, sum, b);
    high = __log_parts(sum, &low);
    return high + (low + (rest + error) / sum);
}

/* log(2 * x) */
static double log_of_twice(double x)
{
    double low, error;
    double high = __log_parts(x, &low);

    TWO_SUM(high, error, high, LN2);
    return high + (error + low + LN2_TAIL);
}

double asinh(double x)
{
    double size = fabs(x);

    if (size > LARGE)
        size = IS_ORDINARY(size) ? log_of_twice(size) : size;
    else if (size > 1e-9)
        size = log_of_sum(size, size * size / (1 + sqrt(size * size + 1)), 0);
    return copysign(size, x);
}

double acosh(double x)
{
    double square, sum, error, root;

    if (!(x >= 1)) {
        if (x == x)
            errno = EDOM;
        return NAN;
    }
    if (x > LARGE)
        return IS_ORDINARY(x) ? log_of_twice(x) : x;
    x -= 1;
    square = x * x;
    TWO_SUM(sum, error, 2 * x, square);
    root = sqrt(sum);
    return x == 0 ? 0 : log_of_sum(root, x, root_error(sum, error + product_error(x, x, square), root));
}

double atanh(double x)
{
    double rest, error, quotient;
    double size = fabs(x);

    if (!(size < 1)) {
        if (size == size)
            errno = size > 1 ? EDOM : ERANGE;
        return size == 1 ? copysign(HUGE_VAL, x) : NAN;
    }
    if (size < 1e-9)
        return x;
    TWO_SUM(rest, error, 1, -size);
    quotient = 2 * size / rest;
    return copysign(0.5 * log_of_sum(quotient, 0, quotient_error(2 * size, 0, rest, error, quotient)), x);
}
