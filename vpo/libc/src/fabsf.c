/* fabsf, fabsl */

#include <math.h>

float fabsf(float x)
{
    return (float)fabs(x);
}

long double fabsl(long double x)
{
    return fabs((double)x);
}
