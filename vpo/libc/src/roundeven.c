/* roundeven, nextup, nextdown, and their kin: numbers are always rounded to nearest here, halves to even. */

#include <math.h>

double roundeven(double x)
{
    return rint(x);
}

float roundevenf(float x)
{
    return rintf(x);
}

long double roundevenl(long double x)
{
    return rint((double)x);
}

double nextup(double x)
{
    return nextafter(x, (double)INFINITY);
}

float nextupf(float x)
{
    return nextafterf(x, INFINITY);
}

long double nextupl(long double x)
{
    return nextafter((double)x, (double)INFINITY);
}

double nextdown(double x)
{
    return nextafter(x, -(double)INFINITY);
}

float nextdownf(float x)
{
    return nextafterf(x, -INFINITY);
}

long double nextdownl(long double x)
{
    return nextafter((double)x, -(double)INFINITY);
}
