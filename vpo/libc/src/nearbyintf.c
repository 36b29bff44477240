/* nearbyintf, nearbyintl */

#include <math.h>

float nearbyintf(float x)
{
    return (float)nearbyint(x);
}

long double nearbyintl(long double x)
{
    return nearbyint((double)x);
}
