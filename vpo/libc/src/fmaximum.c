/* fmaximum, fminimum (a NaN gives a NaN), fmaximum_num, fminimum_num (the other number): 0 is above -0. */

#include <math.h>

static int is_above(double x, double y)
{
    return x > y || (x == y && signbit(y) && !signbit(x));
}

double fmaximum(double x, double y)
{
    return isnan(x) || isnan(y) ? x + y : is_above(x, y) ? x : y;
}

double fminimum(double x, double y)
{
    return isnan(x) || isnan(y) ? x + y : is_above(x, y) ? y : x;
}

double fmaximum_num(double x, double y)
{
    return isnan(x) ? y : isnan(y) ? x : fmaximum(x, y);
}

double fminimum_num(double x, double y)
{
    return isnan(x) ? y : isnan(y) ? x : fminimum(x, y);
}

#define NARROW(type, suffix, name)                                                                       \
    type name##suffix(type x, type y)                                                                    \
    {                                                                                                    \
        return (type)name((double)x, (double)y);                                                         \
    }

NARROW(float, f, fmaximum)
NARROW(float, f, fminimum)
NARROW(float, f, fmaximum_num)
NARROW(float, f, fminimum_num)
NARROW(long double, l, fmaximum)
NARROW(long double, l, fminimum)
NARROW(long double, l, fmaximum_num)
NARROW(long double, l, fminimum_num)
