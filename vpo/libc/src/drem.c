/* The mathematics of Unix before C99: drem, finite, gamma, scalb, significand. */

#include <math.h>

double drem(double x, double y)
{
    return remainder(x, y);
}

int finite(double x)
{
    return isfinite(x) != 0;
}

double gamma(double x)
{
    return lgamma(x);
}

double scalb(double x, double exponent)
{
    if (isnan(x) || isnan(exponent))
        return x * exponent;
    if (!isfinite(exponent))
        return exponent > 0 ? x * exponent : x != 0 && isinf(x) ? NAN : x / -exponent;
    if (rint(exponent) != exponent)
        return NAN;
    return scalbn(x, exponent > 65000 ? 65000 : exponent < -65000 ? -65000 : (int)exponent);
}

double significand(double x)
{
    return x == 0 || !isfinite(x) ? x : scalbn(x, -ilogb(x));
}
