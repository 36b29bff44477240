/* asinh, acosh, atanh, by log1p */

#include <errno.h>
#include <math.h>

#define LN2 0.6931471805599453

double asinh(double x)
{
    double size = fabs(x);

    if (size > 1e9)
        size = log(size) + LN2;
    else if (size > 1e-9)
        size = log1p(size + size * size / (1 + sqrt(size * size + 1)));
    return copysign(size, x);
}

double acosh(double x)
{
    if (x < 1) {
        errno = EDOM;
        return NAN;
    }
    if (x > 1e9)
        return log(x) + LN2;
    x -= 1;
    return log1p(x + sqrt(2 * x + x * x));
}

double atanh(double x)
{
    double size = fabs(x);

    if (size >= 1) {
        errno = size > 1 ? EDOM : ERANGE;
        return size > 1 ? NAN : copysign(HUGE_VAL, x);
    }
    return copysign(0.5 * log1p(2 * size / (1 - size)), x);
}
