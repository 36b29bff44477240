/* floor, ceil, trunc, round, rint, nearbyint, modf: adding 2^52 leaves no room for a fraction. */

#include <math.h>

#define ROOM 4503599627370496.0

/* The nearest integer, the even one of two; of the sign of x. */
double rint(double x)
{
    double size = fabs(x);

    if (!(size < ROOM))
        return x;
    return copysign(size + ROOM - ROOM, x);
}

double nearbyint(double x)
{
    return rint(x);
}

double floor(double x)
{
    double whole = rint(x);

    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = rint(x);

    return whole < x ? copysign(whole + 1, x) : whole;
}

double trunc(double x)
{
    return copysign(floor(fabs(x)), x);
}

double round(double x)
{
    double size = fabs(x);
    double whole = floor(size);

    if (size - whole >= 0.5)
        whole += 1;
    return copysign(whole, x);
}

double modf(double x, double *whole)
{
    *whole = trunc(x);
    return copysign(x == *whole ? 0 : x - *whole, x);
}
