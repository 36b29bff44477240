/* coshf, coshl */

#include <math.h>

float coshf(float x)
{
    return (float)cosh(x);
}

long double coshl(long double x)
{
    return cosh((double)x);
}
