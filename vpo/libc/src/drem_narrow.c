/* The mathematics of Unix before C99 for float and long double. */

#include <math.h>

float dremf(float x, float y)
{
    return remainderf(x, y);
}

long double dreml(long double x, long double y)
{
    return remainderl(x, y);
}

int finitef(float x)
{
    return isfinite(x) != 0;
}

int finitel(long double x)
{
    return isfinite(x) != 0;
}

int isinff(float x)
{
    return isinf(x);
}

int isinfl(long double x)
{
    return isinf(x);
}

int isnanf(float x)
{
    return isnan(x);
}

int isnanl(long double x)
{
    return isnan(x);
}

float gammaf(float x)
{
    return lgammaf(x);
}

long double gammal(long double x)
{
    return lgammal(x);
}

float scalbf(float x, float exponent)
{
    return (float)scalb(x, exponent);
}

long double scalbl(long double x, long double exponent)
{
    return scalb((double)x, (double)exponent);
}

float significandf(float x)
{
    return (float)significand(x);
}

long double significandl(long double x)
{
    return significand((double)x);
}
