/* asinhf, asinhl */

#include <math.h>

float asinhf(float x)
{
    return (float)asinh(x);
}

long double asinhl(long double x)
{
    return asinh((double)x);
}
