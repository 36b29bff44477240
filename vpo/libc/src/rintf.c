/* rintf, rintl */

#include <math.h>

float rintf(float x)
{
    return (float)rint(x);
}

long double rintl(long double x)
{
    return rint((double)x);
}
