/* copysignf, copysignl */

#include <math.h>

float copysignf(float x, float y)
{
    return (float)copysign(x, y);
}

long double copysignl(long double x, long double y)
{
    return copysign((double)x, (double)y);
}
