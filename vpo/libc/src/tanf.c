/* tanf, tanl */

#include <math.h>

float tanf(float x)
{
    return (float)tan(x);
}

long double tanl(long double x)
{
    return tan((double)x);
}
