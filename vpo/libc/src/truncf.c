/* truncf, truncl */

#include <math.h>

float truncf(float x)
{
    return (float)trunc(x);
}

long double truncl(long double x)
{
    return trunc((double)x);
}
