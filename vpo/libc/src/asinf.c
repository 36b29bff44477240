/* asinf, asinl */

#include <math.h>

float asinf(float x)
{
    return (float)asin(x);
}

long double asinl(long double x)
{
    return asin((double)x);
}
