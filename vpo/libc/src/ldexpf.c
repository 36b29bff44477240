/* The functions of ldexp.c for float and long double. */

#include <math.h>

float ldexpf(float x, int exponent)
{
    return (float)ldexp(x, exponent);
}

long double ldexpl(long double x, int exponent)
{
    return ldexp((double)x, exponent);
}

float scalbnf(float x, int exponent)
{
    return (float)ldexp(x, exponent);
}

long double scalbnl(long double x, int exponent)
{
    return ldexp((double)x, exponent);
}

float frexpf(float x, int *exponent)
{
    return (float)frexp(x, exponent);
}

long double frexpl(long double x, int *exponent)
{
    return frexp((double)x, exponent);
}

int ilogbf(float x)
{
    return ilogb(x);
}

int ilogbl(long double x)
{
    return ilogb((double)x);
}
