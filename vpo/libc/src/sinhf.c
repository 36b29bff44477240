/* sinhf, sinhl */

#include <math.h>

float sinhf(float x)
{
    return (float)sinh(x);
}

long double sinhl(long double x)
{
    return sinh((double)x);
}
